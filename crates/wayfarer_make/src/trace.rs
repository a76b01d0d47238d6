//! Generators of edit traces: digging, building, and doors that open and close.

use std::fmt;

use wayfarer_base::{
    Cell, Column, EditTrace, Expected, GroundEdit, Problem, Raster, Rng, Terrain, TraceStep,
};

use crate::{GeneratedWorld, MakeError};

mod build;
mod dig;
mod doors;

pub use build::build;
pub use dig::dig;
pub use doors::doors;

/// A kind of edit trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum TraceKind {
    /// Tunnels and chambers are dug into blocked cells; for flat maps.
    Dig,
    /// Walls and houses are built and demolished; for flat maps.
    Build,
    /// Doors open and close; for worlds with nav links.
    Doors,
}

impl TraceKind {
    /// All kinds, in declaration order.
    pub const ALL: [Self; 3] = [Self::Dig, Self::Build, Self::Doors];

    /// The name in commands and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dig => "dig",
            Self::Build => "build",
            Self::Doors => "doors",
        }
    }

    /// The kind with this name.
    ///
    /// ```
    /// use wayfarer_make::TraceKind;
    /// assert_eq!(TraceKind::from_name("dig"), Some(TraceKind::Dig));
    /// assert_eq!(TraceKind::from_name("mine"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A description in one line.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Dig => "tunnels and chambers are dug (flat maps)",
            Self::Build => "walls and houses are built and demolished (flat maps)",
            Self::Doors => "doors open and close (worlds with doors)",
        }
    }
}

impl fmt::Display for TraceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Length and seed of an edit trace; equal recipes on equal worlds give equal traces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceRecipe {
    /// Number of batches; a trace ends earlier if no edit is possible.
    pub n_batches: u32,
    /// Path queries after each batch.
    pub n_queries: u32,
    /// Seed of all random streams.
    pub seed: u64,
}

impl Default for TraceRecipe {
    fn default() -> Self {
        Self {
            n_batches: 100,
            n_queries: 1,
            seed: 1,
        }
    }
}

/// Generates an edit trace of this kind for a generated world.
///
/// # Errors
/// A world that does not support the kind.
///
/// ```
/// use wayfarer_make::{Generator, Recipe, TraceKind, TraceRecipe, make, make_trace};
/// let caves = make(&Recipe::new(Generator::Caves, 60, 60, 1))?;
/// let trace = make_trace(TraceKind::Dig, &caves, &TraceRecipe::default())?;
/// assert_eq!(trace.steps.len(), 200); // batches and queries alternate
/// assert!(make_trace(TraceKind::Doors, &caves, &TraceRecipe::default()).is_err());
/// # Ok::<(), wayfarer_make::MakeError>(())
/// ```
pub fn make_trace(
    kind: TraceKind,
    world: &GeneratedWorld,
    recipe: &TraceRecipe,
) -> Result<EditTrace, MakeError> {
    match (kind, world) {
        (TraceKind::Dig, GeneratedWorld::Flat(map)) => Ok(dig(map, recipe)),
        (TraceKind::Build, GeneratedWorld::Flat(map)) => Ok(build(map, recipe)),
        (TraceKind::Doors, GeneratedWorld::MultiFloor(data)) => Ok(doors(data, recipe)),
        (TraceKind::Dig | TraceKind::Build, _) => Err(MakeError::NoTrace {
            kind,
            required: "a flat map",
        }),
        (TraceKind::Doors, _) => Err(MakeError::NoTrace {
            kind,
            required: "a world with doors",
        }),
    }
}

/// A flat map and its trace so far.
struct Site {
    map: Raster,
    trace: EditTrace,
}

impl Site {
    fn new(map: &Raster) -> Self {
        Self {
            map: map.clone(),
            trace: EditTrace::default(),
        }
    }

    fn is_walkable(&self, at: Column) -> bool {
        self.map.is_walkable(at.x, at.y)
    }

    fn set(&mut self, at: Column, terrain: Option<Terrain>) {
        self.map.set(at.x, at.y, terrain);
    }

    /// A random column of the map.
    fn column(&self, rng: &mut Rng) -> Column {
        let last = self.map.rect().high;
        Column::new(rng.between(0, last.x), rng.between(0, last.y))
    }

    /// A walkable column: random tries, then a scan from a random row.
    fn walkable(&self, rng: &mut Rng) -> Option<Column> {
        const N_TRIES: u32 = 64;
        if let Some(found) = (0..N_TRIES)
            .map(|_| self.column(rng))
            .find(|&at| self.is_walkable(at))
        {
            return Some(found);
        }
        let (mut north, mut south) = (self.map.rect(), self.map.rect());
        south.low.y = self.column(rng).y;
        north.high.y = south.low.y - 1;
        south
            .columns()
            .chain(north.columns())
            .find(|&at| self.is_walkable(at))
    }

    /// Appends a batch and its queries; false, without effect, if there are no edits.
    fn finish_batch(
        &mut self,
        edits: Vec<GroundEdit>,
        recipe: &TraceRecipe,
        rng: &mut Rng,
    ) -> bool {
        if edits.is_empty() {
            return false;
        }
        self.trace.steps.push(TraceStep::Batch(edits));
        for _ in 0..recipe.n_queries {
            if let (Some(start), Some(goal)) = (self.walkable(rng), self.walkable(rng)) {
                self.trace.steps.push(TraceStep::Query(Problem {
                    start: start.at(0),
                    goal: goal.at(0),
                    expected: Expected::Unknown,
                }));
            }
        }
        true
    }
}

/// The edit that adds ground at a column.
const fn put_ground(at: Column) -> GroundEdit {
    GroundEdit::PutCell {
        cell: Cell::flat(at.x, at.y),
        terrain: Terrain::GROUND,
    }
}

#[cfg(test)]
mod tests;
