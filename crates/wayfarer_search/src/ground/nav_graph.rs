//! The implicit graph that one agent profile walks on.

use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Direction, NavLink, Profile, Rect, RequestError, SectorId,
};
use wayfarer_world::ground::{
    ComponentId, Ground, NodeId, ProfileGround, ProfileId, RegionId, SuccessorBuffer, Successors,
};

/// The ground for one profile: `From<&Ground>` takes the default profile, `From<ProfileGround>` a
/// registered one.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Fixed, Profile, Raster};
/// use wayfarer_search::ground::ReachabilitySearcher;
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::from_raster(&Raster::from_bytes(5, 3, vec![0; 15]).unwrap());
/// let ogre = Profile { radius: Fixed::from_raw(256), ..Profile::DEFAULT };
/// let ogre = ground.register_profile(ogre).unwrap();
/// let (from, mut searcher) = (Cell::flat(2, 1), ReachabilitySearcher::default());
/// let n_default = searcher.within_cost(&ground, from, Cost::MAX, Budget::UNLIMITED)?.len();
/// let ogre = ground.profile_ground(ogre).unwrap();
/// let n_ogre = searcher.within_cost(ogre, from, Cost::MAX, Budget::UNLIMITED)?.len();
/// assert_eq!((n_default, n_ogre), (15, 3)); // the ogre keeps clear of the border
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NavGraph<'g>(ProfileGround<'g>);

impl<'g> From<&'g Ground> for NavGraph<'g> {
    fn from(ground: &'g Ground) -> Self {
        Self(ground.into())
    }
}

impl<'g> From<ProfileGround<'g>> for NavGraph<'g> {
    fn from(profile_ground: ProfileGround<'g>) -> Self {
        Self(profile_ground)
    }
}

impl<'g> NavGraph<'g> {
    /// The graph of a registered profile, of the default profile for `None`.
    ///
    /// # Errors
    /// If the profile is not registered.
    pub fn new(ground: &'g Ground, profile_id: Option<ProfileId>) -> Result<Self, RequestError> {
        match profile_id {
            None => Ok(ground.into()),
            Some(id) => {
                let profile_ground = ground
                    .profile_ground(id)
                    .ok_or(RequestError::UnknownProfile)?;
                Ok(profile_ground.into())
            }
        }
    }

    /// The ground for the agent's profile.
    pub fn profile_ground(self) -> ProfileGround<'g> {
        self.0
    }

    /// The ground.
    pub fn ground(self) -> &'g Ground {
        self.0.ground()
    }

    /// The registered profile; `None` for the default profile.
    pub fn profile_id(self) -> Option<ProfileId> {
        self.0.id()
    }

    /// The agent's profile.
    pub fn profile(self) -> &'g Profile {
        self.0.profile()
    }

    /// The node of a cell; `None` if the agent cannot stand there.
    #[inline]
    pub fn node(self, cell: Cell) -> Option<NodeId> {
        self.0.node(cell)
    }

    /// The cell of a node.
    #[inline]
    pub fn cell(self, node: NodeId) -> Cell {
        self.0.cell(node)
    }

    /// The connected component of a node: no path joins two components. `None` if the agent cannot
    /// stand there.
    pub fn component(self, node: NodeId) -> Option<ComponentId> {
        self.0.component(node)
    }

    /// All successors of a node with the costs of their steps: the eight directions clockwise from
    /// north, then nav links in the order of their ids.
    #[inline]
    pub fn successors(self, node: NodeId, buffer: &mut SuccessorBuffer) -> Successors<'_> {
        self.0.successors(node, buffer)
    }

    /// The neighbor in one of the eight directions, if the agent can step there.
    #[inline]
    pub fn neighbor(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        self.0.neighbor(node, direction)
    }

    /// The cost multiplier of a node for the agent.
    #[inline]
    pub fn cost_multiplier(self, node: NodeId) -> CostMultiplier {
        self.0.cost_multiplier(node)
    }

    /// The cost of a step to a neighbor.
    pub(super) fn step_cost(self, from: NodeId, to: NodeId, direction: Direction) -> Cost {
        Cost::for_step(direction.is_diagonal())
            .scaled_by_mean(self.cost_multiplier(from), self.cost_multiplier(to))
    }

    /// The region of a walkable node.
    pub(super) fn region(self, node: NodeId) -> Option<RegionId> {
        self.0.region(node)
    }

    /// The heights of a column's floors, walkable or not, from the lowest up.
    pub(super) fn heights(self, column: Column) -> impl Iterator<Item = i32> {
        self.ground().floors(column).map(|(z, _)| z)
    }

    pub(super) fn nav_links_in(self, sector: SectorId) -> &'g [NavLink] {
        self.ground().nav_links_in(sector)
    }

    pub(super) fn shortcuts(self) -> &'g [NavLink] {
        self.0.shortcuts()
    }

    /// Calls `visit` with every walkable node in a rectangle of columns.
    pub(super) fn for_each_walkable_in(self, rect: Rect, visit: impl FnMut(NodeId)) {
        self.0.for_each_walkable_in(rect, visit);
    }

    /// The walkable node of a column whose floor is nearest to height `z`.
    pub(super) fn project_to_floor(self, column: Column, z: i32) -> Option<NodeId> {
        self.0.project_to_floor(column, z)
    }

    /// The distance in columns within which the ground decides whether the agent fits a cell.
    pub(super) fn clearance_columns(self) -> u32 {
        self.0.clearance_columns()
    }

    /// The floor of a column that has headroom for a point of the agent's body at height `z`.
    pub fn floor_at(self, column: Column, z: i32) -> Option<NodeId> {
        self.0.floor_at(column, z)
    }

    /// The floor beside `node` in one of the four straight directions that the agent's body can
    /// cover together with it, with no thin wall or ledge between.
    #[inline]
    pub fn joined_floor(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        self.0.joined_floor(node, direction)
    }

    /// Why a cell is not walkable for the agent.
    pub fn blocked_reason(self, cell: Cell) -> &'static str {
        self.0.blocked_reason(cell).unwrap_or("nothing")
    }
}

/// A rectangle of columns with `margin` more on every side, clamped to the range of columns.
pub(super) fn inflated(rect: Rect, margin: u32) -> Rect {
    Rect {
        low: Column::new(
            rect.low.x.saturating_sub_unsigned(margin),
            rect.low.y.saturating_sub_unsigned(margin),
        ),
        high: Column::new(
            rect.high.x.saturating_add_unsigned(margin),
            rect.high.y.saturating_add_unsigned(margin),
        ),
    }
}
