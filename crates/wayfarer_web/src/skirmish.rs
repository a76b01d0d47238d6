//! The whole game of the example `skirmish`, tick by tick and part by part.

mod game;
mod map;
mod orders;
mod save;
mod units;

use std::collections::VecDeque;

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::TickBudget;

use crate::convert::message;
use game::Game;
use map::{SIDE, Tile};
use save::SavedGame;
use units::{Duty, Kind};

/// Ticks between two saves to rewind to.
const REWIND_TICKS: u64 = 60;
/// Saves to rewind to: 20 seconds.
const MAX_REWIND: usize = 10;

/// A game in progress, one that was saved, and saves of the last seconds.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SkirmishScene {
    game: Game,
    saved: Option<SavedGame>,
    /// Oldest first, with the tick of each.
    past: VecDeque<(u64, SavedGame)>,
}

#[wasm_bindgen]
impl SkirmishScene {
    /// The game of a seed.
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u32, n_agents: usize) -> Result<Self, String> {
        let game = Game::new(seed.into(), n_agents).map_err(message)?;
        let mut scene = Self {
            game,
            saved: None,
            past: VecDeque::new(),
        };
        scene.keep_past();
        Ok(scene)
    }

    /// Tiles along each side of the map; a tile is a square meter.
    pub fn side() -> i32 {
        SIDE
    }

    /// A number per tile: 0 grass, 1 swamp, 2 water.
    pub fn tiles(&self) -> Vec<u8> {
        let number = |tile: &Tile| match tile {
            Tile::Grass => 0,
            Tile::Swamp => 1,
            Tile::Water => 2,
        };
        self.game.map.tiles.iter().map(number).collect()
    }

    /// Four numbers per thin wall: its ends.
    pub fn walls(&self) -> Vec<i32> {
        let walls = self.game.map.walls.iter();
        walls
            .flat_map(|wall| [wall.from[0], wall.from[1], wall.to[0], wall.to[1]])
            .collect()
    }

    /// Five numbers per door: the tiles inside and outside, 1 if it is open.
    pub fn doors(&self) -> Vec<i32> {
        let doors = self.game.map.doors.iter().zip(&self.game.doors);
        let numbers = |(door, (_, is_open)): (&map::Door, &(_, bool))| {
            let [x, y] = door.inside;
            [x, y, door.outside[0], door.outside[1], i32::from(*is_open)]
        };
        doors.flat_map(numbers).collect()
    }

    /// Six numbers per solid: its corners.
    pub fn solids(&self) -> Vec<i32> {
        let solids = self.game.solids.iter();
        solids
            .flat_map(|solid| solid.low.into_iter().chain(solid.high))
            .collect()
    }

    /// Eight numbers per unit: x, y, z, heading x, heading y, kind (soldier, tank, boat, drone), team,
    /// 1 if it follows a flow field.
    pub fn units(&self) -> Vec<f64> {
        let units = self.game.units.iter();
        let numbers = |unit: &units::Unit| {
            let [x, y, z] = unit.at.units();
            let [heading_x, heading_y] = unit.heading.unit();
            let kind = Kind::ALL.iter().position(|kind| *kind == unit.kind);
            let kind = u8::try_from(kind.unwrap_or_default()).unwrap_or_default();
            let in_group = u8::from(matches!(unit.duty, Duty::Group(..)));
            let small = [kind, unit.team, in_group].map(f64::from);
            [x, y, z, heading_x, heading_y, small[0], small[1], small[2]]
        };
        units.flat_map(numbers).collect()
    }

    /// The path of a unit that follows one: three numbers per waypoint.
    pub fn path(&self, unit: usize) -> Vec<f64> {
        let duty = self.game.units.get(unit).map(|unit| unit.duty);
        let Some(Duty::Request(id)) = duty else {
            return Vec::new();
        };
        let path = self.game.planner.path(id);
        path.map_or_else(Vec::new, |path| crate::convert::numbers(path.waypoints()))
    }

    /// Part 1 of a tick: solids and doors.
    pub fn edit(&mut self) -> Result<(), String> {
        self.game.edit().map_err(message)
    }

    /// Part 2: the planner.
    pub fn plan(&mut self) -> Result<(), String> {
        self.game.plan().map_err(message)
    }

    /// Part 3: the moves.
    #[wasm_bindgen(js_name = makeMoves)]
    pub fn make_moves(&mut self) -> Result<(), String> {
        self.game.make_moves().map_err(message)
    }

    /// Part 4: the sensors.
    pub fn sense(&mut self) {
        self.game.sense();
        self.keep_past();
    }

    fn keep_past(&mut self) {
        if self.game.tick.is_multiple_of(REWIND_TICKS) {
            self.past.push_back((self.game.tick, self.game.save()));
            let excess = self.past.len().saturating_sub(MAX_REWIND);
            self.past.drain(..excess);
        }
    }

    /// Goes back by a number of ticks, as far as saves reach, and returns the ticks gone back. The
    /// game between the save before and that tick is played again, with the same results.
    pub fn rewind(&mut self, n_ticks: u32) -> Result<f64, String> {
        let now = self.game.tick;
        let first = self.past.front().map_or(now, |(tick, _)| *tick);
        let target = now.saturating_sub(n_ticks.into()).max(first);
        self.past.retain(|(tick, _)| *tick <= target);
        let Some((_, save)) = self.past.back() else {
            return Ok(0.0);
        };
        let (budget, rate) = (self.game.budget, self.game.solids_per_second);
        self.game = Game::load(save.clone()).map_err(message)?;
        (self.game.budget, self.game.solids_per_second) = (budget, rate);
        while self.game.tick < target {
            self.game.step().map_err(message)?;
        }
        Ok(crate::convert::count(now - target))
    }

    /// Sets how many solids are placed in a second, at most 300.
    #[wasm_bindgen(js_name = setSolids)]
    pub fn set_solids(&mut self, per_second: u32) {
        self.game.solids_per_second = u64::from(per_second).min(300);
    }

    /// Sets the work of planner, flow fields and sensors in a tick, in expansions.
    #[wasm_bindgen(js_name = setBudget)]
    pub fn set_budget(&mut self, expansions: u32) {
        self.game.budget = TickBudget::new(expansions.into());
    }

    /// A whole tick.
    pub fn step(&mut self) -> Result<(), String> {
        self.game.step().map_err(message)?;
        self.keep_past();
        Ok(())
    }

    /// Tick, solids placed and destroyed, paths found, invalidated, repaired and failed, enemies seen,
    /// goals reached, group orders, requests that wait, requests answered.
    pub fn counts(&self) -> Vec<f64> {
        let counts = self.game.counts;
        let mut all = vec![crate::convert::count(self.game.tick)];
        let numbers = [
            counts.n_placed,
            counts.n_destroyed,
            counts.n_found,
            counts.n_invalidated,
            counts.n_repaired,
            counts.n_failed,
            counts.n_seen,
            counts.n_goals,
            counts.n_group_orders,
        ];
        all.extend(numbers.map(f64::from));
        let n_waiting = self.game.planner.stats().n_waiting;
        all.push(f64::from(u32::try_from(n_waiting).unwrap_or(u32::MAX)));
        all.push(f64::from(counts.n_answers()));
        all
    }

    /// A digest of everything that happened, in hexadecimal.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.game.digest)
    }

    /// The work of planner, flow fields and sensors in a tick of 500, in expansions, unless it is set.
    pub fn budget() -> f64 {
        crate::convert::count(game::tick_budget(500))
    }

    /// Saves the game.
    pub fn save(&mut self) {
        self.saved = Some(self.game.save());
    }

    /// Goes back to the saved game; false if there is none.
    pub fn load(&mut self) -> Result<bool, String> {
        let Some(saved) = self.saved.clone() else {
            return Ok(false);
        };
        self.game = Game::load(saved).map_err(message)?;
        let now = self.game.tick;
        self.past.retain(|(tick, _)| *tick <= now);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loaded_game_goes_on_as_the_saved_one() {
        let mut scene = SkirmishScene::new(1, 40).unwrap();
        for _ in 0..10 {
            scene.step().unwrap();
        }
        scene.save();
        let run = |scene: &mut SkirmishScene| {
            for _ in 0..10 {
                scene.edit().unwrap();
                scene.plan().unwrap();
                scene.make_moves().unwrap();
                scene.sense();
            }
            scene.digest()
        };
        let first = run(&mut scene);
        assert!(scene.load().unwrap());
        assert_eq!(run(&mut scene), first);
        assert_eq!(scene.units().len(), 8 * 40);
    }

    #[test]
    fn a_game_that_is_rewound_is_played_again_with_equal_results() {
        let mut scene = SkirmishScene::new(2, 30).unwrap();
        let mut digests = Vec::new();
        for _ in 0..130 {
            scene.step().unwrap();
            digests.push(scene.digest());
        }
        assert_eq!(scene.rewind(60), Ok(60.0));
        assert_eq!(scene.digest(), digests[69]);
        for digest in &digests[70..] {
            scene.step().unwrap();
            assert_eq!(scene.digest(), *digest);
        }
        assert_eq!(scene.rewind(1_000), Ok(130.0));
        assert_eq!(scene.game.tick, 0);
    }
}
