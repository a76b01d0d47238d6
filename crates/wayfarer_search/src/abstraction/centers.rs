//! Where the center of a region lies best: where its neighbors are reached with the least work.

use wayfarer_base::Cell;
use wayfarer_world::baked::{AbstractionBuilder, BakedRegion};
use wayfarer_world::dense::DenseGround;

use super::leg::{LegResult, LegSearch, LegTarget};
use super::{AbstractGraph, BakedGraph};

/// By what the cells of a region are judged as its center.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CenterPlacement {
    /// The cell nearest to the middle; nothing is moved.
    Center,
    /// Fewest expansions in the worst case, over all neighbors and both ways.
    LeastWork,
    /// Farthest from any wall, then nearest to the middle: for units that should keep away.
    FarFromWalls,
}

/// Moves the centers of a draft, region by region in order; default sectors keep theirs, so that
/// they can be left out.
///
/// `ground` must be of the map that the draft was made of; `progress` hears how many regions are
/// done. Takes a search for every cell, neighbor and way: seconds for a large map.
pub fn optimize_centers(
    draft: &mut AbstractionBuilder,
    ground: &DenseGround,
    criterion: CenterPlacement,
    progress: impl FnMut(usize),
) {
    let regions: Vec<BakedRegion> = draft.regions().collect();
    move_some(draft, ground, criterion, &regions, progress);
}

/// Moves the centers of a draft of a changed map. Regions with the same cells as in `previous`, a
/// draft of the map as it was, keep the centers they have there, so that the two baked maps
/// differ only where the maps do; all others are moved as by [`optimize_centers`].
pub fn optimize_centers_from(
    draft: &mut AbstractionBuilder,
    previous: &AbstractionBuilder,
    ground: &DenseGround,
    criterion: CenterPlacement,
    progress: impl FnMut(usize),
) {
    let known: Vec<BakedRegion> = previous.regions().collect();
    let mut changed = Vec::new();
    for region in draft.regions().collect::<Vec<_>>() {
        let is_same =
            known.binary_search(&region).is_ok() && draft.cells(region).eq(previous.cells(region));
        if !is_same {
            changed.push(region);
        } else if !draft.is_default(region) {
            draft.set_center(region, previous.center(region));
        }
    }
    move_some(draft, ground, criterion, &changed, progress);
}

fn move_some(
    draft: &mut AbstractionBuilder,
    ground: &DenseGround,
    criterion: CenterPlacement,
    regions: &[BakedRegion],
    mut progress: impl FnMut(usize),
) {
    if criterion == CenterPlacement::Center {
        return;
    }
    // Only its steps are used: regions and centers are those of the draft.
    let Some(baked) = draft.bake().ok() else {
        return;
    };
    let Ok(plan) = BakedGraph::new(&baked, ground) else {
        return;
    };
    let mut search = LegSearch::default();
    let mut steps = Vec::new();
    for (done, region) in regions.iter().copied().enumerate() {
        progress(done);
        if draft.is_default(region) {
            continue;
        }
        let best = match criterion {
            CenterPlacement::LeastWork => least_work(draft, &plan, region, &mut search, &mut steps),
            _ => farthest_from_walls(draft, ground, region),
        };
        draft.set_center(region, best);
    }
}

fn least_work(
    draft: &AbstractionBuilder,
    plan: &BakedGraph<'_>,
    region: BakedRegion,
    search: &mut LegSearch,
    steps: &mut Vec<(u32, u32)>,
) -> (i32, i32) {
    let number = |(x, y)| plan.number(Cell::flat(x, y)).ok();
    let neighbors: Vec<u32> = draft
        .edges(region)
        .filter_map(|to| number(draft.center(to)))
        .collect();
    let now = draft.center(region);
    // The present center first, so that of equals it stays.
    let others = draft.cells(region).filter(|cell| *cell != now);
    let (mut best, mut least) = (now, u64::MAX);
    for cell in std::iter::once(now).chain(others) {
        let Some(here) = number(cell) else { continue };
        let mut worst = 0;
        for there in &neighbors {
            for (from, to) in [(here, *there), (*there, here)] {
                let aim = LegTarget {
                    to,
                    region: None,
                    corridor: None,
                    most: least,
                    tries_line: false,
                };
                steps.clear();
                let mut expansions = 0;
                let found = search.find(plan, from, aim, steps, &mut expansions);
                worst = worst.max(if found == LegResult::Path {
                    expansions
                } else {
                    u64::MAX
                });
            }
            if worst >= least {
                break;
            }
        }
        if worst < least {
            (best, least) = (cell, worst);
        }
    }
    best
}

fn farthest_from_walls(
    draft: &AbstractionBuilder,
    ground: &DenseGround,
    region: BakedRegion,
) -> (i32, i32) {
    let now = draft.center(region);
    let raster = ground.raster();
    let room = |(x, y): (i32, i32)| {
        let is_free = |reach: i32| {
            (-reach..=reach).all(|along| {
                raster.is_walkable(x + along, y - reach)
                    && raster.is_walkable(x + along, y + reach)
                    && raster.is_walkable(x - reach, y + along)
                    && raster.is_walkable(x + reach, y + along)
            })
        };
        (1..16).take_while(|reach| is_free(*reach)).count()
    };
    let distance = |(x, y): (i32, i32)| (x - now.0).pow(2) + (y - now.1).pow(2);
    let best = draft
        .cells(region)
        .min_by_key(|cell| (std::cmp::Reverse(room(*cell)), distance(*cell)));
    best.unwrap_or(now)
}
