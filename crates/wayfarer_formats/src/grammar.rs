//! Shared grammar of `.world`, `.edits` and `.field` files: header, comments, cells, terrains, nav
//! links, walls, decimal numbers.
//!
//! Decimals are lengths in cells: positions round to the nearest 1/256 cell, costs to the nearest
//! 1/1463 cell, multipliers to the nearest 1/16. Every written value reads back unchanged.

use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Fixed, LinkDirection, LinkState, NavLink, NavLinkId,
    NavLinkKind, Terrain, Wall, WallSide,
};

use crate::text::{Line, Lines, Number, TextError, Word, Words};

/// The next line with content, without its comment.
pub(crate) fn next_content<'a>(lines: &mut Lines<'a>) -> Option<Line<'a>> {
    lines
        .map(|line| {
            let is_row = line.bytes.first() == Some(&b'|');
            let comment = line.bytes.iter().position(|&byte| byte == b'#');
            match comment {
                Some(comment) if !is_row => Line {
                    bytes: &line.bytes[..comment],
                    ..line
                },
                _ => line,
            }
        })
        .find(|line| !line.is_blank())
}

/// How a file ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// Version 1: at the end of the bytes.
    Implicit,
    /// Version 2: with a line `end`, so that truncation is detected.
    Explicit,
}

/// Reads the first line: format name and version; `expected` is the first line of version 2.
pub(crate) fn header(lines: &mut Lines<'_>, expected: &'static str) -> Result<Ending, TextError> {
    let first = lines.require(expected)?;
    let mut words = first.words();
    let mut ending = Ending::Explicit;
    for expected_word in expected.split(' ') {
        let word = words.word(expected)?;
        match (expected_word, word.text) {
            ("2", b"1") => ending = Ending::Implicit,
            _ if word.text == expected_word.as_bytes() => {}
            _ => return Err(word.unexpected(expected)),
        }
    }
    match words.next() {
        Some(word) if !word.text.starts_with(b"#") => Err(word.unexpected("the end of the line")),
        _ => Ok(ending),
    }
}

/// The next line with content; `None` at the end of the file, which must match `ending`.
pub(crate) fn next_line<'a>(
    lines: &mut Lines<'a>,
    ending: Ending,
) -> Result<Option<Line<'a>>, TextError> {
    let Some(line) = next_content(lines) else {
        return match ending {
            Ending::Implicit => Ok(None),
            Ending::Explicit => Err(TextError::Ends {
                line: lines.next_number(),
                expected: "more lines, the last of them `end`",
            }),
        };
    };
    let mut words = line.words();
    if words.next().is_none_or(|word| word.text != b"end") {
        return Ok(Some(line));
    }
    words.end()?;
    match next_content(lines) {
        None => Ok(None),
        Some(line) => Err(line.words().unexpected("nothing after the line `end`")),
    }
}

/// A column coordinate, at most 8.3 million cells from the origin.
pub(crate) struct MapCoordinate(pub(crate) i32);

impl Number for MapCoordinate {
    const EXPECTED: &'static str = "a whole number from -8388607 to 8388607";
    fn parse(text: &[u8]) -> Option<Self> {
        let at = i32::parse(text)?;
        (at.unsigned_abs() <= Fixed::MAX.cell().unsigned_abs()).then_some(Self(at))
    }
}

pub(crate) fn column(words: &mut Words<'_>) -> Result<Column, TextError> {
    let (x, y): (MapCoordinate, MapCoordinate) = (words.number()?, words.number()?);
    Ok(Column::new(x.0, y.0))
}

pub(crate) fn cell(words: &mut Words<'_>) -> Result<Cell, TextError> {
    Ok(column(words)?.at(words.number()?))
}

pub(crate) fn cell_text(cell: Cell) -> String {
    format!("{} {} {}", cell.x, cell.y, cell.z)
}

pub(crate) const TERRAIN: &str = "ground, swamp, water, trees or a number from 0 to 63";

pub(crate) fn parse_terrain_name(name: &[u8]) -> Option<Terrain> {
    match name {
        b"ground" => Some(Terrain::GROUND),
        b"swamp" => Some(Terrain::SWAMP),
        b"water" => Some(Terrain::WATER),
        b"trees" => Some(Terrain::TREES),
        number => u32::parse(number)
            .and_then(|number| u8::try_from(number).ok())
            .and_then(Terrain::new),
    }
}

pub(crate) fn parse_terrain(word: &Word<'_>) -> Result<Terrain, TextError> {
    parse_terrain_name(word.text).ok_or_else(|| word.unexpected(TERRAIN))
}

pub(crate) fn terrain(words: &mut Words<'_>) -> Result<Terrain, TextError> {
    parse_terrain(&words.word(TERRAIN)?)
}

pub(crate) fn terrain_text(terrain: Terrain) -> String {
    if terrain <= Terrain::TREES {
        terrain.to_string()
    } else {
        terrain.number().to_string()
    }
}

pub(crate) fn wall(words: &mut Words<'_>) -> Result<Wall, TextError> {
    const SIDE: &str = "east or south";
    let cell = cell(words)?;
    let word = words.word(SIDE)?;
    let side = match word.text {
        b"east" => WallSide::East,
        b"south" => WallSide::South,
        _ => return Err(word.unexpected(SIDE)),
    };
    Ok(Wall { cell, side })
}

pub(crate) fn wall_text(wall: &Wall) -> String {
    let side = match wall.side {
        WallSide::East => "east",
        WallSide::South => "south",
    };
    format!("{} {side}", cell_text(wall.cell))
}

pub(crate) fn nav_link_id(words: &mut Words<'_>) -> Result<NavLinkId, TextError> {
    const KIND: &str = "stairs, ladder, jump, drop, door, teleport or climb";
    let word = words.word(KIND)?;
    let kind = NavLinkKind::ALL
        .into_iter()
        .find(|kind| kind.name().as_bytes() == word.text)
        .ok_or_else(|| word.unexpected(KIND))?;
    let from = cell(words)?;
    words.keyword("to")?;
    let to = cell(words)?;
    Ok(NavLinkId { from, to, kind })
}

pub(crate) fn nav_link_id_text(id: &NavLinkId) -> String {
    let (from, to) = (cell_text(id.from), cell_text(id.to));
    format!("{} {from} to {to}", id.kind.name())
}

/// The link state of keyword `word`, with its keys if locked; `None` for another keyword.
fn parse_link_state(
    word: &Word<'_>,
    words: &mut Words<'_>,
) -> Result<Option<LinkState>, TextError> {
    Ok(match word.text {
        b"open" => Some(LinkState::Open),
        b"closed" => Some(LinkState::Closed),
        b"locked" => {
            let Lock(lock) = words.number()?;
            Some(LinkState::Locked(lock))
        }
        _ => None,
    })
}

struct Lock(u32);

impl Number for Lock {
    const EXPECTED: &'static str = "the lock's keys, a number from 1 to 4294967295";
    fn parse(text: &[u8]) -> Option<Self> {
        u32::parse(text).filter(|&lock| lock != 0).map(Self)
    }
}

pub(crate) fn link_state(words: &mut Words<'_>) -> Result<LinkState, TextError> {
    const STATE: &str = "open, closed or locked KEYS";
    let word = words.word(STATE)?;
    parse_link_state(&word, words)?.ok_or_else(|| word.unexpected(STATE))
}

pub(crate) fn link_state_text(state: LinkState) -> String {
    match state {
        LinkState::Open => String::from("open"),
        LinkState::Closed => String::from("closed"),
        LinkState::Locked(keys) => format!("locked {keys}"),
    }
}

pub(crate) fn nav_link(words: &mut Words<'_>) -> Result<NavLink, TextError> {
    let NavLinkId { from, to, kind } = nav_link_id(words)?;
    words.keyword("cost")?;
    let PositiveCost(cost) = words.number()?;
    let mut nav_link = NavLink {
        from,
        to,
        kind,
        direction: LinkDirection::Bidirectional,
        cost,
        state: LinkState::Open,
    };
    let (mut has_direction, mut has_state) = (false, false);
    while let Some(word) = words.next() {
        if word.text == b"one-way" && !has_direction {
            has_direction = true;
            nav_link.direction = LinkDirection::OneWay;
        } else if let Some(state) = parse_link_state(&word, words)?
            && !has_state
        {
            has_state = true;
            nav_link.state = state;
        } else {
            return Err(word.unexpected("one-way, one of open, closed or locked KEYS, or the end"));
        }
    }
    Ok(nav_link)
}

pub(crate) fn nav_link_text(nav_link: &NavLink) -> String {
    let mut text = nav_link_id_text(&nav_link.into());
    text.push_str(" cost ");
    text.push_str(&cost_text(nav_link.cost));
    if nav_link.direction == LinkDirection::OneWay {
        text.push_str(" one-way");
    }
    if nav_link.state != LinkState::Open {
        text.push(' ');
        text.push_str(&link_state_text(nav_link.state));
    }
    text
}

/// A decimal in units of 1/`units_per_one`, rounded; `None` outside `low` to `high`.
fn parse_units(text: &[u8], units_per_one: u32, low: i64, high: i64) -> Option<i64> {
    let scaled = (f64::parse(text)? * f64::from(units_per_one)).round();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float to integer cast saturates, and the limits are far inside"
    )]
    let units = scaled as i64;
    (low <= units && units <= high).then_some(units)
}

struct PositiveCost(Cost);

impl Number for PositiveCost {
    const EXPECTED: &'static str = "a cost above 0 and below 2935726 cells";
    fn parse(text: &[u8]) -> Option<Self> {
        let high = i64::from(Cost::MAX.units()) - 1;
        let units = parse_units(text, Cost::UNITS_PER_CELL, 1, high)?;
        u32::try_from(units).ok().map(Cost::from_units).map(Self)
    }
}

/// The cost in cells, with as few decimals as read back to the same cost.
pub(crate) fn cost_text(cost: Cost) -> String {
    let limit = i64::from(u32::MAX);
    (0..8)
        .map(|n_decimals| format!("{:.n_decimals$}", cost.to_cells()))
        .find(|text| {
            let read = parse_units(text.as_bytes(), Cost::UNITS_PER_CELL, 0, limit);
            read == Some(i64::from(cost.units()))
        })
        .unwrap_or_else(|| cost.to_cells().to_string())
}

impl Number for CostMultiplier {
    const EXPECTED: &'static str = "a cost multiplier from 1 to 4095.9375";
    fn parse(text: &[u8]) -> Option<Self> {
        let sixteenths = parse_units(text, 16, 16, i64::from(u16::MAX))?;
        Self::from_sixteenths(u16::try_from(sixteenths).ok()?)
    }
}

/// The multiplier as a decimal.
pub(crate) fn multiplier_text(multiplier: CostMultiplier) -> String {
    (f64::from(multiplier.sixteenths()) / 16.0).to_string()
}

/// A length or coordinate from `low` to `high` cells.
fn fixed_within(text: &[u8], low: i32, high: i32) -> Option<Fixed> {
    let units = i64::from(Fixed::UNITS_PER_CELL);
    let (low, high) = (i64::from(low) * units, i64::from(high) * units);
    let raw = parse_units(text, 256, low, high)?;
    i32::try_from(raw).ok().map(Fixed::from_raw)
}

/// A coordinate of a shape, at most 4 million cells from the origin.
pub(crate) struct ShapeCoordinate(pub(crate) Fixed);

impl Number for ShapeCoordinate {
    const EXPECTED: &'static str = "a number from -4000000 to 4000000";
    fn parse(text: &[u8]) -> Option<Self> {
        fixed_within(text, -4_000_000, 4_000_000).map(Self)
    }
}

/// The radius of a shape, at most 4 million cells.
pub(crate) struct ShapeRadius(pub(crate) Fixed);

impl Number for ShapeRadius {
    const EXPECTED: &'static str = "a radius from 0 to 4000000";
    fn parse(text: &[u8]) -> Option<Self> {
        fixed_within(text, 0, 4_000_000).map(Self)
    }
}

/// The radius of an agent, at most 8 cells.
pub(crate) struct AgentRadius(pub(crate) Fixed);

impl Number for AgentRadius {
    const EXPECTED: &'static str = "a radius from 0 to 8";
    fn parse(text: &[u8]) -> Option<Self> {
        fixed_within(text, 0, 8).map(Self)
    }
}

/// The length in cells, exact.
pub(crate) fn fixed_text(fixed: Fixed) -> String {
    fixed.to_cells().to_string()
}

#[cfg(test)]
mod tests;
