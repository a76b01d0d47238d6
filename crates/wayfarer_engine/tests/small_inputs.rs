//! Small inputs that once took minutes or gigabytes: they are answered in proportion, or refused by
//! a limit of `docs/design/limits.md`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use wayfarer_counting::{CountingAllocator, allocation_stats, reset_peak};
use wayfarer_engine::World;
use wayfarer_engine::base::{
    Cell, Column, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit, Point2, Profile,
    Raster, Rect, Shape, Terrain, TriangleSoup, Voxel,
};
use wayfarer_engine::search::ground::{GroundRequest, ReachabilitySearcher};
use wayfarer_engine::world::ground::Ground;
use wayfarer_engine::world::solid::{Fill, VoxelGrid, VoxelizeError, max_spans, voxelize};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const MEGABYTE: i64 = 1 << 20;

/// The allocator counts all threads together: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `call` and checks how much more memory it used at its peak than before.
fn within<T>(megabytes: i64, call: impl FnOnce() -> T) -> T {
    let before = allocation_stats().bytes_now;
    reset_peak();
    let result = call();
    let used = allocation_stats().bytes_peak - before;
    assert!(used <= megabytes * MEGABYTE, "{used} bytes");
    result
}

fn meadow(side: u32) -> World {
    let cells = vec![0; (side * side) as usize];
    World::from_raster(&Raster::from_bytes(side, side, cells).unwrap())
}

fn point(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(y).unwrap())
}

/// A comb of `n` corners and `height` rows, whose teeth fill `width` columns.
fn comb(n: i32, width: i32, height: i32) -> Shape {
    let tooth = |number: i32| point(number * width / n, (number % 2) * height);
    Shape::Polygon((0..n).map(tooth).collect())
}

fn modifier(id: u64, shape: Shape, sixteenths: u16) -> GroundEdit {
    GroundEdit::PutCostModifier {
        id: CostModifierId(id),
        modifier: CostModifier {
            shape,
            heights: (-9, 9),
            multiplier: CostMultiplier::from_sixteenths(sixteenths).unwrap(),
        },
    }
}

#[test]
fn polygons_of_a_thousand_corners_fill_clear_and_modify_by_rows() {
    let _alone = alone();
    let mut world = meadow(1_024);
    let shape = comb(1_000, 1_024, 1_024);
    let (terrain, z) = (Terrain::SWAMP, 0);
    let n_columns = shape.columns().count();
    assert!((200_000..300_000).contains(&n_columns), "{n_columns}");
    let before = world.state_hash();
    let fill = GroundEdit::Fill {
        shape: shape.clone(),
        z,
        terrain,
    };
    let changes = within(256, || world.apply([fill]).unwrap());
    // The whole area is one difference.
    let differences = &changes.ground.as_ref().unwrap().changes.differences;
    assert_eq!(differences.len(), 1);
    world.apply(changes.inverse()).unwrap();
    assert_eq!(world.state_hash(), before);
    within(256, || {
        world.apply([modifier(1, shape.clone(), 32)]).unwrap()
    });
    let heights = (0, 0);
    within(256, || {
        world.apply([GroundEdit::Clear { shape, heights }]).unwrap()
    });
    assert_eq!(world.ground().counts().0, 1_024 * 1_024 - n_columns);
}

#[test]
fn four_hundred_overlapping_modifiers_add_up_one_batch_after_another() {
    let _alone = alone();
    let mut world = meadow(256);
    let plain = world.state_hash();
    let whole = Rect::around(Column::new(0, 0), Column::new(255, 255));
    for id in 0..400 {
        let shape = match id % 2 {
            0 => Shape::Box(whole),
            _ => comb(60, 256, 256),
        };
        world.apply([modifier(id, shape, 17)]).unwrap();
    }
    let multiplier = |world: &World, x: i32, y: i32| {
        let node = world.ground().node(Cell::flat(x, y)).unwrap();
        world.ground().cost_multiplier(node).sixteenths()
    };
    let center = Point2::center_of(Column::new(30, 200)).unwrap();
    let is_in_comb = comb(60, 256, 256).contains(center);
    assert_eq!(
        multiplier(&world, 30, 200),
        16 + 200 + 200 * u16::from(is_in_comb)
    );
    let rebuilt = World::load(&world.save()).unwrap();
    assert_eq!(rebuilt.canonical(), world.canonical());
    world
        .apply((0..400).map(|id| GroundEdit::RemoveCostModifier(CostModifierId(id))))
        .unwrap();
    assert_eq!(world.state_hash(), plain);
    assert_eq!(multiplier(&world, 30, 200), 16);
}

#[test]
fn polygons_with_more_corners_than_the_limit_are_refused() {
    let _alone = alone();
    let mut world = meadow(16);
    let too_many = i32::try_from(Ground::MAX_CORNERS).unwrap() + 1;
    let refused = |world: &mut World, shape: Shape, expected: &str| {
        let edits = [
            GroundEdit::Fill {
                shape: shape.clone(),
                z: 0,
                terrain: Terrain::GROUND,
            },
            GroundEdit::Clear {
                shape: shape.clone(),
                heights: (0, 0),
            },
            modifier(1, shape, 17),
        ];
        for edit in edits {
            let error = within(1, || world.apply([edit]).unwrap_err());
            assert!(error.to_string().contains(expected), "{error}");
        }
    };
    let wide = comb(too_many, 5_000, 4);
    refused(&mut world, wide, "4097 corners, at its height 4096 at most");
    let high = comb(1_000, 8, 1 << 20);
    refused(&mut world, high, "1000 corners, at its height 63 at most");
}

#[test]
fn more_cost_modifiers_than_the_limit_are_refused() {
    let _alone = alone();
    let mut world = World::new(Profile::DEFAULT).unwrap();
    let spot = |id: u64| {
        let column = Column::new(i32::try_from(id % 999).unwrap(), 0);
        modifier(id, Shape::Box(Rect::around(column, column)), u16::MAX)
    };
    let limit = Ground::MAX_COST_MODIFIERS as u64;
    world.apply((0..limit).map(spot)).unwrap();
    world.apply([spot(3)]).unwrap(); // replaced
    let error = world.apply([spot(limit)]).unwrap_err();
    assert!(
        error.to_string().contains("65536 cost modifiers already"),
        "{error}"
    );
}

#[test]
fn a_mesh_of_few_triangles_over_a_huge_box_is_refused_before_it_is_built() {
    let _alone = alone();
    let far = 1_000_000.0;
    let vertices = vec![
        [0.0, 0.0, 0.0],
        [far, 0.0, 0.0],
        [0.0, far, 0.0],
        [0.0, 0.0, far],
    ];
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = TriangleSoup::new(vertices, faces).unwrap();
    let edge = VoxelGrid::MAX_COORDINATE - 1;
    let grid = VoxelGrid::cubes(
        1.0,
        Voxel::new(-edge, -edge, -edge),
        Voxel::new(edge, edge, edge),
    );
    let error = within(1, || voxelize(&mesh, &grid, Fill::Interior).unwrap_err());
    let limit = max_spans(4);
    assert_eq!(error, VoxelizeError::TooManySpans { limit });
    // Steep triangles cover few columns; what they reach is bounded while it is built.
    let vertices = vec![
        [0.0, 0.0, 0.0],
        [0.4, far, 0.0],
        [0.0, far, far],
        [0.4, 0.0, far],
    ];
    let wall = TriangleSoup::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    within(256, || {
        voxelize(&wall, &grid, Fill::Interior).map(drop).ok()
    });
}

#[test]
fn an_explanation_in_a_large_maze_stays_within_its_expansions() {
    let _alone = alone();
    // Walls with one gap each, at alternating ends; the last has none.
    let side = 2_048_usize;
    let mut cells = vec![0; side * side];
    for y in (1..side).step_by(2) {
        for x in 0..side {
            let gap = if y % 4 == 1 { side - 1 } else { 0 };
            if x != gap || y + 2 >= side {
                cells[y * side + x] = u8::MAX;
            }
        }
    }
    let map = Raster::from_bytes(2_048, 2_048, cells).unwrap();
    let ground = Ground::from_raster(&map);
    let request = GroundRequest::new(Cell::flat(0, 0), Cell::flat(0, 2_047));
    let explanation = within(256, || {
        ReachabilitySearcher::default()
            .explain(&ground, &request)
            .unwrap()
    });
    assert_eq!(explanation.frontier.len(), 16);
}
