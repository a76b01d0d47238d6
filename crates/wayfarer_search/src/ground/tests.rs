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

mod edge_cases;
mod limits;
mod many;
mod profiles;
mod queries;
mod repair;
mod requests;
mod statuses;

/// A kind of world, and who walks there.
#[derive(Clone, Copy, Debug)]
struct Scene {
    kind: WorldKind,
    agent: Agent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agent {
    /// The world's own walker.
    Walker,
    /// One like that, but one to four cells wide.
    Wide,
    /// Some other agent.
    Other,
}

/// Every kind of world with its own walker, and with somebody else.
fn scenes() -> impl Iterator<Item = Scene> {
    let others = [Agent::Wide, Agent::Other].into_iter().cycle();
    WorldKind::ALL
        .into_iter()
        .zip(others)
        .flat_map(|(kind, other)| [Agent::Walker, other].map(|agent| Scene { kind, agent }))
}

impl Scene {
    /// True if a world of this seed is worth the time: for others than the walker one is enough.
    fn wants(self, seed: u64) -> bool {
        seed == 0 || self.agent == Agent::Walker
    }
}

/// Every kind of world with everybody in it.
fn all_scenes() -> impl Iterator<Item = Scene> {
    let all = [Agent::Walker, Agent::Wide, Agent::Other];
    WorldKind::ALL
        .into_iter()
        .flat_map(move |kind| all.map(|agent| Scene { kind, agent }))
}

/// A ground, the oracle's world, and the log of what changed.
struct Both {
    ground: Ground,
    /// Who asks; nobody else than the world's own walker without one.
    profile_id: Option<ProfileId>,
    world: ReferenceWorld,
    log: ChangeLog<GroundDifference>,
    profile: Profile,
}

impl Both {
    fn random(seed: u64, Scene { kind, agent: who }: Scene) -> Self {
        let plan = random_world(seed, kind);
        let mut ground = Ground::from_plan(&plan).unwrap();
        let mut rng = Rng::for_part(seed, 31);
        let profile = match who {
            Agent::Walker => None,
            Agent::Wide => Some(Profile {
                radius: Fixed::from_raw(129 + rng.between(0, 383)),
                ..plan.profile.clone()
            }),
            Agent::Other => Some(random_profile(&mut rng)),
        };
        let profile_id = profile
            .clone()
            .map(|it| ground.register_profile(it).unwrap());
        Self {
            profile: profile.unwrap_or(plan.profile.clone()),
            profile_id,
            world: ReferenceWorld::new(&plan),
            log: ChangeLog::new(64),
            ground,
        }
    }

    fn nav_graph(&self) -> NavGraph<'_> {
        NavGraph::new(&self.ground, self.profile_id).unwrap()
    }

    /// A request of whoever walks here, for a cheapest path.
    fn request(&self, from: Cell, to: impl Into<GroundGoal>) -> GroundRequest {
        GroundRequest {
            profile_id: self.profile_id,
            method: Method::Optimal,
            ..GroundRequest::new(from, to)
        }
    }

    fn drawn(map: &str) -> Self {
        let plan = ascii::world(map);
        let ground = Ground::from_plan(&plan).unwrap();
        Self {
            profile: ground.default_profile().clone(),
            profile_id: None,
            world: ReferenceWorld::new(&plan),
            log: ChangeLog::new(64),
            ground,
        }
    }

    fn apply(&mut self, edits: &[GroundEdit]) {
        let changes = self.ground.apply(edits).unwrap();
        self.world.apply(edits);
        self.log.push(changes.changes);
    }

    /// Cells where the agent stands, in order; never none.
    fn standing(&self) -> Vec<Cell> {
        let cells = self.world.cells().map(|(cell, _)| cell);
        let stands = |cell: &Cell| self.world.stands(*cell, &self.profile);
        let standing: Vec<Cell> = cells.filter(stands).collect();
        assert!(!standing.is_empty(), "nobody stands anywhere");
        standing
    }
}

/// A wall between two paths, the ends of both, and the longer way, north of it: of 12 steps, where
/// the way south has 6.
fn round_a_wall() -> (Both, (Cell, Cell), Vec<Cell>) {
    let both = Both::drawn(
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

/// The path is legal, costs what it says, and its legs cover it.
#[track_caller]
fn check_path(both: &Both, path: &GroundPath, note: &str) {
    let cost = both.world.check_path(&path.cells, &both.profile);
    assert_eq!(cost, Ok(path.ground_cost()), "{note}: {path:?}");
    let mut at = 0;
    for leg in &path.legs {
        assert_eq!(leg.begin, at, "{note}: legs follow each other");
        assert!(leg.end > leg.begin, "{note}: a leg leads somewhere");
        if let LegKind::NavLink(name) = leg.kind {
            let ends = (path.cells[leg.begin as usize], path.cells[leg.end as usize]);
            let nav_link = both.world.nav_link(name).unwrap();
            assert_eq!(nav_link.cost, leg.cost, "{note}: {name:?}");
            assert!(
                ends == (name.from, name.to) || ends == (name.to, name.from),
                "{note}: {name:?}"
            );
        }
        at = leg.end;
    }
    assert_eq!(at as usize + 1, path.cells.len(), "{note}: legs cover all");
    assert_eq!(path.revision, both.ground.revision());
}
