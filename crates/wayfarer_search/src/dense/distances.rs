//! How far it is from one cell to every other.

use wayfarer_base::{Budget, Cell, Cost, Location, NoopObserver, RequestError};
use wayfarer_world::dense::DenseGround;

use super::DenseSearcher;
use super::steps::GroundSteps;
use crate::kernel::StopReason;

/// What it costs to get from one cell to every cell that can be reached from it.
///
/// Lives in the searcher's memory until the next search; nothing is copied.
#[derive(Debug)]
pub struct DenseDistances<'a> {
    ground: &'a DenseGround,
    searcher: &'a mut DenseSearcher,
    is_complete: bool,
}

/// Finds what it costs to get from `source` to everywhere (Dijkstra).
///
/// If the budget runs out first, or costs exceed what `Cost` can hold, the cells nearest to the
/// source are known.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Raster};
/// use wayfarer_search::dense::{DenseSearcher, distances_from};
/// use wayfarer_world::dense::DenseGround;
///
/// let ground = DenseGround::from_raster(Raster::from_bytes(3, 2, vec![0; 6]).unwrap())?;
/// let mut searcher = DenseSearcher::default();
/// let far = distances_from(&ground, &mut searcher, Cell::flat(0, 0), Budget::UNLIMITED)?;
/// assert_eq!(far.cost_to(Cell::flat(2, 1)), Some(Cost::STRAIGHT + Cost::DIAGONAL));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    let steps = GroundSteps::<false>::new(ground, None);
    let number = ground.frame().number(source.x, source.y);
    let DenseSearcher {
        search, buckets, ..
    } = searcher;
    search.reset();
    let is_complete = search.begin(&steps, buckets, number, budget) && {
        let budget = Budget {
            memory_bytes: budget.memory_bytes.saturating_sub(search.grown_bytes()),
            ..budget
        };
        search.advance(&steps, buckets, &mut NoopObserver, budget) == StopReason::Exhausted
    };
    Ok(DenseDistances {
        ground,
        searcher,
        is_complete,
    })
}

impl DenseDistances<'_> {
    /// What it costs to get to `cell`; `None` if it cannot be reached, or not within the budget.
    ///
    /// If the distances are not complete, costs of cells not yet expanded may be too high.
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        let number = self.number(cell)?;
        let arrival = self.searcher.search.nodes().arrival(number)?;
        Some(Cost::from_units(arrival.cost))
    }

    /// True if every cell that can be reached was looked at.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn number(&self, cell: Cell) -> Option<u32> {
        let is_inside = cell.z == 0 && self.ground.rect().contains(cell.column());
        is_inside.then(|| self.ground.frame().number(cell.x, cell.y))
    }
}
