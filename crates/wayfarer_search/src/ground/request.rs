//! Requests for paths over the ground: ends, agent, method, budget, overlay, policies.

use wayfarer_base::{Budget, Cell, CostMultiplier, Fixed, Point2, Rect, Shape};

use wayfarer_world::ground::ProfileId;

use super::Area;
use super::area::SpareCorners;

/// A request for a path over the ground.
///
/// ```
/// use wayfarer_base::{Budget, Cell};
/// use wayfarer_search::ground::{PartialPolicy, GroundRequest};
/// let request = GroundRequest {
///     budget: Budget::expansions(2_000),
///     partial: PartialPolicy::NearestEuclidean,
///     ..GroundRequest::new(Cell::flat(0, 0), Cell::flat(7, 3))
/// };
/// assert!(request.avoid.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundRequest {
    /// Where the path begins.
    pub from: Cell,
    /// Where it may end.
    pub to: GroundGoal,
    /// The agent's profile as registered with the ground; `None` for the default profile.
    pub profile_id: Option<ProfileId>,
    /// The search method.
    pub method: Method,
    /// Limit of the whole search.
    pub budget: Budget,
    /// What to return if the goal is not walkable or unreachable.
    pub partial: PartialPolicy,
    /// Areas that the path may not enter; it may start in them.
    pub avoid: Vec<Area>,
    /// Cost multipliers of areas; the excess over 1 is added to the ground's multiplier, as a cost
    /// modifier does. Nav link costs stay as they are.
    pub area_costs: Vec<(Area, CostMultiplier)>,
    /// Cost multiplier of cells where an agent of another profile, usually a wider one, does not fit:
    /// a preference to keep off walls.
    pub keep_off: Option<(Option<ProfileId>, CostMultiplier)>,
    /// A path to keep unless a clearly cheaper one exists.
    pub previous: Option<PreviousPath>,
}

impl GroundRequest {
    /// A request with the default method and without limit.
    pub fn new(from: Cell, to: impl Into<GroundGoal>) -> Self {
        Self {
            from,
            to: to.into(),
            profile_id: None,
            method: Method::default(),
            budget: Budget::UNLIMITED,
            partial: PartialPolicy::default(),
            avoid: Vec::new(),
            area_costs: Vec::new(),
            keep_off: None,
            previous: None,
        }
    }

    /// Becomes equal to `other` in its own memory; `spare` holds the lists it does not need.
    pub(super) fn copy_from(&mut self, other: &Self, spare: &mut SpareCells) {
        match std::mem::replace(&mut self.to, GroundGoal::Cell(other.from)) {
            GroundGoal::AnyOf(cells) => spare.goals = cells,
            GroundGoal::Area(area) => spare.corners.put(area),
            GroundGoal::Cell(_) | GroundGoal::Within { .. } | GroundGoal::LineOfSightTo { .. } => {}
        }
        self.to = match &other.to {
            GroundGoal::AnyOf(cells) => {
                spare.goals.clone_from(cells);
                GroundGoal::AnyOf(std::mem::take(&mut spare.goals))
            }
            GroundGoal::Area(area) => GroundGoal::Area(spare.corners.copy(area)),
            other => other.clone(),
        };
        if let Some(previous) = self.previous.take() {
            spare.previous = previous.cells;
        }
        self.previous = other.previous.as_ref().map(|other| {
            spare.previous.clone_from(&other.cells);
            PreviousPath {
                cells: std::mem::take(&mut spare.previous),
                tolerance_per_mille: other.tolerance_per_mille,
            }
        });
        let corners = &mut spare.corners;
        self.avoid.drain(..).for_each(|area| corners.put(area));
        let weighted = self.area_costs.drain(..);
        weighted.for_each(|(area, _)| corners.put(area));
        let avoid = other.avoid.iter().map(|area| corners.copy(area));
        self.avoid.extend(avoid);
        let weighted = other.area_costs.iter();
        let weighted = weighted.map(|(area, multiplier)| (corners.copy(area), *multiplier));
        self.area_costs.extend(weighted);
        (self.from, self.profile_id, self.method) = (other.from, other.profile_id, other.method);
        (self.budget, self.partial) = (other.budget, other.partial);
        self.keep_off = other.keep_off;
    }

    /// True if the request has an overlay: areas to avoid, area costs or a preference to keep off walls.
    pub(super) fn has_overlay(&self) -> bool {
        !self.avoid.is_empty() || !self.area_costs.is_empty() || self.keep_off.is_some()
    }
}

/// Memory of lists that the current request does not need.
#[derive(Clone, Debug, Default)]
pub(super) struct SpareCells {
    goals: Vec<Cell>,
    previous: Vec<Cell>,
    corners: SpareCorners,
}

/// Where a path may end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundGoal {
    /// This cell.
    Cell(Cell),
    /// Whichever of these cells is cheapest to reach.
    AnyOf(Vec<Cell>),
    /// Whichever cell of an area is cheapest to reach.
    Area(Area),
    /// Whichever cell, at any height, whose center is no farther than `radius` from the center of
    /// the column of `of`.
    Within {
        /// The center; it need not be walkable.
        of: Cell,
        /// Largest distance, in cells.
        radius: Fixed,
    },
    /// As `Within`, where the line to the center of the column of `of` enters no other column
    /// without a floor: missing floors are opaque, heights do not count.
    LineOfSightTo {
        /// The target; it need not be walkable nor have a floor.
        of: Cell,
        /// Largest distance, in cells.
        radius: Fixed,
    },
}

impl GroundGoal {
    /// The area it denotes, unless it is cells.
    pub fn area(&self) -> Option<Area> {
        match self {
            Self::Cell(_) | Self::AnyOf(_) => None,
            Self::Area(area) => Some(area.clone()),
            Self::Within { of, radius } | Self::LineOfSightTo { of, radius } => {
                Some(Area::new(Shape::Circle {
                    center: Point2::center_of(of.column())?,
                    radius: *radius,
                }))
            }
        }
    }

    /// The cell that must be in line of sight from the end of the path, if any.
    pub(super) fn sight_of(&self) -> Option<Cell> {
        match self {
            Self::LineOfSightTo { of, .. } => Some(*of),
            _ => None,
        }
    }

    /// The cell that represents the goal in messages and anchors partial paths: the cell itself, the
    /// first of several, the center of an area at the height nearest to 0. `None` for an empty list
    /// of cells.
    pub fn representative_cell(&self) -> Option<Cell> {
        match self {
            Self::Cell(cell)
            | Self::Within { of: cell, .. }
            | Self::LineOfSightTo { of: cell, .. } => Some(*cell),
            Self::AnyOf(cells) => cells.first().copied(),
            Self::Area(area) => {
                let z = 0_i32.clamp(area.heights.0, area.heights.1.max(area.heights.0));
                Some(area.center().at(z))
            }
        }
    }

    /// A rectangle of columns that contains every cell where the path may end.
    pub(super) fn bounds(&self) -> Rect {
        match self {
            Self::Cell(cell) => Rect::around(cell.column(), cell.column()),
            Self::AnyOf(cells) => cells
                .iter()
                .fold(Rect::EMPTY, |rect, cell| rect.including(cell.column())),
            Self::Area(area) => area.shape.bounds(),
            Self::Within { .. } | Self::LineOfSightTo { .. } => {
                self.area().map_or(Rect::EMPTY, |area| area.shape.bounds())
            }
        }
    }
}

impl From<Cell> for GroundGoal {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

/// The search method; all but `Bounded` are optimal.
///
/// `Bounded`, `Optimal` and `Jps` require a single goal, the default profile and no overlay; other
/// requests (several goals, an area, a registered profile, areas to avoid, area costs) run as
/// `AStar`. Where cost multipliers differ, `Bounded` and `Optimal` search over block tables instead,
/// for every profile and up to eight goal cells, and both are optimal; the first requests there build
/// tables, unless [`PathSearcher::prepare_tables`](super::PathSearcher::prepare_tables) did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Weighted A\* over cached jump points \[Pohl1970\]: at most [`HeuristicWeight::BOUNDED`] times
    /// the optimal cost, mostly far less; [`GroundPath::suboptimality_bound`] reports what is
    /// proven.
    ///
    /// [`HeuristicWeight::BOUNDED`]: super::jps_cached::HeuristicWeight::BOUNDED
    /// [`GroundPath::suboptimality_bound`]: super::GroundPath::suboptimality_bound
    #[default]
    Bounded,
    /// A\* over jump points that the searcher caches from request to request; see
    /// [`jps_cached`](super::jps_cached). Irregular ground is searched as by `Jps`. The memory limit
    /// of a session's slice does not bound the cache; a request with a memory limit runs as `Jps`.
    Optimal,
    /// Jump point search without a cache; see [`jps`](super::jps).
    Jps,
    /// A\* cell by cell, over every ground and profile.
    AStar,
    /// Dijkstra cell by cell: no heuristic.
    Dijkstra,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 5] = [
        Self::Bounded,
        Self::Optimal,
        Self::Jps,
        Self::AStar,
        Self::Dijkstra,
    ];
}

/// What to return if the goal is not walkable or unreachable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PartialPolicy {
    /// An error if the goal is not walkable, `Unreachable` without a path if it is unreachable.
    #[default]
    Never,
    /// A path to the reachable cell with the lowest obstacle-free distance to the goal: octile, as
    /// steep as the profile's `max_step` and `max_drop` allow. Of equals the nearest to the start
    /// by octile distance, then the first cell.
    NearestOctile,
    /// A path to the reachable cell nearest to the goal by Euclidean distance on the map, then by
    /// height. Of equals the nearest to the start by octile distance, then the first cell.
    NearestEuclidean,
}

/// The path that the agent follows already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreviousPath {
    /// Its cells; it is ignored unless the request's start is one of them.
    pub cells: Vec<Cell>,
    /// How much costlier than the optimum it may be, in thousandths.
    pub tolerance_per_mille: u16,
}
