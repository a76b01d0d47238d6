//! A ladder to a loft: a nav link with its own cost, which needs a floor at both ends.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::World;
use wayfarer::engine::base::{
    Cell, Cost, GroundEdit, LinkDirection, LinkState, NavLink, NavLinkKind,
};
use wayfarer::engine::picture::Picture;

const BARN: &str = "\
wayfarer world 1
layer 0 0 0         # the barn
|........
|........
|........
layer 4 0 8         # the loft, eight steps up
|....
|....
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, _) = World::from_file("barn.world", BARN.as_bytes())?;
    let (door, hay) = (Cell::flat(0, 2), Cell::new(7, 0, 8));
    report(&world, door, hay);

    let (foot, top) = (Cell::flat(4, 1), Cell::new(4, 1, 8));
    println!("\nA ladder is set up from {foot} to {top}.");
    let ladder = NavLink {
        from: foot,
        to: top,
        kind: NavLinkKind::Ladder,
        direction: LinkDirection::Bidirectional,
        cost: Cost::from_cells(6.0),
        state: LinkState::Open,
    };
    let changes = world.apply([GroundEdit::PutNavLink(ladder)])?;
    println!("merged: {} pair", changes.merged_pairs().len());
    print!("{}", Picture::from_ground(world.ground()).to_text());
    report(&world, door, hay);
    let up = world
        .successors(foot)
        .into_iter()
        .find(|(to, _)| *to == top);
    let (_, cost) = up.ok_or("no successor")?;
    println!("climbing costs as much as walking {cost} cells");

    println!("\nThe board at the top of the ladder breaks.");
    let changes = world.apply([GroundEdit::RemoveCell { cell: top }])?;
    println!("split: {} pair", changes.split_pairs().len());
    report(&world, door, hay);

    println!("\nA new board: the nav link works again.");
    world.apply(changes.inverse())?;
    report(&world, door, hay);
    Ok(())
}

fn report(world: &World, door: Cell, hay: Cell) {
    let words = match world.is_connected(door, hay) {
        Some(true) => "the hay is reachable",
        _ => "the hay is unreachable",
    };
    println!("{words}");
}
