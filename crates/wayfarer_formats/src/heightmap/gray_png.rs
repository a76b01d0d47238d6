//! Heightmaps as gray PNG images of 8 or 16 bits.

use png::{BitDepth, ColorType, Transformations};
use wayfarer_base::Heightmap;

use crate::png_image::{PngError, read_rows, write_pixels};

/// Reads a gray PNG file: heights 0 to 65535 (16 bits) or 0 to 255 (8 bits).
///
/// # Errors
/// Another pixel format, a damaged file, or a size above the limits of [`crate::png_image`], which
/// are checked before allocation.
pub fn read_png(bytes: &[u8]) -> Result<Heightmap, PngError> {
    let mut heights = Vec::new();
    let header = read_rows(bytes, Transformations::IDENTITY, |color, depth, row| {
        match (color, depth) {
            (ColorType::Grayscale, BitDepth::Sixteen) => heights.extend(
                row.chunks_exact(2)
                    .map(|sample| i32::from(u16::from_be_bytes([sample[0], sample[1]]))),
            ),
            (ColorType::Grayscale, BitDepth::Eight) => {
                heights.extend(row.iter().map(|&sample| i32::from(sample)));
            }
            _ => {
                return Err(PngError::PixelFormat {
                    expected: "a gray image of 16 or 8 bits without transparency",
                    found: format!("{color:?} of {} bits", depth as u8),
                });
            }
        }
        Ok(())
    })?;
    heights.shrink_to_fit();
    let n_heights = heights.len();
    Heightmap::new(header.width, header.height, heights).ok_or_else(|| PngError::Damaged {
        offset: bytes.len(),
        message: format!("{n_heights} samples, the header says otherwise"),
    })
}

/// Writes a gray PNG file of 16 bits; it reads back unchanged.
///
/// # Errors
/// A height below 0 or above 65535, or a map without columns.
pub fn write_png(map: &Heightmap) -> Result<Vec<u8>, PngError> {
    let mut pixels = Vec::with_capacity(map.heights().len() * 2);
    for (index, &height) in (0_u64..).zip(map.heights()) {
        let sample = u16::try_from(height).map_err(|_beyond| {
            let width = u64::from(map.width().max(1));
            let clamped = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
            PngError::HeightRange {
                x: clamped(index % width),
                y: clamped(index / width),
                height,
            }
        })?;
        pixels.extend(sample.to_be_bytes());
    }
    let size = (map.width(), map.height());
    write_pixels(size, (ColorType::Grayscale, BitDepth::Sixteen), &pixels)
}
