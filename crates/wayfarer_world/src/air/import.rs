//! The air of whole worlds as files hold them: plans, heights and meshes, with room to fly around.

use thiserror::Error;
use wayfarer_base::{Cell, Heightmap, TriangleSoup, Voxel, WorldData};

use super::{AirBuilder, AirError};
use crate::solid::{BoundaryEdges, Fill, SolidError, VoxelGrid, voxelize};

/// Why no air could be made of a world.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AirImportError {
    /// There is nothing in it.
    #[error("there is nothing solid to fly around")]
    Nothing,
    /// Its bounds or contents do not fit an air.
    #[error(transparent)]
    Air(#[from] AirError),
    /// Its mesh cannot be made solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
}

impl AirBuilder {
    /// The air of a world's plan: its boxes and voxels, a voxel of ground under each floor, and
    /// `margin` voxels of free air on every side.
    ///
    /// # Errors
    /// If there is nothing in the plan, or it does not fit an air.
    ///
    /// ```
    /// use wayfarer_base::{Voxel, WorldData};
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let crate_at = (Voxel::new(4, 4, 0), Voxel::new(6, 6, 2));
    /// let add_world = WorldData { boxes: vec![crate_at], ..WorldData::default() };
    /// let air = AirBuilder::from_plan(&add_world, 2)?.build()?;
    /// assert_eq!((air.low(), air.size()), (Voxel::new(2, 2, -2), [7, 7, 7]));
    /// assert_eq!(air.n_solid(), 27);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_plan(plan: &WorldData, margin: u32) -> Result<Self, AirImportError> {
        let corners = plan.boxes.iter().flat_map(|&(low, high)| [low, high]);
        // A floor lies on the voxel below it, and whoever stands there needs the one above.
        let floors = plan.cells.iter().flat_map(|(floor, _)| {
            let at = |z: i32| Voxel::new(floor.x, floor.y, z);
            [at(floor.z.saturating_sub(1)), at(floor.z)]
        });
        let all = corners.chain(plan.voxels.iter().copied()).chain(floors);
        let mut builder = Self::around(all, margin)?;
        builder.add_world(plan)?;
        Ok(builder)
    }

    /// The air over the lie of the land, solid down to the bottom, with `margin` voxels of free
    /// air above the highest place and one of ground below the lowest.
    ///
    /// # Errors
    /// If there are no heights, or they do not fit an air.
    pub fn from_heights(map: &Heightmap, margin: u32) -> Result<Self, AirImportError> {
        let floors = || {
            let floor = |at: wayfarer_base::Column| Some(at.at(map.get(at.x, at.y)?));
            map.rect().columns().filter_map(floor)
        };
        let ends = floors().flat_map(|Cell { x, y, z }| {
            let top = z.saturating_add_unsigned(margin);
            [z.saturating_sub(1), top].map(|z| Voxel::new(x, y, z))
        });
        let mut builder = Self::around(ends, 0)?;
        builder.add_floors(floors(), u32::MAX);
        Ok(builder)
    }

    /// The air of a mesh in voxels of `side` world units, with `margin` voxels of free air on every
    /// side, and where the mesh is not closed. Voxel (0, 0, 0) begins at the world's origin.
    ///
    /// # Errors
    /// If the mesh has no triangle, is too large for such voxels, or does not fit an air.
    ///
    /// ```
    /// use wayfarer_base::{TriangleSoup, Voxel};
    /// use wayfarer_world::air::AirBuilder;
    /// use wayfarer_world::solid::Fill;
    ///
    /// let corners = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2]]; // one side is missing
    /// let mesh = TriangleSoup::new(corners, faces).unwrap();
    /// let (builder, leaks) = AirBuilder::from_mesh(&mesh, 0.5, Fill::Inside, 1)?;
    /// assert_eq!((leaks.n_edges, builder.build()?.size()), (3, [8; 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_mesh(
        mesh: &TriangleSoup,
        side: f64,
        fill: Fill,
        margin: u32,
    ) -> Result<(Self, BoundaryEdges), AirImportError> {
        let mut frame = VoxelGrid::cubes(side, Voxel::default(), Voxel::default());
        let (low, high) = frame.bounds_of(mesh)?.ok_or(AirImportError::Nothing)?;
        let mut builder = Self::around([low, high], margin)?;
        (frame.low, frame.high) = builder.bounds();
        let solid = voxelize(mesh, &frame, fill)?;
        builder.add_spans(solid.spans);
        Ok((builder, solid.leaks))
    }

    /// Free air that holds some voxels, and `margin` voxels more on every side.
    fn around(
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
