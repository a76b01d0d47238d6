//! Memory of returned paths, reused for the next ones.

use wayfarer_base::Cell;

use super::super::path::{GroundPath, Leg};

/// Most lists kept of each kind.
const MAX_SPARE: usize = 8;

/// Cell and leg lists of returned paths, by rising capacity.
#[derive(Clone, Debug, Default)]
pub(in crate::ground) struct SparePaths {
    cells: Vec<Vec<Cell>>,
    legs: Vec<Vec<Leg>>,
}

impl SparePaths {
    /// Takes back the memory of a path.
    pub(super) fn put(&mut self, path: GroundPath) {
        put_list(&mut self.cells, path.cells);
        put_list(&mut self.legs, path.legs);
    }

    /// Lists for the next path; the first has room for `n_cells` cells.
    pub(super) fn take(&mut self, n_cells: usize) -> (Vec<Cell>, Vec<Leg>) {
        let spares = &mut self.cells;
        let fits = spares.partition_point(|spare| spare.capacity() < n_cells);
        let cells = if fits < spares.len() {
            spares.remove(fits)
        } else {
            // A new list is cheaper than growing an old one, which copies its contents. The extra
            // room serves paths that grow from request to request.
            spares.drain(..1.min(spares.len()));
            Vec::with_capacity(n_cells + n_cells / 8)
        };
        (cells, self.legs.pop().unwrap_or_default())
    }

    /// A copy of a path, in reused memory.
    pub(in crate::ground) fn copy(&mut self, path: &GroundPath) -> GroundPath {
        let (mut cells, mut legs) = self.take(path.cells.len());
        cells.clone_from(&path.cells);
        legs.clone_from(&path.legs);
        GroundPath {
            cells,
            legs,
            ..*path
        }
    }
}

/// Inserts a list by capacity; if there are too many, drops the smallest.
fn put_list<T>(spares: &mut Vec<Vec<T>>, list: Vec<T>) {
    let at = spares.partition_point(|spare| spare.capacity() < list.capacity());
    if spares.len() < MAX_SPARE {
        spares.insert(at, list);
    } else if at > 0 {
        spares[..at].rotate_left(1);
        spares[at - 1] = list;
    }
}
