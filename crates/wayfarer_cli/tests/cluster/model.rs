//! What the library says: the world at the last revisions, and the right answers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use wayfarer::{Position, Scale, Searcher, Solid, SolidId, World};

/// Revisions that are kept.
const N_KEPT: usize = 600;
/// Side of the world, in cells.
pub(crate) const SIDE: u64 = 48;

/// Random numbers from a seed (`SplitMix64`).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % limit
    }

    /// The center of a cell.
    pub(crate) fn place(&mut self) -> [f64; 3] {
        [self.cell(), self.cell(), 0.0]
    }

    fn cell(&mut self) -> f64 {
        f64::from(u32::try_from(self.below(SIDE)).unwrap_or(0)) + 0.5
    }
}

/// The worlds of the last revisions.
pub(crate) struct Model {
    first: World,
    state: Mutex<State>,
}

struct State {
    worlds: BTreeMap<u64, Arc<World>>,
    solids: Vec<SolidId>,
}

impl Model {
    pub(crate) fn new() -> Self {
        let rows = vec![".".repeat(48); 48].join("\n");
        let map = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n{rows}\n");
        let first = World::import("yard.map", map.as_bytes(), Scale::UNIT);
        let first = first.expect("the map is valid");
        let worlds = BTreeMap::from([(0, Arc::new(first.clone()))]);
        let solids = Vec::new();
        let state = Mutex::new(State { worlds, solids });
        Self { first, state }
    }

    /// The saved world that the cluster begins with.
    pub(crate) fn initial(&self) -> Vec<u8> {
        self.first.save()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no check panics with the lock")
    }

    pub(crate) fn last_revision(&self) -> u64 {
        let state = self.state();
        state
            .worlds
            .last_key_value()
            .map_or(0, |(number, _)| *number)
    }

    pub(crate) fn hash(&self) -> String {
        let state = self.state();
        let last = state.worlds.last_key_value();
        format!("{:016x}", last.map_or(0, |(_, world)| world.hash()))
    }

    /// The world at a revision, if it is kept.
    pub(crate) fn at(&self, revision: u64) -> Option<Arc<World>> {
        self.state().worlds.get(&revision).cloned()
    }

    /// Applies the next edit; the request for it, and the revision as it must come back.
    pub(crate) fn next_edit(&self, random: &mut Random) -> (Value, Value) {
        let mut state = self.state();
        let (number, world) = state.worlds.last_key_value().expect("there is a first");
        let (number, mut world) = (number + 1, World::clone(world));
        let is_removal =
            state.solids.len() > 60 || (!state.solids.is_empty() && random.below(3) == 0);
        let edit = if is_removal {
            let index = random.below(state.solids.len() as u64);
            let id = state
                .solids
                .swap_remove(usize::try_from(index).unwrap_or(0));
            world.remove_solid(id).expect("the solid is there");
            json!({"remove_solid": id.0})
        } else {
            let [x, y, _] = random.place();
            let (width, depth) = (random.below(5) + 1, random.below(5) + 1);
            let length = |cells: u64| f64::from(u32::try_from(cells).unwrap_or(1));
            let (low, high) = (
                [x - 0.5, y - 0.5, 0.0],
                [x - 0.5 + length(width), y - 0.5 + length(depth), 2.0],
            );
            let solid = Solid::cuboid(Position::from(low), Position::from(high));
            let (id, _) = world.add_solid(solid).expect("the solid is valid");
            state.solids.push(id);
            json!({"add_solid": {"cuboid": {"low": low, "high": high}}})
        };
        let revision = world.revision();
        let stated = json!({"number": number, "branch": format!("{:016x}", revision.branch)});
        state.worlds.insert(number, Arc::new(world));
        while state.worlds.len() > N_KEPT {
            state.worlds.pop_first();
        }
        (
            json!({"id": format!("edit-{number}"), "edits": [edit]}),
            stated,
        )
    }
}

/// Compares a response with the library at the revision that it states; the fault if it is wrong.
pub(crate) fn check(
    world: &World,
    searcher: &mut Searcher,
    request: &Value,
    response: &Value,
) -> Result<(), String> {
    let bytes = request.to_string().into_bytes();
    let right = wayfarer_cluster::respond(world, searcher, &bytes);
    let right: Value = serde_json::from_slice(&right).map_err(|error| error.to_string())?;
    let wrong = || Err(format!("{request}: {response}, expected {right}"));
    if right["revision"] != response["revision"] {
        return wrong();
    }
    match request["query"].as_str() {
        // A worker that has loaded a snapshot knows less of the past: what it calls valid is
        // walkable in any case.
        Some("status") => {
            let is_invalid = |response: &Value| response["result"]["status"] == "invalid";
            match is_invalid(&right) == is_invalid(response) {
                true => Ok(()),
                false => wrong(),
            }
        }
        Some("repair") => check_repaired(world, response, &right).or_else(|()| wrong()),
        _ if right == *response => Ok(()),
        _ => wrong(),
    }
}

/// A repaired path may differ with what is known of the past, but it is walkable and leads there.
fn check_repaired(world: &World, response: &Value, right: &Value) -> Result<(), ()> {
    if right["error"]["name"] != response["error"]["name"] {
        return Err(());
    }
    if response["result"].is_null() {
        return Ok(());
    }
    let ends = |response: &Value| {
        let waypoints = response["result"]["waypoints"].as_array().cloned();
        let waypoints = waypoints.unwrap_or_default();
        (waypoints.first().cloned(), waypoints.last().cloned())
    };
    let status = json!({"query": "status", "path": response["result"]["path"]});
    let status = status.to_string().into_bytes();
    let status = wayfarer_cluster::respond(world, &mut Searcher::default(), &status);
    let status: Value = serde_json::from_slice(&status).map_err(|_error| ())?;
    let is_walkable = matches!(
        status["result"]["status"].as_str(),
        Some("valid" | "maybe_suboptimal")
    );
    match is_walkable && ends(response) == ends(right) {
        true => Ok(()),
        false => Err(()),
    }
}
