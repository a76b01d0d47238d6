//! Known clearances, and agreement with sampling.

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
    let clearance = space.clearance_along(from, to).unwrap();
    assert!(
        (clearance - expected).abs() < 1e-12,
        "{clearance}, not {expected}"
    );
    let back = space.clearance_along(to, from).unwrap();
    assert!((clearance - back).abs() < 1e-12);
}

#[test]
fn distances_to_one_cube_are_exact() {
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
fn an_open_ball_may_touch_a_solid_voxel() {
    let space = one_solid();
    let (from, to) = ([0.0, 2.0, 4.5], [9.0, 2.0, 4.5]);
    assert!(space.is_sweep_clear(from, to, 2.0));
    assert!(!space.is_sweep_clear(from, to, 2.000_001));
    assert!(ReferenceVoxels::new([2, 2, 2]).is_sweep_clear(from, to, 1e6));
    assert_eq!(ReferenceVoxels::new([2, 2, 2]).clearance_at([0.0; 3]), None);
}

#[test]
fn sampling_the_segment_never_finds_less_clearance() {
    let mut rng = Rng::new(6);
    let mut n_clear = 0;
    for _ in 0..200 {
        let space = random_space(&mut rng, [6, 6, 6], 1);
        let mut point = || [0; 3].map(|_: i32| f64::from(rng.between(0, 600)) / 100.0);
        let (from, to) = (point(), point());
        let Some(clearance) = space.clearance_along(from, to) else {
            continue;
        };
        let sampled = (0..=400)
            .map(|step| {
                let t = f64::from(step) / 400.0;
                let at = [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * t);
                space.clearance_at(at).unwrap()
            })
            .fold(f64::MAX, f64::min);
        assert!(sampled >= clearance - 1e-12, "{sampled} {clearance}");
        assert!(sampled <= clearance + 0.02, "{sampled} {clearance}");
        n_clear += u32::from(clearance > 0.0);
    }
    assert!(n_clear > 20, "{n_clear} segments miss everything");
}
