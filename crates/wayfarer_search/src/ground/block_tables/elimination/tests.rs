//! Tables against Dijkstra from every frame cell.

use wayfarer_base::{Column, CostMultiplier, Profile, Raster, Rect, Rng, Terrain};
use wayfarer_testkit::{WorldKind, random_world};
use wayfarer_world::ground::Ground;

use super::super::flood::{Flood, FloodDirection};
use super::super::frame::Frame;
use super::super::min_plus::{INFINITE, padded};
use super::*;
use crate::ground::NavGraph;

/// Compares a table with Dijkstra inside the block; returns the number of paths.
fn check(cells: &Cells, frame: &Frame, table: &[i32], note: &str) -> u32 {
    let (mut flood, mut n_finite) = (Flood::default(), 0);
    let stride = padded(frame.len());
    for (i, from) in frame.numbers.iter().enumerate() {
        flood.run(cells, usize::from(*from), FloodDirection::From, None);
        for (j, to) in frame.numbers.iter().enumerate() {
            let (cost, entry) = (flood.costs[usize::from(*to)], table[i * stride + j]);
            assert_eq!(entry, cost, "{note}: from {from} to {to}");
            n_finite += u32::from(cost < INFINITE);
        }
    }
    n_finite
}

#[test]
fn a_table_has_the_costs_that_dijkstra_finds_inside_the_block() {
    let (mut n_finite, mut n_asymmetric, mut n_layers) = (0, 0, 0);
    let mut elimination = Elimination::default();
    for kind in WorldKind::ALL {
        for seed in 0..4 {
            let data = random_world(seed, kind);
            let ground = Ground::from_data(&data).unwrap();
            for (x, y) in [(-32, -16), (-16, -16), (0, 0), (0, -16)] {
                let mut cells = Cells::default();
                let origin = Column::new(x, y);
                assert!(cells.read(NavGraph::from(&ground), origin));
                let mut frame = Frame::default();
                frame.set_fine(&cells);
                let mut table = Vec::new();
                elimination.table_of_cells(&cells, &frame.numbers, &mut table);
                let note = format!("{kind:?}, seed {seed}, block at {x}, {y}");
                n_asymmetric += u32::from(!cells.is_symmetric);
                n_layers += u32::from(cells.has_layers());
                n_finite += check(&cells, &frame, &table, &note);
            }
        }
    }
    assert!(n_finite > 100_000, "{n_finite} paths");
    assert!(n_asymmetric > 4, "{n_asymmetric} blocks with one-way steps");
    assert!(n_layers > 4, "{n_layers} blocks with several floors");
}

#[test]
fn areas_of_one_multiplier_have_the_same_table_wherever_they_lie() {
    // Patches of eleven multipliers, more than are kept, on open ground with a few walls.
    let mut rng = Rng::new(0xE1);
    let mut map = Raster::from_bytes(96, 96, vec![0; 96 * 96]).unwrap();
    for _ in 0..24 {
        let (x, y) = (rng.between(-9, 90), rng.between(-9, 90));
        let terrain = Terrain::new(rng.below(11).to_le_bytes()[0]);
        let side = rng.between(6, 28);
        let patch = Rect::around(Column::new(x, y), Column::new(x + side, y + side));
        for at in patch.columns() {
            map.set(at.x, at.y, terrain);
        }
    }
    for _ in 0..12 {
        let (x, y) = (rng.between(0, 90), rng.between(0, 90));
        for x in x..x + 6 {
            map.set(x, y, None);
        }
    }
    let terrains = (0..11).filter_map(Terrain::new);
    let profile = Profile {
        allowed_terrains: terrains.clone().fold(0, |all, terrain| all | terrain.bit()),
        terrain_costs: (16..)
            .step_by(7)
            .zip(terrains)
            .map(|(sixteenths, it)| (it, CostMultiplier::from_sixteenths(sixteenths).unwrap()))
            .collect(),
        ..Profile::DEFAULT
    };
    let mut ground = Ground::from_raster(&map);
    let id = ground.register_profile(profile).unwrap();
    let nav_graph = NavGraph::new(&ground, Some(id)).unwrap();
    let mut elimination = Elimination::default();
    let (mut table, mut n_finite) = (Vec::new(), 0);
    for (x, y) in (0..36).map(|n| (n % 6 * 16, n / 6 * 16)) {
        let mut cells = Cells::default();
        assert!(cells.read(nav_graph, Column::new(x, y)));
        let mut frame = Frame::default();
        frame.set_fine(&cells);
        elimination.table_of_cells(&cells, &frame.numbers, &mut table);
        n_finite += check(&cells, &frame, &table, &format!("block at {x}, {y}"));
    }
    assert!(n_finite > 80_000, "{n_finite} paths");
}
