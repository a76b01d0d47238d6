//! Prints a generated world: `cargo run -p wayfarer_make --example print_world -- caves 60 30 1`.
#![expect(clippy::print_stdout, reason = "an example that prints")]

use std::env::args;

use wayfarer_make::{GeneratedWorld, Generator, Recipe, make};

fn main() -> Result<(), wayfarer_make::MakeError> {
    let words: Vec<String> = args().skip(1).collect();
    let number = |at: usize, default: u32| {
        words
            .get(at)
            .and_then(|word| word.parse().ok())
            .unwrap_or(default)
    };
    let generator = words.first().and_then(|name| Generator::from_name(name));
    let recipe = Recipe {
        corridor: number(4, 1),
        braid: number(5, 0),
        ..Recipe::new(
            generator.unwrap_or(Generator::Caves),
            number(1, 60),
            number(2, 30),
            u64::from(number(3, 1)),
        )
    };
    match make(&recipe)? {
        GeneratedWorld::Flat(map) => {
            for row in map.bytes().chunks(map.width() as usize) {
                let letter = |&cell: &u8| b".SWT".get(usize::from(cell)).map_or('@', |&l| l.into());
                println!("{}", row.iter().map(letter).collect::<String>());
            }
        }
        GeneratedWorld::MultiFloor(data) => {
            for (cell, terrain) in &data.cells {
                println!("{} {} {} {}", cell.x, cell.y, cell.z, terrain.number());
            }
            for nav_link in &data.nav_links {
                println!("{} {} {}", nav_link.kind.name(), nav_link.from, nav_link.to);
            }
            for wall in &data.walls {
                println!("wall {} {:?}", wall.cell, wall.side);
            }
        }
        GeneratedWorld::Voxels(voxels) => {
            for [x, y, z] in voxels.solid() {
                println!("{x} {y} {z}");
            }
        }
    }
    Ok(())
}
