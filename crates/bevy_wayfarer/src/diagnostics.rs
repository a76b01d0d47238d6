//! [`NavDiagnosticsPlugin`]: times and counts of a tick.

use std::time::Instant;

use bevy_app::prelude::*;
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;

use crate::plugin::NavSystems;
use crate::world::NavWorld;

/// Measures the parts of a tick and counts agents, edits and expansions of all worlds together.
#[derive(Clone, Copy, Debug)]
pub struct NavDiagnosticsPlugin {
    /// The schedule of the [`WayfarerPlugin`](crate::WayfarerPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl NavDiagnosticsPlugin {
    /// Milliseconds of collecting and applying edits, bodies and sensors included.
    pub const EDIT_TIME: DiagnosticPath = DiagnosticPath::const_new("nav/edit_time");
    /// Milliseconds of planning and steering.
    pub const PLAN_TIME: DiagnosticPath = DiagnosticPath::const_new("nav/plan_time");
    /// Agents with a target.
    pub const AGENTS: DiagnosticPath = DiagnosticPath::const_new("nav/agents");
    /// Requests without an answer.
    pub const WAITING: DiagnosticPath = DiagnosticPath::const_new("nav/waiting");
    /// Expansions of searches.
    pub const EXPANSIONS: DiagnosticPath = DiagnosticPath::const_new("nav/expansions");
    /// Edits of the batch.
    pub const EDITS: DiagnosticPath = DiagnosticPath::const_new("nav/edits");
    /// Bodies in the registry.
    pub const BODIES: DiagnosticPath = DiagnosticPath::const_new("nav/bodies");
}

impl Default for NavDiagnosticsPlugin {
    fn default() -> Self {
        Self {
            schedule: FixedPreUpdate.intern(),
        }
    }
}

impl Plugin for NavDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        for path in [Self::EDIT_TIME, Self::PLAN_TIME] {
            app.register_diagnostic(Diagnostic::new(path).with_suffix("ms"));
        }
        for path in [
            Self::AGENTS,
            Self::WAITING,
            Self::EXPANSIONS,
            Self::EDITS,
            Self::BODIES,
        ] {
            app.register_diagnostic(Diagnostic::new(path));
        }
        app.init_resource::<Marks>();
        let plan = mark::<1>.after(NavSystems::Apply).before(NavSystems::Plan);
        app.add_systems(
            self.schedule,
            (
                mark::<0>.before(NavSystems::CollectEdits),
                plan,
                (mark::<2>, measure)
                    .chain()
                    .after(NavSystems::Steer)
                    .before(NavSystems::Output),
            ),
        );
    }
}

/// The times of the borders of a tick.
#[derive(Resource, Default)]
struct Marks([Option<Instant>; 3]);

#[expect(
    clippy::disallowed_methods,
    reason = "a measurement: no result depends on it"
)]
fn mark<const N: usize>(mut marks: ResMut<'_, Marks>) {
    marks.0[N] = Some(Instant::now());
}

fn measure(marks: Res<'_, Marks>, worlds: Query<'_, '_, &NavWorld>, mut to: Diagnostics<'_, '_>) {
    if let [Some(begin), Some(middle), Some(end)] = marks.0 {
        let milliseconds = |from: Instant, to: Instant| (to - from).as_secs_f64() * 1e3;
        to.add_measurement(&NavDiagnosticsPlugin::EDIT_TIME, || {
            milliseconds(begin, middle)
        });
        to.add_measurement(&NavDiagnosticsPlugin::PLAN_TIME, || {
            milliseconds(middle, end)
        });
    }
    let mut add = |path: &DiagnosticPath, count: fn(&NavWorld) -> u64| {
        let sum: u64 = worlds.iter().map(count).sum();
        #[expect(clippy::cast_precision_loss, reason = "a count to be looked at")]
        to.add_measurement(path, || sum as f64);
    };
    add(&NavDiagnosticsPlugin::AGENTS, |world| {
        world.registry.entities_of_requests.len() as u64
    });
    add(&NavDiagnosticsPlugin::WAITING, |world| {
        world.stats().n_waiting as u64
    });
    add(&NavDiagnosticsPlugin::EXPANSIONS, |world| {
        world.stats().expansions
    });
    add(&NavDiagnosticsPlugin::EDITS, |world| world.n_edits as u64);
    add(&NavDiagnosticsPlugin::BODIES, |world| {
        world.registry.entities_of_bodies.len() as u64
    });
}
