//! The regions of a baked abstraction over the cells of an editable ground.

use wayfarer_base::{Cell, Revision};
use wayfarer_world::baked::{BakedAbstraction, BakedRegion};
use wayfarer_world::ground::{Ground, NodeId, SuccessorBuffer};

use super::abstract_graph::AbstractGraph;

/// A baked abstraction of the floors at height 0 of a ground, which may have changed since.
///
/// Steps are those of the ground; regions, centers and edges those of the abstraction. Where the two
/// differ, segments are longer searches; no path is missed. Cells at other heights have no region.
#[derive(Clone, Copy, Debug)]
pub struct AttachedGraph<'w> {
    baked: &'w BakedAbstraction,
    ground: &'w Ground,
}

impl<'w> AttachedGraph<'w> {
    /// Combines the two.
    pub fn new(baked: &'w BakedAbstraction, ground: &'w Ground) -> Self {
        Self { baked, ground }
    }

    fn node(&self, x: i32, y: i32) -> Option<u32> {
        self.ground.node(Cell::flat(x, y)).map(NodeId::index)
    }

    /// The region of the first center in the cell's connected part of its sector, by straight steps.
    fn flood(&self, sector: u32, x: i32, y: i32) -> Option<BakedRegion> {
        let (left, top) = self.baked.origin(sector);
        let side = self.baked.side().cast_signed();
        let mut walkable = [0_u16; 16];
        for (row, y) in walkable.iter_mut().zip(top..top + side) {
            for column in 0..side {
                *row |= u16::from(self.node(left + column, y).is_some()) << column;
            }
        }
        let index = |at: i32| usize::try_from(at).unwrap_or(0);
        let mut seed = [0_u16; 16];
        seed[index(y - top)] = 1 << (x - left);
        let regions = 0..self.baked.n_regions_in(sector);
        let regions = regions.map(|ordinal| BakedRegion { sector, ordinal });
        loop {
            let reached = |region: &BakedRegion| {
                let (x, y) = self.baked.center(*region);
                seed[index(y - top)] >> (x - left) & 1 == 1
            };
            if let Some(region) = regions.clone().find(reached) {
                return Some(region);
            }
            let before = seed;
            for row in 0..16 {
                let above = if row > 0 { seed[row - 1] } else { 0 };
                let below = if row < 15 { before[row + 1] } else { 0 };
                let here = seed[row];
                seed[row] = (here | here << 1 | here >> 1 | above | below) & walkable[row];
            }
            if seed == before {
                return None;
            }
        }
    }
}

impl AbstractGraph for AttachedGraph<'_> {
    type Region = BakedRegion;

    fn revision(&self) -> Revision {
        self.ground.revision()
    }

    fn identity(&self) -> u64 {
        self.ground.identity()
    }

    fn number(&self, cell: Cell) -> Result<u32, &'static str> {
        let node = self.ground.node(cell).map(NodeId::index);
        node.ok_or("there is no floor walkable for the default profile")
    }

    fn cell(&self, number: u32) -> Cell {
        self.ground.cell(NodeId::from_index(number))
    }

    fn may_reach(&self, from: u32, to: u32) -> bool {
        let component = |number| self.ground.component(NodeId::from_index(number));
        component(from) == component(to)
    }

    fn for_each_successor(
        &self,
        number: u32,
        buffer: &mut SuccessorBuffer,
        mut visit: impl FnMut(u32, u32),
    ) {
        for (to, cost) in self.ground.successors(NodeId::from_index(number), buffer) {
            visit(to.index(), cost.units());
        }
    }

    /// One more than those of the abstraction: cells beyond it share the last.
    fn n_sectors(&self) -> u32 {
        self.baked.n_sectors() + 1
    }

    fn sector(&self, number: u32) -> u32 {
        let Cell { x, y, .. } = self.cell(number);
        let sector = self.baked.sector_at(x, y);
        sector.unwrap_or(self.baked.n_sectors())
    }

    fn sector_of(&self, region: BakedRegion) -> u32 {
        region.sector
    }

    fn region(&self, number: u32) -> Option<BakedRegion> {
        let Cell { x, y, z } = self.cell(number);
        let sector = self.baked.sector_at(x, y).filter(|_| z == 0)?;
        self.flood(sector, x, y)
    }

    fn center(&self, region: BakedRegion) -> Option<u32> {
        let (x, y) = self.baked.center(region);
        self.node(x, y)
    }

    fn for_each_edge(&self, region: BakedRegion, visit: impl FnMut(BakedRegion)) {
        self.baked.for_each_edge(region, visit);
    }
}
