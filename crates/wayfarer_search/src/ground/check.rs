//! What can be said of a request before any search: is it possible at all, and where may it end.

use wayfarer_base::{Cell, Location, Rect, RequestError, SectorId};
use wayfarer_world::ground::NodeId;

use super::footing::Footing;
use super::{Goal, PathRequest};

/// The cells a path may end in, if they were named.
pub(super) fn goal_cells(goal: &Goal) -> &[Cell] {
    match goal {
        Goal::Cell(cell) => std::slice::from_ref(cell),
        Goal::AnyOf(cells) => cells,
        Goal::Area(_) | Goal::Within { .. } | Goal::InSight { .. } => &[],
    }
}

/// Sectors that a rectangle of columns lies in.
pub(super) fn n_sectors(rect: Rect) -> u64 {
    if rect.is_empty() {
        return 0;
    }
    let (low, high) = (SectorId::of(rect.low), SectorId::of(rect.high));
    (u64::from(high.x.abs_diff(low.x)) + 1).saturating_mul(u64::from(high.y.abs_diff(low.y)) + 1)
}

/// The stored start, or an error if the request cannot be tried.
pub(super) fn check(footing: Footing<'_>, request: &PathRequest) -> Result<NodeId, RequestError> {
    let start = footing
        .node(request.from)
        .ok_or(RequestError::StartBlocked {
            at: Location::Cell(request.from),
            reason: footing.why_not(request.from),
        })?;
    let out_of_limits = |what, found, expected| RequestError::OutOfRange {
        what,
        found,
        expected,
    };
    if request.budget.expansions == 0 {
        return Err(out_of_limits("the budget in expansions", 0, "at least 1"));
    }
    match &request.to {
        Goal::AnyOf(cells) if cells.is_empty() => {
            Err(out_of_limits("the number of goals", 0, "at least 1"))
        }
        Goal::Within { radius, .. } | Goal::InSight { radius, .. } if radius.raw() < 0 => {
            Err(out_of_limits(
                "the radius in 1/256 cells",
                i64::from(radius.raw()),
                "at least 0",
            ))
        }
        Goal::Area(area) if area.heights.0 > area.heights.1 => Err(out_of_limits(
            "the highest floor of the goal",
            i64::from(area.heights.1),
            "no lower than the lowest",
        )),
        _ => Ok(start),
    }
}

/// Why a path may not end in a cell.
pub(super) fn why_blocked(footing: Footing<'_>, request: &PathRequest, cell: Cell) -> &'static str {
    if request.avoid.iter().any(|area| area.contains(cell)) && footing.node(cell).is_some() {
        return "it lies in an area to be avoided";
    }
    footing.why_not(cell)
}
