//! Ways from corner to corner: only what stands in the way is ever looked at.
//!
//! The open list holds straight paths that may be free, priced as if they were. Taking one out
//! casts a ray. If it is free its end is reached: from there one sets out for the goal, and for
//! the next corner of the same outline on either side. If something stops it, the two corners
//! that a string would touch in going round that thing are tried from the same beginning. Where a
//! way bends to the wrong side at a corner, the way past that corner is tried as well, so that
//! the string stays string-pulled.
//!
//! The estimate of the rest is weighted by how crowded the field is: the way found may be longer
//! than the shortest. That nothing is left to try does not prove that there is no way.

use wayfarer_base::{Cost, Location, Point2, SearchEvent, SearchObserver, SearchStats};
use wayfarer_world::obstacles::{DiscAgent, InflatedOutline, ObstacleSet};

use super::lookahead_heap::LookaheadHeap;
use super::table::StampedTable;
use crate::kernel::Entry;

/// Names of the two ends among corners.
const START: u32 = 0;
const GOAL: u32 = 1;
/// A cost that no way has.
const UNKNOWN: u32 = u32::MAX;

/// How a search among corners stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CornerStop {
    /// The goal was reached.
    Reached,
    /// Nothing is left to try.
    Dry,
    /// The slice is used up.
    Paused,
}

#[derive(Clone, Copy, Debug)]
struct Corner {
    at: Point2,
    /// The place of its obstacle and the number of the corner; none for the ends.
    of: Option<(u32, u32)>,
    /// The cost of the way here.
    cost: u32,
    parent: u32,
    /// The weighted estimate of the rest.
    rest: u32,
}

/// The memory of a search among corners.
#[derive(Clone, Debug)]
pub(super) struct TangentSearch {
    corners: Vec<Corner>,
    names: StampedTable,
    tangents: Vec<(u32, u32)>,
    tried: StampedTable,
    open: LookaheadHeap,
    weight: f64,
    pub(super) stats: SearchStats,
    agent: DiscAgent,
    /// The corner from where the rest looked shortest.
    nearest: u32,
}

impl Default for TangentSearch {
    fn default() -> Self {
        Self {
            corners: Vec::new(),
            names: StampedTable::default(),
            tangents: Vec::new(),
            tried: StampedTable::default(),
            open: LookaheadHeap::default(),
            weight: 1.0,
            stats: SearchStats::default(),
            agent: DiscAgent::POINT,
            nearest: START,
        }
    }
}

impl TangentSearch {
    /// Begins; the ends must be free.
    pub(super) fn begin(&mut self, from: Point2, to: Point2, agent: DiscAgent, weight: f64) {
        self.corners.clear();
        self.tangents.clear();
        self.names.clear();
        self.tried.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        self.weight = weight;
        self.agent = agent;
        self.nearest = START;
        for at in [from, to] {
            self.corners.push(Corner {
                at,
                of: None,
                cost: UNKNOWN,
                parent: START,
                rest: 0,
            });
        }
        self.corners[START as usize].cost = 0;
        self.corners[START as usize].rest = cost_between(from, to, weight);
        self.push(START, GOAL);
    }

    /// Gets rid of the last search's counts.
    pub(super) fn rest(&mut self) {
        self.stats = SearchStats::default();
        self.corners.clear();
    }

    /// The corners that were reached, with what that cost.
    pub(super) fn reached(&self) -> impl Iterator<Item = (Point2, Cost)> {
        let reached = self.corners.iter().filter(|corner| corner.cost != UNKNOWN);
        reached.map(|corner| (corner.at, Cost::from_units(corner.cost)))
    }

    /// How many corners are known, the two ends counted in; none after [`TangentSearch::rest`].
    pub(super) fn n_corners(&self) -> usize {
        self.corners.len()
    }

    /// Goes on for at most `slice` expansions.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        obstacles: &ObstacleSet,
        slice: u64,
        observer: &mut O,
    ) -> CornerStop {
        let agent = self.agent;
        for _ in 0..slice {
            let Some(entry) = self.open.pop() else {
                return CornerStop::Dry;
            };
            self.stats.expansions += 1;
            let (from, to) = self.tangents[entry.node() as usize];
            // What was reached once is not reached again: going over it anew for a way that is a
            // little shorter takes twice as long in a crowd and shortens next to nothing.
            if self.corners[to as usize].cost != UNKNOWN {
                continue;
            }
            let (begin, end) = (self.corners[from as usize].at, self.corners[to as usize].at);
            if let Some(hit) = obstacles.cast_ray(begin, end, agent) {
                let outline = obstacles.outline_at(hit.obstacle.index(), agent);
                let (left, right) = outline.tangents(begin);
                for number in [left, right] {
                    let corner = outline.corner(number);
                    if let Some(to) = self.name(obstacles, hit.obstacle.index(), number, corner) {
                        self.push(from, to);
                    }
                }
                continue;
            }
            if O::ACTIVE {
                let (at, cost) = (Location::Point(end), Cost::from_units(entry.g()));
                observer.on_event(if to == GOAL {
                    SearchEvent::Reached { at, cost }
                } else {
                    SearchEvent::Expanded { at, cost }
                });
            }
            self.reach(obstacles, from, to, entry.g());
            if to == GOAL {
                return CornerStop::Reached;
            }
        }
        CornerStop::Paused
    }

    /// Notes that `to` was reached from `from`, and sets out from there.
    fn reach(&mut self, obstacles: &ObstacleSet, from: u32, to: u32, cost: u32) {
        let corner = &mut self.corners[to as usize];
        corner.cost = cost;
        corner.parent = from;
        let (rest, of) = (corner.rest, corner.of);
        if to == GOAL {
            return;
        }
        if rest < self.corners[self.nearest as usize].rest {
            self.nearest = to;
        }
        let Some((slot, number)) = of else {
            return;
        };
        let outline = obstacles.outline_at(slot, self.agent);
        self.set_out(to, GOAL, &outline);
        for next in [outline.before(number), outline.after(number)] {
            if let Some(next) = self.name(obstacles, slot, next, outline.corner(next)) {
                self.push(to, next);
            }
        }
    }

    /// Tries the way from a corner of `outline`; if the string would bend to the wrong side
    /// there, the way from the corner before as well.
    fn set_out(&mut self, from: u32, to: u32, outline: &InflatedOutline) {
        self.push(from, to);
        let corner = &self.corners[from as usize];
        let parent = corner.parent;
        let wide = |at: Point2| [i64::from(at.x.raw()), i64::from(at.y.raw())];
        let (before, at) = (wide(self.corners[parent as usize].at), wide(corner.at));
        let after = wide(self.corners[to as usize].at);
        let (low, high) = (wide(outline.low()), wide(outline.high()));
        let cross = |a: [i64; 2], b: [i64; 2]| a[0] * b[1] - a[1] * b[0];
        let come = [at[0] - before[0], at[1] - before[1]];
        let side = cross(
            come,
            [low[0] + high[0] - 2 * at[0], low[1] + high[1] - 2 * at[1]],
        );
        let turn = cross(come, [after[0] - at[0], after[1] - at[1]]);
        if (side > 0 && turn < 0) || (side < 0 && turn > 0) {
            self.push(parent, to);
        }
    }

    /// The number of a corner of an obstacle; none if it lies out of bounds.
    fn name(&mut self, obstacles: &ObstacleSet, slot: u32, number: u32, at: Point2) -> Option<u32> {
        if !obstacles.is_inside(at) {
            return None;
        }
        let fresh = u32::try_from(self.corners.len()).ok()?;
        let key = u64::from(slot) << 3 | u64::from(number);
        let (name, is_new) = self.names.entry(key, fresh);
        let name = *name;
        if is_new {
            let goal = self.corners[GOAL as usize].at;
            self.corners.push(Corner {
                at,
                of: Some((slot, number)),
                cost: UNKNOWN,
                parent: START,
                rest: cost_between(at, goal, self.weight),
            });
        }
        Some(name)
    }

    /// Puts a straight path on the open list, unless it was tried before.
    #[inline]
    fn push(&mut self, from: u32, to: u32) {
        let (begin, end) = (&self.corners[from as usize], &self.corners[to as usize]);
        let cost = begin
            .cost
            .saturating_add(cost_between(begin.at, end.at, 1.0))
            // What is too far for numbers is still reached.
            .min(UNKNOWN - 1);
        if end.cost != UNKNOWN {
            return;
        }
        let total = cost.saturating_add(end.rest);
        let (_, is_new) = self.tried.entry(u64::from(from) << 32 | u64::from(to), 0);
        if !is_new {
            return;
        }
        let Ok(direction) = u32::try_from(self.tangents.len()) else {
            return;
        };
        self.tangents.push((from, to));
        self.open.push(Entry::new(total, cost, direction));
        self.stats.pushes += 1;
    }

    /// The points of the way to the goal, or to the corner from where the rest looked shortest.
    pub(super) fn trace(&self, to_goal: bool, points: &mut Vec<Point2>) {
        points.clear();
        let mut at = if to_goal { GOAL } else { self.nearest };
        while at != START {
            points.push(self.corners[at as usize].at);
            at = self.corners[at as usize].parent;
        }
        points.push(self.corners[START as usize].at);
        points.reverse();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.corners.capacity() * size_of::<Corner>()
            + self.tangents.capacity() * size_of::<(u32, u32)>()
            + self.names.heap_bytes()
            + self.tried.heap_bytes()
            + self.open.heap_bytes()
    }
}

/// What the straight path between two points costs, times `weight`, rounded down.
#[inline]
fn cost_between(a: Point2, b: Point2, weight: f64) -> u32 {
    super::distance(a, b, weight).units()
}
