use wayfarer_base::{
    Budget, Cell, Cost, Outcome, Profile, Progress, Raster, RequestError, Rng, Terrain,
};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};
use wayfarer_world::baked::{AbstractionBuilder, BakedAbstraction};
use wayfarer_world::dense::DenseGround;
use wayfarer_world::ground::Ground;

use super::*;
use crate::dense::{DenseRequest, DenseSearcher, find_path};

const PATHS: [&str; 13] = [
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
    AbstractionBuilder::of_raster(map, side)
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

/// Found whenever there is a way, valid, and not costlier than its pieces say.
fn check_path<P: AbstractGraph>(
    plan: &P,
    world: &ReferenceWorld,
    profile: &Profile,
    best: Option<Cost>,
    request: &RefinementRequest<P::Region>,
) {
    let mut refiner = Refiner::default();
    let outcome = refiner.find(plan, request).unwrap();
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
    // In slices, the same.
    let mut session = refiner.begin(plan, request).unwrap();
    let mut n_slices = 0;
    let sliced = loop {
        n_slices += 1;
        match refiner.advance(plan, &mut session, Budget::expansions(1)) {
            Progress::Done(outcome) => break outcome.found().unwrap(),
            Progress::InProgress { .. } => {
                let so_far = session.path(plan);
                let is_begun = path.cells.starts_with(&so_far.cells);
                let is_smoothed = request.refine.smoothing != Smoothing::None;
                assert!(is_begun || is_smoothed, "what was given stays");
            }
            Progress::Stale { .. } => panic!("nothing changed"),
        }
    };
    assert_eq!(sliced, path);
    assert!(n_slices <= path.abstract_path.len().max(1));
    if !request.refine.always_searches && request.refine.smoothing == Smoothing::None {
        check_lines(plan, request, &path);
    }
}

/// Lines that are taken unsearched make no first piece costlier than a search does, unless a nav link
/// is shorter than the ground between its ends.
fn check_lines<P: AbstractGraph>(
    plan: &P,
    request: &RefinementRequest<P::Region>,
    path: &RefinedPath,
) {
    let refine = RefinementParams {
        always_searches: true,
        ..request.refine
    };
    let searched = RefinementRequest { refine, ..*request };
    let searched = Refiner::default()
        .find(plan, &searched)
        .unwrap()
        .found()
        .unwrap();
    let (start, goal) = (request.start, request.goal);
    let least = Cost::octile(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
    if path.segments.len() == 1 && searched.segments.len() == 1 && searched.cost >= least {
        assert_eq!(path.cost, searched.cost, "{request:?}");
    }
}

#[test]
fn refined_ways_are_valid_and_slices_make_the_same() {
    for seed in 0..8 {
        let map = rooms(90, 70, seed);
        let ground = DenseGround::from_raster(map.clone()).unwrap();
        let live = Ground::from_raster(&map);
        let world = ReferenceWorld::new(&live.plan());
        let profile = live.default_profile().clone();
        let mut rng = Rng::for_part(seed, 1);
        for words in PATHS {
            let side = 4 + rng.below(13);
            let baked = baked(&map, side);
            let plan = BakedGraph::new(&baked, &ground).unwrap();
            for _ in 0..6 {
                let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
                let request = RefinementRequest::new(start, goal, words.parse().unwrap());
                let exact = DenseRequest::new(start, goal);
                let exact = find_path(&ground, &mut DenseSearcher::default(), &exact);
                let best = exact.unwrap().found().map(|path| path.cost);
                check_path(&plan, &world, &profile, best, &request);
            }
        }
    }
}

#[test]
fn a_frozen_map_and_the_live_ground_give_the_same_way() {
    let mut n_far = 0;
    for seed in 0..8 {
        let map = rooms(120, 100, seed);
        let ground = DenseGround::from_raster(map.clone()).unwrap();
        let live = Ground::from_raster(&map);
        let baked = baked(&map, 16);
        let plan = BakedGraph::new(&baked, &ground).unwrap();
        let live = LiveGraph::new(&live);
        let mut rng = Rng::for_part(seed, 2);
        for words in PATHS {
            for _ in 0..5 {
                let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
                let refine = words.parse().unwrap();
                let from_baked = Refiner::default()
                    .find(&plan, &RefinementRequest::new(start, goal, refine))
                    .unwrap();
                let from_live = Refiner::default()
                    .find(&live, &RefinementRequest::new(start, goal, refine))
                    .unwrap();
                assert_eq!(from_baked, from_live, "{words} {start} {goal}");
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
fn the_live_ground_is_planned_over_whatever_was_changed() {
    for kind in WorldKind::ALL {
        for seed in 0..3 {
            let mut ground = Ground::from_plan(&random_world(seed, kind)).unwrap();
            let mut world = ReferenceWorld::new(&ground.plan());
            let mut rng = Rng::for_part(seed, 3);
            for round in 0..4 {
                let profile = ground.default_profile().clone();
                let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
                let plan = LiveGraph::new(&ground);
                for words in PATHS {
                    let (Some(start), Some(goal)) = (rng.pick(&cells), rng.pick(&cells)) else {
                        continue;
                    };
                    let request = RefinementRequest::new(*start, *goal, words.parse().unwrap());
                    let best = world.path_cost(*start, *goal, &profile);
                    check_path(&plan, &world, &profile, best, &request);
                }
                let session = cells.first().map(|cell| {
                    let request =
                        RefinementRequest::new(*cell, *cell, RefinementParams::STURTEVANT_2007);
                    Refiner::default().begin(&plan, &request).unwrap()
                });
                let before = ground.revision();
                let batch = random_batch(&mut rng, &world);
                if ground.apply(&batch).is_ok() {
                    world.apply(&batch);
                }
                let changed = ground.revision() != before;
                if let (Some(mut session), true, 0) = (session, changed, round) {
                    let plan = LiveGraph::new(&ground);
                    let now = Refiner::default().advance(&plan, &mut session, Budget::UNLIMITED);
                    assert!(matches!(now, Progress::Stale { .. }));
                }
            }
        }
    }
}

#[test]
fn who_cannot_get_there_is_told_at_once() {
    let mut map = Raster::from_bytes(64, 64, vec![0; 64 * 64]).unwrap();
    for y in 0..64 {
        map.set(31, y, None);
    }
    let ground = DenseGround::from_raster(map.clone()).unwrap();
    let baked = baked(&map, 16);
    let plan = BakedGraph::new(&baked, &ground).unwrap();
    let ask = |start, goal| {
        Refiner::default().find(
            &plan,
            &RefinementRequest::new(start, goal, RefinementParams::STURTEVANT_2007),
        )
    };
    assert!(matches!(
        ask(Cell::flat(3, 3), Cell::flat(60, 60)),
        Ok(Outcome::Unreachable { .. })
    ));
    assert!(matches!(
        ask(Cell::flat(31, 3), Cell::flat(60, 60)),
        Err(RequestError::StartBlocked { .. })
    ));
    assert!(matches!(
        ask(Cell::flat(3, 3), Cell::flat(64, 60)),
        Err(RequestError::GoalBlocked { .. })
    ));
}

#[test]
fn moved_centres_lower_the_worst_piece_and_stay_in_their_regions() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..4 {
        let map = rooms(96, 96, seed);
        let ground = DenseGround::from_raster(map.clone()).unwrap();
        let mut draft = AbstractionBuilder::of_raster(&map, 16).unwrap();
        let baked_before = draft.bake().unwrap();
        optimize_centers(&mut draft, &ground, CenterPlacement::LeastWork, |_| {});
        let baked_after = draft.bake().unwrap();
        assert_eq!(
            BakedAbstraction::from_bytes(&baked_after.to_bytes()).as_ref(),
            Ok(&baked_after)
        );
        let mut rng = Rng::for_part(seed, 4);
        for _ in 0..40 {
            let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
            let request = RefinementRequest::new(start, goal, RefinementParams::STURTEVANT_2007);
            let worst = |baked: &BakedAbstraction| {
                let plan = BakedGraph::new(baked, &ground).unwrap();
                let path = Refiner::default().find(&plan, &request).unwrap().found();
                path.map_or(0, |path| path.work.max_segment)
            };
            before += worst(&baked_before);
            after += worst(&baked_after);
        }
        let mut draft = AbstractionBuilder::of_raster(&map, 16).unwrap();
        optimize_centers(&mut draft, &ground, CenterPlacement::FarFromWalls, |_| {});
        draft.bake().unwrap();
    }
    assert!(after < before, "{after} against {before}");
}

#[test]
fn a_known_region_of_the_start_changes_nothing() {
    let map = rooms(90, 90, 7);
    let ground = DenseGround::from_raster(map.clone()).unwrap();
    let baked = baked(&map, 16);
    let plan = BakedGraph::new(&baked, &ground).unwrap();
    let mut rng = Rng::new(5);
    for _ in 0..50 {
        let (start, goal) = (free_cell(&map, &mut rng), free_cell(&map, &mut rng));
        let mut request = RefinementRequest::new(start, goal, RefinementParams::STURTEVANT_2007);
        let mut refiner = Refiner::default();
        let without = refiner.find(&plan, &request).unwrap();
        request.start_region = plan.region(plan.number(start).unwrap());
        assert_eq!(refiner.find(&plan, &request).unwrap(), without);
        // One of another sector is not believed.
        request.start_region = plan.region(plan.number(goal).unwrap());
        let lost = refiner.find(&plan, &request).unwrap();
        let same_sector =
            plan.sector(plan.number(start).unwrap()) == plan.sector(plan.number(goal).unwrap());
        assert!(lost == without || same_sector);
    }
}

/// The step in each direction.
fn steps<P: AbstractGraph>(plan: &P, at: Cell) -> Vec<Option<(Cell, u32)>> {
    let mut buffer = wayfarer_world::ground::SuccessorBuffer::default();
    let number = plan.number(at).unwrap();
    let mut step = |direction| {
        let (to, cost) = plan.step(number, direction, &mut buffer)?;
        Some((plan.cell(to), cost))
    };
    wayfarer_base::Direction::ALL.map(&mut step).to_vec()
}

#[test]
fn a_step_in_a_direction_is_the_one_among_all_steps() {
    let map = rooms(60, 50, 3);
    let ground = DenseGround::from_raster(map.clone()).unwrap();
    let baked = baked(&map, 16);
    let plan = BakedGraph::new(&baked, &ground).unwrap();
    let live = Ground::from_raster(&map);
    let live = LiveGraph::new(&live);
    let mut rng = Rng::new(8);
    for _ in 0..200 {
        let at = free_cell(&map, &mut rng);
        let from_baked = steps(&plan, at);
        assert_eq!(from_baked, steps(&live, at), "{at}");
        let mut all = Vec::new();
        let mut buffer = wayfarer_world::ground::SuccessorBuffer::default();
        plan.for_steps(plan.number(at).unwrap(), &mut buffer, |to, cost| {
            all.push((plan.cell(to), cost));
        });
        let mut found: Vec<(Cell, u32)> = from_baked.into_iter().flatten().collect();
        found.sort_unstable();
        all.sort_unstable();
        assert_eq!(found, all, "{at}");
    }
}

#[test]
fn words_for_refinements_there_and_back() {
    for words in PATHS {
        let refine: RefinementParams = words.parse().unwrap();
        assert_eq!(refine.to_string().parse(), Ok(refine));
    }
    for (name, words) in [
        ("hpa", "1,-,-,simple"),
        ("pra", "4,-,p+,-"),
        ("smooth", "1,10%,-,simple"),
    ] {
        assert_eq!(name.parse::<RefinementParams>().unwrap().to_string(), words);
    }
    for words in [
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
        assert!(words.parse::<RefinementParams>().is_err(), "{words}");
    }
}
