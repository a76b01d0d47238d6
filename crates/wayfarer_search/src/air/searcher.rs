//! The memory that searches through the air reuse, and how a request is carried out with it.

use wayfarer_base::{
    Budget, Cost, Fixed, Observer, Outcome, Place, Price, Refusal, Shortfall, Silent, Spent,
    UnreachableProof, Voxel,
};
use wayfarer_world::air::{Air, bits};

use super::corridor::Corridor;
use super::exact::ExactSearch;
use super::look::{AsItIs, At, Look};
use super::narrow::{MOST_RADIUS, Narrow};
use super::octree::{N_LAYERS, OctreeSearch, Scene, voxel_of};
use super::scratch::Node;
use super::sight::Sight;
use super::{AirPath, FlightRequest, IfNoFlight, smooth, trace};
use crate::kernel::Stop;

/// What a thread needs to search airs of any size, reused from query to query.
///
/// Takes about 150 bytes for each node that the largest search came to. Results never depend on
/// what a searcher was used for before.
#[derive(Clone, Debug, Default)]
pub struct FlightSearcher {
    octree: OctreeSearch,
    exact: ExactSearch,
    corridor: Corridor,
    phase: Phase,
    /// True if not every free voxel is free for the agent, or not all cost the same.
    is_narrow: bool,
    goal: At,
    why_short: Option<Shortfall>,
    /// Expansions of phases that are over.
    before: Spent,
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
    ) -> Result<Outcome<AirPath>, Refusal> {
        self.find_observed(air, request, &mut Silent)
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
        observer: &mut impl Observer,
    ) -> Result<Outcome<AirPath>, Refusal> {
        if let Some(early) = self.begin(air, request)? {
            return Ok(early);
        }
        let stop = self.advance(air, request, observer, request.budget);
        Ok(self.outcome(air, request, stop))
    }

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: AirPath) {
        if path.waypoints.capacity() > self.recycled.capacity() {
            self.recycled = path.waypoints;
        }
    }

    /// What the last search used.
    pub fn spent(&self) -> Spent {
        let mut spent = self.before;
        spent += match self.phase {
            Phase::Octree | Phase::Corridor | Phase::Wide => self.octree_spent(),
            Phase::Regions => Spent {
                expansions: self.corridor.n_expansions,
                pushes: 0,
            },
            Phase::Exact => self.exact.spent(),
        };
        spent
    }

    /// The expansions of the last search over the octree by layer: single voxels come first, then
    /// leaves, then cubes of 8, 16, 32 and more voxels a side.
    pub const fn expansions_by_layer(&self) -> [u32; N_LAYERS] {
        self.octree.by_layer
    }

    /// The last way through `air` before it was pulled tight, from start to end: what
    /// [`AirPath::raw_cost`] is the cost of. Each waypoint is in sight of the next.
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
            + points * size_of::<At>()
            + self.recycled.capacity() * size_of::<Voxel>()
    }

    fn octree_spent(&self) -> Spent {
        Spent {
            expansions: self.octree.n_expansions,
            pushes: self.octree.scratch.n_pushes,
        }
    }

    /// Looks at a request, and begins the search unless the answer is known already.
    pub(super) fn begin(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Option<Outcome<AirPath>>, Refusal> {
        check_limits(request)?;
        self.before = Spent::default();
        self.octree.n_expansions = 0;
        self.octree.scratch.n_pushes = 0;
        self.phase = Phase::Octree;
        self.why_short = None;
        self.is_narrow = is_narrow(air, request.radius);
        let start = self
            .free_place(air, request.from, request.radius)
            .map_err(|because| Refusal::StartBlocked {
                at: Place::Voxel(request.from),
                because,
            })?;
        let goal = match self.free_place(air, request.to, request.radius) {
            Ok(goal) => goal,
            Err(_) if request.if_no_way == IfNoFlight::Nearest => {
                self.why_short = Some(Shortfall::GoalBlocked);
                clamped(air, request.to)
            }
            Err(because) => {
                return Err(Refusal::GoalBlocked {
                    at: Place::Voxel(request.to),
                    because,
                });
            }
        };
        if self.why_short.is_none() && air.component(request.from) != air.component(request.to) {
            if request.if_no_way == IfNoFlight::Refuse {
                let proof = UnreachableProof::DifferentComponents;
                return Ok(Some(Outcome::Unreachable {
                    proof,
                    nearest: None,
                }));
            }
            self.why_short = Some(Shortfall::GoalUnreachable);
        }
        self.goal = goal;
        if self.why_short.is_none() && start == goal {
            self.points.clear();
            self.points.push(start);
            self.keep_raw();
            return Ok(Some(Outcome::Found(self.path(air, request, Cost::ZERO))));
        }
        let sight = Sight::new(air, request.radius);
        let is_octree = request.tuning().is_some();
        if is_octree && self.why_short.is_none() && !sight.is_priced() && sight.sees(start, goal) {
            self.points.clear();
            self.points.extend([start, goal]);
            self.keep_raw();
            let cost = sight.leg_cost(request.from, request.to);
            return Ok(Some(Outcome::Found(self.path(air, request, cost))));
        }
        self.bytes_before = self.heap_bytes() as u64;
        self.set_out(air, request, start);
        Ok(None)
    }

    /// Begins the search of the method asked for, or within the corridor.
    fn set_out(&mut self, air: &Air, request: &FlightRequest, start: At) {
        let scene = scene_of(air);
        let tuning = request.tuning();
        if tuning.is_none() {
            self.phase = Phase::Exact;
        }
        let ends = (start, self.goal);
        if self.is_narrow {
            self.set_out_with(
                &mut Narrow::new(air, request.radius),
                scene,
                ends,
                request,
                air,
            );
        } else {
            self.set_out_with(&mut AsItIs::new(air), scene, ends, request, air);
        }
    }

    fn set_out_with(
        &mut self,
        look: &mut impl Look,
        scene: Scene,
        ends: (At, At),
        request: &FlightRequest,
        air: &Air,
    ) {
        match request.tuning() {
            Some(tuning) => {
                self.octree
                    .begin(look, scene, (ends, self.why_short.is_none()), tuning);
            }
            None => self
                .exact
                .begin(look, scene, (ends, self.why_short.is_none()), dearest(air)),
        }
    }

    /// Goes on by at most `budget`.
    pub(super) fn advance<O: Observer>(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        observer: &mut O,
        budget: Budget,
    ) -> Stop {
        if self.is_narrow {
            self.advance_with(air, request, observer, budget, |air| {
                Narrow::new(air, request.radius)
            })
        } else {
            self.advance_with(air, request, observer, budget, AsItIs::new)
        }
    }

    fn advance_with<'a, L: Look, O: Observer>(
        &mut self,
        air: &'a Air,
        request: &FlightRequest,
        observer: &mut O,
        budget: Budget,
        look: impl Fn(&'a Air) -> L,
    ) -> Stop {
        let until = self.spent().expansions.saturating_add(budget.expansions);
        let memory = self.bytes_before.saturating_add(budget.memory_bytes);
        let mut look = look(air);
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
                    let tuning = request.tuning().unwrap_or_default();
                    let patience = if self.is_narrow || self.why_short.is_some() {
                        u64::MAX
                    } else {
                        u64::from(tuning.corridor_after)
                    };
                    let stop = self.octree.advance(
                        &mut look,
                        observer,
                        (limit.min(patience), memory),
                        |_| true,
                    );
                    if stop != Stop::OutOfBudget
                        || limit <= self.octree.n_expansions
                        || self.octree.n_expansions < patience
                    {
                        return stop;
                    }
                    let spent = self.octree_spent();
                    self.before += spent;
                    self.corridor.begin(air, (request.from, request.to));
                    self.phase = Phase::Regions;
                }
                Phase::Regions => {
                    let stop = self.corridor.advance(air, limit);
                    if stop == Stop::OutOfBudget {
                        return stop;
                    }
                    self.before += Spent {
                        expansions: self.corridor.n_expansions,
                        pushes: 0,
                    };
                    let start = place_of(air, request.from);
                    self.set_out(air, request, start);
                    self.phase = match stop {
                        Stop::Goal(_) => Phase::Corridor,
                        _ => Phase::Wide,
                    };
                }
                Phase::Corridor => {
                    let corridor = &self.corridor;
                    let allowed =
                        |at: At| corridor.contains(air, air.voxel(at.map(i32::cast_unsigned)));
                    let stop = self
                        .octree
                        .advance(&mut look, observer, (limit, memory), allowed);
                    if stop != Stop::Exhausted {
                        return stop;
                    }
                    // Not expected: regions that touch are joined by voxels.
                    let spent = self.octree_spent();
                    self.before += spent;
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
        stop: Stop,
    ) -> Outcome<AirPath> {
        let spent = self.spent();
        match (stop, self.why_short) {
            (Stop::Goal(node), _) => {
                let path = self.way_to(air, request, (node, self.goal));
                if path.cost.is_saturated() {
                    return Outcome::OutOfBudget { best: path, spent };
                }
                Outcome::Found(path)
            }
            (Stop::OutOfBudget | Stop::TooFar, _) => {
                let best = self.best(air, request);
                Outcome::OutOfBudget { best, spent }
            }
            (Stop::Exhausted, Some(why)) => {
                let best = self.best(air, request);
                Outcome::Partial { best, why }
            }
            (Stop::Exhausted, None) => {
                let wants = request.if_no_way == IfNoFlight::Nearest;
                let nearest = wants.then(|| self.best(air, request));
                let proof = UnreachableProof::SearchExhausted;
                Outcome::Unreachable { proof, nearest }
            }
        }
    }

    /// The way to the node from which the goal seemed nearest.
    fn best(&mut self, air: &Air, request: &FlightRequest) -> AirPath {
        match self.phase {
            Phase::Exact => {
                let node = self.exact.nearest();
                self.way_to(air, request, (node, self.goal))
            }
            Phase::Regions => {
                // Nothing is known of voxels yet: one stays where one is.
                self.points.clear();
                self.points.push(place_of(air, request.from));
                self.keep_raw();
                self.path(air, request, Cost::ZERO)
            }
            Phase::Octree | Phase::Corridor | Phase::Wide => {
                let node = self.octree.nearest();
                let known = self.octree.scratch.nodes[node as usize];
                let end = nearest_in(&known, self.goal, scene_of(air).size);
                self.way_to(air, request, (node, end))
            }
        }
    }

    fn way_to(&mut self, air: &Air, request: &FlightRequest, (node, end): (u32, At)) -> AirPath {
        let sight = Sight::new(air, request.radius);
        let Some(tuning) = request.tuning() else {
            self.exact.waypoints(node, &mut self.points);
            self.keep_raw();
            let cost = self.exact.cost(node);
            return AirPath {
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
            tuning.cutting_rounds.min(15),
            &sight,
        );
        self.path(air, request, raw)
    }

    /// The path along the points at hand.
    pub(super) fn path(&mut self, air: &Air, request: &FlightRequest, raw_cost: Cost) -> AirPath {
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
        AirPath {
            waypoints,
            cost,
            raw_cost,
            revision: air.revision(),
            expansions: self.spent().expansions,
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
            if air.price(at).is_none() {
                return Err("a volume closes it");
            }
            let free = Narrow::new(air, radius).look(place).free;
            if free >> bits::index(place.map(i32::cast_unsigned)) & 1 == 0 {
                return Err("there is no room for the agent's radius");
            }
        }
        Ok(place)
    }
}

/// True if not every free voxel is free for the agent, or not all cost the same.
pub(super) fn is_narrow(air: &Air, radius: Fixed) -> bool {
    radius.raw() > 128 || air.volumes().next().is_some() || air.price_elsewhere() != Price::ONE
}

fn check_limits(request: &FlightRequest) -> Result<(), Refusal> {
    let limit = |what, found: i64, expected, is_fine: bool| {
        if is_fine {
            Ok(())
        } else {
            Err(Refusal::OutOfLimits {
                what,
                found,
                expected,
            })
        }
    };
    let radius = request.radius.raw();
    let fits = (0..=MOST_RADIUS * 256).contains(&radius);
    limit(
        "the radius in 1/256 of a voxel",
        radius.into(),
        "0 to 3072",
        fits,
    )?;
    let Some(tuning) = request.tuning() else {
        return Ok(());
    };
    let greed = tuning.greed;
    let fits = (1..=65_535).contains(&greed);
    limit("the greed in 1/256", greed.into(), "1 to 65535", fits)?;
    for share in [tuning.large_cost, tuning.large_guess] {
        limit(
            "a share for large cubes in 1/256",
            share.into(),
            "0 to 255",
            share < 256,
        )?;
    }
    Ok(())
}

pub(super) fn scene_of(air: &Air) -> Scene {
    Scene {
        origin: air.low(),
        size: air.size().map(u32::cast_signed),
        top: air.top_layer(),
    }
}

/// The place of a voxel that is known to lie inside the bounds.
fn place_of(air: &Air, at: Voxel) -> At {
    air.place(at).map_or([0; 3], |at| at.map(u32::cast_signed))
}

/// The place inside the bounds nearest to a voxel.
fn clamped(air: &Air, at: Voxel) -> At {
    let (low, high) = (air.low(), air.high());
    let inside = Voxel::new(
        at.x.clamp(low.x, high.x),
        at.y.clamp(low.y, high.y),
        at.z.clamp(low.z, high.z),
    );
    place_of(air, inside)
}

/// The highest price there is, in sixteenths.
fn dearest(air: &Air) -> u16 {
    let prices = air.volumes().filter_map(|(_, volume)| match volume.rule {
        wayfarer_world::air::VolumeRule::Price(price) => Some(price.sixteenths()),
        wayfarer_world::air::VolumeRule::Closed => None,
    });
    prices.fold(air.price_elsewhere().sixteenths(), u16::max)
}

/// The voxel of a node nearest to a place; of equals the lowest bit.
fn nearest_in(node: &Node, to: At, size: At) -> At {
    if node.free == bits::ALL {
        let side = 1_i32 << node.log;
        return std::array::from_fn(|axis| {
            let high = (node.low[axis] + side).min(size[axis]) - 1;
            to[axis].clamp(node.low[axis], high)
        });
    }
    let mut best = (i64::MAX, node.entry);
    let mut left = node.free;
    while left != 0 {
        let voxel = voxel_of(node.low, left);
        left &= left - 1;
        let square = (0..3).fold(0, |sum, axis| {
            let apart = i64::from(voxel[axis]) - i64::from(to[axis]);
            sum + apart * apart
        });
        if square < best.0 {
            best = (square, voxel);
        }
    }
    best.1
}
