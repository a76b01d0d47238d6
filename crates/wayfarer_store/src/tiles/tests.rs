//! A streamed world on disk.

use wayfarer::prelude::*;
use wayfarer::streaming::{StreamedLayout, StreamedWorld, TileDraft, TileSource};

use super::*;

/// Open ground.
#[derive(Debug)]
struct Open;

impl TileSource for Open {
    fn draw(&self, draft: &mut TileDraft) {
        let ((x, y), (width, height)) = (draft.first_cell(), draft.n_cells());
        for y in y..y + height.cast_signed() {
            let row = (0..width).map(|_| Some(Terrain::GROUND));
            draft.set_row((x, y), row);
        }
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let unique = format!("wayfarer-tiles-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(unique))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

#[test]
fn a_world_in_a_directory_opens_as_it_was_flushed() {
    let folder = Folder::new("flushed");
    let store = || Box::new(TileDirectory::new(&folder.0).unwrap());
    let (low, high) = (
        Position::new(-64.0, 0.0, 0.0),
        Position::new(128.0, 64.0, 0.0),
    );
    let layout = StreamedLayout {
        tile_cells: 64,
        ..StreamedLayout::new(Scale::UNIT, low, high)
    };
    let mut world = StreamedWorld::create(&layout, Box::new(Open), store(), 1).unwrap();
    world.set_memory_limit(0).unwrap();
    let wall = Solid::cuboid(
        Position::new(60.0, 0.0, 0.0),
        Position::new(61.0, 64.0, 3.0),
    );
    world.add_solid(wall).unwrap();
    world.flush().unwrap();
    let expected = world.hash();
    drop(world);
    let mut world = StreamedWorld::open(store(), Some(Box::new(Open))).unwrap();
    assert_eq!(world.hash(), expected);
    let (west, east) = (
        Position::new(-60.5, 9.5, 0.0),
        Position::new(120.5, 9.5, 0.0),
    );
    let is_connected = world.is_connected(AgentTypeId::DEFAULT, west, east);
    assert_eq!(is_connected, Ok(Some(false)));
    // Two tiles have the wall in their windows.
    let folders = |name: &str| fs::read_dir(folder.0.join(name)).map(Iterator::count).ok();
    assert_eq!(
        [folders("tile_-1"), folders("tile_0"), folders("tile_1")],
        [None, Some(1), Some(1)]
    );
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let folder = Folder::new("names");
    let mut store = TileDirectory::new(&folder.0).unwrap();
    for name in ["", "../up", "a/b", "A", "tile.1"] {
        assert!(store.save(name, b"x").is_err(), "{name}");
        assert!(
            store.load(name).is_err() && store.remove(name).is_err(),
            "{name}"
        );
    }
    assert_eq!(store.remove("tile_1_1_1"), Ok(()));
}
