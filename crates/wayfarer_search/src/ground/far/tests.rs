use wayfarer_base::{Dice, Edit, Raster, Terrain};
use wayfarer_make::City;
use wayfarer_testkit::PlainWorld;

use super::super::{Method, PathRequest};
use super::*;

/// A city made sector by sector, as a ground and as the oracle has it.
fn city(size: u32, seed: u64) -> (Ground, PlainWorld) {
    let city = City::new(size, seed).unwrap();
    let sectors = city.sectors().map(|id| (id, city.sector(id).to_raster()));
    let ground = Ground::from_sectors(sectors).unwrap();
    let world = PlainWorld::new(&ground.plan());
    (ground, world)
}

fn standing(ground: &Ground) -> Vec<Cell> {
    let mut cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    cells.sort_unstable();
    cells
}

/// The pieces of a way, each checked, and what they cost together.
#[track_caller]
fn pieces(
    ground: &Ground,
    world: &PlainWorld,
    searcher: &mut PathSearcher,
    (from, to): (Cell, Cell),
) -> Option<(Vec<Cell>, Cost)> {
    let mut way = searcher.set_out(ground, from, to).unwrap().found()?;
    let (mut cells, mut cost) = (vec![from], Cost::ZERO);
    while let Some(piece) = searcher.next_piece(ground, &mut way).unwrap() {
        let walked = world.check_path(&piece.cells, ground.profile());
        assert_eq!(walked, Ok(piece.cost), "{from} to {to}");
        assert!(piece.at_least <= piece.cost);
        assert_eq!(piece.start(), cells.last().copied());
        cells.extend(&piece.cells[1..]);
        cost += piece.cost;
    }
    assert!(way.is_whole());
    Some((cells, cost))
}

#[test]
fn pieces_join_to_the_whole_and_are_not_much_longer_than_the_shortest() {
    let (mut n_found, mut sum) = (0.0, 0.0);
    let mut searcher = PathSearcher::default();
    for seed in 0..3 {
        let (ground, world) = city(640, seed);
        let cells = standing(&ground);
        let mut dice = Dice::new(seed);
        for _ in 0..25 {
            let ends = (*dice.pick(&cells).unwrap(), *dice.pick(&cells).unwrap());
            let request = PathRequest {
                method: Method::Exact,
                ..PathRequest::new(ends.0, ends.1)
            };
            let best = searcher.find(&ground, &request).unwrap().found();
            let whole = searcher.find_far(&ground, ends.0, ends.1).unwrap().found();
            assert_eq!(best.is_some(), whole.is_some());
            let (Some(best), Some(whole)) = (best, whole) else {
                continue;
            };
            let joined = pieces(&ground, &world, &mut searcher, ends).unwrap();
            assert_eq!(joined, (whole.cells.clone(), whole.cost), "{ends:?}");
            let fresh = PathSearcher::default().find_far(&ground, ends.0, ends.1);
            assert_eq!(
                fresh.unwrap().found(),
                Some(whole.clone()),
                "no past matters"
            );
            assert!(whole.at_least <= best.cost && best.cost <= whole.cost);
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
    let mut dice = Dice::new(8);
    let mut searcher = PathSearcher::default();
    let (mut n_whole, mut n_pieces) = (0, 0);
    for _ in 0..12 {
        let cells = standing(&ground);
        let (from, to) = (*dice.pick(&cells).unwrap(), *dice.pick(&cells).unwrap());
        let way = searcher.set_out(&ground, from, to).unwrap().found();
        let Some(mut way) = way else {
            continue;
        };
        loop {
            // Something falls in front of who walks, but not on them, nor on the goal.
            let edits: Vec<Edit> = (0..20)
                .map(|_| *dice.pick(&cells).unwrap())
                .filter(|cell| *cell != way.at() && *cell != to)
                .map(|cell| Edit::RemoveCell { cell })
                .collect();
            let changes = ground.apply(&edits).unwrap();
            searcher.follow(&ground, &changes);
            let at = way.at();
            let Some(piece) = searcher.next_piece(&ground, &mut way).unwrap() else {
                break;
            };
            let world = PlainWorld::new(&ground.plan());
            assert_eq!(piece.start(), Some(at));
            let walked = world.check_path(&piece.cells, ground.profile());
            assert_eq!(walked, Ok(piece.cost));
            n_pieces += 1;
        }
        n_whole += usize::from(way.is_whole());
    }
    assert!(n_whole > 4 && n_pieces > 20, "{n_whole}, {n_pieces}");
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
    let mut dice = Dice::new(2);
    for _ in 0..30 {
        let (from, to) = (*dice.pick(&cells).unwrap(), *dice.pick(&cells).unwrap());
        let ask = |ground: &Ground| {
            let outcome = PathSearcher::default().find_far(ground, from, to).unwrap();
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
    let apart = searcher.find_far(&ground, Cell::flat(0, 0), Cell::flat(2, 0));
    assert!(
        matches!(apart, Ok(Outcome::Unreachable { .. })),
        "{apart:?}"
    );
    let blocked = searcher.find_far(&ground, Cell::flat(0, 0), Cell::flat(1, 0));
    assert!(
        matches!(blocked, Err(Refusal::GoalBlocked { .. })),
        "{blocked:?}"
    );
    let here = searcher.find_far(&ground, Cell::flat(0, 0), Cell::flat(0, 0));
    assert_eq!(here.unwrap().found().unwrap().cells, [Cell::flat(0, 0)]);
    assert_eq!(ground.terrain(Cell::flat(0, 0)), Some(Terrain::GROUND));
}
