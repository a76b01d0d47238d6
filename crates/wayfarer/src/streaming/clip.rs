//! The part of an edit that lies in a window.

use wayfarer_engine::base::{
    Column, ColumnRun, GroundEdit, GroundSolid, Rect, Shape, SolidExtent, Voxel,
};
use wayfarer_engine::world::air::AirEdit;

/// A rectangle that contains every column that an edit may change; `None` for edits that name a thing
/// by its id.
pub(super) fn bounds(edit: &GroundEdit) -> Option<Rect> {
    Some(match edit {
        GroundEdit::Fill { shape, .. } | GroundEdit::Clear { shape, .. } => shape.bounds(),
        GroundEdit::FillBox { rect, .. } | GroundEdit::CarveBox { rect, .. } => *rect,
        GroundEdit::PutSolid { solid, .. } => solid.extent.bounds(),
        GroundEdit::PutWall(wall) | GroundEdit::RemoveWall(wall) => {
            Rect::around(wall.cell.column(), wall.cell.column())
        }
        GroundEdit::PutCostModifier { modifier, .. } => modifier.shape.bounds(),
        _ => return None,
    })
}

/// The part of an edit in a window; empty outside. Edits that name a thing by its id, and cost
/// modifiers, which add no floor, stay whole.
pub(super) fn clipped(edit: &GroundEdit, window: Rect) -> impl Iterator<Item = GroundEdit> + use<> {
    let parts = match edit {
        GroundEdit::Fill { shape, z, terrain } => {
            let (z, terrain) = (*z, *terrain);
            let part = |shape| GroundEdit::Fill { shape, z, terrain };
            rows(shape, window).into_iter().map(part).collect()
        }
        GroundEdit::Clear { shape, heights } => {
            let heights = *heights;
            let part = |shape| GroundEdit::Clear { shape, heights };
            rows(shape, window).into_iter().map(part).collect()
        }
        GroundEdit::FillBox { rect, .. } | GroundEdit::CarveBox { rect, .. } => {
            let inside = rect.intersection(window);
            let mut edit = edit.clone();
            if let GroundEdit::FillBox { rect, .. } | GroundEdit::CarveBox { rect, .. } = &mut edit
            {
                *rect = inside;
            }
            some_if(!inside.is_empty(), edit)
        }
        GroundEdit::PutSolid { id, solid } => {
            let solid =
                clipped_solid(solid, window).map(|solid| GroundEdit::PutSolid { id: *id, solid });
            solid.into_iter().collect()
        }
        GroundEdit::PutWall(wall) | GroundEdit::RemoveWall(wall) => {
            some_if(window.contains(wall.cell.column()), edit.clone())
        }
        edit => vec![edit.clone()],
    };
    parts.into_iter()
}

/// The part of an edit of the air in a window, between its lowest and highest voxel; `None` outside.
/// Geometries stay whole: the air clips them.
pub(super) fn clipped_air(
    edit: &AirEdit,
    window: Rect,
    (bottom, top): (i32, i32),
) -> Option<AirEdit> {
    let inside = |low: Voxel, high: Voxel| {
        let column = |at: Voxel| Column::new(at.x, at.y);
        let rect = Rect::around(column(low), column(high)).intersection(window);
        let (bottom, top) = (low.z.max(bottom), high.z.min(top));
        let corner = |at: Column, z| Voxel::new(at.x, at.y, z);
        let is_empty = rect.is_empty() || bottom > top;
        (!is_empty).then(|| (corner(rect.low, bottom), corner(rect.high, top)))
    };
    Some(match edit {
        AirEdit::Fill { low, high } => {
            let (low, high) = inside(*low, *high)?;
            AirEdit::Fill { low, high }
        }
        AirEdit::Clear { low, high } => {
            let (low, high) = inside(*low, *high)?;
            AirEdit::Clear { low, high }
        }
        edit => edit.clone(),
    })
}

fn some_if(is_inside: bool, edit: GroundEdit) -> Vec<GroundEdit> {
    if is_inside { vec![edit] } else { Vec::new() }
}

/// The columns of a shape in a window: one rectangle, or one for each run of a row.
fn rows(shape: &Shape, window: Rect) -> Vec<Shape> {
    if let Shape::Box(rect) = shape {
        let inside = rect.intersection(window);
        return if inside.is_empty() {
            Vec::new()
        } else {
            vec![Shape::Box(inside)]
        };
    }
    let mut runs: Vec<Rect> = Vec::new();
    for column in shape.columns_within(window) {
        match runs.last_mut() {
            Some(run) if run.low.y == column.y && run.high.x + 1 == column.x => run.high = column,
            _ => runs.push(Rect::around(column, column)),
        }
    }
    runs.into_iter().map(Shape::Box).collect()
}

/// The columns of a solid in a window; `None` if there are none.
fn clipped_solid(solid: &GroundSolid, window: Rect) -> Option<GroundSolid> {
    let extent = match &solid.extent {
        SolidExtent::Box { rect, bottom, top } => {
            let (rect, bottom, top) = (rect.intersection(window), *bottom, *top);
            (!rect.is_empty()).then_some(SolidExtent::Box { rect, bottom, top })
        }
        SolidExtent::Runs(runs) => {
            let is_inside = |run: &&ColumnRun| {
                let (low, high) = (window.low, window.high);
                (low.x..=high.x).contains(&run.x) && (low.y..=high.y).contains(&run.y)
            };
            let runs: Vec<ColumnRun> = runs.iter().filter(is_inside).copied().collect();
            (!runs.is_empty()).then(|| SolidExtent::Runs(runs.into()))
        }
    };
    let top = solid.top;
    extent.map(|extent| GroundSolid { extent, top })
}
