//! Writer of `.world` files: dense floors are drawn in rows, sparse ones listed cell by cell.

use std::fmt::Write as _;

use wayfarer_base::{Cell, Column, Profile, Raster, Rect, Terrain, WorldData};

use super::read::HEADER;
use crate::grammar::{
    cell_text, fixed_text, multiplier_text, nav_link_text, terrain_text, wall_text,
};
use crate::letters::LetterWriter;

const CANNOT_FAIL: &str = "writing to a string cannot fail";

/// Maximum letters per floor of a drawing; a `cell` line takes more bytes than these.
const MAX_LETTERS_PER_FLOOR: u64 = 8;
/// Minimum number of floors of a drawing.
const MIN_DRAWN: usize = 4;
/// Floors too sparse for one drawing are split into blocks of 2^6 columns.
const BLOCK_SHIFT: u32 = 6;

/// Writes a `.world` file.
///
/// It reads back to the same data, with cells sorted by (z, y, x) within each drawing and without
/// duplicates (the last of equal cells applies). Values that no world accepts, such as a nav link
/// of cost 0, are written unchanged and rejected by the reader.
pub fn write(data: &WorldData) -> String {
    let mut text = format!("{HEADER}\n");
    write_profile(&data.profile, &mut text);

    let mut cells = data.cells.clone();
    cells.sort_by_key(|(cell, _)| (cell.z, cell.y, cell.x));
    cells.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            kept.1 = later.1;
        }
        is_same
    });
    write_letters(cells.iter().map(|(_, terrain)| *terrain), &mut text);
    for floor in cells.chunk_by_mut(|a, b| a.0.z == b.0.z) {
        write_floor(floor, &mut text);
    }

    for nav_link in &data.nav_links {
        writeln!(text, "passage {}", nav_link_text(nav_link)).expect(CANNOT_FAIL);
    }
    for wall in &data.walls {
        writeln!(text, "wall {}", wall_text(wall)).expect(CANNOT_FAIL);
    }
    for (low, high) in &data.boxes {
        let corner = |at: &wayfarer_base::Voxel| format!("{} {} {}", at.x, at.y, at.z);
        writeln!(text, "box {} to {}", corner(low), corner(high)).expect(CANNOT_FAIL);
    }
    for voxel in &data.voxels {
        writeln!(text, "voxel {} {} {}", voxel.x, voxel.y, voxel.z).expect(CANNOT_FAIL);
    }
    text.push_str("end\n");
    text
}

fn write_profile(profile: &Profile, text: &mut String) {
    writeln!(
        text,
        "profile radius {} height {} climb {} drop {} keys {}",
        fixed_text(profile.radius),
        profile.height,
        profile.max_step,
        profile.max_drop,
        profile.keys
    )
    .expect(CANNOT_FAIL);
    text.push_str("terrains");
    match profile.allowed_terrains {
        0 => text.push_str(" none"),
        u64::MAX => text.push_str(" all"),
        _ => {
            let all = (0..Terrain::COUNT).filter_map(Terrain::new);
            for terrain in all.filter(|terrain| profile.allows_terrain(*terrain)) {
                text.push(' ');
                text.push_str(&terrain_text(terrain));
            }
        }
    }
    text.push('\n');
    for (terrain, multiplier) in &profile.terrain_costs {
        let (terrain, multiplier) = (terrain_text(*terrain), multiplier_text(*multiplier));
        writeln!(text, "price {terrain} {multiplier}").expect(CANNOT_FAIL);
    }
}

/// Writes a `letter` line for each used terrain without a benchmark letter.
pub(crate) fn write_letters(used: impl Iterator<Item = Terrain>, text: &mut String) {
    let used = used.fold(0, |used, terrain| used | terrain.bit());
    let others = (Terrain::TREES.number() + 1..Terrain::COUNT).filter_map(Terrain::new);
    for terrain in others.filter(|terrain| used & terrain.bit() != 0) {
        let letter = LetterWriter::ALL.letter(Some(terrain));
        writeln!(text, "letter {letter} {}", terrain.number()).expect(CANNOT_FAIL);
    }
}

/// Writes the floors of one height; `cells` has no duplicates.
fn write_floor(cells: &mut [(Cell, Terrain)], text: &mut String) {
    if let Some(rect) = drawing_bounds(cells) {
        return write_drawing(cells, rect, text);
    }
    let block = |cell: &Cell| (cell.y >> BLOCK_SHIFT, cell.x >> BLOCK_SHIFT);
    cells.sort_unstable_by_key(|(cell, _)| (block(cell), cell.y, cell.x));
    for cells in cells.chunk_by(|a, b| block(&a.0) == block(&b.0)) {
        match drawing_bounds(cells) {
            Some(rect) => write_drawing(cells, rect, text),
            None => {
                for (cell, terrain) in cells {
                    let (cell, terrain) = (cell_text(*cell), terrain_text(*terrain));
                    writeln!(text, "cell {cell} {terrain}").expect(CANNOT_FAIL);
                }
            }
        }
    }
}

/// The bounding rectangle, if the floors are dense enough for a drawing.
fn drawing_bounds(cells: &[(Cell, Terrain)]) -> Option<Rect> {
    let columns = cells.iter().map(|(cell, _)| cell.column());
    let rect = columns.fold(Rect::EMPTY, Rect::including);
    let n_letters = u64::from(rect.width()) * u64::from(rect.height());
    let limit = (cells.len() as u64 * MAX_LETTERS_PER_FLOOR).min(Raster::MAX_CELLS);
    (cells.len() >= MIN_DRAWN && n_letters <= limit).then_some(rect)
}

fn write_drawing(cells: &[(Cell, Terrain)], rect: Rect, text: &mut String) {
    let Some(mut raster) = Raster::new(rect.width(), rect.height()) else {
        unreachable!("the bounds of a drawing are below the limit")
    };
    let Column { x, y } = rect.low;
    for (cell, terrain) in cells {
        raster.set(cell.x - x, cell.y - y, Some(*terrain));
    }
    let z = cells.first().map_or(0, |(cell, _)| cell.z);
    writeln!(text, "layer {}", cell_text(rect.low.at(z))).expect(CANNOT_FAIL);
    LetterWriter::ALL.write_rows(&raster, "|", text);
}
