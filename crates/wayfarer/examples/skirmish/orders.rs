//! What units are ordered to do: planner, flow fields, moves, sensors.

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{PlannerEvent, SensorEvent};

use crate::skirmish::game::{Game, Group};
use crate::skirmish::units::{Duty, Kind, sight_cone};

/// Units of one group order.
const GROUP: usize = 40;
/// Ticks from one group order of a team to the next.
const GROUP_PERIOD: u64 = 450;
/// Ticks from an order until the group marches, if its flow field is complete by then.
const BUILD_TICKS: u64 = 6;
/// How far flow fields reach: over the whole map.
pub(crate) const REACH: Extent = Extent::within(256.0);

impl Game {
    /// Part 2: the planner searches, flow fields follow the edits, groups get orders.
    pub(crate) fn plan(&mut self) -> Result<(), Box<dyn Error>> {
        self.budget.update_planner(&mut self.planner, &self.world);
        for event in self.planner.take_events() {
            let (id, code) = match event {
                PlannerEvent::Found { id } => (id, &mut self.counts.n_found),
                PlannerEvent::Invalidated { id, .. } => (id, &mut self.counts.n_invalidated),
                PlannerEvent::Repaired { id } => (id, &mut self.counts.n_repaired),
                PlannerEvent::Failed { id, .. } => (id, &mut self.counts.n_failed),
                _ => continue,
            };
            *code += 1;
            let is_failed = matches!(event, PlannerEvent::Failed { .. });
            if let Some(request) = self.planner.path_request(id).filter(|_| is_failed) {
                let (from, agent_type) = (request.from, request.agent_type);
                let kind = Kind::ALL.into_iter().zip(self.types);
                let kind = kind.into_iter().find(|(_, id)| *id == agent_type);
                let goal = self.goal(kind.map_or(Kind::Soldier, |(kind, _)| kind), from);
                self.planner.retarget(id, goal);
            }
        }
        let groups = self.groups.iter_mut().chain(&mut self.ordered);
        for group in groups.flatten() {
            self.budget.advance_flow_field(&mut group.flow, &self.world);
        }
        for team in 0..2_u8 {
            let first = 30 + 200 * u64::from(team);
            if self.tick % GROUP_PERIOD == first {
                self.order_group(team)?;
            }
            if self.tick % GROUP_PERIOD >= first + BUILD_TICKS {
                self.send_group(team);
            }
        }
        Ok(())
    }

    /// Orders soldiers of a team to a square: their flow field is built in the ticks to come.
    fn order_group(&mut self, team: u8) -> Result<(), Box<dyn Error>> {
        let kind = Kind::Soldier;
        let center = kind.place(&self.world, &self.types, &mut self.rng);
        let goal = Goal::Area(Area::disc(center, 6.0));
        let agent_type = self.types[kind as usize];
        let flow = self
            .world
            .begin_flow_field(agent_type, goal.clone(), REACH)?;
        self.ordered[usize::from(team)] = Some(Group { goal, flow });
        Ok(())
    }

    /// Sends 40 soldiers of a team along the flow field that was ordered, once it is complete.
    fn send_group(&mut self, team: u8) {
        let index = usize::from(team);
        let complete = self.ordered[index].take_if(|group| group.flow.is_complete());
        let Some(Group { goal, flow }) = complete else {
            return;
        };
        let kind = Kind::Soldier;
        let mut n_free = GROUP;
        for unit in &mut self.units {
            let is_old = matches!(unit.duty, Duty::Group(old, _) if old == index);
            if is_old || (unit.team, unit.kind) != (team, kind) || n_free == 0 {
                continue;
            }
            if let (Duty::Request(id), Some(_)) = (unit.duty, flow.next(&self.world, unit.at)) {
                self.planner.cancel(id);
                // From the middle of its tile on, every step of the flow field is clear.
                let [x, y, z] = unit.at.units();
                let middle = Position::new(x.floor() + 0.5, y.floor() + 0.5, z);
                unit.duty = Duty::Group(index, middle);
                n_free -= 1;
            }
        }
        self.groups[index] = Some(Group { goal, flow });
        self.counts.n_group_orders += 1;
    }

    /// Part 3: every unit moves toward its next point.
    pub(crate) fn make_moves(&mut self) -> Result<(), Box<dyn Error>> {
        let mut moves = Vec::with_capacity(self.units.len());
        for index in 0..self.units.len() {
            let unit = &self.units[index];
            let (kind, at, before) = (unit.kind, unit.at, unit.heading);
            match unit.duty {
                Duty::Request(id) => {
                    if let Some(step) = self.planner.advance(id, at) {
                        self.units[index].move_to(step.target);
                        if step.has_arrived {
                            let goal = self.goal(kind, at);
                            self.planner.retarget(id, goal);
                            self.arrive(index);
                        }
                    }
                }
                Duty::Group(_, target) if at != target => self.units[index].move_to(target),
                Duty::Group(group, _) => {
                    let flow = self.groups[group].as_ref().map(|group| &group.flow);
                    let is_complete = flow.is_none_or(|flow| flow.is_complete());
                    let cost = flow.and_then(|flow| flow.cost(&self.world, at));
                    match flow.and_then(|flow| flow.next(&self.world, at)) {
                        Some(next) => {
                            self.units[index].duty = Duty::Group(group, next);
                            self.units[index].move_to(next);
                        }
                        // It waits until the field is repaired.
                        None if !is_complete && cost != Some(0.0) => {}
                        None => {
                            let id = self.request(kind, at);
                            self.units[index].duty = Duty::Request(id);
                            self.arrive(index);
                        }
                    }
                }
            }
            let unit = &self.units[index];
            moves.push((unit.body, unit.at));
            if unit.heading != before {
                let sight_cone = sight_cone(unit.at, unit.heading);
                self.world.set_sensor_footprint(unit.sensor, &sight_cone)?;
            }
        }
        self.world.move_bodies(&moves)?;
        Ok(())
    }

    fn arrive(&mut self, index: usize) {
        self.units[index].n_goals += 1;
        self.counts.n_goals += 1;
    }

    /// Part 4: the sensors report enemies that came into sight.
    pub(crate) fn sense(&mut self) {
        let events = self.budget.update_sensors(&mut self.world);
        let mut digest = self.digest;
        let mut add = |number: u64| digest = (digest ^ number).wrapping_mul(0x100_0000_01b3);
        for event in events {
            let (code, body) = match event {
                SensorEvent::Entered { body, .. } => (1, body),
                SensorEvent::Left { body, .. } => (2, body),
                _ => continue,
            };
            self.counts.n_seen += u32::from(code == 1);
            add(code << 32 | u64::from(body.index()));
        }
        for unit in &self.units {
            for coordinate in [unit.at.x, unit.at.y, unit.at.z] {
                add(coordinate.cast_unsigned());
            }
        }
        add(self.planner.stats().expansions);
        self.digest = digest;
    }
}
