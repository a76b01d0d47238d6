use super::*;
use wayfarer_engine::base::{Raster, Rng, Terrain};
use wayfarer_testkit::ascii;

/// Least lengths from one cell to all, by going over the whole map until nothing changes.
fn all_lengths(open: &OpenCells, rule: MovementRule, start: Column) -> Vec<f64> {
    let mut lengths = vec![f64::INFINITY; open.flags().len()];
    lengths[open.index(start).unwrap()] = 0.0;
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..lengths.len() {
            let to = open.column(index);
            for (dx, dy) in [
                (-1, -1),
                (0, -1),
                (1, -1),
                (-1, 0),
                (1, 0),
                (-1, 1),
                (0, 1),
                (1, 1),
            ] {
                let from = Column::new(to.x + dx, to.y + dy);
                let sides = [Column::new(from.x, to.y), Column::new(to.x, from.y)];
                let passes = dx == 0
                    || dy == 0
                    || rule == MovementRule::CutsCorners
                    || (open.is_open(sides[0]) && open.is_open(sides[1]));
                if !open.is_open(from) || !open.is_open(to) || !passes {
                    continue;
                }
                let step = f64::from(dx * dx + dy * dy).sqrt();
                let length = lengths[open.index(from).unwrap()] + step;
                if length < lengths[index] - 1e-9 {
                    lengths[index] = length;
                    changed = true;
                }
            }
        }
    }
    lengths
}

#[test]
fn lengths_are_those_of_relaxing_the_whole_map() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut map = Raster::new(12, 9).unwrap();
        for column in map.rect().columns() {
            if rng.chance(2, 3) {
                map.set(column.x, column.y, Some(Terrain::GROUND));
            }
        }
        let start = Column::new(rng.between(0, 11), rng.between(0, 8));
        map.set(start.x, start.y, Some(Terrain::SWAMP));
        let open = OpenCells::of(&map);
        for rule in [MovementRule::Benchmark, MovementRule::CutsCorners] {
            let slow = all_lengths(&open, rule, start);
            let mut reference = Reference::new(&open, rule);
            for goal in map.rect().columns() {
                let slow = slow[open.index(goal).unwrap()];
                let found = reference.length(start, goal).unwrap_or(f64::INFINITY);
                assert!(
                    (found.is_infinite() && slow.is_infinite()) || (found - slow).abs() < 1e-6,
                    "seed {seed}, {rule:?}, {start} to {goal}: {found} and {slow}"
                );
            }
        }
    }
}

#[test]
fn no_path_starts_or_ends_at_a_closed_cell_or_outside() {
    let open = OpenCells::of(&ascii::raster(".#."));
    let mut reference = Reference::new(&open, MovementRule::Benchmark);
    let cell = |x| Column::new(x, 0);
    assert_eq!(reference.length(cell(0), cell(1)), None);
    assert_eq!(reference.length(cell(1), cell(1)), None);
    assert_eq!(reference.length(cell(0), cell(2)), None);
    assert_eq!(reference.length(cell(0), cell(9)), None);
    assert_eq!(reference.length(cell(0), cell(0)), Some(0.0));
}
