//! Baked graphs against a reference flood fill; file round trips; corrupted files.

use wayfarer_base::{Raster, Rng};

use super::{
    AbstractionBuilder, BakeError, BakedAbstraction, BakedRegion, CompressedAbstraction,
    VariantError,
};

fn map(rows: &[&str]) -> Raster {
    let width = u32::try_from(rows[0].len()).expect("short");
    let height = u32::try_from(rows.len()).expect("few");
    let mut map = Raster::new(width, height).expect("small");
    for (y, row) in (0..).zip(rows) {
        for (x, letter) in (0..).zip(row.bytes()) {
            let terrain = (letter == b'.').then_some(wayfarer_base::Terrain::GROUND);
            map.set(x, y, terrain);
        }
    }
    map
}

fn noise(width: u32, height: u32, walls: u32, seed: u64) -> Raster {
    let mut rng = Rng::new(seed);
    let mut map = Raster::new(width, height).expect("small");
    for y in 0..height.cast_signed() {
        for x in 0..width.cast_signed() {
            let terrain = (!rng.chance(walls, 100)).then_some(wayfarer_base::Terrain::GROUND);
            map.set(x, y, terrain);
        }
    }
    map
}

/// The label of every cell: the first cell of its region, by a flood fill cell by cell.
fn labels(map: &Raster, side: i32) -> Vec<Option<(i32, i32)>> {
    let (width, height) = (map.width().cast_signed(), map.height().cast_signed());
    let index = |x: i32, y: i32| usize::try_from(y * width + x).expect("inside");
    let mut labels = vec![None; index(0, height)];
    for y in 0..height {
        for x in 0..width {
            if !map.is_walkable(x, y) || labels[index(x, y)].is_some() {
                continue;
            }
            let mut stack = vec![(x, y)];
            while let Some((cx, cy)) = stack.pop() {
                let same = (cx.div_euclid(side), cy.div_euclid(side))
                    == (x.div_euclid(side), y.div_euclid(side));
                if !same || !map.is_walkable(cx, cy) || labels[index(cx, cy)].is_some() {
                    continue;
                }
                labels[index(cx, cy)] = Some((x, y));
                stack.extend([(cx + 1, cy), (cx - 1, cy), (cx, cy + 1), (cx, cy - 1)]);
            }
        }
    }
    labels
}

/// Checks regions and edges of `baked` against a flood fill and a scan of all borders.
fn check(map: &Raster, side: u32) -> BakedAbstraction {
    let builder = AbstractionBuilder::from_raster(map, side).expect("a good side");
    let baked = builder.bake().expect("small");
    let labels = labels(map, side.cast_signed());
    let label = |x: i32, y: i32| map.index(x, y).and_then(|at| labels[at]);
    let name = |region: BakedRegion| {
        let (x, y) = baked.center(region);
        label(x, y).expect("a center is walkable")
    };
    let mut names: Vec<(i32, i32)> = baked.regions().map(name).collect();
    names.sort_unstable();
    let mut expected: Vec<(i32, i32)> = labels.iter().filter_map(|label| *label).collect();
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(names, expected, "one region for each label");
    let mut edges = Vec::new();
    for region in baked.regions() {
        baked.for_each_edge(region, |to| edges.push((name(region), name(to))));
    }
    let mut wanted = Vec::new();
    for y in 0..map.height().cast_signed() {
        for x in 0..map.width().cast_signed() {
            let Some(here) = label(x, y) else { continue };
            for direction in wayfarer_base::Direction::ALL {
                let (dx, dy) = direction.offset();
                if direction.is_diagonal() {
                    let parts = |label: (i32, i32)| {
                        (
                            label.0.div_euclid(side.cast_signed()),
                            label.1.div_euclid(side.cast_signed()),
                        )
                    };
                    let around = label(x + dx, y).is_some() && label(x, y + dy).is_some();
                    if around
                        && let Some(there) = label(x + dx, y + dy)
                        && parts(here).0 != parts(there).0
                        && parts(here).1 != parts(there).1
                    {
                        wanted.push((here, there));
                    }
                } else if let Some(there) = label(x + dx, y + dy)
                    && there != here
                {
                    wanted.push((here, there));
                }
            }
        }
    }
    edges.sort_unstable();
    wanted.sort_unstable();
    wanted.dedup();
    let n_edges = edges.len();
    edges.dedup();
    assert_eq!(edges.len(), n_edges, "no edge twice");
    assert_eq!(edges, wanted);
    assert_eq!(baked.n_edges() as usize, n_edges);
    assert_eq!(
        BakedAbstraction::from_bytes(&baked.to_bytes()),
        Ok(baked.clone())
    );
    let all = builder.bake_all().expect("small");
    assert!(all.payload_bytes() >= baked.payload_bytes());
    assert_eq!(all.n_defaults(), 0);
    for has_all_edges in [true, false] {
        if let Some(compressed) = CompressedAbstraction::new(&baked, has_all_edges) {
            assert!(compressed.payload_bytes() < baked.payload_bytes() || baked.n_sectors() < 4);
            assert_eq!(compressed.decompress(), baked);
            for region in baked.regions() {
                let (mut plain, mut read) = (Vec::new(), Vec::new());
                baked.for_each_edge(region, |to| plain.push(to));
                compressed.for_each_edge(region, |to| read.push(to));
                assert_eq!(read, plain, "{region:?}");
            }
        }
    }
    baked
}

#[test]
fn a_small_map_has_the_expected_regions() {
    let rows = [
        "........", "....#...", "....#.##", "..#.#...", "#..##.#.", ".##.#.#.", "##.##.#.",
        "#..##.#.",
    ];
    let baked = check(&map(&rows), 4);
    assert_eq!(baked.n_sectors(), 4);
    let counts: Vec<u8> = (0..4).map(|sector| baked.n_regions_in(sector)).collect();
    assert_eq!(counts, [1, 1, 4, 2]);
}

#[test]
fn regions_and_edges_equal_the_reference_on_noise() {
    for seed in 0..24 {
        let side = 4 + u32::try_from(seed % 13).expect("small");
        let walls = [5, 20, 40, 55][usize::try_from(seed % 4).expect("small")];
        check(&noise(61, 47, walls, seed), side);
    }
}

#[test]
fn a_checkerboard_needs_wide_data() {
    let rows: Vec<String> = (0..48)
        .map(|y| {
            (0..48)
                .map(|x| if (x + y) % 2 == 0 { '.' } else { '#' })
                .collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let baked = check(&map(&rows), 16);
    assert_eq!(baked.n_regions_in(0), 128);
    let comb: Vec<String> = (0..48)
        .map(|y| {
            (0..48)
                .map(|_| if y % 2 == 0 { '.' } else { '#' })
                .collect()
        })
        .collect();
    let comb: Vec<&str> = comb.iter().map(String::as_str).collect();
    check(&map(&comb), 16);
}

#[test]
fn unsupported_sector_sides_are_errors() {
    for side in [0, 3, 17, 256, 260] {
        let found = AbstractionBuilder::from_raster(&noise(8, 8, 0, 1), side);
        assert_eq!(found, Err(BakeError::Side { found: side }));
    }
}

#[test]
fn a_center_moves_only_within_its_region() {
    let mut builder =
        AbstractionBuilder::from_raster(&map(&["..#.", "..#.", "..#.", "..#."]), 4).expect("good");
    let (west, east) = (
        BakedRegion {
            sector: 0,
            ordinal: 0,
        },
        BakedRegion {
            sector: 0,
            ordinal: 1,
        },
    );
    assert!(builder.set_center(west, (1, 3)));
    assert!(!builder.set_center(east, (1, 3)));
    assert!(!builder.set_center(east, (2, 0)));
    assert!(!builder.set_center(east, (-1, 0)) && !builder.set_center(east, (4, 0)));
    let baked = builder.bake().expect("small");
    assert_eq!(baked.center(west), (1, 3));
}

#[test]
fn switching_a_variant_gives_the_graph_of_either_state() {
    let mut shut = noise(64, 64, 10, 3);
    for x in 0..64 {
        shut.set(x, 33, None);
    }
    let mut open = shut.clone();
    for x in 20..23 {
        open.set(x, 33, Some(wayfarer_base::Terrain::GROUND));
    }
    let bake =
        |map: &Raster| AbstractionBuilder::from_raster(map, 8).and_then(|builder| builder.bake());
    let (before, after) = (bake(&shut).expect("small"), bake(&open).expect("small"));
    let mut baked = before.clone();
    baked.add_variant("gate", &after).expect("the same shape");
    assert_eq!(
        baked.add_variant("gate", &after),
        Err(VariantError::Name("gate".to_owned()))
    );
    assert!(matches!(
        baked.add_variant("again", &after),
        Err(VariantError::Overlap { .. })
    ));
    let graph = |baked: &BakedAbstraction| {
        let mut graph = Vec::new();
        for region in baked.regions() {
            graph.push((baked.center(region), region));
            baked.for_each_edge(region, |to| graph.push((baked.center(to), to)));
        }
        graph
    };
    assert_eq!(graph(&baked), graph(&before));
    for _ in 0..2 {
        baked.set_variant("gate", true).expect("known");
        assert_eq!(graph(&baked), graph(&after));
        assert_eq!(
            BakedAbstraction::from_bytes(&baked.to_bytes()),
            Ok(baked.clone())
        );
        baked.set_variant("gate", false).expect("known");
        assert_eq!(graph(&baked), graph(&before));
    }
    assert_eq!(
        baked.set_variant("door", true),
        Err(VariantError::Unknown("door".to_owned()))
    );
}

#[test]
fn corrupted_bytes_are_errors_and_never_read_out_of_bounds() {
    let mut baked = AbstractionBuilder::from_raster(&noise(40, 40, 30, 5), 8)
        .and_then(|builder| builder.bake())
        .expect("small");
    let other = AbstractionBuilder::from_raster(&noise(40, 40, 30, 6), 8)
        .and_then(|builder| builder.bake())
        .expect("small");
    baked.add_variant("other", &other).expect("the same shape");
    let bytes = baked.to_bytes();
    let mut rng = Rng::new(9);
    let mut n_read = 0;
    for round in 0..10_000 {
        let mut damaged = bytes.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(u32::try_from(bytes.len()).expect("small")) as usize;
            damaged[at] = rng.next_u64().to_le_bytes()[0];
        }
        if round % 3 == 0 {
            damaged.truncate(rng.below(u32::try_from(bytes.len()).expect("small")) as usize);
        }
        if round % 2 == 0 && damaged.len() >= super::file::tests_head() {
            super::file::tests_sign(&mut damaged);
        }
        if let Ok(mut read) = BakedAbstraction::from_bytes(&damaged) {
            n_read += 1;
            // Whatever passes can be traversed in both states.
            for on in [true, false] {
                for region in read.regions() {
                    let (x, y) = read.center(region);
                    assert!(read.sector_at(x, y) == Some(region.sector));
                    read.for_each_edge(region, |to| {
                        assert!(to.ordinal < read.n_regions_in(to.sector));
                    });
                }
                let names: Vec<String> =
                    read.variants().map(|(name, ..)| name.to_owned()).collect();
                for name in names {
                    read.set_variant(&name, on).expect("known");
                }
            }
        }
    }
    assert!(
        n_read > 0,
        "some corruption (a center, a name) is undetectable"
    );
}
