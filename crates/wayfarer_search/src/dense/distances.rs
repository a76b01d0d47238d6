//! Single-source distances on a flat grid (Dijkstra).

use wayfarer_base::{Budget, Cell, Cost, Location, NoopObserver, RequestError};
use wayfarer_world::dense::DenseGround;

use super::DenseSearcher;
use super::steps::DenseSpace;
use crate::kernel::StopReason;

/// The costs from one cell to every cell reachable from it.
///
/// Borrows the searcher's node table; nothing is copied.
#[derive(Debug)]
pub struct DenseDistances<'a> {
    ground: &'a DenseGround,
    searcher: &'a mut DenseSearcher,
    is_complete: bool,
}

/// Finds the costs from `source` to every reachable cell (Dijkstra).
///
/// If the budget runs out first, or costs exceed the range of `Cost`, only the cells nearest to the
/// source have a cost.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Raster};
/// use wayfarer_search::dense::{DenseSearcher, distances_from};
/// use wayfarer_world::dense::DenseGround;
///
/// let ground = DenseGround::from_raster(Raster::from_bytes(3, 2, vec![0; 6]).unwrap())?;
/// let mut searcher = DenseSearcher::default();
/// let distances = distances_from(&ground, &mut searcher, Cell::flat(0, 0), Budget::UNLIMITED)?;
/// assert_eq!(distances.cost_to(Cell::flat(2, 1)), Some(Cost::STRAIGHT + Cost::DIAGONAL));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `source` is not walkable.
pub fn distances_from<'a>(
    ground: &'a DenseGround,
    searcher: &'a mut DenseSearcher,
    source: Cell,
    budget: Budget,
) -> Result<DenseDistances<'a>, RequestError> {
    if let Some(reason) = ground.blocked_reason(source) {
        let at = Location::Cell(source);
        return Err(RequestError::StartBlocked { at, reason });
    }
    let space = DenseSpace::<false>::new(ground, None);
    let number = ground.layout().index(source.x, source.y);
    let DenseSearcher {
        search, buckets, ..
    } = searcher;
    search.reset();
    let is_complete = search.begin(&space, buckets, number, budget) && {
        let budget = Budget {
            memory_bytes: budget.memory_bytes.saturating_sub(search.grown_bytes()),
            ..budget
        };
        search.advance(&space, buckets, &mut NoopObserver, budget) == StopReason::Exhausted
    };
    Ok(DenseDistances {
        ground,
        searcher,
        is_complete,
    })
}

impl DenseDistances<'_> {
    /// The cost to `cell`; `None` if it is unreachable, or not reached within the budget.
    ///
    /// If the distances are incomplete, costs of cells not yet expanded are upper bounds.
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        let number = self.number(cell)?;
        let record = self.searcher.search.nodes().get(number)?;
        Some(Cost::from_units(record.cost))
    }

    /// True if every reachable cell is expanded.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn number(&self, cell: Cell) -> Option<u32> {
        let is_inside = cell.z == 0 && self.ground.rect().contains(cell.column());
        is_inside.then(|| self.ground.layout().index(cell.x, cell.y))
    }
}
