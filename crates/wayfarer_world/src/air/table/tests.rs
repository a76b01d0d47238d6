//! The hash table against an ordered map.
use super::*;
use wayfarer_base::Rng;
use wayfarer_base::collections::OrderedMap;

#[test]
fn a_table_agrees_with_an_ordered_map_under_random_edits() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let (mut table, mut map) = (Table::default(), OrderedMap::new());
        for step in 0..3_000_u32 {
            let key = u64::from(rng.below(200)) << (rng.below(2) * 32);
            if rng.chance(1, 2) {
                table.put(key, step);
                map.insert(key, step);
            } else {
                table.remove(key);
                map.remove(&key);
            }
            let query = u64::from(rng.below(200));
            assert_eq!(
                table.get(query),
                map.get(&query).copied(),
                "seed {seed} step {step}"
            );
        }
        assert_eq!(table.len, map.len());
        for (key, value) in map {
            assert_eq!(table.get(key), Some(value));
        }
    }
}
