//! All ground measurements on one map.

use std::hint::black_box;

use wayfarer_engine::base::collections::OrderedMap;
use wayfarer_engine::base::{Cell, Direction, GroundEdit, Raster, Rng, SectorId, Terrain};
use wayfarer_engine::world::ground::{Ground, MemoryReport, NodeId, SuccessorBuffer};
use wayfarer_measure::clock::Timer;

use super::report::{MapRow, Strip};
use super::strips;
use crate::edit_times::{EditTimer, ReversibleEdit, differs};
use crate::memory::Allocated;

/// Random edits before memory is counted again.
pub const N_EDITS: usize = 1000;
/// Random cells cleared and set one by one.
const N_SINGLE: usize = 200;
/// Repetitions of a strip; the median counts.
const STRIP_REPEATS: usize = 21;
/// Repetitions of a strip cell by cell; the median counts.
const ONE_BY_ONE_REPEATS: usize = 5;
/// Repetitions of a single edit, of all successors or of the build; the best counts.
const REPEATS: usize = 5;

/// Timers and buffers of all maps.
pub(super) struct Tools {
    pub(super) edits: EditTimer,
    pub(super) timer: Timer,
    pub(super) cold: Cold,
    /// Whether allocations are counted.
    pub(super) is_counted: bool,
}

/// Memory that is read to evict everything else from the CPU caches.
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

    /// Reads one word of every cache line.
    fn walk(&self) {
        let line = self.words.iter().step_by(8);
        black_box(line.fold(0_u64, |sum, word| sum.wrapping_add(*word)));
    }
}

/// Measures one map; `seed` draws its random cells.
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

/// A fault if the memory report of a ground differs from the count of the allocator.
pub(super) fn miscounted(report: &MemoryReport, counted: i64) -> Option<String> {
    let reported = report.total() + report.scratch;
    (i64::try_from(reported) != Ok(counted))
        .then(|| format!("reports {reported} bytes, the allocator counted {counted}"))
}

fn memory(row: &mut MapRow, map: &Raster, seed: u64, tools: &Tools) {
    let mut allocated = Allocated::default();
    let mut ground = allocated.during(|| Ground::from_raster(map));
    let fresh = ground.memory_report();
    row.memory_bytes = fresh.total();
    if tools.is_counted {
        row.faults.extend(miscounted(&fresh, allocated.bytes));
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
    allocated.during(|| {
        for edit in &toggles {
            let changes = ground.apply(std::slice::from_ref(edit));
            changes.expect("the cell is one of the map's");
        }
        ground.trim();
    });
    let worn = ground.memory_report();
    row.memory_after_edits_bytes = worn.total();
    if tools.is_counted {
        row.faults.extend(miscounted(&worn, allocated.bytes));
    }
    row.faults.extend(differs(&ground, &edited));
}

fn build(row: &mut MapRow, map: &Raster, tools: &Tools) {
    row.build_ns = tools.timer.best(REPEATS, || Ground::from_raster(map));
}

fn steps(row: &mut MapRow, ground: &Ground, seed: u64, tools: &Tools) {
    let mut nodes: Vec<NodeId> = ground.nodes().collect();
    let mut buffer = SuccessorBuffer::default();
    let mut all_steps = |nodes: &[NodeId]| {
        tools.timer.best(REPEATS, || {
            let mut sum = 0_u64;
            for &node in nodes {
                for (to, cost) in ground.successors(node, &mut buffer) {
                    sum = sum.wrapping_add(u64::from(to.index()) ^ u64::from(cost.units()));
                }
            }
            sum
        })
    };
    row.steps_ns = all_steps(&nodes);
    Rng::for_stream(seed, 2).shuffle(&mut nodes);
    row.random_steps_ns = all_steps(&nodes);
    nodes.sort_unstable();
    row.single_steps_ns = tools.timer.best(REPEATS, || {
        let mut sum = 0_u64;
        for &node in &nodes {
            for direction in Direction::ALL {
                let to = ground.neighbor(node, direction);
                sum = sum.wrapping_add(to.map_or(0, |to| u64::from(to.index())));
            }
        }
        sum
    });
}

/// Cuts a strip out and puts it back: warm, cold and cell by cell. `None` without a walkable cell.
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
