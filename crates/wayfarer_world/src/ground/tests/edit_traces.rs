//! Small worlds: towers, bridges, ladders, doors, cost modifiers, invalid batches.

use wayfarer_base::{
    Column, CostChange, CostModifier, CostModifierId, CostMultiplier, Fixed, LinkState, NavLinkId,
    NavLinkKind, Point2, Rect, Shape, Terrain, Wall, WallSide, WorldData,
};
use wayfarer_testkit::ascii;

use super::both::{Both, put, remove};
use super::*;

/// The stairs of a tower, one cell per step, along the inside of a wall of 6 x 6 cells.
fn spiral(n_steps: i32) -> Vec<Cell> {
    let along = |n: i32| match n % 20 {
        n @ 0..5 => (n, 0),
        n @ 5..10 => (5, n - 5),
        n @ 10..15 => (15 - n, 5),
        n => (0, 20 - n),
    };
    (0..n_steps)
        .map(|z| Cell::new(along(z).0 + 5, along(z).1 + 5, z))
        .collect()
}

#[test]
fn ten_floors_of_spiral_stairs_in_one_sector_are_connected_until_cut() {
    let stairs = spiral(201);
    let plan = WorldData {
        cells: stairs.iter().map(|c| (*c, Terrain::GROUND)).collect(),
        ..WorldData::default()
    };
    let mut both = Both::new(&plan);
    let (foot, top) = (stairs[0], stairs[200]);
    assert!(both.is_connected(foot, top));
    let sectors: BTreeSet<SectorId> = both
        .ground
        .regions()
        .map(|region| both.ground.sector_of(region))
        .collect();
    assert_eq!(sectors.len(), 1);
    let changes = both.apply(&[remove(stairs[100])]);
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(!both.is_connected(foot, top) && both.is_connected(foot, stairs[99]));
    // A floor one step under the eleventh flight takes its headroom, not its floor.
    let changes = both.apply(&changes.inverse());
    assert_eq!(changes.merged_pairs.len(), 1);
    let ceiling = Cell::new(stairs[50].x, stairs[50].y, stairs[50].z + 1);
    let changes = both.apply(&[put(ceiling)]);
    assert!(both.ground.node(stairs[50]).is_none());
    // The ceiling is a floor too, two steps above the stair before: no step leads onto it.
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(both.is_connected(ceiling, top) && !both.is_connected(foot, top));
}

#[test]
fn a_bridge_and_the_road_below_it_are_not_connected() {
    let mut plan = ascii::world(
        "
        ###...###
        ###...###
        ###...###
        ###...###
        ###...###
        = 0 at 0,2
        .12###21.
        = 3 at 3,2
        ...",
    );
    plan.profile.height = 3;
    let mut both = Both::new(&plan);
    let (west, east) = (Cell::flat(0, 2), Cell::flat(8, 2));
    let (north, south) = (Cell::flat(4, 0), Cell::flat(4, 4));
    assert!(both.is_connected(west, east) && both.is_connected(north, south));
    assert!(!both.is_connected(west, north));
    let changes = both.apply(&[remove(Cell::new(4, 2, 3))]);
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(!both.is_connected(west, east) && both.is_connected(north, south));
    // Too low a bridge blocks the road.
    let low: Vec<GroundEdit> = (3..6).map(|x| put(Cell::new(x, 2, 2))).collect();
    let changes = both.apply(&low);
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(both.ground.node(Cell::flat(4, 2)).is_none() && !both.is_connected(north, south));
    both.apply(&changes.inverse());
    assert!(both.is_connected(north, south));
    // A board within the step limit does not.
    let board: Vec<GroundEdit> = (3..6).map(|x| put(Cell::new(x, 2, 1))).collect();
    both.apply(&board);
    assert!(both.ground.node(Cell::flat(4, 2)).is_none() && both.is_connected(north, south));
}

#[test]
fn a_drop_is_one_way_and_connects_weakly() {
    let mut plan = ascii::world("..44");
    plan.profile.max_drop = 4;
    let mut both = Both::new(&plan);
    let (low, high) = (Cell::flat(1, 0), Cell::new(2, 0, 4));
    assert!(both.steps(high).contains(&low));
    assert!(!both.steps(low).contains(&high));
    assert!(both.is_connected(low, high));
    assert_eq!(both.sizes(), [2, 2]);
    // A drop by nav link, over any depth.
    let cliff = Cell::new(9, 0, 90);
    let jump = ascii::one_way(NavLinkKind::Drop, cliff, low, 1463);
    let changes = both.apply(&[put(cliff), GroundEdit::PutNavLink(jump)]);
    assert!(both.is_connected(cliff, low) && both.steps(cliff) == [low]);
    assert!(!both.steps(low).contains(&cliff));
    both.apply(&changes.inverse());
}

#[test]
fn a_ladder_is_open_while_both_its_ends_are_walkable() {
    let mut both = Both::drawn("...\n= 20\n..#");
    let (foot, top) = (Cell::flat(0, 0), Cell::new(0, 0, 20));
    let ladder = ascii::nav_link(NavLinkKind::Ladder, foot, top, 9000);
    let changes = both.apply(&[GroundEdit::PutNavLink(ladder)]);
    assert_eq!(changes.merged_pairs.len(), 1);
    both.apply(&[remove(top)]);
    assert!(!both.is_connected(foot, Cell::new(1, 0, 20)));
    both.apply(&[put(top)]);
    assert!(both.is_connected(foot, Cell::new(1, 0, 20)));
    // A board over the top takes its headroom.
    both.apply(&[put(Cell::new(0, 0, 21))]);
    assert!(!both.is_connected(foot, Cell::new(1, 0, 20)));
}

#[test]
fn doors_open_close_and_lock_and_the_change_reports_the_split_pairs() {
    for (keys, opens_lock) in [(0, false), (0b01, false), (0b11, true), (0b111, true)] {
        let mut plan = ascii::world("......");
        plan.profile.keys = keys;
        let (west, east) = (Cell::flat(2, 0), Cell::flat(3, 0));
        let (wall, nav_link) = ascii::door(west, east, LinkState::Open);
        plan.walls.push(wall);
        plan.nav_links.push(nav_link);
        let mut both = Both::new(&plan);
        let name = NavLinkId::from(&nav_link);
        let set = |state| {
            [GroundEdit::SetNavLinkState {
                nav_link: name,
                state,
            }]
        };
        assert!(both.is_connected(west, east));
        let changes = both.apply(&set(LinkState::Closed));
        assert_eq!(
            (changes.split_pairs.len(), changes.merged_pairs.len()),
            (1, 0)
        );
        assert!(!both.is_connected(west, east));
        let changes = both.apply(&set(LinkState::Locked(0b11)));
        assert_eq!(
            changes.merged_pairs.len(),
            usize::from(opens_lock),
            "{keys:b}"
        );
        assert_eq!(both.is_connected(west, east), opens_lock);
        let changes = both.apply(&set(LinkState::Open));
        assert_eq!(changes.merged_pairs.len(), usize::from(!opens_lock));
        assert!(both.is_connected(west, east));
        let changes = both.apply(&set(LinkState::Open));
        assert!(changes.changes.is_empty());
    }
}

#[test]
fn a_teleport_connects_at_any_distance() {
    let mut both = Both::drawn("..\n= -7 at 4000000,-4000000\n...");
    let (here, there) = (Cell::flat(0, 0), Cell::new(4_000_000, -4_000_000, -7));
    assert!(!both.is_connected(here, there));
    let teleport = ascii::nav_link(NavLinkKind::Teleport, here, there, 1);
    let changes = both.apply(&[GroundEdit::PutNavLink(teleport)]);
    assert_eq!(changes.merged_pairs.len(), 1);
    assert!(both.is_connected(Cell::flat(1, 0), Cell::new(4_000_002, -4_000_000, -7)));
    let changes = both.apply(&[GroundEdit::RemoveNavLink((&teleport).into())]);
    assert_eq!(changes.split_pairs.len(), 1);
}

fn fixed(cells: f64) -> Fixed {
    Fixed::from_cells(cells).unwrap()
}

fn point(x: f64, y: f64) -> Point2 {
    Point2::new(fixed(x), fixed(y))
}

fn modifier_edit(id: u64, shape: Shape, sixteenths: u16) -> GroundEdit {
    GroundEdit::PutCostModifier {
        id: CostModifierId(id),
        modifier: CostModifier {
            shape,
            heights: (-2, 2),
            multiplier: CostMultiplier::from_sixteenths(sixteenths).unwrap(),
        },
    }
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Circle {
            center: point(8.5, 8.5),
            radius: fixed(5.0),
        },
        Shape::Box(Rect::around(Column::new(-3, 6), Column::new(20, 9))),
        Shape::Polygon(vec![point(2.0, 2.0), point(30.0, 4.0), point(9.0, 30.0)]),
        Shape::Segment {
            from: point(-4.0, 3.0),
            to: point(28.0, 14.0),
            radius: fixed(1.25),
        },
        Shape::Wedge {
            tip: point(16.0, 16.0),
            radius: fixed(12.0),
            left: (-1, -3),
            right: (2, -3),
        },
    ]
}

/// Ground at 0 from (-4, -4) to (27, 27), and an upper floor at 5 beyond the modifiers' heights.
fn meadow() -> Both {
    let mut plan = WorldData::default();
    let lawn = Rect::around(Column::new(-4, -4), Column::new(27, 27));
    for column in lawn.columns() {
        plan.cells.push((column.at(0), Terrain::GROUND));
        if column.x > 10 && column.y < 12 {
            plan.cells.push((column.at(5), Terrain::SWAMP));
        }
    }
    plan.profile.terrain_costs =
        vec![(Terrain::SWAMP, CostMultiplier::from_sixteenths(40).unwrap())];
    Both::new(&plan)
}

fn sum_of_multipliers(both: &Both) -> u64 {
    let multipliers = both.ground.canonical().multipliers;
    multipliers
        .iter()
        .map(|(_, multiplier)| u64::from(*multiplier))
        .sum()
}

#[test]
fn cost_modifiers_of_every_shape_stack_move_and_are_removed() {
    let mut both = meadow();
    let calm = both.ground.canonical();
    for (name, shape) in (0..).zip(shapes()) {
        let before = sum_of_multipliers(&both);
        let changes = both.apply(&[modifier_edit(name, shape, 24)]);
        assert!(sum_of_multipliers(&both) > before, "modifier {name}");
        assert!(changes.split_pairs.is_empty() && changes.merged_pairs.is_empty());
        let harder = |t: &wayfarer_base::DirtySector| t.cost_change == CostChange::Increase;
        assert!(
            !changes.changes.dirty_sectors.is_empty()
                && changes.changes.dirty_sectors.iter().all(harder)
        );
    }
    // Surcharges add up; somewhere all modifiers overlap.
    let dearest = both
        .ground
        .canonical()
        .multipliers
        .iter()
        .map(|p| p.1)
        .max();
    assert!(dearest >= Some(16 + 4 * 8), "{dearest:?}");
    // Move one: the same id with another shape, in one batch.
    let moved = Shape::Circle {
        center: point(20.0, 3.0),
        radius: fixed(5.0),
    };
    both.apply(&[modifier_edit(0, moved, 24)]);
    // Putting an unchanged modifier again is no difference.
    let changes = both.apply(&[modifier_edit(1, shapes().remove(1), 24)]);
    assert!(changes.changes.is_empty());
    let lift: Vec<GroundEdit> = (0..5)
        .map(|n| GroundEdit::RemoveCostModifier(CostModifierId(n)))
        .collect();
    let changes = both.apply(&lift);
    let easier = |t: &wayfarer_base::DirtySector| t.cost_change == CostChange::Decrease;
    assert!(changes.changes.dirty_sectors.iter().all(easier));
    assert_eq!(both.ground.canonical(), calm);
}

#[test]
fn a_modifier_too_wide_for_the_index_applies_like_any_other() {
    let mut both = meadow();
    let calm = both.ground.canonical();
    let wide = Shape::Box(Rect::around(Column::new(-400, -300), Column::new(300, 300)));
    both.apply(&[
        modifier_edit(1, wide, 24),
        modifier_edit(2, shapes().remove(0), 48),
    ]);
    // It applies to a floor added later; then it shrinks, and is removed.
    let far = Cell::flat(-390, 290);
    both.apply(&[put(far)]);
    assert_eq!(both.ground.cost_multiplier(both.node(far)).sixteenths(), 24);
    both.apply(&[modifier_edit(1, shapes().remove(1), 24)]);
    assert_eq!(both.ground.cost_multiplier(both.node(far)).sixteenths(), 16);
    let removed = [1, 2].map(|id| GroundEdit::RemoveCostModifier(CostModifierId(id)));
    both.apply(&removed);
    both.apply(&[remove(far)]);
    assert_eq!(both.ground.canonical(), calm);
}

#[test]
fn a_modifier_over_the_whole_world_costs_no_more_than_its_floors() {
    let mut ground = meadow().ground;
    let calm = ground.canonical();
    let bytes = ground.memory_report().cost_modifiers;
    let everywhere = Shape::Box(Rect::around(
        Column::new(-8_000_000, -8_000_000),
        Column::new(8_000_000, 8_000_000),
    ));
    let wide = Shape::Circle {
        center: point(2_000_000.0, 0.0),
        radius: fixed(2_000_010.5),
    };
    let changes = ground.apply(&[modifier_edit(1, everywhere, 24), modifier_edit(2, wide, 48)]);
    let multiplier = |cell| {
        ground
            .cost_multiplier(ground.node(cell).unwrap())
            .sixteenths()
    };
    assert_eq!(multiplier(Cell::flat(0, 0)), 16 + 8 + 32);
    assert_eq!(multiplier(Cell::new(20, 0, 5)), 40); // floors above are spared
    assert!(ground.memory_report().cost_modifiers < bytes + 1024);
    ground.apply(&changes.unwrap().inverse()).unwrap();
    assert_eq!(ground.canonical(), calm);
}

#[test]
fn a_shape_larger_than_the_ground_visits_columns_in_the_same_order() {
    let both = Both::drawn("..\n##\n..");
    let mut ground = both.ground.clone();
    let far = [Cell::flat(-900_000, 5), Cell::flat(900_000, -700_000)];
    ground.apply(&far.map(put)).unwrap();
    let seen = |rect: Rect| {
        let mut cells = Vec::new();
        ground.for_each_walkable_in(rect, |node| cells.push(ground.cell(node)));
        cells
    };
    let near = seen(Rect::around(Column::new(0, 0), Column::new(9, 9)));
    assert_eq!(near.len(), 4);
    let all = seen(Rect::around(
        Column::new(i32::MIN, i32::MIN),
        Column::new(i32::MAX, i32::MAX),
    ));
    assert_eq!(all[0], far[1]); // the northernmost sector comes first
    assert_eq!(all[1], far[0]);
    assert_eq!(all[2..], near);
}

#[test]
fn filling_above_the_limit_is_an_error_and_clearing_is_not() {
    let mut both = meadow();
    let before = both.ground.canonical();
    let wide = Shape::Circle {
        center: point(0.0, 0.0),
        radius: fixed(3_000_000.0),
    };
    let fill = GroundEdit::Fill {
        shape: wide.clone(),
        z: 0,
        terrain: Terrain::GROUND,
    };
    let refused = check_rejected(&mut both, &[remove(Cell::flat(0, 0)), fill]);
    assert!(
        matches!(refused, GroundEditError::TooWide { edit: 1, .. }),
        "{refused}"
    );
    assert_eq!(both.ground.canonical(), before);
    let mut ground = both.ground.clone();
    let heights = (0, 0);
    let clear = GroundEdit::Clear {
        shape: wide,
        heights,
    };
    ground.apply(&[clear]).unwrap();
    let left: Vec<i32> = ground.nodes().map(|node| ground.cell(node).z).collect();
    assert!(!left.is_empty() && left.iter().all(|z| *z == 5));
}

#[test]
fn multipliers_saturate_and_recover() {
    let mut both = meadow();
    let calm = both.ground.canonical();
    let everywhere = Shape::Box(Rect::around(Column::new(0, 0), Column::new(2, 2)));
    let casts: Vec<GroundEdit> = (0..3)
        .map(|n| modifier_edit(n, everywhere.clone(), 40_000))
        .collect();
    both.apply(&casts);
    let multiplier = both.ground.cost_multiplier(both.node(Cell::flat(1, 1)));
    assert_eq!(multiplier, CostMultiplier::MAX);
    both.apply(&[
        GroundEdit::RemoveCostModifier(CostModifierId(0)),
        GroundEdit::RemoveCostModifier(CostModifierId(2)),
    ]);
    let multiplier = both.ground.cost_multiplier(both.node(Cell::flat(1, 1)));
    assert_eq!(multiplier.sixteenths(), 40_000);
    both.apply(&[GroundEdit::RemoveCostModifier(CostModifierId(1))]);
    assert_eq!(both.ground.canonical(), calm);
}

#[test]
fn a_modifier_applies_to_floors_added_later() {
    let mut both = Both::drawn("...");
    let area = Shape::Box(Rect::around(Column::new(1, 0), Column::new(40, 9)));
    both.apply(&[modifier_edit(7, area, 48)]);
    assert_eq!(both.ground.canonical().multipliers.len(), 2);
    // In the same sector, in a new sector, and at heights outside its range.
    let later = [(3, 0, 0), (35, 5, 2), (35, 5, 9), (4, 4, -3)];
    let edits: Vec<GroundEdit> = later.map(|(x, y, z)| put(Cell::new(x, y, z))).to_vec();
    both.apply(&edits);
    assert_eq!(both.ground.canonical().multipliers.len(), 4);
    // A floor removed and added in one batch keeps its multiplier.
    both.apply(&[remove(Cell::flat(1, 0)), put(Cell::flat(1, 0))]);
    assert_eq!(both.ground.canonical().multipliers.len(), 4);
}

#[test]
fn a_wall_blocks_the_step_in_both_directions_and_the_diagonals_past_it() {
    let mut both = Both::drawn("...\n...\n...");
    let (center, east) = (Cell::flat(1, 1), Cell::flat(2, 1));
    let wall = Wall {
        cell: center,
        side: WallSide::East,
    };
    both.apply(&[GroundEdit::PutWall(wall)]);
    assert!(!both.steps(center).contains(&east) && !both.steps(east).contains(&center));
    // Diagonals past the end of the wall: from the center and from east of it.
    for corner in [Cell::flat(2, 0), Cell::flat(2, 2)] {
        assert!(!both.steps(center).contains(&corner), "{corner}");
    }
    for corner in [Cell::flat(1, 0), Cell::flat(1, 2)] {
        assert!(!both.steps(east).contains(&corner), "{corner}");
        assert!(both.steps(center).contains(&corner), "{corner}");
    }
    let changes = both.apply(&[GroundEdit::PutWall(wall)]);
    assert!(changes.changes.is_empty());
    both.apply(&[GroundEdit::RemoveWall(wall)]);
    assert_eq!(both.steps(center).len(), 8);
}

#[test]
fn a_wall_blocks_at_the_height_of_its_cell_and_across_sectors() {
    // Steps up to the east over the border of a sector at x = 16, the wall on the lower cell.
    let cells = [(15, 0, 0), (16, 0, 1), (15, 0, 6), (16, 0, 6)];
    let mut plan = WorldData::default();
    for (x, y, z) in cells {
        plan.cells.push((Cell::new(x, y, z), Terrain::GROUND));
    }
    let mut both = Both::new(&plan);
    let wall = |z| Wall {
        cell: Cell::new(15, 0, z),
        side: WallSide::East,
    };
    let (low, high) = (Cell::flat(15, 0), Cell::new(16, 0, 1));
    // A wall at the height of the eastern cell has no floor there.
    let changes = both.apply(&[GroundEdit::PutWall(wall(1))]);
    assert!(changes.split_pairs.is_empty() && both.is_connected(low, high));
    let changes = both.apply(&[GroundEdit::PutWall(wall(0))]);
    assert_eq!(changes.split_pairs.len(), 1);
    // The floor above has an edge of its own.
    assert!(both.is_connected(Cell::new(15, 0, 6), Cell::new(16, 0, 6)));
    // The wall outlives its floor.
    both.apply(&[remove(low)]);
    both.apply(&[put(low)]);
    assert!(!both.is_connected(low, high));
}

/// Applies a batch that must fail, and checks that nothing changed.
#[track_caller]
fn check_rejected(both: &mut Both, edits: &[GroundEdit]) -> GroundEditError {
    let (previous, revision) = (both.ground.canonical(), both.ground.revision());
    let modifiers: Vec<_> = both.ground.cost_modifiers().cloned().collect();
    let error = both.ground.apply(edits).unwrap_err();
    assert_eq!(both.ground.canonical(), previous, "{error}");
    assert_eq!(both.ground.revision(), revision, "{error}");
    assert_eq!(
        both.ground.cost_modifiers().cloned().collect::<Vec<_>>(),
        modifiers
    );
    check(&both.ground, &both.world, "refused");
    error
}

/// Valid edits of every kind, to precede an invalid one.
fn valid_edits() -> Vec<GroundEdit> {
    let (wall, door) = ascii::door(Cell::flat(2, 0), Cell::flat(3, 0), LinkState::Closed);
    vec![
        put(Cell::new(1, 0, 9)),
        remove(Cell::flat(4, 0)),
        GroundEdit::Fill {
            shape: Shape::Box(Rect::around(Column::new(-20, -20), Column::new(40, 3))),
            z: 30,
            terrain: Terrain::WATER,
        },
        GroundEdit::Clear {
            shape: Shape::Box(Rect::around(Column::new(0, 0), Column::new(1, 1))),
            heights: (-5, 5),
        },
        GroundEdit::Patch {
            at: Column::new(5, 0),
            z: 0,
            raster: ascii::raster("#.S"),
        },
        GroundEdit::PutWall(wall),
        GroundEdit::PutNavLink(door),
        modifier_edit(1, shapes().remove(0), 99),
        GroundEdit::RemoveCostModifier(CostModifierId(5)),
    ]
}

fn lane() -> Both {
    let mut both = Both::drawn(".......\n.......");
    both.apply(&[modifier_edit(5, shapes().remove(2), 32)]);
    both
}

#[test]
fn a_batch_with_one_invalid_edit_changes_nothing() {
    let far = Cell::flat(1 << 23, 0);
    let (a, b) = (Cell::flat(0, 0), Cell::flat(1, 0));
    let free = ascii::nav_link(NavLinkKind::Jump, a, b, 0);
    let nowhere = ascii::nav_link(NavLinkKind::Jump, a, a, 5);
    let bad = [
        put(far),
        put(Cell::new(0, 0, (1 << 24) + 1)),
        GroundEdit::Fill {
            shape: Shape::Box(Rect::around(far.column(), far.column())),
            z: 0,
            terrain: Terrain::GROUND,
        },
        GroundEdit::PutNavLink(free),
        GroundEdit::PutNavLink(nowhere),
        GroundEdit::PutWall(Wall {
            cell: far,
            side: WallSide::East,
        }),
    ];
    for edit in bad {
        let mut both = lane();
        let mut edits = valid_edits();
        edits.push(edit.clone());
        let error = check_rejected(&mut both, &edits).to_string();
        let prefix = format!("edit {}: ", edits.len() - 1);
        assert!(error.starts_with(&prefix), "{edit:?}: {error}");
    }
}

#[test]
fn one_floor_above_the_limit_rejects_the_whole_batch() {
    let mut both = lane();
    let column = Column::new(3, 1);
    let floors: Vec<GroundEdit> = (1..255).map(|n| put(column.at(n * 3))).collect();
    both.apply(&floors);
    assert_eq!(both.ground.floors(column).count(), WorldData::MAX_FLOORS);
    let mut edits = valid_edits();
    edits.push(put(column.at(-4)));
    // The fill among the valid edits is the first above the limit.
    let error = check_rejected(&mut both, &edits);
    assert!(
        matches!(error, GroundEditError::TooManyFloors { .. }),
        "{error}"
    );
    let error = check_rejected(&mut both, &[remove(Cell::flat(0, 0)), put(column.at(-4))]);
    assert_eq!(
        error.to_string(),
        "edit 1: column of (3, 1, -4) has 255 floors already, the maximum"
    );
    // Floors removed earlier in the batch count.
    both.apply(&[remove(column.at(3)), put(column.at(-4))]);
}

#[test]
fn one_nav_link_above_the_limit_rejects_the_whole_batch() {
    let mut both = lane();
    let hub = Cell::flat(0, 0);
    let paths: Vec<GroundEdit> = (0..255)
        .map(|n| {
            let to = Cell::flat(100 + n, 0);
            GroundEdit::PutNavLink(ascii::nav_link(NavLinkKind::Teleport, hub, to, 7))
        })
        .collect();
    both.apply(&paths);
    let one_more = ascii::nav_link(NavLinkKind::Teleport, Cell::flat(9, 9), hub, 7);
    let mut edits = valid_edits();
    edits.push(GroundEdit::PutNavLink(one_more));
    let error = check_rejected(&mut both, &edits);
    assert!(
        matches!(error, GroundEditError::TooManyNavLinks { limit: 255, .. }),
        "{error}"
    );
    // Changing an existing one adds none.
    let changed = ascii::nav_link(NavLinkKind::Teleport, hub, Cell::flat(100, 0), 8);
    both.apply(&[GroundEdit::PutNavLink(changed)]);
}

#[test]
fn edits_that_cancel_out_leave_the_ground_unchanged() {
    let mut both = lane();
    let previous = both.ground.canonical();
    let (cell, other) = (Cell::flat(3, 0), Cell::flat(3, 1));
    let wall = ascii::wall_between(cell, Cell::flat(4, 0));
    let nav_link = ascii::nav_link(NavLinkKind::Jump, cell, Cell::flat(6, 0), 9);
    let changes = both.apply(&[
        remove(cell),
        remove(other),
        GroundEdit::PutWall(wall),
        GroundEdit::PutNavLink(nav_link),
        modifier_edit(5, shapes().remove(0), 77),
        modifier_edit(5, shapes().remove(2), 32),
        GroundEdit::RemoveNavLink((&nav_link).into()),
        GroundEdit::RemoveWall(wall),
        put(other),
        put(cell),
    ]);
    assert_eq!(both.ground.canonical(), previous);
    // In between, the lane was split; the batch reports only its end.
    assert!(changes.split_pairs.is_empty() && changes.merged_pairs.is_empty());
    assert_eq!(changes.changes.after.number, 2);
}

#[test]
fn a_wall_across_the_world_splits_it_with_its_last_cell() {
    let plan = WorldData {
        cells: Rect::around(Column::new(-40, 0), Column::new(40, 8))
            .columns()
            .map(|column| (column.at(0), Terrain::GROUND))
            .collect(),
        ..WorldData::default()
    };
    let mut both = Both::new(&plan);
    for y in 0..9 {
        let changes = both.apply(&[remove(Cell::flat(3, y))]);
        assert_eq!(changes.split_pairs.len(), usize::from(y == 8), "row {y}");
    }
    assert!(!both.is_connected(Cell::flat(-40, 0), Cell::flat(40, 0)));
    let changes = both.apply(&[put(Cell::flat(3, 4))]);
    assert_eq!(changes.merged_pairs.len(), 1);
}

#[test]
fn strips_removed_from_a_checkerboard_and_restored_split_and_merge_nothing() {
    let dark = |column: &Column| (column.x + column.y) & 1 == 0;
    let area = Rect::around(Column::new(-20, -10), Column::new(30, 20));
    let plan = WorldData {
        cells: area
            .columns()
            .filter(dark)
            .map(|column| (column.at(0), Terrain::GROUND))
            .collect(),
        ..WorldData::default()
    };
    let mut both = Both::new(&plan);
    assert!(both.sizes().iter().all(|size| *size == 1));
    let mut rng = Rng::new(5);
    for _ in 0..6 {
        let (x, y) = (rng.between(-20, 10), rng.between(-10, 20));
        let strip = (x..x + 20).map(|x| Column::new(x, y)).filter(dark);
        let cells: Vec<Cell> = strip.map(|column| column.at(0)).collect();
        let cuts: Vec<GroundEdit> = cells.iter().copied().map(remove).collect();
        let changes = both.apply(&cuts);
        assert_eq!(
            (changes.split_pairs.len(), changes.merged_pairs.len()),
            (0, 0)
        );
        let puts: Vec<GroundEdit> = cells.iter().copied().map(put).collect();
        let changes = both.apply(&puts);
        assert_eq!(
            (changes.split_pairs.len(), changes.merged_pairs.len()),
            (0, 0)
        );
    }
    assert_eq!(both.ground.canonical(), Both::new(&plan).ground.canonical());
    // A white cell connects the four around it, inside a sector and over its edges; at another
    // height it connects none; a black one raised by a step stays isolated.
    let before = both.ground.counts();
    for (cell, n_merged) in [
        (Cell::flat(4, 5), 3),
        (Cell::flat(15, 8), 3),
        (Cell::flat(16, 15), 3),
        (Cell::new(8, 3, 40), 0),
    ] {
        let changes = both.apply(&[put(cell)]);
        assert_eq!(changes.merged_pairs.len(), n_merged, "{cell} put");
        let changes = both.apply(&[remove(cell)]);
        assert_eq!(changes.split_pairs.len(), n_merged, "{cell} removed");
    }
    let lifted = [remove(Cell::flat(6, 6)), put(Cell::new(6, 6, 1))];
    let changes = both.apply(&lifted);
    assert_eq!(
        (changes.split_pairs.len(), changes.merged_pairs.len()),
        (0, 0)
    );
    assert_eq!(both.ground.counts(), before);
}
