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
pub struct NavGraph<'g> {
    ground: &'g Ground,
    profile_ground: Option<ProfileGround<'g>>,
}

impl<'g> From<&'g Ground> for NavGraph<'g> {
    fn from(ground: &'g Ground) -> Self {
        Self {
            ground,
            profile_ground: None,
        }
    }
}

impl<'g> From<ProfileGround<'g>> for NavGraph<'g> {
    fn from(profile_ground: ProfileGround<'g>) -> Self {
        Self {
            ground: profile_ground.ground(),
            profile_ground: Some(profile_ground),
        }
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

    /// The ground.
    pub fn ground(self) -> &'g Ground {
        self.ground
    }

    /// The registered profile; `None` for the default profile.
    pub fn profile_id(self) -> Option<ProfileId> {
        self.profile_ground.map(ProfileGround::id)
    }

    /// The agent's profile.
    pub fn profile(self) -> &'g Profile {
        match self.profile_ground {
            None => self.ground.default_profile(),
            Some(profile_ground) => profile_ground.profile(),
        }
    }

    /// The node of a cell; `None` if the agent cannot stand there.
    #[inline]
    pub fn node(self, cell: Cell) -> Option<NodeId> {
        match self.profile_ground {
            None => self.ground.node(cell),
            Some(profile_ground) => profile_ground.node(cell),
        }
    }

    /// The cell of a node.
    #[inline]
    pub fn cell(self, node: NodeId) -> Cell {
        self.ground.cell(node)
    }

    /// The connected component of a node: no path joins two components. `None` if the agent cannot
    /// stand there.
    pub fn component(self, node: NodeId) -> Option<ComponentId> {
        match self.profile_ground {
            None => Some(self.ground.component(node)),
            Some(profile_ground) => profile_ground.component(node),
        }
    }

    /// All successors of a node with the costs of their steps: the eight directions clockwise from
    /// north, then nav links in the order of their ids.
    #[inline]
    pub fn successors(self, node: NodeId, buffer: &mut SuccessorBuffer) -> Successors<'_> {
        match self.profile_ground {
            None => self.ground.successors(node, buffer),
            Some(profile_ground) => profile_ground.successors(node, buffer),
        }
    }

    /// The neighbor in one of the eight directions, if the agent can step there.
    #[inline]
    pub fn neighbor(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        match self.profile_ground {
            None => self.ground.neighbor(node, direction),
            Some(profile_ground) => profile_ground.neighbor(node, direction),
        }
    }

    /// The cost multiplier of a node for the agent.
    #[inline]
    pub fn cost_multiplier(self, node: NodeId) -> CostMultiplier {
        match self.profile_ground {
            None => self.ground.cost_multiplier(node),
            Some(profile_ground) => profile_ground.cost_multiplier(node),
        }
    }

    /// The cost of a step to a neighbor.
    pub(super) fn step_cost(self, from: NodeId, to: NodeId, direction: Direction) -> Cost {
        Cost::for_step(direction.is_diagonal())
            .scaled_by_mean(self.cost_multiplier(from), self.cost_multiplier(to))
    }

    /// The region of a walkable node.
    pub(super) fn region(self, node: NodeId) -> Option<RegionId> {
        match self.profile_ground {
            None => Some(self.ground.region(node)),
            Some(profile_ground) => profile_ground.region(node),
        }
    }

    /// The heights of a column's floors, walkable or not, from the lowest up.
    pub(super) fn heights(self, column: Column) -> impl Iterator<Item = i32> {
        self.ground.floors(column).map(|(z, _)| z)
    }

    pub(super) fn nav_links_in(self, sector: SectorId) -> &'g [NavLink] {
        self.ground.nav_links_in(sector)
    }

    pub(super) fn shortcuts(self) -> &'g [NavLink] {
        self.ground.shortcuts()
    }

    /// Calls `visit` with every walkable node in a rectangle of columns.
    pub(super) fn for_each_walkable_in(self, rect: Rect, visit: impl FnMut(NodeId)) {
        match self.profile_ground {
            None => self.ground.for_each_walkable_in(rect, visit),
            Some(profile_ground) => profile_ground.for_each_walkable_in(rect, visit),
        }
    }

    /// The walkable node of a column whose floor is nearest to height `z`.
    pub(super) fn project_to_floor(self, column: Column, z: i32) -> Option<NodeId> {
        match self.profile_ground {
            None => self.ground.project_to_floor(column, z),
            Some(profile_ground) => profile_ground.project_to_floor(column, z),
        }
    }

    /// The distance in columns within which the ground decides whether the agent fits a cell.
    pub(super) fn clearance_columns(self) -> u32 {
        self.profile_ground
            .map_or(0, ProfileGround::clearance_columns)
    }

    /// The floor of a column that has headroom for a point of the agent's body at height `z`.
    pub(super) fn floor_at(self, column: Column, z: i32) -> Option<NodeId> {
        match self.profile_ground {
            None => self.ground.project_to_floor(column, z),
            Some(profile_ground) => profile_ground.floor_at(column, z),
        }
    }

    /// Why a cell is not walkable for the agent.
    pub fn blocked_reason(self, cell: Cell) -> &'static str {
        if let Some(profile_ground) = self.profile_ground {
            return profile_ground.blocked_reason(cell).unwrap_or("nothing");
        }
        match self.ground.terrain(cell) {
            None => "there is no floor",
            Some(terrain) if !self.profile().allows_terrain(terrain) => {
                "its terrain cannot be walked on"
            }
            Some(_) => "the next floor above leaves too little room",
        }
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
