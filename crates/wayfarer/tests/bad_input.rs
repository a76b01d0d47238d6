//! Bad input of every kind is an error that names it, and changes nothing.

use std::f64::consts::PI;

use wayfarer::prelude::*;
use wayfarer::{AreaShape, BakeOptions, Categories, NavLinkKind, ThinWall, Viewer};

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

fn world() -> World {
    let map = b"type octile\nheight 4\nwidth 6\nmap\n......\n......\n......\n......\n";
    World::import("yard.map", map, Scale::UNIT).expect("the map is valid")
}

/// The message of an error contains `what`.
#[track_caller]
fn check<T, E: std::fmt::Display>(result: Result<T, E>, what: &str) {
    match result {
        Ok(_) => panic!("accepted, expected an error about {what}"),
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains(what), "`{message}` does not name {what}");
        }
    }
}

#[test]
fn numbers_of_a_scale() {
    for bad in BAD.into_iter().chain([0.0, -1.0, 1e9]) {
        check(World::new(Scale::meters(bad)), "the side of a cell");
        let scale = Scale {
            step: bad,
            ..Scale::UNIT
        };
        check(World::new(scale), "the height of a step");
    }
    let scale = Scale {
        origin: at(f64::NAN, 0.0),
        ..Scale::UNIT
    };
    check(World::new(scale), "the origin");
}

#[test]
fn numbers_of_an_agent_type() {
    let mut world = world();
    for bad in BAD.into_iter().chain([-1.0]) {
        let base = AgentType::GROUND;
        let with = [
            (
                AgentType {
                    radius: bad,
                    ..base.clone()
                },
                "the radius",
            ),
            (
                AgentType {
                    height: bad,
                    ..base.clone()
                },
                "the height",
            ),
            (
                AgentType {
                    max_step: bad,
                    ..base.clone()
                },
                "the largest step",
            ),
            (
                AgentType {
                    max_drop: bad,
                    ..base.clone()
                },
                "the largest drop",
            ),
            (
                AgentType {
                    terrain_costs: vec![(Terrain::SWAMP, bad)],
                    ..base
                },
                "a terrain cost",
            ),
            (
                AgentType {
                    flight_cost: bad,
                    ..AgentType::FLIGHT
                },
                "the cost of flight",
            ),
        ];
        for (agent_type, what) in with {
            check(world.add_agent_type(agent_type), what);
        }
    }
    let huge = AgentType {
        radius: 1e6,
        ..AgentType::GROUND
    };
    check(world.add_agent_type(huge), "radius");
    let cheap = AgentType {
        terrain_costs: vec![(Terrain::SWAMP, 0.5)],
        ..AgentType::GROUND
    };
    check(world.add_agent_type(cheap), "a multiplier from 1");
}

#[test]
fn numbers_of_a_request() {
    let mut world = world();
    let mut searcher = Searcher::default();
    let mut find = |request: &PathRequest, what: &str| {
        check(world.find_path(&mut searcher, request), what);
        check(world.distance(&mut searcher, request), what);
        check(world.explain(&mut searcher, request), what);
    };
    let good = PathRequest::new(at(0.5, 0.5), at(5.5, 3.5));
    for bad in BAD {
        find(&PathRequest::new(at(bad, 0.5), at(5.5, 3.5)), "the start");
        find(&PathRequest::new(at(0.5, 0.5), at(5.5, bad)), "the goal");
        let center = at(5.5, 3.5);
        let within = Goal::Within {
            center,
            distance: bad,
        };
        find(
            &PathRequest::new(at(0.5, 0.5), within),
            "the distance to the goal",
        );
        let disc = Area::disc(center, bad);
        let area = PathRequest::new(at(0.5, 0.5), disc.clone());
        find(&area, "the radius of an area");
        let avoid = vec![disc.clone()];
        find(
            &PathRequest {
                avoid,
                ..good.clone()
            },
            "the radius of an area",
        );
        let area_costs = vec![(Area::disc(center, 1.0), bad)];
        find(
            &PathRequest {
                area_costs,
                ..good.clone()
            },
            "the cost of an area",
        );
        let previous_tolerance = bad;
        let request = PathRequest {
            previous_tolerance,
            ..good.clone()
        };
        find(&request, "the tolerance of the previous path");
        let viewers = vec![Viewer::new(center, bad)];
        find(
            &PathRequest {
                viewers,
                ..good.clone()
            },
            "the range of a viewer",
        );
        let heights = Some((bad, 1.0));
        let area = Area {
            heights,
            ..Area::disc(center, 1.0)
        };
        find(&PathRequest::new(at(0.5, 0.5), area), "the lowest height");
    }
    find(
        &PathRequest::new(at(0.5, 0.5), Goal::AnyOf(Vec::new())),
        "goals",
    );
    let polygon = Area::polygon(&[at(0.0, 0.0), at(1.0, 1.0)]);
    find(
        &PathRequest::new(at(0.5, 0.5), polygon),
        "vertices of a polygon",
    );
    let budget = Budget::expansions(0);
    find(
        &PathRequest {
            budget,
            ..good.clone()
        },
        "expansions",
    );
    // An agent type of another world.
    let mut other = self::world();
    other
        .add_agent_type(AgentType::GROUND)
        .expect("it is valid");
    let foreign = other
        .add_agent_type(AgentType::FLIGHT)
        .expect("it is valid");
    let request = PathRequest {
        agent_type: foreign,
        ..good
    };
    find(&request, "the agent type is not registered");
    check(
        world.reachable(&mut searcher, foreign, at(0.5, 0.5), 3.0),
        "agent type",
    );
    let extent = Extent::within(5.0);
    check(
        world.flow_field(foreign, at(0.5, 0.5), extent),
        "agent type",
    );
    let tower = Edit::add_solid(Solid::cuboid(at(1.0, 1.0), Position::new(2.0, 2.0, 2.0)));
    let pair = (at(0.5, 0.5), at(5.5, 0.5));
    check(
        world.would_disconnect(&[tower], &[pair], foreign),
        "agent type",
    );
}

#[test]
fn numbers_of_queries() {
    let world = world();
    let mut searcher = Searcher::default();
    let person = AgentTypeId::DEFAULT;
    for bad in BAD {
        let place = at(0.5, 0.5);
        check(
            world.reachable(&mut searcher, person, place, bad),
            "the largest cost",
        );
        check(
            world.reachable(&mut searcher, person, at(bad, 0.5), 1.0),
            "the start",
        );
        check(
            world.flow_field(person, at(0.5, bad), Extent::within(3.0)),
            "the goal",
        );
        let extent = Extent::within(bad);
        check(
            world.flow_field(person, place, extent),
            "the extent of a flow field",
        );
        check(
            world.influence_at(place, bad, BodyFilter::ALL),
            "the radius of a disc",
        );
        check(
            world.nearest_bodies(at(bad, 0.0), 1, BodyFilter::ALL),
            "the position of a query",
        );
        let heights = Some((bad, 1.0));
        let filter = BodyFilter {
            heights,
            ..BodyFilter::ALL
        };
        check(
            world.overlapping_pairs(filter),
            "the lowest height of a filter",
        );
        let viewer = Viewer::new(place, 5.0);
        check(world.field_of_view(&viewer, bad), "the height of a target");
        assert!(!world.has_line_of_sight(place, at(bad, 0.5)));
        assert_eq!(world.project_to_floor(person, at(bad, 0.5)), None);
    }
    let viewer = Viewer::new(at(0.5, 0.5), 1e6);
    check(
        world.field_of_view(&viewer, 0.0),
        "the range of a field of view",
    );
}

#[test]
fn numbers_of_bodies_and_footprints() {
    let mut world = world();
    let filter = BodyFilter::ALL;
    for bad in BAD {
        let body = Body {
            position: at(bad, 0.0),
            ..Body::default()
        };
        check(world.add_body(body), "the position of a body");
        let shape = BodyShape::disc(bad);
        check(
            world.add_body(Body {
                shape,
                ..Body::default()
            }),
            "the radius of a body",
        );
        let shape = BodyShape::cuboid(1.0, bad);
        check(
            world.add_body(Body {
                shape,
                ..Body::default()
            }),
            "the half depth of a body",
        );
        let height = bad;
        check(
            world.add_body(Body {
                height,
                ..Body::default()
            }),
            "the height of a body",
        );
        let in_area = |footprint: Footprint, what: &str| {
            check(world.bodies_in(&footprint, filter), what);
        };
        in_area(
            Footprint::disc(at(0.0, bad), 1.0),
            "a position of a footprint",
        );
        in_area(Footprint::disc(at(0.0, 0.0), bad), "the radius of a disc");
        let heading = Heading { x: bad, y: 0.0 };
        in_area(Footprint::cone(at(0.0, 0.0), heading, PI, 3.0), "heading");
        in_area(
            Footprint::cone(at(0.0, 0.0), Heading::EAST, bad, 3.0),
            "the angle of a cone",
        );
        let sensor = Sensor {
            eye_height: bad,
            ..Sensor::default()
        };
        check(world.add_sensor(sensor), "the height of an eye");
    }
    let huge = Footprint::disc(at(0.0, 0.0), 1e6);
    check(world.bodies_in(&huge, filter), "the radius of a disc");
    let ring = Footprint::ring(at(0.0, 0.0), 3.0, 2.0);
    check(world.bodies_in(&ring, filter), "the inner radius of a ring");
    let huge = BodyShape::disc(1e5);
    check(
        world.add_body(Body {
            shape: huge,
            ..Body::default()
        }),
        "the radius of a body",
    );
}

#[test]
fn dead_and_foreign_ids() {
    let mut world = world();
    let unit = world.add_body(Body::default()).expect("it is valid");
    world.remove_body(unit).expect("it exists");
    check(world.body(unit), "no body has id");
    check(world.remove_body(unit), "no body has id");
    check(world.move_bodies(&[(unit, at(1.0, 1.0))]), "no body has id");
    check(world.teleport(unit, at(1.0, 1.0)), "no body has id");
    let on_dead = Sensor {
        mount: unit.into(),
        ..Sensor::default()
    };
    check(world.add_sensor(on_dead), "no body has id");
    let own_body = Some(unit);
    let request = PathRequest {
        own_body,
        ..PathRequest::new(at(0.5, 0.5), at(1.5, 0.5))
    };
    check(
        world.find_path(&mut Searcher::default(), &request),
        "no body has id",
    );
    let sensor = world.add_sensor(Sensor::default()).expect("it is valid");
    world.remove_sensor(sensor).expect("it exists");
    check(world.remove_sensor(sensor), "no sensor has id");
    check(world.detected_by(sensor), "no sensor has id");

    let low = at(1.0, 1.0);
    let (wall, _) = world
        .add_solid(Solid::cuboid(low, Position::new(2.0, 2.0, 2.0)))
        .expect("fits");
    world.remove_solid(wall).expect("it exists");
    check(world.remove_solid(wall), "edit 0: the solid does not exist");
    let link = NavLink::new(at(0.5, 0.5), at(3.5, 0.5), NavLinkKind::Jump);
    let (link, _) = world.add_link(link).expect("it is valid");
    world.apply(&[Edit::remove_link(link)]).expect("it exists");
    check(
        world.apply(&[Edit::remove_link(link)]),
        "the link does not exist",
    );
    let area = Area::disc(at(2.0, 2.0), 1.0);
    let (area, _) = world
        .add_cost_area(CostArea {
            area,
            multiplier: 2.0,
        })
        .expect("it is valid");
    world
        .apply(&[Edit::remove_cost_area(area)])
        .expect("it exists");
    check(
        world.apply(&[Edit::remove_cost_area(area)]),
        "the cost area does not exist",
    );
    // Of another world.
    let mut other = self::world();
    check(other.remove_solid(wall), "the solid does not exist");
    check(
        other.apply(&[Edit::remove_link(link)]),
        "the link does not exist",
    );
    check(other.body(unit), "no body has id");
    assert_eq!(other.link(link), None);
    let path = world.find_path(
        &mut Searcher::default(),
        &PathRequest::new(at(0.5, 0.5), at(1.5, 0.5)),
    );
    let subscription = world.subscribe(path.expect("a path exists"));
    assert!(!other.unsubscribe(subscription));
    assert!(world.unsubscribe(subscription) && !world.unsubscribe(subscription));
    check(
        world.set_baked_variant("gate", true),
        "no baked abstraction",
    );
    check(
        world.bake(BakeOptions {
            side: 99,
            ..BakeOptions::default()
        }),
        "99",
    );
    check(world.attach_baked(b"nothing"), "");
    assert_eq!(Categories::one(22), Categories::NONE);
}

#[test]
fn edits_out_of_range_change_nothing() {
    let mut world = world();
    let before = (world.save(), world.revision());
    let top = Position::new(2.0, 2.0, 2.0);
    let low = at(1.0, 1.0);
    let huge = Position::new(1e8, 1e8, 1e3);
    let flat = at(2.0, 2.0);
    let mut reject = |edit: Edit, what: &str| {
        // The first edit is valid: a batch is all or nothing.
        let valid = Edit::add_solid(Solid::cuboid(low, top));
        check(world.apply(&[valid, edit.clone()]), "edit 1");
        check(world.apply(std::slice::from_ref(&edit)), what);
    };
    for bad in BAD {
        reject(Edit::add_solid(Solid::cuboid(low, at(bad, 2.0))), "solid");
        reject(Edit::add_solid(Solid::cylinder(low, bad, 1.0)), "solid");
        reject(Edit::add_solid(Solid::cylinder(low, 1.0, bad)), "solid");
        reject(
            Edit::add_solid(Solid::prism([low, top, at(bad, 0.0)], 1.0)),
            "solid",
        );
        reject(Edit::fill(low, at(bad, 2.0), Terrain::GROUND), "the box");
        reject(Edit::carve(at(bad, 1.0), top, None), "the box");
        let area = Area::disc(low, bad);
        reject(
            Edit::add_floors(area.clone(), 0.0, Terrain::GROUND),
            "the radius of an area",
        );
        reject(Edit::remove_floors(area), "the radius of an area");
        let area = Area::disc(low, 1.0);
        reject(
            Edit::add_floors(area.clone(), bad, Terrain::GROUND),
            "height",
        );
        let multiplier = bad;
        let cost_area = CostArea { area, multiplier };
        reject(
            Edit::add_cost_area(cost_area),
            "the multiplier of a cost area",
        );
        let link = NavLink::new(low, at(3.5, 0.5), NavLinkKind::Jump);
        reject(
            Edit::add_link(NavLink {
                cost: Some(bad),
                ..link
            }),
            "the cost of a link",
        );
        reject(
            Edit::add_link(NavLink {
                from: at(bad, 0.0),
                ..link
            }),
            "a position",
        );
        reject(
            Edit::add_wall(ThinWall {
                from: low,
                to: at(bad, 1.0),
            }),
            "the wall",
        );
    }
    reject(Edit::add_solid(Solid::cuboid(low, flat)), "solid");
    reject(Edit::add_solid(Solid::cuboid(low, huge)), "solid");
    reject(Edit::fill(low, huge, Terrain::GROUND), "box");
    reject(Edit::fill(low, low, Terrain::GROUND), "box");
    reject(Edit::add_wall(ThinWall { from: low, to: low }), "the wall");
    reject(
        Edit::add_wall(ThinWall {
            from: low,
            to: at(7e6, 1.0),
        }),
        "the wall",
    );
    let wide = Area::rect(at(-4e6, -4e6), at(4e6, 4e6));
    reject(Edit::add_floors(wide, 0.0, Terrain::GROUND), "columns");
    let half = CostArea {
        area: Area::disc(low, 1.0),
        multiplier: 0.5,
    };
    reject(Edit::add_cost_area(half), "the multiplier of a cost area");
    let vertices = vec![low; 5_000];
    let area = Area {
        shape: AreaShape::Polygon(vertices),
        heights: None,
    };
    reject(Edit::remove_floors(area), "vertices of a polygon");
    assert!(before == (world.save(), world.revision()));
}
