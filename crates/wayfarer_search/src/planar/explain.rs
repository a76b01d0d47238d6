//! Diagnosis of failed planar queries: the frontier, and a set of obstacles whose removal opens a
//! path.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{
    Aabb2, CostMultiplier, Explanation, Fixed, Location, Outcome, Point2, RequestError,
};
use wayfarer_world::obstacles::{
    DiscAgent, ObstacleCategories, ObstacleHit, ObstacleId, ObstacleSet, ObstacleShape,
};

use super::{PlanarMethod, PlanarPath, PlanarRequest, PlanarSearcher};

/// Most frontier points and obstacles in an explanation.
const MAX_ENTRIES: usize = 16;
/// Multiplier, in sixteenths, for crossing a blocking obstacle.
const CROSSING_SIXTEENTHS: u16 = 64 * 16;

impl PlanarSearcher {
    /// Explains why a request finds no path; empty if it finds one.
    ///
    /// * The frontier: the reached points nearest to the goal, at most 16.
    /// * The unblock options: centers of the obstacles that the cheapest path crosses if every
    ///   cell of them costs 64, in order along the path, at most 16. Removing all of them opens
    ///   the path.
    /// * The cheapest blocked step enters the first of them, at the cost of this path.
    ///
    /// Runs three searches within `request.budget` each; the resolution is the smallest quad.
    ///
    /// # Errors
    /// As [`PlanarSearcher::find`].
    pub fn explain(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Result<Explanation, RequestError> {
        if let Outcome::Found(_) | Outcome::Partial { .. } = self.find(obstacles, request)? {
            return Ok(Explanation::default());
        }
        let quadtree = PlanarRequest {
            method: PlanarMethod::Quadtree,
            ..request.clone()
        };
        self.find(obstacles, &quadtree)?;
        let frontier = self.frontier(MAX_ENTRIES);
        let mut relaxed = quadtree;
        relaxed.agent.blocked_by = ObstacleCategories::NONE;
        let multiplier =
            CostMultiplier::from_sixteenths(CROSSING_SIXTEENTHS).unwrap_or(CostMultiplier::MAX);
        relaxed
            .category_costs
            .push((request.agent.blocked_by, multiplier));
        let path = self.find(obstacles, &relaxed)?.best();
        let crossings =
            path.map_or_else(Vec::new, |path| crossings(obstacles, &path, request.agent));
        let options = crossings.iter().take(MAX_ENTRIES);
        let unblock_options = options.filter_map(|crossing| {
            let at = Location::Point(center(obstacles.obstacle(crossing.obstacle)?.shape));
            Some(UnblockOption {
                at,
                what: "an obstacle on the path",
            })
        });
        Ok(Explanation {
            frontier: frontier.into_iter().map(Location::Point).collect(),
            unblock_options: unblock_options.collect(),
            cheapest_blocked: crossings.first().map(|crossing| crossing.blocked),
        })
    }
}

/// An obstacle that a path crosses.
struct Crossing {
    obstacle: ObstacleId,
    blocked: BlockedStep,
}

/// The obstacles that a path crosses, each once, in order along the path.
fn crossings(obstacles: &ObstacleSet, path: &PlanarPath, agent: DiscAgent) -> Vec<Crossing> {
    let mut crossings: Vec<Crossing> = Vec::new();
    let mut near = Vec::new();
    for leg in path.points.windows(2) {
        let (from, to) = (leg[0], leg[1]);
        obstacles.in_box(leg_bounds(from, to, agent), agent.blocked_by, &mut near);
        let mut entered: Vec<(f64, ObstacleId)> = near
            .iter()
            .filter_map(|id| Some((obstacles.outline(*id, agent)?.entry(from, to)?, *id)))
            .collect();
        entered.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (fraction, obstacle) in entered {
            if crossings.iter().all(|known| known.obstacle != obstacle) {
                let hit = ObstacleHit { obstacle, fraction };
                let blocked = BlockedStep {
                    from: Location::Point(from),
                    to: Location::Point(hit.at(from, to)),
                    cost: path.cost,
                    reason: "an obstacle blocks it",
                };
                crossings.push(Crossing { obstacle, blocked });
            }
        }
    }
    crossings
}

/// The AABB of a leg, grown to overlap every obstacle whose inflated outline the leg may enter.
fn leg_bounds(from: Point2, to: Point2, agent: DiscAgent) -> Aabb2 {
    let margin = agent.radius.raw().saturating_add(2);
    let low = |a: Fixed, b: Fixed| Fixed::from_raw(a.min(b).raw().saturating_sub(margin));
    let high = |a: Fixed, b: Fixed| Fixed::from_raw(a.max(b).raw().saturating_add(margin));
    Aabb2 {
        low: Point2::new(low(from.x, to.x), low(from.y, to.y)),
        high: Point2::new(high(from.x, to.x), high(from.y, to.y)),
    }
}

fn center(shape: ObstacleShape) -> Point2 {
    match shape {
        ObstacleShape::Disc { center, .. } => center,
        ObstacleShape::Box(Aabb2 { low, high }) => {
            let half = |a: Fixed, b: Fixed| Fixed::from_raw((a.raw() + b.raw()) >> 1);
            Point2::new(half(low.x, high.x), half(low.y, high.y))
        }
    }
}
