//! Pictures as PNG files: checked for their size before anything is made, then read row by row.
//!
//! Sides have at most [`MAX_SIDE`] pixels, pictures [`MAX_PIXELS`] (interlaced ones, which must be
//! unpacked as a whole, [`MAX_INTERLACED_PIXELS`]). A picture without pixels is refused, and so is
//! one with more than the bytes of the file can possibly hold.

use std::cell::Cell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use png::{BitDepth, ColorType, DecodingError, Transformations};

/// Most pixels along one side.
pub const MAX_SIDE: u32 = 1 << 16;
/// Most pixels of a picture: 2^26, a square of 8192.
pub const MAX_PIXELS: u64 = 1 << 26;
/// Most pixels of an interlaced picture: 2^24, a square of 4096.
pub const MAX_INTERLACED_PIXELS: u64 = 1 << 24;
/// Most pixel bytes that one byte of a file can stand for: the packing's own limit.
const MAX_PACKING: u64 = 1032;
/// Most bytes that the decoder may take besides: palettes, color profiles, its window.
const DECODER_BYTES: usize = 16 << 20;

/// Why a PNG file was refused or could not be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The file does not begin as a PNG file does.
    #[error("byte {offset}: expected {expected}")]
    NoHeader {
        /// Where, from 0.
        offset: usize,
        /// What a PNG file has there.
        expected: &'static str,
    },
    /// The header claims a size that is beyond the limits, or no size at all.
    #[error(
        "byte 16: the picture has {width} x {height} pixels, the limit is {limit} and {MAX_SIDE} along a side, and it must have some"
    )]
    Size {
        /// Pixels from left to right.
        width: u32,
        /// Rows.
        height: u32,
        /// Most pixels of such a picture.
        limit: u64,
    },
    /// The header claims more pixels than the file can hold.
    #[error("byte 16: {width} x {height} pixels cannot be packed into {n_bytes} bytes")]
    Hollow {
        /// Pixels from left to right.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes of the file.
        n_bytes: usize,
    },
    /// The pixels are of a kind that means nothing here.
    #[error("byte 24: expected {expected}, found {found}")]
    Kind {
        /// What is read.
        expected: &'static str,
        /// What the header says.
        found: String,
    },
    /// The pixels cannot be unpacked.
    #[error("before byte {offset}: {message}")]
    Damaged {
        /// How far the file had been read, from 0.
        offset: usize,
        /// What the decoder says.
        message: String,
    },
    /// A height does not fit 16 bits.
    #[error("column ({x}, {y}): height {height} does not fit, expected 0 to 65535")]
    HeightRange {
        /// Column from the west, from 0.
        x: u32,
        /// Row from the north, from 0.
        y: u32,
        /// The height there.
        height: i32,
    },
}

/// What the header says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) width: u32,
    pub(crate) height: u32,
    is_interlaced: bool,
}

/// Reads the header by itself, before the decoder sees it, and checks the limits.
pub(crate) fn header(bytes: &[u8]) -> Result<Header, PngError> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    const END: usize = 33;
    let missing = |offset, expected| PngError::NoHeader { offset, expected };
    if !bytes.starts_with(SIGNATURE) {
        return Err(missing(0, "the eight bytes that begin every PNG file"));
    }
    let header = bytes
        .get(8..END)
        .ok_or(missing(bytes.len(), "a header of 25 bytes, the file ends"))?;
    if !header.starts_with(b"\0\0\0\x0dIHDR") {
        return Err(missing(8, "a header chunk of 13 bytes"));
    }
    let number = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|byte| header[at + byte]));
    let (width, height) = (number(8), number(12));
    let is_interlaced = header[20] != 0;
    let limit = if is_interlaced {
        MAX_INTERLACED_PIXELS
    } else {
        MAX_PIXELS
    };
    let n_pixels = u64::from(width) * u64::from(height);
    if n_pixels == 0 || n_pixels > limit || width.max(height) > MAX_SIDE {
        return Err(PngError::Size {
            width,
            height,
            limit,
        });
    }
    // Depth and kind of color; what they say wrong, the decoder will name.
    let n_samples = match header[17] {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let n_bits = u64::from(header[16].min(16)) * n_samples;
    if n_pixels * n_bits / 8 > bytes.len() as u64 * MAX_PACKING {
        return Err(PngError::Hollow {
            width,
            height,
            n_bytes: bytes.len(),
        });
    }
    Ok(Header {
        width,
        height,
        is_interlaced,
    })
}

/// Unpacks a picture and hands over its rows from the top, each with the kind of its pixels.
pub(crate) fn read_rows(
    bytes: &[u8],
    transformations: Transformations,
    mut row: impl FnMut(ColorType, BitDepth, &[u8]) -> Result<(), PngError>,
) -> Result<Header, PngError> {
    let header = header(bytes)?;
    let reached = Cell::new(0);
    let damaged = |error: DecodingError| PngError::Damaged {
        offset: reached.get(),
        message: error.to_string(),
    };
    let source = Source {
        bytes,
        next: 0,
        reached: &reached,
    };
    let limits = png::Limits {
        bytes: DECODER_BYTES,
    };
    let mut decoder = png::Decoder::new_with_limits(source, limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(transformations);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (color, depth) = reader.output_color_type();

    let mut n_rows = 0;
    if header.is_interlaced {
        let size = reader.output_buffer_size().unwrap_or(0);
        let mut pixels = vec![0; size];
        let frame = reader.next_frame(&mut pixels).map_err(damaged)?;
        for pixels in pixels.chunks_exact(frame.line_size.max(1)) {
            row(color, depth, pixels)?;
            n_rows += 1;
        }
    } else {
        while let Some(pixels) = reader.next_row().map_err(damaged)? {
            row(color, depth, pixels.data())?;
            n_rows += 1;
        }
    }
    if n_rows != header.height {
        return Err(PngError::Damaged {
            offset: reached.get(),
            message: format!("{n_rows} rows, the header says {}", header.height),
        });
    }
    reader.finish().map_err(damaged)?;
    Ok(header)
}

/// Packs a picture, its pixels row by row.
pub(crate) fn write_pixels(
    (width, height): (u32, u32),
    (color, depth): (ColorType, BitDepth),
    pixels: &[u8],
) -> Result<Vec<u8>, PngError> {
    if width == 0 || height == 0 {
        return Err(PngError::Size {
            width,
            height,
            limit: MAX_PIXELS,
        });
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(pixels));
    match written {
        Ok(()) => Ok(bytes),
        Err(error) => Err(PngError::Damaged {
            offset: bytes.len(),
            message: error.to_string(),
        }),
    }
}

/// The bytes of the file, and how far they have been read.
struct Source<'a> {
    bytes: &'a [u8],
    next: usize,
    reached: &'a Cell<usize>,
}

impl Source<'_> {
    fn advance(&mut self, to: usize) {
        self.next = to.min(self.bytes.len());
        self.reached.set(self.next);
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&self.bytes[self.next..]).read(buffer)?;
        self.advance(self.next + read);
        Ok(read)
    }
}

impl BufRead for Source<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.bytes[self.next..])
    }

    fn consume(&mut self, amount: usize) {
        self.advance(self.next.saturating_add(amount));
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut cursor = io::Cursor::new(self.bytes);
        cursor.set_position(self.next as u64);
        let position = cursor.seek(to)?;
        self.advance(usize::try_from(position).unwrap_or(usize::MAX));
        Ok(self.next as u64)
    }
}

#[cfg(test)]
pub(crate) mod tests;
