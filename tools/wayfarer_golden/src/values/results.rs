//! Encoding of search results: paths, outcomes, events, explanations, errors.

use wayfarer_engine::base::explanation::{BlockedStep, UnblockOption};
use wayfarer_engine::base::{
    Explanation, Outcome, PartialReason, PathStatus, Progress, RequestError, SearchEvent,
    UnreachableProof,
};
use wayfarer_engine::search::abstraction::RefinedPath;
use wayfarer_engine::search::air::FlightPath;
use wayfarer_engine::search::dense::DensePath;
use wayfarer_engine::search::ground::{
    AnyAnglePath, GroundPath, Leg, LegKind, NearestTarget, RepairedPath,
};
use wayfarer_engine::search::planar::{PlanarMethod, PlanarPath, PlanarStatus};

use super::{Reason, UNKNOWN, Value, Values};
use wayfarer_engine::{ModeTransition, Path, PathExposure, PathLeg};

impl<P: Value> Value for Outcome<P> {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Found(path) => to.variant(0, &[path]),
            Self::Partial { best, reason } => to.variant(1, &[best, reason]),
            Self::OutOfBudget { best, stats } => to.variant(2, &[best, stats]),
            Self::Unreachable { proof, nearest } => to.variant(3, &[proof, nearest]),
        }
    }
}

impl Value for PartialReason {
    fn put(&self, to: &mut Values) {
        to.number(match self {
            Self::GoalBlocked => 0,
            Self::GoalUnreachable => 1,
        });
    }
}

impl Value for UnreachableProof {
    fn put(&self, to: &mut Values) {
        to.number(match self {
            Self::DifferentComponents => 0,
            Self::SearchExhausted => 1,
            Self::CostLimit => 2,
        });
    }
}

impl Value for RequestError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::StartBlocked { at, reason } => to.variant(0, &[at, &Reason(reason)]),
            Self::GoalBlocked { at, reason } => to.variant(1, &[at, &Reason(reason)]),
            Self::OutOfRange { found, .. } => to.variant(2, &[found]),
            Self::UnknownProfile => to.variant(3, &[]),
            Self::UnsupportedMethod { reason, .. } => to.variant(4, &[&Reason(reason)]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl<P: Value> Value for Progress<P> {
    fn put(&self, to: &mut Values) {
        match self {
            Self::InProgress { stats } => to.variant(0, &[stats]),
            Self::Done(outcome) => to.variant(1, &[outcome]),
            Self::Stale {
                started_at,
                current,
            } => to.variant(2, &[started_at, current]),
        }
    }
}

impl Value for PathStatus {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Valid => to.variant(0, &[]),
            Self::MaybeSuboptimal => to.variant(1, &[]),
            Self::Invalid { leg, at } => to.variant(2, &[leg, at]),
            Self::Unknown => to.variant(3, &[]),
        }
    }
}

impl Value for SearchEvent {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Opened { at, cost } => to.variant(0, &[at, cost]),
            Self::Expanded { at, cost } => to.variant(1, &[at, cost]),
            Self::Improved { at, cost } => to.variant(2, &[at, cost]),
            Self::Reached { at, cost } => to.variant(3, &[at, cost]),
        }
    }
}

impl Value for Explanation {
    fn put(&self, to: &mut Values) {
        to.each(&[
            &self.frontier,
            &self.cheapest_blocked,
            &self.unblock_options,
        ]);
    }
}

impl Value for BlockedStep {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.from, &self.to, &self.cost, &Reason(self.reason)]);
    }
}

impl Value for UnblockOption {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.at, &Reason(self.what)]);
    }
}

impl Value for DensePath {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.cells, &self.cost, &self.expansions]);
    }
}

impl Value for GroundPath {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.cells, &self.legs, &self.cost, &self.revision]);
        to.each(&[
            &self.profile_id,
            &self.clearance_columns,
            &self.expansions,
            &self.goal_bounds,
        ]);
        to.each(&[
            &self.ends_at_line_of_sight,
            &self.has_request_costs,
            &self.cost_lower_bound,
        ]);
    }
}

impl Value for Leg {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.begin, &self.end, &self.cost]);
        match &self.kind {
            LegKind::Walk(region) => to.variant(0, &[region]),
            LegKind::NavLink(id) => to.variant(1, &[id]),
        }
    }
}

impl Value for RepairedPath {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.path, &self.n_reused]);
    }
}

impl Value for AnyAnglePath {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.waypoints, &self.cost, &self.revision]);
        to.each(&[&self.profile_id, &self.expansions]);
    }
}

impl Value for NearestTarget {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.index, &self.cost]);
    }
}

impl Value for RefinedPath {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.cells, &self.cost, &self.abstract_path, &self.segments]);
        let stats = &self.stats;
        to.each(&[&self.revision, &stats.regions, &stats.cells]);
        to.take(&stats.max_segment);
    }
}

impl Value for FlightPath {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.waypoints, &self.cost, &self.raw_cost]);
        to.each(&[&self.revision, &self.expansions, &self.radius]);
    }
}

impl Value for PlanarPath {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.points, &self.cost, &self.agent]);
        to.each(&[&self.revision, &self.expansions, &self.n_exit_legs]);
        to.number(match self.method {
            PlanarMethod::TangentGraph => 0,
            PlanarMethod::Quadtree => 1,
        });
    }
}

impl Value for PlanarStatus {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.status, &self.invalidated_by]);
    }
}

/// Without the agent type, whose id is opaque.
impl Value for Path {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.legs, &self.cost, &self.revision, &self.expansions]);
        to.each(&[&self.avoided_obstacles, &self.includes_exposure, &self.body]);
    }
}

impl Value for PathLeg {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Ground(path) => to.variant(0, &[path]),
            Self::TakeOff(transition) => to.variant(1, &[transition]),
            Self::Flight(path) => to.variant(2, &[path]),
            Self::Landing(transition) => to.variant(3, &[transition]),
            Self::Planar(path) => to.variant(4, &[path]),
        }
    }
}

impl Value for ModeTransition {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.cell, &self.voxel, &self.cost]);
    }
}

impl Value for PathExposure {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.viewer, &self.positions, &self.n_samples]);
    }
}
