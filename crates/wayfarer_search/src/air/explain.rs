//! Why there is no way through the air, and where a wall is thin enough to open one.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{Budget, Cost, Explanation, Location, Outcome, RequestError, Voxel};
use wayfarer_world::air::{Air, bits};

use super::octree::voxel_of;
use super::path::distance;
use super::scratch::Node;
use super::{FlightMethod, FlightPartialPolicy, FlightRequest, FlightSearcher, OctreeParams};

/// Most places and openers that an explanation names.
const MAX: usize = 16;
/// Cubes larger than this are not walked around voxel by voxel.
const MAX_SIZE: u8 = 6;

impl FlightSearcher {
    /// What stands between the start and the goal of a request that found no way.
    ///
    /// * The frontier: of the nodes that can be reached the voxels nearest to the goal, at most 16.
    /// * The openers: walls one voxel thick between what the start reaches and what the goal
    ///   reaches, those first over which the straight paths to start and goal are the shortest; at
    ///   most 16. The first is the cheapest blocked step; its cost is that of these straight paths.
    ///
    /// If there is a way, the explanation is empty. Each of two searches takes at most
    /// `request.budget`, and what lies beyond is not looked at. The agent's radius and volumes do
    /// not count: what is solid is looked at.
    ///
    /// # Errors
    /// If one cannot be at the start.
    pub fn explain(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Explanation, RequestError> {
        let plain = FlightRequest {
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
        if let Outcome::Found(_) = self.find_everything(air, &plain)? {
            return Ok(Explanation::default());
        }
        let mut frontier: Vec<(u64, Voxel)> = Vec::new();
        for node in self.nodes().iter().filter(|node| node.is_closed) {
            let at = self.nearest_to_goal(air, node);
            frontier.push((square(at, request.to), at));
        }
        frontier.sort_unstable();
        frontier.dedup();
        frontier.truncate(MAX);
        let mut blocked = Vec::new();
        if let Some(goal) = air.component(request.to) {
            // From the side of the goal first: it is often the smaller one.
            let back = FlightRequest {
                from: request.to,
                to: request.from,
                ..plain
            };
            let from_start = air.component(request.from);
            self.find_everything(air, &back)?;
            for node in self.nodes().iter().filter(|node| node.is_closed) {
                each_thin_wall(air, node, |here, wall, there| {
                    let other = air.component(there);
                    if other == from_start && other != Some(goal) {
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
        let unblock_options = blocked
            .iter()
            .take(MAX)
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

fn square(a: Voxel, b: Voxel) -> u64 {
    let part = |a: i32, b: i32| u64::from(a.abs_diff(b)).pow(2);
    part(a.x, b.x) + part(a.y, b.y) + part(a.z, b.z)
}

/// Calls `visit` for each voxel of a node, the solid one beside it and the free one behind that.
fn each_thin_wall(air: &Air, node: &Node, mut visit: impl FnMut(Voxel, Voxel, Voxel)) {
    let mut cursor = air.cursor();
    let mut look = |at: [i32; 3]| {
        for (axis, step) in [(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1)] {
            let moved = |by: i32| -> Option<Voxel> {
                let mut at = at;
                at[axis] += by * step;
                let size = air.size()[axis].cast_signed();
                (at[axis] >= 0 && at[axis] < size).then(|| air.voxel(at.map(i32::cast_unsigned)))
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
            look(voxel_of(node.low, left));
            left &= left - 1;
        }
        return;
    }
    if node.log > MAX_SIZE {
        return;
    }
    let last = (1_i32 << node.log) - 1;
    for z in 0..=last {
        for y in 0..=last {
            // Within the cube only the ends of a row can be beside something solid.
            let is_border = z == 0 || z == last || y == 0 || y == last;
            let step = if is_border { 1 } else { last.max(1) };
            let mut x = 0;
            while x <= last {
                look([node.low[0] + x, node.low[1] + y, node.low[2] + z]);
                x += step;
            }
        }
    }
}
