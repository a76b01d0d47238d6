use super::*;
use crate::engine::{EngineResult, PathBuffer};
use crate::open_cells::OpenCells;
use wayfarer_engine::base::scenario::{Expected, Problem};
use wayfarer_engine::base::{Cell, Raster};
use wayfarer_measure::check::PathFault;
use wayfarer_testkit::ascii;

/// What is wrong with an engine made for the tests.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Flaw {
    /// Nothing.
    None,
    /// Stands on closed cells: goes straight through.
    ThroughWalls,
    /// Goes one step back and forth first.
    Detour,
    /// Leaves out the cell before the last.
    Gap,
    /// Finds nothing.
    Blind,
    /// Ends one cell short of the goal.
    Short,
    /// States half of the length.
    Liar,
    /// Panics.
    Panics,
    /// Right the first time it is asked, blind after that.
    Forgetful,
    /// Cannot take any map.
    Refuses,
}

/// A breadth-first search over straight steps, right on ground without diagonals, with a flaw.
struct Flawed {
    flaw: Flaw,
    open: Option<OpenCells>,
    n_asked: u64,
    memory: Vec<Column>,
}

fn engine(flaw: Flaw) -> Box<dyn Engine> {
    Box::new(Flawed {
        flaw,
        open: None,
        n_asked: 0,
        memory: Vec::new(),
    })
}

impl Flawed {
    fn shortest(&self, start: Column, goal: Column) -> Vec<Column> {
        let open = self.open.as_ref().unwrap();
        let mut from = vec![None; open.flags().len()];
        let mut queue = std::collections::VecDeque::from([start]);
        from[open.index(start).unwrap()] = Some(start);
        while let Some(cell) = queue.pop_front() {
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let next = Column::new(cell.x + dx, cell.y + dy);
                let passes = open.is_open(next) || self.flaw == Flaw::ThroughWalls;
                if let Some(index) = open.index(next)
                    && passes
                    && from[index].is_none()
                {
                    from[index] = Some(cell);
                    queue.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut here = goal;
        while let Some(before) = from[open.index(here).unwrap()] {
            path.push(here);
            if here == start {
                break;
            }
            here = before;
        }
        path.reverse();
        path
    }
}

impl Engine for Flawed {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: format!("{:?}", self.flaw).to_lowercase(),
            rule: MovementRule::Benchmark,
            bound: Some(1.0),
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        if self.flaw == Flaw::Refuses {
            return Err(EngineError::Map {
                engine: self.about().name,
                reason: "it takes none".to_owned(),
            });
        }
        self.open = Some(OpenCells::of(map));
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        self.n_asked += 1;
        assert!(self.flaw != Flaw::Panics, "as it should");
        let known = self.memory.contains(&goal);
        self.memory.push(goal);
        let found_path = self.shortest(start, goal);
        path.cells
            .extend(found_path.into_iter().map(|cell| cell.at(0)));
        let n_steps = path.cells.len().saturating_sub(1);
        match self.flaw {
            Flaw::Detour if n_steps > 0 => {
                let next = path.cells[1];
                path.cells.splice(0..0, [start.at(0), next]);
            }
            Flaw::Gap if n_steps > 0 => drop(path.cells.remove(n_steps - 1)),
            Flaw::Short => drop(path.cells.pop()),
            Flaw::Blind => path.cells.clear(),
            Flaw::Forgetful if known => path.cells.clear(),
            _ => {}
        }
        let share = if self.flaw == Flaw::Liar { 0.5 } else { 1.0 };
        EngineResult {
            found: !path.cells.is_empty(),
            length: (self.flaw == Flaw::Liar).then_some(n_steps as f64 * share),
            expansions: Some(n_steps as u64),
        }
    }

    fn clear_cache(&mut self) -> bool {
        self.memory.clear();
        self.flaw == Flaw::Forgetful
    }
}

/// Corridors one cell wide, where no diagonal is legal, and a cell that cannot be reached.
const CORRIDORS: &str = "
    .......#.
    .#.###.##
    .#.#.#...
    .#.#.###.
    .#...#...
";

fn corridors(n_others: usize) -> QuerySet {
    let problem = |start: (i32, i32), goal: (i32, i32), expected| Problem {
        start: Cell::flat(start.0, start.1),
        goal: Cell::flat(goal.0, goal.1),
        expected,
    };
    let problems = [
        problem((0, 0), (6, 4), Expected::Unknown),
        problem((0, 4), (4, 2), Expected::Length(14.0)),
        problem((6, 4), (4, 2), Expected::Unknown),
        problem((0, 0), (8, 0), Expected::Unreachable),
    ];
    let map = ascii::raster(CORRIDORS);
    QuerySet::new("corridors", map, &problems, None, n_others)
}

fn plan() -> Plan {
    Plan {
        runs: 3,
        repeats: 5,
        n_slowest: 2,
        turn: 2,
    }
}

/// Measures one engine on the corridors; the faults of the three questions that have an answer,
/// and of the one that has none.
#[track_caller]
fn check(flaw: Flaw, is_expected: impl Fn(&Fault) -> bool, n_wrong: usize) {
    let mut engines = [engine(Flaw::None), engine(flaw)];
    let mut measured = measure(&mut engines, &mut corridors(4), &plan());
    let flawed = measured.pop().unwrap().unwrap();
    let right = measured.pop().unwrap().unwrap();
    assert_eq!(right.wrong, [], "beside {flaw:?}");
    assert_eq!(flawed.wrong.len(), n_wrong, "{:?}", flawed.wrong);
    for wrong in &flawed.wrong {
        assert!(is_expected(&wrong.fault), "{flaw:?} gave {wrong:?}");
    }
}

#[test]
fn every_kind_of_wrong_answer_is_caught_and_counted() {
    check(Flaw::None, |_| false, 0);
    // The unreachable goal too: it walks there, through the wall.
    check(
        Flaw::ThroughWalls,
        |fault| matches!(fault, Fault::Path(PathFault::Closed { .. })),
        4,
    );
    check(
        Flaw::Gap,
        |fault| matches!(fault, Fault::Path(PathFault::Gap { .. })),
        3,
    );
    check(Flaw::Blind, |fault| *fault == Fault::Missing, 3);
    check(Flaw::Short, |fault| *fault == PathFault::Ends.into(), 3);
    check(Flaw::Detour, |fault| matches!(fault, Fault::Long { .. }), 3);
    check(
        Flaw::Liar,
        |fault| matches!(fault, Fault::Misstated { .. }),
        3,
    );
}

#[test]
fn answers_that_change_once_the_engine_is_warm_are_caught() {
    // Two of the three answered questions share their goal: the second of them comes when the
    // goal is known, in the checked warm run.
    let mut engines = [engine(Flaw::Forgetful)];
    let measured = measure(&mut engines, &mut corridors(0), &plan());
    let wrong = &measured[0].as_ref().unwrap().wrong;
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!(
        (wrong[0].start, &wrong[0].fault),
        (Column::new(6, 4), &Fault::Missing)
    );
}

#[test]
fn an_engine_that_panics_is_wrong_and_does_not_stop_the_others() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut engines = [engine(Flaw::Panics), engine(Flaw::None)];
    let measured = measure(&mut engines, &mut corridors(4), &plan());
    std::panic::set_hook(hook);
    let panics = measured[0].as_ref().unwrap();
    assert_eq!(panics.wrong.len(), 4);
    assert!(
        panics
            .wrong
            .iter()
            .all(|wrong| wrong.fault == Fault::Panicked)
    );
    assert!(panics.cases.is_empty());
    assert_eq!(measured[1].as_ref().unwrap().wrong, []);
}

#[test]
fn an_engine_that_refuses_the_map_says_why_and_does_not_stop_the_others() {
    let mut engines = [engine(Flaw::Refuses), engine(Flaw::None)];
    let measured = measure(&mut engines, &mut corridors(4), &plan());
    let error = measured[0].as_ref().unwrap_err().to_string();
    assert_eq!(error, "refuses cannot take this map: it takes none");
    assert_eq!(measured[1].as_ref().unwrap().wrong, []);
}

#[test]
fn figures_hold_what_was_asked() {
    let mut engines = [engine(Flaw::None)];
    let measured = measure(&mut engines, &mut corridors(4), &plan());
    let figures = measured[0].as_ref().unwrap();
    assert_eq!(figures.run_means_us.len(), 3);
    assert_eq!(figures.n_counted, 8); // two runs of four
    assert_eq!(figures.cold_mean_us, None);
    let ratios: Vec<_> = figures.cases.iter().map(|case| case.ratio).collect();
    assert_eq!(ratios, [Some(1.0), Some(1.0), Some(1.0), None]);
    let expansions: Vec<_> = figures.cases.iter().map(|case| case.expansions).collect();
    assert_eq!(expansions, [Some(14), Some(14), Some(20), Some(0)]);
    assert!(figures.cases.iter().all(|case| case.time_us > 0.0));
    assert!(figures.mean_us() > 0.0);
}

#[test]
fn an_engine_that_remembers_is_timed_cold_too() {
    let mut engines = [engine(Flaw::Forgetful)];
    let measured = measure(&mut engines, &mut corridors(4), &plan());
    let figures = measured[0].as_ref().unwrap();
    assert!(figures.cold_mean_us.is_some_and(|mean| mean > 0.0));
}
