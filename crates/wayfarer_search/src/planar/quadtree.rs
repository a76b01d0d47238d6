//! Ways from space to space of a tree that grows with the search.
//!
//! A space is entered at a point on the edge it shares with the one before: where a string from
//! the last such point to the goal would cross it. A cheaper way into a space replaces a costlier
//! one at any time. The estimate of the rest is weighted; the way is pulled string-pulled afterwards. It
//! keeps off the rims of spaces, which outlines may reach into, but for crossing them.

use wayfarer_base::{
    Aabb2, Cost, CostMultiplier, Fixed, Location, Point2, SearchEvent, SearchObserver, SearchStats,
};
use wayfarer_world::obstacles::quadtree::{
    AdjacentQuad, ObstacleQuadtree, QuadId, QuadState, Side, SplitCriterion,
};
use wayfarer_world::obstacles::{DiscAgent, Influence, ObstacleCategories, ObstacleSet};

use super::funnel::{self, FunnelPortal};
use super::lookahead_heap::LookaheadHeap;
use super::{PlanarRequest, distance};
use crate::kernel::Entry;

/// How much the estimate of the rest counts.
const WEIGHT: f64 = 1.35;
/// The number of the goal on the open list, after all spaces.
const GOAL: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX;
/// The number of no side.
const NONE: u8 = 4;
/// The number of the side across from each.
const OPPOSITE: [u8; 4] = [2, 3, 0, 1];
/// Blocked spaces around an end that are looked through for a free one.
const MAX_AROUND: usize = 256;

/// How a search from space to space stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TreeStop {
    /// The goal was reached.
    Reached,
    /// Every space that can be reached was looked at.
    Exhausted,
    /// The slice is used up, or the tree has no room to grow.
    Paused,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    cost: u32,
    parent: u32,
    is_expanded: bool,
    /// The number of the side it is entered by, if the space before takes up all of that side.
    shut: u8,
    /// Where the space is entered.
    entry: Point2,
}

const NOWHERE: Record = Record {
    cost: UNKNOWN,
    parent: GOAL,
    is_expanded: false,
    shut: NONE,
    entry: Point2::new(Fixed::from_raw(0), Fixed::from_raw(0)),
};

/// The memory of a search from space to space.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeSearch {
    pub(super) tree: ObstacleQuadtree,
    records: Vec<Record>,
    open: LookaheadHeap,
    pub(super) stats: SearchStats,
    start: Point2,
    goal: Point2,
    /// Spaces from which the goal is in sight, and the point of each that is nearest to it.
    exits: Vec<(QuadId, Point2)>,
    beside: Vec<AdjacentQuad>,
    blocked: Vec<QuadId>,
    gates: Vec<FunnelPortal>,
    around: Vec<QuadId>,
    /// What the goal was reached at, and from where.
    goal_cost: Cost,
    last: u32,
    nearest: (u32, u32),
    category_costs: Vec<(ObstacleCategories, CostMultiplier)>,
    influences: Vec<Influence>,
    weight: f64,
    /// What the way that was traced last costs at most, where ground has cost multipliers.
    pub(super) traced_cost: Cost,
}

impl TreeSearch {
    fn is_weighted(&self) -> bool {
        !self.category_costs.is_empty() || !self.influences.is_empty()
    }

    /// Begins; both ends must be free.
    pub(super) fn begin(
        &mut self,
        obstacles: &ObstacleSet,
        (start, goal): (Point2, Point2),
        request: &PlanarRequest,
        criterion: SplitCriterion,
    ) {
        let mut weighted = ObstacleCategories::NONE;
        self.category_costs.clear();
        for &(types, multiplier) in &request.category_costs {
            weighted |= types;
            self.category_costs.push((types, multiplier));
        }
        self.influences.clear();
        self.influences.extend(&request.influences);
        let agent = request.agent;
        self.tree.reset(obstacles, criterion, agent, weighted);
        self.records.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        (self.start, self.goal) = (start, goal);
        self.weight = WEIGHT;
        self.traced_cost = Cost::ZERO;
        (self.goal_cost, self.last) = (Cost::MAX, GOAL);
        self.nearest = (UNKNOWN, GOAL);
        self.ends(obstacles, goal, agent);
        self.exits.clear();
        for place in 0..self.around.len() {
            let id = self.around[place];
            self.exits
                .push((id, nearest_point(self.tree.interior(id), goal)));
        }
        self.ends(obstacles, start, agent);
        for place in 0..self.around.len() {
            let id = self.around[place];
            let entry = nearest_point(self.tree.interior(id), start);
            self.relax(
                (id.number(), NONE),
                GOAL,
                entry,
                distance(start, entry, 1.0).units(),
            );
        }
        if request.is_uniform(obstacles, start, goal) {
            self.reach_goal(GOAL, distance(start, goal, 1.0));
        }
    }

    /// Gets rid of the last search's counts and spaces.
    pub(super) fn rest(&mut self, obstacles: &ObstacleSet) {
        self.stats = SearchStats::default();
        self.records.clear();
        let criterion = self.tree.criterion();
        self.tree.reset(
            obstacles,
            criterion,
            DiscAgent::POINT,
            ObstacleCategories::NONE,
        );
    }

    /// Puts into `around` the free spaces from which `end` can be reached straight: the one it
    /// lies in, or those around the blocked ones it lies among.
    fn ends(&mut self, obstacles: &ObstacleSet, end: Point2, agent: DiscAgent) {
        self.around.clear();
        let Some(home) = self.tree.locate(obstacles, end) else {
            return;
        };
        if self.tree.state(home) == QuadState::Free {
            self.around.push(home);
            return;
        }
        // Blocked spaces, each once, from the inside out.
        self.blocked.clear();
        self.blocked.push(home);
        let mut next = 0;
        while next < self.blocked.len() && self.blocked.len() < MAX_AROUND {
            let id = self.blocked[next];
            next += 1;
            let (beside, around) = (&mut self.blocked, &mut self.around);
            for side in Side::ALL {
                self.tree
                    .for_each_edge_neighbor(obstacles, id, side, |tree, found| {
                        let list = if found.is_free {
                            &mut *around
                        } else {
                            &mut *beside
                        };
                        let found = found.id;
                        let point = nearest_point(tree.interior(found), end);
                        if !list.contains(&found) && obstacles.is_segment_clear(end, point, agent) {
                            list.push(found);
                        }
                    });
            }
        }
    }

    /// Goes on for at most `slice` expansions.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        obstacles: &ObstacleSet,
        slice: u64,
        observer: &mut O,
    ) -> TreeStop {
        for _ in 0..slice {
            if self.tree.is_full() {
                return TreeStop::Paused;
            }
            let Some(entry) = self.open.pop() else {
                return TreeStop::Exhausted;
            };
            let number = entry.node();
            if number == GOAL {
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: Location::Point(self.goal),
                        cost: Cost::from_units(entry.g()),
                    });
                }
                return TreeStop::Reached;
            }
            let record = self.records[number as usize];
            if record.is_expanded || entry.g() > record.cost {
                continue;
            }
            self.records[number as usize].is_expanded = true;
            self.stats.expansions += 1;
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: Location::Point(record.entry),
                    cost: Cost::from_units(record.cost),
                });
            }
            let rest = distance(record.entry, self.goal, 1.0).units();
            self.nearest = self.nearest.min((rest, number));
            self.expand(obstacles, number, record);
        }
        TreeStop::Paused
    }

    fn expand(&mut self, obstacles: &ObstacleSet, number: u32, record: Record) {
        let id = QuadId::from_number(number);
        let area = self.tree.area(id);
        let multiplier = self.cost_multiplier(obstacles, id);
        for place in 0..self.exits.len() {
            let (exit, point) = self.exits[place];
            if exit == id {
                let cost = distance(record.entry, point, 1.0).scaled_by(multiplier)
                    + distance(point, self.goal, 1.0);
                self.reach_goal(number, Cost::from_units(record.cost) + cost);
            }
        }
        // Whether the spaces at the ends of each side are free, for steps over corners.
        let mut ends = [[false; 2]; 4];
        let mut beside = std::mem::take(&mut self.beside);
        for (side_number, side) in Side::ALL.into_iter().enumerate() {
            if usize::from(record.shut) == side_number {
                // Nothing is there but the space before.
                ends[side_number] = [true; 2];
                continue;
            }
            beside.clear();
            self.tree
                .for_each_edge_neighbor(obstacles, id, side, |_, found| beside.push(found));
            let is_free = |found: Option<&AdjacentQuad>| found.is_some_and(|found| found.is_free);
            ends[side_number] = [is_free(beside.first()), is_free(beside.last())];
            for next in &beside {
                if next.is_free && self.may_improve(next.id, record.cost) {
                    let entry = crossing(record.entry, self.goal, area, next, side);
                    // One beside that shares all of its own edge has nothing else on that side.
                    let is_shut = self.tree.side(next.id) <= self.tree.side(id);
                    let shut = if is_shut { OPPOSITE[side_number] } else { NONE };
                    self.step(number, record, multiplier, (next.id, shut), entry);
                }
            }
        }
        self.beside = beside;
        if self.tree.criterion().diagonal {
            let [north, east, south, west] = ends;
            let corners = [
                ([false, false], north[0] && west[0], area.low.x, area.low.y),
                ([true, false], north[1] && east[0], area.high.x, area.low.y),
                ([true, true], east[1] && south[1], area.high.x, area.high.y),
                ([false, true], south[0] && west[1], area.low.x, area.high.y),
            ];
            for (which, is_open, x, y) in corners {
                if is_open
                    && let Some(next) = self.tree.corner_neighbor(obstacles, id, which)
                    && self.tree.state(next) == QuadState::Free
                {
                    self.step(number, record, multiplier, (next, NONE), Point2::new(x, y));
                }
            }
        }
    }

    /// False if a space was reached at no more than `g`, so that no way on from there is
    /// shorter.
    #[inline]
    fn may_improve(&self, id: QuadId, cost: u32) -> bool {
        let record = self.records.get(id.index());
        record.is_none_or(|record| !record.is_expanded && record.cost > cost)
    }

    #[inline]
    fn step(
        &mut self,
        number: u32,
        record: Record,
        multiplier: CostMultiplier,
        (next, shut): (QuadId, u8),
        entry: Point2,
    ) {
        let cost = distance(record.entry, entry, 1.0).scaled_by(multiplier)
            + Cost::from_units(record.cost);
        self.relax((next.number(), shut), number, entry, cost.units());
    }

    /// Notes a way into a space if it is the cheapest so far.
    #[inline]
    fn relax(&mut self, (number, shut): (u32, u8), parent: u32, entry: Point2, cost: u32) {
        let place = number as usize;
        if place >= self.records.len() {
            self.records.resize(place.max(self.tree.len()) + 1, NOWHERE);
        }
        // What is too far for numbers is still reached.
        let cost = cost.min(UNKNOWN - 1);
        let record = &mut self.records[place];
        if cost < record.cost && !record.is_expanded {
            *record = Record {
                cost,
                parent,
                entry,
                shut,
                is_expanded: false,
            };
            let rest = distance(entry, self.goal, self.weight).units();
            self.open
                .push(Entry::new(cost.saturating_add(rest), cost, number));
            self.stats.pushes += 1;
        }
    }

    fn reach_goal(&mut self, from: u32, cost: Cost) {
        let cost = cost.min(Cost::from_units(UNKNOWN - 1));
        if cost >= self.goal_cost {
            return;
        }
        (self.goal_cost, self.last) = (cost, from);
        self.open.push(Entry::new(cost.units(), cost.units(), GOAL));
        self.stats.pushes += 1;
    }

    /// What walking through a space costs.
    fn cost_multiplier(&self, obstacles: &ObstacleSet, id: QuadId) -> CostMultiplier {
        let types = self.tree.types(id);
        let met = self
            .category_costs
            .iter()
            .filter(|(mask, _)| mask.intersects(types));
        let multiplier = met.fold(CostMultiplier::ONE, |sum, (_, multiplier)| {
            sum.stacked_with(*multiplier)
        });
        if self.influences.is_empty() {
            return multiplier;
        }
        let center = self.tree.middle(id);
        let strength = self.influences.iter().fold(0_u32, |sum, influence| {
            sum.saturating_add(obstacles.influence_at(center, *influence))
        });
        let sixteenths = strength.saturating_add(CostMultiplier::ONE.sixteenths().into());
        let sixteenths = u16::try_from(sixteenths).unwrap_or(u16::MAX);
        multiplier.stacked_with(
            CostMultiplier::from_sixteenths(sixteenths).unwrap_or(CostMultiplier::ONE),
        )
    }

    /// What it cost to come to a space that was walked through.
    pub(super) fn cost_to(&self, id: QuadId) -> Option<Cost> {
        let record = self.records.get(id.index())?;
        record.is_expanded.then(|| Cost::from_units(record.cost))
    }

    /// Where the spaces that were walked through were entered, those nearest to the goal first.
    pub(super) fn frontier(&self, most: usize) -> Vec<Point2> {
        let walked = self.records.iter().filter(|record| record.is_expanded);
        let mut frontier: Vec<_> = walked
            .map(|record| {
                let rest = distance(record.entry, self.goal, 1.0).units();
                (rest, record.entry.y, record.entry.x)
            })
            .collect();
        frontier.sort_unstable();
        frontier.dedup();
        let nearest = frontier.iter().take(most);
        nearest.map(|&(_, y, x)| Point2::new(x, y)).collect()
    }

    /// The points of the way to the goal, or to the entry from where the rest looked shortest.
    ///
    /// Without cost multipliers the way is the shortest through the same spaces; with them it keeps to the
    /// entries that were reckoned with.
    pub(super) fn trace(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        to_goal: bool,
        points: &mut Vec<Point2>,
    ) {
        let last = if to_goal { self.last } else { self.nearest.1 };
        let exit = self.exits.iter().find(|(id, _)| id.number() == last);
        let (exit, end) = match exit {
            Some((_, point)) if to_goal => (Some(*point), self.goal),
            _ if to_goal => (None, self.goal),
            _ => {
                let record = self.records.get(last as usize);
                let reached = record.map(|record| {
                    let id = QuadId::from_number(last);
                    nearest_point(self.tree.interior(id), record.entry)
                });
                (None, reached.unwrap_or(self.start))
            }
        };
        let mut gates = std::mem::take(&mut self.gates);
        gates.clear();
        gates.extend(exit.map(FunnelPortal::point));
        let is_weighted = self.is_weighted();
        let (mut number, mut multiplier) = (last, CostMultiplier::ONE);
        // From the end backwards: where the part that is reckoned up begins.
        let mut begin = exit.unwrap_or(end);
        let mut cost = outside(obstacles, request, begin, end);
        while let Some(&record) = self.records.get(number as usize) {
            if is_weighted {
                multiplier = self.cost_multiplier(obstacles, QuadId::from_number(number));
            }
            if self.records.get(record.parent as usize).is_none() {
                gates.push(FunnelPortal::point(record.entry));
                cost += distance(record.entry, begin, 1.0).scaled_by(multiplier);
                begin = record.entry;
            } else {
                // From inside to inside, straight across the two rims.
                let [a, b] = [record.parent, number].map(QuadId::from_number);
                let (from, to) = (self.tree.interior(a), self.tree.interior(b));
                if is_weighted {
                    let [out, into] = [from, to].map(|area| nearest_point(area, record.entry));
                    cost += distance(into, begin, 1.0).scaled_by(multiplier);
                    cost += distance(out, into, 1.0)
                        .scaled_by(multiplier.max(self.cost_multiplier(obstacles, a)));
                    begin = out;
                    gates.extend([into, out].map(FunnelPortal::point));
                } else {
                    let [out, into] = FunnelPortal::between(from, to);
                    gates.extend([into, out]);
                }
            }
            number = record.parent;
        }
        self.traced_cost = cost + outside(obstacles, request, self.start, begin);
        gates.reverse();
        funnel::pull(self.start, end, &gates, points);
        self.gates = gates;
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.tree.heap_bytes()
            + self.records.capacity() * size_of::<Record>()
            + self.open.heap_bytes()
    }
}

/// What a straight path costs at most that lies in no space that is free.
fn outside(obstacles: &ObstacleSet, request: &PlanarRequest, from: Point2, to: Point2) -> Cost {
    let length = distance(from, to, 1.0);
    if from == to || !request.is_weighted() || request.is_uniform(obstacles, from, to) {
        return length;
    }
    length.scaled_by(request.dearest())
}

fn nearest_point(area: Aabb2, at: Point2) -> Point2 {
    Point2::new(
        at.x.clamp(area.low.x, area.high.x),
        at.y.clamp(area.low.y, area.high.y),
    )
}

/// Where on the edge between two spaces a string from `from` to `goal` would cross it.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "between two coordinates; the cast saturates"
)]
fn crossing(from: Point2, goal: Point2, area: Aabb2, other: &AdjacentQuad, side: Side) -> Point2 {
    let is_flat = matches!(side, Side::North | Side::South);
    let line = match side {
        Side::North => area.low.y,
        Side::South => area.high.y,
        Side::West => area.low.x,
        Side::East => area.high.x,
    };
    let split = |at: Point2| if is_flat { (at.y, at.x) } else { (at.x, at.y) };
    let ((from_across, from_along), (goal_across, goal_along)) = (split(from), split(goal));
    let gap = |across: Fixed| (f64::from(across.raw()) - f64::from(line.raw())).abs();
    let (near, far) = (gap(from_across), gap(goal_across));
    // A goal on the same side is mirrored at the line; one on it is made for.
    let share = near / (near + far).max(1.0);
    let (from_along, goal_along) = (f64::from(from_along.raw()), f64::from(goal_along.raw()));
    let along = (from_along + (goal_along - from_along) * share) as i32;
    let along = Fixed::from_raw(along).clamp(other.low, other.high.max(other.low));
    if is_flat {
        Point2::new(along, line)
    } else {
        Point2::new(line, along)
    }
}
