//! Tests of path status against the reference search.

use super::*;

/// Counts of statuses.
#[derive(Default, Debug)]
struct Tally {
    n_checked: u32,
    n_invalid: u32,
    n_alarms: u32,
    n_false_alarms: u32,
}

/// Checks the status of random paths after each of several edits.
fn check_trace(seed: u64, kind: Scene, n_batches: u32, n_sets: u32, tally: &mut Tally) {
    let mut both = Both::random(seed, kind);
    let mut rng = Rng::new(seed ^ 0x57A7);
    let mut searcher = PathSearcher::default();
    for batch in 0..n_batches {
        let cells = both.walkable_cells();
        let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
        let request = both.request(from, to);
        let Outcome::Found(path) = searcher.find(&both.ground, &request).unwrap() else {
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits);
            continue;
        };
        for _ in 0..n_sets {
            let note = format!("{kind:?} {seed} batch {batch}");
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits);
            check_status(&both, &path, &note, tally);
        }
    }
}

#[track_caller]
fn check_status(both: &Both, path: &GroundPath, note: &str, tally: &mut Tally) {
    let status = status(&both.ground, &both.log, path);
    let (from, to) = (path.start().unwrap(), path.end().unwrap());
    let invalid = path.legs.iter().position(|leg| {
        let cells = &path.cells[leg.begin as usize..=leg.end as usize];
        let now = both.world.check_path(cells, &both.profile);
        now.map_or(true, |now| now > leg.cost)
    });
    let is_start_blocked = !both.world.is_walkable(from, &both.profile);
    let is_suboptimal = || {
        let now = both.world.path_cost(from, to, &both.profile);
        now.is_some_and(|now| now < path.cost)
    };
    tally.n_checked += 1;
    match status {
        PathStatus::Invalid { leg, .. } => {
            tally.n_invalid += 1;
            if is_start_blocked {
                assert_eq!(leg, 0, "{note}");
            } else {
                assert_eq!(invalid, Some(leg), "{note}");
            }
        }
        PathStatus::Valid => {
            assert!(
                invalid.is_none() && !is_start_blocked,
                "{note}: {invalid:?}"
            );
            assert!(!is_suboptimal(), "{note}: missed a cheaper path, {path:?}");
        }
        PathStatus::MaybeSuboptimal => {
            assert!(
                invalid.is_none() && !is_start_blocked,
                "{note}: {invalid:?}"
            );
            tally.n_alarms += 1;
            tally.n_false_alarms += u32::from(!is_suboptimal());
        }
        PathStatus::Unknown => panic!("{note}: the log is long enough"),
    }
}

#[test]
fn the_status_matches_the_reference_search_after_every_batch() {
    let mut tally = Tally::default();
    for kind in scenes() {
        for seed in (0..2).filter(|seed| kind.includes_seed(*seed)) {
            check_trace(seed, kind, 8, 3, &mut tally);
        }
    }
    assert!(tally.n_invalid > 15, "{tally:?}");
    assert!(tally.n_alarms > tally.n_false_alarms, "{tally:?}");
}

/// Checks the status of a path after an edit and replaces the path if need be; false if it is
/// invalid.
fn recheck(
    both: &Both,
    searcher: &mut PathSearcher,
    path: &mut GroundPath,
    tally: &mut Tally,
    note: &str,
) -> bool {
    let request = both.request(path.start().unwrap(), path.end().unwrap());
    let status = status(&both.ground, &both.log, path);
    let fresh = searcher.find(&both.ground, &request);
    let fresh = fresh.ok().and_then(Outcome::found);
    let cost = fresh.as_ref().map(|path| path.cost);
    tally.n_checked += 1;
    match (status, fresh) {
        (PathStatus::Valid, _) => {
            assert_eq!(cost, Some(path.cost), "{note}: missed a cheaper path");
            path.mark_valid(&both.ground);
            true
        }
        (PathStatus::MaybeSuboptimal, Some(fresh)) => {
            tally.n_alarms += 1;
            tally.n_false_alarms += u32::from(fresh.cost == path.cost);
            assert!(fresh.cost <= path.cost, "{note}: the path is valid");
            *path = fresh;
            true
        }
        (PathStatus::Invalid { .. }, _) => {
            tally.n_invalid += 1;
            false
        }
        (status, fresh) => panic!("{note}: {status:?}, {fresh:?}"),
    }
}

#[test]
fn in_ten_thousand_checks_no_cheaper_path_is_missed_and_few_alarms_are_false() {
    let mut searcher = PathSearcher::default();
    let mut tally = Tally::default();
    for (index, kind) in (1..).zip(all_scenes()) {
        let mut both = Both::random(index, kind);
        let mut rng = Rng::new(index ^ 0xA1A4);
        let mut paths: Vec<GroundPath> = Vec::new();
        while tally.n_checked < 420 * u32::try_from(index).unwrap() {
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits[..1]);
            let note = format!("{kind:?}");
            paths.retain_mut(|path| recheck(&both, &mut searcher, path, &mut tally, &note));
            let cells = both.walkable_cells();
            for _ in 0..3 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let request = both.request(from, to);
                let found = searcher.find(&both.ground, &request).unwrap().found();
                paths.extend(found.filter(|path| path.cells.len() > 1));
            }
            let excess = paths.len().saturating_sub(16);
            paths.drain(..excess);
        }
    }
    assert!(tally.n_checked >= 10_000, "{tally:?}");
    assert!(tally.n_invalid > 100, "{tally:?}");
    assert!(tally.n_alarms > tally.n_false_alarms, "{tally:?}");
    assert!(tally.n_false_alarms * 10 < tally.n_checked, "{tally:?}");
}

#[test]
fn on_generated_maps_few_alarms_are_false() {
    use wayfarer_make::{GeneratedWorld, Generator, Recipe, make};
    let mut searcher = PathSearcher::default();
    for kind in [
        Generator::Caves,
        Generator::Rooms,
        Generator::City,
        Generator::Noise,
    ] {
        let GeneratedWorld::Flat(raster) = make(&Recipe::new(kind, 200, 150, 3)).unwrap() else {
            panic!("{kind:?} is flat");
        };
        let data = wayfarer_base::WorldData::from_raster(&raster);
        let ground = Ground::from_data(&data).unwrap();
        let mut both = Both {
            log: ChangeLog::starting_at(ground.revision(), 8),
            ground,
            profile_id: None,
            world: ReferenceWorld::new(&data),
            profile: Profile::DEFAULT,
        };
        let mut rng = Rng::new(5);
        let cells = both.walkable_cells();
        let mut tally = Tally::default();
        let mut paths: Vec<GroundPath> = Vec::new();
        while tally.n_checked < 1_500 {
            let cell = Cell::flat(rng.between(0, 199), rng.between(0, 149));
            let terrain = wayfarer_base::Terrain::GROUND;
            both.apply(&[match both.world.terrain(cell) {
                Some(_) => GroundEdit::RemoveCell { cell },
                None => GroundEdit::PutCell { cell, terrain },
            }]);
            let note = format!("{kind:?}");
            paths.retain_mut(|path| recheck(&both, &mut searcher, path, &mut tally, &note));
            while paths.len() < 16 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let found = searcher.find(&both.ground, &both.request(from, to));
                paths.extend(found.ok().and_then(Outcome::found));
            }
        }
        let few = tally.n_false_alarms * 20 < tally.n_checked;
        assert!(few, "{kind:?}: {tally:?}");
    }
}

#[test]
fn a_new_line_of_sight_may_make_a_path_suboptimal() {
    let mut both = Both::from_ascii("....#...\n........");
    let mut request = both.request(Cell::flat(0, 0), Cell::flat(7, 0));
    request.to = GroundGoal::LineOfSightTo {
        of: Cell::flat(7, 0),
        radius: Fixed::from_raw(256 * 8),
    };
    let mut searcher = PathSearcher::default();
    let path = searcher.find(&both.ground, &request).unwrap().found();
    let path = path.unwrap();
    assert!(path.cost > Cost::ZERO && path.end() != Some(Cell::flat(7, 0)));
    let terrain = wayfarer_base::Terrain::GROUND;
    let cell = Cell::flat(4, 0);
    both.apply(&[GroundEdit::PutCell { cell, terrain }]);
    let now = status(&both.ground, &both.log, &path);
    assert_eq!(now, PathStatus::MaybeSuboptimal);
    let fresh = searcher.find(&both.ground, &request).unwrap().found();
    assert_eq!(fresh.unwrap().cost, Cost::ZERO);
}
