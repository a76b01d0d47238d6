//! Flat maps as PNG images, one pixel per cell: light is ground, dark is empty, some colors are
//! terrains.
//!
//! | pixel | cell |
//! |---|---|
//! | exactly [`SWAMP`], [`WATER`] or [`TREES`] | that terrain |
//! | exactly (224, 192, n) with n from 4 to 63 | terrain number n |
//! | alpha below 128 | empty |
//! | any other with luma of at least 128 | ground |
//! | any other | empty |
//!
//! Luma is (299 red + 587 green + 114 blue) / 1000. Gray, color and palette images of any depth are
//! read, with or without transparency, interlaced or not.

use png::{BitDepth, ColorType, Transformations};
use wayfarer_base::{Raster, Terrain};

use crate::letters;
use crate::png_image::{PngError, read_rows, write_pixels};

/// RGB of swamp.
pub const SWAMP: [u8; 3] = [122, 140, 60];
/// RGB of water.
pub const WATER: [u8; 3] = [64, 120, 200];
/// RGB of trees.
pub const TREES: [u8; 3] = [32, 96, 48];
/// Red and green of the unnamed terrains; blue is the terrain number.
const OTHER: [u8; 2] = [224, 192];
const GROUND: [u8; 3] = [255; 3];
const EMPTY: [u8; 3] = [0; 3];

/// Reads a PNG file as a flat map.
///
/// # Errors
/// A damaged file, or a size above the limits of [`crate::png_image`], which are checked before
/// allocation.
pub fn read(bytes: &[u8]) -> Result<Raster, PngError> {
    let mut cells = Vec::new();
    let to_8_bits = Transformations::EXPAND | Transformations::STRIP_16;
    let header = read_rows(bytes, to_8_bits, |color, _, row| {
        let n_samples = color.samples();
        cells.extend(row.chunks_exact(n_samples).map(|pixel| match *pixel {
            [gray] => cell_from_pixel([gray; 3], u8::MAX),
            [gray, alpha] => cell_from_pixel([gray; 3], alpha),
            [red, green, blue] => cell_from_pixel([red, green, blue], u8::MAX),
            [red, green, blue, alpha] => cell_from_pixel([red, green, blue], alpha),
            _ => letters::EMPTY,
        }));
        Ok(())
    })?;
    cells.shrink_to_fit();
    let n_cells = cells.len();
    Raster::from_bytes(header.width, header.height, cells).ok_or_else(|| PngError::Damaged {
        offset: bytes.len(),
        message: format!("{n_cells} pixels, the header says otherwise"),
    })
}

fn cell_from_pixel(pixel: [u8; 3], alpha: u8) -> u8 {
    const HALF: u8 = 128;
    let [red, green, blue] = pixel;
    let luma = (u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114) / 1000;
    if alpha < HALF {
        return letters::EMPTY;
    }
    match pixel {
        SWAMP => Terrain::SWAMP.number(),
        WATER => Terrain::WATER.number(),
        TREES => Terrain::TREES.number(),
        [red, green, number @ 4..64] if [red, green] == OTHER => number,
        _ if luma >= u32::from(HALF) => Terrain::GROUND.number(),
        _ => letters::EMPTY,
    }
}

fn terrain_pixel(terrain: Option<Terrain>) -> [u8; 3] {
    match terrain {
        None => EMPTY,
        Some(Terrain::GROUND) => GROUND,
        Some(Terrain::SWAMP) => SWAMP,
        Some(Terrain::WATER) => WATER,
        Some(Terrain::TREES) => TREES,
        Some(other) => [OTHER[0], OTHER[1], other.number()],
    }
}

/// Writes a flat map as a PNG file: gray if it has only ground and empty cells, else RGB. It reads
/// back unchanged.
///
/// # Errors
/// A map without cells, which PNG cannot represent.
pub fn write(map: &Raster) -> Result<Vec<u8>, PngError> {
    let size = (map.width(), map.height());
    let cells = map.bytes().iter().map(|&cell| Terrain::new(cell));
    let is_gray = |terrain: Option<Terrain>| terrain.is_none_or(|t| t == Terrain::GROUND);
    if cells.clone().all(is_gray) {
        let pixels: Vec<u8> = cells.map(|terrain| terrain_pixel(terrain)[0]).collect();
        return write_pixels(size, (ColorType::Grayscale, BitDepth::Eight), &pixels);
    }
    let pixels: Vec<u8> = cells.flat_map(terrain_pixel).collect();
    write_pixels(size, (ColorType::Rgb, BitDepth::Eight), &pixels)
}

#[cfg(test)]
mod tests;
