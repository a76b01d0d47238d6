//! Obstacle queries against testing every obstacle.

use wayfarer_base::{Aabb2, Fixed, Point2, Rng};
use wayfarer_testkit::point;

use super::*;

/// Random obstacles of mixed sizes, shapes and categories, some out of bounds.
struct RandomSet {
    obstacles: ObstacleSet,
    ids: Vec<ObstacleId>,
    rng: Rng,
    side: i32,
    largest: i32,
}

impl RandomSet {
    fn new(seed: u64, n_obstacles: u32) -> Self {
        let mut rng = Rng::new(seed);
        let side = rng.between(1, 40) * 6_400;
        let mut set = Self {
            obstacles: ObstacleSet::new(Aabb2 {
                low: point(-side, -side / 2),
                high: point(side, side / 2),
            })
            .unwrap(),
            ids: Vec::new(),
            largest: side / rng.between(1, 60) + 2,
            rng,
            side,
        };
        for _ in 0..n_obstacles {
            let obstacle = set.random_obstacle();
            let id = set.obstacles.edit().insert(&obstacle).unwrap();
            set.ids.push(id);
        }
        set
    }

    fn random_point(&mut self) -> Point2 {
        let (far, rng) = (self.side + self.side / 8, &mut self.rng);
        point(rng.between(-far, far), rng.between(-far / 2, far / 2))
    }

    fn random_obstacle(&mut self) -> Obstacle {
        let at = self.random_point();
        let rng = &mut self.rng;
        let max_size = if rng.chance(1, 4) {
            self.largest
        } else {
            self.largest / 16 + 2
        };
        let (width, height) = (rng.between(1, max_size), rng.between(1, max_size));
        let shape = if rng.chance(1, 3) {
            ObstacleShape::Disc {
                center: at,
                radius: Fixed::from_raw(width / 2 + 1),
            }
        } else {
            ObstacleShape::Box(Aabb2 {
                low: at,
                high: point(at.x.raw() + width, at.y.raw() + height),
            })
        };
        let categories =
            ObstacleCategories::from_bits(1 << rng.below(5) | u64::from(rng.chance(1, 3)) << 63);
        Obstacle { shape, categories }
    }

    fn random_categories(&mut self) -> ObstacleCategories {
        if self.rng.chance(1, 3) {
            ObstacleCategories::ALL
        } else {
            ObstacleCategories::from_bits(self.rng.next_u64() & self.rng.next_u64())
        }
    }

    /// Moves, replaces, removes and inserts random obstacles.
    fn random_edits(&mut self, n_edits: u32) {
        for _ in 0..n_edits {
            let point_to = self.random_point();
            let obstacle = self.random_obstacle();
            let which = self.rng.below(u32::try_from(self.ids.len()).unwrap()) as usize;
            let id = self.ids[which];
            let (dx, dy) = (self.rng.between(-900, 900), self.rng.between(-900, 900));
            let choice = self.rng.below(10);
            let mut batch = self.obstacles.edit();
            match choice {
                0 => {
                    batch.remove(id).unwrap();
                    assert_eq!(
                        batch.move_to(id, point_to),
                        Err(ObstacleError::UnknownObstacle { id })
                    );
                    self.ids[which] = batch.insert(&obstacle).unwrap();
                }
                1 => batch.set(id, &obstacle).unwrap(),
                2 => batch.move_to(id, point_to).unwrap(),
                _ => batch
                    .move_by(id, Fixed::from_raw(dx), Fixed::from_raw(dy))
                    .unwrap(),
            }
        }
    }
}

/// True if two obstacles share more than a border, by definition.
fn overlap_by_definition(a: &Obstacle, b: &Obstacle) -> bool {
    let corners = |obstacle: &Obstacle| match obstacle.shape {
        ObstacleShape::Box(Aabb2 { low, high }) => {
            [low.x.raw(), low.y.raw(), high.x.raw(), high.y.raw()].map(i128::from)
        }
        ObstacleShape::Disc { center, .. } => [
            center.x.raw(),
            center.y.raw(),
            center.x.raw(),
            center.y.raw(),
        ]
        .map(i128::from),
    };
    let radius = |obstacle: &Obstacle| match obstacle.shape {
        ObstacleShape::Box(_) => 0,
        ObstacleShape::Disc { radius, .. } => i128::from(radius.raw()),
    };
    let (p, q) = (corners(a), corners(b));
    let gap = |axis: usize| (q[axis] - p[axis + 2]).max(p[axis] - q[axis + 2]);
    let reach = radius(a) + radius(b);
    if reach == 0 {
        return gap(0) < 0 && gap(1) < 0;
    }
    let (x, y) = (gap(0).max(0), gap(1).max(0));
    x * x + y * y < reach * reach
}

fn check_all(set: &mut RandomSet, what: &str) {
    let all: Vec<(ObstacleId, Obstacle)> = set.obstacles.obstacles().collect();
    assert_eq!(all.len(), set.obstacles.len(), "{what}");
    let (categories, others) = (set.random_categories(), set.random_categories());
    let mut pairs = Vec::new();
    for (number, (a, first)) in all.iter().enumerate() {
        for (b, second) in &all[number + 1..] {
            let matches = first.categories.intersects(categories)
                && second.categories.intersects(others)
                || first.categories.intersects(others) && second.categories.intersects(categories);
            if matches && overlap_by_definition(first, second) {
                pairs.push((*a, *b));
            }
        }
    }
    let mut scratch = ObstaclePairScratch::default();
    assert_eq!(
        set.obstacles.pairs(categories, others, &mut scratch),
        pairs,
        "{what}: pairs"
    );
    let body_of = |id: ObstacleId| *set.obstacles.body(id).unwrap();
    let (low, high) = (set.obstacles.low, set.obstacles.high);
    pairs.retain(|(a, b)| {
        let (a, b) = (body_of(*a), body_of(*b));
        (0..2).all(|axis| {
            a.low[axis].max(b.low[axis]) < high[axis] && low[axis] < a.high[axis].min(b.high[axis])
        })
    });
    assert_eq!(
        quadtree::ObstacleQuadtree::default().pairs(
            &set.obstacles,
            categories,
            others,
            &mut scratch
        ),
        pairs,
        "{what}: pairs through the tree"
    );

    for _ in 0..20 {
        let query = set.random_obstacle();
        let mut hits = Vec::new();
        let expected = all.iter().filter(|(_, obstacle)| {
            obstacle.categories.intersects(categories) && overlap_by_definition(obstacle, &query)
        });
        let expected: Vec<ObstacleId> = expected.map(|(id, _)| *id).collect();
        match query.shape {
            ObstacleShape::Box(area) => set.obstacles.in_box(area, categories, &mut hits),
            ObstacleShape::Disc { center, radius } => {
                set.obstacles.in_disc(center, radius, categories, &mut hits);
            }
        }
        assert_eq!(hits, expected, "{what}: in {query:?}");
        check_nearest(set, &all, categories, what);
        check_ray(set, &all, categories, what);
    }
}

fn check_nearest(
    set: &mut RandomSet,
    all: &[(ObstacleId, Obstacle)],
    categories: ObstacleCategories,
    what: &str,
) {
    let at = set.random_point();
    let reach = set.rng.between(0, 4 * set.side);
    // The smallest disc around the point that overlaps the obstacle, by bisection.
    let distance_of = |obstacle: &Obstacle| {
        let overlaps = |radius: i32| {
            let shape = ObstacleShape::Disc {
                center: at,
                radius: Fixed::from_raw(radius),
            };
            overlap_by_definition(obstacle, &Obstacle { shape, categories })
        };
        let (mut low, mut high) = (0, 1 << 29);
        while low + 1 < high {
            let mid = (low + high) / 2;
            if overlaps(mid) {
                high = mid;
            } else {
                low = mid;
            }
        }
        low
    };
    let matching = all
        .iter()
        .filter(|(_, obstacle)| obstacle.categories.intersects(categories));
    let expected = matching
        .map(|(id, obstacle)| (distance_of(obstacle), *id))
        .min();
    let expected = expected.filter(|(distance, _)| *distance <= reach);
    let found = set
        .obstacles
        .nearest(at, categories, Fixed::from_raw(reach));
    assert_eq!(
        found.map(|(id, distance)| (distance.raw(), id)),
        expected,
        "{what}: nearest to {at} within {reach}"
    );
}

fn check_ray(
    set: &mut RandomSet,
    all: &[(ObstacleId, Obstacle)],
    categories: ObstacleCategories,
    what: &str,
) {
    let (from, mut to) = (set.random_point(), set.random_point());
    match set.rng.below(6) {
        0 => to.x = from.x,
        1 => to.y = from.y,
        _ => {}
    }
    let radius = Fixed::from_raw(set.rng.between(0, set.largest / 4));
    let agent = DiscAgent {
        radius,
        blocked_by: categories,
    };
    let hit = set.obstacles.cast_ray(from, to, agent);
    let mut expected: Option<(f64, ObstacleId)> = None;
    for (id, obstacle) in all {
        let outline = set.obstacles.outline(*id, agent).unwrap();
        if obstacle.categories.intersects(categories) && outline.is_crossed(from, to) {
            let fraction = inflated_outline::Segment::new(from, to).entry(&outline);
            if expected.is_none_or(|best| (fraction, *id) < best) {
                expected = Some((fraction, *id));
            }
        }
    }
    assert_eq!(
        hit.map(|hit| hit.obstacle),
        expected.map(|(_, id)| id),
        "{what}: {from} to {to}"
    );
    let inside = all.iter().find(|(id, obstacle)| {
        obstacle.categories.intersects(categories)
            && set.obstacles.outline(*id, agent).unwrap().contains(from)
    });
    assert_eq!(
        set.obstacles.blocking_obstacle(from, agent),
        inside.map(|(id, _)| *id),
        "{what}: at {from}"
    );
}

#[test]
fn queries_equal_brute_force_under_random_edits() {
    for (seed, n_obstacles) in (0..60).zip([3, 40, 150].into_iter().cycle()) {
        let mut set = RandomSet::new(seed, n_obstacles);
        check_all(&mut set, &format!("seed {seed}, fresh"));
        for n_edits in [1, 5, 300] {
            set.random_edits(n_edits);
            check_all(&mut set, &format!("seed {seed}, after {n_edits} edits"));
        }
        let mut batch = set.obstacles.edit_bulk();
        for id in &set.ids {
            batch
                .move_by(*id, Fixed::from_raw(77), Fixed::from_raw(-300))
                .unwrap();
        }
        drop(batch);
        check_all(&mut set, &format!("seed {seed}, after all moved"));
    }
}

#[test]
fn a_batch_is_one_revision_and_an_empty_batch_is_none() {
    let mut obstacles = ObstacleSet::square(10).unwrap();
    drop(obstacles.edit());
    assert_eq!(obstacles.revision().number, 0);
    let rock = Obstacle::cells(1, 1, 2, 2, ObstacleCategories::ALL).unwrap();
    let mut batch = obstacles.edit();
    batch.insert(&rock).unwrap();
    batch.insert(&rock).unwrap();
    drop(batch);
    assert_eq!(obstacles.revision().number, 1);
}

#[test]
fn invalid_obstacles_are_rejected_and_change_nothing() {
    let mut obstacles = ObstacleSet::square(10).unwrap();
    let rock = Obstacle::cells(1, 1, 2, 2, ObstacleCategories::ALL).unwrap();
    let id = obstacles.edit().insert(&rock).unwrap();
    let before = obstacles.obstacles().collect::<Vec<_>>();
    let cases = [
        (
            Obstacle {
                categories: ObstacleCategories::NONE,
                ..rock
            },
            "an obstacle without categories, expected at least one of 64",
        ),
        (
            Obstacle {
                shape: ObstacleShape::Disc {
                    center: point(0, 0),
                    radius: Fixed::from_raw(0),
                },
                ..rock
            },
            "a shape of 0 x 0 / 256 cells, expected at least 1 per axis",
        ),
        (
            Obstacle {
                shape: ObstacleShape::Disc {
                    center: point(1 << 28, 0),
                    radius: Fixed::from_raw(1),
                },
                ..rock
            },
            "an edge lies at 268435457 / 256 cells, expected at most 268435456 from the origin",
        ),
    ];
    for (obstacle, message) in cases {
        assert_eq!(
            obstacles.edit().insert(&obstacle).unwrap_err().to_string(),
            message
        );
        assert_eq!(
            obstacles.edit().set(id, &obstacle).unwrap_err().to_string(),
            message
        );
    }
    assert!(
        obstacles
            .edit()
            .move_by(id, Fixed::MAX, Fixed::MAX)
            .is_err()
    );
    assert_eq!(obstacles.obstacles().collect::<Vec<_>>(), before);
    assert!(ObstacleSet::square(0).is_err() && ObstacleSet::square(2_000_000).is_err());
}

#[test]
fn memory_does_not_grow_with_the_number_of_ticks() {
    let mut set = RandomSet::new(5, 200);
    let tick = |set: &mut RandomSet| set.random_edits(20);
    (0..10).for_each(|_| tick(&mut set));
    for _ in 0..40 {
        tick(&mut set);
    }
    let early_bytes = set.obstacles.heap_bytes();
    (0..1_000).for_each(|_| tick(&mut set));
    assert!(set.obstacles.heap_bytes() <= 2 * early_bytes);
}

#[test]
fn density_is_the_share_of_the_bounds_that_outlines_cover() {
    let mut obstacles = ObstacleSet::square(100).unwrap();
    let (tree_category, tank_category) = (
        ObstacleCategories::one(1).unwrap(),
        ObstacleCategories::one(2).unwrap(),
    );
    let mut batch = obstacles.edit();
    let id = batch
        .insert(&Obstacle::cells(0, 0, 10, 10, tree_category).unwrap())
        .unwrap();
    batch
        .insert(&Obstacle::cells(50, 50, 20, 10, tank_category).unwrap())
        .unwrap();
    drop(batch);
    let agent = |radius: i32, blocked_by| DiscAgent {
        radius: Fixed::from_cell(radius).unwrap(),
        blocked_by,
    };
    assert_eq!(
        obstacles.density_per_mille(agent(0, ObstacleCategories::ALL)),
        30
    );
    assert_eq!(obstacles.density_per_mille(agent(0, tank_category)), 20);
    assert_eq!(obstacles.density_per_mille(agent(5, tree_category)), 40);
    obstacles.edit().remove(id).unwrap();
    assert_eq!(obstacles.density_per_mille(agent(5, tree_category)), 0);
}

#[test]
fn removals_are_recorded_where_they_happened() {
    let mut obstacles = ObstacleSet::square(1000).unwrap();
    let rock = Obstacle::cells(500, 100, 10, 10, ObstacleCategories::ALL).unwrap();
    let id = obstacles.edit().insert(&rock).unwrap();
    let since = obstacles.revision();
    let cells = |x, y| point(x * 256, y * 256);
    let length = 256.0 * 910.0;
    let may_have_opened = |obstacles: &ObstacleSet, y: i32| {
        obstacles.may_have_opened(since, cells(50, y), cells(950, y), length)
    };
    assert!(!may_have_opened(&obstacles, 100));
    obstacles.edit().remove(id).unwrap();
    assert!(may_have_opened(&obstacles, 100));
    assert!(!may_have_opened(&obstacles, 900), "far from the ellipse");
    assert!(!obstacles.may_have_opened(
        obstacles.revision(),
        cells(50, 100),
        cells(950, 100),
        length
    ));
}

/// A set knows so many revisions as its own; what is older may have opened a path.
#[test]
fn a_revision_older_than_the_ancestors_may_have_opened_anything() {
    let mut obstacles = ObstacleSet::square(1000).unwrap();
    let rock = Obstacle::cells(500, 100, 10, 10, ObstacleCategories::ALL).unwrap();
    let since = obstacles.revision();
    let cells = |x, y| point(x * 256, y * 256);
    for _ in 0..MAX_ANCESTORS {
        obstacles.edit().insert(&rock).unwrap();
    }
    let opened = |obstacles: &ObstacleSet| {
        obstacles.may_have_opened(since, cells(50, 900), cells(950, 900), 256.0 * 910.0)
    };
    assert!(!opened(&obstacles));
    obstacles.edit().insert(&rock).unwrap();
    assert!(opened(&obstacles));
}

#[test]
fn queries_beyond_the_coordinate_limits_do_not_panic() {
    let far = MAX_COORDINATE.raw();
    let mut obstacles = ObstacleSet::square(1_000).unwrap();
    let disc = |center: Point2, radius: i32| Obstacle {
        shape: ObstacleShape::Disc {
            center,
            radius: Fixed::from_raw(radius),
        },
        categories: ObstacleCategories::ALL,
    };
    let boxed = |low: Point2, high: Point2| Obstacle {
        shape: ObstacleShape::Box(Aabb2 { low, high }),
        categories: ObstacleCategories::ALL,
    };
    let mut batch = obstacles.edit();
    for obstacle in [
        boxed(point(-far, -far), point(-far + 1, -far + 1)),
        boxed(point(far - 1, far - 1), point(far, far)),
        disc(point(0, 0), far),
        disc(point(far / 2, far / 2), far / 2),
    ] {
        batch.insert(&obstacle).unwrap();
    }
    drop(batch);
    let ends = [i32::MIN, -far - 1, -far, 0, far, far + 1, i32::MAX];
    let mut found = Vec::new();
    for x in ends {
        for y in ends {
            let at = point(x, y);
            let (id, _) = obstacles
                .nearest(at, ObstacleCategories::ALL, Fixed::MAX)
                .unwrap();
            assert!(obstacles.obstacle(id).is_some());
            assert_eq!(
                obstacles.nearest(at, ObstacleCategories::NONE, Fixed::MAX),
                None
            );
            for radius in [Fixed::from_raw(-1), Fixed::from_raw(1), Fixed::MAX] {
                obstacles.in_disc(at, radius, ObstacleCategories::ALL, &mut found);
                assert!(found.len() <= 4);
            }
            obstacles.in_box(
                Aabb2 {
                    low: at,
                    high: point(i32::MAX, i32::MAX),
                },
                ObstacleCategories::ALL,
                &mut found,
            );
            let threat = Influence {
                categories: ObstacleCategories::ALL,
                strength: u32::MAX,
                reach: Fixed::MAX,
            };
            obstacles.influence_at(at, threat);
            for radius in [Fixed::from_raw(0), DiscAgent::MAX_RADIUS, Fixed::MAX] {
                let agent = DiscAgent {
                    radius,
                    ..DiscAgent::POINT
                };
                obstacles.cast_ray(at, point(y, x), agent);
                obstacles.is_segment_clear(at, point(0, 0), agent);
                obstacles.blocking_obstacle(at, agent);
                assert_eq!(
                    obstacles.nearest_free(at, agent, &mut FreeScratch::default()),
                    None
                );
            }
        }
    }
}

#[test]
fn the_quadtree_finds_the_pairs_of_the_largest_obstacles() {
    let far = MAX_COORDINATE.raw();
    let bounds = Aabb2 {
        low: point(-far, -far),
        high: point(far, far),
    };
    let mut obstacles = ObstacleSet::new(bounds).unwrap();
    let mut batch = obstacles.edit();
    for n in 0..12 {
        let shape = ObstacleShape::Box(Aabb2 {
            low: point(-far + n, -far + 3 * n),
            high: point(far - 12 + n, far - 5 * n),
        });
        let categories = ObstacleCategories::ALL;
        batch.insert(&Obstacle { shape, categories }).unwrap();
    }
    drop(batch);
    let mut scratch = [
        ObstaclePairScratch::default(),
        ObstaclePairScratch::default(),
    ];
    let [grid_scratch, tree_scratch] = &mut scratch;
    let expected = obstacles.pairs(
        ObstacleCategories::ALL,
        ObstacleCategories::ALL,
        grid_scratch,
    );
    assert_eq!(expected.len(), 66);
    let mut tree = quadtree::ObstacleQuadtree::default();
    assert_eq!(
        tree.pairs(
            &obstacles,
            ObstacleCategories::ALL,
            ObstacleCategories::ALL,
            tree_scratch
        ),
        expected
    );
}

/// A random set with walls much longer than thick, in both directions.
fn random_walls(seed: u64) -> RandomSet {
    let mut set = RandomSet::new(seed, 20);
    let mut batch = set.obstacles.edit();
    for number in 0..30 {
        let length = set.rng.between(set.side / 8 + 40, set.side);
        let thickness = set.rng.between(1, length / 8);
        let (far, rng) = (set.side, &mut set.rng);
        let at = [rng.between(-far, far), rng.between(-far / 2, far / 2)];
        let size = if number % 3 == 0 {
            [thickness, length]
        } else {
            [length, thickness]
        };
        let shape = ObstacleShape::Box(Aabb2 {
            low: point(at[0], at[1]),
            high: point(at[0] + size[0], at[1] + size[1]),
        });
        let categories = ObstacleCategories::from_bits(1 << rng.below(5));
        set.ids
            .push(batch.insert(&Obstacle { shape, categories }).unwrap());
    }
    drop(batch);
    set
}

#[test]
fn queries_among_long_thin_walls_equal_brute_force() {
    let mut n_not_tight = 0;
    for seed in 0..12 {
        let mut set = random_walls(seed);
        n_not_tight += usize::from(
            set.obstacles
                .grid
                .levels
                .iter()
                .any(|level| !level.is_tight()),
        );
        for round in 0..4 {
            check_all(&mut set, &format!("seed {seed}, round {round}"));
            set.random_edits(if round == 2 { 60 } else { 3 });
        }
    }
    assert!(n_not_tight > 6, "{n_not_tight}");
}
