//! A* over the graph of regions.
//!
//! Edge costs and heuristic are octile distances between centers. Ties: lowest f, then highest g,
//! then the region generated first; successors are generated in the order of their centers, by
//! row, whatever the order of stored edges.

use wayfarer_base::{Cell, Cost};

use super::abstract_graph::AbstractGraph;
use crate::kernel::{Entry, QuaternaryHeap};

const NONE: u32 = u32::MAX;

/// Reusable scratch for searches over regions.
#[derive(Clone, Debug)]
pub(super) struct RegionSearch<R> {
    records: Vec<Record<R>>,
    /// By sector, the head of its list of records; stale unless that record is of the sector.
    heads: Vec<u32>,
    open: QuaternaryHeap,
    successors: Vec<(Cell, R)>,
}

#[derive(Clone, Copy, Debug)]
struct Record<R> {
    region: R,
    center: Cell,
    sector: u32,
    g: u32,
    parent: u32,
    /// The next record of the same sector.
    next: u32,
}

impl<R> Default for RegionSearch<R> {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            heads: Vec::new(),
            open: QuaternaryHeap::default(),
            successors: Vec::new(),
        }
    }
}

impl<R: Copy + Eq> RegionSearch<R> {
    /// Writes the regions from `from` to `to` to `path` and adds to `expansions`; `None` without a
    /// path, or once there are `max_expansions`.
    pub(super) fn find<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        from: R,
        to: R,
        path: &mut Vec<R>,
        (expansions, max_expansions): (&mut u64, u64),
    ) -> Option<()> {
        path.clear();
        self.records.clear();
        self.open.clear();
        let n_sectors = graph.n_sectors() as usize;
        if self.heads.len() < n_sectors {
            self.heads.resize(n_sectors, NONE);
        }
        let goal = graph.cell(graph.center(to)?);
        let start = graph.cell(graph.center(from)?);
        let first = self.add(from, start, graph.sector_of(from), 0, NONE);
        self.open.reserve(1);
        self.open.push(Entry::new(octile(start, goal), 0, first));
        loop {
            let entry = self.open.pop()?;
            let number = entry.node();
            let record = self.records[number as usize];
            if record.g != entry.g() {
                continue; // Stale.
            }
            if record.region == to {
                let mut at = number;
                while at != NONE {
                    path.push(self.records[at as usize].region);
                    at = self.records[at as usize].parent;
                }
                path.reverse();
                return Some(());
            }
            if *expansions >= max_expansions {
                return None;
            }
            *expansions += 1;
            self.successors.clear();
            graph.for_each_edge(record.region, |next| {
                if let Some(center) = graph.center(next) {
                    self.successors.push((graph.cell(center), next));
                }
            });
            self.successors
                .sort_unstable_by_key(|(center, _)| (center.y, center.x, center.z));
            for at in 0..self.successors.len() {
                let (center, next) = self.successors[at];
                let sector = graph.sector_of(next);
                let g = record.g.saturating_add(octile(record.center, center));
                let generated = match self.lookup(next, sector) {
                    None => self.add(next, center, sector, g, number),
                    Some(known) => {
                        let record = &mut self.records[known as usize];
                        if g >= record.g {
                            continue;
                        }
                        record.g = g;
                        record.parent = number;
                        known
                    }
                };
                let f = g.saturating_add(octile(center, goal));
                self.open.reserve(1);
                self.open.push(Entry::new(f, g, generated));
            }
        }
    }

    fn lookup(&self, region: R, sector: u32) -> Option<u32> {
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

    fn add(&mut self, region: R, center: Cell, sector: u32, g: u32, parent: u32) -> u32 {
        let number = u32::try_from(self.records.len()).unwrap_or(NONE);
        let next = self.head(sector);
        self.heads[sector as usize] = number;
        self.records.push(Record {
            region,
            center,
            sector,
            g,
            parent,
            next,
        });
        number
    }
}

/// Octile distance between two cells, in units of `Cost`.
pub(super) fn octile(from: Cell, to: Cell) -> u32 {
    Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y)).units()
}
