//! What was asked for on the command line, as a request to the ground.

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use wayfarer::base::{Budget, Cell, CostMultiplier, Fixed, Profile, Terrain};
use wayfarer::search::abstraction::RefinementParams;
use wayfarer::search::ground::{
    Area, GroundGoal, GroundRequest, Method, NavGraph, PartialPolicy, PreviousPath,
};
use wayfarer::world::ground::Ground;

use crate::area;
use crate::failure::Failure;
use crate::location::{self, LocationArg};

/// Where the way may end.
#[derive(Args)]
#[command(next_help_heading = "Where to go")]
pub(super) struct EndpointOptions {
    /// Where to go: x,y or x,y,z; of several the one that is the cheapest to get to
    #[arg(long, value_name = "PLACE", value_parser = location::parse, allow_hyphen_values = true, required_unless_present = "to_area")]
    pub(super) to: Vec<LocationArg>,
    /// Go to any cell of an area: x,y:x,y (corners) or x,y@RADIUS, with /LOW..HIGH for heights
    #[arg(long, value_name = "AREA", value_parser = area::parse, allow_hyphen_values = true, conflicts_with = "to")]
    to_area: Option<Area>,
    /// Go to any cell within so many cells of --to, on which nobody need be able to stand
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells, requires = "to")]
    within: Option<Fixed>,
    /// Go to where --to is in sight, no more than so many cells away
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells, requires = "to", conflicts_with = "within")]
    in_sight: Option<Fixed>,
    /// If one cannot stand there or cannot get there
    #[arg(long, value_enum, default_value_t = PartialArg::Refuse)]
    partial: PartialArg,
}

/// What to do without a way.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PartialArg {
    /// Say so
    Refuse,
    /// Go to the reachable cell from which the rest would be the shortest if nothing stood there
    ByPath,
    /// Go to the reachable cell nearest in a straight line
    ByAir,
}

/// Who walks.
#[derive(Args)]
#[command(next_help_heading = "Who walks (else: the walker of the world's file)")]
pub(super) struct AgentOptions {
    /// Radius of the body in cells, up to 8; up to 0.5 it fits every way
    #[arg(long, value_name = "CELLS", value_parser = area::parse_radius)]
    pub(super) radius: Option<Fixed>,
    /// Headroom it needs, in height steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(i32).range(1..))]
    headroom: Option<i32>,
    /// Highest step up, in height steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(i32).range(0..=255))]
    climb: Option<i32>,
    /// Deepest step down, in height steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(i32).range(0..=255))]
    drop: Option<i32>,
    /// Keys it carries, as a number whose bits are keys
    #[arg(long, value_name = "BITS")]
    keys: Option<u32>,
    /// What it may walk on: names or numbers with commas between, as in ground,water,7
    #[arg(long, value_name = "TERRAINS", value_delimiter = ',', value_parser = area::parse_terrain)]
    terrains: Vec<Terrain>,
    /// What a terrain costs it, as in swamp=3; may be given again
    #[arg(long, value_name = "TERRAIN=PRICE", value_parser = area::parse_terrain_cost)]
    terrain_cost: Vec<(Terrain, CostMultiplier)>,
}

impl EndpointOptions {
    /// True if an option was given that flights do not know.
    pub(super) fn is_of_ground(&self) -> bool {
        self.within.is_some() || self.in_sight.is_some() || self.partial != PartialArg::Refuse
    }
}

impl MethodOptions {
    /// True if an option was given that flights do not know.
    pub(super) fn is_of_ground(&self) -> bool {
        self.has_wishes() || self.baked.is_some() || self.method != Search::Default
    }

    /// True if the way is to keep to something.
    pub(super) fn has_wishes(&self) -> bool {
        let keeps = self.previous.is_some() || self.memory.is_some();
        let lays = !self.avoid.is_empty() || !self.area_cost.is_empty();
        keeps || lays
    }
}

impl AgentOptions {
    /// True if an option was given that flights do not know.
    pub(super) fn is_of_ground(&self) -> bool {
        let own = Profile::DEFAULT;
        let other = Self {
            radius: None,
            headroom: self.headroom,
            climb: self.climb,
            drop: self.drop,
            keys: self.keys,
            terrains: self.terrains.clone(),
            terrain_cost: self.terrain_cost.clone(),
        };
        other.profile(&own).is_some()
    }

    /// The profile that walks, if it is another than `own`.
    pub(super) fn profile(&self, own: &Profile) -> Option<Profile> {
        let mut profile = own.clone();
        profile.radius = self.radius.unwrap_or(own.radius);
        profile.height = self.headroom.unwrap_or(own.height);
        profile.max_step = self.climb.unwrap_or(own.max_step);
        profile.max_drop = self.drop.unwrap_or(own.max_drop);
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

/// How the way is to be found, and what it is to keep to.
#[derive(Args)]
#[command(next_help_heading = "How to go")]
pub(super) struct MethodOptions {
    /// How to search: default (at most 1.10 times the cheapest, and says how near it is), exact (a
    /// cheapest path, from jump point to jump point), plain (the same without remembering
    /// them), astar (cell by cell), dijkstra (in all directions alike), any-angle (short, not
    /// always shortest), far (over blocks, then piece by piece, for paths of thousands of cells; not
    /// always shortest), mm:n,t,c,s, mm:smooth, mm:hpa or mm:pra (planned over regions, then
    /// refined; not always shortest)
    #[arg(long, value_name = "METHOD", default_value_t = Search::Default)]
    pub(super) method: Search,
    /// With mm over a flat map: plan over the baked map in FILE, which `bake` wrote
    #[arg(long, value_name = "FILE")]
    pub(super) baked: Option<std::path::PathBuf>,
    /// With --baked: the map is in this other state, which the baked map keeps as a variant; may
    /// be given again
    #[arg(long, value_name = "NAME", requires = "baked")]
    pub(super) variant: Vec<String>,
    /// Cells to expand at most; the best path so far is the answer if that is too few
    #[arg(long, value_name = "CELLS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) budget: Option<u64>,
    /// Bytes of memory to take at most; the best path so far is the answer if that is too few
    #[arg(long, value_name = "BYTES")]
    memory: Option<u64>,
    /// Do not enter an area: x,y:x,y or x,y@RADIUS, with /LOW..HIGH for heights; may be given again
    #[arg(long, value_name = "AREA", value_parser = area::parse, allow_hyphen_values = true)]
    pub(super) avoid: Vec<Area>,
    /// Let uniform ground of an area cost more, as in 3,4:10,8=4; may be given again
    #[arg(long, value_name = "AREA=PRICE", value_parser = area::parse_area_cost, allow_hyphen_values = true)]
    pub(super) area_cost: Vec<(Area, CostMultiplier)>,
    /// Keep to the way in FILE, which --json wrote, unless there is a clearly cheaper one
    #[arg(long, value_name = "FILE")]
    pub(super) previous: Option<std::path::PathBuf>,
    /// How much costlier the former way may be, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=6553), requires = "previous")]
    slack: u16,
}

/// The methods by their names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// As exact, but sooner, and within a bound
    Default,
    /// Towards the goal, from jump point to jump point
    Exact,
    /// Towards the goal, by leaps over uniform ground
    Plain,
    /// Towards the goal, cell by cell
    Astar,
    /// In all directions alike
    Dijkstra,
    /// Towards the goal, in any direction: short, not always shortest
    AnyAngle,
    /// Planned over blocks, found piece by piece: for far paths, not always shortest
    Far,
    /// Planned over regions and refined piece by piece: not always shortest
    Planned(RefinementParams),
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Exact => f.write_str("exact"),
            Self::Plain => f.write_str("plain"),
            Self::Astar => f.write_str("astar"),
            Self::Dijkstra => f.write_str("dijkstra"),
            Self::AnyAngle => f.write_str("any-angle"),
            Self::Far => f.write_str("far"),
            Self::Planned(refine) => write!(f, "mm:{refine}"),
        }
    }
}

impl FromStr for Search {
    type Err = String;

    fn from_str(words: &str) -> Result<Self, String> {
        Ok(match words {
            "default" => Self::Default,
            "exact" => Self::Exact,
            "plain" => Self::Plain,
            "astar" => Self::Astar,
            "dijkstra" => Self::Dijkstra,
            "any-angle" => Self::AnyAngle,
            "far" => Self::Far,
            _ => match words.strip_prefix("mm:") {
                Some(refine) => {
                    let refine = RefinementParams::from_str(refine);
                    Self::Planned(refine.map_err(|error| error.to_string())?)
                }
                None => {
                    return Err(
                        "expected default, exact, plain, astar, dijkstra, any-angle, far or \
                                mm:n,t,c,s, as in mm:1,10%,-,-"
                            .to_owned(),
                    );
                }
            },
        })
    }
}

/// The cell that a wish means to an agent; an error if it could be several.
pub(super) fn cell_of(
    nav_graph: NavGraph<'_>,
    option: &str,
    wish: LocationArg,
) -> Result<Cell, Failure> {
    if let Some(z) = wish.z {
        return Ok(Cell::new(wish.x, wish.y, z));
    }
    let column = Cell::flat(wish.x, wish.y).column();
    let floors = || nav_graph.ground().floors(column).map(|(z, _)| z);
    let standing: Vec<i32> = floors()
        .filter(|z| nav_graph.node(column.at(*z)).is_some())
        .collect();
    match standing[..] {
        [only] => Ok(column.at(only)),
        // Nobody can stand there; the answer says why.
        [] => Ok(column.at(floors().next().unwrap_or(0))),
        [first, ..] => {
            let heights: Vec<String> = standing.iter().map(i32::to_string).collect();
            Err(Failure::BadInput(format!(
                "{option} {wish}: there are floors at heights {}: say which, as in {wish},{first}",
                heights.join(", ")
            )))
        }
    }
}

/// The request that stands for all options.
pub(super) fn request(
    nav_graph: NavGraph<'_>,
    from: LocationArg,
    (to, how): (&EndpointOptions, &MethodOptions),
    previous: Option<Vec<Cell>>,
) -> Result<GroundRequest, Failure> {
    let goals: Result<Vec<Cell>, Failure> = to
        .to
        .iter()
        .map(|wish| cell_of(nav_graph, "--to", *wish))
        .collect();
    let goals = goals?;
    let goal = match (&goals[..], to.within, to.in_sight, &to.to_area) {
        (_, _, _, Some(area)) => GroundGoal::Area(area.clone()),
        ([of], Some(radius), _, _) => GroundGoal::Within { of: *of, radius },
        ([of], _, Some(radius), _) => GroundGoal::LineOfSightTo { of: *of, radius },
        ([only], None, None, _) => GroundGoal::Cell(*only),
        (_, None, None, _) => GroundGoal::AnyOf(goals),
        _ => {
            let option = if to.within.is_some() {
                "--within"
            } else {
                "--in-sight"
            };
            return Err(Failure::BadInput(format!(
                "{option} is of one place: give --to once"
            )));
        }
    };
    Ok(GroundRequest {
        profile_id: nav_graph.profile_id(),
        method: match how.method {
            Search::Default | Search::AnyAngle | Search::Far | Search::Planned(_) => {
                Method::Bounded
            }
            Search::Exact => Method::Optimal,
            Search::Plain => Method::Jps,
            Search::Astar => Method::AStar,
            Search::Dijkstra => Method::Dijkstra,
        },
        budget: Budget {
            expansions: how.budget.unwrap_or(u64::MAX),
            memory_bytes: how.memory.unwrap_or(u64::MAX),
        },
        partial: match to.partial {
            PartialArg::Refuse => PartialPolicy::Never,
            PartialArg::ByPath => PartialPolicy::NearestOctile,
            PartialArg::ByAir => PartialPolicy::NearestEuclidean,
        },
        avoid: how.avoid.clone(),
        area_costs: how.area_cost.clone(),
        previous: previous.map(|cells| PreviousPath {
            cells,
            tolerance_per_mille: how.slack * 10,
        }),
        ..GroundRequest::new(cell_of(nav_graph, "--from", from)?, goal)
    })
}

/// The cells of the way in a JSON file that `path --json` wrote.
pub(super) fn read_previous(path: &std::path::Path) -> Result<Vec<Cell>, Failure> {
    let bytes = crate::load::bytes(path)?;
    let json: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::of_file(path, format!("not JSON: {error}")))?;
    let cells = json.get("path").and_then(|path| path.as_array());
    let number = |value: &serde_json::Value| i32::try_from(value.as_i64()?).ok();
    let cell = |value: &serde_json::Value| match value.as_array()?.as_slice() {
        [x, y, z] => Some(Cell::new(number(x)?, number(y)?, number(z)?)),
        _ => None,
    };
    let cells: Option<Vec<Cell>> = cells.and_then(|cells| cells.iter().map(cell).collect());
    cells.ok_or_else(|| {
        Failure::of_file(
            path,
            "no way in this file, expected \"path\": a list of [x, y, z]",
        )
    })
}

/// Any-angle paths lead to one cell and know no wishes.
pub(super) fn check_any_angle(request: &GroundRequest) -> Result<Cell, Failure> {
    only_goal(request).ok_or_else(|| {
        let why = "--method any-angle leads to one --to and takes neither --to-area, --within, \
                   --in-sight, --if-no-way, --avoid, --extra-price nor --former";
        Failure::BadInput(why.to_owned())
    })
}

/// The goal, if the request asks for nothing that far paths do not know.
pub(super) fn check_far(request: &GroundRequest) -> Result<Cell, Failure> {
    let is_limited = request.budget != Budget::UNLIMITED;
    let goal = only_goal(request).filter(|_| request.profile_id.is_none() && !is_limited);
    goal.ok_or_else(|| {
        let why = "--method far leads to one --to for the world's own walker and takes neither \
                   --to-area, --within, --in-sight, --if-no-way, --avoid, --extra-price, \
                   --former, --budget nor --memory";
        Failure::BadInput(why.to_owned())
    })
}

/// The goal, if it is one cell and nothing else is wished for.
fn only_goal(request: &GroundRequest) -> Option<Cell> {
    let plain = request.avoid.is_empty()
        && request.area_costs.is_empty()
        && request.previous.is_none()
        && request.partial == PartialPolicy::Never;
    match request.to {
        GroundGoal::Cell(to) if plain => Some(to),
        _ => None,
    }
}

/// Registers `profile`, if there is one, and gives the ground as it finds it.
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
