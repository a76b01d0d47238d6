//! Planar paths through moving obstacles: tangent graph and quadtree.

use wayfarer_engine::base::{Aabb2, Fixed, Point2, Rng, math};
use wayfarer_engine::search::planar::{PlanarMethod, PlanarPath, PlanarRequest, PlanarSearcher};
use wayfarer_engine::world::obstacles::{
    DiscAgent, FreeScratch, Obstacle, ObstacleCategories, ObstacleId, ObstacleSet, ObstacleShape,
};
use wayfarer_testkit::obstacles::{ReferenceObstacle, ReferenceOutlines};

use crate::worlds::SEED;
use crate::{Entry, Fault, Operation, ensure};

pub(crate) const ENTRIES: &[Entry] = &[
    Entry {
        name: "planar-corners",
        what: "entities move, paths from corner to corner",
        n_rounds: 24,
        set_up: || Crowd::set_up(PlanarMethod::TangentGraph),
    },
    Entry {
        name: "planar-tree",
        what: "entities move, paths from space to space",
        n_rounds: 4,
        set_up: || Crowd::set_up(PlanarMethod::Quadtree),
    },
];

/// Cells along each side of the world, and of every obstacle.
const SIDE: i32 = 4_000;
const SIZE: i32 = 100;
const N_OBSTACLES: usize = 500;

/// A crowd that moves to and fro.
struct Crowd {
    obstacle_set: ObstacleSet,
    obstacles: Vec<(ObstacleId, Point2)>,
    requests: Vec<PlanarRequest>,
    searcher: PlanarSearcher,
    paths: Vec<PlanarPath>,
}

/// A point in cells.
fn point(x: i32, y: i32) -> Point2 {
    Point2::new(
        Fixed::from_raw(x * Fixed::UNITS_PER_CELL),
        Fixed::from_raw(y * Fixed::UNITS_PER_CELL),
    )
}

impl Crowd {
    fn set_up(method: PlanarMethod) -> Result<Box<dyn Operation>, Fault> {
        let mut rng = Rng::new(SEED);
        let mut obstacles = ObstacleSet::square(SIDE)?;
        let mut obstacle_set = Vec::new();
        let mut batch = obstacles.edit_bulk();
        for _ in 0..N_OBSTACLES {
            let most = SIDE - SIZE - 2;
            let (x, y) = (rng.between(0, most), rng.between(0, most));
            let (low, high) = (point(x, y), point(x + SIZE, y + SIZE));
            let shape = ObstacleShape::Box(Aabb2 { low, high });
            let types = ObstacleCategories::ALL;
            obstacle_set.push((
                batch.insert(&Obstacle {
                    shape,
                    categories: types,
                })?,
                low,
            ));
        }
        drop(batch);
        let mut free = FreeScratch::default();
        let mut requests = Vec::new();
        for part in 1..=6 {
            let ends = [point(40, part * 600), point(SIDE - 40, SIDE - part * 600)];
            let [from, to] = ends.map(|at| obstacles.nearest_free(at, DiscAgent::POINT, &mut free));
            requests.push(PlanarRequest {
                method,
                ..PlanarRequest::new(from.ok_or("no room")?, to.ok_or("no room")?)
            });
        }
        Ok(Box::new(Self {
            obstacle_set: obstacles,
            obstacles: obstacle_set,
            requests,
            searcher: PlanarSearcher::default(),
            paths: Vec::new(),
        }))
    }

    /// Moves every obstacle this far east of its place.
    fn shift(&mut self, cells: i32) -> Result<(), Fault> {
        let mut batch = self.obstacle_set.edit_bulk();
        for (id, low) in &self.obstacles {
            let x = Fixed::from_raw(low.x.raw() + cells * Fixed::UNITS_PER_CELL);
            batch.move_to(*id, Point2::new(x, low.y))?;
        }
        Ok(())
    }
}

impl Operation for Crowd {
    fn round(&mut self) -> Result<(), Fault> {
        self.shift(2)?;
        self.shift(0)?;
        for path in self.paths.drain(..) {
            self.searcher.recycle(path);
        }
        for request in &self.requests {
            let outcome = self.searcher.find(&self.obstacle_set, request)?;
            self.paths.extend(outcome.found());
        }
        Ok(())
    }

    /// No leg enters anything, and lengths are near the shortest of a slow search.
    fn check(&mut self) -> Result<(), Fault> {
        let shapes = self
            .obstacle_set
            .obstacles()
            .map(|(_, blocker)| blocker.shape);
        let obstacle = |shape| match shape {
            ObstacleShape::Box(area) => ReferenceObstacle::Box(area),
            ObstacleShape::Disc { center, radius } => ReferenceObstacle::Disc(center, radius.raw()),
        };
        let things: Vec<ReferenceObstacle> = shapes.map(obstacle).collect();
        let outlines = ReferenceOutlines::new(&things, self.obstacle_set.bounds(), 0);
        ensure(self.paths.len() == self.requests.len(), || {
            "a path is missing".to_owned()
        })?;
        for (path, request) in self.paths.iter().zip(&self.requests) {
            let is_free = |leg: &[Point2]| {
                let mut dirty = things.iter();
                !dirty.any(|thing| thing.is_hit_by_sweep(leg[0], leg[1], 0))
            };
            ensure(path.points.windows(2).all(is_free), || {
                format!("{} to {}: not free", request.from, request.to)
            })?;
            let length = length(&path.points);
            let best = outlines.shortest(request.from, request.to, length + 256.0);
            let ratio = length / best.ok_or("the slow search finds no path")?;
            ensure((0.999..1.2).contains(&ratio), || {
                format!("{ratio} times as long as the shortest")
            })?;
        }
        Ok(())
    }
}

/// The length of a path in 1/256 of a cell.
fn length(points: &[Point2]) -> f64 {
    let far = |a: Fixed, b: Fixed| f64::from(a.raw()) - f64::from(b.raw());
    let leg = |leg: &[Point2]| math::length(far(leg[0].x, leg[1].x), far(leg[0].y, leg[1].y));
    points.windows(2).map(leg).sum()
}
