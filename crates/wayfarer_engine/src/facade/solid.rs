//! [`Solid`]: what a world places and removes by id, and its form in ground and air.

mod outline;

use std::sync::Arc;

use wayfarer_base::{
    ColumnRun, GroundSolid, Rect, SolidExtent, SolidId, Terrain, TriangleSoup, Voxel,
};
use wayfarer_world::air::{Geometry, GeometryId};
use wayfarer_world::ground::Ground;
use wayfarer_world::solid::{Fill, Run, Spans, VoxelGrid, voxelize};

use super::World;
use super::change::WorldChanges;
use super::edit::{Edit, EditError};
use crate::{Position, Scale};
use outline::{Outline, Row};

/// A solid in ground and air: it blocks walking, flight and lines of sight, and agents walk on its
/// top. In world units; rounded outward to whole cells, steps and voxels, outlines of cylinders and
/// prisms to 1/256 of a cell first.
///
/// ```
/// use wayfarer_engine::{Position, Solid, World};
/// use wayfarer_engine::base::{Cell, Raster};
///
/// let map = Raster::from_bytes(9, 3, vec![0; 27]).unwrap();
/// let mut world = World::from_raster(&map);
/// let low = Position::new(4.0, 0.0, 0.0);
/// let (wall, changes) = world.add_solid(Solid::cuboid(low, Position::new(5.0, 3.0, 4.0)))?;
/// assert_eq!(changes.split_pairs().len(), 1);
/// // It stands on another one, whose removal leaves it in place.
/// let (step, _) = world.add_solid(Solid::cuboid(low, Position::new(6.0, 3.0, 1.0)))?;
/// world.remove_solid(step)?;
/// assert!(!world.is_walkable(Cell::flat(4, 0)) && world.is_walkable(Cell::flat(5, 0)));
/// world.remove_solid(wall)?;
/// assert!(world.is_walkable(Cell::flat(4, 0)));
/// assert!(world.remove_solid(wall).is_err()); // ids are not reused
/// # Ok::<(), wayfarer_engine::EditError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solid {
    pub(super) shape: SolidShape,
    pub(super) top: Terrain,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SolidShape {
    Cuboid {
        low: Position,
        high: Position,
    },
    Cylinder {
        base: Position,
        /// In 1/65,536 of a unit, as the height.
        radius: i64,
        height: i64,
    },
    Prism {
        corners: Vec<Position>,
        height: i64,
    },
    Mesh {
        vertices: Vec<Position>,
        triangles: Vec<(u32, u32, u32)>,
    },
}

impl Solid {
    /// Corners of a prism, at most.
    pub const MAX_CORNERS: usize = 1_024;

    const fn new(shape: SolidShape) -> Self {
        let top = Terrain::GROUND;
        Self { shape, top }
    }

    /// The solid with y and z of every position exchanged, for worlds in which y is up.
    #[must_use]
    pub fn with_swapped_axes(mut self) -> Self {
        let swap = |at: &mut Position| std::mem::swap(&mut at.y, &mut at.z);
        match &mut self.shape {
            SolidShape::Cuboid { low, high } => {
                swap(low);
                swap(high);
            }
            SolidShape::Cylinder { base, .. } => swap(base),
            SolidShape::Prism { corners: all, .. } | SolidShape::Mesh { vertices: all, .. } => {
                all.iter_mut().for_each(swap);
            }
        }
        self
    }

    /// A box between two corners; `high` lies above `low` in x, y and z.
    pub const fn cuboid(low: Position, high: Position) -> Self {
        Self::new(SolidShape::Cuboid { low, high })
    }

    /// An upright cylinder on the center of its base, with radius and height in units.
    pub fn cylinder(base: Position, radius: f64, height: f64) -> Self {
        let (radius, height) = (parts(radius), parts(height));
        Self::new(SolidShape::Cylinder {
            base,
            radius,
            height,
        })
    }

    /// An upright prism over a polygon, by the even-odd rule, from the height of its first corner,
    /// with its height in units. At most [`Solid::MAX_CORNERS`] corners.
    pub fn prism(corners: impl IntoIterator<Item = Position>, height: f64) -> Self {
        Self::new(SolidShape::Prism {
            corners: corners.into_iter().collect(),
            height: parts(height),
        })
    }

    /// A closed mesh, its triangles counter-clockwise seen from outside; what lies inside is solid.
    pub fn mesh(
        vertices: impl IntoIterator<Item = Position>,
        triangles: impl IntoIterator<Item = [u32; 3]>,
    ) -> Self {
        Self::new(SolidShape::Mesh {
            vertices: vertices.into_iter().collect(),
            triangles: triangles.into_iter().map(|[a, b, c]| (a, b, c)).collect(),
        })
    }

    /// The same solid with another terrain on top; [`Terrain::GROUND`] by default.
    #[must_use]
    pub const fn with_top(mut self, terrain: Terrain) -> Self {
        self.top = terrain;
        self
    }

    /// Its form in the ground and in the air.
    fn rasterized(&self, scale: &Scale) -> Result<(GroundSolid, Geometry), &'static str> {
        let (extent, geometry) = match &self.shape {
            SolidShape::Cuboid { low, high } => {
                let extent = scale.box_extent(*low, *high).ok_or(EMPTY)?;
                let (bottom, top) = extent.steps;
                let rect = Rect::around(extent.columns.0, extent.columns.1);
                let (low, high) = extent.voxels;
                let ground = SolidExtent::Box { rect, bottom, top };
                (ground, Geometry::Box { low, high })
            }
            SolidShape::Cylinder {
                base,
                radius,
                height,
            } => {
                let [in_cells, in_voxels] = scale.fixed_lengths(*radius).ok_or(EMPTY)?;
                let (center, center_in_air) = planar(scale, *base).ok_or(EMPTY)?;
                let outlines = [
                    Outline::disc(center, in_cells.raw()),
                    Outline::disc(center_in_air, in_voxels.raw()),
                ];
                upright(scale, &outlines, *base, *height)?
            }
            SolidShape::Prism { corners, height } => {
                if !(3..=Self::MAX_CORNERS).contains(&corners.len()) {
                    return Err("has fewer than 3 or more than 1024 corners");
                }
                let both: Option<Vec<_>> = corners.iter().map(|at| planar(scale, *at)).collect();
                let (ground, air) = both.ok_or(EMPTY)?.into_iter().unzip();
                let outlines = [Outline::Polygon(ground), Outline::Polygon(air)];
                upright(scale, &outlines, corners[0], *height)?
            }
            SolidShape::Mesh {
                vertices,
                triangles,
            } => voxelized(scale, vertices, triangles)?,
        };
        let top = self.top;
        Ok((GroundSolid { extent, top }, geometry))
    }
}

const EMPTY: &str = "is empty or leaves the world";

/// A position in the plane, in 1/256 of a cell and of a voxel.
fn planar(scale: &Scale, at: Position) -> Option<((i64, i64), (i64, i64))> {
    let (point, air) = (scale.point(at)?, scale.air_point(at)?);
    let pair = |x: wayfarer_base::Fixed, y: wayfarer_base::Fixed| (x.raw().into(), y.raw().into());
    Some((pair(point.x, point.y), pair(air.x, air.y)))
}

/// An upright solid over an outline, given in cells and in voxels.
fn upright(
    scale: &Scale,
    [in_cells, in_voxels]: &[Outline; 2],
    base: Position,
    height: i64,
) -> Result<(SolidExtent, Geometry), &'static str> {
    // A box around one point gives the heights.
    let high = Position {
        x: base.x.saturating_add(1),
        y: base.y.saturating_add(1),
        z: base.z.saturating_add(height),
    };
    let extent = scale.box_extent(base, high).ok_or(EMPTY)?;
    let (bottom, top) = extent.steps;
    let run = |row: &Row, x: i32| ColumnRun {
        y: row.y,
        x,
        bottom,
        top,
    };
    let rows = in_cells.rows(Ground::MAX_SOLID_RUNS)?;
    let runs = rows
        .iter()
        .flat_map(|row| row.columns().map(|x| run(row, x)));
    let ground = SolidExtent::Runs(runs.collect());
    let (low, high) = (extent.voxels.0.z, extent.voxels.1.z);
    let rows = in_voxels.rows(Ground::MAX_SOLID_RUNS)?;
    let runs = rows.iter().flat_map(|row| {
        let y = row.y;
        row.columns().map(move |x| Run { y, x, low, high })
    });
    Ok((ground, mesh_geometry(Spans::from_runs(runs.collect()))))
}

fn mesh_geometry(spans: Spans) -> Geometry {
    Geometry::Mesh {
        spans: spans.into(),
        shift: Voxel::default(),
    }
}

/// A mesh in the ground and in the air.
fn voxelized(
    scale: &Scale,
    vertices: &[Position],
    triangles: &[(u32, u32, u32)],
) -> Result<(SolidExtent, Geometry), &'static str> {
    let origin = scale.origin();
    #[expect(
        clippy::cast_precision_loss,
        reason = "vertices lie near the origin of the grid"
    )]
    let offset = |at: i64, origin: i64| (at - origin) as f64 / Position::PARTS as f64;
    let vertex = |at: &Position| {
        let is_far = |at: i64, origin: i64| at.checked_sub(origin).is_none();
        let far = is_far(at.x, origin.x) || is_far(at.y, origin.y) || is_far(at.z, origin.z);
        (!far).then(|| {
            [
                offset(at.x, origin.x),
                offset(at.y, origin.y),
                offset(at.z, origin.z),
            ]
        })
    };
    let vertices: Option<Vec<[f64; 3]>> = vertices.iter().map(vertex).collect();
    let triangles = triangles.iter().map(|&(a, b, c)| [a, b, c]).collect();
    let mesh = TriangleSoup::new(vertices.ok_or(EMPTY)?, triangles)
        .map_err(|_index| "has a triangle without a vertex")?;
    let [cell, step, voxel] = scale.unit_lengths();
    let spans = |size: [f64; 3]| {
        let mut grid = VoxelGrid {
            origin: [0.0; 3],
            voxel: size,
            low: Voxel::default(),
            high: Voxel::default(),
        };
        let bounds = grid.bounds_of(&mesh).map_err(|_far| EMPTY)?;
        let (low, high) = bounds.ok_or(EMPTY)?;
        let side = |low: i32, high: i32| u64::from(high.abs_diff(low)) + 1;
        if side(low.x, high.x) * side(low.y, high.y) > Ground::MAX_SOLID_RUNS {
            return Err(outline::TOO_WIDE);
        }
        (grid.low, grid.high) = (low, high);
        let solid = voxelize(&mesh, &grid, Fill::Interior).map_err(|_large| outline::TOO_WIDE)?;
        Ok(solid.spans)
    };
    let run = |run: Run| ColumnRun {
        y: run.y,
        x: run.x,
        bottom: run.low,
        top: run.high.saturating_add(1),
    };
    let ground = spans([cell, cell, step])?.runs().map(run).collect();
    let air = spans([voxel; 3])?;
    Ok((SolidExtent::Runs(ground), mesh_geometry(air)))
}

/// Units in 1/65,536; what is not finite saturates and is refused later.
fn parts(units: f64) -> i64 {
    Position::new(units, 0.0, 0.0).x
}

/// The geometry of a solid in the air: ids from 2^63 on are theirs.
pub(super) const fn geometry_of(id: SolidId) -> GeometryId {
    GeometryId(FIRST_GEOMETRY | id.0)
}

/// The first geometry id of solids.
pub(super) const FIRST_GEOMETRY: u64 = 1 << 63;

impl World {
    /// Places a solid; its id is never assigned again.
    ///
    /// # Errors
    /// The solid is empty, leaves the world or exceeds a limit; the world is unchanged.
    pub fn add_solid(&mut self, solid: Solid) -> Result<(SolidId, Arc<WorldChanges>), EditError> {
        let id = SolidId(self.next_solid);
        let changes = self.apply([Edit::AddSolid(solid)])?;
        Ok((id, changes))
    }

    /// Removes a solid and shows the terrain and the solids that it covered.
    ///
    /// # Errors
    /// No solid has this id; the world is unchanged.
    pub fn remove_solid(&mut self, id: SolidId) -> Result<Arc<WorldChanges>, EditError> {
        self.apply([Edit::RemoveSolid(id)])
    }

    /// The ids of all solids, ascending.
    pub fn solid_ids(&self) -> impl Iterator<Item = SolidId> {
        self.ground.solids().map(|(id, _)| id)
    }

    /// The form of a solid in the ground and in the air.
    pub(super) fn rasterized(
        &self,
        edit: usize,
        solid: &Solid,
    ) -> Result<(GroundSolid, Geometry), EditError> {
        let bad = |reason| EditError::BadSolid { edit, reason };
        solid.rasterized(&self.scale).map_err(bad)
    }
}

#[cfg(test)]
mod tests;
