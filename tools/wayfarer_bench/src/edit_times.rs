//! Times a ground edit and its inverse, repeatedly.

use wayfarer_engine::base::{Cell, GroundEdit, Raster, Terrain};
use wayfarer_engine::world::ground::{Ground, GroundChanges};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics;

/// Two batches of edits, the second undoing the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReversibleEdit {
    /// What is done.
    pub there: Vec<GroundEdit>,
    /// What undoes it.
    pub back: Vec<GroundEdit>,
}

impl ReversibleEdit {
    /// Removes floors and puts them back.
    pub fn cut(floors: &[(Cell, Terrain)]) -> Self {
        let there = floors
            .iter()
            .map(|&(cell, _)| GroundEdit::RemoveCell { cell });
        let back = floors
            .iter()
            .map(|&(cell, terrain)| GroundEdit::PutCell { cell, terrain });
        Self {
            there: there.collect(),
            back: back.collect(),
        }
    }

    /// The inverse.
    pub fn reversed(self) -> Self {
        Self {
            there: self.back,
            back: self.there,
        }
    }
}

/// Times in microseconds, there and back.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Times {
    /// Doing it.
    pub there: Vec<f64>,
    /// Undoing it.
    pub back: Vec<f64>,
}

impl Times {
    /// The median of each.
    pub fn medians(&mut self) -> (f64, f64) {
        let center = |times: &mut Vec<f64>| statistics::median(times).unwrap_or(0.0);
        (center(&mut self.there), center(&mut self.back))
    }

    /// The least of each.
    pub fn bests(&self) -> (f64, f64) {
        let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
        (least(&self.there), least(&self.back))
    }
}

/// Disturbed times are repeated: at most this many for each requested one.
const MAX_TRIES: usize = 4;

/// Times edits on one thread.
#[derive(Debug, Default)]
pub struct EditTimer {
    timer: Timer,
}

impl EditTimer {
    /// Applies one batch: what it changed, its time in microseconds, and true if another program
    /// disturbed it. Freeing the change set is not part of the time.
    pub fn once(&self, ground: &mut Ground, edits: &[GroundEdit]) -> (GroundChanges, f64, bool) {
        let (changes, nanoseconds, disturbed) = self.timer.time_disturbed(|| ground.apply(edits));
        let changes = changes.expect("measured edits lie inside the world");
        (changes, nanoseconds / 1e3, disturbed)
    }

    /// Applies an edit and its inverse `n_times` times.
    pub fn there_and_back(
        &self,
        ground: &mut Ground,
        pair: &ReversibleEdit,
        n_times: usize,
    ) -> Times {
        self.repeat(n_times, || {
            let (_, there, disturbed_there) = self.once(ground, &pair.there);
            let (_, back, disturbed_back) = self.once(ground, &pair.back);
            [(there, disturbed_there), (back, disturbed_back)]
        })
    }

    /// The same, with a batch of its own for every edit.
    pub fn one_by_one(&self, ground: &mut Ground, pair: &ReversibleEdit, n_times: usize) -> Times {
        let mut kept = Vec::with_capacity(pair.there.len().max(pair.back.len()));
        self.repeat(n_times, || {
            [&pair.there, &pair.back].map(|edits| {
                let ((), nanoseconds, disturbed) = self.timer.time_disturbed(|| {
                    for edit in edits {
                        kept.push(ground.apply(std::slice::from_ref(edit)));
                    }
                });
                kept.clear();
                (nanoseconds / 1e3, disturbed)
            })
        })
    }

    fn repeat(&self, n_times: usize, mut round: impl FnMut() -> [(f64, bool); 2]) -> Times {
        let mut clean = [Vec::new(), Vec::new()];
        let mut disturbed = [Vec::new(), Vec::new()];
        for _ in 0..n_times * MAX_TRIES {
            for (direction, (time, is_disturbed)) in round().into_iter().enumerate() {
                if is_disturbed {
                    disturbed[direction].push(time);
                } else {
                    clean[direction].push(time);
                }
            }
            if clean.iter().all(|times| times.len() >= n_times) {
                break;
            }
        }
        let [there, back] = [0, 1].map(|direction| {
            let times = if clean[direction].is_empty() {
                &mut disturbed[direction]
            } else {
                &mut clean[direction]
            };
            times.truncate(n_times);
            std::mem::take(times)
        });
        Times { there, back }
    }
}

/// The difference of a ground from the one rebuilt from `raster`, if any.
pub fn differs(ground: &Ground, raster: &Raster) -> Option<String> {
    let (found, expected) = (ground.canonical(), Ground::from_raster(raster).canonical());
    if found == expected {
        return None;
    }
    if found.data != expected.data {
        let (here, there) = (found.data.cells.len(), expected.data.cells.len());
        return Some(format!("has {here} floors, expected {there}, or others"));
    }
    let mut pairs = found.regions.iter().zip(&expected.regions);
    let first = pairs.find(|(found, expected)| found != expected);
    Some(match first {
        Some((found, _)) => format!(
            "the region of {} differs from a rebuilt one",
            found.cells.first().copied().unwrap_or_default()
        ),
        None => format!(
            "has {} regions, expected {}, or other costs",
            found.regions.len(),
            expected.regions.len()
        ),
    })
}

#[cfg(test)]
mod tests;
