use super::*;
use crate::dense::tests::{noise, open_cells, slow_cost, slow_costs};
use wayfarer_base::{Dice, Edit, Terrain};

#[test]
fn an_explanation_names_the_cell_that_opens_the_cheapest_way() {
    let mut searcher = DenseSearcher::default();
    let mut n_opened = 0;
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let (width, height) = (1 + dice.below(12), 1 + dice.below(12));
        let ground = noise(&mut dice, width, height, 2);
        let all: Vec<Column> = ground.rect().columns().collect();
        let goal = dice.pick(&all).unwrap().at(0);
        let Some(&start) = dice.pick(&open_cells(&ground)) else {
            continue;
        };
        let request = DenseRequest::new(start, goal);
        let why = explain(&ground, &mut searcher, &request).unwrap();
        if ground.is_connected(start, goal) {
            assert_eq!(why, Explain::default());
            continue;
        }
        let ways = all.iter().filter_map(|at| {
            let mut opened = ground.clone();
            let (cell, terrain) = (at.at(0), Terrain::GROUND);
            opened.apply(&[Edit::PutCell { cell, terrain }]).unwrap();
            slow_cost(&opened, start, goal).filter(|_| opened.is_walkable(goal))
        });
        let step = why.cheapest_blocked;
        assert_eq!(step.map(|step| step.cost), ways.min(), "seed {seed}");
        n_opened += usize::from(step.is_some());
        let costs = slow_costs(&ground, start);
        for place in &why.frontier {
            let Place::Cell(cell) = place else {
                panic!("{place:?} is no cell");
            };
            assert!(costs[ground.raster().index(cell.x, cell.y).unwrap()].is_some());
        }
        assert!(!why.frontier.is_empty(), "some obstacle was met");
    }
    assert!(n_opened > 30, "one cell was enough {n_opened} times");
}
