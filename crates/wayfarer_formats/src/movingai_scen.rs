//! The problems of the `MovingAI` benchmarks (`.scen`, versions 1 and 1.0).
//!
//! A line `version 1`, then a line for each problem, its fields parted by tabs or spaces:
//! `bucket map width height start_x start_y goal_x goal_y length`. The map's name may hold spaces
//! if tabs stand around it.
//!
//! A length of 0 although start and goal differ means that there is no path: the benchmarks'
//! generator wrote it so, and [`ScenarioLine::problem`] takes it so.

use std::fmt::Write as _;
use std::sync::Arc;

use wayfarer_base::{Column, Expected, Problem};

use crate::text::{Coordinate, Line, Lines, TextError, Words, push};

/// The problems of one file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scenario {
    /// In the order of the file, which need not be sorted.
    pub lines: Vec<ScenarioLine>,
}

/// One problem as it stands in the file.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioLine {
    /// Problems of alike length share a bucket.
    pub bucket: u32,
    /// The map's name, as written; lines that name the same map one after the other share it.
    pub map: Arc<str>,
    /// Width of the map, in cells.
    pub width: u32,
    /// Height of the map, in cells.
    pub height: u32,
    /// Where to start. Not compared with the map's size: some published files scale it.
    pub start: Column,
    /// Where to go.
    pub goal: Column,
    /// The least length, in cells, as the file rounds it; see [`ScenarioLine::problem`] for 0.
    pub length: f64,
}

impl Scenario {
    /// The problems, in the order of the file.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        self.lines.iter().map(ScenarioLine::problem)
    }
}

impl ScenarioLine {
    /// The problem on the flat map, at height 0. Length 0 with start and goal apart means
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

/// Reads a whole `.scen` file of version 1.
///
/// ```
/// use wayfarer_base::{Cell, Expected};
/// let file = b"version 1\n0\tkeep.map\t9\t9\t1\t2\t4\t2\t3\n0\tkeep.map\t9\t9\t1\t2\t8\t8\t0\n";
/// let scenario = wayfarer_formats::movingai_scen::read(file)?;
/// assert_eq!(&*scenario.lines[0].map, "keep.map");
/// let problems: Vec<_> = scenario.problems().collect();
/// assert_eq!(problems[0].start, Cell::flat(1, 2));
/// assert_eq!(problems[0].expected, Expected::Length(3.0));
/// assert_eq!(problems[1].expected, Expected::Unreachable);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first line and column where the file is not such a scenario.
pub fn read(bytes: &[u8]) -> Result<Scenario, TextError> {
    const VERSION: &str = "`version 1` or `version 1.0`";
    let mut lines = Lines::new(bytes);
    let first = lines.need(VERSION)?;
    let mut words = first.words();
    words.keyword("version")?;
    let version = words.word(VERSION)?;
    if !matches!(version.text, b"1" | b"1.0") {
        return Err(version.wrong(VERSION));
    }
    words.end()?;

    let mut scenario = Scenario::default();
    while let Some(line) = lines.next_full() {
        let last = scenario.lines.last().map(|line| &line.map);
        let read = read_line(&line, last)?;
        push(&mut scenario.lines, read);
    }
    Ok(scenario)
}

fn read_line(line: &Line<'_>, last: Option<&Arc<str>>) -> Result<ScenarioLine, TextError> {
    let mut words = line.words();
    let bucket = words.number()?;
    let name = read_name(line, &mut words)?;
    let map = match last {
        Some(last) if **last == *name => Arc::clone(last),
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

/// The map's name: a word, or what stands between two tabs if there are too many words.
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
    std::str::from_utf8(name).map_err(|_invalid| first.wrong("a name in UTF-8"))
}

/// A length of a path.
pub(crate) struct Length(pub(crate) f64);

impl crate::text::Number for Length {
    const EXPECTED: &'static str = "a length of at least 0";
    fn parse(text: &[u8]) -> Option<Self> {
        f64::parse(text).filter(|&length| length >= 0.0).map(Self)
    }
}

/// Writes a `.scen` file of version 1 with tabs; reading gives the same lines back.
///
/// Tabs, line ends and the like in a map's name become `_`, as does an empty name.
pub fn write(scenario: &Scenario) -> String {
    let mut text = String::from("version 1\n");
    for line in &scenario.lines {
        let name = plain_name(&line.map);
        let (start, goal) = (line.start, line.goal);
        writeln!(
            text,
            "{}\t{name}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            line.bucket, line.width, line.height, start.x, start.y, goal.x, goal.y, line.length
        )
        .expect("a string takes all that is written");
    }
    text
}

/// The name without anything that would end it early.
pub(crate) fn plain_name(name: &str) -> String {
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
