//! Unreachable goals of one map: time of the verdict, time of the nearest reachable cell.

use wayfarer_engine::base::{Cell, Cost, Outcome, Raster, Rng, UnreachableProof};
use wayfarer_engine::search::ground::{
    GroundPath, GroundRequest, PartialPolicy, PathSearcher, nearest_reachable,
};
use wayfarer_engine::world::ground::{ComponentId, Ground};
use wayfarer_measure::clock::Timer;

use super::report::MapRow;
use crate::check;
use crate::engine::{MovementRule, PathBuffer};
use crate::open_cells::OpenCells;

/// Repetitions of a verdict in one time: reading the clock must not count.
const N_TIMES: u32 = 16;

/// Runs `n` queries of each kind: a goal in another component, if there is one; a blocked goal.
pub(super) fn measure(name: &str, map: &Raster, n: usize, timer: &Timer) -> MapRow {
    let ground = Ground::from_raster(map);
    let cells: Vec<(Cell, ComponentId)> = ground
        .nodes()
        .map(|node| (ground.cell(node), ground.component(node)))
        .collect();
    let mut queries = Queries {
        ground: &ground,
        cells: &cells,
        open: OpenCells::of(map),
        searcher: PathSearcher::default(),
        timer,
        row: MapRow {
            map: name.to_owned(),
            n_cells: cells.len(),
            ..MapRow::default()
        },
    };
    let mut rng = Rng::new(0x7175_6573);
    let closed: Vec<Cell> = (map.rect().columns())
        .filter(|at| !map.is_walkable(at.x, at.y))
        .map(|at| at.at(0))
        .collect();
    for _ in 0..n {
        // Half of all cells lie in the largest component or near it: start anywhere.
        let Some(&(start, home)) = rng.pick(&cells) else {
            break;
        };
        // Not every map has a second component: a limited number of draws.
        let apart = (0..64).find_map(|_| rng.pick(&cells).filter(|(_, other)| *other != home));
        if let Some(&(goal, _)) = apart {
            queries.verdict(start, goal);
            queries.nearest(start, home, goal);
        }
        if let Some(&goal) = rng.pick(&closed) {
            queries.nearest(start, home, goal);
        }
    }
    queries.row
}

struct Queries<'a> {
    ground: &'a Ground,
    cells: &'a [(Cell, ComponentId)],
    open: OpenCells,
    searcher: PathSearcher,
    timer: &'a Timer,
    row: MapRow,
}

impl Queries<'_> {
    /// Checks that the outcome is unreachable without an expansion.
    fn verdict(&mut self, start: Cell, goal: Cell) {
        let request = GroundRequest::new(start, goal);
        let mut outcome = None;
        let (searcher, ground) = (&mut self.searcher, self.ground);
        let ((), nanoseconds) = self.timer.time(|| {
            for _ in 0..N_TIMES {
                outcome = searcher.find(ground, std::hint::black_box(&request)).ok();
            }
        });
        let expansions = self.searcher.stats().expansions;
        self.row
            .unreachable_us
            .push(nanoseconds / 1e3 / f64::from(N_TIMES));
        self.row.unreachable_expansions += expansions;
        let is_right = matches!(
            outcome,
            Some(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None
            })
        );
        if !is_right {
            let fault = format!("from {start} to {goal}: {outcome:?}");
            self.row.faults.push(fault);
        }
    }

    /// Finds the nearest reachable cell and its path.
    fn nearest(&mut self, start: Cell, home: ComponentId, goal: Cell) {
        let (ground, order) = (self.ground, PartialPolicy::NearestOctile);
        let query = || nearest_reachable(ground, start, goal, order);
        // The first time warms up.
        let _ = query();
        let (found, nanoseconds) = self.timer.time(query);
        self.row.nearest_us.push(nanoseconds / 1e3);
        let ours = self.cells.iter().filter(|(_, other)| *other == home);
        let best = ours.map(|(cell, _)| away(*cell, goal)).min();
        if found.map(|cell| away(cell, goal)) != best {
            let fault = format!("nearest to {goal} from {start}: {found:?}");
            self.row.faults.push(fault);
        }
        let request = GroundRequest {
            partial: order,
            ..GroundRequest::new(start, goal)
        };
        let searcher = &mut self.searcher;
        let (outcome, nanoseconds) = self.timer.time(|| searcher.find(ground, &request));
        self.row.partial_us.push(nanoseconds / 1e3);
        let path: Option<GroundPath> = match outcome {
            Ok(Outcome::Partial { best, .. }) => Some(best),
            Ok(Outcome::Unreachable { nearest, .. }) => nearest,
            _ => None,
        };
        let end = path.as_ref().and_then(GroundPath::end);
        let mut walked = PathBuffer::default();
        if let Some(path) = &path {
            walked.cells.clone_from(&path.cells);
        }
        let leads_there = end.is_some_and(|end| {
            let ends = (start.column(), end.column());
            Some(end) == found
                && check::walk(&self.open, MovementRule::Benchmark, ends, &walked).is_ok()
        });
        if !leads_there {
            let fault = format!("path from {start} towards {goal}: ends at {end:?}");
            self.row.faults.push(fault);
        }
        path.into_iter()
            .for_each(|path| self.searcher.recycle(path));
    }
}

/// The octile distance, in units of `Cost`.
fn away(cell: Cell, goal: Cell) -> u32 {
    Cost::octile(cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y)).units()
}
