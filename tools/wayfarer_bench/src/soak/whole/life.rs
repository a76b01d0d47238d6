//! A world with its reference model: one step of a run.

use std::sync::Arc;

use wayfarer_engine::base::{CostModifierId, Rng};
use wayfarer_engine::world::bodies::BodyId;
use wayfarer_engine::world::obstacles::ObstacleId;
use wayfarer_engine::{ChangeCursor, Edit, Searcher, World, WorldChanges};

use super::draw::{self, Agents};
use super::model::Model;
use super::senses::Post;
use super::subscriptions::Kept;
use super::{Tally, edits, ensure};
use crate::soak::compare_changes;

/// The state of a run.
pub(super) struct Life {
    pub(super) world: World,
    pub(super) model: Model,
    pub(super) agents: Agents,
    /// Used for all queries, so that its cache is tested, too.
    pub(super) searcher: Searcher,
    pub(super) kept: Vec<Kept>,
    pub(super) posts: Vec<Post>,
    seed: u64,
    removed: (Option<ObstacleId>, Option<BodyId>),
    cursor: ChangeCursor,
    /// Changes that the cursor has not polled yet.
    unpolled: Vec<Arc<WorldChanges>>,
}

impl Life {
    pub(super) fn new(seed: u64) -> Result<Self, String> {
        let (world, model, agents) = draw::trace(seed)?;
        model.compare(&world)?;
        model.compare_ground(&world)?;
        Ok(Self {
            cursor: world.change_cursor(),
            world,
            model,
            agents,
            searcher: Searcher::default(),
            kept: Vec::new(),
            posts: Vec::new(),
            seed,
            removed: (None, None),
            unpolled: Vec::new(),
        })
    }

    /// One step, drawn from the seed and its own number.
    pub(super) fn step(&mut self, number: u32, tally: &mut Tally) -> Result<(), String> {
        let mut rng = Rng::for_stream(self.seed, 0x0001_0000 + u64::from(number));
        let rng = &mut rng;
        match rng.below(20) {
            0..=6 => self.edit(rng, tally),
            7..=9 => self.query_paths(rng, tally),
            10..=11 => self.keep_some(rng, tally),
            12 => self.repair_subscribed(tally),
            13 => self.slices(rng, tally),
            14 => self.on_threads(rng, tally),
            15 if rng.chance(1, 2) => self.attach(rng),
            15 => self.post_sensor(rng),
            16 => self.update_sensors(tally),
            17 => self.save_and_load(rng, tally),
            18 => self.poll(),
            _ => self.compare_all(tally),
        }
    }

    /// A batch of edits: done and followed, or rejected and nothing changed.
    fn edit(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        let mut batch = edits::good(rng, &self.world, &self.model);
        let is_bad = rng.chance(1, 5);
        if is_bad {
            let edit = edits::bad(rng, &self.world, self.removed);
            let place = rng.below(u32::try_from(batch.len() + 1).unwrap_or(1)) as usize;
            batch.insert(place, edit);
        }
        tally.edits += batch.len() as u64;
        if is_bad {
            tally.rejected += 1;
            return self.must_refuse(&batch);
        }
        tally.batches += 1;
        let is_undone = rng.chance(1, 3);
        let is_looked_at = rng.chance(1, 3);
        let before = is_undone.then(|| self.world.canonical());
        let walker = self.agents.walker.clone();
        let components = is_looked_at.then(|| self.model.ground.components(&walker));
        let at = self.world.revision();
        let has_followers = self.world.attached_cost_modifiers().next().is_some();
        let changes = self
            .world
            .apply(&batch)
            .map_err(|error| format!("rejected: {error}: {batch:?}"))?;
        ensure!(
            (changes.before, changes.after.number) == (at, at.number + 1)
                && self.world.revision() == changes.after,
            "revisions {:?} to {:?} from {at:?}",
            changes.before,
            changes.after
        );
        self.unpolled.push(Arc::clone(&changes));
        self.bury(&changes);
        let report = |reason: String| format!("{reason}; the batch: {batch:?}");
        let (world, model) = (&self.world, &mut self.model);
        model
            .follow(world, &batch, &changes, has_followers)
            .and_then(|()| model.compare(world))
            .map_err(report)?;
        if is_looked_at {
            self.model.compare_ground(&self.world).map_err(report)?;
            if let (Some(before), Some(ground)) = (components, &changes.ground) {
                let after = self.model.ground.components(&walker);
                compare_changes(ground, &before, &after)
                    .map_err(|unequal| report(unequal.to_string()))?;
            }
        }
        if let Some(before) = before {
            let mut undone = self.world.clone();
            undone
                .apply(changes.inverse())
                .map_err(|error| report(format!("undoing was rejected: {error}")))?;
            ensure!(
                undone.canonical() == before,
                "undone, the world is not what it was; the batch: {batch:?}"
            );
        }
        self.check_kept(&changes, tally).map_err(report)
    }

    fn must_refuse(&mut self, batch: &[Edit]) -> Result<(), String> {
        let (before, hash) = (self.world.save(), self.world.state_hash());
        let rejected = self.world.apply(batch);
        ensure!(
            rejected.is_err(),
            "done, expected it to be rejected: {batch:?}"
        );
        ensure!(
            self.world.save() == before && self.world.state_hash() == hash,
            "a rejected batch changed the world: {batch:?}"
        );
        let mut cursor = self.cursor;
        let n_polled = self.world.poll_changes(&mut cursor).map(Iterator::count);
        let expected =
            (self.unpolled.len() <= World::CHANGE_LOG_CAPACITY).then_some(self.unpolled.len());
        ensure!(
            n_polled == expected,
            "a rejected batch is in the change log: {batch:?}"
        );
        self.model.compare(&self.world)
    }

    /// Keeps ids of removed entities, for edits that must be rejected.
    fn bury(&mut self, changes: &WorldChanges) {
        let mut gone = changes.obstacles.iter().filter(|one| one.after.is_none());
        self.removed.0 = gone.next_back().map(|one| one.id).or(self.removed.0);
        let mut gone = changes.bodies.iter().filter_map(|one| match one {
            wayfarer_engine::BodyDifference::Removed { id, .. } => Some(*id),
            _ => None,
        });
        self.removed.1 = gone.next_back().or(self.removed.1);
    }

    /// Attaches a cost modifier to a body, or detaches it.
    fn attach(&mut self, rng: &mut Rng) -> Result<(), String> {
        let modifiers = self.world.ground().cost_modifiers();
        let names: Vec<CostModifierId> = modifiers.map(|(name, _)| *name).collect();
        let ids: Vec<BodyId> = self.model.bodies.keys().copied().collect();
        let (Some(&name), Some(&id)) = (rng.pick(&names), rng.pick(&ids)) else {
            return Ok(());
        };
        let before = self.world.state_hash();
        if rng.chance(1, 4) {
            self.world.detach_cost_modifier(name);
            ensure!(
                self.world
                    .attached_cost_modifiers()
                    .all(|one| one.0 != name),
                "{name:?} still follows"
            );
        } else {
            let attached = self.world.attach_cost_modifier(name, id);
            ensure!(
                attached.is_ok(),
                "{name:?} does not follow {id:?}: {attached:?}"
            );
            ensure!(
                self.world
                    .attached_cost_modifiers()
                    .any(|one| one == (name, id)),
                "{name:?} is attached to no body"
            );
        }
        ensure!(
            self.world.state_hash() == before,
            "attaching changed the world"
        );
        Ok(())
    }

    /// The cursor polls the applied changes in order, or reports that it missed some.
    fn poll(&mut self) -> Result<(), String> {
        let polled: Option<Vec<&WorldChanges>> = self
            .world
            .poll_changes(&mut self.cursor)
            .map(Iterator::collect);
        let unpolled = std::mem::take(&mut self.unpolled);
        match polled {
            None => ensure!(
                unpolled.len() > World::CHANGE_LOG_CAPACITY,
                "{} batches, and some are missed",
                unpolled.len()
            ),
            Some(polled) => {
                let expected = unpolled.iter().map(Arc::as_ref);
                ensure!(
                    polled.into_iter().eq(expected),
                    "the change log differs from the applied changes"
                );
            }
        }
        let again = self
            .world
            .poll_changes(&mut self.cursor)
            .map(Iterator::count);
        ensure!(again == Some(0), "a change is polled twice");
        Ok(())
    }

    /// After a load: drops the state that a saved world does not contain.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
        self.unpolled.clear();
        self.cursor = self.world.change_cursor();
    }

    /// Compares everything with the models, and with a rebuilt world.
    fn compare_all(&mut self, tally: &mut Tally) -> Result<(), String> {
        tally.comparisons += 1;
        self.model.compare(&self.world)?;
        self.model.compare_ground(&self.world)?;
        self.compare_rebuilt()
    }
}
