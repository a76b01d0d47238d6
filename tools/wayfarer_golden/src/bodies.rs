//! Golden digests of bodies: range queries, sweeps, pairs, sensors, neighbor lists and visibility.

use wayfarer_engine::base::{Column, Fixed, Point2, Rect, Rng};
use wayfarer_engine::search::sight::{FieldOfView, OpacityGrid};
use wayfarer_engine::world::bodies::{
    Body, BodyFilter, BodySet, BodyShape, Contacts, Footprint, Heading, Mount, NearestHits,
    NeighborLists, PairScratch, QueryHits, Ranges, Sensor, Sensors, Teams,
};

use super::values::Values;

fn some_point(rng: &mut Rng) -> Point2 {
    let mut at = || Fixed::from_raw(rng.between(-9_000, 9_000));
    Point2::new(at(), at())
}

fn some_footprint(rng: &mut Rng) -> Footprint {
    let center = some_point(rng);
    let radius = Fixed::from_raw(rng.between(100, 4_000));
    let heading = Heading::new(rng.between(-9, 9), 5).unwrap_or(Heading::EAST);
    match rng.below(5) {
        0 => Footprint::circle(center, radius),
        1 => Footprint::Ring {
            center,
            inner: Fixed::from_raw(90),
            outer: radius,
        },
        2 => Footprint::Capsule {
            from: center,
            to: some_point(rng),
            radius: Fixed::from_raw(300),
        },
        3 => Footprint::OrientedBox {
            center,
            heading,
            half_along: radius,
            half_across: Fixed::from_raw(400),
        },
        _ => Footprint::wedge(
            center,
            radius,
            heading,
            f64::from(rng.between(-9, 9)) / 10.0,
        ),
    }
}

/// Every kind of query over a crowd that moves for several ticks.
pub(super) fn bodies(values: &mut Values) {
    let mut rng = Rng::new(88);
    let mut bodies = BodySet::new(Fixed::from_raw(700));
    let mut sensors = Sensors::default();
    for index in 0..300 {
        let outline = match index % 3 {
            0 => BodyShape::Point,
            1 => BodyShape::Disc {
                radius: Fixed::from_raw(rng.between(1, 900)),
            },
            _ => BodyShape::Box {
                half_x: Fixed::from_raw(rng.between(1, 300)),
                half_y: Fixed::from_raw(rng.between(1, 300)),
            },
        };
        let body = Body {
            shape: outline,
            ..Body::at(some_point(&mut rng))
        };
        if let Ok(id) = bodies.register(&body)
            && index % 10 == 0
        {
            let sensor = Sensor {
                exit_margin: Fixed::from_raw(200),
                is_continuous: index % 20 == 0,
                ..Sensor::new(Mount::Body(id), some_footprint(&mut rng))
            };
            values.number(sensors.add(sensor).is_ok().into());
        }
    }
    let ranges: Vec<Fixed> = (0..300)
        .map(|_| Fixed::from_raw(rng.between(0, 900)))
        .collect();
    let (mut found, mut nearest) = (QueryHits::default(), NearestHits::default());
    let (mut contacts, mut scratch) = (Contacts::default(), PairScratch::default());
    let mut events = Vec::new();
    for _ in 0..6 {
        let to: Vec<Point2> = (0..300).map(|_| some_point(&mut rng)).collect();
        values.number(bodies.move_all(&to).is_ok().into());
        for _ in 0..40 {
            let footprint = some_footprint(&mut rng);
            let end = some_point(&mut rng);
            let result = bodies.find(&footprint, &BodyFilter::ALL, &mut found);
            values.number(result.is_ok().into());
            found
                .indices()
                .iter()
                .for_each(|&at| values.number(at.into()));
            values.number(found.stats.tests);
            let result = bodies.sweep(&footprint, end, &BodyFilter::ALL, &mut contacts);
            values.number(result.is_ok().into());
            for contact in contacts.list() {
                values.number(contact.index.into());
                values.number(contact.enter.to_bits());
                values.number(contact.leave.to_bits());
            }
            let limit = Fixed::from_raw(5_000);
            let result = bodies.nearest(end, 7, limit, &BodyFilter::ALL, &mut nearest);
            values.number(result.is_ok().into());
            nearest.indices().for_each(|at| values.number(at.into()));
        }
        if let Ok(ranges) = Ranges::new(&ranges) {
            bodies.pairs(&ranges, &mut scratch, |pair| {
                values.number(u64::from(pair.low) << 32 | u64::from(pair.high));
            });
        }
        sensors.update(
            &bodies,
            |query| query.to.x < Fixed::from_raw(8_000),
            &mut events,
        );
    }
    for event in events {
        values.number(event.sensor.to_bits());
        values.number(event.body.to_bits());
        values.take(&event.kind);
    }
}

/// The neighbor lists of all bodies, for points alone and with large bodies among them.
pub(super) fn neighbors(values: &mut Values) {
    let mut rng = Rng::new(90);
    let mut scratch = NeighborLists::default();
    for wide_of_20 in [0, 5] {
        let mut bodies = BodySet::new(Fixed::from_raw(700));
        let mut ids = Vec::new();
        for index in 0..400 {
            let is_wide = index % 20 < wide_of_20;
            let outline = if is_wide {
                BodyShape::Disc {
                    radius: Fixed::from_raw(rng.between(1, 2_000)),
                }
            } else {
                BodyShape::Point
            };
            let body = Body {
                shape: outline,
                team: u8::from(index % 3 == 0),
                ..Body::at(some_point(&mut rng))
            };
            ids.extend(bodies.register(&body));
        }
        for id in ids.iter().step_by(17) {
            values.number(bodies.unregister(*id).is_ok().into());
        }
        let ours = BodyFilter {
            teams: Teams::only(1),
            ..BodyFilter::ALL
        };
        for _ in 0..3 {
            let to: Vec<Point2> = (0..400).map(|_| some_point(&mut rng)).collect();
            values.number(bodies.move_all(&to).is_ok().into());
            for (range, sources) in [(500, BodyFilter::ALL), (1_500, ours)] {
                let range = Fixed::from_raw(range);
                let all = BodyFilter::ALL;
                let visit = |body_id: u32, near: &[u32]| {
                    values.number(body_id.into());
                    values.number(near.len() as u64);
                    near.iter().for_each(|&at| values.number(at.into()));
                };
                let result = bodies.neighbors(range, &sources, &all, &mut scratch, visit);
                values.number(result.is_ok().into());
                values.number(scratch.stats.tests);
            }
        }
    }
}

/// Fields of view and lines of sight on random grids.
pub(super) fn sight(values: &mut Values) {
    let mut rng = Rng::new(89);
    let rect = Rect {
        low: Column::new(-40, -40),
        high: Column::new(39, 39),
    };
    let mut fov = FieldOfView::default();
    for percent in [1, 5, 20] {
        let mut grid = OpacityGrid::open(rect);
        for column in rect.columns() {
            grid.set_opaque(column, rng.chance(percent, 100));
        }
        for _ in 0..20 {
            let mut at = || Column::new(rng.between(-40, 39), rng.between(-40, 39));
            let (from, to) = (at(), at());
            values.number(grid.has_line_of_sight(from, to).into());
            fov.compute(&grid, from, 30);
            for column in fov.columns() {
                values.signed(column.x.into());
                values.signed(column.y.into());
            }
        }
    }
}
