//! A large field is sorted the same whatever lay where before.

use wayfarer_base::Dice;

use super::*;

#[test]
fn a_large_field_is_sorted_the_same_whatever_lay_where_before() {
    let mut dice = Dice::new(7);
    let mut random = |below: u32| dice.below(below).cast_signed();
    let (low, high) = ([0; 2], [1 << 24; 2]);
    let mut bodies: Vec<Body> = (0..LARGE as u32 + 9)
        .map(|slot| Body {
            low: [0; 2],
            high: [0; 2],
            slot,
            is_disc: false,
            types: 1,
        })
        .collect();
    let mut grid = Grid::default();
    for tick in 0..4 {
        for body in &mut bodies {
            if tick > 0 {
                grid.count(body, false);
            }
            // Crowded, so that many share a cell.
            body.low = [random(1 << 20), random(1 << 20)];
            body.high = body.low.map(|low| low + 40_000);
            grid.count(body, true);
        }
        grid.rebuild(&bodies, low, high);
        let mut fresh = grid.clone();
        fresh.plan(low, high);
        let [level] = &mut fresh.levels[..] else {
            panic!("one size, one level");
        };
        level.sort_all(&bodies, &mut fresh.cells);
        assert_eq!(grid.order.len(), bodies.len(), "tick {tick}");
        assert_eq!(grid.levels[0].starts, level.starts, "tick {tick}");
        assert_eq!(grid.levels[0].largest, level.largest, "tick {tick}");
        assert!(grid.levels[0].bodies == level.bodies, "tick {tick}");
    }
}
