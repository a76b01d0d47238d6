//! Reciprocal avoidance in space \[VanDenBerg2011\]: half-spaces of velocities, and the velocity
//! nearest to the preferred one that lies in all of them.
//!
//! The linear program is incremental (Seidel): a plane that excludes the optimum so far gets the
//! optimum on it, found on the lines where it meets the planes before. If no velocity is allowed, the
//! one that violates the planes least is found by a program of one more dimension.

use super::vector::Vec3;

/// Planes of one flyer.
pub(super) const MAX_PLANES: usize = 24;

/// Below this two directions count as parallel.
const PARALLEL: f64 = 1e-9;

/// Where more than three planes meet in a point, rounding must not make it vanish.
const ROUNDING: f64 = 1e-9;

/// A half-space of allowed velocities: where `normal` points from `point` on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    pub(super) point: Vec3,
    pub(super) normal: Vec3,
}

impl Plane {
    /// How far a velocity lies outside; at most 0 if it is allowed.
    #[inline]
    fn violation(&self, velocity: Vec3) -> f64 {
        self.normal.dot(self.point - velocity)
    }
}

/// What is sought: the velocity nearest to one, or the farthest in a direction of length 1.
#[derive(Clone, Copy)]
enum Aim {
    Nearest(Vec3),
    Farthest(Vec3),
}

/// The allowed velocity nearest to `preferred`; if there is none, that which violates the planes
/// least. Never longer than `max_speed`.
pub(super) fn solve(planes: &[Plane], preferred: Vec3, max_speed: f64) -> Vec3 {
    match in_space(planes, max_speed, Aim::Nearest(preferred)) {
        Ok(velocity) => velocity,
        Err((failed, velocity)) => least_violation(planes, failed, max_speed, velocity),
    }
}

fn least_violation(planes: &[Plane], failed: usize, max_speed: f64, velocity: Vec3) -> Vec3 {
    let (mut velocity, mut violation) = (velocity, 0.0);
    let mut projected = [Plane::default(); MAX_PLANES];
    for (index, plane) in planes.iter().enumerate().skip(failed) {
        if plane.violation(velocity) <= violation {
            continue;
        }
        let mut n = 0;
        for other in &planes[..index] {
            if let Some(between) = bisector(plane, other) {
                projected[n] = between;
                n += 1;
            }
        }
        if let Ok(better) = in_space(&projected[..n], max_speed, Aim::Farthest(plane.normal)) {
            velocity = better;
        }
        violation = plane.violation(velocity);
    }
    velocity
}

/// The plane on which two planes are violated alike; `None` if they agree.
fn bisector(plane: &Plane, other: &Plane) -> Option<Plane> {
    let cross = other.normal.cross(plane.normal);
    let point = if cross.length_squared() <= PARALLEL {
        if plane.normal.dot(other.normal) > 0.0 {
            return None;
        }
        (plane.point + other.point) * 0.5
    } else {
        plane.point + on_both(plane, other, cross)
    };
    let normal = (other.normal - plane.normal).normalized()?;
    Some(Plane { point, normal })
}

/// From the point of a plane, within it, to the line where it meets another.
fn on_both(plane: &Plane, other: &Plane, cross: Vec3) -> Vec3 {
    let within = cross.cross(plane.normal);
    let distance = (other.point - plane.point).dot(other.normal);
    within * (distance / within.dot(other.normal))
}

/// The optimum in the ball and all half-spaces; else the first plane that leaves none, and the
/// optimum before it.
fn in_space(planes: &[Plane], max_speed: f64, aim: Aim) -> Result<Vec3, (usize, Vec3)> {
    let mut velocity = match aim {
        Aim::Nearest(preferred) => preferred.clamped(max_speed),
        Aim::Farthest(direction) => direction * max_speed,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.violation(velocity) > 0.0 {
            velocity =
                on_plane(&planes[..index], plane, max_speed, aim).ok_or((index, velocity))?;
        }
    }
    Ok(velocity)
}

/// The optimum on a plane in the ball and the half-spaces before it.
fn on_plane(before: &[Plane], plane: &Plane, max_speed: f64, aim: Aim) -> Option<Vec3> {
    let distance = plane.point.dot(plane.normal);
    let squared = max_speed * max_speed - distance * distance;
    if squared < 0.0 {
        return None;
    }
    let center = plane.normal * distance;
    let to_border = |within: Vec3| {
        let length_squared = within.length_squared();
        match length_squared > PARALLEL * PARALLEL {
            true => center + within * (squared / length_squared).sqrt(),
            false => center,
        }
    };
    let mut velocity = match aim {
        Aim::Farthest(direction) => {
            to_border(direction - plane.normal * direction.dot(plane.normal))
        }
        Aim::Nearest(preferred) => {
            let foot = preferred + plane.normal * plane.violation(preferred);
            match foot.length_squared() > max_speed * max_speed {
                true => to_border(foot - center),
                false => foot,
            }
        }
    };
    for (index, other) in before.iter().enumerate() {
        if other.violation(velocity) > 0.0 {
            let cross = other.normal.cross(plane.normal);
            if cross.length_squared() <= PARALLEL {
                return None;
            }
            let line = Ray {
                point: plane.point + on_both(plane, other, cross),
                direction: cross.normalized()?,
            };
            velocity = on_line(&before[..index], &line, max_speed, aim)?;
        }
    }
    Some(velocity)
}

/// A line where two planes meet.
struct Ray {
    point: Vec3,
    direction: Vec3,
}

/// The optimum on a line in the ball and all half-spaces.
fn on_line(planes: &[Plane], line: &Ray, max_speed: f64, aim: Aim) -> Option<Vec3> {
    let dot = line.point.dot(line.direction);
    let squared = dot * dot + max_speed * max_speed - line.point.length_squared();
    if squared < 0.0 {
        return None;
    }
    let half = squared.sqrt();
    let (mut low, mut high) = (-dot - half, -dot + half);
    for plane in planes {
        let ahead = line.direction.dot(plane.normal);
        let outside = plane.violation(line.point);
        if ahead * ahead <= PARALLEL {
            if outside > ROUNDING {
                return None;
            }
            continue;
        }
        if ahead > 0.0 {
            low = low.max(outside / ahead);
        } else {
            high = high.min(outside / ahead);
        }
        if low > high + ROUNDING {
            return None;
        }
    }
    let low = low.min(high);
    let along = match aim {
        Aim::Farthest(direction) if direction.dot(line.direction) > 0.0 => high,
        Aim::Farthest(_) => low,
        Aim::Nearest(preferred) => line.direction.dot(preferred - line.point).clamp(low, high),
    };
    Some(line.point + line.direction * along)
}

/// One flyer as another sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingBall {
    pub(super) position: Vec3,
    pub(super) velocity: Vec3,
    pub(super) radius: f64,
}

/// The half-space that keeps `agent` off `other` for `horizon` seconds if it takes `share` of the
/// change of velocity; `step` is the time in which an overlap is undone.
pub(super) fn plane_between(
    agent: &MovingBall,
    other: &MovingBall,
    share: f64,
    (horizon, step): (f64, f64),
) -> Plane {
    let offset = other.position - agent.position;
    let relative = agent.velocity - other.velocity;
    let reach = agent.radius + other.radius;
    let squared = offset.length_squared();
    let (normal, change) = if squared > reach * reach {
        let from_cutoff = relative - offset * (1.0 / horizon);
        let dot = from_cutoff.dot(offset);
        if dot < 0.0 && dot * dot > reach * reach * from_cutoff.length_squared() {
            away(from_cutoff, reach / horizon, offset)
        } else {
            from_cone(offset, relative, (squared, reach))
        }
    } else {
        away(relative - offset * (1.0 / step), reach / step, offset)
    };
    Plane {
        point: agent.velocity + change * share,
        normal,
    }
}

/// Out of a ball of velocities around a center.
fn away(from_center: Vec3, radius: f64, offset: Vec3) -> (Vec3, Vec3) {
    let length = from_center.length();
    let out = if length > 0.0 {
        from_center * (1.0 / length)
    } else {
        -offset.normalized().unwrap_or(Vec3::new(1.0, 0.0, 0.0))
    };
    (out, out * (radius - length))
}

/// Out of the cone of the velocity obstacle: of the balls that fill it, the one whose border is
/// nearest.
fn from_cone(offset: Vec3, relative: Vec3, (squared, reach): (f64, f64)) -> (Vec3, Vec3) {
    let along = offset.dot(relative);
    let across = offset.cross(relative).length_squared();
    let rest = relative.length_squared() - across / (squared - reach * reach);
    let root = (along * along - squared * rest).max(0.0).sqrt();
    let time = (along + root) / squared;
    away(relative - offset * time, reach * time, offset)
}

#[cfg(test)]
mod tests;
