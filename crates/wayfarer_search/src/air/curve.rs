//! Flights with a minimum turn radius: corners become arcs where these are free.

use wayfarer_base::{Fixed, Point3, Voxel, math};
use wayfarer_world::air::Air;

use super::FlightPath;
use super::segment_test::center;

/// A flight with rounded corners.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlightCurve {
    /// Points from start to end; every segment between two of them is free.
    pub points: Vec<Point3>,
    /// Indices of the waypoints without a free arc, in order: there the agent stops and turns.
    pub sharp: Vec<usize>,
}

/// Most bisections of an arc: 64 segments per turn.
const MAX_BISECTIONS: u32 = 6;

type Vector = [f64; 3];

impl FlightPath {
    /// The flight with corners rounded to arcs of `turn_radius` voxels, so that the curvature is
    /// at most 1 / `turn_radius`. An arc takes at most half of each of its legs, all of the first
    /// and the last. A corner whose arc does not fit or is not free stays and is listed in
    /// [`FlightCurve::sharp`].
    ///
    /// Points are rounded to 1/256 of a voxel. Volumes are ignored.
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Voxel};
    /// use wayfarer_search::air::{FlightRequest, FlightSearcher};
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?;
    /// builder.add_box(Voxel::new(30, 0, 0), Voxel::new(30, 63, 40))?;
    /// let air = builder.build()?;
    /// let request = FlightRequest::new(Voxel::new(2, 30, 2), Voxel::new(61, 30, 2));
    /// let path = FlightSearcher::default().find(&air, &request)?.found().unwrap();
    /// let curve = path.curve(&air, Fixed::from_raw(3 * 256));
    /// // Corners are rounded; those without a free arc are listed.
    /// assert!(curve.points.len() > path.waypoints.len() || !curve.sharp.is_empty());
    /// assert!(curve.points.windows(2).all(|leg| air.cast_ray(leg[0], leg[1]) == Ok(None)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn curve(&self, air: &Air, turn_radius: Fixed) -> FlightCurve {
        let mut curve = FlightCurve::default();
        let radius = turn_radius.to_cells();
        let Some(start) = self.start().and_then(center) else {
            return curve;
        };
        curve.points.push(start);
        let last = self.n_legs();
        for index in 1..last {
            let corner = self.waypoints[index];
            let (before, after) = (self.waypoints[index - 1], self.waypoints[index + 1]);
            let fractions = [
                if index == 1 { 1.0 } else { 0.5 },
                if index + 1 == last { 1.0 } else { 0.5 },
            ];
            let arc = arc((before, corner, after), fractions, radius);
            let from = curve.points[curve.points.len() - 1];
            match arc.filter(|arc| self.is_free(air, from, arc)) {
                Some(arc) => curve.points.extend(arc),
                None => {
                    curve.sharp.push(index);
                    curve.points.extend(center(corner));
                }
            }
        }
        curve
            .points
            .extend(self.end().filter(|_| last > 0).and_then(center));
        self.free_or_sharp(air, curve)
    }

    /// True if all segments from `from` along `points` are free for the agent.
    fn is_free(&self, air: &Air, from: Point3, points: &[Point3]) -> bool {
        let mut at = from;
        points.iter().all(|point| {
            let before = std::mem::replace(&mut at, *point);
            let is_visible = air.cast_ray(before, *point).is_ok_and(|hit| hit.is_none());
            let has_radius = self.radius.raw() > 0;
            is_visible && !(has_radius && air.sweep(before, *point, self.radius).is_some())
        })
    }

    /// The curve if all of it is free, otherwise the path itself: the rounded end of an arc may
    /// lie beside its leg and block the segment after it.
    fn free_or_sharp(&self, air: &Air, curve: FlightCurve) -> FlightCurve {
        let Some(start) = curve.points.first() else {
            return curve;
        };
        if self.is_free(air, *start, &curve.points) {
            return curve;
        }
        FlightCurve {
            points: self.waypoints.iter().filter_map(|at| center(*at)).collect(),
            sharp: (1..self.n_legs()).collect(),
        }
    }
}

/// The points of the arc that rounds a corner; `None` if the legs are too short for it.
fn arc(
    (before, corner, after): (Voxel, Voxel, Voxel),
    max_fractions: [f64; 2],
    radius: f64,
) -> Option<Vec<Point3>> {
    let at = |voxel: Voxel| [voxel.x, voxel.y, voxel.z].map(|at| f64::from(at) + 0.5);
    let (a, b, c) = (at(before), at(corner), at(after));
    let (back, ahead) = (minus(a, b), minus(c, b));
    let (leg_a, leg_b) = (length(back), length(ahead));
    let (back, ahead) = (times(back, 1.0 / leg_a), times(ahead, 1.0 / leg_b));
    // Cosine of the turn: 1 straight on, -1 reversed.
    let turn = -(0..3).fold(0.0, |sum, axis| sum + back[axis] * ahead[axis]);
    if turn > 1.0 - 1e-12 {
        return Some(vec![point(b)?]);
    }
    if turn < -1.0 + 1e-9 {
        return None;
    }
    // Distance from the corner to the tangent points.
    let touch = radius * ((1.0 - turn) / (1.0 + turn)).sqrt();
    if touch > leg_a * max_fractions[0] || touch > leg_b * max_fractions[1] {
        return None;
    }
    let (first, second) = (plus(b, times(back, touch)), plus(b, times(ahead, touch)));
    let inwards = plus(back, ahead);
    let away = (radius * radius + touch * touch).sqrt() / length(inwards);
    let center = plus(b, times(inwards, away));
    let mut points = vec![point(first)?];
    let ends = (minus(first, center), minus(second, center));
    bisect((center, radius), ends, MAX_BISECTIONS, &mut points)?;
    points.push(point(second)?);
    Some(points)
}

/// Adds the inner points of an arc between two ends relative to its center; bisects until the
/// segments are at most a voxel long.
fn bisect(
    (center, radius): (Vector, f64),
    (from, to): (Vector, Vector),
    left: u32,
    points: &mut Vec<Point3>,
) -> Option<()> {
    if left == 0 || length(minus(from, to)) <= 1.0 {
        return Some(());
    }
    let sum = plus(from, to);
    let midpoint = times(sum, radius / length(sum));
    bisect((center, radius), (from, midpoint), left - 1, points)?;
    points.push(point(plus(center, midpoint))?);
    bisect((center, radius), (midpoint, to), left - 1, points)
}

fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn times(a: Vector, by: f64) -> Vector {
    a.map(|part| part * by)
}

fn length(a: Vector) -> f64 {
    math::length_3(a[0], a[1], a[2])
}

fn point(at: Vector) -> Option<Point3> {
    Some(Point3 {
        x: Fixed::from_cells(at[0])?,
        y: Fixed::from_cells(at[1])?,
        z: Fixed::from_cells(at[2])?,
    })
}
