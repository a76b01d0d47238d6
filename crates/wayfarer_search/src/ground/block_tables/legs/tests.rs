use super::*;

#[test]
fn a_leg_is_found_until_the_ring_has_overwritten_it() {
    let mut cache = LegCache {
        is_enabled: true,
        ..LegCache::default()
    };
    let leg = |n: u32| [n, n + 1, n + 2, n + 3, n + 4];
    cache.insert((1, 2, 3), &leg(7));
    assert_eq!(cache.find((1, 2, 3)), Some(&leg(7)[..]));
    assert_eq!(cache.find((2, 2, 3)), None, "another version");
    let n_turns = u32::try_from(N_NODES).unwrap() / 5 * 2;
    for n in 0..n_turns {
        let key = (10 + n, 1, 2);
        cache.insert(key, &leg(n));
        assert_eq!(cache.find(key), Some(&leg(n)[..]), "{n}");
    }
    assert_eq!(cache.find((1, 2, 3)), None, "overwritten");
    assert!(cache.nodes.len() <= N_NODES);
}
