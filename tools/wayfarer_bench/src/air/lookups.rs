//! Point location and ray casts, timed and checked.

use wayfarer_engine::base::{Fixed, Point3, Rng, Voxel};
use wayfarer_engine::world::air::{Air, NodeKind};

use super::Tools;
use super::oracle::{met, voxel};
use super::report::MapRow;
use crate::flight::lines::Bits;

/// Random voxels located.
const N_PLACES: usize = 20_000;
/// Rays cast between free voxels.
const N_RAYS: usize = 4_000;
/// Repetitions; the best counts.
const REPEATS: usize = 5;

pub(super) fn measure(row: &mut MapRow, air: &Air, bits: &Bits, seed: u64, tools: &Tools) {
    let mut rng = Rng::for_stream(seed, 1);
    let size = air.size();
    let anywhere = |rng: &mut Rng| size.map(|side| rng.below(side));
    let free = |rng: &mut Rng| {
        let tries = (0..1_000).map(|_| anywhere(rng));
        tries.into_iter().find(|at| bits.is_free(at.map(i64::from)))
    };
    let places: Vec<[u32; 3]> = (0..N_PLACES).map(|_| anywhere(&mut rng)).collect();
    let pairs: Vec<([u32; 3], [u32; 3])> = (0..N_RAYS)
        .filter_map(|_| Some((free(&mut rng)?, free(&mut rng)?)))
        .collect();
    let at: Vec<Voxel> = places.iter().map(|at| voxel(*at)).collect();
    let lines: Vec<(Point3, Point3)> = pairs
        .iter()
        .map(|(from, to)| (middle(*from), middle(*to)))
        .collect();
    let best = |count: usize, query: &mut dyn FnMut() -> u64| {
        tools.timer.best(REPEATS, query) / count.max(1) as f64
    };
    row.locate_ns = best(at.len(), &mut || {
        at.iter()
            .map(|at| u64::from(air.locate(*at).map_or(0, |spot| spot.side)))
            .sum()
    });
    row.ray_ns = best(lines.len(), &mut || {
        let hits = lines
            .iter()
            .filter_map(|(from, to)| air.cast_ray(*from, *to).ok()?);
        hits.map(|hit| u64::from(hit.voxel.x.unsigned_abs())).sum()
    });
    row.reach_ns = best(pairs.len(), &mut || {
        let ends = pairs.iter();
        ends.map(|(from, to)| u64::from(air.is_connected(voxel(*from), voxel(*to))))
            .sum()
    });
    for place in &places {
        let found = air.locate(voxel(*place)).map(|spot| spot.kind);
        let solid = bits.is_solid(place.map(i64::from));
        if found
            != Some(if solid {
                NodeKind::Solid
            } else {
                NodeKind::Free
            })
        {
            let at = voxel(*place);
            row.faults.push(format!("{at} is found as {found:?}"));
            break;
        }
    }
    for ((from, to), (a, b)) in pairs.iter().zip(&lines) {
        let expected = met(bits, *from, *to);
        let right = match air.cast_ray(*a, *b) {
            Ok(None) => expected.is_empty(),
            Ok(Some(hit)) => expected.iter().any(|at| voxel(*at) == hit.voxel),
            Err(_) => false,
        };
        row.n_blocked_rays += usize::from(!expected.is_empty());
        if !right {
            let (from, to) = (voxel(*from), voxel(*to));
            row.faults
                .push(format!("the ray from {from} to {to} is wrong"));
            break;
        }
    }
    row.n_rays = lines.len();
}

/// The middle of a voxel.
fn middle(at: [u32; 3]) -> Point3 {
    let part = |at: u32| Fixed::from_raw(at.cast_signed() * 256 + 128);
    Point3 {
        x: part(at[0]),
        y: part(at[1]),
        z: part(at[2]),
    }
}
