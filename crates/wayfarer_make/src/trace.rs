//! Stories of worlds that change: miners dig, builders build, somebody plays with the doors.

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

/// A kind of story.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum TraceKind {
    /// Tunnels and chambers are dug into what blocks the way; for flat maps.
    Dig,
    /// Walls and houses are built and torn down; for flat maps.
    Build,
    /// Doors open and close; for worlds with nav links.
    Doors,
}

impl TraceKind {
    /// All kinds, in order.
    pub const ALL: [Self; 3] = [Self::Dig, Self::Build, Self::Doors];

    /// Its name in commands and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dig => "dig",
            Self::Build => "build",
            Self::Doors => "doors",
        }
    }

    /// The kind of that name, if there is one.
    ///
    /// ```
    /// use wayfarer_make::TraceKind;
    /// assert_eq!(TraceKind::from_name("dig"), Some(TraceKind::Dig));
    /// assert_eq!(TraceKind::from_name("mine"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What happens, in one line.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Dig => "tunnels and chambers are dug (flat maps)",
            Self::Build => "walls and houses are built and torn down (flat maps)",
            Self::Doors => "doors open and close (worlds with doors)",
        }
    }
}

impl fmt::Display for TraceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How long a story is; equal recipes on equal worlds tell equal stories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceRecipe {
    /// Batches of edits; a story ends earlier if there is nothing left to do.
    pub n_batches: u32,
    /// Paths to find after each batch.
    pub n_queries: u32,
    /// Where all chance comes from.
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

/// Tells a story of this kind about a made world.
///
/// # Errors
/// A world in which this story cannot happen.
///
/// ```
/// use wayfarer_make::{Kind, Recipe, TraceKind, TraceRecipe, make, make_trace};
/// let caves = make(&Recipe::new(Kind::Caves, 60, 60, 1))?;
/// let trace = make_trace(TraceKind::Dig, &caves, &TraceRecipe::default())?;
/// assert_eq!(trace.steps.len(), 200); // a batch and a query in turn
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
        (TraceKind::Doors, GeneratedWorld::MultiFloor(plan)) => Ok(doors(plan, recipe)),
        (TraceKind::Dig | TraceKind::Build, _) => Err(MakeError::NoTrace {
            kind,
            needed: "a flat map",
        }),
        (TraceKind::Doors, _) => Err(MakeError::NoTrace {
            kind,
            needed: "a world with doors",
        }),
    }
}

/// A flat map while its story is told.
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

    /// A column of the map.
    fn column(&self, rng: &mut Rng) -> Column {
        let last = self.map.rect().high;
        Column::new(rng.between(0, last.x), rng.between(0, last.y))
    }

    /// A column that can be walked on: by chance, or the next one from there on.
    fn walkable(&self, rng: &mut Rng) -> Option<Column> {
        const TRIES: u32 = 64;
        if let Some(found) = (0..TRIES)
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

    /// Ends a batch and asks for paths; false if there was nothing to do.
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

/// One floor of a flat map.
const fn put(at: Column) -> GroundEdit {
    GroundEdit::PutCell {
        cell: Cell::flat(at.x, at.y),
        terrain: Terrain::GROUND,
    }
}

#[cfg(test)]
mod tests;
