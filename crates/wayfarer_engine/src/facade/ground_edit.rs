//! Edits of a world as edits of its ground and its air, for callers that apply them area by area.

use wayfarer_base::{GroundEdit, Rect, SolidId};
use wayfarer_world::air::AirEdit;

use super::World;
use super::edit::{Edit, EditError};
use super::solid::geometry_of;

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

    /// What an edit does to the air, with `solid` as the id of a solid that it places, not clipped to the
    /// bounds of any air; `None` if it does nothing to it. The edit is not applied.
    ///
    /// # Errors
    /// As [`World::apply`], for edit 0.
    pub fn air_edit(&self, edit: &Edit, solid: SolidId) -> Result<Option<AirEdit>, EditError> {
        Ok(Some(match edit {
            Edit::Air(edit) => edit.clone(),
            Edit::AddSolid(shape) => AirEdit::Put {
                id: geometry_of(solid),
                geometry: self.rasterized(0, shape)?.1,
            },
            Edit::RemoveSolid(id) => AirEdit::Remove {
                id: geometry_of(*id),
            },
            Edit::FillBox { low, high, .. } => {
                let (low, high) = self.box_extent(0, *low, *high)?.voxels;
                AirEdit::Fill { low, high }
            }
            Edit::CarveBox { low, high, .. } => {
                let (low, high) = self.box_extent(0, *low, *high)?.voxels;
                AirEdit::Clear { low, high }
            }
            _ => return Ok(None),
        }))
    }

    /// Takes the ids of solids below `next` as assigned, so that [`GroundEdit::PutSolid`] may use them.
    pub fn assign_solids_below(&mut self, next: SolidId) {
        self.next_solid = self.next_solid.max(next.0);
    }
}
