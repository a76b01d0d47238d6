//! Tests of hierarchical paths against optimal ones, on static and on changing ground.

use wayfarer_base::{GroundEdit, Raster, Rng, Terrain};
use wayfarer_make::{City, GeneratedWorld, Generator, Recipe, make};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};

use super::super::{GroundRequest, Method};
use super::*;

/// A city as a ground and as a reference world.
fn city(size: u32, seed: u64) -> (Ground, ReferenceWorld) {
    let city = City::new(size, seed).unwrap();
    let sectors = city.sectors().map(|id| (id, city.sector(id).to_raster()));
    let ground = Ground::from_sectors(sectors).unwrap();
    let world = ReferenceWorld::new(&ground.to_data());
    (ground, world)
}

fn walkable_cells(ground: &Ground) -> Vec<Cell> {
    let mut cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    cells.sort_unstable();
    cells
}

/// The cells and the cost of all segments of a path, each segment checked.
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
fn segments_join_to_the_whole_path_and_stay_within_6_percent_of_optimal_on_average() {
    let (mut n_found, mut sum) = (0.0, 0.0);
    let mut searcher = PathSearcher::default();
    for seed in 0..3 {
        let (ground, world) = city(640, seed);
        let cells = walkable_cells(&ground);
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
            let fresh = fresh.unwrap().found();
            assert_eq!(fresh, Some(whole.clone()), "depends on the history");
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
fn segments_stay_valid_while_the_world_changes_between_them() {
    let (mut ground, _) = city(640, 5);
    let mut rng = Rng::new(8);
    let mut searcher = PathSearcher::default();
    let (mut n_complete, mut n_segments) = (0, 0);
    for _ in 0..24 {
        let cells = walkable_cells(&ground);
        let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
        let path = searcher
            .begin_hierarchical(&ground, from, to)
            .unwrap()
            .found();
        let Some(mut path) = path else {
            continue;
        };
        loop {
            // Cells vanish anywhere but at the agent and at the goal.
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
            let world = ReferenceWorld::new(&ground.to_data());
            assert_eq!(segment.start(), Some(at));
            let walked = world.check_path(&segment.cells, ground.default_profile());
            assert_eq!(walked, Ok(segment.cost));
            n_segments += 1;
        }
        n_complete += usize::from(path.is_complete());
    }
    assert!(
        n_complete > 4 && n_segments > 20,
        "{n_complete}, {n_segments}"
    );
}

#[test]
fn a_path_follows_from_the_ground_and_not_from_its_history() {
    let made = City::new(300, 3).unwrap();
    let mut sectors: Vec<_> = made
        .sectors()
        .map(|id| (id, made.sector(id).to_raster()))
        .collect();
    let ground = Ground::from_sectors(sectors.clone()).unwrap();
    sectors.reverse();
    let other = Ground::from_sectors(sectors).unwrap();
    assert_eq!(ground.canonical(), other.canonical());
    let cells = walkable_cells(&ground);
    let mut rng = Rng::new(2);
    for _ in 0..30 {
        let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
        let find = |ground: &Ground| {
            let outcome = PathSearcher::default()
                .find_hierarchical(ground, from, to)
                .unwrap();
            outcome.found().map(|path| (path.cells, path.cost))
        };
        assert_eq!(find(&ground), find(&other));
    }
}

#[test]
fn unreachable_and_blocked_goals_are_reported() {
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

/// The cost of a path summed step by step.
#[track_caller]
fn step_cost_sum(ground: &Ground, path: &GroundPath) -> Cost {
    let along = GroundPath::from_cells(NavGraph::from(ground), &path.cells);
    along
        .expect("each cell is one step from the one before")
        .cost
}

#[test]
fn very_long_paths_are_planned_over_wider_clusters_and_replanned_after_edits() {
    for (width, height, n_levels) in [(9_000, 150, 2), (36_000, 70, 3)] {
        let mut ground = strip(width, height);
        let cells = walkable_cells(&ground);
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
        assert_eq!(step_cost_sum(&ground, &whole), whole.cost);
        let ratio = f64::from(whole.cost.units()) / f64::from(best.cost.units());
        assert!((1.0..1.08).contains(&ratio), "{width}: {ratio}");

        let mut path = searcher
            .begin_hierarchical(&ground, from, to)
            .unwrap()
            .found();
        let path = path.as_mut().unwrap();
        assert_eq!(path.abstract_path.n_levels(), n_levels);
        let (mut joined, mut n_segments) = (Vec::new(), 0);
        let mut rng = Rng::new(u64::from(width));
        while let Some(segment) = searcher.next_segment(&ground, path).unwrap() {
            assert_eq!(step_cost_sum(&ground, &segment), segment.cost);
            assert_eq!(joined.last().copied().unwrap_or(from), segment.cells[0]);
            joined.extend(&segment.cells);
            n_segments += 1;
            if n_segments % 4 == 0 {
                let removed = *rng.pick(&cells).unwrap();
                if ground.node(removed).is_some() && removed != path.at() && removed != to {
                    let changes = ground
                        .apply(&[GroundEdit::RemoveCell { cell: removed }])
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
fn over_floors_costs_and_nav_links_a_path_is_found_if_and_only_if_one_exists() {
    let (mut n_found, mut n_none) = (0, 0);
    for kind in WorldKind::ALL {
        for seed in 0..8 {
            let data = random_world(seed, kind);
            let mut world = ReferenceWorld::new(&data);
            let mut ground = Ground::from_data(&data).unwrap();
            let mut rng = Rng::new(seed);
            let mut searcher = PathSearcher::default();
            for _ in 0..4 {
                let cells = walkable_cells(&ground);
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
                    let found = searcher
                        .find_hierarchical(&ground, ends.0, ends.1)
                        .unwrap()
                        .found();
                    let note = format!("{kind:?} {seed}: {ends:?}");
                    assert_eq!(best.is_some(), found.is_some(), "{note}");
                    let fresh = PathSearcher::default().find_hierarchical(&ground, ends.0, ends.1);
                    assert_eq!(fresh.unwrap().found(), found, "{note}: history");
                    let (Some(best), Some(found)) = (best, found) else {
                        n_none += 1;
                        continue;
                    };
                    n_found += 1;
                    let walked = world.check_path(&found.cells, ground.default_profile());
                    assert_eq!(walked, Ok(found.cost), "{note}");
                    assert!(
                        found.cost_lower_bound <= best.cost && best.cost <= found.cost,
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
fn mazes_open_ground_and_long_walls_take_few_expansions() {
    let GeneratedWorld::Flat(maze) = make(&Recipe::new(Generator::Maze, 700, 700, 3)).unwrap()
    else {
        panic!("a maze is a map");
    };
    let open = Raster::from_bytes(1_500, 1_500, vec![0; 1_500 * 1_500]).unwrap();
    let mut walled = open.clone();
    for y in 0..1_490 {
        walled.set(700, y, None);
    }
    for (name, map, max_expansions) in [
        ("maze", maze, 200_000),
        ("open", open, 500),
        ("wall", walled, 4_000),
    ] {
        let ground = Ground::from_raster(&map);
        let cells = walkable_cells(&ground);
        let (from, to) = (cells[0], cells[cells.len() - 1]);
        let mut searcher = PathSearcher::default();
        let request = GroundRequest {
            method: Method::Optimal,
            ..GroundRequest::new(from, to)
        };
        let best = searcher.find(&ground, &request).unwrap().found().unwrap();
        let found = searcher.find_hierarchical(&ground, from, to).unwrap();
        let found = found.found().unwrap();
        assert_eq!(step_cost_sum(&ground, &found), found.cost, "{name}");
        let ratio = f64::from(found.cost.units()) / f64::from(best.cost.units());
        assert!((1.0..1.3).contains(&ratio), "{name}: {ratio}");
        let expansions = found.expansions;
        assert!(expansions < max_expansions, "{name}: {expansions}");
    }
}

/// Floors along a line of columns.
fn lane(from: (i32, i32), to: (i32, i32), z: i32) -> impl Iterator<Item = GroundEdit> {
    let (low, high) = (Column::new(from.0, from.1), Column::new(to.0, to.1));
    let terrain = Terrain::GROUND;
    let columns = Rect::around(low, high).columns();
    columns.map(move |column| GroundEdit::PutCell {
        cell: column.at(z),
        terrain,
    })
}

#[test]
fn a_segment_never_leads_into_a_pit_that_only_drops_lead_into() {
    // A lane to the goal with detours to the north, and beside it a straight pit under piers. In
    // every cluster lane and pit are one component, for a drop connects them.
    let mut ground = Ground::new(wayfarer_base::Profile {
        max_step: 1,
        max_drop: 8,
        ..wayfarer_base::Profile::DEFAULT
    })
    .unwrap();
    let mut edits: Vec<GroundEdit> = lane((2, 4), (1_370, 60), 2).collect();
    for x in (0..22).map(|cluster| cluster * 64) {
        edits.extend(lane((x, 0), (x + 39, 0), 8));
        edits.extend(lane((x + 39, -30), (x + 39, -1), 8));
        edits.extend(lane((x + 40, -30), (x + 40, -30), 8));
        edits.extend(lane((x + 41, -30), (x + 41, -1), 8));
        edits.extend(lane((x + 41, 0), (x + 63, 0), 8));
        edits.extend(lane((x + 20, 1), (x + 20, 3), 8)); // a pier
    }
    ground.apply(&edits).unwrap();
    let (from, to) = (Cell::new(0, 0, 8), Cell::new(1_354, 0, 8));
    let mut searcher = PathSearcher::default();
    let best = searcher
        .find(&ground, &GroundRequest::new(from, to))
        .unwrap();
    assert!(best.found().is_some());
    let outcome = searcher.find_hierarchical(&ground, from, to).unwrap();
    assert!(outcome.found().is_some(), "a path exists");
    let mut path = searcher
        .begin_hierarchical(&ground, from, to)
        .unwrap()
        .found()
        .unwrap();
    while searcher.next_segment(&ground, &mut path).unwrap().is_some() {}
    assert!(path.is_complete(), "stuck at {}", path.at());
}

#[test]
fn ties_between_wide_clusters_do_not_depend_on_the_order_of_edits() {
    // Two teleports from the start into lanes of one wide cluster, equally long to the goal.
    let lanes = [0, 130];
    let build = |order: [usize; 2]| {
        let mut ground = Ground::new(wayfarer_base::Profile::DEFAULT).unwrap();
        let mut edits: Vec<GroundEdit> = lane((0, 65), (4, 65), 0).collect();
        ground.apply(&edits).unwrap();
        for y in order.map(|number| lanes[number]) {
            edits.clear();
            edits.extend(lane((300, y), (8_900, y), 0));
            edits.push(GroundEdit::PutNavLink(wayfarer_base::NavLink {
                from: Cell::flat(4, 65),
                to: Cell::flat(300, y),
                kind: wayfarer_base::NavLinkKind::Teleport,
                cost: Cost::from_units(500_000),
                direction: wayfarer_base::LinkDirection::Bidirectional,
                state: wayfarer_base::LinkState::Open,
            }));
            ground.apply(&edits).unwrap();
        }
        ground
            .apply(&lane((8_900, 0), (8_900, 130), 0).collect::<Vec<_>>())
            .unwrap();
        ground
    };
    let [a, b] = [[0, 1], [1, 0]].map(|order| {
        let ground = build(order);
        let (from, to) = (Cell::flat(0, 65), Cell::flat(8_900, 65));
        let mut searcher = PathSearcher::default();
        let outcome = searcher.find_hierarchical(&ground, from, to).unwrap();
        outcome.found().unwrap().cells
    });
    assert_eq!(a[..20], b[..20]);
    assert_eq!(a, b);
}

#[test]
fn a_hierarchical_path_keeps_to_its_budget() {
    let (ground, _) = city(640, 4);
    let cells = walkable_cells(&ground);
    let (from, to) = (cells[0], cells[cells.len() - 1]);
    let mut searcher = PathSearcher::default();
    let whole = searcher.find_hierarchical(&ground, from, to).unwrap();
    let whole = whole.found().unwrap();
    for budget in [1, whole.expansions / 2, whole.expansions] {
        let outcome = searcher
            .find_hierarchical_within(&ground, from, to, budget)
            .unwrap();
        match outcome {
            Outcome::Found(path) => assert_eq!((path, budget), (whole.clone(), whole.expansions)),
            Outcome::OutOfBudget { best, .. } => {
                assert!(whole.cells.starts_with(&best.cells));
                assert!(budget < whole.expansions, "{budget}");
            }
            other => panic!("{other:?}"),
        }
    }
}
