//! `bench worst-case`: edits where repair is most expensive: mazes, spirals, a wall across open ground, doors.

use clap::Args;
use wayfarer_engine::make::{Generator, Recipe};

use crate::edit_times::EditTimer;
use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Progress};

mod doors;
mod report;
mod wall;
mod worlds;

pub use report::{DoorRow, WallRow, WorldRow, WorstCaseFigures};

/// No single edit should take longer, in microseconds.
pub const LIMIT_US: f64 = 100.0;

/// What to measure.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Sides of the open worlds that a wall is built across; 16384 takes 1 GB
    #[arg(long, value_name = "SIDES", value_delimiter = ',', default_values_t = Self::default().walls)]
    pub walls: Vec<u32>,
    /// Side of the mazes, spirals and other generated worlds
    #[arg(long, value_name = "SIDE", default_value_t = Self::default().side)]
    pub side: u32,
    /// Random cells edited in each of them
    #[arg(long = "edits", value_name = "N", default_value_t = Self::default().n_edits)]
    pub n_edits: usize,
    /// Random strips in each of them
    #[arg(skip = Self::default().n_strips)]
    pub n_strips: usize,
    /// Side of the building with the doors
    #[arg(long, alias = "keep", value_name = "SIDE", default_value_t = Self::default().building)]
    pub building: u32,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            side: 512,
            n_edits: 1500,
            n_strips: 100,
            walls: vec![512, 4096],
            building: 96,
        }
    }
}

impl Arguments {
    /// The generated worlds, with the width of their corridors.
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

impl Benchmark for Arguments {
    type Figures = WorstCaseFigures;
    const PARTS: &'static str = "worlds";

    fn command(&self) -> String {
        CommandLine::new("worst-case")
            .list("walls", &self.walls)
            .option("side", self.side)
            .option("edits", self.n_edits)
            .option("building", self.building)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<WorstCaseFigures, BenchError> {
        let recipes = self.recipes();
        let n_parts = recipes.len() + self.walls.len() + 1;
        let timer = EditTimer::default();
        let mut worlds = Vec::new();
        for recipe in &recipes {
            progress(recipe.generator.name(), n_parts);
            worlds.push(worlds::measure(recipe, self, &timer)?);
        }
        let mut walls = Vec::new();
        for &side in &self.walls {
            progress("wall", n_parts);
            walls.push(wall::measure(side, &timer)?);
        }
        progress("doors", n_parts);
        let doors = doors::measure(self.building, &timer)?;
        Ok(WorstCaseFigures::new(worlds, walls, doors))
    }
}

#[cfg(test)]
mod tests;
