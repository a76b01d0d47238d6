//! Shows a small dungeon, the cheapest path through it, and what the path costs.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use wayfarer::base::{Cell, Outcome};
use wayfarer::make::{Kind, Made, Recipe, make};
use wayfarer::picture::Picture;
use wayfarer::search::dense::{DenseRequest, DenseSearcher, find_path};
use wayfarer::world::dense::DenseGround;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Made::Flat(map) = make(&Recipe::new(Kind::Rooms, 60, 20, 7))? else {
        return Err("rooms are flat".into());
    };
    let ground = DenseGround::from_raster(map)?;

    // From the westernmost cell one can stand on to the easternmost.
    let columns = ground.rect().columns();
    let cells = columns.map(|column| column.at(0));
    let mut cells: Vec<Cell> = cells.filter(|cell| ground.is_walkable(*cell)).collect();
    cells.sort();
    let [start, .., goal] = cells[..] else {
        return Err("nowhere to go".into());
    };

    let request = DenseRequest::new(start, goal);
    match find_path(&ground, &mut DenseSearcher::default(), &request)? {
        Outcome::Found(path) => {
            let mut picture = Picture::of_raster(ground.raster());
            picture.add_path(&path.cells);
            print!("{}", picture.to_text());
            let n_steps = path.cells.len() - 1;
            println!(
                "from {start} to {goal}: {n_steps} steps, {} cells long",
                path.cost
            );
            println!("{} cells were looked at", path.expansions);
        }
        other => println!("no path: {other:?}"),
    }
    Ok(())
}
