//! Scenarios in the open and between walls, each checked after every tick.

use wayfarer_base::Raster;

use super::*;

fn open_ground(width: u32, height: u32) -> Ground {
    let bytes = vec![0; (width * height) as usize];
    Ground::from_raster(&Raster::from_bytes(width, height, bytes).expect("a raster"))
}

fn ground_of(rows: &[String]) -> Ground {
    Ground::from_raster(&wayfarer_testkit::ascii::raster(&rows.join("\n")))
}

fn point(at: Vec2) -> RoutePoint {
    RoutePoint {
        at,
        cell: Cell::flat(floor(at.x), floor(at.y)),
        next: RouteStep::Walk,
    }
}

/// A crowd on a ground, each agent with a route from its place over some points.
struct Scene {
    ground: Ground,
    crowd: Crowd,
    agents: Vec<CrowdAgentId>,
}

/// What a scene came to.
#[derive(Debug)]
struct Outcome {
    n_arrived: usize,
    n_ticks: u32,
    /// As a share of the smaller radius.
    max_overlap: f64,
}

impl Scene {
    fn new(ground: Ground) -> Self {
        let crowd = Crowd::new(CrowdOptions::default()).expect("valid options");
        Self {
            ground,
            crowd,
            agents: Vec::new(),
        }
    }

    fn add(&mut self, route: &[Vec2]) {
        let route: Vec<RoutePoint> = route.iter().map(|at| point(*at)).collect();
        let (at, cell) = (route[0].at, route[0].cell);
        let agent = self.crowd.add(&self.ground, CrowdAgent::DEFAULT, at, cell);
        let agent = agent.expect("room for an agent");
        self.crowd.set_route(agent, route.into()).expect("a route");
        self.agents.push(agent);
    }

    fn positions(&self) -> Vec<Vec2> {
        let position = |id: &CrowdAgentId| self.crowd.position(*id).expect("in the crowd");
        self.agents.iter().map(position).collect()
    }

    /// Ticks until all have arrived, or the limit.
    fn run(&mut self, max_ticks: u32) -> Outcome {
        let mut max_overlap: f64 = 0.0;
        for n_ticks in 1..=max_ticks {
            self.crowd.tick(&self.ground);
            max_overlap = max_overlap.max(self.overlap());
            self.check_walls();
            let n_arrived = self.n_arrived();
            if n_arrived == self.agents.len() || n_ticks == max_ticks {
                return Outcome {
                    n_arrived,
                    n_ticks,
                    max_overlap,
                };
            }
        }
        unreachable!("the last tick returns")
    }

    fn n_arrived(&self) -> usize {
        let agents = self.agents.iter();
        agents
            .filter(|id| self.crowd.state(**id) == Some(AgentState::Arrived))
            .count()
    }

    fn overlap(&self) -> f64 {
        let at = self.positions();
        let radius = CrowdAgent::DEFAULT.radius;
        let mut sorted: Vec<usize> = (0..at.len()).collect();
        sorted.sort_by(|a, b| at[*a].x.total_cmp(&at[*b].x));
        let mut worst: f64 = 0.0;
        for (rank, a) in sorted.iter().enumerate() {
            for b in &sorted[rank + 1..] {
                if at[*b].x - at[*a].x > 2.0 * radius {
                    break;
                }
                worst = worst.max(2.0 * radius - (at[*a] - at[*b]).length());
            }
        }
        worst / radius
    }

    /// No disc overlaps a square without a floor.
    fn check_walls(&self) {
        let radius = CrowdAgent::DEFAULT.radius;
        for at in self.positions() {
            for y in floor(at.y - radius)..=floor(at.y + radius) {
                for x in floor(at.x - radius)..=floor(at.x + radius) {
                    let low = Vec2::new(f64::from(x), f64::from(y));
                    let nearest = Vec2::new(
                        at.x.clamp(low.x, low.x + 1.0),
                        at.y.clamp(low.y, low.y + 1.0),
                    );
                    let is_inside = (at - nearest).length() < radius - 1e-5;
                    let is_floor = self.ground.node(Cell::flat(x, y)).is_some();
                    assert!(
                        is_floor || !is_inside,
                        "a disc at {at:?} is inside ({x}, {y})"
                    );
                }
            }
        }
    }
}

/// Points on a circle, without trigonometry: by turning a vector step by step.
fn circle(n: u32, radius: f64, center: Vec2) -> Vec<Vec2> {
    let angle = std::f64::consts::TAU / f64::from(n);
    let (sin, cos) = angle.sin_cos();
    let mut arm = Vec2::new(radius, 0.0);
    (0..n)
        .map(|_| {
            let at = center + arm;
            arm = Vec2::new(arm.x * cos - arm.y * sin, arm.x * sin + arm.y * cos);
            at
        })
        .collect()
}

fn exchange(n: u32, radius: f64) -> Outcome {
    let size = 2 * (floor(radius).cast_unsigned() + 4);
    let mut scene = Scene::new(open_ground(size, size));
    let center = Vec2::new(f64::from(size) / 2.0, f64::from(size) / 2.0);
    for at in circle(n, radius, center) {
        scene.add(&[at, center + (center - at)]);
    }
    scene.run(4_000)
}

#[test]
fn symmetric_circles_exchange() {
    for (n, radius) in [(2, 6.0), (4, 6.0), (8, 8.0), (100, 24.0)] {
        let outcome = exchange(n, radius);
        assert_eq!(outcome.n_arrived, n as usize, "circle of {n}: {outcome:?}");
        assert!(
            outcome.max_overlap <= 0.05 + 1e-9,
            "circle of {n}: {outcome:?}"
        );
        let unobstructed = 2.0 * radius / CrowdAgent::DEFAULT.max_speed * 30.0;
        assert!(
            f64::from(outcome.n_ticks) <= 2.5 * unobstructed,
            "circle of {n}: {outcome:?}"
        );
    }
}

#[test]
fn a_corridor_carries_both_directions() {
    // 100 against 100; in two cells the streams just fit beside each other.
    for (width, n, seed) in [
        (4, 100_u32, 5),
        (3, 100, 5),
        (2, 100, 5),
        (2, 100, 6),
        (2, 24, 5),
    ] {
        let rows = vec![".".repeat(240); width];
        let mut scene = Scene::new(ground_of(&rows));
        let mut rng = wayfarer_base::Rng::new(seed);
        let room = u32::try_from(width).expect("small") * 100 - 99;
        for index in 0..n {
            let from = f64::from(index * (100 / n));
            let mut y = || 0.5 + f64::from(rng.below(room)) / 100.0;
            let (a, b) = (y(), y());
            scene.add(&[Vec2::new(2.0 + from, a), Vec2::new(138.0 + from, a)]);
            scene.add(&[Vec2::new(138.0 + from, b), Vec2::new(2.0 + from, b)]);
        }
        let outcome = scene.run(4_000);
        let n_agents = scene.agents.len();
        assert_eq!(outcome.n_arrived, n_agents, "width {width}: {outcome:?}");
        assert!(
            outcome.max_overlap <= 0.05 + 1e-9,
            "width {width}: {outcome:?}"
        );
    }
}

#[test]
fn an_agent_that_rests_in_the_middle_of_a_corridor_steps_aside() {
    let mut scene = Scene::new(open_ground(20, 2));
    scene.add(&[Vec2::new(10.0, 1.0)]);
    scene.add(&[Vec2::new(2.0, 1.0), Vec2::new(18.0, 1.0)]);
    let outcome = scene.run(900);
    assert_eq!(outcome.n_arrived, 2, "{outcome:?}");
}

#[test]
fn agents_settle_before_the_door_of_a_full_room() {
    let row = |y: usize| {
        let wall = if y == 3 { "." } else { "#" };
        match y {
            0 | 6 => format!("{}#######", ".".repeat(16)),
            _ => format!("{}{wall}.....#", ".".repeat(16)),
        }
    };
    let mut scene = Scene::new(ground_of(&(0..7).map(row).collect::<Vec<_>>()));
    for index in 0..50 {
        let (column, row) = (f64::from(index / 5), f64::from(index % 5));
        let from = Vec2::new(1.0 + column * 1.2, 1.0 + row * 1.2);
        let (door, goal) = (Vec2::new(17.5, 3.5), Vec2::new(19.5, 3.5));
        scene.add(&[from, door, goal]);
    }
    let outcome = scene.run(4_000);
    assert_eq!(outcome.n_arrived, 50, "{outcome:?}");
}

#[test]
fn agents_pass_a_gate_of_one_cell() {
    // The last of 300 start 24 columns from the gate.
    for (n, side) in [(60_u32, 20_u32), (300, 28)] {
        let gate = side / 2;
        let mut rows = vec![".".repeat(4 * side as usize); side as usize];
        for (y, row) in (0..).zip(&mut rows) {
            if y != gate {
                row.replace_range(side as usize..=side as usize, "#");
            }
        }
        let mut scene = Scene::new(ground_of(&rows));
        let before = Vec2::new(f64::from(side) - 0.5, f64::from(gate) + 0.5);
        let behind = before + Vec2::new(2.0, 0.0);
        let (n_rows, n_far) = (side * 4 / 5 - 2, side / 2 - 1);
        for index in 0..n {
            let (column, row) = (f64::from(index / n_rows), f64::from(index % n_rows));
            let from = Vec2::new(f64::from(side) - 2.0 - column * 1.4, 1.0 + row * 1.25);
            // The first to come through go farthest.
            let (column, row) = (f64::from(index / n_far), f64::from(index % n_far));
            let to = Vec2::new(f64::from(4 * side) - 1.5 - column * 2.0, 1.0 + row * 2.0);
            scene.add(&[from, before, behind, to]);
        }
        let outcome = scene.run(n * 24 + 2_000);
        assert_eq!(outcome.n_arrived, n as usize, "{outcome:?}");
        assert!(outcome.max_overlap <= 0.05 + 1e-9, "{outcome:?}");
    }
}

#[test]
fn agents_pass_a_corner_and_doors_of_two_cells_side_by_side() {
    // All routes lead over the same corners; there is room beside them.
    for (n_open, n) in [(2, 60_u32), (6, 60)] {
        let mut rows = vec![".".repeat(60); 18];
        for row in &mut rows[n_open..] {
            row.replace_range(20..21, "#");
        }
        let mut scene = Scene::new(ground_of(&rows));
        let corner = f64::from(u32::try_from(n_open).expect("small")) - 0.42;
        for index in 0..n {
            let (column, row) = (f64::from(index / 12), f64::from(index % 12));
            let from = Vec2::new(2.0 + column * 1.3, 1.0 + row * 1.3);
            let to = Vec2::new(58.0 - column * 2.0, 1.0 + row * 1.3);
            let (before, behind) = (Vec2::new(19.58, corner), Vec2::new(21.42, corner));
            scene.add(&[from, before, behind, to]);
        }
        let outcome = scene.run(3_000);
        assert_eq!(outcome.n_arrived, 60, "{n_open} open: {outcome:?}");
        assert!(outcome.max_overlap <= 0.05 + 1e-9, "{outcome:?}");
    }
}

#[test]
fn agents_that_share_a_goal_settle_around_it() {
    let mut scene = Scene::new(open_ground(30, 30));
    for at in circle(30, 10.0, Vec2::new(15.0, 15.0)) {
        scene.add(&[at, Vec2::new(15.0, 15.0)]);
    }
    let outcome = scene.run(1_500);
    assert_eq!(outcome.n_arrived, 30, "{outcome:?}");
    // Those that made room for the last come to rest.
    for _ in 0..60 {
        scene.crowd.tick(&scene.ground);
    }
    let resting = scene.positions();
    for _ in 0..30 {
        scene.crowd.tick(&scene.ground);
    }
    assert_eq!(scene.positions(), resting, "no agent moves at rest");
}

#[test]
fn equal_crowds_stay_equal_and_ids_are_not_reused() {
    let mut scene = Scene::new(open_ground(20, 20));
    for at in circle(12, 6.0, Vec2::new(10.0, 10.0)) {
        scene.add(&[at, Vec2::new(20.0, 20.0) - at]);
    }
    let mut twin = scene.crowd.clone();
    for _ in 0..100 {
        scene.crowd.tick(&scene.ground);
        twin.tick(&scene.ground);
    }
    assert_eq!(scene.crowd.state_hash(), twin.state_hash());
    let gone = scene.agents[3];
    twin.remove(gone).expect("in the crowd");
    assert_eq!(twin.remove(gone), Err(CrowdError::UnknownAgent));
    let at = Vec2::new(0.5, 0.5);
    let new = twin.add(&scene.ground, CrowdAgent::DEFAULT, at, Cell::flat(0, 0));
    assert_ne!(new, Ok(gone));
}

#[test]
fn bad_numbers_and_places_are_refused() {
    let ground = open_ground(4, 4);
    let mut crowd = Crowd::new(CrowdOptions::default()).expect("valid options");
    let wide = CrowdAgent {
        radius: f64::NAN,
        ..CrowdAgent::DEFAULT
    };
    let (at, cell) = (Vec2::new(1.5, 1.5), Cell::flat(1, 1));
    let refused = crowd.add(&ground, wide, at, cell);
    assert!(matches!(
        refused,
        Err(CrowdError::OutOfRange {
            what: "the radius",
            ..
        })
    ));
    for at in [
        Vec2::new(0.2, 1.5),
        Vec2::new(f64::NAN, 1.5),
        Vec2::new(9.5, 1.5),
    ] {
        let refused = crowd.add(&ground, CrowdAgent::DEFAULT, at, cell);
        assert!(
            matches!(refused, Err(CrowdError::DoesNotFit { .. })),
            "{at:?}"
        );
    }
    let options = CrowdOptions {
        horizon: 0.0,
        ..CrowdOptions::default()
    };
    assert!(Crowd::new(options).is_err());
}
