//! Airs of whole worlds: world data, heightmaps and meshes, with a margin of free space.

use thiserror::Error;
use wayfarer_base::{Cell, Heightmap, TriangleSoup, Voxel, WorldData};

use super::{AirBuilder, AirError};
use crate::solid::{BoundaryEdges, Fill, VoxelGrid, VoxelizeError, voxelize};

/// Errors of importing a world as an [`Air`](super::Air).
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AirImportError {
    /// The world is empty.
    #[error("there is nothing solid to fly around")]
    Nothing,
    /// The bounds or contents do not fit an [`Air`](super::Air).
    #[error(transparent)]
    Air(#[from] AirError),
    /// The mesh cannot be voxelized.
    #[error(transparent)]
    Solid(#[from] VoxelizeError),
}

impl AirBuilder {
    /// The air of a world: its boxes and voxels, one solid voxel under each floor, and `margin`
    /// free voxels on every side.
    ///
    /// # Errors
    /// [`AirImportError::Nothing`] if the world is empty, [`AirImportError::Air`] if it does not
    /// fit.
    ///
    /// ```
    /// use wayfarer_base::{Voxel, WorldData};
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let crate_at = (Voxel::new(4, 4, 0), Voxel::new(6, 6, 2));
    /// let world = WorldData { boxes: vec![crate_at], ..WorldData::default() };
    /// let air = AirBuilder::from_data(&world, 2)?.build()?;
    /// assert_eq!((air.low(), air.size()), (Voxel::new(2, 2, -2), [7, 7, 7]));
    /// assert_eq!(air.n_solid(), 27);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_data(world: &WorldData, margin: u32) -> Result<Self, AirImportError> {
        let corners = world.boxes.iter().flat_map(|&(low, high)| [low, high]);
        // A floor needs the solid voxel below it and the free voxel above.
        let floors = world.cells.iter().flat_map(|(floor, _)| {
            let at = |z: i32| Voxel::new(floor.x, floor.y, z);
            [at(floor.z.saturating_sub(1)), at(floor.z)]
        });
        let all = corners.chain(world.voxels.iter().copied()).chain(floors);
        let mut builder = Self::enclosing(all, margin)?;
        builder.add_world(world)?;
        Ok(builder)
    }

    /// The air over a heightmap, solid down to the bottom, with `margin` free voxels above the
    /// highest column and one solid voxel below the lowest.
    ///
    /// # Errors
    /// [`AirImportError::Nothing`] if there are no heights, [`AirImportError::Air`] if they do not
    /// fit.
    pub fn from_heights(map: &Heightmap, margin: u32) -> Result<Self, AirImportError> {
        let floors = || {
            let floor = |at: wayfarer_base::Column| Some(at.at(map.get(at.x, at.y)?));
            map.rect().columns().filter_map(floor)
        };
        let ends = floors().flat_map(|Cell { x, y, z }| {
            let top = z.saturating_add_unsigned(margin);
            [z.saturating_sub(1), top].map(|z| Voxel::new(x, y, z))
        });
        let mut builder = Self::enclosing(ends, 0)?;
        builder.add_floors(floors(), u32::MAX);
        Ok(builder)
    }

    /// The air of a mesh in voxels of `side` world units with `margin` free voxels on every side,
    /// and the mesh's boundary edges. Voxel (0, 0, 0) starts at the world's origin.
    ///
    /// # Errors
    /// [`AirImportError::Nothing`] if the mesh has no triangle, else if it does not fit such
    /// voxels.
    ///
    /// ```
    /// use wayfarer_base::{TriangleSoup, Voxel};
    /// use wayfarer_world::air::AirBuilder;
    /// use wayfarer_world::solid::Fill;
    ///
    /// let corners = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2]]; // one side is missing
    /// let mesh = TriangleSoup::new(corners, faces).unwrap();
    /// let (builder, boundary_edges) = AirBuilder::from_mesh(&mesh, 0.5, Fill::Interior, 1)?;
    /// assert_eq!((boundary_edges.n_edges, builder.build()?.size()), (3, [8; 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_mesh(
        mesh: &TriangleSoup,
        side: f64,
        fill: Fill,
        margin: u32,
    ) -> Result<(Self, BoundaryEdges), AirImportError> {
        let mut grid = VoxelGrid::cubes(side, Voxel::default(), Voxel::default());
        let (low, high) = grid.bounds_of(mesh)?.ok_or(AirImportError::Nothing)?;
        let mut builder = Self::enclosing([low, high], margin)?;
        (grid.low, grid.high) = builder.bounds();
        let solid = voxelize(mesh, &grid, fill)?;
        builder.add_spans(solid.spans);
        Ok((builder, solid.boundary_edges))
    }

    /// A free box around `voxels`, `margin` voxels larger on every side.
    fn enclosing(
        voxels: impl IntoIterator<Item = Voxel>,
        margin: u32,
    ) -> Result<Self, AirImportError> {
        let ends = voxels.into_iter().fold(None, |ends, at| {
            let (low, high) = ends.unwrap_or((at, at));
            Some((
                Voxel::new(low.x.min(at.x), low.y.min(at.y), low.z.min(at.z)),
                Voxel::new(high.x.max(at.x), high.y.max(at.y), high.z.max(at.z)),
            ))
        });
        let (low, high) = ends.ok_or(AirImportError::Nothing)?;
        let below = |at: i32| at.saturating_sub_unsigned(margin);
        let low = Voxel::new(below(low.x), below(low.y), below(low.z));
        let side = |from: i32, to: i32| {
            let to = to.saturating_add_unsigned(margin);
            to.abs_diff(from).saturating_add(1)
        };
        let size = [
            side(low.x, high.x),
            side(low.y, high.y),
            side(low.z, high.z),
        ];
        Ok(Self::new(low, size)?)
    }
}
