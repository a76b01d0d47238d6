//! The checker against the slow oracle, on lines of every kind.

use wayfarer_engine::base::{Fixed, Rng, Voxel};
use wayfarer_testkit::voxels::ReferenceVoxels;
use wayfarer_testkit::voxels::clearance::center;

use super::Bits;

fn random_voxel(rng: &mut Rng) -> Voxel {
    let mut at = || i32::try_from(rng.below(9)).unwrap();
    Voxel::new(at(), at(), at())
}

#[test]
fn a_line_is_free_if_no_voxel_that_it_touches_is_solid() {
    let mut rng = Rng::new(4);
    for _ in 0..4_000 {
        let (from, to, solid) = (
            random_voxel(&mut rng),
            random_voxel(&mut rng),
            random_voxel(&mut rng),
        );
        let mut space = ReferenceVoxels::new([9; 3]);
        space.set(solid, true);
        let mut bits = Bits::empty([9; 3]);
        bits.fill([solid.x, solid.y, solid.z].map(i64::from), true);
        // A ball of nearly nothing overlaps whatever the line touches.
        let room = space.clearance_along(center(from), center(to)).unwrap();
        assert_eq!(
            bits.is_line_free(from, to),
            room > 1e-9,
            "{from} {to} {solid}"
        );
        let radius = Fixed::from_raw(*rng.pick(&[100, 200, 384, 650]).unwrap());
        let fits = space.is_sweep_clear(center(from), center(to), radius.to_cells());
        if (room - radius.to_cells()).abs() > 1e-3 {
            assert_eq!(
                bits.is_ball_free(from, to, radius),
                fits,
                "{from} {to} {solid}"
            );
        }
    }
}

/// Balls on long segments: the voxels tested near the segment suffice.
#[test]
fn a_swept_ball_hits_what_the_oracle_says() {
    let mut rng = Rng::new(9);
    let mut n_blocked = 0;
    for _ in 0..2_000 {
        let mut random = || {
            let mut at = || i32::try_from(rng.below(24)).unwrap();
            Voxel::new(at(), at(), at())
        };
        let (from, to, solid) = (random(), random(), random());
        let mut space = ReferenceVoxels::new([24; 3]);
        space.set(solid, true);
        let mut bits = Bits::empty([24; 3]);
        bits.fill([solid.x, solid.y, solid.z].map(i64::from), true);
        let radius = Fixed::from_raw(*rng.pick(&[256, 640, 1000]).unwrap());
        let room = space.clearance_along(center(from), center(to)).unwrap();
        if (room - radius.to_cells()).abs() > 1e-3 {
            let expected = room > radius.to_cells();
            assert_eq!(
                bits.is_ball_free(from, to, radius),
                expected,
                "{from} {to} {solid}"
            );
            n_blocked += usize::from(!expected);
        }
    }
    assert!(n_blocked > 50, "{n_blocked}");
}

#[test]
fn a_ball_gets_through_a_tunnel_as_wide_as_itself() {
    let mut bits = Bits::empty([9; 3]);
    for (y, z) in (0..9).flat_map(|y| (0..9).map(move |z| (y, z))) {
        let is_hole = (3..6).contains(&y) && (3..6).contains(&z);
        bits.fill([4, y, z], !is_hole);
    }
    let (from, to) = (Voxel::new(1, 1, 1), Voxel::new(7, 7, 7));
    for (raw, expected) in [
        (0, true),
        (256, true),
        (384, true),
        (385, false),
        (512, false),
    ] {
        let radius = Fixed::from_raw(raw);
        assert_eq!(bits.joins(from, to, radius), expected, "{raw}");
        assert_eq!(bits.has_room([4, 4, 4], radius), expected, "{raw}");
    }
    assert!(!bits.has_room([4, 0, 0], Fixed::from_raw(0)), "solid");
    assert!(!bits.has_room([-1, 0, 0], Fixed::from_raw(0)), "outside");
}
