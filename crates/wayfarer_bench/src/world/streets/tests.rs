use super::*;

#[test]
fn nobody_is_ever_inside_a_wall_nor_waits_long_while_the_city_changes() {
    let setting = Setting {
        size: 160,
        agents: 300,
        edits: 12,
        budget: 4_000,
        cells: 20_000,
        seed: 5,
    };
    let mut streets = Streets::new(setting).unwrap();
    for tick in 0..240 {
        for part in Part::ALL {
            streets.play(part);
            assert_eq!(streets.check(), 0, "tick {tick}, {part:?}");
        }
    }
    let tally = streets.tally;
    assert!(tally.repaired > 100, "{tally:?}");
    assert!(tally.new_paths > 50, "{tally:?}");
    assert!(tally.sightings > 500, "{tally:?}");
    assert_eq!(tally.overruns, 0, "{tally:?}");
    assert!(tally.longest_wait <= 30, "{tally:?}");
}

#[test]
fn the_same_seed_tells_the_same_story() {
    let setting = Setting {
        size: 64,
        agents: 40,
        edits: 6,
        budget: 2_000,
        cells: 10_000,
        seed: 9,
    };
    let play = || {
        let mut streets = Streets::new(setting).unwrap();
        for _ in 0..60 {
            Part::ALL.into_iter().for_each(|part| streets.play(part));
        }
        (streets.tally, streets.world.state_hash())
    };
    assert_eq!(play(), play());
}
