//! The field against looking at every obstacle.

use wayfarer_base::{Aabb2, Fixed, Point2, Rng};

use super::*;

fn point(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

/// A crowd of mixed sizes, shapes and types, some of it out of bounds.
struct Crowded {
    obstacles: ObstacleSet,
    ids: Vec<ObstacleId>,
    rng: Rng,
    side: i32,
    largest: i32,
}

impl Crowded {
    fn new(seed: u64, n_obstacles: u32) -> Self {
        let mut rng = Rng::new(seed);
        let side = rng.between(1, 40) * 6_400;
        let mut crowded = Self {
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
            let obstacle = crowded.draw();
            let id = crowded.obstacles.edit().insert(&obstacle).unwrap();
            crowded.ids.push(id);
        }
        crowded
    }

    fn place(&mut self) -> Point2 {
        let (far, rng) = (self.side + self.side / 8, &mut self.rng);
        point(rng.between(-far, far), rng.between(-far / 2, far / 2))
    }

    fn draw(&mut self) -> Obstacle {
        let at = self.place();
        let rng = &mut self.rng;
        let most = if rng.chance(1, 4) {
            self.largest
        } else {
            self.largest / 16 + 2
        };
        let (width, height) = (rng.between(1, most), rng.between(1, most));
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
        let types =
            ObstacleCategories::from_bits(1 << rng.below(5) | u64::from(rng.chance(1, 3)) << 63);
        Obstacle {
            shape,
            categories: types,
        }
    }

    fn mask(&mut self) -> ObstacleCategories {
        if self.rng.chance(1, 3) {
            ObstacleCategories::ALL
        } else {
            ObstacleCategories::from_bits(self.rng.next_u64() & self.rng.next_u64())
        }
    }

    /// Moves, replaces, removes and inserts some.
    fn stir(&mut self, n_edits: u32) {
        for _ in 0..n_edits {
            let place = self.place();
            let obstacle = self.draw();
            let which = self.rng.below(u32::try_from(self.ids.len()).unwrap()) as usize;
            let id = self.ids[which];
            let (dx, dy) = (self.rng.between(-900, 900), self.rng.between(-900, 900));
            let what = self.rng.below(10);
            let mut batch = self.obstacles.edit();
            match what {
                0 => {
                    batch.remove(id).unwrap();
                    assert_eq!(batch.move_to(id, place), Err(ObstacleError::Dead { id }));
                    self.ids[which] = batch.insert(&obstacle).unwrap();
                }
                1 => batch.set(id, &obstacle).unwrap(),
                2 => batch.move_to(id, place).unwrap(),
                _ => batch
                    .move_by(id, Fixed::from_raw(dx), Fixed::from_raw(dy))
                    .unwrap(),
            }
        }
    }
}

/// Distance between shapes, slowly: samples none, uses the rule itself.
fn share_more_than_an_edge(a: &Obstacle, b: &Obstacle) -> bool {
    let corners = |obstacle: &Obstacle| match obstacle.shape {
        ObstacleShape::Box(Aabb2 { low, high }) => {
            [low.x.raw(), low.y.raw(), high.x.raw(), high.y.raw()].map(i128::from)
        }
        ObstacleShape::Disc { center: centre, .. } => [
            centre.x.raw(),
            centre.y.raw(),
            centre.x.raw(),
            centre.y.raw(),
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

fn check_all(crowded: &mut Crowded, what: &str) {
    let all: Vec<(ObstacleId, Obstacle)> = crowded.obstacles.obstacles().collect();
    assert_eq!(all.len(), crowded.obstacles.len(), "{what}");
    let (types, others) = (crowded.mask(), crowded.mask());
    let mut pairs = Vec::new();
    for (number, (a, first)) in all.iter().enumerate() {
        for (b, second) in &all[number + 1..] {
            let wanted = first.categories.intersects(types) && second.categories.intersects(others)
                || first.categories.intersects(others) && second.categories.intersects(types);
            if wanted && share_more_than_an_edge(first, second) {
                pairs.push((*a, *b));
            }
        }
    }
    let mut scratch = ObstaclePairScratch::default();
    assert_eq!(
        crowded.obstacles.pairs(types, others, &mut scratch),
        pairs,
        "{what}: pairs"
    );
    let around = |id: ObstacleId| *crowded.obstacles.body(id).unwrap();
    let (low, high) = (crowded.obstacles.low, crowded.obstacles.high);
    pairs.retain(|(a, b)| {
        let (a, b) = (around(*a), around(*b));
        (0..2).all(|axis| {
            a.low[axis].max(b.low[axis]) < high[axis] && low[axis] < a.high[axis].min(b.high[axis])
        })
    });
    assert_eq!(
        quadtree::ObstacleQuadtree::default().pairs(
            &crowded.obstacles,
            types,
            others,
            &mut scratch
        ),
        pairs,
        "{what}: pairs through the tree"
    );

    for _ in 0..20 {
        let asked = crowded.draw();
        let mut found = Vec::new();
        let slow = all.iter().filter(|(_, obstacle)| {
            obstacle.categories.intersects(types) && share_more_than_an_edge(obstacle, &asked)
        });
        let slow: Vec<ObstacleId> = slow.map(|(id, _)| *id).collect();
        match asked.shape {
            ObstacleShape::Box(area) => crowded.obstacles.in_box(area, types, &mut found),
            ObstacleShape::Disc {
                center: centre,
                radius,
            } => {
                crowded.obstacles.in_disc(centre, radius, types, &mut found);
            }
        }
        assert_eq!(found, slow, "{what}: in {asked:?}");
        check_nearest(crowded, &all, types, what);
        check_ray(crowded, &all, types, what);
    }
}

fn check_nearest(
    crowded: &mut Crowded,
    all: &[(ObstacleId, Obstacle)],
    types: ObstacleCategories,
    what: &str,
) {
    let at = crowded.place();
    let reach = crowded.rng.between(0, 4 * crowded.side);
    // The smallest disc around the point that an obstacle shares something with.
    let near = |obstacle: &Obstacle| {
        let meets = |radius: i32| {
            let shape = ObstacleShape::Disc {
                center: at,
                radius: Fixed::from_raw(radius),
            };
            share_more_than_an_edge(
                obstacle,
                &Obstacle {
                    shape,
                    categories: types,
                },
            )
        };
        let (mut low, mut high) = (0, 1 << 29);
        while low + 1 < high {
            let center = (low + high) / 2;
            if meets(center) {
                high = center;
            } else {
                low = center;
            }
        }
        low
    };
    let wanted = all
        .iter()
        .filter(|(_, obstacle)| obstacle.categories.intersects(types));
    let slow = wanted.map(|(id, obstacle)| (near(obstacle), *id)).min();
    let slow = slow.filter(|(distance, _)| *distance <= reach);
    let found = crowded.obstacles.nearest(at, types, Fixed::from_raw(reach));
    assert_eq!(
        found.map(|(id, distance)| (distance.raw(), id)),
        slow,
        "{what}: nearest to {at} within {reach}"
    );
}

fn check_ray(
    crowded: &mut Crowded,
    all: &[(ObstacleId, Obstacle)],
    types: ObstacleCategories,
    what: &str,
) {
    let (from, mut to) = (crowded.place(), crowded.place());
    match crowded.rng.below(6) {
        0 => to.x = from.x,
        1 => to.y = from.y,
        _ => {}
    }
    let radius = Fixed::from_raw(crowded.rng.between(0, crowded.largest / 4));
    let agent = DiscAgent {
        radius,
        blocked_by: types,
    };
    let hit = crowded.obstacles.cast_ray(from, to, agent);
    let mut slow: Option<(f64, ObstacleId)> = None;
    for (id, obstacle) in all {
        let outline = crowded.obstacles.outline(*id, agent).unwrap();
        if obstacle.categories.intersects(types) && outline.is_crossed(from, to) {
            let share = inflated_outline::Segment::new(from, to).entry(&outline);
            if slow.is_none_or(|best| (share, *id) < best) {
                slow = Some((share, *id));
            }
        }
    }
    assert_eq!(
        hit.map(|hit| hit.obstacle),
        slow.map(|(_, id)| id),
        "{what}: {from} to {to}"
    );
    let inside = all.iter().find(|(id, obstacle)| {
        obstacle.categories.intersects(types)
            && crowded
                .obstacles
                .outline(*id, agent)
                .unwrap()
                .contains(from)
    });
    assert_eq!(
        crowded.obstacles.blocking_obstacle(from, agent),
        inside.map(|(id, _)| *id),
        "{what}: at {from}"
    );
}

#[test]
fn every_question_is_answered_as_by_looking_at_every_entity() {
    for (seed, n_obstacles) in (0..60).zip([3, 40, 150].into_iter().cycle()) {
        let mut crowded = Crowded::new(seed, n_obstacles);
        check_all(&mut crowded, &format!("seed {seed}, fresh"));
        for n_edits in [1, 5, 300] {
            crowded.stir(n_edits);
            check_all(&mut crowded, &format!("seed {seed}, after {n_edits} edits"));
        }
        let mut batch = crowded.obstacles.edit_bulk();
        for id in &crowded.ids {
            batch
                .move_by(*id, Fixed::from_raw(77), Fixed::from_raw(-300))
                .unwrap();
        }
        drop(batch);
        check_all(&mut crowded, &format!("seed {seed}, after all moved"));
    }
}

#[test]
fn a_batch_is_one_revision_and_an_empty_one_is_none() {
    let mut obstacles = ObstacleSet::square(10).unwrap();
    drop(obstacles.edit());
    assert_eq!(obstacles.revision().0, 0);
    let rock = Obstacle::cells(1, 1, 2, 2, ObstacleCategories::ALL).unwrap();
    let mut batch = obstacles.edit();
    batch.insert(&rock).unwrap();
    batch.insert(&rock).unwrap();
    drop(batch);
    assert_eq!(obstacles.revision().0, 1);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
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
            "an entity of no type, expected at least one of the 64",
        ),
        (
            Obstacle {
                shape: ObstacleShape::Disc {
                    center: point(0, 0),
                    radius: Fixed::from_raw(0),
                },
                ..rock
            },
            "a shape of 0 x 0 / 256 cells, expected at least 1 each way",
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
fn a_thousand_ticks_of_movers_take_no_more_memory_than_ten() {
    let mut crowded = Crowded::new(5, 200);
    let tick = |crowded: &mut Crowded| crowded.stir(20);
    (0..10).for_each(|_| tick(&mut crowded));
    for _ in 0..40 {
        tick(&mut crowded);
    }
    let after_some = crowded.obstacles.heap_bytes();
    (0..1_000).for_each(|_| tick(&mut crowded));
    assert!(crowded.obstacles.heap_bytes() <= 2 * after_some);
}

#[test]
fn the_load_is_the_share_that_outlines_cover() {
    let mut obstacles = ObstacleSet::square(100).unwrap();
    let (tree, tank) = (
        ObstacleCategories::of(1).unwrap(),
        ObstacleCategories::of(2).unwrap(),
    );
    let mut batch = obstacles.edit();
    let id = batch
        .insert(&Obstacle::cells(0, 0, 10, 10, tree).unwrap())
        .unwrap();
    batch
        .insert(&Obstacle::cells(50, 50, 20, 10, tank).unwrap())
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
    assert_eq!(obstacles.density_per_mille(agent(0, tank)), 20);
    assert_eq!(obstacles.density_per_mille(agent(5, tree)), 40);
    obstacles.edit().remove(id).unwrap();
    assert_eq!(obstacles.density_per_mille(agent(5, tree)), 0);
}

#[test]
fn room_is_remembered_where_it_was_made() {
    let mut obstacles = ObstacleSet::square(1000).unwrap();
    let rock = Obstacle::cells(500, 100, 10, 10, ObstacleCategories::ALL).unwrap();
    let id = obstacles.edit().insert(&rock).unwrap();
    let since = obstacles.revision();
    let cells = |x, y| point(x * 256, y * 256);
    let length = 256.0 * 910.0;
    let asks = |obstacles: &ObstacleSet, y: i32| {
        obstacles.may_have_opened(since, cells(50, y), cells(950, y), length)
    };
    assert!(!asks(&obstacles, 100));
    obstacles.edit().remove(id).unwrap();
    assert!(asks(&obstacles, 100));
    assert!(!asks(&obstacles, 900), "far from the ellipse");
    assert!(!obstacles.may_have_opened(
        obstacles.revision(),
        cells(50, 100),
        cells(950, 100),
        length
    ));
}

#[test]
fn questions_from_beyond_the_end_of_the_world_are_answered() {
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
                types: ObstacleCategories::ALL,
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
fn pairs_of_the_largest_entities_are_found_through_the_tree() {
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
        let types = ObstacleCategories::ALL;
        batch
            .insert(&Obstacle {
                shape,
                categories: types,
            })
            .unwrap();
    }
    drop(batch);
    let mut scratch = [
        ObstaclePairScratch::default(),
        ObstaclePairScratch::default(),
    ];
    let [grid, through] = &mut scratch;
    let wanted = obstacles.pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, grid);
    assert_eq!(wanted.len(), 66);
    let mut tree = quadtree::ObstacleQuadtree::default();
    assert_eq!(
        tree.pairs(
            &obstacles,
            ObstacleCategories::ALL,
            ObstacleCategories::ALL,
            through
        ),
        wanted
    );
}

/// Walls much longer than thick, both ways, in a crowd.
fn walled(seed: u64) -> Crowded {
    let mut crowded = Crowded::new(seed, 20);
    let mut batch = crowded.obstacles.edit();
    for number in 0..30 {
        let length = crowded.rng.between(crowded.side / 8 + 40, crowded.side);
        let thick = crowded.rng.between(1, length / 8);
        let (far, rng) = (crowded.side, &mut crowded.rng);
        let at = [rng.between(-far, far), rng.between(-far / 2, far / 2)];
        let size = if number % 3 == 0 {
            [thick, length]
        } else {
            [length, thick]
        };
        let shape = ObstacleShape::Box(Aabb2 {
            low: point(at[0], at[1]),
            high: point(at[0] + size[0], at[1] + size[1]),
        });
        let types = ObstacleCategories::from_bits(1 << rng.below(5));
        crowded.ids.push(
            batch
                .insert(&Obstacle {
                    shape,
                    categories: types,
                })
                .unwrap(),
        );
    }
    drop(batch);
    crowded
}

#[test]
fn every_question_among_long_thin_walls_is_answered_as_by_looking_at_every_entity() {
    let mut n_loose = 0;
    for seed in 0..12 {
        let mut crowded = walled(seed);
        n_loose += usize::from(
            crowded
                .obstacles
                .grid
                .levels
                .iter()
                .any(|level| !level.is_tight()),
        );
        for round in 0..4 {
            check_all(&mut crowded, &format!("seed {seed}, round {round}"));
            crowded.stir(if round == 2 { 60 } else { 3 });
        }
    }
    assert!(n_loose > 6, "{n_loose}");
}
