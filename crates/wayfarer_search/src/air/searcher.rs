//! The memory that searches through the air reuse, and how a request is carried out with it.

use wayfarer_base::{
    Budget, Cost, Fixed, Location, NoopObserver, Outcome, PartialReason, RequestError,
    SearchObserver, SearchStats, UnreachableProof, Voxel,
};
use wayfarer_world::air::{Air, bits};

use super::agent_regions::{AgentRegions, Reach};
use super::corridor::Corridor;
use super::inflated::InflatedSource;
use super::node_points::{
    check_limits, clamped, dearest, is_narrow, nearest_in, place_of, scene_of,
};
use super::node_source::{At, NodeSource, PointSource};
use super::octree::{N_LAYERS, OctreeSearch, Scene};
use super::scratch::Node;
use super::sight::Sight;
use super::voxel_astar::VoxelAStarSearch;
use super::{FlightPartialPolicy, FlightPath, FlightRequest, smooth, trace};
use crate::kernel::StopReason;

/// So many times sooner than regions would be searched for a corridor, it is asked whether an agent
/// with a body can get there at all.
const POCKETS_SOONER: u64 = 8;
/// So many regions are expanded for that before the search goes on.
const POCKET_REGIONS: u64 = 512;

/// What a thread needs to search airs of any size, reused from query to query.
///
/// Takes about 150 bytes for each node that the largest search came to. Results never depend on
/// what a searcher was used for before.
#[derive(Clone, Debug, Default)]
pub struct FlightSearcher {
    octree: OctreeSearch,
    exact: VoxelAStarSearch,
    corridor: Corridor,
    pockets: AgentRegions,
    phase: Phase,
    /// What of the expansions among regions of an agent with a body is in `before`.
    pockets_before: u64,
    /// True once it was asked whether the ends lie in different pockets.
    has_asked: bool,
    /// True if a goal that cannot be reached is no reason to stop short of everything.
    is_exhaustive: bool,
    /// True if not every free voxel is free for the agent, or not all cost the same.
    is_narrow: bool,
    goal: At,
    why_short: Option<PartialReason>,
    /// Expansions of phases that are over.
    before: SearchStats,
    /// Bytes that the scratch had when the request began.
    bytes_before: u64,
    pub(super) points: Vec<At>,
    pub(super) spare: Vec<At>,
    /// The last way before it was pulled tight.
    raw: Vec<At>,
    recycled: Vec<Voxel>,
}

/// What the search at hand does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// Over the octree; among regions first if that takes too long.
    #[default]
    Octree,
    /// Among regions for an agent with a body, whether there is a way at all.
    Pockets,
    /// Among regions.
    Regions,
    /// Over the octree within the regions of a way.
    Corridor,
    /// Over the octree, however long it takes.
    Wide,
    /// Voxel by voxel.
    Exact,
}

impl FlightSearcher {
    /// Answers a request.
    ///
    /// The answer depends on the air and the request alone, whatever the searcher did before. A
    /// goal in another component is answered without a search, a goal in sight by one look. If
    /// the budget runs out, the best is the way to the node from which the goal seemed nearest.
    ///
    /// After some queries of the same size the scratch no longer allocates; the path does, unless
    /// an old one is handed back with [`FlightSearcher::recycle`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn find(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Outcome<FlightPath>, RequestError> {
        self.find_observed(air, request, &mut NoopObserver)
    }

    /// Answers a request and tells `observer` what happens on the way; the answer is that of
    /// [`FlightSearcher::find`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
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

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: FlightPath) {
        if path.waypoints.capacity() > self.recycled.capacity() {
            self.recycled = path.waypoints;
        }
    }

    /// What the last search used.
    pub fn stats(&self) -> SearchStats {
        let mut stats = self.before;
        stats += match self.phase {
            Phase::Octree | Phase::Corridor | Phase::Wide => self.octree_stats(),
            Phase::Pockets => {
                let mut stats = self.octree_stats();
                stats.expansions += self.agent_regions_stats();
                stats
            }
            Phase::Regions => self.regions_stats(),
            Phase::Exact => self.exact.stats(),
        };
        stats
    }

    /// The expansions of the last search over the octree by layer: single voxels come first, then
    /// leaves, then cubes of 8, 16, 32 and more voxels a side.
    pub const fn expansions_by_layer(&self) -> [u32; N_LAYERS] {
        self.octree.by_layer
    }

    /// The last way through `air` before it was pulled tight, from start to end: what
    /// [`FlightPath::raw_cost`] is the cost of. Each waypoint is in sight of the next.
    pub fn raw_waypoints(&self, air: &Air) -> impl Iterator<Item = Voxel> {
        let voxel = |at: &At| air.voxel(at.map(i32::cast_unsigned));
        self.raw.iter().map(voxel)
    }

    /// Keeps the points at hand as the way before it is pulled tight.
    pub(super) fn keep_raw(&mut self) {
        self.raw.clear();
        self.raw.extend_from_slice(&self.points);
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        let points = self.points.capacity() + self.spare.capacity() + self.raw.capacity();
        self.octree.scratch.heap_bytes()
            + self.exact.heap_bytes()
            + self.corridor.heap_bytes()
            + self.pockets.heap_bytes()
            + points * size_of::<At>()
            + self.recycled.capacity() * size_of::<Voxel>()
    }

    /// Answers a request after a search of everything, if there is no way: for explanations.
    pub(super) fn find_everything(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Outcome<FlightPath>, RequestError> {
        self.is_exhaustive = true;
        let outcome = self.find(air, request);
        self.is_exhaustive = false;
        outcome
    }

    /// Regions of an agent with a body that were expanded and are not in `before`.
    fn agent_regions_stats(&self) -> u64 {
        self.pockets.n_expansions - self.pockets_before
    }

    fn regions_stats(&self) -> SearchStats {
        let expansions = if self.is_narrow {
            self.agent_regions_stats()
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

    /// Looks at a request, and begins the search unless the answer is known already.
    pub(super) fn begin(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Option<Outcome<FlightPath>>, RequestError> {
        check_limits(request)?;
        self.before = SearchStats::default();
        self.octree.n_expansions = 0;
        self.octree.scratch.n_pushes = 0;
        self.phase = Phase::Octree;
        self.has_asked = false;
        self.pockets.n_expansions = 0;
        self.pockets_before = 0;
        self.why_short = None;
        self.is_narrow = is_narrow(air, request.radius);
        let start = self
            .free_place(air, request.from, request.radius)
            .map_err(|reason| RequestError::StartBlocked {
                at: Location::Voxel(request.from),
                reason,
            })?;
        let goal = match self.free_place(air, request.to, request.radius) {
            Ok(goal) => goal,
            Err(_) if request.partial == FlightPartialPolicy::Nearest => {
                self.why_short = Some(PartialReason::GoalBlocked);
                clamped(air, request.to)
            }
            Err(reason) => {
                return Err(RequestError::GoalBlocked {
                    at: Location::Voxel(request.to),
                    reason,
                });
            }
        };
        if self.why_short.is_none() && air.component(request.from) != air.component(request.to) {
            if request.partial == FlightPartialPolicy::Never {
                let proof = UnreachableProof::DifferentComponents;
                return Ok(Some(Outcome::Unreachable {
                    proof,
                    nearest: None,
                }));
            }
            self.why_short = Some(PartialReason::GoalUnreachable);
        }
        self.goal = goal;
        if self.why_short.is_some() && !self.is_narrow && !self.is_exhaustive {
            let component = air.component(request.from);
            let nearest = component.and_then(|own| air.nearest_in_component(request.to, own));
            self.goal = place_of(air, nearest.unwrap_or(request.from));
        }
        let is_reachable = self.is_reachable();
        if is_reachable && start == self.goal {
            self.points.clear();
            self.points.push(start);
            self.keep_raw();
            let path = self.path(air, request, Cost::ZERO);
            return Ok(Some(self.arrived(path)));
        }
        let sight = Sight::new(air, request.radius);
        let is_octree = request.params().is_some();
        if is_octree && is_reachable && !sight.is_weighted() && sight.sees(start, self.goal) {
            self.points.clear();
            self.points.extend([start, self.goal]);
            self.keep_raw();
            let cost = sight.leg_cost(request.from, self.goal_voxel(air));
            let path = self.path(air, request, cost);
            return Ok(Some(self.arrived(path)));
        }
        self.bytes_before = self.heap_bytes() as u64;
        self.set_out(air, request, start);
        Ok(None)
    }

    /// True if the goal of the search can be entered, and reached as far as is known: it is the one
    /// asked for, or the voxel nearest to that.
    fn is_reachable(&self) -> bool {
        self.why_short.is_none() || !(self.is_narrow || self.is_exhaustive)
    }

    fn goal_voxel(&self, air: &Air) -> Voxel {
        air.voxel(self.goal.map(i32::cast_unsigned))
    }

    /// The answer with a flight to the goal of the search.
    fn arrived(&self, path: FlightPath) -> Outcome<FlightPath> {
        match self.why_short {
            None => Outcome::Found(path),
            Some(why) => Outcome::Partial { best: path, reason: why },
        }
    }

    /// Begins the search of the method asked for, or within the corridor.
    fn set_out(&mut self, air: &Air, request: &FlightRequest, start: At) {
        let scene = scene_of(air);
        let params = request.params();
        if params.is_none() {
            self.phase = Phase::Exact;
        }
        let ends = (start, self.goal);
        if self.is_narrow {
            self.set_out_with(
                &mut InflatedSource::new(air, request.radius),
                scene,
                ends,
                request,
                air,
            );
        } else {
            self.set_out_with(&mut PointSource::new(air), scene, ends, request, air);
        }
    }

    fn set_out_with(
        &mut self,
        look: &mut impl NodeSource,
        scene: Scene,
        ends: (At, At),
        request: &FlightRequest,
        air: &Air,
    ) {
        match request.params() {
            Some(params) => {
                self.octree
                    .begin(look, scene, (ends, self.is_reachable()), params);
            }
            None => self
                .exact
                .begin(look, scene, (ends, self.is_reachable()), dearest(air)),
        }
    }

    /// Goes on by at most `budget`.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        observer: &mut O,
        budget: Budget,
    ) -> StopReason {
        if self.is_narrow {
            self.advance_with(air, request, observer, budget, |air| {
                InflatedSource::new(air, request.radius)
            })
        } else {
            self.advance_with(air, request, observer, budget, PointSource::new)
        }
    }

    fn advance_with<'a, L: NodeSource, O: SearchObserver>(
        &mut self,
        air: &'a Air,
        request: &FlightRequest,
        observer: &mut O,
        budget: Budget,
        fresh: impl Fn(&'a Air) -> L,
    ) -> StopReason {
        let until = self.stats().expansions.saturating_add(budget.expansions);
        let memory = self.bytes_before.saturating_add(budget.memory_bytes);
        let wants_nearest = request.partial == FlightPartialPolicy::Nearest;
        let mut look = fresh(air);
        loop {
            let over = self.before.expansions;
            let limit = until.saturating_sub(over);
            match self.phase {
                Phase::Exact => return self.exact.advance(&mut look, observer, (limit, memory)),
                Phase::Wide => {
                    return self
                        .octree
                        .advance(&mut look, observer, (limit, memory), |_| true);
                }
                Phase::Octree => {
                    let params = request.params().unwrap_or_default();
                    let after = u64::from(params.corridor_after);
                    let patience = if !self.is_reachable() || params.corridor_after == u32::MAX {
                        u64::MAX
                    } else if self.is_narrow && !self.has_asked {
                        after / POCKETS_SOONER
                    } else {
                        after
                    };
                    let stop = self.octree.advance(
                        &mut look,
                        observer,
                        (limit.min(patience), memory),
                        |_| true,
                    );
                    if stop != StopReason::OutOfBudget
                        || limit <= self.octree.n_expansions
                        || self.octree.n_expansions < patience
                    {
                        return stop;
                    }
                    if self.is_narrow && !self.has_asked {
                        let ends = (place_of(air, request.from), self.goal);
                        self.pockets.begin(&mut look, scene_of(air).size, ends);
                        self.has_asked = true;
                        self.phase = Phase::Pockets;
                        continue;
                    }
                    let stats = self.octree_stats();
                    self.before += stats;
                    if !self.is_narrow {
                        let goal = self.goal_voxel(air);
                        self.corridor.begin(air, (request.from, goal));
                    }
                    self.phase = Phase::Regions;
                }
                Phase::Pockets => {
                    let limit = limit.saturating_sub(self.octree.n_expansions);
                    match self.pockets.advance(&mut look, limit, POCKET_REGIONS) {
                        Reach::OutOfBudget => return StopReason::OutOfBudget,
                        Reach::Apart if !wants_nearest => return StopReason::Exhausted,
                        // Everything that can be reached is gone through for the nearest place.
                        Reach::Apart => self.phase = Phase::Wide,
                        Reach::Joined | Reach::Undecided => self.phase = Phase::Octree,
                    }
                    self.before.expansions += self.agent_regions_stats();
                    self.pockets_before = self.pockets.n_expansions;
                }
                Phase::Regions => {
                    let stop = if self.is_narrow {
                        let limit = limit.saturating_add(self.pockets_before);
                        match self.pockets.advance(&mut look, limit, u64::MAX) {
                            Reach::OutOfBudget => return StopReason::OutOfBudget,
                            Reach::Apart if !wants_nearest => return StopReason::Exhausted,
                            Reach::Apart => StopReason::Exhausted,
                            Reach::Joined | Reach::Undecided => StopReason::Goal(0),
                        }
                    } else {
                        self.corridor.advance(air, limit)
                    };
                    if stop == StopReason::OutOfBudget {
                        return stop;
                    }
                    let stats = self.regions_stats();
                    self.before += stats;
                    self.pockets_before = self.pockets.n_expansions;
                    let start = place_of(air, request.from);
                    self.set_out(air, request, start);
                    self.phase = match stop {
                        StopReason::Goal(_) => Phase::Corridor,
                        _ => Phase::Wide,
                    };
                }
                Phase::Corridor => {
                    let budget = (limit, memory);
                    let stop = if self.is_narrow {
                        let pockets = &mut self.pockets;
                        let mut beside = fresh(air);
                        let allowed = |at: At| pockets.contains(&mut beside, at);
                        let octree = &mut self.octree;
                        octree.advance(&mut look, observer, budget, allowed)
                    } else {
                        let corridor = &self.corridor;
                        let allowed =
                            |at: At| corridor.contains(air, air.voxel(at.map(i32::cast_unsigned)));
                        let octree = &mut self.octree;
                        octree.advance(&mut look, observer, budget, allowed)
                    };
                    if stop != StopReason::Exhausted {
                        return stop;
                    }
                    // Not expected: regions that touch are joined by voxels.
                    let stats = self.octree_stats();
                    self.before += stats;
                    let start = place_of(air, request.from);
                    self.set_out(air, request, start);
                    self.phase = Phase::Wide;
                }
            }
        }
    }

    /// The answer to a request whose search has stopped.
    pub(super) fn outcome(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        stop: StopReason,
    ) -> Outcome<FlightPath> {
        let stats = self.stats();
        match (stop, self.why_short) {
            (StopReason::Goal(node), _) => {
                let path = self.path_to(air, request, (node, self.goal));
                if path.cost.is_saturated() {
                    return Outcome::OutOfBudget { best: path, stats };
                }
                self.arrived(path)
            }
            (StopReason::OutOfBudget | StopReason::TooFar, _) => {
                let best = self.best(air, request);
                Outcome::OutOfBudget { best, stats }
            }
            (StopReason::Exhausted, Some(why)) => {
                let best = self.best(air, request);
                Outcome::Partial { best, reason: why }
            }
            (StopReason::Exhausted, None) => {
                let wants = request.partial == FlightPartialPolicy::Nearest;
                let nearest = wants.then(|| self.best(air, request));
                let proof = UnreachableProof::SearchExhausted;
                Outcome::Unreachable { proof, nearest }
            }
        }
    }

    /// The way to the node from which the goal seemed nearest.
    fn best(&mut self, air: &Air, request: &FlightRequest) -> FlightPath {
        match self.phase {
            Phase::Exact => {
                let node = self.exact.nearest();
                self.path_to(air, request, (node, self.goal))
            }
            Phase::Regions if !self.is_narrow => {
                // Nothing is known of voxels yet: one stays where one is.
                self.points.clear();
                self.points.push(place_of(air, request.from));
                self.keep_raw();
                self.path(air, request, Cost::ZERO)
            }
            _ => {
                let node = self.octree.nearest();
                let known = self.octree.scratch.nodes[node as usize];
                let end = nearest_in(&known, self.goal, scene_of(air).size);
                self.path_to(air, request, (node, end))
            }
        }
    }

    fn path_to(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        (node, end): (u32, At),
    ) -> FlightPath {
        let sight = Sight::new(air, request.radius);
        let Some(params) = request.params() else {
            self.exact.waypoints(node, &mut self.points);
            self.keep_raw();
            let cost = self.exact.cost(node);
            return FlightPath {
                cost,
                ..self.path(air, request, cost)
            };
        };
        trace::waypoints(&self.octree.scratch.nodes, node, end, &mut self.points);
        self.keep_raw();
        let voxel = |at: At| air.voxel(at.map(i32::cast_unsigned));
        let legs = self.points.windows(2);
        let raw = legs
            .map(|leg| sight.leg_cost(voxel(leg[0]), voxel(leg[1])))
            .sum();
        smooth::smooth(
            &mut self.points,
            &mut self.spare,
            params.cutting_rounds.min(15),
            &sight,
        );
        self.path(air, request, raw)
    }

    /// The path along the points at hand.
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
                .map(|at| air.voxel(at.map(i32::cast_unsigned))),
        );
        let sight = Sight::new(air, request.radius);
        let cost = waypoints
            .windows(2)
            .map(|leg| sight.leg_cost(leg[0], leg[1]))
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

    /// The nodes of the last search over the octree.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.octree.scratch.nodes
    }

    /// The voxel of a node nearest to the goal of the last search.
    pub(super) fn nearest_to_goal(&self, air: &Air, node: &Node) -> Voxel {
        let at = nearest_in(node, self.goal, scene_of(air).size);
        air.voxel(at.map(i32::cast_unsigned))
    }

    /// The place of a voxel where the agent can be, or why it cannot.
    fn free_place(&self, air: &Air, at: Voxel, radius: Fixed) -> Result<At, &'static str> {
        let place = air
            .place(at)
            .ok_or("it lies outside the bounds of the air")?;
        if !air.is_free(at) {
            return Err("it is solid");
        }
        let place = place.map(u32::cast_signed);
        if self.is_narrow {
            if air.cost_multiplier(at).is_none() {
                return Err("a volume closes it");
            }
            let free = InflatedSource::new(air, radius).look(place).free;
            if free >> bits::index(place.map(i32::cast_unsigned)) & 1 == 0 {
                return Err("there is no room for the agent's radius");
            }
        }
        Ok(place)
    }
}
