//! Axis conversion and scaling shared by the mesh formats.
//!
//! Mesh files have right-handed axes; wayfarer's are left-handed (x east, y south, z up). The
//! conversion includes a reflection, so that the mesh keeps its appearance:
//!
//! | up axis of the file | east | south | up |
//! |---|---|---|---|
//! | [`Up::Y`] (glTF by its rules, OBJ by custom): x right, y up, z towards the viewer | x | z | y |
//! | [`Up::Z`] (modelling programs): x right, y away, z up | x | -y | z |
//!
//! Files wind triangles counter-clockwise seen from the front. Readers swap two vertices of each
//! triangle, so that the cross product of its first two edges in wayfarer's axes is still the
//! outward normal: that of a floor points up. Writers apply the inverse.

use std::fmt;
use std::str::FromStr;

/// The up axis of a mesh file, written as `y` or `z`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Up {
    /// The second axis: x is east, z is south.
    #[default]
    Y,
    /// The third axis: x is east, y is north.
    Z,
}

impl Up {
    /// Converts between the axes of the file and those of wayfarer; an involution.
    pub(crate) fn convert(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Y => [x, z, y],
            // `0.0 - y` maps 0 to 0, not to -0.
            Self::Z => [x, 0.0 - y, z],
        }
    }
}

/// An invalid axis name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected y or z as the axis that points up, found {found}")]
pub struct UpError {
    /// The text found, in quotes.
    pub found: String,
}

impl FromStr for Up {
    type Err = UpError;

    fn from_str(text: &str) -> Result<Self, UpError> {
        match text {
            "y" | "Y" => Ok(Self::Y),
            "z" | "Z" => Ok(Self::Z),
            _ => Err(UpError {
                found: crate::text::quoted(text.as_bytes()),
            }),
        }
    }
}

impl fmt::Display for Up {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Y => "y",
            Self::Z => "z",
        })
    }
}

/// Up axis and scale of a mesh file.
///
/// ```
/// use wayfarer_formats::mesh::{MeshOptions, Up};
/// assert!(MeshOptions::new(Up::Z, 0.01).is_some()); // centimeters
/// assert_eq!(MeshOptions::new(Up::Y, 0.0), None);
/// assert_eq!(MeshOptions::new(Up::Y, 1.0), Some(MeshOptions::default()));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshOptions {
    up: Up,
    scale: f64,
}

impl MeshOptions {
    /// Axis `up` points up, every coordinate is multiplied by `scale`; `None` unless `scale` is
    /// positive and finite.
    pub fn new(up: Up, scale: f64) -> Option<Self> {
        (scale > 0.0 && scale.is_finite()).then_some(Self { up, scale })
    }

    /// The vertex in wayfarer's axes and units; `None` if not finite.
    pub(crate) fn convert(&self, vertex: [f64; 3]) -> Option<[f64; 3]> {
        let vertex = self.up.convert(vertex).map(|at| at * self.scale);
        vertex.iter().all(|at| at.is_finite()).then_some(vertex)
    }
}

impl Default for MeshOptions {
    /// Y up, scale 1.
    fn default() -> Self {
        Self {
            up: Up::Y,
            scale: 1.0,
        }
    }
}

/// The triangle with the opposite winding.
pub(crate) const fn flipped([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

#[cfg(test)]
pub(crate) mod tests;
