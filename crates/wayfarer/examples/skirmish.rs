//! A whole game: soldiers, tanks, boats and drones, walls, doors, sensors, saved in the middle.
//!
//! `cargo wayfarer bench skirmish` measures the same game.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

/// The game, shared with the benchmark.
mod skirmish {
    pub(crate) mod game;
    pub(crate) mod map;
    pub(crate) mod orders;
    pub(crate) mod save;
    pub(crate) mod units;
}

use std::error::Error;

use skirmish::game::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new(1, 100)?;
    for _ in 0..40 {
        game.step()?;
    }
    let mut resumed = Game::load(game.save())?;
    for _ in 0..20 {
        game.step()?;
        resumed.step()?;
    }
    println!("{:#?}", game.counts);
    println!("requests answered: {}", game.counts.n_answers());
    println!("longest wait: {} ticks", game.planner.stats().max_wait);
    println!("resumed game the same: {}", resumed.digest == game.digest);
    Ok(())
}
