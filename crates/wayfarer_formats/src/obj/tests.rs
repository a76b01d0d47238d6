//! Round trips and errors of OBJ files.

#![expect(clippy::float_cmp, reason = "small integers, exact in floating point")]

use super::*;
use crate::mesh::tests::{normal, random_soup};

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

const SQUARE: &str = "# a square floor at height 5, counter-clockwise from above\r
mtllib square.mtl\r
o square\r
v 0 5 0 1.0\r
v 0 5 2\r
v 2 5 2\r
v 2 5 0\r
vn 0 1 0\r
f 1/1/1 2//1 -2 4\r
";

#[test]
fn the_normal_of_a_floor_points_up_for_both_up_axes() {
    let floor = read(SQUARE.as_bytes()).unwrap();
    assert_eq!(floor.triangles().len(), 2);
    for triangle in floor.iter() {
        assert_eq!(normal(triangle), [0.0, 0.0, 4.0]);
        assert!(triangle.iter().all(|vertex| vertex[2] == 5.0));
    }
    // The same floor in a file with z up: y points north there.
    let z_up = "v 0 0 5\nv 0 -2 5\nv 2 -2 5\nv 2 0 5\nf 1 2 3 4\n";
    let options = MeshOptions::new(Up::Z, 1.0).unwrap();
    assert_eq!(read_with(z_up.as_bytes(), &options), Ok(floor));
}

#[test]
fn coordinates_are_scaled() {
    let options = MeshOptions::new(Up::Y, 0.5).unwrap();
    let floor = read_with(SQUARE.as_bytes(), &options).unwrap();
    assert_eq!(floor.vertices()[2], [1.0, 1.0, 2.5]);
}

#[test]
fn a_written_mesh_reads_back_unchanged() {
    for up in [Up::Y, Up::Z] {
        let soup = random_soup(3, 50, 80);
        let options = MeshOptions::new(up, 1.0).unwrap();
        assert_eq!(read_with(write(&soup, up).as_bytes(), &options), Ok(soup));
    }
    assert_eq!(read(b""), Ok(TriangleSoup::default()));
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    check_error(
        "v 0 0\n",
        "line 1, column 6: expected a number, found the end of the line",
    );
    check_error(
        "v 0 0 inf\n",
        "line 1, column 7: expected a number, found `inf`",
    );
    check_error(
        "v 0 0 0\nf 1 1\n",
        "line 2, column 6: expected at least three vertices, found the end of the line",
    );
    for invalid in [
        "0",
        "2",
        "-2",
        "x",
        "/1",
        "99999999999999999999",
        "-9223372036854775808",
    ] {
        check_error(
            &format!("v 0 0 0\nf 1 1 {invalid}\n"),
            &format!(
                "line 2, column 7: expected the index of a preceding vertex, found `{invalid}`"
            ),
        );
    }
    check_error(
        "curv 0 1 2\n",
        "line 1, column 1: expected v, f, or another keyword of polygon files, found `curv`",
    );
}
