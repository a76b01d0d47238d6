use wayfarer_base::{GroundEdit, Raster, Rng, Terrain};
use wayfarer_make::{City, GeneratedWorld, Generator, Recipe, make};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};

use super::super::{GroundRequest, Method};
use super::*;

/// A city made sector by sector, as a ground and as the oracle has it.
fn city(size: u32, seed: u64) -> (Ground, ReferenceWorld) {
    let city = City::new(size, seed).unwrap();
    let sectors = city.sectors().map(|id| (id, city.sector(id).to_raster()));
    let ground = Ground::from_sectors(sectors).unwrap();
    let world = ReferenceWorld::new(&ground.plan());
    (ground, world)
}

fn standing(ground: &Ground) -> Vec<Cell> {
    let mut cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    cells.sort_unstable();
    cells
}

/// The pieces of a way, each checked, and what they cost together.
#[track_caller]
fn segments(
    ground: &Ground,
    world: &ReferenceWorld,
    searcher: &mut PathSearcher,
    (from, to): (Cell, Cell),
) -> Option<(Vec<Cell>, Cost)> {
    let mut path = searcher
        .begin_hierarchical(ground, from, to)
        .unwrap()
        .found()?;
    let (mut cells, mut cost) = (vec![from], Cost::ZERO);
    while let Some(segment) = searcher.next_segment(ground, &mut path).unwrap() {
        let walked = world.check_path(&segment.cells, ground.default_profile());
        assert_eq!(walked, Ok(segment.cost), "{from} to {to}");
        assert!(segment.cost_lower_bound <= segment.cost);
        assert_eq!(segment.start(), cells.last().copied());
        cells.extend(&segment.cells[1..]);
        cost += segment.cost;
    }
    assert!(path.is_complete());
    Some((cells, cost))
}

#[test]
fn pieces_join_to_the_whole_and_are_not_much_longer_than_the_shortest() {
    let (mut n_found, mut sum) = (0.0, 0.0);
    let mut searcher = PathSearcher::default();
    for seed in 0..3 {
        let (ground, world) = city(640, seed);
        let cells = standing(&ground);
        let mut rng = Rng::new(seed);
        for _ in 0..25 {
            let ends = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
            let request = GroundRequest {
                method: Method::Optimal,
                ..GroundRequest::new(ends.0, ends.1)
            };
            let best = searcher.find(&ground, &request).unwrap().found();
            let whole = searcher
                .find_hierarchical(&ground, ends.0, ends.1)
                .unwrap()
                .found();
            assert_eq!(best.is_some(), whole.is_some());
            let (Some(best), Some(whole)) = (best, whole) else {
                continue;
            };
            let joined = segments(&ground, &world, &mut searcher, ends).unwrap();
            assert_eq!(joined, (whole.cells.clone(), whole.cost), "{ends:?}");
            let fresh = PathSearcher::default().find_hierarchical(&ground, ends.0, ends.1);
            assert_eq!(
                fresh.unwrap().found(),
                Some(whole.clone()),
                "no past matters"
            );
            assert!(whole.cost_lower_bound <= best.cost && best.cost <= whole.cost);
            if best.cost > Cost::ZERO {
                n_found += 1.0;
                sum += f64::from(whole.cost.units()) / f64::from(best.cost.units());
            }
        }
    }
    assert!(n_found > 50.0, "{n_found}");
    assert!(sum / n_found < 1.06, "{}", sum / n_found);
}

#[test]
fn a_way_goes_on_while_the_world_changes() {
    let (mut ground, _) = city(640, 5);
    let mut rng = Rng::new(8);
    let mut searcher = PathSearcher::default();
    let (mut n_whole, mut n_segments) = (0, 0);
    for _ in 0..24 {
        let cells = standing(&ground);
        let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
        let path = searcher
            .begin_hierarchical(&ground, from, to)
            .unwrap()
            .found();
        let Some(mut path) = path else {
            continue;
        };
        loop {
            // Something falls in front of who walks, but not on them, nor on the goal.
            let edits: Vec<GroundEdit> = (0..20)
                .map(|_| *rng.pick(&cells).unwrap())
                .filter(|cell| *cell != path.at() && *cell != to)
                .map(|cell| GroundEdit::RemoveCell { cell })
                .collect();
            let changes = ground.apply(&edits).unwrap();
            searcher.apply_changes(&ground, &changes);
            let at = path.at();
            let Some(segment) = searcher.next_segment(&ground, &mut path).unwrap() else {
                break;
            };
            let world = ReferenceWorld::new(&ground.plan());
            assert_eq!(segment.start(), Some(at));
            let walked = world.check_path(&segment.cells, ground.default_profile());
            assert_eq!(walked, Ok(segment.cost));
            n_segments += 1;
        }
        n_whole += usize::from(path.is_complete());
    }
    assert!(n_whole > 4 && n_segments > 20, "{n_whole}, {n_segments}");
}

#[test]
fn a_plan_follows_from_the_ground_and_not_from_its_past() {
    let made = City::new(300, 3).unwrap();
    let mut sectors: Vec<_> = made
        .sectors()
        .map(|id| (id, made.sector(id).to_raster()))
        .collect();
    let ground = Ground::from_sectors(sectors.clone()).unwrap();
    sectors.reverse();
    let other = Ground::from_sectors(sectors).unwrap();
    assert_eq!(ground.canonical(), other.canonical());
    let cells = standing(&ground);
    let mut rng = Rng::new(2);
    for _ in 0..30 {
        let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
        let ask = |ground: &Ground| {
            let outcome = PathSearcher::default()
                .find_hierarchical(ground, from, to)
                .unwrap();
            outcome.found().map(|path| (path.cells, path.cost))
        };
        assert_eq!(ask(&ground), ask(&other));
    }
}

#[test]
fn what_cannot_be_reached_or_stood_on_is_said() {
    let map = Raster::from_bytes(3, 1, vec![0, 255, 0]).unwrap();
    let ground = Ground::from_raster(&map);
    let mut searcher = PathSearcher::default();
    let apart = searcher.find_hierarchical(&ground, Cell::flat(0, 0), Cell::flat(2, 0));
    assert!(
        matches!(apart, Ok(Outcome::Unreachable { .. })),
        "{apart:?}"
    );
    let blocked = searcher.find_hierarchical(&ground, Cell::flat(0, 0), Cell::flat(1, 0));
    assert!(
        matches!(blocked, Err(RequestError::GoalBlocked { .. })),
        "{blocked:?}"
    );
    let here = searcher.find_hierarchical(&ground, Cell::flat(0, 0), Cell::flat(0, 0));
    assert_eq!(here.unwrap().found().unwrap().cells, [Cell::flat(0, 0)]);
    assert_eq!(ground.terrain(Cell::flat(0, 0)), Some(Terrain::GROUND));
}

fn strip(width: u32, height: u32) -> Ground {
    let city = City::with_sides(width, height, 4).unwrap();
    let sectors = city.sectors().map(|id| (id, city.sector(id).to_raster()));
    Ground::from_sectors(sectors).unwrap()
}

/// What a way costs if every step is looked at, not taken from what the search says.
#[track_caller]
fn walked(ground: &Ground, path: &GroundPath) -> Cost {
    let along = GroundPath::from_cells(NavGraph::from(ground), &path.cells);
    along
        .expect("each cell is one step from the one before")
        .cost
}

#[test]
fn very_long_ways_are_planned_over_wider_squares_and_changed_on_the_way() {
    for (width, height, n_stages) in [(9_000, 150, 2), (36_000, 70, 3)] {
        let mut ground = strip(width, height);
        let cells = standing(&ground);
        let (from, to) = (cells[0], cells[cells.len() - 1]);
        let mut searcher = PathSearcher::default();
        let best = searcher.find(
            &ground,
            &GroundRequest {
                method: Method::Optimal,
                ..GroundRequest::new(from, to)
            },
        );
        let best = best.unwrap().found().unwrap();
        let whole = searcher.find_hierarchical(&ground, from, to).unwrap();
        let whole = whole.found().unwrap();
        assert_eq!(walked(&ground, &whole), whole.cost);
        let ratio = f64::from(whole.cost.units()) / f64::from(best.cost.units());
        assert!((1.0..1.08).contains(&ratio), "{width}: {ratio}");

        let mut path = searcher
            .begin_hierarchical(&ground, from, to)
            .unwrap()
            .found();
        let path = path.as_mut().unwrap();
        assert_eq!(path.course.n_stages(), n_stages);
        let (mut joined, mut n_segments) = (Vec::new(), 0);
        let mut rng = Rng::new(u64::from(width));
        while let Some(segment) = searcher.next_segment(&ground, path).unwrap() {
            assert_eq!(walked(&ground, &segment), segment.cost);
            assert_eq!(joined.last().copied().unwrap_or(from), segment.cells[0]);
            joined.extend(&segment.cells);
            n_segments += 1;
            if n_segments % 4 == 0 {
                let fallen = *rng.pick(&cells).unwrap();
                if ground.node(fallen).is_some() && fallen != path.at() && fallen != to {
                    let changes = ground
                        .apply(&[GroundEdit::RemoveCell { cell: fallen }])
                        .unwrap();
                    searcher.apply_changes(&ground, &changes);
                }
            }
        }
        assert!(path.is_complete());
        assert!(n_segments > width / 512, "{n_segments}");
    }
}

#[test]
fn over_floors_prices_and_passages_a_way_is_found_where_there_is_one() {
    let (mut n_found, mut n_none) = (0, 0);
    for kind in WorldKind::ALL {
        for seed in 0..8 {
            let plan = random_world(seed, kind);
            let mut world = ReferenceWorld::new(&plan);
            let mut ground = Ground::from_plan(&plan).unwrap();
            let mut rng = Rng::new(seed);
            let mut searcher = PathSearcher::default();
            for _ in 0..4 {
                let cells = standing(&ground);
                for _ in 0..8 {
                    let Some(ends) = rng.pick(&cells).copied().zip(rng.pick(&cells).copied())
                    else {
                        continue;
                    };
                    let request = GroundRequest {
                        method: Method::Optimal,
                        ..GroundRequest::new(ends.0, ends.1)
                    };
                    let best = searcher.find(&ground, &request).unwrap().found();
                    let far = searcher
                        .find_hierarchical(&ground, ends.0, ends.1)
                        .unwrap()
                        .found();
                    let note = format!("{kind:?} {seed}: {ends:?}");
                    assert_eq!(best.is_some(), far.is_some(), "{note}");
                    let fresh = PathSearcher::default().find_hierarchical(&ground, ends.0, ends.1);
                    assert_eq!(fresh.unwrap().found(), far, "{note}: no past matters");
                    let (Some(best), Some(far)) = (best, far) else {
                        n_none += 1;
                        continue;
                    };
                    n_found += 1;
                    let walked = world.check_path(&far.cells, ground.default_profile());
                    assert_eq!(walked, Ok(far.cost), "{note}");
                    assert!(
                        far.cost_lower_bound <= best.cost && best.cost <= far.cost,
                        "{note}"
                    );
                }
                let edits = random_batch(&mut rng, &world);
                world.apply(&edits);
                let changes = ground.apply(&edits).unwrap();
                searcher.apply_changes(&ground, &changes);
            }
        }
    }
    assert!(n_found > 200 && n_none > 20, "{n_found}, {n_none}");
}

#[test]
fn mazes_open_fields_and_walls_are_crossed_without_much_search() {
    let GeneratedWorld::Flat(maze) = make(&Recipe::new(Generator::Maze, 700, 700, 3)).unwrap()
    else {
        panic!("a maze is a map");
    };
    let open = Raster::from_bytes(1_500, 1_500, vec![0; 1_500 * 1_500]).unwrap();
    let mut walled = open.clone();
    for y in 0..1_490 {
        walled.set(700, y, None);
    }
    for (name, map, most) in [
        ("maze", maze, 200_000),
        ("open", open, 500),
        ("wall", walled, 4_000),
    ] {
        let ground = Ground::from_raster(&map);
        let cells = standing(&ground);
        let (from, to) = (cells[0], cells[cells.len() - 1]);
        let mut searcher = PathSearcher::default();
        let request = GroundRequest {
            method: Method::Optimal,
            ..GroundRequest::new(from, to)
        };
        let best = searcher.find(&ground, &request).unwrap().found().unwrap();
        let far = searcher.find_hierarchical(&ground, from, to).unwrap();
        let far = far.found().unwrap();
        assert_eq!(walked(&ground, &far), far.cost, "{name}");
        let ratio = f64::from(far.cost.units()) / f64::from(best.cost.units());
        assert!((1.0..1.3).contains(&ratio), "{name}: {ratio}");
        assert!(far.expansions < most, "{name}: {}", far.expansions);
    }
}
