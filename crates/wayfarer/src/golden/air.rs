//! Golden results of the air: its tree and regions, what is hit in it, and how edits change it.

use wayfarer_base::{Dice, Digest, Fixed, Point3, Voxel};
use wayfarer_make::{Made, make};
use wayfarer_world::air::{Air, AirBuilder, AirEdit, Geometry, GeometryName};

use super::worlds::recipes;

/// Every made space, before, during and after edits that are undone in the end.
pub(super) fn airs(digest: &mut Digest) {
    let mut dice = Dice::new(16);
    for world in recipes().filter_map(|recipe| make(&recipe).ok()) {
        let Made::Space(voxels) = world else {
            continue;
        };
        let Ok(mut air) = AirBuilder::from_set(&voxels).and_then(AirBuilder::build) else {
            continue;
        };
        look_around(&air, &mut dice, digest);
        let mut undo = Vec::new();
        for name in 0..12 {
            let edits = [some_edit(name / 2, &mut dice), some_edit(name, &mut dice)];
            match air.apply(&edits) {
                Ok(changes) => undo.push(changes.inverse()),
                Err(error) => digest.bytes(error.to_string().as_bytes()),
            }
            look_around(&air, &mut dice, digest);
        }
        for differences in undo.iter().rev() {
            digest.number(air.restore(differences).is_ok().into());
        }
        digest.number(air.digest());
    }
}

fn look_around(air: &Air, dice: &mut Dice, digest: &mut Digest) {
    digest.number(air.digest());
    digest.number(air.n_solid());
    for _ in 0..40 {
        let (from, to) = (some_point(dice), some_point(dice));
        let radius = Fixed::from_raw(dice.between(1, 3 * 256));
        digest.bytes(format!("{:?}", air.cast(from, to)).as_bytes());
        digest.bytes(format!("{:?}", air.sweep(from, to, radius)).as_bytes());
        digest.signed(air.clearance(from, Fixed::from_raw(9 * 256)).raw().into());
        let (a, b) = (some_voxel(dice), some_voxel(dice));
        digest.number(air.connected(a, b).into());
        digest.number(air.sees(a, b).into());
        digest.bytes(format!("{:?}", air.nearest_free(a, 8)).as_bytes());
    }
}

fn some_point(dice: &mut Dice) -> Point3 {
    let mut at = |most: i32| Fixed::from_raw(dice.between(0, most * 256));
    Point3 {
        x: at(60),
        y: at(46),
        z: at(23),
    }
}

fn some_voxel(dice: &mut Dice) -> Voxel {
    Voxel::new(
        dice.between(0, 60),
        dice.between(0, 46),
        dice.between(0, 23),
    )
}

fn some_edit(name: u64, dice: &mut Dice) -> AirEdit {
    let low = some_voxel(dice);
    let high = Voxel::new(low.x + 3, low.y + 5, low.z + 2);
    let name = GeometryName(name);
    match dice.below(4) {
        0 => AirEdit::Clear { low, high },
        1 => AirEdit::Remove { name },
        _ => AirEdit::Put {
            name,
            geometry: Geometry::Ball {
                centre: some_point(dice),
                radius: Fixed::from_raw(dice.between(0, 6 * 256)),
            },
        },
    }
}
