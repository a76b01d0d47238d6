use super::*;

#[test]
fn moves_left_out_are_those_behind_beside_and_around_the_corner() {
    let north = Direction::North.index();
    let all =
        |legal: u8, arrived: Direction| USEFUL[usize::from(arrived.index())][usize::from(legal)];
    let bits = |directions: &[Direction]| {
        directions
            .iter()
            .fold(0, |bits, direction| bits | bit(direction.index()))
    };
    // In the open a straight step goes on straight, a diagonal one on, and to both its sides.
    assert_eq!(all(u8::MAX, Direction::North), bit(north));
    assert_eq!(
        all(u8::MAX, Direction::NorthEast),
        bits(&[Direction::North, Direction::NorthEast, Direction::East])
    );
    // Going north past the end of a wall on the west side, which forbids the step south-west.
    assert_eq!(
        all(!bit(Direction::SouthWest.index()), Direction::North),
        bits(&[Direction::North, Direction::NorthWest, Direction::West])
    );
    assert_eq!(
        USEFUL[8][0b1010_1010], 0b1010_1010,
        "where the search began all count"
    );
}

#[test]
fn no_move_is_ever_added() {
    for row in &USEFUL {
        for (legal, useful) in (0..=u8::MAX).zip(row) {
            assert_eq!(useful & !legal, 0);
        }
    }
}
