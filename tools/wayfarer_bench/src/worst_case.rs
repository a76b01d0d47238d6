//! `bench worst-case`: edits where repair is most expensive: mazes, spirals, a wall across open ground, doors.

use thiserror::Error;
use wayfarer::make::{Generator, MakeError, Recipe};
use wayfarer_measure::machine::{self, Machine};

use crate::calibration;
use crate::edit_times::EditTimer;
use crate::engine::EngineError;
use crate::memory;

mod doors;
mod report;
mod table;
mod wall;
mod worlds;

pub use report::{DoorRow, WallRow, WorldRow, WorstCaseReport};
pub use table::render;

/// No single edit should take longer, in microseconds.
pub const LIMIT_US: f64 = 100.0;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Side of the mazes, spirals and other made worlds, in cells.
    pub side: u32,
    /// Random single edits in each of them; each is also undone.
    pub n_edits: usize,
    /// Random strips in each of them.
    pub n_strips: usize,
    /// Sides of the open fields that a wall is built across, in cells.
    pub walls: Vec<u32>,
    /// Side of the keep, in cells.
    pub keep: u32,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            side: 512,
            n_edits: 1500,
            n_strips: 100,
            walls: vec![512, 4096],
            keep: 96,
            pin: true,
        }
    }
}

impl Arguments {
    /// The command that measures the same.
    pub fn command(&self) -> String {
        let walls: Vec<String> = self.walls.iter().map(u32::to_string).collect();
        format!(
            "bench worst-case --walls {} --side {} --edits {} --keep {}",
            walls.join(","),
            self.side,
            self.n_edits,
            self.keep
        )
    }

    /// The made worlds, with the width of their corridors.
    fn recipes(&self) -> Vec<Recipe> {
        let kinds = [
            (Generator::Maze, 1),
            (Generator::Maze, 2),
            (Generator::Maze, 8),
            (Generator::Spiral, 1),
            (Generator::Comb, 1),
            (Generator::Snake, 1),
            (Generator::Checkerboard, 1),
            (Generator::Random, 1),
        ];
        let recipe = |(kind, corridor)| Recipe {
            corridor,
            ..Recipe::new(kind, self.side, self.side, 1)
        };
        kinds.map(recipe).to_vec()
    }
}

/// Why nothing was measured.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum WorstCaseError {
    /// A world of such a size cannot be made.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// An open field of such a size cannot be made.
    #[error("an open field of {side} by {side} cells, expected a side of 16 to {most}")]
    Obstacles {
        /// What was asked for.
        side: u32,
        /// The longest side.
        most: u32,
    },
    /// The fixed world that calibrates was refused.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Measures, telling `progress` what comes next and how much there is in all.
///
/// # Errors
/// Sizes that cannot be made. A wrong answer is no error: it is counted in the report.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(&str, usize),
) -> Result<WorstCaseReport, WorstCaseError> {
    let recipes = arguments.recipes();
    let n_parts = recipes.len() + arguments.walls.len() + 1;
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let timer = EditTimer::default();
    let mut worlds = Vec::new();
    for recipe in &recipes {
        progress(recipe.generator.name(), n_parts);
        worlds.push(worlds::measure(recipe, arguments, &timer)?);
    }
    let mut walls = Vec::new();
    for &side in &arguments.walls {
        progress("wall", n_parts);
        walls.push(wall::measure(side, &timer)?);
    }
    progress("doors", n_parts);
    let doors = doors::measure(arguments.keep, &timer)?;
    Ok(WorstCaseReport::new(
        arguments.command(),
        machine,
        calibration,
        (worlds, walls, doors),
    ))
}

#[cfg(test)]
mod tests;
