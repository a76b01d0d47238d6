//! Writes `.world` files: draws floors where cells lie close together, names them where not.

use std::fmt::Write as _;

use wayfarer_base::{Cell, Column, Profile, Raster, Rect, Terrain, WorldData};

use super::read::HEADER;
use crate::grammar::{
    cell_text, fixed_text, multiplier_text, nav_link_text, terrain_text, wall_text,
};
use crate::letters::Pen;

/// Why writing to a string cannot fail.
const TAKES_ALL: &str = "a string takes all that is written";

/// A drawing may have this many squares for each cell drawn; a line for a cell takes more bytes.
const SQUARES_PER_CELL: u64 = 8;
/// Fewer cells than this are named one by one.
const MIN_DRAWN: usize = 4;
/// Floors that are too loose for one drawing are cut into blocks of 2^6 columns.
const BLOCK_SHIFT: u32 = 6;

/// Writes a `.world` file.
///
/// Reading it gives the same plan, its cells sorted by (z, y, x) within each drawing and each cell
/// once (of equal ones the last). Values that no world accepts, such as a nav link that costs
/// nothing, are written as they are and refused by the reader.
pub fn write(plan: &WorldData) -> String {
    let mut text = format!("{HEADER}\n");
    write_profile(&plan.profile, &mut text);

    let mut cells = plan.cells.clone();
    cells.sort_by_key(|(cell, _)| (cell.z, cell.y, cell.x));
    cells.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 = later.1;
        }
        same
    });
    write_letters(cells.iter().map(|(_, terrain)| *terrain), &mut text);
    for floor in cells.chunk_by_mut(|a, b| a.0.z == b.0.z) {
        write_floor(floor, &mut text);
    }

    for nav_link in &plan.nav_links {
        writeln!(text, "passage {}", nav_link_text(nav_link)).expect(TAKES_ALL);
    }
    for wall in &plan.walls {
        writeln!(text, "wall {}", wall_text(wall)).expect(TAKES_ALL);
    }
    for (low, high) in &plan.boxes {
        let corner = |at: &wayfarer_base::Voxel| format!("{} {} {}", at.x, at.y, at.z);
        writeln!(text, "box {} to {}", corner(low), corner(high)).expect(TAKES_ALL);
    }
    for voxel in &plan.voxels {
        writeln!(text, "voxel {} {} {}", voxel.x, voxel.y, voxel.z).expect(TAKES_ALL);
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
    .expect(TAKES_ALL);
    text.push_str("terrains");
    match profile.allowed_terrains {
        0 => text.push_str(" none"),
        u64::MAX => text.push_str(" all"),
        _ => {
            let all = (0..Terrain::COUNT).filter_map(Terrain::new);
            for terrain in all.filter(|terrain| profile.may_walk(*terrain)) {
                text.push(' ');
                text.push_str(&terrain_text(terrain));
            }
        }
    }
    text.push('\n');
    for (terrain, multiplier) in &profile.terrain_costs {
        let (terrain, multiplier) = (terrain_text(*terrain), multiplier_text(*multiplier));
        writeln!(text, "price {terrain} {multiplier}").expect(TAKES_ALL);
    }
}

/// Writes a `letter` line for each terrain used that has no letter of its own.
pub(crate) fn write_letters(used: impl Iterator<Item = Terrain>, text: &mut String) {
    let used = used.fold(0, |used, terrain| used | terrain.bit());
    let others = (Terrain::TREES.number() + 1..Terrain::COUNT).filter_map(Terrain::new);
    for terrain in others.filter(|terrain| used & terrain.bit() != 0) {
        let letter = Pen::ALL.letter(Some(terrain));
        writeln!(text, "letter {letter} {}", terrain.number()).expect(TAKES_ALL);
    }
}

/// Writes the cells of one height, each once.
fn write_floor(cells: &mut [(Cell, Terrain)], text: &mut String) {
    if let Some(rect) = worth_drawing(cells) {
        return write_drawing(cells, rect, text);
    }
    let block = |cell: &Cell| (cell.y >> BLOCK_SHIFT, cell.x >> BLOCK_SHIFT);
    cells.sort_unstable_by_key(|(cell, _)| (block(cell), cell.y, cell.x));
    for cells in cells.chunk_by(|a, b| block(&a.0) == block(&b.0)) {
        match worth_drawing(cells) {
            Some(rect) => write_drawing(cells, rect, text),
            None => {
                for (cell, terrain) in cells {
                    let (cell, terrain) = (cell_text(*cell), terrain_text(*terrain));
                    writeln!(text, "cell {cell} {terrain}").expect(TAKES_ALL);
                }
            }
        }
    }
}

/// The rectangle to draw, if the cells lie close enough together.
fn worth_drawing(cells: &[(Cell, Terrain)]) -> Option<Rect> {
    let columns = cells.iter().map(|(cell, _)| cell.column());
    let rect = columns.fold(Rect::EMPTY, Rect::including);
    let n_squares = u64::from(rect.width()) * u64::from(rect.height());
    let limit = (cells.len() as u64 * SQUARES_PER_CELL).min(Raster::MAX_CELLS);
    (cells.len() >= MIN_DRAWN && n_squares <= limit).then_some(rect)
}

fn write_drawing(cells: &[(Cell, Terrain)], rect: Rect, text: &mut String) {
    let Some(mut raster) = Raster::new(rect.width(), rect.height()) else {
        unreachable!("a rectangle worth drawing is below the limit")
    };
    let Column { x, y } = rect.low;
    for (cell, terrain) in cells {
        raster.set(cell.x - x, cell.y - y, Some(*terrain));
    }
    let z = cells.first().map_or(0, |(cell, _)| cell.z);
    writeln!(text, "layer {}", cell_text(rect.low.at(z))).expect(TAKES_ALL);
    Pen::ALL.write_rows(&raster, "|", text);
}
