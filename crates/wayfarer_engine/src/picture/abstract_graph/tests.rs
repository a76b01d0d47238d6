use wayfarer_base::{Outcome, Raster};
use wayfarer_search::abstraction::{BakedGraph, RefinementRequest, Refiner};
use wayfarer_world::baked::AbstractionBuilder;
use wayfarer_world::dense::DenseGround;

use super::*;

#[test]
fn segments_are_drawn_end_to_end_inside_their_corridor() {
    let map = Raster::from_bytes(100, 80, vec![0; 8000]).unwrap();
    let baked = AbstractionBuilder::from_raster(&map, 8)
        .unwrap()
        .bake()
        .unwrap();
    let ground = DenseGround::from_raster(map).unwrap();
    let graph = BakedGraph::new(&baked, &ground).unwrap();
    for words in ["1,10%,-,-", "2,3,p,-", "4,-,p+,-", "hpa"] {
        let refine: wayfarer_search::abstraction::RefinementParams = words.parse().unwrap();
        let request = RefinementRequest::new(Cell::flat(1, 1), Cell::flat(90, 70), refine);
        let found = Refiner::default().find(&graph, &request).unwrap();
        let path = found.found().unwrap();
        let mut picture = Picture::default();
        picture.add_region_graph(&graph, baked.regions());
        picture.add_corridor(&graph, &path, refine.corridor, 8);
        picture.add_refined_path(&path);
        let (mut cells, mut zones, mut n_edges) = (vec![path.cells[0]], Vec::new(), 0);
        for mark in picture.marks() {
            match mark {
                Mark::Segment { cells: segment, .. } => {
                    assert_eq!(cells.last(), segment.first(), "{words}");
                    cells.extend_from_slice(&segment[1..]);
                }
                Mark::Zone { shape, .. } => zones.push(shape.bounds()),
                Mark::Edge { .. } => n_edges += 1,
                _ => {}
            }
        }
        assert_eq!(cells, path.cells, "{words}");
        assert_eq!(n_edges * 2, baked.n_edges(), "{words}");
        assert_eq!(zones.is_empty(), refine.corridor == Corridor::None);
        let inside = |cell: &Cell| zones.iter().any(|zone| zone.contains(cell.column()));
        assert!(zones.is_empty() || cells.iter().all(inside), "{words}");
    }
    let same = RefinementRequest::new(Cell::flat(1, 1), Cell::flat(2, 1), "hpa".parse().unwrap());
    let found = Refiner::default().find(&graph, &same).unwrap();
    let mut picture = Picture::default();
    picture.add_refined_path(&Outcome::found(found).unwrap());
    assert_eq!(picture.marks().len(), 1, "one segment and no abstract path");
}
