//! A* over cells and voxels, with reusable scratch.
//!
//! The heuristic is the horizontal octile distance at the lower of the walking and flying costs, 0 if a
//! nav link or air link is cheaper than that; or the difference in height at the lower of climbing on
//! foot and in the air, if that is more, there are no links, and cells, steps and voxels have one size.
//! The order of expansion weights it; what the cost
//! limit prunes does not. Ties: lowest f, then highest g, then the lowest location.
//!
//! Where all voxels around one are free and cost the same, only the moves are generated that the voxel
//! before it does not make as cheaply without it: the natural neighbors of \[Harabor2011\] in space, 1, 3
//! or 7 of 26.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use wayfarer_base::collections::FastMap;
use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Fixed, Location, NoopObserver, Outcome, Point3,
    RequestError, SearchEvent, SearchObserver, SearchStats, Shape, UnreachableProof, Voxel,
};
use wayfarer_world::air::Air;
use wayfarer_world::ground::SuccessorBuffer;

use super::{
    AirLink, FlightProfile, GridAlignment, MultimodalGraph, MultimodalPath, MultimodalRequest,
    StepCostFn,
};
use crate::air::voxel_astar::MOVES;
use crate::ground::NavGraph;

/// Multimodal search with scratch that is reused from query to query; one per thread.
///
/// Takes about 120 bytes per generated location.
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
    records: FastMap<Location, Record>,
    open: BinaryHeap<Reverse<(u64, Reverse<u32>, Location)>>,
    buffer: SuccessorBuffer,
    successors: Vec<(Location, Cost)>,
    stats: SearchStats,
    /// True if a successor was dropped because its cost saturates.
    is_saturated: bool,
}

/// Half a voxel: a ball of this radius stays inside the voxels that a move between centers spans, all of
/// which must be free.
const FITS_ITS_VOXELS: i32 = 128;

#[derive(Clone, Copy, Debug)]
struct Record {
    g: u32,
    parent: Location,
    is_closed: bool,
}

/// The graph of one query with derived constants.
struct QueryGraph<'w> {
    graph: &'w MultimodalGraph<'w>,
    goal: [i64; 2],
    /// Weight of the heuristic, in sixteenths.
    weight: u64,
    /// Lower bounds on the cost of a cell, straight and diagonal, walked or flown.
    min_cost: (u32, u32),
    /// The height of the goal, and a lower bound on the cost of a difference of 1.
    goal_height: i32,
    min_climb: u32,
    has_volumes: bool,
    /// Costs of air moves outside volumes.
    base_costs: [Cost; 26],
    /// True if moves between free voxels cost the same everywhere and follow the triangle inequality.
    may_prune: bool,
}

/// All voxels around one are free.
const ALL_FREE: u32 = (1 << 27) - 1;

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
        mut cost_fn: Option<StepCostFn<'_>>,
        observer: &mut O,
    ) -> Result<Outcome<MultimodalPath>, RequestError> {
        let (start, goal) = (request.from, request.to);
        self.records.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        self.is_saturated = false;
        let bytes_before = self.heap_bytes();
        let reason = "it is not free for the agent";
        if !graph.is_free(start) {
            return Err(RequestError::StartBlocked { at: start, reason });
        }
        if !graph.is_free(goal) {
            return Err(RequestError::GoalBlocked { at: goal, reason });
        }
        let query = QueryGraph::new(graph, goal, request.weight);
        let mut nearest = (query.weighted_heuristic(start), start);
        self.relax(&query, (start, start), 0, request.cost_limit);
        while let Some(Reverse((f, Reverse(g), at))) = self.open.pop() {
            let grown = self.heap_bytes().saturating_sub(bytes_before);
            let is_full = grown > request.budget.memory_bytes;
            let Some(record) = self.records.get_mut(&at) else {
                continue;
            };
            if record.is_closed || g > record.g {
                continue;
            }
            let parent = record.parent;
            if at == goal {
                if O::ACTIVE {
                    let cost = Cost::from_units(g);
                    observer.on_event(SearchEvent::Reached { at, cost });
                }
                return Ok(Outcome::Found(self.path_to(at)));
            }
            if self.stats.expansions >= request.budget.expansions || is_full {
                return Ok(Outcome::OutOfBudget {
                    best: self.path_to(nearest.1),
                    stats: self.stats,
                });
            }
            record.is_closed = true;
            self.stats.expansions += 1;
            let h = f - u64::from(g);
            if h < nearest.0 {
                nearest = (h, at);
            }
            if O::ACTIVE {
                let cost = Cost::from_units(g);
                observer.on_event(SearchEvent::Expanded { at, cost });
            }
            self.generate(&query, (parent, at), &mut cost_fn);
            let mut successors = std::mem::take(&mut self.successors);
            for (to, step) in successors.drain(..) {
                let g = g.saturating_add(step.units());
                if self.relax(&query, (at, to), g, request.cost_limit) && O::ACTIVE {
                    let cost = Cost::from_units(g);
                    observer.on_event(SearchEvent::Opened { at: to, cost });
                }
            }
            self.successors = successors;
        }
        if self.is_saturated {
            return Ok(Outcome::BEYOND_COST_LIMIT);
        }
        Ok(Outcome::Unreachable {
            proof: UnreachableProof::SearchExhausted,
            nearest: None,
        })
    }

    /// Statistics of the last query.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> u64 {
        let records = self.records.capacity() * (size_of::<(Location, Record)>() + 1);
        let open = self.open.capacity() * size_of::<Reverse<(u64, Reverse<u32>, Location)>>();
        (records + open) as u64
    }

    /// Pushes a location if `g` lowers its cost and f stays below `cost_limit`; true if pushed.
    fn relax(
        &mut self,
        query: &QueryGraph<'_>,
        (parent, to): (Location, Location),
        g: u32,
        cost_limit: Cost,
    ) -> bool {
        let h = query.heuristic(to);
        let least = u64::from(g).saturating_add(h);
        if g == u32::MAX || least >= u64::from(cost_limit.units()) {
            self.is_saturated |= cost_limit == Cost::MAX;
            return false;
        }
        let record = Record {
            g,
            parent,
            is_closed: false,
        };
        match self.records.entry(to) {
            Entry::Occupied(known) if known.get().g <= g => return false,
            Entry::Occupied(mut known) => *known.get_mut() = record,
            Entry::Vacant(unknown) => {
                unknown.insert(record);
            }
        }
        let f = u64::from(g).saturating_add(query.weighted(h));
        self.open.push(Reverse((f, Reverse(g), to)));
        self.stats.pushes += 1;
        true
    }

    fn path_to(&self, end: Location) -> MultimodalPath {
        let mut locations = vec![end];
        let mut at = end;
        let cost = self.records.get(&end).map_or(0, |record| record.g);
        while let Some(record) = self.records.get(&at).filter(|record| record.parent != at) {
            at = record.parent;
            locations.push(at);
        }
        locations.reverse();
        MultimodalPath {
            locations,
            cost: Cost::from_units(cost),
            expansions: self.stats.expansions,
        }
    }

    /// Writes the successors of a location reached from `parent`, `cost_fn` included.
    fn generate(
        &mut self,
        query: &QueryGraph<'_>,
        (parent, at): (Location, Location),
        cost_fn: &mut Option<StepCostFn<'_>>,
    ) {
        let Self {
            successors, buffer, ..
        } = self;
        successors.clear();
        let graph = query.graph;
        match at {
            Location::Cell(cell) => {
                if let Some(nav_graph) = graph.nav_graph
                    && let Some(node) = nav_graph.node(cell)
                {
                    let cells = nav_graph.successors(node, buffer);
                    let cells = cells.map(|(to, cost)| (nav_graph.cell(to).into(), cost));
                    successors.extend(cells);
                }
                graph.for_each_take_off(cell, |voxel, cost| successors.push((voxel.into(), cost)));
            }
            Location::Voxel(voxel) => {
                if let Some((air, flight)) = graph.air {
                    let before = match parent {
                        Location::Voxel(before) if cost_fn.is_none() && parent != at => {
                            Some(before)
                        }
                        _ => None,
                    };
                    query.air_moves((air, flight), (before, voxel), successors);
                }
                graph.for_each_landing(voxel, |cell, cost| successors.push((cell.into(), cost)));
            }
            Location::Point(_) => {}
        }
        if let Some(cost_fn) = cost_fn {
            successors.retain_mut(|(to, cost)| match cost_fn(at, *to) {
                Some((here, there)) => {
                    *cost += query.extra_cost((at, here), (*to, there));
                    true
                }
                None => false,
            });
        }
    }
}

impl<'w> QueryGraph<'w> {
    fn new(graph: &'w MultimodalGraph<'w>, goal: Location, weight: CostMultiplier) -> Self {
        let alignment = graph.alignment;
        let one = (CostMultiplier::ONE, CostMultiplier::ONE);
        let default = graph
            .air
            .map_or(CostMultiplier::ONE, |(air, _)| air.default_multiplier());
        let ends = (default, default);
        let multiplier = graph
            .air
            .map_or(CostMultiplier::ONE, |(_, flight)| flight.multiplier);
        let min_cost = |walked: Cost| {
            let flown = alignment.move_cost(walked, multiplier, one);
            let per_cell = u128::from(flown.units()) * u128::from(alignment.cell.unsigned_abs())
                / u128::from(alignment.voxel.unsigned_abs());
            let per_cell = u32::try_from(per_cell).unwrap_or(u32::MAX);
            match (graph.nav_graph, graph.air) {
                (_, None) => walked.units(),
                (None, _) => per_cell,
                _ => walked.units().min(per_cell),
            }
        };
        let mut query = Self {
            graph,
            goal: alignment.doubled_center(goal),
            weight: u64::from(weight.sixteenths()),
            min_cost: (min_cost(Cost::STRAIGHT), min_cost(Cost::DIAGONAL)),
            goal_height: height_of(goal),
            min_climb: graph.min_climb(min_cost(Cost::STRAIGHT)),
            has_volumes: graph
                .air
                .is_some_and(|(air, _)| air.volumes().next().is_some()),
            base_costs: MOVES.map(|(_, _, cost)| alignment.move_cost(cost, multiplier, ends)),
            may_prune: false,
        };
        let costs = [Cost::STRAIGHT, Cost::DIAGONAL, Cost::SPACE_DIAGONAL];
        let [one, two, three] = costs.map(|cost| {
            let cost = alignment.move_cost(cost, multiplier, ends);
            u64::from(cost.units())
        });
        let is_metric = one <= two
            && two <= three
            && two <= 2 * one
            && three <= one + two
            && one + three <= 2 * two;
        // A ball that exceeds its voxels does not fit everywhere between free ones.
        let fits = |(_, flight): (&Air, FlightProfile)| flight.radius.raw() <= FITS_ITS_VOXELS;
        query.may_prune = is_metric && !query.has_volumes && graph.air.is_some_and(fits);
        if graph.has_shortcut(query.min_cost) {
            query.min_cost = (0, 0);
        }
        query
    }

    /// Lower bound on the cost to the goal.
    fn heuristic(&self, at: Location) -> u64 {
        let alignment = &self.graph.alignment;
        let flat = alignment.octile(alignment.doubled_center(at), self.goal, self.min_cost);
        let climb = height_of(at).abs_diff(self.goal_height);
        flat.max(u64::from(climb) * u64::from(self.min_climb))
    }

    /// The heuristic that orders expansions.
    fn weighted_heuristic(&self, at: Location) -> u64 {
        self.weighted(self.heuristic(at))
    }

    const fn weighted(&self, h: u64) -> u64 {
        h.saturating_mul(self.weight) / 16
    }

    /// The cost that multipliers add to a step, half of which lies in each location. Nothing for
    /// nav links, take-offs and landings.
    fn extra_cost(
        &self,
        (from, here): (Location, CostMultiplier),
        (to, there): (Location, CostMultiplier),
    ) -> Cost {
        let delta = |a: [i32; 3], b: [i32; 3]| -> [u32; 3] {
            std::array::from_fn(|axis| a[axis].abs_diff(b[axis]))
        };
        let extra = u32::from(here.sixteenths()) + u32::from(there.sixteenths()) - 32;
        let length = match (from, to) {
            (Location::Cell(a), Location::Cell(b)) => {
                let [x, y, _] = delta([a.x, a.y, 0], [b.x, b.y, 0]);
                if x > 1 || y > 1 {
                    return Cost::ZERO;
                }
                Cost::octile(x, y)
            }
            (Location::Voxel(a), Location::Voxel(b)) => {
                let [x, y, z] = delta([a.x, a.y, a.z], [b.x, b.y, b.z]);
                let one = (CostMultiplier::ONE, CostMultiplier::ONE);
                let length = Cost::voxel_octile(x, y, z);
                let alignment = &self.graph.alignment;
                alignment.move_cost(length, CostMultiplier::ONE, one)
            }
            _ => return Cost::ZERO,
        };
        let units = u64::from(length.units()) * u64::from(extra) / 32;
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// Adds the air moves from a voxel that was reached from the voxel `before`, if it was.
    fn air_moves(
        &self,
        (air, flight): (&Air, FlightProfile),
        (before, at): (Option<Voxel>, Voxel),
        successors: &mut Vec<(Location, Cost)>,
    ) {
        let mut cursor = air.cursor();
        let mut free = 0_u32;
        for number in 0..27_i32 {
            let by = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
            // A closed volume blocks diagonals past it as well.
            let is_open = |to: Voxel| !self.has_volumes || air.cost_multiplier(to).is_some();
            let is_free = moved(at, by).is_some_and(|to| cursor.is_free(to) && is_open(to));
            free |= u32::from(is_free) << number;
        }
        let here = if self.has_volumes {
            air.cost_multiplier(at)
        } else {
            None
        };
        let arrival = before.filter(|_| self.may_prune && free == ALL_FREE);
        let arrival = arrival.map(|from| [at.x - from.x, at.y - from.y, at.z - from.z]);
        for (index, (by, needed, cost)) in MOVES.into_iter().enumerate() {
            if free & needed != needed || arrival.is_some_and(|arrival| !is_natural(arrival, by)) {
                continue;
            }
            let Some(to) = moved(at, by) else {
                continue;
            };
            if flight.radius.raw() > FITS_ITS_VOXELS && !is_sweep_clear(air, flight.radius, at, to)
            {
                continue;
            }
            let cost = if self.has_volumes {
                let (Some(here), Some(there)) = (here, air.cost_multiplier(to)) else {
                    continue;
                };
                let alignment = &self.graph.alignment;
                alignment.move_cost(cost, flight.multiplier, (here, there))
            } else {
                self.base_costs[index]
            };
            successors.push((Location::Voxel(to), cost));
        }
    }
}

/// True if no path beside a voxel is as cheap as a move from it after a move to it, all around being free:
/// both moves have no opposite axes, and the second only axes of the first.
fn is_natural(arrival: [i32; 3], by: [i32; 3]) -> bool {
    (0..3).all(|axis| by[axis] == 0 || by[axis] == arrival[axis])
}

/// The height of a cell's floor in steps, or of a voxel.
const fn height_of(at: Location) -> i32 {
    match at {
        Location::Cell(cell) => cell.z,
        Location::Voxel(voxel) => voxel.z,
        Location::Point(_) => 0,
    }
}

fn moved(at: Voxel, by: [i32; 3]) -> Option<Voxel> {
    Some(Voxel::new(
        at.x.checked_add(by[0])?,
        at.y.checked_add(by[1])?,
        at.z.checked_add(by[2])?,
    ))
}

fn center(at: Voxel) -> Option<Point3> {
    let coordinate = |at: i32| {
        let raw = at.checked_mul(256)?.checked_add(128)?;
        Some(Fixed::from_raw(raw))
    };
    Some(Point3 {
        x: coordinate(at.x)?,
        y: coordinate(at.y)?,
        z: coordinate(at.z)?,
    })
}

/// True if a ball swept from one voxel center to another overlaps nothing solid.
fn is_sweep_clear(air: &Air, radius: Fixed, from: Voxel, to: Voxel) -> bool {
    match (center(from), center(to)) {
        (Some(a), Some(b)) => air.sweep(a, b, radius).is_none(),
        _ => false,
    }
}

impl MultimodalGraph<'_> {
    /// True if the location is free for the agent.
    pub fn is_free(&self, at: Location) -> bool {
        match at {
            Location::Cell(cell) => self
                .nav_graph
                .is_some_and(|nav_graph| nav_graph.node(cell).is_some()),
            Location::Voxel(voxel) => self.air.is_some_and(|(air, flight)| {
                air.is_free(voxel)
                    && air.cost_multiplier(voxel).is_some()
                    && (flight.radius.raw() <= FITS_ITS_VOXELS
                        || is_sweep_clear(air, flight.radius, voxel, voxel))
            }),
            Location::Point(_) => false,
        }
    }

    /// Calls `visit` with every voxel reached by taking off from a cell, and the cost.
    pub fn for_each_take_off(&self, cell: Cell, mut visit: impl FnMut(Voxel, Cost)) {
        let Some((_, flight)) = self.air else {
            return;
        };
        if !flight.requires_air_link
            && let Some(voxel) = self.alignment.voxel_over(cell, flight.radius)
            && self.is_free(voxel.into())
        {
            visit(voxel, flight.take_off + self.offset_cost(cell, voxel));
        }
        let first = self
            .air_links
            .partition_point(|air_link| air_link.cell < cell);
        let here = self.air_links[first..].iter();
        for air_link in here.take_while(|air_link| air_link.cell == cell) {
            if let Some(cost) = air_link.take_off
                && self.is_free(air_link.voxel.into())
            {
                visit(air_link.voxel, cost);
            }
        }
    }

    /// Calls `visit` with every cell reached by landing from a voxel, and the cost.
    pub fn for_each_landing(&self, voxel: Voxel, mut visit: impl FnMut(Cell, Cost)) {
        let (Some(nav_graph), Some((_, flight))) = (self.nav_graph, self.air) else {
            return;
        };
        if !flight.requires_air_link {
            let ground = nav_graph.ground();
            let mut scan_column = |column: Column| {
                for (z, _) in ground.floors(column) {
                    let cell = column.at(z);
                    if self.alignment.voxel_over(cell, flight.radius) == Some(voxel)
                        && nav_graph.node(cell).is_some()
                    {
                        visit(cell, flight.landing + self.offset_cost(cell, voxel));
                    }
                }
            };
            // Under voxels much wider than cells, only columns with floors are visited.
            let under = self.alignment.columns_under(voxel);
            if under.width() <= 2 && under.height() <= 2 {
                under.columns().for_each(scan_column);
            } else {
                ground.for_each_column_in(&Shape::Box(under), &mut scan_column);
            }
        }
        for air_link in self
            .air_links
            .iter()
            .filter(|air_link| air_link.voxel == voxel)
        {
            if let Some(cost) = air_link.landing
                && nav_graph.node(air_link.cell).is_some()
            {
                visit(air_link.cell, cost);
            }
        }
    }

    /// Cost of the horizontal offset between the centers of a cell and the voxel over it, rounded
    /// up.
    fn offset_cost(&self, cell: Cell, voxel: Voxel) -> Cost {
        let (a, b) = (
            self.alignment.doubled_center(cell.into()),
            self.alignment.doubled_center(voxel.into()),
        );
        if a == b {
            return Cost::ZERO;
        }
        let walked = (Cost::STRAIGHT.units(), Cost::DIAGONAL.units());
        let units = self.alignment.octile(a, b, walked) + 1;
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// A lower bound on the cost of a difference of 1 in height, where a move costs at least `straight`; 0
    /// where none is known.
    fn min_climb(&self, straight: u32) -> u32 {
        let GridAlignment { cell, step, voxel } = self.alignment;
        let radius = self.air.map_or(0, |(_, flight)| flight.radius.raw());
        // Then a cell and the voxel over it have the same height.
        let is_aligned = cell == step && step == voxel && radius < Fixed::UNITS_PER_CELL;
        let has_link = |nav_graph: NavGraph<'_>| nav_graph.ground().nav_links().next().is_some();
        if !is_aligned || !self.air_links.is_empty() || self.nav_graph.is_some_and(has_link) {
            return 0;
        }
        let per_move = self.nav_graph.map_or(1, |nav_graph| {
            let profile = nav_graph.profile();
            profile.max_step.max(profile.max_drop).max(1).unsigned_abs()
        });
        straight / per_move
    }

    /// True if a nav link or air link is cheaper than the lower bound between its ends.
    fn has_shortcut(&self, min_cost: (u32, u32)) -> bool {
        let alignment = &self.alignment;
        let is_shortcut = |air_link: &AirLink| {
            let ends = [air_link.cell.into(), air_link.voxel.into()];
            let ends = ends.map(|at| alignment.doubled_center(at));
            let lower_bound = alignment.octile(ends[0], ends[1], min_cost);
            [air_link.take_off, air_link.landing]
                .into_iter()
                .flatten()
                .any(|cost| u64::from(cost.units()) < lower_bound)
        };
        let on_ground = |nav_graph: NavGraph<'_>| !nav_graph.ground().shortcuts().is_empty();
        self.nav_graph.is_some_and(on_ground)
            || (self.air.is_some() && self.air_links.iter().any(is_shortcut))
    }
}
