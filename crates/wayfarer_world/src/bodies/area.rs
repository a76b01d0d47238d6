//! Footprints prepared for queries: exact row spans and point tests in integer arithmetic, so that
//! a bin classified as inside needs no test and no point on the border is lost.

use wayfarer_base::{Fixed, Point2};

use super::footprint::{Footprint, Heading, Vector, cross, dot, sub};

mod capsule;

pub(super) use capsule::Capsule;

/// Columns from the first to the second, both included; empty if reversed.
pub(super) type Span = (i64, i64);
pub(super) const EMPTY: Span = (i64::MAX / 4, i64::MIN / 4);

/// A convex set of points.
pub(super) trait Convex {
    /// True if it covers most of its AABB.
    const ROUND: bool = false;
    /// First and last row.
    fn rows(&self) -> Span;
    /// True if the point belongs to it.
    fn contains(&self, x: i64, y: i64) -> bool;
    /// A span that contains all its points in rows `low` to `high`.
    fn band(&self, low: i64, high: i64) -> Span;
    /// A span whose points in rows `low` to `high` all belong to it.
    fn chord(&self, low: i64, high: i64) -> Span;
    /// False if no chord over so many rows is this wide.
    fn may_contain(&self, _rows: i64, _width: i64) -> bool {
        true
    }
    /// First and last column.
    fn columns(&self) -> Span {
        let (low, high) = self.rows();
        self.band(low, high)
    }
    /// [`contains`](Self::contains) as a closure that keeps its numbers in registers.
    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        |x: i32, y: i32| self.contains(x.into(), y.into())
    }
}

/// Coverage of a band of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// No point outside belongs to the footprint.
    pub(super) outer: Span,
    /// Every point inside belongs to the footprint or the hole.
    pub(super) inner: Span,
    /// No point outside belongs to the hole.
    pub(super) hole_outer: Span,
    /// Every point inside belongs to the hole.
    pub(super) hole_inner: Span,
}

/// A set of points that can be scanned row by row.
pub(super) trait Area {
    fn rows(&self) -> Span;
    fn contains(&self, x: i64, y: i64) -> bool;
    /// Coverage of rows `low` to `high` for bodies that reach up to `reach`.
    fn row(&self, low: i64, high: i64, reach: i64) -> Row;
    /// The [outer](Row::outer) span of [`row`](Self::row).
    fn outer(&self, low: i64, high: i64, reach: i64) -> Span;
    /// False if no [inner](Row::inner) span over so many rows is this wide.
    fn may_contain(&self, _rows: i64, _width: i64) -> bool {
        true
    }
    /// First and last column.
    fn columns(&self) -> Span;
    /// [`contains`](Self::contains) as a closure that keeps its numbers in registers.
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy;
    /// True if there may be a hole.
    const HAS_HOLE: bool;
    /// True if it covers most of its AABB.
    const ROUND: bool = false;
}

#[inline]
fn root(square: i64) -> i64 {
    // Exact: below 2^52 the rounded root never reaches the next integer.
    #[expect(clippy::cast_precision_loss, reason = "below 2^52")]
    #[expect(clippy::cast_possible_truncation, reason = "below 2^26")]
    let root = (square as f64).sqrt() as i64;
    root
}

#[inline]
fn intersect(a: Span, b: Span) -> Span {
    (a.0.max(b.0), a.1.min(b.1))
}

/// All points within a squared distance of `square`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) square: i64,
    pub(super) radius: i64,
}

impl Disc {
    #[inline]
    fn new(center: Vector, radius: i64) -> Self {
        Self {
            x: center.0,
            y: center.1,
            square: radius * radius,
            radius,
        }
    }

    /// The closed disc.
    #[inline]
    pub(super) fn around(center: Point2, radius: Fixed) -> Self {
        let at = (center.x.raw().into(), center.y.raw().into());
        Self::new(at, radius.raw().into())
    }

    /// The open disc: points nearer than `radius`.
    fn open_disc(center: Vector, radius: i64) -> Self {
        Self {
            square: radius * radius - 1,
            ..Self::new(center, radius)
        }
    }
}

impl Convex for Disc {
    const ROUND: bool = true;

    #[inline]
    fn rows(&self) -> Span {
        (self.y - self.radius, self.y + self.radius)
    }

    #[inline]
    fn columns(&self) -> Span {
        (self.x - self.radius, self.x + self.radius)
    }

    #[inline]
    fn contains(&self, x: i64, y: i64) -> bool {
        let (x, y) = (x - self.x, y - self.y);
        x * x + y * y <= self.square
    }

    #[inline]
    fn band(&self, low: i64, high: i64) -> Span {
        let away = (low - self.y).max(self.y - high).max(0);
        let rest = self.square - away * away;
        if rest < 0 {
            return EMPTY;
        }
        let half = root(rest);
        (self.x - half, self.x + half)
    }

    #[inline]
    fn chord(&self, low: i64, high: i64) -> Span {
        let away = (high - self.y).max(self.y - low);
        let rest = self.square - away * away;
        if rest < 0 {
            return EMPTY;
        }
        let half = root(rest);
        (self.x - half, self.x + half)
    }

    #[inline]
    fn may_contain(&self, rows: i64, width: i64) -> bool {
        // The chord is widest for rows around the center: twice the root of the rest, plus 1.
        let away = (rows - 1) / 2;
        let rest = self.square - away * away;
        rest >= 0 && 4 * rest >= (width - 1) * (width - 1)
    }

    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        // Exact: squared radii have 44 bits, and a sum that is rounded has more than 52.
        #[expect(
            clippy::cast_precision_loss,
            reason = "positions have 32 bits, squares 44"
        )]
        let (center_x, center_y, square) = (self.x as f64, self.y as f64, self.square as f64);
        move |x: i32, y: i32| {
            let (x, y) = (f64::from(x) - center_x, f64::from(y) - center_y);
            x * x + y * y <= square
        }
    }
}

/// A half-plane relative to an origin: all points with `self.x * x + self.y * y <= self.bound`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HalfPlane {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) bound: i64,
}

impl HalfPlane {
    /// All points clockwise of a direction or on it.
    fn right_of(direction: Vector) -> Self {
        Self {
            x: direction.1,
            y: -direction.0,
            bound: 0,
        }
    }

    /// All points counter-clockwise of a direction or on it.
    fn left_of(direction: Vector) -> Self {
        Self {
            x: -direction.1,
            y: direction.0,
            bound: 0,
        }
    }

    #[inline]
    fn contains(&self, x: i64, y: i64) -> bool {
        self.x * x + self.y * y <= self.bound
    }

    /// The widest (`WIDE`) or narrowest span over rows `low` to `high`.
    #[inline]
    fn span<const WIDE: bool>(&self, low: i64, high: i64) -> Span {
        let y = if (self.y > 0) == WIDE { low } else { high };
        let rest = self.bound - self.y * y;
        match self.x.signum() {
            1 => (EMPTY.1, rest.div_euclid(self.x)),
            -1 => (-rest.div_euclid(-self.x), EMPTY.0),
            _ if rest >= 0 => (EMPTY.1, EMPTY.0),
            _ => EMPTY,
        }
    }
}

/// The intersection of half-planes and a disc, relative to an origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clipped<const N: usize, D> {
    pub(super) origin: Vector,
    pub(super) disc: D,
    pub(super) half_planes: [HalfPlane; N],
    pub(super) rows: Span,
}

/// The whole plane in place of a disc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unbounded;

impl Convex for Unbounded {
    fn rows(&self) -> Span {
        (EMPTY.1, EMPTY.0)
    }
    #[inline]
    fn contains(&self, _: i64, _: i64) -> bool {
        true
    }
    #[inline]
    fn band(&self, _: i64, _: i64) -> Span {
        (EMPTY.1, EMPTY.0)
    }
    #[inline]
    fn chord(&self, _: i64, _: i64) -> Span {
        (EMPTY.1, EMPTY.0)
    }
}

impl<const N: usize, D: Convex> Clipped<N, D> {
    #[inline]
    fn between(&self, x: i64, y: i64) -> bool {
        let (x, y) = (x - self.origin.0, y - self.origin.1);
        let mut inside = true;
        for half_plane in &self.half_planes {
            inside &= half_plane.contains(x, y);
        }
        inside
    }

    #[inline]
    fn span<const WIDE: bool>(&self, low: i64, high: i64) -> Span {
        let span = if WIDE {
            self.disc.band(low, high)
        } else {
            self.disc.chord(low, high)
        };
        let (low, high) = (low - self.origin.1, high - self.origin.1);
        let mut cut = (EMPTY.1, EMPTY.0);
        for half_plane in &self.half_planes {
            cut = intersect(cut, half_plane.span::<WIDE>(low, high));
        }
        intersect(span, (cut.0 + self.origin.0, cut.1 + self.origin.0))
    }
}

impl<const N: usize, D: Convex> Convex for Clipped<N, D> {
    fn rows(&self) -> Span {
        self.rows
    }

    #[inline]
    fn contains(&self, x: i64, y: i64) -> bool {
        self.disc.contains(x, y) & self.between(x, y)
    }

    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        // Exact: headings have 14 bits and differences 32.
        #[expect(clippy::cast_precision_loss, reason = "at most 46 bits")]
        let to_f64 = |whole: i64| whole as f64;
        let disc = self.disc.probe();
        let origin = (to_f64(self.origin.0), to_f64(self.origin.1));
        let half_planes = self.half_planes.map(|half_plane| {
            (
                to_f64(half_plane.x),
                to_f64(half_plane.y),
                to_f64(half_plane.bound),
            )
        });
        move |x: i32, y: i32| {
            if N > 4 {
                // Edges of polygons need more bits than f64 has.
                return self.contains(x.into(), y.into());
            }
            let (east, south) = (f64::from(x) - origin.0, f64::from(y) - origin.1);
            let mut inside = disc(x, y);
            for half_plane in &half_planes {
                inside &= half_plane.0 * east + half_plane.1 * south <= half_plane.2;
            }
            inside
        }
    }

    #[inline]
    fn band(&self, low: i64, high: i64) -> Span {
        self.span::<true>(low, high)
    }

    #[inline]
    fn chord(&self, low: i64, high: i64) -> Span {
        self.span::<false>(low, high)
    }
}

/// A convex set without a hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filled<A>(pub(super) A);

impl<A: Convex> Area for Filled<A> {
    const HAS_HOLE: bool = false;
    const ROUND: bool = A::ROUND;

    fn rows(&self) -> Span {
        self.0.rows()
    }

    #[inline]
    fn contains(&self, x: i64, y: i64) -> bool {
        self.0.contains(x, y)
    }

    #[inline]
    fn outer(&self, low: i64, high: i64, reach: i64) -> Span {
        let outer = self.0.band(low - reach, high + reach);
        (outer.0 - reach, outer.1 + reach)
    }

    #[inline]
    fn may_contain(&self, rows: i64, width: i64) -> bool {
        self.0.may_contain(rows, width)
    }

    #[inline]
    fn columns(&self) -> Span {
        self.0.columns()
    }

    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        self.0.probe()
    }

    #[inline]
    fn row(&self, low: i64, high: i64, reach: i64) -> Row {
        Row {
            outer: self.outer(low, high, reach),
            inner: self.0.chord(low, high),
            hole_outer: EMPTY,
            hole_inner: EMPTY,
        }
    }
}

/// A convex set with a convex hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct WithHole<A, H> {
    pub(super) solid: A,
    pub(super) hole: H,
}

impl<A: Convex, H: Convex> Area for WithHole<A, H> {
    const HAS_HOLE: bool = true;

    fn rows(&self) -> Span {
        self.solid.rows()
    }

    #[inline]
    fn contains(&self, x: i64, y: i64) -> bool {
        self.solid.contains(x, y) & !self.hole.contains(x, y)
    }

    #[inline]
    fn columns(&self) -> Span {
        self.solid.columns()
    }

    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        let (solid, hole) = (self.solid.probe(), self.hole.probe());
        move |x: i32, y: i32| solid(x, y) & !hole(x, y)
    }

    #[inline]
    fn outer(&self, low: i64, high: i64, reach: i64) -> Span {
        let outer = self.solid.band(low - reach, high + reach);
        (outer.0 - reach, outer.1 + reach)
    }

    #[inline]
    fn row(&self, low: i64, high: i64, reach: i64) -> Row {
        let hole_chord = self.hole.chord(low - reach, high + reach);
        Row {
            outer: self.outer(low, high, reach),
            inner: self.solid.chord(low, high),
            hole_outer: self.hole.band(low, high),
            hole_inner: (hole_chord.0 + reach, hole_chord.1 - reach),
        }
    }
}

/// A footprint prepared for queries.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack of one query, which must not allocate"
)]
pub(super) enum PreparedArea {
    Circle(Filled<Disc>),
    Ring(WithHole<Disc, Disc>),
    Capsule(Filled<Capsule>),
    /// A sector of up to a half turn.
    Sector(Filled<Clipped<3, Disc>>),
    /// A sector of more than a half turn: the disc without its complement.
    WideSector(WithHole<Disc, Clipped<2, Unbounded>>),
    OrientedBox(Filled<Clipped<4, Unbounded>>),
    Polygon(Filled<Clipped<16, Unbounded>>),
}

/// Evaluates an expression with the concrete area.
macro_rules! with_area {
    ($ready:expr, $area:ident => $do:expr) => {
        match $ready {
            $crate::bodies::area::PreparedArea::Circle($area) => $do,
            $crate::bodies::area::PreparedArea::Ring($area) => $do,
            $crate::bodies::area::PreparedArea::Capsule($area) => $do,
            $crate::bodies::area::PreparedArea::Sector($area) => $do,
            $crate::bodies::area::PreparedArea::WideSector($area) => $do,
            $crate::bodies::area::PreparedArea::OrientedBox($area) => $do,
            $crate::bodies::area::PreparedArea::Polygon($area) => $do,
        }
    };
}
pub(super) use with_area;

pub(super) fn vector(heading: Heading) -> Vector {
    (heading.x.into(), heading.y.into())
}

/// True if the sector from `left` to `right` spans more than a half turn.
pub(super) fn is_wide(left: Vector, right: Vector) -> bool {
    cross(left, right) < 0
}

/// True if the sector from `left` to `right` is a ray.
pub(super) fn is_ray(left: Vector, right: Vector) -> bool {
    cross(left, right) == 0 && dot(left, right) > 0
}

impl PreparedArea {
    pub(super) fn new(footprint: &Footprint) -> Self {
        let at = |point| sub(point, Point2::default());
        match *footprint {
            Footprint::Circle { center, radius } => {
                Self::Circle(Filled(Disc::around(center, radius)))
            }
            Footprint::Ring {
                center,
                inner,
                outer,
            } => Self::Ring(WithHole {
                solid: Disc::new(at(center), outer.raw().into()),
                hole: Disc::open_disc(at(center), inner.raw().into()),
            }),
            Footprint::Capsule { from, to, radius } => {
                Self::Capsule(Filled(Capsule::new(at(from), at(to), radius.raw().into())))
            }
            Footprint::Wedge {
                tip,
                radius,
                left,
                right,
            } => {
                let (left, right) = (vector(left), vector(right));
                let disc = Disc::new(at(tip), radius.raw().into());
                if is_wide(left, right) {
                    let open_half_plane = |half: HalfPlane| HalfPlane { bound: -1, ..half };
                    return Self::WideSector(WithHole {
                        solid: disc,
                        hole: Clipped {
                            origin: at(tip),
                            disc: Unbounded,
                            half_planes: [
                                open_half_plane(HalfPlane::right_of(right)),
                                open_half_plane(HalfPlane::left_of(left)),
                            ],
                            rows: disc.rows(),
                        },
                    });
                }
                // Of a ray only the half-plane ahead.
                let ahead = if is_ray(left, right) {
                    HalfPlane {
                        x: -left.0,
                        y: -left.1,
                        bound: 0,
                    }
                } else {
                    HalfPlane::default()
                };
                Self::Sector(Filled(Clipped {
                    origin: at(tip),
                    disc,
                    half_planes: [HalfPlane::right_of(left), HalfPlane::left_of(right), ahead],
                    rows: sector_rows(&disc, left, right),
                }))
            }
            Footprint::OrientedBox {
                center,
                heading,
                half_along,
                half_across,
            } => Self::OrientedBox(Filled(oriented_box(
                at(center),
                vector(heading),
                half_along.raw().into(),
                half_across.raw().into(),
            ))),
            Footprint::Polygon(corners) => {
                let origin = corners.points()[0];
                let mut half_planes = [HalfPlane::default(); 16];
                for (half, (a, b)) in half_planes.iter_mut().zip(corners.edges()) {
                    let edge = sub(b, a);
                    let from = sub(a, origin);
                    *half = HalfPlane::right_of(edge);
                    half.bound = half.x * from.0 + half.y * from.1;
                }
                let y = |p: &Point2| i64::from(p.y.raw());
                let points = corners.points().iter();
                Self::Polygon(Filled(Clipped {
                    origin: at(origin),
                    disc: Unbounded,
                    half_planes,
                    rows: points.fold(EMPTY, |(low, high), p| (low.min(y(p)), high.max(y(p)))),
                }))
            }
        }
    }
}

/// The rows of a sector of up to a half turn; conservative at its slanted edges.
fn sector_rows(disc: &Disc, left: Vector, right: Vector) -> Span {
    let (mut low, mut high) = (disc.y, disc.y);
    for edge in [left, right] {
        let length = root(dot(edge, edge)).max(1);
        let end = disc.radius * edge.1 / length + edge.1.signum();
        low = low.min(disc.y + end);
        high = high.max(disc.y + end);
    }
    // Due south or due north lies between the edges.
    let spans_direction = |y: i64| cross(left, (0, y)) >= 0 && cross((0, y), right) >= 0;
    if !is_ray(left, right) {
        if spans_direction(1) {
            high = disc.y + disc.radius;
        }
        if spans_direction(-1) {
            low = disc.y - disc.radius;
        }
    }
    (
        low.max(disc.y - disc.radius),
        high.min(disc.y + disc.radius),
    )
}

fn oriented_box(center: Vector, d: Vector, along: i64, across: i64) -> Clipped<4, Unbounded> {
    let square = i128::from(dot(d, d));
    let scaled = |half: i64| isqrt(i128::from(half) * i128::from(half) * square);
    let (along_bound, across_bound) = (scaled(along), scaled(across));
    let half = |x, y, bound| HalfPlane { x, y, bound };
    let length = root(dot(d, d)).max(1);
    let rise = (along * d.1.abs() + across * d.0.abs()) / length + 1;
    Clipped {
        origin: center,
        disc: Unbounded,
        half_planes: [
            half(d.0, d.1, along_bound),
            half(-d.0, -d.1, along_bound),
            half(-d.1, d.0, across_bound),
            half(d.1, -d.0, across_bound),
        ],
        rows: (center.1 - rise, center.1 + rise),
    }
}

fn isqrt(square: i128) -> i64 {
    match u64::try_from(square) {
        Ok(square) => i64::try_from(square.isqrt()).unwrap_or(i64::MAX),
        Err(_) => i64::try_from(square.isqrt()).unwrap_or(i64::MAX),
    }
}
