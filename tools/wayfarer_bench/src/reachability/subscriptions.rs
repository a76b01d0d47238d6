//! Ten thousand subscribed paths; each edit invalidates exactly one, which must be reported.

use std::collections::BTreeMap;

use wayfarer_engine::base::subscription::SubscriptionId;
use wayfarer_engine::base::{Cell, Column, GroundEdit, Raster, Rng};
use wayfarer_engine::search::ground::{GroundPath, GroundRequest, PathSearcher};
use wayfarer_engine::search::subscriptions::PathIndex;
use wayfarer_engine::world::ground::Ground;
use wayfarer_measure::clock::Timer;

use super::Arguments;
use super::report::SubscriptionRow;

/// Subscribes paths between random connected cells, and cuts them one by one.
pub(super) fn measure(
    name: &str,
    map: &Raster,
    arguments: &Arguments,
    timer: &Timer,
) -> SubscriptionRow {
    let mut ground = Ground::from_raster(map);
    let mut rng = Rng::new(0x7761_7463);
    let mut row = SubscriptionRow {
        map: name.to_owned(),
        ..SubscriptionRow::default()
    };
    let mut list = PathIndex::default();
    let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    let mut searcher = PathSearcher::default();
    // Paths whose steps depend on each column: none, one, or several.
    let mut users: BTreeMap<Column, Option<SubscriptionId>> = BTreeMap::new();
    for _ in 0..arguments.n_subscriptions * 4 {
        if list.len() >= arguments.n_subscriptions {
            break;
        }
        let (Some(&from), Some(&to)) = (rng.pick(&cells), rng.pick(&cells)) else {
            break;
        };
        let outcome = searcher.find(&ground, &GroundRequest::new(from, to));
        let Some(path) = outcome.ok().and_then(|outcome| outcome.found()) else {
            continue;
        };
        let columns = columns_of(&path);
        let id = list.insert(path.clone(), &ground, &path);
        for column in columns {
            let user = users.entry(column).or_insert(Some(id));
            if *user != Some(id) {
                *user = None;
            }
        }
    }
    row.n_subscriptions = list.len();
    let mut lone: Vec<(Column, SubscriptionId)> = users
        .into_iter()
        .filter_map(|(column, user)| Some((column, user?)))
        .collect();
    rng.shuffle(&mut lone);
    lone.truncate(arguments.n_cuts);
    // Paths that were subscribed again, by their first id.
    let mut renamed: BTreeMap<SubscriptionId, SubscriptionId> = BTreeMap::new();
    for (column, first) in lone {
        let id = renamed.get(&first).copied().unwrap_or(first);
        let Some(terrain) = map.get(column.x, column.y) else {
            continue;
        };
        let cell = column.at(0);
        let cut = [GroundEdit::RemoveCell { cell }];
        let (changes, edit_ns) = timer.time(|| ground.apply(&cut));
        let Ok(changes) = changes else {
            row.faults.push(format!("{cell} cannot be removed"));
            continue;
        };
        let (report, notice_ns) = timer.time(|| {
            let report = list.find_invalidated(&ground, &changes.changes, Some);
            list.mark_invalid(&report.invalidated);
            report
        });
        row.invalidate_us.push(notice_ns / 1e3);
        row.edit_us.push((edit_ns + notice_ns) / 1e3);
        if report.invalidated != [id] {
            row.faults.push(format!(
                "cutting {cell} should invalidate {id:?}, reported {:?}",
                report.invalidated
            ));
        }
        // Restored, so that as many paths are subscribed at the next cut.
        let back = ground.apply(&[GroundEdit::PutCell { cell, terrain }]);
        let healed = back.map(|changes| list.find_invalidated(&ground, &changes.changes, Some));
        if healed.is_ok_and(|report| !report.invalidated.is_empty()) {
            row.faults
                .push(format!("restoring {cell} invalidated a path"));
        }
        if let Some(path) = list.remove(id) {
            renamed.insert(first, list.insert(path.clone(), &ground, &path));
        }
    }
    row.n_cells = cells.len();
    row
}

/// The columns that the steps of a path depend on.
fn columns_of(path: &GroundPath) -> Vec<Column> {
    let mut columns: Vec<Column> = path.cells.iter().map(|cell| cell.column()).collect();
    for step in path.cells.windows(2) {
        if step[0].x != step[1].x && step[0].y != step[1].y {
            columns.push(Column::new(step[0].x, step[1].y));
            columns.push(Column::new(step[1].x, step[0].y));
        }
    }
    columns
}
