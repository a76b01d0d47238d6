use wayfarer_engine::base::{Raster, Rng, Terrain};
use wayfarer_engine::search::abstraction::{CenterPlacement, RefinementParams};

use super::*;
use crate::test_folder::{Folder, octile};

/// A folder with one made map and problems whose answers are not stated.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let mut rng = Rng::new(4);
    let mut map = Raster::new(80, 60).unwrap();
    let mut rows = Vec::new();
    for y in 0..60 {
        let mut row = String::new();
        for x in 0..80 {
            let is_open = !rng.chance(1, 5) && x != 40;
            map.set(x, y, is_open.then_some(Terrain::GROUND));
            row.push(if is_open { '.' } else { '@' });
        }
        rows.push(row);
    }
    folder.write("noise.map", &octile(&rows));
    let mut scen = "version 1\n".to_owned();
    let open = crate::open_cells::OpenCells::of(&map);
    let mut reference = crate::reference::Reference::new(&open, crate::MovementRule::Benchmark);
    while scen.lines().count() < 40 {
        let mut pick =
            || wayfarer_engine::base::Column::new(rng.between(0, 79), rng.between(0, 59));
        let (start, goal) = (pick(), pick());
        if map.is_walkable(start.x, start.y)
            && map.is_walkable(goal.x, goal.y)
            && let Some(length) = reference.length(start, goal)
        {
            let (x, y) = (start.x, start.y);
            scen += &format!(
                "0\tnoise.map\t80\t60\t{x}\t{y}\t{}\t{}\t{length}\n",
                goal.x, goal.y
            );
        }
    }
    folder.write("noise.map.scen", &scen);
    folder
}

fn arguments(folder: &Folder) -> Arguments {
    Arguments {
        maps: folder.path(),
        sample: None,
        refines: vec![RefinementParams::STURTEVANT_2007],
        sides: vec![16],
        centers: vec![CenterPlacement::LeastWork],
        runs: 1,
    }
}

#[test]
fn every_key_is_there_and_nothing_is_wrong() {
    let folder = folder("abstraction");
    let arguments = Arguments {
        sides: vec![16, 8],
        centers: vec![CenterPlacement::LeastWork, CenterPlacement::Center],
        refines: vec![
            RefinementParams::STURTEVANT_2007,
            "2,15%,-,-".parse().unwrap(),
        ],
        ..arguments(&folder)
    };
    let report = arguments.run(false, |_, _| {}).unwrap();
    assert_eq!((report.totals.queries, report.totals.wrong), (39, 0));
    assert_eq!(report.sectors.len(), 8);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in ["queries", "wrong", "expansions_ratio_longest", "mean_us"] {
        assert!(json[key].is_number(), "{key}");
    }
    for (group, keys) in [
        ("length_ratio", &["mean", "p90", "max"][..]),
        ("baked_bytes", &["mean", "max"]),
    ] {
        for key in keys {
            assert!(json[group][key].is_number(), "{group}.{key}");
        }
    }
    assert!(report.totals.length_ratio.unwrap().mean >= 1.0);
    let text = report.render();
    assert!(text.contains("least-work") && text.contains("center"));
    let figures = figures(&report);
    let names: Vec<&str> = figures.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, FILES);
    for (name, figure) in &figures {
        let drawn = figure.lines.iter().filter(|line| line.points.len() > 1);
        assert_eq!(drawn.count(), figure.lines.len(), "{name}");
    }
    let counted: usize = report.by_length.iter().map(|bucket| bucket.queries).sum();
    assert_eq!(counted, 39, "every path is of some length");
    let joined = Bucket::joined(&report.by_length, 16.0);
    let counted: usize = joined.iter().map(|bucket| bucket.queries).sum();
    assert_eq!(counted, 39);
    let most = |buckets: &[Bucket]| buckets.iter().map(|b| b.astar_max).fold(0.0, f64::max);
    assert!((most(&joined) - most(&report.by_length)).abs() < 1e-9);
}

#[test]
fn a_side_that_cannot_be_packed_names_the_map() {
    let folder = folder("abstraction-side");
    let arguments = Arguments {
        sides: vec![17],
        ..arguments(&folder)
    };
    let error = arguments.run(false, |_, _| {}).unwrap_err().to_string();
    assert_eq!(error, "noise: sectors of 17 cells a side, expected 4 to 16");
}
