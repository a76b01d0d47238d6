//! Directory and page tables against reference maps.

use std::collections::BTreeMap;

use wayfarer_base::{Rng, Terrain};

use super::*;

#[test]
fn a_directory_finds_inserted_and_not_removed_entries() {
    let mut rng = Rng::new(4);
    let mut directory = Directory::default();
    let mut expected = BTreeMap::new();
    for value in 0..5_000 {
        let key = (rng.between(-20, 20), rng.between(-20, 20));
        if expected.remove(&key).is_some() {
            directory.remove(key.0, key.1);
        } else {
            directory.insert(key.0, key.1, value);
            expected.insert(key, value);
        }
        let queried = (rng.between(-20, 20), rng.between(-20, 20));
        assert_eq!(
            directory.find(queried.0, queried.1),
            expected.get(&queried).copied()
        );
    }
}

#[test]
fn removing_a_sheet_leaves_the_others_in_place() {
    let mut page = Page::new(PageKey { x: 0, y: 0 }, 0);
    for position in [3, 9, 60] {
        page.add(Sheet::new(position, i32::from(position), Terrain::GROUND));
    }
    page.remove(3);
    assert!(page.sheet(3).is_none());
    assert_eq!(page.sheet(9).map(|sheet| sheet.base), Some(9));
    assert_eq!(page.sheet(60).map(|sheet| sheet.base), Some(60));
}

#[test]
fn positions_and_sectors_convert_both_directions() {
    for sector in [
        SectorId::new(-1, -9),
        SectorId::new(7, 8),
        SectorId::new(0, 0),
    ] {
        assert_eq!(
            PageKey::from_sector(sector).sector(position_of(sector)),
            sector
        );
    }
}
