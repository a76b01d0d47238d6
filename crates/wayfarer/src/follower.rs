//! [`Follower`]: where to steer along a path.

use crate::path::{Path, Traversal, Waypoint};
use crate::units::Position;

/// Follows a path: from the agent's position it gives the point to steer to.
///
/// A waypoint counts as reached once the agent comes within the arrival distance of it, or of the
/// line after it; waypoints are reached in order. The start of a link must be reached itself.
///
/// ```
/// use wayfarer::{Follower, PathRequest, Position, Scale, Searcher, World};
///
/// let map = b"type octile\nheight 2\nwidth 5\nmap\n..T..\n.....\n";
/// let world = World::import("lane.map", map, Scale::UNIT)?;
/// let (from, to) = (Position::new(0.5, 0.5, 0.0), Position::new(4.5, 0.5, 0.0));
/// let path = world.find_path(&mut Searcher::default(), &PathRequest::new(from, to))?;
/// let mut follower = Follower::new(path, 0.1);
/// let step = follower.advance(from).unwrap();
/// assert_eq!(step.target, Position::new(1.5, 1.5, 0.0));
/// assert!(follower.advance(to).is_some_and(|step| !step.has_arrived)); // not by the path
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Follower {
    path: Path,
    arrival: f64,
    /// The waypoint to steer to.
    pub(crate) next: usize,
    /// The cell of the path nearest to the agent so far.
    pub(crate) cell: usize,
    /// The length from each waypoint to the end.
    left: Vec<f64>,
    /// The waypoints where a link, a take-off or a landing begins.
    links: Vec<usize>,
}

/// What an agent does next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PathStep {
    /// Where to steer to, in a straight line.
    pub target: Position,
    /// How to get there.
    pub traversal: Traversal,
    /// The length from the agent to the end of the path.
    pub distance_left: f64,
    /// The next link, door, take-off or landing from `target` on.
    pub link: Option<LinkAhead>,
    /// True if the agent is within the arrival distance of the end.
    pub has_arrived: bool,
}

/// A stretch of a path ahead that is not a straight line on the ground or in the air.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkAhead {
    /// Where it begins.
    pub position: Position,
    /// The length from the agent to there.
    pub distance: f64,
    /// What it is.
    pub traversal: Traversal,
}

/// Cells ahead among which the nearest to the agent is looked for.
const LOOKAHEAD: usize = 32;

impl Follower {
    /// A follower at the start of a path. `arrival`, in units, says how near a waypoint is reached; a
    /// number that is negative or not finite counts as 0.
    pub fn new(path: Path, arrival: f64) -> Self {
        let waypoints = path.traversal();
        let mut left = vec![0.0; waypoints.len()];
        for index in (1..waypoints.len()).rev() {
            let (a, b) = (waypoints[index - 1].position, waypoints[index].position);
            left[index - 1] = left[index] + distance(a, b);
        }
        let arrival = if arrival.is_finite() { arrival } else { 0.0 };
        let begins_link = |index: &usize| !is_line(waypoints[*index].next);
        let links = (0..waypoints.len().saturating_sub(1)).filter(begins_link);
        Self {
            links: links.collect(),
            path,
            arrival: arrival.max(0.0),
            next: 0,
            cell: 0,
            left,
        }
    }

    /// A follower that has come as far as another, which was saved.
    pub(crate) fn at(path: Path, arrival: f64, (next, cell): (usize, usize)) -> Self {
        let new = Self::new(path, arrival);
        let last = |n: usize| n.saturating_sub(1);
        Self {
            next: next.min(last(new.path.traversal().len())),
            cell: cell.min(last(new.path.n_cells())),
            ..new
        }
    }

    /// The path.
    pub const fn path(&self) -> &Path {
        &self.path
    }

    /// What the agent does next, now that it is at `position`; `None` if the path is empty or the
    /// position is not a number.
    pub fn advance(&mut self, position: Position) -> Option<PathStep> {
        if !position.is_finite() {
            return None;
        }
        let waypoints = self.path.traversal();
        let last = waypoints.len().checked_sub(1)?;
        while self.next < last && self.is_reached(position, self.next) {
            self.next += 1;
        }
        let ahead = self.cell..self.path.n_cells().min(self.cell + LOOKAHEAD);
        let ahead = ahead.filter_map(|index| Some((index, self.path.cell(index)?)));
        let distances = ahead.map(|(index, at)| (index, distance(at, position)));
        let nearest = distances.reduce(|best, next| if next.1 <= best.1 { next } else { best });
        self.cell = nearest.map_or(self.cell, |(index, _)| index);

        let target = waypoints[self.next].position;
        let to_target = distance(position, target);
        let ahead = self.links.partition_point(|index| *index < self.next);
        let link = self.links.get(ahead).map(|&index| LinkAhead {
            position: waypoints[index].position,
            distance: to_target + self.left[self.next] - self.left[index],
            traversal: waypoints[index].next,
        });
        Some(PathStep {
            target,
            traversal: match self.next.checked_sub(1) {
                Some(before) => waypoints[before].next,
                None => Traversal::Walk,
            },
            distance_left: to_target + self.left[self.next],
            link,
            has_arrived: self.next == last && to_target <= self.arrival,
        })
    }

    /// The waypoints from the one that the agent left last.
    pub(crate) fn waypoints_ahead(&self) -> &[Waypoint] {
        &self.path.traversal()[self.next.saturating_sub(1)..]
    }

    fn is_reached(&self, position: Position, index: usize) -> bool {
        let waypoints = self.path.traversal();
        let (at, after) = (waypoints[index], waypoints[index + 1]);
        distance(position, at.position) <= self.arrival
            || is_line(at.next)
                && distance_to_line(position, at.position, after.position) <= self.arrival
    }
}

/// True for what an agent walks or flies in a straight line.
const fn is_line(traversal: Traversal) -> bool {
    matches!(traversal, Traversal::Walk | Traversal::Fly)
}

fn distance(a: Position, b: Position) -> f64 {
    let (a, b) = (a.units(), b.units());
    let square = |axis: usize| (b[axis] - a[axis]) * (b[axis] - a[axis]);
    (square(0) + square(1) + square(2)).sqrt()
}

/// The distance to a line, its end included; infinite for a point before it.
fn distance_to_line(at: Position, from: Position, to: Position) -> f64 {
    let (p, a, b) = (at.units(), from.units(), to.units());
    let along: f64 = (0..3).map(|i| (p[i] - a[i]) * (b[i] - a[i])).sum();
    let length: f64 = (0..3).map(|i| (b[i] - a[i]) * (b[i] - a[i])).sum();
    if along <= 0.0 {
        return f64::INFINITY;
    }
    let share = (along / length).min(1.0);
    let off = |i: usize| p[i] - a[i] - share * (b[i] - a[i]);
    (0..3).map(|i| off(i) * off(i)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests;
