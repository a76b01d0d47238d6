//! Lanes: in a corridor with traffic in both directions agents keep to its right half.
//!
//! Avoidance alone jams in corridors of two or three bodies: both fronts meet over the whole width.
//! An agent that sees another come against it keeps right for a while, and so do those behind it, long
//! before they see the others themselves. While it does, the middle of the corridor is like a wall on its
//! left: it does not overtake into the others' half. Of two in one lane the one behind keeps a gap, as in
//! a queue: a lane that presses forward buckles, and agents left of it are between those that come.

use wayfarer_base::Direction;
use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::{Ground, NodeId};

use crate::crowd::Crowd;
use crate::member::Member;
use crate::orca::Line;
use crate::vector::Vec2;

/// Ticks for which an agent keeps right after it saw traffic against it.
pub(crate) const LANE_TICKS: u8 = 120;
/// Ticks fewer for one behind another that keeps right.
pub(crate) const LANE_STEP: u8 = 4;
/// Widest corridor with lanes, in cells.
const MAX_WIDTH: i32 = 5;
/// Distance ahead at which an agent is back in its lane, in cells.
const AHEAD: f64 = 1.0;
/// Time in which an agent may reach the border of its lane.
const LANE_SECONDS: f64 = 0.3;

/// The right half of a corridor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Lane {
    /// To the right, a vector of length 1.
    pub(crate) right: Vec2,
    /// The least coordinate along it of a body in the lane.
    pub(crate) least: f64,
}

impl Lane {
    /// The velocities that do not lead out of the lane to the left.
    pub(crate) fn line(&self, at: Vec2) -> Line {
        let room = (self.right.dot(at) - self.least).max(0.0);
        Line {
            point: self.right * (-room / LANE_SECONDS),
            direction: self.along(),
        }
    }

    /// The direction in which its agents walk, a vector of length 1.
    pub(crate) fn along(&self) -> Vec2 {
        Vec2::new(self.right.y, -self.right.x)
    }

    /// Where an agent steers that is left of the lane.
    pub(crate) fn aim(&self, at: Vec2) -> Option<Vec2> {
        let left = self.least - self.right.dot(at);
        (left > 0.0).then(|| at + self.along() * AHEAD + self.right * left)
    }
}

impl Crowd {
    /// The lane of an agent that keeps right, if it is in a corridor.
    pub(crate) fn lane_of(&self, ground: &Ground, index: usize, member: &Member) -> Option<Lane> {
        let nav_graph = NavGraph::new(ground, member.agent.profile_id).ok()?;
        let at = self.discs[index].position;
        let (to, cell) = (member.point - at, self.motions[index].cell);
        // Corridors are parallel to an axis; so is the direction in them.
        let (right, sides) = if to.x.abs() >= to.y.abs() {
            let along = Vec2::new(if to.x < 0.0 { -1.0 } else { 1.0 }, 0.0);
            (along.right(), [Direction::North, Direction::South])
        } else {
            let along = Vec2::new(0.0, if to.y < 0.0 { -1.0 } else { 1.0 });
            (along.right(), [Direction::West, Direction::East])
        };
        if to.length_squared() < 4.0 {
            return None;
        }
        let node = nav_graph.floor_at(cell.column(), cell.z)?;
        let [low, high] = sides.map(|side| n_free(nav_graph, node, side));
        let width = low + high + 1;
        if width > MAX_WIDTH {
            return None;
        }
        // Positions across the corridor, counted to the right.
        let corner = Vec2::new(f64::from(cell.x), f64::from(cell.y));
        let center = (corner + Vec2::new(0.5, 0.5)).dot(right);
        let (n_left, n_right) = if right.x + right.y > 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        let wall = center + f64::from(n_right) + 0.5;
        let middle = (center - f64::from(n_left) - 0.5 + wall) / 2.0;
        let radius = member.agent.radius;
        let least = (middle + radius).min(wall - radius);
        Some(Lane { right, least })
    }
}

/// Free columns beside a floor on one side, up to the widest corridor.
fn n_free(nav_graph: NavGraph<'_>, node: NodeId, side: Direction) -> i32 {
    let mut node = node;
    for n in 0..MAX_WIDTH {
        match nav_graph.joined_floor(node, side) {
            Some(beside) => node = beside,
            None => return n,
        }
    }
    MAX_WIDTH
}
