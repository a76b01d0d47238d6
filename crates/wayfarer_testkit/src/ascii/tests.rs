use super::*;

#[test]
fn a_raster_survives_being_drawn() {
    let drawing = ".#S\nWT.\n#az\n";
    assert_eq!(raster_text(&raster(drawing)), drawing);
    let short = raster("...\n.");
    assert_eq!(raster_text(&short), "...\n.##\n");
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
fn a_world_survives_being_drawn() {
    let mut plan = world("..12\n#S.9\n= -7 at -40,-3\nW#T\n= 2\n..z");
    let text = world_text(&plan);
    assert_eq!(world(&text), plan, "{text}");
    let (wall, way) = door(Cell::flat(1, 0), Cell::flat(0, 0), Gate::Locked(2));
    plan.walls.push(wall);
    plan.passages.push(way);
    let text = world_text(&plan);
    assert_eq!(world(&text).cells, plan.cells, "{text}");
    assert!(text.contains("; wall (0, 0, 0) East"), "{text}");
    assert!(
        text.contains("; door (1, 0, 0) <-> (0, 0, 0) cost 1463 Locked(2)"),
        "{text}"
    );
}

#[test]
fn a_path_is_drawn_with_stars() {
    let text = path_text(&world("..\n#."), &[Cell::flat(1, 0), Cell::flat(1, 1)]);
    assert_eq!(text, "= 0 at 0,0\n.*\n#*\n");
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
