//! Maps drawn as pictures (PNG): light is ground, dark is nothing, three colors are terrain.
//!
//! | pixel | means |
//! |---|---|
//! | exactly [`SWAMP`], [`WATER`] or [`TREES`] | that terrain |
//! | exactly (224, 192, n) with n from 4 to 63 | terrain number n |
//! | more transparent than not (alpha below 128) | nothing |
//! | any other with a lightness of at least 128 | ground |
//! | any other | nothing |
//!
//! Lightness is (299 red + 587 green + 114 blue) / 1000. Grey, color and palette pictures of any
//! depth are read, with or without transparency, interlaced or not.

use png::{BitDepth, ColorType, Transformations};
use wayfarer_base::{Raster, Terrain};

use crate::letters::NOTHING;
use crate::picture::{PngError, read_rows, write_pixels};

/// Red, green and blue of swamp.
pub const SWAMP: [u8; 3] = [122, 140, 60];
/// Red, green and blue of water.
pub const WATER: [u8; 3] = [64, 120, 200];
/// Red, green and blue of trees.
pub const TREES: [u8; 3] = [32, 96, 48];
/// Red and green of the terrains without a name; blue is their number.
const OTHER: [u8; 2] = [224, 192];
const GROUND: [u8; 3] = [255; 3];
const EMPTY: [u8; 3] = [0; 3];

/// Reads a PNG file as a flat map, a cell for each pixel.
///
/// # Errors
/// Where the file is damaged, or a size beyond the limits of [`crate::picture`], which are checked
/// before anything is made.
pub fn read(bytes: &[u8]) -> Result<Raster, PngError> {
    let mut cells = Vec::new();
    let plain = Transformations::EXPAND | Transformations::STRIP_16;
    let header = read_rows(bytes, plain, |color, _, row| {
        let n_samples = color.samples();
        cells.extend(row.chunks_exact(n_samples).map(|pixel| match *pixel {
            [grey] => cell_of([grey; 3], u8::MAX),
            [grey, alpha] => cell_of([grey; 3], alpha),
            [red, green, blue] => cell_of([red, green, blue], u8::MAX),
            [red, green, blue, alpha] => cell_of([red, green, blue], alpha),
            _ => NOTHING,
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

fn cell_of(pixel: [u8; 3], alpha: u8) -> u8 {
    const HALF: u8 = 128;
    let [red, green, blue] = pixel;
    let light = (u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114) / 1000;
    if alpha < HALF {
        return NOTHING;
    }
    match pixel {
        SWAMP => Terrain::SWAMP.number(),
        WATER => Terrain::WATER.number(),
        TREES => Terrain::TREES.number(),
        [red, green, number @ 4..64] if [red, green] == OTHER => number,
        _ if light >= u32::from(HALF) => Terrain::GROUND.number(),
        _ => NOTHING,
    }
}

fn pixel_of(terrain: Option<Terrain>) -> [u8; 3] {
    match terrain {
        None => EMPTY,
        Some(Terrain::GROUND) => GROUND,
        Some(Terrain::SWAMP) => SWAMP,
        Some(Terrain::WATER) => WATER,
        Some(Terrain::TREES) => TREES,
        Some(other) => [OTHER[0], OTHER[1], other.number()],
    }
}

/// Writes a flat map as a PNG file, a pixel for each cell: grey if there is only ground and
/// nothing, else in color. Reading gives the same map back.
///
/// # Errors
/// A map without cells: PNG has no picture without pixels.
pub fn write(map: &Raster) -> Result<Vec<u8>, PngError> {
    let size = (map.width(), map.height());
    let cells = map.bytes().iter().map(|&cell| Terrain::new(cell));
    let is_uniform = |terrain: Option<Terrain>| terrain.is_none_or(|t| t == Terrain::GROUND);
    if cells.clone().all(is_uniform) {
        let pixels: Vec<u8> = cells.map(|terrain| pixel_of(terrain)[0]).collect();
        return write_pixels(size, (ColorType::Grayscale, BitDepth::Eight), &pixels);
    }
    let pixels: Vec<u8> = cells.flat_map(pixel_of).collect();
    write_pixels(size, (ColorType::Rgb, BitDepth::Eight), &pixels)
}

#[cfg(test)]
mod tests;
