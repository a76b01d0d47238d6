//! Exposure to viewers: the shortest path, and the path that avoids their sight.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::Viewer;
use wayfarer::prelude::*;

const YARD: &[u8] = b"wayfarer world 1
layer 0 0 0
|..............................
|..............................
|......@@@@........@@@@........
|......@@@@........@@@@........
|..............................
|............@@@@@@............
|............@@@@@@............
|..............................
|......@@@@........@@@@........
|......@@@@........@@@@........
|..............................
|..............................
";

fn main() -> Result<(), Box<dyn Error>> {
    let world = World::import("yard.world", YARD, Scale::meters(1.0))?;
    let mut searcher = Searcher::default();
    let at = |x: f64, y: f64, z: f64| Position::new(x + 0.5, y + 0.5, z);
    let eyes = [at(8.0, 0.0, 1.5), at(20.0, 0.0, 1.5)];
    let viewers = eyes.map(|eye| Viewer::new(eye, 20.0)).to_vec();

    let shortest = PathRequest::new(at(0.0, 4.0, 0.0), at(29.0, 4.0, 0.0));
    let least_exposed = PathRequest {
        viewers: viewers.clone(),
        exposure_cost: 9.0,
        ..shortest.clone()
    };
    for (name, request) in [
        ("the shortest path", shortest),
        ("the least exposed path", least_exposed),
    ] {
        let path = world.find_path(&mut searcher, &request)?;
        println!("{name}: {:.2} m", path.length());
        print!("{}", world.draw(&[&path]));
        for exposure in world.path_exposure(&path, &viewers)? {
            let (viewer, percent) = (exposure.viewer + 1, exposure.share * 100.0);
            println!("viewer {viewer} sees {percent:.0} % of it");
        }
    }
    Ok(())
}
