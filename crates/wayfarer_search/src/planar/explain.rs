//! Why there is no way through the field, and what would have to go.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{
    Aabb2, CostMultiplier, Explanation, Fixed, Location, Outcome, Point2, RequestError,
};
use wayfarer_world::obstacles::{
    DiscAgent, ObstacleCategories, ObstacleId, ObstacleSet, ObstacleShape,
};

use super::{PlanarMethod, PlanarPath, PlanarRequest, PlanarSearcher};

/// Most places and obstacles that an explanation names.
const MAX: usize = 16;
/// What walking through something costs that cannot be walked through: 64 times its length.
const THROUGH: u16 = 64 * 16;

impl PlanarSearcher {
    /// What stands between the start and the goal of a request that found no way.
    ///
    /// * The frontier: of all places that were reached those nearest to the goal, at most 16.
    /// * The openers: the middles of the obstacles that the cheapest path would lead through if
    ///   each cell of them cost 64, in the order they would be met, at most 16; gone together they
    ///   let the agent through.
    /// * The first of them is the cheapest blocked step; its cost is that of this way.
    ///
    /// If there is a way, the explanation is empty. Each of three searches takes at most
    /// `request.budget`; the tree's smallest space is the resolution.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn explain(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Result<Explanation, RequestError> {
        if let Outcome::Found(_) | Outcome::Partial { .. } = self.find(obstacles, request)? {
            return Ok(Explanation::default());
        }
        let tree = PlanarRequest {
            method: PlanarMethod::Quadtree,
            ..request.clone()
        };
        self.find(obstacles, &tree)?;
        let frontier = self.frontier(MAX);
        let mut through = tree;
        through.agent.blocked_by = ObstacleCategories::NONE;
        let multiplier = CostMultiplier::from_sixteenths(THROUGH).unwrap_or(CostMultiplier::MAX);
        through
            .category_costs
            .push((request.agent.blocked_by, multiplier));
        let path = self.find(obstacles, &through)?.best();
        let met = path.map_or_else(Vec::new, |path| met_on(obstacles, &path, request.agent));
        let unblock_options = met.iter().take(MAX).filter_map(|step| {
            let at = Location::Point(middle(obstacles.obstacle(step.obstacle)?.shape));
            Some(UnblockOption {
                at,
                what: "an entity in the way",
            })
        });
        Ok(Explanation {
            frontier: frontier.into_iter().map(Location::Point).collect(),
            unblock_options: unblock_options.collect(),
            cheapest_blocked: met.first().map(|step| step.blocked),
        })
    }
}

/// Something that a way leads through.
struct Met {
    obstacle: ObstacleId,
    blocked: BlockedStep,
}

/// What a way leads through, each once, in the order it is met.
fn met_on(obstacles: &ObstacleSet, path: &PlanarPath, agent: DiscAgent) -> Vec<Met> {
    let mut met: Vec<Met> = Vec::new();
    let mut near = Vec::new();
    for leg in path.points.windows(2) {
        let (from, to) = (leg[0], leg[1]);
        obstacles.in_box(around(from, to, agent), agent.blocked_by, &mut near);
        let mut entered: Vec<(f64, ObstacleId)> = near
            .iter()
            .filter_map(|id| Some((obstacles.outline(*id, agent)?.entry(from, to)?, *id)))
            .collect();
        entered.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (share, obstacle) in entered {
            if met.iter().all(|known| known.obstacle != obstacle) {
                let hit = wayfarer_world::obstacles::ObstacleHit {
                    obstacle,
                    fraction: share,
                };
                let blocked = BlockedStep {
                    from: Location::Point(from),
                    to: Location::Point(hit.at(from, to)),
                    cost: path.cost,
                    reason: "an entity is in the way",
                };
                met.push(Met { obstacle, blocked });
            }
        }
    }
    met
}

/// The box around a leg, wide enough to meet all whose outlines it may enter.
fn around(from: Point2, to: Point2, agent: DiscAgent) -> Aabb2 {
    let margin = agent.radius.raw().saturating_add(2);
    let low = |a: Fixed, b: Fixed| Fixed::from_raw(a.min(b).raw().saturating_sub(margin));
    let high = |a: Fixed, b: Fixed| Fixed::from_raw(a.max(b).raw().saturating_add(margin));
    Aabb2 {
        low: Point2::new(low(from.x, to.x), low(from.y, to.y)),
        high: Point2::new(high(from.x, to.x), high(from.y, to.y)),
    }
}

fn middle(shape: ObstacleShape) -> Point2 {
    match shape {
        ObstacleShape::Disc { center: centre, .. } => centre,
        ObstacleShape::Box(Aabb2 { low, high }) => {
            let half = |a: Fixed, b: Fixed| Fixed::from_raw((a.raw() + b.raw()) >> 1);
            Point2::new(half(low.x, high.x), half(low.y, high.y))
        }
    }
}
