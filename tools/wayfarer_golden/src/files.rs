//! Golden digests of reading and writing text files, valid and damaged.

use std::sync::Arc;

use wayfarer_engine::base::{
    Cell, Column, Cost, EditTrace, Expected, GroundEdit, LinkDirection, LinkState, NavLink,
    NavLinkKind, Problem, Rng, Terrain, TraceStep, Wall, WallSide, WorldData,
};
use wayfarer_engine::formats::movingai_scen::{Scenario, ScenarioLine};
use wayfarer_engine::formats::{edits_file, movingai_map, movingai_scen, world_file};
use wayfarer_engine::make::{GeneratedWorld, make};

use super::numbers::some_shapes;
use super::values::Values;
use super::worlds::{flat_worlds, recipes};

pub(super) fn maps(values: &mut Values) {
    for map in flat_worlds() {
        let text = movingai_map::write(&map);
        values.bytes(text.as_bytes());
        let again = movingai_map::read(text.as_bytes());
        values.number((again.as_ref() == Ok(&map)).into());
    }
}

pub(super) fn scenarios(values: &mut Values) {
    let scenario = some_scenario();
    let text = movingai_scen::write(&scenario);
    values.bytes(text.as_bytes());
    let again = movingai_scen::read(text.as_bytes()).unwrap_or_default();
    for line in &again.lines {
        values.number(line.length.to_bits());
        values.take(&line.problem());
    }
}

/// Every generated world of cells as a `.world` file, and one that uses the whole format.
pub(super) fn world_files(values: &mut Values) {
    let made = recipes().filter_map(|recipe| match make(&recipe) {
        Ok(GeneratedWorld::Flat(map)) => Some(WorldData::from_raster(&map)),
        Ok(GeneratedWorld::MultiFloor(data)) => Some(data),
        _ => None,
    });
    for data in made.chain([some_data()]) {
        let text = world_file::write(&data);
        values.bytes(text.as_bytes());
        let again = world_file::read_data(text.as_bytes());
        values.take(&again);
    }
}

pub(super) fn edit_files(values: &mut Values) {
    let text = edits_file::write(&some_trace());
    values.bytes(text.as_bytes());
    let again = edits_file::read(text.as_bytes());
    values.take(&again);
}

/// The errors of files with a few bytes changed.
pub(super) fn errors(values: &mut Values) {
    let map = flat_worlds().next().map(|map| movingai_map::write(&map));
    let files = [
        map.unwrap_or_default(),
        movingai_scen::write(&some_scenario()),
        world_file::write(&some_data()),
        edits_file::write(&some_trace()),
    ]
    .map(String::into_bytes);
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let [map, scenario, world, edits] = files.each_ref().map(|file| damaged(file, &mut rng));
        values.take(&movingai_map::read(&map));
        values.take(&movingai_scen::read(&scenario));
        values.take(&world_file::read(&world));
        values.take(&edits_file::read(&edits));
    }
}

fn damaged(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..rng.between(1, 3) {
        let length = u32::try_from(file.len()).unwrap_or(u32::MAX);
        let at = rng.below(length) as usize;
        if rng.chance(1, 4) {
            file.truncate(at);
        } else if let Some(byte) = file.get_mut(at) {
            *byte = b"0179 \t\n.@-eX"[rng.below(12) as usize];
        }
    }
    file
}

fn some_scenario() -> Scenario {
    let mut rng = Rng::new(5);
    let map: Arc<str> = "golden.map".into();
    let line = |bucket: u32| {
        let mut column = || Column::new(rng.between(0, 60), rng.between(0, 46));
        let (start, goal) = (column(), column());
        ScenarioLine {
            bucket,
            map: map.clone(),
            width: 61,
            height: 47,
            start,
            goal,
            length: f64::from(rng.between(0, 1_000_000)) / 7.0,
        }
    };
    Scenario {
        lines: (0..60).map(line).collect(),
    }
}

/// One of every item.
fn some_data() -> WorldData {
    let mut rng = Rng::new(7);
    let mut cell = || Cell::new(rng.between(-9, 9), rng.between(-9, 9), rng.between(0, 3));
    let nav_links = NavLinkKind::ALL.map(|kind| NavLink {
        from: cell(),
        to: cell(),
        kind,
        direction: match kind {
            NavLinkKind::Drop => LinkDirection::OneWay,
            _ => LinkDirection::Bidirectional,
        },
        cost: Cost::STRAIGHT + Cost::DIAGONAL,
        state: match kind {
            NavLinkKind::Door => LinkState::Locked(5),
            _ => LinkState::Open,
        },
    });
    let sides = [WallSide::East, WallSide::South];
    WorldData {
        cells: (0..200).map(|_| (cell(), Terrain::GROUND)).collect(),
        nav_links: nav_links.to_vec(),
        walls: sides.map(|side| Wall { cell: cell(), side }).to_vec(),
        ..WorldData::default()
    }
}

/// Alternating edits and queries.
fn some_trace() -> EditTrace {
    let mut rng = Rng::new(11);
    let mut steps = Vec::new();
    for _ in 0..20 {
        let fills = some_shapes(&mut rng).map(|shape| GroundEdit::Fill {
            shape,
            z: 0,
            terrain: Terrain::SWAMP,
        });
        let mut batch = fills.to_vec();
        let mut cell = || Cell::new(rng.between(-9, 9), rng.between(-9, 9), 0);
        let (start, goal) = (cell(), cell());
        batch.push(GroundEdit::RemoveCell { cell: cell() });
        let length = f64::from(rng.between(0, 1_000_000)) / 7.0;
        steps.push(TraceStep::Batch(batch));
        steps.push(TraceStep::Query(Problem {
            start,
            goal,
            expected: match rng.below(3) {
                0 => Expected::Unreachable,
                1 => Expected::Unknown,
                _ => Expected::Length(length),
            },
        }));
    }
    EditTrace { steps }
}
