//! Whether a path through the field still holds, what broke it, and how to mend it.

use wayfarer_base::{Cost, Fixed, Location, Outcome, PathStatus, RequestError};
use wayfarer_world::field::{ObstacleId, ObstacleSet};

use super::{FieldPath, FieldRequest, FieldSearcher, distance, shorten};

/// How a path stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldStatus {
    /// Whether it can still be walked.
    pub status: PathStatus,
    /// The entity that stands in the way of the broken leg.
    pub broken_by: Option<ObstacleId>,
}

/// A path that was mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldRepaired {
    /// The path as it is now; need not be the shortest.
    pub path: FieldPath,
    /// How many of its points were taken over from the former path.
    pub n_reused: usize,
    /// What broke the former path, the first of it.
    pub broken_by: Option<ObstacleId>,
}

/// Tells whether `path` still holds, without a search: a ray for each leg.
///
/// [`PathStatus::ShorterMayExist`] if something, of whatever type, made room where a shorter way
/// could lead. Time grows with the path, never with the field.
pub fn status(field: &ObstacleSet, path: &FieldPath) -> FieldStatus {
    let stands = |status| FieldStatus {
        status,
        broken_by: None,
    };
    if field.revision() == path.revision {
        return stands(PathStatus::Valid);
    }
    if let Some((leg, at, entity)) = first_broken(field, path, path.n_leaving) {
        return FieldStatus {
            status: PathStatus::Invalid { leg, at },
            broken_by: Some(entity),
        };
    }
    let (Some(start), Some(end)) = (path.start(), path.end()) else {
        return stands(PathStatus::Valid);
    };
    let length = (path.length().to_cells() + 1.0) * f64::from(Fixed::PARTS);
    // What stopped the agent may have stood beside the ellipse by as much as the agent is wide, and
    // at a corner by 1.42 times that, for either end.
    let wide = 3.0 * f64::from(path.agent.radius.raw().saturating_add(1));
    if field.may_have_opened(path.revision, start, end, length + wide) {
        stands(PathStatus::MaybeSuboptimal)
    } else {
        stands(PathStatus::Valid)
    }
}

/// The first broken leg from `from` on, where, and by what.
fn first_broken(
    field: &ObstacleSet,
    path: &FieldPath,
    from: usize,
) -> Option<(usize, Location, ObstacleId)> {
    let legs = path.points.windows(2).enumerate().skip(from);
    legs.into_iter().find_map(|(number, leg)| {
        let hit = field.cast_ray(leg[0], leg[1], path.agent)?;
        Some((
            number,
            Location::Point(hit.at(leg[0], leg[1])),
            hit.obstacle,
        ))
    })
}

impl FieldSearcher {
    /// Mends `path`, which was found for `request` at an earlier revision: keeps the legs before
    /// and after those that broke and searches only the gap between. Where that fails the path is
    /// found anew, with nothing reused.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
        path: &FieldPath,
    ) -> Result<Outcome<FieldRepaired>, RequestError> {
        let broken = first_broken(field, path, path.n_leaving);
        let broken_by = broken.map(|(_, _, entity)| entity);
        let is_same = path.start() == Some(request.from)
            && path.end() == Some(request.to)
            && path.agent == request.agent
            && !request.is_priced()
            && path.n_leaving == 0;
        if is_same && let Some(repaired) = self.mend(field, request, path, broken) {
            return Ok(Outcome::Found(FieldRepaired {
                broken_by,
                ..repaired
            }));
        }
        let fresh = self.find(field, request)?;
        Ok(fresh.map(|path| FieldRepaired {
            path,
            n_reused: 0,
            broken_by,
        }))
    }

    fn mend(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
        path: &FieldPath,
        broken: Option<(usize, Location, ObstacleId)>,
    ) -> Option<FieldRepaired> {
        let points = &path.points;
        let Some((first, _, _)) = broken else {
            let mut path = path.clone();
            path.revision = field.revision();
            return Some(FieldRepaired {
                n_reused: path.points.len(),
                path,
                broken_by: None,
            });
        };
        let is_broken = |leg: &[_]| !field.is_segment_clear(leg[0], leg[1], path.agent);
        let last = first + points[first..].windows(2).rposition(is_broken)?;
        // What stands on a turn is passed from the turn before or after.
        let is_free = |place: &usize| field.is_free(points[*place], path.agent);
        let begin = (0..=first).rev().find(is_free)?;
        let end = (last + 1..points.len()).find(is_free)?;
        let gap = FieldRequest {
            from: points[begin],
            to: points[end],
            ..request.clone()
        };
        let bridge = self.find(field, &gap).ok()?.found()?;
        let mut mended = points[..begin].to_vec();
        mended.extend(&bridge.points);
        mended.extend(&points[end + 1..]);
        shorten::pull(field, path.agent, &mut mended);
        let cost: Cost = mended
            .windows(2)
            .map(|leg| distance(leg[0], leg[1], 1.0))
            .sum();
        let expansions = bridge.expansions;
        let method = bridge.method;
        self.recycle(bridge);
        Some(FieldRepaired {
            n_reused: begin + 1 + points.len() - end,
            path: FieldPath {
                points: mended,
                cost,
                revision: field.revision(),
                expansions,
                method,
                agent: path.agent,
                n_leaving: 0,
            },
            broken_by: None,
        })
    }
}
