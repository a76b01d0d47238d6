//! Optimal reciprocal collision avoidance \[VanDenBerg2011\]: half-planes of velocities, and the
//! velocity nearest to the preferred one that lies in all of them.
//!
//! Each neighbor gives one half-plane that keeps the pair apart for a time horizon if both take
//! their share. The linear program is incremental (Seidel), expected linear in the lines; if it is
//! infeasible, the velocity that violates the neighbors least is found by a program of one more
//! dimension, with the walls kept.

use crate::vector::Vec2;

/// Lines of one agent: walls and neighbors.
pub(crate) const MAX_LINES: usize = 32;

/// Below this two directions count as parallel.
const PARALLEL: f64 = 1e-9;

/// A half-plane of allowed velocities: left of `direction` through `point`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    pub(crate) point: Vec2,
    pub(crate) direction: Vec2,
}

impl Line {
    /// How far a velocity lies outside; at most 0 if it is allowed.
    #[inline]
    fn violation(&self, velocity: Vec2) -> f64 {
        self.direction.det(self.point - velocity)
    }
}

/// The lines of one agent: walls first, then neighbors.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    lines: [Line; MAX_LINES],
    len: usize,
    n_walls: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            lines: [Line::default(); MAX_LINES],
            len: 0,
            n_walls: 0,
        }
    }
}

impl Lines {
    pub(crate) fn clear(&mut self) {
        (self.len, self.n_walls) = (0, 0);
    }

    /// Appends a line; one beyond the limit is dropped: lines come nearest first.
    pub(crate) fn push(&mut self, line: Line) {
        if let Some(slot) = self.lines.get_mut(self.len) {
            *slot = line;
            self.len += 1;
        }
    }

    /// Appends a line that is never violated.
    pub(crate) fn push_wall(&mut self, line: Line) {
        debug_assert_eq!(self.len, self.n_walls, "walls come first");
        self.push(line);
        self.n_walls = self.len;
    }

    fn as_slice(&self) -> &[Line] {
        &self.lines[..self.len]
    }

    /// The allowed velocity nearest to `preferred`; if there is none, that which violates the
    /// neighbors least. Never longer than `max_speed`.
    pub(crate) fn solve(&self, preferred: Vec2, max_speed: f64) -> Vec2 {
        let lines = self.as_slice();
        let preferred = preferred.clamped(max_speed);
        if lines.iter().all(|line| line.violation(preferred) <= 0.0) {
            return preferred;
        }
        match nearest(lines, max_speed, preferred) {
            Ok(velocity) => velocity,
            Err((failed, velocity)) => self.least_violation(failed, max_speed, velocity),
        }
    }

    fn least_violation(&self, failed: usize, max_speed: f64, velocity: Vec2) -> Vec2 {
        let lines = self.as_slice();
        let (mut velocity, mut violation) = (velocity, 0.0);
        let mut projected = [Line::default(); MAX_LINES];
        for (index, line) in lines.iter().enumerate().skip(failed.max(self.n_walls)) {
            if line.violation(velocity) <= violation {
                continue;
            }
            projected[..self.n_walls].copy_from_slice(&lines[..self.n_walls]);
            let mut n = self.n_walls;
            for other in &lines[self.n_walls..index] {
                if let Some(between) = bisector(line, other) {
                    projected[n] = between;
                    n += 1;
                }
            }
            let inward = Vec2::new(-line.direction.y, line.direction.x);
            if let Ok(better) = farthest(&projected[..n], max_speed, inward) {
                velocity = better;
            }
            violation = line.violation(velocity);
        }
        velocity
    }
}

/// The line where two lines are violated alike; `None` if they agree.
fn bisector(line: &Line, other: &Line) -> Option<Line> {
    let det = line.direction.det(other.direction);
    let point = if det.abs() <= PARALLEL {
        if line.direction.dot(other.direction) > 0.0 {
            return None;
        }
        (line.point + other.point) * 0.5
    } else {
        let along = other.direction.det(line.point - other.point) / det;
        line.point + line.direction * along
    };
    let direction = (other.direction - line.direction).normalized()?;
    Some(Line { point, direction })
}

/// The point of the disc nearest to `preferred` in all half-planes; else the first line that
/// leaves none, and the velocity before it.
fn nearest(lines: &[Line], max_speed: f64, preferred: Vec2) -> Result<Vec2, (usize, Vec2)> {
    let mut velocity = preferred;
    for (index, line) in lines.iter().enumerate() {
        if line.violation(velocity) > 0.0 {
            let (low, high) =
                interval(&lines[..index], line, max_speed).ok_or((index, velocity))?;
            let along = line.direction.dot(preferred - line.point);
            velocity = line.point + line.direction * along.clamp(low, high);
        }
    }
    Ok(velocity)
}

/// The point of the disc farthest in a direction in all half-planes.
fn farthest(lines: &[Line], max_speed: f64, direction: Vec2) -> Result<Vec2, ()> {
    let mut velocity = direction * max_speed;
    for (index, line) in lines.iter().enumerate() {
        if line.violation(velocity) > 0.0 {
            let (low, high) = interval(&lines[..index], line, max_speed).ok_or(())?;
            let is_ahead = line.direction.dot(direction) > 0.0;
            velocity = line.point + line.direction * if is_ahead { high } else { low };
        }
    }
    Ok(velocity)
}

/// The part of a line inside the disc and all half-planes, as positions along it.
fn interval(lines: &[Line], line: &Line, max_speed: f64) -> Option<(f64, f64)> {
    let dot = line.point.dot(line.direction);
    let squared = dot * dot + max_speed * max_speed - line.point.length_squared();
    if squared < 0.0 {
        return None;
    }
    let half = squared.sqrt();
    let (mut low, mut high) = (-dot - half, -dot + half);
    for other in lines {
        let det = line.direction.det(other.direction);
        let offset = other.direction.det(line.point - other.point);
        if det.abs() <= PARALLEL {
            if offset < 0.0 {
                return None;
            }
            continue;
        }
        if det > 0.0 {
            high = high.min(offset / det);
        } else {
            low = low.max(offset / det);
        }
        if low > high {
            return None;
        }
    }
    Some((low, high))
}

/// One agent as another sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingDisc {
    pub(crate) position: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) radius: f64,
}

/// The half-plane that keeps `agent` off `other` for `horizon` seconds if it takes `share` of the
/// change of velocity; `step` is the time in which an overlap is undone.
pub(crate) fn line_between(
    agent: &MovingDisc,
    other: &MovingDisc,
    share: f64,
    (horizon, step): (f64, f64),
) -> Line {
    let offset = other.position - agent.position;
    let relative = agent.velocity - other.velocity;
    let reach = agent.radius + other.radius;
    let squared = offset.length_squared();
    let (direction, change) = if squared > reach * reach {
        let from_cutoff = relative - offset * (1.0 / horizon);
        let dot = from_cutoff.dot(offset);
        if dot < 0.0 && dot * dot > reach * reach * from_cutoff.length_squared() {
            from_circle(from_cutoff, reach / horizon, offset)
        } else {
            from_leg(offset, relative, from_cutoff, (squared, reach))
        }
    } else {
        from_circle(relative - offset * (1.0 / step), reach / step, offset)
    };
    Line {
        point: agent.velocity + change * share,
        direction,
    }
}

/// Out of the cutoff disc of the velocity obstacle.
fn from_circle(from_center: Vec2, radius: f64, offset: Vec2) -> (Vec2, Vec2) {
    let length = from_center.length();
    let out = if length > 0.0 {
        from_center * (1.0 / length)
    } else {
        -offset.normalized().unwrap_or(Vec2::new(1.0, 0.0))
    };
    (Vec2::new(out.y, -out.x), out * (radius - length))
}

/// Out of the nearer leg of the velocity obstacle.
fn from_leg(
    offset: Vec2,
    relative: Vec2,
    from_cutoff: Vec2,
    (squared, reach): (f64, f64),
) -> (Vec2, Vec2) {
    let leg = (squared - reach * reach).sqrt();
    let along = offset * leg;
    let across = Vec2::new(-offset.y, offset.x) * reach;
    let direction = if offset.det(from_cutoff) > 0.0 {
        (along + across) * (1.0 / squared)
    } else {
        -(along - across) * (1.0 / squared)
    };
    (direction, direction * relative.dot(direction) - relative)
}

#[cfg(test)]
mod tests;
