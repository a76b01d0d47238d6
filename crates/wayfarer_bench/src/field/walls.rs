//! The walls of a map as entities: runs of blocked cells, one cell high.

use std::path::Path;

use wayfarer::base::{Box2, Column, Fixed, Point2, Raster};
use wayfarer::search::field::FieldSearcher;
use wayfarer::world::field::{Entity, Field, FieldError, PairScratch, TypeMask};

use super::{Arguments, BenchFieldError, Seen};
use crate::clock::Timer;
use crate::load;

pub(super) fn measure(
    arguments: &Arguments,
    map: &Path,
    mut progress: impl FnMut(u32),
) -> Result<Seen, BenchFieldError> {
    let mut sets = load::find(map)?;
    sets.truncate(1);
    let mut seen = Seen::default();
    let timer = Timer::new();
    let mut searcher = FieldSearcher::default();
    for set in &sets {
        let set = set.load(None, 0)?;
        let mut field = Field::new(bounds(set.map.rect().high))?;
        let mut batch = field.edit_most();
        for wall in walls(&set.map) {
            batch.insert(&wall?)?;
        }
        drop(batch);
        seen.n_entities = field.len();
        let mut pairs = PairScratch::default();
        // The longest problems come last.
        let wanted = usize::try_from(arguments.n_ticks).unwrap_or(usize::MAX);
        let first = set.cases.len().saturating_sub(wanted);
        let n_cases = u32::try_from(set.cases.len() - first).unwrap_or(u32::MAX);
        let every = (n_cases / arguments.n_oracle.max(1)).max(1);
        for (number, case) in (0..).zip(&set.cases[first..]) {
            progress(n_cases);
            let Some(ends) = Point2::centre_of(case.start).zip(Point2::centre_of(case.goal)) else {
                continue;
            };
            let request = arguments.request(ends.0, ends.1);
            let (outcome, path_ns) = timer.time(|| searcher.find(&field, &request));
            let (n_pairs, pairs_ns) =
                timer.time(|| field.pairs(TypeMask::ALL, TypeMask::ALL, &mut pairs).len());
            seen.path_ns.push(path_ns);
            seen.pairs_ns.push(pairs_ns);
            seen.n_pairs.push(n_pairs as f64);
            let is_compared = number % every == 0 && number / every < arguments.n_oracle;
            seen.answer(&field, &mut searcher, outcome?, ends, (true, is_compared));
        }
    }
    Ok(seen)
}

/// From the origin to the far edge of the last column.
fn bounds(last: Column) -> Box2 {
    let edge = |last: i32| Fixed::from_raw(last.saturating_add(1).saturating_mul(Fixed::PARTS));
    Box2 {
        low: Point2::default(),
        high: Point2::new(edge(last.x), edge(last.y)),
    }
}

/// The blocked cells of each row, those side by side in one.
fn walls(map: &Raster) -> impl Iterator<Item = Result<Entity, FieldError>> {
    let rect = map.rect();
    (rect.low.y..=rect.high.y).flat_map(move |y| {
        let mut x = rect.low.x;
        std::iter::from_fn(move || {
            while x <= rect.high.x && map.get(x, y).is_some() {
                x += 1;
            }
            let begin = x;
            while x <= rect.high.x && map.get(x, y).is_none() {
                x += 1;
            }
            (begin < x).then(|| Entity::cells(begin, y, x - begin, 1, TypeMask::ALL))
        })
    })
}
