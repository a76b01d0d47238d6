//! The memory report of a ground equals what a counting allocator measures, after any edits.

use wayfarer_base::{Fixed, Profile, Rng};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_profile, random_world};
use wayfarer_world::ground::Ground;

#[track_caller]
fn check(ground: &Ground, before: i64, note: std::fmt::Arguments<'_>) {
    let seen = wayfarer_counting::allocation_stats().bytes_now - before;
    let report = ground.memory_report();
    let reported = i64::try_from(report.total() + report.scratch).expect("few bytes");
    assert_eq!(reported, seen, "{note}: {report:?}");
}

#[test]
fn the_report_equals_what_the_allocator_sees() {
    for kind in WorldKind::ALL {
        let plan = random_world(3, kind);
        let mut world = ReferenceWorld::new(&plan);
        let mut rng = Rng::new(5);
        let batches: Vec<_> = (0..20)
            .map(|_| {
                let edits = random_batch(&mut rng, &world);
                world.apply(&edits);
                edits
            })
            .collect();
        let profile = random_profile(&mut rng);
        let before = wayfarer_counting::allocation_stats().bytes_now;
        let mut ground = Ground::from_data(&plan).unwrap();
        check(&ground, before, format_args!("{kind:?} fresh"));
        for (number, edits) in batches.iter().enumerate() {
            ground.apply(edits).unwrap();
            check(&ground, before, format_args!("{kind:?} batch {number}"));
        }
        let profile_id = ground.register_profile(profile.clone()).unwrap();
        check(&ground, before, format_args!("{kind:?} with a profile"));
        ground
            .register_profile(Profile {
                radius: Fixed::from_raw(300),
                ..profile.clone()
            })
            .unwrap();
        for edits in &batches {
            ground.apply(edits).unwrap();
        }
        check(
            &ground,
            before,
            format_args!("{kind:?} profiles after edits"),
        );
        ground.unregister_profile(profile_id);
        ground.trim();
        check(&ground, before, format_args!("{kind:?} trimmed"));
        drop(ground);
        assert_eq!(
            wayfarer_counting::allocation_stats().bytes_now,
            before,
            "everything is freed"
        );
    }
}
