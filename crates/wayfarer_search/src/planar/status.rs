//! Validity of planar paths after edits, and their repair.

use wayfarer_base::{Cost, Fixed, Location, Outcome, PathStatus, RequestError};
use wayfarer_world::obstacles::{ObstacleId, ObstacleSet};

use super::{PlanarPath, PlanarRequest, PlanarSearcher, distance, string_pulling};

/// Validity of a path, with the obstacle that invalidates it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanarStatus {
    /// Whether every leg is still free.
    pub status: PathStatus,
    /// The obstacle that blocks the first invalid leg.
    pub invalidated_by: Option<ObstacleId>,
}

/// The result of [`PlanarSearcher::repair`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairedPlanarPath {
    /// The valid path; not necessarily the shortest.
    pub path: PlanarPath,
    /// Points kept from the previous path.
    pub n_reused: usize,
    /// The obstacle that blocks the first invalid leg of the previous path.
    pub invalidated_by: Option<ObstacleId>,
}

/// Checks `path` against the current obstacles: one ray per leg, no search.
///
/// [`PathStatus::MaybeSuboptimal`] if an obstacle of any category left the ellipse in which a
/// shorter path could lie. The number of rays grows with the path, not with the obstacles.
pub fn status(obstacles: &ObstacleSet, path: &PlanarPath) -> PlanarStatus {
    let unblocked = |status| PlanarStatus {
        status,
        invalidated_by: None,
    };
    if obstacles.revision() == path.revision {
        return unblocked(PathStatus::Valid);
    }
    if let Some((leg, at, obstacle)) = first_blocked(obstacles, path, path.n_exit_legs) {
        return PlanarStatus {
            status: PathStatus::Invalid { leg, at },
            invalidated_by: Some(obstacle),
        };
    }
    let (Some(start), Some(end)) = (path.start(), path.end()) else {
        return unblocked(PathStatus::Valid);
    };
    let length = (path.length().to_cells() + 1.0) * f64::from(Fixed::UNITS_PER_CELL);
    // A blocking obstacle may lie outside the ellipse by the agent's radius, at a corner by 1.42
    // times the radius, with respect to either focus.
    let margin = 3.0 * f64::from(path.agent.radius.raw().saturating_add(1));
    if obstacles.may_have_opened(path.revision, start, end, length + margin) {
        unblocked(PathStatus::MaybeSuboptimal)
    } else {
        unblocked(PathStatus::Valid)
    }
}

/// The first blocked leg from leg `from` on, the point of contact and the obstacle.
fn first_blocked(
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
    /// Repairs `path`, found for `request` at an earlier revision: keeps the legs before the first
    /// and after the last blocked one and searches the gap. If that fails, or the request is
    /// weighted or differs from the path's, runs a full search and reuses nothing.
    ///
    /// # Errors
    /// As [`PlanarSearcher::find`].
    pub fn repair(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        path: &PlanarPath,
    ) -> Result<Outcome<RepairedPlanarPath>, RequestError> {
        let blocked = first_blocked(obstacles, path, path.n_exit_legs);
        let broken_by = blocked.map(|(_, _, obstacle)| obstacle);
        let is_same = path.start() == Some(request.from)
            && path.end() == Some(request.to)
            && path.agent == request.agent
            && !request.is_weighted()
            && path.n_exit_legs == 0;
        if is_same && let Some(repaired) = self.repair_path(obstacles, request, path, blocked) {
            return Ok(Outcome::Found(RepairedPlanarPath {
                invalidated_by: broken_by,
                ..repaired
            }));
        }
        let fresh = self.find(obstacles, request)?;
        Ok(fresh.map(|path| RepairedPlanarPath {
            path,
            n_reused: 0,
            invalidated_by: broken_by,
        }))
    }

    fn repair_path(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        path: &PlanarPath,
        blocked: Option<(usize, Location, ObstacleId)>,
    ) -> Option<RepairedPlanarPath> {
        let points = &path.points;
        let Some((first, _, _)) = blocked else {
            let mut path = path.clone();
            path.revision = obstacles.revision();
            return Some(RepairedPlanarPath {
                n_reused: path.points.len(),
                path,
                invalidated_by: None,
            });
        };
        let is_blocked = |leg: &[_]| !obstacles.is_segment_clear(leg[0], leg[1], path.agent);
        let last = first + points[first..].windows(2).rposition(is_blocked)?;
        // A covered turn widens the gap to the next free one.
        let is_free = |index: &usize| obstacles.is_free(points[*index], path.agent);
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
                n_exit_legs: 0,
            },
            invalidated_by: None,
        })
    }
}
