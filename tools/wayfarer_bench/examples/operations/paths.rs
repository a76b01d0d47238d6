//! Ground paths by each method.

use wayfarer_engine::base::{Budget, Cell, Outcome, Raster};
use wayfarer_engine::make::Generator;
use wayfarer_engine::search::abstraction::{
    BakedGraph, RefinementParams, RefinementRequest, Refiner,
};
use wayfarer_engine::search::ground::{
    AnyAngleSearcher, GroundPath, GroundRequest, Method, NavGraph, PathSearcher,
};
use wayfarer_engine::world::baked::{AbstractionBuilder, BakedAbstraction, BakedRegion};
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::Ground;
use wayfarer_engine::{PathRequest, Searcher, World};

use crate::worlds::{flat, least_costs, problems};
use crate::{Entry, Fault, Operation, ensure};

pub(crate) const ENTRIES: &[Entry] = &[
    Entry {
        name: "path-world",
        what: "paths through the facade, by the default method",
        n_rounds: 16,
        set_up: || ByWorld::set_up(Far::No),
    },
    Entry {
        name: "path-default",
        what: "paths within a bound of the shortest, turning points cached",
        n_rounds: 16,
        set_up: || ByMethod::set_up(Method::Bounded, 40),
    },
    Entry {
        name: "path-exact",
        what: "shortest paths, turning points cached",
        n_rounds: 16,
        set_up: || ByMethod::set_up(Method::Optimal, 40),
    },
    Entry {
        name: "path-plain",
        what: "shortest paths by jump points, nothing cached",
        n_rounds: 4,
        set_up: || ByMethod::set_up(Method::Jps, 40),
    },
    Entry {
        name: "path-astar",
        what: "shortest paths, cell by cell, by A*",
        n_rounds: 1,
        set_up: || ByMethod::set_up(Method::AStar, 20),
    },
    Entry {
        name: "path-dijkstra",
        what: "shortest paths, cell by cell, by Dijkstra's algorithm",
        n_rounds: 1,
        set_up: || ByMethod::set_up(Method::Dijkstra, 8),
    },
    Entry {
        name: "path-any-angle",
        what: "paths that turn at any angle",
        n_rounds: 1,
        set_up: AnyAngle::set_up,
    },
    Entry {
        name: "path-far",
        what: "paths planned over blocks and found piece by piece",
        n_rounds: 4,
        set_up: || ByWorld::set_up(Far::Yes),
    },
    Entry {
        name: "path-refine",
        what: "paths planned over regions of a frozen map and refined",
        n_rounds: 4,
        set_up: Refined::set_up,
    },
];

/// Cells along each side of the map.
const SIDE: u32 = 256;

/// The map of all methods, and its problems.
fn city(side: u32, count: usize) -> Result<(Raster, Vec<(Cell, Cell)>), Fault> {
    let map = flat(Generator::City, side)?;
    let problems = problems(&map, count);
    Ok((map, problems))
}

/// An error if a path is not a chain of steps of this cost from start to goal.
fn check_steps(ground: &Ground, path: &GroundPath, ends: (Cell, Cell)) -> Result<(), Fault> {
    let along = GroundPath::from_cells(NavGraph::from(ground), &path.cells);
    let same_cost = along.is_some_and(|along| along.cost == path.cost);
    let same_ends = (path.start(), path.end()) == (Some(ends.0), Some(ends.1));
    ensure(same_cost && same_ends, || {
        format!("{} to {}: not a path", ends.0, ends.1)
    })
}

/// An error unless every cost lies between the least and `most_percent` of it.
fn check_costs(found: &[u32], least: &[u32], most_percent: u64) -> Result<(), Fault> {
    ensure(found.len() == least.len(), || {
        "a path is missing".to_owned()
    })?;
    for (&found, &least) in found.iter().zip(least) {
        let is_right = found >= least && u64::from(found) * 100 <= u64::from(least) * most_percent;
        ensure(is_right, || {
            format!("cost {found}, expected {least} to {most_percent} % of that")
        })?;
    }
    Ok(())
}

/// Paths over the ground by one of its methods.
struct ByMethod {
    map: Raster,
    ground: Ground,
    problems: Vec<(Cell, Cell)>,
    method: Method,
    searcher: PathSearcher,
    paths: Vec<GroundPath>,
}

impl ByMethod {
    fn set_up(method: Method, count: usize) -> Result<Box<dyn Operation>, Fault> {
        let (map, problems) = city(SIDE, count)?;
        Ok(Box::new(Self {
            ground: Ground::from_raster(&map),
            map,
            problems,
            method,
            searcher: PathSearcher::default(),
            paths: Vec::new(),
        }))
    }
}

impl Operation for ByMethod {
    fn round(&mut self) -> Result<(), Fault> {
        for path in self.paths.drain(..) {
            self.searcher.recycle(path);
        }
        for &(from, to) in &self.problems {
            let request = GroundRequest {
                method: self.method,
                ..GroundRequest::new(from, to)
            };
            let outcome = self.searcher.find(&self.ground, &request)?;
            self.paths.extend(outcome.found());
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        for (path, ends) in self.paths.iter().zip(&self.problems) {
            check_steps(&self.ground, path, *ends)?;
        }
        let costs: Vec<u32> = self.paths.iter().map(|path| path.cost.units()).collect();
        let least = least_costs(&self.map, &self.problems)?;
        let most_percent = match self.method {
            Method::Bounded => 110,
            _ => 100,
        };
        check_costs(&costs, &least, most_percent)
    }
}

/// Whether paths are planned over blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    No,
    Yes,
}

/// Paths through the facade, in world units.
struct ByWorld {
    map: Raster,
    world: World,
    problems: Vec<(Cell, Cell)>,
    requests: Vec<PathRequest>,
    far: Far,
    searcher: Searcher,
    paths: Vec<wayfarer_engine::Path>,
}

impl ByWorld {
    fn set_up(far: Far) -> Result<Box<dyn Operation>, Fault> {
        let (map, problems) = match far {
            Far::No => city(SIDE, 40)?,
            Far::Yes => city(2 * SIDE, 20)?,
        };
        let world = World::from_raster(&map);
        let request = |&(from, to): &(Cell, Cell)| {
            PathRequest::new(world.position_of(from.into()), world.position_of(to.into()))
        };
        Ok(Box::new(Self {
            requests: problems.iter().map(request).collect(),
            map,
            world,
            problems,
            far,
            searcher: Searcher::default(),
            paths: Vec::new(),
        }))
    }
}

impl Operation for ByWorld {
    fn round(&mut self) -> Result<(), Fault> {
        for path in self.paths.drain(..) {
            self.searcher.recycle(path);
        }
        for request in &self.requests {
            let searcher = &mut self.searcher;
            let outcome = match self.far {
                Far::No => self.world.find_path(searcher, request)?,
                Far::Yes => self.world.find_hierarchical(searcher, request)?,
            };
            self.paths.extend(outcome.found());
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        for (path, ends) in self.paths.iter().zip(&self.problems) {
            let walk = path.as_ground_path().ok_or("expected a walk")?;
            check_steps(self.world.ground(), walk, *ends)?;
        }
        let costs: Vec<u32> = self.paths.iter().map(|path| path.cost.units()).collect();
        let least = least_costs(&self.map, &self.problems)?;
        let most_percent = match self.far {
            Far::No => 110,
            Far::Yes => 150,
        };
        check_costs(&costs, &least, most_percent)
    }
}

/// Paths that turn at any angle.
struct AnyAngle {
    map: Raster,
    ground: Ground,
    problems: Vec<(Cell, Cell)>,
    searcher: AnyAngleSearcher,
    costs: Vec<u32>,
}

impl AnyAngle {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let (map, problems) = city(SIDE, 5)?;
        Ok(Box::new(Self {
            ground: Ground::from_raster(&map),
            map,
            problems,
            searcher: AnyAngleSearcher::default(),
            costs: Vec::new(),
        }))
    }
}

impl Operation for AnyAngle {
    fn round(&mut self) -> Result<(), Fault> {
        self.costs.clear();
        for &(from, to) in &self.problems {
            let ground = &self.ground;
            let outcome = self.searcher.find(ground, from, to, Budget::UNLIMITED)?;
            if let Outcome::Found(path) = outcome {
                self.costs.push(path.cost.units());
                self.searcher.recycle(path);
            }
        }
        Ok(())
    }

    /// Straight lines cost no more than eight directions do, and no more than 8.3 % less.
    fn check(&mut self) -> Result<(), Fault> {
        let most = least_costs(&self.map, &self.problems)?;
        check_costs(&most, &self.costs, 109)
    }
}

/// Paths planned over the regions of a baked map.
struct Refined {
    map: Raster,
    baked: BakedAbstraction,
    dense: DenseGround,
    problems: Vec<(Cell, Cell)>,
    refiner: Refiner<BakedRegion>,
    paths: Vec<Vec<Cell>>,
}

impl Refined {
    /// Cells along a side of a sector.
    const SECTOR: u32 = 16;

    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let (map, problems) = city(SIDE, 40)?;
        Ok(Box::new(Self {
            baked: AbstractionBuilder::from_raster(&map, Self::SECTOR)?.bake()?,
            dense: DenseGround::from_raster(map.clone())?,
            map,
            paths: vec![Vec::new(); problems.len()],
            problems,
            refiner: Refiner::default(),
        }))
    }
}

impl Operation for Refined {
    fn round(&mut self) -> Result<(), Fault> {
        let plan = BakedGraph::new(&self.baked, &self.dense)?;
        for (&(from, to), cells) in self.problems.iter().zip(&mut self.paths) {
            let request = RefinementRequest::new(from, to, RefinementParams::STURTEVANT_2007);
            let found = self.refiner.find(&plan, &request)?.found();
            let mut found = found.ok_or("expected a path")?;
            std::mem::swap(cells, &mut found.cells);
            self.refiner.recycle(found);
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        let ground = Ground::from_raster(&self.map);
        let mut costs = Vec::new();
        for (cells, ends) in self.paths.iter().zip(&self.problems) {
            let along = GroundPath::from_cells(NavGraph::from(&ground), cells);
            let along = along.ok_or("expected a chain of steps")?;
            check_steps(&ground, &along, *ends)?;
            costs.push(along.cost.units());
        }
        let least = least_costs(&self.map, &self.problems)?;
        check_costs(&costs, &least, 150)
    }
}
