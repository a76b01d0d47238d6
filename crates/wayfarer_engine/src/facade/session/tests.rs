use wayfarer_base::{
    Budget, Cell, Column, CostModifier, CostModifierId, CostMultiplier, GroundEdit, Outcome,
    Progress, Raster, Rect, Rng, Shape,
};
use wayfarer_search::ground::Method;

use super::*;
use crate::Position;

fn noise(seed: u64) -> World {
    let mut rng = Rng::new(seed);
    let bytes = (0..64 * 64).map(|_| if rng.chance(1, 4) { 255 } else { 0 });
    World::from_raster(&Raster::from_bytes(64, 64, bytes.collect()).unwrap())
}

fn random_request(rng: &mut Rng) -> PathRequest {
    let mut at = || {
        let coordinate = |rng: &mut Rng| f64::from(rng.between(0, 63)) + 0.5;
        Position::new(coordinate(rng), coordinate(rng), 0.0)
    };
    PathRequest::new(at(), at())
}

fn sliced(
    world: &World,
    session: &mut PathSession,
    slice: u64,
) -> Result<Outcome<Path>, RequestError> {
    loop {
        let before = session.stats().expansions;
        match session.advance(world, Budget::expansions(slice))? {
            Progress::Done(outcome) => return Ok(outcome),
            Progress::InProgress { stats } => {
                let most = slice.max(if before == 0 {
                    PathSession::MAX_START
                } else {
                    0
                });
                assert!(stats.expansions <= before + most);
            }
            Progress::Stale { .. } => {}
        }
    }
}

#[test]
fn a_sliced_search_gives_the_outcome_of_a_whole_one() {
    let world = noise(5);
    let mut rng = Rng::new(6);
    let mut searcher = Searcher::default();
    for round in 0..200 {
        let mut request = random_request(&mut rng);
        request.allow_partial = round % 4 == 0;
        let (method, whole) = match round % 2 {
            0 => (
                SessionMethod::Path,
                world.find_path(&mut searcher, &request),
            ),
            _ => (
                SessionMethod::AnyAngle,
                world.find_any_angle(&mut searcher, &request),
            ),
        };
        let slice = u64::from(rng.below(20)) + 1;
        let mut session = PathSession::new(searcher, request, method);
        assert_eq!(sliced(&world, &mut session, slice), whole);
        searcher = session.into_searcher();
    }
}

#[test]
fn an_edit_of_the_ground_makes_a_session_stale_once() {
    let mut world = noise(7);
    let mut rng = Rng::new(8);
    let mut n_stale = 0;
    for _ in 0..60 {
        let request = random_request(&mut rng);
        let mut session =
            PathSession::new(Searcher::default(), request.clone(), SessionMethod::Path);
        let first = session.advance(&world, Budget::expansions(3));
        let is_open = matches!(first, Ok(Progress::InProgress { .. }));
        let cell = Cell::flat(rng.between(0, 63), rng.between(0, 63));
        world.apply([GroundEdit::RemoveCell { cell }]).unwrap();
        assert_eq!(session.is_stale(&world), is_open);
        n_stale += u32::from(is_open);
        let whole = world.find_path(&mut Searcher::default(), &request);
        assert_eq!(sliced(&world, &mut session, 4), whole);
    }
    assert!(n_stale > 10, "{n_stale}");
}

/// Goes on in slices; the floods of block tables at the ends may exceed the first.
fn finished(world: &World, session: &mut PathSession) -> Result<Outcome<Path>, RequestError> {
    loop {
        if let Progress::Done(outcome) = session.advance(world, Budget::expansions(700))? {
            return Ok(outcome);
        }
    }
}

/// Open ground of 192 by 192 columns whose western half costs twice as much.
fn weighted() -> World {
    let raster = Raster::from_bytes(192, 192, vec![0; 192 * 192]).unwrap();
    let mut world = World::from_raster(&raster);
    let shape = Shape::Box(Rect::around(Column::new(0, 0), Column::new(95, 191)));
    let modifier = CostModifier {
        shape,
        heights: (i32::MIN, i32::MAX),
        multiplier: CostMultiplier::from_sixteenths(32).unwrap(),
    };
    let put = GroundEdit::PutCostModifier {
        id: CostModifierId(1),
        modifier,
    };
    world.apply([put]).unwrap();
    world
}

#[test]
fn a_search_survives_edits_of_what_it_has_not_seen() {
    for method in [Method::Optimal, Method::AStar] {
        let mut world = weighted();
        let at = |x: f64, y: f64| Position::new(x, y, 0.0);
        let mut request = PathRequest::new(at(20.5, 20.5), at(20.5, 60.5));
        request.ground.method = method;
        let mut session =
            PathSession::new(Searcher::default(), request.clone(), SessionMethod::Path);
        let advance = |world: &World, session: &mut PathSession| {
            session.advance(world, Budget::expansions(300)).unwrap()
        };
        let first = advance(&world, &mut session);
        assert!(matches!(first, Progress::InProgress { .. }), "{first:?}");
        let n_before = session.stats().expansions;
        let remove = |x: i32, y: i32| GroundEdit::RemoveCell {
            cell: Cell::flat(x, y),
        };
        // Far from both ends.
        world.apply([remove(180, 180)]).unwrap();
        assert!(
            session.is_stale(&world) && session.catch_up(&world),
            "{method:?}"
        );
        assert!(!session.is_stale(&world));
        let whole = world.find_path(&mut Searcher::default(), &request);
        assert_eq!(finished(&world, &mut session), whole, "{method:?}");
        assert!(session.stats().expansions >= n_before, "{method:?}");
        let again = advance(&world, &mut session);
        assert!(matches!(again, Progress::InProgress { .. }), "{again:?}");
        // Beside the start.
        world.apply([remove(22, 20)]).unwrap();
        assert!(!session.catch_up(&world), "{method:?}");
        let whole = world.find_path(&mut Searcher::default(), &request);
        assert_eq!(finished(&world, &mut session), whole, "{method:?}");
    }
}

#[test]
fn searches_over_weighted_ground_with_edits_between_slices_give_the_outcome_of_whole_ones() {
    let mut world = weighted();
    let mut rng = Rng::new(9);
    let mut n_survived = 0;
    for round in 0..60 {
        let mut at = || {
            let coordinate = |rng: &mut Rng| f64::from(rng.between(0, 191)) + 0.5;
            Position::new(coordinate(&mut rng), coordinate(&mut rng), 0.0)
        };
        let mut request = PathRequest::new(at(), at());
        request.ground.method = [Method::Bounded, Method::AStar][round % 2];
        let mut session =
            PathSession::new(Searcher::default(), request.clone(), SessionMethod::Path);
        let slice = u64::from(rng.below(3_000)) + 1;
        let first = session.advance(&world, Budget::expansions(slice));
        let is_open = matches!(first, Ok(Progress::InProgress { .. }));
        let cell = Cell::flat(rng.between(0, 191), rng.between(0, 191));
        world.apply([GroundEdit::RemoveCell { cell }]).unwrap();
        n_survived += u32::from(is_open && session.catch_up(&world));
        let whole = world.find_path(&mut Searcher::default(), &request);
        assert_eq!(finished(&world, &mut session), whole);
    }
    assert!(n_survived > 5, "{n_survived}");
}
