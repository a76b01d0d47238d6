//! Imports of flat maps, world data, heightmaps and meshes.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{Column, Heightmap, Profile, Rng, TriangleSoup};

use super::*;

fn cells_of(imported: &Imported) -> BTreeSet<Cell> {
    let data = imported.ground.to_data();
    data.cells.iter().map(|(cell, _)| *cell).collect()
}

#[test]
fn trees_of_a_map_are_counted_and_the_first_listed() {
    let mut map = Raster::new(20, 2).unwrap();
    for x in 0..20 {
        map.set(x, 0, Some(Terrain::TREES));
        map.set(x, 1, Some(Terrain::WATER));
    }
    let imported = from_raster(&map);
    assert_eq!(imported.report.count(Reason::Trees), 20);
    assert_eq!(imported.report.n_floors, 20);
    let first: Vec<Cell> = (0..8).map(|x| Cell::flat(x, 0)).collect();
    assert_eq!(imported.report.dropped[0].first, first);
    assert_eq!(cells_of(&imported).len(), 20);
}

#[test]
fn of_a_cell_listed_three_times_two_are_skipped() {
    let mut data = WorldData::default();
    for (x, terrain) in [(0, 0), (1, 1), (0, 2), (0, 4), (1, 1)] {
        let terrain = Terrain::new(terrain).unwrap();
        data.cells.push((Cell::flat(x, 0), terrain));
    }
    let imported = from_data(&data).unwrap();
    assert_eq!(imported.report.n_floors, 2);
    assert_eq!(imported.report.count(Reason::Repeated), 3);
    let dropped = &imported.report.dropped[0].first;
    assert_eq!(*dropped, [0, 1, 0].map(|x| Cell::flat(x, 0)));
    let there = imported.ground.terrain(Cell::flat(0, 0));
    assert_eq!(there, Terrain::new(4));
}

#[test]
fn every_height_becomes_the_nearest_step() {
    let options = HeightmapImportOptions {
        meters_per_unit: 0.25,
        meters_per_step: 0.5,
        zero: 3,
        at: Column::new(-2, 7),
        ..HeightmapImportOptions::default()
    };
    let land = Heightmap::new(3, 2, vec![3, 4, 5, 2, 1, -3]).unwrap();
    let imported = from_heightmap(&land, &options).unwrap();
    // (height - 3) / 2, halves away from 0.
    let expected = [
        (-2, 7, 0),
        (-1, 7, 1),
        (0, 7, 1),
        (-2, 8, -1),
        (-1, 8, -1),
        (0, 8, -3),
    ];
    let expected: BTreeSet<Cell> = expected.map(|(x, y, z)| Cell::new(x, y, z)).into();
    assert_eq!(cells_of(&imported), expected);
    // 1 next to -1 and -1 next to -3 differ by two, and 1 above -3 by four.
    assert_eq!(imported.report.n_cliffs, 3);
}

#[test]
fn holes_water_cliffs_and_the_limits_of_the_world_are_reported_apart() {
    let options = HeightmapImportOptions {
        no_data: Some(i32::MIN),
        sea: Some(0),
        max_slope: Some(4.0),
        ..HeightmapImportOptions::default()
    };
    let heights = vec![i32::MIN, -1, 0, 3, 8, i32::MAX];
    let land = Heightmap::new(6, 1, heights).unwrap();
    let imported = from_heightmap(&land, &options).unwrap();
    let report = &imported.report;
    assert_eq!(report.count(Reason::NoData), 1);
    assert_eq!(report.count(Reason::OutOfWorld), 1);
    // 3 lies five below 8, and 8 is beyond the limit of the world.
    assert_eq!(report.count(Reason::TooSteep), 2);
    let terrain = |x, z| imported.ground.terrain(Cell::new(x, 0, z));
    assert_eq!(terrain(1, -1), Some(Terrain::WATER));
    assert_eq!(terrain(2, 0), Some(Terrain::WATER));
    assert_eq!(report.n_floors, 2);
    assert_eq!(report.dropped.len(), 3);
}

#[test]
fn without_a_slope_limit_the_step_limit_blocks_steep_steps() {
    let land = Heightmap::new(4, 1, vec![0, 1, 3, 4]).unwrap();
    let joined = |climb: i32| {
        let profile = Profile {
            max_step: climb,
            max_drop: climb,
            ..Profile::DEFAULT
        };
        let options = HeightmapImportOptions {
            profile,
            ..HeightmapImportOptions::default()
        };
        let imported = from_heightmap(&land, &options).unwrap();
        let ground = imported.ground;
        let component = |x, z| ground.component(ground.node(Cell::new(x, 0, z)).unwrap());
        (component(0, 0) == component(3, 4), imported.report.n_cliffs)
    };
    assert_eq!(joined(1), (false, 1));
    assert_eq!(joined(2), (true, 0));
}

#[test]
fn invalid_options_are_errors() {
    let land = Heightmap::new(1, 1, vec![0]).unwrap();
    let mesh = boxes(&[([0.0; 3], [1.0; 3])]);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let step = HeightmapImportOptions {
            meters_per_step: bad,
            ..HeightmapImportOptions::default()
        };
        let error = from_heightmap(&land, &step).unwrap_err().to_string();
        assert!(error.starts_with("meters per step is "), "{error}");
        let cell = MeshImportOptions {
            cell: bad,
            ..MeshImportOptions::default()
        };
        let error = from_mesh(&mesh, &cell).unwrap_err().to_string();
        assert!(error.starts_with("cell is "), "{error}");
        let slope = MeshImportOptions {
            max_slope: bad - 1.0,
            ..MeshImportOptions::default()
        };
        assert!(from_mesh(&mesh, &slope).is_err());
    }
    let profile = Profile {
        max_step: 256,
        ..Profile::DEFAULT
    };
    let tall = HeightmapImportOptions {
        profile,
        ..HeightmapImportOptions::default()
    };
    assert!(from_heightmap(&land, &tall).is_err());
}

/// Closed boxes, given by low and high corners, facing outwards.
fn boxes(list: &[([f64; 3], [f64; 3])]) -> TriangleSoup {
    let mut corners = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for (low, high) in list {
        let first = u32::try_from(corners.len()).unwrap();
        for n in 0..8 {
            let side = |axis: usize| if n >> axis & 1 == 0 { low } else { high }[axis];
            corners.push([side(0), side(1), side(2)]);
        }
        let faces = [
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        triangles.extend(faces.map(|face| face.map(|corner| corner + first)));
    }
    TriangleSoup::new(corners, triangles).unwrap()
}

#[test]
fn random_boxes_have_floors_on_every_top_with_headroom() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut solid: BTreeMap<Column, BTreeSet<i32>> = BTreeMap::new();
        let list: Vec<_> = (0..8)
            .map(|_| {
                let low = [(); 3].map(|()| rng.between(-6, 6));
                let high = low.map(|at| at + rng.between(1, 5));
                for x in low[0]..high[0] {
                    for y in low[1]..high[1] {
                        let column = solid.entry(Column::new(x, y)).or_default();
                        column.extend(low[2]..high[2]);
                    }
                }
                (low.map(f64::from), high.map(f64::from))
            })
            .collect();
        let profile = Profile {
            height: 3,
            ..Profile::DEFAULT
        };
        let options = MeshImportOptions {
            profile,
            ..MeshImportOptions::default()
        };
        let imported = from_mesh(&boxes(&list), &options).unwrap();
        let mut expected = BTreeSet::new();
        let mut n_low = 0;
        for (column, solid) in &solid {
            for top in solid.iter().filter(|z| !solid.contains(&(*z + 1))) {
                if (1..=3).any(|up| solid.contains(&(top + up))) {
                    n_low += 1;
                } else {
                    expected.insert(column.at(top + 1));
                }
            }
        }
        assert_eq!(cells_of(&imported), expected, "seed {seed}");
        assert_eq!(imported.report.count(Reason::NoHeadroom), n_low);
        assert_eq!(imported.report.dropped.len(), usize::from(n_low > 0));
    }
}

#[test]
fn a_house_of_two_floors_with_a_ramp_has_stacked_floors() {
    // Ground, an upper floor over its western half, and steps that lead up to it.
    let mut list = vec![
        ([0.0, 0.0, -1.0], [12.0, 6.0, 0.0]),
        ([0.0, 0.0, 3.5], [6.0, 6.0, 4.0]),
    ];
    for n in 0..4 {
        let x = f64::from(10 - n);
        list.push(([x - 1.0, 0.0, -0.5], [x, 2.0, f64::from(n) + 1.0]));
    }
    let profile = Profile {
        height: 4,
        max_step: 2,
        max_drop: 2,
        ..Profile::DEFAULT
    };
    let options = MeshImportOptions {
        profile,
        step: 0.5,
        ..MeshImportOptions::default()
    };
    let imported = from_mesh(&boxes(&list), &options).unwrap();
    let ground = &imported.ground;
    let floors: Vec<i32> = ground.floors(Column::new(2, 3)).map(|(z, _)| z).collect();
    assert_eq!(floors, [0, 8]);
    let component = |x, y, z| ground.component(ground.node(Cell::new(x, y, z)).unwrap());
    assert_eq!(component(11, 5, 0), component(2, 3, 8));
    assert_eq!(component(2, 3, 0), component(2, 3, 8));
}

#[test]
fn steep_faces_are_skipped_and_gentle_ones_become_floors() {
    // A wedge that rises `rise` over 8 cells to the east.
    let wedge = |rise: f64| {
        let corners = vec![
            [0.0, 0.0, 0.0],
            [8.0, 0.0, 0.0],
            [0.0, 4.0, 0.0],
            [8.0, 4.0, 0.0],
            [8.0, 0.0, rise],
            [8.0, 4.0, rise],
        ];
        let triangles = vec![
            [0, 2, 1],
            [1, 2, 3],
            [0, 4, 5],
            [0, 5, 2],
            [1, 3, 5],
            [1, 5, 4],
            [0, 1, 4],
            [2, 5, 3],
        ];
        TriangleSoup::new(corners, triangles).unwrap()
    };
    let gentle = from_mesh(&wedge(8.0), &MeshImportOptions::default()).unwrap();
    assert_eq!(gentle.report.n_boundary_edges, 0);
    assert_eq!(gentle.report.n_floors, 32);
    let component = |cell| gentle.ground.component(gentle.ground.node(cell).unwrap());
    assert_eq!(component(Cell::new(0, 1, 1)), component(Cell::new(7, 2, 8)));
    let steep = from_mesh(&wedge(8.1), &MeshImportOptions::default()).unwrap();
    assert_eq!(steep.report.n_floors, 0);
    assert!(steep.report.count(Reason::TooSteep) >= 32);
}

#[test]
fn a_closed_mesh_has_no_floor_inside_unless_it_is_hollow() {
    let mesh = boxes(&[([0.0; 3], [6.0; 3])]);
    let filled = from_mesh(&mesh, &MeshImportOptions::default()).unwrap();
    assert!(cells_of(&filled).iter().all(|cell| cell.z == 6));
    assert_eq!(filled.report.n_floors, 36);
    let hollow = MeshImportOptions {
        interior: MeshInterior::Hollow,
        ..MeshImportOptions::default()
    };
    let hollow = from_mesh(&mesh, &hollow).unwrap();
    // The bottom faces down, so it is no floor inside either.
    assert_eq!(hollow.report.n_floors, 36);
    assert_eq!(hollow.report.count(Reason::TooSteep), 16);
}

#[test]
fn between_two_plates_is_a_floor_unless_the_interior_is_solid() {
    let plate = |z: f64| [[0.0, 0.0, z], [3.0, 0.0, z], [3.0, 3.0, z], [0.0, 3.0, z]];
    let corners = [plate(0.0), plate(4.0)].concat();
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let mesh = TriangleSoup::new(corners, triangles).unwrap();
    for (interior, n_floors) in [
        (MeshInterior::SolidIfClosed, 18),
        (MeshInterior::Hollow, 18),
        (MeshInterior::Solid, 9),
    ] {
        let options = MeshImportOptions {
            interior,
            ..MeshImportOptions::default()
        };
        let imported = from_mesh(&mesh, &options).unwrap();
        assert_eq!(imported.report.n_floors, n_floors, "{interior:?}");
        let n_boundary_edges = if interior == MeshInterior::Hollow {
            0
        } else {
            8
        };
        assert_eq!(imported.report.n_boundary_edges, n_boundary_edges);
    }
}

#[test]
fn a_plate_that_faces_down_is_no_floor_and_has_boundary_edges() {
    let corners = vec![[0.0, 0.0, 2.0], [3.0, 0.0, 2.0], [3.0, 3.0, 2.0]];
    let down = TriangleSoup::new(corners, vec![[0, 2, 1]]).unwrap();
    let imported = from_mesh(&down, &MeshImportOptions::default()).unwrap();
    assert_eq!(imported.report.n_floors, 0);
    assert!(imported.report.count(Reason::TooSteep) > 0);
    assert_eq!(imported.report.n_boundary_edges, 3);
    assert!(imported.report.to_string().ends_with("; 3 open edges"));
}

#[test]
fn of_three_hundred_stacked_plates_the_highest_are_skipped() {
    let plates: Vec<_> = (0..300)
        .map(|n| {
            let z = f64::from(n * 4);
            ([0.0, 0.0, z], [1.0, 1.0, z + 1.0])
        })
        .collect();
    let imported = from_mesh(&boxes(&plates), &MeshImportOptions::default()).unwrap();
    assert_eq!(imported.report.n_floors, 255);
    assert_eq!(imported.report.count(Reason::TooManyFloors), 45);
    let first = imported.report.dropped[0].first[0];
    assert_eq!(first, Cell::new(0, 0, 255 * 4 + 1));
}

#[test]
fn empty_inputs_give_an_empty_ground() {
    let empty = TriangleSoup::default();
    let imported = from_mesh(&empty, &MeshImportOptions::default()).unwrap();
    assert_eq!(imported.ground.counts(), (0, 0, 0));
    let empty = Heightmap::new(0, 0, Vec::new()).unwrap();
    let imported = from_heightmap(&empty, &HeightmapImportOptions::default()).unwrap();
    assert_eq!(imported.report, ImportReport::default());
    assert_eq!(imported.report.to_string(), "0 floors");
    let far = TriangleSoup::new(vec![[1e9, 0.0, 0.0]], Vec::new()).unwrap();
    assert!(matches!(
        from_mesh(&far, &MeshImportOptions::default()),
        Err(ImportError::Solid(_))
    ));
}
