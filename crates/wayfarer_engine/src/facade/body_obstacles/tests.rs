use wayfarer_base::{Fixed, Point2, Raster, Rng};
use wayfarer_world::bodies::{Body, BodyCategories, BodyShape};

use crate::{BodyEdit, BodyRoles, World};

const ROLES: BodyRoles = BodyRoles {
    blocks_movement: BodyCategories::one(1),
    blocks_sight: BodyCategories::NONE,
};

fn body(rng: &mut Rng) -> Body {
    let mut raw = |limit: u32| rng.below(limit).cast_signed();
    let position = Point2::from_raw(raw(4_000), raw(4_000));
    let shape = match raw(3) {
        0 => BodyShape::Point,
        1 => BodyShape::Disc {
            radius: Fixed::from_raw(1 + raw(600)),
        },
        _ => BodyShape::Box {
            half_x: Fixed::from_raw(1 + raw(600)),
            half_y: Fixed::from_raw(1 + raw(600)),
        },
    };
    let categories = BodyCategories::one(u8::from(raw(3) > 0));
    Body {
        shape,
        categories,
        ..Body::at(position)
    }
}

/// Each obstacle is that of one body: as if the roles had been set last.
fn assert_mirrored(world: &World) {
    let mut rebuilt = World::from_raster(&Raster::from_bytes(1, 1, vec![0]).unwrap())
        .with_bodies(world.bodies().clone());
    rebuilt.set_body_roles(ROLES);
    assert_eq!(
        rebuilt.canonical().obstacles,
        world.canonical().obstacles,
        "{:?}",
        world.body_obstacles().collect::<Vec<_>>()
    );
    assert_eq!(
        world.obstacles().unwrap().len(),
        world.body_obstacles().len()
    );
}

#[test]
fn after_any_edits_the_obstacles_are_those_of_the_bodies() {
    let mut rng = Rng::new(7);
    let mut world = World::from_raster(&Raster::from_bytes(1, 1, vec![0]).unwrap());
    world.set_body_roles(ROLES);
    let mut ids = Vec::new();
    for round in 0..200 {
        let number = |rng: &mut Rng, n: usize| rng.below(u32::try_from(n).unwrap()) as usize;
        let mut edits = vec![BodyEdit::Register(body(&mut rng))];
        if !ids.is_empty() {
            let id = ids[number(&mut rng, ids.len())];
            let to = body(&mut rng).position;
            edits.push(BodyEdit::MoveTo { id, to });
            if round % 3 == 0 {
                ids.retain(|other| *other != id);
                edits.push(BodyEdit::Unregister { id });
            }
        }
        let changes = world.apply(edits).unwrap();
        ids.extend(changes.new_bodies());
        if round % 20 == 0 {
            let before = world.canonical();
            let inverse = changes.inverse();
            let back = world.apply(inverse).unwrap();
            assert_mirrored(&world);
            world.apply(back.inverse()).unwrap();
            assert_eq!(world.canonical(), before);
            ids.retain(|id| world.bodies().contains(*id));
        }
        assert_mirrored(&world);
    }
    assert!(world.body_obstacles().len() > 20);
}
