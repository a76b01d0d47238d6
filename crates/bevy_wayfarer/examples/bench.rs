//! The skirmish through the plugin against the library alone, tick by tick in turn: the overhead of the
//! plugin. `cargo xtask bench-bevy [--units N] [--ticks N]`.

#![expect(
    clippy::needless_pass_by_value,
    reason = "systems take their parameters by value"
)]

#[path = "skirmish/by_library.rs"]
mod by_library;
#[path = "skirmish/by_plugin.rs"]
mod by_plugin;
#[path = "skirmish/story.rs"]
mod story;

use std::time::{Duration, Instant};

use story::{Kind, Story};

type Done<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Done<()> {
    let (units, ticks) = (option("--units", 500)?, option("--ticks", 600)?);
    print(&format!(
        "{units} units, {ticks} ticks; milliseconds per tick"
    ));
    print("sensors   library   plugin   overhead   median of the ticks   goals given, reached");
    for sensor_step in [1, 8, u32::MAX] {
        measure(&Story::new(6, units, sensor_step), ticks)?;
    }
    Ok(())
}

/// The number after an option.
fn option(name: &str, default: u32) -> Done<u32> {
    let mut words = std::env::args().skip_while(|word| word != name).skip(1);
    Ok(words.next().map_or(Ok(default), |word| word.parse())?)
}

/// Plays both games in turn; their hashes must be equal.
fn measure(story: &Story, ticks: u32) -> Done<()> {
    let mut game = by_library::Game::new(story.clone(), 1)?;
    let mut app = by_plugin::app(story.clone(), 1);
    let (mut library, mut plugin) = (Vec::new(), Vec::new());
    for tick in 0..ticks {
        let begin = now();
        let expected = game.step()?;
        let middle = now();
        app.update();
        let end = now();
        if by_plugin::hash(&app) != expected {
            return Err(format!("the games differ at tick {tick}").into());
        }
        library.push(middle - begin);
        plugin.push(end - middle);
    }
    let mut ratios: Vec<f64> = library
        .iter()
        .zip(&plugin)
        .map(|(library, plugin)| plugin.as_secs_f64() / library.as_secs_f64())
        .collect();
    ratios.sort_by(f64::total_cmp);
    let mean =
        |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() * 1e3 / f64::from(ticks);
    let (library, plugin) = (mean(&library), mean(&plugin));
    let sensors = (0..story.n_units)
        .filter(|unit| story.has_sensor(*unit))
        .count();
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    print(&format!(
        "{sensors:7} {library:9.3} {plugin:8.3} {:8.1} % {:8.1} % {:22} {:8}",
        percent(plugin / library),
        percent(ratios[ratios.len() / 2]),
        game.n_goals(),
        by_plugin::count(&app, Kind::Reached),
    ));
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a measurement")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::print_stdout, reason = "a report")]
fn print(line: &str) {
    println!("{line}");
}
