use wayfarer_base::{Cell, Column, CostMultiplier, Raster, Rect, Shape};
use wayfarer_world::bodies::Body;

use super::*;

const TORCH: CostModifierId = CostModifierId(1);
const SHIELD: CostModifierId = CostModifierId(2);

/// A position in quarters of a cell.
fn at(x: i32, y: i32) -> Point2 {
    Point2::from_raw(x * 64, y * 64)
}

fn put(id: CostModifierId, shape: Shape) -> GroundEdit {
    let modifier = CostModifier {
        shape,
        heights: (0, 1),
        multiplier: CostMultiplier::from_sixteenths(32).unwrap(),
    };
    GroundEdit::PutCostModifier { id, modifier }
}

fn disc(center: Point2) -> Shape {
    let radius = Fixed::from_raw(512);
    Shape::Circle { center, radius }
}

fn patch(x: i32) -> Shape {
    Shape::Box(Rect::around(Column::new(x, 4), Column::new(x + 1, 5)))
}

/// A hall of 24 by 12 cells with a body at (2.5, 2.5), a torch around it and a shield beside it.
fn hall() -> (World, BodyId) {
    let map = Raster::from_bytes(24, 12, vec![0; 24 * 12]).unwrap();
    let mut world = World::from_raster(&map);
    let added = world.apply([BodyEdit::Register(Body::at(at(10, 10)))]);
    let body = added.unwrap().bodies[0].id();
    let modifiers = [put(TORCH, disc(at(10, 10))), put(SHIELD, patch(2))];
    world.apply(modifiers).unwrap();
    world.attach_cost_modifier(TORCH, body).unwrap();
    world.attach_cost_modifier(SHIELD, body).unwrap();
    (world, body)
}

fn shape_of(world: &World, id: CostModifierId) -> Option<Shape> {
    world
        .cost_modifier(id)
        .map(|modifier| modifier.shape.clone())
}

#[test]
fn attached_modifiers_move_with_every_kind_of_move_in_the_same_batch() {
    let (mut world, id) = hall();
    let to = at(30, 20);
    let changes = world.apply([BodyEdit::MoveTo { id, to }]).unwrap();
    assert_eq!(shape_of(&world, TORCH), Some(disc(to)));
    assert_eq!(
        shape_of(&world, SHIELD),
        Some(patch(7).translated((0, 3 * 256)).unwrap())
    );
    assert_eq!(
        changes.ground.as_ref().unwrap().changes.differences.len(),
        2
    );
    world
        .apply([BodyEdit::Teleport { id, to: at(6, 6) }])
        .unwrap();
    assert_eq!(shape_of(&world, TORCH), Some(disc(at(6, 6))));
    world.apply([BodyEdit::MoveAll(vec![at(20, 10)])]).unwrap();
    assert_eq!(shape_of(&world, TORCH), Some(disc(at(20, 10))));
    let z = Fixed::from_raw(5 * 256 + 9);
    world.apply([BodyEdit::SetHeight { id, z }]).unwrap();
    assert_eq!(world.cost_modifier(TORCH).unwrap().heights, (5, 6));
    // No body with a modifier moves: the ground is not edited.
    let changes = world.apply([BodyEdit::Register(Body::at(at(0, 0)))]);
    assert!(changes.unwrap().ground.is_none());
}

#[test]
fn an_attached_box_does_not_drift_over_many_small_moves() {
    let (mut world, id) = hall();
    for x in 11..=50 {
        let to = at(x, 10);
        world.apply([BodyEdit::MoveTo { id, to }]).unwrap();
    }
    assert_eq!(shape_of(&world, SHIELD), Some(patch(12)));
}

#[test]
fn the_inverse_of_a_move_restores_body_and_modifiers() {
    let (mut world, id) = hall();
    let before = (
        world.canonical(),
        shape_of(&world, TORCH),
        shape_of(&world, SHIELD),
    );
    let changes = world
        .apply([BodyEdit::MoveTo { id, to: at(41, 33) }])
        .unwrap();
    assert_ne!(world.canonical(), before.0);
    world.apply(changes.inverse()).unwrap();
    let now = (
        world.canonical(),
        shape_of(&world, TORCH),
        shape_of(&world, SHIELD),
    );
    assert_eq!(now, before);
    world
        .apply([BodyEdit::MoveTo { id, to: at(14, 10) }])
        .unwrap();
    assert_eq!(shape_of(&world, TORCH), Some(disc(at(14, 10))));
    assert_eq!(shape_of(&world, SHIELD), Some(patch(3)));
}

#[test]
fn an_edit_of_the_modifier_itself_takes_precedence() {
    let (mut world, id) = hall();
    let here: crate::Edit = put(TORCH, disc(at(60, 20))).into();
    world
        .apply([here, BodyEdit::MoveTo { id, to: at(20, 10) }.into()])
        .unwrap();
    assert_eq!(shape_of(&world, TORCH), Some(disc(at(60, 20))));
    // Later moves are relative to the new shape.
    world
        .apply([BodyEdit::MoveTo { id, to: at(24, 10) }])
        .unwrap();
    assert_eq!(shape_of(&world, TORCH), Some(disc(at(64, 20))));
    world
        .apply([GroundEdit::RemoveCostModifier(TORCH)])
        .unwrap();
    world
        .apply([BodyEdit::MoveTo { id, to: at(20, 10) }])
        .unwrap();
    assert_eq!(shape_of(&world, TORCH), None);
    assert_eq!(world.detach_cost_modifier(TORCH), None);
    assert_eq!(world.detach_cost_modifier(SHIELD), Some(id));
    world
        .apply([BodyEdit::MoveTo { id, to: at(80, 10) }])
        .unwrap();
    assert_eq!(shape_of(&world, SHIELD), Some(patch(5)));
}

#[test]
fn modifiers_are_removed_with_their_body_and_attach_only_to_living_ones() {
    let (mut world, id) = hall();
    world.apply([BodyEdit::Unregister { id }]).unwrap();
    assert_eq!(world.ground().cost_modifiers().count(), 0);
    let node = world.ground().node(Cell::flat(2, 2)).unwrap();
    assert_eq!(world.ground().cost_multiplier(node).sixteenths(), 16);
    assert_eq!(
        world.attach_cost_modifier(TORCH, id),
        Err(AttachError::UnknownCostModifier { id: TORCH })
    );
    world.apply([put(TORCH, disc(at(10, 10)))]).unwrap();
    assert_eq!(
        world.attach_cost_modifier(TORCH, id),
        Err(AttachError::Dead { id })
    );
}

#[test]
fn a_move_that_would_push_a_modifier_out_of_the_world_is_rejected() {
    let (mut world, id) = hall();
    let edge = Shape::Polygon(vec![Point2::new(
        Fixed::from_raw(i32::MAX - 512),
        at(0, 1).y,
    )]);
    world.apply([put(TORCH, edge)]).unwrap();
    let before = world.canonical();
    let lost = world.apply([BodyEdit::MoveTo { id, to: at(40, 10) }]);
    let expected = EditError::CostModifierLost { edit: 0, id: TORCH };
    assert_eq!(lost, Err(expected));
    assert_eq!(world.canonical(), before);
}

#[test]
fn attachments_survive_saving_and_loading() {
    let (mut world, id) = hall();
    // It has moved since it was attached.
    let to = Point2::from_raw(900, 1_300);
    world
        .apply([
            BodyEdit::MoveTo { id, to },
            BodyEdit::SetHeight {
                id,
                z: Fixed::from_raw(700),
            },
        ])
        .unwrap();
    let bytes = world.save();
    let mut again = World::load(&bytes).unwrap();
    assert_eq!(again.save(), bytes);
    assert!(
        again
            .attached_cost_modifiers()
            .eq([(TORCH, id), (SHIELD, id)])
    );
    for (to, z) in [(at(3, 12), 100), (at(17, 5), 1_400), (at(2, 2), 0)] {
        let z = Fixed::from_raw(z);
        let step = [BodyEdit::MoveTo { id, to }, BodyEdit::SetHeight { id, z }];
        let (here, there) = (world.apply(step.clone()), again.apply(step));
        assert_eq!(here.unwrap().ground, there.unwrap().ground);
        assert_eq!(world.save(), again.save());
    }
    again.apply([BodyEdit::Unregister { id }]).unwrap();
    assert_eq!(again.attached_cost_modifiers().count(), 0);
    assert_eq!(again.ground().cost_modifiers().count(), 0);
    assert!(
        World::load(&again.save())
            .unwrap()
            .attached_cost_modifiers()
            .next()
            .is_none()
    );
}
