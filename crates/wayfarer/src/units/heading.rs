//! Directions on the plane.

use super::Position;

/// A direction on the plane, as a vector; its length does not matter.
///
/// ```
/// use wayfarer::{Heading, Position};
///
/// let eye = Position::new(1.0, 1.0, 0.0);
/// let heading = Heading::toward(eye, Position::new(4.0, 5.0, 0.0));
/// assert_eq!(heading.unit(), [0.6, 0.8]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Heading {
    /// Along the first horizontal axis: x.
    pub x: f64,
    /// Along the second horizontal axis: y, or z if y is up.
    pub y: f64,
}

impl Heading {
    /// Along x.
    pub const EAST: Self = Self { x: 1.0, y: 0.0 };

    /// From one position toward another, with z up; see [`Heading::toward_y_up`].
    pub fn toward(from: Position, to: Position) -> Self {
        let ([ax, ay, _], [bx, by, _]) = (from.units(), to.units());
        Self {
            x: bx - ax,
            y: by - ay,
        }
    }

    /// From one position toward another, with y up.
    pub fn toward_y_up(from: Position, to: Position) -> Self {
        let ([ax, _, az], [bx, _, bz]) = (from.units(), to.units());
        Self {
            x: bx - ax,
            y: bz - az,
        }
    }

    /// The vector of length 1; (0, 0) for a vector without direction.
    pub fn unit(self) -> [f64; 2] {
        let largest = self.x.abs().max(self.y.abs());
        if !(largest > 0.0 && largest.is_finite()) {
            return [0.0, 0.0];
        }
        let (x, y) = (self.x / largest, self.y / largest);
        let length = (x * x + y * y).sqrt();
        [x / length, y / length]
    }
}
