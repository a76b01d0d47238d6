use super::*;
use crate::test_folder::{Folder, octile};
use wayfarer_engine::base::{Cell, Raster};
use wayfarer_engine::world::ground::{Ground, MemoryReport};

/// 130 by 40: open but for one full row and a few holes.
fn hall() -> String {
    let mut rows = vec![".".repeat(130); 40];
    rows[20] = "@".repeat(130);
    rows[3] = format!("{}{}", "@@@..".repeat(20), ".".repeat(30));
    octile(&rows)
}

fn quick(maps: PathBuf) -> Arguments {
    Arguments {
        cold_bytes: 1 << 16,
        sample: None,
        profiles: false,
        maps,
    }
}

#[test]
fn every_map_is_measured_and_every_key_is_there() {
    let folder = Folder::new("ground");
    folder.write("b.map", &hall());
    folder.write_map("a.map", &vec![".".repeat(120); 21]);
    let mut begun = Vec::new();
    let report = quick(folder.path()).run(false, |map, _| begun.push(map.to_owned()));
    let report = report.unwrap();
    let missing = quick(folder.0.join("c.map"))
        .run(false, |_, _| {})
        .unwrap_err();
    assert!(missing.to_string().contains("c.map: "), "{missing}");
    assert_eq!(begun, ["a", "b"]);
    assert_eq!((report.n_maps, report.wrong), (2, 0), "{:?}", report.maps);
    assert_eq!(report.n_cells, 120 * 21 + 130 * 39 - 60);
    // The middle row of the hall holds nothing.
    assert_eq!(report.n_center_strips, 1);
    assert_eq!(report.maps[0].center.as_ref().unwrap().n_cells, 99);
    assert_eq!(report.maps[1].center, None);
    assert_eq!(report.maps[1].busiest.as_ref().unwrap().n_cells, 99);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in [
        "memory_bytes",
        "memory_after_edits_bytes",
        "cut99_us",
        "add99_us",
        "busiest_cut99_us",
        "busiest_add99_us",
        "cold_edit_us",
        "edit1_us",
    ] {
        let (mean, max) = (&json[key]["mean"], &json[key]["max"]);
        assert!(mean.as_f64().unwrap() > 0.0, "{key}");
        assert!(mean.as_f64() <= max.as_f64(), "{key}");
    }
    for key in ["build_ns_per_cell", "successors_ns", "calibration"] {
        assert!(json[key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert_eq!(json["n_maps"], 2);
    assert!(json["machine"]["processor"].is_string());
    assert_eq!(json["maps"].as_array().unwrap().len(), 2);
    let table = report.render();
    assert!(table.contains("519,292") && table.contains("one cell, us"));
}

#[test]
fn bits_for_every_region_take_more_where_a_wall_parts_a_sector() {
    let raster = wayfarer_engine::formats::movingai_map::read(hall().as_bytes()).unwrap();
    let tools = Tools {
        edits: EditTimer::default(),
        timer: Timer::new(),
        cold: Cold::new(1 << 16),
        is_counted: false,
    };
    let row = one_map::measure("hall", &raster, 0, &tools);
    assert_eq!((row.n_sectors, row.n_shared_sectors), (27, 9));
    assert!(row.shared_grid_bytes < row.region_grid_bytes);
    assert_eq!(row.lone_edit1_us.len() + row.shared_edit1_us.len(), 400);
    assert!(!row.shared_edit1_us.is_empty() && !row.lone_edit1_us.is_empty());
}

#[test]
fn the_busiest_strip_is_the_one_with_most_cells() {
    let mut raster = Raster::new(300, 5).unwrap();
    for (y, x) in [
        (1, 0),
        (1, 1),
        (3, 200),
        (3, 250),
        (3, 298),
        (4, 150),
        (4, 249),
    ] {
        raster.set(x, y, Some(wayfarer_engine::base::Terrain::GROUND));
    }
    let ground = Ground::from_raster(&raster);
    let cells = |strip: Vec<(Cell, _)>| strip.into_iter().map(|it| it.0).collect::<Vec<_>>();
    assert_eq!(
        cells(strips::busiest(&raster, &ground)),
        [200, 250, 298].map(|x| Cell::flat(x, 3))
    );
    assert_eq!(cells(strips::middle(&raster, &ground)), []);
}

#[test]
fn a_report_of_memory_that_is_a_byte_off_is_wrong() {
    let report = MemoryReport {
        pages: 100,
        scratch: 7,
        ..MemoryReport::default()
    };
    assert_eq!(one_map::miscounted(&report, 107), None);
    let fault = one_map::miscounted(&report, 108).unwrap();
    assert_eq!(fault, "reports 107 bytes, the allocator counted 108");
}

#[test]
fn profiles_are_measured_and_one_that_misses_an_edit_is_reported() {
    let folder = Folder::new("profiles");
    folder.write_map("a.map", &vec![".".repeat(120); 21]);
    let arguments = Arguments {
        profiles: true,
        ..quick(folder.path())
    };
    assert!(arguments.command().ends_with(" --profiles"));
    let report = arguments.run(false, |_, _| {}).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.maps[0].faults);
    let cells: Vec<usize> = report
        .profiles
        .iter()
        .map(|profile_data| profile_data.n_cells)
        .collect();
    assert_eq!(cells, [120 * 21, 118 * 19, 114 * 15]);
    for profile_data in &report.profiles {
        assert!(profile_data.build_ns_per_cell > 0.0 && profile_data.memory_ratio > 0.0);
        assert!(profile_data.cut99_us.is_some() && profile_data.edit1_us.is_some());
    }
    let table = report.render();
    assert!(
        table.contains("of ground") && table.contains("radius 3"),
        "{table}"
    );

    let profile = wayfarer_engine::base::Profile::DEFAULT;
    let before = Raster::from_bytes(9, 1, vec![0; 9]).unwrap();
    let mut after = before.clone();
    after.set(4, 0, None);
    let mut ground = Ground::from_raster(&before);
    let id = ground.register_profile(profile.clone()).unwrap();
    assert_eq!(profiles::differs(&ground, id, &before, &profile), None);
    let fault = profiles::differs(&ground, id, &after, &profile).unwrap();
    assert!(fault.contains("(4, 0, 0)"), "{fault}");
}
