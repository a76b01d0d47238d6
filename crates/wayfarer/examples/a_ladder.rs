//! A ladder to a loft: a nav link with its own cost, announced ahead by the follower.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{Follower, NavLinkKind};

const BARN: &[u8] = b"wayfarer world 1
layer 0 0 0         # the barn
|........
|........
|........
layer 4 0 8         # the loft, eight steps up
|....
|....
";

fn main() -> Result<(), Box<dyn Error>> {
    let scale = Scale {
        step: 0.5,
        ..Scale::meters(1.0)
    };
    let mut world = World::import("barn.world", BARN, scale)?;
    let mut searcher = Searcher::default();
    let request = PathRequest::new(Position::new(0.5, 2.5, 0.0), Position::new(7.5, 0.5, 4.0));
    println!(
        "without a ladder: {:?}",
        world.find_path(&mut searcher, &request)
    );

    let (foot, top) = (Position::new(4.5, 1.5, 0.0), Position::new(4.5, 1.5, 4.0));
    let ladder = NavLink {
        cost: Some(6.0),
        ..NavLink::new(foot, top, NavLinkKind::Ladder)
    };
    let (ladder, changes) = world.add_link(ladder)?;
    println!("a ladder merges {} pair of areas", changes.merged().len());
    let path = world.find_path(&mut searcher, &request)?;
    println!("cost {:.2}, climbing as much as 6 m on foot", path.cost());

    let mut follower = Follower::new(path, 0.1);
    let mut at = request.from;
    while let Some(step) = follower.advance(at).filter(|step| !step.has_arrived) {
        let ahead = step
            .link
            .map(|link| format!(", a link in {:.2} m", link.distance));
        println!(
            "{:?} to {}{}",
            step.traversal,
            step.target,
            ahead.unwrap_or_default()
        );
        at = step.target;
    }
    world.apply(&[Edit::remove_link(ladder)])?;
    println!("taken away: {}", world.status(follower.path()));
    Ok(())
}
