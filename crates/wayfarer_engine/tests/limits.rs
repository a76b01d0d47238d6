//! The rows of `docs/design/limits.md`: accepted calls stay within their memory, and what is too
//! large is refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use wayfarer_counting::{CountingAllocator, allocation_stats, reset_peak};
use wayfarer_engine::base::{Profile, Raster, Terrain, Voxel};
use wayfarer_engine::world::air::{AirBuilder, AirEdit, Geometry, GeometryId};
use wayfarer_engine::world::ground::GroundDifference;
use wayfarer_engine::{Edit, Position, Solid, World};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const MEGABYTE: i64 = 1 << 20;

/// Runs `call` and checks how much more memory it used at its peak than before.
fn within<T>(what: &str, limit: i64, call: impl FnOnce() -> T) -> T {
    let before = allocation_stats().bytes_now;
    reset_peak();
    let result = call();
    let used = allocation_stats().bytes_peak - before;
    assert!(
        used <= limit,
        "{what}: {used} bytes, expected at most {limit}"
    );
    result
}

fn huge_air() -> World {
    let air = AirBuilder::new(Voxel::new(0, 0, 0), [1 << 17; 3]).unwrap();
    let world = World::new(Profile::DEFAULT).unwrap();
    world.with_air(air.build().unwrap())
}

#[test]
fn a_huge_fill_of_the_air_is_saved_loaded_and_undone_in_a_megabyte() {
    let mut world = huge_air();
    let empty = world.state_hash();
    let high = (1 << 16) - 1;
    let fill = AirEdit::Fill {
        low: Voxel::new(0, 0, 0),
        high: Voxel::new(high, high, high),
    };
    let changes = within("fill", MEGABYTE, || world.apply([fill]).unwrap());
    let saved = world.save();
    assert!(saved.len() < 600, "{} bytes", saved.len());
    let loaded = within("load", MEGABYTE, || World::load(&saved).unwrap());
    assert_eq!(loaded.state_hash(), world.state_hash());
    let undo = changes.inverse();
    assert_eq!(undo.len(), 1);
    within("undo", MEGABYTE, || world.apply(undo).unwrap());
    assert_eq!(world.state_hash(), empty);
}

/// Small geometries must not make a query for a huge box visit every small cell of it.
#[test]
fn a_huge_geometry_among_small_ones_takes_no_longer_than_they_are_many() {
    let mut world = huge_air();
    let put = |id: u64, low: Voxel, high: Voxel| {
        let geometry = Geometry::Box { low, high };
        let id = GeometryId(id);
        Edit::Air(AirEdit::Put { id, geometry })
    };
    let last = (1 << 17) - 1;
    let (low, high) = (Voxel::new(0, 0, 0), Voxel::new(last, last, last));
    let pebble = Voxel::new(9, 9, 9);
    world.apply([put(1, pebble, pebble)]).unwrap();
    within("a huge geometry", MEGABYTE, || {
        world.apply([put(2, low, high)]).unwrap();
        world
            .apply([Edit::Air(AirEdit::Remove { id: GeometryId(2) })])
            .unwrap();
    });
    let air = world.air().unwrap();
    assert_eq!(air.n_solid(), 1);
}

/// Solids and boxes of the ground are recorded by area, not cell by cell.
#[test]
fn a_wide_solid_is_placed_and_undone_in_memory_for_its_area() {
    let side = 1_024_u32;
    let map = Raster::from_bytes(side, side, vec![0; (side * side) as usize]).unwrap();
    let mut world = World::from_raster(&map);
    let empty = world.state_hash();
    let n_sectors = i64::from(side / 16 * side / 16);
    let (low, high) = (Position::default(), Position::new(1_024.0, 1_024.0, 3.0));
    let top = Terrain::GROUND;
    let edits = [
        Edit::add_solid(Solid::cuboid(low, high)),
        Edit::FillBox { low, high, top },
    ];
    for edit in edits {
        let before = allocation_stats().bytes_now;
        let changes = within("place", 2_500 * n_sectors, || world.apply([edit]).unwrap());
        let undo = changes.inverse();
        assert_eq!(undo.len(), 1);
        drop(undo);
        let ground = changes.ground.as_ref().unwrap();
        let n_blocks: usize = match &ground.changes.differences[..] {
            [GroundDifference::Solid(solid)] => solid.shown.len(),
            [GroundDifference::Floors(floors)] => floors.floors.len(),
            other => panic!("{} differences", other.len()),
        };
        assert_eq!(i64::try_from(n_blocks), Ok(2 * n_sectors));
        let held = allocation_stats().bytes_now - before;
        assert!(held <= 1_800 * n_sectors, "{} a sector", held / n_sectors);
        within("undo", 500 * n_sectors, || {
            world.apply(changes.inverse()).unwrap()
        });
        assert_eq!(world.state_hash(), empty);
    }
}
