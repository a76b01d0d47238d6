//! Floors from a mesh: wherever its solid has a top that is level enough, with room to stand.

use wayfarer_base::{Profile, Terrain, TriangleSoup, Voxel, WorldData};

use super::{ImportError, ImportReport, Imported, Reason, check_size, is_in_world};
use crate::ground::Ground;
use crate::solid::{Fill, SolidError, Spans, VoxelGrid, VoxelizedMesh, voxelize};

/// How a mesh becomes floors.
#[derive(Clone, PartialEq, Debug)]
pub struct MeshImportOptions {
    /// The world's walker. Floors under ceilings lower than it is tall are left out; who is
    /// taller than this walker is not warned of ceilings, only of floors above.
    pub profile: Profile,
    /// World units of the mesh along one side of a cell; more than 0.
    pub cell: f64,
    /// World units of the mesh for one height step; more than 0.
    pub step: f64,
    /// Where column (0, 0) begins and step 0 lies, in world units.
    pub origin: [f64; 3],
    /// Steepest slope that becomes a floor, units up for each unit along; not negative. 1 is
    /// half a right angle.
    pub max_slope: f64,
    /// Whether what the mesh encloses is solid.
    pub interior: MeshInterior,
}

/// Whether what a mesh encloses is solid, so that nobody walks inside a rock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MeshInterior {
    /// Solid if every edge of the mesh is closed, else as [`MeshInterior::Hollow`]: between loose
    /// plates nobody can tell what is inside.
    #[default]
    SolidIfClosed,
    /// Solid, guessed where the mesh is open.
    Solid,
    /// Only surfaces count.
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

/// The ground of a mesh.
///
/// The mesh is cut into upright boxes, a cell wide and a step high ([`crate::solid`] says which
/// are solid). A floor lies on top of every stack of solid boxes whose top box is reached by a
/// triangle that faces up and is not too steep, if as table steps as the walker is tall are free
/// above it. Its height is that of the top's upper side.
///
/// # Errors
/// A rule or profile that cannot be, or a mesh that cannot be made solid.
///
/// ```
/// use wayfarer_base::{Cell, TriangleSoup};
/// use wayfarer_world::ground::import::{MeshImportOptions, from_mesh};
///
/// // A plate of 3 x 3 metres at height 2, its upper side up.
/// let corners = vec![[0.0, 0.0, 2.0], [3.0, 0.0, 2.0], [3.0, 3.0, 2.0], [0.0, 3.0, 2.0]];
/// let plate = TriangleSoup::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
/// let imported = from_mesh(&plate, &MeshImportOptions::default())?;
/// assert_eq!(imported.report.n_floors, 9);
/// assert!(imported.ground.node(Cell::new(2, 2, 2)).is_some());
/// # Ok::<(), wayfarer_world::ground::import::ImportError>(())
/// ```
pub fn from_mesh(mesh: &TriangleSoup, rules: &MeshImportOptions) -> Result<Imported, ImportError> {
    check_size("cell", rules.cell)?;
    check_size("step", rules.step)?;
    if !(rules.max_slope.is_finite() && rules.max_slope >= 0.0) {
        return Err(ImportError::InvalidOption {
            what: "max_slope slope",
            found: rules.max_slope,
            expected: "0 or more",
        });
    }
    let frame = rules.frame(mesh);
    let solid = rules.solid(mesh, &frame)?;
    let level = voxelize(&rules.level_part(mesh), &frame, Fill::Surface)?.spans;
    let mut report = ImportReport {
        n_boundary_edges: solid.boundary_edges.n_edges as u64,
        ..ImportReport::default()
    };
    let data = WorldData {
        profile: rules.profile.clone(),
        cells: floors(&solid.spans, &level, rules, &mut report),
        ..WorldData::default()
    };
    report.n_floors = data.cells.len() as u64;
    let ground = Ground::from_data(&data)?;
    Ok(Imported { ground, report })
}

/// The tops of the solid that can be stood on.
fn floors(
    solid: &Spans,
    level: &Spans,
    rules: &MeshImportOptions,
    report: &mut ImportReport,
) -> Vec<(wayfarer_base::Cell, Terrain)> {
    let tall = i64::from(rules.profile.height);
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
    fn solid(&self, mesh: &TriangleSoup, frame: &VoxelGrid) -> Result<VoxelizedMesh, SolidError> {
        let surface = || voxelize(mesh, frame, Fill::Surface);
        if self.interior == MeshInterior::Hollow {
            return surface();
        }
        let solid = voxelize(mesh, frame, Fill::Inside)?;
        if self.interior == MeshInterior::Solid || solid.boundary_edges.is_empty() {
            return Ok(solid);
        }
        let spans = surface()?.spans;
        Ok(VoxelizedMesh { spans, ..solid })
    }

    /// Boxes that hold the whole mesh.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float to integer cast saturates, and the frame is checked where it is used"
    )]
    fn frame(&self, mesh: &TriangleSoup) -> VoxelGrid {
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
            // The normal; how steep the triangle is shows in how far it leans.
            let lean = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2]];
            let up = u[0] * v[1] - u[1] * v[0];
            let limit = self.max_slope * up;
            up > 0.0 && lean[0] * lean[0] + lean[1] * lean[1] <= limit * limit
        };
        let triangles = mesh.triangles().iter().filter(is_level).copied();
        TriangleSoup::new(mesh.vertices().to_vec(), triangles.collect())
            .expect("part of what was checked")
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
