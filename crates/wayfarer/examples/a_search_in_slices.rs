//! A search that goes on a little each frame, shown as it spreads; it ends with the same path.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use wayfarer::base::{Budget, Cell, Outcome, Progress, SearchEvent, Session};
use wayfarer::make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer::picture::Picture;
use wayfarer::search::dense::{DenseRequest, DenseSearcher, DenseSession, find_path_observed};
use wayfarer::world::dense::DenseGround;

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

    let mut session = DenseSession::begin(&ground, DenseSearcher::default(), &request)?;
    let mut frame = 1;
    let result = loop {
        match session.advance(&ground, Budget::expansions(100)) {
            Progress::InProgress { stats: spent } => {
                println!("frame {frame}: {} expansions", spent.expansions);
            }
            Progress::Done(result) => break result,
            Progress::Stale { .. } => return Err("nobody edits this ground".into()),
        }
        frame += 1;
    };
    println!("frame {frame}: done\n");

    // The same search at one go, watched.
    let mut events: Vec<SearchEvent> = Vec::new();
    let mut searcher = session.into_searcher();
    let at_one_go = find_path_observed(&ground, &mut searcher, &request, &mut events)?;
    println!("the same answer: {}\n", at_one_go == result);
    let mut picture = Picture::of_raster(ground.raster());
    picture.add_events(&events);
    if let Outcome::Found(path) = result {
        picture.add_path(&path.cells);
    }
    print!("{}", picture.to_text());
    Ok(())
}
