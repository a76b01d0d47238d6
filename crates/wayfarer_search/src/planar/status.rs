//! Whether a path through the field still holds, what broke it, and how to repair it.

use wayfarer_base::{Cost, Fixed, Location, Outcome, PathStatus, RequestError};
use wayfarer_world::obstacles::{ObstacleId, ObstacleSet};

use super::{PlanarPath, PlanarRequest, PlanarSearcher, distance, string_pulling};

/// How a path stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanarStatus {
    /// Whether it can still be walked.
    pub status: PathStatus,
    /// The obstacle that stands in the way of the broken leg.
    pub broken_by: Option<ObstacleId>,
}

/// A path that was repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairedPlanarPath {
    /// The path as it is now; need not be the shortest.
    pub path: PlanarPath,
    /// How many of its points were taken over from the former path.
    pub n_reused: usize,
    /// What broke the former path, the first of it.
    pub broken_by: Option<ObstacleId>,
}

/// Tells whether `path` still holds, without a search: a ray for each leg.
///
/// [`PathStatus::MaybeSuboptimal`] if something, of whatever type, made room where a shorter way
/// could lead. Time grows with the path, never with the field.
pub fn status(obstacles: &ObstacleSet, path: &PlanarPath) -> PlanarStatus {
    let stands = |status| PlanarStatus {
        status,
        broken_by: None,
    };
    if obstacles.revision() == path.revision {
        return stands(PathStatus::Valid);
    }
    if let Some((leg, at, obstacle)) = first_broken(obstacles, path, path.n_leaving) {
        return PlanarStatus {
            status: PathStatus::Invalid { leg, at },
            broken_by: Some(obstacle),
        };
    }
    let (Some(start), Some(end)) = (path.start(), path.end()) else {
        return stands(PathStatus::Valid);
    };
    let length = (path.length().to_cells() + 1.0) * f64::from(Fixed::PARTS);
    // What stopped the agent may have stood beside the ellipse by as much as the agent is wide, and
    // at a corner by 1.42 times that, for either end.
    let wide = 3.0 * f64::from(path.agent.radius.raw().saturating_add(1));
    if obstacles.may_have_opened(path.revision, start, end, length + wide) {
        stands(PathStatus::MaybeSuboptimal)
    } else {
        stands(PathStatus::Valid)
    }
}

/// The first broken leg from `from` on, where, and by what.
fn first_broken(
    obstacles: &ObstacleSet,
    path: &PlanarPath,
    from: usize,
) -> Option<(usize, Location, ObstacleId)> {
    let legs = path.points.windows(2).enumerate().skip(from);
    legs.into_iter().find_map(|(number, leg)| {
        let hit = obstacles.cast_ray(leg[0], leg[1], path.agent)?;
        Some((
            number,
            Location::Point(hit.at(leg[0], leg[1])),
            hit.obstacle,
        ))
    })
}

impl PlanarSearcher {
    /// Repairs `path`, which was found for `request` at an earlier revision: keeps the legs before
    /// and after those that broke and searches only the gap between. Where that fails the path is
    /// found anew, with nothing reused.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        path: &PlanarPath,
    ) -> Result<Outcome<RepairedPlanarPath>, RequestError> {
        let broken = first_broken(obstacles, path, path.n_leaving);
        let broken_by = broken.map(|(_, _, obstacle)| obstacle);
        let is_same = path.start() == Some(request.from)
            && path.end() == Some(request.to)
            && path.agent == request.agent
            && !request.is_weighted()
            && path.n_leaving == 0;
        if is_same && let Some(repaired) = self.repair_path(obstacles, request, path, broken) {
            return Ok(Outcome::Found(RepairedPlanarPath {
                broken_by,
                ..repaired
            }));
        }
        let fresh = self.find(obstacles, request)?;
        Ok(fresh.map(|path| RepairedPlanarPath {
            path,
            n_reused: 0,
            broken_by,
        }))
    }

    fn repair_path(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        path: &PlanarPath,
        broken: Option<(usize, Location, ObstacleId)>,
    ) -> Option<RepairedPlanarPath> {
        let points = &path.points;
        let Some((first, _, _)) = broken else {
            let mut path = path.clone();
            path.revision = obstacles.revision();
            return Some(RepairedPlanarPath {
                n_reused: path.points.len(),
                path,
                broken_by: None,
            });
        };
        let is_broken = |leg: &[_]| !obstacles.is_segment_clear(leg[0], leg[1], path.agent);
        let last = first + points[first..].windows(2).rposition(is_broken)?;
        // What stands on a turn is passed from the turn before or after.
        let is_free = |place: &usize| obstacles.is_free(points[*place], path.agent);
        let begin = (0..=first).rev().find(is_free)?;
        let end = (last + 1..points.len()).find(is_free)?;
        let gap = PlanarRequest {
            from: points[begin],
            to: points[end],
            ..request.clone()
        };
        let bridge = self.find(obstacles, &gap).ok()?.found()?;
        let mut repaired = points[..begin].to_vec();
        repaired.extend(&bridge.points);
        repaired.extend(&points[end + 1..]);
        string_pulling::pull(obstacles, path.agent, &mut repaired);
        let cost: Cost = repaired
            .windows(2)
            .map(|leg| distance(leg[0], leg[1], 1.0))
            .sum();
        let expansions = bridge.expansions;
        let method = bridge.method;
        self.recycle(bridge);
        Some(RepairedPlanarPath {
            n_reused: begin + 1 + points.len() - end,
            path: PlanarPath {
                points: repaired,
                cost,
                revision: obstacles.revision(),
                expansions,
                method,
                agent: path.agent,
                n_leaving: 0,
            },
            broken_by: None,
        })
    }
}
