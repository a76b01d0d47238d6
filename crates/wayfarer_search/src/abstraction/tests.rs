//! Refinement over baked and live graphs against optimal searches.

use wayfarer_base::{
    Budget, Cell, Cost, Outcome, Profile, Progress, Raster, RequestError, Rng, Terrain,
};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};
use wayfarer_world::baked::{AbstractionBuilder, BakedAbstraction};
use wayfarer_world::dense::DenseGround;
use wayfarer_world::ground::Ground;

use super::*;
use crate::dense::{DenseRequest, DenseSearcher, find_path};

const REFINEMENTS: [&str; 13] = [
    "smooth",
    "1,-,-,-",
    "1,10%,-,-",
    "1,10%,-,-,search",
    "2,5,p,-,any,search",
    "2,15%,-,-",
    "3,5,p,-",
    "1,10%,p+,simple",
    "1,-,p,-,any",
    "2,50%,p+,-,any",
    "1,90%,p,simple",
    "hpa",
    "pra",
];

/// Rooms with doors in some walls, and clutter.
fn rooms(width: u32, height: u32, seed: u64) -> Raster {
    let mut rng = Rng::new(seed);
    let mut map = Raster::new(width, height).unwrap();
    let room = rng.between(7, 19);
    for y in 0..height.cast_signed() {
        for x in 0..width.cast_signed() {
            let on_wall = x % room == 0 || y % room == 0;
            let is_free = if on_wall {
                rng.chance(1, 6)
            } else {
                rng.chance(9, 10)
            };
            map.set(x, y, is_free.then_some(Terrain::GROUND));
        }
    }
    map
}

fn baked(map: &Raster, side: u32) -> BakedAbstraction {
    AbstractionBuilder::from_raster(map, side)
        .unwrap()
        .bake()
        .unwrap()
}

fn free_cell(map: &Raster, rng: &mut Rng) -> Cell {
    loop {
        let (x, y) = (rng.below(map.width()), rng.below(map.height()));
        let (x, y) = (x.cast_signed(), y.cast_signed());
        if map.is_walkable(x, y) {
            return Cell::flat(x, y);
        }
    }
}

/// Checks that a path is found exactly if one exists, is valid, and costs what it says.
fn check_path<P: AbstractGraph>(
    graph: &P,
    world: &ReferenceWorld,
    profile: &Profile,
    best: Option<Cost>,
    request: &RefinementRequest<P::Region>,
) {
    let mut refiner = Refiner::default();
    let outcome = refiner.find(graph, request).unwrap();
    let Outcome::Found(path) = outcome else {
        assert_eq!(best, None, "{request:?}");
        return;
    };
    assert_eq!(path.cells.first(), Some(&request.start));
    assert_eq!(path.cells.last(), Some(&request.goal));
    let walked = world.check_path(&path.cells, profile);
    assert_eq!(walked, Ok(path.cost), "{request:?}");
    assert!(path.cost >= best.unwrap());
    assert_eq!(path.segments.last(), Some(&(path.cells.len() - 1)));
    assert!(path.segments.is_sorted());
    // Slicing does not change the outcome.
    let mut session = refiner.begin(graph, request).unwrap();
    let mut n_slices = 0;
    let sliced = loop {
        n_slices += 1;
        match refiner.advance(graph, &mut session, Budget::expansions(1)) {
            Progress::Done(outcome) => break outcome.found().unwrap(),
            Progress::InProgress { .. } => {
                let so_far = session.path(graph);
                let is_prefix = path.cells.starts_with(&so_far.cells);
                let is_smoothed = request.params.smoothing != Smoothing::None;
                assert!(is_prefix || is_smoothed, "refined segments stay");
            }
            Progress::Stale { .. } => panic!("nothing changed"),
        }
    };
    assert_eq!(sliced, path);
    assert!(n_slices <= path.abstract_path.len().max(1));
    if !request.params.requires_search && request.params.smoothing == Smoothing::None {
        check_lines(graph, request, &path);
    }
}

/// Checks that a line taken without a search makes the first segment no costlier than a search
/// does, unless a nav link is shorter than the ground between its ends.
fn check_lines<P: AbstractGraph>(
    graph: &P,
    request: &RefinementRequest<P::Region>,
    path: &RefinedPath,
) {
    let params = RefinementParams {
        requires_search: true,
        ..request.params
    };
    let searched = RefinementRequest { params, ..*request };
    let searched = Refiner::default()
        .find(graph, &searched)
        .unwrap()
        .found()
        .unwrap();
    let (start, goal) = (request.start, request.goal);
    let lower_bound = Cost::octile(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
    if path.segments.len() == 1 && searched.segments.len() == 1 && searched.cost >= lower_bound {
        assert_eq!(path.cost, searched.cost, "{request:?}");
    }
}

#[test]
fn refined_paths_are_valid_and_do_not_depend_on_slices() {
    for seed in 0..8 {
        let map = rooms(90, 70, seed);
        let ground = DenseGround::from_raster(map.clone()).unwrap();
        let live = Ground::from_raster(&map);
        let world = ReferenceWorld::new(&live.to_data());
        let profile = live.default_profile().clone();
        let mut rng = Rng::for_stream(seed, 1);
        for text in REFINEMENTS {
            let side = 4 + rng.below(13);
            let baked = baked(&map, side);
            let graph = BakedGraph::new(&baked, &ground).unwrap();
            for _ in 0..6 {
                let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
                let request = RefinementRequest::new(start, goal, text.parse().unwrap());
                let optimal = DenseRequest::new(start, goal);
                let optimal = find_path(&ground, &mut DenseSearcher::default(), &optimal);
                let best = optimal.unwrap().found().map(|path| path.cost);
                check_path(&graph, &world, &profile, best, &request);
            }
        }
    }
}

#[test]
fn the_baked_and_the_live_graph_yield_the_same_path() {
    let mut n_far = 0;
    for seed in 0..8 {
        let map = rooms(120, 100, seed);
        let ground = DenseGround::from_raster(map.clone()).unwrap();
        let live = Ground::from_raster(&map);
        let baked = baked(&map, 16);
        let graph = BakedGraph::new(&baked, &ground).unwrap();
        let live = LiveGraph::new(&live);
        let mut rng = Rng::for_stream(seed, 2);
        for text in REFINEMENTS {
            for _ in 0..5 {
                let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
                let params = text.parse().unwrap();
                let from_baked = Refiner::default()
                    .find(&graph, &RefinementRequest::new(start, goal, params))
                    .unwrap();
                let from_live = Refiner::default()
                    .find(&live, &RefinementRequest::new(start, goal, params))
                    .unwrap();
                assert_eq!(from_baked, from_live, "{text} {start} {goal}");
                n_far += usize::from(
                    from_live
                        .found()
                        .is_some_and(|path| path.segments.len() > 2),
                );
            }
        }
    }
    assert!(n_far > 100, "{n_far}");
}

#[test]
fn refinement_over_the_live_graph_is_valid_after_every_edit() {
    for kind in WorldKind::ALL {
        for seed in 0..3 {
            let mut ground = Ground::from_data(&random_world(seed, kind)).unwrap();
            let mut world = ReferenceWorld::new(&ground.to_data());
            let mut rng = Rng::for_stream(seed, 3);
            for round in 0..4 {
                let profile = ground.default_profile().clone();
                let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
                let graph = LiveGraph::new(&ground);
                for text in REFINEMENTS {
                    let (Some(start), Some(goal)) = (rng.pick(&cells), rng.pick(&cells)) else {
                        continue;
                    };
                    let request = RefinementRequest::new(*start, *goal, text.parse().unwrap());
                    let best = world.path_cost(*start, *goal, &profile);
                    check_path(&graph, &world, &profile, best, &request);
                }
                let session = cells.first().map(|cell| {
                    let request =
                        RefinementRequest::new(*cell, *cell, RefinementParams::STURTEVANT_2007);
                    Refiner::default().begin(&graph, &request).unwrap()
                });
                let before = ground.revision();
                let batch = random_batch(&mut rng, &world);
                if ground.apply(&batch).is_ok() {
                    world.apply(&batch);
                }
                let changed = ground.revision() != before;
                if let (Some(mut session), true, 0) = (session, changed, round) {
                    let graph = LiveGraph::new(&ground);
                    let now = Refiner::default().advance(&graph, &mut session, Budget::UNLIMITED);
                    assert!(matches!(now, Progress::Stale { .. }));
                }
            }
        }
    }
}

#[test]
fn unreachable_and_blocked_ends_are_reported_without_refinement() {
    let mut map = Raster::from_bytes(64, 64, vec![0; 64 * 64]).unwrap();
    for y in 0..64 {
        map.set(31, y, None);
    }
    let ground = DenseGround::from_raster(map.clone()).unwrap();
    let baked = baked(&map, 16);
    let graph = BakedGraph::new(&baked, &ground).unwrap();
    let find = |start, goal| {
        Refiner::default().find(
            &graph,
            &RefinementRequest::new(start, goal, RefinementParams::STURTEVANT_2007),
        )
    };
    assert!(matches!(
        find(Cell::flat(3, 3), Cell::flat(60, 60)),
        Ok(Outcome::Unreachable { .. })
    ));
    assert!(matches!(
        find(Cell::flat(31, 3), Cell::flat(60, 60)),
        Err(RequestError::StartBlocked { .. })
    ));
    assert!(matches!(
        find(Cell::flat(3, 3), Cell::flat(64, 60)),
        Err(RequestError::GoalBlocked { .. })
    ));
}

#[test]
fn optimized_centers_lower_the_expansions_of_the_worst_segment() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..4 {
        let map = rooms(96, 96, seed);
        let ground = DenseGround::from_raster(map.clone()).unwrap();
        let mut builder = AbstractionBuilder::from_raster(&map, 16).unwrap();
        let baked_before = builder.bake().unwrap();
        optimize_centers(&mut builder, &ground, CenterPlacement::LeastWork, |_| {});
        let baked_after = builder.bake().unwrap();
        assert_eq!(
            BakedAbstraction::from_bytes(&baked_after.to_bytes()).as_ref(),
            Ok(&baked_after)
        );
        let mut rng = Rng::for_stream(seed, 4);
        for _ in 0..40 {
            let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
            let request = RefinementRequest::new(start, goal, RefinementParams::STURTEVANT_2007);
            let worst = |baked: &BakedAbstraction| {
                let graph = BakedGraph::new(baked, &ground).unwrap();
                let path = Refiner::default().find(&graph, &request).unwrap().found();
                path.map_or(0, |path| path.stats.max_segment)
            };
            before += worst(&baked_before);
            after += worst(&baked_after);
        }
        let mut builder = AbstractionBuilder::from_raster(&map, 16).unwrap();
        optimize_centers(&mut builder, &ground, CenterPlacement::FarFromWalls, |_| {});
        builder.bake().unwrap();
    }
    assert!(after < before, "{after} against {before}");
}

#[test]
fn a_known_region_of_the_start_changes_nothing() {
    let map = rooms(90, 90, 7);
    let ground = DenseGround::from_raster(map.clone()).unwrap();
    let baked = baked(&map, 16);
    let graph = BakedGraph::new(&baked, &ground).unwrap();
    let mut rng = Rng::new(5);
    for _ in 0..50 {
        let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
        let mut request = RefinementRequest::new(start, goal, RefinementParams::STURTEVANT_2007);
        let mut refiner = Refiner::default();
        let without = refiner.find(&graph, &request).unwrap();
        request.start_region = graph.region(graph.number(start).unwrap());
        assert_eq!(refiner.find(&graph, &request).unwrap(), without);
        // A region of another sector is ignored.
        request.start_region = graph.region(graph.number(goal).unwrap());
        let mismatched = refiner.find(&graph, &request).unwrap();
        let same_sector =
            graph.sector(graph.number(start).unwrap()) == graph.sector(graph.number(goal).unwrap());
        assert!(mismatched == without || same_sector);
    }
}

/// The step in each direction.
fn steps<P: AbstractGraph>(graph: &P, at: Cell) -> Vec<Option<(Cell, u32)>> {
    let mut buffer = wayfarer_world::ground::SuccessorBuffer::default();
    let number = graph.number(at).unwrap();
    let mut step = |direction| {
        let (to, cost) = graph.step(number, direction, &mut buffer)?;
        Some((graph.cell(to), cost))
    };
    wayfarer_base::Direction::ALL.map(&mut step).to_vec()
}

#[test]
fn a_step_in_a_direction_equals_the_successor_in_that_direction() {
    let map = rooms(60, 50, 3);
    let ground = DenseGround::from_raster(map.clone()).unwrap();
    let baked = baked(&map, 16);
    let graph = BakedGraph::new(&baked, &ground).unwrap();
    let live = Ground::from_raster(&map);
    let live = LiveGraph::new(&live);
    let mut rng = Rng::new(8);
    for _ in 0..200 {
        let at = free_cell(&map, &mut rng);
        let from_baked = steps(&graph, at);
        assert_eq!(from_baked, steps(&live, at), "{at}");
        let mut all = Vec::new();
        let mut buffer = wayfarer_world::ground::SuccessorBuffer::default();
        graph.for_each_successor(graph.number(at).unwrap(), &mut buffer, |to, cost| {
            all.push((graph.cell(to), cost));
        });
        let mut found: Vec<(Cell, u32)> = from_baked.into_iter().flatten().collect();
        found.sort_unstable();
        all.sort_unstable();
        assert_eq!(found, all, "{at}");
    }
}

#[test]
fn the_text_form_of_params_parses_back_and_faulty_texts_are_rejected() {
    for text in REFINEMENTS {
        let params: RefinementParams = text.parse().unwrap();
        assert_eq!(params.to_string().parse(), Ok(params));
    }
    for (name, text) in [
        ("hpa", "1,-,-,simple"),
        ("pra", "4,-,p+,-"),
        ("smooth", "1,10%,-,simple"),
    ] {
        assert_eq!(name.parse::<RefinementParams>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "1",
        "0,-,-,-",
        "1,95%,-,-",
        "1,-,q,-",
        "1,-,-,curly",
        "1,-,-,-,all",
        "x,-,-,-",
        "1,-1,-,-",
        "1,10%,-,-,any,any",
        "1,%,-,-",
    ] {
        assert!(text.parse::<RefinementParams>().is_err(), "{text}");
    }
}
