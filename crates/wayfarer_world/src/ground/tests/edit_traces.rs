//! Small worlds with a point: towers, bridges, ladders, doors, spells.

use wayfarer_base::{
    Column, CostChange, CostModifier, CostModifierId, CostMultiplier, Fixed, LinkState, NavLinkId,
    NavLinkKind, Point2, Rect, Shape, Terrain, Wall, WallSide, WorldData,
};
use wayfarer_testkit::ascii;

use super::both::{Both, put, take};
use super::*;

/// The stairs of a tower, one cell a step, round the inside of a wall of 6 x 6 cells.
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
fn ten_storeys_of_spiral_stairs_in_one_sector_are_climbed_and_cut() {
    let stairs = spiral(201);
    let plan = WorldData {
        cells: stairs.iter().map(|c| (*c, Terrain::GROUND)).collect(),
        ..WorldData::default()
    };
    let mut both = Both::of(&plan);
    let (foot, top) = (stairs[0], stairs[200]);
    assert!(both.joined(foot, top));
    let sectors: BTreeSet<SectorId> = both
        .ground
        .regions()
        .map(|region| both.ground.sector_of(region))
        .collect();
    assert_eq!(sectors.len(), 1);
    let changes = both.apply(&[take(stairs[100])]);
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(!both.joined(foot, top) && both.joined(foot, stairs[99]));
    // A floor one step under the eleventh flight takes its headroom, not its floor.
    let changes = both.apply(&changes.inverse());
    assert_eq!(changes.merged_pairs.len(), 1);
    let ceiling = Cell::new(stairs[50].x, stairs[50].y, stairs[50].z + 1);
    let changes = both.apply(&[put(ceiling)]);
    assert!(both.ground.node(stairs[50]).is_none());
    // The ceiling is a floor too, two steps above the stair before: no way over it.
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(both.joined(ceiling, top) && !both.joined(foot, top));
}

#[test]
fn a_bridge_and_the_road_below_it_do_not_know_each_other() {
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
    let mut both = Both::of(&plan);
    let (west, east) = (Cell::flat(0, 2), Cell::flat(8, 2));
    let (north, south) = (Cell::flat(4, 0), Cell::flat(4, 4));
    assert!(both.joined(west, east) && both.joined(north, south));
    assert!(!both.joined(west, north));
    let changes = both.apply(&[take(Cell::new(4, 2, 3))]);
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(!both.joined(west, east) && both.joined(north, south));
    // Too low a bridge shuts the road.
    let low: Vec<GroundEdit> = (3..6).map(|x| put(Cell::new(x, 2, 2))).collect();
    let changes = both.apply(&low);
    assert_eq!(changes.split_pairs.len(), 1);
    assert!(both.ground.node(Cell::flat(4, 2)).is_none() && !both.joined(north, south));
    both.apply(&changes.inverse());
    assert!(both.joined(north, south));
    // A board so low that one steps on it does not.
    let board: Vec<GroundEdit> = (3..6).map(|x| put(Cell::new(x, 2, 1))).collect();
    both.apply(&board);
    assert!(both.ground.node(Cell::flat(4, 2)).is_none() && both.joined(north, south));
}

#[test]
fn a_drop_leads_down_only_and_joins_weakly() {
    let mut plan = ascii::world("..44");
    plan.profile.max_drop = 4;
    let mut both = Both::of(&plan);
    let (low, high) = (Cell::flat(1, 0), Cell::new(2, 0, 4));
    assert!(both.steps(high).contains(&low));
    assert!(!both.steps(low).contains(&high));
    assert!(both.joined(low, high));
    assert_eq!(both.sizes(), [2, 2]);
    // A drop by nav link, over any depth.
    let cliff = Cell::new(9, 0, 90);
    let jump = ascii::one_way(NavLinkKind::Drop, cliff, low, 1463);
    let changes = both.apply(&[put(cliff), GroundEdit::PutNavLink(jump)]);
    assert!(both.joined(cliff, low) && both.steps(cliff) == [low]);
    assert!(!both.steps(low).contains(&cliff));
    both.apply(&changes.inverse());
}

#[test]
fn a_ladder_works_while_both_its_ends_have_floors() {
    let mut both = Both::drawn("...\n= 20\n..#");
    let (foot, top) = (Cell::flat(0, 0), Cell::new(0, 0, 20));
    let ladder = ascii::nav_link(NavLinkKind::Ladder, foot, top, 9000);
    let changes = both.apply(&[GroundEdit::PutNavLink(ladder)]);
    assert_eq!(changes.merged_pairs.len(), 1);
    both.apply(&[take(top)]);
    assert!(!both.joined(foot, Cell::new(1, 0, 20)));
    both.apply(&[put(top)]);
    assert!(both.joined(foot, Cell::new(1, 0, 20)));
    // Somebody covers the top with a board: there is no room to stand.
    both.apply(&[put(Cell::new(0, 0, 21))]);
    assert!(!both.joined(foot, Cell::new(1, 0, 20)));
}

#[test]
fn doors_open_close_and_lock_and_the_change_says_what_they_part() {
    for (keys, opens_lock) in [(0, false), (0b01, false), (0b11, true), (0b111, true)] {
        let mut plan = ascii::world("......");
        plan.profile.keys = keys;
        let (west, east) = (Cell::flat(2, 0), Cell::flat(3, 0));
        let (wall, nav_link) = ascii::door(west, east, LinkState::Open);
        plan.walls.push(wall);
        plan.nav_links.push(nav_link);
        let mut both = Both::of(&plan);
        let name = NavLinkId::from(&nav_link);
        let set = |gate| {
            [GroundEdit::SetNavLinkState {
                nav_link: name,
                state: gate,
            }]
        };
        assert!(both.joined(west, east));
        let changes = both.apply(&set(LinkState::Closed));
        assert_eq!(
            (changes.split_pairs.len(), changes.merged_pairs.len()),
            (1, 0)
        );
        assert!(!both.joined(west, east));
        let changes = both.apply(&set(LinkState::Locked(0b11)));
        assert_eq!(
            changes.merged_pairs.len(),
            usize::from(opens_lock),
            "{keys:b}"
        );
        assert_eq!(both.joined(west, east), opens_lock);
        let changes = both.apply(&set(LinkState::Open));
        assert_eq!(changes.merged_pairs.len(), usize::from(!opens_lock));
        assert!(both.joined(west, east));
        let changes = both.apply(&set(LinkState::Open));
        assert!(changes.changes.is_empty());
    }
}

#[test]
fn a_teleport_joins_worlds_however_far_apart() {
    let mut both = Both::drawn("..\n= -7 at 4000000,-4000000\n...");
    let (here, there) = (Cell::flat(0, 0), Cell::new(4_000_000, -4_000_000, -7));
    assert!(!both.joined(here, there));
    let gate = ascii::nav_link(NavLinkKind::Teleport, here, there, 1);
    let changes = both.apply(&[GroundEdit::PutNavLink(gate)]);
    assert_eq!(changes.merged_pairs.len(), 1);
    assert!(both.joined(Cell::flat(1, 0), Cell::new(4_000_002, -4_000_000, -7)));
    let changes = both.apply(&[GroundEdit::RemoveNavLink((&gate).into())]);
    assert_eq!(changes.split_pairs.len(), 1);
}

fn fixed(cells: f64) -> Fixed {
    Fixed::from_cells(cells).unwrap()
}

fn point(x: f64, y: f64) -> Point2 {
    Point2::new(fixed(x), fixed(y))
}

fn spell(name: u64, shape: Shape, sixteenths: u16) -> GroundEdit {
    GroundEdit::PutCostModifier {
        id: CostModifierId(name),
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

/// Ground at 0 from (-4, -4) to (27, 27), and an upper floor at 5 that spells do not reach.
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
    Both::of(&plan)
}

fn sum_of_multipliers(both: &Both) -> u64 {
    let multipliers = both.ground.canonical().multipliers;
    multipliers
        .iter()
        .map(|(_, multiplier)| u64::from(*multiplier))
        .sum()
}

#[test]
fn spells_of_every_shape_stack_move_and_lift() {
    let mut both = meadow();
    let calm = both.ground.canonical();
    for (name, shape) in (0..).zip(shapes()) {
        let before = sum_of_multipliers(&both);
        let changes = both.apply(&[spell(name, shape, 24)]);
        assert!(sum_of_multipliers(&both) > before, "spell {name}");
        assert!(changes.split_pairs.is_empty() && changes.merged_pairs.is_empty());
        let harder = |t: &wayfarer_base::DirtySector| t.cost_change == CostChange::Increase;
        assert!(
            !changes.changes.dirty_sectors.is_empty()
                && changes.changes.dirty_sectors.iter().all(harder)
        );
    }
    // What each adds to 1 is added: somewhere all meet.
    let dearest = both
        .ground
        .canonical()
        .multipliers
        .iter()
        .map(|p| p.1)
        .max();
    assert!(dearest >= Some(16 + 4 * 8), "{dearest:?}");
    // Move one: the same name with another place, in one batch.
    let moved = Shape::Circle {
        center: point(20.0, 3.0),
        radius: fixed(5.0),
    };
    both.apply(&[spell(0, moved, 24)]);
    // A spell that is cast again unchanged changes nothing.
    let changes = both.apply(&[spell(1, shapes().remove(1), 24)]);
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
fn a_spell_wider_than_sectors_are_noted_for_lies_and_lifts_like_any_other() {
    let mut both = meadow();
    let calm = both.ground.canonical();
    let wide = Shape::Box(Rect::around(Column::new(-400, -300), Column::new(300, 300)));
    both.apply(&[spell(1, wide, 24), spell(2, shapes().remove(0), 48)]);
    // A floor that comes later lies under it, too; then it shrinks, and goes.
    let far = Cell::flat(-390, 290);
    both.apply(&[put(far)]);
    assert_eq!(both.ground.cost_multiplier(both.node(far)).sixteenths(), 24);
    both.apply(&[spell(1, shapes().remove(1), 24)]);
    assert_eq!(both.ground.cost_multiplier(both.node(far)).sixteenths(), 16);
    let lifted = [1, 2].map(|name| GroundEdit::RemoveCostModifier(CostModifierId(name)));
    both.apply(&lifted);
    both.apply(&[take(far)]);
    assert_eq!(both.ground.canonical(), calm);
}

#[test]
fn a_spell_over_all_the_world_costs_no_more_than_what_was_built() {
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
    let changes = ground.apply(&[spell(1, everywhere, 24), spell(2, wide, 48)]);
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
fn an_area_larger_than_the_world_is_looked_through_in_the_same_order() {
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
fn filling_more_than_an_edit_may_span_is_refused_and_clearing_it_is_not() {
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
    let refused = refused(&mut both, &[take(Cell::flat(0, 0)), fill]);
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
fn prices_stop_at_the_dearest_and_come_back_down() {
    let mut both = meadow();
    let calm = both.ground.canonical();
    let everywhere = Shape::Box(Rect::around(Column::new(0, 0), Column::new(2, 2)));
    let casts: Vec<GroundEdit> = (0..3)
        .map(|n| spell(n, everywhere.clone(), 40_000))
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
fn a_spell_lies_on_floors_that_come_later() {
    let mut both = Both::drawn("...");
    let area = Shape::Box(Rect::around(Column::new(1, 0), Column::new(40, 9)));
    both.apply(&[spell(7, area, 48)]);
    assert_eq!(both.ground.canonical().multipliers.len(), 2);
    // In the same sector, in a new sector, and at heights that it does not reach.
    let later = [(3, 0, 0), (35, 5, 2), (35, 5, 9), (4, 4, -3)];
    let edits: Vec<GroundEdit> = later.map(|(x, y, z)| put(Cell::new(x, y, z))).to_vec();
    both.apply(&edits);
    assert_eq!(both.ground.canonical().multipliers.len(), 4);
    // A floor that goes and comes back in one batch is under the spell as before.
    both.apply(&[take(Cell::flat(1, 0)), put(Cell::flat(1, 0))]);
    assert_eq!(both.ground.canonical().multipliers.len(), 4);
}

#[test]
fn a_wall_forbids_the_step_both_ways_and_the_corners_around_it() {
    let mut both = Both::drawn("...\n...\n...");
    let (center, east) = (Cell::flat(1, 1), Cell::flat(2, 1));
    let wall = Wall {
        cell: center,
        side: WallSide::East,
    };
    both.apply(&[GroundEdit::PutWall(wall)]);
    assert!(!both.steps(center).contains(&east) && !both.steps(east).contains(&center));
    // Diagonals that would pass the wall's end: from the middle and from east of it.
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
fn walls_stand_on_the_height_of_their_own_cell_and_across_sectors() {
    // Steps up to the east over the border of a sector at x = 16, the wall on the lower cell.
    let cells = [(15, 0, 0), (16, 0, 1), (15, 0, 6), (16, 0, 6)];
    let mut plan = WorldData::default();
    for (x, y, z) in cells {
        plan.cells.push((Cell::new(x, y, z), Terrain::GROUND));
    }
    let mut both = Both::of(&plan);
    let wall = |z| Wall {
        cell: Cell::new(15, 0, z),
        side: WallSide::East,
    };
    let (low, high) = (Cell::flat(15, 0), Cell::new(16, 0, 1));
    // A wall at the height of the eastern cell stands on nothing.
    let changes = both.apply(&[GroundEdit::PutWall(wall(1))]);
    assert!(changes.split_pairs.is_empty() && both.joined(low, high));
    let changes = both.apply(&[GroundEdit::PutWall(wall(0))]);
    assert_eq!(changes.split_pairs.len(), 1);
    // The floor above has its own edge.
    assert!(both.joined(Cell::new(15, 0, 6), Cell::new(16, 0, 6)));
    // The wall outlives its floor.
    both.apply(&[take(low)]);
    both.apply(&[put(low)]);
    assert!(!both.joined(low, high));
}

/// Applies a batch that must be refused, and demands that nothing is different.
#[track_caller]
fn refused(both: &mut Both, edits: &[GroundEdit]) -> GroundEditError {
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

/// Edits of every kind that can be done, for batches that cannot.
fn turmoil() -> Vec<GroundEdit> {
    let (wall, door) = ascii::door(Cell::flat(2, 0), Cell::flat(3, 0), LinkState::Closed);
    vec![
        put(Cell::new(1, 0, 9)),
        take(Cell::flat(4, 0)),
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
        spell(1, shapes().remove(0), 99),
        GroundEdit::RemoveCostModifier(CostModifierId(5)),
    ]
}

fn lane() -> Both {
    let mut both = Both::drawn(".......\n.......");
    both.apply(&[spell(5, shapes().remove(2), 32)]);
    both
}

#[test]
fn a_batch_with_one_bad_edit_changes_nothing_at_all() {
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
        let mut edits = turmoil();
        edits.push(edit.clone());
        let error = refused(&mut both, &edits).to_string();
        let place = format!("edit {}: ", edits.len() - 1);
        assert!(error.starts_with(&place), "{edit:?}: {error}");
    }
}

#[test]
fn one_floor_too_many_refuses_the_whole_batch() {
    let mut both = lane();
    let column = Column::new(3, 1);
    let floors: Vec<GroundEdit> = (1..255).map(|n| put(column.at(n * 3))).collect();
    both.apply(&floors);
    assert_eq!(both.ground.floors(column).count(), WorldData::MAX_FLOORS);
    let mut edits = turmoil();
    edits.push(put(column.at(-4)));
    // The turmoil's own fill is the first that does not fit.
    let error = refused(&mut both, &edits);
    assert!(
        matches!(error, GroundEditError::TooManyFloors { .. }),
        "{error}"
    );
    let error = refused(&mut both, &[take(Cell::flat(0, 0)), put(column.at(-4))]);
    assert_eq!(
        error.to_string(),
        "edit 1: column of (3, 1, -4) has 255 floors already, the most there can be"
    );
    // Room made earlier in the batch counts.
    both.apply(&[take(column.at(3)), put(column.at(-4))]);
}

#[test]
fn one_passage_too_many_refuses_the_whole_batch() {
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
    let mut edits = turmoil();
    edits.push(GroundEdit::PutNavLink(one_more));
    let error = refused(&mut both, &edits);
    assert!(
        matches!(error, GroundEditError::TooManyNavLinks { limit: 255, .. }),
        "{error}"
    );
    // Changing one that is there is no new one.
    let changed = ascii::nav_link(NavLinkKind::Teleport, hub, Cell::flat(100, 0), 8);
    both.apply(&[GroundEdit::PutNavLink(changed)]);
}

#[test]
fn edits_that_cancel_out_leave_the_world_as_it_was() {
    let mut both = lane();
    let previous = both.ground.canonical();
    let (cell, other) = (Cell::flat(3, 0), Cell::flat(3, 1));
    let wall = ascii::wall_between(cell, Cell::flat(4, 0));
    let nav_link = ascii::nav_link(NavLinkKind::Jump, cell, Cell::flat(6, 0), 9);
    let changes = both.apply(&[
        take(cell),
        take(other),
        GroundEdit::PutWall(wall),
        GroundEdit::PutNavLink(nav_link),
        spell(5, shapes().remove(0), 77),
        spell(5, shapes().remove(2), 32),
        GroundEdit::RemoveNavLink((&nav_link).into()),
        GroundEdit::RemoveWall(wall),
        put(other),
        put(cell),
    ]);
    assert_eq!(both.ground.canonical(), previous);
    // In between, the lane was cut in two; nobody was there to see it.
    assert!(changes.split_pairs.is_empty() && changes.merged_pairs.is_empty());
    assert_eq!(changes.changes.after, Revision(2));
}

#[test]
fn a_wall_across_the_world_parts_it_with_its_last_cell() {
    let plan = WorldData {
        cells: Rect::around(Column::new(-40, 0), Column::new(40, 8))
            .columns()
            .map(|column| (column.at(0), Terrain::GROUND))
            .collect(),
        ..WorldData::default()
    };
    let mut both = Both::of(&plan);
    for y in 0..9 {
        let changes = both.apply(&[take(Cell::flat(3, y))]);
        assert_eq!(changes.split_pairs.len(), usize::from(y == 8), "row {y}");
    }
    assert!(!both.joined(Cell::flat(-40, 0), Cell::flat(40, 0)));
    let changes = both.apply(&[put(Cell::flat(3, 4))]);
    assert_eq!(changes.merged_pairs.len(), 1);
}

#[test]
fn strips_cut_out_of_a_checkerboard_and_put_back_part_and_join_nothing() {
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
    let mut both = Both::of(&plan);
    assert!(both.sizes().iter().all(|size| *size == 1));
    let mut rng = Rng::new(5);
    for _ in 0..6 {
        let (x, y) = (rng.between(-20, 10), rng.between(-10, 20));
        let strip = (x..x + 20).map(|x| Column::new(x, y)).filter(dark);
        let cells: Vec<Cell> = strip.map(|column| column.at(0)).collect();
        let cuts: Vec<GroundEdit> = cells.iter().copied().map(take).collect();
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
    assert_eq!(both.ground.canonical(), Both::of(&plan).ground.canonical());
    // A light square joins the four around it, inside a sector and over its edges; one at another
    // height joins none; a dark one that goes up a step is still alone.
    let before = both.ground.counts();
    for (cell, n_joined) in [
        (Cell::flat(4, 5), 3),
        (Cell::flat(15, 8), 3),
        (Cell::flat(16, 15), 3),
        (Cell::new(8, 3, 40), 0),
    ] {
        let changes = both.apply(&[put(cell)]);
        assert_eq!(changes.merged_pairs.len(), n_joined, "{cell} put");
        let changes = both.apply(&[take(cell)]);
        assert_eq!(changes.split_pairs.len(), n_joined, "{cell} taken");
    }
    let lifted = [take(Cell::flat(6, 6)), put(Cell::new(6, 6, 1))];
    let changes = both.apply(&lifted);
    assert_eq!(
        (changes.split_pairs.len(), changes.merged_pairs.len()),
        (0, 0)
    );
    assert_eq!(both.ground.counts(), before);
}
