//! The search for a way over regions.

use wayfarer_base::{Cell, Cost};

use super::abstract_graph::AbstractGraph;
use crate::kernel::{Entry, OpenList, QuaternaryHeap};

const NONE: u32 = u32::MAX;

/// Memory for searches over regions, reused. Ties fall as everywhere: lowest estimate of the whole
/// way, then highest cost so far, then the region that was discovered first; regions are discovered
/// in the order of their centers, row by row, however their edges are stored.
#[derive(Clone, Debug)]
pub(super) struct RegionSearch<R> {
    records: Vec<Record<R>>,
    /// For each sector the last record made in it; counts only if that record is of the sector.
    heads: Vec<u32>,
    open: QuaternaryHeap,
    around: Vec<(Cell, R)>,
}

#[derive(Clone, Copy, Debug)]
struct Record<R> {
    region: R,
    center: Cell,
    sector: u32,
    cost: u32,
    before: u32,
    /// The record made in the same sector before this one.
    next: u32,
}

impl<R> Default for RegionSearch<R> {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            heads: Vec::new(),
            open: QuaternaryHeap::default(),
            around: Vec::new(),
        }
    }
}

impl<R: Copy + Eq> RegionSearch<R> {
    /// Writes the regions from `from` to `to` into `path`; how many were expanded, or `None` if the
    /// regions do not are connected. Costs are octile distances between centers.
    pub(super) fn find<P: AbstractGraph<Region = R>>(
        &mut self,
        plan: &P,
        from: R,
        to: R,
        path: &mut Vec<R>,
        expansions: &mut u64,
    ) -> Option<()> {
        path.clear();
        self.records.clear();
        self.open.clear(0, 0);
        let n_sectors = plan.n_sectors() as usize;
        if self.heads.len() < n_sectors {
            self.heads.resize(n_sectors, NONE);
        }
        let goal = plan.cell(plan.center(to)?);
        let start = plan.cell(plan.center(from)?);
        let first = self.add(from, start, plan.sector_of(from), 0, NONE);
        self.open.reserve(1);
        self.open.push(Entry::new(octile(start, goal), 0, first));
        loop {
            let entry = self.open.pop()?;
            let number = entry.node();
            let record = self.records[number as usize];
            if record.cost != entry.g() {
                continue; // A cheaper way was found since.
            }
            if record.region == to {
                let mut at = number;
                while at != NONE {
                    path.push(self.records[at as usize].region);
                    at = self.records[at as usize].before;
                }
                path.reverse();
                return Some(());
            }
            *expansions += 1;
            self.around.clear();
            plan.for_edges(record.region, |next| {
                if let Some(center) = plan.center(next) {
                    self.around.push((plan.cell(center), next));
                }
            });
            self.around
                .sort_unstable_by_key(|(center, _)| (center.y, center.x, center.z));
            for at in 0..self.around.len() {
                let (center, next) = self.around[at];
                let sector = plan.sector_of(next);
                let cost = record.cost.saturating_add(octile(record.center, center));
                let reached = match self.known(next, sector) {
                    None => self.add(next, center, sector, cost, number),
                    Some(known) => {
                        let there = &mut self.records[known as usize];
                        if cost >= there.cost {
                            continue;
                        }
                        there.cost = cost;
                        there.before = number;
                        known
                    }
                };
                let total = cost.saturating_add(octile(center, goal));
                self.open.reserve(1);
                self.open.push(Entry::new(total, cost, reached));
            }
        }
    }

    fn known(&self, region: R, sector: u32) -> Option<u32> {
        let mut at = self.head(sector);
        while at != NONE {
            let record = &self.records[at as usize];
            if record.region == region {
                return Some(at);
            }
            at = record.next;
        }
        None
    }

    fn head(&self, sector: u32) -> u32 {
        let head = self.heads[sector as usize];
        match self.records.get(head as usize) {
            Some(record) if record.sector == sector => head,
            _ => NONE,
        }
    }

    fn add(&mut self, region: R, center: Cell, sector: u32, cost: u32, before: u32) -> u32 {
        let number = u32::try_from(self.records.len()).unwrap_or(NONE);
        let next = self.head(sector);
        self.heads[sector as usize] = number;
        self.records.push(Record {
            region,
            center,
            sector,
            cost,
            before,
            next,
        });
        number
    }
}

/// The least a way over flat ground costs from one cell to another.
pub(super) fn octile(from: Cell, to: Cell) -> u32 {
    Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y)).units()
}
