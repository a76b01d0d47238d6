//! Our own plain-text world files (`.world`): floors, terrain, nav links, walls, solid boxes.
//!
//! Made to be written by hand: flat ground is drawn in rows of letters, everything else is a line
//! of words. `docs/design/world-format.md` describes it in full. A small one:
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
use crate::letters::NOTHING;

/// A world as its file holds it: drawings stay drawings, one byte for each cell.
///
/// [`WorldFile::into_plan`] gives the plain lists; they take 16 bytes for each cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorldFile {
    /// Whom the world is made for.
    pub profile: Profile,
    /// Drawings, in the order of the file: where two draw the same cell, the later counts.
    pub layers: Vec<Layer>,
    /// Single cells; they count over drawings, later ones over earlier ones.
    pub cells: Vec<(Cell, Terrain)>,
    /// Explicit paths.
    pub nav_links: Vec<NavLink>,
    /// Thin walls.
    pub walls: Vec<Wall>,
    /// Solid boxes in the air, low and high corner, both included.
    pub boxes: Vec<(Voxel, Voxel)>,
    /// Solid voxels in the air.
    pub voxels: Vec<Voxel>,
}

/// A drawing of floors that all lie at one height; nothing drawn leaves what other lines put there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Where the north-west cell of the drawing lies.
    pub at: Cell,
    /// What is drawn.
    pub raster: Raster,
}

impl Layer {
    /// The cells that are drawn, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Terrain)> + '_ {
        let width = self.raster.width().max(1) as usize;
        let rows = self.raster.bytes().chunks_exact(width);
        // A drawing has at most 2^30 cells; what would lie beyond the numbers is left out, though
        // no drawing that was read reaches so far.
        rows.zip(0..).flat_map(move |(row, dy)| {
            row.iter().zip(0..).filter_map(move |(&cell, dx)| {
                let terrain = Terrain::new(cell)?;
                let (x, y) = (self.at.x.checked_add(dx)?, self.at.y.checked_add(dy)?);
                Some((Cell::new(x, y, self.at.z), terrain))
            })
        })
    }

    /// How many cells are drawn.
    pub fn n_cells(&self) -> usize {
        let is_cell = |cell: &&u8| **cell != NOTHING;
        self.raster.bytes().iter().filter(is_cell).count()
    }
}

impl WorldFile {
    /// How many cells it gives, those given twice counted twice.
    pub fn n_cells(&self) -> usize {
        let n_drawn: usize = self.layers.iter().map(Layer::n_cells).sum();
        n_drawn + self.cells.len()
    }

    /// The same world as plain lists: the drawings' cells first, in order, then the single cells,
    /// so that of equal cells the last counts.
    pub fn into_plan(self) -> WorldData {
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

/// Reads a whole `.world` file into plain lists.
///
/// ```
/// use wayfarer_base::{Cell, Terrain};
/// let plan = wayfarer_formats::world_file::read_plan(b"wayfarer world 2\nlayer -1 0 2\n|.@S\nend\n")?;
/// assert_eq!(
///     plan.cells,
///     [(Cell::new(-1, 0, 2), Terrain::GROUND), (Cell::new(1, 0, 2), Terrain::SWAMP)]
/// );
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// As [`read()`].
pub fn read_plan(bytes: &[u8]) -> Result<WorldData, TextError> {
    read(bytes).map(WorldFile::into_plan)
}

#[cfg(test)]
mod tests;
