//! The bounds of all floors against the floors one by one.

use wayfarer_base::{Cell, Column, GroundEdit, Profile, Rect, Rng, Terrain};

use crate::ground::Ground;

fn empty() -> Ground {
    Ground::new(Profile::DEFAULT).unwrap()
}

const fn floor(cell: Cell) -> GroundEdit {
    let terrain = Terrain::GROUND;
    GroundEdit::PutCell { cell, terrain }
}

#[test]
fn the_bounds_of_a_ground_are_those_of_its_floors() {
    let mut rng = Rng::new(11);
    for turn in 0..40 {
        let mut ground = empty();
        let mut expected = Rect::EMPTY;
        assert_eq!(ground.bounds(), expected);
        for _ in 0..turn {
            let at = Column::new(rng.between(-60, 60), rng.between(-60, 60));
            ground.apply(&[floor(at.at(rng.between(0, 3)))]).unwrap();
            expected = expected.including(at);
            assert_eq!(ground.bounds(), expected);
        }
    }
    let mut ground = empty();
    let far = [Cell::flat(-40, 7), Cell::flat(90, 8)];
    ground.apply(&far.map(floor)).unwrap();
    let gone = GroundEdit::RemoveCell { cell: far[0] };
    ground.apply(&[gone]).unwrap();
    assert_eq!(
        ground.bounds(),
        Rect::around(far[1].column(), far[1].column())
    );
}
