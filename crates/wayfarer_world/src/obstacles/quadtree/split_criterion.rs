//! When a space of the field is good enough to walk through.

use wayfarer_base::Fixed;

/// When a space is good to walk through, and how far spaces are cut.
///
/// A space with few enough obstacles in it and small enough is free; one with too many, or too
/// large, is cut in four; the smallest with too many is blocked.
///
/// ```
/// use wayfarer_base::{Fixed, Point2};
/// use wayfarer_world::field::tree::{SplitCriterion, QuadState, ObstacleQuadtree};
/// use wayfarer_world::field::{Obstacle, ObstacleSet, DiscAgent, ObstacleCategories};
/// let mut field = ObstacleSet::square(160)?;
/// field.edit().insert(&Obstacle::cells(20, 20, 4, 4, ObstacleCategories::ALL)?)?;
/// let at = Point2::new(Fixed::from_cell(22).unwrap(), Fixed::from_cell(22).unwrap());
/// let mut tree = ObstacleQuadtree::default();
/// for (occupancy, state, side) in [(0, QuadState::Blocked, 1), (1, QuadState::Free, 8)] {
///     let criterion = SplitCriterion { occupancy, ..SplitCriterion::GUERRILLA_2013 };
///     tree.reset(&field, criterion, DiscAgent::POINT, ObstacleCategories::NONE);
///     let space = tree.at(&field, at).unwrap();
///     assert_eq!((tree.state(space), tree.side(space)), (state, side));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitCriterion {
    /// Side of the smallest space, at least 1/256 of a cell. Sides are this times powers of two.
    pub smallest: Fixed,
    /// Side of the largest space that one walks through.
    pub largest: Fixed,
    /// How many obstacles that block may be in a space that counts as free; 0 for paths that touch
    /// nothing. With more, spaces are cut only until so few are in each: for counting who is where,
    /// and for paths that may lead through up to so many obstacles in every space they cross, as for
    /// an agent who pushes through a thin crowd but not through a dense one.
    pub occupancy: u32,
    /// True if one may step from space to space over a corner, where both beside it are free.
    pub diagonal: bool,
}

impl SplitCriterion {
    /// 10 to 100 cells, nothing in them: figure 9 of the paper that the tree is from. Steps over
    /// corners cost time and gain nothing where paths are pulled string-pulled.
    pub const GUERRILLA_2013: Self = Self {
        smallest: Fixed::from_raw(10 * Fixed::PARTS),
        largest: Fixed::from_raw(100 * Fixed::PARTS),
        occupancy: 0,
        diagonal: false,
    };
}

impl Default for SplitCriterion {
    fn default() -> Self {
        Self::GUERRILLA_2013
    }
}
