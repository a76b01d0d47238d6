//! A path through a crowd of moving obstacles: replanned whenever a move invalidates it.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{Fixed, Location, Point2, Raster, Rng};
use wayfarer::engine::picture::Picture;
use wayfarer::engine::prelude::*;
use wayfarer::engine::world::obstacles::{Obstacle, ObstacleCategories, ObstacleId, ObstacleSet};

const SIDE: i32 = 24;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let people = ObstacleCategories::one(0).ok_or("below 64")?;
    let side = SIDE.unsigned_abs();
    let square = Raster::from_bytes(side, side, vec![0; 24 * 24]).ok_or("24 x 24 cells")?;
    let mut world = World::from_raster(&square).with_obstacles(ObstacleSet::square(SIDE)?);
    let mut rng = Rng::new(4);
    let mut crowd: Vec<(ObstacleId, Point2)> = Vec::new();
    for _ in 0..40 {
        let (x, y) = (rng.between(2, SIDE - 3), rng.between(2, SIDE - 3));
        let person = Obstacle::cells(x, y, 1, 1, people)?;
        let changes = world.apply([ObstacleEdit::Insert(person)])?;
        let at = Point2::from_raw(x * 256, y * 256);
        crowd.extend(changes.new_obstacles().map(|id| (id, at)));
    }

    let mut searcher = Searcher::default();
    let to = Position::new(22.5, 22.5, 0.0);
    let request = |from: Position| PathRequest {
        avoided_obstacles: people,
        ..PathRequest::new(from, to)
    };
    let mut at = Position::new(1.5, 1.5, 0.0);
    let found = world.find_path(&mut searcher, &request(at))?;
    let mut path = found.found().ok_or("no path")?;
    let mut subscribed = world.subscribe(path.clone());
    draw(&world, &path, &crowd);

    let (mut n_invalidated, mut n_waits, mut n_ticks) = (0, 0, 0);
    while at != to && n_ticks < 200 {
        n_ticks += 1;
        // Every person moves half a cell in a random direction.
        let mut moves = Vec::new();
        for (id, low) in &mut crowd {
            let mut by = |at: Fixed| at.raw() + rng.between(-1, 1) * 128;
            let next = [by(low.x), by(low.y)].map(|at| at.clamp(512, (SIDE - 3) * 256));
            *low = Point2::from_raw(next[0], next[1]);
            moves.push(ObstacleEdit::MoveTo { id: *id, low: *low });
        }
        let changes = world.apply(moves)?;
        if changes.invalidated.contains(&subscribed) {
            n_invalidated += 1;
            world.unsubscribe(subscribed);
            match world.find_path(&mut searcher, &request(at)) {
                Ok(Outcome::Found(next)) => path = next,
                _ => n_waits += 1, // Enclosed for the moment: wait.
            }
            subscribed = world.subscribe(path.clone());
        }
        if !matches!(world.status(&path), PathStatus::Invalid { .. }) {
            // Move one cell and search from there.
            if let Some(next) = world.positions(&path).get(1) {
                at = *next;
                world.unsubscribe(subscribed);
                if let Ok(Outcome::Found(rest)) = world.find_path(&mut searcher, &request(at)) {
                    path = rest;
                }
                subscribed = world.subscribe(path.clone());
            }
        }
    }
    println!(
        "\nafter {n_ticks} ticks at {at}: invalidated {n_invalidated} times, waited {n_waits} times"
    );
    Ok(())
}

fn draw(world: &World, path: &Path, crowd: &[(ObstacleId, Point2)]) {
    let mut rows: Vec<Vec<char>> = Picture::from_ground(world.ground())
        .to_text()
        .lines()
        .map(|row| row.chars().collect())
        .collect();
    let mut put = |x: i32, y: i32, letter: char| {
        if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) {
            rows[y][x] = letter;
        }
    };
    for (_, at) in crowd {
        put(at.x.cell(), at.y.cell(), '@');
    }
    for location in path.locations() {
        if let Location::Cell(cell) = location {
            put(cell.x, cell.y, '*');
        }
    }
    for row in rows {
        println!("{}", row.into_iter().collect::<String>());
    }
}
