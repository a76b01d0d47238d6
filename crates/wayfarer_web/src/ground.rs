//! The ground view: a world from a file, an agent type, a request and its path.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::prelude::*;
use wayfarer::{Planner, RequestId};

use crate::convert::{message, method, numbers, pair, position};
use crate::path::PathArrays;
use crate::trace::TraceArrays;

/// A world with one request that is answered again after every edit.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GroundScene {
    pub(crate) world: World,
    searcher: Searcher,
    request: PathRequest,
    /// The default agent type and those that were added.
    agents: Vec<AgentTypeId>,
    path: Option<Path>,
    /// The inverses of the edits, the last one last.
    pub(crate) undo: Vec<Vec<Edit>>,
    walk: Option<Walk>,
}

/// An agent that walks, planned by a [`Planner`].
#[derive(Debug)]
struct Walk {
    planner: Planner,
    id: RequestId,
    at: Position,
    n_replanned: u32,
    has_failed: bool,
}

/// The topmost floors of a rectangle, row by row.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct FloorArrays {
    /// Corner with the lowest coordinates: x, y, z.
    pub origin: Vec<f64>,
    /// Columns along x.
    pub width: usize,
    /// Columns along y.
    pub height: usize,
    /// Terrain numbers; 255 without a floor.
    pub terrains: Vec<u8>,
    /// 1 where the agent fits.
    pub walkable: Vec<u8>,
    /// Heights in meters.
    pub heights: Vec<f64>,
    /// Cost multipliers; 0 where the agent does not fit.
    pub multipliers: Vec<f64>,
    /// Color numbers of regions, 0 to 11; 255 without one.
    pub regions: Vec<u8>,
    /// Components by size; 65535 where the agent does not fit.
    pub components: Vec<u16>,
}

#[wasm_bindgen]
impl GroundScene {
    /// A world from a file of any format that the library reads, `cell` meters per cell.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8], cell: f64) -> Result<Self, String> {
        let world = World::import(name, bytes, Scale::meters(cell)).map_err(message)?;
        Ok(Self::with_world(world))
    }

    /// A world that was saved.
    pub fn load(bytes: &[u8]) -> Result<Self, String> {
        World::load(bytes).map(Self::with_world).map_err(message)
    }

    fn with_world(world: World) -> Self {
        Self {
            world,
            searcher: Searcher::default(),
            request: PathRequest::new(Position::default(), Position::default()),
            agents: vec![AgentTypeId::DEFAULT],
            path: None,
            undo: Vec::new(),
            walk: None,
        }
    }

    /// The world as bytes.
    pub fn save(&self) -> Vec<u8> {
        self.world.save()
    }

    /// What the import read and left out.
    pub fn report(&self) -> String {
        self.world.import_report().to_owned()
    }

    /// The length of a cell in meters.
    pub fn cell(&self) -> f64 {
        self.world.scale().cell
    }

    /// The lowest and the highest corner of all floors: six numbers, none without floors.
    pub fn extent(&self) -> Vec<f64> {
        let corners = self.world.inspect().extent();
        numbers(corners.into_iter().flat_map(|(low, high)| [low, high]))
    }

    /// Registers a walker and returns its number: `swamp` is the cost multiplier of swamp, `swims`
    /// says whether it enters water, `keys` which locks it opens.
    #[wasm_bindgen(js_name = addAgent)]
    pub fn add_agent(
        &mut self,
        radius: f64,
        swamp: f64,
        swims: bool,
        keys: u32,
    ) -> Result<usize, String> {
        use wayfarer::Terrain;
        let walkable = TerrainSet::WALKABLE;
        let terrains = match swims {
            true => walkable.with(Terrain::WATER),
            false => walkable,
        };
        let agent_type = AgentType {
            radius,
            terrains,
            terrain_costs: vec![(Terrain::SWAMP, swamp)],
            keys,
            ..AgentType::GROUND
        };
        let id = self.world.add_agent_type(agent_type).map_err(message)?;
        self.request.agent_type = id;
        self.agents.push(id);
        Ok(self.agents.len() - 1)
    }

    /// Selects the agent type of a number; 0 is the default type.
    #[wasm_bindgen(js_name = setAgent)]
    pub fn set_agent(&mut self, number: usize) -> Result<(), String> {
        let id = self.agents.get(number);
        self.request.agent_type = *id.ok_or_else(|| format!("no agent type {number}"))?;
        Ok(())
    }

    /// Selects the search method by name.
    #[wasm_bindgen(js_name = setMethod)]
    pub fn set_method(&mut self, name: &str) -> Result<(), String> {
        self.request.method = method(name)?;
        Ok(())
    }

    /// Sets start and goal: six numbers.
    #[wasm_bindgen(js_name = setEnds)]
    pub fn set_ends(&mut self, ends: &[f64]) -> Result<(), String> {
        let (from, to) = pair(ends)?;
        (self.request.from, self.request.to) = (from, to.into());
        Ok(())
    }

    /// The floor under a position for the agent; empty without one.
    pub fn project(&self, at: &[f64]) -> Result<Vec<f64>, String> {
        let found = self
            .world
            .project_to_floor(self.request.agent_type, position(at)?);
        Ok(numbers(found))
    }

    /// Finds the path and keeps it.
    pub fn find(&mut self) -> PathArrays {
        let found = self.world.find_path(&mut self.searcher, &self.request);
        let arrays = PathArrays::new(&found);
        self.path = found.ok();
        arrays
    }

    /// Finds the path without making arrays, for a measurement; true if there is one.
    #[wasm_bindgen(js_name = findOnly)]
    pub fn find_only(&mut self) -> bool {
        self.path = self.world.find_path(&mut self.searcher, &self.request).ok();
        self.path.is_some()
    }

    /// The optimal cost in meters; 0 without a path.
    pub fn optimum(&mut self) -> f64 {
        let request = PathRequest {
            method: Method::Optimal,
            ..self.request.clone()
        };
        let path = self.world.find_path(&mut self.searcher, &request);
        path.map_or(0.0, |path| path.cost())
    }

    /// The status of the path that was found last.
    pub fn status(&self) -> String {
        let status = self.path.as_ref().map(|path| self.world.status(path));
        status.map_or("no path".to_owned(), |status| status.to_string())
    }

    /// True if the path that was found last can still be walked at its cost.
    #[wasm_bindgen(js_name = isWalkable)]
    pub fn is_walkable(&self) -> bool {
        let path = self.path.as_ref();
        path.is_some_and(|path| self.world.status(path).is_walkable())
    }

    /// Why there is no path, a line per finding.
    pub fn explain(&mut self) -> String {
        match self.world.explain(&mut self.searcher, &self.request) {
            Ok(explanation) => explanation.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// What would open a path: three numbers each.
    #[wasm_bindgen(js_name = unblockOptions)]
    pub fn unblock_options(&mut self) -> Vec<f64> {
        let found = self.world.explain(&mut self.searcher, &self.request);
        let options = found.map(|found| found.unblock_options).unwrap_or_default();
        numbers(options.into_iter().map(|option| option.at))
    }

    /// The search event by event.
    pub fn trace(&mut self) -> Result<TraceArrays, String> {
        let inspector = self.world.inspect();
        let trace = inspector.trace(&mut self.searcher, &self.request);
        trace.map(TraceArrays::new).map_err(message)
    }

    /// The topmost floors between two corners, six numbers, for the agent.
    pub fn floors(&self, corners: &[f64]) -> Result<FloorArrays, String> {
        let (low, high) = pair(corners)?;
        let inspector = self.world.inspect();
        let grid = inspector.floors(self.request.agent_type, low, high);
        let grid = grid.ok_or("no grid: the corners lie outside the world")?;
        Ok(FloorArrays {
            origin: grid.origin.units().to_vec(),
            width: grid.width,
            height: grid.height,
            terrains: grid.terrains,
            walkable: grid.is_walkable.into_iter().map(u8::from).collect(),
            heights: grid.heights,
            multipliers: grid.multipliers,
            regions: grid.regions,
            components: grid.components,
        })
    }

    /// The abstract graph: seven numbers per edge, its ends and its support.
    pub fn portals(&self) -> Vec<f64> {
        let portals = self.world.inspect().portals().into_iter();
        let edge = |portal: wayfarer::inspect::Portal| {
            let mut edge = numbers([portal.from, portal.to]);
            edge.push(f64::from(portal.support));
            edge
        };
        portals.flat_map(edge).collect()
    }

    /// The number of regions.
    #[wasm_bindgen(js_name = nRegions)]
    pub fn n_regions(&self) -> usize {
        self.world.inspect().n_regions()
    }

    /// Sends an agent from the start to the goal.
    #[wasm_bindgen(js_name = startWalk)]
    pub fn start_walk(&mut self) {
        let mut planner = Planner::new(PlannerOptions::default());
        let id = planner.request(self.request.clone());
        let at = self.request.from;
        let (n_replanned, has_failed) = (0, false);
        self.walk = Some(Walk {
            planner,
            id,
            at,
            n_replanned,
            has_failed,
        });
    }

    /// Moves the agent by at most `step` meters: x, y, z, 1 if it arrived, the number of paths that
    /// edits invalidated and the planner replaced, 1 if it has no path. Empty without an agent.
    pub fn walk(&mut self, step: f64) -> Vec<f64> {
        let Some(walk) = &mut self.walk else {
            return Vec::new();
        };
        walk.planner.update(&self.world);
        for event in walk.planner.take_events() {
            match event {
                PlannerEvent::Invalidated { .. } => walk.n_replanned += 1,
                PlannerEvent::Failed { .. } => walk.has_failed = true,
                PlannerEvent::Found { .. } => walk.has_failed = false,
                _ => {}
            }
        }
        let mut has_arrived = false;
        if let Some(next) = walk.planner.advance(walk.id, walk.at) {
            walk.at = walk.at.toward(next.target, step);
            has_arrived = next.has_arrived;
        }
        let [x, y, z] = walk.at.units();
        let flag = |is_set: bool| f64::from(u8::from(is_set));
        let n_replanned = f64::from(walk.n_replanned);
        let has_failed = flag(walk.has_failed);
        vec![x, y, z, flag(has_arrived), n_replanned, has_failed]
    }

    /// The path that the walking agent follows: three numbers per waypoint.
    #[wasm_bindgen(js_name = walkPath)]
    pub fn walk_path(&self) -> Vec<f64> {
        let path = self.walk.as_ref();
        let path = path.and_then(|walk| walk.planner.path(walk.id));
        path.map_or_else(Vec::new, |path| numbers(path.waypoints()))
    }

    /// Ends the walk.
    #[wasm_bindgen(js_name = stopWalk)]
    pub fn stop_walk(&mut self) {
        self.walk = None;
    }
}

#[cfg(test)]
mod tests;
