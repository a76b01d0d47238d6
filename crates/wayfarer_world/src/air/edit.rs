//! Edits of the air: batches that are done wholly or not at all, and can be taken back.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::voxel::{from_morton_3, morton_3};
use wayfarer_base::{ChangeSet, CostChange, Difference, DirtySector, SpatialKey, Voxel};

use super::geometries::{Geometries, GeometryId, PlacedGeometry};
use super::geometry::{Geometry, Relation};
use super::rasterize::{
    CLOSED, CubeChange, FillBox, Marks, OPENED, Rasterizer, PutCube, NodeAction, child_corner,
};
use super::regions::{self, Regions};
use super::tree::{LocalVoxel, Content, Tree};
use super::volume::{Volume, VolumeId};
use super::{Air, AirError};

/// One edit of the air's primary state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AirEdit {
    /// Makes the voxels of a box solid, both corners included.
    Fill {
        /// The lowest voxel.
        low: Voxel,
        /// The highest voxel.
        high: Voxel,
    },
    /// Makes the voxels of a box free, both corners included; named things stay.
    Clear {
        /// The lowest voxel.
        low: Voxel,
        /// The highest voxel.
        high: Voxel,
    },
    /// Adds a named thing, or moves and changes the one of that name. What lies outside the
    /// bounds is left out.
    Put {
        /// Its name.
        name: GeometryId,
        /// What and where.
        geometry: Geometry,
    },
    /// Takes a named thing away.
    Remove {
        /// Its name.
        name: GeometryId,
    },
    /// Adds a volume, or changes the one of that name.
    PutVolume {
        /// Its name.
        name: VolumeId,
        /// What and where.
        volume: Volume,
    },
    /// Takes a volume away.
    RemoveVolume {
        /// Its name.
        name: VolumeId,
    },
}

/// What an edit made different in the air's primary state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AirDifference {
    /// A leaf, or a cube that was and is all free or all solid.
    Cube {
        /// Its lowest voxel.
        low: Voxel,
        /// Its layer.
        layer: u8,
        /// The solid voxels before; all or none above layer 0.
        before: u64,
        /// The solid voxels after; all or none above layer 0.
        after: u64,
    },
    /// A named thing.
    Geometry {
        /// Its name.
        name: GeometryId,
        /// What was there.
        before: Option<Geometry>,
        /// What is there.
        after: Option<Geometry>,
    },
    /// A volume.
    Volume {
        /// Its name.
        name: VolumeId,
        /// What was there.
        before: Option<Volume>,
        /// What is there.
        after: Option<Volume>,
    },
}

impl Difference for AirDifference {
    fn inverse(&self) -> Self {
        match self.clone() {
            Self::Cube {
                low,
                layer,
                before,
                after,
            } => Self::Cube {
                low,
                layer,
                before: after,
                after: before,
            },
            Self::Geometry {
                name,
                before,
                after,
            } => Self::Geometry {
                name,
                before: after,
                after: before,
            },
            Self::Volume {
                name,
                before,
                after,
            } => Self::Volume {
                name,
                before: after,
                after: before,
            },
        }
    }
}

/// A cube of 16 x 16 x 16 voxels, counted from the low corner of the bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirSector(u64);

impl AirSector {
    /// Voxels along each side.
    pub const SIDE: u32 = 16;

    /// The key under which paths through it are filed.
    pub const fn spatial_key(self) -> SpatialKey {
        SpatialKey::from_block(self.0)
    }
}

/// What one batch of edits changed.
pub type AirChanges = ChangeSet<AirDifference, AirSector>;

impl Air {
    /// The sector of a voxel; `None` outside the bounds.
    pub fn sector(&self, at: Voxel) -> Option<AirSector> {
        let [x, y, z] = self.to_local(at)?;
        Some(AirSector(morton_3(x >> 4, y >> 4, z >> 4)))
    }

    /// The lowest voxel of a sector.
    pub fn sector_low(&self, sector: AirSector) -> Voxel {
        let (x, y, z) = from_morton_3(sector.0);
        self.to_world([x << 4, y << 4, z << 4])
    }

    /// The named thing, if there is one.
    pub fn geometry(&self, name: GeometryId) -> Option<&Geometry> {
        self.bodies.get(name).map(|body| &body.geometry)
    }

    /// Applies edits in order, all or none.
    ///
    /// # Errors
    /// If an edit names what is not there or lies outside the bounds, or if the tree would need
    /// more nodes or regions than can be named; then nothing has changed.
    ///
    /// ```
    /// use wayfarer_base::Voxel;
    /// use wayfarer_world::air::{AirBuilder, AirEdit};
    ///
    /// let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?.build()?;
    /// let wall = AirEdit::Fill { low: Voxel::new(30, 0, 0), high: Voxel::new(30, 63, 63) };
    /// let (west, east) = (Voxel::new(0, 0, 0), Voxel::new(63, 0, 0));
    /// assert!(air.is_connected(west, east));
    /// let changes = air.apply(&[wall])?;
    /// assert!(!air.is_connected(west, east));
    /// air.restore(&changes.inverse())?;
    /// assert!(air.is_connected(west, east));
    /// # Ok::<(), wayfarer_world::air::AirError>(())
    /// ```
    pub fn apply(&mut self, edits: &[AirEdit]) -> Result<AirChanges, AirError> {
        self.check(edits)?;
        self.batch(edits.iter(), Self::apply_one)
    }

    /// Applies differences in order, all or none: [`ChangeSet::inverse`] of the last change set
    /// takes it back.
    ///
    /// # Errors
    /// As [`Air::apply`].
    pub fn restore(&mut self, differences: &[AirDifference]) -> Result<AirChanges, AirError> {
        for difference in differences {
            if let AirDifference::Cube { low, layer, .. } = difference {
                self.checked(*low)?;
                if *layer > self.tree.top {
                    return Err(AirError::NoSuchLink {
                        layer: *layer,
                        node: 0,
                        voxel: 0,
                    });
                }
            }
        }
        self.batch(differences.iter(), Self::restore_one)
    }

    /// Whether edits can be, before anything is done; only a lack of room shows later.
    ///
    /// # Errors
    /// As [`Air::apply`], but for nodes and regions that cannot be named.
    pub fn check(&self, edits: &[AirEdit]) -> Result<(), AirError> {
        // What edits earlier in the batch do to names, kept only if something asks for it.
        let removes =
            |edit: &AirEdit| matches!(edit, AirEdit::Remove { .. } | AirEdit::RemoveVolume { .. });
        let follow = edits.iter().any(removes);
        let mut things = OrderedMap::new();
        let mut volumes = OrderedMap::new();
        for edit in edits {
            match edit {
                AirEdit::Fill { low, high } | AirEdit::Clear { low, high } => {
                    if high.x < low.x || high.y < low.y || high.z < low.z {
                        return Err(AirError::EmptyBox {
                            low: *low,
                            high: *high,
                        });
                    }
                    self.checked(*low)?;
                    self.checked(*high)?;
                }
                AirEdit::Put { name, .. } if name.0 == u64::MAX => return Err(AirError::InvalidId),
                AirEdit::Put { name, .. } => {
                    if follow {
                        things.insert(*name, true);
                    }
                }
                AirEdit::Remove { name } => {
                    let there = things.insert(*name, false);
                    if !there.unwrap_or_else(|| self.bodies.get(*name).is_some()) {
                        return Err(AirError::UnknownId { name: name.0 });
                    }
                }
                AirEdit::PutVolume { name, volume } => {
                    Self::check_volume(volume)?;
                    if follow {
                        volumes.insert(*name, true);
                    }
                }
                AirEdit::RemoveVolume { name } => {
                    let there = volumes.insert(*name, false);
                    if !there.unwrap_or_else(|| self.volumes.get(*name).is_some()) {
                        return Err(AirError::UnknownId { name: name.0 });
                    }
                }
            }
        }
        Ok(())
    }

    /// Does steps one by one, then repairs what is derived, once; takes all back on an error.
    fn batch<'a, S: 'a>(
        &mut self,
        steps: impl Iterator<Item = &'a S>,
        mut step: impl FnMut(&mut Self, &'a S, &mut Marks, &mut Vec<AirDifference>),
    ) -> Result<AirChanges, AirError> {
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        let mut differences = Vec::new();
        for item in steps {
            step(self, item, &mut marks, &mut differences);
            if marks.error.is_some() {
                break;
            }
        }
        let mut result = marks.error.take().map_or(Ok(()), Err);
        if result.is_ok() {
            result = self
                .regions
                .repair(&self.tree, &mut marks.nodes, &marks.gone);
        }
        if let Err(error) = result {
            self.roll_back(&differences, &mut marks);
            self.marks = marks;
            return Err(error);
        }
        let dirty = dirty(&mut marks.dirty);
        self.marks = marks;
        let before = self.revision;
        self.revision = before.next();
        Ok(ChangeSet {
            before,
            after: self.revision,
            differences,
            dirty_sectors: dirty,
        })
    }

    /// Undoes differences after an error, and makes everything derived anew.
    fn roll_back(&mut self, differences: &[AirDifference], marks: &mut Marks) {
        let mut more = Vec::new();
        for difference in differences.iter().rev() {
            marks.clear();
            self.restore_one(&difference.inverse(), marks, &mut more);
        }
        if let Some(base) = &self.base {
            self.tree = base.as_ref().clone();
            let bodies = self.bodies.sorted();
            let things: Vec<&Geometry> = bodies.iter().map(|body| &body.geometry).collect();
            self.tree = self
                .stamped(&things, 1)
                .expect("the tree before the edits had room");
        }
        self.regions = Regions::build(&self.tree, self.size, (1, &mut |_| {}))
            .expect("the tree before the edits had room");
        marks.clear();
    }

    fn apply_one(
        &mut self,
        edit: &AirEdit,
        marks: &mut Marks,
        differences: &mut Vec<AirDifference>,
    ) {
        match edit {
            AirEdit::Fill { low, high } | AirEdit::Clear { low, high } => {
                let (Some(low), Some(high)) = (self.to_local(*low), self.to_local(*high)) else {
                    return;
                };
                let solid = matches!(edit, AirEdit::Fill { .. });
                self.rasterize_base(&FillBox { low, high, solid }, marks, differences);
            }
            AirEdit::Put { name, geometry } => {
                self.put_geometry(*name, Some(geometry.clone()), marks, differences);
            }
            AirEdit::Remove { name } => self.put_geometry(*name, None, marks, differences),
            AirEdit::PutVolume { name, volume } => {
                self.put_volume(*name, Some(*volume), differences);
            }
            AirEdit::RemoveVolume { name } => self.put_volume(*name, None, differences),
        }
    }

    fn restore_one(
        &mut self,
        difference: &AirDifference,
        marks: &mut Marks,
        differences: &mut Vec<AirDifference>,
    ) {
        match difference {
            AirDifference::Cube {
                low, layer, after, ..
            } => {
                let Some(low) = self.to_local(*low) else {
                    return;
                };
                let change = CubeChange {
                    layer: *layer,
                    low,
                    before: 0,
                    after: *after,
                };
                self.rasterize_base(&PutCube(change), marks, differences);
            }
            AirDifference::Geometry { name, after, .. } => {
                self.put_geometry(*name, after.clone(), marks, differences);
            }
            AirDifference::Volume { name, after, .. } => {
                self.put_volume(*name, *after, differences);
            }
        }
    }

    fn put_volume(
        &mut self,
        name: VolumeId,
        after: Option<Volume>,
        differences: &mut Vec<AirDifference>,
    ) {
        let before = self.volumes.set(name, after);
        if before != after {
            differences.push(AirDifference::Volume {
                name,
                before,
                after,
            });
        }
    }

    /// Draws into what is solid without the named things, and follows in the whole tree.
    fn rasterize_base(
        &mut self,
        paint: &impl Rasterizer,
        marks: &mut Marks,
        differences: &mut Vec<AirDifference>,
    ) {
        marks.keep_changes = true;
        marks.changes.clear();
        if let Some(base) = &mut self.base {
            let (nodes, gone, dirty) = (marks.nodes.len(), marks.gone.len(), marks.dirty.len());
            base.paint(paint, marks);
            marks.nodes.truncate(nodes);
            marks.gone.truncate(gone);
            marks.dirty.truncate(dirty);
        } else {
            self.tree.paint(paint, marks);
        }
        marks.keep_changes = false;
        for change in &marks.changes {
            differences.push(AirDifference::Cube {
                low: self.to_world(change.low),
                layer: change.layer,
                before: change.before,
                after: change.after,
            });
        }
        if self.base.is_some() && marks.error.is_none() && !marks.changes.is_empty() {
            self.recompose(paint.reach(), (None, None), marks);
        }
    }

    /// Puts a thing in place of the one of its name, or takes that one away.
    fn put_geometry(
        &mut self,
        name: GeometryId,
        after: Option<Geometry>,
        marks: &mut Marks,
        differences: &mut Vec<AirDifference>,
    ) {
        if self.bodies.get(name).map(|body| &body.geometry) == after.as_ref() {
            return;
        }
        if self.base.is_none() {
            self.base = Some(Box::new(self.tree.clone()));
        }
        let old = self.bodies.remove(name);
        let reach = after.as_ref().and_then(|geometry| self.clipped_bounds(geometry));
        if let Some(geometry) = after.clone() {
            self.bodies.insert(PlacedGeometry {
                name,
                geometry,
                reach,
            });
        }
        let old_reach = old.as_ref().and_then(|body| body.reach);
        let before = old.map(|body| body.geometry);
        // A thing that has no voxel inside the bounds counts as none.
        let shapes = (
            before.as_ref().filter(|_| old_reach.is_some()),
            after.as_ref().filter(|_| reach.is_some()),
        );
        match (old_reach, reach) {
            (Some(a), Some(b)) if meet(a, b) => self.recompose(around(a, b), shapes, marks),
            (a, b) => {
                for reach in [a, b].into_iter().flatten() {
                    self.recompose(reach, shapes, marks);
                }
            }
        }
        differences.push(AirDifference::Geometry {
            name,
            before,
            after,
        });
    }

    /// Draws part of the tree anew from the base and the named things. With a thing's shape before
    /// and after given, only what lies between them is looked at.
    fn recompose(
        &mut self,
        reach: (LocalVoxel, LocalVoxel),
        (before, after): (Option<&Geometry>, Option<&Geometry>),
        marks: &mut Marks,
    ) {
        let Some(base) = &self.base else {
            return;
        };
        // Whole leaves are drawn: all that lies in them must be known.
        let reach = (reach.0.map(|at| at & !3), reach.1.map(|at| at | 3));
        self.bodies.near(reach.0, reach.1, &mut self.near);
        let recompose = Recompose {
            base,
            bodies: &self.bodies,
            near: &self.near,
            low: self.low,
            size: self.size,
            reach,
            moved: (before.is_some() || after.is_some()).then_some((before, after)),
        };
        self.tree.paint(&recompose, marks);
    }
}

/// Draws what is solid by base and things.
struct Recompose<'a> {
    base: &'a Tree,
    bodies: &'a Geometries,
    /// The things that may lie here.
    near: &'a [u32],
    low: Voxel,
    size: [u32; 3],
    reach: (LocalVoxel, LocalVoxel),
    /// The shape of the thing that moved, before and after.
    moved: Option<(Option<&'a Geometry>, Option<&'a Geometry>)>,
}

impl Rasterizer for Recompose<'_> {
    fn reach(&self) -> (LocalVoxel, LocalVoxel) {
        self.reach
    }

    fn cube(&self, layer: u8, low: LocalVoxel) -> NodeAction {
        if layer == 0 {
            return NodeAction::Split; // Drawing a leaf is as cheap as judging it.
        }
        let side = 4_u32 << layer;
        let wide = Air::wide(self.low, low);
        let fits = |axis: usize| low[axis] + side <= self.size[axis];
        if let Some((before, after)) = self.moved {
            let relation = |shape: Option<&Geometry>| {
                shape.map_or(Relation::Outside, |shape| shape.relation(wide, side.into()))
            };
            match (relation(before), relation(after)) {
                (Relation::Outside, Relation::Outside) | (Relation::Inside, Relation::Inside) => {
                    return NodeAction::Keep;
                }
                (_, Relation::Inside) if (0..3).all(fits) => return NodeAction::Solid,
                // Only where something went may the cube become free as a whole.
                (_, Relation::Outside) => {}
                _ => return NodeAction::Split,
            }
        }
        let base = self.base.content(layer, low);
        if base == Content::Solid {
            return NodeAction::Solid;
        }
        // What lies beyond the reach is not known here.
        let known = |axis: usize| {
            self.reach.0[axis] <= low[axis] && low[axis] + side - 1 <= self.reach.1[axis]
        };
        let mut free = base == Content::Free && (0..3).all(known);
        for &index in self.near {
            match self.bodies.at(index).geometry.relation(wide, side.into()) {
                Relation::Outside => {}
                Relation::Inside if (0..3).all(fits) => return NodeAction::Solid,
                Relation::Inside | Relation::Partial => free = false,
            }
        }
        if free { NodeAction::Free } else { NodeAction::Split }
    }

    fn leaf(&self, low: LocalVoxel, _: u64) -> u64 {
        let wide = Air::wide(self.low, low);
        let things = self.near.iter().fold(0, |voxels, &index| {
            let body = self.bodies.at(index);
            let beside = body.reach.is_none_or(|(from, to)| {
                (0..3).any(|axis| from[axis] > low[axis] + 3 || to[axis] < low[axis])
            });
            voxels | if beside { 0 } else { body.geometry.leaf(wide) }
        });
        self.base.leaf(low) | things & regions::inside(low, self.size)
    }

    fn leaves(&self, low: LocalVoxel, which: u8, voxels: &mut [u64; 8]) {
        let wide = Air::wide(self.low, low);
        let drawn =
            |shape: Option<&Geometry>| shape.map_or([0; 8], |shape| shape.block(wide, which));
        let moved = self
            .moved
            .map(|(before, after)| (drawn(before), drawn(after)));
        for child in (0..8_u8).filter(|child| which >> child & 1 == 1) {
            let low = child_corner(0, low, child);
            let voxels = &mut voxels[usize::from(child)];
            let Some((before, after)) = &moved else {
                *voxels = self.leaf(low, *voxels);
                continue;
            };
            let (before, after) = (before[usize::from(child)], after[usize::from(child)]);
            // Where the thing was and is no more, others may still be.
            let left = before & !after & *voxels;
            if left != 0 {
                *voxels = *voxels & !left | self.leaf(low, 0) & left;
            }
            if after & !*voxels != 0 {
                *voxels |= after & regions::inside(low, self.size);
            }
        }
    }
}

fn meet(a: (LocalVoxel, LocalVoxel), b: (LocalVoxel, LocalVoxel)) -> bool {
    (0..3).all(|axis| a.0[axis] <= b.1[axis] && b.0[axis] <= a.1[axis])
}

fn around(a: (LocalVoxel, LocalVoxel), b: (LocalVoxel, LocalVoxel)) -> (LocalVoxel, LocalVoxel) {
    (
        std::array::from_fn(|axis| a.0[axis].min(b.0[axis])),
        std::array::from_fn(|axis| a.1[axis].max(b.1[axis])),
    )
}

/// Sectors in order, each once, with all that happened there.
fn dirty(list: &mut [(u64, u8)]) -> Vec<DirtySector<AirSector>> {
    list.sort_unstable();
    list.chunk_by(|a, b| a.0 == b.0)
        .map(|same| {
            let what = same.iter().fold(0, |all, (_, what)| all | what);
            let cost_change = match what {
                OPENED => CostChange::Decrease,
                CLOSED => CostChange::Increase,
                _ => CostChange::Mixed,
            };
            DirtySector {
                sector: AirSector(same[0].0),
                cost_change,
            }
        })
        .collect()
}
