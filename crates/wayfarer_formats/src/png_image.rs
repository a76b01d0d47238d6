//! PNG decoding with size limits checked before allocation; rows are streamed.
//!
//! Limits: [`MAX_SIDE`] pixels per side, [`MAX_PIXELS`] in total ([`MAX_INTERLACED_PIXELS`] if
//! interlaced, which needs the whole image in memory). Images without pixels are rejected, and
//! images with more pixels than deflate can encode in the bytes of the file.

use std::cell::Cell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use png::{BitDepth, ColorType, DecodingError, Transformations};

/// Maximum pixels per side.
pub const MAX_SIDE: u32 = 1 << 16;
/// Maximum pixels of an image: 2^26, 8192 x 8192.
pub const MAX_PIXELS: u64 = 1 << 26;
/// Maximum pixels of an interlaced image: 2^24, 4096 x 4096.
pub const MAX_INTERLACED_PIXELS: u64 = 1 << 24;
/// Maximum compression ratio of deflate.
const MAX_COMPRESSION: u64 = 1032;
/// Maximum bytes that the decoder may allocate for palettes, color profiles and its window.
const MAX_DECODER_BYTES: usize = 16 << 20;

/// A PNG file that cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The PNG signature or header is missing.
    #[error("byte {offset}: expected {expected}")]
    NoHeader {
        /// Byte offset.
        offset: usize,
        /// What the format requires.
        expected: &'static str,
    },
    /// The image has no pixels or exceeds a limit.
    #[error(
        "byte 16: the image has {width} x {height} pixels, expected 1 to {limit}, at most {MAX_SIDE} per side"
    )]
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Maximum pixels of such an image.
        limit: u64,
    },
    /// The header states more pixels than the file can contain.
    #[error("byte 16: {width} x {height} pixels cannot be encoded in {n_bytes} bytes")]
    TooFewBytes {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Bytes of the file.
        n_bytes: usize,
    },
    /// Unsupported pixel format.
    #[error("byte 24: expected {expected}, found {found}")]
    PixelFormat {
        /// The supported formats.
        expected: &'static str,
        /// The format of the file.
        found: String,
    },
    /// The image data cannot be decoded.
    #[error("before byte {offset}: {message}")]
    Damaged {
        /// Byte offset offset by the decoder.
        offset: usize,
        /// The error text of the decoder.
        message: String,
    },
    /// A height out of the range of 16 bits.
    #[error("column ({x}, {y}): height {height} does not fit, expected 0 to 65535")]
    HeightRange {
        /// Column, from 0.
        x: u32,
        /// Row, from 0.
        y: u32,
        /// The height.
        height: i32,
    },
}

/// The PNG header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) width: u32,
    pub(crate) height: u32,
    is_interlaced: bool,
}

/// Reads the header without the decoder and checks the limits.
pub(crate) fn header(bytes: &[u8]) -> Result<Header, PngError> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    const END: usize = 33;
    let missing = |offset, expected| PngError::NoHeader { offset, expected };
    if !bytes.starts_with(SIGNATURE) {
        return Err(missing(0, "the PNG signature"));
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
    // Invalid depth and color type are left to the decoder.
    let n_samples = match header[17] {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let n_bits = u64::from(header[16].min(16)) * n_samples;
    if n_pixels * n_bits / 8 > bytes.len() as u64 * MAX_COMPRESSION {
        return Err(PngError::TooFewBytes {
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

/// Decodes an image and passes its rows, from the top, to `row`.
pub(crate) fn read_rows(
    bytes: &[u8],
    transformations: Transformations,
    mut row: impl FnMut(ColorType, BitDepth, &[u8]) -> Result<(), PngError>,
) -> Result<Header, PngError> {
    let header = header(bytes)?;
    let offset = Cell::new(0);
    let damaged = |error: DecodingError| PngError::Damaged {
        offset: offset.get(),
        message: error.to_string(),
    };
    let source = TrackingReader {
        bytes,
        next: 0,
        offset: &offset,
    };
    let limits = png::Limits {
        bytes: MAX_DECODER_BYTES,
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
            offset: offset.get(),
            message: format!("{n_rows} rows, the header says {}", header.height),
        });
    }
    reader.finish().map_err(damaged)?;
    Ok(header)
}

/// Encodes an image from row-major pixels.
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

/// A reader over the file that publishes its offset.
struct TrackingReader<'a> {
    bytes: &'a [u8],
    next: usize,
    offset: &'a Cell<usize>,
}

impl TrackingReader<'_> {
    fn set_position(&mut self, to: usize) {
        self.next = to.min(self.bytes.len());
        self.offset.set(self.next);
    }
}

impl Read for TrackingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&self.bytes[self.next..]).read(buffer)?;
        self.set_position(self.next + read);
        Ok(read)
    }
}

impl BufRead for TrackingReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.bytes[self.next..])
    }

    fn consume(&mut self, amount: usize) {
        self.set_position(self.next.saturating_add(amount));
    }
}

impl Seek for TrackingReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut cursor = io::Cursor::new(self.bytes);
        cursor.set_position(self.next as u64);
        let position = cursor.seek(to)?;
        self.set_position(usize::try_from(position).unwrap_or(usize::MAX));
        Ok(self.next as u64)
    }
}

#[cfg(test)]
pub(crate) mod tests;
