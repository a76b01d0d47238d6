//! Right worlds have no fault, wrong ones are reported.

use wayfarer_engine::base::{Rng, VoxelSet};
use wayfarer_engine::make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer_engine::world::air::AirEdit;

use super::oracle::{differs, met, voxel};
use super::*;
use crate::flight::lines::Bits;
use crate::report::Figures;

fn hall() -> VoxelSet {
    let recipe = Recipe {
        depth: 20,
        ..Recipe::new(Generator::Hall, 40, 30, 3)
    };
    match make(&recipe) {
        Ok(GeneratedWorld::Voxels(voxels)) => voxels,
        _ => panic!("halls are made of voxels"),
    }
}

fn tools() -> Tools {
    Tools {
        timer: Timer::new(),
        n_threads: 1,
        is_counted: false,
    }
}

#[test]
fn a_right_map_has_no_fault_and_every_figure() {
    let row = one_map::measure("hall", &hall(), (1, 60), &tools()).unwrap();
    assert_eq!(row.faults, Vec::<String>::new());
    assert_eq!(row.edits.len(), 60);
    assert!(row.n_blocked_rays > 100 && row.n_blocked_rays < row.n_rays);
    let figures = [row.build_ms, row.ray_ns, row.locate_ns, row.reach_ns];
    assert!(
        figures
            .iter()
            .all(|figure| figure.is_finite() && *figure > 0.0)
    );
    assert!(row.memory_bytes > 0 && row.components > 0);
}

#[test]
fn an_air_that_is_not_its_map_is_found_out() {
    let voxels = hall();
    let mut air = one_map::build(&voxels, 1).unwrap();
    assert_eq!(differs(&air, &voxels), None);
    let solid = voxel(voxels.solid()[0]);
    let clear = AirEdit::Clear {
        low: solid,
        high: solid,
    };
    air.apply(&[clear]).unwrap();
    assert!(differs(&air, &voxels).is_some());
    // As many solid voxels, but one of them elsewhere.
    let free = air.nearest_free(solid, 9).unwrap();
    let other = air.nearest_free(voxel([20, 15, 10]), 9).unwrap();
    assert_ne!(free, other);
    let fill = AirEdit::Fill {
        low: other,
        high: other,
    };
    air.apply(&[fill]).unwrap();
    assert!(differs(&air, &voxels).is_some());
}

#[test]
fn the_oracle_counts_parts_as_a_flood_does() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let size = [(); 3].map(|()| 1 + rng.below(7));
        let mut bits = Bits::empty(size);
        let share = rng.below(4);
        for at in all(size) {
            bits.fill(at.map(i64::from), rng.chance(share, 4));
        }
        let voxels = bits.to_set();
        let air = one_map::build(&voxels, 1).unwrap();
        assert_eq!(differs(&air, &voxels), None, "seed {seed}");
        let mut left: Vec<[u32; 3]> = all(size)
            .filter(|at| bits.is_free(at.map(i64::from)))
            .collect();
        let mut n_parts = 0;
        while let Some(start) = left.pop() {
            n_parts += 1;
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                let apart = |a: &[u32; 3]| (0..3).map(|n| a[n].abs_diff(at[n])).sum::<u32>();
                let (near, far) = left.into_iter().partition(|other| apart(other) == 1);
                left = far;
                let near: Vec<[u32; 3]> = near;
                open.extend(near);
            }
        }
        assert_eq!(air.n_components(), n_parts, "seed {seed}");
    }
}

fn all([width, height, depth]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..depth).flat_map(move |z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])))
}

#[test]
fn lines_meet_what_they_pass_and_corners_count() {
    let solid = vec![[1, 0, 0], [4, 4, 4]];
    let bits = Bits::of(&VoxelSet::new([6; 3], solid).unwrap());
    let met = |from, to| met(&bits, from, to);
    assert_eq!(met([0, 0, 0], [0, 5, 5]), Vec::<[u32; 3]>::new());
    assert_eq!(met([0, 0, 0], [5, 0, 0]), [[1, 0, 0]]);
    // Through the corner: the voxel beside the diagonal blocks.
    assert_eq!(met([0, 0, 0], [1, 1, 0]), [[1, 0, 0]]);
    assert_eq!(met([3, 3, 3], [5, 5, 5]), [[4, 4, 4]]);
    assert_eq!(met([1, 0, 0], [5, 5, 0]), [[1, 0, 0]]);
}

#[test]
fn asteroids_and_boards_are_measured_and_compared() {
    let arguments = Arguments {
        rocks: Some(RockPlan {
            n_rocks: 30,
            side: 100,
            n_moving: 5,
            n_ticks: 6,
            check_every: 3,
            seed: 2,
        }),
        boards: vec![9],
        ..Arguments::default()
    };
    let mut begun = Vec::new();
    let report = arguments.run(false, |part, _| begun.push(part.to_owned()));
    let report = report.unwrap();
    assert_eq!(begun, ["asteroids", "board 9"]);
    assert_eq!(report.faults(), Vec::<String>::new());
    let rocks = report.asteroids.as_ref().unwrap();
    assert_eq!((rocks.checks, report.wrong), (2, 0));
    assert_eq!(report.memory_bytes, rocks.memory_bytes);
    assert_eq!(report.boards[0].components, 9 * 9 * 9 / 2);
    let text = report.render();
    assert!(
        text.contains("tick ms") && text.contains("9 cubed"),
        "{text}"
    );
    assert!(report.to_json().contains("\"edit_us\""));
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let nothing = Arguments::default().run(false, |_, _| {}).unwrap_err();
    assert!(nothing.to_string().starts_with("nothing to measure"));
    let rocks = |n_rocks, n_moving, side| {
        let plan = RockPlan {
            n_rocks,
            n_moving,
            side,
            ..RockPlan::default()
        };
        rocks::measure(&plan, &tools()).map(|_| ())
    };
    assert!(rocks(3, 4, 100).is_err());
    assert!(rocks(3, 1, 1 << 20).is_err());
}
