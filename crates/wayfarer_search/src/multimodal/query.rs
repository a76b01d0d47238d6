//! The graph of one query with derived constants: lower bounds and costs of moves.
//!
//! The heuristic is the horizontal octile distance at the lower of the walking and flying costs, 0 if a
//! nav link or air link is cheaper than that; or the difference in height at the lower of climbing on
//! foot and in the air, if that is more, there are no links, and cells, steps and voxels have one size. A
//! landing is added in the air if the goal is a cell, a take-off on the ground if it is a voxel.

use wayfarer_base::{Cost, CostMultiplier, Location};

use super::graph::FITS_ITS_VOXELS;
use super::{MultimodalGraph, MultimodalRequest};
use crate::air::voxel_astar::MOVES;

/// The graph of one query with derived constants.
pub(super) struct QueryGraph<'w> {
    pub(super) graph: &'w MultimodalGraph<'w>,
    /// Exclusive upper bound on costs.
    pub(super) cost_limit: Cost,
    /// Weight of the heuristic, in sixteenths.
    weight: u64,
    /// Twice the horizontal coordinates of the goal's center.
    goal: [i64; 2],
    /// The goal's coordinates where cells and voxels have one size.
    goal_column: Option<[i32; 2]>,
    /// The height of the goal, and a lower bound on the cost of a difference of 1.
    goal_height: i32,
    min_climb: u32,
    /// Lower bounds on the cost of a cell, straight and diagonal, walked or flown.
    min_cost: (u32, u32),
    /// What is added to the lower bound of a cell and of a voxel.
    added: (u64, u64),
    pub(super) has_volumes: bool,
    /// True if the agent's ball exceeds the voxels that a move spans.
    pub(super) is_wide: bool,
    /// Costs of air moves outside volumes.
    pub(super) base_costs: [Cost; 26],
    /// True if moves between free voxels cost the same everywhere and follow the triangle inequality.
    pub(super) may_prune: bool,
    /// What the voxel over a cell lies at the same columns as, so that walks replace flights beside it.
    pub(super) is_aligned: bool,
}

impl<'w> QueryGraph<'w> {
    pub(super) fn new(graph: &'w MultimodalGraph<'w>, request: &MultimodalRequest) -> Self {
        let alignment = graph.alignment;
        let (air, flight) = graph.air.unzip();
        let multiplier = flight.map_or(CostMultiplier::ONE, |flight| flight.multiplier);
        let default = air.map_or(CostMultiplier::ONE, |air| air.default_multiplier());
        let move_cost = |cost| alignment.move_cost(cost, multiplier, (default, default));
        let min_cost = min_costs(graph, multiplier);
        let min_climb = graph.min_climb(min_cost.0);
        let min_cost = match graph.has_shortcut(min_cost) {
            true => (0, 0),
            false => min_cost,
        };
        let (take_off, landing) = graph.min_transitions(min_cost);
        let added = match request.to {
            Location::Cell(_) => (0, landing),
            Location::Voxel(_) => (take_off, 0),
            Location::Point(_) => (0, 0),
        };
        let has_volumes = air.is_some_and(|air| air.volumes().next().is_some());
        let is_wide = flight.is_some_and(|flight| flight.radius.raw() > FITS_ITS_VOXELS);
        let is_aligned = alignment.cell == alignment.voxel;
        Self {
            graph,
            cost_limit: request.cost_limit,
            weight: u64::from(request.weight.sixteenths()),
            goal: alignment.doubled_center(request.to),
            goal_column: column_of(request.to).filter(|_| is_aligned),
            goal_height: height_of(request.to),
            min_climb,
            min_cost,
            added,
            has_volumes,
            is_wide,
            base_costs: MOVES.map(|(_, _, cost)| move_cost(cost)),
            may_prune: is_metric(move_cost) && !has_volumes && !is_wide,
            is_aligned,
        }
    }

    /// Lower bound on the cost to the goal.
    #[inline]
    pub(super) fn heuristic(&self, at: Location) -> u64 {
        let climb = height_of(at).abs_diff(self.goal_height);
        let climb = u64::from(climb) * u64::from(self.min_climb);
        let added = match at {
            Location::Cell(_) => self.added.0,
            _ => self.added.1,
        };
        self.flat(at).max(climb) + added
    }

    /// The horizontal part of the heuristic.
    #[inline]
    fn flat(&self, at: Location) -> u64 {
        if let (Some(goal), Some(at)) = (self.goal_column, column_of(at)) {
            let (dx, dy) = (at[0].abs_diff(goal[0]), at[1].abs_diff(goal[1]));
            let (long, short) = (dx.max(dy), dx.min(dy));
            if long < 1 << 31 {
                let (straight, diagonal) = self.min_cost;
                return u64::from(long - short) * u64::from(straight)
                    + u64::from(short) * u64::from(diagonal);
            }
        }
        let alignment = &self.graph.alignment;
        alignment.octile(alignment.doubled_center(at), self.goal, self.min_cost)
    }

    /// The heuristic that orders expansions.
    #[inline]
    pub(super) const fn weighted(&self, h: u64) -> u64 {
        h.saturating_mul(self.weight) / 16
    }

    /// An upper bound on f of all nodes.
    pub(super) fn max_f(&self) -> u64 {
        self.weighted(self.cost_limit.units().into())
    }
}

/// Lower bounds on the cost of a cell, straight and diagonal, walked or flown.
fn min_costs(graph: &MultimodalGraph<'_>, multiplier: CostMultiplier) -> (u32, u32) {
    let alignment = graph.alignment;
    let one = (CostMultiplier::ONE, CostMultiplier::ONE);
    let min_cost = |walked: Cost| {
        let flown = alignment.move_cost(walked, multiplier, one);
        let per_cell = u128::from(flown.units()) * u128::from(alignment.cell.unsigned_abs())
            / u128::from(alignment.voxel.unsigned_abs());
        let per_cell = u32::try_from(per_cell).unwrap_or(u32::MAX);
        match (graph.nav_graph, graph.air) {
            (_, None) => walked.units(),
            (None, _) => per_cell,
            _ => walked.units().min(per_cell),
        }
    };
    (min_cost(Cost::STRAIGHT), min_cost(Cost::DIAGONAL))
}

/// True if moves along more axes cost more, and detours over other voxels cost more than a single move.
fn is_metric(move_cost: impl Fn(Cost) -> Cost) -> bool {
    let costs = [Cost::STRAIGHT, Cost::DIAGONAL, Cost::SPACE_DIAGONAL];
    let [one, two, three] = costs.map(|cost| u64::from(move_cost(cost).units()));
    one < two && two < three && two < 2 * one && three < one + two && one + three <= 2 * two
}

/// The height of a cell's floor in steps, or of a voxel.
const fn height_of(at: Location) -> i32 {
    match at {
        Location::Cell(cell) => cell.z,
        Location::Voxel(voxel) => voxel.z,
        Location::Point(_) => 0,
    }
}

/// The horizontal coordinates of a cell or voxel.
const fn column_of(at: Location) -> Option<[i32; 2]> {
    match at {
        Location::Cell(cell) => Some([cell.x, cell.y]),
        Location::Voxel(voxel) => Some([voxel.x, voxel.y]),
        Location::Point(_) => None,
    }
}
