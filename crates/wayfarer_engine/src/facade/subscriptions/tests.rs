use wayfarer_base::{Cell, GroundEdit, Outcome, Raster};

use super::*;
use crate::{PathRequest, Position, Searcher};

#[test]
fn an_invalidated_path_is_reported_once_and_not_after_unsubscribing() {
    let map = Raster::from_bytes(9, 1, vec![0; 9]).unwrap();
    let mut world = World::from_raster(&map);
    let mut searcher = Searcher::default();
    let mut subscribe = |world: &mut World, x: f64| {
        let at = |x: f64| Position::new(x, 0.5, 0.0);
        let found = world.find_path(&mut searcher, &PathRequest::new(at(x), at(8.5)));
        let Ok(Outcome::Found(path)) = found else {
            panic!("{found:?}");
        };
        world.subscribe(path)
    };
    let ids = [0.5, 2.5, 4.5].map(|x| subscribe(&mut world, x));
    assert_eq!(world.n_subscriptions(), 3);
    let removed = world.unsubscribe(ids[1]).unwrap();
    assert_eq!(removed.start(), Some(Cell::flat(2, 0).into()));
    assert!(world.subscribed_path(ids[1]).is_none() && world.unsubscribe(ids[1]).is_none());
    let mut remove = |x: i32| {
        let cell = Cell::flat(x, 0);
        world
            .apply([GroundEdit::RemoveCell { cell }])
            .unwrap()
            .invalidated
            .clone()
    };
    assert_eq!(remove(3), [ids[0]]);
    assert_eq!(remove(6), [ids[2]]);
    assert_eq!(remove(7), []);
}
