//! Region refinement R\[n,t,c,s\] over the baked abstraction, method `refine`.

use wayfarer_engine::base::{Column, Outcome, Raster};
use wayfarer_engine::search::abstraction::{
    BakedGraph, CenterPlacement, RefinementParams, RefinementRequest, Refiner, optimize_centers,
};
use wayfarer_engine::world::baked::{AbstractionBuilder, BakedAbstraction, BakedRegion};
use wayfarer_engine::world::dense::DenseGround;

use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};

/// Refined plans over sectors of 16, with centers where there is the least work. They promise
/// nothing about the length of their paths.
#[derive(Clone, Debug)]
pub struct Refinement {
    name: String,
    refine: RefinementParams,
    map: Option<(BakedAbstraction, DenseGround)>,
    refiner: Refiner<BakedRegion>,
}

impl Refinement {
    /// Cells along a side of a sector.
    const SIDE: u32 = 16;

    /// R[1, 10%, -, -], `refine`.
    pub fn paper() -> Self {
        Self::new("refine".to_owned(), RefinementParams::STURTEVANT_2007)
    }

    /// The engine of a name: `refine`, or `refine:` and the words for a refinement; `None` if it is neither.
    pub fn by_name(name: &str) -> Option<Self> {
        if name == "refine" {
            return Some(Self::paper());
        }
        let refine = name.strip_prefix("refine:")?.parse().ok()?;
        Some(Self::new(name.to_owned(), refine))
    }

    fn new(name: String, refine: RefinementParams) -> Self {
        Self {
            name,
            refine,
            map: None,
            refiner: Refiner::default(),
        }
    }
}

impl Engine for Refinement {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: self.name.clone(),
            rule: MovementRule::Benchmark,
            bound: None,
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        *self = Self::new(self.name.clone(), self.refine);
        let fault = |reason: String| EngineError::Map {
            engine: self.name.clone(),
            reason,
        };
        let ground = DenseGround::from_raster(map.clone());
        let ground = ground.map_err(|error| fault(error.to_string()))?;
        let draft = AbstractionBuilder::from_raster(map, Self::SIDE);
        let mut draft = draft.map_err(|error| fault(error.to_string()))?;
        optimize_centers(&mut draft, &ground, CenterPlacement::LeastWork, |_| {});
        let baked = draft.bake().map_err(|error| fault(error.to_string()))?;
        self.map = Some((baked, ground));
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let plan = self.map.as_ref();
        let plan = plan.and_then(|(baked, ground)| BakedGraph::new(baked, ground).ok());
        let Some(plan) = plan else {
            return EngineResult::default();
        };
        let request = RefinementRequest::new(start.at(0), goal.at(0), self.refine);
        let Ok(Outcome::Found(mut found)) = self.refiner.find(&plan, &request) else {
            return EngineResult::default();
        };
        let result = EngineResult {
            found: true,
            length: Some(found.cost.to_cells()),
            expansions: Some(found.stats.expansions()),
        };
        std::mem::swap(&mut path.cells, &mut found.cells);
        self.refiner.recycle(found);
        result
    }
}

#[cfg(test)]
mod tests;
