//! Tests of batches, sessions, subscriptions and repair on random worlds.

use wayfarer_base::{Progress, Session};

use super::*;

fn requests_for(both: &Both, rng: &mut Rng, n_requests: usize) -> Vec<GroundRequest> {
    let cells = both.walkable_cells();
    let policies = [
        PartialPolicy::Never,
        PartialPolicy::NearestEuclidean,
        PartialPolicy::NearestOctile,
    ];
    (0..n_requests)
        .map(|index| {
            let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
            let other = *rng.pick(&cells).unwrap();
            let mut request = both.request(from, to);
            request.method = Method::ALL[index % 5];
            request.partial = policies[index / 3 % 3];
            if index % 6 == 0 {
                request.to = GroundGoal::AnyOf(vec![to, other]);
            }
            if index % 7 == 0 {
                request
                    .to
                    .clone_from(&GroundGoal::from(Cell::new(90, 90, 0)));
            }
            request
        })
        .collect()
}

#[test]
fn eight_threads_give_the_results_of_one_and_each_is_that_of_a_fresh_searcher() {
    for kind in scenes() {
        let both = Both::random(3, kind);
        let requests = requests_for(&both, &mut Rng::new(5), 60);
        let one = find_batch::<PathSearcher>(&both.ground, &requests, 1);
        assert_eq!(
            one,
            find_batch::<PathSearcher>(&both.ground, &requests, 8),
            "{kind:?}"
        );
        let fresh: Vec<_> = requests
            .iter()
            .map(|request| PathSearcher::default().find(&both.ground, request))
            .collect();
        assert_eq!(one, fresh, "{kind:?}");
    }
}

#[test]
fn results_do_not_depend_on_the_history_of_the_ground() {
    for kind in scenes() {
        let mut both = Both::random(2, kind);
        let mut rng = Rng::new(77);
        for _ in 0..6 {
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits);
        }
        // The same floors, put in reverse order, so that pages are numbered differently.
        let mut other = Ground::new(both.ground.default_profile().clone()).unwrap();
        if both.profile_id.is_some() {
            let profile_id = other.register_profile(both.profile.clone()).unwrap();
            assert_eq!(both.profile_id, Some(profile_id));
        }
        let mut edits = both.world.edits();
        edits.reverse();
        other.apply(&edits).unwrap();
        let mut seen = 0;
        for request in requests_for(&both, &mut rng, 40) {
            let first = PathSearcher::default().find(&both.ground, &request);
            let second = PathSearcher::default().find(&other, &request);
            let cells = |result: Result<Outcome<GroundPath>, RequestError>| {
                let path = result.ok()?.best()?;
                Some((path.cells, path.cost, path.expansions))
            };
            let first = cells(first);
            seen += usize::from(first.is_some());
            assert_eq!(first, cells(second), "{kind:?} {request:?}");
        }
        assert!(seen > 5, "{kind:?}");
    }
}

#[test]
fn a_sliced_session_gives_the_outcome_of_one_search() {
    for kind in scenes() {
        let mut both = Both::random(1, kind);
        let mut rng = Rng::new(9);
        let mut searcher = PathSearcher::default();
        for request in requests_for(&both, &mut rng, 24) {
            let whole = PathSearcher::default().find(&both.ground, &request);
            let slice = Budget::expansions(1 + u64::from(rng.below(40)));
            let session = GroundSession::begin(&both.ground, searcher.clone(), request.clone());
            let mut session = match session {
                Ok(session) => session,
                Err(error) => {
                    assert_eq!(whole, Err(error), "{kind:?}");
                    continue;
                }
            };
            let sliced = loop {
                match session.advance(&both.ground, slice) {
                    Progress::InProgress { .. } => {}
                    Progress::Done(outcome) => break outcome,
                    Progress::Stale { .. } => panic!("no edit since"),
                }
            };
            assert_eq!(whole, Ok(sliced.clone()), "{kind:?} {request:?}");
            let again = session.advance(&both.ground, slice);
            assert_eq!(again, Progress::Done(sliced), "{kind:?}: done stays done");
            searcher = session.into_searcher();
        }
        let cells = both.walkable_cells();
        let request = both.request(cells[0], cells[0]);
        let mut session = GroundSession::begin(&both.ground, searcher, request).unwrap();
        let started_at = both.ground.revision();
        let edits = random_batch(&mut rng, &both.world);
        both.apply(&edits);
        let current = both.ground.revision();
        let progress = session.advance(&both.ground, Budget::UNLIMITED);
        let stale = Progress::Stale {
            started_at,
            current,
        };
        assert_eq!(progress, stale, "{kind:?}");
    }
}

#[test]
fn subscriptions_report_exactly_the_invalidated_paths() {
    let mut n_invalid = 0;
    for kind in scenes() {
        for seed in (0..3).filter(|seed| kind.includes_seed(*seed)) {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0x3A7C);
            let mut subscriptions = PathIndex::default();
            let mut subscribed = BTreeMap::new();
            for batch in 0..12 {
                let note = format!("{kind:?} {seed} batch {batch}");
                for result in
                    find_batch::<PathSearcher>(&both.ground, &requests_for(&both, &mut rng, 10), 1)
                {
                    if let Some(path) = result.ok().and_then(Outcome::best) {
                        subscribed.insert(
                            subscriptions.insert(path.clone(), &both.ground, &path),
                            path,
                        );
                    }
                }
                let edits = random_batch(&mut rng, &both.world);
                let changes = both.ground.apply(&edits).unwrap();
                both.world.apply(&edits);
                both.log.push(changes.changes.clone());
                let report = subscriptions.find_invalidated(&both.ground, &changes.changes, Some);
                let expected: Vec<_> = subscribed
                    .iter()
                    .filter(|(_, path)| {
                        let status = status(&both.ground, &both.log, path);
                        matches!(status, PathStatus::Invalid { .. })
                    })
                    .map(|(id, _)| *id)
                    .collect();
                assert_eq!(report.invalidated, expected, "{note}");
                n_invalid += expected.len();
                for id in expected {
                    let path = subscriptions.remove(id);
                    assert_eq!(path, subscribed.remove(&id), "{note}");
                    assert_eq!(subscriptions.remove(id), None, "{note}");
                }
            }
            assert_eq!(subscriptions.len(), subscribed.len());
        }
    }
    assert!(n_invalid > 100, "only {n_invalid} paths became invalid");
}

#[test]
fn one_invalidated_path_of_ten_thousand_is_found_with_few_candidates() {
    let side = 640;
    let raster = wayfarer_base::Raster::from_bytes(640, 640, vec![0; 640 * 640]);
    let mut ground = Ground::from_raster(&raster.unwrap());
    let mut rng = Rng::new(4);
    let requests: Vec<GroundRequest> = (0..10_000)
        .map(|_| {
            let (x, y) = (rng.between(1, side - 60), rng.between(1, side - 60));
            let away = (rng.between(0, 50), rng.between(0, 50));
            GroundRequest::new(Cell::flat(x, y), Cell::flat(x + away.0, y + away.1))
        })
        // One far from all others.
        .chain([GroundRequest::new(Cell::flat(0, 0), Cell::flat(0, 600))])
        .collect();
    let mut subscriptions = PathIndex::default();
    let mut last = None;
    for result in find_batch::<PathSearcher>(&ground, &requests, 2) {
        let path = result.unwrap().found().unwrap();
        last = Some(subscriptions.insert(path.clone(), &ground, &path));
    }
    let edit = GroundEdit::RemoveCell {
        cell: Cell::flat(0, 300),
    };
    let changes = ground.apply(&[edit]).unwrap();
    let report = subscriptions.find_invalidated(&ground, &changes.changes, Some);
    assert_eq!(report.invalidated, vec![last.unwrap()]);
    assert!(report.n_candidates < 300, "{report:?}");
    assert!(report.n_checked <= 2, "{report:?}");
}

#[test]
fn a_repaired_path_is_legal_and_its_lower_bound_holds() {
    let (mut n_repaired, mut n_optimal, mut n_reused) = (0, 0, 0);
    for kind in scenes() {
        for seed in (0..3).filter(|seed| kind.includes_seed(*seed)) {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0x4E9A);
            let mut searcher = PathSearcher::default();
            for batch in 0..10 {
                let note = format!("{kind:?} {seed} batch {batch}");
                let mut requests = requests_for(&both, &mut rng, 8);
                for request in &mut requests {
                    if rng.chance(1, 4) {
                        let at = rng.pick(&both.walkable_cells()).unwrap().column();
                        let shape = Shape::Circle {
                            center: Point2::center_of(at).unwrap(),
                            radius: Fixed::from_raw(700),
                        };
                        let multiplier = CostMultiplier::from_sixteenths(40).unwrap();
                        request.area_costs = vec![(Area::new(shape), multiplier)];
                    }
                }
                let paths = find_batch::<PathSearcher>(&both.ground, &requests, 1);
                let edits = random_batch(&mut rng, &both.world);
                both.apply(&edits);
                for (request, result) in requests.iter().zip(paths) {
                    let Some(path) = result.ok().and_then(Outcome::found) else {
                        continue;
                    };
                    // Some agents are on their path already.
                    let mut request = request.clone();
                    if rng.chance(1, 2) {
                        request.from = *rng.pick(&path.cells).unwrap();
                    }
                    let fresh = searcher.find(&both.ground, &request);
                    let repaired = searcher.repair(&both.ground, &both.log, &request, &path);
                    match (fresh, repaired) {
                        (Ok(Outcome::Found(fresh)), Ok(Outcome::Found(repaired))) => {
                            assert_eq!(repaired.path.start(), Some(request.from), "{note}");
                            check_path(&both, &repaired.path, &note);
                            assert!(
                                repaired.path.cost_lower_bound <= fresh.cost,
                                "{note}: the bound"
                            );
                            assert!(repaired.path.cost >= fresh.cost, "{note}");
                            let previous: BTreeSet<Cell> = path.cells.iter().copied().collect();
                            let cells = repaired.path.cells.iter();
                            let shared = cells.filter(|cell| previous.contains(cell)).count();
                            assert!(repaired.n_reused <= shared, "{note}");
                            n_repaired += usize::from(repaired.path.cells != path.cells);
                            n_optimal += usize::from(repaired.path.is_optimal());
                            n_reused += repaired.n_reused;
                            if repaired.path.is_optimal() {
                                assert_eq!(repaired.path.cost, fresh.cost, "{note}");
                            }
                        }
                        (fresh, repaired) => {
                            let repaired = repaired.map(|outcome| outcome.map(|m| m.path));
                            assert_eq!(fresh, repaired, "{note}");
                        }
                    }
                }
            }
        }
    }
    assert!(n_repaired > 20, "only {n_repaired} paths were repaired");
    assert!(n_optimal > 200, "only {n_optimal} are known to be optimal");
    assert!(n_reused > 1_000, "only {n_reused} cells were reused");
}
