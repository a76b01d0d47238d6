//! Letter tables of drawn maps.

use super::*;

#[test]
fn every_terrain_has_a_distinct_letter_that_can_be_defined() {
    let mut letters = Letters::BENCHMARK;
    let mut seen = Vec::new();
    for terrain in (0..Terrain::COUNT).filter_map(Terrain::new) {
        let letter = LetterWriter::ALL.letter(Some(terrain));
        assert!(!seen.contains(&letter), "{letter} is used twice");
        seen.push(letter);
        assert_eq!(
            letters.define(u8::try_from(letter).unwrap(), terrain),
            terrain > Terrain::TREES
        );
    }
    assert!(!seen.contains(&'@'));
}

#[test]
fn defined_and_reserved_letters_cannot_be_redefined() {
    let mut letters = Letters::BENCHMARK;
    for letter in *b".GSWT@O|# \n\x80" {
        assert!(!letters.define(letter, Terrain::GROUND), "{letter}");
    }
    assert!(letters.define(b'm', Terrain::TREES));
    assert!(!letters.define(b'm', Terrain::TREES));
}
