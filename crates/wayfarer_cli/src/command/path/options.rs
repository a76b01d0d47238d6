//! The options of `wayfarer path`, and the ground request they make.

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use wayfarer_engine::base::{Budget, Cell, CostMultiplier, Fixed, Profile, Terrain};
use wayfarer_engine::search::abstraction::RefinementParams;
use wayfarer_engine::search::ground::{
    Area, GroundGoal, GroundRequest, Method, NavGraph, PartialPolicy, PreviousPath,
};
use wayfarer_engine::world::ground::Ground;

use crate::aliases;
use crate::area;
use crate::failure::Failure;
use crate::location::{self, LocationArg};

/// The goal.
#[derive(Args)]
#[command(next_help_heading = "Goal")]
pub(super) struct EndpointOptions {
    /// Goal: x,y or x,y,z; of several the cheapest to reach
    #[arg(long, value_name = "CELL", value_parser = location::parse, allow_hyphen_values = true, required_unless_present = "to_area")]
    pub(super) to: Vec<LocationArg>,
    /// Goal: any cell of an area, x,y:x,y (corners) or x,y@RADIUS, with /LOW..HIGH for heights
    #[arg(long, value_name = "AREA", value_parser = area::parse, allow_hyphen_values = true, conflicts_with = "to")]
    to_area: Option<Area>,
    /// Goal: any cell within this distance of --to, which may itself be blocked
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells, requires = "to")]
    within: Option<Fixed>,
    /// Goal: any cell with line of sight to --to, within this distance
    #[arg(long, alias = "in-sight", value_name = "CELLS", value_parser = area::parse_cells, requires = "to", conflicts_with = "within")]
    line_of_sight: Option<Fixed>,
    /// The partial path to give if the goal is blocked or unreachable
    #[arg(long, alias = "if-no-way", value_enum, default_value_t = PartialArg::Never)]
    partial: PartialArg,
}

/// The partial path if there is no full one.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PartialArg {
    /// None
    #[value(alias = "refuse")]
    Never,
    /// To the reachable cell with the least octile distance to the goal
    #[value(alias = "by-path")]
    Octile,
    /// To the reachable cell with the least Euclidean distance to the goal
    #[value(alias = "by-air")]
    Euclidean,
}

/// The agent's profile.
#[derive(Args)]
#[command(next_help_heading = "Agent (else: the profile of the world's file)")]
pub(super) struct AgentOptions {
    /// Radius in cells, up to 8; up to 0.5 the agent fits through every gap
    #[arg(long, value_name = "CELLS", value_parser = area::parse_radius)]
    pub(super) radius: Option<Fixed>,
    /// Headroom required, in height steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(i32).range(1..))]
    headroom: Option<i32>,
    /// Highest step up, in height steps
    #[arg(long, alias = "climb", value_name = "STEPS", value_parser = clap::value_parser!(i32).range(0..=255))]
    max_step: Option<i32>,
    /// Deepest step down, in height steps
    #[arg(long, alias = "drop", value_name = "STEPS", value_parser = clap::value_parser!(i32).range(0..=255))]
    max_drop: Option<i32>,
    /// Keys the agent carries, as a bit mask
    #[arg(long, value_name = "BITS")]
    keys: Option<u32>,
    /// Terrains the agent may enter: names or numbers, as in ground,water,7
    #[arg(long, value_name = "TERRAINS", value_delimiter = ',', value_parser = area::parse_terrain)]
    terrains: Vec<Terrain>,
    /// Cost multiplier of a terrain, as in swamp=3; may be repeated
    #[arg(long, alias = "terrain-price", value_name = "TERRAIN=MULTIPLIER", value_parser = area::parse_terrain_cost)]
    terrain_cost: Vec<(Terrain, CostMultiplier)>,
}

impl EndpointOptions {
    /// True if an option was given that flights do not take.
    pub(super) fn is_for_ground(&self) -> bool {
        self.within.is_some() || self.line_of_sight.is_some() || self.partial != PartialArg::Never
    }
}

impl MethodOptions {
    /// True if an option was given that flights do not take.
    pub(super) fn is_for_ground(&self) -> bool {
        self.has_constraints() || self.baked.is_some() || self.method != Search::Bounded
    }

    /// True if the path is constrained beyond its endpoints and its budget of expansions.
    pub(super) fn has_constraints(&self) -> bool {
        let has_areas = !self.avoid.is_empty() || !self.area_cost.is_empty();
        has_areas || self.previous.is_some() || self.memory.is_some()
    }
}

impl AgentOptions {
    /// True if an option was given that flights do not take.
    pub(super) fn is_for_ground(&self) -> bool {
        let own = Profile::DEFAULT;
        let other = Self {
            radius: None,
            headroom: self.headroom,
            max_step: self.max_step,
            max_drop: self.max_drop,
            keys: self.keys,
            terrains: self.terrains.clone(),
            terrain_cost: self.terrain_cost.clone(),
        };
        other.profile(&own).is_some()
    }

    /// The profile with the options applied; `None` if that is `own`.
    pub(super) fn profile(&self, own: &Profile) -> Option<Profile> {
        let mut profile = own.clone();
        profile.radius = self.radius.unwrap_or(own.radius);
        profile.height = self.headroom.unwrap_or(own.height);
        profile.max_step = self.max_step.unwrap_or(own.max_step);
        profile.max_drop = self.max_drop.unwrap_or(own.max_drop);
        profile.keys = self.keys.unwrap_or(own.keys);
        if !self.terrains.is_empty() {
            profile.allowed_terrains = self.terrains.iter().fold(0, |bits, it| bits | it.bit());
        }
        for (terrain, multiplier) in &self.terrain_cost {
            profile.terrain_costs.retain(|(known, _)| known != terrain);
            profile.terrain_costs.push((*terrain, *multiplier));
        }
        profile
            .terrain_costs
            .sort_unstable_by_key(|(terrain, _)| *terrain);
        (profile != *own).then_some(profile)
    }
}

/// The search method and the constraints of the path.
#[derive(Args)]
#[command(next_help_heading = "Search")]
pub(super) struct MethodOptions {
    /// Search method, see below
    #[arg(long, value_name = "METHOD", default_value_t = Search::Bounded)]
    pub(super) method: Search,
    /// With refine over a flat map: the baked abstraction in FILE, written by `bake`
    #[arg(long, alias = "frozen", value_name = "FILE")]
    pub(super) baked: Option<std::path::PathBuf>,
    /// With --baked: turn on this variant of the map; may be repeated
    #[arg(long, value_name = "NAME", requires = "baked")]
    pub(super) variant: Vec<String>,
    /// Most expansions; the best path so far is the result if the budget runs out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) budget: Option<u64>,
    /// Most bytes of memory; the best path so far is the result if the budget runs out
    #[arg(long, value_name = "BYTES")]
    memory: Option<u64>,
    /// Avoid an area: x,y:x,y or x,y@RADIUS, with /LOW..HIGH for heights; may be repeated
    #[arg(long, value_name = "AREA", value_parser = area::parse, allow_hyphen_values = true)]
    pub(super) avoid: Vec<Area>,
    /// Cost multiplier of an area, as in 3,4:10,8=4; may be repeated
    #[arg(long, alias = "extra-price", value_name = "AREA=MULTIPLIER", value_parser = area::parse_area_cost, allow_hyphen_values = true)]
    pub(super) area_cost: Vec<(Area, CostMultiplier)>,
    /// Keep the path in FILE, written by --json, unless a clearly cheaper one exists
    #[arg(long, alias = "former", value_name = "FILE")]
    pub(super) previous: Option<std::path::PathBuf>,
    /// How much costlier than the new path the previous one may be, in percent
    #[arg(long, alias = "slack", value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=6553), requires = "previous")]
    tolerance: u16,
}

/// A search method by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    Bounded,
    Optimal,
    Jps,
    Astar,
    Dijkstra,
    AnyAngle,
    Hierarchical,
    Refine(RefinementParams),
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounded => f.write_str("bounded"),
            Self::Optimal => f.write_str("optimal"),
            Self::Jps => f.write_str("jps"),
            Self::Astar => f.write_str("astar"),
            Self::Dijkstra => f.write_str("dijkstra"),
            Self::AnyAngle => f.write_str("any-angle"),
            Self::Hierarchical => f.write_str("hierarchical"),
            Self::Refine(params) => write!(f, "refine:{params}"),
        }
    }
}

impl FromStr for Search {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match aliases::method(name).as_str() {
            "bounded" => Self::Bounded,
            "optimal" => Self::Optimal,
            "jps" => Self::Jps,
            "astar" => Self::Astar,
            "dijkstra" => Self::Dijkstra,
            "any-angle" => Self::AnyAngle,
            "hierarchical" => Self::Hierarchical,
            other => {
                let params = other.strip_prefix("refine:").ok_or(
                    "expected bounded, optimal, jps, astar, dijkstra, any-angle, hierarchical or \
                     refine:n,t,c,s, as in refine:1,10%,-,-",
                )?;
                let params = RefinementParams::from_str(params);
                Self::Refine(params.map_err(|error| error.to_string())?)
            }
        })
    }
}

/// The cell at a location of the command line; an error if several floors fit.
pub(super) fn cell_of(
    nav_graph: NavGraph<'_>,
    option: &str,
    location: LocationArg,
) -> Result<Cell, Failure> {
    if let Some(z) = location.z {
        return Ok(Cell::new(location.x, location.y, z));
    }
    let column = Cell::flat(location.x, location.y).column();
    let floors = || nav_graph.ground().floors(column).map(|(z, _)| z);
    let walkable: Vec<i32> = floors()
        .filter(|z| nav_graph.node(column.at(*z)).is_some())
        .collect();
    match walkable[..] {
        [only] => Ok(column.at(only)),
        // Blocked: the search reports the reason.
        [] => Ok(column.at(floors().next().unwrap_or(0))),
        [first, ..] => {
            let heights: Vec<String> = walkable.iter().map(i32::to_string).collect();
            Err(Failure::BadInput(format!(
                "{option} {location}: there are floors at heights {}: say which, as in {location},{first}",
                heights.join(", ")
            )))
        }
    }
}

/// The request of all options.
pub(super) fn request(
    nav_graph: NavGraph<'_>,
    from: LocationArg,
    (to, how): (&EndpointOptions, &MethodOptions),
    previous: Option<Vec<Cell>>,
) -> Result<GroundRequest, Failure> {
    let goals: Result<Vec<Cell>, Failure> = to
        .to
        .iter()
        .map(|location| cell_of(nav_graph, "--to", *location))
        .collect();
    let goals = goals?;
    let goal = match (&goals[..], to.within, to.line_of_sight, &to.to_area) {
        (_, _, _, Some(area)) => GroundGoal::Area(area.clone()),
        ([of], Some(radius), _, _) => GroundGoal::Within { of: *of, radius },
        ([of], _, Some(radius), _) => GroundGoal::LineOfSightTo { of: *of, radius },
        ([only], None, None, _) => GroundGoal::Cell(*only),
        (_, None, None, _) => GroundGoal::AnyOf(goals),
        _ => {
            let option = if to.within.is_some() {
                "--within"
            } else {
                "--line-of-sight"
            };
            return Err(Failure::BadInput(format!(
                "{option} is for one goal: give --to once"
            )));
        }
    };
    Ok(GroundRequest {
        profile_id: nav_graph.profile_id(),
        method: match how.method {
            Search::Bounded | Search::AnyAngle | Search::Hierarchical | Search::Refine(_) => {
                Method::Bounded
            }
            Search::Optimal => Method::Optimal,
            Search::Jps => Method::Jps,
            Search::Astar => Method::AStar,
            Search::Dijkstra => Method::Dijkstra,
        },
        budget: Budget {
            expansions: how.budget.unwrap_or(u64::MAX),
            memory_bytes: how.memory.unwrap_or(u64::MAX),
        },
        partial: match to.partial {
            PartialArg::Never => PartialPolicy::Never,
            PartialArg::Octile => PartialPolicy::NearestOctile,
            PartialArg::Euclidean => PartialPolicy::NearestEuclidean,
        },
        avoid: how.avoid.clone(),
        area_costs: how.area_cost.clone(),
        previous: previous.map(|cells| PreviousPath {
            cells,
            tolerance_per_mille: how.tolerance * 10,
        }),
        ..GroundRequest::new(cell_of(nav_graph, "--from", from)?, goal)
    })
}

/// The cells of the path in a file that `path --json` wrote, of schema 1 or 2: both have the key
/// `path`.
pub(super) fn read_previous(path: &std::path::Path) -> Result<Vec<Cell>, Failure> {
    let bytes = crate::load::bytes(path)?;
    let json: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::for_file(path, format!("not JSON: {error}")))?;
    let cells = json.get("path").and_then(|path| path.as_array());
    let number = |value: &serde_json::Value| i32::try_from(value.as_i64()?).ok();
    let cell = |value: &serde_json::Value| match value.as_array()?.as_slice() {
        [x, y, z] => Some(Cell::new(number(x)?, number(y)?, number(z)?)),
        _ => None,
    };
    let cells: Option<Vec<Cell>> = cells.and_then(|cells| cells.iter().map(cell).collect());
    cells.ok_or_else(|| {
        Failure::for_file(
            path,
            "no path in this file, expected \"path\": a list of [x, y, z]",
        )
    })
}

/// The goal; an error if the request has what any-angle search does not take.
pub(super) fn check_any_angle(request: &GroundRequest) -> Result<Cell, Failure> {
    only_goal(request).ok_or_else(|| {
        let reason = "--method any-angle takes one --to and neither --to-area, --within, \
                   --line-of-sight, --partial, --avoid, --area-cost nor --previous";
        Failure::BadInput(reason.to_owned())
    })
}

/// The goal; an error if the request has what hierarchical search does not take.
pub(super) fn check_hierarchical(request: &GroundRequest) -> Result<Cell, Failure> {
    let is_limited = request.budget != Budget::UNLIMITED;
    let goal = only_goal(request).filter(|_| request.profile_id.is_none() && !is_limited);
    goal.ok_or_else(|| {
        let reason = "--method hierarchical takes one --to, the world's own profile and neither \
                   --to-area, --within, --line-of-sight, --partial, --avoid, --area-cost, \
                   --previous, --budget nor --memory";
        Failure::BadInput(reason.to_owned())
    })
}

/// The goal, if it is one cell and the only constraint.
fn only_goal(request: &GroundRequest) -> Option<Cell> {
    let is_unconstrained = request.avoid.is_empty()
        && request.area_costs.is_empty()
        && request.previous.is_none()
        && request.partial == PartialPolicy::Never;
    match request.to {
        GroundGoal::Cell(to) if is_unconstrained => Some(to),
        _ => None,
    }
}

/// Registers `profile`, if any; the graph of its ground.
pub(super) fn nav_graph(
    ground: &mut Ground,
    profile: Option<Profile>,
) -> Result<NavGraph<'_>, Failure> {
    let bad = |error: &dyn fmt::Display| Failure::BadInput(error.to_string());
    let profile_id = match profile {
        None => None,
        Some(profile) => Some(
            ground
                .register_profile(profile)
                .map_err(|error| bad(&error))?,
        ),
    };
    NavGraph::new(ground, profile_id).map_err(|error| bad(&error))
}
