//! `wayfarer info` of a `.field` file: its size and its obstacles.

use std::path::Path;

use serde::Serialize;
use wayfarer_engine::formats::file_format::FileFormat;
use wayfarer_engine::formats::obstacle_file;
use wayfarer_engine::world::obstacles::{DiscAgent, ObstacleSet, ObstacleShape};

use crate::words;

/// Statistics of an obstacle set.
#[derive(Serialize)]
pub(super) struct ObstacleFacts {
    file: String,
    format: &'static str,
    width: f64,
    height: f64,
    obstacles: usize,
    boxes: usize,
    discs: usize,
    /// Obstacles by their lowest category; those of every category count as of category 0.
    types: Vec<(u8, usize)>,
    /// Share of the bounds that the outlines would cover if none overlapped.
    load: f64,
    bytes_in_memory: usize,
}

impl ObstacleFacts {
    pub(super) fn new(file: &Path, bytes: &[u8]) -> Result<Self, String> {
        let plan = obstacle_file::read(bytes).map_err(|error| error.to_string())?;
        let obstacles = ObstacleSet::from_data(&plan).map_err(|error| error.to_string())?;
        let (low, high) = (obstacles.bounds().low, obstacles.bounds().high);
        let is_disc = |shape| matches!(shape, ObstacleShape::Disc { .. });
        let discs = obstacles
            .obstacles()
            .map(|(_, obstacle)| obstacle)
            .filter(|obstacle| is_disc(obstacle.shape))
            .count();
        let mut by_category = [0; 64];
        for (_, obstacle) in obstacles.obstacles() {
            by_category[usize::from(obstacle.categories.numbers().next().unwrap_or(0))] += 1;
        }
        Ok(Self {
            file: file.display().to_string(),
            format: FileFormat::Obstacles.name(),
            width: high.x.to_cells() - low.x.to_cells(),
            height: high.y.to_cells() - low.y.to_cells(),
            obstacles: obstacles.len(),
            boxes: obstacles.len() - discs,
            discs,
            types: (0..)
                .zip(by_category)
                .filter(|(_, count)| *count > 0)
                .collect(),
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
            ("obstacles", words::count(self.obstacles as u64)),
            ("boxes", words::count(self.boxes as u64)),
            ("discs", words::count(self.discs as u64)),
            ("categories", types.join(", ")),
            ("density", format!("{:.3}", self.load)),
            (
                "in memory",
                format!("{} bytes", words::count(self.bytes_in_memory as u64)),
            ),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}
