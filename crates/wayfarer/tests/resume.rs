//! A game saved in the middle goes on with the same digests: bodies, sensors, solids, links,
//! subscriptions and planner.

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};

use wayfarer::prelude::*;
use wayfarer::{RequestId, SolidId};

struct Game {
    world: World,
    planner: Planner,
    units: Vec<(RequestId, BodyId, Position)>,
    walls: Vec<SolidId>,
    /// A generator of its own, so that both games draw the same.
    seed: u64,
}

impl Game {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut rows = String::new();
        for y in 0..32 {
            for x in 0..32 {
                rows.push(if x % 8 == 4 && y % 5 != 2 { 'T' } else { '.' });
            }
            rows.push('\n');
        }
        let map = format!("type octile\nheight 32\nwidth 32\nmap\n{rows}");
        let mut world = World::import("game.map", map.as_bytes(), Scale::UNIT)?;
        let wide = world.add_agent_type(AgentType {
            radius: 0.8,
            ..AgentType::GROUND
        })?;
        let options = PlannerOptions {
            budget: Budget::expansions(300),
            ..PlannerOptions::default()
        };
        let mut game = Self {
            world,
            planner: Planner::new(options),
            units: Vec::new(),
            walls: Vec::new(),
            seed: 7,
        };
        for number in 0..24 {
            let (from, to) = (game.place(), game.place());
            let agent_type = if number % 3 == 0 {
                wide
            } else {
                AgentTypeId::DEFAULT
            };
            let partial = PartialPolicy::NearestOctile;
            let id = game.planner.request(PathRequest {
                agent_type,
                partial,
                start: StartPolicy::LeaveFirst,
                ..PathRequest::new(from, to)
            });
            let body = game.world.add_body(Body {
                position: from,
                shape: BodyShape::disc(0.3),
                height: 1.8,
                team: u8::try_from(number % 2)?,
                ..Body::default()
            })?;
            game.world.add_sensor(Sensor {
                mount: body.into(),
                footprint: Footprint::disc(Position::default(), 6.0),
                filter: BodyFilter::enemies_of(u8::try_from(number % 2)?),
                requires_line_of_sight: number % 4 == 0,
                eye_height: 1.6,
                ..Sensor::default()
            })?;
            game.units.push((id, body, from));
        }
        Ok(game)
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % below
    }

    fn place(&mut self) -> Position {
        #[expect(clippy::cast_precision_loss, reason = "below 32")]
        let mut at = || self.draw(32) as f64 + 0.5;
        Position::new(at(), at(), 0.0)
    }

    /// One tick; what happened as a number.
    fn tick(&mut self) -> Result<u64, Box<dyn Error>> {
        let mut digest = DefaultHasher::new();
        if self.draw(3) == 0 {
            let low = self.place();
            let [x, y, _] = low.units();
            let high = Position::new(x + 1.0, y + 1.5, 2.0);
            let (wall, changes) = self.world.add_solid(Solid::cuboid(low, high))?;
            self.walls.push(wall);
            changes.invalidated().hash(&mut digest);
        }
        if self.walls.len() > 12 {
            let changes = self.world.remove_solid(self.walls.remove(0))?;
            changes.invalidated().hash(&mut digest);
        }
        self.planner.update(&self.world);
        for event in self.planner.take_events() {
            format!("{event:?}").hash(&mut digest);
            let path = self.planner.path(event.id()).cloned();
            if let Some(path) = path.filter(|_| event.id() == self.units[0].0) {
                format!("{:?}", self.world.subscribe(path)).hash(&mut digest);
            }
        }
        let mut moves = Vec::new();
        for index in 0..self.units.len() {
            let (id, body, position) = self.units[index];
            let step = self.planner.advance(id, position);
            if step.is_none_or(|step| step.has_arrived) && self.draw(4) == 0 {
                let goal = self.place();
                self.planner.retarget(id, goal);
            }
            if let Some(step) = step {
                let next = toward(position, step.target, 0.4);
                self.units[index].2 = next;
                moves.push((body, next));
            }
        }
        self.world.move_bodies(&moves)?;
        self.world.update_sensors().hash(&mut digest);
        self.units.iter().for_each(|unit| unit.2.hash(&mut digest));
        self.world.save().hash(&mut digest);
        Ok(digest.finish())
    }
}

fn toward(from: Position, to: Position, length: f64) -> Position {
    let ([ax, ay, _], [bx, by, bz]) = (from.units(), to.units());
    let distance = ((bx - ax).powi(2) + (by - ay).powi(2)).sqrt();
    let share = if distance > length {
        length / distance
    } else {
        1.0
    };
    Position::new(ax + share * (bx - ax), ay + share * (by - ay), bz)
}

#[test]
fn rule_6_task_9_a_game_resumed_in_the_middle_gives_the_same_digests() -> Result<(), Box<dyn Error>>
{
    let mut game = Game::new()?;
    for _ in 0..60 {
        game.tick()?;
    }
    let bytes = (game.world.save(), game.planner.save());
    let world = World::load(&bytes.0)?;
    let planner = Planner::load(&bytes.1, &world)?;
    assert!(world.save() == bytes.0 && planner.save() == bytes.1);
    let mut resumed = Game {
        world,
        planner,
        units: game.units.clone(),
        walls: game.walls.clone(),
        seed: game.seed,
    };
    for tick in 0..600 {
        assert_eq!(resumed.tick()?, game.tick()?, "tick {tick}");
    }
    Ok(())
}
