//! Multimodal paths: one request finds a path that walks, takes off, flies, lands and walks on.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{Raster, Voxel};
use wayfarer::engine::prelude::*;
use wayfarer::engine::search::multimodal::AirLink;
use wayfarer::engine::world::air::AirBuilder;

const GORGE: [&str; 7] = [
    "...........######...........",
    "...........######...........",
    "...........######...........",
    "...........######...........",
    "...........######...........",
    "...........######...........",
    "...........######...........",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = GORGE.concat().into_bytes().into_iter();
    let bytes = bytes.map(|letter| u8::from(letter == b'#') * 255).collect();
    let map = Raster::from_bytes(28, 7, bytes).ok_or("28 x 7 letters")?;
    let air = AirBuilder::new(Voxel::new(0, 0, 0), [28, 7, 8])?.build()?;
    let mut world = World::from_raster(&map).with_air(air);

    // Flight costs three times as much as walking; the fledgling requires air links.
    let flight = FlightProfile {
        multiplier: CostMultiplier::from_sixteenths(48).ok_or("at least 1")?,
        take_off: Cost::STRAIGHT,
        ..FlightProfile::default()
    };
    let griffin = |requires_air_link| AgentType {
        ground: Some(Profile::DEFAULT),
        flight: Some(FlightProfile {
            requires_air_link,
            ..flight
        }),
        ..AgentType::default()
    };
    let agent_types = [
        ("a human", AgentTypeId::DEFAULT),
        ("a griffin", world.add_agent_type(griffin(false))?),
        ("a fledgling", world.add_agent_type(griffin(true))?),
    ];
    for (x, y) in [(10, 6), (17, 0)] {
        let one = Some(Cost::STRAIGHT);
        let (cell, voxel) = (Cell::flat(x, y), Voxel::new(x, y, 1));
        world.apply([AirLink {
            cell,
            voxel,
            take_off: one,
            landing: one,
        }])?;
    }

    let mut searcher = Searcher::default();
    let at = |x: f64| Position::new(x, 3.5, 0.0);
    for (name, agent_type) in agent_types {
        println!("{name}:");
        let request = PathRequest {
            agent_type,
            ..PathRequest::new(at(1.5), at(26.5))
        };
        match world.find_path(&mut searcher, &request)? {
            Outcome::Found(path) => show(&path),
            _ => println!("  no path\n"),
        }
    }

    // A pillar blocks the flight of the griffin.
    let request = PathRequest {
        agent_type: agent_types[1].1,
        ..PathRequest::new(at(1.5), at(26.5))
    };
    let path = world
        .find_path(&mut searcher, &request)?
        .found()
        .ok_or("no path")?;
    let (low, high) = (Position::new(13.0, 2.0, 0.0), Position::new(15.0, 5.0, 8.0));
    world.apply([Edit::FillBox {
        low,
        high,
        top: Terrain::GROUND,
    }])?;
    println!(
        "A pillar rises. Status of the griffin's path: {:?}",
        world.status(&path)
    );
    let repaired = world
        .repair(&mut searcher, &request, &path)?
        .found()
        .ok_or("no path")?;
    println!("repaired:");
    show(&repaired);
    Ok(())
}

/// Prints the legs and the map with the path.
fn show(path: &Path) {
    let mut rows: Vec<Vec<char>> = GORGE.iter().map(|row| row.chars().collect()).collect();
    for leg in &path.legs {
        let (what, letter, cost) = match leg {
            PathLeg::Ground(walk) => ("walks", '*', walk.cost),
            PathLeg::TakeOff(up) => ("takes off", '^', up.cost),
            PathLeg::Flight(flight) => ("flies", '-', flight.cost),
            PathLeg::Landing(down) => ("lands", 'v', down.cost),
            PathLeg::Planar(path) => ("moves", '~', path.cost),
        };
        if let Some((from, to)) = leg.ends() {
            println!("  {what:9} from {from} to {to}: cost {cost}");
        }
        let locations = leg.locations();
        for pair in locations
            .windows(2)
            .chain([&locations[locations.len() - 1..]])
        {
            draw(&mut rows, letter, pair);
        }
    }
    println!("  total cost {}", path.cost);
    for row in rows {
        println!("  {}", row.into_iter().collect::<String>());
    }
    println!();
}

/// Draws a letter along a straight segment.
fn draw(rows: &mut [Vec<char>], letter: char, pair: &[wayfarer::engine::base::Location]) {
    let column = |location: &wayfarer::engine::base::Location| match location {
        wayfarer::engine::base::Location::Cell(cell) => (cell.x, cell.y),
        wayfarer::engine::base::Location::Voxel(voxel) => (voxel.x, voxel.y),
        wayfarer::engine::base::Location::Point(point) => (point.column().x, point.column().y),
    };
    let ((ax, ay), (bx, by)) = (column(&pair[0]), column(&pair[pair.len() - 1]));
    let n_steps = (bx - ax).abs().max((by - ay).abs()).max(1);
    for step in 0..=n_steps {
        let part =
            |a: i32, b: i32| usize::try_from(a + ((b - a) * 2 * step + n_steps) / (2 * n_steps));
        if let (Ok(x), Ok(y)) = (part(ax, bx), part(ay, by)) {
            rows[y][x] = letter;
        }
    }
}
