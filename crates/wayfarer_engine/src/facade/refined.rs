//! Ground paths by refinement R[n, t, c, s], over the live regions or over baked ones.

use wayfarer_base::{Cell, Location, Outcome, Raster, RequestError, SearchStats, Terrain};
use wayfarer_search::abstraction::{
    AbstractGraph, AttachedGraph, LiveGraph, RefinedPath, RefinementParams, RefinementRequest,
    Refiner,
};
use wayfarer_search::ground::{GroundPath, NavGraph};
use wayfarer_world::baked::BakedAbstraction;

use super::World;
use super::path::{Path, PathLeg};
use super::request::PathRequest;
use super::searcher::Searcher;

impl World {
    /// Finds a path by refinement, over the regions of `baked` if given, else over the live ones.
    /// Complete, without a bound on the cost. The budget counts expanded cells.
    ///
    /// # Errors
    /// An end is out of range or blocked; the request is not for the default agent type, or has
    /// avoided obstacles, viewers or a partial policy.
    pub fn find_refined(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        params: RefinementParams,
        baked: Option<&BakedAbstraction>,
    ) -> Result<Outcome<Path>, RequestError> {
        let (start, goal) = self.refined_ends(request)?;
        let budget = request.budget.expansions;
        let found = match baked {
            Some(baked) => {
                let graph = AttachedGraph::new(baked, &self.ground);
                refined(
                    &graph,
                    &mut searcher.baked_refiner,
                    (start, goal, params),
                    budget,
                )?
            }
            None => {
                let graph = LiveGraph::new(&self.ground);
                refined(
                    &graph,
                    &mut searcher.live_refiner,
                    (start, goal, params),
                    budget,
                )?
            }
        };
        let path = |refined: RefinedPath| {
            let walk = GroundPath::from_cells(NavGraph::from(&self.ground), &refined.cells);
            let expansions = refined.stats.expansions();
            let cost = walk.as_ref().map_or(refined.cost, |walk| walk.cost);
            let leg = walk.map(|walk| PathLeg::Ground(GroundPath { expansions, ..walk }));
            self.new_path(request, leg.into_iter().collect(), cost, expansions)
        };
        Ok(found.map(path))
    }

    fn refined_ends(&self, request: &PathRequest) -> Result<(Cell, Cell), RequestError> {
        let registered = self.registered(request.agent_type)?;
        let unsupported = |reason| RequestError::UnsupportedMethod {
            method: "refinement",
            reason,
        };
        if registered.profile_id.is_some() || registered.agent_type.ground.is_none() {
            return Err(unsupported("regions are those of the default agent type"));
        }
        let is_plain = request.avoided_obstacles.is_empty() && request.viewers.is_empty();
        if !is_plain || request.allow_partial {
            return Err(unsupported(
                "it supports neither avoided obstacles nor viewers nor partial paths",
            ));
        }
        match self.ends(registered, request)? {
            (Location::Cell(from), Location::Cell(to)) => Ok((from, to)),
            _ => Err(unsupported("it starts and ends on the ground")),
        }
    }

    /// The floors at height 0 that the default profile walks on, from column (0, 0) on: what an
    /// abstraction is baked from. `None` if there are none, or more than 2^26 columns.
    pub fn raster_at_zero(&self) -> Option<Raster> {
        let high = self.ground.bounds().high;
        let side = |at: i32| u32::try_from(at).ok().map(|at| at + 1);
        let (width, height) = (side(high.x)?, side(high.y)?);
        if u64::from(width) * u64::from(height) > 1 << 26 {
            return None;
        }
        let mut raster = Raster::new(width, height)?;
        for y in 0..=high.y {
            for x in 0..=high.x {
                let is_walkable = self.ground.node(Cell::flat(x, y)).is_some();
                raster.set(x, y, is_walkable.then_some(Terrain::GROUND));
            }
        }
        Some(raster)
    }
}

fn refined<G: AbstractGraph>(
    graph: &G,
    refiner: &mut Refiner<G::Region>,
    (start, goal, params): (Cell, Cell, RefinementParams),
    budget: u64,
) -> Result<Outcome<RefinedPath>, RequestError> {
    let request = RefinementRequest::new(start, goal, params);
    let outcome = refiner.find_within(graph, &request, budget)?;
    Ok(match outcome {
        Outcome::OutOfBudget { best, .. } => Outcome::OutOfBudget {
            stats: SearchStats {
                expansions: best.stats.expansions(),
                pushes: 0,
            },
            best,
        },
        outcome => outcome,
    })
}
