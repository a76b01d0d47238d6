//! Building traces: walls with a gap, houses with a door, and demolitions.

use wayfarer_base::{Cell, Column, EditTrace, GroundEdit, Raster, Rect, Rng, Shape, Terrain};

use super::{Site, TraceRecipe, put_ground};

/// Failed tries before the trace ends.
const MAX_TRIES: u32 = 64;

/// Builds walls and houses on a flat map and demolishes some, one per batch; ends when no open
/// ground is left.
pub fn build(map: &Raster, recipe: &TraceRecipe) -> EditTrace {
    let mut state = BuildState {
        site: Site::new(map),
        structures: Vec::new(),
    };
    for number in 0..u64::from(recipe.n_batches) {
        let mut rng = Rng::for_stream(recipe.seed, number);
        let edits = (0..MAX_TRIES)
            .map(|_| match rng.below(10) {
                0..3 => state.demolish(&mut rng),
                3..6 => state.build_wall(&mut rng),
                _ => state.build_house(&mut rng),
            })
            .find(|edits| !edits.is_empty());
        if !state
            .site
            .finish_batch(edits.unwrap_or_default(), recipe, &mut rng)
        {
            break;
        }
    }
    state.site.trace
}

struct BuildState {
    site: Site,
    /// Position of each structure and the terrain before it was built.
    structures: Vec<(Rect, Raster)>,
}

impl BuildState {
    /// A rectangle on the map with its north-west corner on open ground.
    fn plot(&self, rng: &mut Rng, width: i32, height: i32) -> Option<Rect> {
        let low = self.site.walkable(rng)?;
        let high = Column::new(
            low.x.checked_add(width - 1)?,
            low.y.checked_add(height - 1)?,
        );
        let plot = Rect { low, high };
        self.site.map.rect().contains(high).then_some(plot)
    }

    /// Records a structure with the terrain of its plot.
    fn record(&mut self, plot: Rect) {
        let mut before = Raster::new(plot.width(), plot.height()).expect("a plot is small");
        for at in plot.columns() {
            let terrain = self.site.map.get(at.x, at.y);
            before.set(at.x - plot.low.x, at.y - plot.low.y, terrain);
        }
        self.structures.push((plot, before));
    }

    /// A house: ground inside, blocked walls, a door of one cell.
    fn build_house(&mut self, rng: &mut Rng) -> Vec<GroundEdit> {
        let (width, height) = (rng.between(4, 10), rng.between(4, 10));
        let Some(plot) = self.plot(rng, width, height) else {
            return Vec::new();
        };
        self.record(plot);
        let inside = Rect {
            low: Column::new(plot.low.x + 1, plot.low.y + 1),
            high: Column::new(plot.high.x - 1, plot.high.y - 1),
        };
        let along_x = rng.between(inside.low.x, inside.high.x);
        let along_y = rng.between(inside.low.y, inside.high.y);
        let door = match rng.below(4) {
            0 => Column::new(along_x, plot.low.y),
            1 => Column::new(along_x, plot.high.y),
            2 => Column::new(plot.low.x, along_y),
            _ => Column::new(plot.high.x, along_y),
        };
        for at in plot.columns() {
            let is_floor = inside.contains(at) || at == door;
            self.site.set(at, is_floor.then_some(Terrain::GROUND));
        }
        vec![
            GroundEdit::Clear {
                shape: Shape::Box(plot),
                heights: (0, 0),
            },
            GroundEdit::Fill {
                shape: Shape::Box(inside),
                z: 0,
                terrain: Terrain::GROUND,
            },
            put_ground(door),
        ]
    }

    /// A straight wall with a gap.
    fn build_wall(&mut self, rng: &mut Rng) -> Vec<GroundEdit> {
        let length = rng.between(5, 32);
        let (width, height) = if rng.chance(1, 2) {
            (length, 1)
        } else {
            (1, length)
        };
        let gap = rng.between(1, length - 2);
        let Some(plot) = self.plot(rng, width, height) else {
            return Vec::new();
        };
        self.record(plot);
        let mut edits = Vec::new();
        for (number, at) in (0..).zip(plot.columns()) {
            if number != gap && self.site.map.get(at.x, at.y).is_some() {
                self.site.set(at, None);
                edits.push(GroundEdit::RemoveCell {
                    cell: Cell::flat(at.x, at.y),
                });
            }
        }
        edits
    }

    /// Restores the terrain of a random structure.
    fn demolish(&mut self, rng: &mut Rng) -> Vec<GroundEdit> {
        let count = u32::try_from(self.structures.len()).unwrap_or(u32::MAX);
        if count == 0 {
            return Vec::new();
        }
        let (plot, before) = self.structures.swap_remove(rng.below(count) as usize);
        for at in plot.columns() {
            let terrain = before.get(at.x - plot.low.x, at.y - plot.low.y);
            self.site.set(at, terrain);
        }
        vec![GroundEdit::Patch {
            at: plot.low,
            z: 0,
            raster: before,
        }]
    }
}
