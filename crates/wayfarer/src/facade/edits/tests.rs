use wayfarer_engine::base::{LinkState, NavLinkKind};

use crate::prelude::*;
use crate::{CostArea, EditError, NavLink, ThinWall};

fn world(rows: &[&str]) -> World {
    let (width, height) = (rows[0].len(), rows.len());
    let text = format!(
        "type octile\nheight {height}\nwidth {width}\nmap\n{}\n",
        rows.join("\n")
    );
    World::import("test.map", text.as_bytes(), Scale::UNIT).unwrap()
}

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

fn cost(world: &World, from: Position, to: Position) -> Option<f64> {
    let request = PathRequest::new(from, to);
    let path = world.find_path(&mut Searcher::default(), &request);
    path.ok().map(|path| (path.cost() * 100.0).round() / 100.0)
}

#[test]
fn rule_7_a_batch_reports_invalidated_paths_and_has_an_inverse() {
    let mut world = world(&[".....", "....."]);
    let (from, to) = (at(0.5, 0.5), at(4.5, 0.5));
    let path = world.find_path(&mut Searcher::default(), &PathRequest::new(from, to));
    let path = path.unwrap();
    let subscription = world.subscribe(path.clone());
    let fill = Edit::fill(at(2.0, 0.0), Position::new(3.0, 1.0, 3.0), Terrain::GROUND);
    let changes = world.apply(&[fill]).unwrap();
    assert_eq!(changes.invalidated(), [subscription]);
    assert!(!world.status(&path).is_walkable());
    assert_eq!(cost(&world, from, to), Some(4.83));
    world.apply(&changes.inverse()).unwrap();
    assert_eq!(cost(&world, from, to), Some(4.0));
}

#[test]
fn rule_7_a_link_has_an_id_that_dies_and_comes_back_with_the_inverse() {
    let mut world = world(&["..T.."]);
    let (from, to) = (at(0.5, 0.5), at(4.5, 0.5));
    assert_eq!(cost(&world, from, to), None);
    let jump = NavLink::new(at(1.5, 0.5), at(3.5, 0.5), NavLinkKind::Jump);
    let (id, _) = world.add_link(jump).unwrap();
    assert_eq!(cost(&world, from, to), Some(4.0));
    let error = world.add_link(jump).unwrap_err();
    assert_eq!(error, EditError::LinkExists { edit: 0 });
    world
        .apply(&[Edit::set_link_state(id, LinkState::Closed)])
        .unwrap();
    assert_eq!(cost(&world, from, to), None);
    assert_eq!(
        world.link(id).map(|link| link.state),
        Some(LinkState::Closed)
    );
    let removed = world.apply(&[Edit::remove_link(id)]).unwrap();
    let error = world
        .apply(&[Edit::set_link_state(id, LinkState::Open)])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "edit 0: the link does not exist in this world"
    );
    world.apply(&removed.inverse()).unwrap();
    assert_eq!(
        world.link(id).map(|link| link.state),
        Some(LinkState::Closed)
    );
    // A link at the same place is another one.
    world.apply(&[Edit::remove_link(id)]).unwrap();
    let (other, _) = world.add_link(jump).unwrap();
    assert_ne!(other, id);
    assert_eq!(world.link(id), None);
}

#[test]
fn rule_7_a_batch_is_all_or_nothing() {
    let mut world = world(&["....."]);
    let bytes = world.save();
    let area = Area::rect(at(1.0, 0.0), at(2.0, 1.0));
    let edits = [
        Edit::remove_floors(area.clone()),
        Edit::add_cost_area(CostArea {
            area,
            multiplier: f64::NAN,
        }),
    ];
    let error = world.apply(&edits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "edit 1: the multiplier of a cost area is NaN, expected a multiplier from 1 to 4,095"
    );
    assert_eq!(world.save(), bytes);
}

#[test]
fn rule_7_thin_walls_run_along_cell_borders() {
    let mut world = world(&["...", "..."]);
    let wall = ThinWall {
        from: at(0.1, 1.0),
        to: at(2.1, 0.9),
    };
    world.apply(&[Edit::add_wall(wall)]).unwrap();
    assert_eq!(cost(&world, at(0.5, 0.5), at(0.5, 1.5)), Some(5.0));
    world.apply(&[Edit::remove_wall(wall)]).unwrap();
    assert_eq!(cost(&world, at(0.5, 0.5), at(0.5, 1.5)), Some(1.0));
    let slanted = ThinWall {
        from: at(0.0, 0.0),
        to: at(2.0, 1.0),
    };
    let error = world.apply(&[Edit::add_wall(slanted)]).unwrap_err();
    assert!(matches!(error, EditError::BadWall { edit: 0, .. }));
}

#[test]
fn rule_7_cost_areas_stack_and_end_by_id() {
    let mut world = world(&["....."]);
    let area = || Area::rect(at(1.0, 0.0), at(4.0, 1.0));
    let before = cost(&world, at(0.5, 0.5), at(4.5, 0.5));
    let mud = |multiplier| CostArea {
        area: area(),
        multiplier,
    };
    let (first, _) = world.add_cost_area(mud(2.0)).unwrap();
    let (second, _) = world.add_cost_area(mud(3.0)).unwrap();
    assert_eq!(cost(&world, at(1.5, 0.5), at(3.5, 0.5)), Some(8.0));
    world
        .apply(&[
            Edit::remove_cost_area(first),
            Edit::remove_cost_area(second),
        ])
        .unwrap();
    assert_eq!(cost(&world, at(0.5, 0.5), at(4.5, 0.5)), before);
    let error = world.apply(&[Edit::remove_cost_area(first)]).unwrap_err();
    assert!(matches!(
        error,
        EditError::UnknownId {
            what: "the cost area",
            ..
        }
    ));
}

#[test]
fn task_3_the_pairs_that_a_tower_would_cut_off() {
    let mut world = world(&["T.T", "T.T", "...", "T.T"]);
    let tower = Edit::fill(at(1.0, 1.0), Position::new(2.0, 2.0, 3.0), Terrain::TREES);
    let (spawn, base, side) = (at(1.5, 0.5), at(1.5, 3.5), at(0.5, 2.5));
    let bytes = world.save();
    let pairs = [(spawn, base), (side, base)];
    let cut_off = world.would_disconnect(&[tower], &pairs, AgentTypeId::DEFAULT);
    assert_eq!(cut_off, Ok(vec![(spawn, base)]));
    assert_eq!(world.save(), bytes);
}

#[test]
fn task_3_a_tower_over_the_ends_of_a_pair_cuts_it_off() {
    let mut world = world(&["......", "......"]);
    let (spawn, base) = (at(1.5, 0.5), at(4.5, 0.5));
    // On the start alone, and over both, whose columns are connected on the roof.
    for east in [2.0, 6.0] {
        let tower = Solid::cuboid(at(1.0, 0.0), Position::new(east, 2.0, 3.0));
        let edits = [Edit::add_solid(tower)];
        let cut_off = world.would_disconnect(&edits, &[(spawn, base)], AgentTypeId::DEFAULT);
        assert_eq!(cut_off, Ok(vec![(spawn, base)]));
    }
}

#[test]
fn rule_7_overlapping_solids_leave_what_was_there() {
    for axes in [Axes::ZUp, Axes::YUp] {
        let scale = Scale {
            axes,
            ..Scale::UNIT
        };
        let text = b"type octile\nheight 1\nwidth 5\nmap\n.S.S.\n";
        let mut world = World::import("test.map", text, scale).unwrap();
        let place = |x: f64, height: f64| match axes {
            Axes::ZUp => Position::new(x, 0.5, height),
            Axes::YUp => Position::new(x, height, 0.5),
        };
        let corner = |x: f64, y: f64, height: f64| match axes {
            Axes::ZUp => Position::new(x, y, height),
            Axes::YUp => Position::new(x, height, y),
        };
        let cuboid =
            |low: f64, high: f64| Solid::cuboid(corner(low, 0.0, 0.0), corner(high, 1.0, 4.0));
        let is_free = |world: &World| {
            let ends = (place(0.5, 0.0), place(4.5, 0.0));
            world.is_connected(AgentTypeId::DEFAULT, ends.0, ends.1) == Some(true)
        };
        let before = world.engine().canonical();
        let (first, _) = world.add_solid(cuboid(1.0, 3.0)).unwrap();
        let (second, _) = world.add_solid(cuboid(2.0, 4.0)).unwrap();
        assert!(!is_free(&world));
        world.remove_solid(first).unwrap();
        assert!(!is_free(&world));
        world.remove_solid(second).unwrap();
        assert!(is_free(&world));
        assert_eq!(world.engine().canonical(), before);
        assert!(world.remove_solid(first).is_err());
    }
}
