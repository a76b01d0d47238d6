//! Cost of a registered profile beside the default one: build, bytes, edits.

use serde::Serialize;
use wayfarer::base::collections::OrderedMap;
use wayfarer::base::{Cell, Fixed, Profile, Raster, Rng, Terrain};
use wayfarer::world::ground::{Ground, ProfileId};
use wayfarer_measure::statistics::Spread;

use super::one_map::Tools;
use super::strips;
use crate::edit_times::ReversibleEdit;

/// Times a strip is cut; the middle one counts.
const STRIP_REPEATS: usize = 21;
/// Times a view is made or a single cell is cleared and set; the best counts.
const REPEATS: usize = 5;
/// Random cells cleared and set one by one.
const N_SINGLE: usize = 50;

/// Profiles: one cell wide but tall, and wider ones; radius in 1/256 of a cell.
const AGENTS: [(&str, i32); 3] = [
    ("tall, radius 0.5", 128),
    ("radius 1", 256),
    ("radius 3", 768),
];

/// One agent's view of one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProfileRow {
    /// The profile.
    pub agent: &'static str,
    /// Cells in which the agent can stand.
    pub n_cells: usize,
    /// Making the view of a ground that is there, nanoseconds.
    pub build_ns: f64,
    /// Bytes on the heap.
    pub memory_bytes: usize,
    /// Cutting the middle strip and repairing ground and view, microseconds, if something is there.
    pub cut_us: Option<f64>,
    /// Putting it back.
    pub add_us: Option<f64>,
    /// Single cells cleared and set, each edit's best, microseconds.
    #[serde(skip)]
    pub edit1_us: Vec<f64>,
}

/// One agent's views of all maps.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProfileTotals {
    /// The profile.
    pub agent: &'static str,
    /// Cells of all maps in which the agent can stand.
    pub n_cells: usize,
    /// Making the views, per walkable cell of the ground.
    pub build_ns_per_cell: f64,
    /// Bytes on the heap, over maps.
    pub memory_bytes: Option<Spread>,
    /// The bytes of all views over those of all grounds.
    pub memory_ratio: f64,
    /// Cutting the middle strip, ground and view, over maps.
    pub cut99_us: Option<Spread>,
    /// Putting it back.
    pub add99_us: Option<Spread>,
    /// Clearing or setting one cell, ground and view, over edits.
    pub edit1_us: Option<Spread>,
}

impl ProfileTotals {
    /// The totals of each agent, over maps with so many walkable cells and bytes in all.
    pub(super) fn all(rows: &[&[ProfileRow]], n_cells: usize, bytes: usize) -> Vec<Self> {
        let of_agent = |agent: &'static str| {
            let rows: Vec<&ProfileRow> = rows
                .iter()
                .flat_map(|map| map.iter())
                .filter(|row| row.agent == agent)
                .collect();
            let spread = |figure: &dyn Fn(&ProfileRow) -> Option<f64>| {
                Spread::of(
                    &mut rows
                        .iter()
                        .filter_map(|row| figure(row))
                        .collect::<Vec<f64>>(),
                )
            };
            let build: f64 = rows.iter().map(|row| row.build_ns).sum();
            let taken: usize = rows.iter().map(|row| row.memory_bytes).sum();
            let mut single: Vec<f64> = rows.iter().flat_map(|row| row.edit1_us.clone()).collect();
            (!rows.is_empty()).then(|| Self {
                agent,
                n_cells: rows.iter().map(|row| row.n_cells).sum(),
                build_ns_per_cell: build / n_cells.max(1) as f64,
                memory_bytes: spread(&|row| Some(row.memory_bytes as f64)),
                memory_ratio: taken as f64 / bytes.max(1) as f64,
                cut99_us: spread(&|row| row.cut_us),
                add99_us: spread(&|row| row.add_us),
                edit1_us: Spread::of(&mut single),
            })
        };
        AGENTS
            .iter()
            .filter_map(|(agent, _)| of_agent(agent))
            .collect()
    }
}

/// Measures every agent's view of a map, each alone; and what was wrong.
pub(super) fn measure(map: &Raster, seed: u64, tools: &Tools) -> (Vec<ProfileRow>, Vec<String>) {
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for (agent, radius) in AGENTS {
        let profile = Profile {
            radius: Fixed::from_raw(radius),
            height: Profile::DEFAULT.height + 1,
            ..Profile::DEFAULT
        };
        let mut ground = Ground::from_raster(map);
        let without = ground.memory_report().total();
        let mut id = ground
            .register_profile(profile.clone())
            .expect("a body of few cells");
        let mut times = Vec::new();
        for _ in 0..REPEATS {
            ground.unregister_profile(id);
            let (made, nanoseconds) = tools
                .timer
                .time(|| ground.register_profile(profile.clone()));
            id = made.expect("it was made before");
            times.push(nanoseconds);
        }
        let mut row = ProfileRow {
            agent,
            n_cells: ground
                .profile_ground(id)
                .map_or(0, |profile_ground| profile_ground.nodes().count()),
            build_ns: times.iter().copied().fold(f64::INFINITY, f64::min),
            memory_bytes: ground.memory_report().total() - without,
            cut_us: None,
            add_us: None,
            edit1_us: Vec::new(),
        };
        let floors = strips::middle(map, &ground);
        if !floors.is_empty() {
            let pair = ReversibleEdit::cut(&floors);
            let mut strip = tools
                .edits
                .there_and_back(&mut ground, &pair, STRIP_REPEATS);
            let (cut, add) = strip.medians();
            (row.cut_us, row.add_us) = (Some(cut), Some(add));
        }
        let cells: Vec<(Cell, Terrain)> = ground
            .nodes()
            .map(|node| ground.cell(node))
            .filter_map(|cell| Some((cell, map.get(cell.x, cell.y)?)))
            .collect();
        let mut rng = Rng::for_stream(seed, 4);
        for _ in 0..N_SINGLE {
            let Some(&floor) = rng.pick(&cells) else {
                break;
            };
            let pair = ReversibleEdit::cut(&[floor]);
            let (cleared, set) = tools
                .edits
                .there_and_back(&mut ground, &pair, REPEATS)
                .bests();
            row.edit1_us.extend([cleared, set]);
        }
        faults.extend(differs(&ground, id, map, &profile).map(|fault| format!("{agent}: {fault}")));
        rows.push(row);
    }
    (rows, faults)
}

/// What is wrong with a view that should be that of `map`, if anything is: where the agent can
/// stand and what is connected, against a view made anew.
pub(super) fn differs(
    ground: &Ground,
    id: ProfileId,
    map: &Raster,
    profile: &Profile,
) -> Option<String> {
    let mut fresh = Ground::from_raster(map);
    let fresh_id = fresh.register_profile(profile.clone()).ok()?;
    let (found, expected) = (said(ground, id), said(&fresh, fresh_id));
    let first = found
        .iter()
        .find(|(cell, component)| expected.get(cell) != Some(component));
    match first {
        Some((cell, _)) => Some(format!("the view of {cell} differs from one made anew")),
        None if found.len() != expected.len() => Some(format!(
            "the view has {} cells, expected {}",
            found.len(),
            expected.len()
        )),
        None => None,
    }
}

/// Every cell in which the agent can stand, with the first cell of its component.
fn said(ground: &Ground, id: ProfileId) -> OrderedMap<Cell, Cell> {
    let Some(profile_ground) = ground.profile_ground(id) else {
        return OrderedMap::new();
    };
    let mut cells: Vec<(Cell, _)> = profile_ground
        .nodes()
        .map(|node| (ground.cell(node), profile_ground.component(node)))
        .collect();
    cells.sort_unstable();
    let mut firsts = OrderedMap::new();
    let first = |(cell, component)| (cell, *firsts.entry(component).or_insert(cell));
    cells.into_iter().map(first).collect()
}

/// The figures of a spread, or dashes.
pub(super) fn mean_and_max(spread: Option<Spread>) -> [String; 2] {
    spread.map_or_else(
        || ["–".to_owned(), "–".to_owned()],
        |it| [it.mean, it.max].map(wayfarer_measure::table::short),
    )
}
