//! The interface of refinement to a map: its cells, and the graph of its regions.

use wayfarer_base::{Cell, Direction, Revision};
use wayfarer_world::ground::SuccessorBuffer;

/// A two-level graph: cells and regions. Cells have numbers, valid as long as the graph is.
pub trait AbstractGraph {
    /// A region of the map.
    type Region: Copy + Eq + std::fmt::Debug;

    /// The revision of the underlying map.
    fn revision(&self) -> Revision;

    /// With the revision it identifies the state that numbers and regions belong to; 0 if the
    /// revision alone does.
    fn identity(&self) -> u64 {
        0
    }

    /// The number of a walkable cell.
    ///
    /// # Errors
    /// The reason why the cell is not walkable.
    fn number(&self, cell: Cell) -> Result<u32, &'static str>;

    /// The cell with a number.
    fn cell(&self, number: u32) -> Cell;

    /// False if connected components prove that no path leads from one cell to the other.
    fn may_reach(&self, from: u32, to: u32) -> bool;

    /// Calls `visit` with every successor of a cell and the cost of the step, in units of `Cost`.
    fn for_each_successor(
        &self,
        number: u32,
        buffer: &mut SuccessorBuffer,
        visit: impl FnMut(u32, u32),
    );

    /// The neighbor of a cell in a direction and the cost of the step; `None` if the step is
    /// blocked. Nav links are ignored.
    fn step(
        &self,
        number: u32,
        direction: Direction,
        buffer: &mut SuccessorBuffer,
    ) -> Option<(u32, u32)> {
        let Cell { x, y, .. } = self.cell(number);
        let (dx, dy) = direction.offset();
        let mut found = None;
        self.for_each_successor(number, buffer, |to, cost| {
            let cell = self.cell(to);
            if (cell.x, cell.y) == (x + dx, y + dy) && found.is_none() {
                found = Some((to, cost));
            }
        });
        found
    }

    /// Upper bound, exclusive, on sector numbers.
    fn n_sectors(&self) -> u32;

    /// The sector of a cell.
    fn sector(&self, number: u32) -> u32;

    /// The sector of a region.
    fn sector_of(&self, region: Self::Region) -> u32;

    /// The region of a cell; `None` only if regions and cells are of different maps.
    fn region(&self, number: u32) -> Option<Self::Region>;

    /// The center cell of a region; `None` only if regions and cells are of different maps.
    fn center(&self, region: Self::Region) -> Option<u32>;

    /// Calls `visit` with every region adjacent to a region, nav links included.
    fn for_each_edge(&self, region: Self::Region, visit: impl FnMut(Self::Region));
}
