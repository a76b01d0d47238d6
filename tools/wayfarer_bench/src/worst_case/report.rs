//! Figures of the worst-case benchmark.

use serde::Serialize;
use wayfarer_measure::statistics::Spread;

use crate::report::{Figures, in_part};
use crate::table::SpreadTable;

/// A generated world; times in microseconds, each edit's median of 21.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    /// Wrong results.
    pub faults: Vec<String>,
}

/// A wall across an open world; times in microseconds, each edit's median of 21 walls.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct WallRow {
    /// Side of the open ground in cells: as many edits in each direction.
    pub side: u32,
    /// Building it, cell by cell.
    pub cut_us: Option<Spread>,
    /// Taking it down, cell by cell.
    pub add_us: Option<Spread>,
    /// Edits over 100 us.
    pub over_100_us: usize,
    /// Components that one wall splits off: 1.
    #[serde(rename = "parted")]
    pub split: usize,
    /// Components merged again: 1.
    pub joined: usize,
    /// Wrong results.
    pub faults: Vec<String>,
}

/// Doors of a building; times in microseconds, each door's median of 21.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DoorRow {
    /// Side of the building in cells.
    pub side: u32,
    /// Walkable cells, all floors.
    pub n_cells: usize,
    /// Doors that stand open.
    pub n_doors: usize,
    /// Those that split a component when closed.
    pub n_parting: usize,
    /// Closing one of those.
    pub close_us: Option<Spread>,
    /// Opening it again.
    pub open_us: Option<Spread>,
    /// Closing one of the others.
    pub close_other_us: Option<Spread>,
    /// Opening it again.
    pub open_other_us: Option<Spread>,
    /// Wrong results.
    pub faults: Vec<String>,
}

/// Edits of adversarial worlds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorstCaseFigures {
    /// Single edits over 100 us, worlds and walls together.
    pub over_100_us: usize,
    /// The longest of them, in microseconds.
    pub max_us: f64,
    /// Wrong results.
    pub wrong: usize,
    /// World by world.
    pub worlds: Vec<WorldRow>,
    /// Wall by wall.
    pub walls: Vec<WallRow>,
    /// The doors.
    pub doors: DoorRow,
}

impl WorstCaseFigures {
    /// The totals over worlds, walls and doors.
    pub fn new(worlds: Vec<WorldRow>, walls: Vec<WallRow>, doors: DoorRow) -> Self {
        let single = worlds.iter().map(|world| world.edit1_us);
        let wall = walls.iter().flat_map(|wall| [wall.cut_us, wall.add_us]);
        let longest = single.chain(wall).flatten().map(|spread| spread.max);
        let over = worlds.iter().map(|world| world.over_100_us);
        let mut figures = Self {
            over_100_us: over.chain(walls.iter().map(|wall| wall.over_100_us)).sum(),
            max_us: longest.fold(0.0, f64::max),
            wrong: 0,
            worlds,
            walls,
            doors,
        };
        figures.wrong = figures.faults().len();
        figures
    }
}

impl Figures for WorstCaseFigures {
    const SCHEMA: &'static str = "wayfarer/bench-worst-case/1";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn summary(&self) -> String {
        let (over, doors) = (self.over_100_us, &self.doors);
        let (n_parting, n_doors, n_cells) = (doors.n_parting, doors.n_doors, doors.n_cells);
        format!(
            "{over} single edits over 100 us; {n_parting} of {n_doors} doors split the building of {n_cells} cells"
        )
    }

    fn render(&self) -> String {
        let mut table = SpreadTable::new("microseconds", ["over 100 us"]);
        for world in &self.worlds {
            let name = format!("{}, {}", world.world, world.side);
            let over = [world.over_100_us, world.strips_over_100_us].map(|n| n.to_string());
            let [one, strip] = over;
            table.row(format!("{name}: one cell"), world.edit1_us, [one]);
            table.row(format!("{name}: strip of 99"), world.strip_us, [strip]);
        }
        for wall in &self.walls {
            let name = format!("wall across {}", wall.side);
            let over = wall.over_100_us.to_string();
            table.row(format!("{name}: built"), wall.cut_us, [over]);
            table.row(format!("{name}: removed"), wall.add_us, [String::new()]);
        }
        for (name, spread) in [
            ("door that splits a building: closed", self.doors.close_us),
            ("door that splits a building: opened", self.doors.open_us),
            ("other door: closed", self.doors.close_other_us),
            ("other door: opened", self.doors.open_other_us),
        ] {
            table.row(name, spread, [String::new()]);
        }
        table.render()
    }

    fn faults(&self) -> Vec<String> {
        let worlds = self.worlds.iter();
        let worlds = worlds.map(|row| in_part(&row.world, &row.faults));
        let walls = self.walls.iter();
        let walls = walls.map(|row| in_part(&format!("wall {}", row.side), &row.faults));
        let doors = in_part("doors", &self.doors.faults);
        worlds.chain(walls).chain([doors]).flatten().collect()
    }
}
