//! Streamed worlds against one world that holds everything.

mod air;
mod one_way;
mod sequences;

use std::sync::{Arc, Mutex};

use super::source::TileDraft;
use super::{
    BakedTile, MemoryStore, StoreFault, StreamError, StreamedLayout, StreamedWorld, TileId,
    TilePlan, TileSource, TileStore,
};
use crate::prelude::*;
use crate::streaming::layout::Grid;
use crate::{EditError, NavLinkKind, ThinWall};

/// Blocks of open ground and walls, and platforms that are stepped onto, from a seed.
#[derive(Clone, Copy, Debug)]
struct Town {
    seed: u64,
}

impl Town {
    /// A number of a place alone.
    fn noise(self, x: i32, y: i32, salt: u64) -> u64 {
        let mut state = self.seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for part in [x, y] {
            state = (state ^ u64::from(part.cast_unsigned())).wrapping_mul(0xff51_afd7_ed55_8ccd);
            state ^= state >> 32;
        }
        state
    }

    fn is_open(self, x: i32, y: i32) -> bool {
        let block = (x.div_euclid(5), y.div_euclid(4));
        let is_wall = self.noise(block.0, block.1, 1).is_multiple_of(3);
        !is_wall && !self.noise(x, y, 2).is_multiple_of(16)
    }
}

impl TileSource for Town {
    fn draw(&self, draft: &mut TileDraft) {
        let ((x, y), (width, height)) = (draft.first_cell(), draft.n_cells());
        let (xs, ys) = (x..x + width.cast_signed(), y..y + height.cast_signed());
        for y in ys.clone() {
            let floors = xs.clone().map(|x| self.is_open(x, y));
            draft.set_row((x, y), floors.map(|open| open.then_some(Terrain::GROUND)));
        }
        // Platforms of up to 9 x 9 cells, wherever they reach into the draft.
        for j in (ys.start - 9).div_euclid(24)..=ys.end.div_euclid(24) {
            for i in (xs.start - 9).div_euclid(24)..=xs.end.div_euclid(24) {
                let size = f64::from(u8::try_from(self.noise(i, j, 3) % 9 + 1).unwrap());
                let low = Position::new(f64::from(i * 24), f64::from(j * 24), 0.0);
                let [x, y, _] = low.units();
                let high = Position::new(x + size, y + size, 0.0);
                let top = Position::new(x + size, y + size, 1.0);
                match self.noise(i, j, 4) % 3 {
                    0 => draft.edit(Edit::fill(low, top, Terrain::GROUND)),
                    1 => draft.edit(Edit::add_floors(Area::rect(low, high), 1.0, Terrain::SWAMP)),
                    _ => draft.edit(Edit::add_wall(ThinWall {
                        from: low,
                        to: Position::new(x + size, y, 0.0),
                    })),
                }
            }
        }
    }
}

/// A store that the test keeps too.
#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<MemoryStore>>);

impl TileStore for Shared {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreFault> {
        self.0.lock().unwrap().load(name)
    }

    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), StoreFault> {
        self.0.lock().unwrap().save(name, bytes)
    }

    fn remove(&mut self, name: &str) -> Result<(), StoreFault> {
        self.0.lock().unwrap().remove(name)
    }
}

fn layout() -> StreamedLayout {
    let wide = AgentType {
        radius: 1.2,
        height: 3.0,
        max_step: 1.0,
        max_drop: 1.0,
        ..AgentType::GROUND
    };
    StreamedLayout {
        tile_cells: 48,
        agent_types: vec![wide],
        ..StreamedLayout::new(
            Scale::UNIT,
            Position::new(-48.0, 0.0, 0.0),
            Position::new(96.0, 96.0, 0.0),
        )
    }
}

fn town(seed: u64, store: &Shared) -> StreamedWorld {
    let (source, store) = (Box::new(Town { seed }), Box::new(store.clone()));
    StreamedWorld::create(&layout(), source, store, 1).unwrap()
}

/// The same world in one piece.
fn whole(seed: u64) -> World {
    let grid = Grid::new(&layout()).unwrap();
    let mut draft = TileDraft::new(grid.template.frame(), grid.columns());
    Town { seed }.draw(&mut draft);
    draft.build(&grid).unwrap()
}

fn tiles() -> Vec<TileId> {
    TilePlan::new(&layout()).unwrap().tiles()
}

fn at(x: i32, y: i32) -> Position {
    Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0)
}

#[test]
fn threads_and_other_machines_build_the_same_world() {
    let alone = town(3, &Shared::default());
    let source = Town { seed: 3 };
    let store = || Box::new(MemoryStore::default());
    let threads = StreamedWorld::create(&layout(), Box::new(source), store(), 3).unwrap();
    assert_eq!(threads.hash(), alone.hash());
    let plan = TilePlan::load(&TilePlan::new(&layout()).unwrap().save()).unwrap();
    let tiles = plan.tiles();
    let bake = |tile: &TileId| plan.bake(&source, *tile).unwrap();
    let baked: Vec<_> = tiles.iter().rev().map(bake).collect();
    let sent = baked.iter().map(|tile| {
        let bytes = tile.save();
        BakedTile::load(&bytes).unwrap()
    });
    let mut assembled = StreamedWorld::assemble(&plan, sent, store()).unwrap();
    assert_eq!(assembled.hash(), alone.hash());
    let mut alone = alone;
    for tile in tiles {
        assembled.load_tile(tile).unwrap();
        alone.load_tile(tile).unwrap();
        let hash = |world: &StreamedWorld| world.tile_world(tile).map(World::hash);
        assert_eq!(hash(&assembled), hash(&alone), "{tile}");
    }
    let missing = baked[1..].to_vec();
    let missing = StreamedWorld::assemble(&plan, missing, store());
    assert!(
        matches!(missing, Err(StreamError::Layout { .. })),
        "{missing:?}"
    );
}

#[test]
fn a_batch_that_one_tile_rejects_changes_no_tile() {
    let store = Shared::default();
    let mut world = town(1, &store);
    let before = world.hash();
    let solid = Solid::cuboid(
        Position::new(-20.0, 3.0, 0.0),
        Position::new(-9.0, 9.0, 4.0),
    );
    let column = Area::rect(
        Position::new(80.0, 80.0, 0.0),
        Position::new(81.0, 81.0, 0.0),
    );
    let floor = |z| Edit::add_floors(column.clone(), f64::from(z), Terrain::GROUND);
    let mut batch = vec![Edit::add_solid(solid)];
    batch.extend((0..300_i16).map(|z| floor(10 * z)));
    let rejected = world.apply(&batch);
    let Err(StreamError::Edit(error)) = rejected else {
        panic!("{rejected:?}");
    };
    assert!(error.index() >= Some(255), "{error}");
    assert_eq!((world.hash(), world.revision()), (before, 0));
    let (a, b) = (town(1, &Shared::default()), &mut world);
    let mut a = a;
    for tile in tiles() {
        for y in 0..96 {
            for x in -48..96 {
                let place = at(x, y);
                if a.tile_at(place) == Some(tile) {
                    let floors = [&mut a, b]
                        .map(|world| world.project_to_floor(AgentTypeId::DEFAULT, place).unwrap());
                    assert_eq!(floors[0], floors[1]);
                }
            }
        }
    }
}

#[test]
fn a_store_holds_the_world_of_the_last_flush_whatever_was_unloaded_since() {
    let store = Shared::default();
    let mut world = town(2, &store);
    let wall = |x: f64| {
        Solid::cuboid(
            Position::new(x, 0.0, 0.0),
            Position::new(x + 1.0, 96.0, 5.0),
        )
    };
    world.add_solid(wall(10.0)).unwrap();
    world.flush().unwrap();
    let flushed = world.hash();
    world.add_solid(wall(60.0)).unwrap();
    world.set_memory_limit(0).unwrap();
    assert_ne!(world.hash(), flushed);
    drop(world);
    let source: Box<dyn TileSource> = Box::new(Town { seed: 2 });
    let mut world = StreamedWorld::open(Box::new(store.clone()), Some(source)).unwrap();
    assert_eq!(world.hash(), flushed);
    for tile in tiles() {
        world.load_tile(tile).unwrap();
    }
    // The next flush leaves one version of each edited tile.
    world.add_solid(wall(60.0)).unwrap();
    world.flush().unwrap();
    world.flush().unwrap();
    let names: Vec<String> = {
        let store = store.0.lock().unwrap();
        store.sizes().map(|(name, _)| name.to_owned()).collect()
    };
    assert_eq!(names.len(), 1 + tiles().len(), "{names:?}");
}

#[test]
fn damaged_bytes_and_a_source_that_draws_something_else_are_errors() {
    let store = Shared::default();
    let mut world = town(4, &store);
    world
        .add_solid(Solid::cuboid(at(3, 3), Position::new(9.0, 9.0, 2.0)))
        .unwrap();
    world.flush().unwrap();
    let open = |store: &Shared, seed| {
        let source: Box<dyn TileSource> = Box::new(Town { seed });
        StreamedWorld::open(Box::new(store.clone()), Some(source))
    };
    let mut other = open(&store, 5).unwrap();
    let far = TileId { x: -1, y: 1 };
    assert_eq!(
        other.load_tile(far),
        Err(StreamError::Changed { tile: far })
    );
    let manifest = store.load("manifest").unwrap().unwrap();
    for cut in (0..manifest.len()).step_by(manifest.len() / 40) {
        let broken = Shared::default();
        broken
            .0
            .lock()
            .unwrap()
            .save("manifest", &manifest[..cut])
            .unwrap();
        assert!(matches!(open(&broken, 4), Err(StreamError::Damaged { .. })));
        let mut flipped = manifest.clone();
        flipped[cut] ^= 1;
        broken.0.lock().unwrap().save("manifest", &flipped).unwrap();
        assert!(matches!(open(&broken, 4), Err(StreamError::Damaged { .. })));
    }
    let mut world = open(&store, 4).unwrap();
    let near = TileId { x: 0, y: 0 };
    store.0.lock().unwrap().remove("tile_0_0_1").unwrap();
    let missing = world.load_tile(near);
    assert!(
        matches!(missing, Err(StreamError::Missing { .. })),
        "{missing:?}"
    );
}

#[test]
fn what_would_make_reachability_inexact_is_refused() {
    let drops = AgentType {
        max_drop: 4.0,
        ..AgentType::GROUND
    };
    let flies = AgentType::FLIGHT;
    for agent_type in [drops, flies] {
        let layout = StreamedLayout {
            agent_types: vec![agent_type],
            ..layout()
        };
        let plan = TilePlan::new(&layout);
        assert!(matches!(plan, Err(StreamError::Layout { .. })), "{plan:?}");
    }
    let mut world = town(1, &Shared::default());
    let link = NavLink::new(at(40, 8), at(56, 8), NavLinkKind::Teleport);
    let across = world.apply(&[Edit::add_link(link)]);
    assert!(
        matches!(across, Err(StreamError::Unsupported { .. })),
        "{across:?}"
    );
    let unknown = world.remove_solid(SolidId(0));
    let what = "the solid";
    let expected = StreamError::Edit(EditError::UnknownId { edit: 0, what });
    assert_eq!(unknown, Err(expected));
}

#[test]
fn layouts_out_of_range_are_refused() {
    let far = Position::new(5e6, 96.0, 0.0);
    let flat = Position::new(96.0, 0.0, 0.0);
    let nowhere = Position::new(f64::NAN, 96.0, 0.0);
    let base = layout();
    let with_tile = |tile_cells| StreamedLayout {
        tile_cells,
        ..layout()
    };
    let to = |high| StreamedLayout {
        high,
        ..base.clone()
    };
    let cases = [0, 16, 40, 4_112].map(with_tile);
    for layout in cases.into_iter().chain([far, flat, nowhere].map(to)) {
        let plan = TilePlan::new(&layout);
        assert!(
            matches!(plan, Err(StreamError::Layout { .. })),
            "{layout:?}"
        );
    }
}

#[test]
fn a_focus_loads_the_nearest_tiles_that_fit_the_limit() {
    let mut world = town(1, &Shared::default());
    let center = at(20, 20);
    world.focus(center, 1_000.0).unwrap();
    assert_eq!(world.loaded_tiles().len(), 6);
    let all = world.memory();
    world.set_memory_limit(all.graph + all.tiles / 2).unwrap();
    world.focus(center, 1_000.0).unwrap();
    let loaded = world.loaded_tiles();
    assert!((1..=4).contains(&loaded.len()), "{loaded:?}");
    assert!(loaded.contains(&TileId { x: 0, y: 0 }));
    assert!(world.memory().total() <= all.graph + all.tiles / 2);
    world.set_memory_limit(0).unwrap();
    world.focus(at(90, 90), 0.0).unwrap();
    assert_eq!(world.loaded_tiles(), [TileId { x: 1, y: 1 }]);
}

#[test]
fn edits_and_questions_leave_the_memory_within_the_limit() {
    let mut world = town(1, &Shared::default());
    world.focus(at(20, 20), 1_000.0).unwrap();
    let limit = world.memory().graph + world.memory().tiles / 2;
    world.set_memory_limit(limit).unwrap();
    for number in 0..24 {
        let (x, y) = (
            f64::from(number * 37 % 130 - 44),
            f64::from(number * 29 % 80),
        );
        let (low, high) = (
            Position::new(x, y, 0.0),
            Position::new(x + 9.0, y + 9.0, 3.0),
        );
        world.add_solid(Solid::cuboid(low, high)).unwrap();
        assert!(world.memory().total() <= limit, "edit {number}");
        let ends = (at(-30, 30), at(60, 60));
        let asked = world.is_connected(AgentTypeId::DEFAULT, ends.0, ends.1);
        asked.unwrap();
        assert!(world.memory().total() <= limit, "question {number}");
    }
}
