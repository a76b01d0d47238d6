//! A replica answers queries on another thread while the game edits the world.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use std::sync::mpsc;
use std::thread;
use wayfarer::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Scale::meters(1.0))?;
    let plain = Area::rect(Position::default(), Position::new(64.0, 64.0, 0.0));
    world.apply(&[Edit::add_floors(plain, 0.0, Terrain::GROUND)])?;
    let request = PathRequest::new(
        Position::new(2.5, 32.5, 0.0),
        Position::new(61.5, 32.5, 0.0),
    );

    let (mut replica, mut cursor) = (world.replica(), world.change_cursor());
    let (send, receive) = mpsc::channel::<Vec<WorldChanges>>();
    let (answer, answers) = mpsc::channel();
    let asked = request.clone();
    let thinker = thread::spawn(move || {
        let mut searcher = Searcher::default();
        for changes in receive {
            let is_synced = replica.sync(&changes).is_ok();
            let cost = replica
                .find_path(&mut searcher, &asked)
                .map(|path| path.cost());
            if answer.send((is_synced, replica.revision(), cost)).is_err() {
                break;
            }
        }
    });

    let mut searcher = Searcher::default();
    for x in 1..5 {
        let (x, far) = (f64::from(x) * 10.0, f64::from(x) * 6.0);
        let (low, high) = (
            Position::new(x, 32.0 - far, 0.0),
            Position::new(x + 1.0, 32.0 + far, 3.0),
        );
        world.add_solid(Solid::cuboid(low, high))?;
        send.send(world.poll_changes(&mut cursor)?)?;
        let cost = world
            .find_path(&mut searcher, &request)
            .map(|path| path.cost());
        let (is_synced, revision, found) = answers.recv()?;
        println!(
            "revision {}: cost {:.2}, on the other thread the same: {}",
            revision.number,
            cost.clone()?,
            is_synced && found == cost
        );
    }
    drop(send);
    thinker.join().map_err(|_panic| "the thread panicked")?;
    Ok(())
}
