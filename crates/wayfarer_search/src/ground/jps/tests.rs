//! Jump point search against Dijkstra's algorithm and the reference world.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use wayfarer_base::{
    Budget, Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, GroundEdit,
    LinkDirection, LinkState, NavLink, NavLinkKind, NoopObserver, Outcome, Profile, Raster, Rect,
    Rng, SearchEvent, SearchStats, Shape, Terrain, UnreachableProof, WorldData,
};
use wayfarer_make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};
use wayfarer_world::ground::{Ground, NodeId, SuccessorBuffer};

use super::*;
use crate::kernel::StopReason;

mod costly;

/// A searcher and its result buffer.
#[derive(Default)]
struct Fixture {
    searcher: JpsSearcher,
    cells: Vec<NodeId>,
}

impl Fixture {
    fn find_path(&mut self, ground: &Ground, from: Cell, to: Cell) -> (Outcome<Cost>, Vec<Cell>) {
        let query = Query::new(ground.node(from).unwrap(), ground.node(to).unwrap());
        let outcome = find(
            ground,
            &mut self.searcher,
            &query,
            &mut NoopObserver,
            &mut self.cells,
        );
        let mut cells = vec![Cell::flat(7, 7)];
        write_cells(ground, &self.cells, &mut cells);
        let one_by_one = self.cells.iter().map(|node| ground.cell(*node));
        assert!(one_by_one.eq(cells.iter().copied()));
        (outcome, cells)
    }
}

/// Compares paths between cells of `world` with the reference.
#[track_caller]
fn check_world(
    fixture: &mut Fixture,
    ground: &Ground,
    world: &ReferenceWorld,
    rng: &mut Rng,
    note: &str,
) {
    let profile = ground.default_profile();
    let walkable: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    let Some(&from) = rng.pick(&walkable) else {
        return;
    };
    let costs = world.dijkstra(from, profile);
    for _ in 0..12 {
        let &to = rng.pick(&walkable).unwrap();
        let (outcome, cells) = fixture.find_path(ground, from, to);
        let note = format!("{note}: {from} to {to}");
        match costs.get(&to) {
            Some(cost) => {
                assert_eq!(outcome, Outcome::Found(*cost), "{note}");
                assert_eq!(
                    (cells.first(), cells.last()),
                    (Some(&from), Some(&to)),
                    "{note}"
                );
                assert_eq!(world.check_path(&cells, profile), Ok(*cost), "{note}");
            }
            None => {
                assert!(matches!(outcome, Outcome::Unreachable { .. }), "{note}");
                assert!(cells.is_empty(), "{note}");
            }
        }
    }
}

#[test]
fn paths_cost_what_the_reference_computes_in_every_kind_of_world_while_it_changes() {
    let mut fixture = Fixture::default();
    for kind in WorldKind::ALL {
        for seed in 0..16 {
            let plan = random_world(seed, kind);
            let (mut world, mut ground) = (
                ReferenceWorld::new(&plan),
                Ground::from_data(&plan).unwrap(),
            );
            let mut rng = Rng::for_stream(seed, 77);
            for round in 0..4 {
                let note = format!("{kind:?} {seed} round {round}");
                check_world(&mut fixture, &ground, &world, &mut rng, &note);
                let batch = random_batch(&mut rng, &world);
                world.apply(&batch);
                ground.apply(&batch).unwrap();
            }
        }
    }
}

/// Lowest costs over the successors of the ground.
fn dijkstra(ground: &Ground, from: NodeId) -> BTreeMap<NodeId, u32> {
    let mut costs = BTreeMap::from([(from, 0)]);
    let mut open = BinaryHeap::from([Reverse((0, from))]);
    let mut buffer = SuccessorBuffer::default();
    while let Some(Reverse((cost, node))) = open.pop() {
        if cost > costs[&node] {
            continue;
        }
        for (next, step) in ground.successors(node, &mut buffer) {
            let cost = cost + step.units();
            if costs.get(&next).is_none_or(|known| cost < *known) {
                costs.insert(next, cost);
                open.push(Reverse((cost, next)));
            }
        }
    }
    costs
}

/// Cost of a path by the successors of the ground, the cheapest where several lead to one cell.
#[track_caller]
fn cost_of(ground: &Ground, cells: &[NodeId]) -> u32 {
    let mut buffer = SuccessorBuffer::default();
    let legs = cells.windows(2).map(|leg| {
        let steps = ground.successors(leg[0], &mut buffer);
        let cost = steps
            .filter(|(to, _)| *to == leg[1])
            .map(|(_, cost)| cost.units());
        let (from, to) = (ground.cell(leg[0]), ground.cell(leg[1]));
        cost.min()
            .unwrap_or_else(|| panic!("no step from {from} to {to}"))
    });
    legs.sum()
}

/// Compares paths from a few cells to many others with Dijkstra's algorithm.
#[track_caller]
fn check_ground(ground: &Ground, rng: &mut Rng, (n_starts, n_goals): (u32, u32), note: &str) {
    let nodes: Vec<NodeId> = ground.nodes().collect();
    let mut searcher = JpsSearcher::default();
    let mut cells = Vec::new();
    for _ in 0..n_starts {
        let &start = rng.pick(&nodes).unwrap();
        let costs = dijkstra(ground, start);
        for _ in 0..n_goals {
            let &goal = rng.pick(&nodes).unwrap();
            let query = Query::new(start, goal);
            let outcome = find(ground, &mut searcher, &query, &mut NoopObserver, &mut cells);
            let note = format!("{note}: {} to {}", ground.cell(start), ground.cell(goal));
            match costs.get(&goal) {
                Some(&cost) => {
                    assert_eq!(outcome, Outcome::Found(Cost::from_units(cost)), "{note}");
                    assert_eq!(cost_of(ground, &cells), cost, "{note}");
                    assert_eq!((cells[0], cells[cells.len() - 1]), (start, goal), "{note}");
                }
                None => assert!(matches!(outcome, Outcome::Unreachable { .. }), "{note}"),
            }
        }
    }
}

fn generate(kind: Generator, seed: u64) -> Raster {
    match make(&Recipe::new(kind, 200, 150, seed)).unwrap() {
        GeneratedWorld::Flat(raster) => raster,
        _ => panic!("{kind:?} is flat"),
    }
}

#[test]
fn paths_over_generated_maps_of_several_pages_are_optimal() {
    use Generator::*;
    let kinds = [
        Caves,
        Rooms,
        Maze,
        City,
        Clutter,
        Noise,
        Terrain,
        Random,
        Spiral,
        Comb,
        Snake,
        Checkerboard,
        Open,
    ];
    for (seed, kind) in (0..).zip(kinds) {
        let ground = Ground::from_raster(&generate(kind, seed));
        check_ground(&ground, &mut Rng::new(seed), (3, 40), kind.name());
    }
}

#[test]
fn paths_through_several_floors_are_optimal() {
    for seed in 0..3 {
        let GeneratedWorld::MultiFloor(plan) =
            make(&Recipe::new(Generator::Building, 80, 80, seed)).unwrap()
        else {
            panic!("a building has several floors");
        };
        let ground = Ground::from_data(&plan).unwrap();
        check_ground(&ground, &mut Rng::new(seed), (3, 30), "building");
    }
}

#[test]
fn paths_over_maps_with_costly_areas_and_teleports_are_optimal() {
    for seed in 0..8 {
        let mut rng = Rng::for_stream(seed, 5);
        let kind = *rng
            .pick(&[
                Generator::Caves,
                Generator::Clutter,
                Generator::City,
                Generator::Random,
            ])
            .unwrap();
        let mut ground = Ground::from_raster(&generate(kind, seed));
        let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
        let mut edits = Vec::new();
        for name in 0..3 {
            let &at = rng.pick(&cells).unwrap();
            let far = Column::new(at.x + rng.between(0, 30), at.y + rng.between(0, 30));
            edits.push(GroundEdit::PutCostModifier {
                id: CostModifierId(name),
                modifier: CostModifier {
                    shape: Shape::Box(Rect::around(at.column(), far)),
                    heights: (-1, 1),
                    multiplier: CostMultiplier::from_sixteenths(
                        17 + 7 * u16::try_from(name).unwrap(),
                    )
                    .unwrap(),
                },
            });
        }
        // From none to more than the heuristic evaluates one by one.
        for _ in 0..seed * seed {
            let (&from, &to) = (rng.pick(&cells).unwrap(), rng.pick(&cells).unwrap());
            if from != to {
                edits.push(GroundEdit::PutNavLink(NavLink {
                    from,
                    to,
                    kind: NavLinkKind::Teleport,
                    direction: if rng.chance(1, 2) {
                        LinkDirection::Bidirectional
                    } else {
                        LinkDirection::OneWay
                    },
                    cost: Cost::from_units(1 + rng.below(60_000)),
                    state: LinkState::Open,
                }));
            }
        }
        ground.apply(&edits).unwrap();
        check_ground(&ground, &mut rng, (3, 30), &format!("{kind:?} {seed}"));
    }
}

#[test]
fn paths_over_plateaus_that_meet_at_sector_corners_are_optimal() {
    // Each sector has one height, so that many sheets are uniform though their neighbors are higher
    // or lower, and some drops cannot be climbed back.
    let mut n_seams = 0;
    for seed in 0..60 {
        let mut rng = Rng::for_stream(seed, 9);
        let mut plan = WorldData {
            profile: Profile {
                max_step: 1,
                max_drop: rng.between(1, 3),
                ..Profile::DEFAULT
            },
            ..WorldData::default()
        };
        for sector_y in 0..4 {
            for sector_x in 0..4 {
                let z = rng.between(0, 3);
                for y in 0..16 {
                    for x in 0..16 {
                        if !rng.chance(1, 5) {
                            let cell = Cell::new(sector_x * 16 + x, sector_y * 16 + y, z);
                            plan.cells.push((cell, Terrain::GROUND));
                        }
                    }
                }
            }
        }
        let ground = Ground::from_data(&plan).unwrap();
        for node in ground.nodes() {
            let bits = ground.bits(node);
            let next = bits.neighbor(wayfarer_base::Direction::East);
            n_seams += u32::from(
                bits.is_uniform() && next.is_some_and(|n| n.is_uniform() && !bits.continues_in(&n)),
            );
        }
        check_ground(&ground, &mut rng, (4, 30), &format!("plateaus {seed}"));
    }
    assert!(n_seams > 1_000, "{n_seams}");
}

#[test]
fn equal_worlds_give_equal_paths_after_any_history_of_edits() {
    let mut fixtures = [Fixture::default(), Fixture::default()];
    let mut check = |grounds: [&Ground; 2], rng: &mut Rng, note: &str| {
        let mut cells: Vec<Cell> = grounds[0].nodes().map(|n| grounds[0].cell(n)).collect();
        cells.sort_unstable();
        for _ in 0..20 {
            let (&from, &to) = (rng.pick(&cells).unwrap(), rng.pick(&cells).unwrap());
            let first = fixtures[0].find_path(grounds[0], from, to);
            let second = fixtures[1].find_path(grounds[1], from, to);
            assert_eq!(first, second, "{note}: {from} to {to}");
            assert_eq!(
                fixtures[0].searcher.stats(),
                fixtures[1].searcher.stats(),
                "{note}"
            );
        }
    };
    let mut n_renumbered = 0;
    let mut renumbered = |grounds: [&Ground; 2]| {
        let numbers = |g: &Ground| {
            g.nodes()
                .map(|n| (g.cell(n), n))
                .collect::<BTreeMap<_, _>>()
        };
        n_renumbered += u32::from(numbers(grounds[0]) != numbers(grounds[1]));
    };
    for seed in 0..24 {
        let kind = WorldKind::ALL[seed % 8];
        let plan = random_world(seed as u64, kind);
        let first = Ground::from_data(&plan).unwrap();
        let mut rng = Rng::for_stream(seed as u64, 3);
        let mut edits = ReferenceWorld::new(&plan).edits();
        rng.shuffle(&mut edits);
        let mut second = Ground::new(plan.profile.clone()).unwrap();
        // Other pages come first and are removed again, so that node ids differ.
        let stray = Cell::new(900, -700, 2);
        let floor = GroundEdit::PutCell {
            cell: stray,
            terrain: Terrain::GROUND,
        };
        second.apply(std::slice::from_ref(&floor)).unwrap();
        for (round, batch) in edits.chunks(400).enumerate() {
            second.apply(batch).unwrap();
            if round == 1 {
                second
                    .apply(&[GroundEdit::RemoveCell { cell: stray }])
                    .unwrap();
            }
        }
        renumbered([&first, &second]);
        check([&first, &second], &mut rng, &format!("{kind:?} {seed}"));
    }
    for (seed, kind) in [
        (1, Generator::Open),
        (2, Generator::Clutter),
        (3, Generator::Caves),
        (4, Generator::Random),
    ] {
        let raster = generate(kind, seed);
        let first = Ground::from_raster(&raster);
        let mut edits: Vec<GroundEdit> = raster
            .rect()
            .columns()
            .filter_map(|at| {
                let terrain = raster.get(at.x, at.y)?;
                Some(GroundEdit::PutCell {
                    cell: at.at(0),
                    terrain,
                })
            })
            .collect();
        let mut rng = Rng::new(seed);
        rng.shuffle(&mut edits);
        let mut second = Ground::new(Profile::DEFAULT).unwrap();
        second.apply(&edits).unwrap();
        renumbered([&first, &second]);
        check([&first, &second], &mut rng, kind.name());
    }
    assert!(n_renumbered > 20, "{n_renumbered}");
}

#[test]
fn a_goal_in_another_component_is_reported_unreachable_without_a_search() {
    let ground = Ground::from_data(&wayfarer_testkit::ascii::world("..#..")).unwrap();
    let mut fixture = Fixture::default();
    let (outcome, cells) = fixture.find_path(&ground, Cell::flat(0, 0), Cell::flat(4, 0));
    let proof = UnreachableProof::DifferentComponents;
    assert_eq!(
        outcome,
        Outcome::Unreachable {
            proof,
            nearest: None
        }
    );
    assert!(cells.is_empty());
    assert_eq!(fixture.searcher.stats(), SearchStats::default());
}

#[test]
fn a_path_costlier_than_the_cost_type_holds_is_reported_as_such() {
    let [from, center, to] = [0, 1_500_000, 3_000_000].map(|x| Cell::flat(x, 0));
    let floor = |cell| GroundEdit::PutCell {
        cell,
        terrain: Terrain::GROUND,
    };
    let nav_link = |from, to, cost| {
        GroundEdit::PutNavLink(NavLink {
            from,
            to,
            kind: NavLinkKind::Teleport,
            direction: LinkDirection::Bidirectional,
            cost: Cost::from_units(cost),
            state: LinkState::Open,
        })
    };
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    // Each as costly as the walk.
    let costly = 2_200_000_000;
    let far = [nav_link(from, center, costly), nav_link(center, to, costly)];
    ground.apply(&[from, center, to].map(floor)).unwrap();
    ground.apply(&far).unwrap();
    let (outcome, _) = Fixture::default().find_path(&ground, from, to);
    let proof = UnreachableProof::CostLimit;
    assert!(matches!(outcome, Outcome::Unreachable { proof: found, .. } if found == proof));
    ground.apply(&[nav_link(from, to, 7)]).unwrap();
    let (outcome, cells) = Fixture::default().find_path(&ground, from, to);
    assert_eq!(outcome, Outcome::Found(Cost::from_units(7)));
    assert_eq!(cells, [from, to]);
}

#[test]
fn a_path_from_a_cell_to_itself_is_that_cell() {
    let ground = Ground::from_data(&wayfarer_testkit::ascii::world(".")).unwrap();
    let (outcome, cells) =
        Fixture::default().find_path(&ground, Cell::flat(0, 0), Cell::flat(0, 0));
    assert_eq!(outcome, Outcome::Found(Cost::ZERO));
    assert_eq!(cells, [Cell::flat(0, 0)]);
}

#[test]
fn a_goal_above_a_drop_is_unreachable_from_below() {
    let mut plan = WorldData {
        profile: Profile {
            max_step: 1,
            max_drop: 5,
            ..Profile::DEFAULT
        },
        ..WorldData::default()
    };
    let (top, foot) = (Cell::new(0, 0, 4), Cell::new(1, 0, 0));
    plan.cells = vec![(top, Terrain::GROUND), (foot, Terrain::GROUND)];
    let ground = Ground::from_data(&plan).unwrap();
    let mut fixture = Fixture::default();
    assert_eq!(
        fixture.find_path(&ground, top, foot).0,
        Outcome::Found(Cost::STRAIGHT)
    );
    let proof = UnreachableProof::SearchExhausted;
    let expected = Outcome::Unreachable {
        proof,
        nearest: None,
    };
    assert_eq!(fixture.find_path(&ground, foot, top).0, expected);
}

/// Runs a query in slices of `slice`; returns its result and the events.
fn sliced(
    ground: &Ground,
    query: &Query,
    slice: Budget,
) -> (Outcome<Cost>, Vec<NodeId>, Vec<SearchEvent>) {
    let (mut searcher, mut cells, mut events) = (JpsSearcher::default(), vec![], vec![]);
    if let Some(known) = searcher.begin(ground, query) {
        return (known, cells, events);
    }
    loop {
        let before = searcher.grown_bytes();
        let stop = searcher.advance(ground, &mut events, slice);
        assert!(searcher.grown_bytes() - before <= slice.memory_bytes);
        if stop != StopReason::OutOfBudget {
            return (searcher.outcome(ground, stop, &mut cells), cells, events);
        }
    }
}

#[test]
fn a_search_in_slices_equals_one_without_interruption() {
    let mut rng = Rng::new(6);
    let plan = random_world(6, WorldKind::Mixed);
    let grounds = [
        Ground::from_data(&plan).unwrap(),
        Ground::from_raster(&generate(Generator::Caves, 4)),
    ];
    for ground in &grounds {
        let nodes: Vec<NodeId> = ground.nodes().collect();
        for _ in 0..10 {
            let (&start, &goal) = (rng.pick(&nodes).unwrap(), rng.pick(&nodes).unwrap());
            let query = Query::new(start, goal);
            let whole = sliced(ground, &query, Budget::UNLIMITED);
            assert_eq!(sliced(ground, &query, Budget::expansions(1)), whole);
            assert_eq!(sliced(ground, &query, Budget::expansions(7)), whole);
            // Enough for any single growth, not for two.
            let memory_bytes = 40_000_000;
            let expansions = u64::MAX;
            assert_eq!(
                sliced(
                    ground,
                    &query,
                    Budget {
                        expansions,
                        memory_bytes
                    }
                ),
                whole
            );
        }
    }
}

#[test]
fn an_exhausted_budget_returns_the_path_to_the_expanded_node_with_the_lowest_h() {
    let ground = Ground::from_raster(&generate(Generator::Maze, 1));
    let nodes: Vec<NodeId> = ground.nodes().collect();
    let (start, goal) = (nodes[0], nodes[nodes.len() - 1]);
    let (mut searcher, mut cells) = (JpsSearcher::default(), vec![]);
    let mut costs = vec![];
    for expansions in [0, 1, 20, 50] {
        let budget = Budget::expansions(expansions);
        let query = Query {
            start,
            goal,
            budget,
        };
        let outcome = find(
            &ground,
            &mut searcher,
            &query,
            &mut NoopObserver,
            &mut cells,
        );
        let Outcome::OutOfBudget { best, stats } = outcome else {
            panic!("the goal is far: {outcome:?}");
        };
        assert_eq!(stats.expansions, expansions);
        assert_eq!(cells[0], start);
        assert_eq!(cost_of(&ground, &cells), best.units());
        costs.push(best);
    }
    assert_eq!(costs[0], Cost::ZERO);
    assert!(costs[3] > Cost::ZERO);
    let budget = Budget {
        expansions: 9,
        memory_bytes: 100,
    };
    let query = Query {
        start,
        goal,
        budget,
    };
    let mut limited = JpsSearcher::default();
    let outcome = find(&ground, &mut limited, &query, &mut NoopObserver, &mut cells);
    assert!(matches!(
        outcome,
        Outcome::OutOfBudget {
            best: Cost::ZERO,
            ..
        }
    ));
    assert_eq!((cells, limited.heap_bytes()), (vec![start], 0));
}

#[test]
fn every_expansion_and_the_goal_are_reported_as_events() {
    let ground = Ground::from_raster(&generate(Generator::Caves, 2));
    let nodes: Vec<NodeId> = ground.nodes().collect();
    let query = Query::new(nodes[5], nodes[nodes.len() / 2]);
    let (mut searcher, mut cells, mut events) = (JpsSearcher::default(), vec![], vec![]);
    let outcome = find(&ground, &mut searcher, &query, &mut events, &mut cells);
    let Outcome::Found(cost) = outcome else {
        panic!("the caves are connected: {outcome:?}");
    };
    let count = |kind: fn(&SearchEvent) -> bool| events.iter().filter(|e| kind(e)).count() as u64;
    let stats = searcher.stats();
    assert_eq!(
        count(|e| matches!(e, SearchEvent::Expanded { .. })),
        stats.expansions
    );
    let is_push =
        |e: &SearchEvent| matches!(e, SearchEvent::Opened { .. } | SearchEvent::Improved { .. });
    // The start is pushed before the search begins.
    assert_eq!(count(is_push) + 1, stats.pushes);
    let at = wayfarer_base::Location::Cell(ground.cell(query.goal));
    assert_eq!(events.last(), Some(&SearchEvent::Reached { at, cost }));
}
