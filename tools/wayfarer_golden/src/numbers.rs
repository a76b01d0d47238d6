//! Golden digests of the base layer: random numbers, costs, arithmetic, points and shapes.

use wayfarer_engine::base::voxel::{from_morton_3, morton_2, morton_3};
use wayfarer_engine::base::{
    Column, Cost, CostMultiplier, Fixed, Point2, Rect, Rng, SectorId, Shape, math,
};

use super::values::Values;

pub(super) fn rng(values: &mut Values) {
    for seed in [0, 1, 7, u64::MAX] {
        let mut rng = Rng::new(seed);
        for limit in [1, 2, 6, 1000, u32::MAX] {
            values.number(rng.next_u64());
            values.number(rng.below(limit).into());
            values.signed(rng.between(-17, 42).into());
            values.signed(rng.between(i32::MIN, i32::MAX).into());
            values.number(rng.chance(1, 3).into());
        }
        let mut order: Vec<u8> = (0..100).collect();
        rng.shuffle(&mut order);
        values.bytes(&order);
        values.number(rng.pick(&order).copied().unwrap_or(u8::MAX).into());
        values.number(Rng::for_stream(seed, 3).next_u64());
    }
}

pub(super) fn costs(values: &mut Values) {
    let mut rng = Rng::new(1);
    let multipliers = [16, 17, 31, 32, 640, u16::MAX]
        .map(|n| CostMultiplier::from_sixteenths(n).unwrap_or(CostMultiplier::MAX));
    for bits in [4, 10, 20, 32] {
        for _ in 0..50 {
            let mut length = || rng.below(u32::MAX) >> (32 - bits);
            let [dx, dy, dz] = [length(), length(), length()];
            let flat = Cost::octile(dx, dy);
            let path = flat + Cost::voxel_octile(dx, dy, dz);
            values.number(path.units().into());
            values.number((path - flat).units().into());
            values.number(path.is_saturated().into());
            values.number(Cost::from_cells(path.to_cells()).units().into());
            for pair in multipliers.windows(2) {
                values.number(path.scaled_by(pair[0]).units().into());
                values.number(flat.scaled_by_mean(pair[0], pair[1]).units().into());
                values.number(pair[0].stacked_with(pair[1]).sixteenths().into());
            }
            values.take(&path.to_cells());
        }
    }
}

pub(super) fn maths(values: &mut Values) {
    let mut rng = Rng::new(2);
    for _ in 0..1000 {
        let mut whole = || rng.between(-1_000_000, 1_000_000);
        let [x, y, z] = [whole(), whole(), whole()].map(f64::from);
        values.number(math::length(x / 256.0, y / 256.0).to_bits());
        values.number(math::length_3(x, y / 3.0, z * 0.1).to_bits());
        let (a, b) = (rng.next_u64(), rng.next_u64() >> rng.below(60));
        values.number(a.isqrt());
        values.number(math::greatest_common_divisor(a, b));
    }
}

pub(super) fn points(values: &mut Values) {
    let mut rng = Rng::new(3);
    for _ in 0..1000 {
        let column = Column::new(
            rng.between(-9_000_000, 9_000_000),
            rng.between(-9_000_000, 9_000_000),
        );
        let sector = SectorId::from_column(column);
        values.signed(sector.x.into());
        values.signed(sector.y.into());
        let center = Point2::center_of(column);
        values.signed(center.map_or(i64::MIN, |at| at.x.raw().into()));
        let cells = f64::from(rng.between(i32::MIN, i32::MAX)) / 192.0;
        let fixed = Fixed::from_cells(cells);
        values.signed(fixed.map_or(i64::MIN, |at| at.raw().into()));
        values.take(&fixed.map(Fixed::to_cells));
        let mut side = || rng.below(1 << 21);
        let [x, y, z] = [side(), side(), side()];
        let code = morton_3(x, y, z);
        values.number(code);
        values.number(morton_2(x, y));
        values.number((from_morton_3(code) == (x, y, z)).into());
    }
}

pub(super) fn shapes(values: &mut Values) {
    let mut rng = Rng::new(4);
    for _ in 0..40 {
        for shape in some_shapes(&mut rng) {
            let bounds = shape.bounds();
            values.number(bounds.width().into());
            values.number(bounds.height().into());
            for column in shape.columns() {
                values.signed(column.x.into());
                values.signed(column.y.into());
            }
        }
    }
}

/// One shape of each kind, within 20 cells of the origin.
pub(super) fn some_shapes(rng: &mut Rng) -> [Shape; 5] {
    let mut raw = |min: i32, max: i32| Fixed::from_raw(rng.between(min * 256, max * 256));
    let [mut a, mut b] = [Point2::default(); 2];
    for point in [&mut a, &mut b] {
        *point = Point2::new(raw(-12, 12), raw(-12, 12));
    }
    let radius = raw(0, 8);
    let corners = (0..5).map(|_| Point2::new(raw(-12, 12), raw(-12, 12)));
    let polygon = Shape::Polygon(corners.collect());
    let mut direction = || (rng.between(-9, 9), rng.between(1, 9));
    [
        Shape::Circle { center: a, radius },
        Shape::Box(Rect::around(a.column(), b.column())),
        polygon,
        Shape::Segment {
            from: a,
            to: b,
            radius,
        },
        Shape::Wedge {
            tip: b,
            radius,
            left: direction(),
            right: direction(),
        },
    ]
}
