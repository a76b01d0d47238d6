//! Flyers in the open and around solids, each tick checked.

use wayfarer_base::Voxel;
use wayfarer_world::air::AirBuilder;

use super::*;

struct Scene {
    air: Air,
    flock: Flock,
    flyers: Vec<CrowdAgentId>,
}

impl Scene {
    fn new(side: u32, solids: &[(Voxel, Voxel)]) -> Self {
        let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [side; 3]).expect("bounds");
        for (low, high) in solids {
            builder.add_box(*low, *high).expect("within bounds");
        }
        Self {
            air: builder.build().expect("air"),
            flock: Flock::new(CrowdOptions::default()).expect("valid options"),
            flyers: Vec::new(),
        }
    }

    fn add(&mut self, flight: &[Vec3]) {
        let flyer = self.flock.add(&self.air, Flyer::DEFAULT, flight[0]);
        let flyer = flyer.expect("room for a flyer");
        self.flock
            .set_flight(flyer, flight.into())
            .expect("a flight");
        self.flyers.push(flyer);
    }

    /// Ticks until all have arrived; panics beyond the limit, in a solid or at too much overlap.
    fn run(&mut self, max_ticks: u32) -> u32 {
        for tick in 1..=max_ticks {
            self.flock.tick(&self.air);
            let at: Vec<Vec3> = self
                .flyers
                .iter()
                .filter_map(|id| self.flock.position(*id))
                .collect();
            for (index, one) in at.iter().enumerate() {
                assert!(
                    fits(&self.air, *one, 0.4),
                    "tick {tick}: {one:?} in a solid"
                );
                for other in &at[..index] {
                    let distance = (*one - *other).length();
                    assert!(
                        distance >= 0.8 - 0.4 * 0.05 - 1e-9,
                        "tick {tick}: {distance}"
                    );
                }
            }
            let is_there = |id: &CrowdAgentId| self.flock.state(*id) == Some(AgentState::Arrived);
            if self.flyers.iter().all(is_there) {
                return tick;
            }
        }
        panic!("not all arrived in {max_ticks} ticks");
    }
}

/// Points on a ball by a spiral of steps, exactly opposite ones in pairs.
fn ball(n: u32, radius: f64) -> Vec<Vec3> {
    let mut rng = wayfarer_base::Rng::new(3);
    let mut points: Vec<Vec3> = Vec::new();
    while points.len() < n as usize {
        let mut at = || f64::from(rng.below(2_001)) / 1_000.0 - 1.0;
        let Some(out) = Vec3::new(at(), at(), at()).normalized() else {
            continue;
        };
        let out = (out * radius).rounded();
        if points
            .iter()
            .all(|other| (*other - out).length() > 1.0 && (*other + out).length() > 1.0)
        {
            points.extend([out, -out]);
        }
    }
    points
}

#[test]
fn flyers_exchange_places_on_a_ball() {
    for (n, radius) in [(2, 6.0), (8, 6.0), (60, 10.0)] {
        let mut scene = Scene::new(32, &[]);
        let center = Vec3::new(16.0, 16.0, 16.0);
        for at in ball(n, radius) {
            scene.add(&[center + at, center - at]);
        }
        let ticks = scene.run(1_200);
        assert!(
            f64::from(ticks) <= 2.0 * 2.0 * radius / 3.0 * 30.0,
            "{n}: {ticks}"
        );
    }
}

#[test]
fn flyers_that_meet_straight_above_each_other_pass() {
    let mut scene = Scene::new(16, &[]);
    let (low, high) = (Vec3::new(8.0, 8.0, 2.0), Vec3::new(8.0, 8.0, 14.0));
    scene.add(&[low, high]);
    scene.add(&[high, low]);
    scene.run(400);
}

#[test]
fn a_stream_passes_a_window_and_settles_at_one_goal() {
    // A wall with a window of two by two voxels.
    let wall = |low: [i32; 3], high: [i32; 3]| {
        (
            Voxel::new(low[0], low[1], low[2]),
            Voxel::new(high[0], high[1], high[2]),
        )
    };
    let solids = [
        wall([15, 0, 0], [15, 14, 31]),
        wall([15, 17, 0], [15, 31, 31]),
        wall([15, 15, 0], [15, 16, 14]),
        wall([15, 15, 17], [15, 16, 31]),
    ];
    let mut scene = Scene::new(32, &solids);
    let before = Vec3::new(14.0, 16.0, 16.0);
    let behind = Vec3::new(17.0, 16.0, 16.0);
    let goal = Vec3::new(26.0, 16.0, 16.0);
    for index in 0..24_u32 {
        let (row, column) = (f64::from(index % 6), f64::from(index / 6));
        let from = Vec3::new(4.0 + column, 12.0 + row * 1.5, 10.0 + column * 3.0);
        scene.add(&[from, before, behind, goal]);
    }
    scene.run(2_000);
    // Nothing moves at rest.
    let at: Vec<Option<Vec3>> = scene
        .flyers
        .iter()
        .map(|id| scene.flock.position(*id))
        .collect();
    for _ in 0..30 {
        scene.flock.tick(&scene.air);
    }
    assert!(
        scene
            .flyers
            .iter()
            .zip(&at)
            .all(|(id, at)| scene.flock.position(*id) == *at)
    );
}

#[test]
fn threads_and_saving_change_nothing() {
    let mut scene = Scene::new(48, &[]);
    let center = Vec3::new(24.0, 24.0, 24.0);
    for at in ball(150, 20.0) {
        scene.add(&[center + at, center - at]);
    }
    let mut threaded = scene.flock.clone();
    threaded.set_threads(8);
    for tick in 0..200 {
        scene.flock.tick(&scene.air);
        threaded.tick(&scene.air);
        if tick == 100 {
            let mut bytes = Vec::new();
            threaded.save(&mut bytes);
            let mut rest = &bytes[..];
            threaded = Flock::load(&mut rest, CrowdOptions::default()).expect("a flock");
            assert!(rest.is_empty());
            for end in 0..bytes.len() {
                assert!(Flock::load(&mut &bytes[..end], CrowdOptions::default()).is_err());
            }
        }
    }
    assert_eq!(scene.flock.state_hash(), threaded.state_hash());
}

#[test]
fn a_solid_displaces_a_flyer_and_bad_numbers_are_refused() {
    let mut scene = Scene::new(16, &[]);
    scene.add(&[Vec3::new(8.5, 8.5, 8.5)]);
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [16; 3]).expect("bounds");
    builder
        .add_box(Voxel::new(7, 7, 7), Voxel::new(9, 9, 9))
        .expect("within");
    scene.air = builder.build().expect("air");
    scene.flock.invalidate();
    let displaced = CrowdEvent::Displaced(scene.flyers[0]);
    assert!(scene.flock.tick(&scene.air).contains(&displaced));
    let at = scene.flock.position(scene.flyers[0]).expect("a flyer");
    assert!(fits(&scene.air, at, 0.4), "{at:?}");
    let refused = scene
        .flock
        .add(&scene.air, Flyer::DEFAULT, Vec3::new(8.5, 8.5, 8.5));
    assert!(matches!(refused, Err(CrowdError::DoesNotFit { .. })));
    let fast = Flyer {
        max_speed: 90.0,
        ..Flyer::DEFAULT
    };
    let refused = scene.flock.add(&scene.air, fast, Vec3::new(2.5, 2.5, 2.5));
    assert!(matches!(refused, Err(CrowdError::OutOfRange { .. })));
}
