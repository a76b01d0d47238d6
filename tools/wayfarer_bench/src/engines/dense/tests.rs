use super::*;
use crate::measure::{Plan, measure};
use crate::open_cells::OpenCells;
use crate::query::{Case, QuerySet};
use crate::reference::Reference;
use wayfarer_engine::base::{Rng, Terrain};

fn noise(seed: u64) -> QuerySet {
    let mut rng = Rng::new(seed);
    let mut map = Raster::new(31, 23).unwrap();
    for column in map.rect().columns() {
        if rng.chance(3, 4) {
            map.set(column.x, column.y, Some(Terrain::GROUND));
        }
    }
    QuerySet::random("noise", map, 40, &mut rng)
}

#[test]
fn every_method_is_right_on_noise() {
    let plan = Plan {
        runs: 2,
        repeats: 3,
        ..Plan::default()
    };
    for seed in 0..8 {
        let mut set = noise(seed);
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(Dense::buckets()),
            Box::new(Dense::heap()),
            Box::new(Dense::dijkstra()),
            Box::new(super::super::Jps::default()),
        ];
        for measured in measure(&mut engines, &mut set, &plan) {
            let measured = measured.unwrap();
            assert_eq!(measured.wrong, [], "{}, seed {seed}", measured.about.name);
            assert!(measured.cases.iter().all(|case| case.expansions.is_some()));
        }
    }
}

#[test]
fn an_edited_map_is_answered_as_it_is_now() {
    for seed in 0..8 {
        let before = noise(seed).map;
        let QuerySet {
            map: after, cases, ..
        } = noise(seed + 50);
        let changed: Vec<Column> = before
            .rect()
            .columns()
            .filter(|cell| before.get(cell.x, cell.y) != after.get(cell.x, cell.y))
            .collect();
        let engines: [Box<dyn Engine>; 2] = [
            Box::new(Dense::buckets()),
            Box::new(super::super::Jps::default()),
        ];
        for mut engine in engines {
            let name = engine.about().name;
            assert!(!engine.edit(&after, &changed), "there is no map yet");
            engine.prepare(&before).unwrap();
            assert!(engine.edit(&after, &changed));
            let open = OpenCells::of(&after);
            let mut reference = Reference::new(&open, MovementRule::Benchmark);
            let mut path = PathBuffer::default();
            for &Case { start, goal, .. } in &cases {
                path.clear();
                let result = engine.result(start, goal, &mut path);
                let best = reference.length(start, goal);
                assert_eq!(result.found, best.is_some(), "{name}");
                let difference = result.length.unwrap_or(0.0) - best.unwrap_or(0.0);
                assert!(
                    difference.abs() < 1e-3,
                    "{name}, seed {seed}, {start} to {goal}"
                );
            }
        }
    }
}
