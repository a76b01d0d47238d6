//! Single-cell queries of a registered profile.

use wayfarer_base::{Cell, Column, CostMultiplier, Direction, Rect, SectorId};

use super::{Layer, ProfileGround, neighbors};
use crate::ground::bitboard;
use crate::ground::bits::SheetBits;
use crate::ground::lookup::RegionId;
use crate::ground::lookup::offset;
use crate::ground::node::NodeId;
use crate::ground::page::{NONE, local_of};
use crate::ground::{Ground, sheet::Sheet};

impl<'a> ProfileGround<'a> {
    /// The underlying ground.
    pub fn ground(self) -> &'a Ground {
        self.ground
    }

    /// The neighbor of a cell in one of the eight directions, nav links excluded; `None` if there
    /// is no step.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Direction, Fixed, Profile, Raster};
    /// use wayfarer_world::ground::Ground;
    ///
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(4, 3, vec![0; 12]).unwrap());
    /// let ogre = Profile { radius: Fixed::from_raw(256), ..Profile::DEFAULT };
    /// let ogre = ground.register_profile(ogre).unwrap();
    /// let ground = ground.profile_ground(ogre).unwrap();
    /// let west = ground.node(Cell::flat(1, 1)).unwrap();
    /// assert_eq!(ground.neighbor(west, Direction::East), ground.node(Cell::flat(2, 1)));
    /// assert_eq!(ground.neighbor(west, Direction::North), None); // too near to the border
    /// ```
    #[inline]
    pub fn neighbor(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        match self.layer {
            None => self.ground.neighbor(node, direction),
            Some(layer) => self.layer_neighbor(layer, node, direction),
        }
    }

    fn layer_neighbor(self, layer: &Layer, node: NodeId, direction: Direction) -> Option<NodeId> {
        let sheet = layer.sheet(self.ground, node.page(), node.position())?;
        if !sheet.is_walkable(node.local()) {
            return None;
        }
        if sheet.has_bit_steps() {
            let legal = sheet.moves(node.local()) >> direction.index() & 1 == 1;
            return legal.then(|| neighbors::uniform_step(self.ground, node, direction));
        }
        neighbors::irregular_step(self.ground, layer, (sheet, node), direction)
    }

    /// The adjacent cells with a step to a cell inside its sector, as bits: bit i is direction i. Nav links
    /// are excluded. `None` where it is not that simple: at the edge of a sector, and in sectors with
    /// several floors above each other.
    pub fn predecessors_in_sheet(self, node: NodeId) -> Option<u8> {
        let (layer, local) = (self.layer?, node.local());
        let is_inner = |at: u8| (1..15).contains(&at);
        if !is_inner(local & 15) || !is_inner(local >> 4) || !self.is_only_sheet(node) {
            return None;
        }
        let sheet = layer.sheet(self.ground, node.page(), node.position())?;
        let mut all = 0;
        for direction in Direction::ALL {
            let (x, y) = offset(local, direction);
            let from = (y << 4 | x).to_le_bytes()[0];
            let back = direction.opposite().index();
            all |= (sheet.stored_steps(from)? >> back & 1) << direction.index();
        }
        Some(all)
    }

    /// True if the sector of a cell has no other sheet.
    fn is_only_sheet(self, node: NodeId) -> bool {
        let page = self.ground.page(node.page());
        let above = || self.ground.page(page.above).sheet(node.position());
        page.rank == 0 && (page.above == NONE || above().is_none())
    }

    /// The cost multiplier of a cell, cost modifiers included.
    #[inline]
    pub fn cost_multiplier(self, node: NodeId) -> CostMultiplier {
        if self.has_base_costs {
            return CostMultiplier::ONE;
        }
        match self.layer {
            None => self.ground.cost_multiplier(node),
            Some(layer) => neighbors::cost_multiplier(self.ground, layer, node),
        }
    }

    /// Writes the cost multipliers of a sheet's cells, in sixteenths, row by row; unspecified where the
    /// agent does not fit.
    pub fn write_multipliers(self, sheet: &SheetBits<'_>, multipliers: &mut [u16; 256]) {
        let compiled = self
            .layer
            .map_or(&self.ground.compiled, |layer| &layer.compiled);
        let floors = sheet.floors();
        let details = floors.details.as_deref();
        let terrains = details.and_then(|details| details.terrains.as_deref());
        let modifiers = details.and_then(|details| details.modifiers.as_deref());
        if self.has_base_costs {
            multipliers.fill(CostMultiplier::ONE.sixteenths());
            return;
        }
        let of = |terrain, modifier| compiled.cost_multiplier(terrain, modifier).sixteenths();
        multipliers.fill(of(floors.terrain, 0));
        if let Some(terrains) = terrains {
            let costs = &compiled.terrain_costs;
            for (multiplier, terrain) in multipliers.iter_mut().zip(terrains) {
                *multiplier = costs[usize::from(terrain & 63)];
            }
        }
        if let Some(modifiers) = modifiers {
            for (multiplier, modifier) in multipliers.iter_mut().zip(modifiers) {
                let sum = u32::from(*multiplier).saturating_add(*modifier);
                *multiplier = u16::try_from(sum).unwrap_or(u16::MAX);
            }
        }
    }

    /// The region of a cell where the agent fits. Regions of a profile are numbered apart from the
    /// ground's. Valid until the next edit.
    #[inline]
    pub fn region(self, node: NodeId) -> Option<RegionId> {
        match self.layer {
            None => Some(self.ground.region(node)),
            Some(layer) => layer_region(self.ground, layer, node),
        }
    }

    /// Columns from the center of a cell within which a floor affects whether the agent fits; 0 for
    /// a body within its cell.
    pub fn clearance_columns(self) -> u32 {
        let Some(layer) = self.layer else {
            return 0;
        };
        let cells = layer.disc.footprint.iter();
        cells.map(|(x, _)| x.unsigned_abs()).max().unwrap_or(0)
    }

    /// The nearest floor of a column to height `z` that a point of the agent can step to from
    /// there. The body may not fit on it.
    pub fn floor_at(self, column: Column, z: i32) -> Option<NodeId> {
        let Some(layer) = self.layer else {
            return self.ground.project_to_floor(column, z);
        };
        let found = neighbors::nearest_floor(self.ground, layer, column.at(z), (0, 0));
        found.map(|(node, _)| node)
    }

    /// The cell of a column nearest to height `z` where the agent fits; ties to the lower.
    pub fn project_to_floor(self, column: Column, z: i32) -> Option<NodeId> {
        let Some(layer) = self.layer else {
            return self.ground.project_to_floor(column, z);
        };
        let local = local_of(column);
        let fitting = |page: u32, sheet: &Sheet| {
            let node = NodeId::new(page, sheet.position, local);
            layer
                .is_walkable(self.ground, node)
                .then(|| (node, sheet.height(local)))
        };
        self.ground
            .sheets_at(SectorId::from_column(column))
            .filter_map(|(page, sheet)| fitting(page, sheet))
            .min_by_key(|(_, height)| (height.abs_diff(z), *height))
            .map(|(node, _)| node)
    }

    /// Calls `visit` with every cell of a rectangle of columns where the agent fits, sector by
    /// sector. Cost is bounded by the smaller of rectangle and ground; allocates only if the
    /// rectangle is larger than the ground.
    pub fn for_each_walkable_in(self, rect: Rect, mut visit: impl FnMut(NodeId)) {
        let Some(layer) = self.layer else {
            self.ground.for_each_walkable_in(rect, visit);
            return;
        };
        self.ground.for_each_sector_in(rect, |sector| {
            let origin = sector.origin();
            for (page, sheet) in self.ground.sheets_at(sector) {
                let Some(stored) = layer.cells(self.ground, page, sheet.position) else {
                    continue;
                };
                for local in bitboard::cells(&stored.walkable.board()) {
                    let at = Column::new(
                        origin.x + i32::from(local & 15),
                        origin.y + i32::from(local >> 4),
                    );
                    if rect.contains(at) {
                        visit(NodeId::new(page, sheet.position, local));
                    }
                }
            }
        });
    }

    /// The reason why the agent does not fit in a cell; `None` if it does.
    pub fn blocked_reason(self, cell: Cell) -> Option<&'static str> {
        if self.node(cell).is_some() {
            return None;
        }
        let Some(terrain) = self.ground.terrain(cell) else {
            return Some("there is no floor");
        };
        if !self.profile().allows_terrain(terrain) {
            return Some("its terrain cannot be walked on");
        }
        let above = self.ground.floors(cell.column()).map(|(z, _)| z);
        let above = above.filter(|z| *z > cell.z).min();
        let is_wide = self.layer.is_some_and(|layer| layer.disc.is_wide());
        let compiled = self
            .layer
            .map_or(&self.ground.compiled, |layer| &layer.compiled);
        if is_wide && compiled.has_headroom(cell.z, above) {
            return Some("it is too narrow for the body");
        }
        Some("the next floor above leaves too little room")
    }
}

/// The region of a cell in a layer.
fn layer_region(ground: &Ground, layer: &Layer, node: NodeId) -> Option<RegionId> {
    let sheet = layer.sheet(ground, node.page(), node.position())?;
    Some(RegionId {
        page: node.page(),
        position: node.position(),
        ordinal: sheet.region_at(node.local())?,
    })
}
