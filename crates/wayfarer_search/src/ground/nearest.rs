//! The reachable cell nearest to an unreachable goal, found without a path search.
//!
//! Scans rings of sectors around the goal and skips regions of other components; stops once no cell
//! of the next ring can be nearer.

use wayfarer_base::{Cell, Column, Cost, Rect, SectorId};
use wayfarer_world::ground::{ComponentId, NodeId};

use super::PartialPolicy;
use super::lower_bound::octile;
use super::nav_graph::NavGraph;

/// Rings of sectors to scan before a search from the start takes over.
const MAX_RING: i32 = 64;

/// Distance to a goal in the order of a policy, then in height; smaller is nearer.
pub(super) type Nearness = (u64, u32);

/// The distance of `cell` from `goal` in the order of `policy`.
pub(super) fn nearness(
    nav_graph: NavGraph<'_>,
    policy: PartialPolicy,
    goal: Cell,
    cell: Cell,
) -> Nearness {
    let dz = goal.z.abs_diff(cell.z);
    if policy == PartialPolicy::NearestOctile {
        let profile = nav_graph.profile();
        let max_rise = if goal.z > cell.z {
            profile.max_step
        } else {
            profile.max_drop
        };
        let n_steps = dz.div_ceil(max_rise.unsigned_abs().max(1));
        let climb = u64::from(n_steps) * u64::from(Cost::STRAIGHT.units());
        let walk = u64::from(octile(goal.column(), cell.column()));
        return (walk.max(climb), dz);
    }
    let square = |a: i32, b: i32| u64::from(a.abs_diff(b)).pow(2);
    let (x, y) = (square(goal.x, cell.x), square(goal.y, cell.y));
    (x.saturating_add(y), dz)
}

/// The cell nearest to `goal` of all that are reachable from `from`: the end of a partial path under
/// the same `policy`. Of equals the nearest to `from` by octile distance, then the first.
///
/// Returns `None` if `from` is not walkable, or if no reachable cell within a thousand columns of
/// the goal is certain to be the nearest. [`PartialPolicy::Never`] is taken as
/// [`PartialPolicy::NearestEuclidean`].
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_search::ground::{PartialPolicy, nearest_reachable};
/// use wayfarer_world::ground::Ground;
///
/// // . . # .
/// let map = Raster::from_bytes(4, 1, vec![0, 0, 255, 0]).unwrap();
/// let ground = Ground::from_raster(&map);
/// let (start, goal) = (Cell::flat(0, 0), Cell::flat(3, 0));
/// let nearest = nearest_reachable(&ground, start, goal, PartialPolicy::NearestOctile);
/// assert_eq!(nearest, Some(Cell::flat(1, 0)));
/// ```
pub fn nearest_reachable<'g>(
    nav_graph: impl Into<NavGraph<'g>>,
    from: Cell,
    goal: Cell,
    policy: PartialPolicy,
) -> Option<Cell> {
    let nav_graph = nav_graph.into();
    let component = nav_graph.component(nav_graph.node(from)?);
    let mut found = Vec::new();
    nearest_in_component(nav_graph, policy, goal, component, |_| true, &mut found);
    let cells = found
        .iter()
        .map(|node| nav_graph.cell(NodeId::from_index(*node)));
    cells.min_by_key(|cell| (octile(from.column(), cell.column()), *cell))
}

/// Writes the stored cells of `component` that `is_allowed` admits and that are nearest to `goal`,
/// all equally near; none if no cell within a thousand columns is certain to be the nearest.
pub(super) fn nearest_in_component(
    nav_graph: NavGraph<'_>,
    policy: PartialPolicy,
    goal: Cell,
    component: Option<ComponentId>,
    is_allowed: impl Fn(Cell) -> bool,
    found: &mut Vec<u32>,
) {
    found.clear();
    let mut best: Nearness = (u64::MAX, u32::MAX);
    let center = SectorId::from_column(goal.column());
    for ring in 0..=MAX_RING {
        if !found.is_empty() && best < ring_lower_bound(policy, goal.column(), ring) {
            break;
        }
        for_each_sector_of_ring(center, ring, |sector| {
            let rect = sector.rect();
            let nearest = Column::new(
                goal.x.clamp(rect.low.x, rect.high.x),
                goal.y.clamp(rect.low.y, rect.high.y),
            );
            if nearness(nav_graph, policy, goal, nearest.at(goal.z)) > best {
                return;
            }
            let mut cached = None;
            let mut visit = |node: NodeId| {
                let cell = nav_graph.cell(node);
                let near = nearness(nav_graph, policy, goal, cell);
                if near > best {
                    return;
                }
                let region = nav_graph.region(node);
                let is_connected = match cached {
                    Some((known, is_connected)) if known == region => is_connected,
                    _ => nav_graph.component(node) == component,
                };
                cached = Some((region, is_connected));
                if is_connected && is_allowed(cell) {
                    if near < best {
                        found.clear();
                        best = near;
                    }
                    found.push(node.index());
                }
            };
            if nav_graph.profile_id().is_some() {
                nav_graph.for_each_walkable_in(rect, &mut visit);
                return;
            }
            // Regions of other components are skipped as a whole.
            let ground = nav_graph.ground();
            let regions = ground.regions_in(sector);
            for region in regions.filter(|at| Some(ground.component_of_region(*at)) == component) {
                ground.cells_of(region).for_each(&mut visit);
            }
        });
    }
    // A corner of the last ring may be farther away than the sides of the next.
    if best >= ring_lower_bound(policy, goal.column(), MAX_RING + 1) {
        found.clear();
    }
    found.sort_unstable();
}

/// Lower bound on the distance of any cell on this ring of sectors or beyond.
fn ring_lower_bound(policy: PartialPolicy, goal: Column, ring: i32) -> Nearness {
    if ring == 0 {
        return (0, 0);
    }
    let Rect { low, high } = SectorId::from_column(goal).rect();
    let to_edge = [
        goal.x.abs_diff(low.x),
        goal.y.abs_diff(low.y),
        high.x.abs_diff(goal.x),
        high.y.abs_diff(goal.y),
    ];
    let to_edge = u64::from(to_edge.into_iter().min().unwrap_or(0));
    let columns = to_edge + 1 + u64::from(ring.unsigned_abs() - 1) * 16;
    match policy {
        PartialPolicy::NearestOctile => (columns * u64::from(Cost::STRAIGHT.units()), 0),
        _ => (columns * columns, 0),
    }
}

fn for_each_sector_of_ring(center: SectorId, ring: i32, mut visit: impl FnMut(SectorId)) {
    for dy in -ring..=ring {
        let stride = if dy.abs() == ring {
            1
        } else {
            (2 * ring).max(1)
        };
        let mut dx = -ring;
        while dx <= ring {
            visit(SectorId::new(center.x + dx, center.y + dy));
            dx += stride;
        }
    }
}
