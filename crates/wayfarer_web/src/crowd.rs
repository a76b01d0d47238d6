//! The view of crowds: agents that follow the planner's paths and avoid each other.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::prelude::*;
use wayfarer::{
    Crowd, CrowdAgent, CrowdAgentId, CrowdAgentState, CrowdEvent, CrowdOptions, Formation, SolidId,
    Terrain,
};

use crate::convert::{count, message, numbers, pair, position};

/// Expansions per tick that the planner may spend.
const BUDGET: u64 = 30_000;

/// Formations by number.
const FORMATIONS: [Formation; 4] = [
    Formation::Line,
    Formation::Column,
    Formation::Wedge,
    Formation::Box,
];

/// A yard with agents of one radius.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CrowdScene {
    world: World,
    planner: Planner,
    crowd: Crowd,
    radius: f64,
    agents: Vec<CrowdAgentId>,
    solids: Vec<SolidId>,
    n_arrived: u64,
    n_stuck: u64,
}

#[wasm_bindgen]
impl CrowdScene {
    /// A yard of `width` times `height` meters for agents of a radius of at most half a meter.
    #[wasm_bindgen(constructor)]
    pub fn new(width: f64, height: f64, radius: f64) -> Result<Self, String> {
        let mut world = World::new(Scale::meters(1.0)).map_err(message)?;
        let yard = Area::rect(Position::default(), Position::new(width, height, 0.0));
        let floors = Edit::add_floors(yard, 0.0, Terrain::GROUND);
        world.apply(&[floors]).map_err(message)?;
        let crowd = Crowd::new(&world, CrowdOptions::default()).map_err(message)?;
        let planner = Planner::new(PlannerOptions {
            budget: Budget::expansions(BUDGET),
            ..PlannerOptions::default()
        });
        Ok(Self {
            world,
            planner,
            crowd,
            radius,
            agents: Vec::new(),
            solids: Vec::new(),
            n_arrived: 0,
            n_stuck: 0,
        })
    }

    /// Places a wall: a box between two corners, six numbers. Returns its index.
    #[wasm_bindgen(js_name = addWall)]
    pub fn add_wall(&mut self, corners: &[f64]) -> Result<usize, String> {
        let (low, high) = pair(corners)?;
        let placed = self.world.add_solid(Solid::cuboid(low, high));
        self.solids.push(placed.map_err(message)?.0);
        Ok(self.solids.len() - 1)
    }

    /// Removes a wall.
    #[wasm_bindgen(js_name = removeWall)]
    pub fn remove_wall(&mut self, wall: usize) -> Result<(), String> {
        let id = *self.solids.get(wall).ok_or("no such wall")?;
        self.world.remove_solid(id).map(|_| ()).map_err(message)
    }

    /// Adds an agent at a position with a goal, six numbers, and returns its index.
    #[wasm_bindgen(js_name = addAgent)]
    pub fn add_agent(&mut self, ends: &[f64], speed: f64) -> Result<usize, String> {
        let (from, to) = pair(ends)?;
        let body = self.world.add_body(Body {
            position: from,
            shape: BodyShape::disc(self.radius),
            height: 1.8,
            blocks_movement: false,
            ..Body::default()
        });
        let agent = CrowdAgent {
            max_speed: speed,
            ..CrowdAgent::default()
        };
        let id = self.crowd.add(&self.world, body.map_err(message)?, agent);
        let id = id.map_err(message)?;
        self.crowd
            .order(&mut self.planner, id, to)
            .map_err(message)?;
        self.agents.push(id);
        Ok(self.agents.len() - 1)
    }

    /// Sends the agents of some indices to one place, each along its own path.
    pub fn order(&mut self, agents: &[u32], to: &[f64]) -> Result<(), String> {
        let to = position(to)?;
        self.n_arrived = 0;
        for id in self.members(agents)? {
            let ordered = self.crowd.order(&mut self.planner, id, to);
            ordered.map_err(message)?;
        }
        Ok(())
    }

    /// Sends the agents of some indices to a place in formation, `spacing` meters apart: 0 line, 1
    /// column, 2 wedge, 3 box.
    #[wasm_bindgen(js_name = orderGroup)]
    pub fn order_group(
        &mut self,
        agents: &[u32],
        to: &[f64],
        formation: usize,
        spacing: f64,
    ) -> Result<(), String> {
        let formation = FORMATIONS.get(formation).ok_or("no such formation")?;
        let members = self.members(agents)?;
        let order = (*formation, spacing);
        self.n_arrived = 0;
        self.crowd
            .order_group(&mut self.planner, &members, position(to)?, order)
            .map_err(message)
    }

    /// One tick of a thirtieth of a second: paths, then motion.
    pub fn tick(&mut self) -> Result<(), String> {
        self.planner.update(&self.world);
        let moved = self.crowd.tick(&mut self.world, &mut self.planner);
        moved.map_err(message)?;
        for event in self.crowd.take_events() {
            match event {
                CrowdEvent::Arrived { .. } | CrowdEvent::Settled { .. } => self.n_arrived += 1,
                CrowdEvent::Stuck { .. } => self.n_stuck += 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// Five numbers per agent: x, y, velocity x and y, state (0 stands, 1 plans, 2 moves, 3 arrived,
    /// 4 has no path).
    pub fn agents(&self) -> Vec<f64> {
        let numbers = |&id: &CrowdAgentId| {
            let [x, y, _] = self.crowd.position(id)?.units();
            let [vx, vy] = self.crowd.velocity(id)?;
            let state = match self.crowd.state(id)? {
                CrowdAgentState::Planning => 1.0,
                CrowdAgentState::Moving | CrowdAgentState::Traversing => 2.0,
                CrowdAgentState::Arrived => 3.0,
                CrowdAgentState::Blocked => 4.0,
                _ => 0.0,
            };
            Some([x, y, vx, vy, state])
        };
        self.agents.iter().filter_map(numbers).flatten().collect()
    }

    /// The path of an agent: three numbers per waypoint.
    pub fn path(&self, agent: usize) -> Vec<f64> {
        let request = self
            .agents
            .get(agent)
            .and_then(|id| self.crowd.request(*id));
        let path = request.and_then(|id| self.planner.path(id));
        path.map_or_else(Vec::new, |path| numbers(path.waypoints()))
    }

    /// Agents that arrived or settled, reports of stuck agents, the largest overlap now as a share
    /// of a radius, requests that wait.
    pub fn counts(&self) -> Vec<f64> {
        let n_waiting = self.planner.stats().n_waiting;
        vec![
            count(self.n_arrived),
            count(self.n_stuck),
            self.crowd.max_overlap(),
            f64::from(u32::try_from(n_waiting).unwrap_or(u32::MAX)),
        ]
    }

    /// A digest of the crowd, in hexadecimal.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.crowd.state_hash())
    }
}

impl CrowdScene {
    /// The agents of some indices.
    fn members(&self, indices: &[u32]) -> Result<Vec<CrowdAgentId>, String> {
        let agent = |index: &u32| {
            let found = usize::try_from(*index)
                .ok()
                .and_then(|at| self.agents.get(at));
            found.copied().ok_or_else(|| format!("no agent {index}"))
        };
        indices.iter().map(agent).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_agents_exchange_places_around_a_wall() {
        let mut scene = CrowdScene::new(20.0, 12.0, 0.4).unwrap();
        scene.add_wall(&[9.0, 2.0, 0.0, 11.0, 9.0, 2.0]).unwrap();
        let (west, east) = ([2.5, 5.5, 0.0], [17.5, 5.5, 0.0]);
        scene.add_agent(&[west, east].concat(), 1.5).unwrap();
        scene.add_agent(&[east, west].concat(), 1.5).unwrap();
        for _ in 0..1_200 {
            scene.tick().unwrap();
            assert!(scene.counts()[2] <= 0.05);
        }
        assert_eq!(scene.counts()[..2], [2.0, 0.0]);
        let agents = scene.agents();
        assert!((agents[0] - 17.5).abs() < 0.1 && (agents[5] - 2.5).abs() < 0.1);
    }

    #[test]
    fn a_group_arrives_in_line() {
        let mut scene = CrowdScene::new(30.0, 12.0, 0.4).unwrap();
        for row in 0..4_u8 {
            let at = [2.5, 3.5 + 1.5 * f64::from(row), 0.0];
            scene.add_agent(&[at, at].concat(), 1.5).unwrap();
        }
        assert!(scene.order_group(&[9], &[20.5, 5.5, 0.0], 0, 1.5).is_err());
        assert!(scene.order_group(&[0], &[20.5, 5.5, 0.0], 4, 1.5).is_err());
        let all = [0, 1, 2, 3];
        scene.order_group(&all, &[20.5, 5.5, 0.0], 0, 1.5).unwrap();
        for _ in 0..900 {
            scene.tick().unwrap();
        }
        let agents = scene.agents();
        let across: Vec<f64> = agents.chunks(5).map(|agent| agent[0]).collect();
        assert!(
            across.iter().all(|x| (x - 20.5).abs() < 0.6),
            "side by side: {across:?}"
        );
    }

    #[test]
    fn a_wall_that_is_removed_leaves_the_yard_open() {
        let mut scene = CrowdScene::new(20.0, 4.0, 0.4).unwrap();
        let wall = scene.add_wall(&[9.0, 0.0, 0.0, 10.0, 4.0, 2.0]).unwrap();
        let ends = [2.5, 2.0, 0.0, 17.5, 2.0, 0.0];
        scene.add_agent(&ends, 1.5).unwrap();
        for _ in 0..60 {
            scene.tick().unwrap();
        }
        assert!(scene.agents()[4] > 3.5, "the way is closed");
        scene.remove_wall(wall).unwrap();
        for _ in 0..600 {
            scene.tick().unwrap();
        }
        assert!((scene.agents()[0] - 17.5).abs() < 0.1);
    }
}
