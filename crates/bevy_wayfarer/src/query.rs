//! [`NavQuery`]: queries in any system, with vectors of Bevy.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use wayfarer::{
    AgentTypeId, BodyError, BodyFilter, Explanation, Footprint, Goal, NoPath, Path, PathRequest,
    PathStatus, RequestError, Searcher,
};

use crate::world::{InNavWorld, NavWorld};

/// Queries of [`NavWorld`]s in any system: paths, distances, sight, bodies. What has no method here is
/// answered by [`NavQuery::parts`], the world of the library and a searcher for it.
///
/// `of` is a world or an entity that belongs to one. The answers are those of this moment; an agent
/// with a [`NavTarget`](crate::NavTarget) needs none of them.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec3;
/// use bevy_wayfarer::{NavQuery, NavWorld};
///
/// fn how_far(mut nav: NavQuery, worlds: Query<Entity, With<NavWorld>>) {
///     for world in &worlds {
///         let length = nav.distance(world, Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0));
///         assert!(length.is_err()); // no floor there
///     }
/// }
/// # let mut app = bevy_app::App::new();
/// # app.world_mut().spawn(NavWorld::new(wayfarer::World::new(bevy_wayfarer::y_up(1.0)).unwrap()));
/// # app.add_systems(bevy_app::Update, how_far);
/// # app.update();
/// ```
#[derive(SystemParam)]
pub struct NavQuery<'w, 's> {
    worlds: Query<'w, 's, &'static NavWorld>,
    members: Query<'w, 's, &'static InNavWorld>,
    searcher: Local<'s, Searcher>,
}

/// Why a query has no answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavQueryError {
    /// The entity is no world and belongs to none.
    #[error("{of} is no world and belongs to none")]
    NoWorld {
        /// The entity.
        of: Entity,
    },
    /// There is no path.
    #[error(transparent)]
    NoPath(#[from] NoPath),
    /// A place or an agent type is invalid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A footprint or a filter is invalid.
    #[error(transparent)]
    Body(#[from] BodyError),
}

impl NavQuery<'_, '_> {
    /// The world of an entity.
    ///
    /// # Errors
    /// The entity is no world and belongs to none; so for every query.
    pub fn world(&self, of: Entity) -> Result<&NavWorld, NavQueryError> {
        let world = self.members.get(of).map_or(of, |member| member.0);
        let found = self.worlds.get(world);
        found.map_err(|_error| NavQueryError::NoWorld { of })
    }

    /// The world of the library and a searcher, for everything else that it answers.
    ///
    /// # Errors
    /// As [`NavQuery::world`].
    pub fn parts(
        &mut self,
        of: Entity,
    ) -> Result<(&wayfarer::World, &mut Searcher), NavQueryError> {
        let world = self.members.get(of).map_or(of, |member| member.0);
        let found = self.worlds.get(world);
        let found = found.map_err(|_error| NavQueryError::NoWorld { of })?;
        Ok((found.world(), &mut self.searcher))
    }

    /// A path of the default agent type, at once and without a budget.
    ///
    /// # Errors
    /// There is no path.
    pub fn find_path(
        &mut self,
        of: Entity,
        from: Vec3,
        to: impl Into<NavGoal>,
    ) -> Result<Path, NavQueryError> {
        self.answer(of, &PathRequest::new(from.into(), to.into().0))
    }

    /// A path by a request of the library, with all its options.
    ///
    /// # Errors
    /// There is no path.
    pub fn answer(&mut self, of: Entity, request: &PathRequest) -> Result<Path, NavQueryError> {
        let (world, searcher) = self.parts(of)?;
        Ok(world.find_path(searcher, request)?)
    }

    /// The cost of a path of the default agent type, as a length.
    ///
    /// # Errors
    /// There is no path.
    pub fn distance(
        &mut self,
        of: Entity,
        from: Vec3,
        to: impl Into<NavGoal>,
    ) -> Result<f64, NavQueryError> {
        let request = PathRequest::new(from.into(), to.into().0);
        let (world, searcher) = self.parts(of)?;
        Ok(world.distance(searcher, &request)?)
    }

    /// What blocks a request.
    ///
    /// # Errors
    /// The request is invalid.
    pub fn explain(
        &mut self,
        of: Entity,
        request: &PathRequest,
    ) -> Result<Explanation, NavQueryError> {
        let (world, searcher) = self.parts(of)?;
        Ok(world.explain(searcher, request)?)
    }

    /// Whether a path can still be walked.
    ///
    /// # Errors
    /// As [`NavQuery::world`].
    pub fn status(&self, of: Entity, path: &Path) -> Result<PathStatus, NavQueryError> {
        Ok(self.world(of)?.world().status(path))
    }

    /// Where an agent of a type stands at or below a position.
    ///
    /// # Errors
    /// As [`NavQuery::world`].
    pub fn project_to_floor(
        &self,
        of: Entity,
        agent_type: AgentTypeId,
        at: Vec3,
    ) -> Result<Option<Vec3>, NavQueryError> {
        let floor = self
            .world(of)?
            .world()
            .project_to_floor(agent_type, at.into());
        Ok(floor.map(Vec3::from))
    }

    /// A random place that an agent of a type reaches at a cost of at most `max_cost`, a length.
    ///
    /// # Errors
    /// The start is blocked or outside the world.
    pub fn random_reachable(
        &mut self,
        of: Entity,
        agent_type: AgentTypeId,
        (from, max_cost): (Vec3, f64),
        seed: u64,
    ) -> Result<Vec3, NavQueryError> {
        let (world, searcher) = self.parts(of)?;
        let place = world.random_reachable(searcher, agent_type, from.into(), max_cost, seed)?;
        Ok(place.into())
    }

    /// True if ground, air and bodies leave the line between two positions free.
    ///
    /// # Errors
    /// As [`NavQuery::world`].
    pub fn has_line_of_sight(&self, of: Entity, a: Vec3, b: Vec3) -> Result<bool, NavQueryError> {
        Ok(self
            .world(of)?
            .world()
            .has_line_of_sight(a.into(), b.into()))
    }

    /// The entities whose bodies overlap a footprint, in the order in which they were registered.
    ///
    /// # Errors
    /// The footprint or the filter is out of range.
    pub fn entities_in(
        &self,
        of: Entity,
        footprint: &Footprint,
        filter: BodyFilter,
    ) -> Result<Vec<Entity>, NavQueryError> {
        let world = self.world(of)?;
        let bodies = world.world().bodies_in(footprint, filter)?;
        Ok(bodies
            .into_iter()
            .filter_map(|body| world.entity_of(body))
            .collect())
    }

    /// The entities whose bodies are nearest to a position on the plane, nearest first.
    ///
    /// # Errors
    /// The position is outside the world, or the filter is out of range.
    pub fn nearest_entities(
        &self,
        of: Entity,
        at: Vec3,
        count: usize,
        filter: BodyFilter,
    ) -> Result<Vec<Entity>, NavQueryError> {
        let world = self.world(of)?;
        let bodies = world.world().nearest_bodies(at.into(), count, filter)?;
        Ok(bodies
            .into_iter()
            .filter_map(|body| world.entity_of(body))
            .collect())
    }
}

/// Where a path of a query may end: a position or a [`Goal`] of the library.
#[derive(Clone, PartialEq, Debug)]
pub struct NavGoal(pub Goal);

impl From<Vec3> for NavGoal {
    fn from(at: Vec3) -> Self {
        Self(Goal::Position(at.into()))
    }
}

impl From<Goal> for NavGoal {
    fn from(goal: Goal) -> Self {
        Self(goal)
    }
}
