//! The status of a path on a dense grid: valid, then maybe suboptimal, then invalid.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{Cell, GroundEdit, Terrain};
use wayfarer::engine::formats::movingai_map;
use wayfarer::engine::picture::Picture;
use wayfarer::engine::search::dense::{DensePath, DenseRequest, DenseSearcher, find_path, status};
use wayfarer::engine::world::dense::DenseGround;

const COURTYARD: &str = "\
type octile
height 7
width 15
map
...............
...............
@@@@@@@.@@@@@@@
...............
...............
@@.@@@@@@@@@@@@
...............
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut ground = DenseGround::from_raster(movingai_map::read(COURTYARD.as_bytes())?)?;
    let mut searcher = DenseSearcher::default();
    let request = DenseRequest::new(Cell::flat(11, 0), Cell::flat(12, 6));
    let mut find = |ground: &DenseGround| {
        let result = find_path(ground, &mut searcher, &request)?;
        result
            .found()
            .ok_or(Box::<dyn std::error::Error>::from("no path"))
    };

    let path = find(&ground)?;
    show(&ground, &path);
    println!("at {}: {:?}\n", ground.revision(), status(&ground, &path));

    // A second gate opens in the east: the path is valid, but maybe suboptimal.
    let terrain = Terrain::GROUND;
    let gate = Cell::flat(12, 2);
    ground.apply(&[GroundEdit::PutCell {
        cell: gate,
        terrain,
    }])?;
    println!("at {}: {:?}", ground.revision(), status(&ground, &path));

    // The first gate closes: the path is invalid at a known leg.
    ground.apply(&[GroundEdit::RemoveCell {
        cell: Cell::flat(7, 2),
    }])?;
    println!("at {}: {:?}\n", ground.revision(), status(&ground, &path));

    show(&ground, &find(&ground)?);
    Ok(())
}

fn show(ground: &DenseGround, path: &DensePath) {
    let mut picture = Picture::from_raster(ground.raster());
    picture.add_path(&path.cells);
    print!("{}", picture.to_text());
    println!("{} cells long", path.cost);
}
