//! Subscribed paths while the world changes: invalidation, repair, replanning.

use wayfarer_engine::base::{Outcome, PathStatus, Rng, SubscriptionId};
use wayfarer_engine::{Path, PathLeg, Searcher, WorldChanges};

use super::draw::{self, Agent};
use super::life::Life;
use super::paths::Query;
use super::{Tally, ensure};

/// Most paths that are kept at once.
const MAX: usize = 12;
/// Batches after which a path is dropped, before the world forgets what happened since.
const MAX_LENGTH: u64 = 40;

/// A path that an agent follows.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    query: Query,
    path: Path,
    watch: SubscriptionId,
    is_reported: bool,
}

impl Life {
    /// Finds a few paths and subscribes them.
    pub(super) fn keep_some(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..3 {
            let agent = *rng.pick(&Agent::ALL).unwrap_or(&Agent::Walker);
            let from = draw::position(rng, &self.world, agent);
            let to = draw::position(rng, &self.world, agent);
            let query = self.query(agent, from, to);
            tally.queries += 1;
            let result = self.world.find_path(&mut self.searcher, &query.request);
            self.check_result(&query, &result)
                .map_err(|reason| format!("{reason}; query: {query:?}"))?;
            if let Ok(Outcome::Found(path)) = result {
                tally.paths += 1;
                tally.multimodal += u64::from(path.legs.len() > 1);
                let status = self.world.status(&path);
                ensure!(
                    status == PathStatus::Valid,
                    "just found, and {status:?}: {path:?}"
                );
                let watch = self.world.subscribe(path.clone());
                ensure!(
                    self.world.subscribed_path(watch) == Some(&path),
                    "watched, it is another path"
                );
                self.kept.push(Kept {
                    query,
                    path,
                    watch,
                    is_reported: false,
                });
            }
        }
        while self.kept.len() > MAX {
            let old = self.kept.remove(0);
            let path = self.world.unsubscribe(old.watch);
            ensure!(
                path.as_ref() == Some(&old.path),
                "watched, another path comes back"
            );
        }
        ensure!(
            self.world.n_subscriptions() == self.kept.len(),
            "{} paths are watched, expected {}",
            self.world.n_subscriptions(),
            self.kept.len()
        );
        Ok(())
    }

    /// After a batch: the status of every path agrees with walking it.
    pub(super) fn check_kept(
        &mut self,
        changes: &WorldChanges,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let mut kept = std::mem::take(&mut self.kept);
        for one in &mut kept {
            tally.statuses += 1;
            let status = self.world.status(&one.path);
            let is_reported_now = changes.invalidated.contains(&one.watch);
            ensure!(
                !(is_reported_now && one.is_reported),
                "reported twice that {:?} is invalid",
                one.path
            );
            one.is_reported |= is_reported_now;
            let gone = self.cost_of(one.query.agent, &one.path);
            let is_as_good = match &gone {
                Err(_) => Some(false),
                Ok(None) => None,
                // A leg on foot that became costlier may break it, whatever became cheaper elsewhere.
                Ok(Some(_)) if self.has_costlier_leg(one.query.agent, &one.path) => None,
                Ok(Some(cost)) => Some(*cost <= one.path.cost.to_cells() + 0.01),
            };
            let is_held = is_as_good.is_none_or(|is_as_good| status.is_walkable() == is_as_good);
            // Outlines in the field are wider by a hair than what stands there.
            let is_by_a_hair = one.query.agent == Agent::Roamer && is_as_good == Some(true);
            ensure!(
                is_held || is_by_a_hair,
                "status {status:?}, gone it is {gone:?}: {:?}",
                one.path
            );
            ensure!(
                gone.is_ok() || one.is_reported,
                "invalid and not reported: {:?}",
                one.path
            );
            ensure!(
                !is_reported_now || matches!(status, PathStatus::Invalid { .. }),
                "reported as invalidated, and it is {status:?}: {:?}",
                one.path
            );
        }
        let subscribed = changes.invalidated.iter();
        let unknown = subscribed.filter(|id| !kept.iter().any(|one| one.watch == **id));
        ensure!(
            unknown.count() == 0,
            "reported paths without a subscription"
        );
        let now = self.world.revision().number;
        let (young, old) = kept
            .into_iter()
            .partition(|one: &Kept| now - one.path.revision.number < MAX_LENGTH);
        self.kept = young;
        for one in old {
            self.world.unsubscribe(one.watch);
        }
        Ok(())
    }

    /// True if a leg on foot costs more than when the path was found.
    fn has_costlier_leg(&self, agent: Agent, path: &Path) -> bool {
        let profile = self.agents.profile(agent);
        path.legs.iter().any(|leg| match leg {
            PathLeg::Ground(walk) => walk.legs.iter().any(|leg| {
                let cells = &walk.cells[leg.begin as usize..=leg.end as usize];
                let cost = self.model.ground.check_path(cells, profile);
                cost.is_ok_and(|cost| cost > leg.cost)
            }),
            _ => false,
        })
    }

    /// Repairs every subscribed path; found if and only if one exists.
    pub(super) fn repair_subscribed(&mut self, tally: &mut Tally) -> Result<(), String> {
        let mut kept = std::mem::take(&mut self.kept);
        for one in &mut kept {
            // An agent whose floor moved makes a new request.
            let Query { agent, request, .. } = &one.query;
            let query = self.query(*agent, request.from, request.to);
            let repaired = self
                .world
                .repair(&mut self.searcher, &query.request, &one.path);
            let fresh = self
                .world
                .find_path(&mut Searcher::default(), &query.request);
            let report =
                |reason: String| format!("{reason}; mended {:?} as {repaired:?}", one.path);
            self.check_result(&query, &fresh).map_err(report)?;
            let is_found = |result: &_| matches!(result, Ok(Outcome::Found(_)));
            ensure!(
                is_found(&repaired) == is_found(&fresh),
                "mended {:?} as {repaired:?}, fresh {fresh:?}",
                one.path
            );
            let Ok(Outcome::Found(path)) = &repaired else {
                continue;
            };
            tally.repaired += 1;
            self.check_path(&query, path).map_err(report)?;
            let status = self.world.status(path);
            ensure!(
                status == PathStatus::Valid,
                "mended, and {status:?}: {path:?}"
            );
            let ends = (path.start(), path.end());
            ensure!(
                ends == (Some(query.from), Some(query.to)),
                "repaired {:?} leads from {:?} to {:?}, query {query:?}",
                one.path,
                ends.0,
                ends.1
            );
            self.world.unsubscribe(one.watch);
            one.watch = self.world.subscribe(path.clone());
            (one.path, one.query, one.is_reported) = (path.clone(), query, false);
        }
        self.kept = kept;
        Ok(())
    }
}
