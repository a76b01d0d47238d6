//! Miners: tunnels from open ground into what blocks the way, and now and then a chamber.

use wayfarer_base::{
    Column, Direction, EditTrace, Fixed, GroundEdit, Point2, Raster, Rng, Shape, Terrain,
};

use super::{Site, TraceRecipe, put};

/// Tunnels that meet nothing to dig before the miners go home.
const TRIES: u32 = 64;

/// Digs tunnels and chambers into a flat map, a batch for each. Where all is open, the story is
/// over.
pub fn dig(map: &Raster, recipe: &TraceRecipe) -> EditTrace {
    let mut site = Site::new(map);
    for number in 0..u64::from(recipe.n_batches) {
        let mut rng = Rng::for_part(recipe.seed, number);
        let edits = (0..TRIES)
            .map(|_| match rng.below(5) {
                0 => chamber(&mut site, &mut rng),
                _ => tunnel(&mut site, &mut rng),
            })
            .find(|edits| !edits.is_empty());
        if !site.finish_batch(edits.unwrap_or_default(), recipe, &mut rng) {
            break;
        }
    }
    site.trace
}

/// Where to begin: on open ground, or anywhere if there is none.
fn begin(site: &Site, rng: &mut Rng) -> Column {
    site.walkable(rng).unwrap_or_else(|| site.column(rng))
}

fn tunnel(site: &mut Site, rng: &mut Rng) -> Vec<GroundEdit> {
    let mut at = begin(site, rng);
    let mut direction = Direction::STRAIGHT[rng.below(4) as usize];
    let is_wide = rng.chance(1, 3);
    let mut edits = Vec::new();
    // It may cross open ground first; only what is dug counts.
    let (mut n_left, mut n_steps) = (rng.between(4, 30), 0);
    while n_left > 0 && n_steps < 100 {
        let beside = at.step(direction.turned(2)).filter(|_| is_wide);
        for spot in [Some(at), beside].into_iter().flatten() {
            let inside = site.map.rect().contains(spot);
            if inside && !site.is_walkable(spot) {
                site.set(spot, Some(Terrain::GROUND));
                edits.push(put(spot));
                n_left -= 1;
            }
        }
        if rng.chance(1, 8) {
            direction = direction.turned(if rng.chance(1, 2) { 2 } else { 6 });
        }
        match at
            .step(direction)
            .filter(|&next| site.map.rect().contains(next))
        {
            Some(next) => at = next,
            None => break,
        }
        n_steps += 1;
    }
    edits
}

/// A round chamber, all of it on the map.
fn chamber(site: &mut Site, rng: &mut Rng) -> Vec<GroundEdit> {
    let at = begin(site, rng);
    let (Some(center), Some(radius)) = (Point2::center_of(at), Fixed::from_cell(rng.between(1, 5)))
    else {
        return Vec::new();
    };
    let shape = Shape::Circle { center, radius };
    let (bounds, rect) = (shape.bounds(), site.map.rect());
    let columns: Vec<Column> = shape.columns().collect();
    let new = columns.iter().any(|&column| !site.is_walkable(column));
    if !rect.contains(bounds.low) || !rect.contains(bounds.high) || !new {
        return Vec::new();
    }
    for column in columns {
        site.set(column, Some(Terrain::GROUND));
    }
    vec![GroundEdit::Fill {
        shape,
        z: 0,
        terrain: Terrain::GROUND,
    }]
}
