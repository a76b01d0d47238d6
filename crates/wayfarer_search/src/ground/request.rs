//! What one asks: from where to where, how, at what expense, and what if it cannot be done.

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
    /// Who walks: a profile registered with the ground, or the world's own walker.
    pub profile_id: Option<ProfileId>,
    /// How to search.
    pub method: Method,
    /// The most it may cost to find.
    pub budget: Budget,
    /// What to do if one cannot stand on the goal or cannot get there.
    pub partial: PartialPolicy,
    /// Cells that the path may not enter; it may begin in them.
    pub avoid: Vec<Area>,
    /// What uniform ground costs in these areas; what that adds to 1 is added to the ground's
    /// cost multiplier, as effects do. Nav links cost what they cost.
    pub area_costs: Vec<(Area, CostMultiplier)>,
    /// A route to keep to unless a clearly shorter one is found.
    pub previous: Option<PreviousPath>,
}

impl GroundRequest {
    /// A request for a path, by the default method and without limit.
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
            previous: None,
        }
    }

    /// Becomes like `other`, in its own memory; lists that are not needed are kept in `spare`.
    pub(super) fn copy_from(&mut self, other: &Self, spare: &mut SpareCells) {
        match std::mem::replace(&mut self.to, GroundGoal::Cell(other.from)) {
            GroundGoal::AnyOf(cells) => spare.goals = cells,
            GroundGoal::Area(area) => spare.corners.take(area),
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
        self.avoid.drain(..).for_each(|area| corners.take(area));
        let weighted = self.area_costs.drain(..);
        weighted.for_each(|(area, _)| corners.take(area));
        let avoid = other.avoid.iter().map(|area| corners.copy(area));
        self.avoid.extend(avoid);
        let weighted = other.area_costs.iter();
        let weighted = weighted.map(|(area, multiplier)| (corners.copy(area), *multiplier));
        self.area_costs.extend(weighted);
        (self.from, self.profile_id, self.method) = (other.from, other.profile_id, other.method);
        (self.budget, self.partial) = (other.budget, other.partial);
    }

    /// True if cells are avoided or cost more than the ground says.
    pub(super) fn has_overlay(&self) -> bool {
        !self.avoid.is_empty() || !self.area_costs.is_empty()
    }
}

/// Lists of a request that wait for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct SpareCells {
    goals: Vec<Cell>,
    previous: Vec<Cell>,
    corners: SpareCorners,
}

/// Where a path may end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundGoal {
    /// In this cell.
    Cell(Cell),
    /// In whichever of these cells is the cheapest to get to.
    AnyOf(Vec<Cell>),
    /// In whichever cell of an area is the cheapest to get to.
    Area(Area),
    /// In whichever cell, of any height, whose middle is no farther than `radius` from the middle
    /// of the column of `of`.
    Within {
        /// Around which cell; one need not be able to stand there.
        of: Cell,
        /// How far away at most.
        radius: Fixed,
    },
    /// As `Within`, where the straight line to the middle of the column of `of` enters no other
    /// column without a floor: what has none is a wall to the eye, and heights do not count.
    LineOfSightTo {
        /// Of which cell; one need not be able to stand there, nor need there be a floor.
        of: Cell,
        /// How far away at most.
        radius: Fixed,
    },
}

impl GroundGoal {
    /// The area it stands for, unless it is cells.
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

    /// The cell that must be seen from where the path ends, if one must.
    pub(super) fn sight_of(&self) -> Option<Cell> {
        match self {
            Self::LineOfSightTo { of, .. } => Some(*of),
            _ => None,
        }
    }

    /// The cell that stands for the goal in messages, and near which a way ends if the goal cannot
    /// be reached: the cell itself, the first of several, the middle of an area at the height
    /// nearest to 0. `None` for no cells at all.
    pub fn representative_cell(&self) -> Option<Cell> {
        match self {
            Self::Cell(cell)
            | Self::Within { of: cell, .. }
            | Self::LineOfSightTo { of: cell, .. } => Some(*cell),
            Self::AnyOf(cells) => cells.first().copied(),
            Self::Area(area) => {
                let z = 0_i32.clamp(area.heights.0, area.heights.1.max(area.heights.0));
                Some(area.middle().at(z))
            }
        }
    }

    /// A rectangle of columns that holds every place where the path may end.
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

/// How to search; every method but `Bounded` finds a cheapest path.
///
/// `Bounded`, `Optimal` and `Jps` are for one goal, the world's own walker and the ground's own
/// cost multipliers; any other request (several goals, an area, a view, cells to avoid, cost multipliers of its own)
/// they answer as `AStar` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// As `Optimal`, but sooner: the path costs at most [`HeuristicWeight::DEFAULT`] times what a cheapest
    /// one does, mostly far less, and says how much less: see
    /// [`GroundPath::proven_bound`](super::GroundPath::proven_bound).
    ///
    /// [`HeuristicWeight::DEFAULT`]: super::exact::Weight::DEFAULT
    #[default]
    Bounded,
    /// Towards the goal by leaps, over jump points that the searcher remembers from request to
    /// request; see [`exact`](super::exact). Where the ground is not plain, as `Jps`. A slice of
    /// a session does not limit the memory it takes; a request's budget does, and is answered as
    /// `Jps` does.
    Optimal,
    /// Towards the goal, by leaps where the ground is plain; see [`plain`](super::plain).
    Jps,
    /// Towards the goal, cell by cell, by the least that the rest can cost.
    AStar,
    /// In all directions alike, cell by cell.
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

/// What to do if one cannot stand on the goal, or cannot get there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PartialPolicy {
    /// Say so: a goal that cannot be stood on is refused, one that cannot be reached unreachable.
    #[default]
    Never,
    /// Go to the reachable cell from which the rest of the way would be the shortest if nothing
    /// stood in it: eight directions, as steep as the walker climbs. Of equals the nearest to
    /// the start by octile distance, then the first cell.
    NearestOctile,
    /// Go to the reachable cell nearest to the goal by the straight line on the map, then by
    /// height. Of equals the nearest to the start by octile distance, then the first cell.
    NearestEuclidean,
}

/// A route that one is on already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreviousPath {
    /// Its cells; the request's start must be one of them, or it is not looked at.
    pub cells: Vec<Cell>,
    /// How much costlier than the cheapest it may be, in thousandths.
    pub tolerance_per_mille: u16,
}
