//! Golden digests of baked abstractions and of paths refined over baked and live graphs.

use wayfarer_engine::base::{Cell, Raster, Rng};
use wayfarer_engine::search::abstraction::{
    AbstractGraph, BakedGraph, CenterPlacement, LiveGraph, RefinementParams, RefinementRequest,
    Refiner, optimize_centers,
};
use wayfarer_engine::world::baked::AbstractionBuilder;
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::Ground;

use super::values::Values;
use super::worlds::flat_worlds;

/// Refinement parameters in text form.
const REFINEMENTS: [&str; 6] = [
    "1,10%,-,-",
    "2,15%,-,-,search",
    "3,4,p,-,any",
    "hpa",
    "pra",
    "1,-,p+,-",
];

/// The bytes of baked abstractions for several sector sizes and center placements.
pub(super) fn baked(values: &mut Values) {
    for map in flat_worlds() {
        for (side, placement) in [
            (16, CenterPlacement::Center),
            (10, CenterPlacement::FarFromWalls),
            (5, CenterPlacement::LeastWork),
        ] {
            let Some((builder, _)) = optimized_builder(&map, side, placement) else {
                continue;
            };
            if let Ok(baked) = builder.bake() {
                values.bytes(&baked.to_bytes());
            }
        }
    }
}

/// Paths by every refinement, over baked abstractions and live ground.
pub(super) fn refined(values: &mut Values) {
    let mut rng = Rng::new(17);
    for map in flat_worlds() {
        let live = Ground::from_raster(&map);
        let Some((builder, ground)) = optimized_builder(&map, 16, CenterPlacement::Center) else {
            continue;
        };
        let Ok(baked) = builder.bake() else {
            continue;
        };
        let Ok(graph) = BakedGraph::new(&baked, &ground) else {
            continue;
        };
        let live = LiveGraph::new(&live);
        let is_open = |at: &wayfarer_engine::base::Column| map.is_walkable(at.x, at.y);
        let open: Vec<_> = map.rect().columns().filter(is_open).collect();
        for text in REFINEMENTS {
            let Ok(params) = text.parse::<RefinementParams>() else {
                continue;
            };
            if let (Some(from), Some(to)) = (rng.pick(&open), rng.pick(&open)) {
                let ends = (from.at(0), to.at(0));
                add(values, &graph, ends, params);
                add(values, &live, ends, params);
            }
        }
    }
}

fn optimized_builder(
    map: &Raster,
    side: u32,
    placement: CenterPlacement,
) -> Option<(AbstractionBuilder, DenseGround)> {
    let ground = DenseGround::from_raster(map.clone()).ok()?;
    let mut builder = AbstractionBuilder::from_raster(map, side).ok()?;
    optimize_centers(&mut builder, &ground, placement, |_| {});
    Some((builder, ground))
}

fn add<P: AbstractGraph>(
    values: &mut Values,
    graph: &P,
    (from, to): (Cell, Cell),
    params: RefinementParams,
) {
    let request = RefinementRequest::new(from, to, params);
    let result = Refiner::default().find(graph, &request);
    values.take(&result);
}
