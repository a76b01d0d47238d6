//! Digging traces: tunnels from open ground into blocked cells, and chambers.

use wayfarer_base::{
    Column, Direction, EditTrace, Fixed, GroundEdit, Point2, Raster, Rng, Shape, Terrain,
};

use super::{Site, TraceRecipe, put_ground};

/// Failed tries before the trace ends.
const MAX_TRIES: u32 = 64;

/// Digs tunnels and chambers into a flat map, one per batch; ends when nothing is left to dig.
pub fn dig(map: &Raster, recipe: &TraceRecipe) -> EditTrace {
    let mut site = Site::new(map);
    for number in 0..u64::from(recipe.n_batches) {
        let mut rng = Rng::for_stream(recipe.seed, number);
        let edits = (0..MAX_TRIES)
            .map(|_| match rng.below(5) {
                0 => dig_chamber(&mut site, &mut rng),
                _ => dig_tunnel(&mut site, &mut rng),
            })
            .find(|edits| !edits.is_empty());
        if !site.finish_batch(edits.unwrap_or_default(), recipe, &mut rng) {
            break;
        }
    }
    site.trace
}

/// A walkable column, or any column if there is none.
fn random_start(site: &Site, rng: &mut Rng) -> Column {
    site.walkable(rng).unwrap_or_else(|| site.column(rng))
}

fn dig_tunnel(site: &mut Site, rng: &mut Rng) -> Vec<GroundEdit> {
    let mut at = random_start(site, rng);
    let mut direction = Direction::STRAIGHT[rng.below(4) as usize];
    let is_wide = rng.chance(1, 3);
    let mut edits = Vec::new();
    // Open cells on the path do not count towards the length.
    let (mut n_left, mut n_steps) = (rng.between(4, 30), 0);
    while n_left > 0 && n_steps < 100 {
        let beside = at.step(direction.turned(2)).filter(|_| is_wide);
        for column in [Some(at), beside].into_iter().flatten() {
            let is_inside = site.map.rect().contains(column);
            if is_inside && !site.is_walkable(column) {
                site.set(column, Some(Terrain::GROUND));
                edits.push(put_ground(column));
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

/// A round chamber, entirely on the map.
fn dig_chamber(site: &mut Site, rng: &mut Rng) -> Vec<GroundEdit> {
    let at = random_start(site, rng);
    let (Some(center), Some(radius)) = (Point2::center_of(at), Fixed::from_cell(rng.between(1, 5)))
    else {
        return Vec::new();
    };
    let shape = Shape::Circle { center, radius };
    let (bounds, rect) = (shape.bounds(), site.map.rect());
    let columns: Vec<Column> = shape.columns().collect();
    let digs_any = columns.iter().any(|&column| !site.is_walkable(column));
    if !rect.contains(bounds.low) || !rect.contains(bounds.high) || !digs_any {
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
