use super::*;
use crate::report::Figures;

fn small() -> Arguments {
    Arguments {
        side: 48,
        n_edits: 20,
        n_strips: 5,
        walls: vec![40, 130],
        building: 32,
    }
}

#[test]
fn every_worst_case_world_is_measured_and_repaired_correctly() {
    let mut begun = Vec::new();
    let report = small()
        .run(false, |part, n_parts| {
            begun.push(part.to_owned());
            assert_eq!(n_parts, 11);
        })
        .unwrap();
    assert_eq!(begun.len(), 11);
    assert_eq!(report.faults(), Vec::<String>::new());
    assert_eq!((report.wrong, report.worlds.len()), (0, 8));
    for wall in &report.walls {
        assert_eq!((wall.split, wall.joined), (1, 1), "side {}", wall.side);
        assert!(wall.cut_us.unwrap().max > 0.0);
    }
    let doors = &report.doors;
    assert!(doors.n_parting > 0 && doors.n_parting <= doors.n_doors);
    assert!(report.max_us > 0.0);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in [
        "over_100_us",
        "worlds",
        "walls",
        "doors",
        "machine",
        "calibration",
    ] {
        assert!(!json[key].is_null(), "{key}");
    }
    assert!(report.render().contains("wall across 130: removed"));
}

#[test]
fn edits_over_the_limit_and_faults_are_counted() {
    let spread = wayfarer_measure::statistics::Spread::of(&mut [50.0, 250.0]);
    let world = WorldRow {
        world: "maze 1".to_owned(),
        edit1_us: spread,
        over_100_us: 1,
        faults: vec!["is another".to_owned()],
        ..WorldRow::default()
    };
    let wall = WallRow {
        cut_us: spread,
        over_100_us: 2,
        ..WallRow::default()
    };
    let report = WorstCaseFigures::new(vec![world], vec![wall], DoorRow::default());
    assert_eq!((report.over_100_us, report.wrong), (3, 1));
    assert!((report.max_us - 250.0).abs() < 1e-9);
    assert_eq!(report.faults(), ["maze 1: is another"]);
}

#[test]
fn open_ground_that_is_too_large_is_refused() {
    let arguments = Arguments {
        walls: vec![1 << 20],
        ..small()
    };
    let error = arguments.run(false, |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("1048576 by 1048576"), "{error}");
}
