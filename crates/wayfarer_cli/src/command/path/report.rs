//! The result of a search on the ground, as text and as JSON.

use serde::Serialize;
use wayfarer_engine::base::{
    Cell, Explanation, Fixed, Location, NavLinkId, Outcome, PartialReason, Point2, Point3, Profile,
    UnreachableProof,
};
use wayfarer_engine::search::ground::{
    AnyAnglePath, GroundPath, GroundRequest, LegKind, polyline_length, waypoints_for,
};
use wayfarer_engine::world::ground::Ground;

use crate::area::cell_text;
use crate::output::Output;
use crate::words;

/// The result as JSON.
#[derive(Serialize, Default)]
pub(super) struct Report {
    pub(super) file: String,
    from: [i32; 3],
    /// The goal, the first of several, or the center of an area.
    to: [i32; 3],
    /// The last cell of the path.
    end: Option<[i32; 3]>,
    method: String,
    profile: Option<ProfileReport>,
    pub(super) found: bool,
    pub(super) outcome: &'static str,
    /// Length on the map, in cells.
    pub(super) length: Option<f64>,
    /// Cost with multipliers, in straight steps of multiplier 1 and in units.
    cost: Option<f64>,
    cost_units: Option<u32>,
    /// Lower bound of the optimal cost.
    cost_lower_bound_units: Option<u32>,
    /// The cost over that bound, rounded up to millionths: 1 for an optimal path.
    suboptimality_bound: Option<f64>,
    steps: Option<usize>,
    pub(super) expansions: u64,
    revision: Option<u64>,
    /// If the goal is unreachable: the blocked step that would give the cheapest path.
    cheapest_blocked_step: Option<BlockedStep>,
    explain: Option<ExplanationReport>,
    legs: Vec<LegReport>,
    /// Every cell; empty for an any-angle path, which has waypoints only.
    path: Vec<[i32; 3]>,
    /// Waypoints of the string-pulled path, and its length in cells.
    smoothed: Vec<[i32; 3]>,
    smoothed_length: Option<f64>,
}

/// The profile of the agent.
#[derive(Serialize)]
struct ProfileReport {
    radius: f64,
    height: i32,
    max_step: i32,
    max_drop: i32,
    keys: u32,
    terrains: Vec<String>,
}

#[derive(Serialize)]
struct LegReport {
    begin: u32,
    end: u32,
    cost_units: u32,
    /// `walk`, or the kind of the nav link.
    kind: &'static str,
}

/// A blocked step.
#[derive(Serialize)]
struct BlockedStep {
    from: [i32; 3],
    cell: [i32; 3],
    length: f64,
    reason: &'static str,
}

#[derive(Serialize)]
struct ExplanationReport {
    frontier: Vec<[i32; 3]>,
    unblock_options: Vec<UnblockReport>,
}

#[derive(Serialize)]
struct UnblockReport {
    at: [i32; 3],
    what: &'static str,
}

pub(super) fn triple(cell: Cell) -> [i32; 3] {
    [cell.x, cell.y, cell.z]
}

fn triple_of(location: Location) -> [i32; 3] {
    match location {
        Location::Cell(cell) => triple(cell),
        Location::Point(point) => triple(point.column().at(0)),
        Location::Voxel(voxel) => [voxel.x, voxel.y, voxel.z],
    }
}

impl ProfileReport {
    fn new(profile: &Profile) -> Self {
        let terrains = (0..64).filter(|number| profile.allowed_terrains >> number & 1 == 1);
        let terrains = terrains.filter_map(wayfarer_engine::base::Terrain::new);
        Self {
            radius: profile.radius.to_cells(),
            height: profile.height,
            max_step: profile.max_step,
            max_drop: profile.max_drop,
            keys: profile.keys,
            terrains: terrains.map(|terrain| terrain.to_string()).collect(),
        }
    }
}

/// The name of an outcome, and its path if it has one.
pub(super) fn split_outcome<P>(outcome: Outcome<P>) -> (&'static str, Option<P>) {
    match outcome {
        Outcome::Found(path) => ("found", Some(path)),
        Outcome::Partial { best, reason } => match reason {
            PartialReason::GoalBlocked => ("goal blocked", Some(best)),
            PartialReason::GoalUnreachable => ("goal unreachable", Some(best)),
        },
        Outcome::OutOfBudget { best, .. } => ("out of budget", Some(best)),
        Outcome::Unreachable { proof, nearest } => {
            let proof = match proof {
                UnreachableProof::DifferentComponents => "different components",
                UnreachableProof::SearchExhausted => "search exhausted",
                UnreachableProof::CostLimit => "cost limit",
            };
            (proof, nearest)
        }
    }
}

impl Report {
    /// The request, without a result yet.
    pub(super) fn new(
        file: &std::path::Path,
        request: &GroundRequest,
        method: String,
        profile: &Profile,
    ) -> Self {
        Self {
            file: file.display().to_string(),
            from: triple(request.from),
            to: triple(request.to.representative_cell().unwrap_or(request.from)),
            method,
            profile: Some(ProfileReport::new(profile)),
            ..Self::default()
        }
    }

    /// Adds a path of cells; returns it for drawing.
    pub(super) fn add_path(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
        path: &GroundPath,
    ) -> DrawnPath {
        let waypoints = waypoints_for(ground, request, path);
        self.end = path.end().map(triple);
        self.length = Some(path.length().to_cells());
        self.cost = Some(path.cost.to_cells());
        self.cost_units = Some(path.cost.units());
        self.cost_lower_bound_units = Some(path.cost_lower_bound.units());
        self.suboptimality_bound = path
            .suboptimality_bound()
            .map(|millionths| millionths as f64 / 1e6);
        self.steps = Some(path.cells.len().saturating_sub(1));
        self.revision = Some(path.revision.number);
        self.path = path.cells.iter().copied().map(triple).collect();
        let leg = |leg: &wayfarer_engine::search::ground::Leg| LegReport {
            begin: leg.begin,
            end: leg.end,
            cost_units: leg.cost.units(),
            kind: match leg.kind {
                LegKind::Walk(_) => "walk",
                LegKind::NavLink(NavLinkId { kind, .. }) => kind.name(),
            },
        };
        self.legs = path.legs.iter().map(leg).collect();
        self.add_smoothed(&waypoints);
        DrawnPath {
            cells: path.cells.clone(),
            waypoints,
        }
    }

    /// Adds an any-angle path; returns it for drawing.
    pub(super) fn add_any_angle(&mut self, path: &AnyAnglePath) -> DrawnPath {
        self.end = path.waypoints.last().copied().map(triple);
        self.length = Some(polyline_length(&path.waypoints));
        self.cost = Some(path.cost.to_cells());
        self.cost_units = Some(path.cost.units());
        self.revision = Some(path.revision.number);
        self.add_smoothed(&path.waypoints);
        DrawnPath {
            cells: Vec::new(),
            waypoints: path.waypoints.clone(),
        }
    }

    fn add_smoothed(&mut self, waypoints: &[Cell]) {
        self.smoothed = waypoints.iter().copied().map(triple).collect();
        self.smoothed_length = Some(polyline_length(waypoints));
    }

    /// Adds the cheapest blocked step; with `is_full` also the frontier and all options.
    pub(super) fn add_explanation(&mut self, explanation: &Explanation, is_full: bool) {
        self.cheapest_blocked_step = explanation.cheapest_blocked.map(|step| BlockedStep {
            from: triple_of(step.from),
            cell: triple_of(step.to),
            length: step.cost.to_cells(),
            reason: step.reason,
        });
        self.explain = is_full.then(|| ExplanationReport {
            frontier: explanation
                .frontier
                .iter()
                .copied()
                .map(triple_of)
                .collect(),
            unblock_options: explanation
                .unblock_options
                .iter()
                .map(|option| UnblockReport {
                    at: triple_of(option.at),
                    what: option.what,
                })
                .collect(),
        });
    }

    /// Prints all of it as lines.
    pub(super) fn print(&self, out: &mut Output) {
        let at = |[x, y, z]: [i32; 3]| cell_text(Cell::new(x, y, z));
        out.line(format!("from      {}", at(self.from)));
        out.line(format!("to        {}", at(self.to)));
        let length = self.length.unwrap_or_default();
        if !self.found {
            out.line(format!("no path   {}", self.outcome));
        }
        if let Some(end) = self.end.filter(|end| !self.found || *end != self.to) {
            out.line(format!("ends at   {}", at(end)));
        }
        match (self.length, self.steps) {
            (Some(_), Some(steps)) => {
                let steps = words::count(steps as u64);
                out.line(format!("length    {length:.3} cells, {steps} steps"));
            }
            (Some(_), None) => out.line(format!("length    {length:.3} cells")),
            _ => {}
        }
        if let Some(cost) = self.cost.filter(|cost| (cost - length).abs() > 5e-4) {
            out.line(format!("cost      {cost:.3} cells of multiplier 1"));
        }
        if let Some(bound) = self
            .suboptimality_bound
            .filter(|bound| self.found && *bound > 1.0)
        {
            out.line(format!("bound     at most {bound:.6} times the optimum"));
        }
        let nav_links = self.legs.iter().filter(|leg| leg.kind != "walk");
        let nav_links: Vec<&str> = nav_links.map(|leg| leg.kind).collect();
        if !nav_links.is_empty() {
            out.line(format!("through   {}", nav_links.join(", ")));
        }
        if let (Some(smoothed), Some(_)) = (self.smoothed_length, self.steps) {
            let n_waypoints = self.smoothed.len();
            out.line(format!(
                "smoothed  {smoothed:.3} cells over {n_waypoints} waypoints"
            ));
        }
        if let Some(step) = &self.cheapest_blocked_step {
            let (from, to) = (at(step.from), at(step.cell));
            out.line(format!(
                "blocked   from {from} to {to}: {}; if it were open, a path of {:.3} cells",
                step.reason, step.length
            ));
        }
        if let Some(explanation) = &self.explain {
            for option in &explanation.unblock_options {
                out.line(format!("unblock   {} at {}", option.what, at(option.at)));
            }
            let frontier: Vec<String> = explanation.frontier.iter().map(|cell| at(*cell)).collect();
            if !frontier.is_empty() {
                out.line(format!("frontier  {}", frontier.join(" ")));
            }
        }
        let expanded = words::count(self.expansions);
        out.line(format!("expanded  {expanded} cells by {}", self.method));
    }
}

/// A path to draw: its cells, and its string-pulled waypoints.
pub(super) struct DrawnPath {
    pub(super) cells: Vec<Cell>,
    pub(super) waypoints: Vec<Cell>,
}

/// The center of a cell.
pub(super) fn center(cell: Cell) -> Option<Point3> {
    let Point2 { x, y } = Point2::center_of(cell.column())?;
    let z = Fixed::from_cell(cell.z)?;
    Some(Point3 { x, y, z })
}
