//! Golden baked maps and the paths refined over them and over the live ground.

use wayfarer::base::{Cell, Raster, Rng};
use wayfarer::search::abstraction::{
    AbstractGraph, BakedGraph, CenterPlacement, LiveGraph, RefinementParams, RefinementRequest,
    Refiner, optimize_centers,
};
use wayfarer::world::baked::AbstractionBuilder;
use wayfarer::world::dense::DenseGround;
use wayfarer::world::ground::Ground;

use super::values::Values;
use super::worlds::flat_worlds;

/// The words for the refinements that are tried.
const REFINES: [&str; 6] = [
    "1,10%,-,-",
    "2,15%,-,-,search",
    "3,4,p,-,any",
    "hpa",
    "pra",
    "1,-,p+,-",
];

/// The bytes of baked maps for several sizes of sectors and paths to place centers.
pub(super) fn baked(values: &mut Values) {
    for map in flat_worlds() {
        for (side, criterion) in [
            (16, CenterPlacement::Center),
            (10, CenterPlacement::FarFromWalls),
            (5, CenterPlacement::LeastWork),
        ] {
            let Some((draft, _)) = drafted(&map, side, criterion) else {
                continue;
            };
            if let Ok(baked) = draft.bake() {
                values.bytes(&baked.to_bytes());
            }
        }
    }
}

/// Paths refined in every way, over baked maps and over the ground as it lives.
pub(super) fn refined(values: &mut Values) {
    let mut rng = Rng::new(17);
    for map in flat_worlds() {
        let live = Ground::from_raster(&map);
        let Some((draft, ground)) = drafted(&map, 16, CenterPlacement::Center) else {
            continue;
        };
        let Ok(baked) = draft.bake() else {
            continue;
        };
        let Ok(plan) = BakedGraph::new(&baked, &ground) else {
            continue;
        };
        let live = LiveGraph::new(&live);
        let is_open = |at: &wayfarer::base::Column| map.is_walkable(at.x, at.y);
        let open: Vec<_> = map.rect().columns().filter(is_open).collect();
        for words in REFINES {
            let Ok(refine) = words.parse::<RefinementParams>() else {
                continue;
            };
            if let (Some(from), Some(to)) = (rng.pick(&open), rng.pick(&open)) {
                let ends = (from.at(0), to.at(0));
                add(values, &plan, ends, refine);
                add(values, &live, ends, refine);
            }
        }
    }
}

fn drafted(
    map: &Raster,
    side: u32,
    criterion: CenterPlacement,
) -> Option<(AbstractionBuilder, DenseGround)> {
    let ground = DenseGround::from_raster(map.clone()).ok()?;
    let mut draft = AbstractionBuilder::of_raster(map, side).ok()?;
    optimize_centers(&mut draft, &ground, criterion, |_| {});
    Some((draft, ground))
}

fn add<P: AbstractGraph>(
    values: &mut Values,
    plan: &P,
    (from, to): (Cell, Cell),
    refine: RefinementParams,
) {
    let request = RefinementRequest::new(from, to, refine);
    let result = Refiner::default().find(plan, &request);
    values.take(&result);
}
