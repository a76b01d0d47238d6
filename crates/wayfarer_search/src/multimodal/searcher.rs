//! The search over cells and voxels together, and the memory it reuses.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::collections::FastMap;
use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Fixed, Location, Outcome, Point3, RequestError,
    SearchEvent, SearchObserver, SearchStats, Shape, UnreachableProof, Voxel,
};
use wayfarer_world::air::Air;
use wayfarer_world::ground::SuccessorBuffer;

use super::{
    AirLink, FlightProfile, GridAlignment, MultimodalGraph, MultimodalPath, MultimodalRequest,
    StepCostFn,
};
use crate::air::voxel_astar::MOVES;
use crate::ground::NavGraph;

/// What a thread needs to search for mixed paths, reused from query to query.
///
/// Takes about 120 bytes for each place that a search came to.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Location, CostMultiplier, Raster, Voxel};
/// use wayfarer_search::ground::NavGraph;
/// use wayfarer_search::mixed::{GridAlignment, MultimodalRequest, MultimodalSearcher, MultimodalGraph, FlightProfile};
/// use wayfarer_world::{air::AirBuilder, ground::Ground};
///
/// // A river of three cells, and someone who flies at twice the price of walking.
/// let map = Raster::from_bytes(7, 1, vec![0, 0, 2, 2, 2, 0, 0]).unwrap();
/// let ground = Ground::from_raster(&map);
/// let air = AirBuilder::new(Voxel::new(0, 0, 0), [7, 1, 3])?.build()?;
/// let flight = FlightProfile { price: CostMultiplier::from_sixteenths(32).unwrap(), ..FlightProfile::default() };
/// let world = MultimodalGraph {
///     nav_graph: Some(NavGraph::of(&ground, None)?),
///     air: Some((&air, flight)),
///     frame: GridAlignment::default(),
///     air_links: &[],
/// };
/// let request = MultimodalRequest {
///     from: Cell::flat(0, 0).into(),
///     to: Cell::flat(6, 0).into(),
///     budget: Budget::UNLIMITED,
///     cost_limit: Cost::MAX,
/// };
/// let way = MultimodalSearcher::default().find(&world, &request, None)?.found().unwrap();
/// // Two steps on foot, four cells in the air at twice the price.
/// assert_eq!(way.cost.units(), 10 * 1463);
/// assert!(way.locations.contains(&Location::Voxel(Voxel::new(3, 0, 0))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MultimodalSearcher {
    known: FastMap<Location, Known>,
    open: BinaryHeap<Reverse<(u64, Reverse<u32>, Location)>>,
    steps: SuccessorBuffer,
    next: Vec<(Location, Cost)>,
    stats: SearchStats,
    /// True if a way was left because its cost is beyond the numbers.
    is_beyond: bool,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    cost: u32,
    from: Location,
    is_closed: bool,
}

/// What a search needs to know of its world.
struct Scene<'w> {
    world: &'w MultimodalGraph<'w>,
    goal: [i64; 2],
    /// Least cost of a cell along an axis and across, whether walked or flown.
    least: (u32, u32),
    has_volumes: bool,
    /// Moves of the air where no volume says otherwise.
    plain: [Cost; 26],
}

impl MultimodalSearcher {
    /// Finds a cheapest path; `cost_fn` lays cost multipliers of its own over both parts.
    ///
    /// Of equal paths always the same: places are taken by least cost in all, then the farthest
    /// from the start, then by name. [`Outcome::Unreachable`] also means that no way is cheaper
    /// than [`MultimodalRequest::cost_limit`]. If all paths that are left are costlier than `Cost` can hold (2.9
    /// million cells), the answer is [`Outcome::OutOfBudget`].
    ///
    /// # Errors
    /// If one cannot be at the start or the goal.
    pub fn find(
        &mut self,
        world: &MultimodalGraph<'_>,
        request: &MultimodalRequest,
        cost_fn: Option<StepCostFn<'_>>,
    ) -> Result<Outcome<MultimodalPath>, RequestError> {
        self.find_observed(world, request, cost_fn, &mut wayfarer_base::NoopObserver)
    }

    /// As [`MultimodalSearcher::find`], telling `observer` what happens.
    ///
    /// # Errors
    /// If one cannot be at the start or the goal.
    pub fn find_observed<O: SearchObserver>(
        &mut self,
        world: &MultimodalGraph<'_>,
        request: &MultimodalRequest,
        mut cost_fn: Option<StepCostFn<'_>>,
        observer: &mut O,
    ) -> Result<Outcome<MultimodalPath>, RequestError> {
        let (start, goal) = (request.from, request.to);
        self.known.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        self.is_beyond = false;
        let bytes_before = self.heap_bytes();
        let reason = "there is no room for the agent";
        if !world.fits(start) {
            return Err(RequestError::StartBlocked { at: start, reason });
        }
        if !world.fits(goal) {
            return Err(RequestError::GoalBlocked { at: goal, reason });
        }
        let scene = Scene::new(world, goal);
        let mut nearest = (scene.estimate(start), start);
        self.reach(&scene, (start, start), 0, request.cost_limit);
        while let Some(Reverse((total, _, at))) = self.open.pop() {
            let grown = self.heap_bytes().saturating_sub(bytes_before);
            let is_full = grown > request.budget.memory_bytes;
            let Some(known) = self.known.get_mut(&at) else {
                continue;
            };
            let cost = known.cost;
            if known.is_closed || total > u64::from(cost).saturating_add(scene.estimate(at)) {
                continue;
            }
            if at == goal {
                if O::ACTIVE {
                    let cost = Cost::from_units(cost);
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
            known.is_closed = true;
            self.stats.expansions += 1;
            let rest = total - u64::from(cost);
            if rest < nearest.0 {
                nearest = (rest, at);
            }
            if O::ACTIVE {
                let cost = Cost::from_units(cost);
                observer.on_event(SearchEvent::Expanded { at, cost });
            }
            self.expand(&scene, at, &mut cost_fn);
            let mut next = std::mem::take(&mut self.next);
            for (to, step) in next.drain(..) {
                let cost = cost.saturating_add(step.units());
                if self.reach(&scene, (at, to), cost, request.cost_limit) && O::ACTIVE {
                    let cost = Cost::from_units(cost);
                    observer.on_event(SearchEvent::Opened { at: to, cost });
                }
            }
            self.next = next;
        }
        if self.is_beyond {
            return Ok(Outcome::OutOfBudget {
                best: self.path_to(nearest.1),
                stats: self.stats,
            });
        }
        Ok(Outcome::Unreachable {
            proof: UnreachableProof::SearchExhausted,
            nearest: None,
        })
    }

    /// What the last search used.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> u64 {
        let known = self.known.capacity() * (size_of::<(Location, Known)>() + 1);
        let open = self.open.capacity() * size_of::<Reverse<(u64, Reverse<u32>, Location)>>();
        (known + open) as u64
    }

    /// Notes a way to a place; true if it is cheaper than what was known.
    fn reach(
        &mut self,
        scene: &Scene<'_>,
        (from, to): (Location, Location),
        cost: u32,
        below: Cost,
    ) -> bool {
        let total = u64::from(cost).saturating_add(scene.estimate(to));
        if cost == u32::MAX || total >= u64::from(below.units()) {
            self.is_beyond |= below == Cost::MAX;
            return false;
        }
        if self.known.get(&to).is_some_and(|known| known.cost <= cost) {
            return false;
        }
        let is_closed = false;
        self.known.insert(
            to,
            Known {
                cost,
                from,
                is_closed,
            },
        );
        self.open.push(Reverse((total, Reverse(cost), to)));
        self.stats.pushes += 1;
        true
    }

    fn path_to(&self, end: Location) -> MultimodalPath {
        let mut locations = vec![end];
        let mut at = end;
        let mut cost = 0;
        if let Some(known) = self.known.get(&end) {
            cost = known.cost;
        }
        while let Some(known) = self.known.get(&at).filter(|known| known.from != at) {
            at = known.from;
            locations.push(at);
        }
        locations.reverse();
        MultimodalPath {
            locations,
            cost: Cost::from_units(cost),
            expansions: self.stats.expansions,
        }
    }

    /// Every step from a place, tolls included.
    fn expand(&mut self, scene: &Scene<'_>, at: Location, cost_fn: &mut Option<StepCostFn<'_>>) {
        let Self { next, steps, .. } = self;
        next.clear();
        let world = scene.world;
        match at {
            Location::Cell(cell) => {
                if let Some(nav_graph) = world.nav_graph
                    && let Some(node) = nav_graph.node(cell)
                {
                    let to = nav_graph.steps(node, steps);
                    next.extend(to.map(|(to, cost)| (Location::Cell(nav_graph.cell(to)), cost)));
                }
                world.take_offs(cell, |voxel, cost| {
                    next.push((Location::Voxel(voxel), cost))
                });
            }
            Location::Voxel(voxel) => {
                if let Some((air, flight)) = world.air {
                    scene.moves(air, flight, voxel, next);
                }
                world.landings(voxel, |cell, cost| next.push((Location::Cell(cell), cost)));
            }
            Location::Point(_) => {}
        }
        if let Some(cost_fn) = cost_fn {
            next.retain_mut(|(to, cost)| match cost_fn(at, *to) {
                Some((here, there)) => {
                    *cost += scene.extra((at, here), (*to, there));
                    true
                }
                None => false,
            });
        }
    }
}

impl<'w> Scene<'w> {
    fn new(world: &'w MultimodalGraph<'w>, goal: Location) -> Self {
        let frame = world.frame;
        let one = (CostMultiplier::ONE, CostMultiplier::ONE);
        let elsewhere = world
            .air
            .map_or(CostMultiplier::ONE, |(air, _)| air.default_multiplier());
        let ends = (elsewhere, elsewhere);
        let multiplier = world
            .air
            .map_or(CostMultiplier::ONE, |(_, flight)| flight.multiplier);
        let least = |walked: Cost| {
            let flown = frame.move_cost(walked, multiplier, one);
            let per_cell = u128::from(flown.units()) * u128::from(frame.cell.unsigned_abs())
                / u128::from(frame.voxel.unsigned_abs());
            let per_cell = u32::try_from(per_cell).unwrap_or(u32::MAX);
            match (world.nav_graph, world.air) {
                (_, None) => walked.units(),
                (None, _) => per_cell,
                _ => walked.units().min(per_cell),
            }
        };
        let mut scene = Self {
            world,
            goal: frame.middle(goal),
            least: (least(Cost::STRAIGHT), least(Cost::DIAGONAL)),
            has_volumes: world
                .air
                .is_some_and(|(air, _)| air.volumes().next().is_some()),
            plain: MOVES.map(|(_, _, cost)| frame.move_cost(cost, multiplier, ends)),
        };
        if world.has_shortcut(scene.least) {
            scene.least = (0, 0);
        }
        scene
    }

    /// The least that the rest of a way can cost.
    fn estimate(&self, at: Location) -> u64 {
        let frame = &self.world.frame;
        frame.octile(frame.middle(at), self.goal, self.least)
    }

    /// What tolls add to a step: half of it lies in each place. Nav links, take-offs and landings
    /// cost what they cost.
    fn extra(
        &self,
        (from, here): (Location, CostMultiplier),
        (to, there): (Location, CostMultiplier),
    ) -> Cost {
        let apart = |a: [i32; 3], b: [i32; 3]| -> [u32; 3] {
            std::array::from_fn(|axis| a[axis].abs_diff(b[axis]))
        };
        let extra = u32::from(here.sixteenths()) + u32::from(there.sixteenths()) - 32;
        let length = match (from, to) {
            (Location::Cell(a), Location::Cell(b)) => {
                let [x, y, _] = apart([a.x, a.y, 0], [b.x, b.y, 0]);
                if x > 1 || y > 1 {
                    return Cost::ZERO;
                }
                Cost::octile(x, y)
            }
            (Location::Voxel(a), Location::Voxel(b)) => {
                let [x, y, z] = apart([a.x, a.y, a.z], [b.x, b.y, b.z]);
                let one = (CostMultiplier::ONE, CostMultiplier::ONE);
                let length = Cost::voxel_octile(x, y, z);
                self.world.frame.move_cost(length, CostMultiplier::ONE, one)
            }
            _ => return Cost::ZERO,
        };
        let units = u64::from(length.units()) * u64::from(extra) / 32;
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// Every move of the air from a voxel.
    fn moves(&self, air: &Air, flight: FlightProfile, at: Voxel, next: &mut Vec<(Location, Cost)>) {
        let mut cursor = air.cursor();
        let mut free = 0_u32;
        for number in 0..27_i32 {
            let by = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
            // What is closed is in the way of diagonals past it, too.
            let is_open = |to: Voxel| !self.has_volumes || air.cost_multiplier(to).is_some();
            let is_free = moved(at, by).is_some_and(|to| cursor.is_free(to) && is_open(to));
            free |= u32::from(is_free) << number;
        }
        let here = if self.has_volumes {
            air.cost_multiplier(at)
        } else {
            None
        };
        for (index, (by, needed, cost)) in MOVES.into_iter().enumerate() {
            if free & needed != needed {
                continue;
            }
            let Some(to) = moved(at, by) else {
                continue;
            };
            if flight.radius.raw() > 0 && !sweeps(air, flight.radius, at, to) {
                continue;
            }
            let cost = if self.has_volumes {
                let (Some(here), Some(there)) = (here, air.cost_multiplier(to)) else {
                    continue;
                };
                let frame = &self.world.frame;
                frame.move_cost(cost, flight.multiplier, (here, there))
            } else {
                self.plain[index]
            };
            next.push((Location::Voxel(to), cost));
        }
    }
}

fn moved(at: Voxel, by: [i32; 3]) -> Option<Voxel> {
    Some(Voxel::new(
        at.x.checked_add(by[0])?,
        at.y.checked_add(by[1])?,
        at.z.checked_add(by[2])?,
    ))
}

fn middle(at: Voxel) -> Option<Point3> {
    let part = |at: i32| {
        let raw = at.checked_mul(256)?.checked_add(128)?;
        Some(Fixed::from_raw(raw))
    };
    Some(Point3 {
        x: part(at.x)?,
        y: part(at.y)?,
        z: part(at.z)?,
    })
}

/// True if a ball flies straight from one voxel to another.
fn sweeps(air: &Air, radius: Fixed, from: Voxel, to: Voxel) -> bool {
    match (middle(from), middle(to)) {
        (Some(a), Some(b)) => air.sweep(a, b, radius).is_none(),
        _ => false,
    }
}

impl MultimodalGraph<'_> {
    /// True if the agent can be at a place.
    pub fn fits(&self, at: Location) -> bool {
        match at {
            Location::Cell(cell) => self
                .nav_graph
                .is_some_and(|nav_graph| nav_graph.node(cell).is_some()),
            Location::Voxel(voxel) => self.air.is_some_and(|(air, flight)| {
                air.is_free(voxel)
                    && air.cost_multiplier(voxel).is_some()
                    && (flight.radius.raw() == 0 || sweeps(air, flight.radius, voxel, voxel))
            }),
            Location::Point(_) => false,
        }
    }

    /// Every voxel to which one takes off from a cell, and at what cost.
    pub fn take_offs(&self, cell: Cell, mut visit: impl FnMut(Voxel, Cost)) {
        let Some((_, flight)) = self.air else {
            return;
        };
        if !flight.requires_air_link
            && let Some(voxel) = self.frame.over(cell, flight.radius)
            && self.fits(voxel.into())
        {
            visit(voxel, flight.take_off + self.aside(cell, voxel));
        }
        let first = self
            .air_links
            .partition_point(|air_link| air_link.cell < cell);
        let here = self.air_links[first..].iter();
        for air_link in here.take_while(|air_link| air_link.cell == cell) {
            if let Some(cost) = air_link.take_off
                && self.fits(air_link.voxel.into())
            {
                visit(air_link.voxel, cost);
            }
        }
    }

    /// Every cell in which one lands from a voxel, and at what cost.
    pub fn landings(&self, voxel: Voxel, mut visit: impl FnMut(Cell, Cost)) {
        let (Some(nav_graph), Some((_, flight))) = (self.nav_graph, self.air) else {
            return;
        };
        if !flight.requires_air_link {
            let ground = nav_graph.ground();
            let mut look_under = |column: Column| {
                for (z, _) in ground.floors(column) {
                    let cell = column.at(z);
                    if self.frame.over(cell, flight.radius) == Some(voxel)
                        && nav_graph.node(cell).is_some()
                    {
                        visit(cell, flight.land + self.aside(cell, voxel));
                    }
                }
            };
            // Under voxels much wider than cells, only what has floors is looked at.
            let under = self.frame.columns_under(voxel);
            if under.width() <= 2 && under.height() <= 2 {
                under.columns().for_each(look_under);
            } else {
                ground.for_columns_in(&Shape::Box(under), &mut look_under);
            }
        }
        for air_link in self
            .air_links
            .iter()
            .filter(|air_link| air_link.voxel == voxel)
        {
            if let Some(cost) = air_link.land
                && nav_graph.node(air_link.cell).is_some()
            {
                visit(air_link.cell, cost);
            }
        }
    }

    /// The way on the map from the middle of a cell to that of the voxel over it, rounded up.
    fn aside(&self, cell: Cell, voxel: Voxel) -> Cost {
        let (a, b) = (
            self.frame.middle(cell.into()),
            self.frame.middle(voxel.into()),
        );
        if a == b {
            return Cost::ZERO;
        }
        let walked = (Cost::STRAIGHT.units(), Cost::DIAGONAL.units());
        let units = self.frame.octile(a, b, walked) + 1;
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// True if some nav link or air link is cheaper than the straight path between its ends.
    fn has_shortcut(&self, least: (u32, u32)) -> bool {
        let frame: &GridAlignment = &self.frame;
        let is_short = |air_link: &AirLink| {
            let ends = [air_link.cell.into(), air_link.voxel.into()].map(|at| frame.middle(at));
            let straight = frame.octile(ends[0], ends[1], least);
            [air_link.take_off, air_link.land]
                .into_iter()
                .flatten()
                .any(|cost| u64::from(cost.units()) < straight)
        };
        let on_ground = |nav_graph: NavGraph<'_>| !nav_graph.ground().shortcuts().is_empty();
        self.nav_graph.is_some_and(on_ground)
            || (self.air.is_some() && self.air_links.iter().any(is_short))
    }
}
