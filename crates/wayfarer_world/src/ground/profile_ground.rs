//! The ground for one profile: the default one, or a registered one with another radius, height,
//! step limit, set of terrains or keys.
//!
//! A registered profile has a [`Layer`]: for each sheet the cells where the agent fits, with
//! borders, and their regions; floors, heights, walls and modifiers are the ground's. Equal
//! profiles share a layer, and one equal to the default profile needs none. On uniform ground the
//! bits determine all steps, for wide bodies with two more bitboards for diagonals; on irregular
//! ground steps are evaluated on demand. Components are in a [`Hierarchy`] of their own. Every
//! batch repairs the layers near its dirty columns, within the body's radius. See
//! `docs/design/agent-layers.md`.

use wayfarer_base::{BatchDigest, Cell, Cost, CostMultiplier, Direction, Profile};

use super::bitboard;
use super::bits::BASE_COSTS;
use super::compiled_profile::CompiledProfile;
use super::hierarchy::{ComponentId, Hierarchy, block_of};
use super::lookup::is_at_page_edge;
use super::node::NodeId;
use super::successors::{Successor, uniform_successors};
use super::{Ground, ProfileError, SuccessorBuffer, Successors};

mod abstract_graph;
mod adjacency;
mod diagonals;
mod disc;
mod irregular;
mod joined;
mod layer;
mod levels;
mod links;
mod moved;
mod neighbors;
mod open_cells;
mod planar;
mod queries;
mod repair;
mod sheets;
mod step_masks;
mod weights;

pub use diagonals::DiagonalMasks;
pub(crate) use layer::Layer;
pub(crate) use levels::{MAX_RANKS, SectorLevels};
pub(crate) use repair::LayerWork;

use layer::{LayerRegion, LayerSheet, LayerSheetRef, Link};

/// A registered profile; ids are never reused. A clone that registered another profile under the same
/// number does not know it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProfileId {
    pub(super) slot: u32,
    /// Registration number.
    pub(super) number: u32,
    /// Digest of the profile: clones that diverged give the same numbers to others.
    digest: u64,
}

impl ProfileId {
    pub(super) fn new(slot: usize, number: u32, profile: &Profile) -> Self {
        Self {
            slot: u32::try_from(slot).expect("few profiles"),
            number,
            digest: BatchDigest::of(profile),
        }
    }

    /// The slot of the profile, for [`Ground::profile_at`].
    pub const fn slot(self) -> u32 {
        self.slot
    }
}

/// A registered profile and the layer that serves it.
#[derive(Clone, Debug)]
pub(crate) struct RegisteredProfile {
    pub(super) id: ProfileId,
    pub(super) profile: Profile,
    /// Slot of its layer; 0 if it equals the default profile.
    layer: u32,
}

/// The ground for one profile: `From<&Ground>` takes the default profile,
/// [`Ground::profile_ground`] a registered one. Copy; valid until the next edit.
#[derive(Clone, Copy, Debug)]
pub struct ProfileGround<'a> {
    ground: &'a Ground,
    registered: Option<&'a RegisteredProfile>,
    /// `None` if the ground itself has what the profile needs.
    layer: Option<&'a Layer>,
    /// True if all cost multipliers count as 1.
    has_base_costs: bool,
    /// What the cost of a path is to be multiplied by then.
    multiplier: CostMultiplier,
}

impl<'a> From<&'a Ground> for ProfileGround<'a> {
    #[inline]
    fn from(ground: &'a Ground) -> Self {
        Self {
            ground,
            registered: None,
            layer: None,
            has_base_costs: false,
            multiplier: CostMultiplier::ONE,
        }
    }
}

impl Ground {
    /// Registers a profile and derives its layer, O(world); every later edit repairs it. Equal
    /// profiles share a layer.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Fixed, Profile, Raster};
    /// use wayfarer_world::ground::Ground;
    ///
    /// // Three rows of ground; an ogre 2 cells wide does not fit at the border.
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(5, 3, vec![0; 15]).unwrap());
    /// let ogre = Profile { radius: Fixed::from_raw(256), ..Profile::DEFAULT };
    /// let ogre = ground.register_profile(ogre).unwrap();
    /// let ground = ground.profile_ground(ogre).unwrap();
    /// assert!(ground.node(Cell::flat(2, 1)).is_some());
    /// assert!(ground.node(Cell::flat(2, 0)).is_none());
    /// ```
    ///
    /// # Errors
    /// If a number of the profile is outside its limits.
    pub fn register_profile(&mut self, profile: Profile) -> Result<ProfileId, ProfileError> {
        let free = self.profiles.iter().position(Option::is_none);
        let slot = free.unwrap_or(self.profiles.len());
        let profile = profile.normalized();
        let id = ProfileId::new(slot, self.n_registered, &profile);
        let layer = self.layer_for(&profile)?;
        if free.is_none() {
            self.profiles.push(None);
        }
        self.profiles[slot] = Some(RegisteredProfile { id, profile, layer });
        self.n_registered += 1;
        self.identity.change(id.digest);
        Ok(id)
    }

    /// Registers a profile under an unused number in the next slot.
    pub(super) fn restore_profile(
        &mut self,
        number: u32,
        profile: Profile,
    ) -> Result<(), ProfileError> {
        let profile = profile.normalized();
        let id = ProfileId::new(self.profiles.len(), number, &profile);
        let layer = self.layer_for(&profile)?;
        self.profiles
            .push(Some(RegisteredProfile { id, profile, layer }));
        Ok(())
    }

    /// The slot of the layer for a profile, with one more user; derived if there is none yet.
    fn layer_for(&mut self, profile: &Profile) -> Result<u32, ProfileError> {
        super::check_profile(profile, Layer::MAX_RADIUS, "0 to 2048: eight cells")?;
        if *profile == self.default_profile {
            return Ok(0);
        }
        let mut layers = self.layers.iter_mut().flatten();
        if let Some(layer) = layers.find(|layer| layer.profile == *profile) {
            layer.n_users += 1;
            return Ok(layer.slot);
        }
        let free = self.layers.iter().position(Option::is_none);
        let index = free.unwrap_or(self.layers.len());
        let slot = u32::try_from(index + 1).expect("few profiles");
        self.n_layers += 1;
        let mut layer = Layer {
            slot,
            id: self.n_layers,
            n_users: 1,
            compiled: CompiledProfile::new(profile),
            disc: disc::Disc::new(profile.radius),
            profile: profile.clone(),
            pages: Vec::new(),
            hierarchy: Hierarchy::default(),
            n_weighted: 0,
            has_weights: false,
        };
        layer.build(self);
        if free.is_none() {
            self.layers.push(None);
        }
        self.layers[index] = Some(Box::new(layer));
        Ok(slot)
    }

    /// The ground for the profiles with a layer id; `None` if none of them is registered any more.
    pub fn layer_ground(&self, layer_id: u32) -> Option<ProfileGround<'_>> {
        if layer_id & BASE_COSTS != 0 {
            let ground = self.layer_ground(layer_id & !BASE_COSTS)?;
            return Some(ground.with_base_costs(CostMultiplier::ONE));
        }
        if layer_id == 0 {
            return Some(self.into());
        }
        let layers = self.layers.iter().flatten();
        let layer = layers
            .map(|layer| &**layer)
            .find(|layer| layer.id == layer_id)?;
        let registered = self.profiles.iter().flatten();
        Some(ProfileGround {
            ground: self,
            registered: registered.clone().find(|known| known.layer == layer.slot),
            layer: Some(layer),
            has_base_costs: false,
            multiplier: CostMultiplier::ONE,
        })
    }

    /// The layer in a slot; `None` for slot 0.
    #[inline]
    pub(crate) fn layer(&self, slot: u32) -> Option<&Layer> {
        self.layers.get(slot.wrapping_sub(1) as usize)?.as_deref()
    }

    /// Unregisters a profile, and drops its layer if no other has it.
    pub fn unregister_profile(&mut self, profile_id: ProfileId) {
        if self.profile_ground(profile_id).is_none() {
            return;
        }
        self.identity.change(profile_id.number.into());
        let gone = self.profiles[profile_id.slot as usize].take();
        let slot = gone.map_or(0, |gone| gone.layer).wrapping_sub(1) as usize;
        if let Some(layer) = self.layers.get_mut(slot) {
            if let Some(shared) = layer.as_deref_mut().filter(|layer| layer.n_users > 1) {
                shared.n_users -= 1;
            } else {
                *layer = None;
            }
        }
    }

    /// The profile registered in a slot.
    pub fn profile_at(&self, slot: u32) -> Option<ProfileId> {
        let registered = self.profiles.get(slot as usize)?.as_ref()?;
        Some(registered.id)
    }

    /// The ground for a registered profile; `None` if it was unregistered.
    pub fn profile_ground(&self, profile_id: ProfileId) -> Option<ProfileGround<'_>> {
        let known = self.profiles.get(profile_id.slot as usize)?.as_ref()?;
        let known = Some(known).filter(|known| known.id == profile_id)?;
        Some(ProfileGround {
            ground: self,
            registered: Some(known),
            layer: self.layer(known.layer),
            has_base_costs: false,
            multiplier: CostMultiplier::ONE,
        })
    }
}

impl<'a> ProfileGround<'a> {
    /// The id of a registered profile; `None` for the default one.
    pub fn id(self) -> Option<ProfileId> {
        self.registered.map(|registered| registered.id)
    }

    /// The profile.
    pub fn profile(self) -> &'a Profile {
        match self.registered {
            None => &self.ground.default_profile,
            Some(registered) => &registered.profile,
        }
    }

    /// The same ground with all cost multipliers taken as 1, for searches where `multiplier`, a whole
    /// number, is the only one in use: paths cost that many times as much as here, see
    /// [`ProfileGround::scaled`]. Nav links keep their costs.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier};
    /// use wayfarer_base::{GroundEdit, Raster, Rect, Shape};
    /// use wayfarer_world::ground::{Ground, ProfileGround};
    ///
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(2, 1, vec![0, 0]).unwrap());
    /// let modifier = CostModifier {
    ///     shape: Shape::Box(Rect::around(Column::new(0, 0), Column::new(1, 0))),
    ///     heights: (0, 0),
    ///     multiplier: CostMultiplier::from_sixteenths(48).unwrap(),
    /// };
    /// let multiplier = modifier.multiplier;
    /// let id = CostModifierId(1);
    /// ground.apply(&[GroundEdit::PutCostModifier { id, modifier }]).unwrap();
    /// let ground = ProfileGround::from(&ground);
    /// let node = ground.node(Cell::flat(0, 0)).unwrap();
    /// assert!(!ground.bits(node).is_uniform());
    /// let ground = ground.with_base_costs(multiplier);
    /// assert!(ground.bits(node).is_uniform());
    /// assert_eq!(ground.scaled(Cost::STRAIGHT).to_cells(), 3.0);
    /// ```
    #[must_use]
    pub fn with_base_costs(self, multiplier: CostMultiplier) -> Self {
        Self {
            has_base_costs: true,
            multiplier,
            ..self
        }
    }

    /// What a path costs that costs `base` on this ground: more if it is one
    /// [with base costs](Self::with_base_costs).
    #[inline]
    pub fn scaled(self, base: Cost) -> Cost {
        if self.has_base_costs {
            base.scaled_by(self.multiplier)
        } else {
            base
        }
    }

    /// The number of its layer, for keys of caches: equal for profiles that share one, 0 for the
    /// default profile, and never reused; another one [with base costs](Self::with_base_costs).
    #[inline]
    pub fn layer_id(self) -> u32 {
        self.layer.map_or(0, |layer| layer.id) | self.base_costs()
    }

    /// [`BASE_COSTS`] or 0.
    #[inline]
    fn base_costs(self) -> u32 {
        if self.has_base_costs { BASE_COSTS } else { 0 }
    }

    /// The node of a cell, if the agent fits there.
    pub fn node(self, cell: Cell) -> Option<NodeId> {
        let Some(layer) = self.layer else {
            return self.ground.node(cell);
        };
        let local = super::page::local_of(cell.column());
        let sector = wayfarer_base::SectorId::from_column(cell.column());
        self.ground
            .sheets_at(sector)
            .filter(|(_, sheet)| bitboard::has(&sheet.present(), local))
            .find(|(_, sheet)| sheet.height(local) == cell.z)
            .map(|(page, sheet)| NodeId::new(page, sheet.position, local))
            .filter(|node| layer.is_walkable(self.ground, *node))
    }

    /// The component of a cell where the agent fits: different components prove that no path
    /// exists.
    pub fn component(self, node: NodeId) -> Option<ComponentId> {
        let Some(layer) = self.layer else {
            return Some(self.ground.component(node));
        };
        let sheet = layer.sheet(self.ground, node.page(), node.position())?;
        let ordinal = sheet.region_at(node.local())?;
        let label = sheet.label(ordinal)?;
        let block = block_of(node.page(), node.position());
        Some(layer.hierarchy.component_of(block, label))
    }

    /// The successors of a cell with their costs: the eight directions clockwise from north, then
    /// nav links sorted by id. Allocates only while `buffer` grows.
    #[inline]
    pub fn successors(self, node: NodeId, buffer: &mut SuccessorBuffer) -> Successors<'_> {
        if self.has_base_costs {
            return self.base_successors(node, buffer);
        }
        let Some(layer) = self.layer else {
            return self.ground.successors(node, buffer);
        };
        let local = node.local();
        if let Some(sheet) = layer.sheet(self.ground, node.page(), node.position())
            && sheet.is_bit_exact()
            && !sheet.is_costly()
            && sheet.is_walkable(local)
            && !is_at_page_edge(node)
        {
            let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
            let window = sheet.cells.walkable.window(x, y);
            return Successors::new(uniform_successors(window, local), node);
        }
        neighbors::successors(self.ground, layer, node, buffer);
        Successors::new(&buffer.successors, node)
    }

    /// The same with base costs: steps come before nav links, one for each legal direction.
    #[inline(never)]
    fn base_successors(self, node: NodeId, buffer: &mut SuccessorBuffer) -> Successors<'_> {
        let own = Self {
            has_base_costs: false,
            ..self
        };
        let from = self.ground.cell(node);
        let n_steps = match self.ground.nav_links().next() {
            None => usize::MAX,
            Some(_) => {
                let legal = |direction: &Direction| self.neighbor(node, *direction).is_some();
                Direction::ALL.iter().filter(|it| legal(it)).count()
            }
        };
        let mut base = std::mem::take(&mut buffer.base);
        base.clear();
        let all = own.successors(node, buffer).enumerate();
        base.extend(all.map(|(index, (to, cost))| {
            let at = self.ground.cell(to);
            let step = Cost::for_step(at.x != from.x && at.y != from.y);
            Successor {
                offset: to.0.wrapping_sub(node.0),
                cost: if index < n_steps { step } else { cost },
            }
        }));
        buffer.base = base;
        Successors::new(&buffer.base, node)
    }
}
