//! `wayfarer info` of a `.field` file: how large it is and what stands in it.

use std::path::Path;

use serde::Serialize;
use wayfarer::formats::field_file;
use wayfarer::world::field::{DiscAgent, ObstacleSet, ObstacleShape};

use crate::words;

/// What there is to say about a field.
#[derive(Serialize)]
pub(super) struct FieldFacts {
    file: String,
    format: &'static str,
    width: f64,
    height: f64,
    entities: usize,
    boxes: usize,
    discs: usize,
    /// Entities by the lowest of their types; those of every type count as of type 0.
    types: Vec<(u8, usize)>,
    /// What their outlines would cover of the field for a point if none overlapped.
    load: f64,
    bytes_in_memory: usize,
}

impl FieldFacts {
    pub(super) fn of(file: &Path, bytes: &[u8]) -> Result<Self, String> {
        let plan = field_file::read(bytes).map_err(|error| error.to_string())?;
        let field = ObstacleSet::from_plan(&plan).map_err(|error| error.to_string())?;
        let (low, high) = (field.bounds().low, field.bounds().high);
        let is_disc = |shape| matches!(shape, ObstacleShape::Disc { .. });
        let entities = field.obstacles().map(|(_, entity)| entity);
        let discs = entities.filter(|entity| is_disc(entity.shape)).count();
        let mut by_type = [0; 64];
        for (_, entity) in field.obstacles() {
            by_type[usize::from(entity.categories.numbers().next().unwrap_or(0))] += 1;
        }
        Ok(Self {
            file: file.display().to_string(),
            format: "field",
            width: high.x.to_cells() - low.x.to_cells(),
            height: high.y.to_cells() - low.y.to_cells(),
            entities: field.len(),
            boxes: field.len() - discs,
            discs,
            types: (0..).zip(by_type).filter(|(_, count)| *count > 0).collect(),
            load: f64::from(field.density_per_mille(DiscAgent::POINT)) / 1000.0,
            bytes_in_memory: field.heap_bytes(),
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
            ("entities", words::count(self.entities as u64)),
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
