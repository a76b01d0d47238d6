//! Tests of registered profiles: wide bodies, mixed batches, unregistered profiles.

use super::*;

/// True if the agent's open disc around a point overlaps an unwalkable column; in 1/256 cells.
fn is_disc_blocked(both: &Both, x: i64, y: i64) -> bool {
    let radius = i64::from(both.profile.radius.raw());
    let margin = radius / 256 + 1;
    let (cx, cy) = (x.div_euclid(256), y.div_euclid(256));
    let squares = (cx - margin..=cx + margin).flat_map(|sx| {
        let rows = cy - margin..=cy + margin;
        rows.map(move |sy| (sx, sy))
    });
    let mut overlapped = squares.filter(|(sx, sy)| {
        let dx = x - x.clamp(sx * 256, sx * 256 + 256);
        let dy = y - y.clamp(sy * 256, sy * 256 + 256);
        dx * dx + dy * dy < radius * radius
    });
    overlapped.any(|(sx, sy)| {
        let column = Column::new(i32::try_from(sx).unwrap(), i32::try_from(sy).unwrap());
        let is_walkable = |terrain| both.profile.allows_terrain(terrain);
        !both.world.terrain(column.at(0)).is_some_and(is_walkable)
    })
}

/// Samples points on straight lines and checks that the agent's disc is free there.
#[track_caller]
fn check_lines(both: &Both, waypoints: &[Cell], note: &str) {
    for pair in waypoints.windows(2) {
        let center = |at: i32| i64::from(at) * 256 + 128;
        let (ax, ay) = (center(pair[0].x), center(pair[0].y));
        let (bx, by) = (center(pair[1].x), center(pair[1].y));
        // Only exact points count, so that rounding hides nothing.
        let n = (bx - ax).abs().max((by - ay).abs()) / 256 * 8;
        for part in 0..=n {
            let at = |a: i64, b: i64| a + (b - a) * part / n.max(1);
            let exact = (bx - ax) * part % n.max(1) == 0 && (by - ay) * part % n.max(1) == 0;
            assert!(
                !exact || !is_disc_blocked(both, at(ax, bx), at(ay, by)),
                "{note}: {pair:?} at {part}/{n}"
            );
        }
    }
}

#[test]
fn a_wide_body_never_clips_along_cells_waypoints_or_any_angle_lines() {
    let (mut n_found, mut n_lines) = (0, 0);
    let mut searcher = PathSearcher::default();
    let mut any_angle = AnyAngleSearcher::default();
    let kind = Scene {
        kind: WorldKind::Flat,
        agent: Agent::Wide,
    };
    for seed in 0..6 {
        let mut both = Both::random(seed, kind);
        let mut rng = Rng::new(seed ^ 0x71DE);
        for batch in 0..4 {
            let cells = both.walkable_cells();
            for _ in 0..12 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let note = format!(
                    "{seed} batch {batch} {from} to {to} {:?}",
                    both.profile.radius
                );
                let request = both.request(from, to);
                let Outcome::Found(path) = searcher.find(&both.ground, &request).unwrap() else {
                    continue;
                };
                n_found += 1;
                check_lines(&both, &path.cells, &note);
                let pulled = waypoints(&both.ground, &path);
                check_lines(&both, &pulled, &note);
                n_lines += usize::from(pulled.len() < path.cells.len() / 2);
                let line = any_angle
                    .find(both.nav_graph(), from, to, Budget::UNLIMITED)
                    .unwrap();
                check_lines(&both, &line.found().unwrap().waypoints, &note);
            }
            let edits = wayfarer_testkit::random_batch_between(&mut rng, &both.world, (0, 0));
            let flat = edits
                .into_iter()
                .filter(|edit| !matches!(edit, GroundEdit::PutNavLink(_)));
            both.apply(&flat.collect::<Vec<_>>());
        }
    }
    assert!(n_found > 60, "only {n_found} paths were found");
    assert!(n_lines > 20, "only {n_lines} were string-pulled");
}

#[test]
fn batches_of_mixed_profiles_give_the_same_results_on_any_number_of_threads() {
    for kind in [WorldKind::Flat, WorldKind::Mixed] {
        let mut ground = Ground::from_data(&random_world(4, kind)).unwrap();
        let mut rng = Rng::new(12);
        let mut profile_ids = vec![None];
        for _ in 0..3 {
            let profile = random_profile(&mut rng);
            profile_ids.push(Some(ground.register_profile(profile).unwrap()));
        }
        let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
        let requests: Vec<GroundRequest> = (0..60)
            .map(|_| {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                GroundRequest {
                    profile_id: *rng.pick(&profile_ids).unwrap(),
                    partial: PartialPolicy::NearestEuclidean,
                    ..GroundRequest::new(from, to)
                }
            })
            .collect();
        let one = find_batch::<PathSearcher>(&ground, &requests, 1);
        assert_eq!(
            one,
            find_batch::<PathSearcher>(&ground, &requests, 8),
            "{kind:?}"
        );
        for (request, result) in requests.iter().zip(&one) {
            let fresh = PathSearcher::default().find(&ground, request);
            assert_eq!(&fresh, result, "{kind:?}");
            let path = result
                .as_ref()
                .ok()
                .and_then(|outcome| outcome.clone().best());
            assert!(
                path.is_none_or(|path| path.profile_id == request.profile_id),
                "{kind:?}"
            );
        }
    }
}

#[test]
fn an_unregistered_profile_is_rejected_everywhere() {
    let mut both = Both::from_ascii(".....\n.....\n.....");
    let profile_id = both.ground.register_profile(Profile::DEFAULT).unwrap();
    both.profile_id = Some(profile_id);
    let request = both.request(Cell::flat(0, 0), Cell::flat(4, 2));
    let mut searcher = PathSearcher::default();
    let path = searcher
        .find(&both.ground, &request)
        .unwrap()
        .found()
        .unwrap();
    let mut flow = FlowField::new(
        both.nav_graph(),
        Rect::around(Column::new(0, 0), Column::new(4, 2)),
        &[Cell::flat(0, 0)],
    );
    assert_eq!(flow.len(), 15);
    let mut subscriptions = PathIndex::default();
    let id = subscriptions.insert(path.clone(), &both.ground, &path);
    both.ground.unregister_profile(profile_id);
    both.profile_id = None;
    let error = Err(RequestError::UnknownProfile);
    assert_eq!(searcher.find(&both.ground, &request), error);
    assert_eq!(
        searcher.distance(&both.ground, &request),
        Err(RequestError::UnknownProfile)
    );
    let explained = ReachabilitySearcher::default().explain(&both.ground, &request);
    assert_eq!(explained, Err(RequestError::UnknownProfile));
    assert_eq!(status(&both.ground, &both.log, &path), PathStatus::Unknown);
    assert_eq!(waypoints(&both.ground, &path), path.cells);
    assert_eq!(flow.update(&both.ground, &both.log), FlowUpdate::Rebuilt);
    assert!(flow.is_empty());
    let cell = Cell::flat(0, 0);
    let changes = both
        .ground
        .apply(&[GroundEdit::RemoveCell { cell }])
        .unwrap();
    let report = subscriptions.find_invalidated(&both.ground, &changes.changes, Some);
    assert_eq!(report.invalidated, vec![id]);
}

#[test]
fn a_gap_too_narrow_for_the_body_is_reported() {
    let mut both = Both::from_ascii("......\n......\n......\n###.##\n......\n......\n......");
    let ogre = Profile {
        radius: Fixed::from_raw(256),
        ..Profile::DEFAULT
    };
    both.profile_id = Some(both.ground.register_profile(ogre).unwrap());
    let mut searcher = PathSearcher::default();
    let (north, south) = (Cell::flat(2, 1), Cell::flat(2, 5));
    let mut find = |from, to| searcher.find(&both.ground, &both.request(from, to));
    let blocked = find(north, Cell::flat(3, 3)).unwrap_err();
    assert_eq!(
        blocked.to_string(),
        "the goal, cell (3, 3, 0), is blocked: it is too narrow for the body"
    );
    let apart = find(north, south).unwrap();
    let proof = UnreachableProof::DifferentComponents;
    let nearest = None;
    assert_eq!(apart, Outcome::Unreachable { proof, nearest });
    assert_eq!(searcher.stats().expansions, 0);
}
