//! `wayfarer info` of a `.obstacles` file: how large it is and what stands in it.

use std::path::Path;

use serde::Serialize;
use wayfarer::formats::obstacle_file;
use wayfarer::world::obstacles::{DiscAgent, ObstacleSet, ObstacleShape};

use crate::words;

/// What there is to say about a field.
#[derive(Serialize)]
pub(super) struct ObstacleFacts {
    file: String,
    format: &'static str,
    width: f64,
    height: f64,
    obstacles: usize,
    boxes: usize,
    discs: usize,
    /// Obstacles by the lowest of their types; those of every type count as of type 0.
    types: Vec<(u8, usize)>,
    /// What their outlines would cover of the field for a point if none overlapped.
    load: f64,
    bytes_in_memory: usize,
}

impl ObstacleFacts {
    pub(super) fn of(file: &Path, bytes: &[u8]) -> Result<Self, String> {
        let plan = obstacle_file::read(bytes).map_err(|error| error.to_string())?;
        let obstacles = ObstacleSet::from_plan(&plan).map_err(|error| error.to_string())?;
        let (low, high) = (obstacles.bounds().low, obstacles.bounds().high);
        let is_disc = |shape| matches!(shape, ObstacleShape::Disc { .. });
        let obstacle_set = obstacles.obstacles().map(|(_, obstacle)| obstacle);
        let discs = obstacle_set
            .filter(|obstacle| is_disc(obstacle.shape))
            .count();
        let mut by_type = [0; 64];
        for (_, obstacle) in obstacles.obstacles() {
            by_type[usize::from(obstacle.categories.numbers().next().unwrap_or(0))] += 1;
        }
        Ok(Self {
            file: file.display().to_string(),
            format: "field",
            width: high.x.to_cells() - low.x.to_cells(),
            height: high.y.to_cells() - low.y.to_cells(),
            obstacles: obstacles.len(),
            boxes: obstacles.len() - discs,
            discs,
            types: (0..).zip(by_type).filter(|(_, count)| *count > 0).collect(),
            load: f64::from(obstacles.density_per_mille(DiscAgent::POINT)) / 1000.0,
            bytes_in_memory: obstacles.heap_bytes(),
        })
    }

    pub(super) fn rows(&self) -> Vec<(String, String)> {
        let types: Vec<String> = self
            .types
            .iter()
            .map(|(number, count)| format!("{count} of {number}"))
            .collect();
        [
            ("file", self.file.clone()),
            ("format", self.format.to_owned()),
            ("size", format!("{} x {} cells", self.width, self.height)),
            ("entities", words::count(self.obstacles as u64)),
            ("boxes", words::count(self.boxes as u64)),
            ("discs", words::count(self.discs as u64)),
            ("types", types.join(", ")),
            ("load", format!("{:.3}", self.load)),
            (
                "in memory",
                format!("{} bytes", words::count(self.bytes_in_memory as u64)),
            ),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}
