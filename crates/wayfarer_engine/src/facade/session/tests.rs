use wayfarer_base::{Budget, Cell, GroundEdit, Outcome, Progress, Raster, Rng};

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
