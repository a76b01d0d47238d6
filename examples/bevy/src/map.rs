//! The map: walls of letters, and the world that the plugin makes of them.

use bevy::prelude::*;
use bevy_wayfarer::wayfarer::{Scale, World};
use bevy_wayfarer::{NavDoor, NavSolid, NavWorld};

use crate::looks::{self, layer};
use crate::scenery::Door;

/// `@` is wall, digits are doors; the first row is the northern one.
const ROWS: [&str; 23] = [
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
    "@......................................@",
    "@......................................@",
    "@...@@@@@@@@@@@@@........@@@@@@@@@@@...@",
    "@...@...........@........@.........@...@",
    "@...@...........@........@.........@...@",
    "@...@...........@........@.........@...@",
    "@...@...........1........2.........@...@",
    "@...@...........1........2.........@...@",
    "@...@...........@........@.........@...@",
    "@...@...........@........@.........@...@",
    "@...@@@@@33@@@@@@........@@@@44@@@@@...@",
    "@......................................@",
    "@......................................@",
    "@......................................@",
    "@@@@@@@@@@@@@@@..@@@@55@@@@@@..........@",
    "@...........................@..........@",
    "@...........................@..........@",
    "@...........................@..........@",
    "@...........................6..........@",
    "@...........................6..........@",
    "@...........................@..........@",
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
];
/// Cells, and units, from west to east.
pub const WIDTH: f32 = 40.0;
/// Cells, and units, from south to north.
pub const HEIGHT: f32 = 23.0;

/// True if a place is in a wall of the map, in a door, or outside.
pub fn is_taken(place: Vec2) -> bool {
    letter(place) != Some('.')
}

fn letter(place: Vec2) -> Option<char> {
    let inside = Rect::new(0.0, 0.0, WIDTH, HEIGHT).contains(place);
    let row = ROWS.iter().rev().nth(place.y as usize).filter(|_| inside)?;
    row.chars().nth(place.x as usize)
}

/// Spawns the world, and what there is to see of its walls and doors.
pub fn spawn(mut commands: Commands) -> Result {
    // Bevy's plane has y up and rows of a map go down, so the rows are read from the south. A flat game
    // keeps z up: translations are x and y, and the floor is at 0.
    let rows: Vec<&str> = ROWS.iter().rev().copied().collect();
    let letters = rows
        .join("\n")
        .replace(|letter: char| letter.is_ascii_digit(), ".");
    let map = format!("type octile\nheight {HEIGHT}\nwidth {WIDTH}\nmap\n{letters}\n");
    let world = World::import("courtyard.map", map.as_bytes(), Scale::meters(1.0))?;
    commands.spawn(NavWorld::new(world));
    spawn_floor(&mut commands);
    for y in 0..rows.len() {
        spawn_walls(&mut commands, &rows, y);
    }
    for digit in '1'..='6' {
        spawn_door(&mut commands, &rows, digit);
    }
    Ok(())
}

/// The ground, with a faint grid of two by two cells.
fn spawn_floor(commands: &mut Commands) {
    let size = Vec2::new(WIDTH, HEIGHT);
    let ground = Sprite::from_color(looks::FLOOR, size);
    commands.spawn((ground, looks::at(size / 2.0, layer::FLOOR)));
    let square = Sprite::from_color(looks::FLOOR_TILE, Vec2::splat(1.96));
    for x in 0..20 {
        for y in 0..11 {
            if (x + y) % 2 == 0 {
                let center = Vec2::new(2.0 * x as f32 + 1.0, 2.0 * y as f32 + 1.0);
                commands.spawn((square.clone(), looks::at(center, layer::TILE)));
            }
        }
    }
}

/// One sprite for each run of wall in a row. Where there is floor south of it, the wall shows its face and
/// casts a shadow.
fn spawn_walls(commands: &mut Commands, rows: &[&str], y: usize) {
    let south = y.checked_sub(1).map(|y| rows[y].as_bytes());
    let letters: Vec<(u8, bool)> = (0_usize..)
        .zip(rows[y].bytes())
        .map(|(x, letter)| (letter, south.is_none_or(|row| row[x] != b'@')))
        .collect();
    let mut from = 0;
    for run in letters.chunk_by(|a, b| (a.0 == b'@', a.1) == (b.0 == b'@', b.1)) {
        let (letter, has_face) = run[0];
        if letter == b'@' {
            let size = Vec2::new(run.len() as f32, 1.0);
            let center = Vec2::new(from as f32, y as f32) + size / 2.0;
            looks::spawn_block(commands, center, (size, has_face), looks::WALL);
        }
        from += run.len();
    }
}

/// A door over all letters of a digit: a solid that stands while the door is closed.
fn spawn_door(commands: &mut Commands, rows: &[&str], digit: char) {
    let mut bounds: Option<Rect> = None;
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row
            .chars()
            .enumerate()
            .filter(|(_, letter)| *letter == digit)
        {
            let low = Vec2::new(x as f32, y as f32);
            let cell = Rect::from_corners(low, low + 1.0);
            bounds = Some(bounds.map_or(cell, |bounds| bounds.union(cell)));
        }
    }
    let Some(bounds) = bounds else { return };
    let size = bounds.size();
    let door = Door {
        digit,
        along: if size.x > size.y { Vec2::X } else { Vec2::Y },
        swing: 1.0,
    };
    let leaf = NavSolid::cuboid(size.x, size.y, 2.0);
    let entity = (
        leaf,
        NavDoor::Open,
        looks::at(bounds.center(), 1.0),
        Visibility::default(),
    );
    commands
        .spawn((door, entity))
        .with_children(|leaves| door.spawn_leaves(leaves));
}
