//! Raw heights: nothing but samples, row by row, so that one must be told their layout.

use std::fmt;
use std::str::FromStr;

use wayfarer_base::Heightmap;

use crate::text::quoted;

/// How raw samples lie in a file, written as `403x344:i16le`: columns, rows, kind of sample.
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
    /// What each sample is.
    pub sample: Sample,
}

/// Kinds of raw samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// One byte, 0 to 255.
    U8,
    /// Two bytes, 0 to 65535, the low one first.
    U16Le,
    /// Two bytes, 0 to 65535, the high one first.
    U16Be,
    /// Two bytes, -32768 to 32767, the low one first.
    I16Le,
    /// Two bytes, -32768 to 32767, the high one first.
    I16Be,
}

impl Sample {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::U8, Self::U16Le, Self::U16Be, Self::I16Le, Self::I16Be];

    /// Its name in a layout.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16Le => "u16le",
            Self::U16Be => "u16be",
            Self::I16Le => "i16le",
            Self::I16Be => "i16be",
        }
    }

    /// Bytes of one sample.
    pub const fn n_bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16Le | Self::U16Be | Self::I16Le | Self::I16Be => 2,
        }
    }

    /// The height that the bytes of one sample stand for.
    fn read(self, bytes: &[u8]) -> i32 {
        match (self, bytes) {
            (Self::U16Le, &[a, b]) => u16::from_le_bytes([a, b]).into(),
            (Self::U16Be, &[a, b]) => u16::from_be_bytes([a, b]).into(),
            (Self::I16Le, &[a, b]) => i16::from_le_bytes([a, b]).into(),
            (Self::I16Be, &[a, b]) => i16::from_be_bytes([a, b]).into(),
            (_, bytes) => bytes.first().map_or(0, |&byte| byte.into()),
        }
    }

    /// Appends the bytes of one sample; false if the height does not fit.
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

/// Why a layout was not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "column {column}: expected {expected} as in 403x344:i16le (also u16le, i16be, u16be, u8), \
     found {found}"
)]
pub struct RawLayoutError {
    /// Where, from 1.
    pub column: usize,
    /// What a layout has there.
    pub expected: &'static str,
    /// What stands there, in quotes.
    pub found: String,
}

impl FromStr for RawLayout {
    type Err = RawLayoutError;

    fn from_str(text: &str) -> Result<Self, RawLayoutError> {
        let wrong = |part: &str, start: usize, expected| RawLayoutError {
            column: start + 1,
            expected,
            found: quoted(part.as_bytes()),
        };
        let (size, sample) = text
            .split_once(':')
            .ok_or_else(|| wrong(text, 0, "a size, `:` and a kind of sample"))?;
        let (width, height) = size
            .split_once('x')
            .ok_or_else(|| wrong(size, 0, "columns, `x` and rows"))?;
        let number = |part: &str, start| {
            (part.parse().ok())
                .filter(|&number: &u32| number > 0)
                .ok_or_else(|| wrong(part, start, "a whole number from 1 to 4294967295"))
        };
        let kind = Sample::ALL.into_iter().find(|kind| kind.name() == sample);
        Ok(Self {
            width: number(width, 0)?,
            height: number(height, width.len() + 1)?,
            sample: kind.ok_or_else(|| wrong(sample, size.len() + 1, "a kind of sample"))?,
        })
    }
}

impl fmt::Display for RawLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}:{}", self.width, self.height, self.sample.name())
    }
}

/// Why raw samples were refused or could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RawError {
    /// The layout and the file do not agree.
    #[error("the file has {found} bytes, the layout {layout} wants {expected}")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that the layout wants.
        expected: u64,
        /// The layout.
        layout: RawLayout,
    },
    /// More columns than a heightmap may have.
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
    /// A height does not fit the samples.
    #[error("byte {offset}: height {height} does not fit {}", sample.name())]
    HeightRange {
        /// Where it would have been written, from 0.
        offset: usize,
        /// The height.
        height: i32,
        /// The kind of sample.
        sample: Sample,
    },
}

/// Reads raw samples; the file must have exactly the bytes that the layout wants.
///
/// # Errors
/// A layout that does not fit the file, or more than [`Heightmap::MAX_COLUMNS`]; both before
/// anything is made.
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

/// Writes heights as raw samples; reading with the same layout gives the same heights back.
///
/// # Errors
/// A height that does not fit the samples.
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
