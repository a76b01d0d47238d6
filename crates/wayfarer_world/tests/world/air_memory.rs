//! Reported memory equals what the allocator counted, and queries allocate nothing.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking and may say what it skips"
)]

use wayfarer_base::{CostMultiplier, Fixed, Point3, Rng, Voxel};
use wayfarer_counting::allocation_stats;
use wayfarer_world::air::{
    Air, AirBuilder, AirEdit, Geometry, GeometryId, Volume, VolumeId, VolumeRule,
};

fn voxel(rng: &mut Rng, side: i32) -> Voxel {
    let mut at = || rng.between(0, side - 1);
    Voxel::new(at(), at(), at())
}

fn built(seed: u64) -> Air {
    let mut rng = Rng::new(seed);
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [200; 3]).unwrap();
    for _ in 0..5_000 {
        builder.add_voxel(voxel(&mut rng, 200)).unwrap();
    }
    builder
        .add_box(Voxel::new(0, 0, 0), Voxel::new(199, 199, 20))
        .unwrap();
    builder.build().unwrap()
}

fn ball(rng: &mut Rng) -> Geometry {
    let mut at = || Fixed::from_raw(rng.between(0, 200 * 256));
    let center = Point3 {
        x: at(),
        y: at(),
        z: at(),
    };
    let radius = Fixed::from_raw(rng.between(0, 12 * 256));
    Geometry::Ball { center, radius }
}

fn check(air: &Air, before: i64, what: std::fmt::Arguments<'_>) {
    let counted = allocation_stats().bytes_now - before;
    assert_eq!(
        air.memory().total() as u64,
        counted.unsigned_abs(),
        "{what}"
    );
}

#[test]
fn reported_memory_equals_the_allocator_count() {
    let before = allocation_stats().bytes_now;
    let mut air = built(1);
    check(&air, before, format_args!("built"));
    let mut rng = Rng::new(2);
    for round in 0..200_u64 {
        let (a, b) = (voxel(&mut rng, 190), rng.between(0, 9));
        let bounds = (a, Voxel::new(a.x + b, a.y + b, a.z + b));
        let edit = match rng.below(4) {
            0 => AirEdit::Fill {
                low: bounds.0,
                high: bounds.1,
            },
            1 => AirEdit::Clear {
                low: bounds.0,
                high: bounds.1,
            },
            2 => AirEdit::PutVolume {
                id: VolumeId(round % 9),
                volume: Volume {
                    low: bounds.0,
                    high: bounds.1,
                    rule: VolumeRule::CostMultiplier(CostMultiplier::ONE),
                },
            },
            _ => AirEdit::Put {
                id: GeometryId(round % 50),
                geometry: ball(&mut rng),
            },
        };
        drop(air.apply(&[edit]).unwrap());
        check(&air, before, format_args!("round {round}"));
    }
    drop(air);
    assert_eq!(allocation_stats().bytes_now, before);
}

#[test]
fn queries_allocate_nothing() {
    let air = built(3);
    let mut rng = Rng::new(4);
    let before = allocation_stats().allocations;
    for _ in 0..500 {
        let (a, b) = (voxel(&mut rng, 200), voxel(&mut rng, 200));
        let point = |at: Voxel| Point3 {
            x: Fixed::from_raw(at.x * 256),
            y: Fixed::from_raw(at.y * 256 + 100),
            z: Fixed::from_raw(at.z * 256 + 128),
        };
        let node = air.locate(a).unwrap();
        let mut sum = u64::from(air.is_free(b)) + u64::from(air.has_line_of_sight(a, b));
        sum += u64::from(node.side);
        sum += u64::from(air.cast_ray(point(a), point(b)).unwrap().is_some());
        sum += u64::from(
            air.sweep(point(a), point(b), Fixed::from_raw(300))
                .is_some(),
        );
        sum += u64::from(air.clearance(point(a), Fixed::from_raw(2_000)).raw() > 0);
        sum += u64::from(air.nearest_free(a, 30).is_some()) + u64::from(air.is_connected(a, b));
        if let Some(region) = air.region(a, 2) {
            air.for_each_region_neighbor(region, 2, |_, _| sum += 1);
        }
        sum += u64::from(air.cost_multiplier(a).is_some());
        assert!(sum > 0);
    }
    assert_eq!(allocation_stats().allocations, before);
}

/// Warm edits allocate only the change set they return.
#[test]
fn warm_edits_allocate_only_their_change_set() {
    let mut air = built(5);
    let toggle = |air: &mut Air| {
        let (low, high) = (Voxel::new(90, 90, 90), Voxel::new(97, 97, 97));
        air.apply(&[AirEdit::Fill { low, high }]).unwrap();
        air.apply(&[AirEdit::Clear { low, high }]).unwrap();
    };
    (0..3).for_each(|_| toggle(&mut air));
    let (before, held) = (allocation_stats().allocations, allocation_stats().bytes_now);
    (0..100).for_each(|_| toggle(&mut air));
    assert_eq!(allocation_stats().bytes_now, held);
    // Two lists per batch, one of them grown a few times.
    let per_batch = (allocation_stats().allocations - before) / 200;
    assert!(per_batch <= 8, "{per_batch} allocations for each batch");
}
