//! The checker against the slow oracle, on lines of every kind.

use wayfarer::base::{Dice, Fixed, Voxel};
use wayfarer_testkit::voxels::PlainSpace;
use wayfarer_testkit::voxels::clearance::middle;

use super::Bits;

fn random_voxel(dice: &mut Dice) -> Voxel {
    let mut at = || i32::try_from(dice.below(9)).unwrap();
    Voxel::new(at(), at(), at())
}

#[test]
fn a_line_is_free_if_no_voxel_that_it_touches_is_solid() {
    let mut dice = Dice::new(4);
    for _ in 0..4_000 {
        let (from, to, solid) = (
            random_voxel(&mut dice),
            random_voxel(&mut dice),
            random_voxel(&mut dice),
        );
        let mut space = PlainSpace::new([9; 3]);
        space.set(solid, true);
        let mut bits = Bits::empty([9; 3]);
        bits.fill([solid.x, solid.y, solid.z].map(i64::from), true);
        // A ball of nearly nothing overlaps whatever the line touches.
        let room = space.room_along(middle(from), middle(to)).unwrap();
        assert_eq!(
            bits.is_line_free(from, to),
            room > 1e-9,
            "{from} {to} {solid}"
        );
        let radius = Fixed::from_raw(200);
        let fits = space.ball_fits(middle(from), middle(to), radius.to_cells());
        if (room - radius.to_cells()).abs() > 1e-3 {
            assert_eq!(
                bits.is_ball_free(from, to, radius),
                fits,
                "{from} {to} {solid}"
            );
        }
    }
}
