//! What a saved world holds besides its ground and its air.

use serde::Serialize;
use wayfarer::World;

use crate::words;

#[derive(Serialize)]
pub(super) struct SavedFacts {
    /// How often the world had been changed.
    revision: u64,
    /// Kinds of agents.
    agent_kinds: usize,
    objects: usize,
    sensors: usize,
    /// Things in the field.
    entities: usize,
    effects: usize,
    /// Tells whether two worlds are the same.
    state_hash: String,
}

impl SavedFacts {
    pub(super) fn of(world: &World) -> Self {
        Self {
            revision: world.revision().0,
            agent_kinds: world.agent_types().count(),
            objects: world.bodies().len(),
            sensors: world.sensors().count(),
            entities: world.obstacles().map_or(0, |field| field.len()),
            effects: world.ground().cost_modifiers().count(),
            state_hash: format!("{:016x}", world.state_hash()),
        }
    }

    pub(super) fn rows(&self) -> Vec<(String, String)> {
        let counts = [
            ("kinds of agents", self.agent_kinds),
            ("objects", self.objects),
            ("sensors", self.sensors),
            ("entities", self.entities),
            ("effects", self.effects),
        ];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let mut rows = vec![("revision".to_owned(), words::count(self.revision))];
        rows.extend(counts.map(|(name, count)| (name.to_owned(), words::count(count as u64))));
        rows.push(("state".to_owned(), self.state_hash.clone()));
        rows
    }
}
