//! A path through a small dungeon, with its cost and the number of expanded nodes.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer::engine::picture::Picture;
use wayfarer::engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let GeneratedWorld::Flat(map) = make(&Recipe::new(Generator::Rooms, 60, 20, 7))? else {
        return Err("rooms are flat".into());
    };
    let world = World::from_raster(&map);

    // From the westernmost walkable cell to the easternmost.
    let ground = world.ground();
    let mut cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    cells.sort();
    let [start, .., goal] = cells[..] else {
        return Err("no walkable cells".into());
    };
    let (from, to) = (
        world.position_of(start.into()),
        world.position_of(goal.into()),
    );

    match world.find_path(&mut Searcher::default(), &PathRequest::new(from, to))? {
        Outcome::Found(path) => {
            let walk = path.as_ground_path().ok_or("a ground path")?;
            let mut picture = Picture::from_raster(&map);
            picture.add_path(&walk.cells);
            print!("{}", picture.to_text());
            let (n_steps, cost) = (walk.cells.len() - 1, path.cost);
            println!("from {from} to {to}: {n_steps} steps, {cost} cells long");
            println!("{} nodes expanded", path.expansions);
        }
        other => println!("no path: {other:?}"),
    }
    Ok(())
}
