//! The game: 30 ticks a second, each of four parts: edits, planner, moves, sensors.

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{LinkId, LinkState, NavLinkKind, Planner, PlannerOptions, RequestId, TickBudget};

use crate::skirmish::map::{Map, Rng, SIDE, middle};
use crate::skirmish::units::{Duty, Kind, Unit, build_world};

/// Solids that stand at the same time; the oldest is destroyed when there are more.
const MAX_SOLIDS: usize = 60;
/// Solids placed in a second.
pub(crate) const SOLIDS_PER_SECOND: u64 = 20;

/// The work of the planner in a tick of so many units.
pub(crate) fn planner_budget(n_units: usize) -> u64 {
    54 * n_units.max(500) as u64
}

/// The work of planner, flow fields and sensors in a tick of so many units.
pub(crate) fn tick_budget(n_units: usize) -> u64 {
    planner_budget(n_units) * 5 / 3
}

/// A box of whole tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) id: SolidId,
    pub(crate) low: [i32; 3],
    pub(crate) high: [i32; 3],
}

/// A group on its march to an area.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) goal: Goal,
    pub(crate) flow: FlowField,
}

/// A game in progress.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) planner: Planner,
    pub(crate) map: Map,
    pub(crate) units: Vec<Unit>,
    /// Oldest first.
    pub(crate) solids: Vec<Block>,
    /// The links of the doors of the map, and whether they are open.
    pub(crate) doors: Vec<(LinkId, bool)>,
    /// The last group of each team.
    pub(crate) groups: Vec<Option<Group>>,
    /// The next one, whose flow field is being built.
    pub(crate) ordered: Vec<Option<Group>>,
    pub(crate) budget: TickBudget,
    pub(crate) solids_per_second: u64,
    pub(crate) types: [AgentTypeId; 4],
    pub(crate) rng: Rng,
    pub(crate) tick: u64,
    /// Everything that happened so far.
    pub(crate) digest: u64,
    pub(crate) counts: Counts,
}

/// What happened, for people to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) n_placed: u32,
    pub(crate) n_destroyed: u32,
    pub(crate) n_found: u32,
    pub(crate) n_invalidated: u32,
    pub(crate) n_repaired: u32,
    pub(crate) n_failed: u32,
    pub(crate) n_seen: u32,
    pub(crate) n_goals: u32,
    pub(crate) n_group_orders: u32,
}

impl Counts {
    /// Requests answered so far.
    pub(crate) const fn n_answers(&self) -> u32 {
        self.n_found + self.n_repaired + self.n_failed
    }
}

impl Game {
    /// A game of a seed.
    pub(crate) fn new(seed: u64, n_agents: usize) -> Result<Self, Box<dyn Error>> {
        let map = Map::new(seed);
        let mut world = build_world(&map)?;
        let types = Kind::register(&mut world)?;
        let mut rng = Rng::new(seed + 3);
        let doors = world.links().into_iter();
        let doors = doors.filter(|(_, link)| link.kind == NavLinkKind::Door);
        let mut game = Self {
            doors: doors.map(|(id, _)| (id, true)).collect(),
            planner: Planner::new(PlannerOptions {
                budget: Budget::expansions(planner_budget(n_agents)),
                // Waypoints lie at corners: a unit that turns before them clips.
                arrival: 0.001,
                ..PlannerOptions::default()
            }),
            map,
            units: Vec::new(),
            solids: Vec::new(),
            groups: vec![None, None],
            ordered: vec![None, None],
            budget: TickBudget::new(tick_budget(n_agents)),
            solids_per_second: SOLIDS_PER_SECOND,
            types,
            rng: Rng::new(seed + 4),
            tick: 0,
            digest: 0,
            counts: Counts::default(),
            world,
        };
        for number in 0..n_agents {
            let kind = Kind::of_number(number);
            let at = kind.place(&game.world, &types, &mut rng);
            let team = u8::try_from(number / 20 % 2).unwrap_or(0);
            let id = game.request(kind, at);
            let unit = Unit::new(&mut game.world, (kind, team), at, Duty::Request(id))?;
            game.units.push(unit);
        }
        // While the map loads: no tick pays for it.
        for agent_type in types {
            let budget = Budget::UNLIMITED;
            game.planner.prepare(&game.world, agent_type, budget)?;
        }
        Ok(game)
    }

    /// A whole tick.
    pub(crate) fn step(&mut self) -> Result<(), Box<dyn Error>> {
        self.edit()?;
        self.plan()?;
        self.make_moves()?;
        self.sense();
        Ok(())
    }

    /// Requests a path to a random place that is connected to `from`.
    pub(crate) fn request(&mut self, kind: Kind, from: Position) -> RequestId {
        let agent_type = self.types[kind as usize];
        let to = self.goal(kind, from);
        self.planner.request(PathRequest {
            agent_type,
            ..PathRequest::new(from, to)
        })
    }

    /// A random goal; connected, if one of ten is.
    pub(crate) fn goal(&mut self, kind: Kind, from: Position) -> Position {
        let mut goal = from;
        for _ in 0..10 {
            goal = kind.place(&self.world, &self.types, &mut self.rng);
            let agent_type = self.types[kind as usize];
            if kind == Kind::Drone || self.world.is_connected(agent_type, from, goal) == Some(true)
            {
                break;
            }
        }
        goal
    }

    /// Part 1: solids are placed and destroyed, doors open and close.
    pub(crate) fn edit(&mut self) -> Result<(), Box<dyn Error>> {
        self.tick += 1;
        self.budget.begin();
        let n_until = |tick: u64| (tick * self.solids_per_second).div_ceil(30);
        for _ in n_until(self.tick - 1)..n_until(self.tick) {
            self.place_solid()?;
            if self.solids.len() > MAX_SOLIDS {
                let oldest = self.solids.remove(0);
                self.world.remove_solid(oldest.id)?;
                self.counts.n_destroyed += 1;
            }
        }
        if self.tick.is_multiple_of(10) && !self.doors.is_empty() {
            self.swing_door()?;
        }
        Ok(())
    }

    /// Places a solid anywhere, 3 m from every unit, so that none is walled in.
    fn place_solid(&mut self) -> Result<(), Box<dyn Error>> {
        for _ in 0..8 {
            let low = [
                self.rng.between(4, SIDE - 10),
                self.rng.between(4, SIDE - 10),
                0,
            ];
            let mut size = || self.rng.between(1, 6);
            let high = [low[0] + size(), low[1] + size(), 2 + size()];
            let corner = |[x, y, z]: [i32; 3]| Position::new(x.into(), y.into(), z.into());
            let (from, to) = (corner(low), corner(high));
            let half = |axis: usize| f64::from(high[axis] - low[axis]) / 2.0;
            let center = Position::new(
                f64::from(low[0]) + half(0),
                f64::from(low[1]) + half(1),
                0.0,
            );
            let around =
                Footprint::oriented_box(center, Heading::EAST, half(0) + 3.0, half(1) + 3.0);
            if !self.world.bodies_in(&around, BodyFilter::ALL)?.is_empty() {
                continue;
            }
            let (id, _) = self.world.add_solid(Solid::cuboid(from, to))?;
            self.solids.push(Block { id, low, high });
            self.counts.n_placed += 1;
            break;
        }
        Ok(())
    }

    /// Opens or closes a door, unless a unit is near.
    fn swing_door(&mut self) -> Result<(), Box<dyn Error>> {
        let last = i32::try_from(self.doors.len()).unwrap_or(i32::MAX);
        let index = usize::try_from(self.rng.between(0, last)).unwrap_or(0);
        let (id, is_open) = &mut self.doors[index];
        let near = Footprint::disc(middle(self.map.doors[index].inside, 0.0), 3.0);
        if self.world.bodies_in(&near, BodyFilter::ALL)?.is_empty() {
            *is_open = !*is_open;
            let state = match *is_open {
                true => LinkState::Open,
                false => LinkState::Closed,
            };
            self.world.apply(&[Edit::set_link_state(*id, state)])?;
        }
        Ok(())
    }
}
