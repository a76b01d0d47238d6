//! Which paths an edit invalidated: only what lies ahead of the agent, only where something changed.
//!
//! A ground path is checked twice: its cells, which the search found, step by step and sector by
//! sector, and the straight lines that the agent's body follows. The sectors of the change sets and
//! the ring around them, which the radius of a body may reach, decide what is checked; a planner
//! that lags behind the log checks everything.

use wayfarer_engine::PathLeg;
use wayfarer_engine::base::{Cell, Column, Fixed, Point2, Rect, SectorId};
use wayfarer_engine::search::air::string_pull;
use wayfarer_engine::search::ground::{GroundPath, NavGraph, is_clear_for_body};

use super::entry::{Entry, State, run_cost};
use super::{Planner, PlannerEvent};
use crate::changes::WorldChanges;
use crate::facade::World;
use crate::path::{PathStatus, Traversal};
use crate::units::Position;

/// Where the world changed since the last update.
struct Changed {
    /// Sectors whose ground changed and those around them, sorted; `None` for everywhere.
    sectors: Option<Vec<SectorId>>,
    /// True if something other than the ground changed that paths lead through.
    others: bool,
}

impl Planner {
    /// Invalidates the paths that the edits since the last update block ahead of their agents.
    pub(super) fn read_changes(&mut self, world: &World) {
        let Some(since) = self.cursor.replace(world.revision()) else {
            return;
        };
        if since == world.revision() {
            return;
        }
        let changes = world.changes_since(since);
        let changed = changes.map_or(Changed::EVERYTHING, |changes| Changed::new(&changes));
        for (&id, entry) in &mut self.entries {
            let Some(at) = changed.invalid_at(world, entry) else {
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
    const EVERYTHING: Self = Self {
        sectors: None,
        others: true,
    };

    fn new(changes: &[WorldChanges]) -> Self {
        let mut sectors = Vec::new();
        let mut others = false;
        for set in changes.iter().map(|changes| &changes.engine) {
            let ground = set.ground.iter();
            for dirty in ground.flat_map(|ground| &ground.changes.dirty_sectors) {
                let SectorId { x, y } = dirty.sector;
                let around = |at: i32| at.saturating_sub(1)..=at.saturating_add(1);
                sectors.extend(around(y).flat_map(|y| around(x).map(move |x| SectorId::new(x, y))));
            }
            others |= set.air.is_some()
                || !set.obstacles.is_empty()
                || !set.air_links.is_empty()
                || !set.bodies.is_empty();
        }
        sectors.sort_unstable();
        sectors.dedup();
        Self {
            sectors: Some(sectors),
            others,
        }
    }

    fn is_empty(&self) -> bool {
        !self.others && self.sectors.as_ref().is_some_and(Vec::is_empty)
    }

    fn contains(&self, sector: SectorId) -> bool {
        let sectors = self.sectors.as_ref();
        sectors.is_none_or(|sectors| sectors.binary_search(&sector).is_ok())
    }

    fn overlaps(&self, a: Column, b: Column) -> bool {
        let Rect { low, high } = Rect::around(a, b);
        let (low, high) = (SectorId::from_column(low), SectorId::from_column(high));
        let is_inside = |sector: &SectorId| {
            (low.x..=high.x).contains(&sector.x) && (low.y..=high.y).contains(&sector.y)
        };
        let sectors = self.sectors.as_ref();
        sectors.is_none_or(|sectors| sectors.iter().any(is_inside))
    }

    /// Where the path ahead of an agent is invalid.
    fn invalid_at(&self, world: &World, entry: &Entry) -> Option<Position> {
        let path = entry.follower.as_ref()?.path();
        if self.is_empty() {
            return None;
        }
        let nav_graph = world.engine().nav_graph(path.agent_type());
        match (path.engine().as_ground_path(), nav_graph) {
            (Some(walk), Ok(nav_graph)) => {
                let cells = self.blocked_cell(world, entry, (nav_graph, walk));
                cells.or_else(|| self.blocked_line(world, entry, nav_graph))
            }
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
        let mut near = ahead.filter(|run| self.contains(run.sector));
        let invalid = near.find(|run| {
            let begin = run.begin.max(first);
            match run_cost(nav_graph, walk, (begin, run.end)) {
                // What the agent has begun to walk has no known cost.
                Some(cost) => begin == run.begin && cost > run.cost,
                None => true,
            }
        })?;
        let cells = &walk.cells[invalid.begin.max(first)..=invalid.end];
        let is_blocked = |step: &&[_]| GroundPath::from_cells(nav_graph, step).is_none();
        let step = cells.windows(2).find(is_blocked);
        let cell = step.map_or(cells[0], |step| step[1]);
        Some(world.frame().position_of(cell.into()))
    }

    /// The start of the first line ahead that the body can no longer follow.
    fn blocked_line(
        &self,
        world: &World,
        entry: &Entry,
        nav_graph: NavGraph<'_>,
    ) -> Option<Position> {
        let follower = entry.follower.as_ref()?;
        let frame = world.frame();
        let lines = follower.waypoints_ahead().windows(2).enumerate();
        for (number, line) in lines.filter(|(_, line)| line[0].next == Traversal::Walk) {
            let is_begun = number == 0 && follower.next > 0;
            let from = if is_begun {
                entry.request.from
            } else {
                line[0].position
            };
            let (Some(a), Some(b)) = (frame.cell(from), frame.cell(line[1].position)) else {
                continue;
            };
            if !self.overlaps(a.column(), b.column()) {
                continue;
            }
            let ends = frame.point(from).zip(frame.point(line[1].position));
            let is_clear = ends.is_some_and(|(a_point, b_point)| {
                is_clear_for_body(nav_graph, (a_point, a.z), b_point)
            });
            // A run of steps of the grid need not be clear for a line of its own: it may change its
            // cost. An agent on a line that touches a corner may be off it by the rounding.
            let is_run = || {
                let begin = line[0].position;
                let share = match is_begun {
                    true => share_of_line(frame.point(begin).zip(ends)),
                    false => Some((0, 1)),
                };
                let cells = frame.cell(begin).zip(frame.cell(line[1].position));
                share.zip(cells).is_some_and(|(share, (a, b))| {
                    is_walkable_run(nav_graph, (a, b), share)
                        || is_begun
                            && frame
                                .point(begin)
                                .zip(ends)
                                .is_some_and(|(begin, (_, end))| {
                                    is_clear_for_body(nav_graph, (begin, a.z), end)
                                })
                })
            };
            if !is_clear && !is_run() {
                return Some(from);
            }
        }
        None
    }
}

/// How much of a line an agent has behind it, as a fraction; `None` if it is more than 1/128 of a cell
/// off the line.
fn share_of_line(points: Option<(Point2, (Point2, Point2))>) -> Option<(i128, i128)> {
    let (begin, (at, end)) = points?;
    let offset = |from: Point2, to: Point2| {
        let by = |from: Fixed, to: Fixed| i128::from(to.raw()) - i128::from(from.raw());
        (by(from.x, to.x), by(from.y, to.y))
    };
    let ((dx, dy), (px, py)) = (offset(begin, end), offset(begin, at));
    let (across, square) = (dx * py - dy * px, dx * dx + dy * dy);
    let along = dx * px + dy * py;
    let is_on_line = across * across <= 4 * square && (0..=square).contains(&along);
    (is_on_line && square > 0).then_some((along, square))
}

/// True if the cells from `a` to `b` are a run of equal steps whose part after `share` can be walked.
fn is_walkable_run(
    nav_graph: NavGraph<'_>,
    (a, b): (Cell, Cell),
    (along, whole): (i128, i128),
) -> bool {
    let (dx, dy, dz) = (b.x - a.x, b.y - a.y, b.z - a.z);
    let n = dx.abs().max(dy.abs());
    let is_run = |by: i32| n > 0 && by % n == 0;
    if !(is_run(dx) && is_run(dy) && is_run(dz)) {
        return n == 0;
    }
    let done = i32::try_from(along * i128::from(n) / whole).unwrap_or(n);
    let cell = |index: i32| {
        let at = |from: i32, by: i32| from + by / n * index;
        Cell::new(at(a.x, dx), at(a.y, dy), at(a.z, dz))
    };
    let cells: Vec<Cell> = (done.min(n - 1)..=n).map(cell).collect();
    GroundPath::from_cells(nav_graph, &cells).is_some()
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
        let voxels = positions.map(|at| frame.scale.voxel(frame.to_engine(at)));
        let voxels: Option<Vec<_>> = voxels.collect();
        if voxels.is_some_and(|voxels| string_pull(air, &voxels, flight.radius).is_some()) {
            return None;
        }
    }
    Some(at)
}
