//! The search loop: weighted A\* \[Pohl1970\] over the jump point graph, with reopening.
//!
//! A node with a valid list is expanded by relaxing its edges. A node without one is expanded by a
//! repair of its stale list or by a new scan, which the cache keeps from the second search on. The
//! search ends when it pops a node from which the goal is visible.

use wayfarer_base::{Cost, Location as At, SearchEvent, SearchObserver};
use wayfarer_world::ground::{NodeId, ProfileGround};

use super::cost_fence::CostFence;
use super::frontier::TRANSIENT;
use super::jump_point_graph::{CachedJumpPoint, JumpPointSite, NONE, SuccessorRef};
use super::list_repair::ListRepair;
use super::query_state::SearchNode;
use super::searcher::{CachedJpsSearcher, End};
use super::successor_scan::{ALL_DIRECTIONS, ARRIVAL_ANY, ARRIVAL_STEP, ARRIVAL_TURN, JumpEdge};
use crate::ground::jps::shared::n_diagonal_steps;

/// After this many irregular nodes, and if they are more than three in four, the search falls back
/// to `jps`: nothing of them is cached, and `jps` expands them faster.
const MIN_IRREGULAR: u64 = 1 << 6;

/// Why the loop over cached lists paused.
enum Pause {
    /// The popped node has no valid list.
    NoList(u32),
    /// The path exceeds the assumed upper bound.
    AtUpperBound,
    End(End),
}

impl CachedJpsSearcher {
    /// The jump point of a slot.
    #[inline]
    pub(super) fn jump_point(&self, slot: u32) -> &CachedJumpPoint {
        match self.cache.graph.jump_points.get((slot >> 3) as usize) {
            Some(jump_point) => jump_point,
            None => &self.query.transient.at((slot >> 3) - TRANSIENT).jump_point,
        }
    }

    /// The site of a slot.
    #[inline]
    pub(super) fn site(&self, slot: u32) -> &JumpPointSite {
        match self.cache.graph.sites.get((slot >> 3) as usize) {
            Some(site) => site,
            None => &self.query.transient.at((slot >> 3) - TRANSIENT).site,
        }
    }

    /// Resets the nodes and pushes the start; false if its f exceeds 32 bits.
    pub(super) fn seed_start(&mut self, ground: ProfileGround<'_>) -> bool {
        let query = &mut self.query;
        let node = query.query.start;
        let cell = ground.cell(node);
        query.open.clear();
        query.nodes.clear();
        query.transient.clear();
        query.search = query.search.wrapping_add(1);
        if query.search == 0 {
            for jump_point in &mut self.cache.graph.jump_points {
                jump_point.search = 0;
            }
            query.search = 1;
        }
        let id = match self.cache.graph.find(node, cell.x, cell.y) {
            Some(known) => known,
            None => {
                TRANSIENT
                    | query.transient.find_or_insert(&JumpEdge {
                        node,
                        x: cell.x,
                        y: cell.y,
                        cost: 0,
                        directions: ALL_DIRECTIONS,
                        arrival: ARRIVAL_ANY,
                    })
            }
        };
        let slot = id << 3 | u32::from(ARRIVAL_ANY);
        query.nearest = (0, u32::MAX);
        query.n_irregular = 0;
        query.stats.pushes = 0;
        let is_begun = self.frontier(ground).relax(NONE, slot, 0);
        self.query.stats.pushes = 1;
        is_begun
    }

    pub(super) fn search(
        &mut self,
        ground: ProfileGround<'_>,
        expansions: u64,
        observer: &mut impl SearchObserver,
    ) -> End {
        let until = self.query.stats.expansions.saturating_add(expansions);
        if expansions < u64::MAX || is_active(observer) {
            // A restart would repeat expansions that were counted or reported.
            self.raise_upper_bound(ground, u32::MAX);
        }
        loop {
            let is_bounded = self.query.has_met_fence && self.query.upper_bound != u32::MAX;
            let pause = if expansions == u64::MAX && !is_bounded {
                self.expand_cached::<false>(ground, until, observer)
            } else {
                self.expand_cached::<true>(ground, until, observer)
            };
            match pause {
                Pause::End(end) => return end,
                Pause::AtUpperBound => {
                    let upper_bound = self.query.upper_bound;
                    let is_far_above = upper_bound / 4 > self.query.nodes[0].f;
                    let next = upper_bound.saturating_mul(2);
                    self.raise_upper_bound(ground, if is_far_above { u32::MAX } else { next });
                    self.query.stats.expansions = 0;
                    if !self.seed_start(ground) {
                        return End::GiveUp;
                    }
                }
                Pause::NoList(id) => {
                    if let Some(end) = self.expand_uncached(ground, id, observer) {
                        return end;
                    }
                }
            }
        }
    }

    fn raise_upper_bound(&mut self, ground: ProfileGround<'_>, upper_bound: u32) {
        if self.query.upper_bound < upper_bound {
            self.set_goal(ground, self.query.goal.weight, upper_bound);
        }
    }

    /// Expands nodes as long as their lists are valid. Only if `LIMITED`, it ends at `until`
    /// expansions or at the upper bound, and tracks the node nearest to the goal.
    fn expand_cached<const LIMITED: bool>(
        &mut self,
        ground: ProfileGround<'_>,
        until: u64,
        observer: &mut impl SearchObserver,
    ) -> Pause {
        let goal = self.query.goal;
        let goal_node = self.query.query.goal;
        let mut nearest = self.query.nearest;
        let mut n_expanded = self.query.stats.expansions;
        let upper_bound = if self.query.has_met_fence {
            self.query.upper_bound
        } else {
            u32::MAX
        };
        let mut frontier = self.frontier(ground);
        let pause = loop {
            let Some((f, id)) = frontier.open.pop() else {
                if LIMITED && upper_bound != u32::MAX {
                    break Pause::AtUpperBound;
                }
                // The goal is unreachable: the component has one-way steps.
                break Pause::End(End::GiveUp);
            };
            if LIMITED && f > upper_bound {
                break Pause::AtUpperBound;
            }
            let from = frontier.nodes[id as usize];
            if from.f != f {
                continue; // Stale: a cheaper path was found since.
            }
            if LIMITED && n_expanded >= until {
                frontier.open.push(f, id);
                break Pause::End(End::OutOfBudget);
            }
            n_expanded += 1;
            let h = f - from.g;
            if LIMITED && h < nearest.1 {
                nearest = (id, h);
            }
            if is_active(observer) {
                observer.on_event(SearchEvent::Expanded {
                    at: At::Cell(ground.cell(frontier.cell(from.slot))),
                    cost: ground.scaled(Cost::from_units(from.g)),
                });
            }
            if h == 0 && frontier.cell(from.slot) == goal_node {
                break Pause::End(End::Goal(id));
            }
            let Some(jump_point) = frontier.jump_points.get((from.slot >> 3) as usize) else {
                break Pause::NoList(id);
            };
            let mut list = from.list;
            if !list.is_valid() {
                // It may have been cached since the node was generated.
                list = jump_point.list(from.slot);
                if !list.is_valid() {
                    break Pause::NoList(id);
                }
            }
            let Some((diagonals, edges)) = frontier.words[list.pairs()].split_first() else {
                break Pause::NoList(id);
            };
            let (x, y) = jump_point.at();
            if goal.may_be_visible_from(x, y)
                && goal.is_visible_from(x, y, |quadrant| diagonal_length(*diagonals, quadrant))
                && ground.rank(frontier.cell(from.slot)) == ground.rank(goal_node)
            {
                break Pause::End(End::Goal(id));
            }
            let mut fits = true;
            for [slot, cost] in edges {
                let g = u64::from(from.g) + u64::from(*cost);
                fits &= frontier.relax_reporting(observer, (id, *slot), g);
            }
            if !fits {
                break Pause::End(End::GiveUp);
            }
        };
        self.query.stats.pushes += frontier.n_pushed();
        self.query.stats.expansions = n_expanded;
        self.query.nearest = nearest;
        if let Pause::End(End::Goal(id)) = pause {
            self.report_goal(ground, id, observer);
        }
        pause
    }

    /// Reports the goal to the observer; it is visible from node `id`, or is that node.
    fn report_goal(&self, ground: ProfileGround<'_>, id: u32, observer: &mut impl SearchObserver) {
        if is_active(observer) {
            let last = self.query.nodes[id as usize];
            let (x, y) = self.jump_point(last.slot).at();
            observer.on_event(SearchEvent::Reached {
                at: At::Cell(ground.cell(self.query.query.goal)),
                cost: ground.scaled(Cost::from_units(last.g + self.query.goal.h(x, y))),
            });
        }
    }

    /// Expands a node without a valid list.
    fn expand_uncached(
        &mut self,
        ground: ProfileGround<'_>,
        id: u32,
        observer: &mut impl SearchObserver,
    ) -> Option<End> {
        let from = self.query.nodes[id as usize];
        let (x, y) = self.jump_point(from.slot).at();
        if self.is_goal_visible_at_once(ground, from.slot) {
            self.report_goal(ground, id, observer);
            return Some(End::Goal(id));
        }
        if let Some(list) = self.repair_list(from.slot) {
            return self.expand_list(ground, id, list, observer);
        }
        let is_uniform = self.scan_successors(ground, id);
        if !is_uniform {
            let query = &mut self.query;
            query.n_irregular += 1;
            // Independent of the cache: irregular nodes are never cached.
            if query.n_irregular >= MIN_IRREGULAR
                && query.n_irregular * 4 > query.stats.expansions * 3
            {
                return Some(End::GiveUp);
            }
        }
        let diagonals = self.buffers.scan.diagonals;
        let goal = &self.query.goal;
        if is_uniform
            && goal.is_visible_from(x, y, |quadrant| diagonals[quadrant])
            && ground.rank(self.site(from.slot).node) == ground.rank(self.query.query.goal)
        {
            self.report_goal(ground, id, observer);
            return Some(End::Goal(id));
        }
        let edge_slots = std::mem::take(&mut self.buffers.edge_slots);
        let edges = std::mem::take(&mut self.buffers.scan.edges);
        let mut frontier = self.frontier(ground);
        let mut fits = true;
        for (slot, edge) in edge_slots.iter().zip(&edges) {
            let g = u64::from(from.g) + edge.cost;
            fits &= frontier.relax_reporting(observer, (id, *slot), g);
        }
        self.query.stats.pushes += frontier.n_pushed();
        (self.buffers.edge_slots, self.buffers.scan.edges) = (edge_slots, edges);
        (!fits).then_some(End::GiveUp)
    }

    /// The list of a slot, if it was stale and could be repaired.
    fn repair_list(&mut self, slot: u32) -> Option<SuccessorRef> {
        let (stale, bitmap) = (self.cache.graph.stale(slot)?, self.cache.bitmap.built()?);
        let repair = ListRepair {
            bitmap,
            graph: &self.cache.graph,
            directions: self.directions(slot),
        };
        let Some(affected) = repair.rescan(&stale, &mut self.buffers.scan) else {
            return Some(self.cache.graph.restore(&stale));
        };
        self.cache.check_full();
        let may_grow = !self.cache.is_full;
        if self.resolve_edges(may_grow) {
            let buffers = &mut self.buffers;
            let (scan, edge_slots) = (&mut buffers.scan, &buffers.edge_slots);
            return (self.cache.graph).repair(&stale, &affected, scan, edge_slots, may_grow);
        }
        None
    }

    /// Expands a node by its list.
    fn expand_list(
        &mut self,
        ground: ProfileGround<'_>,
        id: u32,
        list: SuccessorRef,
        observer: &mut impl SearchObserver,
    ) -> Option<End> {
        let from = self.query.nodes[id as usize];
        let (x, y) = self.jump_point(from.slot).at();
        let goal = self.query.goal;
        let goal_rank = ground.rank(self.query.query.goal);
        let is_on_rank = ground.rank(self.site(from.slot).node) == goal_rank;
        let mut frontier = self.frontier(ground);
        let (diagonals, edges) = frontier.words[list.pairs()].split_first()?;
        let is_visible =
            goal.is_visible_from(x, y, |quadrant| diagonal_length(*diagonals, quadrant));
        if is_visible && is_on_rank {
            self.report_goal(ground, id, observer);
            return Some(End::Goal(id));
        }
        let mut fits = true;
        for [slot, cost] in edges {
            let g = u64::from(from.g) + u64::from(*cost);
            fits &= frontier.relax_reporting(observer, (id, *slot), g);
        }
        self.query.stats.pushes += frontier.n_pushed();
        (!fits).then_some(End::GiveUp)
    }

    /// The directions to scan from a slot.
    fn directions(&self, slot: u32) -> u8 {
        let (site, arrival) = (self.site(slot), (slot & 7) as usize);
        match site.directions.get(arrival) {
            Some(directions) => *directions,
            None if slot & 7 == u32::from(ARRIVAL_TURN) => site.turn_directions,
            None => ALL_DIRECTIONS,
        }
    }

    /// True if the goal is visible from a slot, and no scan is needed to know.
    fn is_goal_visible_at_once(&self, ground: ProfileGround<'_>, slot: u32) -> bool {
        // After a straight arrival some diagonals are pruned.
        slot & 7 == u32::from(ARRIVAL_ANY)
            && self.is_goal_visible_from(ground, self.site(slot).node, self.jump_point(slot).at())
    }

    /// True if the diagonal-first path from a cell to the goal leads over uniform ground.
    pub(super) fn is_goal_visible_from(
        &self,
        ground: ProfileGround<'_>,
        node: NodeId,
        (x, y): (i32, i32),
    ) -> bool {
        let goal = &self.query.goal;
        let max_steps = x.abs_diff(goal.x).min(y.abs_diff(goal.y));
        goal.may_be_visible_from(x, y)
            && goal.is_visible_from(x, y, |quadrant| match self.cache.bitmap.built() {
                Some(bitmap) => bitmap.n_diagonal_steps((x, y), quadrant, max_steps),
                None => {
                    let sheet = ground.bits(node);
                    if sheet.is_uniform() {
                        n_diagonal_steps(sheet, node, quadrant, max_steps)
                    } else {
                        0
                    }
                }
            })
            && ground.rank(node) == ground.rank(self.query.query.goal)
    }

    /// Scans the successors of node `id`, and caches the list if there is room and this is not the
    /// first search. False if the node is irregular.
    fn scan_successors(&mut self, ground: ProfileGround<'_>, id: u32) -> bool {
        let SearchNode { slot, g, .. } = self.query.nodes[id as usize];
        let (site, (x, y)) = (*self.site(slot), self.jump_point(slot).at());
        let directions = self.directions(slot);
        let is_caching = self.cache.n_searches > 1;
        if is_caching {
            self.cache.check_full();
            if self.cache.may_have_bitmap {
                let limit = self.cache.bitmap_limit();
                self.cache.bitmap.count_scan(ground, limit);
            }
        }
        if let Some(stale) = self.cache.graph.stale(slot) {
            self.cache.graph.remove_list(stale.list);
        }
        let is_transient = slot >> 3 >= TRANSIENT;
        // Other searches seldom start at the same cell.
        let is_reusable = !is_transient || (id != 0 && slot & 7 < u32::from(ARRIVAL_STEP));
        let scan = &mut self.buffers.scan;
        scan.fence = CostFence::UNBOUNDED;
        let upper_bound = self.query.upper_bound;
        if upper_bound != u32::MAX && (!is_reusable || !self.cache.is_often_fenced(site.node)) {
            let max_cost = upper_bound.saturating_sub(g);
            scan.fence = CostFence::new((x, y), &self.query.goal, max_cost.into());
        }
        let (bitmap, origin) = (self.cache.bitmap.built(), (site.node, x, y));
        let measures = is_reusable && is_caching;
        let is_uniform = scan.scan(ground, bitmap, origin, directions, measures);
        let has_met_fence = scan.has_met_fence;
        if has_met_fence {
            self.query.has_met_fence = true;
            self.cache.record_fence_hit(site.node);
        }
        // Ends of a list that is not cached are transient: a small table is faster.
        let inserts = is_caching && !self.cache.is_full && !has_met_fence;
        let are_cached = self.resolve_edges(inserts);
        if is_uniform && is_reusable && !has_met_fence && is_caching {
            if are_cached && !self.cache.is_full {
                let slot = if is_transient { self.promote(id) } else { slot };
                let Self { cache, buffers, .. } = self;
                (cache.graph).insert_list(slot, &buffers.scan, &buffers.edge_slots);
            } else {
                self.cache.n_rejected += 1;
            }
        }
        is_uniform
    }

    /// Moves the transient jump point of node `id` to the cache; returns its slot there.
    fn promote(&mut self, id: u32) -> u32 {
        let slot = self.query.nodes[id as usize].slot;
        let arrival = slot & 7;
        let transient = *self.query.transient.at((slot >> 3) - TRANSIENT);
        let (node, known) = (transient.site.node, transient.jump_point);
        let graph = &mut self.cache.graph;
        let jump_point = graph.find(node, known.x, known.y).unwrap_or_else(|| {
            let inserted = graph.insert(&JumpEdge {
                node,
                x: known.x,
                y: known.y,
                cost: 0,
                directions: ALL_DIRECTIONS,
                arrival: ARRIVAL_ANY,
            });
            let jump_point = &mut graph.jump_points[inserted as usize];
            jump_point.component = known.component;
            jump_point.tree_version = known.tree_version;
            (jump_point.search, jump_point.node) = (known.search, known.node);
            jump_point.g = known.g;
            let site = &mut graph.sites[inserted as usize];
            site.directions = transient.site.directions;
            site.turn_directions = transient.site.turn_directions;
            inserted
        });
        let slot = jump_point << 3 | arrival;
        self.query.nodes[id as usize].slot = slot;
        slot
    }

    /// Fills `edge_slots` with the ends of the edges of the scan; see [`Self::resolve_end`]. False
    /// if some end is not cached.
    fn resolve_edges(&mut self, inserts: bool) -> bool {
        self.buffers.edge_slots.clear();
        let mut are_cached = true;
        for index in 0..self.buffers.scan.edges.len() {
            let edge = self.buffers.scan.edges[index];
            let id = self.resolve_end(&edge, inserts);
            are_cached &= id < TRANSIENT;
            let slot = id << 3 | u32::from(edge.arrival);
            self.buffers.edge_slots.push(slot);
        }
        are_cached
    }

    /// The jump point at the end of an edge; a new one is inserted into the cache if `inserts`,
    /// else it is transient.
    fn resolve_end(&mut self, edge: &JumpEdge, inserts: bool) -> u32 {
        let (graph, transient) = (&mut self.cache.graph, &mut self.query.transient);
        if let Some(known) = graph.find_end(edge) {
            return known;
        }
        if !inserts || edge.arrival == ARRIVAL_STEP {
            return transient.find_or_insert(edge) | TRANSIENT;
        }
        let id = graph.insert(edge);
        if let Some(known) = transient.find(edge.node) {
            // Its state in the current search.
            let known = transient.at(known).jump_point;
            let jump_point = &mut graph.jump_points[id as usize];
            (jump_point.search, jump_point.node, jump_point.g) =
                (known.search, known.node, known.g);
        }
        id
    }
}

/// The length of the diagonal of a quadrant in the first two words of a list.
#[inline(always)]
fn diagonal_length(words: [u32; 2], quadrant: usize) -> u32 {
    words[quadrant / 2] >> (quadrant % 2 * 16) & 0xFFFF
}

/// Whether `observer` receives events.
pub(super) const fn is_active<O: SearchObserver>(_observer: &O) -> bool {
    O::ACTIVE
}
