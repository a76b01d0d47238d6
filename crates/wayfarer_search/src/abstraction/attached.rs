//! The regions of a baked abstraction over the cells of an editable ground.

use wayfarer_base::{Cell, Revision};
use wayfarer_world::baked::{BakedAbstraction, BakedRegion};
use wayfarer_world::ground::{Ground, NodeId, SuccessorBuffer};

use super::abstract_graph::AbstractGraph;
use super::baked::region_by_flood;

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
        let is_walkable = |x, y| self.node(x, y).is_some();
        region_by_flood(self.baked, (sector, x, y), is_walkable)
    }

    fn center(&self, region: BakedRegion) -> Option<u32> {
        let (x, y) = self.baked.center(region);
        self.node(x, y)
    }

    fn for_each_edge(&self, region: BakedRegion, visit: impl FnMut(BakedRegion)) {
        self.baked.for_each_edge(region, visit);
    }
}
