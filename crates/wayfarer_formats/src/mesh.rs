//! What mesh files have in common: which way is up in them, and how large they are.
//!
//! Mesh files have right-handed axes; ours are x east, y south, z up, which is left-handed. So
//! turning a mesh to our axes takes a mirror, and what one sees stays as it was:
//!
//! | up axis of the file | east | south | up |
//! |---|---|---|---|
//! | [`Up::Y`] (glTF by its rules, OBJ by custom): x right, y up, z towards the viewer | x | z | y |
//! | [`Up::Z`] (modelling programs): x right, y away, z up | x | -y | z |
//!
//! Triangles run counter-clockwise in the files, seen from their front. Two corners of each are
//! exchanged, so that the cross product of its first two edges, taken in our axes, still points
//! out of the front: a floor's points up. Writers do the same backwards.

use std::fmt;
use std::str::FromStr;

/// Which axis points up in a mesh file, written as `y` or `z`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Up {
    /// The second: x is east, z is south.
    #[default]
    Y,
    /// The third: x is east, y is north.
    Z,
}

impl Up {
    /// From the file's axes to ours, or back: the same swap does both.
    pub(crate) fn turn(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Y => [x, z, y],
            // 0 stays 0, not -0.
            Self::Z => [x, 0.0 - y, z],
        }
    }
}

/// Why the name of an axis was not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected y or z as the axis that points up, found {found}")]
pub struct UpError {
    /// What stands there, in quotes.
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

/// How to take a mesh file.
///
/// ```
/// use wayfarer_formats::mesh::{MeshOptions, Up};
/// let centimetres = MeshOptions::new(Up::Z, 0.01).unwrap();
/// assert_eq!(centimetres.up(), Up::Z);
/// assert_eq!(MeshOptions::new(Up::Y, 0.0), None);
/// assert_eq!(MeshOptions::new(Up::Y, 1.0), Some(MeshOptions::default()));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshOptions {
    up: Up,
    scale: f64,
}

impl MeshOptions {
    /// Turned so that `up` is up, and every coordinate multiplied by `scale`; `None` unless that
    /// is above 0 and finite.
    pub fn new(up: Up, scale: f64) -> Option<Self> {
        (scale > 0.0 && scale.is_finite()).then_some(Self { up, scale })
    }

    /// Which axis of the file points up.
    pub const fn up(&self) -> Up {
        self.up
    }

    /// A corner in our axes and units; `None` if it is not finite.
    pub(crate) fn corner(&self, corner: [f64; 3]) -> Option<[f64; 3]> {
        let corner = self.up.turn(corner).map(|at| at * self.scale);
        corner.iter().all(|at| at.is_finite()).then_some(corner)
    }
}

impl Default for MeshOptions {
    /// Y is up, coordinates as they are.
    fn default() -> Self {
        Self {
            up: Up::Y,
            scale: 1.0,
        }
    }
}

/// A triangle with its other side in front.
pub(crate) const fn flipped([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

#[cfg(test)]
pub(crate) mod tests;
