//! Random cells and strips edited in worlds that are hard to repair.

use wayfarer_engine::base::{Cell, Raster, Rng, Terrain};
use wayfarer_engine::make::{GeneratedWorld, MakeError, Recipe, make};
use wayfarer_engine::world::ground::Ground;
use wayfarer_measure::statistics::Spread;

use super::report::WorldRow;
use super::{Arguments, LIMIT_US};
use crate::edit_times::{EditTimer, ReversibleEdit, differs};
use crate::ground::LENGTH;

/// Repetitions of each edit; the median counts.
const REPEATS: usize = 21;

pub(super) fn measure(
    recipe: &Recipe,
    arguments: &Arguments,
    timer: &EditTimer,
) -> Result<WorldRow, MakeError> {
    let name = format!("{} {}", recipe.generator.name(), recipe.corridor);
    let GeneratedWorld::Flat(map) = make(recipe)? else {
        unreachable!("all these generators make flat worlds");
    };
    let mut ground = Ground::from_raster(&map);
    let mut rng = Rng::for_stream(recipe.seed, u64::from(recipe.corridor));
    let (mut singles, mut bests) = (Vec::new(), Vec::new());
    for _ in 0..arguments.n_edits {
        let cell = random_cell(&mut rng, &map);
        let was = map
            .get(cell.x, cell.y)
            .filter(|_| ground.node(cell).is_some());
        let pair = ReversibleEdit::cut(&[(cell, was.unwrap_or(Terrain::GROUND))]);
        // Without a floor there, one is put and removed again.
        let pair = if was.is_some() { pair } else { pair.reversed() };
        let mut times = timer.there_and_back(&mut ground, &pair, REPEATS);
        let (there, back) = times.bests();
        bests.extend([there, back]);
        let (there, back) = times.medians();
        singles.extend([there, back]);
    }
    let mut strips = Vec::new();
    for _ in 0..arguments.n_strips {
        let at = random_cell(&mut rng, &map);
        let strip = at.x..(at.x + LENGTH.cast_signed()).min(map.width().cast_signed());
        let floors: Vec<(Cell, Terrain)> = strip
            .map(|x| Cell::flat(x, at.y))
            .filter(|&cell| ground.node(cell).is_some())
            .filter_map(|cell| Some((cell, map.get(cell.x, cell.y)?)))
            .collect();
        let pair = ReversibleEdit::cut(&floors);
        let (there, back) = timer.there_and_back(&mut ground, &pair, REPEATS).medians();
        strips.extend([there, back]);
    }
    Ok(WorldRow {
        world: name,
        side: recipe.width,
        n_cells: ground.counts().0,
        over_100_us: singles.iter().filter(|&&time| time > LIMIT_US).count(),
        strips_over_100_us: strips.iter().filter(|&&time| time > LIMIT_US).count(),
        edit1_us: Spread::of(&mut singles),
        edit1_best_us: Spread::of(&mut bests),
        strip_us: Spread::of(&mut strips),
        faults: differs(&ground, &map).into_iter().collect(),
    })
}

fn random_cell(rng: &mut Rng, map: &Raster) -> Cell {
    let last = |length: u32| length.cast_signed() - 1;
    Cell::flat(
        rng.between(0, last(map.width())),
        rng.between(0, last(map.height())),
    )
}
