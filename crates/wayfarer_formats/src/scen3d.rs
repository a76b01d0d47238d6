//! Problems of the 3D benchmarks (`.3dscen`): flight paths through voxel maps.
//!
//! A line `version 1`, a line with the map name, then one line per problem:
//! `start_x start_y start_z goal_x goal_y goal_z length ratio`.

use std::fmt::Write as _;

use wayfarer_base::Voxel;

use crate::movingai_map::keywords;
use crate::movingai_scen::{Length, sanitized_name};
use crate::text::{Coordinate, Lines, TextError, Words, push};

/// The problems of one file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scenario3d {
    /// The map name as written.
    pub map: String,
    /// The problems in file order.
    pub lines: Vec<ScenarioLine3d>,
}

/// One line of the file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScenarioLine3d {
    /// Start.
    pub start: Voxel,
    /// Goal.
    pub goal: Voxel,
    /// The optimal length with 26 directions, in voxels.
    pub length: f64,
    /// `length` divided by the length without obstacles.
    pub ratio: f64,
}

/// Reads a `.3dscen` file.
///
/// ```
/// use wayfarer_base::Voxel;
/// let scenario =
///     wayfarer_formats::scen3d::read(b"version 1\na.3dmap\n1 2 3 4 5 6 5.196 1.0\n")?;
/// assert_eq!(scenario.map, "a.3dmap");
/// assert_eq!(scenario.lines[0].goal, Voxel::new(4, 5, 6));
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first syntax error or number out of range.
pub fn read(bytes: &[u8]) -> Result<Scenario3d, TextError> {
    const NAME: &str = "the map's name in UTF-8";
    let mut lines = Lines::new(bytes);
    keywords(&lines.require("`version 1`")?, &["version", "1"])?;
    let line = lines.require(NAME)?;
    let name = std::str::from_utf8(line.bytes.trim_ascii()).unwrap_or_default();
    if name.is_empty() {
        return Err(line.words().unexpected(NAME));
    }
    let mut scenario = Scenario3d {
        map: String::from(name),
        lines: Vec::new(),
    };
    while let Some(line) = lines.next_non_blank() {
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

/// Writes a `.3dscen` file; it reads back unchanged, except that control characters in the map name
/// become `_`, as does an empty name.
pub fn write(scenario: &Scenario3d) -> String {
    let mut text = format!("version 1\n{}\n", sanitized_name(&scenario.map));
    for line in &scenario.lines {
        let (from, to) = (line.start, line.goal);
        writeln!(
            text,
            "{} {} {} {} {} {} {} {}",
            from.x, from.y, from.z, to.x, to.y, to.z, line.length, line.ratio
        )
        .expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests;
