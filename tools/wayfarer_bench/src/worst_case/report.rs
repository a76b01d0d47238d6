//! Report of the worst-case benchmark.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::Spread;

use crate::report::pretty_json;

/// A made world; times in microseconds, each edit's median of 21.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorldRow {
    /// Its kind and the width of its corridors.
    pub world: String,
    /// Its side in cells.
    pub side: u32,
    /// Walkable cells.
    pub n_cells: usize,
    /// Single cells cleared or set.
    pub edit1_us: Option<Spread>,
    /// The same by each edit's best of 21.
    pub edit1_best_us: Option<Spread>,
    /// Strips of 99 cells cut or put back.
    pub strip_us: Option<Spread>,
    /// Single edits over 100 us.
    pub over_100_us: usize,
    /// Strips over 100 us.
    pub strips_over_100_us: usize,
    /// What was wrong.
    pub faults: Vec<String>,
}

/// A wall across an open field; times in microseconds, each edit's median of 21 walls.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WallRow {
    /// Side of the open ground in cells: as many edits in each direction.
    pub side: u32,
    /// Building it, cell by cell.
    pub cut_us: Option<Spread>,
    /// Taking it down, cell by cell.
    pub add_us: Option<Spread>,
    /// Edits over 100 us.
    pub over_100_us: usize,
    /// Parts that one wall broke off: 1.
    #[serde(rename = "parted")]
    pub split: usize,
    /// Parts that were joined again: 1.
    pub joined: usize,
    /// What was wrong.
    pub faults: Vec<String>,
}

/// Doors of a keep; times in microseconds, each door's median of 21.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DoorRow {
    /// The keep's side in cells.
    pub side: u32,
    /// Walkable cells, all floors.
    pub n_cells: usize,
    /// Doors that stand open.
    pub n_doors: usize,
    /// Those that part the world when closed, and say so.
    pub n_parting: usize,
    /// Closing one of those.
    pub close_us: Option<Spread>,
    /// Opening it again.
    pub open_us: Option<Spread>,
    /// Closing one of the others.
    pub close_other_us: Option<Spread>,
    /// Opening it again.
    pub open_other_us: Option<Spread>,
    /// What was wrong.
    pub faults: Vec<String>,
}

/// A whole measurement of nasty worlds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorstCaseReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// Single edits over 100 us, worlds and walls together.
    pub over_100_us: usize,
    /// The longest of them, in microseconds.
    pub max_us: f64,
    /// Answers that were wrong.
    pub wrong: usize,
    /// World by world.
    pub worlds: Vec<WorldRow>,
    /// Wall by wall.
    pub walls: Vec<WallRow>,
    /// The keep.
    pub doors: DoorRow,
}

impl WorstCaseReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-worst-case/1";

    /// The totals over worlds, walls and doors.
    pub fn new(
        command: String,
        machine: Machine,
        calibration: f64,
        (worlds, walls, doors): (Vec<WorldRow>, Vec<WallRow>, DoorRow),
    ) -> Self {
        let single = worlds.iter().map(|world| world.edit1_us);
        let wall = walls.iter().flat_map(|wall| [wall.cut_us, wall.add_us]);
        let longest = single.chain(wall).flatten().map(|spread| spread.max);
        let over = worlds.iter().map(|world| world.over_100_us);
        let mut report = Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            over_100_us: over.chain(walls.iter().map(|wall| wall.over_100_us)).sum(),
            max_us: longest.fold(0.0, f64::max),
            wrong: 0,
            worlds,
            walls,
            doors,
        };
        report.wrong = report.faults().count();
        report
    }

    /// What was wrong, and where.
    pub fn faults(&self) -> impl Iterator<Item = String> {
        let worlds = self.worlds.iter().flat_map(|world| {
            let name = &world.world;
            let faults = world.faults.iter();
            faults.map(move |fault| format!("{name}: {fault}"))
        });
        let walls = self.walls.iter().flat_map(|wall| {
            let side = wall.side;
            let faults = wall.faults.iter();
            faults.map(move |fault| format!("wall {side}: {fault}"))
        });
        let doors = self.doors.faults.iter();
        worlds
            .chain(walls)
            .chain(doors.map(|fault| format!("keep: {fault}")))
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}
