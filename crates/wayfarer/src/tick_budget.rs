//! [`TickBudget`]: the work of one tick, shared by planner, flow fields and sensors.

use wayfarer_engine::base::Budget;

use crate::facade::World;
use crate::flow_field::FlowField;
use crate::planner::Planner;
use crate::sensor::SensorEvent;

/// The work of one tick, shared by planner, flow fields and sensors in the order in which they are
/// called, and a report of where it went.
///
/// Work is counted, not timed, so that equal games do equal work on every machine: an expansion of a
/// search and a cell of a flow field count 1, a line of sight 16, a sensor 4. What does not fit goes on
/// in the next tick: searches pause, flow fields stay unfinished, sensors take turns. A call that finds
/// nothing left still gets a sixteenth of the budget, so that none waits forever.
///
/// ```
/// use wayfarer::prelude::*;
/// use wayfarer::TickBudget;
///
/// let map = b"type octile\nheight 1\nwidth 9\nmap\n.........\n";
/// let mut world = World::import("lane.map", map, Scale::UNIT)?;
/// let (from, to) = (Position::new(0.5, 0.5, 0.0), Position::new(8.5, 0.5, 0.0));
/// let mut planner = Planner::new(PlannerOptions::default());
/// planner.request(PathRequest::new(from, to));
/// let mut flow = world.begin_flow_field(AgentTypeId::DEFAULT, to, Extent::within(20.0))?;
/// let mut tick = TickBudget::new(1_000);
/// tick.begin(); // every tick
/// tick.update_planner(&mut planner, &world);
/// tick.advance_flow_field(&mut flow, &world);
/// let events = tick.update_sensors(&mut world);
/// let report = tick.report();
/// assert!(report.planner > 0 && report.flow_fields == 9 && report.sensors == 0);
/// assert!(flow.is_complete() && events.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TickBudget {
    /// The work of a tick.
    work: u64,
    report: TickReport,
    /// The group of sensors that is next.
    next_group: usize,
}

/// Where the work of a tick went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct TickReport {
    /// Expansions of searches.
    pub planner: u64,
    /// Cells of flow fields.
    pub flow_fields: u64,
    /// Lines of sight, sensors and bodies tested, in expansions.
    pub sensors: u64,
    /// Requests that wait for the next tick.
    pub n_waiting: usize,
    /// Ticks that sensors lag behind at most, if each tick has as much left for them as this one; 0 if
    /// all were updated.
    pub sensor_lag: usize,
}

impl TickReport {
    /// All work.
    pub const fn total(&self) -> u64 {
        self.planner + self.flow_fields + self.sensors
    }
}

impl TickBudget {
    /// A budget of so many expansions per tick, at least 16. On one core of 2024 a million take
    /// about a tenth of a second.
    pub fn new(expansions: u64) -> Self {
        Self {
            work: expansions.max(16),
            report: TickReport::default(),
            next_group: 0,
        }
    }

    /// Begins a tick.
    pub fn begin(&mut self) {
        self.report = TickReport::default();
    }

    /// What is left of the tick, at least a sixteenth.
    pub fn left(&self) -> Budget {
        let left = self.work.saturating_sub(self.report.total());
        Budget::expansions(left.max(self.work / 16))
    }

    /// Where the work of this tick went so far.
    pub const fn report(&self) -> TickReport {
        self.report
    }

    /// [`Planner::update`] within what is left of the tick and the planner's own budget.
    pub fn update_planner(&mut self, planner: &mut Planner, world: &World) {
        planner.update_within(world, self.left());
        let stats = planner.stats();
        self.report.planner += stats.expansions;
        self.report.n_waiting += stats.n_waiting;
    }

    /// [`FlowField::advance`] within what is left of the tick; true once the field is complete.
    pub fn advance_flow_field(&mut self, flow: &mut FlowField, world: &World) -> bool {
        let n_before = flow.n_cells_built();
        let is_complete = flow.advance(world, self.left());
        self.report.flow_fields += flow.n_cells_built().wrapping_sub(n_before);
        is_complete
    }

    /// [`World::update_sensors`] within what is left of the tick: sensors take turns by groups of
    /// sixteen. Delays of a sensor count its own updates.
    pub fn update_sensors(&mut self, world: &mut World) -> Vec<SensorEvent> {
        let left = self.left().expansions;
        let (events, progress) = world.update_sensors_within(self.next_group, left);
        let (n_done, n_groups, work) = progress;
        self.report.sensors += work;
        if n_groups > 0 {
            self.next_group = (self.next_group + n_done) % n_groups;
            self.report.sensor_lag = n_groups.div_ceil(n_done.max(1)) - 1;
        }
        events
    }
}
