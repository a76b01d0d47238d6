//! The same game with the plugin and with the library alone: equal positions and events at each of 600
//! ticks, on one thread and on four; and what the plugin does not write.

use bevy_app::FixedUpdate;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use bevy_wayfarer::{DesiredVelocity, NavAgent, NavEntity, NavPath, NavState};

use super::{
    app_on, at, by_library, by_plugin,
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

#[test]
fn what_does_not_change_is_not_written() {
    #[derive(Resource, Default)]
    struct Written(usize);
    type Outputs = Or<(
        Changed<DesiredVelocity>,
        Changed<NavPath>,
        Changed<NavState>,
    )>;
    let mut app = app_on(&["........"]);
    app.init_resource::<Written>();
    for x in 0..8 {
        let place = Transform::from_translation(at(x, 0));
        app.world_mut()
            .spawn((NavAgent::new(2.0), NavEntity::default(), place));
    }
    app.add_systems(
        FixedUpdate,
        |agents: Query<'_, '_, (), Outputs>, mut written: ResMut<'_, Written>| {
            written.0 += agents.iter().count();
        },
    );
    super::updates(&mut app, 2);
    let at_first = app.world().resource::<Written>().0;
    super::updates(&mut app, 10);
    assert_eq!(app.world().resource::<Written>().0, at_first);
}
