//! Every engine for every agent type, against A\* cell by cell, with edits between the queries.

use super::*;
use wayfarer_base::{
    CostModifier, CostModifierId, CostMultiplier, Raster, Shape, Terrain, Wall, WallSide,
};

const SIDE: i32 = 88;
const WATER: Terrain = match Terrain::new(5) {
    Some(water) => water,
    None => Terrain::GROUND,
};

/// Scattered blocks, a few long walls with gaps, and ponds.
fn map(rng: &mut Rng) -> Raster {
    let mut map = Raster::from_bytes(88, 88, vec![0; 88 * 88]).unwrap();
    for _ in 0..rng.between(20, 60) {
        let (x, y) = (rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        let (wide, high) = (rng.between(1, 6), rng.between(1, 6));
        let what = if rng.below(3) == 0 { Some(WATER) } else { None };
        for y in y..(y + high).min(SIDE) {
            for x in x..(x + wide).min(SIDE) {
                map.set(x, y, what);
            }
        }
    }
    for _ in 0..4 {
        let (at, gap) = (rng.between(8, SIDE - 8), rng.between(0, SIDE - 8));
        let is_row = rng.below(2) == 0;
        for along in (0..SIDE).filter(|along| !(gap..gap + 7).contains(along)) {
            let (x, y) = if is_row { (along, at) } else { (at, along) };
            map.set(x, y, None);
        }
    }
    map
}

/// Bodies of several radii, a swimmer, one that pays for water, one with keys, and the default
/// profile once more.
fn profiles() -> Vec<Profile> {
    let wide = |radius: i32| Profile {
        radius: Fixed::from_raw(radius),
        ..Profile::DEFAULT
    };
    let swimmer = Profile {
        allowed_terrains: Profile::DEFAULT.allowed_terrains | WATER.bit(),
        ..Profile::DEFAULT
    };
    let wader = Profile {
        terrain_costs: vec![(WATER, CostMultiplier::from_sixteenths(40).unwrap())],
        ..swimmer.clone()
    };
    let keys = Profile {
        keys: 6,
        ..Profile::DEFAULT
    };
    let mut all: Vec<Profile> = [150, 200, 256, 320, 384, 512, 640].map(wide).into();
    all.extend([swimmer, wader, keys, Profile::DEFAULT]);
    all
}

/// A batch of edits of any sort; walls and modifiers seldom, as they make sectors irregular.
fn edits(rng: &mut Rng, round: u32) -> Vec<GroundEdit> {
    let mut all = Vec::new();
    for _ in 0..rng.between(1, 6) {
        let cell = Cell::flat(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        all.push(match rng.below(3) {
            0 => GroundEdit::RemoveCell { cell },
            1 => GroundEdit::PutCell {
                cell,
                terrain: Terrain::GROUND,
            },
            _ => GroundEdit::PutCell {
                cell,
                terrain: WATER,
            },
        });
    }
    let at = Column::new(rng.between(0, SIDE - 9), rng.between(0, SIDE - 9));
    match round % 6 {
        3 => all.push(GroundEdit::PutCostModifier {
            id: CostModifierId(1),
            modifier: CostModifier {
                shape: Shape::Box(Rect::around(at, Column::new(at.x + 8, at.y + 8))),
                heights: (0, 0),
                multiplier: CostMultiplier::from_sixteenths(32).unwrap(),
            },
        }),
        4 => all.push(GroundEdit::RemoveCostModifier(CostModifierId(1))),
        5 => all.push(GroundEdit::PutWall(Wall {
            cell: at.at(0),
            side: WallSide::East,
        })),
        _ => {}
    }
    all
}

#[test]
fn every_method_is_as_good_as_a_star_for_every_agent_type_after_any_edits() {
    let (mut n_found, mut n_masked) = (0, 0);
    for seed in 0..5 {
        let mut rng = Rng::for_stream(seed, 77);
        let mut ground = Ground::from_raster(&map(&mut rng));
        let types: Vec<ProfileId> = profiles()
            .into_iter()
            .map(|profile| ground.register_profile(profile).unwrap())
            .collect();
        let mut searcher = PathSearcher::default();
        for round in 0..12 {
            for &id in &types {
                let profile_ground = ground.profile_ground(id).unwrap();
                profile_ground.for_each_sheet(|sheet| {
                    n_masked += usize::from(sheet.has_diagonal_masks());
                    true
                });
                let nodes: Vec<_> = profile_ground.nodes().collect();
                for _ in 0..5 {
                    let [from, to] = [0; 2].map(|_| ground.cell(*rng.pick(&nodes).unwrap()));
                    let note = format!("seed {seed} round {round} type {id:?} {from} to {to}");
                    n_found += usize::from(check(&ground, &mut searcher, id, (from, to), &note));
                }
            }
            let changes = ground.apply(&edits(&mut rng, round)).unwrap();
            searcher.apply_changes(&ground, &changes);
            if round % 5 == 4 {
                searcher.flush_invalidations(&ground);
            }
        }
    }
    assert!(n_found > 900, "only {n_found} paths were found");
    assert!(n_masked > 1_000, "only {n_masked} sheets had masks");
}

/// Checks all methods on one query; true if there is a path.
fn check(
    ground: &Ground,
    searcher: &mut PathSearcher,
    id: ProfileId,
    (from, to): (Cell, Cell),
    note: &str,
) -> bool {
    let request = |method| GroundRequest {
        profile_id: Some(id),
        method,
        ..GroundRequest::new(from, to)
    };
    let mut fresh = PathSearcher::default();
    let best = fresh.find(ground, &request(Method::AStar)).unwrap().found();
    for method in [Method::Jps, Method::Optimal, Method::Bounded] {
        let found = searcher.find(ground, &request(method)).unwrap();
        let again = PathSearcher::default().find(ground, &request(method));
        let path = found.clone().found();
        assert_eq!(
            path.as_ref().map(|path| &path.cells),
            again.unwrap().found().as_ref().map(|path| &path.cells),
            "{note}: {method:?} depends on the searcher's history"
        );
        let (Some(path), Some(best)) = (&path, &best) else {
            assert_eq!(path.is_some(), best.is_some(), "{note}: {method:?}");
            continue;
        };
        let nav_graph = NavGraph::new(ground, Some(id)).unwrap();
        let walked = GroundPath::from_cells(nav_graph, &path.cells);
        let walked = walked.map(|walked| walked.cost);
        assert_eq!(walked, Some(path.cost), "{note}: {method:?} {path:?}");
        if method == Method::Bounded {
            assert!(path.cost.units() <= best.cost.units() * 11 / 10, "{note}");
        } else {
            assert_eq!(path.cost, best.cost, "{note}: {method:?}");
        }
    }
    let hierarchical = searcher
        .find_hierarchical(ground.profile_ground(id).unwrap(), from, to)
        .unwrap()
        .found();
    assert_eq!(hierarchical.is_some(), best.is_some(), "{note}");
    let nav_graph = NavGraph::new(ground, Some(id)).unwrap();
    let walked = hierarchical
        .as_ref()
        .map(|path| GroundPath::from_cells(nav_graph, &path.cells).map(|path| path.cost));
    assert_eq!(
        walked,
        hierarchical.as_ref().map(|path| Some(path.cost)),
        "{note}: {hierarchical:?}"
    );
    best.is_some()
}
