//! [`Follower`]: where to steer along a path.

use wayfarer_engine::search::ground::{Leg, LegKind};

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
    /// The cells of a ground path where a nav link ends.
    link_ends: Vec<usize>,
    /// What is ahead from `next` on: most ticks of an agent look at nothing else. `None` if the path is
    /// empty.
    ahead: Option<Ahead>,
}

/// The waypoint that an agent steers to, with what a step needs to know of the others.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ahead {
    target: Waypoint,
    /// The waypoint after it.
    after: Option<Position>,
    /// How the agent gets to the target.
    traversal: Traversal,
    /// The length from the target to the end.
    left: f64,
    /// The next link, and the length from it to the end.
    link: Option<(Waypoint, f64)>,
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
        Self::at(path, arrival, (0, 0))
    }

    /// A follower that has come to a waypoint and a cell.
    pub(crate) fn at(path: Path, arrival: f64, (next, cell): (usize, usize)) -> Self {
        let waypoints = path.traversal();
        let begins_link = |index: &usize| !is_line(waypoints[*index].next);
        let links = (0..waypoints.len().saturating_sub(1)).filter(begins_link);
        let arrival = if arrival.is_finite() { arrival } else { 0.0 };
        let last = |n: usize| n.saturating_sub(1);
        let mut new = Self {
            left: lengths_left(waypoints),
            links: links.collect(),
            link_ends: link_ends(&path),
            arrival: arrival.max(0.0),
            next: next.min(last(waypoints.len())),
            cell: if cell == 0 {
                0
            } else {
                cell.min(last(path.n_cells()))
            },
            ahead: None,
            path,
        };
        new.ahead = new.look_ahead();
        new
    }

    /// The path.
    pub const fn path(&self) -> &Path {
        &self.path
    }

    /// What the agent does next, now that it is at `position`; `None` if the path is empty or the
    /// position is not a number.
    pub fn advance(&mut self, position: Position) -> Option<PathStep> {
        let mut ahead = self.ahead.filter(|_| position.is_finite())?;
        while let Some(after) = ahead.after
            && self.is_reached(position, ahead.target, after)
        {
            self.next += 1;
            self.ahead = self.look_ahead();
            ahead = self.ahead?;
        }
        let target = ahead.target.position;
        let to_target = distance(position, target);
        Some(PathStep {
            target,
            traversal: ahead.traversal,
            distance_left: to_target + ahead.left,
            link: ahead.link.map(|(begin, left)| LinkAhead {
                position: begin.position,
                distance: to_target + ahead.left - left,
                traversal: begin.next,
            }),
            has_arrived: ahead.after.is_none() && to_target <= self.arrival,
        })
    }

    /// [`Follower::advance`], which also moves on to the nearest of the cells ahead.
    pub(crate) fn advance_with_cell(&mut self, position: Position) -> Option<PathStep> {
        let step = self.advance(position)?;
        self.cell = self.nearest_cell(position);
        Some(step)
    }

    /// The cell nearest to a position, of equals the last, among those shortly ahead.
    fn nearest_cell(&self, position: Position) -> usize {
        let Some(walk) = self.path.engine().as_ground_path() else {
            let ahead = self.path.cells().iter().enumerate().skip(self.cell);
            let ahead = ahead.take(LOOKAHEAD);
            let ahead = ahead.map(|(index, at)| (index, distance(*at, position)));
            let nearest = ahead.reduce(|best, next| if next.1 <= best.1 { next } else { best });
            return nearest.map_or(self.cell, |(index, _)| index);
        };
        let frame = self.path.data().frame;
        // The cells are neighbors, except at nav links. More than a diagonal step on the plane, whatever
        // the rounding.
        let longest_step = 1.415 * frame.cell_size() + 0.001;
        let end = walk.cells.len().min(self.cell + LOOKAHEAD);
        let (mut nearest, mut least) = (self.cell, f64::INFINITY);
        let mut index = self.cell;
        while index < end {
            let at = frame.position_of(walk.cells[index].into());
            let distance = distance(at, position);
            if distance <= least {
                (nearest, least) = (index, distance);
            }
            // All cells before the next are farther.
            let on_plane = distance_on_plane(frame.to_engine(at), frame.to_engine(position));
            let n_skipped = truncated((on_plane - least) / longest_step);
            let next = index.saturating_add(1).saturating_add(n_skipped);
            let ends = &self.link_ends;
            index = match ends.get(ends.partition_point(|end| *end <= index)) {
                Some(end) => next.min(*end),
                None => next,
            };
        }
        nearest
    }

    /// What is ahead from the waypoint `next` on.
    fn look_ahead(&self) -> Option<Ahead> {
        let waypoints = self.path.traversal();
        let first_link = self.links.partition_point(|index| *index < self.next);
        let link = self.links.get(first_link);
        Some(Ahead {
            target: *waypoints.get(self.next)?,
            after: waypoints.get(self.next + 1).map(|after| after.position),
            traversal: match self.next.checked_sub(1) {
                Some(before) => waypoints[before].next,
                // Back to the start, which lies in the air before a flight or a landing.
                None => match waypoints[0].next {
                    Traversal::Fly | Traversal::Land => Traversal::Fly,
                    _ => Traversal::Walk,
                },
            },
            left: self.left[self.next],
            link: link.map(|&index| (waypoints[index], self.left[index])),
        })
    }

    /// The waypoints from the one that the agent left last.
    pub(crate) fn waypoints_ahead(&self) -> &[Waypoint] {
        &self.path.traversal()[self.next.saturating_sub(1)..]
    }

    fn is_reached(&self, position: Position, at: Waypoint, after: Position) -> bool {
        distance(position, at.position) <= self.arrival
            || is_line(at.next) && distance_to_line(position, at.position, after) <= self.arrival
    }
}

/// The length from each waypoint to the end.
fn lengths_left(waypoints: &[Waypoint]) -> Vec<f64> {
    let lengths = waypoints.windows(2);
    let lengths = lengths.map(|pair| distance(pair[0].position, pair[1].position));
    let mut left: Vec<f64> = lengths.chain(waypoints.last().map(|_| 0.0)).collect();
    let mut sum = 0.0;
    for length in left.iter_mut().rev() {
        sum += *length;
        *length = sum;
    }
    left
}

/// The cells of a ground path where a nav link ends.
fn link_ends(path: &Path) -> Vec<usize> {
    let Some(walk) = path.engine().as_ground_path() else {
        return Vec::new();
    };
    let is_link = |leg: &&Leg| matches!(leg.kind, LegKind::NavLink(_));
    let links = walk.legs.iter().filter(is_link);
    links.map(|leg| leg.end as usize).collect()
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

/// The distance on the plane of two positions with z up.
fn distance_on_plane(a: Position, b: Position) -> f64 {
    let (a, b) = (a.units(), b.units());
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    (dx * dx + dy * dy).sqrt()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float to integer cast saturates"
)]
const fn truncated(number: f64) -> usize {
    number as usize
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
