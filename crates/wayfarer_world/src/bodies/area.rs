//! Footprints made ready for asking: which stretch of a row they cover, and which points they hold.
//!
//! All in whole numbers, so that a square called *inside* needs no test and a point on the edge is
//! never lost.

use wayfarer_base::{Fixed, Point2, math};

use super::footprint::{Footprint, Heading, Vector, cross, dot, sub};

mod capsule;

pub(super) use capsule::Capsule;

/// Columns of points from the first to the second, both included; none if they are the wrong way
/// round.
pub(super) type Span = (i64, i64);
pub(super) const EMPTY: Span = (i64::MAX / 4, i64::MIN / 4);

/// A convex set of points.
pub(super) trait Convex {
    /// True if it covers most of its rows and columns.
    const ROUND: bool = false;
    /// First and last row.
    fn rows(&self) -> Span;
    /// True if the point belongs to it.
    fn contains(&self, x: i64, y: i64) -> bool;
    /// A span that holds all its points in rows `low` to `high`.
    fn band(&self, low: i64, high: i64) -> Span;
    /// A span whose points in rows `low` to `high` all belong to it.
    fn chord(&self, low: i64, high: i64) -> Span;
    /// False if no chord of so many rows is as wide as this.
    fn may_hold(&self, _rows: i64, _width: i64) -> bool {
        true
    }
    /// First and last column.
    fn columns(&self) -> Span {
        let (low, high) = self.rows();
        self.band(low, high)
    }
    /// The same as [`contains`](Self::contains), made ready to be asked often: it keeps its
    /// numbers with it, so that they stay in registers.
    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        |x: i32, y: i32| self.contains(x.into(), y.into())
    }
}

/// What a footprint covers of some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Nothing outside of it belongs to the footprint.
    pub(super) outer: Span,
    /// Everything in it belongs to the footprint or to the hole.
    pub(super) inner: Span,
    /// Nothing outside of it belongs to the hole.
    pub(super) hole: Span,
    /// Everything in it belongs to the hole.
    pub(super) deep: Span,
}

/// A set of points that can be walked row by row.
pub(super) trait Area {
    fn rows(&self) -> Span;
    fn contains(&self, x: i64, y: i64) -> bool;
    /// What it covers of rows `low` to `high`, for bodies that reach up to `reach`.
    fn row(&self, low: i64, high: i64, reach: i64) -> Row;
    /// The first part of [`row`](Self::row).
    fn outer(&self, low: i64, high: i64, reach: i64) -> Span;
    /// False if no [inner](Row::inner) span of so many rows is as wide as this.
    fn may_hold(&self, _rows: i64, _width: i64) -> bool {
        true
    }
    /// First and last column.
    fn columns(&self) -> Span;
    /// The same as [`contains`](Self::contains), made ready to be asked often.
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy;
    /// True if there may be holes.
    const HOLED: bool;
    /// True if it covers most of its rows and columns.
    const ROUND: bool = false;
}

#[inline]
fn root(square: i64) -> i64 {
    // Exact: below 2^52 the rounded root never reaches the next whole number.
    #[expect(clippy::cast_precision_loss, reason = "below 2^52")]
    #[expect(clippy::cast_possible_truncation, reason = "below 2^26")]
    let root = (square as f64).sqrt() as i64;
    root
}

#[inline]
fn meet(a: Span, b: Span) -> Span {
    (a.0.max(b.0), a.1.min(b.1))
}

/// All points whose squared distance is at most `square`.
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

    /// All points no farther than `radius`.
    #[inline]
    pub(super) fn around(center: Point2, radius: Fixed) -> Self {
        let midpoint = (center.x.raw().into(), center.y.raw().into());
        Self::new(midpoint, radius.raw().into())
    }

    /// All points nearer than `radius`.
    fn open(center: Vector, radius: i64) -> Self {
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
    fn may_hold(&self, rows: i64, width: i64) -> bool {
        // The chord is widest for rows around the middle: twice the root of the rest, and one.
        let away = (rows - 1) / 2;
        let rest = self.square - away * away;
        rest >= 0 && 4 * rest >= (width - 1) * (width - 1)
    }

    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        // Exact: squares of radii have 44 bits, and a sum that is rounded has more than 52.
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

/// All points, seen from an origin, with `x` times its first number and `y` times its second at
/// most the third.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Half {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) most: i64,
}

impl Half {
    /// All points clockwise of a direction, or on it.
    fn right_of(direction: Vector) -> Self {
        Self {
            x: direction.1,
            y: -direction.0,
            most: 0,
        }
    }

    /// All points counter-clockwise of a direction, or on it.
    fn left_of(direction: Vector) -> Self {
        Self {
            x: -direction.1,
            y: direction.0,
            most: 0,
        }
    }

    #[inline]
    fn contains(&self, x: i64, y: i64) -> bool {
        self.x * x + self.y * y <= self.most
    }

    /// The widest (`WIDE`) or the narrowest stretch of rows `low` to `high` inside.
    #[inline]
    fn span<const WIDE: bool>(&self, low: i64, high: i64) -> Span {
        let y = if (self.y > 0) == WIDE { low } else { high };
        let rest = self.most - self.y * y;
        match self.x.signum() {
            1 => (EMPTY.1, rest.div_euclid(self.x)),
            -1 => (-rest.div_euclid(-self.x), EMPTY.0),
            _ if rest >= 0 => (EMPTY.1, EMPTY.0),
            _ => EMPTY,
        }
    }
}

/// Points inside several halves, and perhaps a disc; all seen from an origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut<const N: usize, D> {
    pub(super) origin: Vector,
    pub(super) disc: D,
    pub(super) halves: [Half; N],
    pub(super) rows: Span,
}

/// Instead of a disc: everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Everything;

impl Convex for Everything {
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

impl<const N: usize, D: Convex> Cut<N, D> {
    #[inline]
    fn between(&self, x: i64, y: i64) -> bool {
        let (x, y) = (x - self.origin.0, y - self.origin.1);
        let mut inside = true;
        for half in &self.halves {
            inside &= half.contains(x, y);
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
        let mut near = (EMPTY.1, EMPTY.0);
        for half in &self.halves {
            near = meet(near, half.span::<WIDE>(low, high));
        }
        meet(span, (near.0 + self.origin.0, near.1 + self.origin.0))
    }
}

impl<const N: usize, D: Convex> Convex for Cut<N, D> {
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
        let number = |whole: i64| whole as f64;
        let disc = self.disc.probe();
        let origin = (number(self.origin.0), number(self.origin.1));
        let halves = self
            .halves
            .map(|half| (number(half.x), number(half.y), number(half.most)));
        move |x: i32, y: i32| {
            if N > 4 {
                // Edges of polygons have more bits than the short way can bear.
                return self.contains(x.into(), y.into());
            }
            let (east, south) = (f64::from(x) - origin.0, f64::from(y) - origin.1);
            let mut inside = disc(x, y);
            for half in &halves {
                inside &= half.0 * east + half.1 * south <= half.2;
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
pub(super) struct Solid<A>(pub(super) A);

impl<A: Convex> Area for Solid<A> {
    const HOLED: bool = false;
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
    fn may_hold(&self, rows: i64, width: i64) -> bool {
        self.0.may_hold(rows, width)
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
            hole: EMPTY,
            deep: EMPTY,
        }
    }
}

/// A convex set with a convex hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holed<A, H> {
    pub(super) body: A,
    pub(super) hole: H,
}

impl<A: Convex, H: Convex> Area for Holed<A, H> {
    const HOLED: bool = true;

    fn rows(&self) -> Span {
        self.body.rows()
    }

    #[inline]
    fn contains(&self, x: i64, y: i64) -> bool {
        self.body.contains(x, y) & !self.hole.contains(x, y)
    }

    #[inline]
    fn columns(&self) -> Span {
        self.body.columns()
    }

    #[inline]
    fn probe(&self) -> impl Fn(i32, i32) -> bool + Copy {
        let (body, hole) = (self.body.probe(), self.hole.probe());
        move |x: i32, y: i32| body(x, y) & !hole(x, y)
    }

    #[inline]
    fn outer(&self, low: i64, high: i64, reach: i64) -> Span {
        let outer = self.body.band(low - reach, high + reach);
        (outer.0 - reach, outer.1 + reach)
    }

    #[inline]
    fn row(&self, low: i64, high: i64, reach: i64) -> Row {
        let deep = self.hole.chord(low - reach, high + reach);
        Row {
            outer: self.outer(low, high, reach),
            inner: self.body.chord(low, high),
            hole: self.hole.band(low, high),
            deep: (deep.0 + reach, deep.1 - reach),
        }
    }
}

/// A footprint made ready.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack of one question, which must not ask for memory"
)]
pub(super) enum Ready {
    Circle(Solid<Disc>),
    Ring(Holed<Disc, Disc>),
    Capsule(Solid<Capsule>),
    /// A wedge of up to a half turn.
    Sector(Solid<Cut<3, Disc>>),
    /// A wedge of more than a half turn: the circle without the rest.
    Open(Holed<Disc, Cut<2, Everything>>),
    Turned(Solid<Cut<4, Everything>>),
    Polygon(Solid<Cut<16, Everything>>),
}

/// Does something with whichever area there is.
macro_rules! with_area {
    ($ready:expr, $area:ident => $do:expr) => {
        match $ready {
            $crate::bodies::area::Ready::Circle($area) => $do,
            $crate::bodies::area::Ready::Ring($area) => $do,
            $crate::bodies::area::Ready::Capsule($area) => $do,
            $crate::bodies::area::Ready::Sector($area) => $do,
            $crate::bodies::area::Ready::Open($area) => $do,
            $crate::bodies::area::Ready::Turned($area) => $do,
            $crate::bodies::area::Ready::Polygon($area) => $do,
        }
    };
}
pub(super) use with_area;

pub(super) fn vector(heading: Heading) -> Vector {
    (heading.x.into(), heading.y.into())
}

/// True if the wedge from `left` to `right` opens by more than a half turn.
pub(super) fn is_wide(left: Vector, right: Vector) -> bool {
    cross(left, right) < 0
}

/// True if the wedge from `left` to `right` is a ray.
pub(super) fn is_ray(left: Vector, right: Vector) -> bool {
    cross(left, right) == 0 && dot(left, right) > 0
}

impl Ready {
    pub(super) fn new(footprint: &Footprint) -> Self {
        let at = |point| sub(point, Point2::default());
        match *footprint {
            Footprint::Circle {
                center: centre,
                radius,
            } => Self::Circle(Solid(Disc::around(centre, radius))),
            Footprint::Ring {
                center: centre,
                inner,
                outer,
            } => Self::Ring(Holed {
                body: Disc::new(at(centre), outer.raw().into()),
                hole: Disc::open(at(centre), inner.raw().into()),
            }),
            Footprint::Capsule { from, to, radius } => {
                Self::Capsule(Solid(Capsule::new(at(from), at(to), radius.raw().into())))
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
                    let strictly = |half: Half| Half { most: -1, ..half };
                    return Self::Open(Holed {
                        body: disc,
                        hole: Cut {
                            origin: at(tip),
                            disc: Everything,
                            halves: [
                                strictly(Half::right_of(right)),
                                strictly(Half::left_of(left)),
                            ],
                            rows: disc.rows(),
                        },
                    });
                }
                // Of a ray only the half ahead.
                let ahead = if is_ray(left, right) {
                    Half {
                        x: -left.0,
                        y: -left.1,
                        most: 0,
                    }
                } else {
                    Half::default()
                };
                Self::Sector(Solid(Cut {
                    origin: at(tip),
                    disc,
                    halves: [Half::right_of(left), Half::left_of(right), ahead],
                    rows: sector_rows(&disc, left, right),
                }))
            }
            Footprint::Turned {
                center: centre,
                heading,
                half_along,
                half_across,
            } => Self::Turned(Solid(turned(
                at(centre),
                vector(heading),
                half_along.raw().into(),
                half_across.raw().into(),
            ))),
            Footprint::Polygon(corners) => {
                let origin = corners.points()[0];
                let mut halves = [Half::default(); 16];
                for (half, (a, b)) in halves.iter_mut().zip(corners.edges()) {
                    let edge = sub(b, a);
                    let from = sub(a, origin);
                    *half = Half::right_of(edge);
                    half.most = half.x * from.0 + half.y * from.1;
                }
                let y = |p: &Point2| i64::from(p.y.raw());
                let points = corners.points().iter();
                Self::Polygon(Solid(Cut {
                    origin: at(origin),
                    disc: Everything,
                    halves,
                    rows: points.fold(EMPTY, |(low, high), p| (low.min(y(p)), high.max(y(p)))),
                }))
            }
        }
    }
}

/// The rows of a wedge of up to a half turn; a little more at its slanted edges.
fn sector_rows(disc: &Disc, left: Vector, right: Vector) -> Span {
    let (mut low, mut high) = (disc.y, disc.y);
    for edge in [left, right] {
        let length = root(dot(edge, edge)).max(1);
        let end = disc.radius * edge.1 / length + edge.1.signum();
        low = low.min(disc.y + end);
        high = high.max(disc.y + end);
    }
    // Due south or due north lies between the edges.
    let holds = |y: i64| cross(left, (0, y)) >= 0 && cross((0, y), right) >= 0;
    if !is_ray(left, right) {
        if holds(1) {
            high = disc.y + disc.radius;
        }
        if holds(-1) {
            low = disc.y - disc.radius;
        }
    }
    (
        low.max(disc.y - disc.radius),
        high.min(disc.y + disc.radius),
    )
}

fn turned(center: Vector, d: Vector, along: i64, across: i64) -> Cut<4, Everything> {
    let square = i128::from(dot(d, d));
    let scaled = |half: i64| whole_root(i128::from(half) * i128::from(half) * square);
    let (along_most, across_most) = (scaled(along), scaled(across));
    let half = |x, y, most| Half { x, y, most };
    let length = root(dot(d, d)).max(1);
    let rise = (along * d.1.abs() + across * d.0.abs()) / length + 1;
    Cut {
        origin: center,
        disc: Everything,
        halves: [
            half(d.0, d.1, along_most),
            half(-d.0, -d.1, along_most),
            half(-d.1, d.0, across_most),
            half(d.1, -d.0, across_most),
        ],
        rows: (center.1 - rise, center.1 + rise),
    }
}

fn whole_root(square: i128) -> i64 {
    match u64::try_from(square) {
        Ok(square) => i64::try_from(math::isqrt(square)).unwrap_or(i64::MAX),
        Err(_) => i64::try_from(square.isqrt()).unwrap_or(i64::MAX),
    }
}
