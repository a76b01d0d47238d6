//! Paths that are watched: an edit tells at once which of them it broke.
//!
//! Every path is filed under each sector it runs through, with a bit for each column of that sector
//! that its steps depend on, row by row. An edit runs through the bits of the rows it changed, two
//! bytes for each path filed there, and walks only the steps that depend on a changed column.

use wayfarer_base::collections::{FastMap, Slots};
use wayfarer_base::watch::WatchId;
use wayfarer_base::{ChangeSet, Column, Rect, SectorId, WatchKey};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::GroundPath;
use super::area::columns_touched;
use super::footing::Footing;
use super::path::{sectors_of, step_between};
use super::status::broken_at;

/// Paths of one ground that are watched.
///
/// ```
/// use wayfarer_base::{Cell, Edit, Raster};
/// use wayfarer_search::ground::{PathRequest, PathSearcher, WatchList};
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::from_raster(&Raster::from_bytes(3, 2, vec![0; 6]).unwrap());
/// let mut watched = WatchList::default();
/// for y in 0..2 {
///     let request = PathRequest::new(Cell::flat(0, y), Cell::flat(2, y));
///     let path = PathSearcher::default().find(&ground, &request)?.found().unwrap();
///     watched.watch(path);
/// }
/// let changes = ground.apply(&[Edit::RemoveCell { cell: Cell::flat(1, 1) }])?;
/// let report = watched.notice(&ground, &changes.set);
/// assert_eq!(report.broken.len(), 1); // the southern one
/// let path = watched.path(report.broken[0]).unwrap();
/// assert_eq!(path.start(), Some(Cell::flat(0, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WatchList {
    paths: Slots<Watch>,
    filed: FastMap<WatchKey, SectorFile>,
    /// The columns that the edit at hand changed, by sector.
    changed: Vec<Changed>,
    /// The runs of a sector that depend on them.
    touched: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Watch {
    path: GroundPath,
    is_broken: bool,
}

/// What is filed under one sector.
#[derive(Clone, Debug, Default)]
struct SectorFile {
    runs: Vec<Filed>,
    /// For each row of the sector, and in it for each run, the columns that its steps depend on.
    rows: [Vec<u16>; 16],
}

/// A run of a path's steps that depend on one sector.
#[derive(Clone, Copy, Debug)]
struct Filed {
    id: WatchId,
    /// The first step, and the one after the last.
    steps: (u32, u32),
}

/// A run with the columns of its sector that its steps depend on, row by row.
#[derive(Clone, Copy, Debug)]
struct Run {
    steps: (u32, u32),
    rows: [u16; 16],
}

impl SectorFile {
    fn add(&mut self, id: WatchId, run: Run) {
        let Run { steps, rows } = run;
        self.runs.push(Filed { id, steps });
        for (row, bits) in self.rows.iter_mut().zip(rows) {
            row.push(bits);
        }
    }

    fn remove(&mut self, id: WatchId) {
        for at in (0..self.runs.len()).rev() {
            if self.runs[at].id == id {
                self.runs.swap_remove(at);
                for row in &mut self.rows {
                    row.swap_remove(at);
                }
            }
        }
    }
}

/// Columns of one sector that changed.
#[derive(Clone, Copy, Debug)]
struct Changed {
    sector: SectorId,
    /// A bit for each column, row by row.
    rows: [u16; 16],
    /// True if prices may have changed, so that whole legs must be added up.
    is_priced: bool,
}

/// What an edit did to watched paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WatchReport {
    /// The paths that can no longer be walked at their price since this edit, in order.
    pub broken: Vec<WatchId>,
    /// How many runs of paths were filed where something changed.
    pub n_filed: usize,
    /// How many steps of paths were walked to find out.
    pub n_walked: usize,
}

impl WatchList {
    /// Watches a path of the ground's present revision, until it is taken back.
    pub fn watch(&mut self, path: GroundPath) -> WatchId {
        let runs = runs_of(&path);
        let id = self.paths.insert(Watch {
            path,
            is_broken: false,
        });
        let id = WatchId::from_bits(id.to_bits());
        for (sector, run) in runs {
            let filed = self.filed.entry(WatchKey::of_sector(sector)).or_default();
            filed.add(id, run);
        }
        id
    }

    /// Stops watching a path and gives it back.
    pub fn take(&mut self, id: WatchId) -> Option<GroundPath> {
        let watch = self
            .paths
            .remove(wayfarer_base::Id::from_bits(id.to_bits()))?;
        for key in watch.path.watch_keys() {
            if let Some(filed) = self.filed.get_mut(&key) {
                filed.remove(id);
                if filed.runs.is_empty() {
                    self.filed.remove(&key);
                }
            }
        }
        Some(watch.path)
    }

    /// A watched path.
    pub fn path(&self, id: WatchId) -> Option<&GroundPath> {
        let watch = self.paths.get(wayfarer_base::Id::from_bits(id.to_bits()));
        watch.map(|watch| &watch.path)
    }

    /// How many paths are watched.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// True if none is watched.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Says which paths the latest edit of `ground` broke; takes time in proportion to what
    /// changed and to the paths that run there, not to how many are watched.
    ///
    /// A path is reported once, when it breaks; if it heals later, watch it anew.
    pub fn notice(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) -> WatchReport {
        let mut report = WatchReport::default();
        let mut changed = std::mem::take(&mut self.changed);
        note_changes(set, &mut changed);
        for change in &changed {
            let Some(filed) = self.filed.get(&WatchKey::of_sector(change.sector)) else {
                continue;
            };
            report.n_filed += filed.runs.len();
            let rows = filed.rows.iter().zip(change.rows);
            self.touched.clear();
            for (row, changed) in rows.filter(|(_, changed)| *changed != 0) {
                let bits = (0_u32..).zip(row);
                let hit = bits.filter(|(_, bits)| *bits & changed != 0);
                self.touched.extend(hit.map(|(at, _)| at));
            }
            self.touched.sort_unstable();
            self.touched.dedup();
            for at in &self.touched {
                let run = &filed.runs[*at as usize];
                let id = wayfarer_base::Id::from_bits(run.id.to_bits());
                let Some(watch) = self.paths.get_mut(id).filter(|watch| !watch.is_broken) else {
                    continue;
                };
                // A path of a profile that is no longer registered is nobody's: it is broken.
                let footing = Footing::of(ground, watch.path.view);
                let n_walked = &mut report.n_walked;
                let breaks = |footing| is_broken(footing, &watch.path, run, change, n_walked);
                if footing.map_or(true, breaks) {
                    watch.is_broken = true;
                    report.broken.push(run.id);
                }
            }
        }
        self.changed = changed;
        report.broken.sort_unstable();
        report
    }
}

impl Changed {
    /// True if a column of the rectangle has changed.
    fn touches(&self, rect: Rect) -> bool {
        match masks_of(rect, self.sector) {
            Some((rows, columns)) => {
                let mut changed = (0..16).filter(|row| rows >> row & 1 == 1);
                changed.any(|row| self.rows[row] & columns != 0)
            }
            None => false,
        }
    }
}

/// Row and column of a column in its sector.
fn place_in_sector(column: Column) -> (usize, u32) {
    let within = |at: i32| (at & (SectorId::SIDE - 1)).unsigned_abs();
    (within(column.y) as usize, within(column.x))
}

/// The rows and columns of a sector that a rectangle covers, a bit for each; `None` if none.
fn masks_of(rect: Rect, sector: SectorId) -> Option<(u16, u16)> {
    let all = sector.rect();
    let span = |low: i32, high: i32, first: i32| -> Option<u16> {
        let (low, high) = (low.max(first), high.min(first + SectorId::SIDE - 1));
        let n_bits = u32::try_from(high - low + 1).ok().filter(|n| *n > 0)?;
        Some((u16::MAX >> (16 - n_bits)) << (low - first))
    };
    let rows = span(rect.low.y, rect.high.y, all.low.y)?;
    Some((rows, span(rect.low.x, rect.high.x, all.low.x)?))
}

fn is_broken(
    footing: Footing<'_>,
    path: &GroundPath,
    run: &Filed,
    change: &Changed,
    n_walked: &mut usize,
) -> bool {
    if path.legs.is_empty() {
        return path
            .start()
            .is_some_and(|start| footing.node(start).is_none());
    }
    let steps = run.steps.0 as usize..run.steps.1 as usize;
    let mut added_up = usize::MAX;
    for step in steps {
        if !path.columns_of_step(step).any(|rect| change.touches(rect)) {
            continue;
        }
        *n_walked += 1;
        let (from, to) = (path.cells[step], path.cells[step + 1]);
        let nodes = footing.node(from).zip(footing.node(to));
        let now = nodes.and_then(|(a, b)| step_between(footing, (a, from), (b, to)));
        if now.is_none() {
            return true;
        }
        let leg = path.legs.partition_point(|leg| leg.end as usize <= step);
        if change.is_priced && leg != added_up {
            *n_walked += (path.legs[leg].end - path.legs[leg].begin) as usize;
            if broken_at(footing, path, leg).is_some() {
                return true;
            }
            added_up = leg;
        }
    }
    false
}

/// Gathers the columns where something may have become harder, by sector.
fn note_changes(set: &ChangeSet<GroundDifference>, changed: &mut Vec<Changed>) {
    changed.clear();
    let mut note = |column: Column, is_priced: bool| {
        let sector = SectorId::of(column);
        let known = changed.iter().rposition(|change| change.sector == sector);
        let at = known.unwrap_or_else(|| {
            changed.push(Changed {
                sector,
                rows: [0; 16],
                is_priced: false,
            });
            changed.len() - 1
        });
        let (row, bit) = place_in_sector(column);
        changed[at].rows[row] |= 1 << bit;
        changed[at].is_priced |= is_priced;
    };
    for difference in &set.differences {
        match difference {
            GroundDifference::Floor {
                cell,
                before,
                after,
            } => note(cell.column(), before.is_some() && after.is_some()),
            GroundDifference::Wall { wall, stands } => {
                // The wall stands between this cell and the next: their steps depend on it.
                if *stands {
                    note(wall.cell.column(), false);
                }
            }
            GroundDifference::Passage(passage) => {
                if passage.before.is_some() {
                    note(passage.name.from.column(), true);
                }
            }
            GroundDifference::Effect(effect) => {
                if let Some(after) = &effect.after {
                    columns_touched(&after.shape, &set.touched).for_each(|at| note(at, true));
                }
            }
        }
    }
}

/// The runs of a path's steps in each sector that they depend on.
fn runs_of(path: &GroundPath) -> Vec<(SectorId, Run)> {
    let mut runs: Vec<(SectorId, Run)> = Vec::new();
    let mut add = |rect: Rect, sector: SectorId, steps: (u32, u32)| {
        let Some((rows, columns)) = masks_of(rect, sector) else {
            return;
        };
        let open = runs
            .iter()
            .rposition(|(of, run)| *of == sector && run.steps.1 >= steps.0);
        let at = open.unwrap_or_else(|| {
            let rows = [0; 16];
            runs.push((sector, Run { steps, rows }));
            runs.len() - 1
        });
        let run = &mut runs[at].1;
        run.steps.1 = steps.1;
        for (row, bits) in run.rows.iter_mut().enumerate() {
            if rows >> row & 1 == 1 {
                *bits |= columns;
            }
        }
    };
    if path.legs.is_empty() {
        let rect = path.columns_of_start();
        sectors_of(rect).for_each(|sector| add(rect, sector, (0, 0)));
    }
    for (number, step) in (0..).zip(0..path.cells.len().saturating_sub(1)) {
        for rect in path.columns_of_step(step) {
            sectors_of(rect).for_each(|sector| add(rect, sector, (number, number + 1)));
        }
    }
    runs
}
