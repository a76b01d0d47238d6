//! The planar view: bodies that move on a plane, and paths around them.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::inspect::{PlanarMethod, PlanarTrace, SplitCriterion};
use wayfarer::prelude::*;

use crate::convert::{message, numbers, pair, position};
use crate::path::PathArrays;
use crate::trace::TraceArrays;

/// Bodies on a plane.
#[wasm_bindgen]
#[derive(Debug)]
pub struct PlanarScene {
    world: World,
    searcher: Searcher,
    agent: AgentTypeId,
    bodies: Vec<BodyId>,
}

/// A planar search with its quadtree.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct PlanarArrays {
    found: PlanarTrace,
}

#[wasm_bindgen]
impl PlanarScene {
    /// An empty plane for a disc of a radius.
    #[wasm_bindgen(constructor)]
    pub fn new(radius: f64) -> Result<Self, String> {
        let mut world = World::new(Scale::meters(1.0)).map_err(message)?;
        let agent_type = AgentType {
            radius,
            ..AgentType::PLANAR
        };
        let agent = world.add_agent_type(agent_type).map_err(message)?;
        Ok(Self {
            world,
            searcher: Searcher::default(),
            agent,
            bodies: Vec::new(),
        })
    }

    /// Adds a disc: its center and its radius.
    #[wasm_bindgen(js_name = addDisc)]
    pub fn add_disc(&mut self, at: &[f64], radius: f64) -> Result<usize, String> {
        self.add(at, BodyShape::disc(radius))
    }

    /// Adds a box: its center and its half sides.
    #[wasm_bindgen(js_name = addBox)]
    pub fn add_box(&mut self, at: &[f64], half_x: f64, half_y: f64) -> Result<usize, String> {
        self.add(at, BodyShape::cuboid(half_x, half_y))
    }

    fn add(&mut self, at: &[f64], shape: BodyShape) -> Result<usize, String> {
        let position = position(at)?;
        let body = Body {
            position,
            shape,
            ..Body::default()
        };
        self.bodies
            .push(self.world.add_body(body).map_err(message)?);
        Ok(self.bodies.len() - 1)
    }

    /// Moves all bodies: three numbers each.
    #[wasm_bindgen(js_name = moveAll)]
    pub fn move_all(&mut self, positions: &[f64]) -> Result<(), String> {
        let (places, _) = positions.as_chunks::<3>();
        let places = places.iter().map(|[x, y, z]| Position::new(*x, *y, *z));
        let moves: Vec<_> = self.bodies.iter().copied().zip(places).collect();
        self.world.move_bodies(&moves).map_err(message)
    }

    /// The pairs of bodies that overlap, two indices each.
    pub fn pairs(&self) -> Result<Vec<u32>, String> {
        let pairs = self.world.overlapping_pairs(BodyFilter::ALL);
        let index = |id: BodyId| {
            let index = self.bodies.iter().position(|known| *known == id);
            index.and_then(|index| u32::try_from(index).ok())
        };
        let pairs = pairs.map_err(message)?.into_iter();
        let pairs = pairs.filter_map(|(a, b)| Some([index(a)?, index(b)?]));
        Ok(pairs.flatten().collect())
    }

    fn request(&self, ends: &[f64]) -> Result<PathRequest, String> {
        let (from, to) = pair(ends)?;
        Ok(PathRequest {
            agent_type: self.agent,
            partial: PartialPolicy::NearestEuclidean,
            ..PathRequest::new(from, to)
        })
    }

    /// The path over the tangent graph.
    pub fn tangent(&mut self, ends: &[f64]) -> Result<PathArrays, String> {
        let request = self.request(ends)?;
        let found = self.world.find_path(&mut self.searcher, &request);
        Ok(PathArrays::new(&found))
    }

    /// The path over the quadtree, with its quads: quads from `min_side` to `max_side` meters with at
    /// most `occupancy` bodies are free.
    pub fn quadtree(
        &mut self,
        ends: &[f64],
        min_side: f64,
        max_side: f64,
        occupancy: u32,
    ) -> Result<PlanarArrays, String> {
        let request = self.request(ends)?;
        let criterion = SplitCriterion {
            min_side,
            max_side,
            occupancy,
            diagonal: false,
        };
        let inspector = self.world.inspect();
        let method = PlanarMethod::Quadtree;
        let found = inspector.planar(&mut self.searcher, &request, method, criterion);
        found.map(|found| PlanarArrays { found }).map_err(message)
    }
}

#[wasm_bindgen]
impl PlanarArrays {
    /// Six numbers per quad, in the order in which they were created: its corners (x, y, x, y), 1 if it
    /// is free, cost from the start in meters or -1.
    pub fn quads(&self) -> Vec<f64> {
        let quads = self.found.quads.iter();
        let quad = |quad: &wayfarer::inspect::Quad| {
            let ends = numbers([quad.low, quad.high]);
            let is_free = f64::from(u8::from(quad.is_free));
            [
                ends[0],
                ends[1],
                ends[3],
                ends[4],
                is_free,
                quad.g.unwrap_or(-1.0),
            ]
        };
        quads.flat_map(quad).collect()
    }

    /// The events of the search.
    pub fn trace(&self) -> TraceArrays {
        TraceArrays::new(self.found.trace.clone())
    }

    /// Its path.
    pub fn path(&self) -> PathArrays {
        PathArrays::new(&self.found.trace.path)
    }
}
