//! A* over a lazily built tangent graph of inflated outlines (configuration space); the closest
//! published relative is that of \[Hechenberger2020\].
//!
//! Vertices are the start, the goal and corners of outlines; an edge is a straight segment. The
//! open list holds edges that no ray has tested yet, with f as if they were free. Popping an edge
//! casts a ray. A free edge closes its end vertex, which generates the edge to the goal and the
//! edges to both adjacent corners of its outline. A blocked edge is replaced by edges from the
//! same vertex to the two tangent corners of the first obstacle hit. If the path bends away from
//! the outline at a vertex, the edge that skips this vertex is generated as well, so that paths
//! stay string-pulled. At a corner of a long outline, a ray along the incoming direction finds the
//! outline that the path would meet if it did not turn yet; the edges to its tangent corners are
//! generated as well: behind a long wall the shortest path rarely turns straight to the goal.
//!
//! A vertex is closed once, at the first path found, and the heuristic is weighted: a path may be
//! longer than the shortest. An empty open list does not prove that the goal is unreachable.
//! At most 8 vertices per blocking obstacle plus 2; no allocation once warm. Design page:
//! `docs/design/tangent-graph.md`.

use wayfarer_base::{
    Cost, Fixed, Location, Point2, SearchEvent, SearchObserver, SearchStats, math,
};
use wayfarer_world::obstacles::{DiscAgent, InflatedOutline, ObstacleSet};

use super::lookahead_heap::LookaheadHeap;
use crate::kernel::{Entry, StampedTable};

/// Vertices of the two ends.
const START: u32 = 0;
const GOAL: u32 = 1;
/// The g of a vertex that is not closed.
const UNKNOWN: u32 = u32::MAX;
/// An outline is long if its longer side is at least the distance between the ends divided by this:
/// detours around shorter ones are short themselves.
const LONG_SHARE: f64 = 32.0;

/// Why [`TangentSearch::advance`] returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TangentStop {
    /// The goal is closed.
    Reached,
    /// The open list is empty.
    Exhausted,
    /// The slice is used up.
    Paused,
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    at: Point2,
    /// Slot of the obstacle and number of the corner; none for the two ends.
    corner: Option<(u32, u32)>,
    g: u32,
    parent: u32,
    /// Weighted Euclidean distance to the goal.
    h: u32,
}

/// Scratch and state of one search over the tangent graph.
#[derive(Clone, Debug)]
pub(super) struct TangentSearch {
    vertices: Vec<Vertex>,
    /// From slot and corner number to the vertex.
    vertex_ids: StampedTable,
    /// Generated edges, from vertex to vertex; an open list entry is an index into this list.
    edges: Vec<(u32, u32)>,
    generated: StampedTable,
    open: LookaheadHeap,
    weight: f64,
    pub(super) stats: SearchStats,
    agent: DiscAgent,
    /// The least longer side of a long outline, in raw units.
    long_side: f64,
    /// The closed vertex of lowest h.
    nearest: u32,
}

impl Default for TangentSearch {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            vertex_ids: StampedTable::default(),
            edges: Vec::new(),
            generated: StampedTable::default(),
            open: LookaheadHeap::default(),
            weight: 1.0,
            stats: SearchStats::default(),
            agent: DiscAgent::POINT,
            long_side: 0.0,
            nearest: START,
        }
    }
}

impl TangentSearch {
    /// Starts a search; both ends must be free.
    pub(super) fn begin(&mut self, from: Point2, to: Point2, agent: DiscAgent, weight: f64) {
        self.vertices.clear();
        self.edges.clear();
        self.vertex_ids.clear();
        self.generated.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        self.weight = weight;
        self.agent = agent;
        self.long_side = raw_length(from, to) / LONG_SHARE;
        self.nearest = START;
        for at in [from, to] {
            self.vertices.push(Vertex {
                at,
                corner: None,
                g: UNKNOWN,
                parent: START,
                h: 0,
            });
        }
        self.vertices[START as usize].g = 0;
        self.vertices[START as usize].h = segment_cost(from, to, weight);
        self.generate(START, GOAL);
    }

    /// Drops the statistics and vertices of the last search.
    pub(super) fn reset(&mut self) {
        self.stats = SearchStats::default();
        self.vertices.clear();
    }

    /// The closed vertices with their g.
    pub(super) fn closed(&self) -> impl Iterator<Item = (Point2, Cost)> {
        let closed = self.vertices.iter().filter(|vertex| vertex.g != UNKNOWN);
        closed.map(|vertex| (vertex.at, Cost::from_units(vertex.g)))
    }

    /// Number of generated vertices, both ends included; 0 after [`TangentSearch::reset`].
    pub(super) fn n_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Pops at most `slice` edges.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        obstacles: &ObstacleSet,
        slice: u64,
        observer: &mut O,
    ) -> TangentStop {
        let agent = self.agent;
        for _ in 0..slice {
            let Some(entry) = self.open.pop() else {
                return TangentStop::Exhausted;
            };
            self.stats.expansions += 1;
            let (from, to) = self.edges[entry.node() as usize];
            // No reopening: closing a vertex again for a slightly lower g doubles the time in a
            // crowd and shortens paths by next to nothing.
            if self.vertices[to as usize].g != UNKNOWN {
                continue;
            }
            let (begin, end) = (
                self.vertices[from as usize].at,
                self.vertices[to as usize].at,
            );
            if let Some(hit) = obstacles.cast_ray(begin, end, agent) {
                self.generate_tangents(obstacles, from, hit.obstacle.index());
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
            self.close(obstacles, from, to, entry.g());
            if to == GOAL {
                return TangentStop::Reached;
            }
        }
        TangentStop::Paused
    }

    /// Closes `to` with parent `from` and generates its edges.
    fn close(&mut self, obstacles: &ObstacleSet, from: u32, to: u32, g: u32) {
        let vertex = &mut self.vertices[to as usize];
        vertex.g = g;
        vertex.parent = from;
        let (h, corner) = (vertex.h, vertex.corner);
        if to == GOAL {
            return;
        }
        if h < self.vertices[self.nearest as usize].h {
            self.nearest = to;
        }
        let Some((slot, number)) = corner else {
            return;
        };
        let outline = obstacles.outline_at(slot, self.agent);
        self.generate_to_goal(to, &outline);
        for next in [outline.before(number), outline.after(number)] {
            if let Some(next) = self.vertex(obstacles, slot, next, outline.corner(next)) {
                self.generate(to, next);
            }
        }
        self.generate_ahead(obstacles, to, &outline);
    }

    /// Generates the edges from a corner of a long outline to the tangents of what lies ahead in the
    /// direction in which the path arrives, as far as the goal is away.
    fn generate_ahead(&mut self, obstacles: &ObstacleSet, from: u32, outline: &InflatedOutline) {
        let side = |low: Fixed, high: Fixed| f64::from(high.raw()) - f64::from(low.raw());
        let (low, high) = (outline.low(), outline.high());
        if side(low.x, high.x).max(side(low.y, high.y)) < self.long_side {
            return;
        }
        let vertex = &self.vertices[from as usize];
        let (at, goal) = (vertex.at, self.vertices[GOAL as usize].at);
        let before = self.vertices[vertex.parent as usize].at;
        let incoming = raw_length(before, at);
        if incoming == 0.0 {
            return;
        }
        let share = raw_length(at, goal) / incoming;
        let bounds = obstacles.bounds();
        let beyond = |before: Fixed, at: Fixed, low: Fixed, high: Fixed| {
            let by = f64::from(at.raw()) - f64::from(before.raw());
            let raw = (f64::from(at.raw()) + by * share)
                .clamp(f64::from(low.raw()), f64::from(high.raw()));
            #[expect(clippy::cast_possible_truncation, reason = "clamped to the bounds")]
            Fixed::from_raw(raw as i32)
        };
        let (low, high) = (bounds.low, bounds.high);
        let ahead = Point2::new(
            beyond(before.x, at.x, low.x, high.x),
            beyond(before.y, at.y, low.y, high.y),
        );
        if let Some(hit) = obstacles.cast_ray(at, ahead, self.agent) {
            self.generate_tangents(obstacles, from, hit.obstacle.index());
        }
    }

    /// Generates the edges from a vertex to the two tangent corners of an obstacle.
    fn generate_tangents(&mut self, obstacles: &ObstacleSet, from: u32, slot: u32) {
        let outline = obstacles.outline_at(slot, self.agent);
        let (left, right) = outline.tangents(self.vertices[from as usize].at);
        for number in [left, right] {
            if let Some(to) = self.vertex(obstacles, slot, number, outline.corner(number)) {
                self.generate(from, to);
            }
        }
    }

    /// Generates the edge from a corner of `outline` to the goal. If the path would bend away from
    /// the outline at this corner, also generates the edge from the parent to the goal.
    fn generate_to_goal(&mut self, from: u32, outline: &InflatedOutline) {
        self.generate(from, GOAL);
        let vertex = &self.vertices[from as usize];
        let parent = vertex.parent;
        let wide = |at: Point2| [i64::from(at.x.raw()), i64::from(at.y.raw())];
        let (before, at) = (wide(self.vertices[parent as usize].at), wide(vertex.at));
        let after = wide(self.vertices[GOAL as usize].at);
        let (low, high) = (wide(outline.low()), wide(outline.high()));
        let cross = |a: [i64; 2], b: [i64; 2]| a[0] * b[1] - a[1] * b[0];
        let incoming = [at[0] - before[0], at[1] - before[1]];
        let side = cross(
            incoming,
            [low[0] + high[0] - 2 * at[0], low[1] + high[1] - 2 * at[1]],
        );
        let turn = cross(incoming, [after[0] - at[0], after[1] - at[1]]);
        if (side > 0 && turn < 0) || (side < 0 && turn > 0) {
            self.generate(parent, GOAL);
        }
    }

    /// The vertex of a corner of the obstacle in `slot`, created on first use; none if the corner
    /// lies out of bounds.
    fn vertex(
        &mut self,
        obstacles: &ObstacleSet,
        slot: u32,
        number: u32,
        at: Point2,
    ) -> Option<u32> {
        if !obstacles.is_inside(at) {
            return None;
        }
        let fresh = u32::try_from(self.vertices.len()).ok()?;
        let key = u64::from(slot) << 3 | u64::from(number);
        let (vertex, is_new) = self.vertex_ids.entry(key, fresh);
        let vertex = *vertex;
        if is_new {
            let goal = self.vertices[GOAL as usize].at;
            self.vertices.push(Vertex {
                at,
                corner: Some((slot, number)),
                g: UNKNOWN,
                parent: START,
                h: segment_cost(at, goal, self.weight),
            });
        }
        Some(vertex)
    }

    /// Pushes an edge to the open list unless it was generated before or its end is closed.
    #[inline]
    fn generate(&mut self, from: u32, to: u32) {
        let (begin, end) = (&self.vertices[from as usize], &self.vertices[to as usize]);
        let g = begin
            .g
            .saturating_add(segment_cost(begin.at, end.at, 1.0))
            // A saturated cost stays distinct from UNKNOWN: the vertex is still reachable.
            .min(UNKNOWN - 1);
        if end.g != UNKNOWN {
            return;
        }
        let f = g.saturating_add(end.h);
        let (_, is_new) = self
            .generated
            .entry(u64::from(from) << 32 | u64::from(to), 0);
        if !is_new {
            return;
        }
        let Ok(edge) = u32::try_from(self.edges.len()) else {
            return;
        };
        self.edges.push((from, to));
        self.open.push(Entry::new(f, g, edge));
        self.stats.pushes += 1;
    }

    /// Writes the points of the path to the goal, or to the closed vertex of lowest h.
    pub(super) fn trace(&self, to_goal: bool, points: &mut Vec<Point2>) {
        points.clear();
        let mut at = if to_goal { GOAL } else { self.nearest };
        while at != START {
            points.push(self.vertices[at as usize].at);
            at = self.vertices[at as usize].parent;
        }
        points.push(self.vertices[START as usize].at);
        points.reverse();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<Vertex>()
            + self.edges.capacity() * size_of::<(u32, u32)>()
            + self.vertex_ids.heap_bytes()
            + self.generated.heap_bytes()
            + self.open.heap_bytes()
    }
}

#[inline]
fn segment_cost(a: Point2, b: Point2, weight: f64) -> u32 {
    super::distance(a, b, weight).units()
}

/// The distance between two points, in raw units.
fn raw_length(a: Point2, b: Point2) -> f64 {
    let between = |a: Fixed, b: Fixed| f64::from(b.raw()) - f64::from(a.raw());
    math::length(between(a.x, b.x), between(a.y, b.y))
}
