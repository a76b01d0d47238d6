//! Placement of region centers \[Sturtevant2007\], to bound the expansions of segments.

use wayfarer_base::Cell;
use wayfarer_world::baked::{AbstractionBuilder, BakedRegion};
use wayfarer_world::dense::DenseGround;

use super::leg::{LegResult, LegSearch, LegTarget};
use super::{AbstractGraph, BakedGraph};

/// The placement for a region's center.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CenterPlacement {
    /// The cell nearest to the centroid; no center is moved.
    Center,
    /// Fewest expansions in the worst case over all neighbors and both directions.
    LeastWork,
    /// Largest clearance, then nearest to the current center.
    FarFromWalls,
}

/// Moves the centers of all regions in order, except in default sectors, which stay implicit.
///
/// `ground` must be the map of the builder. Calls `progress` with the number of regions done.
/// [`CenterPlacement::LeastWork`] runs a search per cell, neighbor and direction: seconds for a
/// large map.
pub fn optimize_centers(
    builder: &mut AbstractionBuilder,
    ground: &DenseGround,
    placement: CenterPlacement,
    progress: impl FnMut(usize),
) {
    let regions: Vec<BakedRegion> = builder.regions().collect();
    move_centers(builder, ground, placement, &regions, progress);
}

/// [`optimize_centers`] for a changed map: regions with the same cells as in `previous`, the
/// builder of the map before, keep their centers, so that the baked abstractions differ only where
/// the maps do.
pub fn optimize_centers_from(
    builder: &mut AbstractionBuilder,
    previous: &AbstractionBuilder,
    ground: &DenseGround,
    placement: CenterPlacement,
    progress: impl FnMut(usize),
) {
    let known: Vec<BakedRegion> = previous.regions().collect();
    let mut changed = Vec::new();
    for region in builder.regions().collect::<Vec<_>>() {
        let is_same = known.binary_search(&region).is_ok()
            && builder.cells(region).eq(previous.cells(region));
        if !is_same {
            changed.push(region);
        } else if !builder.is_default(region) {
            builder.set_center(region, previous.center(region));
        }
    }
    move_centers(builder, ground, placement, &changed, progress);
}

fn move_centers(
    builder: &mut AbstractionBuilder,
    ground: &DenseGround,
    placement: CenterPlacement,
    regions: &[BakedRegion],
    mut progress: impl FnMut(usize),
) {
    if placement == CenterPlacement::Center {
        return;
    }
    // Used for its successors only; regions and centers are those of the builder.
    let Some(baked) = builder.bake().ok() else {
        return;
    };
    let Ok(graph) = BakedGraph::new(&baked, ground) else {
        return;
    };
    let mut search = LegSearch::default();
    let mut steps = Vec::new();
    for (done, region) in regions.iter().copied().enumerate() {
        progress(done);
        if builder.is_default(region) {
            continue;
        }
        let best = match placement {
            CenterPlacement::LeastWork => {
                least_work(builder, &graph, region, &mut search, &mut steps)
            }
            _ => farthest_from_walls(builder, ground, region),
        };
        builder.set_center(region, best);
    }
}

fn least_work(
    builder: &AbstractionBuilder,
    graph: &BakedGraph<'_>,
    region: BakedRegion,
    search: &mut LegSearch,
    steps: &mut Vec<(u32, u32)>,
) -> (i32, i32) {
    let number = |(x, y)| graph.number(Cell::flat(x, y)).ok();
    let neighbors: Vec<u32> = builder
        .edges(region)
        .filter_map(|to| number(builder.center(to)))
        .collect();
    let current = builder.center(region);
    // The current center first, so that it wins ties.
    let others = builder.cells(region).filter(|cell| *cell != current);
    let (mut best, mut best_work) = (current, u64::MAX);
    for cell in std::iter::once(current).chain(others) {
        let Some(here) = number(cell) else { continue };
        let mut worst = 0;
        for there in &neighbors {
            for (from, to) in [(here, *there), (*there, here)] {
                let target = LegTarget {
                    to,
                    region: None,
                    corridor: None,
                    max_expansions: best_work,
                    allow_line: false,
                };
                steps.clear();
                let mut expansions = 0;
                let result = search.find(graph, from, target, steps, &mut expansions);
                worst = worst.max(if result == LegResult::Found {
                    expansions
                } else {
                    u64::MAX
                });
            }
            if worst >= best_work {
                break;
            }
        }
        if worst < best_work {
            (best, best_work) = (cell, worst);
        }
    }
    best
}

fn farthest_from_walls(
    builder: &AbstractionBuilder,
    ground: &DenseGround,
    region: BakedRegion,
) -> (i32, i32) {
    let current = builder.center(region);
    let raster = ground.raster();
    let clearance = |(x, y): (i32, i32)| {
        let is_ring_free = |radius: i32| {
            (-radius..=radius).all(|along| {
                raster.is_walkable(x + along, y - radius)
                    && raster.is_walkable(x + along, y + radius)
                    && raster.is_walkable(x - radius, y + along)
                    && raster.is_walkable(x + radius, y + along)
            })
        };
        (1..16).take_while(|radius| is_ring_free(*radius)).count()
    };
    let distance = |(x, y): (i32, i32)| (x - current.0).pow(2) + (y - current.1).pow(2);
    let best = builder
        .cells(region)
        .min_by_key(|cell| (std::cmp::Reverse(clearance(*cell)), distance(*cell)));
    best.unwrap_or(current)
}
