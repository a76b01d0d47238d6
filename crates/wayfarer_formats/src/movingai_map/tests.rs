//! Round trips and errors of `.map` files.

use wayfarer_base::Terrain;

use super::*;

/// Compares the map, as the writer draws it, or the error text.
#[track_caller]
fn check(text: &str, expected: Result<&str, &str>) {
    let found = read(text.as_bytes()).map_err(|error| error.to_string());
    match expected {
        Ok(map) => assert_eq!(found.map(|map| write(&map)).as_deref(), Ok(map)),
        Err(error) => assert_eq!(found.map(|map| write(&map)), Err(error.to_owned())),
    }
}

const SMALL: &str = "type octile\nheight 2\nwidth 3\nmap\n..@\nSWT\n";

#[test]
fn every_benchmark_letter_is_read() {
    check(SMALL, Ok(SMALL));
    check(
        "type octile\nheight 1\nwidth 4\nmap\n.G@O\n",
        Ok("type octile\nheight 1\nwidth 4\nmap\n..@@\n"),
    );
}

#[test]
fn line_ends_and_the_order_of_sizes_do_not_matter() {
    check(&SMALL.replace('\n', "\r\n"), Ok(SMALL));
    check(SMALL.trim_end(), Ok(SMALL));
    check(&format!("{SMALL}\n \r\n"), Ok(SMALL));
    check("type octile\nwidth 3\nheight 2\nmap\n..@\nSWT\n", Ok(SMALL));
}

#[test]
fn an_invalid_row_is_reported_with_its_position() {
    let head = "type octile\nheight 2\nwidth 3\nmap\n";
    check(
        &format!("{head}..\n...\n"),
        Err("line 5, column 3: the row has 2 cells, expected 3"),
    );
    check(
        &format!("{head}...\n.....\n"),
        Err("line 6, column 4: the row has 5 cells, expected 3"),
    );
    check(
        &format!("{head}...\n"),
        Err("line 6, column 1: the file ends after 1 of 2 rows"),
    );
    check(
        &format!("{head}...\n...\n\n...\n"),
        Err("line 8, column 1: expected the end of the file after the last row, found `...`"),
    );
    check(
        &format!("{head}...\n.x.\n"),
        Err("line 6, column 2: unknown letter `x`, expected one of . G S W T @ O"),
    );
}

#[test]
fn an_invalid_header_is_reported_with_its_position() {
    check(
        "",
        Err("line 1, column 1: expected `type octile`, found the end of the file"),
    );
    check(
        "type tile\n",
        Err("line 1, column 6: expected octile, found `tile`"),
    );
    check(
        "type octile\nheight -1\n",
        Err("line 2, column 8: expected a whole number from 0 to 4294967295, found `-1`"),
    );
    check(
        "type octile\nheight 1\nheight 1\n",
        Err("line 3, column 1: expected the other one of `height H` and `width W`, found `height`"),
    );
    check(
        "type octile\nheight 1 2\n",
        Err("line 2, column 10: expected the end of the line, found `2`"),
    );
    check(
        "type octile\nheight 4000000000\nwidth 0\nmap\n",
        Err(
            "line 3, column 1: expected a map with cells, or 0 for both sizes, found 0 x \
             4000000000",
        ),
    );
    check(
        "type octile\nheight 4000000000\nwidth 4000000000\nmap\n",
        Err("line 3, column 1: 16000000000000000000 cells, the limit is 1073741824"),
    );
}

#[test]
fn a_written_map_reads_back_unchanged() {
    let letters = [Some(0), Some(1), Some(2), Some(3), None];
    let mut rng = wayfarer_base::Rng::new(1);
    for (width, height) in [(0, 0), (1, 1), (17, 5)] {
        let mut map = Raster::new(width, height).unwrap();
        for at in map.rect().columns() {
            let terrain = rng.pick(&letters).copied().flatten().and_then(Terrain::new);
            map.set(at.x, at.y, terrain);
        }
        assert_eq!(read(write(&map).as_bytes()), Ok(map));
    }
}
