//! A saved game, which goes on with the same results.

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{LinkId, Planner};

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
    types: [AgentTypeId; 4],
    rng: Rng,
    tick: u64,
    digest: u64,
    counts: Counts,
}

impl Game {
    /// Saves the game. The planner reads the moves of the tick first: a loaded world does not log what
    /// happened before, and a planner that lags checks every path anew.
    pub(crate) fn save(&mut self) -> SavedGame {
        self.planner.update(&self.world);
        let goal = |group: &Option<Group>| group.as_ref().map(|group| group.goal.clone());
        SavedGame {
            world: self.world.save(),
            planner: self.planner.save(),
            map: self.map.clone(),
            units: self.units.clone(),
            solids: self.solids.clone(),
            doors: self.doors.clone(),
            groups: self.groups.iter().map(goal).collect(),
            types: self.types,
            rng: self.rng.clone(),
            tick: self.tick,
            digest: self.digest,
            counts: self.counts,
        }
    }

    /// A saved game. Flow fields are not saved: made anew, they are equal.
    pub(crate) fn load(saved: SavedGame) -> Result<Self, Box<dyn Error>> {
        let world = World::load(&saved.world)?;
        let planner = Planner::load(&saved.planner, &world)?;
        let soldier = saved.types[Kind::Soldier as usize];
        let mut groups = Vec::new();
        for goal in saved.groups {
            groups.push(match goal {
                Some(goal) => {
                    let flow = world.flow_field(soldier, goal.clone(), REACH)?;
                    Some(Group { goal, flow })
                }
                None => None,
            });
        }
        Ok(Self {
            world,
            planner,
            map: saved.map,
            units: saved.units,
            solids: saved.solids,
            doors: saved.doors,
            groups,
            types: saved.types,
            rng: saved.rng,
            tick: saved.tick,
            digest: saved.digest,
            counts: saved.counts,
        })
    }
}
