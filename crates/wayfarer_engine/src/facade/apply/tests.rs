use wayfarer_base::{Aabb2, Cell, Column, Profile, Raster, Rng, Terrain};
use wayfarer_world::air::{AirBuilder, Geometry, GeometryId};
use wayfarer_world::obstacles::ObstacleCategories;

use super::*;
use crate::Scale;

const SIDE: i32 = 24;
const HEIGHT: i32 = 10;

/// Flat ground under empty air, with an empty obstacle set and no bodies.
pub(in crate::facade) fn meadow() -> World {
    let side = SIDE.unsigned_abs();
    let n_cells = (SIDE * SIDE).unsigned_abs() as usize;
    let map = Raster::from_bytes(side, side, vec![0; n_cells]).unwrap();
    let size = [side, side, HEIGHT.unsigned_abs()];
    let air = AirBuilder::new(Voxel::new(0, 0, 0), size).unwrap();
    World::from_raster(&map)
        .with_air(air.build().unwrap())
        .with_obstacles(ObstacleSet::square(SIDE).unwrap())
}

fn point(rng: &mut Rng) -> Point2 {
    let mut at = || Fixed::from_raw(rng.between(0, SIDE * 256));
    Point2::new(at(), at())
}

fn obstacle(rng: &mut Rng) -> Obstacle {
    let (x, y) = (rng.between(0, SIDE - 3), rng.between(0, SIDE - 3));
    let types = ObstacleCategories::one(u8::try_from(rng.below(3)).unwrap()).unwrap();
    Obstacle::cells(x, y, rng.between(1, 3), rng.between(1, 3), types).unwrap()
}

fn position(rng: &mut Rng, high: bool) -> Position {
    let z = if high { HEIGHT } else { HEIGHT - 3 };
    let mut at = |most: i32| f64::from(rng.between(0, most * 4)) / 4.0;
    Position::new(at(SIDE), at(SIDE), at(z))
}

/// Ids for edits to use; some may be dead.
#[derive(Default)]
pub(in crate::facade) struct Ids {
    pub(in crate::facade) obstacles: Vec<ObstacleId>,
    pub(in crate::facade) bodies: Vec<BodyId>,
}

pub(in crate::facade) fn edit(rng: &mut Rng, ids: &Ids) -> Edit {
    let cell = Cell::new(
        rng.between(-2, SIDE),
        rng.between(-2, SIDE),
        rng.between(0, 4),
    );
    let voxel = |rng: &mut Rng| {
        let mut at = |most| rng.between(0, most - 1);
        Voxel::new(at(SIDE), at(SIDE), at(HEIGHT))
    };
    match rng.below(16) {
        0 => GroundEdit::PutCell {
            cell,
            terrain: Terrain::GROUND,
        }
        .into(),
        1 => GroundEdit::RemoveCell { cell }.into(),
        2 => {
            let low = voxel(rng);
            AirEdit::Fill { low, high: low }.into()
        }
        3 => AirEdit::Put {
            id: GeometryId(rng.below(4).into()),
            geometry: Geometry::Box {
                low: voxel(rng),
                high: voxel(rng),
            },
        }
        .into(),
        4 => ObstacleEdit::Insert(obstacle(rng)).into(),
        5 | 6 => match rng.pick(&ids.obstacles) {
            Some(&id) if rng.chance(1, 3) => ObstacleEdit::Remove { id }.into(),
            Some(&id) if rng.chance(1, 2) => ObstacleEdit::MoveTo {
                id,
                low: point(rng),
            }
            .into(),
            Some(&id) => ObstacleEdit::Set {
                id,
                obstacle: obstacle(rng),
            }
            .into(),
            None => ObstacleEdit::Insert(obstacle(rng)).into(),
        },
        7 => BodyEdit::Register(Body {
            team: 7,
            ..Body::at(point(rng))
        })
        .into(),
        8 | 9 => match rng.pick(&ids.bodies) {
            Some(&id) if rng.chance(1, 4) => BodyEdit::Unregister { id }.into(),
            Some(&id) if rng.chance(1, 3) => BodyEdit::SetHeight {
                id,
                z: Fixed::from_raw(rng.between(0, 999)),
            }
            .into(),
            Some(&id) if rng.chance(1, 2) => {
                let to = point(rng);
                BodyEdit::MoveTo { id, to }.into()
            }
            Some(&id) => {
                let to = point(rng);
                BodyEdit::Teleport { id, to }.into()
            }
            None => BodyEdit::Register(Body::at(point(rng))).into(),
        },
        14 => {
            let voxel = voxel(rng);
            let cost = rng.chance(1, 2).then_some(wayfarer_base::Cost::STRAIGHT);
            Edit::PutAirLink(AirLink {
                cell: Cell::flat(cell.x.rem_euclid(3), 0),
                voxel: Voxel::new(voxel.x % 3, 0, 1),
                take_off: cost,
                landing: None,
            })
        }
        15 => Edit::RemoveAirLink {
            cell: Cell::flat(cell.x.rem_euclid(3), 0),
            voxel: Voxel::new(rng.between(0, 2), 0, 1),
        },
        10 | 11 => Edit::FillBox {
            low: position(rng, false),
            high: position(rng, true),
            top: Terrain::GROUND,
        },
        _ => Edit::CarveBox {
            low: position(rng, false),
            high: position(rng, true),
            floor: rng.chance(1, 2).then_some(Terrain::GROUND),
        },
    }
}

#[test]
fn after_random_batches_a_world_equals_a_rebuilt_one_and_inverses_undo_each_batch() {
    let mut n_rejected = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut world = meadow();
        let mut ids = Ids::default();
        // Replayed in the same order, batches produce the same ids.
        let mut done: Vec<Vec<Edit>> = Vec::new();
        for _ in 0..12 {
            let n_edits = rng.between(1, 6);
            let batch: Vec<Edit> = (0..n_edits).map(|_| edit(&mut rng, &ids)).collect();
            let (before, at) = (world.canonical(), world.revision());
            let Ok(changes) = world.apply(&batch) else {
                n_rejected += 1;
                assert_eq!(world.canonical(), before, "seed {seed}: {batch:?}");
                assert_eq!(world.revision(), at);
                continue;
            };
            let mut undone = world.clone();
            undone.apply(changes.inverse()).unwrap();
            assert_eq!(undone.canonical(), before, "seed {seed}: {batch:?}");
            ids.obstacles.extend(changes.new_obstacles());
            ids.bodies.extend(changes.new_bodies());
            done.push(batch);
        }
        let mut fresh = meadow();
        for batch in &done {
            fresh.apply(batch).unwrap();
        }
        assert_eq!(fresh.state_hash(), world.state_hash(), "seed {seed}");
        assert_eq!(
            rebuilt(&world).canonical(),
            world.canonical(),
            "seed {seed}"
        );
    }
    assert!(n_rejected > 100, "{n_rejected}");
}

/// A world with the same content, built without edits.
fn rebuilt(world: &World) -> World {
    let data = world.ground().to_data();
    let air = world.air().unwrap();
    let mut builder = AirBuilder::new(air.low(), air.size()).unwrap();
    let mut bare = air.clone();
    let geometries: Vec<(GeometryId, Geometry)> = (0..4)
        .filter_map(|id| Some((GeometryId(id), air.geometry(GeometryId(id))?.clone())))
        .collect();
    let removals: Vec<AirEdit> = geometries
        .iter()
        .map(|(id, _)| AirEdit::Remove { id: *id })
        .collect();
    bare.apply(&removals).unwrap();
    for x in 0..SIDE {
        for y in 0..SIDE {
            for z in (0..HEIGHT).filter(|z| bare.is_solid(Voxel::new(x, y, *z))) {
                builder.add_voxel(Voxel::new(x, y, z)).unwrap();
            }
        }
    }
    for (id, geometry) in geometries {
        builder.add_geometry(id, geometry).unwrap();
    }
    let mut fresh = World::from_data(&data)
        .unwrap()
        .with_air(builder.build().unwrap())
        .with_obstacles(ObstacleSet::square(SIDE).unwrap());
    let obstacles = world.obstacles().unwrap().obstacles();
    let obstacles: Vec<Edit> = obstacles
        .map(|(_, obstacle)| ObstacleEdit::Insert(obstacle).into())
        .collect();
    let bodies = world.canonical().bodies.into_iter();
    let bodies = bodies.map(|body| BodyEdit::Register(body).into());
    let air_links = world.air_links().iter().map(|air_link| (*air_link).into());
    let all = obstacles.into_iter().chain(bodies).chain(air_links);
    fresh.apply(all).unwrap();
    fresh
}

#[test]
fn box_edits_agree_on_the_ground_in_the_air_and_for_lines_of_sight() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut world = meadow();
        let mut solid = vec![false; (SIDE * SIDE * HEIGHT).unsigned_abs() as usize];
        let at = |x: i32, y: i32, z: i32| ((z * SIDE + y) * SIDE + x).unsigned_abs() as usize;
        for _ in 0..8 {
            let (low, high) = (position(&mut rng, false), position(&mut rng, true));
            let is_filled = rng.chance(2, 3);
            let edit = if is_filled {
                let top = Terrain::GROUND;
                Edit::FillBox { low, high, top }
            } else {
                let floor = Some(Terrain::GROUND);
                Edit::CarveBox { low, high, floor }
            };
            let Ok(_) = world.apply([edit]) else {
                continue; // Empty boxes are rejected.
            };
            let extent = Scale::UNIT.box_extent(low, high).unwrap();
            let (low, high) = extent.voxels;
            for x in low.x..=high.x.min(SIDE - 1) {
                for y in low.y..=high.y.min(SIDE - 1) {
                    for z in low.z..=high.z.min(HEIGHT - 1) {
                        solid[at(x, y, z)] = is_filled;
                    }
                }
            }
        }
        for x in 0..SIDE {
            for y in 0..SIDE {
                let mut inside = false;
                for z in 0..HEIGHT {
                    let voxel = Voxel::new(x, y, z);
                    let is_solid = solid[at(x, y, z)];
                    let air = world.air().unwrap();
                    assert_eq!(air.is_solid(voxel), is_solid, "seed {seed}: {voxel}");
                    let floor = world.terrain(Cell::new(x, y, z));
                    inside = floor.map_or(inside, |floor| floor == Terrain::SOLID);
                    assert_eq!(inside, is_solid, "seed {seed}: {voxel} on the ground");
                    assert!(!(is_solid && world.is_walkable(Cell::new(x, y, z))));
                    // A line inside the voxel, clear of its neighbors.
                    let part = |by: f64| {
                        let at = |at: i32, by: f64| f64::from(at) + 0.5 + by;
                        Position::new(at(x, by), at(y, 0.1), at(z, 0.1))
                    };
                    let sight = GroundOnly(&world);
                    assert_eq!(
                        sight.is_clear(part(-0.3), part(0.3)),
                        !is_solid,
                        "seed {seed}: {voxel}"
                    );
                    assert_eq!(world.has_line_of_sight(part(-0.3), part(0.3)), !is_solid);
                }
            }
        }
    }
}

/// The world without its air.
struct GroundOnly<'w>(&'w World);

impl GroundOnly<'_> {
    fn is_clear(&self, from: Position, to: Position) -> bool {
        let sight = super::super::WorldVisibility {
            air: None,
            ..self.0.visibility()
        };
        sight.is_clear(from, to)
    }
}

#[test]
fn a_rejected_batch_reports_its_edit_and_leaves_every_id_alive() {
    let mut world = meadow();
    let added = world
        .apply([
            Edit::from(ObstacleEdit::Insert(obstacle(&mut Rng::new(1)))),
            BodyEdit::Register(Body::at(Point2::default())).into(),
        ])
        .unwrap();
    let (one, other) = (
        added.new_obstacles().next().unwrap(),
        added.new_bodies().next().unwrap(),
    );
    let far = Point2::new(Fixed::MAX, Fixed::MAX);
    let floor = GroundEdit::PutCell {
        cell: Cell::flat(i32::MAX, 0),
        terrain: Terrain::GROUND,
    };
    let check = |last: Edit, expected: &str| {
        let mut world = world.clone();
        let error = world.apply([
            Edit::from(ObstacleEdit::Remove { id: one }),
            BodyEdit::Unregister { id: other }.into(),
            last,
        ]);
        assert_eq!(error.unwrap_err().to_string(), expected);
        assert!(world.obstacles().unwrap().obstacle(one).is_some());
        assert!(world.bodies().contains(other));
        assert_eq!(world.revision(), added.revision());
        assert_eq!(world.changes_since(added.before).unwrap().count(), 1);
    };
    check(
        ObstacleEdit::Remove { id: one }.into(),
        &format!("edit 2: no obstacle has id {one:?}"),
    );
    check(
        BodyEdit::Teleport { id: other, to: far }.into(),
        &format!("edit 2: no body has id {other:?}"),
    );
    check(
        BodyEdit::MoveAll(Vec::new()).into(),
        "edit 2: 0 positions, expected 1: one for each slot",
    );
    check(
        floor.clone().into(),
        &world
            .ground()
            .clone()
            .apply(&[floor])
            .unwrap_err()
            .with_edit(2)
            .to_string(),
    );
    let outside = Voxel::new(99, 0, 0);
    check(
        AirEdit::Fill {
            low: outside,
            high: outside,
        }
        .into(),
        "in the air: voxel (99, 0, 0) lies outside the bounds, (0, 0, 0) to (23, 23, 9)",
    );
    let low = Position::new(1.0, 1.0, 1.0);
    check(
        Edit::CarveBox {
            low,
            high: low,
            floor: None,
        },
        "edit 2: the box from (1.00, 1.00, 1.00) to (1.00, 1.00, 1.00) is empty or leaves the world",
    );
}

#[test]
fn an_edit_of_a_missing_domain_is_rejected() {
    let mut world = World::new(Profile::DEFAULT).unwrap();
    let at = Voxel::new(0, 0, 0);
    let air = world.apply([AirEdit::Fill { low: at, high: at }]);
    assert_eq!(air.unwrap_err().to_string(), "edit 0: the world has no air");
    let obstacles = world.apply([ObstacleEdit::Insert(obstacle(&mut Rng::new(1)))]);
    assert_eq!(
        obstacles.unwrap_err().to_string(),
        "edit 0: the world has no obstacle set"
    );
}

#[test]
fn several_edits_of_a_body_in_one_batch_merge_into_one_difference() {
    let mut world = meadow();
    let added = world.apply([BodyEdit::Register(Body::at(Point2::default()))]);
    let id = added.unwrap().new_bodies().next().unwrap();
    let to = |x: i32| Point2::new(Fixed::from_raw(x), Fixed::default());
    let moved = world
        .apply([
            BodyEdit::MoveTo { id, to: to(5) },
            BodyEdit::MoveAll(vec![to(9)]),
        ])
        .unwrap();
    let zero = Fixed::default();
    let expected = BodyDifference::Moved {
        id,
        from: (to(0), zero),
        to: (to(9), zero),
    };
    assert_eq!(moved.bodies, [expected]);
    let back = world.apply([
        BodyEdit::MoveTo { id, to: to(5) },
        BodyEdit::Teleport { id, to: to(9) },
    ]);
    assert!(back.unwrap().is_empty());
    let gone = world.apply([
        BodyEdit::MoveTo { id, to: to(5) },
        BodyEdit::Unregister { id },
    ]);
    let body = Box::new(Body::at(to(9)));
    assert_eq!(gone.unwrap().bodies, [BodyDifference::Removed { id, body }]);
}

#[test]
fn a_cursor_reads_each_change_once_or_learns_that_some_were_evicted() {
    let mut world = meadow();
    let mut cursor = world.change_cursor();
    let put = |x: i32| GroundEdit::RemoveCell {
        cell: Cell::flat(x, 0),
    };
    for x in 0..3 {
        world.apply([put(x)]).unwrap();
    }
    let poll = |world: &World, cursor: &mut super::super::ChangeCursor| {
        world
            .poll_changes(cursor)
            .map(|changes| changes.map(|one| one.after.number).collect::<Vec<u64>>())
    };
    assert_eq!(poll(&world, &mut cursor), Some(vec![1, 2, 3]));
    assert_eq!(poll(&world, &mut cursor), Some(vec![]));
    for _ in 0..=World::CHANGE_LOG_CAPACITY {
        world.apply([put(9)]).unwrap();
    }
    assert_eq!(poll(&world, &mut cursor), None);
    assert_eq!(poll(&world, &mut cursor), Some(vec![]));
}

#[test]
fn headroom_below_a_bridge_ends_at_its_bottom() {
    let mut world = meadow();
    let deck = |bottom: f64| Edit::FillBox {
        low: Position::new(4.0, 0.0, bottom),
        high: Position::new(6.0, 24.0, bottom + 1.0),
        top: Terrain::GROUND,
    };
    let (west, east) = (Cell::flat(0, 3), Cell::flat(20, 3));
    let high = world.apply([deck(2.0)]).unwrap();
    assert_eq!(world.is_connected(west, east), Some(true));
    assert!(world.is_walkable(Column::new(4, 3).at(3)));
    world.apply(high.inverse()).unwrap();
    world.apply([deck(1.0)]).unwrap();
    // One step of headroom is too low, and the deck is two steps high.
    assert_eq!(world.is_connected(west, east), Some(false));
}

#[test]
fn moving_an_obstacle_sets_the_low_corner_of_its_box() {
    let mut world = meadow();
    let tank = Obstacle::cells(1, 1, 2, 3, ObstacleCategories::ALL).unwrap();
    let added = world.apply([ObstacleEdit::Insert(tank)]).unwrap();
    let id = added.new_obstacles().next().unwrap();
    let low = Point2::from_raw(512, 768);
    world.apply([ObstacleEdit::MoveTo { id, low }]).unwrap();
    let high = Point2::from_raw(1024, 1536);
    let expected = ObstacleShape::Box(Aabb2 { low, high });
    assert_eq!(
        world.obstacles().unwrap().obstacle(id).unwrap().shape,
        expected
    );
}

#[test]
fn a_box_fills_columns_that_an_unbounded_edit_cleared() {
    let mut world = meadow();
    let far = 8_000_000;
    let all = Rect::around(Column::new(-far, -far), Column::new(far, far));
    let shape = wayfarer_base::Shape::Box(all);
    let (low, high) = (Position::new(3.0, 3.0, 0.0), Position::new(4.0, 4.0, 2.0));
    let top = Terrain::GROUND;
    let tower = Edit::FillBox { low, high, top };
    let before = world.canonical();
    let fill = GroundEdit::Fill {
        shape: shape.clone(),
        z: 0,
        terrain: top,
    };
    world.apply([fill.into(), tower.clone()]).unwrap_err();
    assert_eq!(world.canonical(), before);
    let clear = GroundEdit::Clear {
        shape,
        heights: (-9, 9),
    };
    world.apply([clear.into(), tower]).unwrap();
    let mut columns = Vec::new();
    let nodes = world.ground().nodes();
    columns.extend(nodes.map(|node| world.ground().cell(node)));
    assert_eq!(columns, [Cell::new(3, 3, 2)]);
}

#[test]
fn a_box_over_the_column_limit_is_reported_as_too_wide_and_not_as_empty() {
    let mut world = meadow();
    let (low, high) = (Position::default(), Position::new(5_000.0, 5_000.0, 1.0));
    let top = Terrain::GROUND;
    let boxes = [
        Edit::FillBox { low, high, top },
        Edit::CarveBox {
            low,
            high,
            floor: None,
        },
    ];
    for edit in boxes {
        let error = world.apply([edit]).unwrap_err().to_string();
        let expected = "edit 0: the box spans 25000000 columns, expected at most 16777216";
        assert_eq!(error, expected);
    }
}
