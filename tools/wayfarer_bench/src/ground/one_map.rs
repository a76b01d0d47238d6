//! All ground measurements on one map.

use std::hint::black_box;

use wayfarer::base::collections::OrderedMap;
use wayfarer::base::{Cell, Direction, GroundEdit, Raster, Rng, SectorId, Terrain};
use wayfarer::world::ground::{Ground, MemoryReport, NodeId, SuccessorBuffer};
use wayfarer_measure::clock::Timer;

use super::report::{MapRow, Strip};
use super::strips;
use crate::edit_times::{EditTimer, ReversibleEdit, differs};
use crate::memory::Asked;

/// Random edits before memory is counted again.
pub const N_EDITS: usize = 1000;
/// Random cells cleared and set one by one.
const N_SINGLE: usize = 200;
/// Times a strip is cut; the middle one counts.
const STRIP_REPEATS: usize = 21;
/// Times a strip is cut cell by cell; the middle one counts.
const ONE_BY_ONE_REPEATS: usize = 5;
/// Times a single cell is cleared and set, the steps are taken or the ground is built; the best
/// counts.
const REPEATS: usize = 5;

/// What is needed to measure any map.
pub(super) struct Tools {
    pub(super) edits: EditTimer,
    pub(super) timer: Timer,
    pub(super) cold: Cold,
    /// Whether the program counts what it allocates.
    pub(super) is_counted: bool,
}

/// Memory that is walked through so that nothing else stays in the caches.
pub(super) struct Cold {
    words: Vec<u64>,
}

impl Cold {
    /// More than the caches hold: 96 MB.
    pub(super) const BYTES: usize = 96 << 20;

    pub(super) fn new(bytes: usize) -> Self {
        let n_words = bytes / size_of::<u64>();
        Self {
            words: (0_u64..).take(n_words).collect(),
        }
    }

    /// One word of every line of the caches.
    fn walk(&self) {
        let line = self.words.iter().step_by(8);
        black_box(line.fold(0_u64, |sum, word| sum.wrapping_add(*word)));
    }
}

/// Measures one map. The last number of the row's seed is its own, so that every map gets other
/// random cells.
pub(super) fn measure(name: &str, map: &Raster, seed: u64, tools: &Tools) -> MapRow {
    let mut row = MapRow {
        map: name.to_owned(),
        ..MapRow::default()
    };
    memory(&mut row, map, seed, tools);
    build(&mut row, map, tools);
    let mut ground = Ground::from_raster(map);
    let cells: Vec<(Cell, Terrain)> = ground
        .nodes()
        .map(|node| ground.cell(node))
        .filter_map(|cell| Some((cell, map.get(cell.x, cell.y)?)))
        .collect();
    row.n_cells = cells.len();
    let bits = ground.grid_bytes();
    (row.shared_grid_bytes, row.region_grid_bytes) = (bits.shared, bits.per_region);
    (row.n_sectors, row.n_shared_sectors) = (bits.n_sheets, bits.n_shared);
    steps(&mut row, &ground, seed, tools);
    let (center, busiest) = (strips::middle(map, &ground), strips::busiest(map, &ground));
    row.center = strip(&mut ground, &center, tools);
    row.busiest = strip(&mut ground, &busiest, tools);
    single(&mut row, &mut ground, &cells, seed, tools);
    row.faults.extend(differs(&ground, map));
    row
}

/// A fault if the report of a ground is not what the allocator counted.
pub(super) fn miscounted(report: &MemoryReport, counted: i64) -> Option<String> {
    let reported = report.total() + report.scratch;
    (i64::try_from(reported) != Ok(counted))
        .then(|| format!("reports {reported} bytes, the allocator counted {counted}"))
}

fn memory(row: &mut MapRow, map: &Raster, seed: u64, tools: &Tools) {
    let mut asked = Asked::default();
    let mut ground = asked.during(|| Ground::from_raster(map));
    let fresh = ground.memory_report();
    row.memory_bytes = fresh.total();
    if tools.is_counted {
        row.faults.extend(miscounted(&fresh, asked.bytes));
    }
    let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    let mut edited = map.clone();
    let mut rng = Rng::for_stream(seed, 1);
    let toggles: Vec<GroundEdit> = (0..N_EDITS)
        .filter_map(|_| {
            let cell = *rng.pick(&cells)?;
            let before = edited.get(cell.x, cell.y);
            let was = map.get(cell.x, cell.y)?;
            let after = before.is_none().then_some(was);
            edited.set(cell.x, cell.y, after);
            Some(match after {
                Some(terrain) => GroundEdit::PutCell { cell, terrain },
                None => GroundEdit::RemoveCell { cell },
            })
        })
        .collect();
    asked.during(|| {
        for edit in &toggles {
            let changes = ground.apply(std::slice::from_ref(edit));
            changes.expect("the cell is one of the map's");
        }
        ground.trim();
    });
    let worn = ground.memory_report();
    row.memory_after_edits_bytes = worn.total();
    if tools.is_counted {
        row.faults.extend(miscounted(&worn, asked.bytes));
    }
    row.faults.extend(differs(&ground, &edited));
}

/// The least time over some repeats, in nanoseconds.
fn best(repeats: usize, mut once: impl FnMut() -> f64) -> f64 {
    (0..repeats).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn build(row: &mut MapRow, map: &Raster, tools: &Tools) {
    row.build_ns = best(REPEATS, || {
        let (_, nanoseconds) = tools.timer.time(|| Ground::from_raster(map));
        nanoseconds
    });
}

fn steps(row: &mut MapRow, ground: &Ground, seed: u64, tools: &Tools) {
    let mut nodes: Vec<NodeId> = ground.nodes().collect();
    let mut buffer = SuccessorBuffer::default();
    let mut all_steps = |nodes: &[NodeId]| {
        best(REPEATS, || {
            let (sum, nanoseconds) = tools.timer.time(|| {
                let mut sum = 0_u64;
                for &node in nodes {
                    for (to, cost) in ground.successors(node, &mut buffer) {
                        sum = sum.wrapping_add(u64::from(to.index()) ^ u64::from(cost.units()));
                    }
                }
                sum
            });
            black_box(sum);
            nanoseconds
        })
    };
    row.steps_ns = all_steps(&nodes);
    Rng::for_stream(seed, 2).shuffle(&mut nodes);
    row.random_steps_ns = all_steps(&nodes);
    nodes.sort_unstable();
    row.single_steps_ns = best(REPEATS, || {
        let (sum, nanoseconds) = tools.timer.time(|| {
            let mut sum = 0_u64;
            for &node in &nodes {
                for direction in Direction::ALL {
                    let to = ground.neighbor(node, direction);
                    sum = sum.wrapping_add(to.map_or(0, |to| u64::from(to.index())));
                }
            }
            sum
        });
        black_box(sum);
        nanoseconds
    });
}

/// Cuts a strip out and puts it back: warm, cold and cell by cell. `None` if nothing is there.
fn strip(ground: &mut Ground, floors: &[(Cell, Terrain)], tools: &Tools) -> Option<Strip> {
    if floors.is_empty() {
        return None;
    }
    let pair = ReversibleEdit::cut(floors);
    let mut warm = tools.edits.there_and_back(ground, &pair, STRIP_REPEATS);
    let (cut_us, add_us) = warm.medians();
    let mut single = tools.edits.one_by_one(ground, &pair, ONE_BY_ONE_REPEATS);
    let (cut_one_by_one_us, add_one_by_one_us) = single.medians();
    tools.cold.walk();
    let (_, cold_cut_us, _) = tools.edits.once(ground, &pair.there);
    tools.cold.walk();
    let (_, cold_add_us, _) = tools.edits.once(ground, &pair.back);
    Some(Strip {
        n_cells: floors.len(),
        cut_us,
        add_us,
        cold_cut_us,
        cold_add_us,
        cut_one_by_one_us,
        add_one_by_one_us,
    })
}

/// Clears and sets random cells, each apart, and sorts them by whether their sector has several
/// regions.
fn single(
    row: &mut MapRow,
    ground: &mut Ground,
    cells: &[(Cell, Terrain)],
    seed: u64,
    tools: &Tools,
) {
    let mut n_regions: OrderedMap<SectorId, u32> = OrderedMap::default();
    for region in ground.regions() {
        *n_regions.entry(ground.sector_of(region)).or_default() += 1;
    }
    let mut rng = Rng::for_stream(seed, 3);
    for _ in 0..N_SINGLE {
        let Some(&floor) = rng.pick(cells) else {
            return;
        };
        let pair = ReversibleEdit::cut(&[floor]);
        let times = tools.edits.there_and_back(ground, &pair, REPEATS);
        let (cleared, set) = times.bests();
        let sector = SectorId::from_column(floor.0.column());
        let is_shared = n_regions.get(&sector).is_some_and(|&n| n > 1);
        let sorted = if is_shared {
            &mut row.shared_edit1_us
        } else {
            &mut row.lone_edit1_us
        };
        sorted.extend([cleared, set]);
    }
}
