//! Edits of one map with a number of registered types, and the bytes of their layers.

use wayfarer_engine::base::{
    Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, GroundEdit, GroundSolid,
    LinkDirection, LinkState, NavLink, NavLinkKind, Rect, Rng, Shape, SolidExtent, SolidId,
    Terrain, Wall, WallSide,
};
use wayfarer_engine::search::ground::{Method, PathSearcher};
use wayfarer_engine::world::ground::{Ground, ProfileId};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{mean, percentile};

use super::paths::find;
use super::sorts::{ground_of, map_error, nth_type, water};
use super::{Arguments, EditRow, EditTimes, TypesRow};
use crate::error::BenchError;
use crate::query::QuerySet;

/// Edits of each sort and number of types.
const N_EDITS: usize = 400;

/// A sort of edit.
#[derive(Clone, Copy)]
enum EditSort {
    Cell,
    Terrain,
    Cost,
    Wall,
    Door,
    Solid,
}

/// Measures edits on a map with `types` registered types.
pub(super) fn measure(
    set: &QuerySet,
    types: usize,
    arguments: &Arguments,
) -> Result<TypesRow, BenchError> {
    let mut ground = ground_of(set, Some(arguments.seed))?;
    let bytes = ground.memory_report().total();
    let mut ids = Vec::new();
    for index in 0..types {
        let id = ground.register_profile(nth_type(index));
        ids.push(id.map_err(|error| map_error(set, &error))?);
    }
    let layer_bytes = ground.memory_report().profiles as f64 / types.max(1) as f64;
    let mut rng = Rng::for_stream(arguments.seed, 63);
    let mut times = |sort: EditSort| edit_times(set, &mut ground, sort, &mut rng);
    let edit_us = EditRow {
        cell: times(EditSort::Cell)?,
        terrain: times(EditSort::Terrain)?,
        cost: times(EditSort::Cost)?,
        wall: times(EditSort::Wall)?,
        door: times(EditSort::Door)?,
        solid: times(EditSort::Solid)?,
    };
    Ok(TypesRow {
        map: set.name.clone(),
        types,
        edit_us,
        layer_bytes,
        layer_ratio: layer_bytes / bytes.max(1) as f64,
        path_us: path_us(set, &ground, &ids),
    })
}

/// Times of edits of one sort at random cells.
fn edit_times(
    set: &QuerySet,
    ground: &mut Ground,
    sort: EditSort,
    rng: &mut Rng,
) -> Result<EditTimes, BenchError> {
    let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    let timer = Timer::new();
    let mut times = Vec::with_capacity(2 * N_EDITS);
    for _ in 0..N_EDITS {
        let Some(&cell) = rng.pick(&cells) else { break };
        let [before, edits @ ..] = edits_of(ground, sort, cell);
        ground
            .apply(&before)
            .map_err(|error| map_error(set, &error))?;
        for edit in &edits[..2] {
            let (done, nanoseconds) = timer.time(|| ground.apply(edit));
            done.map_err(|error| map_error(set, &error))?;
            times.push(nanoseconds / 1e3);
        }
        ground
            .apply(&edits[2])
            .map_err(|error| map_error(set, &error))?;
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok(EditTimes {
        mean: mean(&times).unwrap_or(0.0),
        p99: percentile(&times, 99).unwrap_or(0.0),
    })
}

/// What precedes an edit at a cell, the edit, the one that undoes it, and what undoes the first.
fn edits_of(ground: &Ground, sort: EditSort, cell: Cell) -> [Vec<GroundEdit>; 4] {
    let put = |terrain: Terrain| GroundEdit::PutCell { cell, terrain };
    let own = ground.floors(cell.column()).next();
    let own = own.map_or(Terrain::GROUND, |(_, terrain)| terrain);
    let timed = |one: GroundEdit, other: GroundEdit| [vec![], vec![one], vec![other], vec![]];
    match sort {
        EditSort::Cell => timed(GroundEdit::RemoveCell { cell }, put(own)),
        EditSort::Terrain => timed(put(water()), put(own)),
        EditSort::Cost => {
            let id = CostModifierId(1);
            let modifier = CostModifier {
                shape: Shape::Box(Rect::around(cell.column(), cell.column())),
                heights: (0, 0),
                multiplier: CostMultiplier::from_sixteenths(32).unwrap_or(CostMultiplier::MAX),
            };
            let put = GroundEdit::PutCostModifier { id, modifier };
            timed(put, GroundEdit::RemoveCostModifier(id))
        }
        EditSort::Wall => {
            let side = WallSide::East;
            let wall = Wall { cell, side };
            timed(GroundEdit::PutWall(wall), GroundEdit::RemoveWall(wall))
        }
        EditSort::Door => {
            let link = NavLink {
                from: cell,
                to: Cell::flat(cell.x + 1, cell.y),
                kind: NavLinkKind::Door,
                direction: LinkDirection::Bidirectional,
                cost: Cost::STRAIGHT,
                state: LinkState::Closed,
            };
            let nav_link = (&link).into();
            let set = |state| GroundEdit::SetNavLinkState { nav_link, state };
            [
                vec![GroundEdit::PutNavLink(link)],
                vec![set(LinkState::Open)],
                vec![set(LinkState::Closed)],
                vec![GroundEdit::RemoveNavLink(nav_link)],
            ]
        }
        EditSort::Solid => {
            let (id, low) = (SolidId(1), cell.column());
            let rect = Rect::around(low, Column::new(low.x + 2, low.y + 2));
            let (bottom, top) = (0, 4);
            let solid = GroundSolid {
                extent: SolidExtent::Box { rect, bottom, top },
                top: Terrain::SOLID,
            };
            timed(
                GroundEdit::PutSolid { id, solid },
                GroundEdit::RemoveSolid(id),
            )
        }
    }
}

/// Mean of warm `bounded` queries over the first types.
fn path_us(set: &QuerySet, ground: &Ground, ids: &[ProfileId]) -> f64 {
    let mut searcher = PathSearcher::default();
    let timer = Timer::new();
    let mut times = Vec::new();
    for run in 0..2 {
        for case in set.cases.iter().take(50) {
            for &id in ids.iter().take(8) {
                let query = (case.start.at(0), case.goal.at(0));
                let on = (ground, Some(id));
                let found = find(on, &mut searcher, query, Method::Bounded, &timer);
                if let Some((.., nanoseconds)) = found.filter(|_| run > 0) {
                    times.push(nanoseconds / 1e3);
                }
            }
        }
    }
    mean(&times).unwrap_or(0.0)
}
