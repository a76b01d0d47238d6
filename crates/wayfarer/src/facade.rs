//! The world as one thing: what is there, what happened to it lately, and how to change it.

mod paths;

use thiserror::Error;
use wayfarer_base::watch::WatchId;
use wayfarer_base::{
    Cell, ChangeLog, ChangeSet, Column, Cost, Edit, Profile, Raster, Revision, Terrain, WorldPlan,
};
use wayfarer_formats::{
    GltfError, Kind, PngError, TextError, gltf, heightmap, movingai_map, obj, png_raster,
    world_file,
};
use wayfarer_search::ground::WatchList;
use wayfarer_world::ground::import::{
    self, HeightRules, ImportError, ImportReport, Imported, MeshRules,
};
use wayfarer_world::ground::{
    BuildError, EditError, Ground, GroundChanges, GroundDifference, ProfileError, StepBuffer,
};

/// A world that changes: its ground, and the last batches of edits.
///
/// Everything that asks borrows the world, from any number of threads; only [`World::apply`]
/// changes it.
///
/// ```
/// use wayfarer::World;
/// use wayfarer::base::{Cell, Edit, Revision};
///
/// let (mut world, report) = World::from_file("lane.map", b"\
/// type octile
/// height 1
/// width 5
/// map
/// ..T..
/// ")?;
/// assert_eq!(report.to_string(), "4 floors; left out: 1 trees, first (2, 0, 0)");
///
/// let (west, east) = (Cell::flat(0, 0), Cell::flat(4, 0));
/// assert_eq!(world.hang_together(west, east), Some(false));
/// let fell = Edit::PutCell { cell: Cell::flat(2, 0), terrain: Default::default() };
/// let changes = world.apply(&[fell])?;
/// assert_eq!(changes.joined.len(), 1); // the batch says what it joined
/// assert_eq!(world.hang_together(west, east), Some(true));
///
/// world.apply(&changes.inverse())?; // and can be undone
/// assert_eq!(world.revision(), Revision(2));
/// assert_eq!(world.changes_since(Revision(0)).unwrap().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    ground: Ground,
    changes: ChangeLog<GroundDifference>,
    watched: WatchList,
    broken: Vec<WatchId>,
}

/// Why a file did not become a world.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum WorldFileError {
    /// Neither its first bytes nor its name are known.
    #[error("neither its first bytes nor the name tell what this file is")]
    Unknown,
    /// It is something else.
    #[error("found {kind}, expected something with ground: a map, world, picture or mesh")]
    NoGround {
        /// What it is.
        kind: Kind,
    },
    /// A text format is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A picture is wrong.
    #[error(transparent)]
    Png(#[from] PngError),
    /// A mesh is wrong.
    #[error(transparent)]
    Gltf(#[from] GltfError),
    /// What the file says cannot be.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl World {
    /// Batches of edits that are remembered.
    pub const HISTORY: usize = 64;

    /// A world without ground, for a walker.
    ///
    /// # Errors
    /// A profile that cannot be the world's own.
    pub fn new(profile: Profile) -> Result<Self, ProfileError> {
        Ok(Self::from_ground(Ground::new(profile)?))
    }

    /// The world of a file's bytes; `name` matters only where they do not tell what they are.
    ///
    /// Flat maps (`.map`, PNG), worlds (`.world`), heights (grey PNG of 16 bits, one step and one
    /// cell a unit) and meshes (OBJ, glTF; one unit a cell and a step). For other scales use
    /// [`wayfarer_world::ground::import`] and [`World::from_ground`].
    ///
    /// # Errors
    /// What is wrong with the file, or that it holds no ground.
    pub fn from_file(name: &str, bytes: &[u8]) -> Result<(Self, ImportReport), WorldFileError> {
        let kind = Kind::of(name, bytes).ok_or(WorldFileError::Unknown)?;
        // Bits and kind of colour at their places in the header of a PNG file.
        let deep_grey = bytes.get(24..26) == Some(&[16, 0]);
        let Imported { ground, report } = match kind {
            Kind::Map => import::from_raster(&movingai_map::read(bytes)?),
            Kind::World => import::from_plan(&world_file::read_plan(bytes)?)?,
            Kind::Png if deep_grey => {
                let rules = HeightRules::default();
                import::from_heightmap(&heightmap::read_png(bytes)?, &rules)?
            }
            Kind::Png => import::from_raster(&png_raster::read(bytes)?),
            Kind::Obj => import::from_mesh(&obj::read(bytes)?, &MeshRules::default())?,
            Kind::Gltf => import::from_mesh(&gltf::read(bytes)?, &MeshRules::default())?,
            _ => return Err(WorldFileError::NoGround { kind }),
        };
        Ok((Self::from_ground(ground), report))
    }

    /// The world of a flat map.
    pub fn from_raster(raster: &Raster) -> Self {
        Self::from_ground(Ground::from_raster(raster))
    }

    /// The world of a plan; what is solid in its air is left out.
    ///
    /// # Errors
    /// What the plan does beyond the limits.
    pub fn from_plan(plan: &WorldPlan) -> Result<Self, BuildError> {
        Ok(Self::from_ground(Ground::from_plan(plan)?))
    }

    /// The world with this ground, at the ground's revision.
    pub fn from_ground(ground: Ground) -> Self {
        let changes = ChangeLog::beginning_at(ground.revision(), Self::HISTORY);
        Self {
            ground,
            changes,
            watched: WatchList::default(),
            broken: Vec::new(),
        }
    }

    /// The ground: floors, walls, passages, effects, and all that follows from them.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// How many batches of edits have been applied.
    pub fn revision(&self) -> Revision {
        self.ground.revision()
    }

    /// Applies a batch of edits, all or none, and tells what became of it. Which watched paths it
    /// broke is in [`World::broken`].
    ///
    /// # Errors
    /// The first edit that cannot be done; the world is then as before.
    pub fn apply(&mut self, edits: &[Edit]) -> Result<GroundChanges, EditError> {
        let changes = self.ground.apply(edits)?;
        let report = self.watched.notice(&self.ground, &changes.set);
        self.broken = report.broken;
        self.changes.push(changes.set.clone());
        Ok(changes)
    }

    /// What happened since `revision`, oldest first; `None` if that is longer ago than
    /// [`World::HISTORY`] batches or has not come yet.
    pub fn changes_since(
        &self,
        revision: Revision,
    ) -> Option<impl Iterator<Item = &ChangeSet<GroundDifference>>> {
        self.changes.since(revision)
    }

    /// True if the world's walker can stand there.
    pub fn is_walkable(&self, cell: Cell) -> bool {
        self.ground.node(cell).is_some()
    }

    /// What the floor there is made of, if there is one, walkable or not.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.ground.terrain(cell)
    }

    /// The walkable cell of a column whose floor is nearest to height `z`; of two the lower.
    pub fn localise(&self, column: Column, z: i32) -> Option<Cell> {
        let node = self.ground.localise(column, z)?;
        Some(self.ground.cell(node))
    }

    /// The walkable cell nearest to a place, no more than `reach` columns away in x and y.
    pub fn nearest_walkable(&self, column: Column, z: i32, reach: u16) -> Option<Cell> {
        let node = self.ground.nearest_walkable(column, z, reach)?;
        Some(self.ground.cell(node))
    }

    /// Whether a chain of steps joins two cells, taking one-way steps either way: if not, there
    /// is no path. `None` if the walker cannot stand in one of them.
    pub fn hang_together(&self, a: Cell, b: Cell) -> Option<bool> {
        let (a, b) = (self.ground.node(a)?, self.ground.node(b)?);
        Some(self.ground.component(a) == self.ground.component(b))
    }

    /// Every step of the world's walker from a cell, with its cost; none if it cannot stand
    /// there. Searches use [`Ground::steps`], which asks for no memory.
    pub fn steps(&self, from: Cell) -> Vec<(Cell, Cost)> {
        let mut buffer = StepBuffer::default();
        let Some(node) = self.ground.node(from) else {
            return Vec::new();
        };
        let steps = self.ground.steps(node, &mut buffer);
        steps
            .map(|(to, cost)| (self.ground.cell(to), cost))
            .collect()
    }
}

#[cfg(test)]
mod tests;
