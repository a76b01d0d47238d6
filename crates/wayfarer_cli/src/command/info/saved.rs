//! A saved world besides its ground and its air.

use serde::Serialize;
use wayfarer_engine::World;

use crate::words;

#[derive(Serialize)]
pub(super) struct SavedFacts {
    /// Batches of edits applied.
    revision: u64,
    agent_types: usize,
    bodies: usize,
    sensors: usize,
    obstacles: usize,
    cost_modifiers: usize,
    /// Equal for equal worlds.
    state_hash: String,
}

impl SavedFacts {
    pub(super) fn new(world: &World) -> Self {
        Self {
            revision: world.revision().number,
            agent_types: world.agent_types().count(),
            bodies: world.bodies().len(),
            sensors: world.sensors().count(),
            obstacles: world.obstacles().map_or(0, |obstacles| obstacles.len()),
            cost_modifiers: world.ground().cost_modifiers().count(),
            state_hash: format!("{:016x}", world.state_hash()),
        }
    }

    pub(super) fn rows(&self) -> Vec<(String, String)> {
        let counts = [
            ("agent types", self.agent_types),
            ("bodies", self.bodies),
            ("sensors", self.sensors),
            ("obstacles", self.obstacles),
            ("cost modifiers", self.cost_modifiers),
        ];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let mut rows = vec![("revision".to_owned(), words::count(self.revision))];
        rows.extend(counts.map(|(name, count)| (name.to_owned(), words::count(count as u64))));
        rows.push(("state hash".to_owned(), self.state_hash.clone()));
        rows
    }
}
