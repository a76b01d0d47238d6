//! Any sequence of loads, unloads, edits and queries equals the world that was never unloaded.

use wayfarer_engine::base::Rng;

use super::{Shared, Town, at, tiles, town, whole};
use crate::prelude::*;
use crate::streaming::{StreamError, StreamedWorld, TileSource};
use crate::{
    CostAreaId, LinkDirection, LinkId, LinkState, NavLinkKind, Revision, ThinWall, Waypoint,
};

/// A world that is unloaded all the time, one that never is, and one in a single piece.
struct Worlds {
    seed: u64,
    store: Shared,
    streamed: StreamedWorld,
    resident: StreamedWorld,
    whole: World,
    rng: Rng,
    searcher: Searcher,
    /// Ids in the streamed worlds and in the whole one.
    solids: Vec<(SolidId, SolidId)>,
    links: Vec<(LinkId, LinkId)>,
    cost_areas: Vec<(CostAreaId, CostAreaId)>,
    n_found: usize,
    n_unreachable: usize,
}

impl Worlds {
    fn new(seed: u64) -> Self {
        let store = Shared::default();
        let mut streamed = town(seed, &store);
        streamed.set_memory_limit(0).unwrap();
        Self {
            seed,
            store,
            streamed,
            resident: town(seed, &Shared::default()),
            whole: whole(seed),
            rng: Rng::new(seed),
            searcher: Searcher::default(),
            solids: Vec::new(),
            links: Vec::new(),
            cost_areas: Vec::new(),
            n_found: 0,
            n_unreachable: 0,
        }
    }

    fn number(&mut self, below: u32) -> i32 {
        self.rng.below(below).cast_signed()
    }

    /// A place, open in most cases.
    fn place(&mut self) -> Position {
        let mut place = at(0, 0);
        for _ in 0..4 {
            place = at(self.number(144) - 48, self.number(96));
            let floor = self.whole.project_to_floor(AgentTypeId::DEFAULT, place);
            if floor.is_some() {
                break;
            }
        }
        place
    }

    /// A box of up to `side` cells from a corner of cells.
    fn corners(&mut self, side: u32, height: u32) -> (Position, Position) {
        let (x, y) = (self.number(144) - 48, self.number(96));
        let size = [side, side, height].map(|most| f64::from(self.number(most) + 1));
        let low = [f64::from(x), f64::from(y)];
        let end = |axis: usize, most: f64| (low[axis] + size[axis]).min(most);
        let high = Position::new(end(0, 96.0), end(1, 96.0), size[2]);
        (Position::new(low[0], low[1], 0.0), high)
    }

    fn edit(&mut self) {
        let (low, high) = self.corners(24, 4);
        let area = match self.number(2) {
            0 => Area::rect(low, high),
            _ => Area::disc(low, high.units()[2] * 3.0),
        };
        let edit = match self.number(12) {
            0..=2 => Edit::add_solid(Solid::cuboid(low, high)),
            3 => {
                let center = at(self.number(120) - 36, 12 + self.number(72));
                Edit::add_solid(Solid::cylinder(center, high.units()[2] * 2.0, 2.0))
            }
            4 => Edit::fill(low, high, Terrain::GROUND),
            5 => Edit::carve(low, high, Some(Terrain::GROUND)),
            6 => {
                let height = f64::from(self.number(3));
                Edit::add_floors(Area::rect(low, high), height, Terrain::GROUND)
            }
            7 => Edit::remove_floors(area),
            8 => {
                let multiplier = 2.0;
                Edit::add_cost_area(CostArea { area, multiplier })
            }
            9 => {
                let to = Position::new(high.units()[0], low.units()[1], 0.0);
                Edit::add_wall(ThinWall { from: low, to })
            }
            10 => return self.add_link(),
            _ => return self.change_by_id(),
        };
        self.apply(edit.clone(), edit);
    }

    /// A link inside one tile, one-way as often as not.
    fn add_link(&mut self) {
        let (from, to) = (self.place(), self.place());
        if self.streamed.tile_at(from) == self.streamed.tile_at(to) {
            let direction = match self.number(2) {
                0 => LinkDirection::Bidirectional,
                _ => LinkDirection::OneWay,
            };
            let link = Edit::add_link(NavLink {
                direction,
                ..NavLink::new(from, to, NavLinkKind::Teleport)
            });
            self.apply(link.clone(), link);
        }
    }

    fn change_by_id(&mut self) {
        let pick = |rng: &mut Rng, len: usize| {
            (len > 0).then(|| rng.below(u32::try_from(len).unwrap()) as usize)
        };
        match self.number(4) {
            0 | 1 => {
                if let Some(index) = pick(&mut self.rng, self.solids.len()) {
                    let (ours, whole) = self.solids.swap_remove(index);
                    self.apply(Edit::remove_solid(ours), Edit::remove_solid(whole));
                }
            }
            2 => {
                if let Some(index) = pick(&mut self.rng, self.cost_areas.len()) {
                    let (ours, whole) = self.cost_areas.swap_remove(index);
                    self.apply(Edit::remove_cost_area(ours), Edit::remove_cost_area(whole));
                }
            }
            _ => {
                if let Some(index) = pick(&mut self.rng, self.links.len()) {
                    let (ours, whole) = self.links[index];
                    let state = [LinkState::Open, LinkState::Closed][index % 2];
                    let edit = |id| Edit::set_link_state(id, state);
                    self.apply(edit(ours), edit(whole));
                }
            }
        }
    }

    fn apply(&mut self, ours: Edit, whole: Edit) {
        let batch = [ours];
        let streamed = self.streamed.apply(&batch);
        assert_eq!(streamed, self.resident.apply(&batch));
        let whole = self.whole.apply(&[whole]);
        let (Ok(streamed), Ok(whole)) = (&streamed, &whole) else {
            assert!(
                streamed.is_err() && whole.is_err(),
                "{streamed:?}, {whole:?}"
            );
            return;
        };
        let solids = streamed.new_solids().iter().copied();
        self.solids.extend(solids.zip(whole.new_solids()));
        let links = streamed.new_links().iter().copied();
        self.links.extend(links.zip(whole.new_links()));
        let cost_areas = streamed.new_cost_areas().iter().copied();
        self.cost_areas
            .extend(cost_areas.zip(whole.new_cost_areas()));
    }

    /// Loads, unloads, saves and opens.
    fn shuffle(&mut self) {
        let place = self.place();
        let tile = self.streamed.tile_at(place).unwrap();
        match self.number(5) {
            0 => self.streamed.load_tile(tile).unwrap(),
            1 => self.streamed.unload_tile(tile).unwrap(),
            2 => self.streamed.set_memory_limit(150_000).unwrap(),
            3 => self.streamed.focus(place, 30.0).unwrap(),
            _ => {
                self.streamed.flush().unwrap();
                let source: Box<dyn TileSource> = Box::new(Town { seed: self.seed });
                let store = Box::new(self.store.clone());
                self.streamed = StreamedWorld::open(store, Some(source)).unwrap();
                self.streamed.set_memory_limit(0).unwrap();
            }
        }
    }

    fn query(&mut self) {
        let id = self.number(2);
        let id = self.streamed.agent_types()[id.unsigned_abs() as usize];
        let (from, to) = (self.place(), self.place());
        let request = PathRequest {
            agent_type: id,
            ..PathRequest::new(from, to)
        };
        let connected = [&mut self.streamed, &mut self.resident]
            .map(|world| world.is_connected(id, from, to).unwrap());
        // By a search, as links may be one-way; inside a solid there is none, and weak components say less.
        let weak = self.whole.is_connected(id, from, to);
        let whole = weak.map(
            |is_weak| match self.whole.find_path(&mut self.searcher, &request) {
                Err(NoPath::Invalid(_)) => is_weak && connected[1] == Some(true),
                found => found.is_ok(),
            },
        );
        assert_eq!(connected, [whole; 2], "{id:?} {from} {to}");
        let found = self.streamed.find_path(id, from, to);
        assert_eq!(found, self.resident.find_path(id, from, to));
        match found {
            Ok(path) => {
                self.n_found += 1;
                assert_eq!(whole, Some(true));
                let mut path = path;
                self.walk(id, &mut path);
            }
            Err(StreamError::NoPath(NoPath::Unreachable)) => {
                self.n_unreachable += 1;
                assert_eq!(whole, Some(false));
            }
            Err(StreamError::NoPath(NoPath::Invalid(_))) => {
                let whole = self.whole.find_path(&mut self.searcher, &request);
                assert!(matches!(whole, Err(NoPath::Invalid(_))), "{whole:?}");
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// All legs are the same with and without unloading, and are walked in the whole world.
    fn walk(&mut self, id: AgentTypeId, path: &mut crate::streaming::StreamedPath) {
        let mut again = path.clone();
        let mut at = path.at();
        let mut cost = 0.0;
        while let Some(leg) = self.streamed.next_leg(&mut self.searcher, path).unwrap() {
            let same = self
                .resident
                .next_leg(&mut self.searcher, &mut again)
                .unwrap();
            assert_eq!(Some(content(&leg)), same.as_ref().map(content));
            assert_eq!(leg.start().map(plane), Some(plane(at)));
            at = leg.end().unwrap();
            let steps = leg.cells().windows(2).map(|pair| (pair[0], pair[1]));
            let mut sum = 0.0;
            for (from, to) in steps {
                let request = PathRequest {
                    agent_type: id,
                    ..PathRequest::new(from, to)
                };
                sum += self.whole.distance(&mut self.searcher, &request).unwrap();
            }
            assert!(sum <= leg.cost() + 1e-6, "{sum} {}", leg.cost());
            cost += leg.cost();
        }
        assert_eq!((plane(at), path.is_complete()), (plane(path.to()), true));
        assert!(cost.is_finite());
    }
}

/// Waypoints are at the heights of floors.
const fn plane(at: Position) -> (i64, i64) {
    (at.x, at.y)
}

/// All of a path but the numbers of pages in its region ids, which depend on history.
fn content(path: &Path) -> (&[Position], &[Waypoint], f64, Option<f64>, Revision) {
    let (cells, traversal) = (path.cells(), path.traversal());
    (cells, traversal, path.cost(), path.bound(), path.revision())
}

#[test]
fn any_sequence_of_loads_unloads_edits_and_queries_equals_the_world_never_unloaded() {
    let (mut n_found, mut n_unreachable) = (0, 0);
    for seed in 0..3 {
        let mut worlds = Worlds::new(seed);
        for _ in 0..90 {
            match worlds.number(4) {
                0 => worlds.edit(),
                1 => worlds.shuffle(),
                _ => worlds.query(),
            }
        }
        assert_eq!(worlds.streamed.hash(), worlds.resident.hash());
        for tile in tiles() {
            worlds.streamed.load_tile(tile).unwrap();
            worlds.resident.load_tile(tile).unwrap();
            let hash = |world: &StreamedWorld| world.tile_world(tile).map(World::hash);
            assert_eq!(hash(&worlds.streamed), hash(&worlds.resident), "{tile}");
        }
        n_found += worlds.n_found;
        n_unreachable += worlds.n_unreachable;
    }
    assert!(
        n_found > 30 && n_unreachable > 8,
        "{n_found} {n_unreachable}"
    );
}
