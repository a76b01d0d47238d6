//! Paths that are kept while the world changes: told when they break, mended, asked for anew.

use wayfarer::base::{Outcome, PathStatus, Rng, SubscriptionId};
use wayfarer::{Path, PathLeg, Searcher, WorldChanges};

use super::draw::{self, Who};
use super::life::Life;
use super::ways::Asked;
use super::{Tally, ensure};

/// Most paths that are kept at once.
const MOST: usize = 12;
/// Batches after which a path is dropped, before the world forgets what happened since.
const LONGEST: u64 = 40;

/// A path that somebody is on.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    asked: Asked,
    path: Path,
    watch: SubscriptionId,
    is_told: bool,
}

impl Life {
    /// Asks for a few paths and watches them.
    pub(super) fn keep_some(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..3 {
            let who = *rng.pick(&Who::ALL).unwrap_or(&Who::Walker);
            let from = draw::position(rng, &self.world, who);
            let to = draw::position(rng, &self.world, who);
            let asked = self.asked(who, from, to);
            tally.questions += 1;
            let answer = self.world.find_path(&mut self.searcher, &asked.request);
            self.check_answer(&asked, &answer)
                .map_err(|because| format!("{because}; asked: {asked:?}"))?;
            if let Ok(Outcome::Found(path)) = answer {
                tally.paths += 1;
                tally.mixed += u64::from(path.legs.len() > 1);
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
                    asked,
                    path,
                    watch,
                    is_told: false,
                });
            }
        }
        while self.kept.len() > MOST {
            let old = self.kept.remove(0);
            let path = self.world.unsubscribe(old.watch);
            ensure!(
                path.as_ref() == Some(&old.path),
                "watched, another path comes back"
            );
        }
        ensure!(
            self.world.n_subscribed() == self.kept.len(),
            "{} paths are watched, expected {}",
            self.world.n_subscribed(),
            self.kept.len()
        );
        Ok(())
    }

    /// After a batch: what the world says of every path is what going it says.
    pub(super) fn check_kept(
        &mut self,
        changes: &WorldChanges,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let mut kept = std::mem::take(&mut self.kept);
        for one in &mut kept {
            tally.statuses += 1;
            let status = self.world.status(&one.path);
            let is_told_now = changes.invalidated.contains(&one.watch);
            ensure!(
                !(is_told_now && one.is_told),
                "told twice that {:?} broke",
                one.path
            );
            one.is_told |= is_told_now;
            let gone = self.cost_of(one.asked.who, &one.path);
            let is_as_good = match &gone {
                Err(_) => Some(false),
                Ok(None) => None,
                // A leg on foot that became dearer may break it, whatever became cheaper elsewhere.
                Ok(Some(_)) if self.has_dearer_leg(one.asked.who, &one.path) => None,
                Ok(Some(cost)) => Some(*cost <= one.path.cost.to_cells() + 0.01),
            };
            let is_held = is_as_good.is_none_or(|is_as_good| status.is_walkable() == is_as_good);
            // Outlines in the field are wider by a hair than what stands there.
            let is_by_a_hair = one.asked.who == Who::Roamer && is_as_good == Some(true);
            ensure!(
                is_held || is_by_a_hair,
                "status {status:?}, gone it is {gone:?}: {:?}",
                one.path
            );
            ensure!(
                gone.is_ok() || one.is_told,
                "broken and not told of: {:?}",
                one.path
            );
            ensure!(
                !is_told_now || matches!(status, PathStatus::Invalid { .. }),
                "told that it broke, and it is {status:?}: {:?}",
                one.path
            );
        }
        let watched = changes.invalidated.iter();
        let strange = watched.filter(|id| !kept.iter().any(|one| one.watch == **id));
        ensure!(strange.count() == 0, "told of paths that nobody watches");
        let now = self.world.revision().0;
        let (young, old) = kept
            .into_iter()
            .partition(|one: &Kept| now - one.path.revision.0 < LONGEST);
        self.kept = young;
        for one in old {
            self.world.unsubscribe(one.watch);
        }
        Ok(())
    }

    /// True if a leg on foot costs more than when the path was found.
    fn has_dearer_leg(&self, who: Who, path: &Path) -> bool {
        let profile = self.agents.profile(who);
        path.legs.iter().any(|leg| match leg {
            PathLeg::Ground(walk) => walk.legs.iter().any(|leg| {
                let cells = &walk.cells[leg.begin as usize..=leg.end as usize];
                let cost = self.model.ground.check_path(cells, profile);
                cost.is_ok_and(|cost| cost > leg.cost)
            }),
            _ => false,
        })
    }

    /// Mends every path that is kept; a way is found if and only if there is one.
    pub(super) fn mend_kept(&mut self, tally: &mut Tally) -> Result<(), String> {
        let mut kept = std::mem::take(&mut self.kept);
        for one in &mut kept {
            // Who stands elsewhere now, because floors came and went, asks something else.
            let Asked { who, request, .. } = &one.asked;
            let asked = self.asked(*who, request.from, request.to);
            let mended = self
                .world
                .repair(&mut self.searcher, &asked.request, &one.path);
            let fresh = self
                .world
                .find_path(&mut Searcher::default(), &asked.request);
            let told = |because: String| format!("{because}; mended {:?} as {mended:?}", one.path);
            self.check_answer(&asked, &fresh).map_err(told)?;
            let is_found = |answer: &_| matches!(answer, Ok(Outcome::Found(_)));
            ensure!(
                is_found(&mended) == is_found(&fresh),
                "mended {:?} as {mended:?}, fresh {fresh:?}",
                one.path
            );
            let Ok(Outcome::Found(path)) = &mended else {
                continue;
            };
            tally.mended += 1;
            self.check_path(&asked, path).map_err(told)?;
            let status = self.world.status(path);
            ensure!(
                status == PathStatus::Valid,
                "mended, and {status:?}: {path:?}"
            );
            let ends = (path.start(), path.end());
            ensure!(
                ends == (Some(asked.from), Some(asked.to)),
                "mended {:?} leads from {:?} to {:?}, asked {asked:?}",
                one.path,
                ends.0,
                ends.1
            );
            self.world.unsubscribe(one.watch);
            one.watch = self.world.subscribe(path.clone());
            (one.path, one.asked, one.is_told) = (path.clone(), asked, false);
        }
        self.kept = kept;
        Ok(())
    }
}
