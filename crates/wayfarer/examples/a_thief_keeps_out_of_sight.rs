//! Exposure to viewers: the shortest path, and the path that avoids their sight.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::Raster;
use wayfarer::engine::picture::Picture;
use wayfarer::engine::prelude::*;

const YARD: [&str; 12] = [
    "..............................",
    "..............................",
    "......####........####........",
    "......####........####........",
    "..............................",
    "............######............",
    "............######............",
    "..............................",
    "......####........####........",
    "......####........####........",
    "..............................",
    "..............................",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = YARD.concat().into_bytes().into_iter();
    let bytes = bytes.map(|letter| u8::from(letter == b'#') * 255).collect();
    let map = Raster::from_bytes(30, 12, bytes).ok_or("30 x 12 letters")?;
    let world = World::from_raster(&map);
    let mut searcher = Searcher::default();
    let at = |x: f64, y: f64, z: f64| Position::new(x + 0.5, y + 0.5, z);
    let eyes = [at(8.0, 0.0, 1.5), at(20.0, 0.0, 1.5)];
    let viewers = eyes.map(|eye| Viewer::new(eye, 20.0)).to_vec();

    let shortest = PathRequest::new(at(0.0, 4.0, 0.0), at(29.0, 4.0, 0.0));
    let least_exposed = PathRequest {
        viewers: viewers.clone(),
        exposure_cost: CostMultiplier::from_sixteenths(16 * 9).ok_or("at least 1")?,
        ..shortest.clone()
    };
    for (name, request) in [
        ("the shortest path", shortest),
        ("the least exposed path", least_exposed),
    ] {
        let path = world
            .find_path(&mut searcher, &request)?
            .found()
            .ok_or("no path")?;
        let walk = path.as_ground_path().ok_or("a ground path")?;
        let mut picture = Picture::from_raster(&map);
        picture.add_path(&walk.cells);
        println!("{name}: {} cells long", walk.length());
        print!("{}", picture.to_text());
        for exposure in world.path_exposure(&path, &viewers) {
            let (n_seen, n_all) = (exposure.positions.len(), exposure.n_samples);
            println!(
                "viewer {} sees {n_seen} of {n_all} samples",
                exposure.viewer + 1
            );
        }
        println!();
    }
    Ok(())
}
