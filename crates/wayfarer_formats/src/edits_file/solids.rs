//! Solids, boxes and blocks of floors in `.edits` files, such as
//! `put solid 7 ground 0 to 3 box 4 4 to 5 9`.

use std::fmt::Write as _;

use wayfarer_base::{
    ColumnRun, FloorBlock, GroundSolid, Rect, SectorId, Shape, SolidExtent, SolidId, Terrain,
};

use super::read::heights;
use super::shapes::shape_text;
use crate::grammar::{column, terrain, terrain_text};
use crate::text::{TextError, Words, push};

const CANNOT_FAIL: &str = "writing to a string cannot fail";

/// The columns of a `box`.
pub(super) fn read_rect(words: &mut Words<'_>) -> Result<Rect, TextError> {
    words.keyword("box")?;
    let low = column(words)?;
    words.keyword("to")?;
    let high = column(words)?;
    Ok(Rect { low, high })
}

fn skip(words: &mut Words<'_>, keyword: &str) -> bool {
    let is_next = |word: crate::text::Word<'_>| word.text == keyword.as_bytes();
    let is_there = words.clone().next().is_some_and(is_next);
    if is_there {
        words.next();
    }
    is_there
}

/// A terrain, or `none`.
pub(super) fn floor(words: &mut Words<'_>) -> Result<Option<Terrain>, TextError> {
    if skip(words, "none") {
        return Ok(None);
    }
    terrain(words).map(Some)
}

pub(super) fn block(words: &mut Words<'_>) -> Result<FloorBlock, TextError> {
    let sector = SectorId::new(words.number()?, words.number()?);
    let z = words.number()?;
    let terrain = floor(words)?;
    let mut columns = [0; 16];
    for row in &mut columns {
        let at = words.clone();
        let bits: u64 = words.number()?;
        *row = u16::try_from(bits).map_err(|_large| at.unexpected("a row from 0 to 65535"))?;
    }
    Ok(FloorBlock {
        sector,
        z,
        columns,
        terrain,
    })
}

/// A solid; runs extend to the end of the line.
pub(super) fn solid(words: &mut Words<'_>) -> Result<GroundSolid, TextError> {
    let top_terrain = terrain(words)?;
    let extent = if skip(words, "runs") {
        let mut runs = Vec::new();
        while words.clone().next().is_some() {
            let (x, y) = (words.number()?, words.number()?);
            let (bottom, top) = (words.number()?, words.number()?);
            push(&mut runs, ColumnRun { y, x, bottom, top });
        }
        SolidExtent::Runs(runs.into())
    } else {
        let (bottom, top) = heights(words)?;
        let rect = read_rect(words)?;
        SolidExtent::Box { rect, bottom, top }
    };
    Ok(GroundSolid {
        extent,
        top: top_terrain,
    })
}

/// A line for each block.
pub(super) fn write_blocks(blocks: &[FloorBlock], text: &mut String) {
    for block in blocks {
        let (sector, floor) = (block.sector, floor_text(block.terrain));
        write!(text, "floors {} {} {} {floor}", sector.x, sector.y, block.z).expect(CANNOT_FAIL);
        for row in block.columns {
            write!(text, " {row}").expect(CANNOT_FAIL);
        }
        text.push('\n');
    }
}

pub(super) fn floor_text(terrain: Option<Terrain>) -> String {
    terrain.map_or_else(|| String::from("none"), terrain_text)
}

pub(super) fn solid_text(id: SolidId, solid: &GroundSolid) -> String {
    let start = format!("put solid {} {}", id.0, terrain_text(solid.top));
    match &solid.extent {
        SolidExtent::Box { rect, bottom, top } => {
            let columns = shape_text(&Shape::Box(*rect));
            format!("{start} {bottom} to {top} {columns}")
        }
        SolidExtent::Runs(runs) => {
            let mut line = format!("{start} runs");
            for ColumnRun { y, x, bottom, top } in runs.iter() {
                write!(line, " {x} {y} {bottom} {top}").expect(CANNOT_FAIL);
            }
            line
        }
    }
}
