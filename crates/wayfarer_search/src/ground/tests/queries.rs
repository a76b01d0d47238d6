//! Tests of reachability, flow fields and explanations against the reference world.

use wayfarer_base::{
    LinkDirection, LinkState, Location, NavLink, NavLinkId, NavLinkKind, Wall, WallSide,
};

use super::*;

#[test]
fn reachable_sets_and_nearest_targets_match_the_reference_search() {
    let mut searcher = ReachabilitySearcher::default();
    for kind in scenes() {
        let both = Both::random(1, kind);
        let mut rng = Rng::new(8);
        let cells = both.walkable_cells();
        for _ in 0..4 {
            let from = *rng.pick(&cells).unwrap();
            let max_cost = Cost::from_units(rng.below(30_000));
            let mut expected = both.world.dijkstra(from, &both.profile);
            let targets: Vec<Cell> = (0..30).map(|_| *rng.pick(&cells).unwrap()).collect();
            let near = searcher.nearest_of(both.nav_graph(), from, &targets, 5, Budget::UNLIMITED);
            let mut order: Vec<(Cost, usize)> = targets
                .iter()
                .enumerate()
                .filter_map(|(index, cell)| expected.get(cell).map(|cost| (*cost, index)))
                .collect();
            order.sort_unstable();
            order.truncate(5);
            let near: Vec<_> = near.unwrap().iter().map(|t| (t.cost, t.index)).collect();
            assert_eq!(near, order, "{kind:?} from {from}");
            expected.retain(|_, cost| *cost <= max_cost);
            let reachable =
                searcher.within_cost(both.nav_graph(), from, max_cost, Budget::UNLIMITED);
            let reachable: BTreeMap<Cell, Cost> = reachable.unwrap().cells().collect();
            assert_eq!(reachable, expected, "{kind:?} from {from}");
            let drawn: BTreeSet<Cell> = (0..40)
                .map(|seed| {
                    let budget = Budget::UNLIMITED;
                    let cell =
                        searcher.random_reachable(both.nav_graph(), from, max_cost, seed, budget);
                    cell.unwrap()
                })
                .collect();
            assert!(drawn.iter().all(|cell| expected.contains_key(cell)));
            assert!(
                drawn.len() * 4 >= expected.len().min(40),
                "{kind:?}: seeds differ"
            );
        }
    }
}

/// The expected costs of a flow field, by Dijkstra over the reference steps inside the area.
fn reference_flow(both: &Both, area: Rect, goals: &[Cell]) -> BTreeMap<Cell, Cost> {
    let steps = both.world.successor_table(&both.profile);
    let mut predecessors: BTreeMap<Cell, Vec<(Cell, Cost)>> = BTreeMap::new();
    for (from, successors) in &steps {
        for (to, cost) in successors {
            if area.contains(from.column()) && area.contains(to.column()) {
                predecessors.entry(*to).or_default().push((*from, *cost));
            }
        }
    }
    let goals = goals.iter().filter(|goal| steps.contains_key(goal));
    let goals = goals.filter(|goal| area.contains(goal.column()));
    let mut costs: BTreeMap<Cell, Cost> = goals.map(|goal| (*goal, Cost::ZERO)).collect();
    let mut open: BTreeSet<(Cost, Cell)> =
        costs.iter().map(|(cell, cost)| (*cost, *cell)).collect();
    while let Some((g, cell)) = open.pop_first() {
        for (from, cost) in predecessors.get(&cell).into_iter().flatten() {
            let cost = g + *cost;
            if costs.get(from).is_none_or(|known| cost < *known) {
                costs.insert(*from, cost);
                open.insert((cost, *from));
            }
        }
    }
    costs
}

#[track_caller]
fn check_flow(both: &Both, flow: &FlowField, goals: &[Cell], note: &str) {
    let expected = reference_flow(both, flow.area(), goals);
    let cells: BTreeSet<Cell> = both.world.cells().map(|(cell, _)| cell).collect();
    let held: BTreeMap<Cell, Cost> = cells
        .iter()
        .filter_map(|cell| flow.cost(*cell).map(|cost| (*cell, cost)))
        .collect();
    assert_eq!(held, expected, "{note}");
    assert_eq!(flow.len(), expected.len(), "{note}: stale cells");
    for (cell, cost) in &expected {
        let next = flow.next(&both.ground, *cell);
        assert_eq!(next.is_none(), *cost == Cost::ZERO, "{note}: {cell}");
        let total = next.map(|next| {
            let step = both.world.check_path(&[*cell, next], &both.profile);
            step.unwrap() + expected[&next]
        });
        assert!(total.is_none_or(|total| total == *cost), "{note}: {cell}");
    }
}

#[test]
fn a_flow_field_matches_the_reference_search_after_any_edits() {
    let (mut n_repaired, mut n_checked, mut n_held) = (0, 0, 0);
    for kind in scenes() {
        for seed in (0..2).filter(|seed| kind.includes_seed(*seed)) {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0xF10);
            let cells = both.walkable_cells();
            let goals: Vec<Cell> = (0..3).map(|_| *rng.pick(&cells).unwrap()).collect();
            let area = Rect::around(Column::new(-18, -15), Column::new(16, 19));
            let mut flow = FlowField::new(both.nav_graph(), area, &goals);
            check_flow(&both, &flow, &goals, &format!("{kind:?} {seed} fresh"));
            for batch in 0..10 {
                let edits = random_batch(&mut rng, &both.world);
                both.apply(&edits[..1 + batch % 2 * (edits.len() - 1)]);
                let update = flow.update(&both.ground, &both.log);
                if let FlowUpdate::Repaired { n_cells } = update {
                    n_repaired += 1;
                    n_checked += n_cells;
                    n_held += flow.len();
                }
                let note = format!("{kind:?} {seed} batch {batch} {update:?}");
                check_flow(&both, &flow, &goals, &note);
            }
        }
    }
    assert!(n_repaired > 100, "only {n_repaired} repairs");
    assert!(
        n_checked * 2 < n_held,
        "{n_checked} cells of {n_held} were checked"
    );
}

#[test]
fn a_flow_field_built_in_slices_with_edits_between_them_matches_the_reference_search() {
    let mut n_unfinished = 0;
    for kind in scenes() {
        for seed in (0..2).filter(|seed| kind.includes_seed(*seed)) {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0xF11);
            let cells = both.walkable_cells();
            let goals: Vec<Cell> = (0..2).map(|_| *rng.pick(&cells).unwrap()).collect();
            let area = Rect::around(Column::new(-18, -15), Column::new(16, 19));
            let mut flow = FlowField::begin(both.nav_graph(), area, &goals);
            for batch in 0..12 {
                let slice = rng.below(90) as usize;
                flow.advance(both.nav_graph(), slice);
                let edits = random_batch(&mut rng, &both.world);
                both.apply(&edits[..1]);
                let update = flow.update(&both.ground, &both.log);
                let note = format!("{kind:?} {seed} batch {batch} {update:?}");
                n_unfinished += usize::from(!flow.is_complete());
                // What it tells before it is complete is final.
                let expected = reference_flow(&both, area, &goals);
                for cell in both.world.cells().map(|(cell, _)| cell) {
                    if let Some(cost) = flow.cost(cell) {
                        assert_eq!(Some(&cost), expected.get(&cell), "{note}: {cell}");
                    }
                }
            }
            while !flow.advance(both.nav_graph(), 50) {}
            check_flow(&both, &flow, &goals, &format!("{kind:?} {seed} complete"));
        }
    }
    assert!(
        n_unfinished > 50,
        "only {n_unfinished} edits of unfinished fields"
    );
}

#[test]
fn a_flow_field_repaired_in_slices_between_edits_never_leads_into_a_wall() {
    let (mut n_slices, mut n_waits, mut n_steps) = (0, 0, 0);
    for kind in scenes() {
        for seed in (0..2).filter(|seed| kind.includes_seed(*seed)) {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0xF12);
            let cells = both.walkable_cells();
            let goals: Vec<Cell> = (0..2).map(|_| *rng.pick(&cells).unwrap()).collect();
            let area = Rect::around(Column::new(-18, -15), Column::new(16, 19));
            let mut flow = FlowField::new(both.nav_graph(), area, &goals);
            for batch in 0..12 {
                let edits = random_batch(&mut rng, &both.world);
                both.apply(&edits[..1]);
                flow.begin_update(&both.ground, &both.log);
                let slice = rng.below(60) as usize;
                let before = flow.n_followed();
                n_slices += usize::from(!flow.advance(both.nav_graph(), slice));
                assert!(flow.n_followed() - before <= slice as u64);
                for cell in both.walkable_cells() {
                    let Some(next) = flow.next(&both.ground, cell) else {
                        n_waits +=
                            usize::from(flow.cost(cell).is_some_and(|cost| cost > Cost::ZERO));
                        continue;
                    };
                    let step = both.world.check_path(&[cell, next], &both.profile);
                    let note = format!("{kind:?} {seed} batch {batch}: {cell} to {next}");
                    assert!(step.is_ok() && flow.cost(next) < flow.cost(cell), "{note}");
                    n_steps += 1;
                }
            }
            while !flow.advance(both.nav_graph(), 50) {}
            check_flow(&both, &flow, &goals, &format!("{kind:?} {seed} complete"));
        }
    }
    assert!(
        n_slices > 50 && n_waits > 50 && n_steps > 10_000,
        "{n_slices} slices, {n_waits} waits, {n_steps} steps"
    );
}

#[test]
fn slices_of_a_repaired_flow_field_equal_those_of_a_rebuilt_one() {
    let mut n_slices = 0;
    for kind in scenes() {
        let mut both = Both::random(1, kind);
        let mut rng = Rng::new(0xF13);
        let cells = both.walkable_cells();
        let goals = [*rng.pick(&cells).unwrap()];
        let area = Rect::around(Column::new(-18, -15), Column::new(16, 19));
        let mut repaired = FlowField::new(both.nav_graph(), area, &goals);
        for batch in 0..8 {
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits[..1]);
            repaired.update(&both.ground, &both.log);
            let mut rebuilt = FlowField::new(both.nav_graph(), area, &goals);
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits[..1]);
            for flow in [&mut repaired, &mut rebuilt] {
                flow.begin_update(&both.ground, &both.log);
            }
            loop {
                let done =
                    [&mut repaired, &mut rebuilt].map(|flow| flow.advance(both.nav_graph(), 17));
                for cell in both.walkable_cells() {
                    let costs = [repaired.cost(cell), rebuilt.cost(cell)];
                    assert_eq!(costs[0], costs[1], "{kind:?} batch {batch}: {cell}");
                }
                assert_eq!(done[0], done[1], "{kind:?} batch {batch}");
                n_slices += 1;
                if done[0] {
                    break;
                }
            }
        }
    }
    assert!(n_slices > 100, "only {n_slices} slices");
}

#[test]
fn explanations_name_what_blocks_the_path() {
    let at = Cell::flat;
    let door = |state| NavLink {
        from: at(1, 0),
        to: at(2, 0),
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::STRAIGHT,
        state,
    };
    let wall = Wall {
        cell: at(1, 0),
        side: WallSide::East,
    };
    let put_door = |state| {
        vec![
            GroundEdit::PutWall(wall),
            GroundEdit::PutNavLink(door(state)),
        ]
    };
    let raised = |z| {
        (2..4)
            .flat_map(|x| {
                let terrain = wayfarer_base::Terrain::GROUND;
                let cell = Cell::new(x, 0, z);
                [
                    GroundEdit::RemoveCell { cell: at(x, 0) },
                    GroundEdit::PutCell { cell, terrain },
                ]
            })
            .collect()
    };
    let gap = vec![GroundEdit::RemoveCell { cell: at(2, 0) }];
    let chasm = [2, 3]
        .map(|x| GroundEdit::RemoveCell { cell: at(x, 0) })
        .to_vec();
    // Edits of a corridor of six cells, the goal, the blocked step's reason, the unblock option.
    type Case<'a> = (Vec<GroundEdit>, Cell, Option<&'a str>, Option<&'a str>);
    let cases: [Case<'_>; 8] = [
        (vec![], at(5, 0), None, None),
        (
            put_door(LinkState::Closed),
            at(5, 0),
            Some("the nav link is closed"),
            Some("door"),
        ),
        (
            put_door(LinkState::Locked(4)),
            at(5, 0),
            Some("the nav link is locked"),
            Some("door"),
        ),
        (
            vec![GroundEdit::PutWall(wall)],
            at(5, 0),
            Some("a thin wall"),
            None,
        ),
        (gap, at(5, 0), Some("there is no floor"), None),
        (chasm, at(5, 0), None, None),
        (
            raised(3),
            Cell::new(3, 0, 3),
            Some("too high a step up"),
            None,
        ),
        (
            raised(-3),
            Cell::new(3, 0, -3),
            Some("too deep a step down"),
            None,
        ),
    ];
    for (edits, goal, reason, unblock_option) in cases {
        let mut both = Both::from_ascii("......");
        both.apply(&edits);
        let request = both.request(at(0, 0), goal);
        let explanation = ReachabilitySearcher::default()
            .explain(&both.ground, &request)
            .unwrap();
        let blocked = explanation.cheapest_blocked.map(|step| step.reason);
        assert_eq!(blocked, reason, "{edits:?}");
        assert_eq!(
            explanation
                .unblock_options
                .first()
                .map(|option| option.what),
            unblock_option,
            "{edits:?}"
        );
        let is_reachable = both
            .world
            .path_cost(at(0, 0), goal, &both.profile)
            .is_some();
        let frontier = &explanation.frontier;
        assert_eq!(frontier.is_empty(), is_reachable, "{edits:?}");
        if !is_reachable {
            assert_eq!(frontier[0], Location::Cell(at(1, 0)), "{edits:?}");
        }
    }
}

#[test]
fn unblocking_the_cheapest_step_opens_a_path_at_the_reported_cost() {
    let mut searcher = ReachabilitySearcher::default();
    let (mut n_links, mut n_cells) = (0, 0);
    for kind in [WorldKind::Flat, WorldKind::NavLinks, WorldKind::OneWay] {
        for seed in 0..12 {
            let agent = Agent::Default;
            let both = Both::random(seed, Scene { kind, agent });
            let mut rng = Rng::new(seed ^ 0xE4B);
            let cells = both.walkable_cells();
            for _ in 0..8 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let request = both.request(from, to);
                let explanation = searcher.explain(&both.ground, &request).unwrap();
                let Some(step) = explanation.cheapest_blocked else {
                    continue;
                };
                let note = format!("{kind:?} {seed} {step:?}");
                let (Location::Cell(near), Location::Cell(far)) = (step.from, step.to) else {
                    panic!("{note}");
                };
                let mut opened = both.world.clone();
                if step.reason.starts_with("the nav link") {
                    let ends = [(near, far), (far, near)];
                    let nav_link = opened
                        .nav_links()
                        .filter(|link| ends.contains(&(link.from, link.to)))
                        .min_by_key(|link| link.cost)
                        .unwrap();
                    opened.apply(&[GroundEdit::SetNavLinkState {
                        nav_link: NavLinkId::from(&nav_link),
                        state: LinkState::Open,
                    }]);
                    n_links += 1;
                } else if step.reason == "there is no floor" && kind == WorldKind::Flat {
                    let terrain = wayfarer_base::Terrain::GROUND;
                    opened.apply(&[GroundEdit::PutCell { cell: far, terrain }]);
                    n_cells += 1;
                } else {
                    continue;
                }
                let cost = opened.path_cost(from, to, &both.profile);
                assert_eq!(cost, Some(step.cost), "{note}");
            }
        }
    }
    assert!(
        n_links > 2 && n_cells > 10,
        "{n_links} nav links, {n_cells} cells"
    );
}

#[test]
fn unblock_options_name_avoided_areas_on_the_path_and_doors_around_them() {
    let at = Cell::flat;
    // Two corridors: the north one through an area to be avoided, the south one behind a door.
    let mut both = Both::from_ascii(
        ".........
         .#######.
         ..##.....",
    );
    let column = |x, y| Area::rect(Rect::around(Column::new(x, y), Column::new(x, y)));
    let (there, beyond) = (column(4, 0), column(6, 0));
    let distant = Area::rect(Rect::around(Column::new(50, 50), Column::new(60, 60)));
    let (from, to) = (at(0, 1), at(8, 2));
    let explain = |both: &Both, avoid: Vec<Area>| {
        let request = GroundRequest {
            avoid,
            ..both.request(from, to)
        };
        let explanation = ReachabilitySearcher::default().explain(&both.ground, &request);
        explanation.unwrap()
    };
    let area = |x, y| (Location::Cell(at(x, y)), "area to be avoided");
    let options = |explanation: &wayfarer_base::Explanation| -> Vec<(Location, &str)> {
        let options = explanation.unblock_options.iter();
        options.map(|option| (option.at, option.what)).collect()
    };
    assert_eq!(
        explain(&both, vec![distant.clone()]),
        wayfarer_base::Explanation::default()
    );
    let explanation = explain(&both, vec![distant.clone(), there.clone()]);
    assert_eq!(options(&explanation), [area(4, 0)]);
    let border = Location::Cell(at(3, 0));
    assert!(explanation.frontier.contains(&border), "{explanation:?}");
    let step = explanation.cheapest_blocked.unwrap();
    assert_eq!(
        (step.from, step.to),
        (Location::Cell(at(3, 0)), Location::Cell(at(4, 0)))
    );
    assert_eq!(
        Some(step.cost),
        both.world.path_cost(from, to, &both.profile)
    );
    // The path must enter both of two areas: no single step opens it.
    let avoid = vec![beyond.clone(), distant.clone(), there.clone()];
    let explanation = explain(&both, avoid);
    assert_eq!(options(&explanation), [area(4, 0), area(6, 0)]);
    assert_eq!(explanation.cheapest_blocked, None);
    // A door in the south leads around the area; it is the costlier option.
    both.apply(&[GroundEdit::PutNavLink(NavLink {
        from: at(1, 2),
        to: at(4, 2),
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::from_units(30_000),
        state: LinkState::Closed,
    })]);
    let explanation = explain(&both, vec![there.clone()]);
    assert_eq!(
        options(&explanation),
        [area(4, 0), (Location::Cell(at(1, 2)), "door")]
    );
    // A door to an avoided area opens nothing.
    let explanation = explain(&both, vec![there, column(5, 2)]);
    assert_eq!(options(&explanation), [area(4, 0)]);
    // An avoided goal is one more area.
    let explanation = explain(&both, vec![column(8, 2)]);
    assert_eq!(options(&explanation), [area(8, 2)]);
}
