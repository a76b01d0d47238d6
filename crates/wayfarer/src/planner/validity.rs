//! Which paths an edit invalidated: only what lies ahead of the agent, only where something changed.
//!
//! A ground path is checked twice: its cells, which the search found, step by step and sector by
//! sector, and the straight lines that the agent's body follows. The columns of the change sets, and
//! those around them that the radius of a body may reach, decide what is checked; a planner that lags
//! behind the log checks everything.

use std::collections::BTreeMap;

use wayfarer_engine::PathLeg;
use wayfarer_engine::base::{BatchDigest, Cell, Column, Fixed, Point2, Rect, Revision, SectorId};
use wayfarer_engine::search::air::string_pull;
use wayfarer_engine::search::ground::{GroundPath, NavGraph, changed_columns, is_clear_for_body};
use wayfarer_engine::world::ground::GroundDifference;

use super::entry::{Entry, State, run_cost};
use super::{Planner, PlannerEvent};
use crate::agent_type::AgentTypeId;
use crate::facade::World;
use crate::facade::voxel_box::{VoxelBox, changed_cubes, is_near_segment};
use crate::path::{PathStatus, Traversal};
use crate::units::Position;

/// What the planner has seen of a world: the revision of each domain that paths lead through, so that
/// bodies that only move are no change. A loaded world has these revisions, but no log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Seen {
    pub(super) ground: Revision,
    pub(super) air: Option<Revision>,
    /// Of the obstacles on the plane, which follow the bodies that block movement.
    pub(super) obstacles: Option<Revision>,
    pub(super) air_links: u64,
}

impl Seen {
    pub(super) fn of(world: &World) -> Self {
        let engine = world.engine();
        Self {
            ground: engine.ground().revision(),
            air: engine.air().map(|air| air.revision()),
            obstacles: engine.obstacles().map(|obstacles| obstacles.revision()),
            air_links: BatchDigest::of(engine.air_links()),
        }
    }
}

/// Where the world changed since the last update.
struct Changed {
    /// Columns of the ground that changed; `None` for everywhere.
    columns: Option<Vec<Rect>>,
    /// The rectangle around them.
    bounds: Rect,
    /// True if something other than the ground changed that paths lead through.
    others: bool,
    /// Where the air changed; `None` if that is not known, or if flights depend on something else that did.
    cubes: Option<Vec<VoxelBox>>,
}

/// Rectangles on the plane, low and high corners, in the engine's units of length.
type NearRects = Vec<[i64; 4]>;

/// More changed rectangles than this are joined to one.
const MAX_RECTS: usize = 64;
/// More than these are joined to one before lines are compared with them.
const MAX_NEAR_RECTS: usize = 8;
/// More changed cubes of the air than this count as everywhere.
const MAX_CUBES: usize = 1_024;

impl Planner {
    /// Invalidates the paths that the edits since the last update block ahead of their agents.
    pub(super) fn read_changes(&mut self, world: &World) {
        let now = Seen::of(world);
        let Some(seen) = self.cursor.replace(now).filter(|seen| *seen != now) else {
            return;
        };
        let changed = Changed::since(world, seen, now);
        let mut near: BTreeMap<AgentTypeId, NearRects> = BTreeMap::new();
        for (&id, entry) in &mut self.entries {
            let agent_type = entry.request.agent_type;
            let rects = || changed.near_rects(world, agent_type);
            let near = near.entry(agent_type).or_insert_with(rects);
            let Some(at) = changed.invalid_at(world, entry, near) else {
                continue;
            };
            self.events.push(PlannerEvent::Invalidated { id, at });
            entry.runs.clear();
            let path = entry
                .follower
                .take()
                .map(|follower| follower.path().clone());
            // A request that waits for another goal keeps waiting, without its old path.
            if let Some(path) = path.filter(|_| entry.state == State::Found) {
                self.searchers
                    .extend(entry.wait(self.tick, State::Repair(path)));
            }
        }
    }
}

impl Changed {
    fn since(world: &World, seen: Seen, now: Seen) -> Self {
        let cubes = Self::cubes_since(world, seen, now);
        let log = world.engine().ground_log().since(seen.ground);
        let Some(sets) = log.filter(|_| seen.ground != now.ground) else {
            let is_same = seen.ground == now.ground;
            return Self {
                columns: is_same.then(Vec::new),
                bounds: Rect::EMPTY,
                others: !is_same || Self::is_changed_elsewhere(seen, now),
                cubes,
            };
        };
        let differences = sets.flat_map(|set| &set.differences);
        let columns = changed_rects(differences);
        Self {
            bounds: bounds_of(&columns),
            columns: Some(columns),
            others: Self::is_changed_elsewhere(seen, now),
            cubes,
        }
    }

    fn cubes_since(world: &World, seen: Seen, now: Seen) -> Option<Vec<VoxelBox>> {
        if (seen.obstacles, seen.air_links) != (now.obstacles, now.air_links) {
            return None;
        }
        if seen.air == now.air {
            return Some(Vec::new());
        }
        let air = world.engine().air()?;
        let sets = world.engine().air_log().since(seen.air?)?;
        let cubes: Vec<VoxelBox> = sets.flat_map(|set| changed_cubes(air, set)).collect();
        (cubes.len() <= MAX_CUBES).then_some(cubes)
    }

    /// Around the columns that changed, as far as a body of this type reaches and a cell more: a line
    /// that passes none of them needs no closer look.
    fn near_rects(&self, world: &World, agent_type: AgentTypeId) -> NearRects {
        let (Some(columns), Ok(nav_graph)) = (&self.columns, world.engine().nav_graph(agent_type))
        else {
            return Vec::new();
        };
        let corner = |at: Column| world.frame().scale.cell_center(at.at(0));
        let around = |rect: &Rect| {
            let wide = widened(*rect, margin_of(nav_graph).saturating_add(2));
            let (low, high) = (corner(wide.low), corner(wide.high));
            [low.x, low.y, high.x, high.y]
        };
        match columns.len() {
            0 => Vec::new(),
            1..=MAX_NEAR_RECTS => columns.iter().map(around).collect(),
            _ => vec![around(&self.bounds)],
        }
    }

    fn is_changed_elsewhere(seen: Seen, now: Seen) -> bool {
        let elsewhere = |seen: Seen| (seen.air, seen.obstacles, seen.air_links);
        elsewhere(seen) != elsewhere(now)
    }

    fn is_empty(&self) -> bool {
        !self.others && self.columns.as_ref().is_some_and(Vec::is_empty)
    }

    /// True if the cells of a sector may have changed for a body that reads `margin` columns around.
    fn contains(&self, sector: SectorId, margin: i32) -> bool {
        let Rect { low, high } = sector.rect();
        let is_near = |rect: &Rect| {
            let near = widened(*rect, margin);
            near.low.x <= high.x
                && low.x <= near.high.x
                && near.low.y <= high.y
                && low.y <= near.high.y
        };
        let columns = self.columns.as_ref();
        columns.is_none_or(|columns| is_near(&self.bounds) && columns.iter().any(is_near))
    }

    /// True if a segment passes within `margin` columns of what changed.
    fn is_near_segment(&self, (a, b): (Point2, Point2), margin: i32) -> bool {
        let columns = self.columns.as_ref();
        let is_near = |rect: &Rect| touches(widened(*rect, margin), a, b);
        columns.is_none_or(|columns| is_near(&self.bounds) && columns.iter().any(is_near))
    }

    /// True if no part of a flight ahead of its agent lies near what changed.
    fn is_off_flight(&self, world: &World, entry: &Entry) -> bool {
        let (Some(cubes), Some(follower)) = (&self.cubes, &entry.follower) else {
            return false;
        };
        let [PathLeg::Flight(flight)] = &follower.path().engine().legs[..] else {
            return false;
        };
        let margin = i64::from(flight.radius.raw() >> 8) + 2;
        let scale = world.frame().scale;
        let voxel = |at: Position| scale.voxel(world.frame().to_engine(at));
        let ahead = follower.waypoints_ahead().iter().map(|at| at.position);
        let mut from = voxel(entry.request.from);
        for to in ahead.map(voxel) {
            let (Some(a), Some(b)) = (from, to) else {
                return false;
            };
            if is_near_segment(cubes, (a, b), margin) {
                return false;
            }
            from = to;
        }
        true
    }

    /// Where the path ahead of an agent is invalid.
    fn invalid_at(&self, world: &World, entry: &Entry, near: &NearRects) -> Option<Position> {
        let path = entry.follower.as_ref()?.path();
        if self.is_empty() {
            return None;
        }
        let nav_graph = world.engine().nav_graph(path.agent_type());
        match (path.engine().as_ground_path(), nav_graph) {
            (Some(walk), Ok(nav_graph)) => {
                let cells = self.blocked_cell(world, entry, (nav_graph, walk));
                cells.or_else(|| self.blocked_line(world, entry, (nav_graph, near)))
            }
            _ if self.is_off_flight(world, entry) => None,
            _ => invalid_flight(world, entry),
        }
    }

    /// The first cell ahead that is no longer reached at its cost.
    fn blocked_cell(
        &self,
        world: &World,
        entry: &Entry,
        (nav_graph, walk): (NavGraph<'_>, &GroundPath),
    ) -> Option<Position> {
        let first = entry.follower.as_ref()?.cell;
        let ahead = entry.runs.iter().filter(|run| run.end > first);
        let margin = margin_of(nav_graph);
        let mut near = ahead.filter(|run| self.contains(run.sector, margin));
        let invalid = near.find(|run| {
            let begin = run.begin.max(first);
            match run_cost(nav_graph, walk, (begin, run.end)) {
                // What the agent has begun to walk has no known cost.
                Some(cost) => begin == run.begin && cost > run.cost,
                None => true,
            }
        })?;
        let cells = &walk.cells[invalid.begin.max(first)..=invalid.end];
        let is_blocked = |step: &&[_]| GroundPath::cost_along(nav_graph, step).is_none();
        let step = cells.windows(2).find(is_blocked);
        let cell = step.map_or(cells[0], |step| step[1]);
        Some(world.frame().position_of(cell.into()))
    }

    /// The start of the first line ahead that the body can no longer follow.
    fn blocked_line(
        &self,
        world: &World,
        entry: &Entry,
        (nav_graph, near): (NavGraph<'_>, &NearRects),
    ) -> Option<Position> {
        let follower = entry.follower.as_ref()?;
        let frame = world.frame();
        let margin = margin_of(nav_graph);
        let lines = follower.waypoints_ahead().windows(2).enumerate();
        for (number, line) in lines.filter(|(_, line)| line[0].next == Traversal::Walk) {
            let begin = line[0].position;
            let ends = [begin, line[1].position].map(|at| frame.to_engine(at));
            if self.columns.is_some() && !meets_any(near, ends) {
                continue;
            }
            let points = frame.point(begin).zip(frame.point(line[1].position));
            let Some((start, end)) = points else {
                continue;
            };
            // An agent that turns before it reaches a waypoint is beside its line: what counts is the
            // part of the line that lies ahead of it.
            let is_begun = number == 0 && follower.next > 0;
            let agent = frame.point(entry.request.from).filter(|_| is_begun);
            let share = agent.map_or((0, 1), |agent| share_of_line(agent, (start, end)));
            let from = point_on_line((start, end), share);
            if !self.is_near_segment((from, end), margin) {
                continue;
            }
            let cells = frame.cell(begin).zip(frame.cell(line[1].position));
            let Some((a, b)) = cells else {
                continue;
            };
            let is_clear = |from: Point2| is_clear_for_body(nav_graph, (from, a.z), (end, b.z));
            let is_run = || is_walkable_run(nav_graph, ((start, a), (end, b)), share);
            // A point on a line that touches a corner may be off it by the rounding.
            if !is_clear(from) && !is_run() && !is_clear(start) {
                let is_ahead = agent.is_none();
                return Some(if is_ahead { begin } else { entry.request.from });
            }
        }
        None
    }
}

/// True if the box around a segment meets one of some rectangles.
fn meets_any(rects: &NearRects, [a, b]: [Position; 2]) -> bool {
    let (west, east) = (a.x.min(b.x), a.x.max(b.x));
    let (north, south) = (a.y.min(b.y), a.y.max(b.y));
    let mut rects = rects.iter();
    rects.any(|[low_x, low_y, high_x, high_y]| {
        west <= *high_x && *low_x <= east && north <= *high_y && *low_y <= south
    })
}

/// The columns that differences concern, at most [`MAX_RECTS`] rectangles.
pub(crate) fn changed_rects<'d>(
    differences: impl IntoIterator<Item = &'d GroundDifference>,
) -> Vec<Rect> {
    let rects = differences.into_iter().flat_map(changed_columns);
    let rects: Vec<Rect> = rects.flatten().collect();
    if rects.len() <= MAX_RECTS {
        return rects;
    }
    vec![bounds_of(&rects)]
}

fn bounds_of(rects: &[Rect]) -> Rect {
    rects.iter().fold(Rect::EMPTY, |joined, rect| {
        joined.including(rect.low).including(rect.high)
    })
}

/// Columns around a cell that its steps and the disc of its body may depend on.
pub(crate) fn margin_of(nav_graph: NavGraph<'_>) -> i32 {
    (nav_graph.profile().radius.raw() >> 8).saturating_add(3)
}

pub(crate) fn widened(rect: Rect, by: i32) -> Rect {
    let Rect { low, high } = rect;
    Rect {
        low: Column::new(low.x.saturating_sub(by), low.y.saturating_sub(by)),
        high: Column::new(high.x.saturating_add(by), high.y.saturating_add(by)),
    }
}

/// True if a segment meets the square of a column of `rect`.
pub(crate) fn touches(rect: Rect, a: Point2, b: Point2) -> bool {
    let raw = |at: Point2| (i64::from(at.x.raw()), i64::from(at.y.raw()));
    let (a, b) = (raw(a), raw(b));
    let low = (i64::from(rect.low.x) * 256, i64::from(rect.low.y) * 256);
    let high = (
        i64::from(rect.high.x) * 256 + 256,
        i64::from(rect.high.y) * 256 + 256,
    );
    let is_beside = a.0.max(b.0) < low.0
        || high.0 < a.0.min(b.0)
        || a.1.max(b.1) < low.1
        || high.1 < a.1.min(b.1);
    if is_beside {
        return false;
    }
    // A line that misses the rectangle has all its corners on one side.
    let side = |x: i64, y: i64| {
        let cross = i128::from(b.0 - a.0) * i128::from(y - a.1)
            - i128::from(b.1 - a.1) * i128::from(x - a.0);
        cross.signum()
    };
    let corners = [
        side(low.0, low.1),
        side(high.0, low.1),
        side(low.0, high.1),
        side(high.0, high.1),
    ];
    !(corners.iter().all(|side| *side > 0) || corners.iter().all(|side| *side < 0))
}

/// How much of a line an agent has behind it, as a fraction.
fn share_of_line(agent: Point2, (start, end): (Point2, Point2)) -> (i128, i128) {
    let offset = |from: Point2, to: Point2| {
        let by = |from: Fixed, to: Fixed| i128::from(to.raw()) - i128::from(from.raw());
        (by(from.x, to.x), by(from.y, to.y))
    };
    let ((dx, dy), (px, py)) = (offset(start, end), offset(start, agent));
    let square = dx * dx + dy * dy;
    match square {
        0 => (0, 1),
        _ => ((dx * px + dy * py).clamp(0, square), square),
    }
}

/// The point of a line at a share of it, rounded down to 1/256 of a cell.
fn point_on_line((start, end): (Point2, Point2), (along, whole): (i128, i128)) -> Point2 {
    let at = |from: Fixed, to: Fixed| {
        let by = i128::from(to.raw()) - i128::from(from.raw());
        let raw = i128::from(from.raw()) + by * along / whole;
        i32::try_from(raw).map_or(to, Fixed::from_raw)
    };
    Point2::new(at(start.x, end.x), at(start.y, end.y))
}

/// True if a line need not be clear for the body. Either it joins the centers of a run of equal steps, whose
/// part after `share` can be walked: it may change its cost. Or it lies within one cell, and the body does
/// not fit at one of its ends: an agent leaves an obstacle, or goes to a point too near to one.
pub(crate) fn is_walkable_run(
    nav_graph: NavGraph<'_>,
    (from, to): ((Point2, Cell), (Point2, Cell)),
    (along, whole): (i128, i128),
) -> bool {
    let ends = [from, to];
    let (a, b) = (from.1, to.1);
    let (dx, dy, dz) = (b.x - a.x, b.y - a.y, b.z - a.z);
    let n = dx.abs().max(dy.abs());
    if n == 0 {
        let fits = |(at, cell): &(Point2, Cell)| {
            is_clear_for_body(nav_graph, (*at, cell.z), (*at, cell.z))
        };
        return !ends.iter().all(fits);
    }
    let is_center = |(at, cell): &(Point2, Cell)| Point2::center_of(cell.column()) == Some(*at);
    let is_run = |by: i32| by % n == 0;
    if !(ends.iter().all(is_center) && is_run(dx) && is_run(dy) && is_run(dz)) {
        return false;
    }
    let done = i32::try_from(along * i128::from(n) / whole).unwrap_or(n);
    let cell = |index: i32| {
        let at = |from: i32, by: i32| from + by / n * index;
        Cell::new(at(a.x, dx), at(a.y, dy), at(a.z, dz))
    };
    let cells: Vec<Cell> = (done.min(n - 1)..=n).map(cell).collect();
    GroundPath::cost_along(nav_graph, &cells).is_some()
}

/// Where a path that is not only on the ground is invalid: in the air ahead of the agent, else
/// anywhere.
fn invalid_flight(world: &World, entry: &Entry) -> Option<Position> {
    let follower = entry.follower.as_ref()?;
    let PathStatus::Invalid { at } = world.status(follower.path()) else {
        return None;
    };
    let legs = &follower.path().engine().legs[..];
    if let ([PathLeg::Flight(flight)], Some(air)) = (legs, world.engine().air()) {
        let frame = world.frame();
        let ahead = follower
            .waypoints_ahead()
            .iter()
            .skip(usize::from(follower.next > 0));
        let ahead = ahead.map(|at| at.position);
        let positions = std::iter::once(entry.request.from).chain(ahead);
        let positions: Vec<_> = positions.map(|at| frame.to_engine(at)).collect();
        let voxels = positions.iter().map(|at| frame.scale.voxel(*at));
        let voxels: Option<Vec<_>> = voxels.collect();
        let is_free = |voxels: Vec<_>| string_pull(air, &voxels, flight.radius).is_some();
        // The agent flies from where it is, not from the center of that voxel.
        let is_swept = || {
            positions.windows(2).all(|leg| {
                let ends = (frame.scale.air_point(leg[0]), frame.scale.air_point(leg[1]));
                let (Some(a), Some(b)) = ends else {
                    return false;
                };
                air.sweep(a, b, flight.radius).is_none()
            })
        };
        if voxels.is_some_and(is_free) && is_swept() {
            return None;
        }
    }
    Some(at)
}
