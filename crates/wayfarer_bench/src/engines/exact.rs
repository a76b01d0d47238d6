//! The exact search that remembers what it saw, over the ground that changes.

use wayfarer::base::{Column, Edit, Outcome, Raster, Silent};
use wayfarer::search::ground::exact::{ExactSearcher, Query, find};
use wayfarer::search::ground::plain::write_cells;
use wayfarer::world::ground::{Ground, NodeId};

use super::edit_of;
use crate::engine::{About, Answer, Engine, EngineError, PathBuffer, Rule};

/// The cached graph of jump points, `exact`.
#[derive(Clone, Debug, Default)]
pub struct Exact {
    ground: Option<Ground>,
    searcher: ExactSearcher,
    nodes: Vec<NodeId>,
}

impl Engine for Exact {
    fn about(&self) -> About {
        About {
            name: "exact".to_owned(),
            rule: Rule::Benchmark,
            bound: Some(1.0),
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.searcher = ExactSearcher::default();
        self.ground = Some(Ground::from_raster(map));
        Ok(())
    }

    fn answer(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> Answer {
        let Some(ground) = &self.ground else {
            return Answer::default();
        };
        let (Some(start), Some(goal)) = (ground.node(start.at(0)), ground.node(goal.at(0))) else {
            return Answer::default();
        };
        let query = Query::new(start, goal);
        let (searcher, nodes) = (&mut self.searcher, &mut self.nodes);
        let outcome = find(ground, searcher, &query, &mut Silent, nodes);
        let length = match outcome {
            Outcome::Found(cost) => {
                write_cells(ground, nodes, &mut path.cells);
                Some(cost.to_cells())
            }
            _ => None,
        };
        Answer {
            found: length.is_some(),
            length,
            expansions: Some(searcher.spent().expansions),
        }
    }

    fn forget(&mut self) -> bool {
        self.searcher.forget();
        true
    }

    fn cache_bytes(&self) -> Option<usize> {
        Some(self.searcher.cache_bytes())
    }

    fn edit(&mut self, map: &Raster, changed: &[Column]) -> bool {
        let edits: Vec<Edit> = changed.iter().map(|at| edit_of(map, *at)).collect();
        self.apply(&edits)
    }

    fn apply(&mut self, edits: &[Edit]) -> bool {
        let Some(ground) = &mut self.ground else {
            return false;
        };
        let Ok(changes) = ground.apply(edits) else {
            return false;
        };
        self.searcher.follow(ground, &changes);
        true
    }
}
