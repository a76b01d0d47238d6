use wayfarer::base::{Gate, Passage, PassageKind, Terrain, Ways, WorldPlan};

use super::*;

/// A lane of ten cells, with a gate from one end near to the other that is nearly free.
fn lane(ways: Ways) -> WorldPlan {
    WorldPlan {
        cells: (0..10)
            .map(|x| (Cell::flat(x, 0), Terrain::GROUND))
            .collect(),
        passages: vec![Passage {
            from: Cell::flat(0, 0),
            to: Cell::flat(8, 0),
            kind: PassageKind::Teleport,
            ways,
            cost: Cost::from_units(1),
            gate: Gate::Open,
        }],
        ..WorldPlan::default()
    }
}

#[test]
fn a_shortcut_is_taken_although_it_undercuts_the_straight_way() {
    let ground = Ground::from_plan(&lane(Ways::OneWay)).unwrap();
    let (west, east) = (Cell::flat(0, 0), Cell::flat(9, 0));
    let mut costs = Vec::new();
    let there = least_cost(&ground, west, east, &mut costs);
    assert_eq!(there, Some(Cost::from_units(1) + Cost::STRAIGHT));
    let back = least_cost(&ground, east, west, &mut costs);
    assert_eq!(back, Some(Cost::octile(9, 0)));
    let nowhere = least_cost(&ground, west, Cell::flat(0, 5), &mut costs);
    assert_eq!(nowhere, None);
}

#[test]
fn a_wrong_answer_is_told_with_its_step() {
    let query = |expected| {
        TraceStep::Query(Problem {
            start: Cell::flat(1, 0),
            goal: Cell::flat(3, 0),
            expected,
        })
    };
    let cut = Edit::RemoveCell {
        cell: Cell::flat(2, 0),
    };
    let mut plan = lane(Ways::Both);
    plan.passages.clear();
    let trace = EditTrace {
        steps: vec![
            query(Expected::Length(2.0)),
            query(Expected::Length(2.5)),
            TraceStep::Batch(vec![cut]),
            query(Expected::Unreachable),
            query(Expected::Unknown),
            query(Expected::Length(2.0)),
        ],
    };
    let world = World::from_plan(&plan).unwrap();
    let report = live_through(world, &trace, Effort::Everything).unwrap();
    assert_eq!((report.problems, report.matched, report.wrong), (5, 3, 2));
    assert_eq!(report.unreachable, 2);
    assert!(
        report.faults[0].starts_with("step 1: "),
        "{:?}",
        report.faults
    );
    assert!(report.faults[1].ends_with("found no path, the file says 2"));
    let ground = report.ground.unwrap();
    assert_eq!((ground.parted, ground.joined, ground.compared), (1, 0, 1));
}
