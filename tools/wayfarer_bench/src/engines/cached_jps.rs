//! Cached jump point search over the ground, optimal or bounded.

use wayfarer_engine::base::{Budget, Column, Cost, GroundEdit, NoopObserver, Outcome, Raster};
use wayfarer_engine::search::ground::jps_cached::{CachedJpsSearcher, HeuristicWeight, Query};
use wayfarer_engine::world::ground::Ground;

use super::edit_of;
use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};

/// The cached graph of jump points: `jps_cached`, or `default`.
#[derive(Clone, Debug)]
pub struct CachedJps {
    ground: Option<Ground>,
    searcher: CachedJpsSearcher,
    weight: HeuristicWeight,
}

impl CachedJps {
    /// Finds paths at most `weight` times as long as the shortest.
    pub fn new(weight: HeuristicWeight) -> Self {
        Self {
            ground: None,
            searcher: CachedJpsSearcher::default(),
            weight,
        }
    }

    fn find(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> Option<Cost> {
        let ground = self.ground.as_ref()?;
        let query = Query::new(ground.node(start.at(0))?, ground.node(goal.at(0))?);
        let searcher = &mut self.searcher;
        if searcher.begin(ground, &query, self.weight).is_some() {
            return None;
        }
        let stop = searcher.advance(ground, &mut NoopObserver, Budget::UNLIMITED);
        match searcher.outcome_in_cells(ground, stop, &mut path.cells) {
            Outcome::Found(cost) => Some(cost),
            _ => None,
        }
    }
}

impl Engine for CachedJps {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: match self.weight {
                HeuristicWeight::ONE => "optimal".to_owned(),
                _ => "bounded".to_owned(),
            },
            rule: MovementRule::Benchmark,
            bound: Some(f64::from(self.weight.to_1024ths()) / 1024.0),
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.searcher = CachedJpsSearcher::default();
        self.ground = Some(Ground::from_raster(map));
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let length = self.find(start, goal, path).map(Cost::to_cells);
        EngineResult {
            found: length.is_some(),
            length,
            expansions: Some(self.searcher.stats().expansions),
        }
    }

    fn cost_lower_bound(&self) -> Option<f64> {
        self.searcher.cost_lower_bound().map(Cost::to_cells)
    }

    fn clear_cache(&mut self) -> bool {
        self.searcher.clear_cache();
        true
    }

    fn cache_bytes(&self) -> Option<usize> {
        Some(self.searcher.cache_bytes())
    }

    fn edit(&mut self, map: &Raster, changed: &[Column]) -> bool {
        let edits: Vec<GroundEdit> = changed.iter().map(|at| edit_of(map, *at)).collect();
        self.apply(&edits)
    }

    fn apply(&mut self, edits: &[GroundEdit]) -> bool {
        let Some(ground) = &mut self.ground else {
            return false;
        };
        let Ok(changes) = ground.apply(edits) else {
            return false;
        };
        self.searcher.apply_changes(ground, &changes);
        true
    }
}
