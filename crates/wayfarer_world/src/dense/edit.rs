//! Batches of edits of a dense ground: atomic, one change set each.

use thiserror::Error;
use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{
    BatchDigest, ChangeSet, Column, CostChange, Difference, DirtySector, GroundEdit, Raster, Rect,
    SectorId, Shape, Terrain,
};

use super::{DenseGround, moves};

/// A changed cell of a dense ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DenseDifference {
    /// Its column.
    pub at: Column,
    /// The terrain before, if any.
    pub before: Option<Terrain>,
    /// The terrain now, if any.
    pub after: Option<Terrain>,
}

impl DenseDifference {
    /// How costs changed; `None` if the cell is as walkable as before.
    pub fn cost_change(&self) -> Option<CostChange> {
        match (is_walkable(self.before), is_walkable(self.after)) {
            (false, true) => Some(CostChange::Decrease),
            (true, false) => Some(CostChange::Increase),
            _ => None,
        }
    }
}

impl Difference for DenseDifference {
    fn inverse(&self) -> Self {
        Self {
            at: self.at,
            before: self.after,
            after: self.before,
        }
    }
}

impl From<DenseDifference> for GroundEdit {
    /// The edit that makes this difference.
    fn from(difference: DenseDifference) -> Self {
        let cell = difference.at.at(0);
        match difference.after {
            Some(terrain) => Self::PutCell { cell, terrain },
            None => Self::RemoveCell { cell },
        }
    }
}

/// An invalid edit; nothing of its batch was applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DenseEditError {
    /// A floor outside the map.
    #[error("edit {edit} puts a floor at column {at}, expected {} <= x <= {} and {} <= y <= {}",
        .inside.low.x, .inside.high.x, .inside.low.y, .inside.high.y)]
    Outside {
        /// Index of the edit in the batch.
        edit: usize,
        /// The first such column.
        at: Column,
        /// The rectangle of the map.
        inside: Rect,
    },
    /// A floor at a height other than 0.
    #[error("edit {edit} puts a floor at height {height}, expected 0: a dense ground is flat")]
    NotFlat {
        /// Index of the edit in the batch.
        edit: usize,
        /// The height.
        height: i32,
    },
    /// An edit of something that a dense ground does not have.
    #[error("edit {edit} requires {what}, which a dense ground does not support")]
    Unsupported {
        /// Index of the edit in the batch.
        edit: usize,
        /// What the edit requires.
        what: &'static str,
    },
}

impl DenseGround {
    /// Applies all of `edits`, in order, or none; makes a new revision even without a difference.
    ///
    /// Supports cells, fills, clearings and patches at height 0. Removing outside the map is no
    /// error. Costs a few nanoseconds per cell named, about 200 per cell changed, and a relabeling
    /// of the whole map if the batch may have split or merged components.
    ///
    /// # Errors
    /// The first edit that is invalid.
    pub fn apply(
        &mut self,
        edits: &[GroundEdit],
    ) -> Result<&ChangeSet<DenseDifference>, DenseEditError> {
        for (index, edit) in edits.iter().enumerate() {
            self.check(index, edit)?;
        }
        let mut differences = Vec::new();
        for edit in edits {
            self.execute(edit, &mut differences);
        }
        let mut dirty = OrderedMap::<SectorId, CostChange>::new();
        for difference in &differences {
            if let Some(cost_change) = difference.cost_change() {
                dirty
                    .entry(SectorId::from_column(difference.at))
                    .and_modify(|known| *known = known.combined_with(cost_change))
                    .or_insert(cost_change);
            }
        }
        self.components.relabel_if_stale(&self.raster, self.layout);
        let before = self.log.latest_revision();
        Ok(self.log.push(ChangeSet {
            before,
            after: before.next(BatchDigest::of(edits)),
            differences,
            dirty_sectors: dirty
                .into_iter()
                .map(|(sector, cost_change)| DirtySector {
                    sector,
                    cost_change,
                })
                .collect(),
        }))
    }

    /// An error if `edit` is invalid here.
    fn check(&self, index: usize, edit: &GroundEdit) -> Result<(), DenseEditError> {
        let inside = self.rect();
        let flat = |height: i32| match height {
            0 => Ok(()),
            _ => Err(DenseEditError::NotFlat {
                edit: index,
                height,
            }),
        };
        let within = |first_outside: Option<Column>| match first_outside {
            None => Ok(()),
            Some(at) => Err(DenseEditError::Outside {
                edit: index,
                at,
                inside,
            }),
        };
        let unsupported = |what| Err(DenseEditError::Unsupported { edit: index, what });
        match edit {
            GroundEdit::PutCell { cell, .. } => {
                flat(cell.z)?;
                within(Some(cell.column()).filter(|at| !inside.contains(*at)))
            }
            GroundEdit::Fill { shape, z, .. } => {
                flat(*z)?;
                within(first_outside(shape, inside))
            }
            GroundEdit::Patch { at, z, raster } => {
                flat(*z)?;
                within(
                    patch_columns(*at, raster)
                        .find(|(at, terrain)| terrain.is_some() && !inside.contains(*at))
                        .map(|(at, _)| at),
                )
            }
            GroundEdit::RemoveCell { .. } | GroundEdit::Clear { .. } => Ok(()),
            GroundEdit::SetFloors(_) => unsupported("a block of floors"),
            GroundEdit::FillBox { .. } | GroundEdit::CarveBox { .. } => unsupported("a box"),
            GroundEdit::PutSolid { .. } | GroundEdit::RemoveSolid(_) => unsupported("a solid"),
            GroundEdit::PutWall(_) | GroundEdit::RemoveWall(_) => unsupported("a thin wall"),
            GroundEdit::PutNavLink(_)
            | GroundEdit::RemoveNavLink(_)
            | GroundEdit::SetNavLinkState { .. } => unsupported("a nav link"),
            GroundEdit::PutCostModifier { .. } | GroundEdit::RemoveCostModifier(_) => {
                unsupported("a cost modifier")
            }
        }
    }

    /// Executes a valid edit.
    fn execute(&mut self, edit: &GroundEdit, differences: &mut Vec<DenseDifference>) {
        match edit {
            GroundEdit::PutCell { cell, terrain } => {
                self.put(cell.column(), Some(*terrain), differences);
            }
            GroundEdit::RemoveCell { cell } if cell.z == 0 => {
                self.put(cell.column(), None, differences);
            }
            GroundEdit::Fill { shape, terrain, .. } => {
                for at in shape.columns_within(self.rect()) {
                    self.put(at, Some(*terrain), differences);
                }
            }
            GroundEdit::Clear { shape, heights } if heights.0 <= 0 && 0 <= heights.1 => {
                for at in shape.columns_within(self.rect()) {
                    self.put(at, None, differences);
                }
            }
            GroundEdit::Patch { at, raster, .. } => {
                for (at, terrain) in patch_columns(*at, raster) {
                    self.put(at, terrain, differences);
                }
            }
            // Nothing exists at other heights; `check` has rejected the rest.
            _ => {}
        }
    }

    /// Writes one column, repairs the moves around it and updates the components.
    fn put(&mut self, at: Column, after: Option<Terrain>, differences: &mut Vec<DenseDifference>) {
        let before = self.raster.get(at.x, at.y);
        if before == after || !self.raster.set(at.x, at.y, after) {
            return;
        }
        let difference = DenseDifference { at, before, after };
        differences.push(difference);
        if difference.cost_change().is_none() {
            return;
        }
        for y in at.y - 1..=at.y + 1 {
            for x in at.x - 1..=at.x + 1 {
                if self.raster.index(x, y).is_some() {
                    self.moves[self.layout.index(x, y) as usize] =
                        moves::at_cell(&self.raster, x, y);
                }
            }
        }
        self.components
            .update(&self.raster, self.layout, at.x, at.y);
    }
}

fn is_walkable(terrain: Option<Terrain>) -> bool {
    matches!(terrain, Some(Terrain::GROUND | Terrain::SWAMP))
}

fn first_outside(shape: &Shape, rect: Rect) -> Option<Column> {
    let bounds = shape.bounds();
    if bounds.is_empty() || (rect.contains(bounds.low) && rect.contains(bounds.high)) {
        return None;
    }
    shape.columns().find(|at| !rect.contains(*at))
}

/// The columns that a patch overwrites, with their terrain; coordinates saturate outside every map.
fn patch_columns(at: Column, raster: &Raster) -> impl Iterator<Item = (Column, Option<Terrain>)> {
    raster.rect().columns().map(move |from| {
        let to = Column::new(at.x.saturating_add(from.x), at.y.saturating_add(from.y));
        (to, raster.get(from.x, from.y))
    })
}
