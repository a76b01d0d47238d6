//! The split criterion of the obstacle quadtree.

use wayfarer_base::Fixed;

/// When a quad is passable, and how far quads are split.
///
/// A quad with few enough obstacles and small enough is free; one with too many, or too large, is
/// split into four; a smallest quad with too many is blocked.
///
/// ```
/// use wayfarer_base::{Fixed, Point2};
/// use wayfarer_world::obstacles::quadtree::{SplitCriterion, QuadState, ObstacleQuadtree};
/// use wayfarer_world::obstacles::{Obstacle, ObstacleSet, DiscAgent, ObstacleCategories};
/// let mut obstacles = ObstacleSet::square(160)?;
/// obstacles.edit().insert(&Obstacle::cells(20, 20, 4, 4, ObstacleCategories::ALL)?)?;
/// let at = Point2::new(Fixed::from_cell(22).unwrap(), Fixed::from_cell(22).unwrap());
/// let mut tree = ObstacleQuadtree::default();
/// for (occupancy, state, side) in [(0, QuadState::Blocked, 1), (1, QuadState::Free, 8)] {
///     let criterion = SplitCriterion { occupancy, ..SplitCriterion::GUERRILLA_2013 };
///     tree.reset(&obstacles, criterion, DiscAgent::POINT, ObstacleCategories::NONE);
///     let quad = tree.locate(&obstacles, at).unwrap();
///     assert_eq!((tree.state(quad), tree.side(quad)), (state, side));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitCriterion {
    /// Side of the smallest quad, at least 1/256 of a cell. Sides are this times powers of two.
    pub min_side: Fixed,
    /// Side of the largest free quad.
    pub max_side: Fixed,
    /// Maximum number of blocking obstacles in a free quad; 0 for collision-free paths. Larger
    /// values stop splitting earlier: for counting, and for paths that may pass up to so many
    /// obstacles per quad, as for an agent that pushes through a sparse crowd but not a dense one.
    pub occupancy: u32,
    /// True to allow steps across corners whose two side quads are free.
    pub diagonal: bool,
}

impl SplitCriterion {
    /// 10 to 100 cells, no obstacles: figure 9 of \[Guerrilla2013\]. Diagonal steps cost time and
    /// gain nothing on string-pulled paths.
    pub const GUERRILLA_2013: Self = Self {
        min_side: Fixed::from_raw(10 * Fixed::UNITS_PER_CELL),
        max_side: Fixed::from_raw(100 * Fixed::UNITS_PER_CELL),
        occupancy: 0,
        diagonal: false,
    };
}

impl Default for SplitCriterion {
    fn default() -> Self {
        Self::GUERRILLA_2013
    }
}
