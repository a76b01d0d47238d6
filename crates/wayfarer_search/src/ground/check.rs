//! Validation of requests before any search.

use wayfarer_base::{Cell, Location, Rect, RequestError, SectorId};
use wayfarer_world::ground::NodeId;

use super::area::{MAX_CROSSINGS, n_crossings};
use super::nav_graph::NavGraph;
use super::{GroundGoal, GroundRequest};

/// The goal cells, if the goal names cells.
pub(super) fn goal_cells(goal: &GroundGoal) -> &[Cell] {
    match goal {
        GroundGoal::Cell(cell) => std::slice::from_ref(cell),
        GroundGoal::AnyOf(cells) => cells,
        GroundGoal::Area(_) | GroundGoal::Within { .. } | GroundGoal::LineOfSightTo { .. } => &[],
    }
}

/// The number of sectors that a rectangle of columns overlaps.
pub(super) fn n_sectors(rect: Rect) -> u64 {
    if rect.is_empty() {
        return 0;
    }
    let (low, high) = (
        SectorId::from_column(rect.low),
        SectorId::from_column(rect.high),
    );
    (u64::from(high.x.abs_diff(low.x)) + 1).saturating_mul(u64::from(high.y.abs_diff(low.y)) + 1)
}

/// The work of preparing the areas of a request.
pub(super) fn total_crossings(request: &GroundRequest) -> u64 {
    let goal = match &request.to {
        GroundGoal::Area(area) => Some(area),
        _ => None,
    };
    let costs = request.area_costs.iter().map(|(area, _)| area);
    let areas = goal.into_iter().chain(&request.avoid).chain(costs);
    areas.map(n_crossings).fold(0, u64::saturating_add)
}

/// The stored start, or an error if the request is invalid.
pub(super) fn check(
    nav_graph: NavGraph<'_>,
    request: &GroundRequest,
) -> Result<NodeId, RequestError> {
    let start = nav_graph
        .node(request.from)
        .ok_or(RequestError::StartBlocked {
            at: Location::Cell(request.from),
            reason: nav_graph.blocked_reason(request.from),
        })?;
    let out_of_range = |what, found, expected| RequestError::OutOfRange {
        what,
        found,
        expected,
    };
    if request.budget.expansions == 0 {
        return Err(out_of_range("the budget in expansions", 0, "at least 1"));
    }
    let found = total_crossings(request);
    if found > MAX_CROSSINGS {
        let found = i64::try_from(found).unwrap_or(i64::MAX);
        let what = "the corners of large polygons times their rows";
        return Err(out_of_range(what, found, "at most 4194304 in all areas"));
    }
    match &request.to {
        GroundGoal::AnyOf(cells) if cells.is_empty() => {
            Err(out_of_range("the number of goals", 0, "at least 1"))
        }
        GroundGoal::Within { radius, .. } | GroundGoal::LineOfSightTo { radius, .. }
            if radius.raw() < 0 =>
        {
            Err(out_of_range(
                "the radius in 1/256 cells",
                i64::from(radius.raw()),
                "at least 0",
            ))
        }
        GroundGoal::Area(area) if area.heights.0 > area.heights.1 => Err(out_of_range(
            "the highest floor of the goal",
            i64::from(area.heights.1),
            "no lower than the lowest",
        )),
        _ => Ok(start),
    }
}

/// Why a path may not end in `cell`.
pub(super) fn goal_blocked_reason(
    nav_graph: NavGraph<'_>,
    request: &GroundRequest,
    cell: Cell,
) -> &'static str {
    if request.avoid.iter().any(|area| area.contains(cell)) && nav_graph.node(cell).is_some() {
        return "it lies in an area to be avoided";
    }
    nav_graph.blocked_reason(cell)
}
