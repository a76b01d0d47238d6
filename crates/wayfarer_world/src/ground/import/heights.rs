//! Floors from a heightmap: one per column, at the nearest height step.

use wayfarer_base::{Column, Heightmap, Profile, Terrain, WorldData};

use super::{ImportError, ImportReport, Imported, Reason, check_size, is_in_world};
use crate::ground::Ground;

/// Options of a heightmap import.
#[derive(Clone, PartialEq, Debug)]
pub struct HeightmapImportOptions {
    /// The default profile; its step and drop limits decide which slopes it can walk.
    pub profile: Profile,
    /// Meters per unit of the file; more than 0.
    pub meters_per_unit: f64,
    /// Meters per height step of the world; more than 0.
    pub meters_per_step: f64,
    /// Meters per cell side; more than 0. Affects slopes only.
    pub meters_per_cell: f64,
    /// Maximum slope of a floor, rise over run; not negative. If `None`, every sample becomes a
    /// floor, and the profile's step limit alone blocks steep steps.
    pub max_slope: Option<f64>,
    /// The value in the file that means "no data".
    pub no_data: Option<i32>,
    /// The column of the file's north-western sample.
    pub at: Column,
    /// The value in the file that becomes height 0.
    pub zero: i32,
    /// Samples up to this value are water.
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

/// Imports a heightmap.
///
/// A value becomes the nearest height step, halves away from 0. The slope at a sample is the
/// maximum over its four straight neighbors.
///
/// # Errors
/// An invalid option or profile.
///
/// ```
/// use wayfarer_base::{Cell, Heightmap};
/// use wayfarer_world::ground::import::{HeightmapImportOptions, Reason, from_heightmap};
///
/// // Centimeters; a height step is half a meter.
/// let options = HeightmapImportOptions {
///     meters_per_unit: 0.01,
///     meters_per_step: 0.5,
///     no_data: Some(-9999),
///     ..HeightmapImportOptions::default()
/// };
/// let land = Heightmap::new(4, 1, vec![0, 60, -9999, 900]).unwrap();
/// let imported = from_heightmap(&land, &options)?;
/// assert!(imported.ground.node(Cell::new(1, 0, 1)).is_some());
/// assert!(imported.ground.node(Cell::new(3, 0, 18)).is_some());
/// assert_eq!(imported.report.count(Reason::NoData), 1);
/// # Ok::<(), wayfarer_world::ground::import::ImportError>(())
/// ```
pub fn from_heightmap(
    map: &Heightmap,
    options: &HeightmapImportOptions,
) -> Result<Imported, ImportError> {
    check_size("meters per unit", options.meters_per_unit)?;
    check_size("meters per step", options.meters_per_step)?;
    check_size("meters per cell", options.meters_per_cell)?;
    if let Some(found) = options.max_slope.filter(|s| !(s.is_finite() && *s >= 0.0)) {
        return Err(ImportError::InvalidOption {
            what: "maximum slope",
            found,
            expected: "0 or more",
        });
    }
    let mut report = ImportReport::default();
    let mut data = WorldData {
        profile: options.profile.clone(),
        ..WorldData::default()
    };
    for at in map.rect().columns() {
        let Some(height) = map.get(at.x, at.y) else {
            continue;
        };
        let column = Column::new(
            at.x.saturating_add(options.at.x),
            at.y.saturating_add(options.at.y),
        );
        let cell = column.at(options.step(height));
        if options.no_data == Some(height) {
            report.drop(Reason::NoData, column.at(0));
        } else if !is_in_world(cell) {
            report.drop(Reason::OutOfWorld, cell);
        } else if options
            .max_slope
            .is_some_and(|s| options.slope(map, at) > s)
        {
            report.drop(Reason::TooSteep, cell);
        } else {
            let under_water = options.sea.is_some_and(|sea| height <= sea);
            let terrain = if under_water {
                Terrain::WATER
            } else {
                Terrain::GROUND
            };
            data.cells.push((cell, terrain));
        }
    }
    report.n_floors = data.cells.len() as u64;
    report.n_cliffs = n_cliffs(map, options);
    let ground = Ground::from_data(&data)?;
    Ok(Imported { ground, report })
}

impl HeightmapImportOptions {
    /// The height step of a value of the file; saturates.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float to integer cast saturates, and heights beyond the limits are skipped"
    )]
    fn step(&self, height: i32) -> i32 {
        let units = f64::from(height) - f64::from(self.zero);
        (units * self.meters_per_unit / self.meters_per_step).round() as i32
    }

    /// The maximum slope between a sample and its straight neighbors.
    fn slope(&self, map: &Heightmap, at: Column) -> f64 {
        let here = map.get(at.x, at.y).unwrap_or_default();
        let offsets = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        let rises = offsets
            .into_iter()
            .filter_map(|(dx, dy)| map.get(at.x + dx, at.y + dy))
            .filter(|there| self.no_data != Some(*there))
            .map(|there| there.abs_diff(here));
        let rise = f64::from(rises.max().unwrap_or(0));
        rise * self.meters_per_unit / self.meters_per_cell
    }
}

/// The number of neighboring samples without a step in either direction.
fn n_cliffs(map: &Heightmap, options: &HeightmapImportOptions) -> u64 {
    let known = |x: i32, y: i32| {
        map.get(x, y)
            .filter(|height| options.no_data != Some(*height))
    };
    let reach = options
        .profile
        .max_step
        .max(options.profile.max_drop)
        .unsigned_abs();
    let mut count = 0;
    for at in map.rect().columns() {
        let Some(here) = known(at.x, at.y) else {
            continue;
        };
        for there in [known(at.x + 1, at.y), known(at.x, at.y + 1)] {
            let apart = there.map(|there| options.step(there).abs_diff(options.step(here)));
            count += u64::from(apart.is_some_and(|apart| apart > reach));
        }
    }
    count
}
