//! Round trips and errors of `.3dmap` files.

use wayfarer_base::Rng;

use super::*;

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

#[test]
fn a_written_map_reads_back_unchanged() {
    let mut rng = Rng::new(3);
    let size = [40, 30, 1 << 23];
    let solid = (0..500).map(|_| size.map(|limit| rng.below(limit)));
    let map = VoxelSet::new(size, solid.collect()).unwrap();
    assert_eq!(read(write(&map).as_bytes()), Ok(map.clone()));
    let crlf = write(&map).replace('\n', "\r\n");
    assert_eq!(read(crlf.as_bytes()), Ok(map));
    assert_eq!(read(b"voxel 0 0 0"), Ok(VoxelSet::default()));
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    check_error(
        "",
        "line 1, column 1: expected `voxel X Y Z`, found the end of the file",
    );
    check_error(
        "pixel 1 1 1",
        "line 1, column 1: expected voxel, found `pixel`",
    );
    check_error(
        "voxel 1 1",
        "line 1, column 10: expected a whole number from 0 to 8388608, found the end of the \
         line",
    );
    check_error(
        "voxel 4 4 2\n1 2 0\n3 4 1\n",
        "line 3, column 3: expected a coordinate inside the box of the first line, found `4`",
    );
    check_error(
        "voxel 4 4 2\n1 2 0 9\n",
        "line 2, column 7: expected the end of the line, found `9`",
    );
}

#[test]
fn a_box_larger_than_the_coordinate_range_is_rejected() {
    assert_eq!(
        read(b"voxel 8388608 1 1\n").unwrap().size(),
        [8_388_608, 1, 1]
    );
    assert_eq!(
        read(b"voxel 1 4294967295 1\n").unwrap_err().to_string(),
        "line 1, column 9: expected a whole number from 0 to 8388608, found `4294967295`"
    );
}
