//! The story over the library alone.

use std::collections::BTreeMap;

use bevy_math::Vec3;
use bevy_wayfarer::wayfarer::{
    Body, BodyId, BodyShape, Budget, Edit, Footprint, LinkId, LinkState, NavLink, NavLinkKind,
    PathRequest, PathStep, Planner, PlannerEvent, PlannerOptions, Position, RequestId, Sensor,
    SensorEvent, SensorId, Solid, SolidId, World,
};
use bevy_wayfarer::y_up;

use crate::story::{DOOR, Event, Hash, Kind, SECONDS, SIGHT, SPEED, STANDS, Story};

type Done<T> = Result<T, Box<dyn std::error::Error>>;

struct Unit {
    at: Vec3,
    has_moved: bool,
    request: Option<RequestId>,
    step: Option<PathStep>,
    goal: Option<Vec3>,
    n_goals: u32,
    body: BodyId,
}

/// The game over the library alone, in the order of the plugin.
pub(crate) struct Game {
    story: Story,
    tick: u32,
    world: World,
    planner: Planner,
    units: Vec<Unit>,
    units_of_requests: BTreeMap<RequestId, u32>,
    units_of_sensors: BTreeMap<SensorId, u32>,
    walls: BTreeMap<u32, SolidId>,
    door: LinkId,
    is_open: bool,
    batch: Vec<Edit>,
    hash: Hash,
}

impl Game {
    pub(crate) fn new(story: Story, threads: usize) -> Done<Self> {
        let mut world = World::import("story.map", story.map(), y_up(1.0))?;
        let [from, to] = DOOR.map(Position::from);
        let link = NavLink {
            state: LinkState::Closed,
            ..NavLink::new(from, to, NavLinkKind::Door)
        };
        let (door, _) = world.add_link(link)?;
        let mut units = Vec::new();
        for number in 0..story.n_units {
            let at = story.place(number, 0);
            let shape = BodyShape::disc(0.4_f32.into());
            let body = Body {
                position: at.into(),
                shape,
                height: 1.8_f32.into(),
                ..Body::default()
            };
            let body = world.add_body(body)?;
            let (request, step, goal) = (None, None, None);
            units.push(Unit {
                at,
                has_moved: false,
                request,
                step,
                goal,
                n_goals: 0,
                body,
            });
        }
        let mut units_of_sensors = BTreeMap::new();
        for (number, unit) in (0..).zip(&units) {
            if story.has_sensor(number) {
                let sensor = Sensor {
                    mount: unit.body.into(),
                    footprint: Footprint::disc(unit.at.into(), SIGHT.into()),
                    requires_line_of_sight: true,
                    ..Sensor::default()
                };
                units_of_sensors.insert(world.add_sensor(sensor)?, number);
            }
        }
        let planner = Planner::new(PlannerOptions {
            budget: Budget::expansions(story.budget()),
            request_budget: Budget::expansions(u64::MAX),
            n_threads: threads,
            arrival: 0.25,
        });
        Ok(Self {
            story,
            tick: 0,
            world,
            planner,
            units,
            units_of_requests: BTreeMap::new(),
            units_of_sensors,
            walls: BTreeMap::new(),
            door,
            is_open: false,
            batch: Vec::new(),
            hash: Hash::default(),
        })
    }

    /// A tick; the hash of the game so far.
    pub(crate) fn step(&mut self) -> Done<u64> {
        let mut events = Vec::new();
        self.edit(&mut events)?;
        self.plan(&mut events);
        self.walk(&mut events);
        self.react(&events);
        self.build();
        Ok(self.hash.0)
    }

    /// Goals reached so far.
    pub(crate) fn n_goals(&self) -> u32 {
        self.units.iter().map(|unit| unit.n_goals).sum()
    }

    /// The batch of the tick, bodies, sensors.
    fn edit(&mut self, events: &mut Vec<Event>) -> Done<()> {
        let batch = std::mem::take(&mut self.batch);
        if !batch.is_empty() {
            let changes = self.world.apply(&batch)?;
            if let Some(id) = changes.new_solids().next() {
                self.walls.insert(self.tick, id);
            }
        }
        let moved = self.units.iter().filter(|unit| unit.has_moved);
        let moves: Vec<_> = moved.map(|unit| (unit.body, unit.at.into())).collect();
        if !moves.is_empty() {
            self.world.move_bodies(&moves)?;
        }
        if self.units_of_sensors.is_empty() {
            return Ok(());
        }
        for event in self.world.update_sensors() {
            match event {
                SensorEvent::Entered { sensor, .. } => {
                    events.push((self.units_of_sensors[&sensor], Kind::Entered));
                }
                SensorEvent::Left { sensor, .. } => {
                    events.push((self.units_of_sensors[&sensor], Kind::Left));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Requests of new goals, positions, the planner and its events.
    fn plan(&mut self, events: &mut Vec<Event>) {
        for (number, unit) in (0..).zip(&mut self.units) {
            let Some(goal) = unit.goal.take() else {
                continue;
            };
            let (from, to) = (unit.at.into(), Position::from(goal));
            if let Some(id) = unit.request {
                unit.step = self.planner.advance(id, from);
                self.planner.retarget(id, to);
                continue;
            }
            let own_body = Some(unit.body);
            let id = self.planner.request(PathRequest {
                own_body,
                ..PathRequest::new(from, to)
            });
            unit.request = Some(id);
            self.units_of_requests.insert(id, number);
        }
        for unit in self.units.iter_mut().filter(|unit| unit.has_moved) {
            if let Some(id) = unit.request {
                unit.step = self.planner.advance(id, unit.at.into());
            }
        }
        self.planner.update(&self.world);
        for event in self.planner.take_events() {
            let number = self.units_of_requests[&event.id()];
            let unit = &mut self.units[number as usize];
            unit.step = self.planner.advance(event.id(), unit.at.into());
            let kind = match event {
                PlannerEvent::Found { .. } => Kind::Found,
                PlannerEvent::Invalidated { .. } => Kind::Invalidated,
                PlannerEvent::Repaired { .. } => Kind::Repaired,
                _ => Kind::Failed,
            };
            events.push((number, kind));
        }
    }

    /// Moves the units along their paths.
    fn walk(&mut self, events: &mut Vec<Event>) {
        for (number, unit) in (0..).zip(&mut self.units) {
            unit.has_moved = false;
            let Some(step) = unit.step else {
                continue;
            };
            if step.has_arrived {
                events.push((number, Kind::Reached));
                if let Some(id) = unit.request.take() {
                    self.planner.cancel(id);
                    self.units_of_requests.remove(&id);
                }
                unit.step = None;
                continue;
            }
            let offset = Vec3::from(step.target) - unit.at;
            let length = offset.length();
            let velocity = match length > SPEED * SECONDS {
                true => offset * (SPEED / length),
                false => offset / SECONDS,
            };
            if velocity != Vec3::ZERO {
                unit.at += velocity * SECONDS;
                unit.has_moved = true;
            }
        }
    }

    fn react(&mut self, events: &[Event]) {
        self.tick += 1;
        let story = &self.story;
        let send = |number: u32, unit: &mut Unit| {
            unit.n_goals += 1;
            unit.goal = Some(story.place(number, unit.n_goals));
        };
        for event in events {
            self.hash.add_event(*event);
            if matches!(event.1, Kind::Reached | Kind::Failed) {
                send(event.0, &mut self.units[event.0 as usize]);
            }
        }
        if self.tick == 1 {
            (0..)
                .zip(&mut self.units)
                .for_each(|(number, unit)| send(number, unit));
        }
        self.units
            .iter()
            .for_each(|unit| self.hash.add_place(unit.at));
    }

    fn build(&mut self) {
        if let Some(old) = self
            .tick
            .checked_sub(STANDS)
            .and_then(|old| self.walls.remove(&old))
        {
            self.batch.push(Edit::remove_solid(old));
        }
        if let Some([low, high]) = self.story.wall(self.tick) {
            self.batch
                .push(Edit::add_solid(Solid::cuboid(low.into(), high.into())));
        }
        if self.story.door_swings(self.tick) {
            self.is_open = !self.is_open;
            let state = match self.is_open {
                true => LinkState::Open,
                false => LinkState::Closed,
            };
            self.batch.push(Edit::set_link_state(self.door, state));
        }
    }
}
