//! Searches that have run before allocate nothing.

use wayfarer_base::{Budget, Cell, Dice, Fixed, Outcome, Progress, Raster, Session, Silent, Voxel};
use wayfarer_counting::{Counting, tally};
use wayfarer_search::air::{FlightMethod, FlightRequest, FlightSearcher, Tuning};
use wayfarer_search::dense::{
    DenseMethod, DenseQueue, DenseRequest, DenseSearcher, DenseSession, distances_from, find_path,
};
use wayfarer_search::ground::plain::{GroundSearcher, Query, find};
use wayfarer_search::ground::{IfNoWay, Method, PathRequest, PathSearcher};
use wayfarer_testkit::{WorldKind, random_world};
use wayfarer_world::air::AirBuilder;
use wayfarer_world::dense::DenseGround;
use wayfarer_world::ground::{Ground, NodeId};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A ground of which one cell in four is blocked, and requests over it.
fn sample() -> (DenseGround, Vec<DenseRequest>) {
    let mut dice = Dice::new(1);
    let cells = (0..200 * 150).map(|_| if dice.chance(1, 4) { 255 } else { 0 });
    let raster = Raster::from_bytes(200, 150, cells.collect()).expect("a byte per cell");
    let ground = DenseGround::from_raster(raster).expect("a small ground");
    let all = ground.rect().columns().map(|at| at.at(0));
    let open: Vec<Cell> = all.filter(|cell| ground.is_walkable(*cell)).collect();
    let mut requests = Vec::new();
    for round in 0..40 {
        let mut pick = || *dice.pick(&open).expect("most cells are open");
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
fn check(mut work: impl FnMut()) {
    let cold = tally();
    work();
    let warm = tally();
    assert!(
        warm.allocations > cold.allocations,
        "the first time allocates"
    );
    work();
    assert_eq!(tally().allocations, warm.allocations);
}

#[test]
fn warm_searches_allocate_nothing_if_paths_are_handed_back() {
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
fn warm_sessions_allocate_nothing_if_paths_are_handed_back() {
    let (ground, requests) = sample();
    let first = requests.first().unwrap();
    let mut session = DenseSession::begin(&ground, DenseSearcher::default(), first).unwrap();
    check(|| {
        for request in &requests {
            session.begin_anew(&ground, request).unwrap();
            loop {
                match session.advance(&ground, Budget::expansions(100)) {
                    Progress::Working { .. } => {}
                    Progress::Done(outcome) => {
                        if let Some(path) = outcome.best() {
                            session.recycle(path);
                        }
                        break;
                    }
                    Progress::Stale { .. } => unreachable!("nothing is edited"),
                }
            }
        }
    });
}

#[test]
fn warm_distances_allocate_nothing() {
    let (ground, requests) = sample();
    let mut searcher = DenseSearcher::default();
    check(|| {
        for request in &requests {
            let costs =
                distances_from(&ground, &mut searcher, request.start, Budget::UNLIMITED).unwrap();
            assert!(costs.is_complete());
        }
    });
}

#[test]
fn warm_requests_over_the_ground_allocate_nothing_if_paths_are_handed_back() {
    let (dense, requests) = sample();
    let ground = Ground::from_raster(dense.raster());
    let methods = [Method::Plain, Method::AStar, Method::Dijkstra];
    let requests: Vec<PathRequest> = requests
        .iter()
        .zip(methods.into_iter().cycle())
        .map(|(request, method)| PathRequest {
            method,
            if_no_way: IfNoWay::NearestByAir,
            ..PathRequest::new(request.start, request.goal)
        })
        .collect();
    let mut searcher = PathSearcher::default();
    let mut n_found = 0;
    check(|| {
        for request in &requests {
            let outcome = searcher.find(&ground, request).expect("cells are open");
            if let Some(path) = outcome.best() {
                searcher.recycle(path);
                n_found += 1;
            }
            let distance = searcher.distance(&ground, request);
            assert!(distance.is_ok(), "what was found was measured");
        }
    });
    assert!(n_found > 40, "only {n_found} ways were found");
}

#[test]
fn warm_searches_over_the_changing_ground_allocate_nothing() {
    let (dense, requests) = sample();
    let flat = Ground::from_raster(dense.raster());
    let flat_queries: Vec<Query> = requests
        .iter()
        .map(|request| {
            let node = |cell| flat.node(cell).expect("requests are between open cells");
            Query::new(node(request.start), node(request.goal))
        })
        .collect();
    let mixed = Ground::from_plan(&random_world(2, WorldKind::Mixed)).unwrap();
    let nodes: Vec<NodeId> = mixed.nodes().collect();
    let mut dice = Dice::new(2);
    let mut pick = || *dice.pick(&nodes).expect("there are cells");
    let mixed_queries: Vec<Query> = (0..40).map(|_| Query::new(pick(), pick())).collect();
    let (mut searcher, mut cells) = (GroundSearcher::default(), Vec::new());
    let mut n_found = 0;
    check(|| {
        for (ground, queries) in [(&flat, &flat_queries), (&mixed, &mixed_queries)] {
            for query in queries {
                let outcome = find(ground, &mut searcher, query, &mut Silent, &mut cells);
                n_found += u32::from(matches!(outcome, Outcome::Found(_)));
            }
        }
    });
    assert!(n_found > 60, "most queries find a way: {n_found}");
}

#[test]
fn warm_flights_allocate_nothing_if_paths_are_handed_back() {
    let mut dice = Dice::new(6);
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [90, 70, 50]).expect("a small box");
    for _ in 0..60 {
        let [x, y, z] = [80, 60, 40].map(|side| dice.below(side).cast_signed());
        let high = Voxel::new(x + dice.between(0, 9), y + dice.between(0, 9), z + 9);
        builder
            .solid_box(Voxel::new(x, y, z), high)
            .expect("inside the bounds");
    }
    let air = builder.build().expect("a small box");
    let mut requests = Vec::new();
    for round in 0..60 {
        let mut place = || {
            Voxel::new(
                dice.between(0, 89),
                dice.between(0, 69),
                dice.between(0, 49),
            )
        };
        let request = FlightRequest::new(place(), place());
        requests.push(FlightRequest {
            method: [
                FlightMethod::Octree(Tuning::BALANCED),
                FlightMethod::Octree(Tuning::PLAIN),
                FlightMethod::Octree(Tuning {
                    corridor_after: 4,
                    ..Tuning::BALANCED
                }),
                FlightMethod::Exact,
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
