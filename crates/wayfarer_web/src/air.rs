//! The view of the air: a box of voxels, rocks in it, and flights.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::inspect::FlightPreset;
use wayfarer::prelude::*;

use crate::convert::{message, pair};
use crate::trace::TraceArrays;

/// A cube of air with rocks.
#[wasm_bindgen]
#[derive(Debug)]
pub struct AirScene {
    world: World,
    searcher: Searcher,
    agent: AgentTypeId,
    rocks: Vec<SolidId>,
    path: Option<Path>,
}

#[wasm_bindgen]
impl AirScene {
    /// A cube of `side` meters, a voxel per meter, for a ship of a radius.
    #[wasm_bindgen(constructor)]
    pub fn new(side: f64, radius: f64) -> Result<Self, String> {
        let mut world = World::new(Scale::meters(1.0)).map_err(message)?;
        let high = Position::new(side, side, side);
        world.add_air(Position::default(), high).map_err(message)?;
        let agent_type = AgentType {
            radius,
            ..AgentType::FLIGHT
        };
        let agent = world.add_agent_type(agent_type).map_err(message)?;
        Ok(Self {
            world,
            searcher: Searcher::default(),
            agent,
            rocks: Vec::new(),
            path: None,
        })
    }

    /// Adds a rock, a closed mesh: three numbers per vertex, three vertices per triangle,
    /// counter-clockwise seen from outside. Returns its index.
    #[wasm_bindgen(js_name = addRock)]
    pub fn add_rock(&mut self, vertices: &[f64], triangles: &[u32]) -> Result<usize, String> {
        let id = self.world.add_solid(mesh(vertices, triangles));
        self.rocks.push(id.map_err(message)?.0);
        Ok(self.rocks.len() - 1)
    }

    /// Replaces a rock in one batch.
    #[wasm_bindgen(js_name = moveRock)]
    pub fn move_rock(
        &mut self,
        index: usize,
        vertices: &[f64],
        triangles: &[u32],
    ) -> Result<(), String> {
        let id = *self.rocks.get(index).ok_or("no such rock")?;
        let edits = [
            Edit::remove_solid(id),
            Edit::add_solid(mesh(vertices, triangles)),
        ];
        let changes = self.world.apply(&edits).map_err(message)?;
        let id = changes.new_solids().next();
        self.rocks[index] = id.ok_or("the batch placed no rock")?;
        Ok(())
    }

    /// Six numbers per uniform cube of the octree: center, side, layer, 1 if it is solid.
    pub fn octree(&self) -> Vec<f64> {
        let nodes = self.world.inspect().octree().into_iter();
        let numbers = |node: wayfarer::inspect::OctreeNode| {
            let [x, y, z] = node.center.units();
            let is_solid = f64::from(u8::from(node.is_solid));
            [x, y, z, node.side, f64::from(node.layer), is_solid]
        };
        nodes.flat_map(numbers).collect()
    }

    /// The names of the presets.
    pub fn presets() -> Vec<String> {
        let names = FlightPreset::ALL.iter().map(|preset| preset.name());
        names.map(str::to_owned).collect()
    }

    /// Flies between two places, six numbers, by the preset of an index.
    pub fn fly(&mut self, ends: &[f64], preset: usize) -> Result<TraceArrays, String> {
        let (from, to) = pair(ends)?;
        let request = PathRequest {
            agent_type: self.agent,
            partial: PartialPolicy::NearestEuclidean,
            ..PathRequest::new(from, to)
        };
        let preset = *FlightPreset::ALL.get(preset).ok_or("no such preset")?;
        let inspector = self.world.inspect();
        let trace = inspector.flight(&mut self.searcher, &request, preset);
        let trace = trace.map_err(message)?;
        self.path = trace.path.as_ref().ok().cloned();
        Ok(TraceArrays::new(trace))
    }

    /// True if the last flight is still clear of rocks.
    #[wasm_bindgen(js_name = isClear)]
    pub fn is_clear(&self) -> bool {
        let path = self.path.as_ref();
        path.is_some_and(|path| self.world.status(path).is_walkable())
    }
}

fn mesh(vertices: &[f64], triangles: &[u32]) -> Solid {
    let (vertices, _) = vertices.as_chunks::<3>();
    let vertices = vertices.iter().map(|[x, y, z]| Position::new(*x, *y, *z));
    let (triangles, _) = triangles.as_chunks::<3>();
    Solid::mesh(vertices, triangles.iter().copied())
}
