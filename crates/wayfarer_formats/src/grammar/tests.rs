//! Round trips of the shared grammar.

use wayfarer_base::Rng;

use super::*;

fn number<N: Number>(text: &str) -> Option<N> {
    N::parse(text.as_bytes())
}

#[test]
fn every_cost_reads_back_unchanged() {
    let mut rng = Rng::new(1);
    let low_and_special = (1..5000).chain([u32::MAX - 1, u32::MAX - 2, 1463, 2069, 2534]);
    let random = (0..20_000).map(|_| 1 + rng.below(u32::MAX - 2));
    for units in low_and_special.chain(random) {
        let cost = Cost::from_units(units);
        let read: PositiveCost = number(&cost_text(cost)).unwrap();
        assert_eq!(read.0, cost);
    }
    assert_eq!(cost_text(Cost::STRAIGHT), "1");
    assert_eq!(cost_text(Cost::DIAGONAL), "1.414");
}

#[test]
fn costs_that_no_path_can_have_are_rejected() {
    for text in [
        "0", "-1", "0.0001", "2935727", "1e300", "inf", "nan", "x", "",
    ] {
        assert!(number::<PositiveCost>(text).is_none(), "{text}");
    }
}

#[test]
fn every_multiplier_reads_back_unchanged() {
    for sixteenths in 16..=u16::MAX {
        let multiplier = CostMultiplier::from_sixteenths(sixteenths).unwrap();
        assert_eq!(
            number::<CostMultiplier>(&multiplier_text(multiplier)),
            Some(multiplier)
        );
    }
    for text in ["0.9", "4096", "-1"] {
        assert_eq!(number::<CostMultiplier>(text), None, "{text}");
    }
}

#[test]
fn positions_read_back_unchanged_within_their_limits() {
    let mut rng = Rng::new(2);
    for _ in 0..10_000 {
        let raw = rng.between(-1_024_000_000, 1_024_000_000);
        let fixed = Fixed::from_raw(raw);
        let read: ShapeCoordinate = number(&fixed_text(fixed)).unwrap();
        assert_eq!(read.0, fixed);
    }
    assert!(number::<ShapeCoordinate>("4000001").is_none());
    assert!(number::<ShapeRadius>("-0.01").is_none());
    assert!(number::<AgentRadius>("8.01").is_none());
    assert!(number::<MapCoordinate>("8388607").is_some());
    assert!(number::<MapCoordinate>("8388608").is_none());
    assert!(number::<MapCoordinate>("-8388607").is_some());
    assert!(number::<MapCoordinate>("-8388608").is_none());
}

#[track_caller]
fn check_nav_link(text: &str, expected: Result<&str, &str>) {
    let line = Lines::new(text.as_bytes()).next().unwrap();
    let read = nav_link(&mut line.words()).map_err(|error| error.to_string());
    let found = read.map(|nav_link| nav_link_text(&nav_link));
    assert_eq!(
        found,
        expected.map(String::from).map_err(String::from),
        "{text}"
    );
}

#[test]
fn direction_and_state_of_a_nav_link_may_come_in_any_order() {
    let minimal = "door 1 2 3 to -4 5 6 cost 1.5";
    check_nav_link(minimal, Ok(minimal));
    check_nav_link(&format!("{minimal} open"), Ok(minimal));
    let full = "door 1 2 3 to -4 5 6 cost 1.5 one-way locked 5";
    check_nav_link(full, Ok(full));
    check_nav_link("door 1 2 3 to -4 5 6 cost 1.5 locked 5 one-way", Ok(full));
}

#[test]
fn an_invalid_nav_link_is_reported_with_its_position() {
    check_nav_link(
        "hatch 1 2 3",
        Err(
            "line 1, column 1: expected stairs, ladder, jump, drop, door, teleport or climb, \
             found `hatch`",
        ),
    );
    check_nav_link(
        "door 1 2 3 to 1 2 3 cost 1 closed open",
        Err(
            "line 1, column 35: expected one-way, one of open, closed or locked KEYS, or the \
             end, found `open`",
        ),
    );
    check_nav_link(
        "door 1 2 3 to 1 2 3 cost 1 one-way one-way",
        Err(
            "line 1, column 36: expected one-way, one of open, closed or locked KEYS, or the \
             end, found `one-way`",
        ),
    );
    check_nav_link(
        "door 1 2 3 to 1 2 3 cost 1 locked 0",
        Err(
            "line 1, column 35: expected the lock's keys, a number from 1 to 4294967295, found \
             `0`",
        ),
    );
}
