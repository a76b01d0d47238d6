//! The rows of `docs/design/limits.md` that belong to the facade: what is too large is refused before
//! any work, accepted calls stay within their memory, and what is accepted can be saved and loaded.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use wayfarer::prelude::*;
use wayfarer::{
    EditError, LinkState, NavLinkKind, Planner, PlannerEvent, PlannerOptions, RequestError,
    ThinWall,
};
use wayfarer_counting::{CountingAllocator, allocation_stats, reset_peak};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const MEGABYTE: i64 = 1 << 20;

/// Runs `call` and checks how much more memory it used at its peak than before.
fn within<T>(megabytes: i64, call: impl FnOnce() -> T) -> T {
    let before = allocation_stats().bytes_now;
    reset_peak();
    let result = call();
    let used = allocation_stats().bytes_peak - before;
    assert!(used <= megabytes * MEGABYTE, "{used} bytes");
    result
}

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

fn meadow(side: usize) -> World {
    let row = ".".repeat(side);
    let rows = vec![row.as_str(); side].join("\n");
    let map = format!("type octile\nheight {side}\nwidth {side}\nmap\n{rows}\n");
    World::import("meadow.map", map.as_bytes(), Scale::UNIT).unwrap()
}

/// The last positions that have a cell.
const EDGE: f64 = 8_388_607.998;

#[test]
fn a_wall_longer_than_the_limit_is_refused_before_it_is_split() {
    let mut world = meadow(8);
    let wall = |length: f64| ThinWall {
        from: at(0.0, 4.0),
        to: at(length, 4.0),
    };
    let longest = f64::from(ThinWall::MAX_CELLS);
    let error = within(1, || {
        let edits = [Edit::add_wall(wall(longest + 1.0))];
        world.apply(&edits).unwrap_err()
    });
    let expected = "edit 0: the length of the wall in cells is 65537, expected at most 65,536";
    assert_eq!(error.to_string(), expected);
    within(256, || {
        world.apply(&[Edit::add_wall(wall(longest))]).unwrap();
    });
}

#[test]
fn positions_at_the_edge_of_the_world_are_counted_without_overflow() {
    let mut world = meadow(8);
    let whole = Area::rect(at(-8_388_608.0, -8_388_608.0), at(EDGE, EDGE));
    let wall = ThinWall {
        from: at(EDGE - 3.0, EDGE),
        to: at(EDGE, EDGE),
    };
    world.apply(&[Edit::add_wall(wall)]).ok();
    world.apply(&[Edit::remove_floors(whole)]).unwrap();
    assert_eq!(
        world.project_to_floor(AgentTypeId::DEFAULT, at(1.0, 1.0)),
        None
    );
}

/// Finding an id among the changes of a batch must not take time in their number.
#[test]
fn a_batch_of_many_links_and_cost_areas_looks_each_up_once() {
    let mut world = meadow(256);
    let place = |n: i32| at(f64::from(n % 256) + 0.5, f64::from(n / 256) + 0.5);
    let links = (0..60_000).map(|n| NavLink::new(place(n), place(n + 300), NavLinkKind::Ladder));
    let mut edits: Vec<Edit> = links.map(Edit::add_link).collect();
    let areas = (0..20_000).map(|n| CostArea {
        area: Area::disc(place(n), 0.6),
        multiplier: 2.0,
    });
    edits.extend(areas.map(Edit::add_cost_area));
    let added = within(256, || world.apply(&edits).unwrap());
    assert_eq!(added.new_links().count(), 60_000);
    let mut removed: Vec<Edit> = added.new_links().map(Edit::remove_link).collect();
    removed.extend(added.new_cost_areas().map(Edit::remove_cost_area));
    world.apply(&removed).unwrap();
    assert!(world.links().is_empty());
    // An id that the batch itself removed is unknown to the rest of it.
    let (id, _) = world
        .add_link(NavLink::new(place(1), place(900), NavLinkKind::Door))
        .unwrap();
    let again = [
        Edit::remove_link(id),
        Edit::set_link_state(id, LinkState::Closed),
    ];
    let error = world.apply(&again).unwrap_err();
    assert!(matches!(error, EditError::UnknownId { edit: 1, .. }));
}

#[test]
fn solids_that_exceed_a_limit_are_refused_before_they_are_placed() {
    let mut world = meadow(16);
    let high = |x: f64, y: f64| Position::new(x, y, 3.0);
    let corners = |n: i32| (0..n).map(|n| at(f64::from(n % 7), f64::from(n % 5)));
    let cases = [
        (
            Solid::cuboid(at(0.0, 0.0), high(4_096.0, 4_097.0)),
            "16777216",
        ),
        // Sectors are stored whole.
        (
            Solid::cuboid(at(-600_000.0, 0.0), high(600_000.0, 1.0)),
            "16777216",
        ),
        (Solid::cylinder(at(0.0, 0.0), 1_000_000.0, 3.0), "1048576"),
        (Solid::prism(corners(1_025), 3.0), "1024 corners"),
        (Solid::prism(corners(2), 3.0), "1024 corners"),
    ];
    for (solid, expected) in cases {
        let error = within(64, || world.add_solid(solid).unwrap_err());
        assert!(error.to_string().contains(expected), "{error}");
    }
    let pebble = || Solid::cuboid(at(1.0, 1.0), high(2.0, 2.0));
    let pebbles: Vec<Edit> = (0..4_096).map(|_| Edit::add_solid(pebble())).collect();
    world.apply(&pebbles).unwrap();
    let error = world.add_solid(pebble()).unwrap_err();
    assert!(error.to_string().contains("4096"), "{error}");
}

#[test]
fn areas_of_more_columns_than_the_limit_are_refused() {
    let mut world = meadow(4);
    for (x, y) in [(8_192.0, 8_193.0), (4_200_000.0, 1.0)] {
        let area = Area::rect(at(0.0, 0.0), at(x, y));
        let floors = Edit::add_floors(area, 0.0, Terrain::GROUND);
        let error = within(1, || world.apply(&[floors]).unwrap_err());
        assert!(error.to_string().contains("67108864"), "{error}");
    }
    let high = Position::new(4_096.0, 4_097.0, 2.0);
    for edit in [
        Edit::fill(at(0.0, 0.0), high, Terrain::GROUND),
        Edit::carve(at(0.0, 0.0), high, None),
    ] {
        let error = within(1, || world.apply(&[edit]).unwrap_err());
        assert!(error.to_string().contains("16777216"), "{error}");
    }
}

#[test]
fn bodies_footprints_and_agent_types_have_limits_by_name() {
    let mut world = meadow(4);
    let too_wide = Body {
        shape: BodyShape::disc(16_384.1),
        ..Body::default()
    };
    let error = world.add_body(too_wide).unwrap_err();
    assert!(error.to_string().contains("16,384"), "{error}");
    let disc = Footprint::disc(at(0.0, 0.0), 16_384.1);
    let error = world.bodies_in(&disc, BodyFilter::ALL).unwrap_err();
    assert!(error.to_string().contains("16,384"), "{error}");
    let giant = AgentType {
        radius: 8.1,
        ..AgentType::GROUND
    };
    let error = world.add_agent_type(giant).unwrap_err();
    assert!(error.to_string().contains("2048"), "{error}");
    let polygon = Area::polygon(&vec![at(0.0, 0.0); Area::MAX_VERTICES + 1]);
    let error = world.apply(&[Edit::remove_floors(polygon)]).unwrap_err();
    let EditError::BadArea {
        error: RequestError::Count { found: 4_097, .. },
        ..
    } = error
    else {
        panic!("{error}")
    };
}

/// A search tests every cell that it looks at against the areas of its request.
#[test]
fn areas_of_a_request_are_bounded_and_polygons_are_tested_by_rows() {
    let world = meadow(256);
    let mut searcher = Searcher::default();
    let request = PathRequest::new(at(0.5, 0.5), at(255.5, 255.5));
    let too_many = PathRequest {
        avoid: vec![Area::disc(at(9.0, 9.0), 1.0); PathRequest::MAX_AREAS + 1],
        ..request.clone()
    };
    let error = world.find_path(&mut searcher, &too_many).unwrap_err();
    let expected = "1025 areas to avoid and with costs, expected at most 1,024";
    assert_eq!(error.to_string(), expected);

    // A square of 4,000 corners that leaves a margin around the meadow.
    let square = |height: f64| {
        let corner = |n: u16| {
            let along = f64::from(n % 1_000) / 1_000.0;
            let (x, y) = match n / 1_000 {
                0 => (along, 0.0),
                1 => (1.0, along),
                2 => (1.0 - along, 1.0),
                _ => (0.0, 1.0 - along),
            };
            at(20.0 + x * 216.0, 20.0 + y * height)
        };
        Area::polygon(&(0..4_000).map(corner).collect::<Vec<_>>())
    };
    let avoiding = PathRequest {
        avoid: (0..4).map(|_| square(216.0)).collect(),
        ..request.clone()
    };
    let path = within(64, || world.find_path(&mut searcher, &avoiding).unwrap());
    let direct = world.find_path(&mut searcher, &request).unwrap();
    assert!(path.cost() > direct.cost() * 1.2);
    let weighted = PathRequest {
        avoid: Vec::new(),
        area_costs: vec![(square(216.0), 3.0)],
        ..request.clone()
    };
    let path = world.find_path(&mut searcher, &weighted).unwrap();
    assert!(path.cost() > direct.cost());
    let explained = world.explain(&mut searcher, &avoiding).unwrap();
    assert!(explained.is_empty());
    let too_high = PathRequest {
        avoid: vec![square(2_000_000.0)],
        ..request
    };
    let error = within(1, || world.find_path(&mut searcher, &too_high).unwrap_err());
    assert!(error.to_string().contains("4194304"), "{error}");
}

/// Each cell that is looked at tests a line for a goal in sight and for every viewer.
#[test]
fn a_budget_bounds_goals_in_line_of_sight_and_viewers() {
    let mut world = meadow(512);
    let wall = Area::rect(at(500.0, 0.0), at(501.0, 512.0));
    world.apply(&[Edit::remove_floors(wall)]).unwrap();
    let mut searcher = Searcher::default();
    let sight = Goal::LineOfSightTo {
        target: at(505.0, 256.0),
        distance: 8_000_000.0,
    };
    let budget = Budget::expansions(1_000);
    let request = PathRequest {
        budget,
        ..PathRequest::new(at(0.5, 0.5), sight)
    };
    let error = world.find_path(&mut searcher, &request).unwrap_err();
    assert!(matches!(error, NoPath::OutOfBudget { .. }), "{error}");
    let eye = |n: u16| Position::new(f64::from(n) * 4.0, 256.0, 1.5);
    let request = PathRequest {
        budget,
        viewers: (0..100)
            .map(|n| wayfarer::Viewer::new(eye(n), 1e12))
            .collect(),
        ..PathRequest::new(at(0.5, 0.5), at(490.5, 490.5))
    };
    let error = world.find_path(&mut searcher, &request).unwrap_err();
    assert!(matches!(error, NoPath::OutOfBudget { .. }), "{error}");
}

/// A small sensor or query among huge bodies, and huge ones among small, visit what they overlap.
#[test]
fn bodies_of_the_largest_size_are_moved_found_and_saved_in_proportion() {
    let mut world = meadow(4);
    within(16, || {
        for number in 0..60 {
            let shape = match number % 2 {
                0 => BodyShape::disc(16_000.0),
                _ => BodyShape::disc(0.01),
            };
            let position = at(f64::from(number) * 100.0, 0.0);
            let body = Body {
                position,
                shape,
                ..Body::default()
            };
            world.add_body(body).unwrap();
        }
        let whole = Footprint::disc(at(0.0, 0.0), 16_384.0);
        let found = world.bodies_in(&whole, BodyFilter::ALL).unwrap();
        assert_eq!(found.len(), 60);
        let pairs = world.overlapping_pairs(BodyFilter::ALL).unwrap();
        assert_eq!(pairs.len(), 30 * 29 / 2 + 30 * 30);
    });
    let bytes = world.save();
    assert_eq!(World::load(&bytes).unwrap().save(), bytes);
}

#[test]
fn a_planner_loads_whatever_it_saved() {
    let (world, other) = (meadow(8), {
        let mut other = meadow(8);
        let tank = AgentType {
            radius: 0.9,
            ..AgentType::GROUND
        };
        other.add_agent_type(tank).unwrap();
        other
    });
    let tank = AgentTypeId::from_index(1).unwrap();
    let request = PathRequest::new(at(1.5, 1.5), at(6.5, 6.5));
    let of_tank = PathRequest {
        agent_type: tank,
        ..request.clone()
    };
    let previous = other.find_path(&mut Searcher::default(), &of_tank).unwrap();
    let mut planner = Planner::new(PlannerOptions::default());
    // A type that this world lacks, and a previous path of one.
    let unknown = planner.request(of_tank);
    let kept = planner.request(PathRequest {
        previous: Some(previous),
        ..request
    });
    let mut loaded = Planner::load(&planner.save(), &world).unwrap();
    for planner in [&mut planner, &mut loaded] {
        planner.update(&world);
        let events = planner.take_events();
        let reason = NoPath::Invalid(RequestError::UnknownAgentType);
        let failed = PlannerEvent::Failed {
            id: unknown,
            reason,
        };
        assert_eq!(events, [failed, PlannerEvent::Found { id: kept }]);
    }
    assert_eq!(planner.path(kept), loaded.path(kept));
}

#[test]
fn a_planner_in_the_midst_of_many_searches_is_loaded_to_the_byte() {
    let world = meadow(64);
    let mut planner = Planner::new(PlannerOptions {
        budget: Budget::expansions(64),
        ..PlannerOptions::default()
    });
    for _ in 0..40 {
        let to = at(60.5, 60.5);
        planner.request(PathRequest {
            method: Method::AStar,
            ..PathRequest::new(at(0.5, 0.5), to)
        });
    }
    for _ in 0..20 {
        planner.update(&world);
    }
    let bytes = planner.save();
    let loaded = Planner::load(&bytes, &world).unwrap();
    assert!(loaded.save() == bytes);
    assert!(loaded.stats().n_waiting > 0);
}

/// Ids belong to a world and to the clones made of it later; a path knows more.
#[test]
fn ids_of_a_clone_that_diverged_may_denote_other_things_but_its_paths_do_not() {
    let mut a = meadow(12);
    let mut b = a.clone();
    let agent_type = |radius: f64| AgentType {
        radius,
        ..AgentType::GROUND
    };
    let of_a = a.add_agent_type(agent_type(0.9)).unwrap();
    let of_b = b.add_agent_type(agent_type(1.4)).unwrap();
    assert_eq!(of_a, of_b);
    let request = PathRequest {
        agent_type: of_a,
        ..PathRequest::new(at(2.5, 2.5), at(8.5, 8.5))
    };
    let path = a.find_path(&mut Searcher::default(), &request).unwrap();
    assert_eq!(a.status(&path), PathStatus::Valid);
    assert!(matches!(b.status(&path), PathStatus::Invalid { .. }));
    // Repaired for the type that the other world has under this id.
    let repaired = b.repair(&mut Searcher::default(), &request, &path).unwrap();
    assert_eq!(b.status(&repaired), PathStatus::Valid);
}
