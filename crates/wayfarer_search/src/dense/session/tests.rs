//! Tests of sliced searches against whole ones.

use super::*;
use crate::dense::tests::{ground, noise, open_cells, sample};
use crate::dense::{find_path, find_path_observed};
use wayfarer_base::{Cell, Progress, Rng, Session};

#[test]
fn a_sliced_search_gives_the_same_outcome_as_a_whole_one() {
    let mut searcher = DenseSearcher::default();
    let mut session: Option<DenseSession> = None;
    for seed in 0..300 {
        let (mut rng, ground, requests) = sample(seed);
        for mut request in requests {
            if rng.chance(1, 3) {
                request.budget = Budget::expansions(1 + u64::from(rng.below(80)));
            }
            let whole = find_path(&ground, &mut searcher, &request).unwrap();
            let mut sliced = match session.take() {
                Some(mut session) => {
                    session.replace_request(&ground, &request).unwrap();
                    session
                }
                None => DenseSession::begin(&ground, DenseSearcher::default(), request).unwrap(),
            };
            let mut used = 0;
            loop {
                let slice = u64::from(rng.below(9));
                match sliced.advance(&ground, Budget::expansions(slice)) {
                    Progress::InProgress { stats } => {
                        assert!(stats.expansions <= used + slice);
                        used = stats.expansions;
                    }
                    Progress::Done(outcome) => {
                        assert_eq!(outcome, whole, "seed {seed}");
                        break;
                    }
                    stale @ Progress::Stale { .. } => panic!("{stale:?}"),
                }
            }
            let again = sliced.advance(&ground, Budget::expansions(1));
            assert_eq!(again, Progress::Done(whole), "done stays done");
            session = Some(sliced);
        }
    }
}

#[test]
fn a_session_is_stale_once_the_ground_changes() {
    let mut world = ground("....");
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(3, 0));
    let mut session = DenseSession::begin(&world, DenseSearcher::default(), request).unwrap();
    assert!(matches!(
        session.advance(&world, Budget::expansions(1)),
        Progress::InProgress { .. }
    ));
    let started_at = world.revision();
    world.apply(&[]).unwrap();
    let stale = Progress::Stale {
        started_at,
        current: world.revision(),
    };
    assert_eq!(session.advance(&world, Budget::UNLIMITED), stale);
    // Another ground.
    let small = ground(".");
    let progress = session.advance(&small, Budget::UNLIMITED);
    assert!(matches!(progress, Progress::Stale { .. }));

    session.replace_request(&world, &request).unwrap();
    assert_eq!(session.started_at(), world.revision());
    let progress = session.advance(&world, Budget::UNLIMITED);
    assert!(matches!(progress, Progress::Done(Outcome::Found(_))));
}

#[test]
fn a_sliced_search_emits_the_same_events_as_a_whole_one() {
    for seed in 0..100 {
        let (mut rng, ground, requests) = sample(seed);
        for request in requests {
            let (mut whole, mut sliced) = (Vec::new(), Vec::new());
            let mut searcher = DenseSearcher::default();
            find_path_observed(&ground, &mut searcher, &request, &mut whole).unwrap();
            let mut session = DenseSession::begin(&ground, searcher, request).unwrap();
            while let Progress::InProgress { .. } = session.advance_observed(
                &ground,
                Budget::expansions(u64::from(1 + rng.below(5))),
                &mut sliced,
            ) {}
            assert_eq!(whole, sliced, "seed {seed}");
        }
    }
}

#[test]
fn a_session_keeps_its_request_if_the_next_is_invalid() {
    let ground = ground("...#");
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(2, 0));
    let mut session = DenseSession::begin(&ground, DenseSearcher::default(), request).unwrap();
    let progress = session.advance(&ground, Budget::expansions(1));
    assert!(matches!(progress, Progress::InProgress { .. }));
    let blocked = DenseRequest::new(Cell::flat(0, 0), Cell::flat(3, 0));
    assert!(session.replace_request(&ground, &blocked).is_err());
    let whole = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    assert_eq!(
        session.advance(&ground, Budget::UNLIMITED),
        Progress::Done(whole)
    );
}

#[test]
fn a_session_without_memory_for_the_next_expansion_waits_for_a_slice_that_has_it() {
    let mut rng = Rng::new(5);
    let ground = noise(&mut rng, 60, 60, 8);
    let open = open_cells(&ground);
    let (first, last) = (open[0], *open.last().unwrap());
    let request = DenseRequest::new(first, last);
    let whole = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    let mut session = DenseSession::begin(&ground, DenseSearcher::default(), request).unwrap();
    let tight = Budget {
        memory_bytes: 0,
        ..Budget::UNLIMITED
    };
    let stuck = session.advance(&ground, tight);
    assert!(matches!(stuck, Progress::InProgress { .. }));
    assert_eq!(session.advance(&ground, tight), stuck);
    assert_eq!(
        session.advance(&ground, Budget::UNLIMITED),
        Progress::Done(whole)
    );
}

#[test]
fn a_session_whose_request_has_too_little_memory_ends() {
    let mut rng = Rng::new(5);
    let ground = noise(&mut rng, 60, 60, 8);
    let open = open_cells(&ground);
    let mut request = DenseRequest::new(open[0], *open.last().unwrap());
    let mut n_cut = 0;
    for memory_bytes in (0..60_000).step_by(500) {
        request.budget.memory_bytes = memory_bytes;
        let whole = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
        n_cut += u32::from(matches!(whole, Outcome::OutOfBudget { .. }));
        let mut session = DenseSession::begin(&ground, DenseSearcher::default(), request).unwrap();
        let mut all = (0..4_000).map(|_| session.advance(&ground, Budget::expansions(3)));
        let done = all.find(|now| !matches!(now, Progress::InProgress { .. }));
        assert_eq!(done, Some(Progress::Done(whole)), "{memory_bytes} bytes");
    }
    assert!((2..120).contains(&n_cut), "{n_cut}");
}
