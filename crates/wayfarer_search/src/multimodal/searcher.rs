//! A\* over cells and voxels, with reusable scratch.
//!
//! Records of cells are numbered in the order of generation, those of voxels lie on pages of one leaf of the
//! octree. The order of expansion weights the heuristic; what the cost limit prunes does not. Ties: lowest
//! f, then highest g, then cells before voxels, then the record or page generated first. No allocation once
//! warm.
//!
//! Left out are moves between voxels that others make as cheaply ([`super::moves`]), and those after a
//! take-off to a voxel over a cell that is as cheap to walk to.

use wayfarer_base::{
    Cell, Cost, Location, NoopObserver, Outcome, RequestError, SearchEvent, SearchObserver,
    SearchStats, UnreachableProof, Voxel,
};
use wayfarer_world::ground::{NodeId, SuccessorBuffer};

use super::cells::CellRecords;
use super::graph::is_sweep_clear;
use super::moves::{NO_MOVE, TAKE_OFF, legal_moves, moves_to_columns, pruned_moves};
use super::node::{Node, NodeKind};
use super::open::OpenNodes;
use super::query::QueryGraph;
use super::voxels::{FreeSpace, VoxelPages};
use super::{MultimodalGraph, MultimodalPath, MultimodalRequest, StepCostFn};
use crate::air::voxel_astar::MOVES;

/// Multimodal search with scratch that is reused from query to query; one per thread.
///
/// Takes about 30 bytes per generated cell, 1 kB per visited leaf of the octree (4 x 4 x 4 voxels) and
/// 64 KiB per visited page of the ground (128 x 128 cells).
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Location, CostMultiplier, Raster, Voxel};
/// use wayfarer_search::ground::NavGraph;
/// use wayfarer_search::multimodal::{
///     FlightProfile, GridAlignment, MultimodalGraph, MultimodalRequest, MultimodalSearcher,
/// };
/// use wayfarer_world::{air::AirBuilder, ground::Ground};
///
/// // A river of three cells, and an agent that flies at twice the cost of walking.
/// let map = Raster::from_bytes(7, 1, vec![0, 0, 2, 2, 2, 0, 0]).unwrap();
/// let ground = Ground::from_raster(&map);
/// let air = AirBuilder::new(Voxel::new(0, 0, 0), [7, 1, 3])?.build()?;
/// let multiplier = CostMultiplier::from_sixteenths(32).unwrap();
/// let flight = FlightProfile { multiplier, ..FlightProfile::default() };
/// let graph = MultimodalGraph {
///     nav_graph: Some(NavGraph::new(&ground, None)?),
///     air: Some((&air, flight)),
///     alignment: GridAlignment::default(),
///     air_links: &[],
/// };
/// let request = MultimodalRequest {
///     from: Cell::flat(0, 0).into(),
///     to: Cell::flat(6, 0).into(),
///     budget: Budget::UNLIMITED,
///     cost_limit: Cost::MAX,
///     weight: CostMultiplier::ONE,
/// };
/// let path = MultimodalSearcher::default().find(&graph, &request, None)?.found().unwrap();
/// // Two steps on foot, four cells in the air at twice the cost.
/// assert_eq!(path.cost.units(), 10 * 1463);
/// assert!(path.locations.contains(&Location::Voxel(Voxel::new(3, 0, 0))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MultimodalSearcher {
    records: Records,
    buffer: SuccessorBuffer,
    /// The air links by voxel, with their indices.
    links: Vec<(Voxel, u32)>,
}

/// The records and the open list of a search.
#[derive(Clone, Debug, Default)]
struct Records {
    cells: CellRecords,
    voxels: VoxelPages,
    open: OpenNodes,
    stats: SearchStats,
    /// True if a successor was dropped because its cost saturates.
    is_saturated: bool,
}

/// What a query reads and reports to.
struct Run<'a, 'w, 'c, O> {
    query: &'a QueryGraph<'w>,
    space: Option<FreeSpace<'w>>,
    cost_fn: Option<StepCostFn<'c>>,
    observer: &'a mut O,
}

/// A node being expanded.
#[derive(Clone, Copy)]
struct Expanded {
    node: Node,
    at: Location,
    g: u32,
}

impl MultimodalSearcher {
    /// Finds a path within [`MultimodalRequest::weight`] times the optimum; `cost_fn` adds cost
    /// multipliers to steps. Deterministic.
    ///
    /// [`Outcome::Unreachable`] means that no path costs less than
    /// [`MultimodalRequest::cost_limit`]. If every remaining path exceeds the range of `Cost` (2.9
    /// million cells), the proof is [`UnreachableProof::CostLimit`].
    ///
    /// # Errors
    /// If the start or the goal is blocked.
    pub fn find(
        &mut self,
        graph: &MultimodalGraph<'_>,
        request: &MultimodalRequest,
        cost_fn: Option<StepCostFn<'_>>,
    ) -> Result<Outcome<MultimodalPath>, RequestError> {
        self.find_observed(graph, request, cost_fn, &mut NoopObserver)
    }

    /// As [`MultimodalSearcher::find`], reporting search events to `observer`.
    ///
    /// # Errors
    /// As [`MultimodalSearcher::find`].
    pub fn find_observed<O: SearchObserver>(
        &mut self,
        graph: &MultimodalGraph<'_>,
        request: &MultimodalRequest,
        cost_fn: Option<StepCostFn<'_>>,
        observer: &mut O,
    ) -> Result<Outcome<MultimodalPath>, RequestError> {
        let (start, goal) = (request.from, request.to);
        self.records.clear();
        let reason = "it is not free for the agent";
        if !graph.is_free(start) {
            return Err(RequestError::StartBlocked { at: start, reason });
        }
        if !graph.is_free(goal) {
            return Err(RequestError::GoalBlocked { at: goal, reason });
        }
        let bytes_before = self.heap_bytes();
        let query = QueryGraph::new(graph, request);
        self.sort_links(graph);
        let mut run = Run {
            query: &query,
            space: graph.air.map(|(air, _)| FreeSpace::new(air)),
            cost_fn,
            observer,
        };
        let lowest = query.weighted(query.heuristic(start));
        self.records.open.clear(lowest, query.max_f());
        let mut nearest = (lowest, self.records.begin(&mut run, start));
        while let Some((f, g, node)) = self.records.open.pop() {
            if self.records.g(node) != g {
                continue; // A cheaper path was found since.
            }
            let at = self.records.location(&run, node);
            if at == goal {
                if O::ACTIVE {
                    let cost = Cost::from_units(g);
                    run.observer.on_event(SearchEvent::Reached { at, cost });
                }
                return Ok(Outcome::Found(self.records.path_to(&run, node)));
            }
            let budget = request.budget;
            if self.records.stats.expansions >= budget.expansions
                || self.is_full(bytes_before, budget.memory_bytes)
            {
                return Ok(Outcome::OutOfBudget {
                    best: self.records.path_to(&run, nearest.1),
                    stats: self.records.stats,
                });
            }
            self.records.stats.expansions += 1;
            let h = f - u64::from(g);
            if h < nearest.0 {
                nearest = (h, node);
            }
            if O::ACTIVE {
                let cost = Cost::from_units(g);
                run.observer.on_event(SearchEvent::Expanded { at, cost });
            }
            self.expand(&mut run, Expanded { node, at, g });
        }
        if self.records.is_saturated {
            return Ok(Outcome::BEYOND_COST_LIMIT);
        }
        Ok(Outcome::Unreachable {
            proof: UnreachableProof::SearchExhausted,
            nearest: None,
        })
    }

    /// Statistics of the last query.
    pub fn stats(&self) -> SearchStats {
        self.records.stats
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> u64 {
        let links = self.links.capacity() * size_of::<(Voxel, u32)>();
        (self.records.heap_bytes() + links) as u64
    }

    /// True if the scratch has grown beyond `limit`, or an expansion may make it.
    fn is_full(&self, bytes_before: u64, limit: u64) -> bool {
        if limit == u64::MAX {
            return false;
        }
        let grown = self.heap_bytes().saturating_sub(bytes_before);
        grown.saturating_add(self.records.growth_ahead()) > limit
    }

    /// Sorts the air links of the graph by voxel.
    fn sort_links(&mut self, graph: &MultimodalGraph<'_>) {
        self.links.clear();
        let voxels = graph.air_links.iter().map(|air_link| air_link.voxel);
        self.links.extend(voxels.zip(0..));
        self.links.sort_unstable();
    }

    fn expand<O: SearchObserver>(&mut self, run: &mut Run<'_, '_, '_, O>, from: Expanded) {
        match (from.node.kind(), from.at) {
            (NodeKind::Cell(number), Location::Cell(cell)) => {
                self.records
                    .expand_cell(run, from, (number, cell), &mut self.buffer);
            }
            (NodeKind::Voxel(page, bit), Location::Voxel(voxel)) => {
                self.records.expand_voxel(run, from, (page, bit));
                self.records.land(run, from, ((page, bit), voxel));
                if !self.links.is_empty() {
                    self.land_at_links(run, from, voxel);
                }
            }
            _ => {}
        }
    }

    fn land_at_links<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        voxel: Voxel,
    ) {
        let graph = run.query.graph;
        let first = self.links.partition_point(|link| link.0 < voxel);
        let here = self.links[first..].iter();
        for (_, index) in here.take_while(|link| link.0 == voxel) {
            let air_link = &graph.air_links[*index as usize];
            if let (Some(nav_graph), Some(cost)) = (graph.nav_graph, air_link.landing)
                && let Some(to) = nav_graph.node(air_link.cell)
            {
                self.records.relax_cell(run, from, (to, cost));
            }
        }
    }
}

impl Records {
    fn clear(&mut self) {
        self.cells.clear();
        self.voxels.clear();
        self.stats = SearchStats::default();
        self.is_saturated = false;
    }

    fn heap_bytes(&self) -> usize {
        self.cells.heap_bytes() + self.voxels.heap_bytes() + self.open.heap_bytes()
    }

    /// Bytes by which an expansion without links may grow the records, tables of ground pages aside.
    fn growth_ahead(&self) -> u64 {
        let pages = self.voxels.growth_for(28) as u64;
        self.cells.growth_for(16) + pages + self.open.growth_for(42)
    }

    /// Opens the start, unless the cost limit excludes it; its node.
    fn begin<O: SearchObserver>(&mut self, run: &mut Run<'_, '_, '_, O>, start: Location) -> Node {
        let from = Expanded {
            node: Node::NONE,
            at: start,
            g: 0,
        };
        // No step leads to the start.
        let cost_fn = run.cost_fn.take();
        let node = match (start, run.query.graph.nav_graph, &mut run.space) {
            (Location::Cell(cell), Some(nav_graph), _) => {
                if let Some(to) = nav_graph.node(cell) {
                    self.relax_cell(run, from, (to, Cost::ZERO));
                }
                Node::cell(0)
            }
            (Location::Voxel(voxel), _, Some(space)) => {
                let node = self.voxels.node_at(space, voxel).unwrap_or(Node::NONE);
                self.relax_voxel(run, from, (node, NO_MOVE), Cost::ZERO);
                node
            }
            _ => Node::NONE,
        };
        run.cost_fn = cost_fn;
        node
    }

    /// The lowest cost of a node so far.
    #[inline]
    fn g(&self, node: Node) -> u32 {
        match node.kind() {
            NodeKind::Cell(number) => self.cells.record(number).g,
            NodeKind::Voxel(page, bit) => self.voxels.page(page).g(bit),
        }
    }

    /// The node before; [`Node::NONE`] at the start.
    fn parent(&self, node: Node) -> Node {
        match node.kind() {
            NodeKind::Cell(number) => Node::from_number(self.cells.record(number).parent),
            NodeKind::Voxel(page, bit) => self.voxels.page(page).reached(bit).0,
        }
    }

    #[inline]
    fn location<O>(&self, run: &Run<'_, '_, '_, O>, node: Node) -> Location {
        match (node.kind(), &run.space) {
            (NodeKind::Voxel(page, bit), Some(space)) => {
                Location::Voxel(space.voxel(self.voxels.page(page).at(bit)))
            }
            (NodeKind::Cell(number), _) => Location::Cell(self.cells.cell(number)),
            // Without air there are no voxels.
            (NodeKind::Voxel(..), None) => Location::Voxel(Voxel::default()),
        }
    }

    fn path_to<O>(&self, run: &Run<'_, '_, '_, O>, end: Node) -> MultimodalPath {
        let before = |node: &Node| {
            let parent = self.parent(*node);
            (parent != Node::NONE).then_some(parent)
        };
        let nodes = std::iter::successors(Some(end), before);
        let mut locations: Vec<Location> = nodes.map(|node| self.location(run, node)).collect();
        locations.reverse();
        MultimodalPath {
            locations,
            cost: Cost::from_units(self.g(end)),
            expansions: self.stats.expansions,
        }
    }

    fn expand_cell<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        (number, cell): (u32, Cell),
        buffer: &mut SuccessorBuffer,
    ) {
        let Some(nav_graph) = run.query.graph.nav_graph else {
            return;
        };
        let node = NodeId::from_index(self.cells.record(number).node);
        let mut walked = 0;
        for (to, cost) in nav_graph.successors(node, buffer) {
            let next = self.relax_cell(run, from, (to, cost));
            walked |= run.column_walked_to((cell, next), cost);
        }
        if run.space.is_some() {
            self.cells.set_walked(number, walked);
            self.take_off(run, from, cell);
        }
    }

    fn take_off<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        cell: Cell,
    ) {
        let graph = run.query.graph;
        if let Some((voxel, cost)) = graph.take_off_from_floor(cell) {
            self.rise(run, from, (voxel, TAKE_OFF), cost);
        }
        if graph.air_links.is_empty() {
            return;
        }
        for air_link in graph.air_links_at(cell) {
            if let Some(cost) = air_link.take_off {
                self.rise(run, from, (air_link.voxel, NO_MOVE), cost);
            }
        }
    }

    /// Takes off to a voxel, if it is free.
    fn rise<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        (voxel, by): (Voxel, u8),
        cost: Cost,
    ) {
        let Some(space) = &mut run.space else {
            return;
        };
        let Some(to) = self.voxels.node_at(space, voxel) else {
            return;
        };
        let is_free = match to.kind() {
            NodeKind::Voxel(page, bit) => self.voxels.page(page).is_free(bit),
            NodeKind::Cell(_) => false,
        };
        if is_free && run.is_sweep_clear(voxel, voxel) {
            self.relax_voxel(run, from, (to, by), cost);
        }
    }

    /// Adds the air moves from a voxel.
    fn expand_voxel<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        (page, bit): (u32, u32),
    ) {
        let Some(space) = &mut run.space else {
            return;
        };
        let free = self.voxels.free_around(space, page, bit);
        let mut moves = legal_moves(free);
        if run.may_prune() {
            let (parent, by) = self.voxels.page(page).reached(bit);
            if by < NO_MOVE {
                moves = pruned_moves(moves, free, by);
            } else if let (TAKE_OFF, NodeKind::Cell(number)) = (by, parent.kind()) {
                moves &= !moves_to_columns(self.cells.walked(number));
            }
        }
        while moves != 0 {
            let index = moves.trailing_zeros();
            moves &= moves - 1;
            let Some(space) = &mut run.space else {
                return;
            };
            let to = self
                .voxels
                .moved(space, (page, bit), MOVES[index as usize].0);
            let number = index.to_le_bytes()[0];
            let cost = match run.query.has_volumes {
                true => run.move_cost(from.at, self.location(run, to), number),
                false => run.query.base_costs[index as usize],
            };
            self.relax_voxel(run, from, (to, number), cost);
        }
    }

    /// Adds the landings on the floors under a voxel.
    fn land<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        ((page, bit), voxel): ((u32, u32), Voxel),
    ) {
        let graph = run.query.graph;
        let Some(nav_graph) = graph.nav_graph else {
            return;
        };
        let column = bit & 15;
        let records = self.voxels.page_mut(page);
        if records.reached(bit).1 == TAKE_OFF && graph.alignment.is_cubic() {
            return; // The only cell under it is the one before.
        }
        if records.scanned >> column & 1 == 0 {
            records.scanned |= 1 << column;
            let low = voxel.z.wrapping_sub((bit >> 4).cast_signed());
            graph.for_each_floor_under(voxel, |_, over| {
                let height = i64::from(over.z) - i64::from(low);
                if (over.x, over.y) == (voxel.x, voxel.y) && (0..4).contains(&height) {
                    records.over_floor |= 1 << (column.cast_signed() + 16 * (over.z - low));
                }
            });
        }
        if records.over_floor >> bit & 1 == 0 {
            return;
        }
        graph.for_each_floor_landing(voxel, |cell, cost| {
            if let Some(to) = nav_graph.node(cell) {
                self.relax_cell(run, from, (to, cost));
            }
        });
    }

    /// Opens a cell if the step lowers its cost and f stays below the limit.
    fn relax_cell<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        (to, cost): (NodeId, Cost),
    ) -> Cell {
        let g = from.g.saturating_add(cost.units());
        if let Some(number) = self.cells.find(to) {
            let (record, cell) = (self.cells.record(number), self.cells.cell(number));
            let h = record.h.into();
            if let Some(g) = self.admitted(run, (from, cell.into()), (g, h), record.g) {
                self.cells.improve(number, g, from.node);
                self.push(run, (Node::cell(number), cell.into()), (g, h));
            }
            return cell;
        }
        let Some(nav_graph) = run.query.graph.nav_graph else {
            return Cell::default();
        };
        let cell = nav_graph.cell(to);
        let h = run.query.heuristic(cell.into());
        if let Some(g) = self.admitted(run, (from, cell.into()), (g, h), u32::MAX) {
            // Less than the cost limit.
            let stored = u32::try_from(h).unwrap_or(u32::MAX);
            let number = self.cells.add((to, cell), (g, stored), from.node);
            self.push(run, (Node::cell(number), cell.into()), (g, h));
        }
        cell
    }

    /// Opens a voxel if the step lowers its cost and f stays below the limit.
    #[inline]
    fn relax_voxel<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        from: Expanded,
        (to, by): (Node, u8),
        cost: Cost,
    ) {
        let NodeKind::Voxel(page, bit) = to.kind() else {
            return;
        };
        let g = from.g.saturating_add(cost.units());
        let known = self.voxels.page(page).g(bit);
        if g >= known && known != u32::MAX {
            return;
        }
        let at = self.location(run, to);
        let h = run.query.heuristic(at);
        if let Some(g) = self.admitted(run, (from, at), (g, h), known)
            && (by >= NO_MOVE || run.is_move_clear(from.at, at))
        {
            self.voxels.page_mut(page).set(bit, g, (from.node, by));
            self.push(run, (to, at), (g, h));
        }
    }

    /// The cost of a node with what the request adds to the step to it; `None` if that does not lower the
    /// cost `known`, or not below the limit.
    #[inline]
    fn admitted<O>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        (from, to): (Expanded, Location),
        (g, h): (u32, u64),
        known: u32,
    ) -> Option<u32> {
        let limit = run.query.cost_limit;
        let mut is_below = |g: u32| {
            if g >= known && known != u32::MAX {
                return false;
            }
            let is_below =
                g != u32::MAX && u64::from(g).saturating_add(h) < u64::from(limit.units());
            self.is_saturated |= !is_below && limit == Cost::MAX;
            is_below
        };
        if !is_below(g) {
            return None;
        }
        let Some(cost_fn) = &mut run.cost_fn else {
            return Some(g);
        };
        let (here, there) = cost_fn(from.at, to)?;
        let extra = run.query.graph.extra_cost((from.at, here), (to, there));
        let g = g.saturating_add(extra.units());
        is_below(g).then_some(g)
    }

    #[inline]
    fn push<O: SearchObserver>(
        &mut self,
        run: &mut Run<'_, '_, '_, O>,
        (node, at): (Node, Location),
        (g, h): (u32, u64),
    ) {
        let f = u64::from(g).saturating_add(run.query.weighted(h));
        self.open.push(f, g, node);
        self.stats.pushes += 1;
        if O::ACTIVE {
            let cost = Cost::from_units(g);
            run.observer.on_event(SearchEvent::Opened { at, cost });
        }
    }
}

impl<O> Run<'_, '_, '_, O> {
    /// True if moves may be left out.
    #[inline]
    const fn may_prune(&self) -> bool {
        self.query.may_prune && self.cost_fn.is_none()
    }

    /// The adjacent column, as bit x + 3 y, that a step leads to at the same height for no more than a
    /// flight costs.
    #[inline]
    fn column_walked_to(&self, (from, to): (Cell, Cell), cost: Cost) -> u16 {
        if !self.query.is_aligned || from.z != to.z {
            return 0;
        }
        let (x, y) = (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y));
        if !(-1..=1).contains(&x) || !(-1..=1).contains(&y) || (x, y) == (0, 0) {
            return 0;
        }
        // The moves along x and along x and y.
        let flown = self.query.base_costs[if x != 0 && y != 0 { 16 } else { 13 }];
        u16::from(cost <= flown) << (x + 1 + 3 * (y + 1))
    }

    /// The cost of an air move with the multipliers of both ends.
    fn move_cost(&self, from: Location, to: Location, number: u8) -> Cost {
        let (Some(space), Some((_, flight))) = (&self.space, self.query.graph.air) else {
            return Cost::MAX;
        };
        let multiplier = |at: Location| match at {
            Location::Voxel(voxel) => space.cost_multiplier(voxel),
            _ => space.air.default_multiplier(),
        };
        let length = MOVES[usize::from(number)].2;
        let ends = (multiplier(from), multiplier(to));
        let alignment = &self.query.graph.alignment;
        alignment.move_cost(length, flight.multiplier, ends)
    }

    /// True if the agent's ball, moving between voxels, stays clear.
    fn is_move_clear(&self, from: Location, to: Location) -> bool {
        match (from, to) {
            (Location::Voxel(from), Location::Voxel(to)) => self.is_sweep_clear(from, to),
            _ => true,
        }
    }

    fn is_sweep_clear(&self, from: Voxel, to: Voxel) -> bool {
        let Some((air, flight)) = self.query.graph.air else {
            return false;
        };
        !self.query.is_wide || is_sweep_clear(air, flight.radius, from, to)
    }
}
