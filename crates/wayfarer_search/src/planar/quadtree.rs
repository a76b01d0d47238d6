//! Weighted A* over a quadtree that is split on demand \[Guerrilla2013\].
//!
//! A node is a free quad with its entry: the point of the shared edge where the line from the
//! parent's entry to the goal crosses it. A lower g replaces entry and parent until the quad is
//! expanded. The funnel algorithm then string-pulls the path through its quads. A path stays in
//! the interiors of quads and leaves them only to cross into the next (ADR 11). Exhausting the
//! open list proves that no path exists at the resolution of the smallest quad. No allocation
//! once warm.

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

/// Heuristic weight.
const WEIGHT: f64 = 1.35;
/// The goal's node on the open list; also the parent of quads next to the start.
const GOAL: u32 = u32::MAX;
/// The g of a quad that is not generated.
const UNKNOWN: u32 = u32::MAX;
/// No side, where a side's index is stored.
const NO_SIDE: u8 = 4;
/// Index of the opposite side.
const OPPOSITE: [u8; 4] = [2, 3, 0, 1];
/// Blocked quads around an end that are scanned for a free neighbor.
const MAX_BLOCKED: usize = 256;

/// Why [`QuadtreeSearch::advance`] returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QuadtreeStop {
    /// The goal is closed.
    Reached,
    /// Every reachable quad is expanded.
    Exhausted,
    /// The slice is used up, or the tree is full.
    Paused,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    g: u32,
    parent: u32,
    is_expanded: bool,
    /// Index of the side by which it is entered if the parent is its only neighbor there.
    parent_side: u8,
    entry: Point2,
}

const UNREACHED: Record = Record {
    g: UNKNOWN,
    parent: GOAL,
    is_expanded: false,
    parent_side: NO_SIDE,
    entry: Point2::from_raw(0, 0),
};

/// Scratch and state of one quadtree search.
#[derive(Clone, Debug, Default)]
pub(super) struct QuadtreeSearch {
    pub(super) tree: ObstacleQuadtree,
    records: Vec<Record>,
    open: LookaheadHeap,
    pub(super) stats: SearchStats,
    start: Point2,
    goal: Point2,
    /// Quads with a clear segment to the goal, and the start of that segment.
    exits: Vec<(QuadId, Point2)>,
    neighbors: Vec<AdjacentQuad>,
    blocked: Vec<QuadId>,
    portals: Vec<FunnelPortal>,
    /// Free quads with a clear segment to an end.
    end_quads: Vec<QuadId>,
    goal_g: Cost,
    goal_parent: u32,
    /// Lowest unweighted heuristic of an expanded quad, and that quad.
    nearest: (u32, u32),
    category_costs: Vec<(ObstacleCategories, CostMultiplier)>,
    influences: Vec<Influence>,
    weight: f64,
    /// Upper bound on the cost of the path traced last; for weighted requests.
    pub(super) traced_cost: Cost,
}

impl QuadtreeSearch {
    fn is_weighted(&self) -> bool {
        !self.category_costs.is_empty() || !self.influences.is_empty()
    }

    /// Starts a search; both ends must be free.
    pub(super) fn begin(
        &mut self,
        obstacles: &ObstacleSet,
        (start, goal): (Point2, Point2),
        request: &PlanarRequest,
        criterion: SplitCriterion,
    ) {
        let mut weighted = ObstacleCategories::NONE;
        self.category_costs.clear();
        for &(categories, multiplier) in &request.category_costs {
            weighted |= categories;
            self.category_costs.push((categories, multiplier));
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
        (self.goal_g, self.goal_parent) = (Cost::MAX, GOAL);
        self.nearest = (UNKNOWN, GOAL);
        self.collect_end_quads(obstacles, goal, agent);
        self.exits.clear();
        for index in 0..self.end_quads.len() {
            let id = self.end_quads[index];
            self.exits
                .push((id, nearest_point(self.tree.interior(id), goal)));
        }
        self.collect_end_quads(obstacles, start, agent);
        for index in 0..self.end_quads.len() {
            let id = self.end_quads[index];
            let entry = nearest_point(self.tree.interior(id), start);
            self.relax(
                (id.number(), NO_SIDE),
                GOAL,
                entry,
                distance(start, entry, 1.0).units(),
            );
        }
        if request.is_uniform(obstacles, start, goal) {
            self.reach_goal(GOAL, distance(start, goal, 1.0));
        }
    }

    /// Drops the statistics and quads of the last search.
    pub(super) fn reset(&mut self, obstacles: &ObstacleSet) {
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

    /// Collects the free quads with a clear segment to `end`: the quad that contains it, or those
    /// around the connected blocked quads in sight of it.
    fn collect_end_quads(&mut self, obstacles: &ObstacleSet, end: Point2, agent: DiscAgent) {
        self.end_quads.clear();
        let Some(home) = self.tree.locate(obstacles, end) else {
            return;
        };
        if self.tree.state(home) == QuadState::Free {
            self.end_quads.push(home);
            return;
        }
        // Breadth-first over blocked quads.
        self.blocked.clear();
        self.blocked.push(home);
        let mut next = 0;
        while next < self.blocked.len() && self.blocked.len() < MAX_BLOCKED {
            let id = self.blocked[next];
            next += 1;
            let (blocked, free) = (&mut self.blocked, &mut self.end_quads);
            for side in Side::ALL {
                self.tree
                    .for_each_edge_neighbor(obstacles, id, side, |tree, found| {
                        let list = if found.is_free {
                            &mut *free
                        } else {
                            &mut *blocked
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

    /// Pops at most `slice` entries.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        obstacles: &ObstacleSet,
        slice: u64,
        observer: &mut O,
    ) -> QuadtreeStop {
        for _ in 0..slice {
            if self.tree.is_full() {
                return QuadtreeStop::Paused;
            }
            let Some(entry) = self.open.pop() else {
                return QuadtreeStop::Exhausted;
            };
            let number = entry.node();
            if number == GOAL {
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: Location::Point(self.goal),
                        cost: Cost::from_units(entry.g()),
                    });
                }
                return QuadtreeStop::Reached;
            }
            let record = self.records[number as usize];
            if record.is_expanded || entry.g() > record.g {
                continue;
            }
            self.records[number as usize].is_expanded = true;
            self.stats.expansions += 1;
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: Location::Point(record.entry),
                    cost: Cost::from_units(record.g),
                });
            }
            let h = distance(record.entry, self.goal, 1.0).units();
            self.nearest = self.nearest.min((h, number));
            self.expand(obstacles, number, record);
        }
        QuadtreeStop::Paused
    }

    fn expand(&mut self, obstacles: &ObstacleSet, number: u32, record: Record) {
        let id = QuadId::from_number(number);
        let area = self.tree.area(id);
        let multiplier = self.cost_multiplier(obstacles, id);
        for index in 0..self.exits.len() {
            let (exit, point) = self.exits[index];
            if exit == id {
                let cost = distance(record.entry, point, 1.0).scaled_by(multiplier)
                    + distance(point, self.goal, 1.0);
                self.reach_goal(number, Cost::from_units(record.g) + cost);
            }
        }
        // Whether the first and last neighbor on each side are free, for corner steps.
        let mut ends = [[false; 2]; 4];
        let mut neighbors = std::mem::take(&mut self.neighbors);
        for (side_index, side) in Side::ALL.into_iter().enumerate() {
            if usize::from(record.parent_side) == side_index {
                // The parent, which is free, fills this side.
                ends[side_index] = [true; 2];
                continue;
            }
            neighbors.clear();
            self.tree
                .for_each_edge_neighbor(obstacles, id, side, |_, found| neighbors.push(found));
            let is_free = |found: Option<&AdjacentQuad>| found.is_some_and(|found| found.is_free);
            ends[side_index] = [is_free(neighbors.first()), is_free(neighbors.last())];
            for next in &neighbors {
                if next.is_free && self.may_improve(next.id, record.g) {
                    let entry = crossing(record.entry, self.goal, area, next, side);
                    // A neighbor no larger than this quad has no other neighbor on that side.
                    let is_only_neighbor = self.tree.side(next.id) <= self.tree.side(id);
                    let parent_side = if is_only_neighbor {
                        OPPOSITE[side_index]
                    } else {
                        NO_SIDE
                    };
                    self.step(number, record, multiplier, (next.id, parent_side), entry);
                }
            }
        }
        self.neighbors = neighbors;
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
                    let entry = Point2::new(x, y);
                    self.step(number, record, multiplier, (next, NO_SIDE), entry);
                }
            }
        }
    }

    /// False if a parent of cost `g` cannot lower the g of a quad.
    #[inline]
    fn may_improve(&self, id: QuadId, g: u32) -> bool {
        let record = self.records.get(id.index());
        record.is_none_or(|record| !record.is_expanded && record.g > g)
    }

    #[inline]
    fn step(
        &mut self,
        number: u32,
        record: Record,
        multiplier: CostMultiplier,
        (next, parent_side): (QuadId, u8),
        entry: Point2,
    ) {
        let g =
            distance(record.entry, entry, 1.0).scaled_by(multiplier) + Cost::from_units(record.g);
        self.relax((next.number(), parent_side), number, entry, g.units());
    }

    /// Generates a quad if this lowers its g.
    #[inline]
    fn relax(&mut self, (number, parent_side): (u32, u8), parent: u32, entry: Point2, g: u32) {
        let index = number as usize;
        if index >= self.records.len() {
            let n_records = index.max(self.tree.len()) + 1;
            self.records.resize(n_records, UNREACHED);
        }
        // A saturated cost stays distinct from UNKNOWN: the quad is still reachable.
        let g = g.min(UNKNOWN - 1);
        let record = &mut self.records[index];
        if g < record.g && !record.is_expanded {
            *record = Record {
                g,
                parent,
                entry,
                parent_side,
                is_expanded: false,
            };
            let h = distance(entry, self.goal, self.weight).units();
            self.open.push(Entry::new(g.saturating_add(h), g, number));
            self.stats.pushes += 1;
        }
    }

    fn reach_goal(&mut self, from: u32, g: Cost) {
        let g = g.min(Cost::from_units(UNKNOWN - 1));
        if g >= self.goal_g {
            return;
        }
        (self.goal_g, self.goal_parent) = (g, from);
        self.open.push(Entry::new(g.units(), g.units(), GOAL));
        self.stats.pushes += 1;
    }

    /// The multiplier of a quad: category costs of its obstacles stacked, then influences at its
    /// center.
    fn cost_multiplier(&self, obstacles: &ObstacleSet, id: QuadId) -> CostMultiplier {
        let types = self.tree.categories(id);
        let costs = self.category_costs.iter();
        let costs = costs.filter(|(mask, _)| mask.intersects(types));
        let multiplier = costs.fold(CostMultiplier::ONE, |sum, (_, multiplier)| {
            sum.stacked_with(*multiplier)
        });
        if self.influences.is_empty() {
            return multiplier;
        }
        let center = self.tree.center(id);
        let strength = self.influences.iter().fold(0_u32, |sum, influence| {
            sum.saturating_add(obstacles.influence_at(center, *influence))
        });
        let sixteenths = strength.saturating_add(CostMultiplier::ONE.sixteenths().into());
        let sixteenths = u16::try_from(sixteenths).unwrap_or(u16::MAX);
        multiplier.stacked_with(
            CostMultiplier::from_sixteenths(sixteenths).unwrap_or(CostMultiplier::ONE),
        )
    }

    /// The g of an expanded quad.
    pub(super) fn cost_to(&self, id: QuadId) -> Option<Cost> {
        let record = self.records.get(id.index())?;
        record.is_expanded.then(|| Cost::from_units(record.g))
    }

    /// Entries of the expanded quads, lowest heuristic first, at most `n_max`.
    pub(super) fn frontier(&self, n_max: usize) -> Vec<Point2> {
        let expanded = self.records.iter().filter(|record| record.is_expanded);
        let mut frontier: Vec<_> = expanded
            .map(|record| {
                let h = distance(record.entry, self.goal, 1.0).units();
                (h, record.entry.y, record.entry.x)
            })
            .collect();
        frontier.sort_unstable();
        frontier.dedup();
        let nearest = frontier.iter().take(n_max);
        nearest.map(|&(_, y, x)| Point2::new(x, y)).collect()
    }

    /// Writes the points of the path to the goal, or to the expanded quad of lowest heuristic.
    ///
    /// An unweighted path is the shortest through the interiors of its quads; a weighted one
    /// passes through the entries its cost was computed for.
    pub(super) fn trace(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        to_goal: bool,
        points: &mut Vec<Point2>,
    ) {
        let last = if to_goal {
            self.goal_parent
        } else {
            self.nearest.1
        };
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
        let mut portals = std::mem::take(&mut self.portals);
        portals.clear();
        portals.extend(exit.map(FunnelPortal::point));
        let is_weighted = self.is_weighted();
        let (mut number, mut multiplier) = (last, CostMultiplier::ONE);
        // Backwards from the end: the start of the part whose cost is summed up.
        let mut begin = exit.unwrap_or(end);
        let mut cost = segment_cost_bound(obstacles, request, begin, end);
        while let Some(&record) = self.records.get(number as usize) {
            if is_weighted {
                multiplier = self.cost_multiplier(obstacles, QuadId::from_number(number));
            }
            if self.records.get(record.parent as usize).is_none() {
                portals.push(FunnelPortal::point(record.entry));
                cost += distance(record.entry, begin, 1.0).scaled_by(multiplier);
                begin = record.entry;
            } else {
                // From interior to interior, straight across the two borders.
                let [a, b] = [record.parent, number].map(QuadId::from_number);
                let (from, to) = (self.tree.interior(a), self.tree.interior(b));
                if is_weighted {
                    let [out, into] = [from, to].map(|area| nearest_point(area, record.entry));
                    cost += distance(into, begin, 1.0).scaled_by(multiplier);
                    cost += distance(out, into, 1.0)
                        .scaled_by(multiplier.max(self.cost_multiplier(obstacles, a)));
                    begin = out;
                    portals.extend([into, out].map(FunnelPortal::point));
                } else {
                    let [out, into] = FunnelPortal::between(from, to);
                    portals.extend([into, out]);
                }
            }
            number = record.parent;
        }
        self.traced_cost = cost + segment_cost_bound(obstacles, request, self.start, begin);
        portals.reverse();
        funnel::pull(self.start, end, &portals, points);
        self.portals = portals;
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.tree.heap_bytes()
            + self.records.capacity() * size_of::<Record>()
            + self.open.heap_bytes()
    }
}

/// Upper bound on the cost of a segment outside all free quads.
fn segment_cost_bound(
    obstacles: &ObstacleSet,
    request: &PlanarRequest,
    from: Point2,
    to: Point2,
) -> Cost {
    let length = distance(from, to, 1.0);
    if from == to || !request.is_weighted() || request.is_uniform(obstacles, from, to) {
        return length;
    }
    length.scaled_by(request.max_multiplier())
}

fn nearest_point(area: Aabb2, at: Point2) -> Point2 {
    Point2::new(
        at.x.clamp(area.low.x, area.high.x),
        at.y.clamp(area.low.y, area.high.y),
    )
}

/// The point of the shared edge where the line from `from` to `goal` crosses it, clamped to the
/// edge; a goal on this side of the edge's line is mirrored at it.
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
    let fraction = near / (near + far).max(1.0);
    let (from_along, goal_along) = (f64::from(from_along.raw()), f64::from(goal_along.raw()));
    let along = (from_along + (goal_along - from_along) * fraction) as i32;
    let along = Fixed::from_raw(along).clamp(other.low, other.high.max(other.low));
    if is_flat {
        Point2::new(along, line)
    } else {
        Point2::new(line, along)
    }
}
