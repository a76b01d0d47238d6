//! Problems of the `MovingAI` benchmarks (`.scen`, versions 1 and 1.0).
//!
//! A line `version 1`, then one line per problem, separated by tabs or spaces:
//! `bucket map width height start_x start_y goal_x goal_y length`. A map name between tabs may
//! contain spaces.
//!
//! A length of 0 with different start and goal means that no path exists, by the convention of the
//! benchmark generator; see [`ScenarioLine::problem`].

use std::fmt::Write as _;
use std::sync::Arc;

use wayfarer_base::{Column, Expected, Problem};

use crate::text::{Coordinate, Line, Lines, TextError, Words, push};

/// The problems of one file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scenario {
    /// The problems in file order.
    pub lines: Vec<ScenarioLine>,
}

/// One line of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioLine {
    /// Bucket of problems of similar length.
    pub bucket: u32,
    /// The map name as written; consecutive lines with the same name share it.
    pub map: Arc<str>,
    /// Width of the map, in cells.
    pub width: u32,
    /// Height of the map, in cells.
    pub height: u32,
    /// Start. Not checked against the map size, which some published files scale.
    pub start: Column,
    /// Goal.
    pub goal: Column,
    /// The optimal length in cells, as rounded by the file; for 0 see [`ScenarioLine::problem`].
    pub length: f64,
}

impl Scenario {
    /// The problems in file order.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        self.lines.iter().map(ScenarioLine::problem)
    }
}

impl ScenarioLine {
    /// The problem at height 0. Length 0 with different start and goal is
    /// [`Expected::Unreachable`].
    pub fn problem(&self) -> Problem {
        let expected = if self.length <= 0.0 && self.start != self.goal {
            Expected::Unreachable
        } else {
            Expected::Length(self.length)
        };
        Problem {
            start: self.start.at(0),
            goal: self.goal.at(0),
            expected,
        }
    }
}

/// Reads a `.scen` file of version 1.
///
/// ```
/// use wayfarer_base::{Cell, Expected};
/// let file = b"version 1\n0\ta.map\t9\t9\t1\t2\t4\t2\t3\n0\ta.map\t9\t9\t1\t2\t8\t8\t0\n";
/// let scenario = wayfarer_formats::movingai_scen::read(file)?;
/// assert_eq!(&*scenario.lines[0].map, "a.map");
/// let problems: Vec<_> = scenario.problems().collect();
/// assert_eq!(problems[0].start, Cell::flat(1, 2));
/// assert_eq!(problems[0].expected, Expected::Length(3.0));
/// assert_eq!(problems[1].expected, Expected::Unreachable);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first syntax error or number out of range.
pub fn read(bytes: &[u8]) -> Result<Scenario, TextError> {
    const VERSION: &str = "`version 1` or `version 1.0`";
    let mut lines = Lines::new(bytes);
    let first = lines.require(VERSION)?;
    let mut words = first.words();
    words.keyword("version")?;
    let version = words.word(VERSION)?;
    if !matches!(version.text, b"1" | b"1.0") {
        return Err(version.unexpected(VERSION));
    }
    words.end()?;

    let mut scenario = Scenario::default();
    while let Some(line) = lines.next_non_blank() {
        let previous = scenario.lines.last().map(|line| &line.map);
        let parsed = read_line(&line, previous)?;
        push(&mut scenario.lines, parsed);
    }
    Ok(scenario)
}

fn read_line(line: &Line<'_>, previous: Option<&Arc<str>>) -> Result<ScenarioLine, TextError> {
    let mut words = line.words();
    let bucket = words.number()?;
    let name = read_name(line, &mut words)?;
    let map = match previous {
        Some(previous) if **previous == *name => Arc::clone(previous),
        _ => Arc::from(name),
    };

    let (width, height) = (words.number()?, words.number()?);
    let mut column = || -> Result<Column, TextError> {
        let (x, y): (Coordinate, Coordinate) = (words.number()?, words.number()?);
        Ok(Column::new(x.0, y.0))
    };
    let (start, goal) = (column()?, column()?);
    let Length(length) = words.number()?;
    words.end()?;
    Ok(ScenarioLine {
        bucket,
        map,
        width,
        height,
        start,
        goal,
        length,
    })
}

/// The map name: one word, or the text up to the next tab if the line has more words than expected.
fn read_name<'a>(line: &Line<'a>, words: &mut Words<'a>) -> Result<&'a str, TextError> {
    const NAME: &str = "the map's name";
    const N_WORDS: usize = 8;
    let first = words.clone().word(NAME)?;
    let tab_after = |start: usize| {
        let tab = line.bytes[start..].iter().position(|&byte| byte == b'\t');
        tab.map(|tab| start + tab)
    };
    let start = first.column - 1;
    let end = match tab_after(start) {
        Some(tab) if words.clone().count() > N_WORDS => tab,
        _ => start + first.text.len(),
    };
    words.skip_to(end);
    let name = line.bytes[start..end].trim_ascii_end();
    std::str::from_utf8(name).map_err(|_invalid| first.unexpected("a name in UTF-8"))
}

/// The length of a path, in cells.
pub(crate) struct Length(pub(crate) f64);

impl crate::text::Number for Length {
    const EXPECTED: &'static str = "a length of at least 0";
    fn parse(text: &[u8]) -> Option<Self> {
        f64::parse(text).filter(|&length| length >= 0.0).map(Self)
    }
}

/// Writes a `.scen` file of version 1 with tabs; it reads back unchanged.
///
/// Except: control characters in a map name become `_`, as does an empty name.
pub fn write(scenario: &Scenario) -> String {
    let mut text = String::from("version 1\n");
    for line in &scenario.lines {
        let name = sanitized_name(&line.map);
        let (start, goal) = (line.start, line.goal);
        writeln!(
            text,
            "{}\t{name}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            line.bucket, line.width, line.height, start.x, start.y, goal.x, goal.y, line.length
        )
        .expect("writing to a string cannot fail");
    }
    text
}

/// The name with control characters replaced by `_`; `_` if empty.
pub(crate) fn sanitized_name(name: &str) -> String {
    let name = name.trim();
    if name.is_empty() {
        return String::from("_");
    }
    name.chars()
        .map(|letter| if letter.is_control() { '_' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests;
