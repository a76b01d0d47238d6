//! The flight searcher: reusable scratch, and the phases of a query.
//!
//! The octree search runs alone until [`OctreeParams::corridor_after`](super::OctreeParams)
//! expansions. Then a search over regions yields a corridor that restricts a second octree search.
//! For agents that need inflation, a search over their own regions runs after an eighth of that
//! budget and may prove the goal unreachable early.

use std::cell::RefCell;

use wayfarer_base::{
    Budget, Cost, Fixed, Location, NoopObserver, Outcome, PartialReason, RequestError,
    SearchObserver, SearchStats, UnreachableProof, Voxel,
};
use wayfarer_world::air::{Air, bits};

use super::agent_regions::{AgentRegions, Connectivity};
use super::corridor::Corridor;
use super::inflated::{InflatedSource, reach_of};
use super::inflated_blocks::InflatedBlocks;
use super::node_points::{
    check_limits, clamp_to_local, extent_of, max_multiplier, nearest_in, requires_inflation,
    to_local,
};
use super::node_source::{LocalVoxel, NodeSource, PointSource};
use super::octree::{AirExtent, N_LAYERS, OctreeSearch};
use super::scratch::Node;
use super::segment_test::SegmentTest;
use super::voxel_astar::VoxelAStarSearch;
use super::{AirLog, FlightPartialPolicy, FlightPath, FlightRequest, smooth, trace};
use crate::kernel::StopReason;

/// The connectivity check of an inflated agent runs after `corridor_after` divided by this.
const CONNECTIVITY_DIVISOR: u64 = 8;
/// Expansions of the connectivity check before the octree search resumes.
const MAX_CONNECTIVITY: u64 = 512;

/// Flight search with scratch that is reused from query to query; one per thread.
///
/// Takes about 150 bytes per node of the largest search. Results never depend on earlier queries.
#[derive(Clone, Debug, Default)]
pub struct FlightSearcher {
    octree: OctreeSearch,
    voxel_astar: VoxelAStarSearch,
    corridor: Corridor,
    agent_regions: AgentRegions,
    /// The free space of the agent that last required inflation.
    blocks: InflatedBlocks,
    phase: Phase,
    /// Expansions of `agent_regions` that are included in `finished`.
    n_finished_regions: u64,
    has_checked_connectivity: bool,
    /// True if the search expands every reachable node although the goal is unreachable.
    is_exhaustive: bool,
    /// True if [`InflatedSource`] is required.
    is_inflated: bool,
    goal: LocalVoxel,
    partial_reason: Option<PartialReason>,
    /// Statistics of finished phases.
    finished: SearchStats,
    /// Bytes of scratch at the start of the query.
    bytes_before: u64,
    pub(super) points: Vec<LocalVoxel>,
    pub(super) spare: Vec<LocalVoxel>,
    /// The last path before string pulling.
    raw: Vec<LocalVoxel>,
    recycled: Vec<Voxel>,
}

/// The running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// The octree, up to `corridor_after` expansions.
    #[default]
    Octree,
    /// Regions of an inflated agent: is the goal reachable?
    Connectivity,
    /// Regions, for a corridor.
    Regions,
    /// The octree within the corridor.
    Corridor,
    /// The octree without limit.
    Unrestricted,
    VoxelAStar,
}

impl FlightSearcher {
    /// Finds a flight; a function of air and request alone.
    ///
    /// A goal in another component is `Unreachable` without a search; a goal in line of sight takes
    /// one ray. Out of budget, the best path leads to the expanded node of lowest heuristic. No
    /// allocation once warm if paths are returned by [`FlightSearcher::recycle`].
    ///
    /// # Errors
    /// A blocked start, a blocked goal under [`FlightPartialPolicy::Never`], or a radius or
    /// parameter out of range.
    pub fn find(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Outcome<FlightPath>, RequestError> {
        self.find_observed(air, request, &mut NoopObserver)
    }

    /// As [`FlightSearcher::find`], reporting search events to `observer`.
    ///
    /// # Errors
    /// As [`FlightSearcher::find`].
    pub fn find_observed(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        observer: &mut impl SearchObserver,
    ) -> Result<Outcome<FlightPath>, RequestError> {
        if let Some(early) = self.begin(air, request)? {
            return Ok(early);
        }
        let stop = self.advance(air, request, observer, request.budget);
        Ok(self.outcome(air, request, stop))
    }

    /// Takes the memory of a path for the next one.
    pub fn recycle(&mut self, path: FlightPath) {
        if path.waypoints.capacity() > self.recycled.capacity() {
            self.recycled = path.waypoints;
        }
    }

    /// Statistics of the last query.
    pub fn stats(&self) -> SearchStats {
        let mut stats = self.finished;
        stats += match self.phase {
            Phase::Octree | Phase::Corridor | Phase::Unrestricted => self.octree_stats(),
            Phase::Connectivity => {
                let mut stats = self.octree_stats();
                stats.expansions += self.n_unfinished_regions();
                stats
            }
            Phase::Regions => self.regions_stats(),
            Phase::VoxelAStar => self.voxel_astar.stats(),
        };
        stats
    }

    /// Expansions of the last octree search by layer: single voxels, leaves, then cubes of 8, 16,
    /// 32 and more voxels a side.
    pub const fn expansions_by_layer(&self) -> [u32; N_LAYERS] {
        self.octree.by_layer
    }

    /// Waypoints of the last path before string pulling, whose cost is [`FlightPath::raw_cost`].
    /// Each is in line of sight of the next.
    pub fn raw_waypoints(&self, air: &Air) -> impl Iterator<Item = Voxel> {
        let voxel = |at: &LocalVoxel| air.to_world(at.map(i32::cast_unsigned));
        self.raw.iter().map(voxel)
    }

    /// Copies `points` to `raw`.
    pub(super) fn keep_raw(&mut self) {
        self.raw.clear();
        self.raw.extend_from_slice(&self.points);
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.scratch_bytes() + self.blocks.heap_bytes()
    }

    /// Bytes on the heap but for what is kept from query to query.
    fn scratch_bytes(&self) -> usize {
        let points = self.points.capacity() + self.spare.capacity() + self.raw.capacity();
        self.octree.scratch.heap_bytes()
            + self.voxel_astar.heap_bytes()
            + self.corridor.heap_bytes()
            + self.agent_regions.heap_bytes()
            + points * size_of::<LocalVoxel>()
            + self.recycled.capacity() * size_of::<Voxel>()
    }

    /// As [`FlightSearcher::find`], but expands every reachable node if the goal is unreachable.
    pub(super) fn find_exhaustive(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Outcome<FlightPath>, RequestError> {
        self.is_exhaustive = true;
        let outcome = self.find(air, request);
        self.is_exhaustive = false;
        outcome
    }

    /// Expansions of `agent_regions` that are not included in `finished`.
    fn n_unfinished_regions(&self) -> u64 {
        self.agent_regions.n_expansions - self.n_finished_regions
    }

    fn regions_stats(&self) -> SearchStats {
        let expansions = if self.is_inflated {
            self.n_unfinished_regions()
        } else {
            self.corridor.n_expansions
        };
        SearchStats {
            expansions,
            pushes: 0,
        }
    }

    fn octree_stats(&self) -> SearchStats {
        SearchStats {
            expansions: self.octree.n_expansions,
            pushes: self.octree.scratch.n_pushes,
        }
    }

    /// Checks a request and starts the search; returns the outcome if none is needed.
    pub(super) fn begin(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Option<Outcome<FlightPath>>, RequestError> {
        check_limits(request)?;
        self.finished = SearchStats::default();
        self.octree.n_expansions = 0;
        self.octree.scratch.n_pushes = 0;
        self.phase = Phase::Octree;
        self.has_checked_connectivity = false;
        self.agent_regions.n_expansions = 0;
        self.n_finished_regions = 0;
        self.partial_reason = None;
        self.is_inflated = requires_inflation(air, request.radius);
        let start = self
            .free_voxel(air, request.from, request.radius)
            .map_err(|reason| RequestError::StartBlocked {
                at: Location::Voxel(request.from),
                reason,
            })?;
        let goal = match self.free_voxel(air, request.to, request.radius) {
            Ok(goal) => goal,
            Err(_) if request.partial == FlightPartialPolicy::Nearest => {
                self.partial_reason = Some(PartialReason::GoalBlocked);
                clamp_to_local(air, request.to)
            }
            Err(reason) => {
                return Err(RequestError::GoalBlocked {
                    at: Location::Voxel(request.to),
                    reason,
                });
            }
        };
        if self.partial_reason.is_none() && air.component(request.from) != air.component(request.to)
        {
            if request.partial == FlightPartialPolicy::Never {
                let proof = UnreachableProof::DifferentComponents;
                return Ok(Some(Outcome::Unreachable {
                    proof,
                    nearest: None,
                }));
            }
            self.partial_reason = Some(PartialReason::GoalUnreachable);
        }
        self.goal = goal;
        if self.partial_reason.is_some() && !self.is_inflated && !self.is_exhaustive {
            let component = air.component(request.from);
            let nearest = component.and_then(|own| air.nearest_in_component(request.to, own));
            self.goal = to_local(air, nearest.unwrap_or(request.from));
        }
        let is_reachable = self.is_reachable();
        if is_reachable && start == self.goal {
            self.points.clear();
            self.points.push(start);
            self.keep_raw();
            let path = self.path(air, request, Cost::ZERO);
            return Ok(Some(self.goal_outcome(path)));
        }
        let test = SegmentTest::new(air, request.radius);
        let is_octree = request.params().is_some();
        if is_octree && is_reachable && !test.is_weighted() && test.is_clear_local(start, self.goal)
        {
            self.points.clear();
            self.points.extend([start, self.goal]);
            self.keep_raw();
            let cost = test.leg_cost(request.from, self.goal_voxel(air));
            let path = self.path(air, request, cost);
            return Ok(Some(self.goal_outcome(path)));
        }
        self.bytes_before = self.scratch_bytes() as u64;
        self.begin_search(air, request, start);
        Ok(None)
    }

    /// True if the search's goal is free and not known to be unreachable: the requested voxel, or
    /// the reachable one nearest to it.
    fn is_reachable(&self) -> bool {
        self.partial_reason.is_none() || !(self.is_inflated || self.is_exhaustive)
    }

    fn goal_voxel(&self, air: &Air) -> Voxel {
        air.to_world(self.goal.map(i32::cast_unsigned))
    }

    /// The outcome of a path to the search's goal.
    fn goal_outcome(&self, path: FlightPath) -> Outcome<FlightPath> {
        match self.partial_reason {
            None => Outcome::Found(path),
            Some(why) => Outcome::Partial {
                best: path,
                reason: why,
            },
        }
    }

    /// Starts the octree or voxel search.
    fn begin_search(&mut self, air: &Air, request: &FlightRequest, start: LocalVoxel) {
        let extent = extent_of(air);
        if request.params().is_none() {
            self.phase = Phase::VoxelAStar;
        }
        let ends = (start, self.goal);
        if self.is_inflated {
            self.begin_search_with(
                &mut InflatedSource::new(air, request.radius),
                extent,
                ends,
                request,
                air,
            );
        } else {
            self.begin_search_with(&mut PointSource::new(air), extent, ends, request, air);
        }
    }

    fn begin_search_with(
        &mut self,
        source: &mut impl NodeSource,
        extent: AirExtent,
        ends: (LocalVoxel, LocalVoxel),
        request: &FlightRequest,
        air: &Air,
    ) {
        match request.params() {
            Some(params) => {
                self.octree
                    .begin(source, extent, (ends, self.is_reachable()), params);
            }
            None => self.voxel_astar.begin(
                source,
                extent,
                (ends, self.is_reachable()),
                max_multiplier(air),
            ),
        }
    }

    /// Runs within `budget`.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        observer: &mut O,
        budget: Budget,
    ) -> StopReason {
        if self.is_inflated {
            let mut blocks = std::mem::take(&mut self.blocks);
            blocks.bind(air, request.radius.raw());
            let blocks = RefCell::new(blocks);
            let stop = self.advance_with(air, request, observer, budget, |air| {
                InflatedSource::with_blocks(air, request.radius, &blocks)
            });
            self.blocks = blocks.into_inner();
            stop
        } else {
            self.advance_with(air, request, observer, budget, PointSource::new)
        }
    }

    /// Takes over the edits since the last query, from the log: what is kept of the free space of
    /// an agent with a radius stays valid but for what lies near the changes. Without this, an edit
    /// drops all of it.
    pub fn sync(&mut self, air: &Air, log: &AirLog) {
        let reach = reach_of(self.blocks.radius());
        let revision = self.blocks.revision();
        for changes in revision
            .and_then(|revision| log.since(revision))
            .into_iter()
            .flatten()
        {
            self.blocks.sync(air, changes, reach);
        }
    }

    fn advance_with<'a, L: NodeSource, O: SearchObserver>(
        &mut self,
        air: &'a Air,
        request: &FlightRequest,
        observer: &mut O,
        budget: Budget,
        new_source: impl Fn(&'a Air) -> L,
    ) -> StopReason {
        let until = self.stats().expansions.saturating_add(budget.expansions);
        let memory = self.bytes_before.saturating_add(budget.memory_bytes);
        let wants_nearest = request.partial == FlightPartialPolicy::Nearest;
        let mut source = new_source(air);
        loop {
            let limit = until.saturating_sub(self.finished.expansions);
            match self.phase {
                Phase::VoxelAStar => {
                    let search = &mut self.voxel_astar;
                    return search.advance(&mut source, observer, (limit, memory));
                }
                Phase::Unrestricted => {
                    let search = &mut self.octree;
                    return search.advance(&mut source, observer, (limit, memory), |_| true);
                }
                Phase::Octree => {
                    let params = request.params().unwrap_or_default();
                    let after = u64::from(params.corridor_after);
                    let phase_limit = if !self.is_reachable() || params.corridor_after == u32::MAX {
                        u64::MAX
                    } else if self.is_inflated && !self.has_checked_connectivity {
                        after / CONNECTIVITY_DIVISOR
                    } else {
                        after
                    };
                    let stop = self.octree.advance(
                        &mut source,
                        observer,
                        (limit.min(phase_limit), memory),
                        |_| true,
                    );
                    if stop != StopReason::OutOfBudget
                        || limit <= self.octree.n_expansions
                        || self.octree.n_expansions < phase_limit
                    {
                        return stop;
                    }
                    if self.is_inflated && !self.has_checked_connectivity {
                        let ends = (to_local(air, request.from), self.goal);
                        let size = extent_of(air).size;
                        self.agent_regions.begin(&mut source, size, ends);
                        self.has_checked_connectivity = true;
                        self.phase = Phase::Connectivity;
                        continue;
                    }
                    let stats = self.octree_stats();
                    self.finished += stats;
                    if !self.is_inflated {
                        let goal = self.goal_voxel(air);
                        self.corridor.begin(air, (request.from, goal));
                    }
                    self.phase = Phase::Regions;
                }
                Phase::Connectivity => {
                    let limit = limit.saturating_sub(self.octree.n_expansions);
                    let regions = &mut self.agent_regions;
                    match regions.advance(&mut source, limit, MAX_CONNECTIVITY) {
                        Connectivity::OutOfBudget => return StopReason::OutOfBudget,
                        Connectivity::Disconnected if !wants_nearest => {
                            return StopReason::Exhausted;
                        }
                        // The nearest reachable voxel requires an exhaustive search.
                        Connectivity::Disconnected => self.phase = Phase::Unrestricted,
                        Connectivity::Connected | Connectivity::Undecided => {
                            self.phase = Phase::Octree;
                        }
                    }
                    self.finished.expansions += self.n_unfinished_regions();
                    self.n_finished_regions = self.agent_regions.n_expansions;
                }
                Phase::Regions => {
                    let stop = if self.is_inflated {
                        let limit = limit.saturating_add(self.n_finished_regions);
                        match self.agent_regions.advance(&mut source, limit, u64::MAX) {
                            Connectivity::OutOfBudget => return StopReason::OutOfBudget,
                            Connectivity::Disconnected if !wants_nearest => {
                                return StopReason::Exhausted;
                            }
                            Connectivity::Disconnected => StopReason::Exhausted,
                            Connectivity::Connected | Connectivity::Undecided => {
                                StopReason::Goal(0)
                            }
                        }
                    } else {
                        self.corridor.advance(air, limit)
                    };
                    if stop == StopReason::OutOfBudget {
                        return stop;
                    }
                    let stats = self.regions_stats();
                    self.finished += stats;
                    self.n_finished_regions = self.agent_regions.n_expansions;
                    self.begin_search(air, request, to_local(air, request.from));
                    self.phase = match stop {
                        StopReason::Goal(_) => Phase::Corridor,
                        _ => Phase::Unrestricted,
                    };
                }
                Phase::Corridor => {
                    let budget = (limit, memory);
                    let octree = &mut self.octree;
                    let stop = if self.is_inflated {
                        let regions = &mut self.agent_regions;
                        let mut regions_source = new_source(air);
                        let is_allowed = |at: LocalVoxel| regions.contains(&mut regions_source, at);
                        octree.advance(&mut source, observer, budget, is_allowed)
                    } else {
                        let corridor = &self.corridor;
                        let is_allowed = |at: LocalVoxel| {
                            corridor.contains(air, air.to_world(at.map(i32::cast_unsigned)))
                        };
                        octree.advance(&mut source, observer, budget, is_allowed)
                    };
                    if stop != StopReason::Exhausted {
                        return stop;
                    }
                    // Not expected: adjacent regions are connected by voxels.
                    let stats = self.octree_stats();
                    self.finished += stats;
                    self.begin_search(air, request, to_local(air, request.from));
                    self.phase = Phase::Unrestricted;
                }
            }
        }
    }

    /// The outcome of a search that stopped.
    pub(super) fn outcome(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        stop: StopReason,
    ) -> Outcome<FlightPath> {
        let stats = self.stats();
        match (stop, self.partial_reason) {
            (StopReason::Goal(node), _) => {
                let path = self.path_to(air, request, (node, self.goal));
                if path.cost.is_saturated() {
                    return Outcome::BEYOND_COST_LIMIT;
                }
                self.goal_outcome(path)
            }
            (StopReason::TooFar, _) => Outcome::BEYOND_COST_LIMIT,
            (StopReason::OutOfBudget, _) => {
                let best = self.best_path(air, request);
                Outcome::OutOfBudget { best, stats }
            }
            (StopReason::Exhausted, Some(why)) => {
                let best = self.best_path(air, request);
                Outcome::Partial { best, reason: why }
            }
            (StopReason::Exhausted, None) => {
                let wants_nearest = request.partial == FlightPartialPolicy::Nearest;
                let nearest = wants_nearest.then(|| self.best_path(air, request));
                let proof = UnreachableProof::SearchExhausted;
                Outcome::Unreachable { proof, nearest }
            }
        }
    }

    /// The path to the expanded node of lowest heuristic.
    fn best_path(&mut self, air: &Air, request: &FlightRequest) -> FlightPath {
        match self.phase {
            Phase::VoxelAStar => {
                let node = self.voxel_astar.nearest();
                self.path_to(air, request, (node, self.goal))
            }
            Phase::Regions if !self.is_inflated => {
                // A path over regions is no path over voxels: the start alone.
                self.points.clear();
                self.points.push(to_local(air, request.from));
                self.keep_raw();
                self.path(air, request, Cost::ZERO)
            }
            _ => {
                let number = self.octree.nearest();
                let node = self.octree.scratch.nodes[number as usize];
                let end = nearest_in(&node, self.goal, extent_of(air).size);
                self.path_to(air, request, (number, end))
            }
        }
    }

    fn path_to(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        (node, end): (u32, LocalVoxel),
    ) -> FlightPath {
        let test = SegmentTest::new(air, request.radius);
        let Some(params) = request.params() else {
            self.voxel_astar.waypoints(node, &mut self.points);
            self.keep_raw();
            let cost = self.voxel_astar.cost(node);
            return FlightPath {
                cost,
                ..self.path(air, request, cost)
            };
        };
        trace::waypoints(&self.octree.scratch.nodes, node, end, &mut self.points);
        self.keep_raw();
        let voxel = |at: LocalVoxel| air.to_world(at.map(i32::cast_unsigned));
        let legs = self.points.windows(2);
        let raw_cost = legs
            .map(|leg| test.leg_cost(voxel(leg[0]), voxel(leg[1])))
            .sum();
        smooth::smooth(
            &mut self.points,
            &mut self.spare,
            params.cutting_rounds.min(15),
            &test,
        );
        self.path(air, request, raw_cost)
    }

    /// The path along `points`.
    pub(super) fn path(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        raw_cost: Cost,
    ) -> FlightPath {
        let mut waypoints = std::mem::take(&mut self.recycled);
        waypoints.clear();
        waypoints.extend(
            self.points
                .iter()
                .map(|at| air.to_world(at.map(i32::cast_unsigned))),
        );
        let test = SegmentTest::new(air, request.radius);
        let cost = waypoints
            .windows(2)
            .map(|leg| test.leg_cost(leg[0], leg[1]))
            .sum();
        FlightPath {
            waypoints,
            cost,
            raw_cost,
            revision: air.revision(),
            expansions: self.stats().expansions,
            radius: request.radius,
        }
    }

    /// The nodes of the last octree search.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.octree.scratch.nodes
    }

    /// The voxel of a node nearest to the last search's goal.
    pub(super) fn nearest_to_goal(&self, air: &Air, node: &Node) -> Voxel {
        let at = nearest_in(node, self.goal, extent_of(air).size);
        air.to_world(at.map(i32::cast_unsigned))
    }

    /// The local voxel if it is free for the agent, or the reason why not.
    fn free_voxel(&self, air: &Air, at: Voxel, radius: Fixed) -> Result<LocalVoxel, &'static str> {
        let local = air.to_local(at).ok_or("it lies out of bounds")?;
        if !air.is_free(at) {
            return Err("it is solid");
        }
        let local = local.map(u32::cast_signed);
        if self.is_inflated {
            if air.cost_multiplier(at).is_none() {
                return Err("a volume closes it");
            }
            let free = InflatedSource::new(air, radius).node_at(local).free;
            if free >> bits::index(local.map(i32::cast_unsigned)) & 1 == 0 {
                return Err("the clearance is less than the agent's radius");
            }
        }
        Ok(local)
    }
}
