use super::*;
use crate::measure::{Plan, measure};
use crate::query::QuerySet;
use wayfarer_engine::base::{Column, Raster, Rng};

/// Random blocks; some goals are unreachable.
fn blocks(seed: u64) -> QuerySet {
    let mut rng = Rng::new(seed);
    let mut map = Raster::from_bytes(40, 33, vec![0; 40 * 33]).unwrap();
    for _ in 0..60 {
        let (x, y) = (rng.between(0, 38), rng.between(0, 31));
        let (wide, high) = (rng.between(1, 6), rng.between(1, 4));
        for column in map.rect().columns() {
            if (x..x + wide).contains(&column.x) && (y..y + high).contains(&column.y) {
                map.set(column.x, column.y, None);
            }
        }
    }
    QuerySet::random("blocks", map, 60, &mut rng)
}

#[test]
fn baselines_keep_their_rules_and_bounds() {
    let plan = Plan {
        runs: 1,
        repeats: 1,
        ..Plan::default()
    };
    for seed in 0..12 {
        let mut engines = all();
        for measured in measure(&mut engines, &mut blocks(seed), &plan) {
            let measured = measured.unwrap();
            let name = &measured.about.name;
            assert_eq!(measured.cases.len(), 60, "{name}, seed {seed}");
            assert_eq!(measured.wrong, [], "{name}, seed {seed}");
        }
    }
}

#[test]
fn an_edited_map_gives_the_answers_of_a_fresh_one() {
    for seed in 0..6 {
        let (before, after) = (blocks(seed), blocks(seed + 100));
        let changed: Vec<Column> = before
            .map
            .rect()
            .columns()
            .filter(|&cell| before.open.is_open(cell) != after.open.is_open(cell))
            .collect();
        let mut edited = GridPathfinding::default();
        edited.prepare(&before.map).unwrap();
        assert!(edited.edit(&after.map, &changed));
        let mut fresh = GridPathfinding::default();
        fresh.prepare(&after.map).unwrap();
        for case in &after.cases {
            let mut paths = [(); 2].map(|()| crate::PathBuffer::default());
            edited.result(case.start, case.goal, &mut paths[0]);
            fresh.result(case.start, case.goal, &mut paths[1]);
            assert_eq!(paths[0], paths[1], "seed {seed}");
        }
    }
}

#[test]
fn rectangles_cover_every_open_cell_once_and_share_their_vertices() {
    for seed in 0..12 {
        let open = blocks(seed).open;
        let mesh = rectangles::cut(&open);
        let mut covered = vec![0; open.flags().len()];
        for (number, border) in (0..).zip(&mesh.polygons) {
            let place = |name: &u32| {
                let (x, y, around) = &mesh.vertices[*name as usize];
                assert!(around.contains(&number), "{around:?} lacks {number}");
                (*x, *y)
            };
            let corners: Vec<(i32, i32)> = border.iter().map(place).collect();
            let (west, north) = corners[0];
            let (east, south) = *corners.iter().max_by_key(|(x, y)| x + y).unwrap();
            for x in west..east {
                for y in north..south {
                    covered[open.index(Column::new(x, y)).unwrap()] += 1;
                }
            }
            // Counter-clockwise where y points up: twice the area comes out positive.
            let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
            let twice: i32 = pairs.map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum();
            assert_eq!(twice, 2 * (east - west) * (south - north));
        }
        let once: Vec<bool> = covered.iter().map(|&times| times == 1).collect();
        assert_eq!(once, open.flags());
        // Every vertex knows only polygons that name it.
        for (name, (_, _, around)) in (0..).zip(&mesh.vertices) {
            for &polygon in around.iter().filter(|&&it| it != rectangles::OUTSIDE) {
                assert!(mesh.polygons[polygon as usize].contains(&name));
            }
        }
    }
}
