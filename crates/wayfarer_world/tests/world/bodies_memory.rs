//! Updates and queries of bodies do not allocate once warm.

use wayfarer_base::{Fixed, Point2, Rng};
use wayfarer_testkit::allocations::assert_none;
use wayfarer_world::bodies::{
    Body, BodyFilter, BodySet, Contacts, Footprint, Heading, Mount, NearestHits, NeighborLists,
    PairScratch, QueryHits, Ranges, Sensor, Sensors,
};

fn random_point(rng: &mut Rng) -> Point2 {
    let mut at = || Fixed::from_raw(rng.between(0, 256 * 100));
    Point2::new(at(), at())
}

#[test]
fn warm_ticks_and_queries_do_not_allocate() {
    let mut rng = Rng::new(3);
    let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
    for _ in 0..2_000 {
        bodies.register(&Body::at(random_point(&mut rng))).unwrap();
    }
    let positions: Vec<Point2> = (0..2_000).map(|_| random_point(&mut rng)).collect();
    let others: Vec<Point2> = (0..2_000).map(|_| random_point(&mut rng)).collect();
    let ranges = vec![Fixed::from_raw(256); 2_000];
    let ranges = Ranges::new(&ranges).unwrap();
    let (mut hits, mut nearest) = (QueryHits::default(), NearestHits::default());
    let mut scratch = PairScratch::default();
    let mut tick = |positions: &[Point2]| {
        bodies.move_all(positions).unwrap();
        let radius = Fixed::from_raw(20 * 256);
        for &position in positions {
            let circle = Footprint::circle(position, radius);
            let wedge = Footprint::wedge(position, radius, Heading::EAST, 0.8);
            bodies.find(&circle, &BodyFilter::ALL, &mut hits).unwrap();
            bodies.find(&wedge, &BodyFilter::ALL, &mut hits).unwrap();
            bodies
                .nearest(position, 5, radius, &BodyFilter::ALL, &mut nearest)
                .unwrap();
        }
        let mut n_pairs = 0;
        bodies.pairs(&ranges, &mut scratch, |_| n_pairs += 1);
        assert!(n_pairs > 0);
    };
    for _ in 0..3 {
        tick(&positions);
        tick(&others);
    }
    assert_none("a tick", || tick(&positions));
    assert_none("the next tick", || tick(&others));
}

/// Sensors of every kind, on bodies and at points.
fn random_sensors(rng: &mut Rng, bodies: &BodySet) -> Sensors {
    let mut sensors = Sensors::default();
    let radius = Fixed::from_raw(12 * 256);
    for number in 0..200 {
        let mount = if number % 3 == 0 {
            Mount::Point(random_point(rng))
        } else {
            Mount::Body(bodies.id_at(number).expect("all slots are used"))
        };
        let footprint = if number % 2 == 0 {
            Footprint::circle(Point2::default(), radius)
        } else {
            Footprint::wedge(Point2::default(), radius, Heading::EAST, 0.5)
        };
        let sensor = Sensor {
            is_continuous: number % 4 == 1,
            exit_margin: Fixed::from_raw(300),
            enter_delay: u16::from(number % 3 == 0),
            eye_height: (number % 5 == 0).then_some(Fixed::from_raw(256)),
            ..Sensor::new(mount, footprint)
        };
        sensors.add(sensor).expect("within the limits");
    }
    sensors
}

#[test]
fn warm_sweeps_and_sensors_do_not_allocate() {
    let mut rng = Rng::new(4);
    let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
    for _ in 0..1_000 {
        bodies.register(&Body::at(random_point(&mut rng))).unwrap();
    }
    let positions: Vec<Point2> = (0..1_000).map(|_| random_point(&mut rng)).collect();
    let others: Vec<Point2> = (0..1_000).map(|_| random_point(&mut rng)).collect();
    let mut sensors = random_sensors(&mut rng, &bodies);
    let (mut contacts, mut lists) = (Contacts::default(), NeighborLists::default());
    let mut events = Vec::new();
    let mut tick = |positions: &[Point2]| {
        bodies.move_all(positions).unwrap();
        let radius = Fixed::from_raw(5 * 256);
        for ends in positions.windows(2).take(100) {
            let wedge = Footprint::wedge(ends[0], radius, Heading::EAST, 0.8);
            bodies
                .sweep(&wedge, ends[1], &BodyFilter::ALL, &mut contacts)
                .unwrap();
            bodies
                .sweep_disc(ends[0], ends[1], radius, &BodyFilter::ALL, &mut contacts)
                .unwrap();
        }
        let (all, mut n_near) = (BodyFilter::ALL, 0);
        bodies
            .neighbors(radius, &all, &all, &mut lists, |_, near| {
                n_near += near.len();
            })
            .unwrap();
        events.clear();
        sensors.update(&bodies, |query| query.target.index() % 7 != 0, &mut events);
        assert!(n_near > 0 && !events.is_empty());
    };
    for _ in 0..4 {
        tick(&positions);
        tick(&others);
    }
    assert_none("a tick", || tick(&positions));
    assert_none("the next tick", || tick(&others));
}
