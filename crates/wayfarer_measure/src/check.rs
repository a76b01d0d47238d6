//! Checks that share no code with the searches: a path walked cell by cell, a ground rebuilt from
//! its primary state. `O(cells)` each.

use serde::Serialize;
use wayfarer_engine::base::{Cell, Column, CostModifier, CostModifierId, GroundEdit};
use wayfarer_engine::world::ground::Ground;

/// The first fault of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PathFault {
    /// The path does not begin at the start or does not end at the goal.
    Ends,
    /// The path stands on a blocked cell, or crosses one.
    Closed {
        /// Column of the cell.
        x: i32,
        /// Row of the cell.
        y: i32,
    },
    /// Two successive cells are not adjacent.
    Gap {
        /// Column of the cell before the gap.
        x: i32,
        /// Row of the cell before the gap.
        y: i32,
    },
    /// A diagonal step cuts a corner.
    Corner {
        /// Column of the cell before the diagonal.
        x: i32,
        /// Row of the cell before the diagonal.
        y: i32,
    },
}

/// A valid path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walked {
    /// Its length in cells.
    pub length: f64,
    /// Diagonal steps past a blocked cell or between two.
    pub corners_cut: usize,
}

/// The rule for diagonal steps beside blocked cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corners {
    /// A diagonal requires both orthogonal neighbors open.
    Kept,
    /// A diagonal may pass a blocked cell or slip between two; such steps are counted.
    Cut,
}

/// Walks `cells` over a flat map, from `start` to `goal`, both at height 0: every cell open, every
/// step to a neighbor.
///
/// # Errors
/// The first fault along the path.
pub fn walk_cells(
    is_open: impl Fn(Column) -> bool,
    corners: Corners,
    (start, goal): (Cell, Cell),
    cells: &[Cell],
) -> Result<Walked, PathFault> {
    if cells.first() != Some(&start) || cells.last() != Some(&goal) {
        return Err(PathFault::Ends);
    }
    let is_closed = |cell: &&Cell| cell.z != 0 || !is_open(cell.column());
    if let Some(&Cell { x, y, .. }) = cells.iter().find(is_closed) {
        return Err(PathFault::Closed { x, y });
    }
    let (mut n_straight, mut n_diagonal, mut corners_cut) = (0_u64, 0_u64, 0);
    for pair in cells.windows(2) {
        let (Cell { x, y, .. }, to) = (pair[0], pair[1]);
        match (x.abs_diff(to.x), y.abs_diff(to.y)) {
            (1, 0) | (0, 1) => n_straight += 1,
            (1, 1) => {
                n_diagonal += 1;
                let around = [Column::new(to.x, y), Column::new(x, to.y)];
                if !around.iter().all(|&cell| is_open(cell)) {
                    if corners == Corners::Kept {
                        return Err(PathFault::Corner { x, y });
                    }
                    corners_cut += 1;
                }
            }
            _ => return Err(PathFault::Gap { x, y }),
        }
    }
    Ok(Walked {
        length: n_straight as f64 + n_diagonal as f64 * std::f64::consts::SQRT_2,
        corners_cut,
    })
}

/// Rebuilds a ground from its primary state: floors, walls, nav links, cost modifiers.
///
/// # Errors
/// What of the primary state lies beyond the limits.
pub fn rebuild(ground: &Ground) -> Result<Ground, String> {
    let mut fresh = Ground::from_data(&ground.to_data()).map_err(|error| error.to_string())?;
    let applied = fresh.apply(&cost_modifier_edits(ground));
    applied.map_err(|error| error.to_string())?;
    Ok(fresh)
}

/// The edits that put all cost modifiers of `ground` on another one.
pub fn cost_modifier_edits(ground: &Ground) -> Vec<GroundEdit> {
    let put = |(id, modifier): &(CostModifierId, CostModifier)| GroundEdit::PutCostModifier {
        id: *id,
        modifier: modifier.clone(),
    };
    ground.cost_modifiers().map(put).collect()
}
