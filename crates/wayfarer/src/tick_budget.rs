//! [`TickBudget`]: the work of one tick, shared by planner, flow fields and sensors.

use wayfarer_engine::base::Budget;

use crate::facade::World;
use crate::flow_field::FlowField;
use crate::planner::Planner;
use crate::sensor::SensorEvent;

/// Work of a cell of a flow field, in expansions: all its steps are followed, on ground of several
/// heights one by one. Level ground takes less.
const FLOW_CELL: u64 = 3;

/// The work of one tick, shared by planner, flow fields and sensors in the order in which they are
/// called, and a report of where it went.
///
/// Work is counted, not timed, so that equal games do equal work on every machine: an expansion of a
/// search counts 1, a cell of a path whose waypoints are pulled 1, or 4 where the ground has several heights
/// or thin walls, a cell of a flow field 3 on any ground, a line of sight 16, a sensor 4. What does not fit
/// goes on in the next tick: searches pause, flow fields stay unfinished, sensors take turns. A flow field takes
/// at most half of what is left, so that those after it and the sensors get their part. A call that
/// finds nothing left gets a quarter of what a tenth more would leave, so that none waits forever and no
/// tick exceeds its budget by more than that tenth.
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
/// assert!(report.planner > 0 && report.flow_fields == 27 && report.sensors == 0);
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
    /// Expansions and waypoints of searches.
    pub planner: u64,
    /// Cells of flow fields, in expansions.
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

    /// What is left of the tick, at least a quarter of what a tenth more would leave.
    pub fn left(&self) -> Budget {
        Budget::expansions(self.share(1))
    }

    /// One of `n_shares` of what is left.
    fn share(&self, n_shares: u64) -> u64 {
        let used = self.report.total();
        let left = self.work.saturating_sub(used) / n_shares;
        let spare = (self.work + self.work / 10).saturating_sub(used);
        left.max(spare / 4).max(1)
    }

    /// Where the work of this tick went so far.
    pub const fn report(&self) -> TickReport {
        self.report
    }

    /// [`Planner::update`] within what is left of the tick and the planner's own budget.
    pub fn update_planner(&mut self, planner: &mut Planner, world: &World) {
        planner.update_within(world, self.left());
        let stats = planner.stats();
        self.report.planner += stats.work;
        self.report.n_waiting += stats.n_waiting;
    }

    /// [`FlowField::advance`] within half of what is left of the tick; true once the field is complete.
    pub fn advance_flow_field(&mut self, flow: &mut FlowField, world: &World) -> bool {
        let n_before = flow.n_cells_built();
        let n_cells = (self.share(2) / FLOW_CELL).max(1);
        let is_complete = flow.advance(world, Budget::expansions(n_cells));
        self.report.flow_fields += flow.n_cells_built().wrapping_sub(n_before) * FLOW_CELL;
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

#[cfg(test)]
mod tests {
    use super::{FLOW_CELL, TickBudget};
    use crate::prelude::*;

    /// A court with a wall between two gates, the goal in the right half.
    const COURT: [&str; 7] = [
        "...........@...........",
        "...........@...........",
        "...........@...........",
        ".......................",
        "...........@...........",
        "...........@...........",
        ".......................",
    ];

    /// Each character of a drawing as a square of `size` cells.
    fn enlarged(rows: &[&str], size: usize) -> World {
        let row = |row: &&str| {
            let cells = row.chars().flat_map(|cell| std::iter::repeat_n(cell, size));
            let row: String = cells.chain(['\n']).collect();
            row.repeat(size)
        };
        let cells: String = rows.iter().map(row).collect();
        let (width, height) = (rows[0].len() * size, rows.len() * size);
        let map = format!("type octile\nheight {height}\nwidth {width}\nmap\n{cells}");
        World::import("court.map", map.as_bytes(), Scale::UNIT).unwrap()
    }

    #[test]
    fn no_tick_exceeds_its_budget_when_an_edit_invalidates_a_large_flow_field() {
        const BUDGET: u64 = 1_000;
        let at = |x: f64, y: f64| Position::new(x, y, 0.0);
        let mut world = enlarged(&COURT, 8);
        let extent = Extent::within(200.0);
        let goal = at(180.5, 28.5);
        let flow = world.flow_field(AgentTypeId::DEFAULT, goal, extent.clone());
        let mut flow = flow.unwrap();
        // The upper gate falls shut: the left half leads to the lower one.
        let gate = Solid::cuboid(at(88.0, 24.0), Position::new(96.0, 32.0, 3.0));
        world.add_solid(gate).unwrap();
        let mut unit = at(4.5, 28.5);
        let mut tick = TickBudget::new(BUDGET);
        let mut n_ticks = 0;
        let mut is_complete = false;
        while !is_complete {
            tick.begin();
            is_complete = tick.advance_flow_field(&mut flow, &world);
            let report = tick.report();
            assert!(report.total() <= BUDGET + BUDGET / 10, "{report:?}");
            n_ticks += 1;
            // The unit keeps walking in the open or waits, but does not enter the gate.
            if let Some(next) = flow.next(&world, unit) {
                assert!(world.project_to_floor(AgentTypeId::DEFAULT, next) == Some(next));
                unit = next;
            }
        }
        assert!(n_ticks > 10, "repaired in {n_ticks} ticks");
        let fresh = world.flow_field(AgentTypeId::DEFAULT, goal, extent);
        let fresh = fresh.unwrap();
        for y in 0..56 {
            for x in 0..184 {
                let place = at(f64::from(x) + 0.5, f64::from(y) + 0.5);
                assert_eq!(
                    flow.cost(&world, place),
                    fresh.cost(&world, place),
                    "{place}"
                );
            }
        }
        while let Some(next) = flow.next(&world, unit) {
            unit = next;
        }
        assert_eq!(unit, goal);
    }

    #[test]
    fn calls_that_find_nothing_left_stay_within_a_tenth_of_the_budget() {
        let world = enlarged(&COURT, 8);
        let goal = Position::new(180.5, 28.5, 0.0);
        let begun = || {
            let extent = Extent::within(200.0);
            world.begin_flow_field(AgentTypeId::DEFAULT, goal, extent)
        };
        let mut fields: Vec<FlowField> = (0..20).map(|_| begun().unwrap()).collect();
        let mut tick = TickBudget::new(640 * FLOW_CELL);
        for _ in 0..30 {
            tick.begin();
            for flow in &mut fields {
                let before = flow.n_cells_built();
                let is_complete = tick.advance_flow_field(flow, &world);
                assert!(is_complete || flow.n_cells_built() > before);
            }
            assert!(
                tick.report().total() <= 704 * FLOW_CELL,
                "{:?}",
                tick.report()
            );
        }
    }
}
