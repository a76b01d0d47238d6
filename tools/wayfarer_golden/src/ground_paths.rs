//! Golden digests of ground paths: requests of every kind, status, repair and other queries.

use wayfarer_engine::base::{
    Budget, Cell, Cost, CostMultiplier, Fixed, Outcome, Profile, Progress, Rect, Rng, SearchEvent,
    Session, TraceStep,
};
use wayfarer_engine::make::{GeneratedWorld, TraceKind, TraceRecipe, make, make_trace};
use wayfarer_engine::search::ground::{
    AnyAngleSearcher, Area, FlowField, GroundGoal, GroundPath, GroundRequest, GroundSession,
    Method, NavGraph, PartialPolicy, PathSearcher, ReachabilitySearcher, status, waypoints_for,
};

use wayfarer_engine::search::kernel::find_batch;
use wayfarer_engine::search::subscriptions::PathIndex;
use wayfarer_engine::world::ground::{Ground, ProfileId};

use super::values::Values;
use super::worlds::recipes;
use wayfarer_engine::World;

/// Requests with their search events, in one call, in slices and in a batch.
pub(super) fn requests(values: &mut Values) {
    let mut rng = Rng::new(21);
    let mut searcher = PathSearcher::default();
    for (world, requests) in worlds(&mut rng) {
        let ground = world.ground();
        for request in &requests {
            let mut events: Vec<SearchEvent> = Vec::new();
            let result = searcher.find_observed(ground, request, &mut events);
            values.take(&result);
            values.number(events.len() as u64);
            events.truncate(40);
            values.take(&events);
            let path = result.ok().and_then(Outcome::best);
            let corners = path.map(|path| waypoints_for(ground, request, &path));
            values.take(&corners);
        }
        values.take(&find_batch::<PathSearcher>(ground, &requests, 2));
        let first = requests.into_iter().next();
        let session = first.map(|first| GroundSession::begin(ground, searcher.clone(), first));
        if let Some(Ok(mut session)) = session {
            loop {
                let progress = session.advance(ground, Budget::expansions(61));
                values.take(&progress);
                if !matches!(progress, Progress::InProgress { .. }) {
                    break;
                }
            }
        }
    }
}

/// Status, repair and invalidation of paths along edit traces.
pub(super) fn statuses(values: &mut Values) {
    let mut rng = Rng::new(22);
    let mut searcher = PathSearcher::default();
    for recipe in recipes() {
        let Ok(made) = make(&recipe) else {
            continue;
        };
        let edit_trace = TraceRecipe {
            n_batches: 5,
            n_queries: 0,
            seed: 23,
        };
        for kind in TraceKind::ALL {
            let (Ok(trace), Some(known)) = (make_trace(kind, &made, &edit_trace), world_of(&made))
            else {
                continue;
            };
            let requests = some_requests(&known, &mut rng, 4);
            let mut world = known.0;
            let found = |request: &GroundRequest| {
                let path = searcher.find(world.ground(), request).ok()?.best()?;
                Some((request.clone(), path))
            };
            let paths: Vec<(GroundRequest, GroundPath)> =
                requests.iter().filter_map(found).collect();
            let mut subscribed = PathIndex::default();
            for (_, path) in &paths {
                subscribed.insert(path.clone(), world.ground(), path);
            }
            for step in &trace.steps {
                let TraceStep::Batch(edits) = step else {
                    continue;
                };
                let changes = world.apply(edits);
                values.number(changes.is_ok().into());
                let (ground, log) = (world.ground(), world.ground_log());
                let set = changes.ok().and_then(|changes| changes.ground.clone());
                let report =
                    set.map(|changes| subscribed.find_invalidated(ground, &changes.changes, Some));
                let invalidated = report.unwrap_or_default().invalidated;
                subscribed.mark_invalid(&invalidated);
                values.take(&invalidated);
                searcher.sync(ground, log);
                for (request, path) in &paths {
                    values.take(&status(ground, log, path));
                    let repaired = searcher.repair(ground, log, request, path);
                    values.take(&repaired);
                }
            }
        }
    }
}

/// Reachable sets, nearest targets, flow fields, any-angle paths and explanations.
pub(super) fn queries(values: &mut Values) {
    let mut rng = Rng::new(24);
    let mut reachability = ReachabilitySearcher::default();
    let mut any_angle = AnyAngleSearcher::default();
    for (world, requests) in worlds(&mut rng) {
        let ground = world.ground();
        let from: Vec<Cell> = requests.iter().map(|request| request.from).collect();
        for request in requests.iter().step_by(3) {
            let Ok(nav_graph) = NavGraph::new(ground, request.profile_id) else {
                continue;
            };
            let limit = Cost::from_units(20_000);
            let budget = Budget::expansions(3_000);
            if let Ok(cells) = reachability.within_cost(nav_graph, request.from, limit, budget) {
                cells.cells().for_each(|found| values.take(&found));
            }
            let near = reachability.nearest_of(nav_graph, request.from, &from, 3, budget);
            values.take(&near);
            let random = reachability.random_reachable(nav_graph, request.from, limit, 5, budget);
            values.take(&random);
            if let GroundGoal::Cell(to) = request.to {
                let path = any_angle.find(nav_graph, request.from, to, budget);
                values.take(&path);
            }
            let explanation = reachability.explain(ground, request);
            values.take(&explanation);
            let columns = from.iter().map(|cell| cell.column());
            let area = columns.fold(Rect::EMPTY, Rect::including);
            let flow = FlowField::new(nav_graph, area, &from[..1]);
            for cell in &from {
                let next = flow.next(ground, *cell);
                values.each(&[&flow.cost(*cell), &next]);
            }
        }
    }
}

/// The generated worlds with ground, each with some requests.
fn worlds(rng: &mut Rng) -> impl Iterator<Item = (World, Vec<GroundRequest>)> {
    let made = recipes().filter_map(|recipe| make(&recipe).ok());
    made.filter_map(|made| world_of(&made)).map(|world| {
        let requests = some_requests(&world, rng, 9);
        (world.0, requests)
    })
}

/// The default profile and two registered ones.
type ProfileIds = [Option<ProfileId>; 3];

/// The world with profiles of a wide agent and of a climber.
fn world_of(made: &GeneratedWorld) -> Option<(World, ProfileIds)> {
    let mut ground = match made {
        GeneratedWorld::Flat(map) => Ground::from_raster(map),
        GeneratedWorld::MultiFloor(data) => Ground::from_data(data).ok()?,
        GeneratedWorld::Voxels(_) => return None,
    };
    let own = ground.default_profile().clone();
    let wide = Profile {
        radius: Fixed::from_raw(200),
        ..own.clone()
    };
    let climber = Profile {
        max_step: 3,
        max_drop: 6,
        keys: u32::MAX,
        ..own
    };
    let profile_ids = [
        None,
        ground.register_profile(wide).ok(),
        ground.register_profile(climber).ok(),
    ];
    Some((World::from_ground(ground), profile_ids))
}

/// Requests of every kind between walkable cells of the default profile.
fn some_requests(
    (world, profile_ids): &(World, ProfileIds),
    rng: &mut Rng,
    n_requests: usize,
) -> Vec<GroundRequest> {
    let ground = world.ground();
    let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    let mut requests = Vec::new();
    for index in 0..n_requests {
        let mut pick = || rng.pick(&cells).copied().unwrap_or_default();
        let (from, to, other) = (pick(), pick(), pick());
        let radius = Fixed::from_raw(700);
        let area = Area::rect(Rect::around(to.column(), other.column()));
        let mut request = GroundRequest::new(from, to);
        request.profile_id = profile_ids[index % 3];
        request.method = [Method::Jps, Method::AStar, Method::Dijkstra][index / 3 % 3];
        request.partial = [
            PartialPolicy::NearestEuclidean,
            PartialPolicy::NearestOctile,
            PartialPolicy::Never,
        ][index % 3];
        match index % 9 {
            1 => request.to = GroundGoal::AnyOf(vec![to, other]),
            2 => request.to = GroundGoal::Within { of: to, radius },
            4 => request.to = GroundGoal::Area(area),
            5 => request.area_costs = vec![(area, CostMultiplier::MAX)],
            7 => request.to = GroundGoal::LineOfSightTo { of: to, radius },
            8 => request.budget = Budget::expansions(40),
            _ => {}
        }
        requests.push(request);
    }
    requests
}
