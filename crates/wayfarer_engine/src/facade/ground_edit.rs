//! Edits of a world as edits of its ground, for callers that apply them area by area.

use wayfarer_base::{GroundEdit, Rect, SolidId};

use super::World;
use super::edit::{Edit, EditError};

impl World {
    /// What an edit does to the ground, with `solid` as the id of a solid that it places; `None` if it
    /// concerns air, obstacles or bodies alone. The edit is not applied.
    ///
    /// # Errors
    /// As [`World::apply`], for edit 0.
    pub fn ground_edit(&self, edit: Edit, solid: SolidId) -> Result<Option<GroundEdit>, EditError> {
        Ok(Some(match edit {
            Edit::Ground(edit) => edit,
            Edit::AddSolid(shape) => GroundEdit::PutSolid {
                id: solid,
                solid: self.rasterized(0, &shape)?.0,
            },
            Edit::RemoveSolid(id) => GroundEdit::RemoveSolid(id),
            Edit::FillBox { low, high, top } => {
                let extent = self.box_extent(0, low, high)?;
                GroundEdit::FillBox {
                    rect: Rect::around(extent.columns.0, extent.columns.1),
                    bottom: extent.steps.0,
                    top: extent.steps.1,
                    terrain: top,
                }
            }
            Edit::CarveBox { low, high, floor } => {
                let extent = self.box_extent(0, low, high)?;
                GroundEdit::CarveBox {
                    rect: Rect::around(extent.columns.0, extent.columns.1),
                    bottom: extent.steps.0,
                    top: extent.steps.1,
                    terrain: floor,
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Takes the ids of solids below `next` as assigned, so that [`GroundEdit::PutSolid`] may use them.
    pub fn assign_solids_below(&mut self, next: SolidId) {
        self.next_solid = self.next_solid.max(next.0);
    }
}
