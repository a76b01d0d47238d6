//! Land from heights: one floor a column, at the step nearest to its height.

use wayfarer_base::{Column, Heightmap, Profile, Terrain, WorldData};

use super::{ImportError, ImportReport, Imported, Reason, check_size, is_in_world};
use crate::ground::Ground;

/// How heights become floors.
#[derive(Clone, PartialEq, Debug)]
pub struct HeightmapImportOptions {
    /// The world's walker; its climb and drop say which slopes can be walked.
    pub profile: Profile,
    /// Meters for one unit of the file; more than 0.
    pub meters_per_unit: f64,
    /// Meters for one height step of the world; more than 0.
    pub meters_per_step: f64,
    /// Meters along one side of a cell; more than 0. Matters for slopes only.
    pub meters_per_cell: f64,
    /// Steepest slope that becomes a floor, meters up for each meter along; not negative.
    /// Without it every height becomes a floor, and where the land is too steep the walker's
    /// climb forbids the step.
    pub max_slope: Option<f64>,
    /// The height in the file that means that there is none.
    pub no_data: Option<i32>,
    /// Where the file's north-west sample goes.
    pub at: Column,
    /// The height in the file that becomes step 0.
    pub zero: i32,
    /// Up to this height in the file there is water.
    pub sea: Option<i32>,
}

impl Default for HeightmapImportOptions {
    fn default() -> Self {
        Self {
            profile: Profile::DEFAULT,
            meters_per_unit: 1.0,
            meters_per_step: 1.0,
            meters_per_cell: 1.0,
            max_slope: None,
            no_data: None,
            at: Column::default(),
            zero: 0,
            sea: None,
        }
    }
}

/// The ground of a heightmap.
///
/// A height becomes the nearest step, halves away from 0. The slope at a sample is the max_slope
/// rise or fall to a sample beside it in the four straight directions.
///
/// # Errors
/// A rule or profile that cannot be.
///
/// ```
/// use wayfarer_base::{Cell, Heightmap};
/// use wayfarer_world::ground::import::{HeightmapImportOptions, Reason, from_heightmap};
///
/// // Centimetres; a step of the world is half a metre.
/// let rules = HeightmapImportOptions {
///     meters_per_unit: 0.01,
///     meters_per_step: 0.5,
///     no_data: Some(-9999),
///     ..HeightmapImportOptions::default()
/// };
/// let land = Heightmap::new(4, 1, vec![0, 60, -9999, 900]).unwrap();
/// let imported = from_heightmap(&land, &rules)?;
/// assert!(imported.ground.node(Cell::new(1, 0, 1)).is_some());
/// assert!(imported.ground.node(Cell::new(3, 0, 18)).is_some());
/// assert_eq!(imported.report.count(Reason::NoData), 1);
/// # Ok::<(), wayfarer_world::ground::import::ImportError>(())
/// ```
pub fn from_heightmap(
    map: &Heightmap,
    rules: &HeightmapImportOptions,
) -> Result<Imported, ImportError> {
    check_size("metres per unit", rules.meters_per_unit)?;
    check_size("metres per step", rules.meters_per_step)?;
    check_size("metres per cell", rules.meters_per_cell)?;
    if let Some(found) = rules.max_slope.filter(|s| !(s.is_finite() && *s >= 0.0)) {
        return Err(ImportError::InvalidOption {
            what: "max_slope slope",
            found,
            expected: "0 or more",
        });
    }
    let mut report = ImportReport::default();
    let mut data = WorldData {
        profile: rules.profile.clone(),
        ..WorldData::default()
    };
    for at in map.rect().columns() {
        let Some(height) = map.get(at.x, at.y) else {
            continue;
        };
        let column = Column::new(
            at.x.saturating_add(rules.at.x),
            at.y.saturating_add(rules.at.y),
        );
        let cell = column.at(rules.step(height));
        if rules.no_data == Some(height) {
            report.drop(Reason::NoData, column.at(0));
        } else if !is_in_world(cell) {
            report.drop(Reason::OutOfWorld, cell);
        } else if rules.max_slope.is_some_and(|s| rules.slope(map, at) > s) {
            report.drop(Reason::TooSteep, cell);
        } else {
            let under_water = rules.sea.is_some_and(|sea| height <= sea);
            let terrain = if under_water {
                Terrain::WATER
            } else {
                Terrain::GROUND
            };
            data.cells.push((cell, terrain));
        }
    }
    report.n_floors = data.cells.len() as u64;
    report.n_cliffs = n_cliffs(map, rules);
    let ground = Ground::from_data(&data)?;
    Ok(Imported { ground, report })
}

impl HeightmapImportOptions {
    /// The step of a height in the file; at the ends of the numbers it stays there.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float to integer cast saturates, and what is that far is left out"
    )]
    fn step(&self, height: i32) -> i32 {
        let units = f64::from(height) - f64::from(self.zero);
        (units * self.meters_per_unit / self.meters_per_step).round() as i32
    }

    /// The max_slope slope between a sample and those beside it.
    fn slope(&self, map: &Heightmap, at: Column) -> f64 {
        let here = map.get(at.x, at.y).unwrap_or_default();
        let beside = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        let rises = beside
            .into_iter()
            .filter_map(|(dx, dy)| map.get(at.x + dx, at.y + dy))
            .filter(|there| self.no_data != Some(*there))
            .map(|there| there.abs_diff(here));
        let rise = f64::from(rises.max().unwrap_or(0));
        rise * self.meters_per_unit / self.meters_per_cell
    }
}

/// Neighbors that have heights and are out of each other's reach.
fn n_cliffs(map: &Heightmap, rules: &HeightmapImportOptions) -> u64 {
    let known = |x: i32, y: i32| {
        map.get(x, y)
            .filter(|height| rules.no_data != Some(*height))
    };
    let reach = rules
        .profile
        .max_step
        .max(rules.profile.max_drop)
        .unsigned_abs();
    let mut count = 0;
    for at in map.rect().columns() {
        let Some(here) = known(at.x, at.y) else {
            continue;
        };
        for there in [known(at.x + 1, at.y), known(at.x, at.y + 1)] {
            let apart = there.map(|there| rules.step(there).abs_diff(rules.step(here)));
            count += u64::from(apart.is_some_and(|apart| apart > reach));
        }
    }
    count
}
