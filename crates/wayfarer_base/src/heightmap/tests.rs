//! Size checks and indexing of heightmaps.

use super::*;

#[test]
fn a_height_count_other_than_the_area_is_rejected() {
    assert_eq!(Heightmap::new(2, 2, vec![0; 3]), None);
    assert_eq!(Heightmap::new(u32::MAX, u32::MAX, Vec::new()), None);
    assert!(Heightmap::new(0, 5, Vec::new()).is_some());
}

#[test]
fn rows_run_west_to_east_then_south() {
    let map = Heightmap::new(3, 2, vec![1, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!(map.get(2, 0), Some(3));
    assert_eq!(map.get(0, 1), Some(4));
    assert_eq!(map.rect().columns().count(), 6);
    for (x, y) in [(-1, 0), (0, -1), (3, 0), (0, 2)] {
        assert_eq!(map.get(x, y), None);
    }
}

#[test]
fn a_map_without_columns_has_no_range() {
    assert_eq!(Heightmap::default().range(), None);
    assert!(Heightmap::default().rect().is_empty());
}
