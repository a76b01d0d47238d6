use wayfarer_base::{Fixed, Point2, Point3, Rng};

use super::super::{Body, BodyFilter, BodyId, BodySet, BodyShape, Contacts, SegmentOcclusion};

/// The same by sweeping a point along the segment past all bodies.
fn is_occluded_by_sweep(
    bodies: &BodySet,
    (from, to): (Point3, Point3),
    excluded: &[BodyId],
) -> bool {
    let mut contacts = Contacts::default();
    let flat = |point: Point3| Point2::new(point.x, point.y);
    let none = Fixed::default();
    bodies
        .sweep_disc(flat(from), flat(to), none, &BodyFilter::ALL, &mut contacts)
        .unwrap();
    contacts.ids(bodies).any(|(id, contact)| {
        let body = bodies.body(id).unwrap();
        let rise = f64::from(to.z.raw() - from.z.raw());
        let at = |time: f64| f64::from(from.z.raw()) + time * rise;
        let (a, b) = (at(contact.enter), at(contact.leave));
        let (feet, top) = (body.z.raw(), body.z.raw() + body.height.raw());
        !excluded.contains(&id)
            && body.shape != BodyShape::Point
            && a.min(b) <= f64::from(top)
            && a.max(b) >= f64::from(feet)
    })
}

#[test]
fn segments_are_occluded_as_by_a_sweep_past_all_bodies() {
    let mut n_occluded = 0;
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let side = 256 * if seed % 2 == 0 { 12 } else { 80 };
        let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
        let ids: Vec<BodyId> = (0..60)
            .map(|number| {
                let size = Fixed::from_raw(rng.between(1, if number == 0 { 3000 } else { 200 }));
                let shape = match number % 5 {
                    0 => BodyShape::Box {
                        half_x: size,
                        half_y: Fixed::from_raw(rng.between(1, 200)),
                    },
                    1 => BodyShape::Point,
                    _ => BodyShape::Disc { radius: size },
                };
                let body = Body {
                    shape,
                    z: Fixed::from_raw(rng.between(-512, 512)),
                    height: Fixed::from_raw(rng.between(0, 700)),
                    ..Body::at(Point2::from_raw(rng.between(0, side), rng.between(0, side)))
                };
                bodies.register(&body).unwrap()
            })
            .collect();
        for _ in 0..600 {
            let mut point = || {
                let at = bodies.body(*rng.pick(&ids).unwrap()).unwrap().position;
                Point3 {
                    x: Fixed::from_raw(at.x.raw() + rng.between(-300, 300) * rng.between(0, 1)),
                    y: Fixed::from_raw(at.y.raw() + rng.between(-300, 300) * rng.between(0, 1)),
                    z: Fixed::from_raw(rng.between(-600, 1000)),
                }
            };
            let (from, to) = (point(), point());
            let from = if (from.y, from.x, from.z) <= (to.y, to.x, to.z) {
                (from, to)
            } else {
                (to, from)
            };
            let (from, to) = from;
            let excluded = [*rng.pick(&ids).unwrap(), *rng.pick(&ids).unwrap()];
            let expected = is_occluded_by_sweep(&bodies, (from, to), &excluded);
            n_occluded += usize::from(expected);
            for line in [(from, to), (to, from)] {
                let occluded = bodies.is_segment_occluded(line, &BodyFilter::ALL, &excluded);
                assert_eq!(occluded, Ok(expected), "{line:?}");
            }
            let target = Point2::new(to.x, to.y);
            let high = Fixed::from_raw(to.z.raw() + 300);
            let segment = (target, to.z, high);
            let occlusion = bodies.occlusion(from, segment, &BodyFilter::ALL, &excluded);
            for z in [to.z.raw(), to.z.raw() + 150, high.raw()] {
                let end = Point3 {
                    z: Fixed::from_raw(z),
                    ..to
                };
                let is_occluded =
                    bodies.is_segment_occluded((from, end), &BodyFilter::ALL, &excluded);
                match occlusion.unwrap() {
                    SegmentOcclusion::None => assert_eq!(is_occluded, Ok(false)),
                    SegmentOcclusion::Full => assert_eq!(is_occluded, Ok(true)),
                    SegmentOcclusion::Partial => {}
                }
            }
        }
    }
    assert!((1_000..4_000).contains(&n_occluded), "{n_occluded}");
}
