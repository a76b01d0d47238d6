//! Paths in cells against paths in node ids.

use wayfarer_base::{Budget, Column, GroundEdit, NoopObserver, Raster, Rng, Terrain};

use super::*;
use crate::ground::jps_cached::Query;
use wayfarer_world::ground::Ground;

#[test]
fn paths_in_cells_equal_paths_in_node_ids_on_flat_and_on_hilly_ground() {
    let mut rng = Rng::new(17);
    let mut n_by_bitmap = 0;
    for round in 0..12 {
        let mut flat = vec![0; 96 * 96];
        for cell in &mut flat {
            if rng.chance(1, 4) {
                *cell = 255;
            }
        }
        let raster = Raster::from_bytes(96, 96, flat).unwrap();
        let mut ground = Ground::from_raster(&raster);
        let [mut one, mut other] = [(); 2].map(|()| CachedJpsSearcher::default());
        let (mut path, mut cells) = (Vec::new(), Vec::new());
        let mut nodes: Vec<NodeId> = ground.nodes().collect();
        for id in 0..160 {
            if id % 20 == 19 {
                // Edits put and remove floors, sometimes one step up or far from all others.
                let z = i32::from(round % 3 == 2 && rng.chance(1, 3));
                let column = Column::new(rng.between(0, 160), rng.between(0, 95));
                let edit = match ground.node(column.at(0)) {
                    Some(_) => GroundEdit::RemoveCell { cell: column.at(0) },
                    None => GroundEdit::PutCell {
                        cell: column.at(z),
                        terrain: Terrain::GROUND,
                    },
                };
                let changes = ground.apply(&[edit]).unwrap();
                one.apply_changes(&ground, &changes);
                other.apply_changes(&ground, &changes);
                nodes = ground.nodes().collect();
            }
            let mut any = || *rng.pick(&nodes).unwrap();
            let query = Query::new(any(), any());
            let weight = [HeuristicWeight::ONE, HeuristicWeight::BOUNDED][rng.below(2) as usize];
            let most = [u64::MAX, 5][rng.below(2) as usize];
            let budget = Budget::expansions(most);
            let began = one.begin(&ground, &query, weight);
            assert_eq!(began, other.begin(&ground, &query, weight));
            if began.is_some() {
                continue;
            }
            let stop = one.advance(&ground, &mut NoopObserver, budget);
            assert_eq!(stop, other.advance(&ground, &mut NoopObserver, budget));
            n_by_bitmap += u32::from(other.cache.bitmap.uniform_height().is_some());
            let result = one.outcome(&ground, stop, &mut path);
            assert_eq!(result, other.outcome_in_cells(&ground, stop, &mut cells));
            assert_eq!(one.cost_lower_bound(), other.cost_lower_bound());
            let due: Vec<Cell> = path.iter().map(|node| ground.cell(*node)).collect();
            assert_eq!(cells, due);
        }
    }
    assert!(n_by_bitmap > 200, "{n_by_bitmap} by the bitmap");
}
