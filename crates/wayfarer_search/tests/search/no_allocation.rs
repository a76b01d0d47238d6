//! Warm searches allocate nothing.

use wayfarer_base::{
    Budget, Cell, ChangeLog, Cost, CostMultiplier, Fixed, GroundEdit, NoopObserver, Outcome,
    Point2, Profile, Progress, Raster, Rect, Rng, Session, Shape, Terrain, Voxel,
};
use wayfarer_counting::allocation_stats;
use wayfarer_search::air::{FlightMethod, FlightRequest, FlightSearcher, OctreeParams};
use wayfarer_search::dense::{DenseMethod, DenseQueue, DenseRequest, DenseSearcher, find_path};
use wayfarer_search::ground::jps::{JpsSearcher, Query, find};
use wayfarer_search::ground::jps_cached::{self, CacheLimit, CachedJpsSearcher};
use wayfarer_search::ground::{
    AnyAngleRequest, AnyAngleSearcher, AnyAngleSession, Area, FlowField, GroundGoal, GroundRequest,
    GroundSession, Method, NavGraph, PartialPolicy, PathSearcher, PreviousPath,
    ReachabilitySearcher,
};
use wayfarer_testkit::allocations::assert_none_after;
use wayfarer_testkit::{WorldKind, random_world};
use wayfarer_world::air::AirBuilder;
use wayfarer_world::dense::DenseGround;
use wayfarer_world::ground::{Ground, NodeId, ProfileId};

/// A ground of which one cell in four is blocked, and requests over it.
fn sample() -> (DenseGround, Vec<DenseRequest>) {
    let mut rng = Rng::new(1);
    let cells = (0..200 * 150).map(|_| if rng.chance(1, 4) { 255 } else { 0 });
    let raster = Raster::from_bytes(200, 150, cells.collect()).expect("a byte per cell");
    let ground = DenseGround::from_raster(raster).expect("a small ground");
    let all = ground.rect().columns().map(|at| at.at(0));
    let open: Vec<Cell> = all.filter(|cell| ground.is_walkable(*cell)).collect();
    let mut requests = Vec::new();
    for round in 0..40 {
        let mut pick = || *rng.pick(&open).expect("most cells are open");
        let (start, goal) = (pick(), pick());
        requests.push(DenseRequest {
            method: [DenseMethod::AStar, DenseMethod::Dijkstra][round % 2],
            queue: [DenseQueue::Buckets, DenseQueue::Heap][round / 2 % 2],
            ..DenseRequest::new(start, goal)
        });
    }
    (ground, requests)
}

/// Runs `work` twice; the second time must allocate nothing.
#[track_caller]
fn check(work: impl FnMut()) {
    assert_none_after(1, work);
}

#[test]
fn warm_dense_searches_allocate_nothing_if_paths_are_recycled() {
    let (ground, requests) = sample();
    let mut searcher = DenseSearcher::default();
    let mut n_found = 0;
    check(|| {
        for request in &requests {
            if let Ok(Outcome::Found(path)) = find_path(&ground, &mut searcher, request) {
                searcher.recycle(path);
                n_found += 1;
            }
        }
    });
    assert!(n_found > 20, "most requests find a path");
}

#[test]
fn warm_ground_requests_allocate_nothing_if_paths_are_recycled() {
    let (dense, requests) = sample();
    let ground = Ground::from_raster(dense.raster());
    let requests: Vec<GroundRequest> = requests
        .iter()
        .zip(Method::ALL.into_iter().cycle())
        .map(|(request, method)| GroundRequest {
            method,
            partial: PartialPolicy::NearestEuclidean,
            ..GroundRequest::new(request.start, request.goal)
        })
        .collect();
    // A limit that never evicts.
    let mut searcher = PathSearcher::with_cache_limit(CacheLimit::Bytes(1 << 24));
    let mut n_found = 0;
    check(|| {
        for request in &requests {
            let outcome = searcher.find(&ground, request).expect("cells are open");
            if let Some(path) = outcome.best() {
                searcher.recycle(path);
                n_found += 1;
            }
            let distance = searcher.distance(&ground, request);
            assert!(distance.is_ok(), "every path found has a distance");
        }
    });
    assert!(n_found > 40, "only {n_found} paths were found");
}

#[test]
fn warm_jps_searches_allocate_nothing() {
    let (dense, requests) = sample();
    let flat = Ground::from_raster(dense.raster());
    let flat_queries: Vec<Query> = requests
        .iter()
        .map(|request| {
            let node = |cell| flat.node(cell).expect("requests are between open cells");
            Query::new(node(request.start), node(request.goal))
        })
        .collect();
    let mixed = Ground::from_data(&random_world(2, WorldKind::Mixed)).unwrap();
    let nodes: Vec<NodeId> = mixed.nodes().collect();
    let mut rng = Rng::new(2);
    let mut pick = || *rng.pick(&nodes).expect("there are cells");
    let mixed_queries: Vec<Query> = (0..40).map(|_| Query::new(pick(), pick())).collect();
    let (mut searcher, mut cells) = (JpsSearcher::default(), Vec::new());
    let mut n_found = 0;
    check(|| {
        for (ground, queries) in [(&flat, &flat_queries), (&mixed, &mixed_queries)] {
            for query in queries {
                let outcome = find(ground, &mut searcher, query, &mut NoopObserver, &mut cells);
                n_found += u32::from(matches!(outcome, Outcome::Found(_)));
            }
        }
    });
    assert!(n_found > 60, "most queries find a path: {n_found}");
}

#[test]
fn warm_flights_allocate_nothing_if_paths_are_recycled() {
    let mut rng = Rng::new(6);
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [90, 70, 50]).expect("a small box");
    for _ in 0..60 {
        let [x, y, z] = [80, 60, 40].map(|side| rng.below(side).cast_signed());
        let high = Voxel::new(x + rng.between(0, 9), y + rng.between(0, 9), z + 9);
        builder
            .add_box(Voxel::new(x, y, z), high)
            .expect("inside the bounds");
    }
    let air = builder.build().expect("a small box");
    let mut requests = Vec::new();
    for round in 0..60 {
        let mut voxel = || Voxel::new(rng.between(0, 89), rng.between(0, 69), rng.between(0, 49));
        let request = FlightRequest::new(voxel(), voxel());
        requests.push(FlightRequest {
            method: [
                FlightMethod::Octree(OctreeParams::BALANCED),
                FlightMethod::Octree(OctreeParams::UNTUNED),
                FlightMethod::Octree(OctreeParams {
                    corridor_after: 4,
                    ..OctreeParams::BALANCED
                }),
                FlightMethod::VoxelAStar,
            ][round % 4],
            radius: Fixed::from_raw([0, 300][round / 4 % 2]),
            ..request
        });
    }
    let mut searcher = FlightSearcher::default();
    let mut n_found = 0;
    check(|| {
        for request in &requests {
            if let Ok(Outcome::Found(path)) = searcher.find(&air, request) {
                n_found += 1;
                searcher.recycle(path);
            }
        }
    });
    assert!(n_found > 40, "{n_found} flights");
}

/// Two grounds, each with its default profile and with another, and the walkable cells.
fn nav_graphs() -> Vec<(Ground, Option<ProfileId>, Vec<Cell>)> {
    let mut rng = Rng::new(13);
    let bytes = (0..150 * 90).map(|_| if rng.chance(1, 40) { 255 } else { 0 });
    let raster = Raster::from_bytes(150, 90, bytes.collect()).expect("a byte per cell");
    let mut flat = Ground::from_raster(&raster);
    let wide = Profile {
        radius: Fixed::from_raw(170),
        ..Profile::DEFAULT
    };
    let wide = flat.register_profile(wide).expect("a legal profile");
    let data = random_world(2, WorldKind::Mixed);
    let mut mixed = Ground::from_data(&data).expect("legal data");
    let climber = Profile {
        max_step: 3,
        ..data.profile.clone()
    };
    let climber = mixed.register_profile(climber).expect("a legal profile");
    let cases = [
        (flat.clone(), None),
        (flat, Some(wide)),
        (mixed.clone(), None),
    ];
    let cases = cases.into_iter().chain([(mixed, Some(climber))]);
    cases
        .map(|(ground, profile_id)| {
            let nav_graph = NavGraph::new(&ground, profile_id).expect("it is registered");
            let cells = ground.nodes().map(|node| ground.cell(node));
            let cells = cells
                .filter(|cell| nav_graph.node(*cell).is_some())
                .collect();
            (ground, profile_id, cells)
        })
        .collect()
}

/// Requests of every kind, for each method.
fn requests_of_all_kinds(profile_id: Option<ProfileId>, cells: &[Cell]) -> Vec<GroundRequest> {
    let mut rng = Rng::new(14);
    let mut pick = || *rng.pick(cells).expect("there are cells");
    let mut requests = Vec::new();
    for method in Method::ALL {
        for kind in 0..12 {
            let (from, to, other) = (pick(), pick(), pick());
            let radius = Fixed::from_raw(900);
            let area = Area::rect(Rect::around(to.column(), other.column()));
            let small = Area::rect(Rect::around(other.column(), other.column()));
            let mut request = GroundRequest::new(from, to);
            request.method = method;
            request.profile_id = profile_id;
            request.partial = PartialPolicy::NearestEuclidean;
            match kind {
                0 => request.to = GroundGoal::AnyOf(vec![to, other]),
                1 => request.to = GroundGoal::Area(area),
                2 => request.to = GroundGoal::Within { of: to, radius },
                3 => request.to = GroundGoal::LineOfSightTo { of: to, radius },
                4 => request.avoid = vec![small],
                5 => request.area_costs = vec![(area, CostMultiplier::MAX)],
                6 => {
                    request.previous = Some(PreviousPath {
                        cells: vec![from, to],
                        tolerance_per_mille: 100,
                    });
                }
                7 => request.budget = Budget::expansions(30),
                8 => request.to = GroundGoal::Area(triangle(to, 700)),
                9 => request.avoid = vec![small, triangle(to, 90), triangle(other, 300)],
                10 => request.area_costs = vec![(triangle(other, 900), CostMultiplier::MAX)],
                _ => {}
            }
            requests.push(request);
        }
    }
    requests
}

/// A triangle around a cell; `side` in 1/256 of a cell.
fn triangle(cell: Cell, side: i32) -> Area {
    let center = Point2::center_of(cell.column()).expect("in the world");
    let corner = |x: i32, y: i32| {
        let at = |center: Fixed, by: i32| Fixed::from_raw(center.raw() + by * side);
        Point2::new(at(center.x, x), at(center.y, y))
    };
    let corners = vec![corner(-1, -1), corner(2, -1), corner(-1, 2)];
    Area::new(Shape::Polygon(corners))
}

#[test]
fn warm_requests_of_every_kind_allocate_nothing_for_every_profile() {
    for (ground, profile_id, cells) in nav_graphs() {
        let requests = requests_of_all_kinds(profile_id, &cells);
        let mut searcher = PathSearcher::default();
        let first = requests[0].clone();
        let mut session = GroundSession::begin(&ground, PathSearcher::default(), first).unwrap();
        let mut n_found = 0;
        assert_none_after(3, || {
            for request in &requests {
                if let Some(path) = searcher.find(&ground, request).unwrap().best() {
                    searcher.recycle(path);
                    n_found += 1;
                }
                assert!(searcher.distance(&ground, request).is_ok());
                session.replace_request(&ground, request).unwrap();
                loop {
                    match session.advance(&ground, Budget::expansions(40)) {
                        Progress::InProgress { .. } => {}
                        Progress::Done(outcome) => {
                            outcome
                                .best()
                                .into_iter()
                                .for_each(|path| session.recycle(path));
                            break;
                        }
                        Progress::Stale { .. } => unreachable!("nothing is edited"),
                    }
                }
            }
        });
        assert!(n_found > 30, "only {n_found} paths were found");
    }
}

#[test]
fn warm_any_angle_searches_allocate_nothing_for_every_profile() {
    for (ground, profile_id, cells) in nav_graphs() {
        let nav_graph = NavGraph::new(&ground, profile_id).unwrap();
        let mut rng = Rng::new(15);
        let mut pick = || *rng.pick(&cells).expect("there are cells");
        let ends: Vec<(Cell, Cell)> = (0..12).map(|_| (pick(), pick())).collect();
        let mut searcher = AnyAngleSearcher::default();
        let other = AnyAngleSearcher::default();
        let request = |(from, to)| AnyAngleRequest {
            profile_id,
            ..AnyAngleRequest::new(from, to)
        };
        let mut session = AnyAngleSession::begin(&ground, other, request(ends[0])).unwrap();
        check(|| {
            for (from, to) in &ends {
                let found = searcher
                    .find(nav_graph, *from, *to, Budget::UNLIMITED)
                    .unwrap();
                let whole = found.digest();
                found
                    .best()
                    .into_iter()
                    .for_each(|path| searcher.recycle(path));
                session
                    .replace_request(&ground, &request((*from, *to)))
                    .unwrap();
                loop {
                    match session.advance(&ground, Budget::expansions(7)) {
                        Progress::InProgress { .. } => {}
                        Progress::Done(outcome) => {
                            assert_eq!(outcome.digest(), whole, "sliced equals whole");
                            outcome
                                .best()
                                .into_iter()
                                .for_each(|path| session.recycle(path));
                            break;
                        }
                        Progress::Stale { .. } => unreachable!("nothing is edited"),
                    }
                }
            }
        });
    }
}

/// A digest of an outcome that does not allocate.
trait Digest {
    fn digest(&self) -> (u32, usize, u64);
}

impl Digest for Outcome<wayfarer_search::ground::AnyAnglePath> {
    fn digest(&self) -> (u32, usize, u64) {
        match self {
            Self::Found(path) => (path.cost.units(), path.waypoints.len(), path.expansions),
            _ => (0, 0, 0),
        }
    }
}

#[test]
fn warm_reachability_queries_allocate_nothing_for_every_profile() {
    for (ground, profile_id, cells) in nav_graphs() {
        let nav_graph = NavGraph::new(&ground, profile_id).unwrap();
        let mut rng = Rng::new(16);
        let starts: Vec<Cell> = (0..6).map(|_| *rng.pick(&cells).unwrap()).collect();
        let limit = Cost::from_units(40 * 1463);
        let area = starts.iter().map(|cell| cell.column());
        let area = area.fold(Rect::EMPTY, Rect::including);
        let mut searcher = ReachabilitySearcher::default();
        let mut flow = FlowField::new(nav_graph, area, &starts[..1]);
        let (mut n_cells, mut n_near, mut n_steps) = (0, 0, 0);
        check(|| {
            for (seed, from) in (0..).zip(&starts) {
                let budget = Budget::UNLIMITED;
                n_cells += searcher
                    .within_cost(nav_graph, *from, limit, budget)
                    .unwrap()
                    .len();
                let near = searcher.nearest_of(nav_graph, *from, &starts, 3, budget);
                n_near += near.unwrap().len();
                let drawn = searcher.random_reachable(nav_graph, *from, limit, seed, budget);
                assert!(drawn.is_ok());
                flow.retarget(nav_graph, area, &starts);
                n_steps += cells
                    .iter()
                    .filter(|at| flow.next(&ground, **at).is_some())
                    .count();
            }
        });
        assert!(n_cells > 100 && n_near > 5 && n_steps > 100);
    }
}

#[test]
fn warm_repairs_of_a_flow_field_allocate_nothing() {
    for (mut ground, profile_id, cells) in nav_graphs() {
        let area = cells.iter().map(|cell| cell.column());
        let area = area.fold(Rect::EMPTY, Rect::including);
        let mut log = ChangeLog::new(4);
        let mut rng = Rng::new(17);
        let goal = [*rng.pick(&cells).unwrap()];
        let mut flow = FlowField::new(NavGraph::new(&ground, profile_id).unwrap(), area, &goal);
        let cell = *cells.iter().find(|cell| **cell != goal[0]).unwrap();
        let terrain = Terrain::GROUND;
        let mut last = 0;
        for round in 0..8 {
            for edit in [
                GroundEdit::RemoveCell { cell },
                GroundEdit::PutCell { cell, terrain },
            ] {
                log.push(ground.apply(&[edit]).unwrap().changes);
                let before = allocation_stats().allocations;
                flow.update(&ground, &log);
                last = allocation_stats().allocations - before;
                assert!(round < 4 || last == 0, "round {round}: {last} allocations");
            }
        }
        assert_eq!(last, 0);
    }
}

#[test]
fn warm_cached_searches_allocate_nothing_under_any_cache_limit() {
    let (dense, requests) = sample();
    let ground = Ground::from_raster(dense.raster());
    for (limit, is_evicting) in [(1 << 24, false), (400_000, true), (50_000, true)] {
        let mut searcher = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(limit));
        let mut cells = Vec::new();
        let (mut n_found, mut max_bytes) = (0, 0);
        assert_none_after(6, || {
            for request in &requests {
                let node = |cell| ground.node(cell).expect("requests are between open cells");
                let query = Query::new(node(request.start), node(request.goal));
                let outcome = jps_cached::find(
                    &ground,
                    &mut searcher,
                    &query,
                    &mut NoopObserver,
                    &mut cells,
                );
                n_found += usize::from(matches!(outcome, Outcome::Found(_)));
                max_bytes = max_bytes.max(searcher.cache_bytes());
            }
        });
        assert!(n_found > 40, "only {n_found} paths were found");
        assert!(max_bytes <= limit, "{max_bytes} bytes for {limit}");
        assert_eq!(
            max_bytes > limit / 2,
            is_evicting,
            "{max_bytes} bytes for {limit}"
        );
    }
}

#[test]
fn warm_cached_searches_allocate_nothing_after_edits() {
    let (dense, requests) = sample();
    let mut ground = Ground::from_raster(dense.raster());
    let mut searcher = CachedJpsSearcher::default();
    let mut cells = Vec::new();
    let door = ground.nodes().nth(9_000).map(|node| ground.cell(node));
    let door = door.expect("three cells in four are open");
    let mut last = u64::MAX;
    for round in 0..12 {
        let edit = if round % 2 == 0 {
            GroundEdit::RemoveCell { cell: door }
        } else {
            GroundEdit::PutCell {
                cell: door,
                terrain: Terrain::GROUND,
            }
        };
        let changes = ground.apply(&[edit]).expect("a legal edit");
        let before = allocation_stats().allocations;
        searcher.apply_changes(&ground, &changes);
        for request in &requests {
            let ends = (ground.node(request.start), ground.node(request.goal));
            let (Some(start), Some(goal)) = ends else {
                continue;
            };
            let query = Query::new(start, goal);
            jps_cached::find(
                &ground,
                &mut searcher,
                &query,
                &mut NoopObserver,
                &mut cells,
            );
        }
        last = allocation_stats().allocations - before;
    }
    assert_eq!(last, 0);
}

#[test]
fn slowly_growing_paths_rarely_allocate() {
    let raster = Raster::from_bytes(1_000, 20, vec![0; 20_000]).expect("a byte per cell");
    let ground = Ground::from_raster(&raster);
    let mut searcher = PathSearcher::default();
    let before = allocation_stats();
    for x in 100..900 {
        // A pursuer repeats its request at every step of the target.
        let request = GroundRequest::new(Cell::flat(0, 0), Cell::flat(x, 3));
        let outcome = searcher
            .find(&ground, &request)
            .expect("both ends are walkable");
        let path = outcome.found().expect("open ground");
        searcher.recycle(path);
    }
    let n_allocations = allocation_stats().allocations - before.allocations;
    assert!(n_allocations < 80, "{n_allocations} for 800 queries");
}
