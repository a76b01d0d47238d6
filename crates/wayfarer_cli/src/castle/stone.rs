//! What is solid in the castle, cube by cube: counted by the game itself, so that it checks the world.

use wayfarer::Position;

use super::site::{Block, DEPTH, TOP, WIDTH};

/// A cube is a unit wide.
#[derive(Clone, Debug)]
pub(crate) struct Stone(Vec<bool>);

impl Default for Stone {
    fn default() -> Self {
        let n_cubes = WIDTH * DEPTH * TOP;
        Self(vec![false; n_cubes.unsigned_abs() as usize])
    }
}

impl Stone {
    /// The index of a cube of the air.
    fn index([x, y, z]: [i32; 3]) -> Option<usize> {
        let is_inside = |at: i32, end: i32| (0..end).contains(&at);
        if !(is_inside(x, WIDTH) && is_inside(y, DEPTH) && is_inside(z, TOP)) {
            return None;
        }
        usize::try_from((z * DEPTH + y) * WIDTH + x).ok()
    }

    /// Makes the cubes of a box solid or free.
    pub(crate) fn set(&mut self, block: &Block, is_solid: bool) {
        for at in cubes(block.low, block.high) {
            if let Some(index) = Self::index(at) {
                self.0[index] = is_solid;
            }
        }
    }

    pub(crate) fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        Self::index([x, y, z]).is_some_and(|index| self.0[index])
    }

    /// The highest solid cube of a column.
    pub(crate) fn top(&self, x: i32, y: i32) -> Option<i32> {
        (0..TOP).rev().find(|z| self.is_solid(x, y, *z))
    }

    /// True if a body overlaps stone: all points within `radius` on the plane of a piece of height
    /// `tall` that begins at its position, within `radius` of its ends too if it is a `ball`.
    pub(crate) fn overlaps(&self, at: Position, (radius, tall, ball): (f64, f64, bool)) -> bool {
        let [x, y, z] = at.units();
        let reach = if ball { radius } else { 0.0 };
        let cell = |at: f64| whole(at.floor());
        let low = [cell(x - radius), cell(y - radius), cell(z - reach)];
        let end = |at: f64| whole(at.ceil());
        let high = [end(x + radius), end(y + radius), end(z + tall + reach)];
        cubes(low, high).any(|cube| {
            // How far a coordinate lies beyond a cube.
            let off = |low: f64, high: f64, cube: i32| {
                let cube = f64::from(cube);
                (cube - high).max(low - (cube + 1.0)).max(0.0)
            };
            let (dx, dy) = (off(x, x, cube[0]), off(y, y, cube[1]));
            let dz = off(z, z + tall, cube[2]);
            let square = dx * dx + dy * dy + dz * dz;
            // Bodies may touch; positions are rounded to 1/65,536.
            let limit = radius - 1e-3;
            self.is_solid(cube[0], cube[1], cube[2]) && square < limit * limit
        })
    }
}

fn cubes(low: [i32; 3], high: [i32; 3]) -> impl Iterator<Item = [i32; 3]> {
    let rows = (low[2]..high[2]).flat_map(move |z| (low[1]..high[1]).map(move |y| (y, z)));
    rows.flat_map(move |(y, z)| (low[0]..high[0]).map(move |x| [x, y, z]))
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates of a castle")]
fn whole(at: f64) -> i32 {
    at as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_overlaps_what_its_disc_or_ball_enters_and_touches_no_more() {
        let mut stone = Stone::default();
        stone.set(&Block::new((10, 11), (10, 11), (0, 3)), true);
        let walker = (0.4, 1.8, false);
        let at = |x: f64, y: f64, z: f64| Position::new(x, y, z);
        assert!(stone.overlaps(at(9.7, 10.5, 0.0), walker));
        assert!(!stone.overlaps(at(9.6, 10.5, 0.0), walker));
        // Beside the corner, on top, and below a ceiling.
        assert!(!stone.overlaps(at(9.7, 9.7, 0.0), walker));
        assert!(!stone.overlaps(at(10.5, 10.5, 3.0), walker));
        stone.set(&Block::new((20, 21), (20, 21), (4, 5)), true);
        assert!(stone.overlaps(at(20.5, 20.5, 2.5), walker));
        let ball = (0.4, 0.0, true);
        assert!(!stone.overlaps(at(20.5, 20.5, 3.6), ball));
        assert!(stone.overlaps(at(20.5, 20.5, 3.7), ball));
        stone.set(&Block::new((20, 21), (20, 21), (4, 5)), false);
        assert!(!stone.overlaps(at(20.5, 20.5, 3.7), ball));
    }
}
