//! Line-by-line reader of `.world` files.

use wayfarer_base::{Cell, Column, CostMultiplier, Fixed, Profile, Raster, Terrain, Voxel};

use super::{Layer, WorldFile};
use crate::grammar::{
    AgentRadius, TERRAIN, cell, header, nav_link, next_content, next_line, parse_terrain, terrain,
    wall,
};
use crate::letters::{Letters, check_width};
use crate::text::{Line, Lines, Number, TextError, Words, push};

/// First line of a written `.world` file; version 1 is read as well.
pub(crate) const HEADER: &str = "wayfarer world 2";

const KEYWORD: &str =
    "layer, cell, passage, wall, box, voxel, letter, profile, terrains, price, end or a comment";

/// Reads a `.world` file. Memory: at most ten times the bytes read.
///
/// # Errors
/// The first unknown keyword, row of wrong length, undefined letter or number out of range. Whether
/// the content is consistent (a nav link leads to a floor) is checked when the world is built.
pub fn read(bytes: &[u8]) -> Result<WorldFile, TextError> {
    let mut lines = Lines::new(bytes);
    let ending = header(&mut lines, HEADER)?;
    let mut reader = Reader::default();
    while let Some(line) = next_line(&mut lines, ending)? {
        reader.line(&line, &mut lines)?;
    }
    Ok(reader.file)
}

struct Reader {
    file: WorldFile,
    letters: Letters,
    profile: ProfileEntries,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            file: WorldFile::default(),
            letters: Letters::BENCHMARK,
            profile: ProfileEntries::default(),
        }
    }
}

impl Reader {
    fn line<'a>(&mut self, line: &Line<'a>, lines: &mut Lines<'a>) -> Result<(), TextError> {
        let mut words = line.words();
        let keyword = words.word(KEYWORD)?;
        let file = &mut self.file;
        match keyword.text {
            b"cell" => {
                let floor = (cell(&mut words)?, terrain(&mut words)?);
                push(&mut file.cells, floor);
            }
            b"passage" => push(&mut file.nav_links, nav_link(&mut words)?),
            b"wall" => push(&mut file.walls, wall(&mut words)?),
            b"voxel" => push(&mut file.voxels, voxel(&mut words)?),
            b"box" => {
                let solid = solid_box(&mut words)?;
                push(&mut file.boxes, solid);
            }
            b"layer" => {
                let at = cell(&mut words)?;
                words.end()?;
                let raster = drawing(lines, &self.letters, at.column())?;
                push(&mut file.layers, Layer { at, raster });
                return Ok(());
            }
            b"letter" => letter(&mut words, &mut self.letters)?,
            b"profile" => self.profile.read(&mut words, &mut file.profile)?,
            b"terrains" => self.profile.read_terrains(&mut words, &mut file.profile)?,
            b"price" => read_multiplier(&mut words, &mut file.profile)?,
            _ => return Err(keyword.unexpected(KEYWORD)),
        }
        words.end()
    }
}

/// Reads the following rows `|...`: at least one, all of one length.
pub(crate) fn drawing(
    lines: &mut Lines<'_>,
    letters: &Letters,
    at: Column,
) -> Result<Raster, TextError> {
    const ROW: &str = "a row that begins with | and holds at least one cell";
    let mut cells = Vec::new();
    let (mut width, mut height) = (0_usize, 0_u32);
    let first_line = lines.next_number();
    loop {
        let mut ahead = lines.clone();
        let Some(line) = next_content(&mut ahead).filter(|line| line.bytes.starts_with(b"|"))
        else {
            break;
        };
        if height == 0 {
            width = line.bytes.len() - 1;
            check_extent(&line, at.x, width as u64)?;
        }
        if width == 0 {
            return Err(line.words().unexpected(ROW));
        }
        check_width(&line, 1, width as u64)?;
        letters.read_row(&line, 1, &mut cells)?;
        height = height.saturating_add(1);
        check_extent(&line, at.y, height.into())?;
        *lines = ahead;
    }
    if height == 0 {
        let line = lines.require(ROW)?;
        return Err(line.words().unexpected(ROW));
    }
    cells.shrink_to_fit();
    let found = cells.len() as u64;
    let width = u32::try_from(width).unwrap_or(u32::MAX);
    Raster::from_bytes(width, height, cells).ok_or(TextError::TooLarge {
        line: first_line,
        column: 1,
        what: "cells",
        found,
        limit: Raster::MAX_CELLS,
    })
}

/// Checks that a drawing stays within the coordinate range.
fn check_extent(line: &Line<'_>, low: i32, length: u64) -> Result<(), TextError> {
    let limit = i64::from(Fixed::MAX.cell()) - i64::from(low) + 1;
    let limit = u64::try_from(limit).unwrap_or(0);
    if length <= limit {
        return Ok(());
    }
    Err(TextError::TooLarge {
        line: line.number,
        column: 1,
        what: "cells from the edge of the drawing",
        found: length,
        limit,
    })
}

/// Reads `letter X TERRAIN`.
pub(crate) fn letter(words: &mut Words<'_>, letters: &mut Letters) -> Result<(), TextError> {
    const LETTER: &str = "an undefined letter, not | or #";
    let word = words.word(LETTER)?;
    let terrain = terrain(words)?;
    match word.text {
        &[letter] if letters.define(letter, terrain) => Ok(()),
        _ => Err(word.unexpected(LETTER)),
    }
}

fn voxel(words: &mut Words<'_>) -> Result<Voxel, TextError> {
    let Cell { x, y, z } = cell(words)?;
    Ok(Voxel::new(x, y, z))
}

fn solid_box(words: &mut Words<'_>) -> Result<(Voxel, Voxel), TextError> {
    let low = voxel(words)?;
    words.keyword("to")?;
    let high_corner = words.clone();
    let high = voxel(words)?;
    if low.x > high.x || low.y > high.y || low.z > high.z {
        return Err(high_corner.unexpected("a high corner not below the low corner"));
    }
    Ok((low, high))
}

/// A number of steps: 0 to 255, or at least 1.
struct Steps<const LOW: i32>(i32);

impl Number for Steps<0> {
    const EXPECTED: &'static str = "a whole number from 0 to 255";
    fn parse(text: &[u8]) -> Option<Self> {
        i32::parse(text)
            .filter(|steps| (0..=255).contains(steps))
            .map(Self)
    }
}

impl Number for Steps<1> {
    const EXPECTED: &'static str = "a whole number from 1 to 2147483647";
    fn parse(text: &[u8]) -> Option<Self> {
        i32::parse(text).filter(|&steps| steps >= 1).map(Self)
    }
}

/// The profile entries read so far; each may occur once.
#[derive(Default)]
struct ProfileEntries {
    is_read: [bool; 6],
}

impl ProfileEntries {
    /// Reads pairs of name and value up to the end of the line.
    fn read(&mut self, words: &mut Words<'_>, profile: &mut Profile) -> Result<(), TextError> {
        const ENTRIES: &str = "radius, height, climb, drop or keys, each at most once";
        const NAMES: [&[u8]; 5] = [b"radius", b"height", b"climb", b"drop", b"keys"];
        while let Some(word) = words.next() {
            let entry = NAMES
                .iter()
                .position(|name| *name == word.text)
                .filter(|&entry| !std::mem::replace(&mut self.is_read[entry], true))
                .ok_or_else(|| word.unexpected(ENTRIES))?;
            match entry {
                0 => profile.radius = words.number::<AgentRadius>()?.0,
                1 => profile.height = words.number::<Steps<1>>()?.0,
                2 => profile.max_step = words.number::<Steps<0>>()?.0,
                3 => profile.max_drop = words.number::<Steps<0>>()?.0,
                _ => profile.keys = words.number()?,
            }
        }
        Ok(())
    }

    /// Reads the allowed terrains up to the end of the line.
    fn read_terrains(
        &mut self,
        words: &mut Words<'_>,
        profile: &mut Profile,
    ) -> Result<(), TextError> {
        const FIRST: &str = "all, none or the allowed terrains, on one line only";
        let first = words.clone().word(FIRST)?;
        if std::mem::replace(&mut self.is_read[5], true) {
            return Err(first.unexpected(FIRST));
        }
        profile.allowed_terrains = match first.text {
            b"all" => u64::MAX,
            b"none" => 0,
            _ => {
                profile.allowed_terrains = 0;
                for word in words {
                    profile.allowed_terrains |= parse_terrain(&word)?.bit();
                }
                return Ok(());
            }
        };
        words.next();
        Ok(())
    }
}

/// Reads the rest of `price TERRAIN MULTIPLIER`.
fn read_multiplier(words: &mut Words<'_>, profile: &mut Profile) -> Result<(), TextError> {
    let word = words.word(TERRAIN)?;
    let terrain: Terrain = parse_terrain(&word)?;
    let multiplier: CostMultiplier = words.number()?;
    match profile
        .terrain_costs
        .binary_search_by_key(&terrain, |(listed, _)| *listed)
    {
        Ok(_) => Err(word.unexpected("a terrain without an earlier `price` line")),
        Err(_) if multiplier == CostMultiplier::ONE => Ok(()),
        Err(index) => {
            profile.terrain_costs.insert(index, (terrain, multiplier));
            Ok(())
        }
    }
}
