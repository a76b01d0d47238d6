use std::collections::BTreeMap;

use wayfarer_base::{Rng, Terrain};

use super::*;

#[test]
fn a_directory_finds_what_was_kept_and_forgets_what_was_removed() {
    let mut rng = Rng::new(4);
    let mut directory = Directory::default();
    let mut expected = BTreeMap::new();
    for value in 0..5_000 {
        let place = (rng.between(-20, 20), rng.between(-20, 20));
        if expected.remove(&place).is_some() {
            directory.remove(place.0, place.1);
        } else {
            directory.insert(place.0, place.1, value);
            expected.insert(place, value);
        }
        let asked = (rng.between(-20, 20), rng.between(-20, 20));
        assert_eq!(
            directory.find(asked.0, asked.1),
            expected.get(&asked).copied()
        );
    }
}

#[test]
fn taking_a_sheet_out_leaves_the_others_where_they_are() {
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
fn positions_and_sectors_are_each_other() {
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
