//! What a saved world holds besides its ground and its air.

use serde::Serialize;
use wayfarer::World;

use crate::words;

#[derive(Serialize)]
pub(super) struct SavedFacts {
    /// How often the world had been changed.
    revision: u64,
    /// Kinds of agents.
    agent_types: usize,
    bodies: usize,
    sensors: usize,
    /// Things in the field.
    obstacles: usize,
    cost_modifiers: usize,
    /// Tells whether two worlds are the same.
    state_hash: String,
}

impl SavedFacts {
    pub(super) fn of(world: &World) -> Self {
        Self {
            revision: world.revision().0,
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
            ("kinds of agents", self.agent_types),
            ("objects", self.bodies),
            ("sensors", self.sensors),
            ("entities", self.obstacles),
            ("effects", self.cost_modifiers),
        ];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let mut rows = vec![("revision".to_owned(), words::count(self.revision))];
        rows.extend(counts.map(|(name, count)| (name.to_owned(), words::count(count as u64))));
        rows.push(("state".to_owned(), self.state_hash.clone()));
        rows
    }
}
