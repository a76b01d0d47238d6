use super::*;
use wayfarer_base::Rng;

fn random_lines(rng: &mut Rng, n: usize) -> Lines {
    let unit = |rng: &mut Rng| f64::from(rng.below(2_001)) / 1_000.0 - 1.0;
    let mut lines = Lines::default();
    for _ in 0..n {
        let direction = Vec2::new(unit(rng), unit(rng)).normalized();
        lines.push(Line {
            point: Vec2::new(unit(rng), unit(rng)),
            direction: direction.unwrap_or(Vec2::new(1.0, 0.0)),
        });
    }
    lines
}

/// The best of a lattice of velocities.
fn on_a_lattice(lines: &Lines, preferred: Vec2) -> Option<f64> {
    let steps = -100..=100;
    let all = steps
        .clone()
        .flat_map(|x| steps.clone().map(move |y| (x, y)));
    let velocities = all.map(|(x, y)| Vec2::new(f64::from(x) / 100.0, f64::from(y) / 100.0));
    velocities
        .filter(|v| v.length() <= 1.0)
        .filter(|v| {
            lines
                .as_slice()
                .iter()
                .all(|line| line.violation(*v) <= 0.0)
        })
        .map(|v| (v - preferred).length())
        .reduce(f64::min)
}

#[test]
fn the_solution_is_allowed_and_no_lattice_point_is_nearer() {
    let mut rng = Rng::new(7);
    let mut n_feasible = 0;
    for round in 0..400 {
        let lines = random_lines(&mut rng, 1 + round % 6);
        let preferred = Vec2::new(0.8, -0.3);
        let found = lines.solve(preferred, 1.0);
        assert!(found.length() <= 1.0 + 1e-9, "round {round}: {found:?}");
        let Some(best) = on_a_lattice(&lines, preferred) else {
            continue;
        };
        n_feasible += 1;
        let worst = lines.as_slice().iter().map(|line| line.violation(found));
        assert!(worst.fold(0.0, f64::max) <= 1e-9, "round {round}");
        assert!((found - preferred).length() <= best + 1e-9, "round {round}");
    }
    assert!(n_feasible > 150, "{n_feasible}");
}

#[test]
fn walls_are_kept_when_neighbors_leave_no_choice() {
    let mut lines = Lines::default();
    // Not north of the wall, and neighbors that push north and south.
    let west = Vec2::new(-1.0, 0.0);
    lines.push_wall(Line {
        point: Vec2::ZERO,
        direction: Vec2::new(1.0, 0.0),
    });
    lines.push(Line {
        point: Vec2::new(0.0, -0.6),
        direction: west,
    });
    let found = lines.solve(Vec2::new(0.5, -0.5), 1.0);
    assert!(found.y >= -1e-12, "{found:?}");
}

#[test]
fn two_agents_head_on_that_take_half_each_pass() {
    let a = MovingDisc {
        position: Vec2::new(0.0, 0.0),
        velocity: Vec2::new(1.0, 0.0),
        radius: 0.5,
    };
    let b = MovingDisc {
        position: Vec2::new(4.0, 0.1),
        velocity: Vec2::new(-1.0, 0.0),
        radius: 0.5,
    };
    let velocity = |agent: &MovingDisc, other: &MovingDisc| {
        let mut lines = Lines::default();
        lines.push(line_between(agent, other, 0.5, (4.0, 0.1)));
        lines.solve(agent.velocity, 1.0)
    };
    let (va, vb) = (velocity(&a, &b), velocity(&b, &a));
    let apart = |t: f64| (a.position + va * t - b.position - vb * t).length();
    let nearest = (0..=40).map(|t| apart(f64::from(t) / 10.0));
    assert!(nearest.fold(f64::MAX, f64::min) >= 1.0 - 1e-9);
}
