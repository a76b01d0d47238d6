use wayfarer_base::{
    LinkDirection, LinkState, Location, NavLink, NavLinkId, NavLinkKind, Wall, WallSide,
};

use super::*;

#[test]
fn reach_is_what_the_oracle_reaches_within_the_cost() {
    let mut searcher = ReachabilitySearcher::default();
    for kind in scenes() {
        let both = Both::random(1, kind);
        let mut rng = Rng::new(8);
        let cells = both.standing();
        for _ in 0..4 {
            let from = *rng.pick(&cells).unwrap();
            let limit = Cost::from_units(rng.below(30_000));
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
            expected.retain(|_, cost| *cost <= limit);
            let reach = searcher.within_cost(both.nav_graph(), from, limit, Budget::UNLIMITED);
            let reach: BTreeMap<Cell, Cost> = reach.unwrap().cells().collect();
            assert_eq!(reach, expected, "{kind:?} from {from}");
            let drawn: BTreeSet<Cell> = (0..40)
                .map(|seed| {
                    let budget = Budget::UNLIMITED;
                    let cell =
                        searcher.random_reachable(both.nav_graph(), from, limit, seed, budget);
                    cell.unwrap()
                })
                .collect();
            assert!(drawn.iter().all(|cell| expected.contains_key(cell)));
            assert!(
                drawn.len() * 4 >= expected.len().min(40),
                "{kind:?}: lots differ"
            );
        }
    }
}

/// What the field should hold, by brute force over the oracle's steps inside the area.
fn flow_by_hand(both: &Both, area: Rect, goals: &[Cell]) -> BTreeMap<Cell, Cost> {
    let steps = both.world.step_table(&both.profile);
    let mut into: BTreeMap<Cell, Vec<(Cell, Cost)>> = BTreeMap::new();
    for (from, successors) in &steps {
        for (to, cost) in successors {
            if area.contains(from.column()) && area.contains(to.column()) {
                into.entry(*to).or_default().push((*from, *cost));
            }
        }
    }
    let goals = goals.iter().filter(|goal| steps.contains_key(goal));
    let goals = goals.filter(|goal| area.contains(goal.column()));
    let mut costs: BTreeMap<Cell, Cost> = goals.map(|goal| (*goal, Cost::ZERO)).collect();
    let mut open: BTreeSet<(Cost, Cell)> =
        costs.iter().map(|(cell, cost)| (*cost, *cell)).collect();
    while let Some((so_far, cell)) = open.pop_first() {
        for (from, cost) in into.get(&cell).into_iter().flatten() {
            let cost = so_far + *cost;
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
    let expected = flow_by_hand(both, flow.area(), goals);
    let cells: BTreeSet<Cell> = both.world.cells().map(|(cell, _)| cell).collect();
    let held: BTreeMap<Cell, Cost> = cells
        .iter()
        .filter_map(|cell| flow.cost(*cell).map(|cost| (*cell, cost)))
        .collect();
    assert_eq!(held, expected, "{note}");
    assert_eq!(flow.len(), expected.len(), "{note}: nothing is left over");
    for (cell, cost) in &expected {
        let next = flow.next(&both.ground, *cell);
        assert_eq!(next.is_none(), *cost == Cost::ZERO, "{note}: {cell}");
        let rest = next.map(|next| {
            both.world
                .check_path(&[*cell, next], &both.profile)
                .unwrap()
        });
        let rest = rest.map(|step| step + expected[&next.unwrap()]);
        assert!(rest.is_none_or(|rest| rest == *cost), "{note}: {cell}");
    }
}

#[test]
fn a_flow_field_equals_brute_force_after_any_edits() {
    let (mut n_repaired, mut n_looked, mut n_held) = (0, 0, 0);
    for kind in scenes() {
        for seed in (0..2).filter(|seed| kind.wants(*seed)) {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0xF10);
            let cells = both.standing();
            let goals: Vec<Cell> = (0..3).map(|_| *rng.pick(&cells).unwrap()).collect();
            let area = Rect::around(Column::new(-18, -15), Column::new(16, 19));
            let mut flow = FlowField::new(both.nav_graph(), area, &goals);
            check_flow(&both, &flow, &goals, &format!("{kind:?} {seed} fresh"));
            for batch in 0..14 {
                let edits = random_batch(&mut rng, &both.world);
                both.apply(&edits[..1 + batch % 2 * (edits.len() - 1)]);
                let update = flow.update(&both.ground, &both.log);
                if let FlowUpdate::Repaired { n_cells } = update {
                    n_repaired += 1;
                    n_looked += n_cells;
                    n_held += flow.len();
                }
                let note = format!("{kind:?} {seed} batch {batch} {update:?}");
                check_flow(&both, &flow, &goals, &note);
            }
        }
    }
    assert!(n_repaired > 100, "only {n_repaired} repairs");
    assert!(
        n_looked * 3 < n_held,
        "{n_looked} cells of {n_held} were looked at"
    );
}

#[test]
fn explanations_name_what_is_in_the_way() {
    let at = Cell::flat;
    let door = |gate| NavLink {
        from: at(1, 0),
        to: at(2, 0),
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::STRAIGHT,
        state: gate,
    };
    let wall = Wall {
        cell: at(1, 0),
        side: WallSide::East,
    };
    let put_door = |gate| {
        vec![
            GroundEdit::PutWall(wall),
            GroundEdit::PutNavLink(door(gate)),
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
    // What was done to a corridor of six cells, the goal, what is blocked, what would open it.
    type Case<'a> = (Vec<GroundEdit>, Cell, Option<&'a str>, Option<&'a str>);
    let cases: [Case<'_>; 8] = [
        (vec![], at(5, 0), None, None),
        (
            put_door(LinkState::Closed),
            at(5, 0),
            Some("the passage is closed"),
            Some("door"),
        ),
        (
            put_door(LinkState::Locked(4)),
            at(5, 0),
            Some("the passage is locked"),
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
        let mut both = Both::drawn("......");
        both.apply(&edits);
        let request = both.request(at(0, 0), goal);
        let why = ReachabilitySearcher::default()
            .explain(&both.ground, &request)
            .unwrap();
        let blocked = why.cheapest_blocked.map(|step| step.reason);
        assert_eq!(blocked, reason, "{edits:?}");
        assert_eq!(
            why.unblock_options.first().map(|opener| opener.what),
            unblock_option,
            "{edits:?}"
        );
        let is_path = both
            .world
            .path_cost(at(0, 0), goal, &both.profile)
            .is_some();
        assert_eq!(why.frontier.is_empty(), is_path, "{edits:?}");
        if !is_path {
            assert_eq!(why.frontier[0], Location::Cell(at(1, 0)), "{edits:?}");
        }
    }
}

#[test]
fn opening_what_an_explanation_names_opens_the_way_at_the_cost_it_names() {
    let mut searcher = ReachabilitySearcher::default();
    let (mut n_gates, mut n_cells) = (0, 0);
    for kind in [WorldKind::Flat, WorldKind::NavLinks, WorldKind::OneWay] {
        for seed in 0..12 {
            let agent = Agent::Walker;
            let both = Both::random(seed, Scene { kind, agent });
            let mut rng = Rng::new(seed ^ 0xE4B);
            let cells = both.standing();
            for _ in 0..8 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let request = both.request(from, to);
                let why = searcher.explain(&both.ground, &request).unwrap();
                let Some(step) = why.cheapest_blocked else {
                    continue;
                };
                let note = format!("{kind:?} {seed} {step:?}");
                let (Location::Cell(near), Location::Cell(far)) = (step.from, step.to) else {
                    panic!("{note}");
                };
                let mut opened = both.world.clone();
                if step.reason.starts_with("the passage") {
                    let ends = [(near, far), (far, near)];
                    let nav_link = opened
                        .nav_links()
                        .filter(|p| ends.contains(&(p.from, p.to)))
                        .min_by_key(|p| p.cost)
                        .unwrap();
                    opened.apply(&[GroundEdit::SetNavLinkState {
                        nav_link: NavLinkId::from(&nav_link),
                        state: LinkState::Open,
                    }]);
                    n_gates += 1;
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
        n_gates > 2 && n_cells > 10,
        "{n_gates} gates, {n_cells} cells"
    );
}

#[test]
fn what_is_avoided_is_named_if_it_is_in_the_way_and_doors_that_lead_round_it() {
    let at = Cell::flat;
    // Two corridors: the north one through an area to be avoided, the south one behind a door.
    let mut both = Both::drawn(
        ".........
         .#######.
         ..##.....",
    );
    let column = |x, y| Area::rect(Rect::around(Column::new(x, y), Column::new(x, y)));
    let (there, beyond) = (column(4, 0), column(6, 0));
    let elsewhere = Area::rect(Rect::around(Column::new(50, 50), Column::new(60, 60)));
    let (from, to) = (at(0, 1), at(8, 2));
    let explain = |both: &Both, avoid: Vec<Area>| {
        let request = GroundRequest {
            avoid,
            ..both.request(from, to)
        };
        let why = ReachabilitySearcher::default().explain(&both.ground, &request);
        why.unwrap()
    };
    let area = |x, y| (Location::Cell(at(x, y)), "area to be avoided");
    let named = |why: &wayfarer_base::Explanation| -> Vec<(Location, &str)> {
        why.unblock_options
            .iter()
            .map(|unblock_option| (unblock_option.at, unblock_option.what))
            .collect()
    };
    assert_eq!(
        explain(&both, vec![elsewhere.clone()]),
        wayfarer_base::Explanation::default()
    );
    let why = explain(&both, vec![elsewhere.clone(), there.clone()]);
    assert_eq!(named(&why), [area(4, 0)]);
    assert!(why.frontier.contains(&Location::Cell(at(3, 0))), "{why:?}");
    let step = why.cheapest_blocked.unwrap();
    assert_eq!(
        (step.from, step.to),
        (Location::Cell(at(3, 0)), Location::Cell(at(4, 0)))
    );
    assert_eq!(
        Some(step.cost),
        both.world.path_cost(from, to, &both.profile)
    );
    // Both of two areas must be entered: no single step opens the way.
    let why = explain(
        &both,
        vec![beyond.clone(), elsewhere.clone(), there.clone()],
    );
    assert_eq!(named(&why), [area(4, 0), area(6, 0)]);
    assert_eq!(why.cheapest_blocked, None);
    // A door in the south leads round what is avoided; it is the costlier opener.
    both.apply(&[GroundEdit::PutNavLink(NavLink {
        from: at(1, 2),
        to: at(4, 2),
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::from_units(30_000),
        state: LinkState::Closed,
    })]);
    let why = explain(&both, vec![there.clone()]);
    assert_eq!(
        named(&why),
        [area(4, 0), (Location::Cell(at(1, 2)), "door")]
    );
    // One behind which everything is avoided opens nothing.
    let why = explain(&both, vec![there, column(5, 2)]);
    assert_eq!(named(&why), [area(4, 0)]);
    // A goal that is avoided is one more area.
    let why = explain(&both, vec![column(8, 2)]);
    assert_eq!(named(&why), [area(8, 2)]);
}
