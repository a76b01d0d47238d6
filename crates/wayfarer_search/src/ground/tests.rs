use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{
    Budget, Cell, ChangeLog, Column, Cost, Dice, Edit, Effect, EffectName, Fixed, Outcome,
    PathStatus, Point2, Price, Profile, Rect, Refusal, Shape, Shortfall, UnreachableProof,
};
use wayfarer_testkit::{PlainWorld, WorldKind, ascii, random_batch, random_world};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::*;

mod many;
mod questions;
mod requests;
mod statuses;

/// A ground, the oracle's world, and the log of what changed.
struct Both {
    ground: Ground,
    world: PlainWorld,
    log: ChangeLog<GroundDifference>,
    profile: Profile,
}

impl Both {
    fn random(seed: u64, kind: WorldKind) -> Self {
        let plan = random_world(seed, kind);
        let ground = Ground::from_plan(&plan).unwrap();
        Self {
            profile: ground.profile().clone(),
            world: PlainWorld::new(&plan),
            log: ChangeLog::new(64),
            ground,
        }
    }

    fn drawn(map: &str) -> Self {
        let plan = ascii::world(map);
        let ground = Ground::from_plan(&plan).unwrap();
        Self {
            profile: ground.profile().clone(),
            world: PlainWorld::new(&plan),
            log: ChangeLog::new(64),
            ground,
        }
    }

    fn apply(&mut self, edits: &[Edit]) {
        let changes = self.ground.apply(edits).unwrap();
        self.world.apply(edits);
        self.log.push(changes.set);
    }

    /// Cells where the walker stands, in order.
    fn standing(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.ground.nodes().map(|n| self.ground.cell(n)).collect();
        cells.sort_unstable();
        cells
    }
}

/// The path is legal, costs what it says, and its legs cover it.
#[track_caller]
fn check_path(both: &Both, path: &GroundPath, note: &str) {
    let cost = both.world.check_path(&path.cells, &both.profile);
    assert_eq!(cost, Ok(path.cost_on_ground()), "{note}: {path:?}");
    let mut at = 0;
    for leg in &path.legs {
        assert_eq!(leg.begin, at, "{note}: legs follow each other");
        assert!(leg.end > leg.begin, "{note}: a leg leads somewhere");
        if let LegBy::Passage(name) = leg.by {
            let ends = (path.cells[leg.begin as usize], path.cells[leg.end as usize]);
            let passage = both.world.passage(name).unwrap();
            assert_eq!(passage.cost, leg.cost, "{note}: {name:?}");
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
