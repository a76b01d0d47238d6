//! Golden digests of the air: octree, components, ray casts, and edits with their inverses.

use wayfarer_engine::base::{Fixed, Point3, Rng, Voxel};
use wayfarer_engine::make::{GeneratedWorld, make};
use wayfarer_engine::world::air::{Air, AirBuilder, AirEdit, Geometry, GeometryId};

use super::values::Values;
use super::worlds::recipes;

/// Every generated voxel world, through edits and back to its initial state.
pub(super) fn airs(values: &mut Values) {
    let mut rng = Rng::new(16);
    for world in recipes().filter_map(|recipe| make(&recipe).ok()) {
        let GeneratedWorld::Voxels(voxels) = world else {
            continue;
        };
        let Ok(mut air) = AirBuilder::from_set(&voxels).and_then(AirBuilder::build) else {
            continue;
        };
        query(&air, &mut rng, values);
        let mut undo = Vec::new();
        for id in 0..12 {
            let edits = [some_edit(id / 2, &mut rng), some_edit(id, &mut rng)];
            match air.apply(&edits) {
                Ok(changes) => undo.push(changes.inverse()),
                Err(error) => values.take(&error),
            }
            query(&air, &mut rng, values);
        }
        for differences in undo.iter().rev() {
            values.number(air.restore(differences).is_ok().into());
        }
        values.number(air.digest());
    }
}

fn query(air: &Air, rng: &mut Rng, values: &mut Values) {
    values.number(air.digest());
    values.number(air.n_solid());
    for _ in 0..40 {
        let (from, to) = (some_point(rng), some_point(rng));
        let radius = Fixed::from_raw(rng.between(1, 3 * 256));
        values.take(&air.cast_ray(from, to));
        values.take(&air.sweep(from, to, radius));
        values.signed(air.clearance(from, Fixed::from_raw(9 * 256)).raw().into());
        let (a, b) = (some_voxel(rng), some_voxel(rng));
        values.number(air.is_connected(a, b).into());
        values.number(air.has_line_of_sight(a, b).into());
        values.take(&air.nearest_free(a, 8));
    }
}

fn some_point(rng: &mut Rng) -> Point3 {
    let mut at = |max: i32| Fixed::from_raw(rng.between(0, max * 256));
    Point3 {
        x: at(60),
        y: at(46),
        z: at(23),
    }
}

fn some_voxel(rng: &mut Rng) -> Voxel {
    Voxel::new(rng.between(0, 60), rng.between(0, 46), rng.between(0, 23))
}

fn some_edit(id: u64, rng: &mut Rng) -> AirEdit {
    let low = some_voxel(rng);
    let high = Voxel::new(low.x + 3, low.y + 5, low.z + 2);
    let id = GeometryId(id);
    match rng.below(4) {
        0 => AirEdit::Clear { low, high },
        1 => AirEdit::Remove { id },
        _ => AirEdit::Put {
            id,
            geometry: Geometry::Ball {
                center: some_point(rng),
                radius: Fixed::from_raw(rng.between(0, 6 * 256)),
            },
        },
    }
}
