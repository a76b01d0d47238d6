use super::*;
use crate::world::city_map;

fn streets(setting: Setting) -> Streets {
    let map = city_map(setting.size, setting.seed).unwrap();
    Streets::new(setting, &map).unwrap()
}

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
    let mut streets = streets(setting);
    for tick in 0..240 {
        for part in Part::ALL {
            streets.play(part);
            assert_eq!(streets.check(), 0, "tick {tick}, {part:?}");
        }
    }
    let tally = streets.tally;
    assert!(tally.repaired > 100, "{tally:?}");
    assert!(tally.new_paths > 50, "{tally:?}");
    assert!(tally.sensor_events > 500, "{tally:?}");
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
        let mut streets = streets(setting);
        for _ in 0..60 {
            Part::ALL.into_iter().for_each(|part| streets.play(part));
        }
        (streets.tally, streets.state_hash())
    };
    assert_eq!(play(), play());
}

#[test]
fn what_is_noted_of_waits_is_what_counting_anew_gives() {
    for seed in 0..14 {
        let mut rng = Rng::new(seed);
        let mut pick = |n: usize| usize::try_from(rng.next()).unwrap_or(0) % n;
        let setting = Setting {
            size: [32, 64, 96][pick(3)],
            agents: 1 + pick(80),
            edits: pick(60),
            budget: [1, 5, 20, 100, 1_000][pick(5)],
            cells: [0, 50, 1_000, usize::MAX][pick(4)],
            seed,
        };
        let mut streets = streets(setting);
        let mut longest_wait = 0;
        for tick in 0..100 {
            for part in Part::ALL {
                let waited: Vec<Option<u32>> =
                    streets.walkers.iter().map(|w| w.waits_since).collect();
                streets.play(part);
                let at = format!("{setting:?}, tick {tick}, {part:?}");
                assert_eq!(streets.check(), 0, "{at}");
                if part == Part::Paths {
                    let waits = waited.iter().flatten().map(|since| tick - since);
                    longest_wait = waits.fold(longest_wait, u32::max);
                }
                let mut queue: Vec<usize> = streets.queue.iter().copied().collect();
                queue.sort_unstable();
                let waits = |number: &usize| streets.walkers[*number].waits_since.is_some();
                let waiting: Vec<usize> = (0..setting.agents).filter(waits).collect();
                assert_eq!(queue, waiting, "{at}");
            }
        }
        let tally = streets.tally;
        assert_eq!(tally.longest_wait, longest_wait, "{setting:?}");
        assert_eq!(tally.overruns, 0, "{setting:?}");
    }
}
