//! Worlds with everything that the interface accepts, drawn from a seed: odd numbers and orders
//! included. What is refused is left out.

use wayfarer_base::nav_link::WallSide;
use wayfarer_base::{
    Aabb2, Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit,
    LinkDirection, LinkState, NavLink, NavLinkId, NavLinkKind, Point2, Point3, Profile, Raster,
    Rect, Rng, Shape, Terrain, Voxel, Wall,
};
use wayfarer_search::multimodal::{AirLink, FlightProfile};
use wayfarer_search::sight::OcclusionRules;
use wayfarer_world::air::{
    AirBuilder, AirEdit, BoxContent, Geometry, GeometryId, Volume, VolumeId, VolumeRule,
};
use wayfarer_world::bodies::{
    Body, BodyCategories, BodyFilter, BodyId, BodySet, BodyShape, ConvexPolygon, DetectionTiming,
    Footprint, Heading, Mount, Sensor, Teams,
};
use wayfarer_world::obstacles::{
    DiscAgent, Obstacle, ObstacleCategories, ObstacleId, ObstacleSet, ObstacleShape,
};
use wayfarer_world::solid::{Run, Spans};

use super::solid::Solid;
use super::{AgentType, BodyEdit, Command, Edit, ObstacleEdit, PathRequest, Searcher, World};
use crate::{Position, Scale};

const SIDE: i32 = 12;

/// A world with everything registered, after random batches.
pub(super) fn world(seed: u64) -> World {
    let rng = &mut Rng::new(seed);
    let mut world = World::new(default_profile(rng)).unwrap();
    if rng.chance(3, 4) {
        let size = [1, 2, 3].map(|_| 1 + rng.below(16));
        let low = voxel(rng);
        let air = AirBuilder::new(low, size).unwrap();
        world = world.with_air(air.build().unwrap());
    }
    if rng.chance(3, 4) {
        world = world.with_obstacles(ObstacleSet::square(rng.between(1, 64)).unwrap());
    }
    // Small and large, multiples of 1/256 and others.
    let lengths = [1, 2, 3].map(|_| {
        let length = i64::from(rng.between(1, 1 << 24)) << 24;
        length + 2 * i64::from(rng.below(3))
    });
    let origin = [1, 2, 3].map(|_| rng.next_u64().cast_signed() >> rng.below(64).max(2));
    let [x, y, z] = origin;
    let scale = Scale::from_exact_lengths(lengths).unwrap();
    world = world
        .with_scale(if rng.chance(1, 2) {
            Scale::default()
        } else {
            scale.at(Position { x, y, z })
        })
        .with_occlusion_rules(OcclusionRules {
            is_void_transparent: rng.chance(1, 2),
            opaque: rng.next_u64(),
            opaque_height: any(rng),
            wall_height: any(rng),
        })
        .with_bodies(
            BodySet::new(Fixed::from_raw(rng.between(1, 1 << 16))).with_detection(
                if rng.chance(1, 2) {
                    DetectionTiming::AfterMovement
                } else {
                    DetectionTiming::BeforeMovement
                },
            ),
        );
    for _ in 0..rng.below(30) {
        change(&mut world, rng);
    }
    world
}

/// One call that changes the world, if it accepts it.
pub(super) fn change(world: &mut World, rng: &mut Rng) {
    match rng.below(16) {
        0 => ignore(world.add_agent_type(agent_type(rng))),
        1 | 2 => ignore(world.add_sensor(sensor(rng, world))),
        3 => {
            let ids: Vec<_> = world.sensors().map(|(id, _)| id).collect();
            if let Some(id) = rng.pick(&ids) {
                match footprint(rng) {
                    Some(footprint) if rng.chance(1, 2) => {
                        ignore(world.set_sensor_footprint(*id, footprint));
                    }
                    _ => assert!(world.remove_sensor(*id)),
                }
            }
        }
        4 => world.update_sensors(&mut Vec::new()),
        5 => {
            if let Some(body) = body_id(rng, world) {
                let id = modifier_id(rng);
                ignore(world.attach_cost_modifier(id, body));
            }
        }
        6 => ignore(world.detach_cost_modifier(modifier_id(rng))),
        7 => subscribe(world, rng),
        _ => {
            let n_edits = 1 + rng.below(6);
            let batch: Vec<Edit> = (0..n_edits).map(|_| edit(rng, world)).collect();
            if world.apply(batch.clone()).is_err() {
                // Those that are valid alone.
                for one in batch {
                    ignore(world.apply([one]));
                }
            }
        }
    }
}

/// A command of any kind; most are valid.
pub(super) fn command(rng: &mut Rng, world: &World) -> Command {
    let sensors: Vec<_> = world.sensors().map(|(id, _)| id).collect();
    let (sensor_id, body) = (rng.pick(&sensors).copied(), body_id(rng, world));
    match (rng.below(20), sensor_id, body) {
        (0, ..) => Command::AddAgentType(agent_type(rng)),
        (1 | 2, ..) => Command::AddSensor(sensor(rng, world)),
        (3, Some(id), _) => Command::RemoveSensor(id),
        (4, Some(id), _) => match footprint(rng) {
            Some(footprint) => Command::SetSensorFootprint { id, footprint },
            None => Command::RemoveSensor(id),
        },
        (5, ..) => Command::UpdateSensors,
        (6, _, Some(body)) => Command::AttachCostModifier {
            id: modifier_id(rng),
            body,
        },
        (7, ..) => Command::DetachCostModifier(modifier_id(rng)),
        _ => {
            let n_edits = rng.below(4);
            Command::Apply((0..n_edits).map(|_| edit(rng, world)).collect())
        }
    }
}

/// What is refused is left out.
fn ignore<T>(_result: T) {}

fn subscribe(world: &mut World, rng: &mut Rng) {
    let position = |rng: &mut Rng| world.scale().cell_center(cell(rng));
    let request = PathRequest::new(position(rng), position(rng));
    let found = world.find_path(&mut Searcher::default(), &request);
    if let Some(path) = found.ok().and_then(wayfarer_base::Outcome::found) {
        world.subscribe(path);
    }
}

/// A number that is small, anything, or extreme.
fn any(rng: &mut Rng) -> i32 {
    match rng.below(8) {
        0 => i32::MIN,
        1 => i32::MAX,
        2 => low_bits(rng).cast_signed(),
        _ => rng.between(-4, 4),
    }
}

/// A coordinate in the middle of the world, seldom anywhere.
fn at(rng: &mut Rng) -> i32 {
    if rng.chance(1, 40) {
        any(rng)
    } else {
        rng.between(-2, SIDE)
    }
}

fn cell(rng: &mut Rng) -> Cell {
    Cell::new(at(rng), at(rng), rng.between(0, 3))
}

fn voxel(rng: &mut Rng) -> Voxel {
    Voxel::new(
        rng.between(-2, SIDE),
        rng.between(-2, SIDE),
        rng.between(-2, 8),
    )
}

fn fixed(rng: &mut Rng) -> Fixed {
    if rng.chance(1, 40) {
        return Fixed::from_raw(any(rng));
    }
    Fixed::from_raw(rng.between(-256, SIDE * 256))
}

fn length(rng: &mut Rng) -> Fixed {
    Fixed::from_raw(rng.between(0, 3 * 256))
}

fn point(rng: &mut Rng) -> Point2 {
    Point2::new(fixed(rng), fixed(rng))
}

fn terrain(rng: &mut Rng) -> Terrain {
    let number = [0, 0, 0, 1, 2, 5, 62, 63][rng.below(8) as usize];
    Terrain::new(number).unwrap()
}

fn multiplier(rng: &mut Rng) -> CostMultiplier {
    let sixteenths = [16, 17, 32, 40, u16::MAX][rng.below(5) as usize];
    CostMultiplier::from_sixteenths(sixteenths).unwrap()
}

fn cost(rng: &mut Rng) -> Cost {
    Cost::from_units([0, 1, 1463, 99_999, u32::MAX - 1, u32::MAX][rng.below(6) as usize])
}

fn modifier_id(rng: &mut Rng) -> CostModifierId {
    CostModifierId(rng.below(6).into())
}

fn profile(rng: &mut Rng, max_radius: i32) -> Profile {
    Profile {
        radius: Fixed::from_raw(rng.between(0, max_radius)),
        height: rng.between(1, 4),
        max_step: rng.between(0, 2),
        max_drop: rng.between(0, 3),
        keys: rng.below(4),
        allowed_terrains: (rng.next_u64() | 1) & !Terrain::SOLID.bit(),
        // Of any order, terrains twice, multipliers of 1.
        terrain_costs: (0..rng.below(5))
            .map(|_| (terrain(rng), multiplier(rng)))
            .collect(),
    }
}

fn default_profile(rng: &mut Rng) -> Profile {
    profile(rng, 128)
}

fn agent_type(rng: &mut Rng) -> AgentType {
    let ground = rng.chance(2, 3).then(|| {
        if rng.chance(1, 4) {
            Profile::DEFAULT
        } else {
            profile(rng, 3 * 256)
        }
    });
    AgentType {
        ground,
        flight: rng.chance(1, 3).then(|| FlightProfile {
            radius: length(rng),
            multiplier: multiplier(rng),
            take_off: cost(rng),
            landing: cost(rng),
            requires_air_link: rng.chance(1, 2),
        }),
        planar: rng.chance(1, 3).then(|| DiscAgent {
            radius: length(rng),
            blocked_by: ObstacleCategories::from_bits(rng.next_u64()),
        }),
    }
}

fn shape(rng: &mut Rng) -> Shape {
    match rng.below(5) {
        0 => Shape::Circle {
            center: point(rng),
            radius: length(rng),
        },
        1 => {
            let (a, b) = (cell(rng), cell(rng));
            Shape::Box(if rng.chance(1, 4) {
                // The corners may be in the wrong order.
                Rect {
                    low: a.column(),
                    high: b.column(),
                }
            } else {
                Rect::around(a.column(), b.column())
            })
        }
        2 => Shape::Polygon((0..rng.below(6)).map(|_| point(rng)).collect()),
        3 => Shape::Segment {
            from: point(rng),
            to: point(rng),
            radius: length(rng),
        },
        _ => Shape::Wedge {
            tip: point(rng),
            radius: length(rng),
            left: (rng.between(-3, 3), rng.between(-3, 3)),
            right: (any(rng), any(rng)),
        },
    }
}

fn link_state(rng: &mut Rng) -> LinkState {
    match rng.below(4) {
        0 => LinkState::Open,
        1 => LinkState::Closed,
        _ => LinkState::Locked(rng.below(4)),
    }
}

fn nav_link(rng: &mut Rng) -> NavLink {
    NavLink {
        from: cell(rng),
        to: cell(rng),
        kind: *rng.pick(&NavLinkKind::ALL).unwrap(),
        direction: if rng.chance(1, 2) {
            LinkDirection::Bidirectional
        } else {
            LinkDirection::OneWay
        },
        cost: cost(rng),
        state: link_state(rng),
    }
}

fn nav_link_id(rng: &mut Rng, world: &World) -> NavLinkId {
    let known = world.ground().to_data().nav_links;
    let known = rng.pick(&known).copied();
    NavLinkId::from(&known.unwrap_or_else(|| nav_link(rng)))
}

fn ground_edit(rng: &mut Rng, world: &World) -> GroundEdit {
    match rng.below(16) {
        0 | 1 => GroundEdit::PutCell {
            cell: cell(rng),
            terrain: terrain(rng),
        },
        2 => GroundEdit::RemoveCell { cell: cell(rng) },
        3 | 4 => GroundEdit::Fill {
            shape: near(shape(rng)),
            z: rng.between(0, 3),
            terrain: terrain(rng),
        },
        5 => GroundEdit::Clear {
            shape: shape(rng),
            heights: (any(rng), any(rng)),
        },
        6 => GroundEdit::Patch {
            at: Column::new(at(rng), at(rng)),
            z: rng.between(0, 3),
            raster: {
                let (width, height) = (1 + rng.below(5), 1 + rng.below(5));
                let bytes = (0..width * height).map(|_| {
                    if rng.chance(1, 4) {
                        255
                    } else {
                        terrain(rng).number()
                    }
                });
                Raster::from_bytes(width, height, bytes.collect()).unwrap()
            },
        },
        7 => GroundEdit::PutWall(wall(rng)),
        8 => GroundEdit::RemoveWall(wall(rng)),
        9 | 10 => GroundEdit::PutNavLink(nav_link(rng)),
        11 => GroundEdit::RemoveNavLink(nav_link_id(rng, world)),
        12 => GroundEdit::SetNavLinkState {
            nav_link: nav_link_id(rng, world),
            state: link_state(rng),
        },
        13 | 14 => GroundEdit::PutCostModifier {
            id: modifier_id(rng),
            modifier: CostModifier {
                shape: shape(rng),
                heights: (any(rng), any(rng)),
                multiplier: multiplier(rng),
            },
        },
        _ => GroundEdit::RemoveCostModifier(modifier_id(rng)),
    }
}

/// The shape, unless filling it would make the test slow.
fn near(shape: Shape) -> Shape {
    let bounds = shape.bounds();
    if bounds.width() > 64 || bounds.height() > 64 {
        return Shape::Polygon(Vec::new());
    }
    shape
}

fn wall(rng: &mut Rng) -> Wall {
    Wall {
        cell: cell(rng),
        side: if rng.chance(1, 2) {
            WallSide::East
        } else {
            WallSide::South
        },
    }
}

fn geometry(rng: &mut Rng) -> Geometry {
    match rng.below(3) {
        0 => Geometry::Box {
            low: voxel(rng),
            high: voxel(rng),
        },
        1 => Geometry::Ball {
            center: Point3 {
                x: fixed(rng),
                y: fixed(rng),
                z: length(rng),
            },
            radius: length(rng),
        },
        _ => {
            let run = |rng: &mut Rng| Run {
                y: rng.between(-3, 9),
                x: rng.between(-3, 9),
                low: rng.between(-3, 3),
                high: rng.between(-3, 9),
            };
            let runs: Vec<Run> = (0..rng.below(6)).map(|_| run(rng)).collect();
            Geometry::Mesh {
                spans: Spans::from_runs(runs).into(),
                shift: voxel(rng),
            }
        }
    }
}

fn air_edit(rng: &mut Rng) -> AirEdit {
    let (low, high) = (voxel(rng), voxel(rng));
    let volume = VolumeId(rng.below(4).into());
    let id = GeometryId(rng.below(4).into());
    match rng.below(8) {
        7 => AirEdit::Replace {
            low,
            high,
            content: match rng.below(3) {
                0 => BoxContent::Free,
                1 => BoxContent::Solid,
                _ => BoxContent::Cubes(vec![(0, low, rng.next_u64())]),
            },
        },
        0 | 1 => AirEdit::Fill { low, high },
        2 => AirEdit::Clear { low, high },
        3 => AirEdit::Put {
            id,
            geometry: geometry(rng),
        },
        4 => AirEdit::Remove { id },
        5 => AirEdit::PutVolume {
            id: volume,
            volume: Volume {
                low,
                high,
                rule: if rng.chance(1, 2) {
                    VolumeRule::Closed
                } else {
                    VolumeRule::CostMultiplier(multiplier(rng))
                },
            },
        },
        _ => AirEdit::RemoveVolume { id: volume },
    }
}

fn obstacle(rng: &mut Rng) -> Obstacle {
    let (a, b) = (point(rng), point(rng));
    Obstacle {
        shape: if rng.chance(1, 2) {
            ObstacleShape::Box(Aabb2 { low: a, high: b })
        } else {
            ObstacleShape::Disc {
                center: a,
                radius: length(rng),
            }
        },
        categories: ObstacleCategories::from_bits(rng.next_u64() >> rng.below(64)),
    }
}

fn obstacle_edit(rng: &mut Rng, world: &World) -> ObstacleEdit {
    let known = world.obstacles().into_iter();
    let known: Vec<ObstacleId> = known
        .flat_map(|obstacles| obstacles.obstacles().map(|(id, _)| id))
        .collect();
    let obstacle = obstacle(rng);
    match (rng.below(5), rng.pick(&known)) {
        (0, Some(&id)) => ObstacleEdit::Set { id, obstacle },
        (1, Some(&id)) => ObstacleEdit::MoveTo {
            id,
            low: point(rng),
        },
        (2, Some(&id)) => ObstacleEdit::Remove { id },
        _ => ObstacleEdit::Insert(obstacle),
    }
}

fn body(rng: &mut Rng) -> Body {
    Body {
        position: point(rng),
        shape: match rng.below(3) {
            0 => BodyShape::Point,
            1 => BodyShape::Disc {
                radius: length(rng),
            },
            _ => BodyShape::Box {
                half_x: length(rng),
                half_y: length(rng),
            },
        },
        z: fixed(rng),
        height: length(rng),
        categories: BodyCategories::from_bits(low_bits(rng)),
        team: byte(rng),
    }
}

fn body_id(rng: &mut Rng, world: &World) -> Option<BodyId> {
    let slots = 0..u32::try_from(world.bodies().n_slots()).unwrap();
    let ids: Vec<BodyId> = slots.filter_map(|at| world.bodies().id_at(at)).collect();
    rng.pick(&ids).copied()
}

fn body_edit(rng: &mut Rng, world: &World) -> BodyEdit {
    match (rng.below(8), body_id(rng, world)) {
        (0, Some(id)) => BodyEdit::Unregister { id },
        (1, Some(id)) => BodyEdit::MoveTo { id, to: point(rng) },
        (2, Some(id)) => BodyEdit::Teleport { id, to: point(rng) },
        (3, Some(id)) => BodyEdit::SetHeight { id, z: fixed(rng) },
        (4, _) => BodyEdit::MoveAll((0..world.bodies().n_slots()).map(|_| point(rng)).collect()),
        _ => BodyEdit::Register(body(rng)),
    }
}

/// One edit of any kind; most are valid.
pub(super) fn edit(rng: &mut Rng, world: &World) -> Edit {
    let position = |rng: &mut Rng| {
        let z = f64::from(rng.between(0, 12)) / 4.0;
        let at = world.scale().cell_center(cell(rng));
        Position::new(at.units()[0], at.units()[1], z)
    };
    match rng.below(15) {
        0..=5 => ground_edit(rng, world).into(),
        6 | 7 => air_edit(rng).into(),
        8 => obstacle_edit(rng, world).into(),
        9 | 10 => body_edit(rng, world).into(),
        11 => Edit::PutAirLink(AirLink {
            cell: cell(rng),
            voxel: voxel(rng),
            take_off: rng.chance(1, 2).then(|| cost(rng)),
            landing: rng.chance(1, 2).then(|| cost(rng)),
        }),
        12 => {
            let known = rng.pick(world.air_links()).copied();
            Edit::RemoveAirLink {
                cell: known.map_or_else(|| cell(rng), |known| known.cell),
                voxel: known.map_or_else(|| voxel(rng), |known| known.voxel),
            }
        }
        13 => solid_edit(rng, world, position),
        _ if rng.chance(1, 2) => Edit::FillBox {
            low: position(rng),
            high: position(rng),
            top: terrain(rng),
        },
        _ => Edit::CarveBox {
            low: position(rng),
            high: position(rng),
            floor: rng.chance(1, 2).then(|| terrain(rng)),
        },
    }
}

fn solid_edit(rng: &mut Rng, world: &World, position: impl Fn(&mut Rng) -> Position) -> Edit {
    let known: Vec<_> = world.ground().solids().map(|(id, _)| id).collect();
    if let Some(id) = rng.pick(&known).filter(|_| rng.chance(1, 3)) {
        return Edit::RemoveSolid(*id);
    }
    let height = f64::from(rng.between(1, 12)) / 4.0;
    let (a, b) = (position(rng), position(rng));
    Edit::AddSolid(match rng.below(3) {
        0 => Solid::cuboid(a, b),
        1 => Solid::cylinder(a, f64::from(rng.between(0, 8)) / 4.0, height),
        _ => Solid::prism([a, b, position(rng)], height).with_top(terrain(rng)),
    })
}

fn heading(rng: &mut Rng) -> Option<Heading> {
    Heading::new(any(rng), any(rng)).ok()
}

fn footprint(rng: &mut Rng) -> Option<Footprint> {
    let (a, b) = (point(rng), point(rng));
    let (small, large) = (length(rng), length(rng));
    Some(match rng.below(6) {
        0 => Footprint::circle(a, small),
        1 => Footprint::Ring {
            center: a,
            inner: small,
            outer: large,
        },
        2 => Footprint::Capsule {
            from: a,
            to: b,
            radius: small,
        },
        3 => Footprint::Wedge {
            tip: a,
            radius: small,
            left: heading(rng)?,
            right: heading(rng)?,
        },
        4 => Footprint::OrientedBox {
            center: a,
            heading: heading(rng)?,
            half_along: small,
            half_across: large,
        },
        _ => {
            let corners: Vec<Point2> = (0..3 + rng.below(3)).map(|_| point(rng)).collect();
            Footprint::Polygon(ConvexPolygon::new(&corners).ok()?)
        }
    })
}

fn sensor(rng: &mut Rng, world: &World) -> Sensor {
    let mount = match body_id(rng, world) {
        Some(id) if rng.chance(2, 3) => Mount::Body(id),
        _ => Mount::Point(point(rng)),
    };
    let footprint = footprint(rng).unwrap_or_else(|| Footprint::circle(point(rng), length(rng)));
    Sensor {
        mount,
        footprint,
        filter: BodyFilter {
            categories: BodyCategories::from_bits(low_bits(rng)),
            teams: if rng.chance(1, 2) {
                Teams::ALL
            } else {
                Teams::only(byte(rng))
            },
            heights: rng.chance(1, 3).then(|| (fixed(rng), fixed(rng))),
            except: body_id(rng, world).filter(|_| rng.chance(1, 3)),
        },
        exit_margin: length(rng),
        enter_delay: u16::from(byte(rng) % 3),
        leave_delay: u16::from(byte(rng) % 3),
        reports_stay: rng.chance(1, 2),
        is_continuous: rng.chance(1, 2),
        eye_height: rng.chance(1, 3).then(|| fixed(rng)),
    }
}

/// 32 random bits.
fn low_bits(rng: &mut Rng) -> u32 {
    u32::try_from(rng.next_u64() >> 32).expect("32 bits remain")
}

/// 8 random bits.
fn byte(rng: &mut Rng) -> u8 {
    u8::try_from(rng.below(256)).expect("below 256")
}
