//! Heightmap files: gray PNG images and raw samples.

#[cfg(feature = "images")]
mod gray_png;
mod raw;

#[cfg(feature = "images")]
pub use gray_png::{read_png, write_png};
pub use raw::{RawError, RawLayout, RawLayoutError, Sample, read_raw, write_raw};

#[cfg(test)]
#[cfg(feature = "images")]
mod tests;
