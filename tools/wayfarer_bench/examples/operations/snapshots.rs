//! A whole world saved to bytes and loaded.

use wayfarer_engine::World;
use wayfarer_engine::make::{GeneratedWorld, Generator, Recipe, make};

use crate::worlds::SEED;
use crate::{Entry, Fault, Operation, ensure};

pub(crate) const ENTRIES: &[Entry] = &[
    Entry {
        name: "save",
        what: "a keep with storeys and air is saved",
        n_rounds: 4,
        set_up: || Snapshots::set_up(Act::Save),
    },
    Entry {
        name: "load",
        what: "the same is loaded",
        n_rounds: 1,
        set_up: || Snapshots::set_up(Act::Load),
    },
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Save,
    Load,
}

/// A world and its bytes.
struct Snapshots {
    act: Act,
    world: World,
    bytes: Vec<u8>,
    loaded: Option<World>,
}

impl Snapshots {
    fn set_up(act: Act) -> Result<Box<dyn Operation>, Fault> {
        let GeneratedWorld::MultiFloor(plan) =
            make(&Recipe::new(Generator::Building, 96, 96, SEED))?
        else {
            return Err("a building has several floors".into());
        };
        let world = World::from_data(&plan)?.with_air_from_data(&plan, 8)?;
        Ok(Box::new(Self {
            bytes: world.save(),
            act,
            world,
            loaded: None,
        }))
    }
}

impl Operation for Snapshots {
    fn round(&mut self) -> Result<(), Fault> {
        match self.act {
            Act::Save => self.bytes = self.world.save(),
            Act::Load => self.loaded = Some(World::load(&self.bytes)?),
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        let loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => World::load(&self.bytes)?,
        };
        let same = loaded.canonical() == self.world.canonical();
        ensure(
            same && loaded.state_hash() == self.world.state_hash(),
            || "the loaded world differs from the saved one".to_owned(),
        )
    }
}
