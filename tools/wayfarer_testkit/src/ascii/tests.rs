//! Parsing of ASCII drawings.

use super::*;

#[test]
fn every_letter_of_a_raster_is_read() {
    let drawn = raster(".#S\nWT.\n#az\n.");
    let numbers = |y| [0, 1, 2].map(|x| drawn.get(x, y).map(Terrain::number));
    assert_eq!(numbers(0), [Some(0), None, Some(1)]);
    assert_eq!(numbers(1), [Some(2), Some(3), Some(0)]);
    assert_eq!(numbers(2), [None, Some(4), Some(29)]);
    assert_eq!(numbers(3), [Some(0), None, None]);
    assert_eq!((raster("").width(), raster("").height()), (0, 0));
}

#[test]
fn layers_lie_at_their_stated_position() {
    let data = world(
        "
        .1
        ; a bridge above
        = 4 at -2,3
        a#2
        = 4
        .
        ",
    );
    let expected = [
        ((-2, 3, 4), 4),
        ((0, 0, 0), 0),
        ((0, 0, 4), 0),
        ((0, 3, 6), 0),
        ((1, 0, 1), 0),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|&((x, y, z), number)| (Cell::new(x, y, z), Terrain::new(number).unwrap()))
        .collect();
    assert_eq!(data.cells, expected);
}

#[test]
fn a_wall_is_the_same_from_either_side() {
    let (a, b) = (Cell::new(3, 3, 1), Cell::new(3, 2, 2));
    let expected = Wall {
        cell: b,
        side: WallSide::South,
    };
    assert_eq!(wall_between(a, b), expected);
    assert_eq!(wall_between(b, a), expected);
}

#[test]
#[should_panic(expected = "letter `?` at column 1 of row 1")]
fn an_undefined_letter_is_rejected() {
    raster("..\n.?");
}

#[test]
#[should_panic(expected = "not 4-neighbors")]
fn a_wall_between_diagonal_neighbors_is_rejected() {
    wall_between(Cell::flat(0, 0), Cell::flat(1, 1));
}
