//! [`World::draw`]: the ground as text, to look at while a game is being made.

use wayfarer_engine::base::{ColumnRun, SolidExtent, Voxel};
use wayfarer_engine::picture::{Mark, Picture};

use crate::facade::World;
use crate::path::Path;

impl World {
    /// The ground from above as text, one letter per cell, rows along the second horizontal axis:
    /// `.` ground, `S` swamp, `W` water, `#` none of them, `O` solids, `*` the cells of ground paths, `A`
    /// and `B` their ends; links and heights as a legend says that is added where they occur. For small
    /// worlds: takes a letter per cell of the bounding rectangle.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let map = b"type octile\nheight 2\nwidth 5\nmap\n..T..\n.....\n";
    /// let world = World::import("lane.map", map, Scale::UNIT)?;
    /// let request = PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(4.5, 0.5, 0.0));
    /// let path = world.find_path(&mut Searcher::default(), &request)?;
    /// assert_eq!(world.draw(&[&path]), "A.#.B\n.***.\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw(&self, paths: &[&Path]) -> String {
        let mut picture = Picture::from_ground(self.engine().ground());
        for (_, solid) in self.engine().ground().solids() {
            for (low, high) in boxes_of(&solid.extent) {
                picture.add(Mark::Solid { low, high });
            }
        }
        let walks = paths
            .iter()
            .filter_map(|path| path.engine().as_ground_path());
        for walk in walks {
            picture.add_path(&walk.cells);
        }
        picture.to_text()
    }
}

/// The boxes of a solid, corners included.
fn boxes_of(extent: &SolidExtent) -> Vec<(Voxel, Voxel)> {
    match extent {
        SolidExtent::Box { rect, bottom, top } => vec![(
            Voxel::new(rect.low.x, rect.low.y, *bottom),
            Voxel::new(rect.high.x, rect.high.y, top - 1),
        )],
        SolidExtent::Runs(runs) => {
            let run = |run: &ColumnRun| {
                let corner = |z: i32| Voxel::new(run.x, run.y, z);
                (corner(run.bottom), corner(run.top - 1))
            };
            runs.iter().map(run).collect()
        }
    }
}
