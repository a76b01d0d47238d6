//! The grid competition's dynamic track (`.scen`, version 2): a map that changes between queries.
//!
//! Header lines `version 2`, `height H` and `width W` (in either order), `cost 1 octile`,
//! `patch FILE` and `commands`. Then one command on each line: `P bucket patch x y` lays patch
//! number `patch` of the `.patch` file over the map, its north-west cell at (x, y), blocking and
//! freeing; `Q bucket start_x start_y goal_x goal_y cost` asks for a path, a cost below 0 meaning
//! that there is none. At the start every cell is open.

mod join;

use std::fmt::Write as _;

use wayfarer_base::{Column, Expected, Problem};

pub use join::{JoinError, MAX_CELLS, MAX_PATCHED_CELLS, join};

use crate::movingai_map::{keywords, size};
use crate::movingai_scen::plain_name;
use crate::text::{Coordinate, Line, Lines, TextError, Words, push};

/// A map that changes between queries, as the file holds it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DynamicScenario {
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// The name of the `.patch` file, as written.
    pub patch_file: String,
    /// In order.
    pub commands: Vec<Command>,
}

/// One line of a dynamic scenario.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Command {
    /// Lay a patch over the map.
    Patch {
        /// Commands of one bucket belong together.
        bucket: u32,
        /// Which patch of the `.patch` file, from 0.
        patch: u32,
        /// Where its north-west cell goes.
        at: Column,
    },
    /// Find a path.
    Query {
        /// Commands of one bucket belong together.
        bucket: u32,
        /// Where to start.
        start: Column,
        /// Where to go.
        goal: Column,
        /// The least cost, in cells; below 0 if there is no path.
        cost: f64,
    },
}

/// The problem of a query, at height 0: a cost below 0 means [`Expected::Unreachable`].
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

/// Reads a whole `.scen` file of version 2.
///
/// # Errors
/// The first line and column where the file is not such a scenario. Whether the patches that it
/// names exist and lie on the map is judged by [`join()`].
pub fn read(bytes: &[u8]) -> Result<DynamicScenario, TextError> {
    let mut lines = Lines::new(bytes);
    keywords(&lines.need("`version 2`")?, &["version", "2"])?;
    let (width, height) = size(&mut lines)?;
    keywords(&lines.need("`cost 1 octile`")?, &["cost", "1", "octile"])?;
    let patch_file = patch_file(&lines.need("`patch FILE`")?)?;
    keywords(&lines.need("`commands`")?, &["commands"])?;

    let mut commands = Vec::new();
    while let Some(line) = lines.next_full() {
        push(&mut commands, command(&line)?);
    }
    Ok(DynamicScenario {
        width,
        height,
        patch_file,
        commands,
    })
}

/// The name of the patch file: the rest of the line after `patch`.
fn patch_file(line: &Line<'_>) -> Result<String, TextError> {
    const FILE: &str = "the name of a patch file in UTF-8";
    let mut words = line.words();
    words.keyword("patch")?;
    let first = words.word(FILE)?;
    let name = line.bytes[first.column - 1..].trim_ascii_end();
    let name = std::str::from_utf8(name).map_err(|_invalid| first.wrong(FILE))?;
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
        _ => return Err(word.wrong(COMMAND)),
    };
    words.end()?;
    Ok(command)
}

fn column(words: &mut Words<'_>) -> Result<Column, TextError> {
    let (x, y): (Coordinate, Coordinate) = (words.number()?, words.number()?);
    Ok(Column::new(x.0, y.0))
}

/// Writes a `.scen` file of version 2; reading gives the same scenario back, if the patch file has
/// a name without line ends.
pub fn write(scenario: &DynamicScenario) -> String {
    const TAKES_ALL: &str = "a string takes all that is written";
    let mut text = format!(
        "version 2\nheight {}\nwidth {}\ncost 1 octile\npatch {}\ncommands\n",
        scenario.height,
        scenario.width,
        plain_name(&scenario.patch_file)
    );
    for command in &scenario.commands {
        match command {
            Command::Patch { bucket, patch, at } => {
                writeln!(text, "P {bucket} {patch} {} {}", at.x, at.y).expect(TAKES_ALL);
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
                .expect(TAKES_ALL);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests;
