//! What came of a search for a way, for people and for programs.

use serde::Serialize;
use wayfarer::base::{
    Cell, Explanation, Fixed, Location, NavLinkId, Outcome, PartialReason, Point2, Point3, Profile,
    UnreachableProof,
};
use wayfarer::search::ground::{
    AnyAnglePath, GroundPath, GroundRequest, LegKind, polyline_length, waypoints_for,
};
use wayfarer::world::ground::Ground;

use crate::area::place;
use crate::output::Output;
use crate::words;

/// The result as JSON.
#[derive(Serialize, Default)]
pub(super) struct Report {
    pub(super) file: String,
    from: [i32; 3],
    /// The goal, the first of several, or the middle of an area.
    to: [i32; 3],
    /// Where the way ends, if there is one.
    end: Option<[i32; 3]>,
    method: String,
    profile: Option<Body>,
    pub(super) found: bool,
    pub(super) outcome: &'static str,
    /// How long the way is over the map, in cells.
    pub(super) length: Option<f64>,
    /// What it costs, cost multipliers included, in cells of uniform ground and in units.
    cost: Option<f64>,
    cost_units: Option<u32>,
    /// What the cheapest costs at least: less than the cost where the way may not be the cheapest.
    at_least_units: Option<u32>,
    /// The cost over that, rounded up to millionths: 1 for a cheapest path.
    proven_bound: Option<f64>,
    steps: Option<usize>,
    pub(super) expansions: u64,
    revision: Option<u64>,
    /// If there is no way: the step that, if it were open, would give the cheapest.
    unblock_option: Option<Blocked>,
    explain: Option<Explained>,
    legs: Vec<LegReport>,
    /// Every cell; empty for a way in any direction, which has corners only.
    path: Vec<[i32; 3]>,
    /// Where one turns who walks freely, and how far that is, in cells.
    smoothed: Vec<[i32; 3]>,
    smoothed_length: Option<f64>,
}

/// Who walks.
#[derive(Serialize)]
struct Body {
    radius: f64,
    height: i32,
    climb: i32,
    drop: i32,
    keys: u32,
    terrains: Vec<String>,
}

#[derive(Serialize)]
struct LegReport {
    begin: u32,
    end: u32,
    cost_units: u32,
    /// `walk`, or the kind of nav link.
    by: &'static str,
}

/// A step that cannot be taken.
#[derive(Serialize)]
struct Blocked {
    from: [i32; 3],
    cell: [i32; 3],
    length: f64,
    reason: &'static str,
}

#[derive(Serialize)]
struct Explained {
    frontier: Vec<[i32; 3]>,
    unblock_options: Vec<Thing>,
}

#[derive(Serialize)]
struct Thing {
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

impl Body {
    fn of(profile: &Profile) -> Self {
        let terrains = (0..64).filter(|number| profile.allowed_terrains >> number & 1 == 1);
        let terrains = terrains.filter_map(wayfarer::base::Terrain::new);
        Self {
            radius: profile.radius.to_cells(),
            height: profile.height,
            climb: profile.max_step,
            drop: profile.max_drop,
            keys: profile.keys,
            terrains: terrains.map(|terrain| terrain.to_string()).collect(),
        }
    }
}

/// The name of an outcome, and what way there is.
pub(super) fn judge<P>(outcome: Outcome<P>) -> (&'static str, Option<P>) {
    match outcome {
        Outcome::Found(path) => ("found", Some(path)),
        Outcome::Partial { best, reason: why } => match why {
            PartialReason::GoalBlocked => ("goal blocked", Some(best)),
            PartialReason::GoalUnreachable => ("goal unreachable", Some(best)),
        },
        Outcome::OutOfBudget { best, .. } => ("out of budget", Some(best)),
        Outcome::Unreachable { proof, nearest } => {
            let proof = match proof {
                UnreachableProof::DifferentComponents => "different components",
                UnreachableProof::SearchExhausted => "search exhausted",
            };
            (proof, nearest)
        }
    }
}

impl Report {
    /// What was asked.
    pub(super) fn new(
        file: &std::path::Path,
        request: &GroundRequest,
        method: String,
        walks: &Profile,
    ) -> Self {
        Self {
            file: file.display().to_string(),
            from: triple(request.from),
            to: triple(request.to.representative_cell().unwrap_or(request.from)),
            method,
            profile: Some(Body::of(walks)),
            ..Self::default()
        }
    }

    /// Adds a way over cells; gives it to draw.
    pub(super) fn add_path(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
        path: &GroundPath,
    ) -> Drawn {
        let corners = waypoints_for(ground, request, path);
        self.end = path.end().map(triple);
        self.length = Some(path.length().to_cells());
        self.cost = Some(path.cost.to_cells());
        self.cost_units = Some(path.cost.units());
        self.at_least_units = Some(path.cost_lower_bound.units());
        self.proven_bound = path
            .suboptimality_bound()
            .map(|millionths| millionths as f64 / 1e6);
        self.steps = Some(path.cells.len().saturating_sub(1));
        self.revision = Some(path.revision.0);
        self.path = path.cells.iter().copied().map(triple).collect();
        let leg = |leg: &wayfarer::search::ground::Leg| LegReport {
            begin: leg.begin,
            end: leg.end,
            cost_units: leg.cost.units(),
            by: match leg.kind {
                LegKind::Walk(_) => "walk",
                LegKind::NavLink(NavLinkId { kind, .. }) => kind.name(),
            },
        };
        self.legs = path.legs.iter().map(leg).collect();
        self.smooth(&corners);
        Drawn {
            cells: path.cells.clone(),
            corners,
        }
    }

    /// Adds a way in any direction; gives it to draw.
    pub(super) fn add_free(&mut self, path: &AnyAnglePath) -> Drawn {
        self.end = path.waypoints.last().copied().map(triple);
        self.length = Some(polyline_length(&path.waypoints));
        self.cost = Some(path.cost.to_cells());
        self.cost_units = Some(path.cost.units());
        self.revision = Some(path.revision.0);
        self.smooth(&path.waypoints);
        Drawn {
            cells: Vec::new(),
            corners: path.waypoints.clone(),
        }
    }

    fn smooth(&mut self, corners: &[Cell]) {
        self.smoothed = corners.iter().copied().map(triple).collect();
        self.smoothed_length = Some(polyline_length(corners));
    }

    /// Adds why there is no way; all of it if that was asked for.
    pub(super) fn add_explain(&mut self, why: &Explanation, whole: bool) {
        self.unblock_option = why.cheapest_blocked.map(|step| Blocked {
            from: triple_of(step.from),
            cell: triple_of(step.to),
            length: step.cost.to_cells(),
            reason: step.reason,
        });
        self.explain = whole.then(|| Explained {
            frontier: why.frontier.iter().copied().map(triple_of).collect(),
            unblock_options: why
                .unblock_options
                .iter()
                .map(|unblock_option| Thing {
                    at: triple_of(unblock_option.at),
                    what: unblock_option.what,
                })
                .collect(),
        });
    }

    /// Says all of it in lines.
    pub(super) fn speak(&self, out: &mut Output) {
        let at = |[x, y, z]: [i32; 3]| place(Cell::new(x, y, z));
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
            out.line(format!("cost      {cost:.3} cells of plain ground"));
        }
        if let Some(bound) = self.proven_bound.filter(|bound| self.found && *bound > 1.0) {
            out.line(format!("bound     at most {bound:.6} times the cheapest"));
        }
        let nav_links = self.legs.iter().filter(|leg| leg.by != "walk");
        let nav_links: Vec<&str> = nav_links.map(|leg| leg.by).collect();
        if !nav_links.is_empty() {
            out.line(format!("through   {}", nav_links.join(", ")));
        }
        if let (Some(smoothed), Some(_)) = (self.smoothed_length, self.steps) {
            let n_corners = self.smoothed.len();
            out.line(format!(
                "smoothed  {smoothed:.3} cells over {n_corners} waypoints"
            ));
        }
        if let Some(step) = &self.unblock_option {
            let (from, to) = (at(step.from), at(step.cell));
            out.line(format!(
                "opener    from {from} to {to}: {}; if it were open, a way of {:.3} cells",
                step.reason, step.length
            ));
        }
        if let Some(why) = &self.explain {
            for thing in &why.unblock_options {
                out.line(format!("opener    {} at {}", thing.what, at(thing.at)));
            }
            let frontier: Vec<String> = why.frontier.iter().map(|cell| at(*cell)).collect();
            if !frontier.is_empty() {
                out.line(format!("frontier  {}", frontier.join(" ")));
            }
        }
        let expanded = words::count(self.expansions);
        out.line(format!("expanded  {expanded} cells by {}", self.method));
    }
}

/// A way to draw: its cells, and its corners when it is pulled straight.
pub(super) struct Drawn {
    pub(super) cells: Vec<Cell>,
    pub(super) corners: Vec<Cell>,
}

/// The middle of a cell.
pub(super) fn middle(cell: Cell) -> Option<Point3> {
    let Point2 { x, y } = Point2::center_of(cell.column())?;
    let z = Fixed::from_cell(cell.z)?;
    Some(Point3 { x, y, z })
}
