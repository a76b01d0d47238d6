//! Scenarios of the dynamic track of the Grid-Based Path Planning Competition (`.scen`, version 2).
//!
//! Header lines `version 2`, `height H` and `width W` (in either order), `cost 1 octile`,
//! `patch FILE` and `commands`. Then one command per line: `P bucket patch x y` overwrites the map
//! with patch number `patch` of the `.patch` file, its north-west cell at (x, y);
//! `Q bucket start_x start_y goal_x goal_y cost` queries a path, a negative cost meaning that none
//! exists. Initially every cell is open.

mod join;

use std::fmt::Write as _;

use wayfarer_base::{Column, Expected, Problem};

pub use join::{JoinError, MAX_CELLS, MAX_PATCHED_CELLS, join};

use crate::movingai_map::{keywords, size};
use crate::movingai_scen::sanitized_name;
use crate::text::{Coordinate, Line, Lines, TextError, Words, push};

/// The content of a dynamic scenario file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DynamicScenario {
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// Name of the `.patch` file as written.
    pub patch_file: String,
    /// The commands in order.
    pub commands: Vec<Command>,
}

/// One command of a dynamic scenario.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Command {
    /// Overwrite a part of the map.
    Patch {
        /// Group of commands.
        bucket: u32,
        /// Index of the patch in the `.patch` file.
        patch: u32,
        /// Column of its north-west cell.
        at: Column,
    },
    /// Query a path.
    Query {
        /// Group of commands.
        bucket: u32,
        /// Start.
        start: Column,
        /// Goal.
        goal: Column,
        /// The optimal cost in cells; negative if no path exists.
        cost: f64,
    },
}

/// The problem of a query at height 0; a negative cost is [`Expected::Unreachable`].
pub fn problem(start: Column, goal: Column, cost: f64) -> Problem {
    let expected = if cost < 0.0 {
        Expected::Unreachable
    } else {
        Expected::Length(cost)
    };
    Problem {
        start: start.at(0),
        goal: goal.at(0),
        expected,
    }
}

/// Reads a `.scen` file of version 2.
///
/// # Errors
/// The first syntax error or number out of range. [`join()`] checks that patches exist and lie on
/// the map.
pub fn read(bytes: &[u8]) -> Result<DynamicScenario, TextError> {
    let mut lines = Lines::new(bytes);
    keywords(&lines.require("`version 2`")?, &["version", "2"])?;
    let (width, height) = size(&mut lines)?;
    keywords(&lines.require("`cost 1 octile`")?, &["cost", "1", "octile"])?;
    let patch_file = patch_file(&lines.require("`patch FILE`")?)?;
    keywords(&lines.require("`commands`")?, &["commands"])?;

    let mut commands = Vec::new();
    while let Some(line) = lines.next_non_blank() {
        push(&mut commands, command(&line)?);
    }
    Ok(DynamicScenario {
        width,
        height,
        patch_file,
        commands,
    })
}

/// The patch file name: the rest of the line after `patch`.
fn patch_file(line: &Line<'_>) -> Result<String, TextError> {
    const FILE: &str = "the name of a patch file in UTF-8";
    let mut words = line.words();
    words.keyword("patch")?;
    let first = words.word(FILE)?;
    let name = line.bytes[first.column - 1..].trim_ascii_end();
    let name = std::str::from_utf8(name).map_err(|_invalid| first.unexpected(FILE))?;
    Ok(String::from(name))
}

fn command(line: &Line<'_>) -> Result<Command, TextError> {
    const COMMAND: &str = "P or Q";
    let mut words = line.words();
    let word = words.word(COMMAND)?;
    let command = match word.text {
        b"P" => Command::Patch {
            bucket: words.number()?,
            patch: words.number()?,
            at: column(&mut words)?,
        },
        b"Q" => Command::Query {
            bucket: words.number()?,
            start: column(&mut words)?,
            goal: column(&mut words)?,
            cost: words.number()?,
        },
        _ => return Err(word.unexpected(COMMAND)),
    };
    words.end()?;
    Ok(command)
}

fn column(words: &mut Words<'_>) -> Result<Column, TextError> {
    let (x, y): (Coordinate, Coordinate) = (words.number()?, words.number()?);
    Ok(Column::new(x.0, y.0))
}

/// Writes a `.scen` file of version 2; it reads back unchanged if the patch file name has no
/// control characters.
pub fn write(scenario: &DynamicScenario) -> String {
    const CANNOT_FAIL: &str = "writing to a string cannot fail";
    let mut text = format!(
        "version 2\nheight {}\nwidth {}\ncost 1 octile\npatch {}\ncommands\n",
        scenario.height,
        scenario.width,
        sanitized_name(&scenario.patch_file)
    );
    for command in &scenario.commands {
        match command {
            Command::Patch { bucket, patch, at } => {
                writeln!(text, "P {bucket} {patch} {} {}", at.x, at.y).expect(CANNOT_FAIL);
            }
            Command::Query {
                bucket,
                start,
                goal,
                cost,
            } => {
                let (from, to) = (start, goal);
                writeln!(
                    text,
                    "Q {bucket} {} {} {} {} {cost}",
                    from.x, from.y, to.x, to.y
                )
                .expect(CANNOT_FAIL);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests;
