//! Sequences of calls of the crate `wayfarer`, decoded from bytes, against a slow model: floors cell by
//! cell, handles as sets, bodies as a list.

mod edits;
mod model;
mod paths;
mod source;

use wayfarer::{
    AgentType, Axes, BodyFilter, BodyId, ChangeCursor, FlowField, Footprint, Mount, Path, Planner,
    PlannerOptions, Position, Replica, Searcher, Sensor, SensorId, Terrain, TerrainSet, World,
};
use wayfarer_engine::base::{Budget, Rng};

use model::Model;
use source::Source;

/// Random sequences.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(29);
    let mut random = |n: usize| (0..n).map(|_| rng.next_u64().to_le_bytes()[0]).collect();
    [60, 300, 900].map(&mut random).to_vec()
}

/// Runs a sequence of calls.
///
/// # Panics
/// On a difference from the model.
pub fn run(bytes: &[u8]) {
    let mut source = Source(bytes);
    let mut game = Game::new(&mut source);
    while !source.0.is_empty() {
        game.step(&mut source);
    }
    game.model.check_ground(&game.world);
    game.reload();
}

/// Sensors with their mounts and radii.
type Sensors = Vec<(SensorId, Mount, f64)>;

/// A world, its model, and what was kept of earlier calls.
struct Game {
    world: World,
    model: Model,
    searcher: Searcher,
    planner: Planner,
    paths: Vec<Path>,
    flow: Option<(FlowField, Position)>,
    sensors: Sensors,
    replica: (Replica, ChangeCursor),
    /// An earlier state, to swap with.
    other: Option<(World, Model, Sensors)>,
}

impl Game {
    fn new(source: &mut Source<'_>) -> Self {
        let scale = source.scale();
        let mut world = World::new(scale).unwrap();
        let types = [
            AgentType {
                radius: 0.7 * scale.cell,
                height: 2.0 * scale.step,
                max_step: scale.step,
                max_drop: 2.0 * scale.step,
                keys: 2,
                terrain_costs: vec![(Terrain::SWAMP, 2.5), (Terrain::WATER, 9.0)],
                terrains: TerrainSet::of(&[Terrain::GROUND, Terrain::SWAMP, Terrain::WATER]),
                ..AgentType::GROUND
            },
            AgentType::PLANAR,
        ];
        for agent_type in types {
            world.add_agent_type(agent_type).unwrap();
        }
        let mut model = Model::new(scale);
        model.meadow(&mut world);
        Self {
            replica: (world.replica(), world.change_cursor()),
            world,
            model,
            searcher: Searcher::default(),
            planner: Planner::new(PlannerOptions {
                budget: Budget::expansions(300),
                ..PlannerOptions::default()
            }),
            paths: Vec::new(),
            flow: None,
            sensors: Vec::new(),
            other: None,
        }
    }

    fn step(&mut self, source: &mut Source<'_>) {
        match source.below(26) {
            0..5 => self.edit(source),
            5 => self.place_and_remove(source),
            6 => self.hostile_call(source),
            7..10 => self.find(source),
            10 => self.check_status(),
            11 | 12 => self.edit_bodies(source),
            13 => self.query_bodies(source),
            14 => self.sense(source),
            15 => self.reload(),
            16 => self.fork(),
            17 => self.follow(),
            18 | 19 => self.plan(source),
            20 => self.reload_planner(),
            21 => self.flow(source),
            22 => self.reach(source),
            23 => self.would_disconnect(source),
            24 => self.explain(source),
            _ => self.model.check_ground(&self.world),
        }
    }

    /// What is saved and loaded goes on as if nothing had happened.
    fn reload(&mut self) {
        let bytes = self.world.save();
        self.world = World::load(&bytes).unwrap();
        assert!(self.world.save() == bytes, "other bytes after loading");
        self.model.check_handles(&self.world);
    }

    /// Goes on in an earlier state, as rollback games do; handles and paths of both are mixed up.
    fn fork(&mut self) {
        let present = (self.world.clone(), self.model.clone(), self.sensors.clone());
        if let Some(other) = self.other.replace(present) {
            (self.world, self.model, self.sensors) = other;
            // Loading ends the log: no cursor reaches back.
            self.replica = (self.world.replica(), self.world.change_cursor());
        }
    }

    /// A replica that follows is equal to the bit.
    fn follow(&mut self) {
        let (replica, cursor) = &mut self.replica;
        let synced = match self.world.poll_changes(cursor) {
            Ok(changes) => replica.sync(&changes),
            Err(lagged) => Err(lagged),
        };
        if synced.is_err() {
            *replica = self.world.replica();
        }
        // Registrations are not in change sets.
        assert_eq!(replica.revision(), self.world.revision());
        let ground = |world: &World| world.engine().ground().canonical();
        assert_eq!(ground(replica), ground(&self.world));
    }

    /// A call with hostile numbers: an error that changes nothing, or a world that can be saved.
    fn hostile_call(&mut self, source: &mut Source<'_>) {
        let before = self.world.clone();
        let kind = source.below(9);
        let is_refused = match kind {
            0 => self.world.add_body(source.hostile_body()).is_err(),
            1 => self
                .world
                .add_agent_type(source.hostile_agent_type())
                .is_err(),
            2 => {
                let sensor = Sensor {
                    mount: source.hostile_position().into(),
                    footprint: source.hostile_footprint(),
                    requires_line_of_sight: source.below(2) == 0,
                    eye_height: source.hostile(),
                    exit_margin: source.hostile(),
                    is_continuous: source.below(2) == 0,
                    ..Sensor::default()
                };
                let is_refused = self.world.add_sensor(sensor).is_err();
                // An update is a call of its own: what other sensors detect is saved.
                if !is_refused {
                    self.world.update_sensors();
                }
                is_refused
            }
            3 => {
                let all = self.world.bodies();
                let moves: Vec<_> = (0..source.below(3))
                    .filter_map(|_| Some((source.pick(&all)?, source.hostile_position())))
                    .collect();
                self.world.move_bodies(&moves).is_err()
            }
            4 => {
                let footprint = source.hostile_footprint();
                self.world.bodies_in(&footprint, BodyFilter::ALL).is_err()
            }
            5 => {
                let (a, b) = (source.hostile_position(), source.hostile_position());
                self.world.has_line_of_sight(a, b);
                self.world.bodies_along(a, b, BodyFilter::ALL).is_err()
            }
            6 => {
                let (at, reach) = (source.hostile_position(), source.hostile());
                self.world.nearest_bodies(at, 3, BodyFilter::ALL).is_err()
                    | self.world.influence_at(at, reach, BodyFilter::ALL).is_err()
            }
            7 => self.hostile_request(source),
            _ => self.hostile_edit(source),
        };
        let saved = self.world.save();
        if is_refused {
            let is_same = saved == before.save();
            assert!(is_same, "a refused call of kind {kind} changed the world");
        }
        World::load(&saved).unwrap();
        self.world = before;
    }

    /// Sensors detect what is in their footprint.
    fn sense(&mut self, source: &mut Source<'_>) {
        let radius = f64::from(source.below(24)) / 4.0 * self.model.scale.cell;
        let ids: Vec<BodyId> = self.model.bodies.iter().map(|(id, _)| *id).collect();
        let mount = match source.pick(&ids).filter(|_| source.below(2) == 0) {
            Some(id) => Mount::Body(id),
            None => Mount::Position(self.model.quarter_position(source)),
        };
        if source.below(3) == 0 && self.sensors.len() < 4 {
            let sensor = Sensor {
                mount,
                footprint: Footprint::disc(Position::default(), radius),
                ..Sensor::default()
            };
            let id = self.world.add_sensor(sensor).unwrap();
            self.sensors.push((id, mount, radius));
        }
        self.world.update_sensors();
        for (id, mount, radius) in &self.sensors {
            let (at, own) = match mount {
                Mount::Position(at) => (Some(*at), None),
                Mount::Body(body) => (self.model.body_position(*body), Some(*body)),
            };
            let mut expected = at.map_or(Vec::new(), |at| self.model.bodies_within(at, *radius));
            expected.retain(|found| Some(*found) != own);
            assert_eq!(self.world.detected_by(*id).unwrap(), expected);
        }
    }

    /// The position of a cell's floor.
    fn position(&self, source: &mut Source<'_>) -> Option<(Position, wayfarer_engine::base::Cell)> {
        let cell = self.model.any_cell(source)?;
        Some((self.model.center(cell), cell))
    }
}

/// A position with the axes of the scale.
fn position(scale: &wayfarer::Scale, [x, y, z]: [f64; 3]) -> Position {
    let (x, y, z) = (x * scale.cell, y * scale.cell, z * scale.step);
    match scale.axes {
        Axes::ZUp => Position::new(x, y, z),
        Axes::YUp => Position::new(x, z, y),
    }
}
