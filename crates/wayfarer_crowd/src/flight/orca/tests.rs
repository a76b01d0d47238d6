use super::*;

fn random(rng: &mut wayfarer_base::Rng) -> Vec3 {
    let mut at = || f64::from(rng.below(2_001)) / 1_000.0 - 1.0;
    Vec3::new(at(), at(), at())
}

/// The best of many velocities of the ball that no plane excludes.
fn sampled(planes: &[Plane], preferred: Vec3) -> Option<f64> {
    let steps = || (-20..=20).map(|step| f64::from(step) / 20.0);
    let all =
        steps().flat_map(|x| steps().flat_map(move |y| steps().map(move |z| Vec3::new(x, y, z))));
    let allowed = all
        .filter(|at| at.length() <= 1.0 && planes.iter().all(|plane| plane.violation(*at) <= 0.0));
    allowed
        .map(|at| (at - preferred).length())
        .min_by(f64::total_cmp)
}

#[test]
fn the_chosen_velocity_is_allowed_and_no_sample_is_nearer() {
    let mut rng = wayfarer_base::Rng::new(7);
    let mut n_feasible = 0;
    for case in 0..300 {
        let n = 1 + case % 6;
        let planes: Vec<Plane> = (0..n)
            .filter_map(|_| {
                let (point, normal) = (random(&mut rng) * 0.7, random(&mut rng).normalized()?);
                Some(Plane { point, normal })
            })
            .collect();
        let preferred = random(&mut rng).clamped(1.0);
        let chosen = solve(&planes, preferred, 1.0);
        assert!(chosen.length() <= 1.0 + 1e-9, "case {case}");
        if let Some(best) = sampled(&planes, preferred) {
            n_feasible += 1;
            let violation = planes.iter().map(|plane| plane.violation(chosen));
            assert!(violation.fold(0.0, f64::max) < 1e-6, "case {case}");
            let distance = (chosen - preferred).length();
            assert!(distance <= best + 1e-6, "case {case}: {distance} {best}");
        }
    }
    assert!(n_feasible > 100, "{n_feasible}");
}

#[test]
fn if_nothing_is_allowed_the_largest_violation_is_as_small_as_a_sample_s() {
    let mut rng = wayfarer_base::Rng::new(8);
    let mut n_infeasible = 0;
    for case in 0..200 {
        let planes: Vec<Plane> = (0..8)
            .filter_map(|_| {
                let normal = random(&mut rng).normalized()?;
                // In half of the cases all planes are equally far: their bisectors meet in a point.
                let distance = match case % 2 {
                    0 => 0.4,
                    _ => 0.3 + random(&mut rng).x * 0.1,
                };
                Some(Plane {
                    point: normal * distance,
                    normal,
                })
            })
            .collect();
        if sampled(&planes, Vec3::ZERO).is_some() {
            continue;
        }
        n_infeasible += 1;
        let worst = |at: Vec3| {
            planes
                .iter()
                .map(|plane| plane.violation(at))
                .fold(0.0, f64::max)
        };
        let chosen = solve(&planes, Vec3::ZERO, 1.0);
        for _ in 0..200 {
            let sample = random(&mut rng).clamped(1.0);
            assert!(
                worst(chosen) <= worst(sample) + 1e-6,
                "case {case}: {} {}",
                worst(chosen),
                worst(sample)
            );
        }
    }
    assert!(n_infeasible > 50, "{n_infeasible}");
}

#[test]
fn a_pair_that_takes_the_planes_does_not_collide() {
    let mut rng = wayfarer_base::Rng::new(9);
    for case in 0..500 {
        let ball = |position: Vec3, rng: &mut wayfarer_base::Rng| MovingBall {
            position,
            velocity: random(rng),
            radius: 0.4,
        };
        let one = ball(Vec3::ZERO, &mut rng);
        let other = ball(random(&mut rng) * 4.0, &mut rng);
        if other.position.length() < 0.9 {
            continue;
        }
        let a = plane_between(&one, &other, 0.5, (2.0, 0.1));
        let b = plane_between(&other, &one, 0.5, (2.0, 0.1));
        let velocities = [
            solve(&[a], one.velocity, 10.0),
            solve(&[b], other.velocity, 10.0),
        ];
        let relative = velocities[1] - velocities[0];
        for step in 0..=40 {
            let at = other.position + relative * (f64::from(step) / 20.0);
            assert!(at.length() >= 0.8 - 1e-6, "case {case}, step {step}");
        }
    }
}
