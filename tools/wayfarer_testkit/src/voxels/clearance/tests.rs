use wayfarer_base::Rng;

use super::super::tests::random_space;
use super::*;

fn one_solid() -> ReferenceVoxels {
    let mut space = ReferenceVoxels::new([9, 9, 9]);
    space.set(Voxel::new(4, 4, 4), true);
    space
}

#[track_caller]
fn check(from: SpacePoint, to: SpacePoint, expected: f64) {
    let space = one_solid();
    let room = space.room_along(from, to).unwrap();
    assert!((room - expected).abs() < 1e-12, "{room}, not {expected}");
    let back = space.room_along(to, from).unwrap();
    assert!((room - back).abs() < 1e-12);
}

#[test]
fn distances_to_one_cube_are_right() {
    check([4.5; 3], [4.5; 3], 0.0);
    check([1.0, 4.5, 4.5], [1.0, 4.5, 4.5], 3.0);
    check([8.0, 8.0, 4.2], [8.0, 8.0, 4.2], 18.0_f64.sqrt());
    check([3.0; 3], [3.0; 3], 3.0_f64.sqrt());
    // Past a face, past an edge, past a corner, through.
    check([0.0, 2.0, 4.5], [9.0, 2.0, 4.5], 2.0);
    check([0.0, 3.0, 3.0], [9.0, 3.0, 3.0], 2.0_f64.sqrt());
    check([0.0, 6.0, 4.5], [6.0, 0.0, 4.5], 2.0_f64.sqrt());
    check([0.0, 0.0, 0.0], [9.0, 9.0, 9.0], 0.0);
    // Nearest to an end.
    check([0.0, 4.5, 4.5], [2.0, 4.5, 4.5], 2.0);
}

#[test]
fn a_ball_may_touch_but_not_enter() {
    let space = one_solid();
    let (from, to) = ([0.0, 2.0, 4.5], [9.0, 2.0, 4.5]);
    assert!(space.ball_fits(from, to, 2.0));
    assert!(!space.ball_fits(from, to, 2.000_001));
    assert!(ReferenceVoxels::new([2, 2, 2]).ball_fits(from, to, 1e6));
    assert_eq!(ReferenceVoxels::new([2, 2, 2]).room_at([0.0; 3]), None);
}

#[test]
fn sampling_the_segment_never_finds_less_room() {
    let mut rng = Rng::new(6);
    let mut n_tight = 0;
    for _ in 0..200 {
        let space = random_space(&mut rng, [6, 6, 6], 1);
        let mut point = || [0; 3].map(|_: i32| f64::from(rng.between(0, 600)) / 100.0);
        let (from, to) = (point(), point());
        let Some(room) = space.room_along(from, to) else {
            continue;
        };
        let sampled = (0..=400)
            .map(|step| {
                let t = f64::from(step) / 400.0;
                let at = [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * t);
                space.room_at(at).unwrap()
            })
            .fold(f64::MAX, f64::min);
        assert!(sampled >= room - 1e-12, "{sampled} {room}");
        assert!(sampled <= room + 0.02, "{sampled} {room}");
        n_tight += u32::from(room > 0.0);
    }
    assert!(n_tight > 20, "{n_tight} segments miss everything");
}
