//! Three agents of different radius before a wall with a gate and a breach.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{Fixed, Raster};
use wayfarer::engine::picture::Picture;
use wayfarer::engine::prelude::*;

const WALL: [&str; 11] = [
    "............#...........",
    "............#...........",
    "........................",
    "............#...........",
    "............#...........",
    "............#...........",
    "........................",
    "........................",
    "........................",
    "............#...........",
    "............#...........",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = WALL.concat().into_bytes().into_iter();
    let bytes = bytes.map(|letter| u8::from(letter == b'#') * 255).collect();
    let map = Raster::from_bytes(24, 11, bytes).ok_or("24 x 11 letters")?;
    let mut world = World::from_raster(&map);
    let mut searcher = Searcher::default();
    let at = |x: f64| Position::new(x, 2.5, 0.0);
    for (name, radius) in [("a scout", 0.5), ("a cart", 1.4), ("a war elephant", 2.5)] {
        let radius = Fixed::from_cells(radius).ok_or("a small number")?;
        let profile = Profile {
            radius,
            ..Profile::DEFAULT
        };
        let agent_type = world.add_agent_type(profile)?;
        let request = PathRequest {
            agent_type,
            ..PathRequest::new(at(4.5), at(19.5))
        };
        println!("{name}, {} cells wide", radius.to_cells() * 2.0);
        match world.find_path(&mut searcher, &request) {
            Ok(Outcome::Found(path)) => {
                let mut picture = Picture::from_raster(&map);
                picture.add_path(&path.as_ground_path().ok_or("a ground path")?.cells);
                print!("{}", picture.to_text());
                println!("{} cells long\n", path.cost);
            }
            Ok(other) => {
                println!("no path: {other:?}");
                // A part of the wall falls: wide enough for all.
                let (low, high) = (Position::new(12.0, 3.0, 0.0), Position::new(13.0, 6.0, 3.0));
                let floor = Some(Terrain::GROUND);
                world.apply([Edit::CarveBox { low, high, floor }])?;
                let found = world.find_path(&mut searcher, &request)?.found();
                let path = found.ok_or("the breach is wide enough")?;
                println!(
                    "the wall falls from the gate to the breach: {} cells long",
                    path.cost
                );
            }
            Err(error) => println!("invalid request: {error}"),
        }
    }
    Ok(())
}
