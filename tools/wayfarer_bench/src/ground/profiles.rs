//! Cost of a registered profile beside the default one: build, bytes, edits.

use serde::Serialize;
use wayfarer_engine::base::collections::OrderedMap;
use wayfarer_engine::base::{Cell, Fixed, Profile, Raster, Rng, Terrain};
use wayfarer_engine::world::ground::{Ground, ProfileId};
use wayfarer_measure::statistics::Spread;

use super::one_map::Tools;
use super::strips;
use crate::edit_times::ReversibleEdit;

/// Repetitions of a strip; the median counts.
const STRIP_REPEATS: usize = 21;
/// Repetitions of a registration or a single edit; the best counts.
const REPEATS: usize = 5;
/// Random cells cleared and set one by one.
const N_SINGLE: usize = 50;

/// Profiles: one cell wide but tall, and wider ones; radius in 1/256 of a cell.
const AGENTS: [(&str, i32); 3] = [
    ("tall, radius 0.5", 128),
    ("radius 1", 256),
    ("radius 3", 768),
];

/// One profile on one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProfileRow {
    /// The profile.
    pub agent: &'static str,
    /// Cells in which the agent can stand.
    pub n_cells: usize,
    /// Registering the profile on a ground, nanoseconds.
    pub build_ns: f64,
    /// Bytes on the heap.
    pub memory_bytes: usize,
    /// Cutting the middle strip with all repairs, microseconds, if it has a walkable cell.
    pub cut_us: Option<f64>,
    /// Putting it back.
    pub add_us: Option<f64>,
    /// Single cells cleared and set, each edit's best, microseconds.
    #[serde(skip)]
    pub edit1_us: Vec<f64>,
}

/// One profile on all maps.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProfileTotals {
    /// The profile.
    pub agent: &'static str,
    /// Cells of all maps in which the agent can stand.
    pub n_cells: usize,
    /// Registering the profile, per walkable cell of the ground.
    pub build_ns_per_cell: f64,
    /// Bytes on the heap, over maps.
    pub memory_bytes: Option<Spread>,
    /// Bytes of the profile over those of the ground.
    pub memory_ratio: f64,
    /// Cutting the middle strip with all repairs, over maps.
    pub cut99_us: Option<Spread>,
    /// Putting it back.
    pub add99_us: Option<Spread>,
    /// Clearing or setting one cell with all repairs, over edits.
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

/// Measures every profile on a map, each alone; and the wrong results.
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
        let mut build_ns = f64::INFINITY;
        for _ in 0..REPEATS {
            ground.unregister_profile(id);
            let register = || ground.register_profile(profile.clone());
            let (registered, nanoseconds) = tools.timer.time(register);
            id = registered.expect("it was registered before");
            build_ns = build_ns.min(nanoseconds);
        }
        let mut row = ProfileRow {
            agent,
            n_cells: ground
                .profile_ground(id)
                .map_or(0, |profile_ground| profile_ground.nodes().count()),
            build_ns,
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

/// The difference of a repaired profile ground from a rebuilt one, if any: walkable cells and
/// components.
pub(super) fn differs(
    ground: &Ground,
    id: ProfileId,
    map: &Raster,
    profile: &Profile,
) -> Option<String> {
    let mut fresh = Ground::from_raster(map);
    let fresh_id = fresh.register_profile(profile.clone()).ok()?;
    let (found, expected) = (components(ground, id), components(&fresh, fresh_id));
    let first = found
        .iter()
        .find(|(cell, component)| expected.get(cell) != Some(component));
    match first {
        Some((cell, _)) => Some(format!("the profile differs at {cell} from a rebuilt one")),
        None if found.len() != expected.len() => Some(format!(
            "the profile has {} cells, expected {}",
            found.len(),
            expected.len()
        )),
        None => None,
    }
}

/// Every cell in which the agent can stand, with the first cell of its component.
fn components(ground: &Ground, id: ProfileId) -> OrderedMap<Cell, Cell> {
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
