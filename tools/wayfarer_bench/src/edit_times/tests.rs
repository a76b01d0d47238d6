use super::*;

fn open(width: u32, height: u32) -> Raster {
    Raster::from_bytes(width, height, vec![0; (width * height) as usize]).unwrap()
}

fn row(y: i32, len: i32) -> Vec<(Cell, Terrain)> {
    (0..len)
        .map(|x| (Cell::flat(x, y), Terrain::GROUND))
        .collect()
}

#[test]
fn going_there_and_back_leaves_the_ground_as_it_was() {
    let map = open(40, 30);
    let mut ground = Ground::from_raster(&map);
    let timer = EditTimer::default();
    let pair = ReversibleEdit::cut(&row(17, 40));
    let mut times = timer.there_and_back(&mut ground, &pair, 5);
    assert_eq!((times.there.len(), times.back.len()), (5, 5));
    let (best, center) = (times.bests(), times.medians());
    assert!(best.0 > 0.0 && best.0 <= center.0 && best.1 <= center.1);
    let single = timer.one_by_one(&mut ground, &pair, 3);
    assert_eq!((single.there.len(), single.back.len()), (3, 3));
    assert_eq!(differs(&ground, &map), None);
}

#[test]
fn a_cut_reports_what_it_split() {
    let mut ground = Ground::from_raster(&open(40, 30));
    let pair = ReversibleEdit::cut(&row(17, 40));
    let timer = EditTimer::default();
    assert_eq!(timer.once(&mut ground, &pair.there).0.split_pairs.len(), 1);
    assert_eq!(timer.once(&mut ground, &pair.back).0.merged_pairs.len(), 1);
    let reversed = pair.clone().reversed();
    assert_eq!((&reversed.there, &reversed.back), (&pair.back, &pair.there));
}

#[test]
fn a_ground_that_is_not_that_of_the_map_is_noticed() {
    let mut map = open(40, 30);
    let mut ground = Ground::from_raster(&map);
    map.set(5, 5, None);
    assert!(differs(&ground, &map).unwrap().contains("1200 floors"));
    let cell = Cell::flat(5, 5);
    ground.apply(&[GroundEdit::RemoveCell { cell }]).unwrap();
    assert_eq!(differs(&ground, &map), None);
    map.set(5, 5, Terrain::new(2));
    let terrain = Terrain::GROUND;
    ground
        .apply(&[GroundEdit::PutCell { cell, terrain }])
        .unwrap();
    assert!(differs(&ground, &map).is_some(), "terrain differs");
}
