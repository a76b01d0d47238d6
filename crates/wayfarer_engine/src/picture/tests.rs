use wayfarer_base::{Cost, LinkDirection, NavLink, NavLinkKind, Point2, Shape};

use super::*;

/// `#` is nothing, `s` swamp, anything else ground.
fn map(text: &str) -> Raster {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let size = |n: usize| u32::try_from(n).unwrap();
    let mut map = Raster::new(size(rows[0].len()), size(rows.len())).unwrap();
    for (y, row) in (0..).zip(rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            let terrain = match letter {
                '#' => None,
                's' => Some(Terrain::SWAMP),
                _ => Some(Terrain::GROUND),
            };
            map.set(x, y, terrain);
        }
    }
    map
}

fn data(cells: &[(i32, i32, i32)]) -> WorldData {
    WorldData {
        cells: cells
            .iter()
            .map(|&(x, y, z)| (Cell::new(x, y, z), Terrain::GROUND))
            .collect(),
        ..WorldData::default()
    }
}

#[test]
fn a_run_of_one_terrain_is_one_mark_and_ends_at_a_change_or_gap() {
    let picture = Picture::from_raster(&map("..ss#.."));
    let lengths: Vec<_> = picture
        .marks()
        .iter()
        .map(|mark| match mark {
            Mark::Ground { from, length, .. } => (from.x, *length),
            other => panic!("{other:?} among the ground"),
        })
        .collect();
    assert_eq!(lengths, [(0, 2), (2, 2), (5, 2)]);
}

#[test]
fn an_empty_map_keeps_its_bounds() {
    let picture = Picture::from_raster(&map("### ###"));
    assert_eq!(picture.bounds().width(), 3);
    assert_eq!(picture.bounds().height(), 2);
    assert_eq!(picture.to_text(), "###\n###\n");
}

#[test]
fn an_empty_picture_has_one_height_band() {
    let picture = Picture::default();
    assert!(picture.bounds().is_empty());
    assert_eq!(picture.to_text(), "");
    assert_eq!(picture.height_bands().len(), 1);
}

#[test]
fn a_hill_without_overlaps_is_one_height_band() {
    let hill: Vec<_> = (0..9).map(|x| (x, 0, x * 3)).collect();
    assert_eq!(Picture::from_data(&data(&hill)).height_bands().len(), 1);
}

#[test]
fn height_bands_have_one_floor_per_column_and_are_minimal() {
    for seed in 0..200 {
        let mut rng = wayfarer_base::Rng::new(seed);
        let cells: Vec<_> = (0..40)
            .map(|_| (rng.between(0, 5), rng.between(0, 2), rng.between(-4, 8)))
            .collect();
        let mut data = data(&cells);
        data.cells.sort_unstable();
        data.cells.dedup();
        let bands = Picture::from_data(&data).height_bands();
        for pair in bands.windows(2) {
            assert_eq!(pair[0].high + 1, pair[1].low, "seed {seed}: a gap");
        }
        for band in &bands {
            let mut columns: Vec<_> = data
                .cells
                .iter()
                .filter(|(cell, _)| band.contains(cell.z))
                .map(|(cell, _)| cell.column())
                .collect();
            let n_cells = columns.len();
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(
                columns.len(),
                n_cells,
                "seed {seed}: two floors in {band:?}"
            );
        }
        // No two adjacent bands can be merged.
        for pair in bands.windows(2) {
            let both = |z: i32| pair[0].contains(z) || pair[1].contains(z);
            let inside: Vec<_> = data.cells.iter().filter(|(cell, _)| both(cell.z)).collect();
            let overlap = inside.iter().any(|(a, _)| {
                inside
                    .iter()
                    .any(|(b, _)| a != b && a.column() == b.column())
            });
            assert!(overlap, "seed {seed}: {pair:?} could be one");
        }
    }
}

#[test]
fn height_bands_are_drawn_one_below_the_other_with_their_nav_links() {
    let mut data = data(&[(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 5), (2, 0, 5)]);
    data.nav_links.push(NavLink {
        from: Cell::new(2, 0, 0),
        to: Cell::new(2, 0, 5),
        kind: NavLinkKind::Ladder,
        direction: LinkDirection::Bidirectional,
        cost: Cost::STRAIGHT,
        state: LinkState::Open,
    });
    let text = Picture::from_data(&data).to_text();
    assert_eq!(text, "floor 1\n..H\nfloor 2\n. H\n");
}

#[test]
fn only_expansions_are_drawn_and_in_their_order() {
    let at = |x| Location::Cell(Cell::flat(x, 0));
    let cost = Cost::ZERO;
    let events = [
        SearchEvent::Opened { at: at(4), cost },
        SearchEvent::Expanded { at: at(2), cost },
        SearchEvent::Improved { at: at(3), cost },
        SearchEvent::Expanded { at: at(1), cost },
    ];
    let mut picture = Picture::from_raster(&map("....."));
    picture.add_events(&events);
    assert_eq!(picture.to_text(), ".oo..\n");
    let orders = picture.marks()[1..].iter().map(|mark| match mark {
        Mark::Expanded { cell, order } => (cell.x, *order),
        other => panic!("{other:?} is no expansion"),
    });
    assert_eq!(orders.collect::<Vec<_>>(), [(2, 0), (1, 1)]);
}

#[test]
fn solid_voxels_in_a_row_are_one_mark() {
    let solid = vec![[0, 0, 0], [1, 0, 0], [3, 0, 0], [1, 1, 2]];
    let picture = Picture::from_voxels(&VoxelSet::new([5, 2, 4], solid).unwrap());
    assert_eq!(picture.marks().len(), 3);
    assert_eq!(picture.heights(), Some((0, 2)));
    assert_eq!(picture.to_text(), "OO#O#\n#O###\n");
}

#[test]
fn sector_outlines_do_not_extend_the_bounds() {
    let mut picture = Picture::from_raster(&map("................."));
    let before = picture.bounds();
    picture.add_sectors();
    assert_eq!(picture.bounds(), before);
    let n_outlines = picture
        .marks()
        .iter()
        .filter(|mark| mark.name() == "sector");
    assert_eq!(n_outlines.count(), 2);
}

#[test]
fn extreme_coordinates_do_not_overflow() {
    let mut picture = Picture::default();
    picture.add_ground([(Cell::new(i32::MAX, i32::MAX, 0), Terrain::GROUND)].into_iter());
    picture.add(Mark::Start(Cell::new(i32::MIN, i32::MIN, i32::MAX)));
    picture.add(Mark::Footprint {
        shape: Shape::Polygon(vec![Point2::default()]),
        z: 0,
    });
    let text = picture.to_text();
    assert!(text.starts_with('A'));
    assert_eq!(text.lines().count(), 500);
}

#[test]
fn a_planar_picture_shows_obstacles_searched_quads_corners_and_influence() {
    use wayfarer_search::planar::{PlanarMethod, PlanarRequest, PlanarSearcher};
    use wayfarer_world::obstacles::quadtree::SplitCriterion;
    use wayfarer_world::obstacles::{
        Influence, InfluenceMap, Obstacle, ObstacleCategories, ObstacleSet,
    };
    let mut obstacles = ObstacleSet::square(8).unwrap();
    let rock = ObstacleCategories::one(2).unwrap();
    obstacles
        .edit()
        .insert(&Obstacle::cells(3, 0, 2, 6, rock).unwrap())
        .unwrap();
    let at = |x, y| Point2::center_of(Column::new(x, y)).unwrap();
    let mut searcher = PlanarSearcher::default();
    for (method, name) in [
        (PlanarMethod::Quadtree, "searched, near to far"),
        (PlanarMethod::TangentGraph, "corner reached"),
    ] {
        let request = PlanarRequest {
            method,
            criterion: SplitCriterion {
                min_side: Fixed::from_cell(1).unwrap(),
                max_side: Fixed::from_cell(2).unwrap(),
                ..SplitCriterion::GUERRILLA_2013
            },
            ..PlanarRequest::new(at(0, 0), at(7, 0))
        };
        let path = searcher
            .find(&obstacles, &request)
            .unwrap()
            .found()
            .unwrap();
        let mut picture = Picture::from_obstacles(&obstacles);
        picture.add_search(&searcher).add_polyline(&path.points);
        let named = |name: &str| picture.marks().iter().filter(|m| m.name() == name).count();
        assert!(named(name) > 2, "{name}: {}", named(name));
        assert_eq!(named("obstacle of category 2"), 1);
        let text = picture.to_text();
        assert!(text.starts_with("A..OO..B\n...OO...\n"), "{text}");
        assert_eq!(text.matches('O').count(), 12, "{text}");
    }
    let mut map = InfluenceMap::default();
    let influence = Influence {
        categories: rock,
        strength: 10,
        reach: Fixed::from_cell(3).unwrap(),
    };
    let request = PlanarRequest {
        method: PlanarMethod::Quadtree,
        ..PlanarRequest::new(at(0, 0), at(7, 0))
    };
    searcher.find(&obstacles, &request).unwrap();
    map.compute(&obstacles, searcher.quadtree(), &[influence]);
    let mut picture = Picture::from_obstacles(&obstacles);
    let n_before = picture.marks().len();
    picture.add_influence(searcher.quadtree(), &map, 1);
    assert_eq!(picture.marks().len(), n_before, "there is no second layer");
    picture.add_influence(searcher.quadtree(), &map, 0);
    assert!(picture.marks().len() > n_before);
}
