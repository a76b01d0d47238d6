//! Raw heightmaps: row-major samples without a header; the caller states the layout.

use std::fmt;
use std::str::FromStr;

use wayfarer_base::Heightmap;

use crate::text::quoted;

/// The layout of a raw file, written as `403x344:i16le`: columns, rows, sample type.
///
/// ```
/// use wayfarer_formats::heightmap::{RawLayout, Sample, read_raw};
/// let layout: RawLayout = "2x1:i16le".parse()?;
/// assert_eq!(layout, RawLayout { width: 2, height: 1, sample: Sample::I16Le });
/// let map = read_raw(&[0xff, 0xff, 0x00, 0x01], &layout).unwrap();
/// assert_eq!(map.heights(), [-1, 256]);
/// # Ok::<(), wayfarer_formats::heightmap::RawLayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawLayout {
    /// Columns from west to east.
    pub width: u32,
    /// Rows from north to south.
    pub height: u32,
    /// Sample type.
    pub sample: Sample,
}

/// The type of a raw sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// One byte, 0 to 255.
    U8,
    /// Two bytes, little-endian, 0 to 65535.
    U16Le,
    /// Two bytes, big-endian, 0 to 65535.
    U16Be,
    /// Two bytes, little-endian, -32768 to 32767.
    I16Le,
    /// Two bytes, big-endian, -32768 to 32767.
    I16Be,
}

impl Sample {
    /// All types.
    pub const ALL: [Self; 5] = [Self::U8, Self::U16Le, Self::U16Be, Self::I16Le, Self::I16Be];

    /// The name in a layout.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16Le => "u16le",
            Self::U16Be => "u16be",
            Self::I16Le => "i16le",
            Self::I16Be => "i16be",
        }
    }

    /// Bytes per sample.
    pub const fn n_bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16Le | Self::U16Be | Self::I16Le | Self::I16Be => 2,
        }
    }

    /// Decodes one sample.
    fn read(self, bytes: &[u8]) -> i32 {
        match (self, bytes) {
            (Self::U16Le, &[a, b]) => u16::from_le_bytes([a, b]).into(),
            (Self::U16Be, &[a, b]) => u16::from_be_bytes([a, b]).into(),
            (Self::I16Le, &[a, b]) => i16::from_le_bytes([a, b]).into(),
            (Self::I16Be, &[a, b]) => i16::from_be_bytes([a, b]).into(),
            (_, bytes) => bytes.first().map_or(0, |&byte| byte.into()),
        }
    }

    /// Encodes one sample; false, without effect, if the height is out of range.
    fn write(self, height: i32, bytes: &mut Vec<u8>) -> bool {
        let pair = match self {
            Self::U8 => {
                bytes.extend(u8::try_from(height));
                return u8::try_from(height).is_ok();
            }
            Self::U16Le => u16::try_from(height).map(u16::to_le_bytes),
            Self::U16Be => u16::try_from(height).map(u16::to_be_bytes),
            Self::I16Le => i16::try_from(height).map(i16::to_le_bytes),
            Self::I16Be => i16::try_from(height).map(i16::to_be_bytes),
        };
        bytes.extend(pair.iter().flatten());
        pair.is_ok()
    }
}

/// An invalid layout text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "column {column}: expected {expected} as in 403x344:i16le (also u16le, i16be, u16be, u8), \
     found {found}"
)]
pub struct RawLayoutError {
    /// Column, from 1.
    pub column: usize,
    /// The expected part of a layout.
    pub expected: &'static str,
    /// The text found, in quotes.
    pub found: String,
}

impl FromStr for RawLayout {
    type Err = RawLayoutError;

    fn from_str(text: &str) -> Result<Self, RawLayoutError> {
        let unexpected = |part: &str, start: usize, expected| RawLayoutError {
            column: start + 1,
            expected,
            found: quoted(part.as_bytes()),
        };
        let (size, sample) = text
            .split_once(':')
            .ok_or_else(|| unexpected(text, 0, "a size, `:` and a sample type"))?;
        let (width, height) = size
            .split_once('x')
            .ok_or_else(|| unexpected(size, 0, "columns, `x` and rows"))?;
        let number = |part: &str, start| {
            (part.parse().ok())
                .filter(|&number: &u32| number > 0)
                .ok_or_else(|| unexpected(part, start, "a whole number from 1 to 4294967295"))
        };
        let sample_type = Sample::ALL.into_iter().find(|one| one.name() == sample);
        Ok(Self {
            width: number(width, 0)?,
            height: number(height, width.len() + 1)?,
            sample: sample_type
                .ok_or_else(|| unexpected(sample, size.len() + 1, "a sample type"))?,
        })
    }
}

impl fmt::Display for RawLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}:{}", self.width, self.height, self.sample.name())
    }
}

/// Raw samples that cannot be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RawError {
    /// The file length does not match the layout.
    #[error("the file has {found} bytes, the layout {layout} requires {expected}")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes of the layout.
        expected: u64,
        /// The layout.
        layout: RawLayout,
    },
    /// More columns than [`Heightmap::MAX_COLUMNS`].
    #[error(
        "the layout {layout} has {found} columns, the limit is {}",
        Heightmap::MAX_COLUMNS
    )]
    TooLarge {
        /// Columns of the layout.
        found: u64,
        /// The layout.
        layout: RawLayout,
    },
    /// A height is out of range of the sample type.
    #[error("byte {offset}: height {height} does not fit {}", sample.name())]
    HeightRange {
        /// Offset of the sample, from 0.
        offset: usize,
        /// The height.
        height: i32,
        /// The sample type.
        sample: Sample,
    },
}

/// Reads raw samples; the length of the file must match the layout exactly.
///
/// # Errors
/// A length that does not match, or more than [`Heightmap::MAX_COLUMNS`]; both are checked before
/// allocation.
pub fn read_raw(bytes: &[u8], layout: &RawLayout) -> Result<Heightmap, RawError> {
    let layout = *layout;
    let n_columns = u64::from(layout.width) * u64::from(layout.height);
    let too_large = RawError::TooLarge {
        found: n_columns,
        layout,
    };
    if n_columns > Heightmap::MAX_COLUMNS {
        return Err(too_large);
    }
    let expected = n_columns * layout.sample.n_bytes() as u64;
    if bytes.len() as u64 != expected {
        return Err(RawError::Length {
            found: bytes.len(),
            expected,
            layout,
        });
    }
    let samples = bytes.chunks_exact(layout.sample.n_bytes());
    let heights = samples.map(|sample| layout.sample.read(sample)).collect();
    Heightmap::new(layout.width, layout.height, heights).ok_or(too_large)
}

/// Writes raw samples; with the same layout they read back unchanged.
///
/// # Errors
/// A height out of range of the sample type.
pub fn write_raw(map: &Heightmap, sample: Sample) -> Result<Vec<u8>, RawError> {
    let mut bytes = Vec::with_capacity(map.heights().len() * sample.n_bytes());
    for &height in map.heights() {
        if !sample.write(height, &mut bytes) {
            return Err(RawError::HeightRange {
                offset: bytes.len(),
                height,
                sample,
            });
        }
    }
    Ok(bytes)
}
