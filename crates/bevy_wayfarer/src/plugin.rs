//! [`WayfarerPlugin`]: the systems of a tick and their order.

use bevy_app::prelude::*;
use bevy_asset::Assets;
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::components::Transform;

use crate::agent::{DesiredVelocity, NavAgent, NavPath, NavState, NavTarget};
use crate::body::{NavEntity, NavSensor};
use crate::build::NavMap;
use crate::changes::Removals;
use crate::cost_area::NavCostArea;
use crate::crowd::{self, NavCrowdAgent};
use crate::events::{
    AgentDisplaced, AgentStuck, LinkAhead, LinkReached, NavRejected, PathFailed, PathFound,
    PathInvalidated, PathRepaired, SensorEntered, SensorLeft, TargetReached, WorldChanged,
};
use crate::link::{NavDoor, NavLink};
use crate::save::{NavSavedIds, NavSnapshot};
use crate::settings::NavSettings;
use crate::solid::NavSolid;
use crate::world::{InNavWorld, NavMembers};
use crate::{apply, build, collect, output, plan, save};

/// Navigation for an app: [`NavWorld`](crate::NavWorld)s, their agents and everything that changes
/// them.
#[derive(Clone, Copy, Debug)]
pub struct WayfarerPlugin {
    /// The schedule of a tick; [`FixedPreUpdate`] by default, so that results do not depend on the
    /// frame rate and agents move in [`FixedUpdate`].
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl WayfarerPlugin {
    /// The plugin in another schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }

    /// Loads maps as assets if the app has an asset server by now.
    fn add_maps(&self, app: &mut App) {
        if app.world().contains_resource::<Assets<NavMap>>() || !build::add_maps(app) {
            return;
        }
        let build = build::build_worlds.before(collect::join_only_world);
        app.add_systems(self.schedule, build.in_set(NavSystems::CollectEdits));
    }
}

impl Default for WayfarerPlugin {
    fn default() -> Self {
        Self::new(FixedPreUpdate)
    }
}

/// The parts of a tick, in their order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NavSystems {
    /// Added, changed, moved and removed components become one batch of edits per world.
    CollectEdits,
    /// The batch is applied, bodies are moved, sensors are updated, agents join crowds.
    Apply,
    /// New targets become requests; paths are searched under the budget of [`NavSettings`].
    Plan,
    /// [`DesiredVelocity`] is written, and agents with a [`NavCrowdAgent`] are moved.
    Steer,
    /// Events are sent as messages and to observers.
    Output,
}

impl Plugin for WayfarerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<NavSettings>()
            .init_resource::<Removals>()
            .init_resource::<bevy_time::Time>();
        add_messages(app);
        register_types(app);
        let sets = (
            NavSystems::CollectEdits,
            NavSystems::Apply,
            NavSystems::Plan,
            NavSystems::Steer,
            NavSystems::Output,
        );
        app.configure_sets(self.schedule, sets.chain());
        let worlds = (build::finish_tasks, save::load_snapshots);
        let join = (collect::join_only_world, collect::rejoin_new_worlds);
        let collect = (worlds, join, collect::collect_edits).chain();
        let apply = (
            apply::apply_edits,
            apply::apply_bodies,
            apply::apply_sensors,
            crowd::tick::join_crowds,
        )
            .chain();
        let plan = (
            plan::request_paths,
            plan::advance_agents,
            plan::update_planners,
        )
            .chain();
        app.add_systems(
            self.schedule,
            (
                collect.in_set(NavSystems::CollectEdits),
                apply.in_set(NavSystems::Apply),
                plan.in_set(NavSystems::Plan),
                (plan::steer, crowd::tick::move_crowds)
                    .chain()
                    .in_set(NavSystems::Steer),
                output::send_events.in_set(NavSystems::Output),
            ),
        );
        #[cfg(feature = "mesh")]
        crate::mesh::add_meshes(app, self.schedule);
        self.add_maps(app);
    }

    fn finish(&self, app: &mut App) {
        self.add_maps(app);
    }
}

fn add_messages(app: &mut App) {
    app.add_message::<PathFound>()
        .add_message::<PathInvalidated>()
        .add_message::<PathRepaired>()
        .add_message::<PathFailed>()
        .add_message::<TargetReached>()
        .add_message::<AgentStuck>()
        .add_message::<AgentDisplaced>()
        .add_message::<LinkAhead>()
        .add_message::<LinkReached>()
        .add_message::<SensorEntered>()
        .add_message::<SensorLeft>()
        .add_message::<WorldChanged>()
        .add_message::<NavRejected>();
}

fn register_types(app: &mut App) {
    app.register_type::<NavAgent>()
        .register_type::<NavCrowdAgent>()
        .register_type::<NavTarget>()
        .register_type::<NavPath>()
        .register_type::<NavState>()
        .register_type::<DesiredVelocity>()
        .register_type::<NavSolid>()
        .register_type::<NavLink>()
        .register_type::<NavDoor>()
        .register_type::<NavCostArea>()
        .register_type::<NavEntity>()
        .register_type::<NavSensor>()
        .register_type::<InNavWorld>()
        .register_type::<NavMembers>()
        .register_type::<NavSavedIds>()
        .register_type::<NavSnapshot>()
        .register_type::<NavSettings>()
        // Where they are: a scene without translations would move all to 0.
        .register_type::<Transform>();
}
