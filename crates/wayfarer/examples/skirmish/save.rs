//! A saved game, which goes on with the same results.

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{LinkId, Planner, RequestError, TickBudget};

use crate::skirmish::game::{Block, Counts, Game, Group};
use crate::skirmish::map::{Map, Rng};
use crate::skirmish::orders::REACH;
use crate::skirmish::units::{Kind, Unit};

/// A game at the end of a tick: world and planner as bytes, the rest as it is.
#[derive(Clone, Debug)]
pub(crate) struct SavedGame {
    world: Vec<u8>,
    planner: Vec<u8>,
    map: Map,
    units: Vec<Unit>,
    solids: Vec<Block>,
    doors: Vec<(LinkId, bool)>,
    /// The goals of the groups.
    groups: Vec<Option<Goal>>,
    ordered: Vec<Option<Goal>>,
    budget: TickBudget,
    solids_per_second: u64,
    types: [AgentTypeId; 4],
    rng: Rng,
    tick: u64,
    digest: u64,
    counts: Counts,
}

impl Game {
    /// Saves the game, at any moment between the parts of a tick. Flow fields are not saved: complete,
    /// they are equal to those made anew.
    pub(crate) fn save(&mut self) -> SavedGame {
        let groups = self.groups.iter_mut().chain(&mut self.ordered);
        for group in groups.flatten() {
            group.flow.advance(&self.world, Budget::UNLIMITED);
        }
        let goal = |group: &Option<Group>| group.as_ref().map(|group| group.goal.clone());
        SavedGame {
            world: self.world.save(),
            planner: self.planner.save(),
            map: self.map.clone(),
            units: self.units.clone(),
            solids: self.solids.clone(),
            doors: self.doors.clone(),
            groups: self.groups.iter().map(goal).collect(),
            ordered: self.ordered.iter().map(goal).collect(),
            budget: self.budget,
            solids_per_second: self.solids_per_second,
            types: self.types,
            rng: self.rng.clone(),
            tick: self.tick,
            digest: self.digest,
            counts: self.counts,
        }
    }

    /// A saved game, with flow fields made anew.
    pub(crate) fn load(saved: SavedGame) -> Result<Self, Box<dyn Error>> {
        let world = World::load(&saved.world)?;
        let mut planner = Planner::load(&saved.planner, &world)?;
        for agent_type in saved.types {
            planner.prepare(&world, agent_type, Budget::UNLIMITED)?;
        }
        let soldier = saved.types[Kind::Soldier as usize];
        let group = |goal: Option<Goal>| {
            let group = goal.map(|goal| {
                let flow = world.flow_field(soldier, goal.clone(), REACH)?;
                Ok::<_, RequestError>(Group { goal, flow })
            });
            group.transpose()
        };
        let groups = saved.groups.into_iter().map(group);
        let groups = groups.collect::<Result<_, _>>()?;
        let ordered = saved.ordered.into_iter().map(group);
        let ordered = ordered.collect::<Result<_, _>>()?;
        Ok(Self {
            world,
            planner,
            map: saved.map,
            units: saved.units,
            solids: saved.solids,
            doors: saved.doors,
            groups,
            ordered,
            budget: saved.budget,
            solids_per_second: saved.solids_per_second,
            types: saved.types,
            rng: saved.rng,
            tick: saved.tick,
            digest: saved.digest,
            counts: saved.counts,
        })
    }
}
