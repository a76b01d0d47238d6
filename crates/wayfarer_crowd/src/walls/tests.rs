use super::*;
use wayfarer_world::ground::Ground;

fn ground(rows: &[&str]) -> Ground {
    Ground::from_raster(&wayfarer_testkit::ascii::raster(&rows.join("\n")))
}

#[test]
fn the_border_of_a_room_is_four_segments() {
    let ground = ground(&["#####", "#...#", "#...#", "#####"]);
    let mut cache = WallCache::default();
    let list = cache.list((&ground).into(), Cell::flat(2, 1), 4);
    let mut found: Vec<[f64; 4]> = cache
        .walls(list)
        .iter()
        .map(|wall| [wall.low.x, wall.low.y, wall.high.x, wall.high.y])
        .collect();
    found.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
    let expected = [
        [1.0, 1.0, 1.0, 3.0],
        [1.0, 1.0, 4.0, 1.0],
        [1.0, 3.0, 4.0, 3.0],
        [4.0, 1.0, 4.0, 3.0],
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_disc_is_pushed_out_of_a_corner() {
    let ground = ground(&["....", "....", "....", "...."]);
    let mut cache = WallCache::default();
    let list = cache.list((&ground).into(), Cell::flat(0, 0), 2);
    let walls = cache.walls(list);
    let at = pushed_out(Vec2::new(0.2, 0.1), 0.5, walls).expect("room enough");
    assert!((at - Vec2::new(0.5, 0.5)).length() < 1e-5, "{at:?}");
    assert!(fits(at, 0.5, walls) && !fits(Vec2::new(0.4, 0.6), 0.5, walls));
}

#[test]
fn an_edit_drops_the_lists_around_it() {
    let mut ground = ground(&["....", "....", "...."]);
    let mut cache = WallCache::default();
    let cell = Cell::flat(1, 1);
    let before = cache.list((&ground).into(), cell, 2);
    let n_before = cache.walls(before).len();
    let gone = wayfarer_base::GroundEdit::RemoveCell {
        cell: Cell::flat(2, 1),
    };
    ground.apply(&[gone]).expect("a floor to remove");
    let column = Cell::flat(2, 1).column();
    cache.invalidate(Rect {
        low: column,
        high: column,
    });
    let after = cache.list((&ground).into(), cell, 2);
    assert!(cache.walls(after).len() > n_before);
}

#[test]
fn a_full_cache_keeps_the_lists_in_use() {
    // Every other cell is blocked: a list has many segments.
    let row = "..#.".repeat(16);
    let rows = [row.clone(), ".".repeat(64)];
    let rows: Vec<&str> = (0..64).map(|y| rows[y % 2].as_str()).collect();
    let ground = ground(&rows);
    let mut cache = WallCache::default();
    let cells: Vec<Cell> = (0..64)
        .flat_map(|y| (0..64).map(move |x| Cell::flat(x, y)))
        .collect();
    let mut reach = 1;
    let mut in_use = Vec::new();
    let mut expected = Vec::new();
    while !cache.is_full() {
        for cell in &cells {
            let list = cache.list((&ground).into(), *cell, reach);
            if cell.x % 5 == 0 && reach < 3 {
                in_use.push(list);
                expected.push(cache.walls(list).to_vec());
            }
        }
        reach += 1;
    }
    for _ in 0..2 {
        cache.keep_only(in_use.iter_mut());
        assert!(!cache.is_full());
        for (list, expected) in in_use.iter().zip(&expected) {
            assert_eq!(cache.walls(*list), expected);
        }
    }
    // New lists lie beside those that were kept.
    let list = cache.list((&ground).into(), cells[70], 4);
    let other = WallCache::default().list((&ground).into(), cells[70], 4);
    assert_eq!(list.1, other.1);
    assert!(list.1 > 0);
}

/// Chunks that take memory.
fn n_chunks_of(cache: &WallCache) -> usize {
    cache.chunks.len() + cache.spare.len()
}

#[test]
fn edits_in_every_tick_hold_no_more_memory() {
    // Every other cell is blocked: a list has many segments.
    let row = ".#".repeat(16);
    let rows = [row.as_str(), "................................"];
    let rows: Vec<&str> = (0..32).map(|y| rows[y % 2]).collect();
    let ground = ground(&rows);
    let mut cache = WallCache::default();
    let everywhere = Rect {
        low: wayfarer_base::Column::new(0, 0),
        high: wayfarer_base::Column::new(31, 31),
    };
    let mut in_use = vec![(0, 0); 32];
    let mut n_chunks = 0;
    for tick in 0..4_000 {
        if cache.is_full() {
            cache.keep_only(in_use.iter_mut());
        }
        cache.invalidate(everywhere);
        for (x, list) in (0..).zip(&mut in_use) {
            *list = cache.list((&ground).into(), Cell::flat(x, 15), 4);
        }
        if tick == 2_000 {
            n_chunks = n_chunks_of(&cache);
        }
    }
    assert!(n_chunks > 0);
    assert_eq!(n_chunks_of(&cache), n_chunks);
}
