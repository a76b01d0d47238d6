//! Floors from a mesh: voxelize it, then place a floor on every span top that is level enough and
//! has headroom.

use wayfarer_base::{Profile, Terrain, TriangleSoup, Voxel, WorldData};

use super::{ImportError, ImportReport, Imported, Reason, check_size, is_in_world};
use crate::ground::Ground;
use crate::solid::{Fill, Spans, VoxelGrid, VoxelizeError, VoxelizedMesh, voxelize};

/// Options of a mesh import.
#[derive(Clone, PartialEq, Debug)]
pub struct MeshImportOptions {
    /// The default profile. Floors with less headroom than its height are skipped. Ceilings are not
    /// stored, so taller profiles see floors above as their only ceilings.
    pub profile: Profile,
    /// World units of the mesh along one side of a cell; more than 0.
    pub cell: f64,
    /// World units of the mesh for one height step; more than 0.
    pub step: f64,
    /// World position of the low corner of column (0, 0) at height 0.
    pub origin: [f64; 3],
    /// Maximum slope of a floor, rise over run; not negative. 1 is 45 degrees.
    pub max_slope: f64,
    /// Whether the enclosed volume is solid.
    pub interior: MeshInterior,
}

/// Whether the volume that a mesh encloses is solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MeshInterior {
    /// Solid if the mesh has no boundary edge, else as [`MeshInterior::Hollow`].
    #[default]
    SolidIfClosed,
    /// Solid, by best effort where the mesh is open.
    Solid,
    /// Free: only surfaces are solid.
    Hollow,
}

impl Default for MeshImportOptions {
    fn default() -> Self {
        Self {
            profile: Profile::DEFAULT,
            cell: 1.0,
            step: 1.0,
            origin: [0.0; 3],
            max_slope: 1.0,
            interior: MeshInterior::default(),
        }
    }
}

/// Imports a mesh.
///
/// The mesh is voxelized into boxes one cell wide and one step high ([`crate::solid`]). A span gets
/// a floor if a triangle that faces up and is not too steep overlaps its top voxel, and if the
/// profile's height is free above it. The floor lies on the upper face of that voxel.
///
/// # Errors
/// An invalid option or profile, or a mesh that cannot be voxelized.
///
/// ```
/// use wayfarer_base::{Cell, TriangleSoup};
/// use wayfarer_world::ground::import::{MeshImportOptions, from_mesh};
///
/// // A plate of 3 x 3 meters at height 2, facing up.
/// let vertices = vec![[0.0, 0.0, 2.0], [3.0, 0.0, 2.0], [3.0, 3.0, 2.0], [0.0, 3.0, 2.0]];
/// let plate = TriangleSoup::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
/// let imported = from_mesh(&plate, &MeshImportOptions::default())?;
/// assert_eq!(imported.report.n_floors, 9);
/// assert!(imported.ground.node(Cell::new(2, 2, 2)).is_some());
/// # Ok::<(), wayfarer_world::ground::import::ImportError>(())
/// ```
pub fn from_mesh(
    mesh: &TriangleSoup,
    options: &MeshImportOptions,
) -> Result<Imported, ImportError> {
    check_size("cell", options.cell)?;
    check_size("step", options.step)?;
    if !(options.max_slope.is_finite() && options.max_slope >= 0.0) {
        return Err(ImportError::InvalidOption {
            what: "maximum slope",
            found: options.max_slope,
            expected: "0 or more",
        });
    }
    let grid = options.grid(mesh);
    let solid = options.solid(mesh, &grid)?;
    let level = voxelize(&options.level_part(mesh), &grid, Fill::Surface)?.spans;
    let mut report = ImportReport {
        n_boundary_edges: solid.boundary_edges.n_edges as u64,
        ..ImportReport::default()
    };
    let data = WorldData {
        profile: options.profile.clone(),
        cells: floors(&solid.spans, &level, options, &mut report),
        ..WorldData::default()
    };
    report.n_floors = data.cells.len() as u64;
    let ground = Ground::from_data(&data)?;
    Ok(Imported { ground, report })
}

/// The floors on span tops, in column order; skipped ones go to the report.
fn floors(
    solid: &Spans,
    level: &Spans,
    options: &MeshImportOptions,
    report: &mut ImportReport,
) -> Vec<(wayfarer_base::Cell, Terrain)> {
    let tall = i64::from(options.profile.height);
    let mut cells = Vec::new();
    for (column, spans) in solid.columns() {
        let first = cells.len();
        for (index, span) in spans.iter().enumerate() {
            let roof = spans.get(index + 1).map(|above| i64::from(above.low));
            let cell = column.at(span.high.saturating_add(1));
            let reason = if !is_in_world(cell) {
                Reason::OutOfWorld
            } else if !level.is_solid(Voxel::new(column.x, column.y, span.high)) {
                Reason::TooSteep
            } else if roof.is_some_and(|roof| roof - i64::from(cell.z) < tall) {
                Reason::NoHeadroom
            } else if cells.len() - first >= WorldData::MAX_FLOORS {
                Reason::TooManyFloors
            } else {
                cells.push((cell, Terrain::GROUND));
                continue;
            };
            report.drop(reason, cell);
        }
    }
    cells
}

impl MeshImportOptions {
    fn solid(&self, mesh: &TriangleSoup, grid: &VoxelGrid) -> Result<VoxelizedMesh, VoxelizeError> {
        let surface = || voxelize(mesh, grid, Fill::Surface);
        if self.interior == MeshInterior::Hollow {
            return surface();
        }
        let solid = voxelize(mesh, grid, Fill::Interior)?;
        if self.interior == MeshInterior::Solid || solid.boundary_edges.is_empty() {
            return Ok(solid);
        }
        let spans = surface()?.spans;
        Ok(VoxelizedMesh { spans, ..solid })
    }

    /// The voxel grid over the mesh's AABB, with a margin of one voxel.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float to integer cast saturates, and `voxelize` checks the grid"
    )]
    fn grid(&self, mesh: &TriangleSoup) -> VoxelGrid {
        let voxel = [self.cell, self.cell, self.step];
        let bound = |axis: usize, pick: fn(f64, f64) -> f64, none: f64| {
            let along = mesh.vertices().iter().map(|corner| corner[axis]);
            let at = along.reduce(pick).unwrap_or(none);
            let number = ((at - self.origin[axis]) / voxel[axis]).floor();
            let reach = f64::from(VoxelGrid::MAX_COORDINATE - 2);
            number.clamp(-reach, reach) as i32
        };
        let low = |axis| bound(axis, f64::min, 0.0) - 1;
        let high = |axis| bound(axis, f64::max, 0.0) + 1;
        VoxelGrid {
            origin: self.origin,
            voxel,
            low: Voxel::new(low(0), low(1), low(2)),
            high: Voxel::new(high(0), high(1), high(2)),
        }
    }

    /// The triangles that face up and are not too steep.
    fn level_part(&self, mesh: &TriangleSoup) -> TriangleSoup {
        let is_level = |named: &&[u32; 3]| {
            let [a, b, c] = named.map(|corner| mesh.vertices()[corner as usize]);
            let (u, v) = (minus(b, a), minus(c, a));
            // Slope is the horizontal part of the normal over its vertical part.
            let lean = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2]];
            let up = u[0] * v[1] - u[1] * v[0];
            let limit = self.max_slope * up;
            up > 0.0 && lean[0] * lean[0] + lean[1] * lean[1] <= limit * limit
        };
        let triangles = mesh.triangles().iter().filter(is_level).copied();
        TriangleSoup::new(mesh.vertices().to_vec(), triangles.collect())
            .expect("a subset of valid triangles is valid")
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
