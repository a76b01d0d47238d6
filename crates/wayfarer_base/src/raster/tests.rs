//! Size checks and terrains of rasters.

use super::*;

#[test]
fn a_raster_above_the_limit_is_rejected_before_allocation() {
    assert!(Raster::new(u32::MAX, u32::MAX).is_none());
    assert!(Raster::new(1 << 15, (1 << 15) + 1).is_none());
    assert_eq!(Raster::new(0, 9).unwrap().bytes().len(), 0);
}

#[test]
fn bytes_that_are_no_terrain_are_rejected() {
    assert!(Raster::from_bytes(2, 1, vec![0, 255]).is_some());
    assert!(Raster::from_bytes(2, 1, vec![0, 64]).is_none());
    assert!(Raster::from_bytes(2, 1, vec![0]).is_none());
}

#[test]
fn only_ground_and_swamp_are_walkable() {
    let map = Raster::from_bytes(5, 1, vec![0, 1, 2, 3, 255]).unwrap();
    let walkable: Vec<bool> = (0..5).map(|x| map.is_walkable(x, 0)).collect();
    assert_eq!(walkable, [true, true, false, false, false]);
}
