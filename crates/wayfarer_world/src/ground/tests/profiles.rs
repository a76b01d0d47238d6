//! Registered profiles against the oracle.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{
    Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, Direction, Fixed, GroundEdit,
    GroundSolid, NavLinkKind, Profile, Raster, Rect, Rng, Shape, SolidExtent, SolidId, Wall,
    WallSide,
};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_profile, random_world};

use super::super::*;

#[track_caller]
fn check(ground: &Ground, id: ProfileId, world: &ReferenceWorld, note: &str) {
    let profile_ground = ground.profile_ground(id).unwrap();
    let profile = profile_ground.profile();
    let nodes: Vec<NodeId> = profile_ground.nodes().collect();
    let cells: BTreeSet<Cell> = nodes.iter().map(|node| ground.cell(*node)).collect();
    let walkable: BTreeSet<Cell> = world
        .cells()
        .map(|(cell, _)| cell)
        .filter(|cell| world.is_walkable(*cell, profile))
        .collect();
    assert_eq!(cells, walkable, "{note}: where {profile:?} stands");
    let components = world.components(profile);
    let mut named = BTreeMap::new();
    let mut buffer = SuccessorBuffer::default();
    for &node in &nodes {
        let cell = ground.cell(node);
        assert_eq!(
            profile_ground.node(cell),
            Some(node),
            "{note}: number of {cell}"
        );
        let steps: Vec<_> = profile_ground
            .successors(node, &mut buffer)
            .map(|(to, cost)| (ground.cell(to), cost))
            .collect();
        assert_eq!(
            steps,
            world.successors(cell, profile),
            "{note}: steps of {profile:?} from {cell}"
        );
        for direction in Direction::ALL {
            let there = profile_ground
                .neighbor(node, direction)
                .map(|to| ground.cell(to));
            let (dx, dy) = direction.offset();
            let is_step = |(to, cost): &&(Cell, Cost)| {
                let length = Cost::for_step(direction.is_diagonal());
                let multiplier =
                    |cell| profile_ground.cost_multiplier(profile_ground.node(cell).unwrap());
                (to.x - cell.x, to.y - cell.y) == (dx, dy)
                    && *cost == length.scaled_by_mean(multiplier(cell), multiplier(*to))
            };
            let known = there.is_none_or(|there| {
                let mut matching = steps.iter().filter(is_step);
                matching.any(|(to, _)| *to == there)
            });
            assert!(known, "{note}: {cell} {direction:?}");
        }
        assert_eq!(
            profile_ground.project_to_floor(cell.column(), cell.z),
            Some(node),
            "{note}"
        );
        assert_eq!(profile_ground.blocked_reason(cell), None, "{note}");
        let theirs = components[&cell];
        let ours = profile_ground.component(node).unwrap();
        assert_eq!(
            *named.entry(theirs).or_insert(ours),
            ours,
            "{note}: component of {cell}"
        );
    }
    let mut found = BTreeSet::new();
    profile_ground.for_each_walkable_in(ground.bounds(), |node| {
        found.insert(ground.cell(node));
    });
    assert_eq!(found, walkable, "{note}: walkable cells in the whole world");
    let ours: BTreeSet<ComponentId> = named.values().copied().collect();
    assert_eq!(ours.len(), named.len(), "{note}: number of components");
}

#[test]
fn profiles_equal_the_oracle_after_any_edits() {
    for seed in 0..2 {
        for kind in WorldKind::ALL {
            let plan = random_world(seed, kind);
            let mut ground = Ground::from_data(&plan).unwrap();
            let mut world = ReferenceWorld::new(&plan);
            let mut rng = Rng::for_stream(seed, 77);
            let wide = Profile {
                radius: Fixed::from_raw(129 + rng.between(0, 500)),
                ..plan.profile.clone()
            };
            let profile_ids: Vec<ProfileId> = [random_profile(&mut rng), wide]
                .into_iter()
                .map(|profile| ground.register_profile(profile).unwrap())
                .collect();
            for batch in 0..6 {
                let note = format!("{kind:?} {seed} batch {batch}");
                for profile_id in &profile_ids {
                    check(&ground, *profile_id, &world, &note);
                }
                let edits = random_batch(&mut rng, &world);
                ground.apply(&edits).unwrap();
                world.apply(&edits);
            }
        }
    }
}

#[test]
fn a_profile_of_another_clone_is_unknown_unless_it_is_equal() {
    let ground = Ground::from_raster(&Raster::from_bytes(4, 4, vec![0; 16]).unwrap());
    let (mut a, mut b, mut c) = (ground.clone(), ground.clone(), ground);
    let wide = |raw: i32| Profile {
        radius: Fixed::from_raw(raw),
        ..Profile::DEFAULT
    };
    let of_a = a.register_profile(wide(200)).unwrap();
    let of_b = b.register_profile(wide(300)).unwrap();
    let of_c = c.register_profile(wide(200)).unwrap();
    assert!(a.profile_ground(of_b).is_none() && b.profile_ground(of_a).is_none());
    assert_eq!(of_a, of_c);
    let again = Ground::from_record(&a.record()).unwrap();
    assert!(again.profile_ground(of_a).is_some() && again.profile_ground(of_b).is_none());
}

#[test]
fn an_unregistered_profile_has_no_ground_and_its_id_is_not_reused() {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let profile_id = ground.register_profile(Profile::DEFAULT).unwrap();
    let put = |x| GroundEdit::PutCell {
        cell: Cell::flat(x, 0),
        terrain: Terrain::GROUND,
    };
    let changes = ground.apply(&[put(-1), put(0), put(300)]).unwrap();
    assert_eq!(
        ground.profile_ground(profile_id).unwrap().nodes().count(),
        3
    );
    ground.apply(&changes.inverse()).unwrap();
    assert_eq!(
        ground.profile_ground(profile_id).unwrap().nodes().count(),
        0
    );
    ground.apply(&[put(5_000)]).unwrap();
    assert_eq!(
        ground.profile_ground(profile_id).unwrap().nodes().count(),
        1
    );
    ground.unregister_profile(profile_id);
    assert!(ground.profile_ground(profile_id).is_none());
    let next = ground.register_profile(Profile::DEFAULT).unwrap();
    assert!(
        ground.profile_ground(profile_id).is_none(),
        "ids are not reused"
    );
    ground.unregister_profile(profile_id);
    assert_eq!(ground.profile_ground(next).unwrap().id(), Some(next));
}

#[test]
fn a_radius_above_eight_cells_is_an_error() {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let giant = Profile {
        radius: Fixed::from_raw(2049),
        ..Profile::DEFAULT
    };
    let refused = ground.register_profile(giant).unwrap_err().to_string();
    assert_eq!(
        refused,
        "radius in 1/256 cells is 2049, expected 0 to 2048: eight cells"
    );
}

/// What a profile's ground has for a cell: its successors, and the first cell of its component.
type Observed = (Cell, Vec<(Cell, Cost)>, Cell);

fn observed(ground: &Ground, id: ProfileId) -> Vec<Observed> {
    let profile_ground = ground.profile_ground(id).unwrap();
    let mut buffer = SuccessorBuffer::default();
    let mut nodes: Vec<(Cell, NodeId)> = profile_ground
        .nodes()
        .map(|node| (ground.cell(node), node))
        .collect();
    nodes.sort_unstable();
    let mut firsts = BTreeMap::new();
    let mut said = Vec::new();
    for (cell, node) in nodes {
        let steps = profile_ground.successors(node, &mut buffer);
        let steps: Vec<_> = steps.map(|(to, cost)| (ground.cell(to), cost)).collect();
        for direction in Direction::ALL {
            let neighbor = profile_ground
                .neighbor(node, direction)
                .map(|to| ground.cell(to));
            let (dx, dy) = direction.offset();
            let reported = steps.iter().map(|(to, _)| *to);
            let mut reported = reported.filter(|to| (to.x, to.y) == (cell.x + dx, cell.y + dy));
            assert_eq!(neighbor, reported.next(), "{direction:?} of {cell}");
        }
        let component = profile_ground.component(node).unwrap();
        said.push((cell, steps, *firsts.entry(component).or_insert(cell)));
    }
    said
}

#[test]
fn a_repaired_profile_equals_one_registered_afresh() {
    let mut rng = Rng::new(5);
    let (width, height) = (150_u32, 140_u32);
    let cells = (0..width * height).map(|_| if rng.chance(1, 40) { 255 } else { 0 });
    let map = Raster::from_bytes(width, height, cells.collect()).unwrap();
    let mut ground = Ground::from_raster(&map);
    let water = Terrain::new(3).unwrap();
    let profiles: Vec<Profile> = [0, 200, 256, 400, 900]
        .into_iter()
        .map(|radius| Profile {
            radius: Fixed::from_raw(radius),
            ..Profile::DEFAULT
        })
        .chain([Profile {
            terrain_costs: vec![(water, CostMultiplier::from_sixteenths(40).unwrap())],
            ..Profile::DEFAULT
        }])
        .collect();
    let profile_ids: Vec<ProfileId> = profiles
        .into_iter()
        .map(|profile| ground.register_profile(profile).unwrap())
        .collect();
    for round in 0..240 {
        let x = rng.between(-2, width.cast_signed() + 1);
        let y = rng.between(-2, height.cast_signed() + 1);
        let cell = Cell::flat(x, y);
        let edit = match rng.below(12) {
            0 => GroundEdit::PutCell {
                cell: Cell::new(x, y, rng.between(1, 4)),
                terrain: Terrain::GROUND,
            },
            1 => GroundEdit::PutCell {
                cell,
                terrain: water,
            },
            2 => GroundEdit::PutWall(Wall {
                cell,
                side: WallSide::East,
            }),
            3 => GroundEdit::Clear {
                shape: Shape::Box(Rect::around(Column::new(x, y), Column::new(x + 40, y + 1))),
                heights: (0, 0),
            },
            4 => GroundEdit::Fill {
                shape: Shape::Box(Rect::around(Column::new(x, y), Column::new(x + 20, y + 20))),
                z: 0,
                terrain: Terrain::GROUND,
            },
            _ if ground.node(cell).is_some() => GroundEdit::RemoveCell { cell },
            _ => GroundEdit::PutCell {
                cell,
                terrain: Terrain::GROUND,
            },
        };
        let changes = ground.apply(&[edit]).unwrap();
        if rng.chance(1, 3) {
            ground.apply(&changes.inverse()).unwrap();
        }
        if round % 24 == 23 {
            check_layers(&ground, &profile_ids, &format!("round {round}"));
        }
    }
}

/// Compares the layers of all profiles with those that are derived from scratch.
pub(super) fn check_layers(ground: &Ground, profile_ids: &[ProfileId], note: &str) {
    let mut anew = ground.clone();
    // Equal profiles share a layer as long as it has a user.
    (profile_ids.iter()).for_each(|id| anew.unregister_profile(*id));
    for id in profile_ids {
        let profile = ground.profile_ground(*id).unwrap().profile();
        let other = anew.register_profile(profile.clone()).unwrap();
        let (found, expected) = (observed(ground, *id), observed(&anew, other));
        let differs = found.iter().zip(&expected).find(|(a, b)| a != b);
        assert_eq!(differs, None, "{note}, {profile:?}");
        assert_eq!(found.len(), expected.len(), "{note}, {profile:?}");
    }
}

#[test]
fn components_of_wide_bodies_follow_edits_between_many_blocks() {
    // Gaps of two and three cells, so that every edit splits or merges regions of some body.
    let mut rng = Rng::new(22);
    let side = 200_u32;
    let blocked = |rng: &mut Rng, n: u32| {
        let (x, y) = (n % side, n / side);
        (x % 4 == 0 || y % 5 == 0) && rng.chance(1, 4) || rng.chance(1, 60)
    };
    let cells = (0..side * side).map(|n| if blocked(&mut rng, n) { 255 } else { 0 });
    let map = Raster::from_bytes(side, side, cells.collect()).unwrap();
    let mut ground = Ground::from_raster(&map);
    let profile_ids: Vec<ProfileId> = [129, 256, 300, 384, 640]
        .into_iter()
        .map(|radius| Profile {
            radius: Fixed::from_raw(radius),
            ..Profile::DEFAULT
        })
        .map(|profile| ground.register_profile(profile).unwrap())
        .collect();
    let high = side.cast_signed() - 1;
    for round in 0..700 {
        let cell = Cell::flat(rng.between(0, high), rng.between(0, high));
        let edit = match ground.node(cell) {
            Some(_) => GroundEdit::RemoveCell { cell },
            None => GroundEdit::PutCell {
                cell,
                terrain: Terrain::GROUND,
            },
        };
        ground.apply(&[edit]).unwrap();
        if round % 70 == 69 {
            check_layers(&ground, &profile_ids, &format!("round {round}"));
        }
    }
}

/// A flat square of ground with random thin walls, and the reference world.
fn walled_square(side: i32, rng: &mut Rng) -> (Ground, ReferenceWorld) {
    let cells = || (0..side).flat_map(move |y| (0..side).map(move |x| Cell::flat(x, y)));
    let mut edits: Vec<GroundEdit> = cells()
        .filter(|_| rng.below(25) > 0)
        .map(|cell| GroundEdit::PutCell {
            cell,
            terrain: Terrain::GROUND,
        })
        .collect();
    for _ in 0..rng.between(0, 24) {
        let cell = Cell::flat(rng.between(0, side - 1), rng.between(0, side - 1));
        let is_east = rng.below(2) == 0;
        let (side, (dx, dy)) = if is_east {
            (WallSide::East, (0, 1))
        } else {
            (WallSide::South, (1, 0))
        };
        let door = rng.between(0, 9);
        for along in (0..rng.between(1, 9)).filter(|along| *along != door) {
            let cell = Cell::flat(cell.x + dx * along, cell.y + dy * along);
            edits.push(GroundEdit::PutWall(Wall { cell, side }));
        }
    }
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    ground.apply(&edits).unwrap();
    let mut world = ReferenceWorld::new(&Ground::new(Profile::DEFAULT).unwrap().to_data());
    world.apply(&edits);
    (ground, world)
}

#[test]
fn the_swept_disc_of_a_body_meets_thin_walls_as_the_oracle_says() {
    let (mut n_cases, mut n_steps) = (0, 0);
    for seed in 0..48 {
        let mut rng = Rng::for_stream(seed, 9);
        let (mut ground, world) = walled_square(19, &mut rng);
        let radius = *rng.pick(&[129, 150, 200, 256, 300, 384, 512, 640]).unwrap();
        let profile = Profile {
            radius: Fixed::from_raw(radius),
            ..Profile::DEFAULT
        };
        let id = ground.register_profile(profile.clone()).unwrap();
        let body = ground.profile_ground(id).unwrap();
        for (cell, _) in world.cells() {
            let note = format!("seed {seed} radius {radius} at {cell}");
            let node = body.node(cell);
            assert_eq!(node.is_some(), world.is_walkable(cell, &profile), "{note}");
            for direction in Direction::ALL {
                n_cases += 1;
                let ours = node.and_then(|node| body.neighbor(node, direction));
                let theirs = node.and_then(|_| world.neighbor(cell, direction.offset(), &profile));
                let ours = ours.map(|node| ground.cell(node));
                assert_eq!(ours, theirs, "{note} {direction:?}");
                n_steps += usize::from(ours.is_some());
            }
        }
    }
    assert!(n_cases > 100_000, "only {n_cases} cases");
    assert!(n_steps > 10_000, "only {n_steps} steps");
}

#[test]
fn a_body_of_radius_one_and_a_half_stops_at_a_door_of_one_cell_in_a_thin_wall() {
    // A thin wall below row 6, open below (6, 6) only, or below the three cells around it.
    let are_joined = |door: std::ops::RangeInclusive<i32>, radius: i32| {
        let map = Raster::from_bytes(13, 14, vec![0; 13 * 14]).unwrap();
        let mut ground = Ground::from_raster(&map);
        let walls = (0..13).filter(|x| !door.contains(x)).map(|x| {
            GroundEdit::PutWall(Wall {
                cell: Cell::flat(x, 6),
                side: WallSide::South,
            })
        });
        ground.apply(&walls.collect::<Vec<_>>()).unwrap();
        let profile = Profile {
            radius: Fixed::from_raw(radius),
            ..Profile::DEFAULT
        };
        let id = ground.register_profile(profile).unwrap();
        let body = ground.profile_ground(id).unwrap();
        let component = |y: i32| {
            body.component(body.node(Cell::flat(6, y)).unwrap())
                .unwrap()
        };
        component(3) == component(10)
    };
    assert!(are_joined(6..=6, 128));
    assert!(!are_joined(6..=6, 384));
    assert!(are_joined(5..=7, 384));
    assert!(!are_joined(5..=7, 640));
}

fn put_modifier(id: u64, at: Column) -> GroundEdit {
    GroundEdit::PutCostModifier {
        id: CostModifierId(id),
        modifier: CostModifier {
            shape: Shape::Box(Rect::around(at, Column::new(at.x + 1, at.y))),
            heights: (-9, 9),
            multiplier: CostMultiplier::from_sixteenths(40).unwrap(),
        },
    }
}

/// A flat rectangle of ground from (0, 0), and the oracle for it.
fn flat(width: u32, height: u32) -> (Ground, ReferenceWorld) {
    let map = Raster::from_bytes(width, height, vec![0; (width * height) as usize]).unwrap();
    let ground = Ground::from_raster(&map);
    let world = ReferenceWorld::new(&ground.to_data());
    (ground, world)
}

#[test]
fn a_step_to_a_costly_cell_costs_the_same_in_both_directions_if_irregular_ground_lies_beyond() {
    // Three sectors in a row: level, level with a costly cell at its western border, stairs.
    let (mut ground, mut world) = flat(48, 5);
    let keys = Profile {
        keys: 2,
        ..Profile::DEFAULT
    };
    let id = ground.register_profile(keys).unwrap();
    let edits = [
        put_modifier(1, Column::new(16, 2)),
        GroundEdit::PutCell {
            cell: Cell::new(40, 2, 1),
            terrain: Terrain::GROUND,
        },
        GroundEdit::RemoveCell {
            cell: Cell::flat(40, 2),
        },
    ];
    ground.apply(&edits).unwrap();
    world.apply(&edits);
    check(&ground, id, &world, "costly");
}

/// A random edit near the borders of sectors: walls, doors, solids with and without a roof, floors,
/// costs.
fn random_edit(rng: &mut Rng, world: &ReferenceWorld) -> GroundEdit {
    let cell = Cell::flat(rng.between(0, 37), rng.between(0, 20));
    let side = if rng.below(2) == 0 {
        WallSide::East
    } else {
        WallSide::South
    };
    let id = SolidId(u64::from(rng.below(3)));
    let to = Cell::flat(rng.between(0, 37), rng.between(0, 20));
    let link = wayfarer_testkit::ascii::nav_link(NavLinkKind::Door, cell, to, 900);
    match rng.below(9) {
        0 | 1 => GroundEdit::PutWall(Wall { cell, side }),
        2 => world.walls().next().map_or(
            GroundEdit::PutWall(Wall { cell, side }),
            GroundEdit::RemoveWall,
        ),
        3 if cell != to => GroundEdit::PutNavLink(link),
        4 if world.solids().any(|(known, _)| known == id) => GroundEdit::RemoveSolid(id),
        4 | 5 => {
            let high = Column::new(cell.x + rng.between(0, 3), cell.y + rng.between(0, 3));
            let (bottom, top) = (rng.between(-2, 0), rng.between(1, 6));
            let solid = GroundSolid {
                extent: SolidExtent::Box {
                    rect: Rect::around(cell.column(), high),
                    bottom,
                    top,
                },
                top: *rng.pick(&[Terrain::SOLID, Terrain::GROUND]).unwrap(),
            };
            GroundEdit::PutSolid { id, solid }
        }
        6 => put_modifier(rng.below(3).into(), cell.column()),
        7 => GroundEdit::RemoveCostModifier(CostModifierId(u64::from(rng.below(3)))),
        _ => GroundEdit::RemoveCell { cell },
    }
}

#[test]
fn layers_among_walls_doors_and_solids_equal_the_oracle_after_every_batch() {
    for seed in 0..3 {
        let mut rng = Rng::for_stream(seed, 12);
        let (mut ground, mut world) = flat(38, 21);
        let ids: Vec<ProfileId> = [100, 256, 384]
            .map(|radius| Profile {
                radius: Fixed::from_raw(radius),
                keys: 4,
                ..Profile::DEFAULT
            })
            .into_iter()
            .map(|profile| ground.register_profile(profile).unwrap())
            .collect();
        for batch in 0..12 {
            let edits: Vec<_> = (0..3).map(|_| random_edit(&mut rng, &world)).collect();
            if ground.apply(&edits).is_err() {
                continue;
            }
            world.apply(&edits);
            for id in &ids {
                check(&ground, *id, &world, &format!("seed {seed}, batch {batch}"));
                let afresh = {
                    let mut again = ground.clone();
                    again.unregister_profile(*id);
                    let profile = ground.profile_ground(*id).unwrap().profile().clone();
                    let id = again.register_profile(profile).unwrap();
                    sheet_kinds(&again, id)
                };
                assert_eq!(
                    sheet_kinds(&ground, *id),
                    afresh,
                    "seed {seed}, batch {batch}"
                );
            }
        }
    }
}

/// Where each sheet of a layer lies, and what determines its steps.
fn sheet_kinds(ground: &Ground, id: ProfileId) -> BTreeMap<u32, [bool; 4]> {
    let mut kinds = BTreeMap::new();
    let body = ground.profile_ground(id).unwrap();
    body.for_each_sheet(|sheet| {
        let kind = [
            sheet.is_uniform(),
            sheet.has_regular_steps(),
            sheet.has_diagonal_masks(),
            sheet.is_bit_exact(),
        ];
        kinds.insert(sheet.number(), kind);
        true
    });
    kinds
}

#[test]
fn a_solid_on_level_ground_leaves_the_steps_to_the_bits() {
    let (mut ground, _) = flat(64, 64);
    let wide = Profile {
        radius: Fixed::from_raw(384),
        ..Profile::DEFAULT
    };
    let id = ground.register_profile(wide).unwrap();
    for top in [Terrain::SOLID, Terrain::GROUND] {
        let rect = Rect::around(Column::new(30, 30), Column::new(33, 33));
        let solid = GroundSolid {
            extent: SolidExtent::Box {
                rect,
                bottom: 0,
                top: 4,
            },
            top,
        };
        let put = GroundEdit::PutSolid {
            id: SolidId(7),
            solid,
        };
        ground.apply(&[put]).unwrap();
        let kinds = sheet_kinds(&ground, id);
        assert!(kinds.values().all(|kind| kind[0]), "{kinds:?}");
        let is_level = ground.is_level_around(Column::new(30, 30), 0);
        assert_eq!(is_level, top == Terrain::SOLID, "a roof has another height");
    }
}

#[test]
fn floors_are_joined_where_steps_lead_in_both_directions() {
    for seed in 0..3 {
        let mut rng = Rng::for_stream(seed, 13);
        let (mut ground, mut world) = flat(38, 21);
        for batch in 0..12 {
            let body = ProfileGround::from(&ground);
            for (node, direction) in body
                .nodes()
                .flat_map(|node| Direction::STRAIGHT.map(|direction| (node, direction)))
            {
                let next = ground.neighbor(node, direction);
                let back = |next| ground.neighbor(next, direction.opposite()) == Some(node);
                assert_eq!(
                    body.joined_floor(node, direction),
                    next.filter(|next| back(*next)),
                    "seed {seed}, batch {batch}, {} {direction:?}",
                    ground.cell(node)
                );
            }
            let edits: Vec<_> = (0..3).map(|_| random_edit(&mut rng, &world)).collect();
            if ground.apply(&edits).is_ok() {
                world.apply(&edits);
            }
        }
    }
}
