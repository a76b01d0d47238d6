//! Converts a dynamic scenario and its patches to an initial map and an edit trace.

use wayfarer_base::{EditTrace, GroundEdit, Raster, Terrain, TraceStep};

use super::{Command, DynamicScenario, problem};

/// Maximum cells of the initial map: 2^26, 8192 x 8192.
pub const MAX_CELLS: u64 = 1 << 26;

/// Maximum cells of all patch commands together: 2^28. The trace stores each of them.
pub const MAX_PATCHED_CELLS: u64 = 1 << 28;

/// A scenario that does not match its patches or exceeds a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The map is too large.
    #[error("the map has {found} cells, the limit is {MAX_CELLS}")]
    MapTooLarge {
        /// Number of cells.
        found: u64,
    },
    /// The patches are too large together.
    #[error(
        "the patches of all commands up to {command} have {found} cells together, the limit is {MAX_PATCHED_CELLS}"
    )]
    PatchesTooLarge {
        /// Index of the command.
        command: usize,
        /// Cells up to this command.
        found: u64,
    },
    /// A patch index is out of range.
    #[error("command {command} refers to patch {patch}, there are {count}")]
    NoSuchPatch {
        /// Index of the command.
        command: usize,
        /// Index of the patch.
        patch: u32,
        /// Number of patches.
        count: usize,
    },
    /// A patch extends beyond the map.
    #[error("command {command}: patch {patch} extends beyond the map")]
    PatchOutsideMap {
        /// Index of the command.
        command: usize,
        /// Index of the patch.
        patch: u32,
    },
    /// A start or goal lies outside the map.
    #[error("command {command}: start or goal lies outside the map")]
    QueryOutsideMap {
        /// Index of the command.
        command: usize,
    },
}

/// The initial map, all ground, and the edit trace; consecutive patches form one batch.
///
/// ```
/// use wayfarer_formats::{dynamic_scen, patch};
/// let scenario = dynamic_scen::read(
///     b"version 2\nheight 1\nwidth 3\ncost 1 octile\npatch a.patch\ncommands\n\
///       Q 0 0 0 2 0 2\nP 1 0 1 0\nQ 1 0 0 2 0 -1\n",
/// )?;
/// let patches = patch::read(b"type patch\npatches 1\npatch 0\nheight 1\nwidth 1\nmap\n@\n")?;
/// let (map, trace) = dynamic_scen::join(&scenario, &patches).unwrap();
/// assert!(map.is_walkable(1, 0));
/// assert_eq!(trace.steps.len(), 3);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first invalid command or exceeded limit; both are checked before allocation.
pub fn join(
    scenario: &DynamicScenario,
    patches: &[Raster],
) -> Result<(Raster, EditTrace), JoinError> {
    let found = u64::from(scenario.width) * u64::from(scenario.height);
    if found > MAX_CELLS {
        return Err(JoinError::MapTooLarge { found });
    }
    check_commands(scenario, patches)?;
    let Some(map) = usize::try_from(found)
        .ok()
        .map(|n_cells| vec![Terrain::GROUND.number(); n_cells])
        .and_then(|cells| Raster::from_bytes(scenario.width, scenario.height, cells))
    else {
        return Err(JoinError::MapTooLarge { found });
    };

    let mut trace = EditTrace::default();
    for command in &scenario.commands {
        match *command {
            Command::Patch { patch, at, .. } => {
                let raster = patches[patch as usize].clone();
                let edit = GroundEdit::Patch { at, z: 0, raster };
                match trace.steps.last_mut() {
                    Some(TraceStep::Batch(batch)) => batch.push(edit),
                    _ => trace.steps.push(TraceStep::Batch(vec![edit])),
                }
            }
            Command::Query {
                start, goal, cost, ..
            } => {
                let query = problem(start, goal, cost);
                trace.steps.push(TraceStep::Query(query));
            }
        }
    }
    Ok((map, trace))
}

fn check_commands(scenario: &DynamicScenario, patches: &[Raster]) -> Result<(), JoinError> {
    let (width, height) = (i64::from(scenario.width), i64::from(scenario.height));
    let mut n_patched = 0;
    for (number, command) in scenario.commands.iter().enumerate() {
        match *command {
            Command::Patch { patch, at, .. } => {
                let raster = patches.get(patch as usize).ok_or(JoinError::NoSuchPatch {
                    command: number,
                    patch,
                    count: patches.len(),
                })?;
                let right = i64::from(at.x) + i64::from(raster.width());
                let bottom = i64::from(at.y) + i64::from(raster.height());
                if at.x < 0 || at.y < 0 || right > width || bottom > height {
                    return Err(JoinError::PatchOutsideMap {
                        command: number,
                        patch,
                    });
                }
                n_patched += raster.bytes().len() as u64;
                if n_patched > MAX_PATCHED_CELLS {
                    return Err(JoinError::PatchesTooLarge {
                        command: number,
                        found: n_patched,
                    });
                }
            }
            Command::Query { start, goal, .. } => {
                let is_inside = |x: i32, limit| x >= 0 && i64::from(x) < limit;
                let is_on_map = [start, goal]
                    .iter()
                    .all(|at| is_inside(at.x, width) && is_inside(at.y, height));
                if !is_on_map {
                    return Err(JoinError::QueryOutsideMap { command: number });
                }
            }
        }
    }
    Ok(())
}
