//! The same game with the plugin and with the library alone: equal positions and events at each of 600
//! ticks, on one thread and on four.

use super::{
    by_library, by_plugin,
    story::{Kind, Story},
};

#[test]
fn six_hundred_ticks_have_the_hash_of_the_library_on_one_and_on_four_threads() {
    let story = Story::new(1, 48, 8);
    let mut game = by_library::Game::new(story.clone(), 1).unwrap();
    let expected: Vec<u64> = (0..600).map(|_| game.step().unwrap()).collect();
    assert!(game.n_goals() > 200, "{}", game.n_goals());
    for threads in [1, 4] {
        let mut app = by_plugin::app(story.clone(), threads);
        for (tick, expected) in (1..).zip(&expected) {
            app.update();
            let found = by_plugin::hash(&app);
            assert_eq!(found, *expected, "tick {tick}, {threads} threads");
        }
        assert!(by_plugin::count(&app, Kind::Reached) > 100);
    }
}
