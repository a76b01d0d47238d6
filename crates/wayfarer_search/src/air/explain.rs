//! Diagnosis of failed flight queries: the frontier, and thin walls whose removal opens a path.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{Budget, Cost, Explanation, Location, Outcome, RequestError, Voxel};
use wayfarer_world::air::{Air, bits};

use super::octree::lowest_voxel;
use super::path::distance;
use super::scratch::Node;
use super::{FlightMethod, FlightPartialPolicy, FlightRequest, FlightSearcher, OctreeParams};

/// Most frontier voxels and unblock options in an explanation.
const MAX_ENTRIES: usize = 16;
/// Largest logarithm of the side of a cube whose surface is scanned for thin walls.
const MAX_SCANNED_LOG: u8 = 6;

impl FlightSearcher {
    /// Explains why a request finds no path; empty if one exists for a point agent.
    ///
    /// * The frontier: the voxels of reachable nodes nearest to the goal, at most 16.
    /// * The unblock options: walls one voxel thick between the components of start and goal, in
    ///   order of the Euclidean distance from start over the wall to goal; at most 16. The first
    ///   is the cheapest blocked step, at the cost of that distance.
    ///
    /// Runs two searches within `request.budget` each. Ignores the agent's radius and volumes.
    ///
    /// # Errors
    /// If the start is blocked.
    pub fn explain(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Explanation, RequestError> {
        let forward = FlightRequest {
            method: FlightMethod::Octree(OctreeParams {
                corridor_after: u32::MAX,
                ..OctreeParams::BALANCED
            }),
            partial: FlightPartialPolicy::Nearest,
            budget: Budget {
                memory_bytes: u64::MAX,
                ..request.budget
            },
            ..FlightRequest::new(request.from, request.to)
        };
        if let Outcome::Found(_) = self.find_exhaustive(air, &forward)? {
            return Ok(Explanation::default());
        }
        let mut frontier: Vec<(u64, Voxel)> = Vec::new();
        for node in self.nodes().iter().filter(|node| node.is_closed) {
            let at = self.nearest_to_goal(air, node);
            frontier.push((distance_squared(at, request.to), at));
        }
        frontier.sort_unstable();
        frontier.dedup();
        frontier.truncate(MAX_ENTRIES);
        let mut blocked = Vec::new();
        if let Some(goal) = air.component(request.to) {
            // Scans the goal's component, which is often the smaller one.
            let backward = FlightRequest {
                from: request.to,
                to: request.from,
                ..forward
            };
            let start = air.component(request.from);
            self.find_exhaustive(air, &backward)?;
            for node in self.nodes().iter().filter(|node| node.is_closed) {
                for_each_thin_wall(air, node, |here, wall, there| {
                    let other = air.component(there);
                    if other == start && other != Some(goal) {
                        let length = distance(request.from, there)
                            + distance(there, here)
                            + distance(here, request.to);
                        blocked.push((Cost::from_cells(length), wall, there, here));
                    }
                });
            }
        }
        blocked.sort_unstable();
        blocked.dedup();
        let unblock_options =
            blocked
                .iter()
                .take(MAX_ENTRIES)
                .map(|(_, wall, _, _)| UnblockOption {
                    at: Location::Voxel(*wall),
                    what: "wall one voxel thick",
                });
        Ok(Explanation {
            frontier: frontier
                .into_iter()
                .map(|(_, at)| Location::Voxel(at))
                .collect(),
            unblock_options: unblock_options.collect(),
            cheapest_blocked: blocked.first().map(|(cost, wall, there, _)| BlockedStep {
                from: Location::Voxel(*there),
                to: Location::Voxel(*wall),
                cost: *cost,
                reason: "it is solid",
            }),
        })
    }
}

fn distance_squared(a: Voxel, b: Voxel) -> u64 {
    let square = |a: i32, b: i32| u64::from(a.abs_diff(b)).pow(2);
    square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z)
}

/// Calls `visit` with a voxel of the node, an adjacent solid voxel and the free voxel beyond it.
fn for_each_thin_wall(air: &Air, node: &Node, mut visit: impl FnMut(Voxel, Voxel, Voxel)) {
    let mut cursor = air.cursor();
    let mut scan = |at: [i32; 3]| {
        for (axis, step) in [(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1)] {
            let moved = |by: i32| -> Option<Voxel> {
                let mut at = at;
                at[axis] += by * step;
                let size = air.size()[axis].cast_signed();
                (at[axis] >= 0 && at[axis] < size).then(|| air.to_world(at.map(i32::cast_unsigned)))
            };
            let (Some(here), Some(wall), Some(there)) = (moved(0), moved(1), moved(2)) else {
                continue;
            };
            if !cursor.is_free(wall) && cursor.is_free(there) && cursor.is_free(here) {
                visit(here, wall, there);
            }
        }
    };
    if node.free != bits::ALL {
        let mut left = node.free;
        while left != 0 {
            scan(lowest_voxel(node.low, left));
            left &= left - 1;
        }
        return;
    }
    if node.log > MAX_SCANNED_LOG {
        return;
    }
    let last = (1_i32 << node.log) - 1;
    for z in 0..=last {
        for y in 0..=last {
            // Inside the cube only the ends of a row touch its surface.
            let is_border = z == 0 || z == last || y == 0 || y == last;
            let step = if is_border { 1 } else { last.max(1) };
            let mut x = 0;
            while x <= last {
                scan([node.low[0] + x, node.low[1] + y, node.low[2] + z]);
                x += step;
            }
        }
    }
}
