//! World files (`.world`): floors, terrains, nav links, walls and solid boxes as plain text.
//!
//! Flat ground is drawn in rows of letters; everything else is one line of words. The format is
//! specified in `docs/design/world-format.md`. Example:
//!
//! ```text
//! wayfarer world 2
//! layer 0 0 0        # north-west cell and height of the drawing below
//! |....
//! |.@S.
//! cell 1 1 3 ground  # a bridge over the gap
//! passage ladder 0 1 0 to 1 1 3 cost 4.5
//! wall 2 0 0 east
//! end
//! ```

mod draw;
mod read;

use wayfarer_base::{Cell, NavLink, Profile, Raster, Terrain, Voxel, Wall, WorldData};

pub use draw::write;
pub(crate) use draw::write_letters;
pub use read::read;
pub(crate) use read::{drawing, letter};

use crate::TextError;
use crate::letters::EMPTY;

/// The content of a world file; drawings stay rasters of one byte per cell.
///
/// [`WorldFile::into_data`] converts to lists of 16 bytes per cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorldFile {
    /// The default profile.
    pub profile: Profile,
    /// Drawings in file order; a later one overrides an earlier one.
    pub layers: Vec<Layer>,
    /// Single cells; they override drawings, and later ones override earlier ones.
    pub cells: Vec<(Cell, Terrain)>,
    /// Nav links.
    pub nav_links: Vec<NavLink>,
    /// Thin walls.
    pub walls: Vec<Wall>,
    /// Solid boxes of the air: low and high corner, both included.
    pub boxes: Vec<(Voxel, Voxel)>,
    /// Solid voxels of the air.
    pub voxels: Vec<Voxel>,
}

/// A drawing of floors at one height; an empty cell leaves what other lines define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// North-west cell of the drawing.
    pub at: Cell,
    /// The drawing.
    pub raster: Raster,
}

impl Layer {
    /// The floors in row-major order.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Terrain)> + '_ {
        let width = self.raster.width().max(1) as usize;
        let rows = self.raster.bytes().chunks_exact(width);
        // Cells beyond the `i32` range are skipped; the reader rejects such drawings.
        rows.zip(0..).flat_map(move |(row, dy)| {
            row.iter().zip(0..).filter_map(move |(&cell, dx)| {
                let terrain = Terrain::new(cell)?;
                let (x, y) = (self.at.x.checked_add(dx)?, self.at.y.checked_add(dy)?);
                Some((Cell::new(x, y, self.at.z), terrain))
            })
        })
    }

    /// Number of floors.
    pub fn n_cells(&self) -> usize {
        let is_cell = |cell: &&u8| **cell != EMPTY;
        self.raster.bytes().iter().filter(is_cell).count()
    }
}

impl WorldFile {
    /// Number of floors, duplicates included.
    pub fn n_cells(&self) -> usize {
        let n_drawn: usize = self.layers.iter().map(Layer::n_cells).sum();
        n_drawn + self.cells.len()
    }

    /// The world as plain lists: floors of the drawings in order, then single cells, so that the
    /// last of equal cells applies.
    pub fn into_data(self) -> WorldData {
        let mut cells = Vec::with_capacity(self.n_cells());
        for layer in &self.layers {
            cells.extend(layer.cells());
        }
        cells.extend(self.cells);
        WorldData {
            profile: self.profile,
            cells,
            nav_links: self.nav_links,
            walls: self.walls,
            boxes: self.boxes,
            voxels: self.voxels,
        }
    }
}

/// Reads a `.world` file into plain lists.
///
/// ```
/// use wayfarer_base::{Cell, Terrain};
/// let data = wayfarer_formats::world_file::read_data(b"wayfarer world 2\nlayer -1 0 2\n|.@S\nend\n")?;
/// assert_eq!(
///     data.cells,
///     [(Cell::new(-1, 0, 2), Terrain::GROUND), (Cell::new(1, 0, 2), Terrain::SWAMP)]
/// );
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// As [`read()`].
pub fn read_data(bytes: &[u8]) -> Result<WorldData, TextError> {
    read(bytes).map(WorldFile::into_data)
}

#[cfg(test)]
mod tests;
