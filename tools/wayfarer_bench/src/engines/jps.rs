//! Block-based jump point search over the ground, without preprocessing.

use wayfarer_engine::base::{Column, GroundEdit, NoopObserver, Outcome, Raster};
use wayfarer_engine::search::ground::jps::{JpsSearcher, Query, find, write_cells};
use wayfarer_engine::world::ground::{Ground, NodeId};

use super::edit_of;
use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};

/// Jump points over the sectors of the ground, `jps`.
#[derive(Clone, Debug, Default)]
pub struct Jps {
    ground: Option<Ground>,
    searcher: JpsSearcher,
    nodes: Vec<NodeId>,
}

impl Engine for Jps {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: "jps".to_owned(),
            rule: MovementRule::Benchmark,
            bound: Some(1.0),
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.searcher = JpsSearcher::default();
        self.ground = Some(Ground::from_raster(map));
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let Some(ground) = &self.ground else {
            return EngineResult::default();
        };
        let (Some(start), Some(goal)) = (ground.node(start.at(0)), ground.node(goal.at(0))) else {
            return EngineResult::default();
        };
        let query = Query::new(start, goal);
        let (searcher, nodes) = (&mut self.searcher, &mut self.nodes);
        let outcome = find(ground, searcher, &query, &mut NoopObserver, nodes);
        let length = match outcome {
            Outcome::Found(cost) => {
                write_cells(ground, nodes, &mut path.cells);
                Some(cost.to_cells())
            }
            _ => None,
        };
        EngineResult {
            found: length.is_some(),
            length,
            expansions: Some(searcher.stats().expansions),
        }
    }

    fn edit(&mut self, map: &Raster, changed: &[Column]) -> bool {
        let edits: Vec<GroundEdit> = changed.iter().map(|at| edit_of(map, *at)).collect();
        self.apply(&edits)
    }

    fn apply(&mut self, edits: &[GroundEdit]) -> bool {
        let ground = self.ground.as_mut();
        ground.is_some_and(|ground| ground.apply(edits).is_ok())
    }
}
