//! Walks filed under the sectors that they lead through, with the columns they depend on.
//!
//! Every walk is filed under each sector it runs through, with a bit for each column of that sector
//! that its steps depend on, row by row: 32 bytes. An edit runs through those of the walks in its
//! sectors, and walks only the steps that depend on a changed column. A walk knows where it is
//! filed, so that taking it out takes no looking for it; of one that was repaired only the sectors
//! where it was are filed anew.

use wayfarer_base::collections::{FastMap, SlotMap};
use wayfarer_base::subscription::SubscriptionId;
use wayfarer_base::{ChangeSet, Column, Id, Rect, SectorId, SpatialKey};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::super::GroundPath;
use super::super::area::columns_touched;
use super::super::nav_graph::NavGraph;
use super::super::path::step_between;
use super::super::status::broken_at;
use super::InvalidationReport;
use super::runs::{Run, masks_of, may_touch, place_in_sector, runs_of, runs_that_differ};

/// Walks filed by the sectors they lead through, for who keeps the paths; `T` says whose each is.
#[derive(Clone, Debug)]
pub struct PathIndex<T> {
    walks: SlotMap<Walk<T>>,
    files: Vec<SectorFile>,
    /// Which of the files is that of a sector.
    filed: FastMap<SpatialKey, u32>,
    /// Files that are empty.
    free: Vec<u32>,
    /// Runs of the walk at hand.
    runs: Vec<Run>,
}

#[derive(Clone, Debug)]
struct Walk<T> {
    owner: T,
    /// Where it is filed.
    places: Vec<FiledAt>,
    is_broken: bool,
}

/// Where a walk is filed under one of its sectors.
#[derive(Clone, Copy, Debug)]
struct FiledAt {
    sector: SectorId,
    /// Which file, and which place in it.
    file: u32,
    place: u32,
}

/// What is filed under one sector.
#[derive(Clone, Debug, Default)]
struct SectorFile {
    walks: Vec<Filed>,
    /// For each walk the columns that its steps depend on, row by row.
    rows: Vec<[u16; 16]>,
}

/// A walk with steps that depend on one sector.
#[derive(Clone, Copy, Debug)]
struct Filed {
    id: SubscriptionId,
    /// Which of the places of its walk this is.
    number: u32,
}

/// Columns of one sector that changed.
#[derive(Clone, Copy, Debug)]
struct Changed {
    sector: SectorId,
    /// A bit for each column, row by row.
    rows: [u16; 16],
    /// True if cost multipliers may have changed, so that whole legs must be added up.
    is_weighted: bool,
}

impl<T> Default for PathIndex<T> {
    fn default() -> Self {
        Self {
            walks: SlotMap::default(),
            files: Vec::new(),
            filed: FastMap::default(),
            free: Vec::new(),
            runs: Vec::new(),
        }
    }
}

impl PathIndex<GroundPath> {
    /// Files a walk that is kept here.
    pub(super) fn file_own(&mut self, path: GroundPath) -> SubscriptionId {
        runs_of(&path, &mut self.runs);
        self.file_runs(path)
    }
}

impl<T> PathIndex<T> {
    /// Files a walk of the ground's present revision, until it is taken out.
    pub fn insert(&mut self, owner: T, path: &GroundPath) -> SubscriptionId {
        runs_of(path, &mut self.runs);
        self.file_runs(owner)
    }

    fn file_runs(&mut self, owner: T) -> SubscriptionId {
        let id = self.walks.insert(Walk {
            owner,
            places: Vec::with_capacity(self.runs.len()),
            is_broken: false,
        });
        let id = SubscriptionId::from_bits(id.to_bits());
        self.put_runs(id);
        id
    }

    /// Files what is in `runs` for a walk.
    fn put_runs(&mut self, id: SubscriptionId) {
        let mut runs = std::mem::take(&mut self.runs);
        for run in runs.drain(..) {
            self.put(id, run);
        }
        self.runs = runs;
    }

    fn put(&mut self, id: SubscriptionId, run: Run) {
        let Some(walk) = self.walks.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        let (sector, key) = (run.sector, SpatialKey::from_sector(run.sector));
        let at = *self.filed.entry(key).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.files.push(SectorFile::default());
                u32::try_from(self.files.len() - 1).expect("fewer than 2^32 sectors")
            })
        });
        let file = &mut self.files[at as usize];
        let count = |n: usize| u32::try_from(n).expect("fewer than 2^32 walks");
        let number = count(walk.places.len());
        walk.places.push(FiledAt {
            sector,
            file: at,
            place: count(file.walks.len()),
        });
        file.walks.push(Filed { id, number });
        file.rows.push(run.rows);
    }

    /// Takes the last or any other of a walk's places out of its file.
    fn remove(&mut self, id: SubscriptionId, number: usize) {
        let Some(walk) = self.walks.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        let FiledAt {
            sector,
            file: at,
            place,
        } = walk.places.swap_remove(number);
        // The last place of the walk has another number now.
        if let Some(moved) = walk.places.get(number) {
            let filed = &mut self.files[moved.file as usize].walks[moved.place as usize];
            filed.number = u32::try_from(number).expect("fewer than 2^32 places");
        }
        let file = &mut self.files[at as usize];
        file.walks.swap_remove(place as usize);
        file.rows.swap_remove(place as usize);
        // The last walk of the file has another place now.
        if let Some(moved) = file.walks.get(place as usize)
            && let Some(other) = self.walks.get_mut(Id::from_bits(moved.id.to_bits()))
        {
            other.places[moved.number as usize].place = place;
        }
        if file.walks.is_empty() {
            self.filed.remove(&SpatialKey::from_sector(sector));
            self.free.push(at);
        }
    }

    /// Takes a walk out and says whose it was; `None` if it is not filed.
    pub fn take(&mut self, id: SubscriptionId) -> Option<T> {
        self.remove_all(id);
        let walk = self.walks.remove(Id::from_bits(id.to_bits()))?;
        Some(walk.owner)
    }

    fn remove_all(&mut self, id: SubscriptionId) {
        let walk = self.walks.get(Id::from_bits(id.to_bits()));
        let n_places = walk.map_or(0, |walk| walk.places.len());
        for number in (0..n_places).rev() {
            self.remove(id, number);
        }
    }

    /// Files `path`, of the ground's present revision, in place of `previous`, which is filed under
    /// this name. Takes time in proportion to what the two do not share, mostly.
    pub fn update(&mut self, id: SubscriptionId, previous: &GroundPath, path: &GroundPath) {
        let mut runs = std::mem::take(&mut self.runs);
        if runs_that_differ(previous, path, &mut runs) {
            for run in &runs {
                self.replace(id, *run);
            }
        } else {
            self.remove_all(id);
            runs_of(path, &mut runs);
            for run in &runs {
                self.put(id, *run);
            }
        }
        self.runs = runs;
        if let Some(walk) = self.walks.get_mut(Id::from_bits(id.to_bits())) {
            walk.is_broken = false;
        }
    }

    /// Files what a walk depends on in one sector, whatever was filed there.
    fn replace(&mut self, id: SubscriptionId, run: Run) {
        let walk = self.walks.get(Id::from_bits(id.to_bits()));
        let places = walk.map_or(&[][..], |walk| &walk.places);
        let number = places.iter().position(|at| at.sector == run.sector);
        match number {
            Some(number) if run.is_any() => {
                let FiledAt { file, place, .. } = places[number];
                self.files[file as usize].rows[place as usize] = run.rows;
            }
            Some(number) => self.remove(id, number),
            None if run.is_any() => self.put(id, run),
            None => {}
        }
    }

    /// Whose a walk is.
    pub fn owner(&self, id: SubscriptionId) -> Option<&T> {
        let walk = self.walks.get(Id::from_bits(id.to_bits()));
        walk.map(|walk| &walk.owner)
    }

    /// How many walks are filed.
    pub fn len(&self) -> usize {
        self.walks.len()
    }

    /// True if none is filed.
    pub fn is_empty(&self) -> bool {
        self.walks.is_empty()
    }

    /// Says which walks the latest edit of `ground` broke, but for those that are
    /// [known](Self::know_broken) to be; `path_of` says which path an owner has filed. Takes time
    /// in proportion to what changed and to the walks that run there.
    pub fn find_invalidated<'p>(
        &'p self,
        ground: &Ground,
        set: &ChangeSet<GroundDifference>,
        path_of: impl Fn(&'p T) -> Option<&'p GroundPath>,
    ) -> InvalidationReport {
        let mut report = InvalidationReport::default();
        for change in &changes_of(set) {
            let Some(at) = self.filed.get(&SpatialKey::from_sector(change.sector)) else {
                continue;
            };
            let file = &self.files[*at as usize];
            report.n_candidates += file.walks.len();
            for (filed, rows) in file.walks.iter().zip(&file.rows) {
                let both = rows.iter().zip(&change.rows).map(|(a, b)| a & b);
                if both.fold(0, |all, row| all | row) == 0 {
                    continue;
                }
                let walk = self.walks.get(Id::from_bits(filed.id.to_bits()));
                let walk = walk.filter(|walk| !walk.is_broken);
                let Some(path) = walk.and_then(|walk| path_of(&walk.owner)) else {
                    continue;
                };
                // A path of a profile that is no longer registered is nobody's: it is broken.
                let nav_graph = NavGraph::new(ground, path.profile_id);
                let n_walked = &mut report.n_checked;
                if nav_graph.map_or(true, |it| is_broken(it, path, change, n_walked)) {
                    report.invalidated.push(filed.id);
                }
            }
        }
        report.invalidated.sort_unstable();
        report.invalidated.dedup();
        report
    }

    /// Says that walks are broken, so that they are not told of again.
    pub fn mark_invalid(&mut self, walks: &[SubscriptionId]) {
        for id in walks {
            if let Some(walk) = self.walks.get_mut(Id::from_bits(id.to_bits())) {
                walk.is_broken = true;
            }
        }
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

fn is_broken(
    nav_graph: NavGraph<'_>,
    path: &GroundPath,
    change: &Changed,
    n_walked: &mut usize,
) -> bool {
    if path.legs.is_empty() {
        return path
            .start()
            .is_some_and(|start| nav_graph.node(start).is_none());
    }
    for (number, leg) in path.legs.iter().enumerate() {
        if !may_touch(path, leg, change.sector) {
            continue;
        }
        let mut is_added_up = !change.is_weighted;
        for step in leg.begin as usize..leg.end as usize {
            if !path.columns_of_step(step).any(|rect| change.touches(rect)) {
                continue;
            }
            *n_walked += 1;
            let (from, to) = (path.cells[step], path.cells[step + 1]);
            let nodes = nav_graph.node(from).zip(nav_graph.node(to));
            let now = nodes.and_then(|(a, b)| step_between(nav_graph, (a, from), (b, to)));
            if now.is_none() {
                return true;
            }
            if !is_added_up {
                *n_walked += (leg.end - leg.begin) as usize;
                if broken_at(nav_graph, path, number).is_some() {
                    return true;
                }
                is_added_up = true;
            }
        }
    }
    false
}

/// The columns where something may have become harder, by sector.
fn changes_of(set: &ChangeSet<GroundDifference>) -> Vec<Changed> {
    let mut changed: Vec<Changed> = Vec::new();
    let mut note = |column: Column, is_weighted: bool| {
        let sector = SectorId::from_column(column);
        let known = changed.iter().rposition(|change| change.sector == sector);
        let at = known.unwrap_or_else(|| {
            changed.push(Changed {
                sector,
                rows: [0; 16],
                is_weighted: false,
            });
            changed.len() - 1
        });
        let (row, bit) = place_in_sector(column);
        changed[at].rows[row] |= 1 << bit;
        changed[at].is_weighted |= is_weighted;
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
            GroundDifference::NavLink(nav_link) => {
                if nav_link.before.is_some() {
                    note(nav_link.name.from.column(), true);
                }
            }
            GroundDifference::CostModifier(modifier) => {
                if let Some(after) = &modifier.after {
                    columns_touched(&after.shape, &set.dirty_sectors).for_each(|at| note(at, true));
                }
            }
        }
    }
    changed
}
