//! Subscriptions of ground paths: masks of 16 x 16 columns, a bit each, 32 bytes per sector.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{ChangeSet, Column, Rect, SectorId};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::GroundPath;
use super::area::dirty_columns;
use super::nav_graph::NavGraph;
use super::path::step_between;
use super::status::invalid_at;
use crate::subscriptions::{LocatedChange, Run, Subscribable};

mod runs;

use runs::{Rows, may_depend_on, position_in_sector, rect_masks, write_differing_runs, write_runs};

/// Changed columns of one sector.
#[derive(Clone, Copy, Debug)]
pub struct ColumnChanges {
    sector: SectorId,
    rows: Rows,
    /// True if costs may have changed, so that whole legs must be summed up.
    is_weighted: bool,
}

impl Subscribable for GroundPath {
    type World = Ground;
    type Changes = ChangeSet<GroundDifference>;
    type Sector = SectorId;
    /// The columns that the path's steps depend on, a bit each, row by row.
    type Mask = Rows;
    type Change = ColumnChanges;

    fn write_runs(&self, _ground: &Ground, runs: &mut Vec<Run<SectorId, Rows>>) {
        write_runs(self, runs);
    }

    fn write_differing_runs(&self, previous: &Self, runs: &mut Vec<Run<SectorId, Rows>>) -> bool {
        write_differing_runs(previous, self, runs)
    }

    fn is_empty(rows: &Rows) -> bool {
        *rows == [0; 16]
    }

    /// The columns where steps may have become impossible or costlier.
    fn changes(
        _ground: &Ground,
        set: &ChangeSet<GroundDifference>,
    ) -> Vec<LocatedChange<SectorId, ColumnChanges>> {
        let mut changed: Vec<ColumnChanges> = Vec::new();
        let mut index: FastMap<SectorId, usize> = FastMap::default();
        let mut add = |column: Column, is_weighted: bool| {
            let sector = SectorId::from_column(column);
            let last = changed.last().filter(|last| last.sector == sector);
            let last = last.map(|_| changed.len() - 1);
            let at = last.unwrap_or_else(|| {
                *index.entry(sector).or_insert_with(|| {
                    changed.push(ColumnChanges {
                        sector,
                        rows: [0; 16],
                        is_weighted: false,
                    });
                    changed.len() - 1
                })
            });
            let (row, bit) = position_in_sector(column);
            let change = &mut changed[at];
            change.rows[row] |= 1 << bit;
            change.is_weighted |= is_weighted;
        };
        for difference in &set.differences {
            match difference {
                GroundDifference::Floor { .. }
                | GroundDifference::Floors(_)
                | GroundDifference::Solid(_) => difference.for_each_floor(|cell, before, after| {
                    add(cell.column(), before.is_some() && after.is_some());
                }),
                GroundDifference::Wall { wall, is_present } => {
                    // The wall lies between this cell and the next; the steps of both depend on it.
                    if *is_present {
                        add(wall.cell.column(), false);
                    }
                }
                GroundDifference::NavLink(nav_link) => {
                    if nav_link.before.is_some() {
                        add(nav_link.id.from.column(), true);
                    }
                }
                GroundDifference::CostModifier(modifier) => {
                    if let Some(after) = &modifier.after {
                        let columns = dirty_columns(&after.shape, &set.dirty_sectors);
                        columns.for_each(|at| add(at, true));
                    }
                }
            }
        }
        let by_sector = |change: ColumnChanges| (Some(change.sector..=change.sector), change);
        changed.into_iter().map(by_sector).collect()
    }

    fn depends_on(rows: &Rows, change: &ColumnChanges) -> bool {
        let both = rows.iter().zip(&change.rows).map(|(a, b)| a & b);
        both.fold(0, |all, row| all | row) != 0
    }

    /// True as well if the path's profile is no longer registered.
    fn is_invalidated(
        &self,
        ground: &Ground,
        changes: &[ColumnChanges],
        n_checked: &mut usize,
    ) -> bool {
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            return true;
        };
        changes
            .iter()
            .any(|change| change.invalidates(nav_graph, self, n_checked))
    }
}

impl ColumnChanges {
    /// True if a column of the rectangle has changed.
    fn overlaps(&self, rect: Rect) -> bool {
        match rect_masks(rect, self.sector) {
            Some((rows, columns)) => {
                let mut covered = (0..16).filter(|row| rows >> row & 1 == 1);
                covered.any(|row| self.rows[row] & columns != 0)
            }
            None => false,
        }
    }

    /// True if the change makes a step of `path` impossible or a leg costlier.
    fn invalidates(
        &self,
        nav_graph: NavGraph<'_>,
        path: &GroundPath,
        n_checked: &mut usize,
    ) -> bool {
        if path.legs.is_empty() {
            return path
                .start()
                .is_some_and(|start| nav_graph.node(start).is_none());
        }
        for (number, leg) in path.legs.iter().enumerate() {
            if !may_depend_on(path, leg, self.sector) {
                continue;
            }
            let mut is_summed_up = !self.is_weighted;
            for step in leg.begin as usize..leg.end as usize {
                if !path.columns_of_step(step).any(|rect| self.overlaps(rect)) {
                    continue;
                }
                *n_checked += 1;
                let (from, to) = (path.cells[step], path.cells[step + 1]);
                let nodes = nav_graph.node(from).zip(nav_graph.node(to));
                let now = nodes.and_then(|(a, b)| step_between(nav_graph, (a, from), (b, to)));
                if now.is_none() {
                    return true;
                }
                if !is_summed_up {
                    *n_checked += (leg.end - leg.begin) as usize;
                    if invalid_at(nav_graph, path, number).is_some() {
                        return true;
                    }
                    is_summed_up = true;
                }
            }
        }
        false
    }
}
