//! Semantics of edits in the reference world.

use wayfarer_base::{Cost, CostMultiplier, Fixed, LinkState, NavLinkKind, Point2, Rect, Shape};

use super::*;
use crate::ascii;

fn rect_shape(x: i32, y: i32, to_x: i32, to_y: i32) -> Shape {
    Shape::Box(Rect::around(Column::new(x, y), Column::new(to_x, to_y)))
}

/// Applies `edits` to the world drawn as `before` and compares its floors with `after`.
#[track_caller]
fn check(before: &str, edits: &[GroundEdit], after: &str) {
    let mut world = ReferenceWorld::new(&ascii::world(before));
    world.apply(edits);
    let expected = ReferenceWorld::new(&ascii::world(after));
    assert_eq!(world.to_data(), expected.to_data(), "{edits:?}");
}

#[test]
fn floors_are_added_and_removed() {
    let cell = Cell::flat(1, 0);
    let terrain = Terrain::SWAMP;
    check("...", &[GroundEdit::PutCell { cell, terrain }], ".S.");
    check(".#.", &[GroundEdit::PutCell { cell, terrain }], ".S.");
    check("...", &[GroundEdit::RemoveCell { cell }], ".#.");
    check(".#.", &[GroundEdit::RemoveCell { cell }], ".#.");
    let above = Cell::new(1, 0, 4);
    check("...", &[GroundEdit::RemoveCell { cell: above }], "...");
    let put = GroundEdit::PutCell {
        cell: above,
        terrain,
    };
    check("...", &[put], "...\n= 4\n#S");
}

#[test]
fn areas_are_filled_at_one_height_and_cleared_between_two() {
    let fill = GroundEdit::Fill {
        shape: rect_shape(1, 0, 2, 1),
        z: 0,
        terrain: Terrain::WATER,
    };
    check("....\n.#..", &[fill], ".WW.\n.WW.");
    let clear = GroundEdit::Clear {
        shape: rect_shape(0, 0, 1, 0),
        heights: (1, 2),
    };
    check(
        "...\n= 2\n...\n= 3\n...",
        &[clear],
        "...\n= 2\n##.\n= 3\n...",
    );
    let round = GroundEdit::Clear {
        shape: Shape::Circle {
            center: Point2::from_raw(384, 384),
            radius: Fixed::from_raw(256),
        },
        heights: (0, 0),
    };
    check("...\n...\n...", &[round], ".#.\n###\n.#.");
}

#[test]
fn a_patch_overwrites_its_rectangle_at_its_height_only() {
    let patch = GroundEdit::Patch {
        at: Column::new(1, 0),
        z: 0,
        raster: ascii::raster("#S\nS#"),
    };
    check("....\n....\n= 1\n....", &[patch], ".#S.\n.S#.\n= 1\n....");
}

#[test]
fn edits_are_applied_in_order() {
    let cell = Cell::flat(0, 0);
    let terrain = Terrain::GROUND;
    let (put, remove) = (
        GroundEdit::PutCell { cell, terrain },
        GroundEdit::RemoveCell { cell },
    );
    check("#", &[put.clone(), remove.clone()], "#");
    check("#", &[remove, put], ".");
}

#[test]
fn a_nav_link_is_identified_by_its_ends_and_its_kind() {
    let (a, b) = (Cell::flat(0, 0), Cell::flat(2, 0));
    let mut world = ReferenceWorld::new(&ascii::world(".#."));
    let jump = ascii::nav_link(NavLinkKind::Jump, a, b, 3000);
    let costly = NavLink {
        cost: Cost::from_units(9000),
        ..jump
    };
    let stairs = ascii::nav_link(NavLinkKind::Stairs, a, b, 3000);
    world.apply(&[jump, costly, stairs].map(GroundEdit::PutNavLink));
    assert_eq!(world.nav_links().collect::<Vec<_>>(), vec![stairs, costly]);
    let (nav_link, state) = (NavLinkId::from(&jump), LinkState::Locked(4));
    world.apply(&[
        GroundEdit::SetNavLinkState { nav_link, state },
        GroundEdit::RemoveNavLink((&stairs).into()),
        GroundEdit::RemoveNavLink((&stairs).into()),
    ]);
    assert_eq!(
        world.nav_links().collect::<Vec<_>>(),
        vec![NavLink { state, ..costly }]
    );
}

#[test]
fn walls_and_nav_links_outlive_the_floors_beside_them() {
    let (a, b) = (Cell::flat(0, 0), Cell::flat(1, 0));
    let (wall, nav_link) = ascii::door(a, b, LinkState::Closed);
    let mut world = ReferenceWorld::new(&ascii::world(".."));
    world.apply(&[GroundEdit::PutWall(wall), GroundEdit::PutNavLink(nav_link)]);
    let before = world.clone();
    world.apply(&[GroundEdit::RemoveCell { cell: a }]);
    assert_ne!(world, before);
    let terrain = Terrain::GROUND;
    world.apply(&[GroundEdit::PutCell { cell: a, terrain }]);
    assert_eq!(world, before);
    world.apply(&[GroundEdit::RemoveWall(wall), GroundEdit::RemoveWall(wall)]);
    assert_eq!(world.walls().count(), 0);
}

#[test]
fn a_world_is_rebuilt_from_its_edits() {
    let mut data = ascii::world("..1\n#S.\n= 7 at -3,-3\nWa");
    let (wall, nav_link) = ascii::door(Cell::flat(0, 0), Cell::flat(1, 0), LinkState::Locked(1));
    data.walls.push(wall);
    data.nav_links.push(nav_link);
    let mut world = ReferenceWorld::new(&data);
    let modifier = CostModifier {
        shape: rect_shape(0, 0, 1, 1),
        heights: (0, 3),
        multiplier: CostMultiplier::from_sixteenths(40).unwrap(),
    };
    let id = CostModifierId(8);
    world.apply(&[GroundEdit::PutCostModifier { id, modifier }]);
    let mut again = ReferenceWorld::default();
    again.apply(&world.edits());
    assert_eq!(again, world);
    assert_eq!(
        ReferenceWorld::new(&world.to_data()).n_cells(),
        world.n_cells()
    );
    again.apply(&[GroundEdit::RemoveCostModifier(id)]);
    assert_eq!(again, ReferenceWorld::new(&data));
}
