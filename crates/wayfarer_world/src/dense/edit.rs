//! Edits of a dense grid, cell by cell: the floors of a flat map, without a change log.

use wayfarer_base::{BatchDigest, Column, GroundEdit, Shape, Terrain};

use super::{DenseGround, moves};

impl DenseGround {
    /// Applies edits of floors at height 0, in order; false at the first that a flat map of this
    /// size cannot hold, which the grid then no longer follows.
    ///
    /// Removing outside the map is no error. Costs about 200 ns per cell that becomes walkable or
    /// blocked, and a relabeling of the whole map if the batch may have split or merged components.
    pub fn apply(&mut self, edits: &[GroundEdit]) -> bool {
        let is_done = edits.iter().all(|edit| self.execute(edit));
        self.components.relabel_if_stale(&self.raster, self.layout);
        self.revision = self.revision.next(BatchDigest::of(edits));
        is_done
    }

    fn execute(&mut self, edit: &GroundEdit) -> bool {
        match edit {
            GroundEdit::PutCell { cell, terrain } if cell.z == 0 => {
                self.put(cell.column(), Some(*terrain))
            }
            GroundEdit::RemoveCell { cell } => cell.z != 0 || self.put(cell.column(), None),
            GroundEdit::Fill {
                shape,
                z: 0,
                terrain,
            } => self.put_all(shape, Some(*terrain)),
            GroundEdit::Clear { shape, heights } => {
                !(heights.0..=heights.1).contains(&0) || self.put_all(shape, None)
            }
            GroundEdit::Patch { at, z: 0, raster } => raster.rect().columns().all(|from| {
                // Saturated coordinates lie outside every map.
                let to = Column::new(at.x.saturating_add(from.x), at.y.saturating_add(from.y));
                self.put(to, raster.get(from.x, from.y))
            }),
            _ => false,
        }
    }

    fn put_all(&mut self, shape: &Shape, terrain: Option<Terrain>) -> bool {
        let (rect, bounds) = (self.rect(), shape.bounds());
        let is_inside = rect.contains(bounds.low) && rect.contains(bounds.high);
        for at in shape.columns_within(rect) {
            self.put(at, terrain);
        }
        terrain.is_none() || bounds.is_empty() || is_inside
    }

    /// Writes one column, repairs the moves around it and updates the components; false if a floor
    /// would lie outside.
    fn put(&mut self, at: Column, after: Option<Terrain>) -> bool {
        let before = self.raster.get(at.x, at.y);
        if before == after {
            return true;
        }
        if !self.raster.set(at.x, at.y, after) {
            return after.is_none();
        }
        if is_walkable(before) == is_walkable(after) {
            return true;
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
        true
    }
}

fn is_walkable(terrain: Option<Terrain>) -> bool {
    matches!(terrain, Some(Terrain::GROUND | Terrain::SWAMP))
}
