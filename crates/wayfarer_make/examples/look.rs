//! Prints a small made world: `cargo run -p wayfarer_make --example look -- caves 60 30 1`.
#![expect(clippy::print_stdout, reason = "an example that prints")]

use std::env::args;

use wayfarer_make::{GeneratedWorld, Generator, Recipe, make};

fn main() -> Result<(), wayfarer_make::MakeError> {
    let words: Vec<String> = args().skip(1).collect();
    let number = |at: usize, usual: u32| {
        words
            .get(at)
            .and_then(|word| word.parse().ok())
            .unwrap_or(usual)
    };
    let kind = words.first().and_then(|name| Generator::from_name(name));
    let recipe = Recipe {
        corridor: number(4, 1),
        braid: number(5, 0),
        ..Recipe::new(
            kind.unwrap_or(Generator::Caves),
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
        GeneratedWorld::MultiFloor(plan) => {
            for (cell, terrain) in &plan.cells {
                println!("{} {} {} {}", cell.x, cell.y, cell.z, terrain.number());
            }
            for nav_link in &plan.nav_links {
                println!("{} {} {}", nav_link.kind.name(), nav_link.from, nav_link.to);
            }
            for wall in &plan.walls {
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
