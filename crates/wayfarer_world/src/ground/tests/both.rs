//! A ground and the oracle: every batch goes to both, and they are compared each time.

use wayfarer_base::{Terrain, WorldData};
use wayfarer_testkit::ascii;

use super::*;

/// A ground and the reference world that it must equal.
pub(super) struct Both {
    pub(super) ground: Ground,
    pub(super) world: ReferenceWorld,
}

impl Both {
    #[track_caller]
    pub(super) fn new(plan: &WorldData) -> Self {
        let both = Self {
            ground: Ground::from_data(plan).unwrap(),
            world: ReferenceWorld::new(plan),
        };
        both.check("fresh");
        both
    }

    /// The world of a drawing, with the default profile.
    #[track_caller]
    pub(super) fn drawn(drawing: &str) -> Self {
        Self::new(&ascii::world(drawing))
    }

    /// Applies a batch to both and compares everything: with the oracle, with a rebuild, and the
    /// inverse with the state before.
    #[track_caller]
    pub(super) fn apply(&mut self, edits: &[GroundEdit]) -> GroundChanges {
        let previous = self.ground.canonical();
        let before = self.world.components(self.ground.default_profile());
        let changes = self.ground.apply(edits).unwrap();
        self.world.apply(edits);
        let after = self.world.components(self.ground.default_profile());
        check_connectivity(&changes, &before, &after, "after the batch");
        self.check("after the batch");
        let mut undone = self.ground.clone();
        undone.apply(&changes.inverse()).unwrap();
        assert_eq!(undone.canonical(), previous, "undone");
        changes
    }

    #[track_caller]
    pub(super) fn check(&self, note: &str) {
        check(&self.ground, &self.world, note);
        assert_eq!(
            self.ground.canonical(),
            rebuilt(&self.ground).canonical(),
            "{note}: rebuilt"
        );
        let mut reference = ReferenceWorld::new(&self.world.to_data());
        let put = |(id, solid): (wayfarer_base::SolidId, &wayfarer_base::GroundSolid)| {
            let solid = solid.clone();
            GroundEdit::PutSolid { id, solid }
        };
        reference.apply(&self.world.solids().map(put).collect::<Vec<_>>());
        let profile = self.ground.default_profile();
        let multiplier = |cell: &Cell| self.world.cost_multiplier(*cell, profile);
        for region in self.ground.canonical().regions {
            let costlier =
                |cell: &&Cell| multiplier(cell) != reference.cost_multiplier(**cell, profile);
            let affected = region.cells.iter().filter(costlier).count();
            assert_eq!(usize::from(region.affected), affected, "{note}: affected");
        }
        for node in self.ground.nodes() {
            let cell = self.ground.cell(node);
            assert_eq!(
                self.ground.cost_multiplier(node).sixteenths(),
                multiplier(&cell),
                "{note}: multiplier of {cell}"
            );
        }
    }

    /// The node of a cell that must be walkable.
    #[track_caller]
    pub(super) fn node(&self, cell: Cell) -> NodeId {
        self.ground.node(cell).unwrap()
    }

    /// True if the two are connected.
    #[track_caller]
    pub(super) fn is_connected(&self, a: Cell, b: Cell) -> bool {
        self.ground.component(self.node(a)) == self.ground.component(self.node(b))
    }

    /// The successors of a cell.
    #[track_caller]
    pub(super) fn steps(&self, from: Cell) -> Vec<Cell> {
        let mut buffer = SuccessorBuffer::default();
        let steps = self.ground.successors(self.node(from), &mut buffer);
        steps.map(|(to, _)| self.ground.cell(to)).collect()
    }

    /// Sizes of all regions, the largest first.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let regions = self.ground.canonical().regions;
        let mut sizes: Vec<usize> = regions.iter().map(|region| region.cells.len()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }
}

/// An edit that puts ground.
pub(super) fn put(cell: Cell) -> GroundEdit {
    GroundEdit::PutCell {
        cell,
        terrain: Terrain::GROUND,
    }
}

/// An edit that removes a floor.
pub(super) fn remove(cell: Cell) -> GroundEdit {
    GroundEdit::RemoveCell { cell }
}
