//! Paths over block tables against the reference world, on grounds that change.

use wayfarer_base::{
    Cell, Column, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit, Profile, Rng,
    Shape, WorldData,
};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_profile, random_world};
use wayfarer_world::ground::ProfileId;

use super::*;

/// Tables have no costs from here on.
const LIMIT: u32 = min_plus::INFINITE.cast_unsigned();

/// The tables of a searcher and the path it found.
fn find(
    tables: &mut BlockTables,
    nav_graph: NavGraph<'_>,
    (from, to): (Cell, Cell),
) -> (Option<Cost>, Vec<Cell>) {
    let ends = [from, to].map(|cell| nav_graph.node(cell).unwrap());
    let mut lower_bound = LowerBound::default();
    let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
    lower_bound.set_columns(std::iter::once(to.column()), shortcuts, keys);
    tables.begin(nav_graph, ends[0], &[ends[1].index()], u64::MAX);
    let stop = tables.advance(nav_graph, &lower_bound, WorkLimit::UNLIMITED);
    let mut nodes = Vec::new();
    let cost = (stop == TableStop::Found).then(|| tables.path(nav_graph, &mut nodes));
    (
        cost,
        nodes.iter().map(|node| nav_graph.cell(*node)).collect(),
    )
}

/// Random worlds side by side, `n` along each axis.
fn tiled_world(seed: u64, kind: WorldKind, n: i32) -> WorldData {
    let mut all = WorldData {
        profile: random_world(seed, kind).profile,
        ..WorldData::default()
    };
    for tile in 0..n * n {
        let data = random_world(seed + u64::from(tile.unsigned_abs()) * 4, kind);
        let (dx, dy) = (tile % n * 40, tile / n * 40);
        let moved = |cell: Cell| Column::new(cell.x + dx, cell.y + dy).at(cell.z);
        all.cells.extend(
            data.cells
                .into_iter()
                .map(|(cell, terrain)| (moved(cell), terrain)),
        );
        all.walls.extend(data.walls.into_iter().map(|mut wall| {
            wall.cell = moved(wall.cell);
            wall
        }));
        all.nav_links
            .extend(data.nav_links.into_iter().map(|mut nav_link| {
                (nav_link.from, nav_link.to) = (moved(nav_link.from), moved(nav_link.to));
                nav_link
            }));
    }
    all.cells.sort();
    all
}

struct Case {
    ground: Ground,
    world: ReferenceWorld,
    profile: Profile,
    profile_id: Option<ProfileId>,
}

impl Case {
    fn new(data: &WorldData, profile: Option<Profile>) -> Self {
        let mut ground = Ground::from_data(data).unwrap();
        let profile_id = (profile.clone()).map(|it| ground.register_profile(it).unwrap());
        Self {
            profile: profile.unwrap_or_else(|| data.profile.clone()),
            profile_id,
            world: ReferenceWorld::new(data),
            ground,
        }
    }

    fn nav_graph(&self) -> NavGraph<'_> {
        NavGraph::new(&self.ground, self.profile_id).unwrap()
    }

    fn walkable(&self) -> Vec<Cell> {
        let cells = self.world.cells().map(|(cell, _)| cell);
        cells
            .filter(|cell| self.world.is_walkable(*cell, &self.profile))
            .collect()
    }

    /// Compares warm, capped and new tables, and these with the reference world; true if a path
    /// was found.
    #[track_caller]
    fn check(
        &self,
        warm: &mut BlockTables,
        capped: &mut BlockTables,
        from: Cell,
        goals: &[Cell],
        note: &str,
    ) -> u32 {
        let nav_graph = self.nav_graph();
        let oracle = self.world.dijkstra(from, &self.profile);
        let mut n_found = 0;
        for to in goals {
            let note = format!("{note}: from {from} to {to}");
            let (found, cells) = find(warm, nav_graph, (from, *to));
            let Some(cost) = oracle.get(to).filter(|cost| cost.units() < LIMIT) else {
                assert_eq!(found, None, "{note}");
                continue;
            };
            assert_eq!(found, Some(*cost), "{note}");
            assert_eq!(
                self.world.check_path(&cells, &self.profile),
                Ok(*cost),
                "{note}"
            );
            assert_eq!(cells.last(), Some(to), "{note}");
            let other = find(capped, nav_graph, (from, *to));
            assert_eq!(other, (found, cells.clone()), "{note}, capped");
            if n_found == 0 {
                let mut new = new_tables(usize::MAX);
                let other = find(&mut new, nav_graph, (from, *to));
                assert_eq!(other, (found, cells), "{note}, new");
            }
            n_found += 1;
        }
        n_found
    }
}

fn new_tables(limit: usize) -> BlockTables {
    let mut tables = BlockTables::default();
    tables.set_limit(limit);
    tables
}

/// A profile of its own in two of three cases.
fn profile_for(seed: u64, data: &WorldData) -> Option<Profile> {
    let mut rng = Rng::for_stream(seed, 31);
    match seed % 3 {
        0 => None,
        1 => Some(Profile {
            radius: Fixed::from_raw(129 + rng.between(0, 200)),
            ..data.profile.clone()
        }),
        _ => Some(random_profile(&mut rng)),
    }
}

#[test]
fn paths_over_tables_are_optimal_in_every_kind_of_world_after_any_edits() {
    let mut n_found = 0;
    for kind in WorldKind::ALL {
        for seed in 0..6 {
            let data = random_world(seed, kind);
            let mut case = Case::new(&data, profile_for(seed, &data));
            let (mut warm, mut capped) = (new_tables(usize::MAX), new_tables(20_000));
            let mut rng = Rng::for_stream(seed, 5);
            for round in 0..6 {
                let cells = case.walkable();
                if cells.is_empty() {
                    break;
                }
                let note = format!("{kind:?}, seed {seed}, round {round}");
                let from = *rng.pick(&cells).unwrap();
                let goals: Vec<Cell> = (0..8).map(|_| *rng.pick(&cells).unwrap()).collect();
                n_found += case.check(&mut warm, &mut capped, from, &goals, &note);
                let edits = random_batch(&mut rng, &case.world);
                let changes = case.ground.apply(&edits).unwrap();
                case.world.apply(&edits);
                warm.apply_set(&case.ground, &changes.changes);
                if rng.chance(1, 2) {
                    capped.apply_set(&case.ground, &changes.changes);
                }
            }
        }
    }
    assert!(n_found > 1_000, "{n_found} paths");
}

#[test]
fn long_paths_over_blocks_of_32_are_optimal_too() {
    let mut n_found = 0;
    for kind in WorldKind::ALL {
        for seed in 0..2 {
            let data = tiled_world(seed, kind, 3);
            let mut case = Case::new(&data, profile_for(seed, &data));
            let (mut warm, mut capped) = (new_tables(usize::MAX), new_tables(100_000));
            let mut rng = Rng::for_stream(seed, 6);
            for round in 0..2 {
                let cells = case.walkable();
                let note = format!("tiled {kind:?}, seed {seed}, round {round}");
                let from = *rng.pick(&cells).unwrap();
                let goals: Vec<Cell> = (0..20).map(|_| *rng.pick(&cells).unwrap()).collect();
                n_found += case.check(&mut warm, &mut capped, from, &goals, &note);
                let edits = random_batch(&mut rng, &case.world);
                let changes = case.ground.apply(&edits).unwrap();
                case.world.apply(&edits);
                warm.apply_set(&case.ground, &changes.changes);
            }
        }
    }
    assert!(n_found > 250, "{n_found} paths");
}

#[test]
fn costs_beyond_the_range_of_tables_are_left_to_astar() {
    let data = tiled_world(0, WorldKind::Flat, 4);
    let mut case = Case::new(&data, None);
    let modifier = CostModifier {
        shape: Shape::Box(Rect::around(Column::new(-20, -20), Column::new(139, 139))),
        heights: (-9, 9),
        multiplier: CostMultiplier::MAX,
    };
    let id = CostModifierId(1);
    let edits = [GroundEdit::PutCostModifier { id, modifier }];
    case.ground.apply(&edits).unwrap();
    case.world.apply(&edits);
    let cells = case.walkable();
    let (mut warm, mut capped) = (new_tables(usize::MAX), new_tables(0));
    let goals: Vec<Cell> = cells.iter().copied().step_by(500).collect();
    let oracle = case.world.dijkstra(cells[0], &case.profile);
    let is_beyond = |cell: &&Cell| oracle.get(cell).is_some_and(|cost| cost.units() >= LIMIT);
    assert!(goals.iter().filter(is_beyond).count() > 3);
    assert!(case.check(&mut warm, &mut capped, cells[0], &goals, "costly") > 3);
}

#[test]
fn a_limit_that_holds_packed_tables_alone_lets_all_of_them_be_prepared() {
    let data = tiled_world(0, WorldKind::Terrains, 3);
    let case = Case::new(&data, None);
    let mut all = new_tables(usize::MAX);
    assert!(all.prepare(case.nav_graph(), Budget::UNLIMITED));
    let n_tables = |tables: &BlockTables| {
        let levels = [&tables.store.fine, &tables.store.coarse];
        let sum = levels.map(|level| level.n_tables()).into_iter();
        sum.sum::<usize>()
    };
    let limit = all.store.heap_bytes() * 7 / 8;
    let mut packed = new_tables(limit);
    assert!(packed.prepare(case.nav_graph(), Budget::UNLIMITED));
    assert_eq!(n_tables(&packed), n_tables(&all), "in {limit} bytes");
    assert!(packed.store.heap_bytes() <= limit);
}

#[test]
fn tables_prepared_in_slices_within_a_limit_give_the_same_paths() {
    let data = tiled_world(0, WorldKind::Terrains, 3);
    let case = Case::new(&data, None);
    let nav_graph = case.nav_graph();
    let (mut warm, mut limited) = (new_tables(usize::MAX), new_tables(50_000));
    let slice = Budget::expansions(50);
    let mut n_slices = 1;
    while !warm.prepare(nav_graph, slice) {
        n_slices += 1;
    }
    assert!(n_slices > 10, "{n_slices} slices");
    assert!(
        limited.prepare(nav_graph, Budget::UNLIMITED),
        "the limit ends it"
    );
    // Unpacked legs have a table of their own, of fixed size.
    let bytes_without_legs =
        |tables: &BlockTables| tables.store.heap_bytes() - tables.store.legs.heap_bytes();
    let bytes = bytes_without_legs(&warm);
    let cells = case.walkable();
    let goals: Vec<Cell> = cells.iter().copied().step_by(700).collect();
    assert!(
        case.check(
            &mut warm,
            &mut limited,
            cells[cells.len() / 2],
            &goals,
            "prepared"
        ) > 10
    );
    let grown = bytes_without_legs(&warm) - bytes;
    assert!(
        grown * 4 < bytes,
        "queries built little: {grown} of {bytes} bytes"
    );
}

/// Runs a query in slices; returns its cost and path, and the work of each slice.
fn find_in_slices(
    tables: &mut BlockTables,
    nav_graph: NavGraph<'_>,
    (from, to): (Cell, Cell),
    slice: WorkLimit,
) -> (Option<Cost>, Vec<NodeId>, Vec<u64>) {
    let ends = [from, to].map(|cell| nav_graph.node(cell).unwrap());
    let mut lower_bound = LowerBound::default();
    let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
    lower_bound.set_columns(std::iter::once(to.column()), shortcuts, keys);
    tables.begin(nav_graph, ends[0], &[ends[1].index()], u64::MAX);
    let mut works = Vec::new();
    let done = |tables: &BlockTables| tables.stats().expansions + tables.store.n_work;
    loop {
        let before = done(tables);
        let stop = tables.advance(nav_graph, &lower_bound, slice);
        works.push(done(tables) - before);
        let mut nodes = Vec::new();
        match stop {
            TableStop::OutOfBudget => assert!(works.len() < 100_000, "it ends"),
            TableStop::Found => {
                let cost = tables.path(nav_graph, &mut nodes);
                return (Some(cost), nodes, works);
            }
            TableStop::NoAnswer => return (None, nodes, works),
        }
    }
}

#[test]
fn slices_of_a_cold_search_build_no_more_than_they_may_and_give_the_same_path() {
    let data = tiled_world(0, WorldKind::Terrains, 4);
    let case = Case::new(&data, None);
    let nav_graph = case.nav_graph();
    let cells = case.walkable();
    let mut rng = Rng::new(0x51C);
    let (mut n_found, mut n_paused) = (0, 0);
    for work in [20, 300, 2_000] {
        for _ in 0..8 {
            let ends = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
            let mut cold = new_tables(usize::MAX);
            let (cost, nodes, works) =
                find_in_slices(&mut cold, nav_graph, ends, WorkLimit::all(work));
            let mut warm = new_tables(usize::MAX);
            let (whole, path) = find(&mut warm, nav_graph, ends);
            let cells: Vec<Cell> = nodes.iter().map(|node| nav_graph.cell(*node)).collect();
            assert_eq!((cost, cells), (whole, path), "{ends:?} in slices of {work}");
            let mut done = 0;
            for (n, slice) in (1..).zip(&works) {
                done += slice;
                // What nav links lead to is known only when a block is swept.
                let allowed = n * work + 2_000 * u64::from(!data.nav_links.is_empty());
                assert!(done <= allowed, "{done} in {n} slices of {work}");
            }
            n_found += u32::from(cost.is_some());
            n_paused += works.len() - 1;
        }
    }
    assert!(n_found > 12 && n_paused > 1_000, "{n_found}, {n_paused}");
}

#[test]
fn slices_that_leave_building_out_depend_on_no_cache() {
    let data = tiled_world(1, WorldKind::Terrains, 3);
    let case = Case::new(&data, None);
    let nav_graph = case.nav_graph();
    let cells = case.walkable();
    let slice = WorkLimit {
        work: 90,
        counts_building: false,
    };
    let mut warm = new_tables(usize::MAX);
    assert!(warm.prepare(nav_graph, Budget::UNLIMITED));
    let mut n_paused = 0;
    for ends in cells.iter().zip(cells.iter().rev()).step_by(150) {
        let ends = (*ends.0, *ends.1);
        let mut cold = new_tables(usize::MAX);
        let n_cold = find_in_slices(&mut cold, nav_graph, ends, slice).2.len();
        let n_warm = find_in_slices(&mut warm, nav_graph, ends, slice).2.len();
        assert_eq!(n_cold, n_warm, "{ends:?}");
        assert_eq!(cold.work(), warm.work(), "{ends:?}");
        n_paused += n_warm - 1;
    }
    assert!(n_paused > 20, "{n_paused}");
}

#[test]
fn searchers_that_share_tables_build_each_of_them_once() {
    let data = tiled_world(0, WorldKind::Terrains, 3);
    let mut case = Case::new(&data, None);
    let shared = SharedTables::default();
    let [mut first, mut second] = [(); 2].map(|()| BlockTables::new(shared.clone()));
    first.set_limit(usize::MAX);
    second.set_limit(usize::MAX);
    assert!(first.prepare(case.nav_graph(), Budget::UNLIMITED));
    assert!(second.prepare(case.nav_graph(), Budget::UNLIMITED));
    let (built, read) = (first.store.n_work, second.store.n_work);
    assert!(built > 3 * read, "{built} and {read}");
    let mut rng = Rng::new(0x5A);
    for round in 0..6 {
        let cells = case.walkable();
        let from = *rng.pick(&cells).unwrap();
        let goals: Vec<Cell> = (0..5).map(|_| *rng.pick(&cells).unwrap()).collect();
        let note = format!("shared, round {round}");
        case.check(&mut first, &mut second, from, &goals, &note);
        let edits = random_batch(&mut rng, &case.world);
        let changes = case.ground.apply(&edits).unwrap();
        case.world.apply(&edits);
        first.apply_set(&case.ground, &changes.changes);
        second.apply_set(&case.ground, &changes.changes);
    }
}
