//! Cached search against searches without a cache, on grounds that change.

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

fn find_path(
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

/// Removes the floor of a cell, or puts one there.
pub(super) fn toggled(ground: &Ground, cell: Cell) -> GroundEdit {
    let terrain = Terrain::GROUND;
    match ground.node(cell) {
        Some(_) => GroundEdit::RemoveCell { cell },
        None => GroundEdit::PutCell { cell, terrain },
    }
}

/// A square with one blocked cell in `one_in`.
fn clutter(side: u32, one_in: u32, rng: &mut Rng) -> Raster {
    let n_cells = side * side;
    let cells = (0..n_cells).map(|_| if rng.chance(1, one_in) { 255 } else { 0 });
    Raster::from_bytes(side, side, cells.collect()).unwrap()
}

fn walkable(ground: &Ground) -> Vec<Cell> {
    ground.nodes().map(|node| ground.cell(node)).collect()
}

/// Compares a warm searcher, a warm one with a small cache limit, a new one and `jps`.
#[track_caller]
fn check(
    ground: &Ground,
    warm: &mut CachedJpsSearcher,
    limited: &mut CachedJpsSearcher,
    ends: (Cell, Cell),
    note: &str,
) -> (Outcome<Cost>, Vec<Cell>) {
    let fresh = find_path(ground, &mut CachedJpsSearcher::default(), ends);
    assert_eq!(find_path(ground, warm, ends), fresh, "{note}: {ends:?}");
    assert_eq!(
        find_path(ground, limited, ends),
        fresh,
        "{note}: {ends:?}, small limit"
    );
    let query = Query::new(ground.node(ends.0).unwrap(), ground.node(ends.1).unwrap());
    let mut nodes = Vec::new();
    let uncached = jps::find(
        ground,
        &mut JpsSearcher::default(),
        &query,
        &mut NoopObserver,
        &mut nodes,
    );
    assert_eq!(fresh.0, uncached, "{note}: {ends:?}, against jps");
    (fresh.0, fresh.1)
}

#[test]
fn results_do_not_depend_on_earlier_queries_and_edits() {
    let mut n_cached = 0;
    for (seed, one_in) in (0..8).zip([3, 5, 12, 60].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let raster = clutter(70, one_in, &mut rng);
        let mut ground = Ground::from_raster(&raster);
        let mut world = ReferenceWorld::new(&WorldData::from_raster(&raster));
        let mut warm = CachedJpsSearcher::default();
        let mut limited = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(6_000));
        for round in 0..30 {
            let note = format!("seed {seed}, round {round}");
            let open = walkable(&ground);
            for number in 0..6 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let (outcome, cells) = check(&ground, &mut warm, &mut limited, ends, &note);
                if let (Outcome::Found(cost), 0) = (outcome, number) {
                    let path_cost = world.check_path(&cells, ground.default_profile());
                    assert_eq!(path_cost, Ok(cost), "{note}");
                    let oracle = world.dijkstra(ends.0, ground.default_profile());
                    assert_eq!(oracle.get(&ends.1), Some(&cost), "{note}");
                }
            }
            assert!(
                !warm.fell_back_to_jps(),
                "{note}: uniform ground needs no fallback"
            );
            let mut edits = Vec::new();
            for _ in 0..[1, 1, 2, 20][rng.below(4) as usize] {
                let x = rng.between(-2, 71);
                let cell = Cell::flat(x, rng.between(-2, 71));
                edits.push(toggled(&ground, cell));
            }
            let changes = ground.apply(&edits).unwrap();
            world.apply(&edits);
            warm.apply_changes(&ground, &changes);
            n_cached += warm.cache.graph.n_lists();
            assert!(warm.cache.graph.finds_all_by_sheet(), "{note}");
            // Without its changes the cache is cleared.
            if rng.chance(1, 2) {
                limited.apply_changes(&ground, &changes);
            }
        }
    }
    assert!(n_cached > 1_500, "lists outlive edits: {n_cached}");
}

#[test]
fn paths_cost_what_uncached_search_finds_in_every_kind_of_world_while_it_changes() {
    for kind in WorldKind::ALL {
        for seed in 0..12 {
            let mut rng = Rng::for_stream(seed, 78);
            let plan = random_world(seed, kind);
            let mut world = ReferenceWorld::new(&plan);
            let mut ground = Ground::from_data(&plan).unwrap();
            let mut warm = CachedJpsSearcher::default();
            let mut limited = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(3_000));
            for round in 0..8 {
                let note = format!("{kind:?}, seed {seed}, round {round}");
                let open = walkable(&ground);
                for _ in 0..4 {
                    let (Some(&from), Some(&to)) = (rng.pick(&open), rng.pick(&open)) else {
                        continue;
                    };
                    check(&ground, &mut warm, &mut limited, (from, to), &note);
                }
                let edits = random_batch(&mut rng, &world);
                world.apply(&edits);
                let changes = ground.apply(&edits).unwrap();
                warm.apply_changes(&ground, &changes);
                limited.apply_changes(&ground, &changes);
            }
        }
    }
}

#[test]
fn the_cache_of_one_ground_is_not_used_for_another() {
    let mut searcher = CachedJpsSearcher::default();
    for seed in 0..20 {
        let ground = Ground::from_raster(&clutter(40, 4, &mut Rng::new(seed)));
        let open = walkable(&ground);
        let mut rng = Rng::new(seed);
        for copy in [&ground, &ground.clone()] {
            let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
            let fresh = find_path(copy, &mut CachedJpsSearcher::default(), ends);
            assert_eq!(find_path(copy, &mut searcher, ends), fresh);
        }
    }
}

#[test]
fn a_diverging_clone_is_another_ground() {
    let mut ground = Ground::from_raster(&clutter(40, 9, &mut Rng::new(5)));
    let mut copy = ground.clone();
    let mut searcher = CachedJpsSearcher::default();
    let open = walkable(&ground);
    let mut rng = Rng::new(6);
    for _ in 0..30 {
        let mut edit = |ground: &mut Ground| {
            let cell = *rng.pick(&open).unwrap();
            ground.apply(&[toggled(ground, cell)]).unwrap();
        };
        edit(&mut ground);
        edit(&mut copy);
        assert_eq!(ground.revision().number, copy.revision().number);
        for ground in [&ground, &copy] {
            let open = walkable(ground);
            let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
            let fresh = find_path(ground, &mut CachedJpsSearcher::default(), ends);
            assert_eq!(find_path(ground, &mut searcher, ends), fresh);
        }
    }
}

#[test]
fn the_cache_stays_within_its_limit() {
    let mut rng = Rng::new(9);
    let mut ground = Ground::from_raster(&clutter(120, 8, &mut rng));
    let open = walkable(&ground);
    let mut searcher = CachedJpsSearcher::default();
    for _ in 0..400 {
        let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
        if ground.node(ends.0).is_some() && ground.node(ends.1).is_some() {
            find_path(&ground, &mut searcher, ends);
            let (bytes, limit) = (searcher.cache_bytes(), searcher.cache_limit_bytes());
            assert!(bytes <= limit, "{bytes} of {limit}");
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
fn a_budget_gives_the_same_partial_path_with_and_without_a_cache() {
    let mut rng = Rng::new(3);
    let ground = Ground::from_raster(&clutter(90, 4, &mut rng));
    let open = walkable(&ground);
    let mut warm = CachedJpsSearcher::default();
    let mut n_short = 0;
    for _ in 0..100 {
        let (from, to) = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
        let query = Query {
            budget: Budget::expansions(rng.below(30).into()),
            ..Query::new(ground.node(from).unwrap(), ground.node(to).unwrap())
        };
        let find_path = |searcher: &mut CachedJpsSearcher| {
            let mut nodes = Vec::new();
            let outcome = find(&ground, searcher, &query, &mut NoopObserver, &mut nodes);
            (outcome, nodes)
        };
        let fresh = find_path(&mut CachedJpsSearcher::default());
        assert_eq!(find_path(&mut warm), fresh);
        n_short += usize::from(matches!(fresh.0, Outcome::OutOfBudget { .. }));
    }
    assert!(n_short > 20, "some budgets run out");
}

/// Cost of a path, step by step.
fn path_cost(ground: &Ground, nodes: &[NodeId]) -> Cost {
    let mut buffer = SuccessorBuffer::default();
    let mut cost = Cost::ZERO;
    for step in nodes.windows(2) {
        let steps = ground.successors(step[0], &mut buffer);
        let costs = steps.filter(|(to, _)| *to == step[1]).map(|(_, cost)| cost);
        cost += costs.min().expect("a path is made of steps");
    }
    cost
}

#[test]
fn a_partial_path_costs_what_its_steps_cost() {
    let (mut n_short, mut n_found) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let ground = match seed % 3 {
            0 => Ground::from_raster(&clutter(50, 4, &mut rng)),
            1 => Ground::from_raster(&rooms(70, &mut rng)),
            _ => {
                let kind = *rng.pick(&WorldKind::ALL).unwrap();
                Ground::from_data(&random_world(seed, kind)).unwrap()
            }
        };
        let open = walkable(&ground);
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
            let reported = match searcher.outcome(&ground, stop, &mut nodes) {
                Outcome::Found(cost) => {
                    n_found += 1;
                    cost
                }
                Outcome::OutOfBudget { best, .. } => {
                    n_short += 1;
                    best
                }
                _ => continue, // Unreachable over one-way steps.
            };
            let note = format!("seed {seed}, {from} to {to}, {weight:?}, {budget:?}");
            assert_eq!(reported, path_cost(&ground, &nodes), "{note}");
            assert!(
                searcher
                    .cost_lower_bound()
                    .is_none_or(|least| least <= reported),
                "{note}"
            );
        }
    }
    assert!(n_short > 500 && n_found > 500, "{n_short}, {n_found}");
}

/// The result of a weighted search in slices of this many expansions.
fn find_weighted(
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
    (outcome, cells, searcher.cost_lower_bound(), expansions)
}

#[test]
fn a_weighted_path_keeps_and_reports_its_bound_whatever_the_cache_holds() {
    let (mut n_costlier, mut n_proven) = (0, 0);
    let weights = [
        HeuristicWeight::BOUNDED,
        HeuristicWeight::from_1024ths(1_500).unwrap(),
    ];
    for (seed, one_in) in (0..12).zip([3, 5, 12, 60].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let mut ground = Ground::from_raster(&clutter(60, one_in, &mut rng));
        let mut warm = CachedJpsSearcher::default();
        let mut limited = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(6_000));
        for round in 0..15 {
            let open = walkable(&ground);
            for weight in weights.into_iter().cycle().take(8) {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let note = format!("seed {seed}, round {round}, {ends:?}, {weight:?}");
                let fresh = find_weighted(
                    &ground,
                    &mut CachedJpsSearcher::default(),
                    ends,
                    weight,
                    u64::MAX,
                );
                for (searcher, slice) in [(&mut warm, 3), (&mut limited, 1)] {
                    let sliced = find_weighted(&ground, searcher, ends, weight, slice);
                    assert_eq!(sliced, fresh, "{note}");
                }
                let (Outcome::Found(cost), cells, least, _) = fresh else {
                    continue;
                };
                let world = ReferenceWorld::new(&ground.to_data());
                let path_cost = world.check_path(&cells, ground.default_profile());
                assert_eq!(path_cost, Ok(cost), "{note}");
                let best = find_path(&ground, &mut CachedJpsSearcher::default(), ends).0;
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
            warm.apply_changes(&ground, &changes);
        }
    }
    assert!(n_costlier > 100, "weights matter: {n_costlier}");
    assert!(n_proven > 300, "many are proven optimal: {n_proven}");
}

/// Rooms of nine by nine cells, with a door in some of the walls.
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
fn doors_that_open_and_shut_never_leave_a_stale_bridge_behind() {
    let mut n_with_tree = 0;
    for seed in 0..10 {
        let mut rng = Rng::for_stream(seed, 5);
        let mut ground = Ground::from_raster(&rooms(128, &mut rng));
        let mut warm = CachedJpsSearcher::default();
        let mut limited = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(20_000));
        for round in 0..40 {
            let note = format!("seed {seed}, round {round}");
            let open = walkable(&ground);
            for _ in 0..3 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                check(&ground, &mut warm, &mut limited, ends, &note);
                n_with_tree += usize::from(warm.query.uses_tree);
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
                edits.push(toggled(&ground, cell));
            }
            let changes = ground.apply(&edits).unwrap();
            warm.apply_changes(&ground, &changes);
            if rng.chance(1, 2) {
                limited.apply_changes(&ground, &changes);
            }
        }
    }
    assert!(n_with_tree > 300, "the tree was used: {n_with_tree}");
}

/// Random edits of any kind on flat ground; `nav_links` are those put so far.
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
                        center: Point2::from_raw(cell.x * 256, cell.y * 256),
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
fn after_edits_of_any_kind_results_equal_those_of_a_new_searcher() {
    let (mut n_cached, mut n_irregular) = (0, 0);
    for seed in 0..8 {
        let mut rng = Rng::for_stream(seed, 21);
        let mut ground = match seed % 2 {
            0 => Ground::from_raster(&clutter(180, 14, &mut rng)),
            _ => Ground::from_raster(&rooms(180, &mut rng)),
        };
        let mut warm = CachedJpsSearcher::default();
        let mut limited = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(20_000));
        let (all, mut nav_links) = (walkable(&ground), Vec::new());
        for round in 0..40 {
            let open = walkable(&ground);
            for number in 0..4 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let note = format!("seed {seed}, round {round}, query {number}");
                check(&ground, &mut warm, &mut limited, ends, &note);
                if number == 0 && round > 0 {
                    n_cached += usize::from(warm.cache.graph.n_lists() > 20);
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
            warm.apply_changes(&ground, &changes);
            if rng.chance(1, 3) {
                warm.flush_invalidations(&ground);
            }
            if rng.chance(1, 2) {
                limited.apply_changes(&ground, &changes);
            }
        }
    }
    assert!(
        n_irregular > 200,
        "most batches are not of floors alone: {n_irregular}"
    );
    assert!(n_cached > 200, "lists outlive them: {n_cached}");
}

#[test]
fn a_fenced_search_finds_the_path_of_an_unfenced_one() {
    let (mut n_fenced, mut n_unfenced, mut n_irregular) = (0, 0, 0);
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
    // A wall whose detour is much longer than the direct path.
    for y in 150..950 {
        map.set(550, y, None);
    }
    let mut ground = Ground::from_raster(&map);
    let mut warm = CachedJpsSearcher::default();
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
        // A search in slices has no fence.
        let slice = u64::MAX - 1;
        let mut fresh = CachedJpsSearcher::default();
        let unfenced = find_weighted(&ground, &mut fresh, ends, weight, slice);
        assert!(!fresh.query.has_met_fence, "{note}");
        for _ in 0..2 {
            let fenced = find_weighted(&ground, &mut warm, ends, weight, u64::MAX);
            assert_eq!(fenced, unfenced, "{note}");
            n_fenced += usize::from(warm.query.has_met_fence);
            n_unfenced += usize::from(warm.query.upper_bound == u32::MAX);
            n_irregular += usize::from(warm.query.n_irregular > 0);
        }
        let fenced = find_weighted(
            &ground,
            &mut CachedJpsSearcher::default(),
            ends,
            weight,
            u64::MAX,
        );
        assert_eq!(fenced, unfenced, "{note}");
        if round % 3 == 0 {
            let cell = Cell::flat(near(&mut rng, x, 30), near(&mut rng, y, 30));
            let mut edits = vec![GroundEdit::RemoveCell { cell }];
            if round % 12 == 0 {
                edits.push(irregular::costly_at(round as u64, &mut rng, (x, y)));
            }
            let changes = ground.apply(&edits).unwrap();
            warm.apply_changes(&ground, &changes);
        }
    }
    assert!(n_irregular > 5, "some cross costly ground: {n_irregular}");
    assert!(n_fenced > 60, "scans end at a fence: {n_fenced}");
    assert!(
        n_unfenced > 10,
        "some paths exceed the first bound: {n_unfenced}"
    );
}

#[test]
fn a_search_in_progress_discards_what_an_edit_invalidated() {
    let mut n_changed = 0;
    for seed in 0..200 {
        for flushes in [false, true] {
            let mut rng = Rng::for_stream(seed, 5);
            let mut ground = Ground::from_raster(&clutter(70, 5, &mut rng));
            let open = walkable(&ground);
            let mut searcher = CachedJpsSearcher::default();
            for _ in 0..rng.below(40) {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                find_path(&ground, &mut searcher, ends);
            }
            let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
            let [start, goal] = [ends.0, ends.1].map(|cell| ground.node(cell).unwrap());
            let query = Query::new(start, goal);
            let has_begun = searcher
                .begin(&ground, &query, HeuristicWeight::ONE)
                .is_none();
            let small = Budget::expansions(6);
            if !has_begun
                || searcher.advance(&ground, &mut NoopObserver, small) != StopReason::OutOfBudget
            {
                continue;
            }
            let before = find_path(&ground, &mut CachedJpsSearcher::default(), ends).0;
            for _ in 0..1 + rng.below(20) {
                let cell = *rng.pick(&open).unwrap();
                if cell == ends.0 || cell == ends.1 {
                    continue;
                }
                let changes = ground.apply(&[GroundEdit::RemoveCell { cell }]).unwrap();
                searcher.apply_changes(&ground, &changes);
                if flushes {
                    searcher.flush_invalidations(&ground);
                }
            }
            let stop = searcher.advance(&ground, &mut NoopObserver, Budget::UNLIMITED);
            let outcome = searcher.outcome(&ground, stop, &mut Vec::new());
            let (expected, ..) = find_path(&ground, &mut CachedJpsSearcher::default(), ends);
            let is_cut_off = matches!(expected, Outcome::Unreachable { .. });
            assert!(
                outcome == expected || is_cut_off && outcome.found().is_none(),
                "seed {seed}, flushes: {flushes}"
            );
            n_changed += usize::from(expected != before);
        }
    }
    assert!(n_changed > 20, "the path changed: {n_changed}");
}
