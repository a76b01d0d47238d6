//! Flights against a reference implementation, in small random worlds.

use wayfarer_base::{
    Budget, ChangeLog, CostMultiplier, Fixed, Outcome, PathStatus, Progress, Rng, Session,
    UnreachableProof, Voxel,
};
use wayfarer_testkit::voxels::ReferenceVoxels;
use wayfarer_testkit::voxels::clearance::center;
use wayfarer_world::air::{Air, AirBuilder, AirEdit, Volume, VolumeId, VolumeRule};

use super::*;
use crate::kernel::find_batch;
use crate::subscriptions::PathIndex;

const SIZE: [u32; 3] = [23, 17, 13];
/// Not a multiple of a leaf's side, so that local and world coordinates differ in every bit.
const LOW: Voxel = Voxel::new(-5, 3, 7);

/// A world of random boxes and single voxels, as air and as reference voxels.
fn world(seed: u64, share: u32) -> (Air, ReferenceVoxels) {
    let mut rng = Rng::new(seed);
    let mut space = ReferenceVoxels::new(SIZE.map(|side| i32::try_from(side).unwrap()));
    for _ in 0..rng.below(12) {
        let low = random_voxel(&mut rng);
        let by = [rng.below(9), rng.below(9), rng.below(4)].map(u32::cast_signed);
        for z in low.z..low.z + by[2] {
            for y in low.y..low.y + by[1] {
                for x in low.x..low.x + by[0] {
                    space.set(Voxel::new(x, y, z), true);
                }
            }
        }
    }
    for at in space.clone().voxels() {
        if rng.chance(share, 100) {
            space.set(at, true);
        }
    }
    let mut builder = AirBuilder::new(LOW, SIZE).unwrap();
    for at in space.solid_voxels() {
        builder.add_voxel(to_world(at)).unwrap();
    }
    (builder.build().unwrap(), space)
}

fn cycled<T: Copy>(seed: u64, list: &[T]) -> T {
    list[usize::try_from(seed).unwrap() % list.len()]
}

fn random_voxel(rng: &mut Rng) -> Voxel {
    let [x, y, z] = SIZE.map(|side| rng.below(side).cast_signed());
    Voxel::new(x, y, z)
}

fn to_world(at: Voxel) -> Voxel {
    Voxel::new(at.x + LOW.x, at.y + LOW.y, at.z + LOW.z)
}

fn to_reference(at: Voxel) -> Voxel {
    Voxel::new(at.x - LOW.x, at.y - LOW.y, at.z - LOW.z)
}

/// Two free voxels.
fn ends(rng: &mut Rng, space: &ReferenceVoxels) -> Option<(Voxel, Voxel)> {
    let mut free = || {
        (0..50)
            .map(|_| random_voxel(rng))
            .find(|at| space.is_free(*at))
    };
    Some((free()?, free()?))
}

/// Checks the ends and that every leg is free for the agent.
#[track_caller]
fn check_flight(
    space: &ReferenceVoxels,
    path: &FlightPath,
    (from, to): (Voxel, Voxel),
    what: &str,
) {
    assert_eq!(path.start(), Some(to_world(from)), "{what}");
    assert_eq!(path.end(), Some(to_world(to)), "{what}");
    for leg in path.waypoints.windows(2) {
        let (a, b) = (center(to_reference(leg[0])), center(to_reference(leg[1])));
        let room = space.clearance_along(a, b).unwrap_or(f64::MAX);
        let needed = path.radius.to_cells();
        assert!(
            room > 0.0 && room >= needed - 1e-9,
            "{what}: leg {leg:?} has clearance {room}"
        );
    }
}

fn all_params() -> Vec<OctreeParams> {
    let mut list: Vec<OctreeParams> = OctreeParams::PRESETS
        .iter()
        .map(|(_, params)| *params)
        .collect();
    list.push(OctreeParams {
        unit_cost: 8,
        node_point: NodePoint::Faces,
        ..OctreeParams::BALANCED
    });
    list.push(OctreeParams {
        metric: Metric::Manhattan,
        leaf_nodes: LeafNodes::Voxels,
        ..OctreeParams::FAST
    });
    list.push(OctreeParams {
        corridor_after: 1,
        ..OctreeParams::BALANCED
    });
    list
}

#[test]
fn voxel_astar_costs_equal_the_reference() {
    let mut searcher = FlightSearcher::default();
    let mut rng = Rng::new(1);
    let mut n_found = 0;
    for seed in 0..60 {
        let (air, space) = world(seed, cycled(seed, &[2, 20, 45]));
        let Some((from, to)) = ends(&mut rng, &space) else {
            continue;
        };
        let request = FlightRequest {
            method: FlightMethod::VoxelAStar,
            ..FlightRequest::new(to_world(from), to_world(to))
        };
        let found = searcher.find(&air, &request).unwrap().found();
        assert_eq!(
            found.as_ref().map(|path| path.cost),
            space.path_cost(from, to),
            "{seed}"
        );
        if let Some(path) = found {
            check_flight(&space, &path, (from, to), "voxel A*");
            n_found += 1;
        }
    }
    assert!(n_found > 30);
}

#[test]
fn all_octree_params_find_a_free_flight_exactly_if_one_exists() {
    let mut searcher = FlightSearcher::default();
    let mut rng = Rng::new(2);
    let mut n_found = [0; 2];
    for seed in 0..60 {
        let (air, space) = world(seed, cycled(seed, &[1, 15, 50, 70]));
        let Some((from, to)) = ends(&mut rng, &space) else {
            continue;
        };
        let best = space.path_cost(from, to);
        for params in all_params() {
            let request = FlightRequest {
                method: FlightMethod::Octree(params),
                ..FlightRequest::new(to_world(from), to_world(to))
            };
            let result = searcher.find(&air, &request).unwrap();
            n_found[usize::from(best.is_some())] += 1;
            match (result, best) {
                (Outcome::Found(path), Some(best)) => {
                    check_flight(&space, &path, (from, to), &format!("{seed} {params:?}"));
                    assert!(path.cost <= path.raw_cost, "{seed}");
                    let straight = path::distance(from, to);
                    assert!(
                        path.length() >= straight - 1e-9
                            && path.length() < 4.0 * best.to_cells() + 1.0
                    );
                }
                (Outcome::Unreachable { proof, .. }, None) => {
                    assert_eq!(proof, UnreachableProof::DifferentComponents);
                }
                (result, best) => panic!("{seed}: {result:?}, the reference has {best:?}"),
            }
        }
    }
    assert!(n_found[0] > 20 && n_found[1] > 100, "{n_found:?}");
}

/// The free space for the agent's center.
fn eroded(space: &ReferenceVoxels, radius: Fixed) -> ReferenceVoxels {
    let mut eroded = space.clone();
    for at in space.voxels().filter(|at| space.is_free(*at)) {
        let room = space.clearance_at(center(at)).unwrap_or(f64::MAX);
        eroded.set(at, room < radius.to_cells());
    }
    eroded
}

#[test]
fn agents_with_a_radius_find_what_the_eroded_reference_finds() {
    let mut searcher = FlightSearcher::default();
    let mut rng = Rng::new(3);
    let mut n_found = 0;
    for seed in 100..140 {
        let (air, space) = world(seed, 1);
        let radius = Fixed::from_raw(cycled(seed, &[100, 129, 256, 333, 512, 700]));
        let eroded = eroded(&space, radius);
        let Some((from, to)) = ends(&mut rng, &eroded) else {
            continue;
        };
        let request = FlightRequest {
            radius,
            ..FlightRequest::new(to_world(from), to_world(to))
        };
        let exact = FlightRequest {
            method: FlightMethod::VoxelAStar,
            ..request
        };
        let best = eroded.path_cost(from, to);
        let found = searcher.find(&air, &exact).unwrap().found();
        assert_eq!(found.map(|path| path.cost), best, "{seed} {radius}");
        let flight = searcher.find(&air, &request).unwrap().found();
        assert_eq!(flight.is_some(), best.is_some(), "{seed} {radius}");
        if let Some(path) = flight {
            check_flight(&space, &path, (from, to), "with a radius");
            n_found += 1;
        }
        if let Some(too_tight) = space
            .voxels()
            .find(|at| space.is_free(*at) && !eroded.is_free(*at))
        {
            let request = FlightRequest {
                to: to_world(too_tight),
                ..request
            };
            let error = searcher.find(&air, &request).unwrap_err();
            assert!(
                error.to_string().contains("less than the agent's radius"),
                "{error}"
            );
        }
    }
    assert!(n_found > 10, "{n_found}");
}

#[test]
fn closed_volumes_block_and_costly_ones_are_avoided() {
    let (mut air, mut space) = world(5, 0);
    let volume = |low: [i32; 3], high: [i32; 3], rule| Volume {
        low: to_world(Voxel::new(low[0], low[1], low[2])),
        high: to_world(Voxel::new(high[0], high[1], high[2])),
        rule,
    };
    let closed = volume([10, 0, 0], [11, 16, 8], VolumeRule::Closed);
    let put = |name, volume| AirEdit::PutVolume {
        id: VolumeId(name),
        volume,
    };
    air.apply(&[put(1, closed)]).unwrap();
    for at in space.clone().voxels() {
        if closed.contains(to_world(at)) {
            space.set(at, true);
        }
    }
    let mut searcher = FlightSearcher::default();
    let mut rng = Rng::new(4);
    let mut n_found = 0;
    for _ in 0..40 {
        let Some((from, to)) = ends(&mut rng, &space) else {
            continue;
        };
        let request = FlightRequest::new(to_world(from), to_world(to));
        let exact = FlightRequest {
            method: FlightMethod::VoxelAStar,
            ..request
        };
        let best = space.path_cost(from, to);
        assert_eq!(
            searcher
                .find(&air, &exact)
                .unwrap()
                .found()
                .map(|path| path.cost),
            best
        );
        let found = searcher.find(&air, &request).unwrap().found();
        assert_eq!(found.is_some(), best.is_some());
        if let Some(path) = found {
            check_flight(&space, &path, (from, to), "beside a closed volume");
            n_found += 1;
        }
    }
    assert!(n_found > 20);
    // A costly layer in an otherwise free box: over it rather than through it.
    let mut air = AirBuilder::new(LOW, SIZE).unwrap().build().unwrap();
    let costly = VolumeRule::CostMultiplier(CostMultiplier::from_sixteenths(320).unwrap());
    air.apply(&[put(2, volume([9, 0, 0], [13, 16, 9], costly))])
        .unwrap();
    let (from, to) = (Voxel::new(2, 8, 2), Voxel::new(20, 8, 2));
    let request = FlightRequest::new(to_world(from), to_world(to));
    let path = searcher.find(&air, &request).unwrap().found().unwrap();
    assert!(
        path.waypoints.iter().any(|at| to_reference(*at).z > 9),
        "{path:?}"
    );
    assert!(path.cost.to_cells() < 30.0, "{}", path.cost);
    let exact = FlightRequest {
        method: FlightMethod::VoxelAStar,
        ..request
    };
    let exact = searcher.find(&air, &exact).unwrap().found().unwrap();
    let ratio = path.cost.to_cells() / exact.cost.to_cells();
    assert!((0.8..1.1).contains(&ratio), "{} {}", path.cost, exact.cost);
}

/// Walls from floor to ceiling every `step` voxels, each with one hole of a voxel.
fn maze(side: u32, step: u32, seed: u64) -> Air {
    holed(side, step, (seed, 0))
}

/// The same with holes `more` voxels wider in all directions.
fn holed(side: u32, step: u32, (seed, more): (u64, i32)) -> Air {
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [side; 3]).unwrap();
    let mut rng = Rng::new(seed);
    let last = side.cast_signed() - 1;
    for x in (step..side).step_by(step as usize).map(u32::cast_signed) {
        let (low, high) = (1 + more, last - 1 - more);
        let (y, z) = (rng.between(low, high), rng.between(low, high));
        let wall = |low: [i32; 2], high: [i32; 2]| {
            (
                Voxel::new(x, low[0], low[1]),
                Voxel::new(x, high[0], high[1]),
            )
        };
        for (low, high) in [
            wall([0, 0], [last, z - more - 1]),
            wall([0, z + more + 1], [last, last]),
            wall([0, z - more], [y - more - 1, z + more]),
            wall([y + more + 1, z - more], [last, z + more]),
        ] {
            builder.add_box(low, high).unwrap();
        }
    }
    builder.build().unwrap()
}

#[test]
fn a_corridor_of_regions_halves_the_expansions_in_a_maze() {
    let air = maze(64, 8, 3);
    let request = FlightRequest::new(Voxel::new(1, 1, 1), Voxel::new(62, 60, 60));
    let mut searcher = FlightSearcher::default();
    let flat = OctreeParams {
        corridor_after: u32::MAX,
        ..OctreeParams::BALANCED
    };
    let flat = FlightRequest {
        method: FlightMethod::Octree(flat),
        ..request
    };
    let flat = searcher.find(&air, &flat).unwrap().found().unwrap();
    let soon = OctreeParams {
        corridor_after: 50,
        ..OctreeParams::BALANCED
    };
    let soon = FlightRequest {
        method: FlightMethod::Octree(soon),
        ..request
    };
    let soon = searcher.find(&air, &soon).unwrap().found().unwrap();
    assert!(
        soon.expansions < flat.expansions / 2,
        "{} {}",
        soon.expansions,
        flat.expansions
    );
    assert!(soon.length() < flat.length() * 1.2);
    for path in [&flat, &soon] {
        assert!(
            path.waypoints
                .windows(2)
                .all(|leg| air.has_line_of_sight(leg[0], leg[1]))
        );
    }
}

#[test]
fn an_agent_too_wide_for_the_holes_is_refused_without_an_exhaustive_search() {
    let soon = |radius: i32, corridor_after: u32| {
        let params = OctreeParams {
            corridor_after,
            ..OctreeParams::BALANCED
        };
        FlightRequest {
            radius: Fixed::from_raw(radius),
            method: FlightMethod::Octree(params),
            ..FlightRequest::new(Voxel::new(2, 2, 2), Voxel::new(60, 58, 58))
        }
    };
    let mut searcher = FlightSearcher::default();
    let narrow = holed(64, 8, (3, 0));
    let wide = holed(64, 8, (3, 1));
    for corridor_after in [1, 60, 400] {
        // Holes of one voxel.
        let result = searcher.find(&narrow, &soon(200, corridor_after)).unwrap();
        assert!(matches!(result, Outcome::Unreachable { .. }), "{result:?}");
        let few = searcher.stats().expansions;
        let flat = searcher.find(&narrow, &soon(200, u32::MAX)).unwrap();
        assert_eq!(result, flat);
        let all = searcher.stats().expansions;
        assert!(few < all / 2, "{few} {all}");
        // In slices, the same.
        let request = soon(200, corridor_after);
        let mut session =
            FlightSession::begin(&narrow, FlightSearcher::default(), request).unwrap();
        let sliced = loop {
            match session.advance(&narrow, Budget::expansions(7)) {
                Progress::Done(outcome) => break outcome,
                Progress::InProgress { .. } => {}
                Progress::Stale { .. } => panic!("nothing changed"),
            }
        };
        assert_eq!(sliced, result);
        assert_eq!(session.into_searcher().stats().expansions, few);
        // Holes of three voxels.
        let request = soon(300, corridor_after);
        let path = searcher.find(&wide, &request).unwrap().found().unwrap();
        let (few, length) = (path.expansions, path.length());
        let flat = searcher.find(&wide, &soon(300, u32::MAX)).unwrap();
        let flat = flat.found().unwrap();
        if corridor_after < 400 {
            assert!(few < flat.expansions, "{few} {}", flat.expansions);
        }
        assert!(length < flat.length() * 1.2);
        for leg in path.waypoints.windows(2) {
            let [from, to] = [leg[0], leg[1]].map(|at| segment_test::center(at).unwrap());
            assert_eq!(wide.sweep(from, to, request.radius), None);
        }
        let mut session = FlightSession::begin(&wide, FlightSearcher::default(), request).unwrap();
        let sliced = loop {
            match session.advance(&wide, Budget::expansions(5)) {
                Progress::Done(outcome) => break outcome.found().unwrap(),
                Progress::InProgress { .. } => {}
                Progress::Stale { .. } => panic!("nothing changed"),
            }
        };
        assert_eq!(sliced, path);
    }
}

#[test]
fn a_partial_flight_ends_at_the_nearest_voxel_of_the_same_component() {
    let mut searcher = FlightSearcher::default();
    let mut rng = Rng::new(21);
    let mut n_partial = 0;
    for seed in 300..360 {
        let (air, space) = world(seed, 2);
        let free: Vec<Voxel> = space.voxels().filter(|at| space.is_free(*at)).collect();
        let Some(from) = rng.pick(&free).copied() else {
            continue;
        };
        let solid: Vec<Voxel> = space.solid_voxels().collect();
        let to = match rng.pick(&solid) {
            Some(to) if seed % 2 == 0 => *to,
            _ => random_voxel(&mut rng),
        };
        let request = FlightRequest {
            partial: FlightPartialPolicy::Nearest,
            ..FlightRequest::new(to_world(from), to_world(to))
        };
        let own = air.component(request.from);
        let reached = free.iter().map(|at| to_world(*at));
        let reached = reached.filter(|at| air.component(*at) == own);
        let to_goal = |at: Voxel| path::distance(at, request.to);
        let nearest = reached.map(to_goal).fold(f64::MAX, f64::min);
        let path = match searcher.find(&air, &request).unwrap() {
            Outcome::Found(path) => path,
            Outcome::Partial { best, .. } => {
                n_partial += 1;
                best
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(path.start(), Some(request.from));
        assert!(
            (to_goal(path.end().unwrap()) - nearest).abs() < 1e-9,
            "{seed}"
        );
        for leg in path.waypoints.windows(2) {
            assert!(air.has_line_of_sight(leg[0], leg[1]), "{seed}");
        }
    }
    assert!(n_partial > 10, "{n_partial}");
}

#[test]
fn results_do_not_depend_on_slices_threads_or_earlier_queries() {
    let mut requests = Vec::new();
    let (air, space) = world(8, 20);
    let mut rng = Rng::new(9);
    for params in all_params() {
        for _ in 0..6 {
            let Some((from, to)) = ends(&mut rng, &space) else {
                continue;
            };
            requests.push(FlightRequest {
                method: FlightMethod::Octree(params),
                ..FlightRequest::new(to_world(from), to_world(to))
            });
            requests.push(FlightRequest {
                method: FlightMethod::VoxelAStar,
                budget: Budget::expansions(rng.below(300).into()),
                ..FlightRequest::new(to_world(from), to_world(to))
            });
        }
    }
    let one = find_batch::<FlightSearcher>(&air, &requests, 1);
    assert_eq!(find_batch::<FlightSearcher>(&air, &requests, 3), one);
    let mut searcher = FlightSearcher::default();
    for (request, whole) in requests.iter().zip(&one) {
        let mut session = FlightSession::begin(&air, searcher, *request).unwrap();
        let sliced = loop {
            if let Progress::Done(outcome) = session.advance(&air, Budget::expansions(2)) {
                break outcome;
            }
        };
        assert_eq!(Ok(sliced), *whole, "{request:?}");
        searcher = session.into_searcher();
    }
}

#[test]
fn a_flight_session_whose_request_was_rejected_is_stale_until_it_starts_a_valid_one() {
    let air = AirBuilder::new(Voxel::new(0, 0, 0), [16, 16, 16]).unwrap();
    let air = air.build().unwrap();
    let good = FlightRequest::new(Voxel::new(1, 1, 1), Voxel::new(9, 9, 9));
    let bad = FlightRequest::new(Voxel::new(-1, 0, 0), Voxel::new(9, 9, 9));
    let mut session = FlightSession::begin(&air, FlightSearcher::default(), good).unwrap();
    assert!(session.replace_request(&air, &bad).is_err());
    let progress = session.advance(&air, Budget::UNLIMITED);
    assert!(matches!(progress, Progress::Stale { .. }), "{progress:?}");
    session.replace_request(&air, &good).unwrap();
    let progress = session.advance(&air, Budget::UNLIMITED);
    assert!(matches!(progress, Progress::Done(Outcome::Found(_))));
}

#[test]
fn status_repair_and_subscriptions_agree_with_the_world_after_edits() {
    let mut searcher = FlightSearcher::default();
    let mut seen = [0; 4];
    for seed in 0..120 {
        let (mut air, mut space) = world(seed, cycled(seed, &[0, 8]));
        let mut rng = Rng::new(seed);
        let Some((from, to)) = ends(&mut rng, &space) else {
            continue;
        };
        let request = FlightRequest::new(to_world(from), to_world(to));
        let Some(path) = searcher.find(&air, &request).unwrap().found() else {
            continue;
        };
        let mut log: AirLog = ChangeLog::new(8);
        let mut subscriptions = PathIndex::default();
        let id = subscriptions.insert(path.clone(), &air, &path);
        let mut low = random_voxel(&mut rng);
        let mut high = Voxel::new(
            (low.x + 5).min(22),
            (low.y + 7).min(16),
            (low.z + 5).min(12),
        );
        let is_fill = rng.chance(2, 3);
        if rng.chance(1, 3) {
            (low.y, low.z, high.y, high.z) = (0, 0, 16, 12);
        }
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    space.set(Voxel::new(x, y, z), is_fill);
                }
            }
        }
        let (low, high) = (to_world(low), to_world(high));
        let edit = if is_fill {
            AirEdit::Fill { low, high }
        } else {
            AirEdit::Clear { low, high }
        };
        let changes = air.apply(&[edit]).unwrap();
        let report = subscriptions.find_invalidated(&air, &changes, Some);
        log.push(changes);
        let is_free = |path: &FlightPath| {
            let mut legs = path.waypoints.windows(2).map(|leg| [leg[0], leg[1]]);
            let only = [path.waypoints[0]; 2];
            let fits = |leg: [Voxel; 2]| {
                let room = space
                    .clearance_along(center(to_reference(leg[0])), center(to_reference(leg[1])));
                room.is_none_or(|room| room > 0.0)
            };
            fits(only) && legs.all(fits)
        };
        let now = status(&air, &log, &path);
        assert_eq!(now.is_walkable(), is_free(&path), "{seed}: {now:?}");
        assert_eq!(
            report.invalidated,
            if is_free(&path) { vec![] } else { vec![id] },
            "{seed}"
        );
        let fresh = searcher.find(&air, &request);
        let repaired = searcher.repair(&air, &request, &path);
        let n = match (&fresh, &repaired) {
            (Ok(Outcome::Found(fresh)), Ok(Outcome::Found(repaired))) => {
                check_flight(&space, &repaired.path, (from, to), "repaired");
                assert_eq!(repaired.path.revision, air.revision());
                if now == PathStatus::Valid {
                    // Nothing opened, so a full search is hardly shorter.
                    assert!(fresh.cost.to_cells() > path.cost.to_cells() * 0.9, "{seed}");
                }
                usize::from(now.is_walkable())
            }
            (Ok(Outcome::Unreachable { .. }), Ok(Outcome::Unreachable { .. })) => 2,
            (Err(a), Err(b)) if a == b => 3,
            other => panic!("{seed}: {other:?}"),
        };
        seen[n] += 1;
    }
    assert!(seen.iter().all(|n| *n > 1), "{seen:?}");
}

#[test]
fn a_thin_wall_around_the_goal_is_explained_and_a_partial_flight_ends_at_it() {
    let mut builder = AirBuilder::new(LOW, SIZE).unwrap();
    let (low, high) = (
        to_world(Voxel::new(14, 5, 3)),
        to_world(Voxel::new(20, 11, 9)),
    );
    builder.add_box(low, high).unwrap();
    let mut air = builder.build().unwrap();
    let inner = |at: Voxel, by: i32| Voxel::new(at.x + by, at.y + by, at.z + by);
    air.apply(&[AirEdit::Clear {
        low: inner(low, 1),
        high: inner(high, -1),
    }])
    .unwrap();
    let mut searcher = FlightSearcher::default();
    let goal = to_world(Voxel::new(17, 8, 6));
    let request = FlightRequest::new(to_world(Voxel::new(1, 8, 6)), goal);
    let result = searcher.find(&air, &request).unwrap();
    assert!(matches!(result, Outcome::Unreachable { .. }), "{result:?}");
    let explained = searcher.explain(&air, &request).unwrap();
    let wall = to_world(Voxel::new(14, 8, 6));
    assert_eq!(explained.unblock_options[0].at, wall.into());
    assert_eq!(explained.cheapest_blocked.unwrap().to, wall.into());
    assert!(!explained.frontier.is_empty());
    let request = FlightRequest {
        partial: FlightPartialPolicy::Nearest,
        ..request
    };
    let Outcome::Partial { best, .. } = searcher.find(&air, &request).unwrap() else {
        panic!("the policy allows a partial flight");
    };
    let end = best.end().unwrap();
    let distance = path::distance(end, goal);
    assert!(
        (4.0..5.0).contains(&distance),
        "ends at {end}, {distance} from the goal"
    );
}

#[test]
fn curves_keep_the_turn_radius_and_stay_free() {
    let mut searcher = FlightSearcher::default();
    let mut rng = Rng::new(12);
    let (mut n_arcs, mut n_sharp) = (0, 0);
    for seed in 0..60 {
        let (air, space) = world(seed, 1);
        let Some((from, to)) = ends(&mut rng, &space) else {
            continue;
        };
        let request = FlightRequest::new(to_world(from), to_world(to));
        let Some(path) = searcher.find(&air, &request).unwrap().found() else {
            continue;
        };
        let radius = cycled(seed, &[1.0, 2.0, 5.0]);
        let curve = path.curve(&air, Fixed::from_cells(radius).unwrap());
        let at = |point: &wayfarer_base::Point3| {
            let low = [LOW.x, LOW.y, LOW.z].map(f64::from);
            let [x, y, z] = [point.x, point.y, point.z].map(Fixed::to_cells);
            [x - low[0], y - low[1], z - low[2]]
        };
        let points: Vec<[f64; 3]> = curve.points.iter().map(at).collect();
        for leg in points.windows(2) {
            assert!(
                space
                    .clearance_along(leg[0], leg[1])
                    .is_none_or(|room| room > 0.0),
                "{seed}"
            );
        }
        let sharp: Vec<[f64; 3]> = curve
            .sharp
            .iter()
            .map(|index| center(to_reference(path.waypoints[*index])))
            .collect();
        n_sharp += sharp.len();
        for three in points.windows(3).filter(|three| !sharp.contains(&three[1])) {
            // Circumradius: the product of the sides over four times the area.
            let side = |a: [f64; 3], b: [f64; 3]| {
                let delta: [f64; 3] = std::array::from_fn(|axis| a[axis] - b[axis]);
                (delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]).sqrt()
            };
            let [a, b, c] = [
                side(three[0], three[1]),
                side(three[1], three[2]),
                side(three[2], three[0]),
            ];
            let half = (a + b + c) / 2.0;
            let area = (half * (half - a) * (half - b) * (half - c))
                .max(0.0)
                .sqrt();
            let circumradius = a * b * c / (4.0 * area);
            n_arcs += 1;
            // Rounding dominates on short segments.
            assert!(
                circumradius > radius * 0.9 || a.min(b) < 0.3,
                "{seed}: {circumradius} at {three:?}"
            );
        }
    }
    assert!(n_arcs > 20 && n_sharp > 0, "{n_arcs} {n_sharp}");
}

#[test]
fn removing_a_distant_volume_invalidates_no_flight() {
    let corner = Voxel::new(15, 15, 15);
    let put = AirEdit::PutVolume {
        id: VolumeId(1),
        volume: Volume {
            low: corner,
            high: corner,
            rule: VolumeRule::Closed,
        },
    };
    let mut before = AirBuilder::new(Voxel::default(), [16, 16, 16])
        .unwrap()
        .build()
        .unwrap();
    before.apply(&[put]).unwrap();
    let mut after = before.clone();
    let mut log = AirLog::starting_at(after.revision(), 4);
    let name = VolumeId(1);
    let changes = after.apply(&[AirEdit::RemoveVolume { id: name }]).unwrap();
    log.push(changes);
    let mut searcher = FlightSearcher::default();
    for goal in 0..2_000 {
        let to = Voxel::new(goal % 15, goal / 15 % 15, goal % 7);
        let request = FlightRequest::new(Voxel::new(1, 2, 3), to);
        let found = searcher.find(&before, &request).unwrap();
        let path = found.found().unwrap();
        let status = status(&after, &log, &path);
        assert!(status.is_walkable(), "{status:?} to {to}");
    }
}

#[test]
fn a_session_with_too_little_memory_ends() {
    let mut n_out_of_budget = 0;
    for seed in 0..8 {
        let (air, space) = world(seed, 8);
        let Some((from, to)) = ends(&mut Rng::new(seed), &space) else {
            continue;
        };
        for (number, method) in (0_u64..).zip([
            FlightMethod::VoxelAStar,
            FlightMethod::Octree(OctreeParams::BALANCED),
            FlightMethod::VoxelAStar,
        ]) {
            let request = FlightRequest {
                method,
                budget: Budget {
                    memory_bytes: 3_000 + 20_000 * number,
                    ..Budget::UNLIMITED
                },
                ..FlightRequest::new(to_world(from), to_world(to))
            };
            let mut session =
                FlightSession::begin(&air, FlightSearcher::default(), request).unwrap();
            let mut all = (0..20_000).map(|_| session.advance(&air, Budget::expansions(2)));
            let done = all.find(|now| !matches!(now, Progress::InProgress { .. }));
            let Some(Progress::Done(done)) = done else {
                panic!("{seed} {method:?}: {done:?}");
            };
            let is_out_of_budget = matches!(done, Outcome::OutOfBudget { .. });
            let whole = FlightSearcher::default().find(&air, &request).unwrap();
            assert_eq!(
                is_out_of_budget,
                matches!(whole, Outcome::OutOfBudget { .. }),
                "{seed}"
            );
            n_out_of_budget += u32::from(is_out_of_budget);
        }
    }
    assert!(
        n_out_of_budget > 3,
        "only {n_out_of_budget} ran out of memory"
    );
}
