//! Tests of ground paths against the reference world: fixtures and the path check.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{
    Budget, Cell, ChangeLog, Column, Cost, CostModifier, CostModifierId, CostMultiplier, Fixed,
    GroundEdit, Outcome, PartialReason, PathStatus, Point2, Profile, Rect, RequestError, Rng,
    Shape, UnreachableProof,
};
use wayfarer_testkit::{
    ReferenceWorld, WorldKind, ascii, random_batch, random_profile, random_world,
};
use wayfarer_world::ground::{Ground, GroundDifference, ProfileId};

use super::*;
use crate::kernel::find_batch;
use crate::subscriptions::PathIndex;

mod agent_types;
mod edge_cases;
mod limits;
mod many;
mod one_multiplier;
mod profiles;
mod queries;
mod repair;
mod requests;
mod statuses;
mod weighted;

/// A kind of world, and the agent in it.
#[derive(Clone, Copy, Debug)]
struct Scene {
    kind: WorldKind,
    agent: Agent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agent {
    /// The world's default profile.
    Default,
    /// The default profile, one to four cells wide.
    Wide,
    /// A random profile.
    Random,
}

/// Every kind of world with the default profile, and with one other.
fn scenes() -> impl Iterator<Item = Scene> {
    let others = [Agent::Wide, Agent::Random].into_iter().cycle();
    WorldKind::ALL
        .into_iter()
        .zip(others)
        .flat_map(|(kind, other)| [Agent::Default, other].map(|agent| Scene { kind, agent }))
}

impl Scene {
    /// True if a world of this seed is tested; one is enough for other profiles than the default.
    fn includes_seed(self, seed: u64) -> bool {
        seed == 0 || self.agent == Agent::Default
    }
}

/// Every kind of world with every agent.
fn all_scenes() -> impl Iterator<Item = Scene> {
    let all = [Agent::Default, Agent::Wide, Agent::Random];
    WorldKind::ALL
        .into_iter()
        .flat_map(move |kind| all.map(|agent| Scene { kind, agent }))
}

/// A ground and the reference world in step, and the change log.
struct Both {
    ground: Ground,
    /// The agent's registered profile; `None` for the default profile.
    profile_id: Option<ProfileId>,
    world: ReferenceWorld,
    log: ChangeLog<GroundDifference>,
    profile: Profile,
}

impl Both {
    fn random(seed: u64, Scene { kind, agent }: Scene) -> Self {
        let data = random_world(seed, kind);
        let mut ground = Ground::from_data(&data).unwrap();
        let mut rng = Rng::for_stream(seed, 31);
        let profile = match agent {
            Agent::Default => None,
            Agent::Wide => Some(Profile {
                radius: Fixed::from_raw(129 + rng.between(0, 383)),
                ..data.profile.clone()
            }),
            Agent::Random => Some(random_profile(&mut rng)),
        };
        let profile_id = profile
            .clone()
            .map(|it| ground.register_profile(it).unwrap());
        Self {
            profile: profile.unwrap_or(data.profile.clone()),
            profile_id,
            world: ReferenceWorld::new(&data),
            log: ChangeLog::starting_at(ground.revision(), 64),
            ground,
        }
    }

    fn nav_graph(&self) -> NavGraph<'_> {
        NavGraph::new(&self.ground, self.profile_id).unwrap()
    }

    /// A request of the agent for an optimal path.
    fn request(&self, from: Cell, to: impl Into<GroundGoal>) -> GroundRequest {
        GroundRequest {
            profile_id: self.profile_id,
            method: Method::Optimal,
            ..GroundRequest::new(from, to)
        }
    }

    fn from_ascii(map: &str) -> Self {
        let data = ascii::world(map);
        let ground = Ground::from_data(&data).unwrap();
        Self {
            profile: ground.default_profile().clone(),
            profile_id: None,
            world: ReferenceWorld::new(&data),
            log: ChangeLog::starting_at(ground.revision(), 64),
            ground,
        }
    }

    fn apply(&mut self, edits: &[GroundEdit]) {
        let changes = self.ground.apply(edits).unwrap();
        self.world.apply(edits);
        self.log.push(changes.changes);
    }

    /// The cells walkable for the agent, in order; at least one.
    fn walkable_cells(&self) -> Vec<Cell> {
        let cells = self.world.cells().map(|(cell, _)| cell);
        let is_walkable = |cell: &Cell| self.world.is_walkable(*cell, &self.profile);
        let walkable: Vec<Cell> = cells.filter(is_walkable).collect();
        assert!(!walkable.is_empty(), "no cell is walkable");
        walkable
    }
}

/// A wall between two paths, the ends of both, and the longer path, north of it: 12 steps, against
/// 6 of the path south.
fn around_a_wall() -> (Both, (Cell, Cell), Vec<Cell>) {
    let both = Both::from_ascii(
        ".......
         .#####.
         .#####.
         S.....G",
    );
    let north = (0..=3)
        .rev()
        .map(|y| Cell::flat(0, y))
        .chain((1..=6).map(|x| Cell::flat(x, 0)))
        .chain((1..=3).map(|y| Cell::flat(6, y)));
    (both, (Cell::flat(0, 3), Cell::flat(6, 3)), north.collect())
}

/// Checks that the path is legal, has the cost of its steps and is covered by its legs.
#[track_caller]
fn check_path(both: &Both, path: &GroundPath, note: &str) {
    let cost = both.world.check_path(&path.cells, &both.profile);
    assert_eq!(cost, Ok(path.ground_cost()), "{note}: {path:?}");
    let mut at = 0;
    for leg in &path.legs {
        assert_eq!(leg.begin, at, "{note}: legs follow each other");
        assert!(leg.end > leg.begin, "{note}: a leg leads somewhere");
        if let LegKind::NavLink(id) = leg.kind {
            let ends = (path.cells[leg.begin as usize], path.cells[leg.end as usize]);
            let nav_link = both.world.nav_link(id).unwrap();
            assert_eq!(nav_link.cost, leg.cost, "{note}: {id:?}");
            assert!(
                ends == (id.from, id.to) || ends == (id.to, id.from),
                "{note}: {id:?}"
            );
        }
        at = leg.end;
    }
    assert_eq!(at as usize + 1, path.cells.len(), "{note}: legs cover all");
    assert_eq!(path.revision, both.ground.revision());
}
