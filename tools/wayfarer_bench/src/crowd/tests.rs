//! Small scenarios: all arrive, nothing is inside a wall, overlaps stay within the bound.

use super::*;

fn arguments(scenario: Scenario, agents: usize) -> Arguments {
    Arguments {
        scenario,
        agents,
        ticks: 6_000,
        width: 4,
        threads: 1,
        seed: 1,
        baselines: false,
        picture: None,
    }
}

#[test]
fn all_arrive_in_every_small_scenario() {
    for (scenario, agents) in [
        (Scenario::Circle, 2),
        (Scenario::Circle, 4),
        (Scenario::Circle, 8),
        (Scenario::Crossing, 40),
        (Scenario::Counterflow, 40),
        (Scenario::Gate, 30),
        (Scenario::BothSides, 24),
        (Scenario::Gates, 40),
        (Scenario::Evacuation, 40),
        (Scenario::Goal, 20),
        (Scenario::Room, 20),
        (Scenario::Formation, 16),
        (Scenario::Flow, 24),
        (Scenario::Flyers, 24),
    ] {
        let report = arguments(scenario, agents).run(false, |_, _| ()).unwrap();
        assert_eq!(report.faults.faults, [""; 0], "{scenario:?} of {agents}");
        assert_eq!(
            report.arrived, agents,
            "{scenario:?} of {agents}: {:?}",
            report.figures
        );
    }
}

#[test]
fn a_circle_of_100_takes_at_most_1_6_times_as_long_as_one_agent() {
    let report = arguments(Scenario::Circle, 100)
        .run(false, |_, _| ())
        .unwrap();
    assert_eq!((report.faults.wrong, report.arrived), (0, 100));
    let ticks = report.ticks_to_all.unwrap();
    assert!(
        ticks * 10 <= report.ticks_alone * 16,
        "{ticks} of {}",
        report.ticks_alone
    );
}

#[test]
fn threads_do_not_change_a_crossing() {
    let of = |threads| Arguments {
        threads,
        ticks: 200,
        ..arguments(Scenario::Crossing, 300)
    };
    let [one, eight] = [1, 8].map(|n| of(n).run(false, |_, _| ()).unwrap());
    assert_eq!(one.hash, eight.hash);
}
