//! A search in slices of 100 expansions per frame, with the same result as in one call.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{Budget, Cell, Outcome, Progress, SearchEvent, Session};
use wayfarer::engine::make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer::engine::picture::Picture;
use wayfarer::engine::search::dense::{
    DenseRequest, DenseSearcher, DenseSession, find_path_observed,
};
use wayfarer::engine::world::dense::DenseGround;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recipe = Recipe {
        corridor: 3,
        ..Recipe::new(Generator::Maze, 47, 19, 3)
    };
    let GeneratedWorld::Flat(map) = make(&recipe)? else {
        return Err("mazes are flat".into());
    };
    let ground = DenseGround::from_raster(map)?;
    let request = DenseRequest::new(Cell::flat(2, 2), Cell::flat(44, 16));

    let mut session = DenseSession::begin(&ground, DenseSearcher::default(), request)?;
    let mut frame = 1;
    let result = loop {
        match session.advance(&ground, Budget::expansions(100)) {
            Progress::InProgress { stats } => {
                println!("frame {frame}: {} expansions", stats.expansions);
            }
            Progress::Done(result) => break result,
            Progress::Stale { .. } => return Err("the ground is not edited".into()),
        }
        frame += 1;
    };
    println!("frame {frame}: done\n");

    // The same search in one call, with an observer.
    let mut events: Vec<SearchEvent> = Vec::new();
    let mut searcher = session.into_searcher();
    let in_one_call = find_path_observed(&ground, &mut searcher, &request, &mut events)?;
    println!("same result: {}\n", in_one_call == result);
    let mut picture = Picture::from_raster(ground.raster());
    picture.add_events(&events);
    if let Outcome::Found(path) = result {
        picture.add_path(&path.cells);
    }
    print!("{}", picture.to_text());
    Ok(())
}
