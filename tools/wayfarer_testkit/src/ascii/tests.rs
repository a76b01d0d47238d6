use super::*;

#[test]
fn a_raster_is_read_letter_by_letter() {
    let drawn = raster(".#S\nWT.\n#az\n.");
    let numbers = |y| [0, 1, 2].map(|x| drawn.get(x, y).map(Terrain::number));
    assert_eq!(numbers(0), [Some(0), None, Some(1)]);
    assert_eq!(numbers(1), [Some(2), Some(3), Some(0)]);
    assert_eq!(numbers(2), [None, Some(4), Some(29)]);
    assert_eq!(numbers(3), [Some(0), None, None]);
    assert_eq!((raster("").width(), raster("").height()), (0, 0));
}

#[test]
fn storeys_lie_where_their_line_says() {
    let plan = world(
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
    assert_eq!(plan.cells, expected);
}

#[test]
fn a_wall_has_one_name_from_either_side() {
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
fn a_letter_that_means_nothing_is_refused() {
    raster("..\n.?");
}

#[test]
#[should_panic(expected = "no straight neighbours")]
fn a_wall_over_a_corner_is_refused() {
    wall_between(Cell::flat(0, 0), Cell::flat(1, 1));
}
