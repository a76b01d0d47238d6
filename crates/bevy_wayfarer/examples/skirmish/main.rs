//! Sixty units among houses, walls that rise and fall, and a door: what happens in ten seconds.

#![expect(
    clippy::needless_pass_by_value,
    reason = "systems take their parameters by value"
)]

mod by_plugin;
mod story;

use story::{Kind, Story};

#[expect(clippy::print_stdout, reason = "an example shows what happens")]
fn main() {
    let mut app = by_plugin::app(Story::new(2, 60, 1), 1);
    for second in 1..=10 {
        (0..64).for_each(|_| app.update());
        let count = |kind| by_plugin::count(&app, kind);
        println!(
            "second {second}: {} paths, {} blocked, {} repaired, {} goals, {} sightings",
            count(Kind::Found),
            count(Kind::Invalidated),
            count(Kind::Repaired),
            count(Kind::Reached),
            count(Kind::Entered),
        );
    }
    println!("hash {:016x}", by_plugin::hash(&app));
}
