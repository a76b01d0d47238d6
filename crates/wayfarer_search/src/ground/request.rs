//! What one asks: from where to where, how, at what expense, and what if it cannot be done.

use wayfarer_base::{Budget, Cell, CostMultiplier, Fixed, Point2, Rect, Shape};

use wayfarer_world::ground::ProfileId;

use super::Area;
use super::area::SpareCorners;

/// A request for a path over the ground.
///
/// ```
/// use wayfarer_base::{Budget, Cell};
/// use wayfarer_search::ground::{IfNoWay, PathRequest};
/// let request = PathRequest {
///     budget: Budget::expansions(2_000),
///     if_no_way: IfNoWay::NearestByAir,
///     ..PathRequest::new(Cell::flat(0, 0), Cell::flat(7, 3))
/// };
/// assert!(request.avoid.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathRequest {
    /// Where the path begins.
    pub from: Cell,
    /// Where it may end.
    pub to: Goal,
    /// Who walks: a profile registered with the ground, or the world's own walker.
    pub view: Option<ProfileId>,
    /// How to search.
    pub method: Method,
    /// The most it may cost to find.
    pub budget: Budget,
    /// What to do if one cannot stand on the goal or cannot get there.
    pub if_no_way: IfNoWay,
    /// Cells that the path may not enter; it may begin in them.
    pub avoid: Vec<Area>,
    /// What plain ground costs in these areas; what that adds to 1 is added to the ground's
    /// price, as effects do. Passages cost what they cost.
    pub extra_prices: Vec<(Area, CostMultiplier)>,
    /// A route to keep to unless a clearly shorter one is found.
    pub former: Option<Former>,
}

impl PathRequest {
    /// A request for a path, by the default method and without limit.
    pub fn new(from: Cell, to: impl Into<Goal>) -> Self {
        Self {
            from,
            to: to.into(),
            view: None,
            method: Method::default(),
            budget: Budget::UNLIMITED,
            if_no_way: IfNoWay::default(),
            avoid: Vec::new(),
            extra_prices: Vec::new(),
            former: None,
        }
    }

    /// Becomes like `other`, in its own memory; lists that are not needed are kept in `spare`.
    pub(super) fn copy_from(&mut self, other: &Self, spare: &mut SpareCells) {
        match std::mem::replace(&mut self.to, Goal::Cell(other.from)) {
            Goal::AnyOf(cells) => spare.goals = cells,
            Goal::Area(area) => spare.corners.take(area),
            Goal::Cell(_) | Goal::Within { .. } | Goal::InSight { .. } => {}
        }
        self.to = match &other.to {
            Goal::AnyOf(cells) => {
                spare.goals.clone_from(cells);
                Goal::AnyOf(std::mem::take(&mut spare.goals))
            }
            Goal::Area(area) => Goal::Area(spare.corners.copy(area)),
            other => other.clone(),
        };
        if let Some(former) = self.former.take() {
            spare.former = former.cells;
        }
        self.former = other.former.as_ref().map(|other| {
            spare.former.clone_from(&other.cells);
            Former {
                cells: std::mem::take(&mut spare.former),
                slack_thousandths: other.slack_thousandths,
            }
        });
        let corners = &mut spare.corners;
        self.avoid.drain(..).for_each(|area| corners.take(area));
        let priced = self.extra_prices.drain(..);
        priced.for_each(|(area, _)| corners.take(area));
        let avoid = other.avoid.iter().map(|area| corners.copy(area));
        self.avoid.extend(avoid);
        let priced = other.extra_prices.iter();
        let priced = priced.map(|(area, price)| (corners.copy(area), *price));
        self.extra_prices.extend(priced);
        (self.from, self.view, self.method) = (other.from, other.view, other.method);
        (self.budget, self.if_no_way) = (other.budget, other.if_no_way);
    }

    /// True if cells are avoided or cost more than the ground says.
    pub(super) fn has_overlay(&self) -> bool {
        !self.avoid.is_empty() || !self.extra_prices.is_empty()
    }
}

/// Lists of a request that wait for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct SpareCells {
    goals: Vec<Cell>,
    former: Vec<Cell>,
    corners: SpareCorners,
}

/// Where a path may end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
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
    InSight {
        /// Of which cell; one need not be able to stand there, nor need there be a floor.
        of: Cell,
        /// How far away at most.
        radius: Fixed,
    },
}

impl Goal {
    /// The area it stands for, unless it is cells.
    pub fn area(&self) -> Option<Area> {
        match self {
            Self::Cell(_) | Self::AnyOf(_) => None,
            Self::Area(area) => Some(area.clone()),
            Self::Within { of, radius } | Self::InSight { of, radius } => {
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
            Self::InSight { of, .. } => Some(*of),
            _ => None,
        }
    }

    /// The cell that stands for the goal in messages, and near which a way ends if the goal cannot
    /// be reached: the cell itself, the first of several, the middle of an area at the height
    /// nearest to 0. `None` for no cells at all.
    pub fn place(&self) -> Option<Cell> {
        match self {
            Self::Cell(cell) | Self::Within { of: cell, .. } | Self::InSight { of: cell, .. } => {
                Some(*cell)
            }
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
            Self::Within { .. } | Self::InSight { .. } => {
                self.area().map_or(Rect::EMPTY, |area| area.shape.bounds())
            }
        }
    }
}

impl From<Cell> for Goal {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

/// How to search; every method but `Default` finds a cheapest path.
///
/// `Default`, `Exact` and `Plain` are for one goal, the world's own walker and the ground's own
/// prices; any other request (several goals, an area, a view, cells to avoid, prices of its own)
/// they answer as `AStar` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// As `Exact`, but sooner: the path costs at most [`Weight::DEFAULT`] times what a cheapest
    /// one does, mostly far less, and says how much less: see
    /// [`GroundPath::proven_bound`](super::GroundPath::proven_bound).
    ///
    /// [`Weight::DEFAULT`]: super::exact::Weight::DEFAULT
    #[default]
    Default,
    /// Towards the goal by leaps, over turning points that the searcher remembers from request to
    /// request; see [`exact`](super::exact). Where the ground is not plain, as `Plain`. A slice of
    /// a session does not limit the memory it takes; a request's budget does, and is answered as
    /// `Plain` does.
    Exact,
    /// Towards the goal, by leaps where the ground is plain; see [`plain`](super::plain).
    Plain,
    /// Towards the goal, cell by cell, by the least that the rest can cost.
    AStar,
    /// In all directions alike, cell by cell.
    Dijkstra,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 5] = [
        Self::Default,
        Self::Exact,
        Self::Plain,
        Self::AStar,
        Self::Dijkstra,
    ];
}

/// What to do if one cannot stand on the goal, or cannot get there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IfNoWay {
    /// Say so: a goal that cannot be stood on is refused, one that cannot be reached unreachable.
    #[default]
    Refuse,
    /// Go to the reachable cell from which the rest of the way would be the shortest if nothing
    /// stood in it: eight directions, as steep as the walker climbs. Of equals the nearest to
    /// the start by octile distance, then the first cell.
    NearestByPath,
    /// Go to the reachable cell nearest to the goal by the straight line on the map, then by
    /// height. Of equals the nearest to the start by octile distance, then the first cell.
    NearestByAir,
}

/// A route that one is on already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Former {
    /// Its cells; the request's start must be one of them, or it is not looked at.
    pub cells: Vec<Cell>,
    /// How much dearer than the cheapest it may be, in thousandths.
    pub slack_thousandths: u16,
}
