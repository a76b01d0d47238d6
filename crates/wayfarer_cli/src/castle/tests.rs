use super::*;

#[test]
fn no_agent_is_ever_inside_a_wall_and_every_run_is_the_same() {
    let arguments = Arguments {
        ticks: 1_100,
        ..Arguments::default()
    };
    let (report, castle) = run(&arguments, || {}).unwrap();
    let tally = report.tally;
    assert_eq!(tally.inside_walls, 0);
    assert!(tally.doors > 20 && tally.fallen == 2, "{tally:?}");
    assert!(tally.found > 300 && tally.arrived > 150, "{tally:?}");
    assert!(
        tally.repaired > 10 && tally.repaired <= tally.broken,
        "{tally:?}"
    );
    assert!(tally.sensor_events > 0, "{tally:?}");
    assert_eq!(castle.agents().len(), 200);
    for query in Query::ALL {
        assert!(report.counts[query.name()] > 0, "{query:?}");
    }
    let (again, _) = run(&arguments, || {}).unwrap();
    assert_eq!((again.tally, again.digest), (tally, report.digest));
    assert_eq!(again.counts, report.counts);
}
