//! A ladder to a loft: it costs more than walking, and it is of no use without a floor at its top.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use wayfarer::World;
use wayfarer::base::{Cell, Cost, GroundEdit, LinkDirection, LinkState, NavLink, NavLinkKind};
use wayfarer::picture::Picture;

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
    tell(&world, door, hay);

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
    println!("joined: {} pair", changes.joined().len());
    print!("{}", Picture::of_ground(world.ground()).to_text());
    tell(&world, door, hay);
    let up = world.steps(foot).into_iter().find(|(to, _)| *to == top);
    let (_, cost) = up.ok_or("no way up")?;
    println!("climbing costs as much as {cost} cells of walking");

    println!("\nThe board at the top of the ladder breaks.");
    let changes = world.apply([GroundEdit::RemoveCell { cell: top }])?;
    println!("parted: {} pair", changes.split_pairs().len());
    tell(&world, door, hay);

    println!("\nA new board: the ladder still stands.");
    world.apply(changes.inverse())?;
    tell(&world, door, hay);
    Ok(())
}

fn tell(world: &World, door: Cell, hay: Cell) {
    let words = match world.is_connected(door, hay) {
        Some(true) => "the hay can be reached",
        _ => "the hay cannot be reached",
    };
    println!("{words}");
}
