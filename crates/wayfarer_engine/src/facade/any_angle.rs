//! Any-angle paths by Lazy Theta\*, as the cells that their lines cross.

use wayfarer_base::{Cell, Direction, Location, Outcome, RequestError};
use wayfarer_search::ground::{AnyAnglePath, GroundPath, NavGraph};

use super::World;
use super::path::{Path, PathLeg};
use super::request::PathRequest;
use super::searcher::Searcher;

impl World {
    /// Finds an any-angle path over the ground. Its cost is that of the straight lines; its cells
    /// are those that the lines cross, each a step from the one before.
    ///
    /// # Errors
    /// As [`World::find_path`]; the agent type does not walk.
    pub fn find_any_angle(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<Path>, RequestError> {
        let registered = self.registered(request.agent_type)?;
        let (Location::Cell(from), Location::Cell(to)) = self.ends(registered, request)? else {
            return Err(RequestError::UnsupportedMethod {
                method: "any-angle",
                reason: "any-angle paths start and end on the ground",
            });
        };
        let nav_graph = NavGraph::new(&self.ground, registered.profile_id)?;
        let found = searcher
            .any_angle
            .find(nav_graph, from, to, request.budget)?;
        Ok(found.map(|path| self.path_along_lines(nav_graph, request, &path)))
    }

    pub(super) fn path_along_lines(
        &self,
        nav_graph: NavGraph<'_>,
        request: &PathRequest,
        path: &AnyAnglePath,
    ) -> Path {
        let mut cells: Vec<Cell> = path.waypoints.first().into_iter().copied().collect();
        for pair in path.waypoints.windows(2) {
            push_line(nav_graph, (pair[0], pair[1]), &mut cells);
        }
        let walk = GroundPath::from_cells(nav_graph, &cells);
        let legs = walk.map(PathLeg::Ground).into_iter().collect();
        self.new_path(request, legs, path.cost, path.expansions)
    }
}

/// Appends the cells of a straight walkable line after its first: an edge is crossed by a straight
/// step, a corner by a diagonal one. A nav link is one step.
fn push_line(nav_graph: NavGraph<'_>, (from, to): (Cell, Cell), cells: &mut Vec<Cell>) {
    let n_before = cells.len();
    let (n_x, n_y) = (from.x.abs_diff(to.x).into(), from.y.abs_diff(to.y).into());
    let (mut at_x, mut at_y) = (0_u64, 0_u64);
    let mut node = nav_graph.node(from);
    while (at_x, at_y) != (n_x, n_y) {
        // Where the line crosses the next edge along x and along y, at a common scale.
        let (next_x, next_y) = ((2 * at_x + 1) * n_y, (2 * at_y + 1) * n_x);
        let along_x = at_x < n_x && (next_x <= next_y || at_y == n_y);
        let along_y = at_y < n_y && (next_y <= next_x || at_x == n_x);
        let step = (
            i32::from(along_x) * (to.x - from.x).signum(),
            i32::from(along_y) * (to.y - from.y).signum(),
        );
        node =
            Direction::from_offset(step).and_then(|direction| nav_graph.neighbor(node?, direction));
        let Some(node) = node else {
            // Not a line: a nav link.
            cells.truncate(n_before);
            break;
        };
        cells.push(nav_graph.cell(node));
        at_x += u64::from(along_x);
        at_y += u64::from(along_y);
    }
    if cells.last() != Some(&to) {
        cells.truncate(n_before);
        cells.push(to);
    }
}
