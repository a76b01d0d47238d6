//! Warm refinement allocates nothing.

use wayfarer_base::{Cell, Outcome, Raster, Rng};
use wayfarer_search::abstraction::{
    AbstractGraph, BakedGraph, LiveGraph, RefinementRequest, Refiner,
};
use wayfarer_testkit::allocations::assert_none_after;
use wayfarer_world::baked::AbstractionBuilder;
use wayfarer_world::dense::DenseGround;
use wayfarer_world::ground::Ground;

#[test]
fn warm_refinement_allocates_nothing_if_paths_are_recycled() {
    let mut rng = Rng::new(1);
    let cells = (0..200 * 150).map(|_| if rng.chance(1, 4) { 255 } else { 0 });
    let raster = Raster::from_bytes(200, 150, cells.collect()).expect("a byte per cell");
    let baked = AbstractionBuilder::from_raster(&raster, 16).and_then(|builder| builder.bake());
    let baked = baked.expect("a small map");
    let live = Ground::from_raster(&raster);
    let ground = DenseGround::from_raster(raster).expect("a small map");
    let all = ground.rect().columns().map(|at| at.at(0));
    let open: Vec<Cell> = all.filter(|cell| ground.is_walkable(*cell)).collect();
    let mut pick = || *rng.pick(&open).expect("most cells are open");
    let ends: Vec<(Cell, Cell)> = (0..40).map(|_| (pick(), pick())).collect();
    let graph = BakedGraph::new(&baked, &ground).expect("the same map");
    check(&graph, &ends);
    check(&LiveGraph::new(&live), &ends);
}

/// Runs all queries twice; the second time must allocate nothing.
fn check<P: AbstractGraph>(graph: &P, ends: &[(Cell, Cell)]) {
    let mut refiner = Refiner::default();
    let mut n_refined = 0;
    let mut work = || {
        for text in ["1,10%,-,-", "2,5,p+,simple"] {
            let params = text.parse().expect("valid parameters");
            for (start, goal) in ends {
                let request = RefinementRequest::new(*start, *goal, params);
                if let Ok(Outcome::Found(path)) = refiner.find(graph, &request) {
                    n_refined += usize::from(path.abstract_path.len() > 2);
                    refiner.recycle(path);
                }
            }
        }
    };
    assert_none_after(1, &mut work);
    assert!(n_refined > 40, "{n_refined}");
}
