//! Connects the components of a grid by shortest tunnels: multi-source breadth-first search through
//! the rock, then Kruskal's algorithm over the meetings of the wavefronts. O(n log n).

use wayfarer_base::Column;

use super::{CarvingGrid, GROUND, ROCK, SWAMP};

/// No component: rock that no wavefront has reached.
const NONE: u32 = 0;
/// The cell is a source of the search.
const SOURCE: u8 = 4;

/// An edge between two components: where their wavefronts meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Meeting {
    /// Rock between them, in cells.
    length: u32,
    /// The cell of one wavefront.
    cell: u32,
    /// The cell of the other wavefront.
    other: u32,
}

/// The search forest over all cells.
struct SearchForest {
    /// The component that reached each cell first.
    component: Vec<u32>,
    /// Direction from the parent cell, or `SOURCE`.
    from: Vec<u8>,
}

impl CarvingGrid {
    /// Fills 4-connected components below `min_cells` with rock, except the largest, and connects
    /// the others by tunnels. Cells within `border` of the edge are never carved; a component
    /// entirely in the border may stay disconnected.
    pub(crate) fn connect(&mut self, min_cells: u32, border: i32) {
        let (mut component, sizes) = self.components();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let is_kept = |component: u32| sizes[component as usize] >= min_cells.min(largest);
        for (cell, component) in self.cells.iter_mut().zip(&mut component) {
            if *component != NONE && !is_kept(*component) {
                *component = NONE;
                *cell = ROCK;
            }
        }
        let (forest, mut meetings) = self.search(component, border);
        meetings.sort_unstable();
        let mut parent: Vec<u32> = (0..).take(sizes.len()).collect();
        for meeting in meetings {
            let a = find(&mut parent, forest.component[meeting.cell as usize]);
            let b = find(&mut parent, forest.component[meeting.other as usize]);
            if a != b {
                parent[a.max(b) as usize] = a.min(b);
                self.tunnel(&forest.from, meeting.cell, border);
                self.tunnel(&forest.from, meeting.other, border);
            }
        }
    }

    /// The 4-connected component of each cell, numbered from 1 in row-major order of first cells, 0
    /// for rock; and the number of cells of each component.
    pub(crate) fn components(&self) -> (Vec<u32>, Vec<u32>) {
        let mut component = vec![NONE; self.cells.len()];
        let mut sizes = vec![0];
        let mut stack = Vec::new();
        for first in 0..self.cells.len() {
            if component[first] != NONE || self.cells[first] > SWAMP {
                continue;
            }
            let id = sizes.len() as u32;
            let mut size = 0;
            component[first] = id;
            stack.push(first as u32);
            while let Some(cell) = stack.pop() {
                size += 1;
                for next in self.neighbors(cell).into_iter().flatten() {
                    let (slot, at) = (&mut component[next as usize], self.cells[next as usize]);
                    if *slot == NONE && at <= SWAMP {
                        *slot = id;
                        stack.push(next);
                    }
                }
            }
            sizes.push(size);
        }
        (component, sizes)
    }

    fn search(&self, mut component: Vec<u32>, border: i32) -> (SearchForest, Vec<Meeting>) {
        let mut from = vec![SOURCE; component.len()];
        let mut meetings = Vec::new();
        let mut wavefront: Vec<u32> = (0..component.len() as u32)
            .filter(|&cell| component[cell as usize] != NONE)
            .collect();
        let mut next_wavefront = Vec::new();
        let mut length = 0;
        let inside = self.inside(border);
        while !wavefront.is_empty() {
            for &cell in &wavefront {
                let id = component[cell as usize];
                for (direction, next) in (0..).zip(self.neighbors(cell)) {
                    let Some(next) = next else { continue };
                    let found = &mut component[next as usize];
                    if *found == NONE && inside.contains(self.column(next)) {
                        *found = id;
                        from[next as usize] = direction;
                        next_wavefront.push(next);
                    } else if *found != NONE && *found != id {
                        meetings.push(Meeting {
                            length,
                            cell,
                            other: next,
                        });
                    }
                }
            }
            std::mem::swap(&mut wavefront, &mut next_wavefront);
            next_wavefront.clear();
            length += 1;
        }
        (SearchForest { component, from }, meetings)
    }

    /// Carves from `cell` back to its source, two cells wide where the border allows.
    fn tunnel(&mut self, from: &[u8], mut cell: u32, border: i32) {
        let inside = self.inside(border);
        while from[cell as usize] != SOURCE {
            let at = self.column(cell);
            self.put(at.x, at.y, GROUND);
            let beside = Column::new(at.x + 1, at.y);
            if inside.contains(beside) && !self.is_open(beside.x, beside.y) {
                self.put(beside.x, beside.y, GROUND);
            }
            let back = (from[cell as usize] + 2) % 4;
            let Some(parent) = self.neighbors(cell)[usize::from(back)] else {
                return;
            };
            cell = parent;
        }
    }

    fn column(&self, cell: u32) -> Column {
        let width = self.width as u32;
        Column::new((cell % width) as i32, (cell / width) as i32)
    }

    /// The neighbors in the north, east, south and west.
    fn neighbors(&self, cell: u32) -> [Option<u32>; 4] {
        let width = self.width as u32;
        let (x, end) = (cell % width, self.cells.len() as u32);
        [
            cell.checked_sub(width),
            (x + 1 < width).then_some(cell + 1),
            Some(cell + width).filter(|&south| south < end),
            (x > 0).then(|| cell - 1),
        ]
    }
}

/// Union-find root of `component`, with path halving.
fn find(parent: &mut [u32], mut component: u32) -> u32 {
    while parent[component as usize] != component {
        parent[component as usize] = parent[parent[component as usize] as usize];
        component = parent[component as usize];
    }
    component
}
