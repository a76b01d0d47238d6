//! What planning in the large needs to know of a map: its regions, and the steps between cells.

use wayfarer_base::{Cell, Direction, Revision};
use wayfarer_world::ground::SuccessorBuffer;

/// A map with regions. Cells have numbers, which are valid as long as the plan is.
pub trait AbstractGraph {
    /// A region of the map.
    type Region: Copy + Eq + std::fmt::Debug;

    /// The revision of what lies below.
    fn revision(&self) -> Revision;

    /// The number of a cell, or in words why one cannot stand there.
    ///
    /// # Errors
    /// The words.
    fn number(&self, cell: Cell) -> Result<u32, &'static str>;

    /// The cell with a number.
    fn cell(&self, number: u32) -> Cell;

    /// True unless it is known without a search that no way leads from one cell to the other.
    fn may_reach(&self, from: u32, to: u32) -> bool;

    /// Calls `visit` with every step from a cell and its cost in units of `Cost`.
    fn for_steps(&self, number: u32, buffer: &mut SuccessorBuffer, visit: impl FnMut(u32, u32));

    /// The cell next to a cell in a direction and what the step there costs; `None` if one cannot
    /// step there. Nav links do not count.
    fn step(
        &self,
        number: u32,
        direction: Direction,
        buffer: &mut SuccessorBuffer,
    ) -> Option<(u32, u32)> {
        let Cell { x, y, .. } = self.cell(number);
        let (dx, dy) = direction.offset();
        let mut found = None;
        self.for_steps(number, buffer, |to, cost| {
            let cell = self.cell(to);
            if (cell.x, cell.y) == (x + dx, y + dy) && found.is_none() {
                found = Some((to, cost));
            }
        });
        found
    }

    /// Numbers of sectors are below this.
    fn n_sectors(&self) -> u32;

    /// The sector of a cell.
    fn sector(&self, number: u32) -> u32;

    /// The sector of a region.
    fn sector_of(&self, region: Self::Region) -> u32;

    /// The region of a cell; `None` only if the regions are those of another map.
    fn region(&self, number: u32) -> Option<Self::Region>;

    /// The cell that stands for a region; `None` only if the regions are those of another map.
    fn center(&self, region: Self::Region) -> Option<u32>;

    /// Calls `visit` with every region that one can step or pass to from a region.
    fn for_edges(&self, region: Self::Region, visit: impl FnMut(Self::Region));
}
