//! Fixed sequence and uniformity of the generator.

use super::*;

#[test]
fn the_sequence_of_a_seed_is_fixed() {
    let mut rng = Rng::new(42);
    let drawn = [rng.next_u64(), rng.next_u64()];
    assert_eq!(drawn, [0xBDD7_3226_2FEB_6E95, 0x28EF_E333_B266_F103]);
}

#[test]
fn below_is_uniform() {
    let mut rng = Rng::new(1);
    let mut counts = [0_u32; 6];
    for _ in 0..60_000 {
        counts[rng.below(6) as usize] += 1;
    }
    assert!(
        counts.iter().all(|n| (9_500..10_500).contains(n)),
        "{counts:?}"
    );
}

#[test]
fn degenerate_ranges_do_not_overflow() {
    let mut rng = Rng::new(3);
    assert_eq!(rng.below(0), 0);
    assert_eq!(rng.between(5, 5), 5);
    assert_eq!(rng.between(5, 4), 5);
    for _ in 0..100 {
        assert!((i32::MAX - 1..=i32::MAX).contains(&rng.between(i32::MAX - 1, i32::MAX)));
    }
}

#[test]
fn shuffling_keeps_every_item() {
    let mut items: Vec<u32> = (0..100).collect();
    Rng::new(9).shuffle(&mut items);
    assert_ne!(items, (0..100).collect::<Vec<_>>());
    items.sort_unstable();
    assert_eq!(items, (0..100).collect::<Vec<_>>());
}
