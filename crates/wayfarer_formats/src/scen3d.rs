//! The problems of the 3D benchmarks (`.3dscen`): flights through voxel maps.
//!
//! A line `version 1`, a line with the map's name, then a line for each problem:
//! `start_x start_y start_z goal_x goal_y goal_z length ratio`.

use std::fmt::Write as _;

use wayfarer_base::Voxel;

use crate::movingai_map::keywords;
use crate::movingai_scen::{Length, plain_name};
use crate::text::{Coordinate, Lines, TextError, Words, push};

/// The problems of one file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scenario3d {
    /// The map's name, as written.
    pub map: String,
    /// In the order of the file.
    pub lines: Vec<ScenarioLine3d>,
}

/// One problem as it stands in the file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScenarioLine3d {
    /// Where to start.
    pub start: Voxel,
    /// Where to go.
    pub goal: Voxel,
    /// The least length with 26 directions, in voxels.
    pub length: f64,
    /// That length over the length without obstacles.
    pub ratio: f64,
}

/// Reads a whole `.3dscen` file.
///
/// ```
/// use wayfarer_base::Voxel;
/// let scenario =
///     wayfarer_formats::scen3d::read(b"version 1\nkeep.3dmap\n1 2 3 4 5 6 5.196 1.0\n")?;
/// assert_eq!(scenario.map, "keep.3dmap");
/// assert_eq!(scenario.lines[0].goal, Voxel::new(4, 5, 6));
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first line and column where the file is not such a scenario.
pub fn read(bytes: &[u8]) -> Result<Scenario3d, TextError> {
    const NAME: &str = "the map's name in UTF-8";
    let mut lines = Lines::new(bytes);
    keywords(&lines.need("`version 1`")?, &["version", "1"])?;
    let line = lines.need(NAME)?;
    let name = std::str::from_utf8(line.bytes.trim_ascii()).unwrap_or_default();
    if name.is_empty() {
        return Err(line.words().wrong(NAME));
    }
    let mut scenario = Scenario3d {
        map: String::from(name),
        lines: Vec::new(),
    };
    while let Some(line) = lines.next_full() {
        let mut words = line.words();
        let (start, goal) = (voxel(&mut words)?, voxel(&mut words)?);
        let (length, ratio): (Length, Length) = (words.number()?, words.number()?);
        words.end()?;
        let line = ScenarioLine3d {
            start,
            goal,
            length: length.0,
            ratio: ratio.0,
        };
        push(&mut scenario.lines, line);
    }
    Ok(scenario)
}

fn voxel(words: &mut Words<'_>) -> Result<Voxel, TextError> {
    let mut at = || words.number::<Coordinate>().map(|at| at.0);
    Ok(Voxel::new(at()?, at()?, at()?))
}

/// Writes a `.3dscen` file; reading gives the same problems back. Line ends and the like in the
/// map's name become `_`, as does an empty name.
pub fn write(scenario: &Scenario3d) -> String {
    let mut text = format!("version 1\n{}\n", plain_name(&scenario.map));
    for line in &scenario.lines {
        let (from, to) = (line.start, line.goal);
        writeln!(
            text,
            "{} {} {} {} {} {} {} {}",
            from.x, from.y, from.z, to.x, to.y, to.z, line.length, line.ratio
        )
        .expect("a string takes all that is written");
    }
    text
}

#[cfg(test)]
mod tests;
