//! Distances between positions, and steps from one toward another.

use super::Position;

impl Position {
    /// The distance to another position in a straight line, in units; NaN if a coordinate is not
    /// finite.
    ///
    /// ```
    /// use wayfarer_engine::Position;
    ///
    /// let (a, b) = (Position::new(1.0, 1.0, 0.0), Position::new(4.0, 5.0, 0.0));
    /// assert_eq!(a.distance(b), 5.0);
    /// ```
    #[inline]
    pub fn distance(self, to: Self) -> f64 {
        let [x, y, z] = self.offset(to);
        (x * x + y * y + z * z).sqrt()
    }

    /// The position `length` units from here on the line to another one, or that one if it is not
    /// farther: how an agent moves in a tick. A length that is negative or no number counts as 0.
    ///
    /// ```
    /// use wayfarer_engine::Position;
    ///
    /// let (a, b) = (Position::new(1.0, 1.0, 0.0), Position::new(4.0, 5.0, 0.0));
    /// assert_eq!(a.toward(b, 2.5), Position::new(2.5, 3.0, 0.0));
    /// assert_eq!(a.toward(b, 9.0), b);
    /// ```
    #[inline]
    #[must_use]
    pub fn toward(self, to: Self, length: f64) -> Self {
        let distance = self.distance(to);
        if length >= distance {
            return to;
        }
        let share = length.max(0.0) / distance;
        if !share.is_finite() {
            return self;
        }
        let ([x, y, z], [dx, dy, dz]) = (self.units(), self.offset(to));
        Self::new(x + dx * share, y + dy * share, z + dz * share)
    }

    #[inline]
    fn offset(self, to: Self) -> [f64; 3] {
        let (a, b) = (self.units(), to.units());
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
    }
}

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn bad_numbers_move_nothing() {
        let (a, b) = (Position::new(1.0, 2.0, 3.0), Position::new(4.0, 2.0, 3.0));
        assert_eq!(a.toward(b, f64::NAN), a);
        assert_eq!(a.toward(b, -1.0), a);
        assert_eq!(a.toward(a, 0.0), a);
        let nowhere = Position::new(f64::NAN, 0.0, 0.0);
        assert_eq!(a.toward(nowhere, 1.0), a);
        assert!(a.distance(nowhere).is_nan());
    }
}
