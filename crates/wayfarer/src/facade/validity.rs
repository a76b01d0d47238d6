//! Whether a path is still valid, and repair.

use wayfarer_engine as engine;
use wayfarer_engine::search::ground::{NavGraph, is_clear_for_body};

use super::World;
use crate::path::{Path, PathStatus, Traversal, Waypoint};
use crate::planner::validity::is_walkable_run;
use crate::request::{NoPath, PathRequest};
use crate::searcher::Searcher;
use crate::units::Position;

impl World {
    /// The status of a path found earlier, without a search.
    ///
    /// A path that is older than the change log is checked step by step, and never better than
    /// [`PathStatus::MaybeSuboptimal`].
    pub fn status(&self, path: &Path) -> PathStatus {
        use engine::base::PathStatus as Engine;
        let status = match self.engine.status(path.engine()) {
            Engine::Unknown => self.engine.status_without_log(path.engine()),
            status => status,
        };
        let blocked = || {
            let end = self.blocked_flight_end(path);
            end.or_else(|| self.blocked_walk_line(path))
                .or_else(|| self.line_past_bodies(path))
        };
        match (status, status.is_walkable().then(blocked).flatten()) {
            (Engine::Invalid { at, .. }, _) => PathStatus::Invalid {
                at: self.frame.position_of(at),
            },
            (_, Some(at)) => PathStatus::Invalid { at },
            (Engine::Valid, None) => PathStatus::Valid,
            _ => PathStatus::MaybeSuboptimal,
        }
    }

    /// Where the ball of an agent clips between its exact start or goal in the air and the center of that
    /// voxel, which the engine's path does not know.
    pub(super) fn blocked_flight_end(&self, path: &Path) -> Option<Position> {
        let ends = flight_ends(path);
        let ends = ends.into_iter().flatten();
        let mut ends = ends.filter(|(from, to)| {
            let (from, to) = (self.frame.to_engine(*from), self.frame.to_engine(*to));
            self.engine.clips_between(path.agent_type(), from, to)
        });
        ends.next().map(|(from, _)| from)
    }

    /// The start of the first string-pulled line that the body of the agent can no longer follow; the
    /// engine's path knows the cells.
    fn blocked_walk_line(&self, path: &Path) -> Option<Position> {
        let is_of_now = |leg: &engine::PathLeg| match leg {
            engine::PathLeg::Ground(walk) => walk.revision == self.engine.ground().revision(),
            _ => true,
        };
        if path.engine().legs.iter().all(is_of_now) {
            return None;
        }
        let nav_graph = self.nav_graph(path.agent_type())?;
        let mut lines = path.traversal().windows(2);
        let line = lines.find(|line| self.is_line_blocked(nav_graph, line));
        line.map(|line| line[0].position)
    }

    /// True if a line between two waypoints is walked and the body of the agent cannot follow it.
    pub(super) fn is_line_blocked(&self, nav_graph: NavGraph<'_>, line: &[Waypoint]) -> bool {
        let ends = [line[0].position, line[1].position];
        let [Some(from), Some(to)] = ends.map(|at| self.frame.point(at)) else {
            return false;
        };
        let [Some(a), Some(b)] = ends.map(|at| self.frame.cell(at)) else {
            return false;
        };
        line[0].next == Traversal::Walk
            && !is_clear_for_body(nav_graph, (from, a.z), (to, b.z))
            && !is_walkable_run(nav_graph, ((from, a), (to, b)), (0, 1))
    }

    /// The start of the first line of several steps that enters an obstacle which the path avoids; the
    /// engine's path knows the steps.
    pub(super) fn line_past_bodies(&self, path: &Path) -> Option<Position> {
        if !avoids_on_lines(path) {
            return None;
        }
        let is_blocked = |line: &&[Waypoint]| {
            let ends = [line[0].position, line[1].position];
            let ends = ends.map(|at| self.frame.point(at).zip(self.frame.cell(at)));
            let [Some((from, a)), Some((to, b))] = ends else {
                return false;
            };
            let is_long = a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) > 1;
            line[0].next == Traversal::Walk
                && is_long
                && !self.engine.is_clear_of_avoided(path.engine(), from, to)
        };
        let mut lines = path.traversal().windows(2);
        lines.find(is_blocked).map(|line| line[0].position)
    }

    /// Repairs a path found earlier for `request`: valid parts stay, the gap is searched. The agent
    /// may have come along it: what lies before `request.from` is dropped. A valid path comes back
    /// at the present revision. The result may cost more than that of [`World::find_path`].
    ///
    /// # Errors
    /// As [`World::find_path`].
    pub fn repair(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        path: &Path,
    ) -> Result<Path, NoPath> {
        let converted = self.converted(request)?;
        let repaired = self
            .engine
            .repair(&mut searcher.engine, &converted, path.engine());
        let repaired = repaired.map_err(|error| self.request_error(request, &error))?;
        self.path_of_outcome(request, repaired)
    }
}

/// True if lines of a path pass obstacles that it avoids.
pub(super) fn avoids_on_lines(path: &Path) -> bool {
    let is_walk = |leg: &engine::PathLeg| matches!(leg, engine::PathLeg::Ground(_));
    !path.engine().avoided_obstacles.is_empty() && path.engine().legs.iter().any(is_walk)
}

/// The first and the last line of a path if they are flown.
pub(super) fn flight_ends(path: &Path) -> [Option<(Position, Position)>; 2] {
    let waypoints = path.traversal();
    let line = |index: usize| {
        let (from, to) = (waypoints.get(index)?, waypoints.get(index + 1)?);
        (from.next == Traversal::Fly).then_some((from.position, to.position))
    };
    [line(0), waypoints.len().checked_sub(2).and_then(line)]
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn a_solid_on_a_pulled_line_invalidates_the_path_though_its_cells_are_free() {
        let row = ".............\n";
        let map = format!("type octile\nheight 9\nwidth 13\nmap\n{}", row.repeat(9));
        let mut world = World::import("a.map", map.as_bytes(), Scale::UNIT).unwrap();
        let (from, to) = (Position::new(0.5, 0.5, 0.0), Position::new(12.5, 5.5, 0.0));
        let request = PathRequest::new(from, to);
        let path = world.find_path(&mut Searcher::default(), &request).unwrap();
        assert_eq!(path.waypoints().count(), 2);
        let mut n_beside = 0;
        for (x, y) in (0..9).flat_map(|y| (0..13).map(move |x| (x, y))) {
            let corner = |by: f64, z: f64| Position::new(f64::from(x) + by, f64::from(y) + by, z);
            let solid = Solid::cuboid(corner(0.0, 0.0), corner(1.0, 2.0));
            let (id, _) = world.add_solid(solid).unwrap();
            // Samples of the line, and how far the square of the solid is from each.
            let is_hit = (0..=1_000).any(|part| {
                let share = f64::from(part) / 1_000.0;
                let at = [0.5 + 12.0 * share, 0.5 + 5.0 * share];
                let off = |at: f64, low: i32| {
                    let low = f64::from(low);
                    (low - at).max(at - low - 1.0).max(0.0)
                };
                let (dx, dy) = (off(at[0], x), off(at[1], y));
                dx * dx + dy * dy < 0.49 * 0.49
            });
            let is_walkable = world.status(&path).is_walkable();
            assert!(!(is_hit && is_walkable), "{x} {y}");
            let center = corner(0.5, 0.0);
            n_beside += u32::from(is_hit && !path.cells().contains(&center));
            world.remove_solid(id).unwrap();
            assert!(world.status(&path).is_walkable(), "{x} {y}");
        }
        assert!(n_beside > 5, "{n_beside}");
    }
}
