//! Known successors of the reference world.

use std::collections::BTreeSet;

use wayfarer_base::{
    CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit, NavLinkKind, Rect, Rng, Shape,
};

use super::*;
use crate::ascii;

fn world(drawing: &str) -> ReferenceWorld {
    ReferenceWorld::new(&ascii::world(drawing))
}

/// The default profile with these limits.
fn agent(max_step: i32, max_drop: i32, height: i32) -> Profile {
    Profile {
        max_step,
        max_drop,
        height,
        ..Profile::DEFAULT
    }
}

fn wide(raw: i32) -> Profile {
    Profile {
        radius: Fixed::from_raw(raw),
        ..Profile::DEFAULT
    }
}

/// The successors of `from` are exactly `expected`: (x, y, z, units).
#[track_caller]
fn check(world: &ReferenceWorld, from: Cell, profile: &Profile, expected: &[(i32, i32, i32, u32)]) {
    let found: BTreeSet<_> = world
        .successors(from, profile)
        .into_iter()
        .map(|(to, cost)| (to.x, to.y, to.z, cost.units()))
        .collect();
    let expected: BTreeSet<_> = expected.iter().copied().collect();
    assert_eq!(found, expected, "{:?}", world.to_data());
}

/// Compares with a drawing of the columns of the successors: `x` reached, `.` not reached.
#[track_caller]
fn check_drawn(world: &ReferenceWorld, from: Cell, profile: &Profile, expected: &str) {
    let successors = world.successors(from, profile);
    let rows = expected.lines().map(str::trim);
    let rows: Vec<&str> = rows.filter(|row| !row.is_empty()).collect();
    let mut found = Vec::new();
    for (y, row) in (0..).zip(&rows) {
        let is_reached = |x: i32| successors.iter().any(|(to, _)| (to.x, to.y) == (x, y));
        let letters = (0..).zip(row.chars());
        let row = letters.map(|(x, _)| if is_reached(x) { 'x' } else { '.' });
        found.push(row.collect::<String>());
    }
    assert_eq!(found, rows, "from {from} with {profile:?}");
}

#[test]
fn open_ground_has_eight_successors_clockwise_from_north() {
    let successors = world("...\n...\n...").successors(Cell::flat(1, 1), &Profile::DEFAULT);
    let units: Vec<_> = successors
        .iter()
        .map(|(to, c)| (to.x, to.y, c.units()))
        .collect();
    let expected = [
        (1, 0, 1463),
        (2, 0, 2069),
        (2, 1, 1463),
        (2, 2, 2069),
        (1, 2, 1463),
        (0, 2, 2069),
        (0, 1, 1463),
        (0, 0, 2069),
    ];
    assert_eq!(units, expected);
}

#[test]
fn a_diagonal_step_requires_both_cardinal_neighbors() {
    let profile = &Profile::DEFAULT;
    check_drawn(&world("..\n.."), Cell::flat(0, 0), profile, ".x\nxx");
    check_drawn(&world(".#\n.."), Cell::flat(0, 0), profile, "..\nx.");
    check_drawn(&world("..\n.#"), Cell::flat(0, 0), profile, ".x\nx.");
    check_drawn(&world(".T\n.."), Cell::flat(0, 0), profile, "..\nx.");
}

#[test]
fn a_thin_wall_blocks_its_step_in_both_directions_and_the_diagonals_around_it() {
    let mut world = world("..\n..");
    let (a, b) = (Cell::flat(0, 0), Cell::flat(1, 0));
    world.apply(&[GroundEdit::PutWall(ascii::wall_between(a, b))]);
    let profile = &Profile::DEFAULT;
    check_drawn(&world, a, profile, "..\nx.");
    check_drawn(&world, b, profile, "..\n.x");
    check_drawn(&world, Cell::flat(0, 1), profile, "x.\n.x");
    check_drawn(&world, Cell::flat(1, 1), profile, ".x\nx.");
}

#[test]
fn a_south_wall_blocks_its_step_in_both_directions() {
    let mut world = world("..\n..");
    let (a, b) = (Cell::flat(1, 0), Cell::flat(1, 1));
    world.apply(&[GroundEdit::PutWall(ascii::wall_between(a, b))]);
    let profile = &Profile::DEFAULT;
    check_drawn(&world, a, profile, "x.\n..");
    check_drawn(&world, b, profile, "..\nx.");
}

#[test]
fn a_wall_belongs_to_the_floor_of_its_western_cell() {
    let mut world = world(".1\n= 5\n..");
    let low = Cell::flat(0, 0);
    let wall = Wall {
        cell: low,
        side: WallSide::East,
    };
    world.apply(&[GroundEdit::PutWall(wall)]);
    let profile = &Profile::DEFAULT;
    check(&world, low, profile, &[]);
    check(&world, Cell::new(1, 0, 1), profile, &[]);
    check(&world, Cell::new(0, 0, 5), profile, &[(1, 0, 5, 1463)]);
}

#[test]
fn a_step_leads_to_the_nearest_floor_and_ties_go_to_the_lower() {
    // From height 3: floors at 1 and 5 are equally near, 6 is farther.
    let floors = world("= 3\n.\n= 1 at 1,0\n.\n= 5 at 1,0\n.\n= 6 at 2,0\n.");
    let from = Cell::new(0, 0, 3);
    check(&floors, from, &agent(2, 2, 2), &[(1, 0, 1, 1463)]);
    check(&floors, from, &agent(2, 1, 2), &[(1, 0, 5, 1463)]);
    check(&floors, from, &agent(1, 1, 2), &[]);
    check(
        &floors,
        Cell::new(1, 0, 5),
        &agent(1, 2, 2),
        &[(0, 0, 3, 1463), (2, 0, 6, 1463)],
    );
}

#[test]
fn a_max_drop_above_max_step_gives_one_way_steps() {
    let cliff = world("30");
    let profile = agent(1, 3, 2);
    check(&cliff, Cell::new(0, 0, 3), &profile, &[(1, 0, 0, 1463)]);
    check(&cliff, Cell::flat(1, 0), &profile, &[]);
    // Off both sides of a corner at once: the diagonal is a drop too.
    let corner = world("33\n30");
    let successors = corner.successors(Cell::new(0, 0, 3), &profile);
    assert!(successors.iter().any(|(to, _)| *to == Cell::flat(1, 1)));
}

#[test]
fn both_detours_around_a_corner_must_lead_to_the_same_floor() {
    // Through (1, 0) the floor is 2, through (0, 1) it is 0.
    let split = world("02\n00\n= 2 at 1,1\n.");
    check(
        &split,
        Cell::flat(0, 0),
        &agent(2, 2, 1),
        &[(1, 0, 2, 1463), (0, 1, 0, 1463)],
    );
}

#[test]
fn a_floor_without_headroom_is_ignored() {
    let bridge = world("...\n= 1 at 1,0\n.");
    // Height 2: below the bridge is no headroom, the step leads onto it.
    check(
        &bridge,
        Cell::flat(0, 0),
        &agent(1, 1, 2),
        &[(1, 0, 1, 1463)],
    );
    // Height 1: the step leads below the bridge.
    check(
        &bridge,
        Cell::flat(0, 0),
        &agent(1, 1, 1),
        &[(1, 0, 0, 1463)],
    );
    check(&bridge, Cell::flat(1, 0), &agent(1, 1, 2), &[]);
    // Unwalkable terrain limits headroom too.
    let trees = world("...\n= 1 at 1,0\nT");
    check(&trees, Cell::flat(0, 0), &agent(1, 1, 2), &[]);
}

#[test]
fn a_step_costs_the_mean_multiplier_of_its_cells_rounded_down() {
    let mut world = world(".S\n..");
    let profile = Profile {
        terrain_costs: vec![(Terrain::SWAMP, CostMultiplier::from_sixteenths(41).unwrap())],
        ..Profile::DEFAULT
    };
    // 1463 * (16 + 41) / 32 = 2605.97; 2069 * 32 / 32.
    let from = Cell::flat(0, 0);
    let base = [(1, 0, 0, 2605), (0, 1, 0, 1463), (1, 1, 0, 2069)];
    check(&world, from, &profile, &base);
    let modifier = |x, sixteenths, heights| CostModifier {
        shape: Shape::Box(Rect::around(Column::new(x, 0), Column::new(1, 1))),
        heights,
        multiplier: CostMultiplier::from_sixteenths(sixteenths).unwrap(),
    };
    world.apply(&[
        GroundEdit::PutCostModifier {
            id: CostModifierId(1),
            modifier: modifier(1, 48, (0, 0)),
        },
        GroundEdit::PutCostModifier {
            id: CostModifierId(2),
            modifier: modifier(0, 17, (-3, 9)),
        },
        GroundEdit::PutCostModifier {
            id: CostModifierId(3),
            modifier: modifier(0, 900, (1, 9)),
        },
    ]);
    // Multipliers: (0, 0) and (0, 1) 17; (1, 0) 41 + 32 + 1 = 74; (1, 1) 16 + 32 + 1 = 49.
    // 1463 * 91 / 32 = 4160.4; 1463 * 34 / 32 = 1554.4; 2069 * 66 / 32 = 4267.3.
    let costly = [(1, 0, 0, 4160), (0, 1, 0, 1554), (1, 1, 0, 4267)];
    check(&world, from, &profile, &costly);
    world.apply(&[GroundEdit::RemoveCostModifier(CostModifierId(1))]);
    world.apply(&[GroundEdit::RemoveCostModifier(CostModifierId(2))]);
    check(&world, from, &profile, &base);
}

#[test]
fn multipliers_and_costs_saturate() {
    let mut world = world("..");
    for number in 0..2 {
        let modifier = CostModifier {
            shape: Shape::Box(Rect::around(Column::new(0, 0), Column::new(1, 0))),
            heights: (0, 0),
            multiplier: CostMultiplier::MAX,
        };
        let id = CostModifierId(number);
        world.apply(&[GroundEdit::PutCostModifier { id, modifier }]);
    }
    assert_eq!(
        world.cost_multiplier(Cell::flat(0, 0), &Profile::DEFAULT),
        u16::MAX
    );
    // 1463 * 2 * 65535 / 32 = 5992356.56
    check(
        &world,
        Cell::flat(0, 0),
        &Profile::DEFAULT,
        &[(1, 0, 0, 5_992_356)],
    );
}

#[test]
fn a_nav_link_requires_its_keys_and_walkable_ends() {
    let (a, b) = (Cell::flat(0, 0), Cell::flat(3, 0));
    let key = |keys| Profile {
        keys,
        ..Profile::DEFAULT
    };
    let mut world = world(".##.");
    let nav_link = ascii::nav_link(NavLinkKind::Teleport, a, b, 7);
    world.apply(&[GroundEdit::PutNavLink(nav_link)]);
    check(&world, a, &key(0), &[(3, 0, 0, 7)]);
    check(&world, b, &key(0), &[(0, 0, 0, 7)]);
    let set = |state| GroundEdit::SetNavLinkState {
        nav_link: (&nav_link).into(),
        state,
    };
    world.apply(&[set(LinkState::Locked(0b101))]);
    check(&world, a, &key(0b100), &[]);
    check(&world, a, &key(0b111), &[(3, 0, 0, 7)]);
    world.apply(&[set(LinkState::Closed)]);
    check(&world, a, &key(u32::MAX), &[]);
    world.apply(&[set(LinkState::Open), GroundEdit::RemoveCell { cell: b }]);
    check(&world, a, &key(0), &[]);
    let terrain = Terrain::TREES;
    world.apply(&[GroundEdit::PutCell { cell: b, terrain }]);
    check(&world, a, &key(0), &[]);
    let terrain = Terrain::SWAMP;
    world.apply(&[GroundEdit::PutCell { cell: b, terrain }]);
    check(&world, a, &key(0), &[(3, 0, 0, 7)]);
    let one_way = ascii::one_way(NavLinkKind::Teleport, a, b, 9);
    world.apply(&[GroundEdit::PutNavLink(one_way)]);
    check(&world, a, &key(0), &[(3, 0, 0, 9)]);
    check(&world, b, &key(0), &[]);
}

#[test]
fn a_radius_up_to_half_a_cell_changes_nothing() {
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let mut world = ReferenceWorld::default();
        for column in Rect::around(Column::new(-3, -3), Column::new(3, 3)).columns() {
            if rng.chance(3, 4) {
                let (cell, terrain) = (column.at(rng.between(0, 2)), Terrain::GROUND);
                world.apply(&[GroundEdit::PutCell { cell, terrain }]);
            }
        }
        for (cell, _) in world.cells() {
            let thin = Profile {
                radius: Fixed::from_raw(0),
                ..agent(1, 2, 2)
            };
            let half = Profile {
                radius: Fixed::from_raw(128),
                ..thin.clone()
            };
            assert_eq!(world.successors(cell, &thin), world.successors(cell, &half));
        }
    }
}

#[test]
fn a_wide_disc_overlaps_the_expected_squares() {
    let n_overlapped = |raw, delta| overlapped_squares(&wide(raw), delta).len();
    assert_eq!(n_overlapped(128, (0, 0)), 0);
    assert_eq!(n_overlapped(129, (0, 0)), 4); // north, east, south, west
    assert_eq!(n_overlapped(181, (0, 0)), 4); // half the root of 2 is 181.02
    assert_eq!(n_overlapped(182, (0, 0)), 8);
    assert_eq!(n_overlapped(384, (0, 0)), 8); // one and a half: the next in line are 384 off
    assert_eq!(n_overlapped(385, (0, 0)), 12);
    assert_eq!(n_overlapped(405, (0, 0)), 20); // a knight's move is 404.8 off
    assert_eq!(n_overlapped(544, (0, 0)), 24); // two over the corner are 543.1 off
    // Along an axis: the union of both discs without the two ends.
    assert_eq!(n_overlapped(129, (1, 0)), 6);
    // Diagonally with 1.45 cells: two squares that the disc overlaps at neither end.
    let (start, path) = (
        overlapped_squares(&wide(371), (0, 0)),
        overlapped_squares(&wide(371), (1, 1)),
    );
    let between: Vec<_> = path
        .iter()
        .filter(|&&(x, y)| !start.contains(&(x, y)) && !start.contains(&(x - 1, y - 1)))
        .filter(|&&square| square != (0, 0) && square != (1, 1))
        .collect();
    assert_eq!(between, [&(2, -1), &(-1, 2)]);
}

#[test]
fn a_wide_agent_keeps_away_from_edges() {
    let hall = world(
        "
        .....
        .....
        .....
        ..#..
        .....
        ",
    );
    let from = Cell::flat(1, 1);
    check_drawn(&hall, from, &wide(128), "xxx\nx.x\nxxx");
    // Slightly more than half a cell: no cell beside an empty square.
    check_drawn(&hall, from, &wide(129), "....\n..x.\n.x..\n....");
    assert!(!hall.is_walkable(Cell::flat(2, 2), &wide(129)));
    assert!(hall.is_walkable(Cell::flat(1, 2), &wide(181)));
    assert!(!hall.is_walkable(Cell::flat(1, 2), &wide(182)));
    assert!(!hall.is_walkable(from, &wide(385)));
    assert!(hall.successors(Cell::flat(0, 0), &wide(129)).is_empty());
}

#[test]
fn a_wide_agent_must_fit_between_the_ends_of_a_diagonal() {
    // Between (3, 2) and (4, 3) a disc of 1.45 cells overlaps square (5, 1), which it overlaps at
    // neither end.
    let from = Cell::flat(3, 2);
    let open = world(&[".......\n"; 7].concat());
    let mut blocked = open.clone();
    let cell = Cell::flat(5, 1);
    blocked.apply(&[GroundEdit::RemoveCell { cell }]);
    let profile = wide(371);
    assert!(open.neighbor(from, (1, 1), &profile).is_some());
    assert!(blocked.is_walkable(from, &profile) && blocked.is_walkable(Cell::flat(4, 3), &profile));
    assert_eq!(blocked.neighbor(from, (1, 1), &profile), None);
    // One step up at the end: a square one step down is within limits of the start but not of the
    // end.
    let to = Cell::new(4, 3, 1);
    let mut rising = open.clone();
    let terrain = Terrain::GROUND;
    rising.apply(&[
        GroundEdit::RemoveCell {
            cell: Cell::flat(4, 3),
        },
        GroundEdit::PutCell { cell: to, terrain },
    ]);
    assert_eq!(rising.neighbor(from, (1, 1), &profile), Some(to));
    let low = Cell::new(5, 1, -1);
    rising.apply(&[
        GroundEdit::RemoveCell { cell },
        GroundEdit::PutCell { cell: low, terrain },
    ]);
    assert!(rising.is_walkable(from, &profile) && rising.is_walkable(to, &profile));
    assert_eq!(rising.neighbor(from, (1, 1), &profile), None);
    assert_eq!(rising.neighbor(to, (-1, -1), &profile), None);
}

#[test]
fn a_wide_agent_does_not_fit_beside_a_floor_out_of_step_range() {
    let ledge = world("002\n000\n000");
    let from = Cell::flat(1, 1);
    assert!(ledge.is_walkable(from, &wide(129)));
    assert!(!ledge.is_walkable(from, &wide(182)));
    let climber = Profile {
        max_step: 2,
        ..wide(182)
    };
    assert!(ledge.is_walkable(from, &climber));
}

#[test]
fn successors_are_symmetric_without_one_way_edges() {
    let mut rng = Rng::new(11);
    let mut n_steps = 0;
    for round in 0..40 {
        let mut world = ReferenceWorld::default();
        for column in Rect::around(Column::new(-4, -4), Column::new(4, 4)).columns() {
            for _ in 0..rng.below(3) {
                let terrain = *rng.pick(&[Terrain::GROUND, Terrain::SWAMP]).unwrap();
                // Floors far enough apart that the reverse step finds the same two.
                let cell = column.at(rng.between(0, 2) * 4);
                world.apply(&[GroundEdit::PutCell { cell, terrain }]);
            }
        }
        let profile = Profile {
            terrain_costs: vec![(Terrain::SWAMP, CostMultiplier::from_sixteenths(30).unwrap())],
            ..wide(if round % 2 == 0 { 128 } else { 190 })
        };
        for (cell, _) in world.cells() {
            for (to, cost) in world.successors(cell, &profile) {
                n_steps += 1;
                let back = world.successors(to, &profile);
                assert!(back.contains(&(cell, cost)), "{cell} to {to}");
            }
        }
    }
    assert!(n_steps > 1_000, "steps were checked: {n_steps}");
}
