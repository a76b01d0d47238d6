//! Conversion of grounds to flat maps.

use wayfarer_base::{
    Cell, Column, CostMultiplier, GroundEdit, LinkDirection, LinkState, NavLink, NavLinkKind,
    Profile, Terrain,
};
use wayfarer_testkit::ascii;

use super::NotFlat;
use crate::ground::Ground;

fn ground(drawing: &str) -> Ground {
    Ground::from_data(&ascii::world(drawing)).unwrap()
}

#[test]
fn ground_without_blocked_steps_is_a_flat_map() {
    let flat = ground(
        "
        = 3 at -5,20
        ..#1
        .#..
        ",
    )
    .flat()
    .unwrap();
    assert_eq!(flat.origin, Column::new(-5, 20));
    assert_eq!(
        flat.map,
        ascii::raster(
            "
            ..#.
            .#..
            "
        )
    );
    let nothing = Ground::new(Profile::DEFAULT).unwrap().flat().unwrap();
    assert_eq!((nothing.map.width(), nothing.map.height()), (0, 0));
}

#[test]
fn what_a_flat_map_cannot_have_is_an_error_with_its_cell() {
    let over = ground("= 0\n...\n= 20\n.").flat();
    let expected = NotFlat::Floors {
        lower: Cell::new(0, 0, 0),
        upper: Cell::new(0, 0, 20),
    };
    assert_eq!(over, Err(expected));
    // A cliff.
    let at = Cell::new(1, 0, 0);
    assert_eq!(ground("..9").flat(), Err(NotFlat::Steps { at }));
    // A nav link, and costlier terrain.
    let mut irregular = ground("....");
    let nav_link = NavLink {
        from: Cell::flat(0, 0),
        to: Cell::flat(3, 0),
        kind: NavLinkKind::Teleport,
        direction: LinkDirection::Bidirectional,
        cost: wayfarer_base::Cost::from_cells(1.0),
        state: LinkState::Open,
    };
    irregular
        .apply(&[GroundEdit::PutNavLink(nav_link)])
        .unwrap();
    let at = Cell::flat(0, 0);
    assert_eq!(irregular.flat(), Err(NotFlat::Steps { at }));
    let mut data = ascii::world(".S.");
    data.profile.terrain_costs =
        vec![(Terrain::SWAMP, CostMultiplier::from_sixteenths(48).unwrap())];
    let costly = Ground::from_data(&data).unwrap();
    assert_eq!(costly.flat(), Err(NotFlat::Steps { at }));
}
