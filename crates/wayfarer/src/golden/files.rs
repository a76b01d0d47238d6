//! Golden results of reading and writing files, whole and broken ones.

use std::sync::Arc;

use wayfarer_base::{Column, Dice, Digest};
use wayfarer_formats::movingai_scen::{Scenario, ScenarioLine};
use wayfarer_formats::{movingai_map, movingai_scen};

use super::worlds::flat_worlds;

pub(super) fn maps(digest: &mut Digest) {
    for map in flat_worlds() {
        let text = movingai_map::write(&map);
        digest.bytes(text.as_bytes());
        let again = movingai_map::read(text.as_bytes());
        digest.number((again.as_ref() == Ok(&map)).into());
    }
}

pub(super) fn scenarios(digest: &mut Digest) {
    let scenario = some_scenario();
    let text = movingai_scen::write(&scenario);
    digest.bytes(text.as_bytes());
    let again = movingai_scen::read(text.as_bytes()).unwrap_or_default();
    for line in &again.lines {
        digest.number(line.length.to_bits());
        digest.bytes(format!("{:?}", line.problem()).as_bytes());
    }
}

/// What is said of files with a few bytes changed.
pub(super) fn errors(digest: &mut Digest) {
    let map = flat_worlds().next().map(|map| movingai_map::write(&map));
    let map = map.unwrap_or_default().into_bytes();
    let scenario = movingai_scen::write(&some_scenario()).into_bytes();
    let mut dice = Dice::new(6);
    for _ in 0..200 {
        match movingai_map::read(&broken(&map, &mut dice)) {
            Ok(map) => digest.bytes(map.bytes()),
            Err(error) => digest.bytes(error.to_string().as_bytes()),
        }
        match movingai_scen::read(&broken(&scenario, &mut dice)) {
            Ok(scenario) => digest.number(scenario.lines.len() as u64),
            Err(error) => digest.bytes(error.to_string().as_bytes()),
        }
    }
}

fn broken(file: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..dice.between(1, 3) {
        let length = u32::try_from(file.len()).unwrap_or(u32::MAX);
        let at = dice.below(length) as usize;
        if dice.chance(1, 4) {
            file.truncate(at);
        } else if let Some(byte) = file.get_mut(at) {
            *byte = b"0179 \t\n.@-eX"[dice.below(12) as usize];
        }
    }
    file
}

fn some_scenario() -> Scenario {
    let mut dice = Dice::new(5);
    let map: Arc<str> = "golden.map".into();
    let line = |bucket: u32| {
        let mut column = || Column::new(dice.between(0, 60), dice.between(0, 46));
        let (start, goal) = (column(), column());
        ScenarioLine {
            bucket,
            map: map.clone(),
            width: 61,
            height: 47,
            start,
            goal,
            length: f64::from(dice.between(0, 1_000_000)) / 7.0,
        }
    };
    Scenario {
        lines: (0..60).map(line).collect(),
    }
}
