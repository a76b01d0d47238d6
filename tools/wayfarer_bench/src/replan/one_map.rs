//! One map, one engine: each path is cut in its center and restored.

use wayfarer_engine::base::{Column, Raster};
use wayfarer_measure::clock::Timer;

use super::report::MapRow;
use crate::check;
use crate::engine::{Engine, EngineError, EngineResult, MovementRule, PathBuffer};
use crate::query::{Case, QuerySet};
use crate::reference::Reference;

/// Runs every query twice to warm the cache; then cuts path by path.
pub(super) fn measure(
    set: &QuerySet,
    engine: &mut dyn Engine,
    runs: usize,
) -> Result<MapRow, EngineError> {
    engine.prepare(&set.map)?;
    let mut cutter = Cutter {
        set,
        map: set.map.clone(),
        timer: Timer::new(),
        path: PathBuffer::default(),
        row: MapRow::new(&set.name, &engine.about().name),
        engine,
    };
    for _ in 0..2 {
        for case in &set.cases {
            cutter.query(case);
        }
    }
    for case in &set.cases {
        if case.best.is_some() {
            cutter.cut(case, runs)?;
        }
    }
    Ok(cutter.row)
}

struct Cutter<'a> {
    set: &'a QuerySet,
    /// The current map.
    map: Raster,
    engine: &'a mut dyn Engine,
    timer: Timer,
    path: PathBuffer,
    row: MapRow,
}

impl Cutter<'_> {
    /// The result and its time in microseconds.
    fn query(&mut self, case: &Case) -> (EngineResult, f64) {
        self.path.clear();
        let (engine, path) = (&mut self.engine, &mut self.path);
        let query = || engine.result(case.start, case.goal, path);
        let (result, nanoseconds) = self.timer.time(query);
        (result, nanoseconds / 1e3)
    }

    /// Opens or closes a cell; the time that takes in microseconds.
    fn change(&mut self, at: Column, is_open: bool) -> Result<f64, EngineError> {
        let terrain = is_open.then(|| self.set.map.get(at.x, at.y)).flatten();
        self.map.set(at.x, at.y, terrain);
        let (engine, map) = (&mut self.engine, &self.map);
        let (done, nanoseconds) = self.timer.time(|| engine.edit(map, &[at]));
        if !done {
            return Err(EngineError::Map {
                engine: self.engine.about().name,
                reason: format!("it cannot apply the edit of cell {at}"),
            });
        }
        Ok(nanoseconds / 1e3)
    }

    fn cut(&mut self, case: &Case, runs: usize) -> Result<(), EngineError> {
        self.query(case);
        let n_cells = self.path.cells.len();
        let Some(center) = self.path.cells.get(n_cells / 2).filter(|_| n_cells > 2) else {
            return Ok(());
        };
        let center = center.column();
        let mut open = self.set.open.clone();
        open.set(center, false);
        let best = Reference::new(&open, MovementRule::Benchmark).length(case.start, case.goal);
        if best.is_none() {
            self.row.n_disconnected += 1;
            return Ok(());
        }
        let case = Case { best, ..*case };
        let mut least = [f64::MAX; 4];
        for _ in 0..runs.max(1) {
            let edit = self.change(center, false)?;
            let (result, next) = self.query(&case);
            let about = self.engine.about();
            if let Err(fault) = check::check(&open, &about, &case, result, &self.path) {
                let (from, to) = (case.start, case.goal);
                let fault = format!("{from} to {to} without {center}: {fault:?}");
                self.row.faults.push(fault);
            }
            let (_, warm) = self.query(&case);
            let heal = self.change(center, true)?;
            // Warm, as before.
            self.query(&case);
            self.query(&case);
            for (least, time) in least.iter_mut().zip([edit, next, warm, heal]) {
                *least = least.min(time);
            }
        }
        let [edit, next, warm, heal] = least;
        self.row.cut_us.push(edit);
        self.row.heal_us.push(heal);
        self.row.next_us.push(next);
        self.row.warm_us.push(warm);
        Ok(())
    }
}
