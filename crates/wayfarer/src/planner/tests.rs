mod games;

use wayfarer_engine as engine;
use wayfarer_engine::base::{Cell, GroundEdit};

use super::*;
use crate::RequestError;
use crate::prelude::*;

fn world(rows: &[&str]) -> World {
    let (width, height) = (rows[0].len(), rows.len());
    let map = format!(
        "type octile\nheight {height}\nwidth {width}\nmap\n{}\n",
        rows.join("\n")
    );
    World::import("test.map", map.as_bytes(), Scale::UNIT).unwrap()
}

/// An open map with a comb of walls: long searches from the top to the bottom.
fn comb(n_walls: usize) -> World {
    let open = ".".repeat(64);
    let mut rows = vec![open.clone()];
    for number in 0..n_walls {
        let gap = if number % 2 == 0 { 63 } else { 0 };
        let mut wall = vec![b'T'; 64];
        wall[gap] = b'.';
        rows.push(String::from_utf8(wall).unwrap());
        rows.push(open.clone());
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    world(&rows)
}

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

fn block(world: &mut World, cells: &[(i32, i32)]) {
    let remove = |&(x, y): &(i32, i32)| {
        engine::Edit::from(GroundEdit::RemoveCell {
            cell: Cell::flat(x, y),
        })
    };
    let edits = cells.iter().map(remove).collect();
    world.apply_engine(edits);
}

fn planner(expansions: u64) -> Planner {
    Planner::new(PlannerOptions {
        budget: Budget::expansions(expansions),
        ..PlannerOptions::default()
    })
}

fn update(planner: &mut Planner, world: &World) -> Vec<PlannerEvent> {
    planner.update(world);
    planner.take_events()
}

#[test]
fn rule_6_a_sliced_request_gets_the_path_of_a_plain_call() {
    let world = comb(12);
    for method in [
        Method::Bounded,
        Method::Optimal,
        Method::Jps,
        Method::AStar,
        Method::AnyAngle,
        Method::Hierarchical,
    ] {
        let request = PathRequest {
            method,
            ..PathRequest::new(at(3.5, 0.5), at(40.5, 24.5))
        };
        let expected = world.find_path(&mut Searcher::default(), &request);
        let mut planner = planner(8);
        let id = planner.request(request);
        let mut n_updates = 0;
        while planner.path(id).is_none() {
            assert!(n_updates < 1_000, "{method:?}");
            planner.update(&world);
            n_updates += 1;
        }
        assert_eq!(planner.take_events(), [PlannerEvent::Found { id }]);
        assert_eq!(planner.path(id).cloned(), expected.ok(), "{method:?}");
        assert!(
            n_updates > 2 || method == Method::Hierarchical,
            "{method:?}"
        );
    }
}

#[test]
fn rule_6_priority_then_waiting_time_then_id_decide_the_order() {
    let world = comb(4);
    let mut planner = planner(64);
    let request = PathRequest {
        method: Method::AStar,
        ..PathRequest::new(at(3.5, 0.5), at(9.5, 0.5))
    };
    let ids: Vec<_> = (0..60).map(|_| planner.request(request.clone())).collect();
    assert!(planner.set_priority(ids[40], 3));
    let mut order = Vec::new();
    for _ in 0..60 {
        let events = update(&mut planner, &world);
        order.extend(events.iter().map(PlannerEvent::id));
    }
    let mut expected = ids.clone();
    let first = expected.remove(40);
    expected.insert(0, first);
    assert_eq!(order, expected);
    assert!(planner.stats().max_wait > 3);
    assert!(!planner.set_priority(RequestId(999), 1));
}

#[test]
fn rule_6_a_long_search_does_not_hold_up_short_ones() {
    let world = comb(40);
    let mut planner = planner(1_280);
    let method = Method::AStar;
    let long = planner.request(PathRequest {
        method,
        ..PathRequest::new(at(0.5, 0.5), at(0.5, 80.5))
    });
    let short = |x: f64| PathRequest {
        method,
        ..PathRequest::new(at(x, 0.5), at(x + 3.0, 0.5))
    };
    let ids: Vec<_> = (0..30)
        .map(|x| planner.request(short(f64::from(x) + 0.5)))
        .collect();
    planner.update(&world);
    let is_found = |id: &RequestId| planner.path(*id).is_some();
    assert!(ids.iter().all(is_found) && !is_found(&long));
    for _ in 0..40 {
        planner.update(&world);
    }
    assert!(planner.path(long).is_some());
}

#[test]
fn rule_6_no_request_starves_behind_a_stream_of_higher_priority() {
    let world = comb(2);
    let mut planner = planner(60);
    let request = PathRequest {
        method: Method::AStar,
        ..PathRequest::new(at(1.5, 0.5), at(61.5, 0.5))
    };
    let low = planner.request(request.clone());
    let mut n_updates = 0;
    while planner.path(low).is_none() {
        // Each of them takes all that an update has.
        for _ in 0..2 {
            let id = planner.request(request.clone());
            planner.set_priority(id, 2);
        }
        planner.update(&world);
        n_updates += 1;
        assert!(n_updates < 60, "it waits for {n_updates} updates");
    }
    assert!(n_updates > 8, "the others come first: {n_updates}");
}

#[test]
fn rule_6_edits_behind_the_agent_do_not_invalidate_its_path() {
    let mut world = comb(1);
    let mut planner = planner(20_000);
    let id = planner.request(PathRequest::new(at(0.5, 0.5), at(60.5, 2.5)));
    assert_eq!(update(&mut planner, &world), [PlannerEvent::Found { id }]);
    planner.advance(id, at(20.5, 0.5)).unwrap();
    block(&mut world, &[(10, 0), (15, 0)]);
    assert_eq!(update(&mut planner, &world), []);
    block(&mut world, &[(40, 2)]); // Not on the path.
    assert_eq!(update(&mut planner, &world), []);
    // Ahead: there is no other path.
    block(&mut world, &[(40, 0)]);
    let events = update(&mut planner, &world);
    let reason = NoPath::Unreachable;
    assert_eq!(
        events,
        [
            PlannerEvent::Invalidated {
                id,
                at: at(40.5, 0.5)
            },
            PlannerEvent::Failed { id, reason }
        ]
    );
    assert_eq!(planner.advance(id, at(21.5, 0.5)), None);
}

#[test]
fn rule_6_what_is_blocked_ahead_is_repaired_from_where_the_agent_is() {
    let mut world = world(&[".".repeat(60).as_str(); 8]);
    let mut planner = planner(20_000);
    let to = at(55.5, 4.5);
    let id = planner.request(PathRequest::new(at(0.5, 4.5), to));
    update(&mut planner, &world);
    planner.advance(id, at(20.5, 4.5)).unwrap();
    let wall: Vec<(i32, i32)> = (2..7).map(|y| (40, y)).collect();
    block(&mut world, &wall);
    let events = update(&mut planner, &world);
    assert!(matches!(events[0], PlannerEvent::Invalidated { .. }));
    assert_eq!(events[1..], [PlannerEvent::Repaired { id }]);
    let path = planner.path(id).unwrap();
    assert_eq!((path.start(), path.end()), (Some(at(20.5, 4.5)), Some(to)));
    let step = planner.advance(id, at(20.5, 4.5)).unwrap();
    assert!(step.target != to, "the straight line is blocked");
}

#[test]
fn rule_6_a_line_between_waypoints_is_checked_although_no_cell_of_the_path_is() {
    let rows = vec![".".repeat(40); 24];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut world = world(&rows);
    let mut planner = planner(20_000);
    let id = planner.request(PathRequest::new(at(0.5, 0.5), at(38.5, 19.5)));
    update(&mut planner, &world);
    let path = planner.path(id).unwrap().clone();
    assert_eq!(path.waypoints().len(), 2, "one line across the map");
    // A cell under the line that the search did not use.
    let cells: Vec<Position> = path.cells().to_vec();
    let under = (4..36).map(|x| (x, x / 2));
    let free = under.clone().find(|&(x, y)| {
        let center = at(f64::from(x) + 0.5, f64::from(y) + 0.5);
        !cells.contains(&center)
    });
    block(&mut world, &[free.unwrap()]);
    assert!(!world.status(&path).is_walkable());
    let events = update(&mut planner, &world);
    assert!(matches!(events[0], PlannerEvent::Invalidated { .. }));
    assert_eq!(events[1..], [PlannerEvent::Repaired { id }]);
    assert!(planner.path(id).unwrap().waypoints().len() > 2);
}

#[test]
fn rule_6_a_flyer_between_voxel_centers_is_checked_along_its_own_line() {
    let row = ".".repeat(40);
    let mut world = world(&[&row, &row, &row]);
    let (low, high) = (Position::new(0.0, 0.0, 0.0), Position::new(40.0, 3.0, 12.0));
    world.add_air(low, high).unwrap();
    let drone = world.add_agent_type(AgentType::FLIGHT).unwrap();
    let (from, to) = (Position::new(0.5, 1.5, 7.5), Position::new(39.5, 1.5, 6.5));
    let mut planner = planner(20_000);
    let id = planner.request(PathRequest {
        agent_type: drone,
        ..PathRequest::new(from, to)
    });
    assert_eq!(update(&mut planner, &world), [PlannerEvent::Found { id }]);
    // On the line, lower than the center of its voxel.
    planner.advance(id, from);
    planner.advance(id, Position::new(6.5, 1.5, 7.5 - 6.0 / 39.0));
    let wall = Solid::cuboid(Position::new(7.0, 0.0, 0.0), Position::new(8.0, 3.0, 7.0));
    world.add_solid(wall).unwrap();
    let events = update(&mut planner, &world);
    let is_invalidated = matches!(events.first(), Some(PlannerEvent::Invalidated { .. }));
    assert!(is_invalidated, "{events:?}");
}

#[test]
fn rule_6_a_planner_that_lags_checks_every_path() {
    let mut world = comb(1);
    let mut planner = planner(20_000);
    let [blocked, free] = [at(60.5, 0.5), at(30.5, 0.5)].map(|to| {
        let from = at(0.5, 0.5);
        planner.request(PathRequest::new(from, to))
    });
    update(&mut planner, &world);
    let mut cursor = world.change_cursor();
    block(&mut world, &[(50, 0)]);
    for x in 0..70 {
        block(&mut world, &[(x % 60, 2)]);
    }
    assert!(world.poll_changes(&mut cursor).is_err());
    let events = update(&mut planner, &world);
    let all: Vec<_> = events.iter().map(PlannerEvent::id).collect();
    assert_eq!(all, [blocked, blocked]);
    assert!(planner.path(free).is_some() && planner.path(blocked).is_none());
}

#[test]
fn rule_6_requests_are_retargeted_and_canceled() {
    let world = comb(6);
    let mut planner = planner(40);
    let request = PathRequest {
        method: Method::AStar,
        ..PathRequest::new(at(0.5, 0.5), at(60.5, 12.5))
    };
    let [moved, canceled] = [(); 2].map(|()| planner.request(request.clone()));
    planner.update(&world);
    // Both searches are in progress.
    assert!(planner.cancel(canceled) && !planner.cancel(canceled));
    assert!(planner.retarget(moved, at(5.5, 0.5)));
    assert!(!planner.retarget(canceled, at(5.5, 0.5)));
    planner.update(&world);
    assert_eq!(planner.take_events(), [PlannerEvent::Found { id: moved }]);
    assert_eq!(planner.path(moved).unwrap().end(), Some(at(5.5, 0.5)));
    assert_eq!(planner.path(canceled), None);
    // The old path stays until the new one is found, which starts at the agent.
    planner.advance(moved, at(2.5, 0.5)).unwrap();
    planner.retarget(moved, at(60.5, 12.5));
    assert!(planner.advance(moved, at(3.5, 0.5)).is_some());
    while planner.take_events().is_empty() {
        planner.update(&world);
    }
    let path = planner.path(moved).unwrap();
    assert_eq!(
        (path.start(), path.end()),
        (Some(at(3.5, 0.5)), Some(at(60.5, 12.5)))
    );
}

#[test]
fn rule_6_a_request_that_cannot_be_answered_fails_with_its_reason() {
    let world = world(&["...T..", "...T..", "...T.."]);
    let mut planner = planner(1_000);
    let ids = [at(5.5, 0.5), at(3.5, 0.5), at(f64::NAN, 0.5)].map(|to| {
        let from = at(0.5, 0.5);
        planner.request(PathRequest::new(from, to))
    });
    let budget = Budget::expansions(1);
    let short = planner.request(PathRequest {
        budget,
        method: Method::AStar,
        ..PathRequest::new(at(0.5, 0.5), at(2.5, 2.5))
    });
    let events = update(&mut planner, &world);
    let reasons: Vec<(RequestId, NoPath)> = events
        .into_iter()
        .map(|event| match event {
            PlannerEvent::Failed { id, reason } => (id, reason),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(reasons[0], (ids[0], NoPath::Unreachable));
    assert!(matches!(
        &reasons[1].1,
        NoPath::Invalid(RequestError::GoalBlocked { .. })
    ));
    assert!(matches!(
        &reasons[2].1,
        NoPath::Invalid(RequestError::NotANumber { .. })
    ));
    assert_eq!(reasons[3].0, short);
    assert!(matches!(
        reasons[3].1,
        NoPath::OutOfBudget { best: Some(_) }
    ));
}

#[test]
fn rule_6_a_search_that_needs_more_than_an_update_ends_in_a_world_that_always_changes() {
    let mut world = comb(20);
    let mut planner = planner(60);
    let id = planner.request(PathRequest {
        method: Method::AStar,
        ..PathRequest::new(at(0.5, 0.5), at(0.5, 40.5))
    });
    let mut n_updates = 0;
    let events = loop {
        let events = update(&mut planner, &world);
        if !events.is_empty() {
            break events;
        }
        // A ledge on the wall beside the cells that the search has seen.
        let ledge = GroundEdit::PutCell {
            cell: Cell::new(2 * (n_updates % 30), 1, 9),
            terrain: Terrain::GROUND,
        };
        world.apply_engine(vec![ledge.into()]);
        n_updates += 1;
        assert!(n_updates < 30, "it is never answered");
    };
    let reason = NoPath::OutOfBudget { best: None };
    assert_eq!(events, [PlannerEvent::Failed { id, reason }]);
}

#[test]
fn rule_6_a_search_that_lacks_the_memory_of_an_update_ends() {
    let world = comb(20);
    let mut planner = Planner::new(PlannerOptions {
        budget: Budget {
            expansions: 1 << 40,
            memory_bytes: 1,
        },
        ..PlannerOptions::default()
    });
    let id = planner.request(PathRequest {
        method: Method::AStar,
        ..PathRequest::new(at(0.5, 0.5), at(0.5, 40.5))
    });
    let reason = NoPath::OutOfBudget { best: None };
    let expected = [PlannerEvent::Failed { id, reason }];
    assert_eq!(update(&mut planner, &world), expected);
}

#[test]
fn rule_6_an_agent_on_a_line_that_touches_a_corner_keeps_its_path() {
    let mut world = world(&[
        "............",
        "............",
        "....TTT.....",
        "....TTT.....",
        "............",
        "............",
    ]);
    let soldier = world.add_agent_type(AgentType::GROUND).unwrap();
    let mut planner = planner(10_000);
    let mut from = at(1.3, 3.7);
    let id = planner.request(PathRequest {
        agent_type: soldier,
        ..PathRequest::new(from, at(10.2, 0.7))
    });
    assert_eq!(update(&mut planner, &world), [PlannerEvent::Found { id }]);
    let mut n_steps = 0;
    while let Some(step) = planner.advance(id, from).filter(|step| !step.has_arrived) {
        from = from.toward(step.target, 0.07);
        // Something changes in the same sector, off the path.
        block(&mut world, &[(11, 5)]);
        let low = at(11.0, 5.0);
        let floor = Area::rect(low, at(12.0, 6.0));
        let edit = Edit::add_floors(floor, 0.0, Terrain::GROUND);
        world.apply(&[edit]).unwrap();
        planner.advance(id, from);
        assert_eq!(update(&mut planner, &world), [], "at {from}");
        n_steps += 1;
    }
    assert!(n_steps > 100 && from.distance(at(10.2, 0.7)) < 0.3);
}

/// Searches in progress run again when a planner is loaded: few bytes must not ask for many.
#[test]
fn a_saved_planner_with_more_searches_than_it_keeps_is_refused() {
    let world = world(&["........"; 8]);
    let request = PathRequest {
        method: Method::AStar,
        ..PathRequest::new(at(0.5, 0.5), at(7.5, 7.5))
    };
    let mut planner = planner(20);
    let budget = Budget::expansions(1);
    for number in 0..=schedule::MAX_PAUSED {
        let saved = planner.save();
        assert!(Planner::load(&saved, &world).is_ok(), "{number} searches");
        let id = planner.request(request.clone());
        let mut session = world.begin_path(Searcher::default(), &request).unwrap();
        assert!(world.advance_path(&mut session, &request, budget).is_none());
        let request = request.clone();
        let search = entry::SearchInProgress { request, session };
        planner.entries.get_mut(&id).unwrap().search = Some(search);
    }
    assert!(Planner::load(&planner.save(), &world).is_err());
}

#[test]
fn a_saved_planner_whose_counts_would_overflow_is_refused() {
    let world = world(&["...."]);
    let mut planner = planner(20);
    planner.tick = u64::MAX;
    assert!(Planner::load(&planner.save(), &world).is_err());
    (planner.tick, planner.last_id) = (0, u64::MAX);
    assert!(Planner::load(&planner.save(), &world).is_err());
}

/// A path depends on the columns around its steps, which subscribing lists.
#[test]
fn a_forged_path_that_spans_the_world_is_refused() {
    let world = world(&["........"; 8]);
    let request = PathRequest::new(at(0.5, 0.5), at(7.5, 0.5));
    let path = world.find_path(&mut Searcher::default(), &request).unwrap();
    let bytes = path.save();
    assert_eq!(world.load_path(&bytes).unwrap(), path);
    let far = 4_000_000_i32.to_le_bytes();
    // The second cell, of twelve bytes, follows on the first.
    let cells = [0_i32, 0, 0, 1, 0, 0].map(i32::to_le_bytes).concat();
    let first = bytes
        .windows(24)
        .position(|window| window == cells)
        .unwrap();
    let mut forged = bytes[..bytes.len() - 8].to_vec();
    for at in [first + 12, first + 16] {
        forged[at..at + 4].copy_from_slice(&far);
    }
    let mut digest = engine::base::Digest::default();
    digest.bytes(&forged);
    forged.extend(digest.value().to_le_bytes());
    assert!(world.load_path(&forged).is_err());
}

#[test]
fn the_budget_can_be_changed_between_updates() {
    let world = comb(6);
    let mut planner = Planner::new(PlannerOptions::default());
    planner.set_options(PlannerOptions {
        budget: Budget::expansions(0),
        ..PlannerOptions::default()
    });
    assert_eq!(planner.options().budget.expansions, 1);
    let id = planner.request(PathRequest::new(at(0.5, 0.5), at(0.5, 12.5)));
    planner.update(&world);
    assert_eq!(
        (planner.stats().expansions, planner.stats().n_waiting),
        (1, 1)
    );
    planner.set_options(PlannerOptions::default());
    planner.update(&world);
    assert!(planner.path(id).is_some());
    assert_eq!(RequestId::from_bits(id.to_bits()), id);
}

#[test]
fn a_corner_beside_the_line_from_an_exact_start_invalidates_it() {
    let mut world = world(&["............"; 12]);
    let wide = AgentType {
        radius: 0.7,
        ..AgentType::GROUND
    };
    let agent_type = world.add_agent_type(wide).unwrap();
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(at(4.4, 6.32), at(6.5, 4.5))
    };
    let mut planner = planner(1_000);
    let id = planner.request(request);
    update(&mut planner, &world);
    let path = planner.path(id).unwrap().clone();
    assert_eq!(path.waypoints().len(), 2);
    // Its three cells stay connected diagonally; the body passes a corner of the blocked one at 0.6.
    block(&mut world, &[(4, 4)]);
    assert!(matches!(world.status(&path), PathStatus::Invalid { .. }));
    let events = update(&mut planner, &world);
    assert!(
        matches!(events[0], PlannerEvent::Invalidated { .. }),
        "{events:?}"
    );
    let repaired = planner.path(id).unwrap();
    assert_eq!(world.status(repaired), PathStatus::Valid);
    assert!(repaired.waypoints().len() > 2);
}
