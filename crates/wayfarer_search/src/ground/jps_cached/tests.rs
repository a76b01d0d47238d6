use wayfarer_base::{
    Budget, Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit,
    LinkDirection, LinkState, NavLink, NavLinkId, NavLinkKind, NoopObserver, Outcome, Point2,
    Raster, Rect, Rng, Shape, Terrain, Wall, WallSide, WorldData,
};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};
use wayfarer_world::ground::{Ground, NodeId, SuccessorBuffer};

use super::super::jps::{self, JpsSearcher};
use super::*;
use crate::kernel::StopReason;

mod irregular;

fn ask(
    ground: &Ground,
    searcher: &mut CachedJpsSearcher,
    (from, to): (Cell, Cell),
) -> (Outcome<Cost>, Vec<Cell>, u64) {
    let query = Query::new(ground.node(from).unwrap(), ground.node(to).unwrap());
    let mut nodes = vec![NodeId::from_index(3)];
    let outcome = find(ground, searcher, &query, &mut NoopObserver, &mut nodes);
    let cells = nodes.iter().map(|node| ground.cell(*node)).collect();
    (outcome, cells, searcher.stats().expansions)
}

/// Takes the floor away where one can stand, and puts one elsewhere.
pub(super) fn turned(ground: &Ground, cell: Cell) -> GroundEdit {
    let terrain = Terrain::GROUND;
    match ground.node(cell) {
        Some(_) => GroundEdit::RemoveCell { cell },
        None => GroundEdit::PutCell { cell, terrain },
    }
}

/// Of one cell in so many the ground is closed.
fn clutter(side: u32, one_in: u32, rng: &mut Rng) -> Raster {
    let n_cells = side * side;
    let cells = (0..n_cells).map(|_| if rng.chance(1, one_in) { 255 } else { 0 });
    Raster::from_bytes(side, side, cells.collect()).unwrap()
}

fn standing(ground: &Ground) -> Vec<Cell> {
    ground.nodes().map(|node| ground.cell(node)).collect()
}

/// Asks a searcher with a past, one with a past and a small cap, and a fresh one, and `jps`.
#[track_caller]
fn check(
    ground: &Ground,
    old: &mut CachedJpsSearcher,
    tight: &mut CachedJpsSearcher,
    ends: (Cell, Cell),
    note: &str,
) -> (Outcome<Cost>, Vec<Cell>) {
    let fresh = ask(ground, &mut CachedJpsSearcher::default(), ends);
    assert_eq!(ask(ground, old, ends), fresh, "{note}: {ends:?}");
    assert_eq!(
        ask(ground, tight, ends),
        fresh,
        "{note}: {ends:?}, small cap"
    );
    let query = Query::new(ground.node(ends.0).unwrap(), ground.node(ends.1).unwrap());
    let mut nodes = Vec::new();
    let plain = jps::find(
        ground,
        &mut JpsSearcher::default(),
        &query,
        &mut NoopObserver,
        &mut nodes,
    );
    assert_eq!(fresh.0, plain, "{note}: {ends:?}, beside plain");
    (fresh.0, fresh.1)
}

#[test]
fn answers_follow_from_the_ground_alone_whatever_was_asked_and_changed_before() {
    let mut n_kept = 0;
    for (seed, one_in) in (0..12).zip([3, 5, 12, 60].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let raster = clutter(70, one_in, &mut rng);
        let mut ground = Ground::from_raster(&raster);
        let mut world = ReferenceWorld::new(&WorldData::from_raster(&raster));
        let mut old = CachedJpsSearcher::default();
        let mut tight = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(6_000));
        for round in 0..30 {
            let note = format!("seed {seed}, round {round}");
            let open = standing(&ground);
            for number in 0..6 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let (outcome, cells) = check(&ground, &mut old, &mut tight, ends, &note);
                if let (Outcome::Found(cost), 0) = (outcome, number) {
                    let walked = world.check_path(&cells, ground.default_profile());
                    assert_eq!(walked, Ok(cost), "{note}");
                    let oracle = world.dijkstra(ends.0, ground.default_profile());
                    assert_eq!(oracle.get(&ends.1), Some(&cost), "{note}");
                }
            }
            assert!(
                !old.fell_back_to_jps(),
                "{note}: plain ground needs no other search"
            );
            let mut edits = Vec::new();
            for _ in 0..[1, 1, 2, 20][rng.below(4) as usize] {
                let x = rng.between(-2, 71);
                let cell = Cell::flat(x, rng.between(-2, 71));
                edits.push(turned(&ground, cell));
            }
            let changes = ground.apply(&edits).unwrap();
            world.apply(&edits);
            old.apply_changes(&ground, &changes);
            n_kept += old.cache.n_lists();
            assert!(old.cache.finds_all_by_sheet(), "{note}");
            // The other one finds out by itself.
            if rng.chance(1, 2) {
                tight.apply_changes(&ground, &changes);
            }
        }
    }
    assert!(n_kept > 1_500, "lists outlive edits: {n_kept}");
}

#[test]
fn every_kind_of_world_is_answered_as_plain_does_while_it_changes() {
    for kind in WorldKind::ALL {
        for seed in 0..12 {
            let mut rng = Rng::for_part(seed, 78);
            let plan = random_world(seed, kind);
            let mut world = ReferenceWorld::new(&plan);
            let mut ground = Ground::from_plan(&plan).unwrap();
            let mut old = CachedJpsSearcher::default();
            let mut tight = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(3_000));
            for round in 0..8 {
                let note = format!("{kind:?}, seed {seed}, round {round}");
                let open = standing(&ground);
                for _ in 0..4 {
                    let (Some(&from), Some(&to)) = (rng.pick(&open), rng.pick(&open)) else {
                        continue;
                    };
                    check(&ground, &mut old, &mut tight, (from, to), &note);
                }
                let edits = random_batch(&mut rng, &world);
                world.apply(&edits);
                let changes = ground.apply(&edits).unwrap();
                old.apply_changes(&ground, &changes);
                tight.apply_changes(&ground, &changes);
            }
        }
    }
}

#[test]
fn what_is_remembered_of_one_ground_is_not_believed_of_another() {
    let mut searcher = CachedJpsSearcher::default();
    for seed in 0..20 {
        let ground = Ground::from_raster(&clutter(40, 4, &mut Rng::new(seed)));
        let open = standing(&ground);
        let mut rng = Rng::new(seed);
        for copy in [&ground, &ground.clone()] {
            let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
            let fresh = ask(copy, &mut CachedJpsSearcher::default(), ends);
            assert_eq!(ask(copy, &mut searcher, ends), fresh);
        }
    }
}

#[test]
fn a_copy_that_goes_its_own_way_is_another_ground() {
    let mut ground = Ground::from_raster(&clutter(40, 9, &mut Rng::new(5)));
    let mut copy = ground.clone();
    let mut searcher = CachedJpsSearcher::default();
    let open = standing(&ground);
    let mut rng = Rng::new(6);
    for _ in 0..30 {
        let mut edit = |ground: &mut Ground| {
            let cell = *rng.pick(&open).unwrap();
            ground.apply(&[turned(ground, cell)]).unwrap();
        };
        edit(&mut ground);
        edit(&mut copy);
        assert_eq!(ground.revision(), copy.revision());
        for ground in [&ground, &copy] {
            let open = standing(ground);
            let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
            let fresh = ask(ground, &mut CachedJpsSearcher::default(), ends);
            assert_eq!(ask(ground, &mut searcher, ends), fresh);
        }
    }
}

#[test]
fn what_is_kept_stays_below_the_cap() {
    let mut rng = Rng::new(9);
    let mut ground = Ground::from_raster(&clutter(120, 8, &mut rng));
    let open = standing(&ground);
    let mut searcher = CachedJpsSearcher::default();
    for _ in 0..400 {
        let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
        if ground.node(ends.0).is_some() && ground.node(ends.1).is_some() {
            ask(&ground, &mut searcher, ends);
            let (bytes, cap) = (searcher.cache_bytes(), searcher.cache_limit_bytes());
            assert!(bytes <= cap, "{bytes} of {cap}");
        }
        let cell = *rng.pick(&open).unwrap();
        let changes = ground.apply(&[GroundEdit::RemoveCell { cell }]).unwrap();
        searcher.apply_changes(&ground, &changes);
        if rng.chance(9, 10) {
            let changes = ground.apply(&changes.inverse()).unwrap();
            searcher.apply_changes(&ground, &changes);
        }
    }
}

#[test]
fn a_budget_gives_the_same_best_with_and_without_a_past() {
    let mut rng = Rng::new(3);
    let ground = Ground::from_raster(&clutter(90, 4, &mut rng));
    let open = standing(&ground);
    let mut old = CachedJpsSearcher::default();
    let mut n_short = 0;
    for _ in 0..100 {
        let (from, to) = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
        let query = Query {
            budget: Budget::expansions(rng.below(30).into()),
            ..Query::new(ground.node(from).unwrap(), ground.node(to).unwrap())
        };
        let ask = |searcher: &mut CachedJpsSearcher| {
            let mut nodes = Vec::new();
            let outcome = find(&ground, searcher, &query, &mut NoopObserver, &mut nodes);
            (outcome, nodes)
        };
        let fresh = ask(&mut CachedJpsSearcher::default());
        assert_eq!(ask(&mut old), fresh);
        n_short += usize::from(matches!(fresh.0, Outcome::OutOfBudget { .. }));
    }
    assert!(n_short > 20, "some budgets run out");
}

/// What the steps of a way cost, one by one.
fn walked(ground: &Ground, nodes: &[NodeId]) -> Cost {
    let mut buffer = SuccessorBuffer::default();
    let mut cost = Cost::ZERO;
    for step in nodes.windows(2) {
        let steps = ground.successors(step[0], &mut buffer);
        let costs = steps.filter(|(to, _)| *to == step[1]).map(|(_, cost)| cost);
        cost += costs.min().expect("a way is made of steps");
    }
    cost
}

#[test]
fn what_was_found_so_far_costs_what_its_steps_cost() {
    let (mut n_short, mut n_found) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let ground = match seed % 3 {
            0 => Ground::from_raster(&clutter(50, 4, &mut rng)),
            1 => Ground::from_raster(&rooms(70, &mut rng)),
            _ => {
                let kind = *rng.pick(&WorldKind::ALL).unwrap();
                Ground::from_plan(&random_world(seed, kind)).unwrap()
            }
        };
        let open = standing(&ground);
        let mut searcher = CachedJpsSearcher::default();
        for _ in 0..60 {
            let (from, to) = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
            let query = Query::new(ground.node(from).unwrap(), ground.node(to).unwrap());
            let weight = [1024, 1126, 2048, 8192][rng.below(4) as usize];
            let weight = HeuristicWeight::from_1024ths(weight).unwrap();
            if searcher.begin(&ground, &query, weight).is_some() {
                continue;
            }
            let budget = Budget::expansions([8, 30, 100, 1 << 20][rng.below(4) as usize]);
            let stop = searcher.advance(&ground, &mut NoopObserver, budget);
            let mut nodes = Vec::new();
            let said = match searcher.outcome(&ground, stop, &mut nodes) {
                Outcome::Found(cost) => {
                    n_found += 1;
                    cost
                }
                Outcome::OutOfBudget { best, .. } => {
                    n_short += 1;
                    best
                }
                _ => continue, // Steps that lead one way only.
            };
            let note = format!("seed {seed}, {from} to {to}, {weight:?}, {budget:?}");
            assert_eq!(said, walked(&ground, &nodes), "{note}");
            assert!(
                searcher.at_least().is_none_or(|least| least <= said),
                "{note}"
            );
        }
    }
    assert!(n_short > 500 && n_found > 500, "{n_short}, {n_found}");
}

/// Everything that a weighted search says of a way, found in slices of so many expansions.
fn ask_weighed(
    ground: &Ground,
    searcher: &mut CachedJpsSearcher,
    (from, to): (Cell, Cell),
    weight: HeuristicWeight,
    slice: u64,
) -> (Outcome<Cost>, Vec<Cell>, Option<Cost>, u64) {
    let query = Query::new(ground.node(from).unwrap(), ground.node(to).unwrap());
    let mut nodes = Vec::new();
    if let Some(known) = searcher.begin(ground, &query, weight) {
        return (known, Vec::new(), None, 0);
    }
    let mut stop = StopReason::OutOfBudget;
    while stop == StopReason::OutOfBudget {
        stop = searcher.advance(ground, &mut NoopObserver, Budget::expansions(slice));
    }
    let outcome = searcher.outcome(ground, stop, &mut nodes);
    let cells = nodes.iter().map(|node| ground.cell(*node)).collect();
    let expansions = searcher.stats().expansions;
    (outcome, cells, searcher.at_least(), expansions)
}

#[test]
fn a_weighted_way_keeps_to_its_bound_and_knows_it_whatever_was_asked_before() {
    let (mut n_costlier, mut n_proven) = (0, 0);
    let weights = [
        HeuristicWeight::BOUNDED,
        HeuristicWeight::from_1024ths(1_500).unwrap(),
    ];
    for (seed, one_in) in (0..12).zip([3, 5, 12, 60].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let mut ground = Ground::from_raster(&clutter(60, one_in, &mut rng));
        let mut old = CachedJpsSearcher::default();
        let mut tight = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(6_000));
        for round in 0..15 {
            let open = standing(&ground);
            for weight in weights.into_iter().cycle().take(8) {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let note = format!("seed {seed}, round {round}, {ends:?}, {weight:?}");
                let fresh = ask_weighed(
                    &ground,
                    &mut CachedJpsSearcher::default(),
                    ends,
                    weight,
                    u64::MAX,
                );
                for (searcher, slice) in [(&mut old, 3), (&mut tight, 1)] {
                    let sliced = ask_weighed(&ground, searcher, ends, weight, slice);
                    assert_eq!(sliced, fresh, "{note}");
                }
                let (Outcome::Found(cost), cells, least, _) = fresh else {
                    continue;
                };
                let world = ReferenceWorld::new(&ground.plan());
                let walked = world.check_path(&cells, ground.default_profile());
                assert_eq!(walked, Ok(cost), "{note}");
                let best = ask(&ground, &mut CachedJpsSearcher::default(), ends).0;
                let best = best.found().unwrap().units();
                let (cost, least) = (cost.units(), least.unwrap().units());
                assert!(least <= best && best <= cost, "{note}");
                assert!(
                    u64::from(cost) * 1024 <= u64::from(best) * u64::from(weight.to_1024ths()),
                    "{note}: {cost} for {best}"
                );
                assert!(
                    u64::from(cost) * 1024 <= u64::from(least) * u64::from(weight.to_1024ths()),
                    "{note}: {cost}, proven {least}"
                );
                n_costlier += usize::from(cost > best);
                n_proven += usize::from(cost == least);
            }
            let cell = *rng.pick(&open).unwrap();
            let changes = ground.apply(&[GroundEdit::RemoveCell { cell }]).unwrap();
            old.apply_changes(&ground, &changes);
        }
    }
    assert!(n_costlier > 100, "weights matter: {n_costlier}");
    assert!(n_proven > 300, "many are known to be cheapest: {n_proven}");
}

/// Rooms of nine by nine with walls between, and a door in some of the walls.
fn rooms(side: u32, rng: &mut Rng) -> Raster {
    let mut map = Raster::from_bytes(side, side, vec![0; (side * side) as usize]).unwrap();
    let side = side.cast_signed();
    for at in (9..side).step_by(10) {
        for along in 0..side {
            map.set(at, along, None);
            map.set(along, at, None);
        }
    }
    for at in (9..side).step_by(10) {
        for room in (0..side).step_by(10) {
            for is_column in [true, false] {
                let along = room + rng.between(0, 8);
                if along < side && rng.chance(3, 5) {
                    let (x, y) = if is_column { (at, along) } else { (along, at) };
                    map.set(x, y, Some(Terrain::GROUND));
                }
            }
        }
    }
    map
}

#[test]
fn doors_that_open_and_shut_never_leave_an_old_narrow_place_behind() {
    let mut n_short_cuts = 0;
    for seed in 0..10 {
        let mut rng = Rng::for_part(seed, 5);
        let mut ground = Ground::from_raster(&rooms(128, &mut rng));
        let mut old = CachedJpsSearcher::default();
        let mut tight = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(20_000));
        for round in 0..40 {
            let note = format!("seed {seed}, round {round}");
            let open = standing(&ground);
            for _ in 0..3 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                check(&ground, &mut old, &mut tight, ends, &note);
                n_short_cuts += usize::from(old.uses_tree);
            }
            let mut edits = Vec::new();
            for _ in 0..[1, 1, 3][rng.below(3) as usize] {
                let at = rng.between(0, 11) * 10 + 9;
                let along = rng.between(0, 127);
                let cell = if rng.chance(1, 2) {
                    Cell::flat(at, along)
                } else {
                    Cell::flat(along, at)
                };
                edits.push(turned(&ground, cell));
            }
            let changes = ground.apply(&edits).unwrap();
            old.apply_changes(&ground, &changes);
            if rng.chance(1, 2) {
                tight.apply_changes(&ground, &changes);
            }
        }
    }
    assert!(n_short_cuts > 300, "the tree was asked: {n_short_cuts}");
}

/// Edits of any kind, somewhere on a flat ground; `nav_links` are those that were put there.
fn edits_of_any_kind(
    rng: &mut Rng,
    ground: &Ground,
    open: &[Cell],
    nav_links: &mut Vec<NavLinkId>,
) -> Vec<GroundEdit> {
    let mut edits = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let cell = *rng.pick(open).unwrap();
        let wall = Wall {
            cell,
            side: *rng.pick(&[WallSide::East, WallSide::South]).unwrap(),
        };
        let edit = match rng.below(10) {
            0 | 1 => GroundEdit::PutWall(wall),
            2 => GroundEdit::RemoveWall(wall),
            3 => GroundEdit::RemoveCostModifier(CostModifierId(u64::from(rng.below(4)))),
            4 | 5 => GroundEdit::PutCostModifier {
                id: CostModifierId(u64::from(rng.below(4))),
                modifier: CostModifier {
                    shape: Shape::Circle {
                        center: Point2::new(
                            Fixed::from_raw(cell.x * 256),
                            Fixed::from_raw(cell.y * 256),
                        ),
                        radius: Fixed::from_raw(rng.between(0, 20 * 256)),
                    },
                    heights: (0, 0),
                    multiplier: CostMultiplier::from_sixteenths(
                        *rng.pick(&[17, 24, 40, 80]).unwrap(),
                    )
                    .unwrap(),
                },
            },
            6 if nav_links.len() < 4 => {
                let to = *rng.pick(open).unwrap();
                let far = Cost::octile(cell.x.abs_diff(to.x), cell.y.abs_diff(to.y)).units();
                let nav_link = NavLink {
                    from: cell,
                    to,
                    kind: NavLinkKind::Jump,
                    direction: *rng
                        .pick(&[LinkDirection::Bidirectional, LinkDirection::OneWay])
                        .unwrap(),
                    cost: Cost::from_units(far + rng.below(500)),
                    state: LinkState::Open,
                };
                let name = NavLinkId::from(&nav_link);
                if cell == to || nav_links.contains(&name) {
                    continue;
                }
                nav_links.push(name);
                GroundEdit::PutNavLink(nav_link)
            }
            7 if !nav_links.is_empty() => GroundEdit::SetNavLinkState {
                nav_link: *rng.pick(nav_links).unwrap(),
                state: *rng.pick(&[LinkState::Open, LinkState::Closed]).unwrap(),
            },
            8 if !nav_links.is_empty() => {
                let name = *rng.pick(nav_links).unwrap();
                nav_links.retain(|other| *other != name);
                GroundEdit::RemoveNavLink(name)
            }
            _ if ground.node(cell).is_some() => GroundEdit::RemoveCell { cell },
            _ => GroundEdit::PutCell {
                cell,
                terrain: Terrain::GROUND,
            },
        };
        edits.push(edit);
    }
    edits
}

#[test]
fn after_edits_of_any_kind_answers_are_those_of_a_searcher_without_a_past() {
    let (mut n_kept, mut n_irregular) = (0, 0);
    for seed in 0..8 {
        let mut rng = Rng::for_part(seed, 21);
        let mut ground = match seed % 2 {
            0 => Ground::from_raster(&clutter(180, 14, &mut rng)),
            _ => Ground::from_raster(&rooms(180, &mut rng)),
        };
        let mut old = CachedJpsSearcher::default();
        let mut tight = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(20_000));
        let (all, mut nav_links) = (standing(&ground), Vec::new());
        for round in 0..40 {
            let open = standing(&ground);
            for number in 0..4 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let note = format!("seed {seed}, round {round}, question {number}");
                check(&ground, &mut old, &mut tight, ends, &note);
                if number == 0 && round > 0 {
                    n_kept += usize::from(old.cache.n_lists() > 20);
                }
            }
            let edits = edits_of_any_kind(&mut rng, &ground, &all, &mut nav_links);
            let is_floor = |edit: &GroundEdit| {
                matches!(
                    edit,
                    GroundEdit::PutCell { .. } | GroundEdit::RemoveCell { .. }
                )
            };
            n_irregular += usize::from(!edits.iter().all(is_floor));
            let changes = ground.apply(&edits).unwrap();
            old.apply_changes(&ground, &changes);
            if rng.chance(1, 3) {
                old.flush_invalidations(&ground);
            }
            if rng.chance(1, 2) {
                tight.apply_changes(&ground, &changes);
            }
        }
    }
    assert!(
        n_irregular > 200,
        "most batches are not of floors alone: {n_irregular}"
    );
    assert!(n_kept > 200, "lists outlive them: {n_kept}");
}

#[test]
fn a_search_that_looks_no_further_than_it_must_finds_the_way_of_one_that_looks_everywhere() {
    let (mut n_fenced, mut n_again, mut n_irregular) = (0, 0, 0);
    let side = 1_100;
    let mut rng = Rng::new(17);
    let mut map = Raster::from_bytes(side, side, vec![0; (side * side) as usize]).unwrap();
    let last = side.cast_signed() - 1;
    for _ in 0..150 {
        let (x, y) = (rng.between(0, last), rng.between(0, last));
        let (wide, high) = (rng.between(1, 40), rng.between(1, 40));
        for column in Rect::around(
            Column::new(x, y),
            Column::new((x + wide).min(last), (y + high).min(last)),
        )
        .columns()
        {
            map.set(column.x, column.y, None);
        }
    }
    // A wall to go round, much farther than the straight path.
    for y in 150..950 {
        map.set(550, y, None);
    }
    let mut ground = Ground::from_raster(&map);
    let mut old = CachedJpsSearcher::default();
    let near = |rng: &mut Rng, at: i32, far: i32| (at + rng.between(-far, far)).clamp(0, last);
    for round in 0..120 {
        let weight = [HeuristicWeight::ONE, HeuristicWeight::BOUNDED][round % 2];
        let (x, y) = match round % 5 {
            0 => (near(&mut rng, 530, 15), near(&mut rng, 550, 300)),
            _ => (rng.between(0, last), rng.between(0, last)),
        };
        let to = match round % 5 {
            0 => (near(&mut rng, 570, 15), y),
            _ => (near(&mut rng, x, 120), near(&mut rng, y, 120)),
        };
        let ends = (Cell::flat(x, y), Cell::flat(to.0, to.1));
        if ground.node(ends.0).is_none() || ground.node(ends.1).is_none() {
            continue;
        }
        let note = format!("round {round}, {ends:?}, {weight:?}");
        // Whoever searches in slices looks everywhere.
        let slice = u64::MAX - 1;
        let mut fresh = CachedJpsSearcher::default();
        let everywhere = ask_weighed(&ground, &mut fresh, ends, weight, slice);
        assert!(!fresh.met_fence, "{note}");
        for _ in 0..2 {
            let fenced = ask_weighed(&ground, &mut old, ends, weight, u64::MAX);
            assert_eq!(fenced, everywhere, "{note}");
            n_fenced += usize::from(old.met_fence);
            n_again += usize::from(old.ceiling == u32::MAX);
            n_irregular += usize::from(old.n_irregular > 0);
        }
        let fenced = ask_weighed(
            &ground,
            &mut CachedJpsSearcher::default(),
            ends,
            weight,
            u64::MAX,
        );
        assert_eq!(fenced, everywhere, "{note}");
        if round % 3 == 0 {
            let cell = Cell::flat(near(&mut rng, x, 30), near(&mut rng, y, 30));
            let mut edits = vec![GroundEdit::RemoveCell { cell }];
            if round % 12 == 0 {
                edits.push(irregular::costly_at(round as u64, &mut rng, (x, y)));
            }
            let changes = ground.apply(&edits).unwrap();
            old.apply_changes(&ground, &changes);
        }
    }
    assert!(n_irregular > 5, "some go over dear ground: {n_irregular}");
    assert!(n_fenced > 60, "looks end at a fence: {n_fenced}");
    assert!(
        n_again > 10,
        "some ways are dearer than was guessed: {n_again}"
    );
}

#[test]
fn a_search_under_way_does_not_believe_what_it_saw_before_a_change() {
    let mut n_changed = 0;
    for seed in 0..200 {
        for settles in [false, true] {
            let mut rng = Rng::for_part(seed, 5);
            let mut ground = Ground::from_raster(&clutter(70, 5, &mut rng));
            let open = standing(&ground);
            let mut searcher = CachedJpsSearcher::default();
            for _ in 0..rng.below(40) {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                ask(&ground, &mut searcher, ends);
            }
            let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
            let [start, goal] = [ends.0, ends.1].map(|cell| ground.node(cell).unwrap());
            let query = Query::new(start, goal);
            let has_begun = searcher
                .begin(&ground, &query, HeuristicWeight::ONE)
                .is_none();
            let few = Budget::expansions(6);
            if !has_begun
                || searcher.advance(&ground, &mut NoopObserver, few) != StopReason::OutOfBudget
            {
                continue;
            }
            let before = ask(&ground, &mut CachedJpsSearcher::default(), ends).0;
            for _ in 0..1 + rng.below(20) {
                let cell = *rng.pick(&open).unwrap();
                if cell == ends.0 || cell == ends.1 {
                    continue;
                }
                let changes = ground.apply(&[GroundEdit::RemoveCell { cell }]).unwrap();
                searcher.apply_changes(&ground, &changes);
                if settles {
                    searcher.flush_invalidations(&ground);
                }
            }
            let stop = searcher.advance(&ground, &mut NoopObserver, Budget::UNLIMITED);
            let outcome = searcher.outcome(&ground, stop, &mut Vec::new());
            let (due, ..) = ask(&ground, &mut CachedJpsSearcher::default(), ends);
            let is_cut_off = matches!(due, Outcome::Unreachable { .. });
            assert!(
                outcome == due || is_cut_off && outcome.found().is_none(),
                "seed {seed}, settles: {settles}"
            );
            n_changed += usize::from(due != before);
        }
    }
    assert!(n_changed > 20, "the way changed: {n_changed}");
}
