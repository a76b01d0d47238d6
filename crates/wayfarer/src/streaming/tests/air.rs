//! Streamed worlds with air against one world that holds everything.

use wayfarer_engine::base::{Fixed, Rng};
use wayfarer_engine::search::air::FlightComponents;

use super::{Shared, Town, at};
use crate::prelude::*;
use crate::streaming::layout::Grid;
use crate::streaming::source::TileDraft;
use crate::streaming::{
    StreamError, StreamedLayout, StreamedPath, StreamedWorld, TileId, TilePlan, TileSource,
};

/// Blocks of rock over a floor: caves, some of which lead nowhere.
#[derive(Clone, Copy, Debug)]
struct Caves {
    seed: u64,
}

impl TileSource for Caves {
    fn draw(&self, draft: &mut TileDraft) {
        let ((x, y), (width, height)) = (draft.first_cell(), draft.n_cells());
        let (xs, ys) = (x..x + width.cast_signed(), y..y + height.cast_signed());
        for y in ys.clone() {
            draft.set_row((x, y), xs.clone().map(|_| Some(Terrain::GROUND)));
        }
        let town = Town { seed: self.seed };
        for j in ys.start.div_euclid(7)..=ys.end.div_euclid(7) {
            for i in xs.start.div_euclid(9)..=xs.end.div_euclid(9) {
                for k in 0..4_u8 {
                    if town.noise(i, j, 10 + u64::from(k)) % 100 < 62 {
                        let low = [i * 9, j * 7, i32::from(k) * 4].map(f64::from);
                        let [x, y, z] = low;
                        let (low, high) = (
                            Position::new(x, y, z),
                            Position::new(x + 9.0, y + 7.0, z + 4.0),
                        );
                        draft.edit(Edit::fill(low, high, Terrain::GROUND));
                    }
                }
            }
        }
    }
}

const TOP: i32 = 17;

fn layout() -> StreamedLayout {
    let small = AgentType {
        radius: 0.0,
        ..AgentType::FLIGHT
    };
    StreamedLayout {
        agent_types: vec![AgentType::FLIGHT, small, wide()],
        air: Some((-2.0, f64::from(TOP))),
        ..super::layout()
    }
}

fn wide() -> AgentType {
    AgentType {
        radius: 1.3,
        ..AgentType::FLIGHT
    }
}

fn caves(seed: u64, store: &Shared) -> StreamedWorld {
    let (source, store) = (Box::new(Caves { seed }), Box::new(store.clone()));
    StreamedWorld::create(&layout(), source, store, 1).unwrap()
}

/// The same world in one piece.
fn whole(seed: u64) -> World {
    let grid = Grid::new(&layout()).unwrap();
    let mut draft = TileDraft::new(grid.template.frame(), grid.columns());
    Caves { seed }.draw(&mut draft);
    draft.build(&grid).unwrap()
}

/// A world that is unloaded all the time, one that never is, and one in a single piece.
struct Worlds {
    seed: u64,
    store: Shared,
    streamed: StreamedWorld,
    resident: StreamedWorld,
    whole: World,
    rng: Rng,
    searcher: Searcher,
    solids: Vec<SolidId>,
    /// Where the widest type flies in the whole world.
    wide: FlightComponents,
    n_found: [usize; 3],
    n_crossings: [usize; 3],
    n_unreachable: usize,
}

impl Worlds {
    fn new(seed: u64) -> Self {
        let store = Shared::default();
        let mut streamed = caves(seed, &store);
        streamed.set_memory_limit(0).unwrap();
        let whole = whole(seed);
        Self {
            seed,
            streamed,
            resident: caves(seed, &Shared::default()),
            wide: wide_components(&whole),
            whole,
            store,
            rng: Rng::new(seed),
            searcher: Searcher::default(),
            solids: Vec::new(),
            n_found: [0; 3],
            n_crossings: [0; 3],
            n_unreachable: 0,
        }
    }

    fn number(&mut self, below: u32) -> i32 {
        self.rng.below(below).cast_signed()
    }

    fn is_free(&self, at: Position) -> bool {
        let voxel = voxel(&self.whole, at);
        self.whole.engine().air().unwrap().is_free(voxel)
    }

    /// The center of a voxel, free in most cases, and with space around it in some.
    fn place(&mut self) -> Position {
        let mut place = at(0, 0);
        let is_wide = self.number(3) == 0;
        for _ in 0..40 {
            let [x, y, _] = at(self.number(144) - 48, self.number(96)).units();
            place = Position::new(x, y, f64::from(self.number(20)) - 1.5);
            let air = self.whole.engine().air().unwrap();
            let wide = self.wide.component(air, voxel(&self.whole, place));
            if self.is_free(place) && (!is_wide || wide.is_some()) {
                break;
            }
        }
        place
    }

    fn edit(&mut self) {
        let size = [24, 24, 12].map(|most| f64::from(self.number(most) + 1));
        let low = [self.number(144) - 48, self.number(96), self.number(16) - 1].map(f64::from);
        let high = [0, 1, 2].map(|axis| low[axis] + size[axis]);
        let (low, high) = (
            Position::new(low[0], low[1], low[2]),
            Position::new(high[0].min(96.0), high[1].min(96.0), high[2]),
        );
        let edit = match self.number(8) {
            0 | 1 => Edit::add_solid(Solid::cuboid(low, high)),
            2 => Edit::add_solid(Solid::cylinder(low, size[0] / 3.0, size[2])),
            3 => Edit::fill(low, high, Terrain::GROUND),
            4..=6 => Edit::carve(low, high, None),
            _ if self.solids.is_empty() => return,
            _ => {
                let count = u32::try_from(self.solids.len()).unwrap();
                let index = self.number(count).unsigned_abs() as usize;
                Edit::remove_solid(self.solids.swap_remove(index))
            }
        };
        self.apply(edit);
    }

    /// Solids have equal ids: each accepted one is the next.
    fn apply(&mut self, edit: Edit) {
        let batch = [edit];
        let streamed = self.streamed.apply(&batch);
        assert_eq!(streamed, self.resident.apply(&batch));
        let Ok(streamed) = streamed else {
            return;
        };
        let whole = self.whole.apply(&batch).unwrap();
        assert!(whole.new_solids().eq(streamed.new_solids().iter().copied()));
        self.solids.extend(streamed.new_solids());
        self.wide = wide_components(&self.whole);
    }

    /// Loads, unloads, saves and opens.
    fn shuffle(&mut self) {
        let place = self.place();
        let tile = self.streamed.tile_at(place).unwrap();
        match self.number(5) {
            0 => self.streamed.load_tile(tile).unwrap(),
            1 => self.streamed.unload_tile(tile).unwrap(),
            2 => self.streamed.set_memory_limit(600_000).unwrap(),
            3 => self.streamed.focus(place, 30.0).unwrap(),
            _ => {
                self.streamed.flush().unwrap();
                let source: Box<dyn TileSource> = Box::new(Caves { seed: self.seed });
                let store = Box::new(self.store.clone());
                self.streamed = StreamedWorld::open(store, Some(source)).unwrap();
                self.streamed.set_memory_limit(0).unwrap();
            }
        }
    }

    /// Walkers of the same world stay right too.
    fn walk(&mut self) {
        let (from, to) = (self.place(), self.place());
        let whole = self.whole.is_connected(AgentTypeId::DEFAULT, from, to);
        let streamed = self.streamed.is_connected(AgentTypeId::DEFAULT, from, to);
        assert_eq!(streamed.unwrap(), whole);
    }

    fn query(&mut self) {
        let number = self.number(3).unsigned_abs() as usize;
        let id = self.streamed.agent_types()[number + 1];
        let (from, to) = (self.place(), self.place());
        let voxels = [from, to].map(|at| voxel(&self.whole, at));
        let air = self.whole.engine().air().unwrap();
        let whole = if number == 2 {
            let [from, to] = voxels.map(|at| self.wide.component(air, at));
            from.zip(to).map(|(from, to)| from == to)
        } else {
            let [from, to] = voxels.map(|at| air.component(at));
            from.zip(to).map(|(from, to)| from == to)
        };
        let connected = [&mut self.streamed, &mut self.resident]
            .map(|world| world.is_connected(id, from, to).unwrap());
        assert_eq!(connected, [whole; 2], "{id:?} {from} {to}");
        let found = self.streamed.find_path(id, from, to);
        assert_eq!(found, self.resident.find_path(id, from, to));
        match found {
            Ok(mut path) => {
                self.n_found[number] += 1;
                self.n_crossings[number] += path.tiles().len() - 1;
                assert_eq!(whole, Some(true));
                self.fly(id, &mut path);
            }
            Err(StreamError::NoPath(NoPath::Unreachable)) => {
                self.n_unreachable += 1;
                assert_eq!(whole, Some(false));
            }
            Err(StreamError::NoPath(NoPath::Invalid(_))) => assert_eq!(whole, None),
            Err(error) => panic!("{error}"),
        }
    }

    /// All legs are the same with and without unloading, and every voxel on them is free in the
    /// whole world.
    fn fly(&mut self, id: AgentTypeId, path: &mut StreamedPath) {
        let mut again = path.clone();
        let mut at = path.at();
        while let Some(leg) = self.streamed.next_leg(&mut self.searcher, path).unwrap() {
            let same = self.resident.next_leg(&mut self.searcher, &mut again);
            let same = same.unwrap().unwrap();
            let points: Vec<Position> = leg.waypoints().collect();
            let others: Vec<Position> = same.waypoints().collect();
            assert_eq!((&points, leg.cost()), (&others, same.cost()));
            assert_eq!(points.first(), Some(&at));
            for pair in points.windows(2) {
                self.check_line(id, pair[0], pair[1]);
            }
            at = *points.last().unwrap();
        }
        assert_eq!((at, path.is_complete()), (path.to(), true));
    }

    fn check_line(&self, id: AgentTypeId, from: Position, to: Position) {
        let frame = self.whole.frame();
        let ends = (frame.to_engine(from), frame.to_engine(to));
        assert!(!self.whole.engine().clips_between(id, ends.0, ends.1));
        let (a, b) = (from.units(), to.units());
        for part in 0..=512 {
            let part = f64::from(part) / 512.0;
            let [x, y, z] = [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * part);
            let point = Position::new(x, y, z);
            assert!(self.is_free(point), "{point} between {from} and {to}");
        }
    }
}

fn wide_components(world: &World) -> FlightComponents {
    // 1.3 voxels, rounded up to 1/256.
    FlightComponents::new(world.engine().air().unwrap(), Fixed::from_raw(333))
}

fn voxel(world: &World, at: Position) -> wayfarer_engine::base::Voxel {
    let frame = world.frame();
    frame.scale.voxel(frame.to_engine(at)).unwrap()
}

#[test]
fn any_sequence_in_the_air_equals_the_world_never_unloaded() {
    let (mut n_found, mut n_crossings, mut n_unreachable) = ([0; 3], [0; 3], 0);
    for seed in 0..3 {
        let mut worlds = Worlds::new(seed);
        for _ in 0..60 {
            match worlds.number(6) {
                0 => worlds.edit(),
                1 => worlds.shuffle(),
                2 => worlds.walk(),
                _ => worlds.query(),
            }
        }
        assert_eq!(worlds.streamed.hash(), worlds.resident.hash());
        for tile in TilePlan::new(&layout()).unwrap().tiles() {
            worlds.streamed.load_tile(tile).unwrap();
            worlds.resident.load_tile(tile).unwrap();
            let hash = |world: &StreamedWorld| world.tile_world(tile).map(World::hash);
            assert_eq!(hash(&worlds.streamed), hash(&worlds.resident), "{tile}");
        }
        for number in 0..3 {
            n_found[number] += worlds.n_found[number];
            n_crossings[number] += worlds.n_crossings[number];
        }
        n_unreachable += worlds.n_unreachable;
    }
    let counts = (n_found, n_crossings, n_unreachable);
    assert!(
        n_found.iter().all(|n| *n > 3) && n_crossings.iter().all(|n| *n > 3) && n_unreachable > 8,
        "{counts:?}"
    );
}

#[test]
fn an_edit_of_air_that_is_not_loaded_is_known_at_once() {
    let store = Shared::default();
    let mut world = caves(1, &store);
    world.set_memory_limit(0).unwrap();
    let drone = world.agent_types()[1];
    let (low, high) = (
        Position::new(-48.0, 0.0, -2.0),
        Position::new(96.0, 96.0, 17.0),
    );
    world.apply(&[Edit::carve(low, high, None)]).unwrap();
    let (from, to) = (
        Position::new(-40.5, 50.5, 12.5),
        Position::new(90.5, 50.5, 3.5),
    );
    assert_eq!(world.is_connected(drone, from, to), Ok(Some(true)));
    let mut path = world.find_path(drone, from, to).unwrap();
    assert_eq!(path.tiles().len(), 3);
    // A wall through the tile in the middle, and a window in it.
    let wall = Solid::cuboid(
        Position::new(20.0, 0.0, -2.0),
        Position::new(21.0, 96.0, 17.0),
    );
    let wall = world.add_solid(wall).unwrap();
    assert_eq!(world.loaded_tiles().len(), 1);
    assert_eq!(world.is_connected(drone, from, to), Ok(Some(false)));
    let leg = world.next_leg(&mut Searcher::default(), &mut path);
    assert_eq!(leg, Err(StreamError::NoPath(NoPath::Unreachable)));
    world.remove_solid(wall).unwrap();
    let tiles = path.tiles().to_vec();
    let mut searcher = Searcher::default();
    let mut end = from;
    while let Some(leg) = world.next_leg(&mut searcher, &mut path).unwrap() {
        end = leg.end().unwrap();
    }
    assert_eq!((end, tiles[1]), (to, TileId { x: 0, y: 1 }));
}

#[test]
fn memory_counts_the_air_and_stays_within_the_limit() {
    let mut world = caves(2, &Shared::default());
    let tile = TileId { x: 0, y: 0 };
    world.load_tile(tile).unwrap();
    let air = world.tile_world(tile).unwrap().engine().air().unwrap();
    assert!(world.memory().tiles >= air.memory().total());
    world.focus(at(20, 20), 1_000.0).unwrap();
    let limit = world.memory().graph + world.memory().tiles / 2;
    world.set_memory_limit(limit).unwrap();
    for number in 0..12 {
        let x = f64::from(number * 37 % 130 - 44);
        let (low, high) = (
            Position::new(x, 3.0, 1.0),
            Position::new(x + 9.0, 80.0, 9.0),
        );
        world.add_solid(Solid::cuboid(low, high)).unwrap();
        assert!(world.memory().total() <= limit, "edit {number}");
    }
}

#[test]
fn air_that_tiles_cannot_have_is_refused() {
    let with = |agent_type: AgentType| StreamedLayout {
        agent_types: vec![agent_type],
        ..layout()
    };
    let without_air = StreamedLayout {
        air: None,
        ..layout()
    };
    let voxels = StreamedLayout {
        scale: Scale {
            voxel: 0.5,
            ..Scale::UNIT
        },
        ..layout()
    };
    let empty = StreamedLayout {
        air: Some((3.0, 3.0)),
        ..layout()
    };
    let both = with(AgentType::GROUND_AND_FLIGHT);
    for layout in [both, without_air, voxels, empty] {
        let plan = TilePlan::new(&layout);
        assert!(matches!(plan, Err(StreamError::Layout { .. })), "{plan:?}");
    }
}

#[test]
fn a_ball_does_not_reach_beyond_what_a_tile_holds() {
    let mut world = caves(3, &Shared::default());
    let corner = |x: i32, y: i32, z: i32| Position::new(x.into(), y.into(), z.into());
    // Two tunnels of 3 x 3 voxels from the core of tile (0, 0) to the end of its margin at x = 64, and one of
    // 2 between them, along that end: rock begins beyond it.
    let batch = [
        Edit::fill(corner(-48, 0, -2), corner(96, 96, TOP), Terrain::GROUND),
        Edit::carve(corner(40, 9, 4), corner(64, 12, 7), None),
        Edit::carve(corner(40, 30, 4), corner(64, 33, 7), None),
        Edit::carve(corner(62, 9, 4), corner(64, 33, 7), None),
    ];
    world.apply(&batch).unwrap();
    let [from, to] = [10.5, 31.5].map(|y| Position::new(41.5, y, 5.5));
    let types = world.agent_types().to_vec();
    assert_eq!(world.is_connected(types[1], from, to), Ok(Some(true)));
    assert_eq!(world.is_connected(types[3], from, to), Ok(Some(false)));
    // With one more column of air beyond the tile there is space.
    let wider = Edit::carve(corner(62, 9, 4), corner(65, 33, 7), None);
    world.apply(&[wider]).unwrap();
    assert_eq!(world.is_connected(types[3], from, to), Ok(Some(true)));
}
