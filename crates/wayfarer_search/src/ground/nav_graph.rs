//! The ground as one agent finds it: the world's own walker, or another profile with a view.

use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Direction, NavLink, Profile, Rect, RequestError, SectorId,
};
use wayfarer_world::ground::{
    ComponentId, Ground, NodeId, ProfileGround, ProfileId, RegionId, SuccessorBuffer, Successors,
};

/// The ground as one agent finds it; made from a ground (its own walker) or from a view of it.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Fixed, Profile, Raster};
/// use wayfarer_search::ground::ReachabilitySearcher;
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::from_raster(&Raster::from_bytes(5, 3, vec![0; 15]).unwrap());
/// let ogre = Profile { radius: Fixed::from_raw(256), ..Profile::DEFAULT };
/// let ogre = ground.register(ogre).unwrap();
/// let (from, mut searcher) = (Cell::flat(2, 1), ReachabilitySearcher::default());
/// let walker = searcher.within(&ground, from, Cost::MAX, Budget::UNLIMITED)?.len();
/// let view = ground.view(ogre).unwrap();
/// let ogre = searcher.within(view, from, Cost::MAX, Budget::UNLIMITED)?.len();
/// assert_eq!((walker, ogre), (15, 3)); // the ogre keeps away from the rim
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NavGraph<'g> {
    ground: &'g Ground,
    profile_id: Option<ProfileGround<'g>>,
}

impl<'g> From<&'g Ground> for NavGraph<'g> {
    fn from(ground: &'g Ground) -> Self {
        Self {
            ground,
            profile_id: None,
        }
    }
}

impl<'g> From<ProfileGround<'g>> for NavGraph<'g> {
    fn from(profile_ground: ProfileGround<'g>) -> Self {
        Self {
            ground: profile_ground.ground(),
            profile_id: Some(profile_ground),
        }
    }
}

impl<'g> NavGraph<'g> {
    /// The ground as the agent with this view finds it, the world's own walker without one.
    ///
    /// # Errors
    /// If the view was unregistered.
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

    /// The name of the view; `None` for the world's own walker.
    pub fn profile_id(self) -> Option<ProfileId> {
        self.profile_id.map(ProfileGround::id)
    }

    /// Who walks.
    pub fn profile(self) -> &'g Profile {
        match self.profile_id {
            None => self.ground.default_profile(),
            Some(profile_ground) => profile_ground.profile(),
        }
    }

    /// The number of a cell in which the agent can stand.
    #[inline]
    pub fn node(self, cell: Cell) -> Option<NodeId> {
        match self.profile_id {
            None => self.ground.node(cell),
            Some(profile_ground) => profile_ground.node(cell),
        }
    }

    /// The cell of a number.
    #[inline]
    pub fn cell(self, node: NodeId) -> Cell {
        self.ground.cell(node)
    }

    /// The component of a cell in which the agent can stand: no way leads from one to another.
    pub fn component(self, node: NodeId) -> Option<ComponentId> {
        match self.profile_id {
            None => Some(self.ground.component(node)),
            Some(profile_ground) => profile_ground.component(node),
        }
    }

    /// Every step of the agent from a cell: the eight directions clockwise from north, then
    /// nav links in the order of their names.
    #[inline]
    pub fn steps(self, node: NodeId, buffer: &mut SuccessorBuffer) -> Successors<'_> {
        match self.profile_id {
            None => self.ground.successors(node, buffer),
            Some(profile_ground) => profile_ground.steps(node, buffer),
        }
    }

    /// Where a step in one of the eight directions leads, if it can be taken.
    #[inline]
    pub fn walk(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        match self.profile_id {
            None => self.ground.neighbor(node, direction),
            Some(profile_ground) => profile_ground.walk(node, direction),
        }
    }

    /// What a cell costs the agent.
    #[inline]
    pub fn cost_multiplier(self, node: NodeId) -> CostMultiplier {
        match self.profile_id {
            None => self.ground.cost_multiplier(node),
            Some(profile_ground) => profile_ground.cost_multiplier(node),
        }
    }

    /// What a step between two neighboring cells costs.
    pub(super) fn step_cost(self, from: NodeId, to: NodeId, direction: Direction) -> Cost {
        Cost::for_step(direction.is_diagonal())
            .scaled_by_mean(self.cost_multiplier(from), self.cost_multiplier(to))
    }

    /// The region of a cell in which the agent can stand.
    pub(super) fn region(self, node: NodeId) -> Option<RegionId> {
        match self.profile_id {
            None => Some(self.ground.region(node)),
            Some(profile_ground) => profile_ground.region(node),
        }
    }

    /// The heights of a column's floors, whoever may stand there, from the lowest up.
    pub(super) fn heights(self, column: Column) -> impl Iterator<Item = i32> {
        self.ground.floors(column).map(|(z, _)| z)
    }

    pub(super) fn nav_links_in(self, sector: SectorId) -> &'g [NavLink] {
        self.ground.nav_links_in(sector)
    }

    pub(super) fn shortcuts(self) -> &'g [NavLink] {
        self.ground.shortcuts()
    }

    /// Calls `visit` with every cell of a rectangle of columns in which the agent can stand.
    pub(super) fn for_standing_in(self, rect: Rect, visit: impl FnMut(NodeId)) {
        match self.profile_id {
            None => self.ground.for_walkable_in(rect, visit),
            Some(profile_ground) => profile_ground.for_each_walkable_in(rect, visit),
        }
    }

    /// The cell of a column in which the agent can stand whose floor is nearest to height `z`.
    pub(super) fn project_to_floor(self, column: Column, z: i32) -> Option<NodeId> {
        match self.profile_id {
            None => self.ground.project_to_floor(column, z),
            Some(profile_ground) => profile_ground.project_to_floor(column, z),
        }
    }

    /// How many columns away from a cell the ground decides whether the agent fits there.
    pub(super) fn reach(self) -> u32 {
        self.profile_id.map_or(0, ProfileGround::clearance_columns)
    }

    /// The floor of a column that is open to a point of the agent at height `z`.
    pub(super) fn floor_over(self, column: Column, z: i32) -> Option<NodeId> {
        match self.profile_id {
            None => self.ground.project_to_floor(column, z),
            Some(profile_ground) => profile_ground.floor_at(column, z),
        }
    }

    /// What keeps the agent from standing in a cell.
    pub fn blocked_reason(self, cell: Cell) -> &'static str {
        if let Some(profile_ground) = self.profile_id {
            return profile_ground.obstacle(cell).unwrap_or("nothing");
        }
        match self.ground.terrain(cell) {
            None => "there is no floor",
            Some(terrain) if !self.profile().may_walk(terrain) => "its terrain cannot be walked on",
            Some(_) => "the next floor above leaves too little room",
        }
    }
}

/// A rectangle of columns with `clearance_columns` more on every side, as far as there are columns.
pub(super) fn grown(rect: Rect, reach: u32) -> Rect {
    Rect {
        low: Column::new(
            rect.low.x.saturating_sub_unsigned(reach),
            rect.low.y.saturating_sub_unsigned(reach),
        ),
        high: Column::new(
            rect.high.x.saturating_add_unsigned(reach),
            rect.high.y.saturating_add_unsigned(reach),
        ),
    }
}
