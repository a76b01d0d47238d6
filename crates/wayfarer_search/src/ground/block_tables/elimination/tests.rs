//! Tables against Dijkstra from every frame cell.

use wayfarer_base::Column;
use wayfarer_testkit::{WorldKind, random_world};
use wayfarer_world::ground::{Ground, SuccessorBuffer};

use super::super::flood::{Flood, FloodDirection};
use super::super::frame::Frame;
use super::super::min_plus::{INFINITE, padded};
use super::*;
use crate::ground::NavGraph;

#[test]
fn a_table_has_the_costs_that_dijkstra_finds_inside_the_block() {
    let (mut n_finite, mut n_asymmetric, mut n_layers) = (0, 0, 0);
    for kind in WorldKind::ALL {
        for seed in 0..4 {
            let data = random_world(seed, kind);
            let ground = Ground::from_data(&data).unwrap();
            for (x, y) in [(-32, -16), (-16, -16), (0, 0), (0, -16)] {
                let mut cells = Cells::default();
                let mut buffer = SuccessorBuffer::default();
                let origin = Column::new(x, y);
                assert!(cells.read(NavGraph::from(&ground), origin, &mut buffer));
                let mut frame = Frame::default();
                frame.set_fine(&cells);
                let mut table = Vec::new();
                Elimination::default().table_of_cells(&cells, &frame.numbers, &mut table);
                let note = format!("{kind:?}, seed {seed}, block at {x}, {y}");
                n_asymmetric += u32::from(!cells.is_symmetric);
                n_layers += u32::from(cells.has_layers());
                let mut flood = Flood::default();
                let stride = padded(frame.len());
                for (i, from) in frame.numbers.iter().enumerate() {
                    flood.run(&cells, usize::from(*from), FloodDirection::From, None);
                    for (j, to) in frame.numbers.iter().enumerate() {
                        let (cost, entry) = (flood.costs[usize::from(*to)], table[i * stride + j]);
                        assert_eq!(entry, cost, "{note}: from {from} to {to}");
                        n_finite += u32::from(cost < INFINITE);
                    }
                }
            }
        }
    }
    assert!(n_finite > 100_000, "{n_finite} paths");
    assert!(n_asymmetric > 4, "{n_asymmetric} blocks with one-way steps");
    assert!(n_layers > 4, "{n_layers} blocks with several floors");
}
