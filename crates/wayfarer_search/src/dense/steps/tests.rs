//! Tests of neighbor pruning.

use super::*;

#[test]
fn moves_behind_beside_and_around_the_corner_are_pruned() {
    let north = Direction::North.index();
    let unpruned =
        |legal: u8, arrived: Direction| UNPRUNED[usize::from(arrived.index())][usize::from(legal)];
    let bits = |directions: &[Direction]| {
        directions
            .iter()
            .fold(0, |bits, direction| bits | bit(direction.index()))
    };
    // In the open a straight step continues straight, a diagonal one ahead and to both its sides.
    assert_eq!(unpruned(u8::MAX, Direction::North), bit(north));
    assert_eq!(
        unpruned(u8::MAX, Direction::NorthEast),
        bits(&[Direction::North, Direction::NorthEast, Direction::East])
    );
    // North past the end of a wall on the west side, which forbids the step south-west.
    assert_eq!(
        unpruned(!bit(Direction::SouthWest.index()), Direction::North),
        bits(&[Direction::North, Direction::NorthWest, Direction::West])
    );
    assert_eq!(
        UNPRUNED[8][0b1010_1010], 0b1010_1010,
        "nothing is pruned at the start"
    );
}

#[test]
fn pruning_adds_no_move() {
    for row in &UNPRUNED {
        for (legal, kept) in (0..=u8::MAX).zip(row) {
            assert_eq!(kept & !legal, 0);
        }
    }
}
