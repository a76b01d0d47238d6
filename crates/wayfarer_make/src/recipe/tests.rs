//! Determinism, sizes and connectivity of every generator.

use wayfarer_base::Digest;

use super::*;

fn flat(recipe: &Recipe) -> Raster {
    match make(recipe) {
        Ok(GeneratedWorld::Flat(map)) => map,
        other => panic!("{recipe:?} made {other:?}"),
    }
}

fn digest(world: &GeneratedWorld) -> u64 {
    let mut digest = Digest::default();
    match world {
        GeneratedWorld::Flat(map) => {
            digest.number(map.width().into());
            digest.number(map.height().into());
            digest.bytes(map.bytes());
        }
        GeneratedWorld::MultiFloor(data) => digest_data(&mut digest, data),
        GeneratedWorld::Voxels(voxels) => {
            for number in voxels.size().iter().chain(voxels.solid().iter().flatten()) {
                digest.number((*number).into());
            }
        }
    }
    digest.value()
}

fn digest_data(digest: &mut Digest, data: &WorldData) {
    let mut cell = |cell: wayfarer_base::Cell, what: i64| {
        for number in [cell.x.into(), cell.y.into(), cell.z.into(), what] {
            digest.signed(number);
        }
    };
    for &(at, terrain) in &data.cells {
        cell(at, terrain.number().into());
    }
    for wall in &data.walls {
        cell(
            wall.cell,
            i64::from(wall.side == wayfarer_base::WallSide::East),
        );
    }
    for nav_link in &data.nav_links {
        cell(nav_link.from, nav_link.kind as i64);
        let one_way = i64::from(nav_link.direction == wayfarer_base::LinkDirection::OneWay);
        let state = match nav_link.state {
            wayfarer_base::LinkState::Open => 0,
            wayfarer_base::LinkState::Closed => 1,
            wayfarer_base::LinkState::Locked(keys) => 2 + i64::from(keys),
        };
        cell(nav_link.to, one_way + 2 * state);
    }
}

/// The number of open cells, and of those in the largest 4-connected component.
fn components(map: &Raster) -> (usize, usize) {
    let mut is_visited = vec![false; map.bytes().len()];
    let (mut n_open, mut largest) = (0, 0);
    for first in map.rect().columns() {
        let mut stack = vec![(first.x, first.y)];
        let mut size = 0;
        while let Some((x, y)) = stack.pop() {
            if !map.is_walkable(x, y) {
                continue;
            }
            let index = map.index(x, y).unwrap();
            if std::mem::replace(&mut is_visited[index], true) {
                continue;
            }
            size += 1;
            stack.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
        }
        n_open += size;
        largest = largest.max(size);
    }
    (n_open, largest)
}

const SIZES: [(u32, u32); 14] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (3, 3),
    (1, 50),
    (50, 1),
    (4, 7),
    (9, 9),
    (16, 17),
    (33, 20),
    (64, 64),
    (150, 40),
    (257, 300),
];

#[test]
fn equal_recipes_give_equal_worlds() {
    let golden: &[(Generator, u64)] = &[
        (Generator::Caves, 0x8ba5_bc47_998e_7b70),
        (Generator::Rooms, 0x27c9_a4b0_5a07_3bc1),
        (Generator::Maze, 0x79e0_a373_030b_f520),
        (Generator::City, 0xfee7_ac82_315c_92be),
        (Generator::Clutter, 0x73ef_fb4c_1be0_0945),
        (Generator::Noise, 0x48e7_5f62_2a20_7195),
        (Generator::Terrain, 0x6ca2_cb76_9574_906b),
        (Generator::Heights, 0x5583_a37f_3f39_0867),
        (Generator::Building, 0x7ba8_315d_3b74_af2d),
        (Generator::Asteroids, 0xc5d0_644d_a731_9957),
        (Generator::Hall, 0x4088_ada8_417d_fc00),
        (Generator::Random, 0xf84e_5ce6_8d9a_47eb),
        (Generator::Spiral, 0x6f2b_fa9b_389c_2942),
        (Generator::Comb, 0x4eb8_01ef_8462_ba40),
        (Generator::Snake, 0xa264_329c_4d7c_1750),
        (Generator::Checkerboard, 0x9b06_6868_34ea_d655),
        (Generator::Open, 0xa613_cfed_3972_5e55),
    ];
    let found: Vec<_> = Generator::ALL
        .into_iter()
        .map(|generator| {
            let recipe = Recipe::new(generator, 96, 80, 20);
            let world = make(&recipe).unwrap();
            assert_eq!(Ok(&world), make(&recipe).as_ref(), "{generator}");
            (generator, digest(&world))
        })
        .collect();
    assert_eq!(found, golden, "{found:#x?}");
}

#[test]
fn another_seed_gives_another_world_unless_the_generator_is_fixed() {
    for generator in Generator::ALL {
        let [a, b] = [1, 2].map(|seed| make(&Recipe::new(generator, 64, 64, seed)).unwrap());
        let is_fixed = matches!(
            generator,
            Generator::Spiral
                | Generator::Comb
                | Generator::Snake
                | Generator::Checkerboard
                | Generator::Open
        );
        assert_eq!(a == b, is_fixed, "{generator}");
    }
}

/// The generators of flat maps.
fn flat_generators() -> impl Iterator<Item = Generator> {
    Generator::ALL.into_iter().filter(|generator| {
        !matches!(
            generator,
            Generator::Heights | Generator::Building | Generator::Asteroids | Generator::Hall
        )
    })
}

#[test]
fn every_flat_world_has_the_requested_size_and_a_walkable_cell() {
    for generator in flat_generators() {
        for (width, height) in SIZES {
            for corridor in [1, 2, 5] {
                let map = flat(&Recipe {
                    corridor,
                    braid: 50,
                    ..Recipe::new(generator, width, height, 5)
                });
                assert_eq!((map.width(), map.height()), (width, height), "{generator}");
                assert!(
                    components(&map).0 > 0,
                    "{generator} {width} x {height} is all rock"
                );
            }
        }
    }
}

#[test]
fn connected_generators_give_one_component() {
    let connected = [
        Generator::Caves,
        Generator::Rooms,
        Generator::Maze,
        Generator::City,
        Generator::Spiral,
        Generator::Comb,
        Generator::Snake,
        Generator::Open,
    ];
    for generator in connected {
        for (width, height) in SIZES {
            for seed in 0..6 {
                let map = flat(&Recipe {
                    corridor: 1 + u32::try_from(seed).unwrap() % 3,
                    ..Recipe::new(generator, width, height, seed)
                });
                let (n_open, largest) = components(&map);
                assert_eq!(
                    n_open, largest,
                    "{generator} {width} x {height} seed {seed}"
                );
            }
        }
    }
}

#[test]
fn large_maps_are_connected() {
    for generator in [
        Generator::Caves,
        Generator::Rooms,
        Generator::Maze,
        Generator::City,
    ] {
        let map = flat(&Recipe::new(generator, 1300, 1100, 8));
        let (n_open, largest) = components(&map);
        assert_eq!(n_open, largest, "{generator}");
        assert!(n_open * 4 > 1300 * 1100, "{generator}: {n_open}");
    }
}

#[test]
fn open_country_is_mostly_one_component() {
    for (generator, min_percent) in [
        (Generator::Clutter, 97),
        (Generator::Terrain, 45),
        (Generator::Random, 95),
    ] {
        for seed in 0..10 {
            let (n_open, largest) = components(&flat(&Recipe::new(generator, 256, 256, seed)));
            assert!(
                largest * 100 >= min_percent * n_open,
                "{generator} {seed}: {largest} of {n_open}"
            );
        }
    }
}

#[test]
fn caves_and_rooms_have_enough_walkable_cells() {
    for (generator, min_percent) in [(Generator::Caves, 35), (Generator::Rooms, 25)] {
        for seed in 0..10 {
            let (n_open, _) = components(&flat(&Recipe::new(generator, 200, 200, seed)));
            assert!(
                n_open * 100 >= min_percent * 200 * 200,
                "{generator} {seed}: {n_open}"
            );
        }
    }
}

/// Edges between open 4-neighbors; a tree has one less than cells.
fn n_edges(map: &Raster) -> usize {
    map.rect()
        .columns()
        .filter(|at| map.is_walkable(at.x, at.y))
        .map(|at| {
            usize::from(map.is_walkable(at.x + 1, at.y))
                + usize::from(map.is_walkable(at.x, at.y + 1))
        })
        .sum()
}

#[test]
fn a_perfect_maze_has_no_loop_and_a_braided_one_no_dead_end() {
    for seed in 0..5 {
        let recipe = Recipe::new(Generator::Maze, 61, 41, seed);
        let map = flat(&recipe);
        assert_eq!(n_edges(&map) + 1, components(&map).0);

        let braided = flat(&Recipe {
            braid: 100,
            ..recipe
        });
        let (n_open, largest) = components(&braided);
        assert_eq!(n_open, largest);
        let dead_ends = braided.rect().columns().filter(|at| {
            let directions = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let open = |&(dx, dy): &(i32, i32)| braided.is_walkable(at.x + dx, at.y + dy);
            braided.is_walkable(at.x, at.y)
                && directions.iter().filter(|delta| open(delta)).count() < 2
        });
        assert_eq!(dead_ends.count(), 0);
    }
}

#[test]
fn maze_corridors_have_the_requested_width() {
    for corridor in 1..6 {
        let map = flat(&Recipe {
            corridor,
            ..Recipe::new(Generator::Maze, 60, 60, 3)
        });
        // Every open cell lies in an open square of the corridor's width and in no larger one.
        let side = corridor.cast_signed();
        let is_square_open = |x: i32, y: i32, side: i32| {
            (0..side).all(|dy| (0..side).all(|dx| map.is_walkable(x + dx, y + dy)))
        };
        for at in map.rect().columns() {
            if map.is_walkable(at.x, at.y) {
                let is_in_square = |side: i32| {
                    (0..side)
                        .any(|dy| (0..side).any(|dx| is_square_open(at.x - dx, at.y - dy, side)))
                };
                assert!(is_in_square(side), "{corridor} at {at}");
                assert!(!is_in_square(side + 1), "{corridor} at {at}");
            }
        }
    }
}

#[test]
fn invalid_options_are_reported_with_their_range() {
    let base = Recipe::new(Generator::Maze, 10, 10, 1);
    let check = |recipe: Recipe, message: &str| {
        assert_eq!(make(&recipe).unwrap_err().to_string(), message);
    };
    check(
        Recipe { width: 0, ..base },
        "maze: size 0 x 10, expected sides of at least 1",
    );
    check(
        Recipe {
            width: u32::MAX,
            height: u32::MAX,
            ..base
        },
        "maze: 18446744065119617025 cells in all, expected at most 1073741824",
    );
    check(
        Recipe {
            corridor: 0,
            ..base
        },
        "maze: corridor is 0, expected 1 to 4096",
    );
    check(
        Recipe { braid: 101, ..base },
        "maze: braid is 101, expected 0 to 100",
    );
    let caves = Recipe::new(Generator::Caves, 1 << 14, 1 << 13, 1);
    check(
        caves,
        "caves: 134217728 cells in all, expected at most 67108864",
    );
}

#[test]
fn names_parse_back_and_descriptions_are_one_line() {
    for generator in Generator::ALL {
        assert_eq!(Generator::from_name(generator.name()), Some(generator));
        assert!(!generator.description().is_empty() && !generator.description().contains('\n'));
    }
}

#[test]
fn an_option_affects_only_the_generators_that_use_it() {
    for generator in Generator::ALL {
        let default = Recipe {
            depth: 40,
            ..Recipe::new(generator, 60, 50, 3)
        };
        let options = [
            (
                RecipeOption::Depth,
                Recipe {
                    depth: 44,
                    ..default
                },
            ),
            (
                RecipeOption::Corridor,
                Recipe {
                    corridor: 3,
                    ..default
                },
            ),
            (
                RecipeOption::Braid,
                Recipe {
                    braid: 80,
                    ..default
                },
            ),
            (
                RecipeOption::Obstacles,
                Recipe {
                    obstacles: Some(18),
                    ..default
                },
            ),
            (
                RecipeOption::Floors,
                Recipe {
                    n_floors: 4,
                    ..default
                },
            ),
        ];
        let world = make(&default).unwrap();
        for (option, recipe) in options {
            let is_used = option.generators().contains(&generator);
            assert_eq!(
                make(&recipe).unwrap() != world,
                is_used,
                "{option:?} in {generator}"
            );
        }
    }
}
