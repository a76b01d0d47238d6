//! Round trips and errors of `.world` files.

use wayfarer_base::{
    Column, Cost, CostMultiplier, Fixed, LinkDirection, LinkState, NavLinkKind, Rect, Rng, WallSide,
};

use super::*;

#[track_caller]
fn check_error(lines: &str, expected: &str) {
    let text = format!("wayfarer world 1\n{lines}");
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

/// Sorted, without duplicates: what the writer guarantees to preserve.
fn canonical(mut data: WorldData) -> WorldData {
    let mut cells: Vec<(Cell, Terrain)> = Vec::new();
    for (cell, terrain) in data.cells {
        cells.retain(|(kept, _)| *kept != cell);
        cells.push((cell, terrain));
    }
    cells.sort();
    data.cells = cells;
    data
}

const CASTLE: &str = "\
wayfarer world 1 # a castle with a gallery
profile radius 0.5 height 3 climb 1 drop 4 keys 5
terrains ground swamp 17
price swamp 2.5
letter m 17

layer -1 0 0
|.@@mS
# a comment between rows is no row
|..WT.
cell 0 0 4 trees # over the gap
passage ladder -1 0 0 to 0 0 4 cost 4.5
passage door 0 1 0 to 3 1 0 cost 1 one-way locked 5
wall -1 0 0 south
box 0 0 0 to 4 4 1
voxel 2 2 -9
";

#[test]
fn every_keyword_is_read() {
    let file = read(CASTLE.as_bytes()).unwrap();
    assert_eq!(file.n_cells(), 9);
    let data = file.into_data();
    let terrain = |number| Terrain::new(number).unwrap();
    assert_eq!(data.profile.max_drop, 4);
    assert_eq!(data.profile.keys, 5);
    assert_eq!(data.profile.allowed_terrains, 0b11 | 1 << 17);
    assert_eq!(
        data.profile.terrain_costs,
        [(Terrain::SWAMP, CostMultiplier::from_sixteenths(40).unwrap())]
    );
    assert_eq!(data.cells[1], (Cell::new(2, 0, 0), terrain(17)));
    assert_eq!(data.cells[8], (Cell::new(0, 0, 4), Terrain::TREES));
    assert_eq!(data.nav_links[0].cost, Cost::from_units(6584));
    assert_eq!(data.nav_links[1].direction, LinkDirection::OneWay);
    assert_eq!(data.nav_links[1].state, LinkState::Locked(5));
    assert_eq!(data.walls[0].side, WallSide::South);
    assert_eq!(data.boxes, [(Voxel::new(0, 0, 0), Voxel::new(4, 4, 1))]);
    assert_eq!(data.voxels, [Voxel::new(2, 2, -9)]);
}

#[test]
fn a_truncated_file_is_rejected_at_its_last_line() {
    let whole = CASTLE.replace("world 1", "world 2") + "end # nothing more\n";
    assert_eq!(read(whole.as_bytes()), read(CASTLE.as_bytes()));
    let needed = whole.find("end #").unwrap() + "end".len();
    for length in 0..needed {
        let error = read(&whole.as_bytes()[..length]).unwrap_err();
        let last = whole[..length].split('\n').count();
        assert!(
            (last..=last + 1).contains(&error.line()),
            "{length}: {error}"
        );
    }
    let error = read(b"wayfarer world 2\nlayer 0 0 0\n|..\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 4, column 1: expected more lines, the last of them `end`, found the end of the file"
    );
    let error = read(b"wayfarer world 2\nend\n# comment\nvoxel 1 1 1\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 4, column 1: expected nothing after the line `end`, found `voxel`"
    );
}

#[test]
fn a_written_file_has_an_explicit_end() {
    let data = read_data(CASTLE.as_bytes()).unwrap();
    let text = write(&data);
    assert!(
        text.starts_with("wayfarer world 2\n") && text.ends_with("\nend\n"),
        "{text}"
    );
    let cut = text.strip_suffix("end\n").unwrap();
    assert!(read(cut.as_bytes()).is_err());
}

#[test]
fn cr_lf_reads_like_lf() {
    let crlf = CASTLE.replace('\n', "\r\n");
    assert_eq!(read(crlf.as_bytes()), read(CASTLE.as_bytes()));
}

#[test]
fn the_example_of_the_format_document_is_valid() {
    let document = include_str!("../../../../docs/design/world-format.md");
    let example = document.split("```world\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let data = read_data(example.as_bytes()).unwrap();
    assert!(!data.cells.is_empty() && !data.nav_links.is_empty());
    assert!(!data.walls.is_empty() && !data.boxes.is_empty() && !data.voxels.is_empty());
    let again = read_data(write(&data).as_bytes()).unwrap();
    assert_eq!(canonical(again), canonical(data));
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    assert_eq!(
        read(b"wayfarer world 3\n").unwrap_err().to_string(),
        "line 1, column 16: expected wayfarer world 2, found `3`"
    );
    check_error(
        "floor 1 2 3\n",
        "line 2, column 1: expected layer, cell, passage, wall, box, voxel, letter, profile, \
         terrains, price, end or a comment, found `floor`",
    );
    check_error(
        "layer 0 0 0\n|..\n|...\n",
        "line 4, column 4: the row has 3 cells, expected 2",
    );
    check_error(
        "layer 0 0 0\n|.x\n",
        "line 3, column 3: unknown letter `x`, expected one of . G S W T @ O",
    );
    check_error(
        "letter m 9\nlayer 0 0 0\n|.x\n",
        "line 4, column 3: unknown letter `x`, expected one of . G S W T @ O or of the `letter` \
         lines",
    );
    for rows in ["", "|\n", "cell 0 0 0 ground\n"] {
        let error = read(format!("wayfarer world 1\nlayer 0 0 0\n{rows}").as_bytes());
        let error = error.unwrap_err().to_string();
        let expected = "line 3, column 1: expected a row that begins with | and holds at least";
        assert!(error.starts_with(expected), "{error}");
    }
    check_error(
        "cell -8388608 0 0 ground\n",
        "line 2, column 6: expected a whole number from -8388607 to 8388607, found `-8388608`",
    );
    check_error(
        "layer 8388606 0 0\n|...\n",
        "line 3, column 1: 3 cells from the edge of the drawing, the limit is 2",
    );
    check_error(
        "layer 0 8388607 0\n|.\n|.\n",
        "line 4, column 1: 2 cells from the edge of the drawing, the limit is 1",
    );
    check_error(
        "|..\n",
        "line 2, column 1: expected layer, cell, passage, wall, box, voxel, letter, profile, \
         terrains, price, end or a comment, found `|..`",
    );
    check_error(
        "letter . 9\n",
        "line 2, column 8: expected an undefined letter, not | or #, found `.`",
    );
    check_error(
        "profile radius 1 radius 2\n",
        "line 2, column 18: expected radius, height, climb, drop or keys, each at most once, \
         found `radius`",
    );
    check_error(
        "profile climb 256\n",
        "line 2, column 15: expected a whole number from 0 to 255, found `256`",
    );
    check_error(
        "price water 2\nprice 2 3\n",
        "line 3, column 7: expected a terrain without an earlier `price` line, found `2`",
    );
    check_error(
        "terrains all ground\n",
        "line 2, column 14: expected the end of the line, found `ground`",
    );
    check_error(
        "box 1 1 1 to 2 2 0\n",
        "line 2, column 14: expected a high corner not below the low corner, found `2`",
    );
    check_error(
        "cell 1 2 3 lava\n",
        "line 2, column 12: expected ground, swamp, water, trees or a number from 0 to 63, found \
         `lava`",
    );
}

/// Random data: clusters of cells near and far, everything else from the whole range of valid
/// values.
fn random_data(rng: &mut Rng) -> WorldData {
    let mut data = WorldData::default();
    let terrain = |rng: &mut Rng| {
        let kinds = if rng.chance(1, 2) { 1 } else { Terrain::COUNT };
        Terrain::new(u8::try_from(rng.below(kinds.into())).unwrap()).unwrap()
    };
    let far = 8_388_000;
    for _ in 0..rng.below(5) {
        let (x, y) = (rng.between(-far, far), rng.between(-far, far));
        let (z, size) = (rng.between(-3, 3), rng.between(0, 20));
        let rect = Rect::around(Column::new(x, y), Column::new(x + size, y + size / 2));
        let rate = 1 + rng.below(10);
        for column in rect.columns() {
            if rng.chance(rate, 10) {
                data.cells.push((column.at(z), terrain(rng)));
            }
        }
    }
    let cell =
        |rng: &mut Rng| Cell::new(rng.between(-9, 9), rng.between(-9, 9), rng.between(-9, 9));
    for _ in 0..rng.below(6) {
        data.cells.push((cell(rng), terrain(rng)));
        data.nav_links.push(NavLink {
            from: cell(rng),
            to: cell(rng),
            kind: *rng.pick(&NavLinkKind::ALL).unwrap(),
            direction: *rng
                .pick(&[LinkDirection::Bidirectional, LinkDirection::OneWay])
                .unwrap(),
            cost: Cost::from_units(1 + rng.below(u32::MAX - 2)),
            state: *rng
                .pick(&[LinkState::Open, LinkState::Closed, LinkState::Locked(9)])
                .unwrap(),
        });
        let side = *rng.pick(&[WallSide::East, WallSide::South]).unwrap();
        data.walls.push(Wall {
            cell: cell(rng),
            side,
        });
        let Cell { x, y, z } = cell(rng);
        let low = Voxel::new(x, y, z);
        data.boxes.push((low, Voxel::new(x + 2, y, z + 1)));
        data.voxels.push(low);
    }
    if rng.chance(1, 2) {
        data.profile = Profile {
            radius: Fixed::from_raw(rng.between(0, 2048)),
            height: rng.between(1, 9),
            max_step: rng.between(0, 255),
            max_drop: rng.between(0, 255),
            keys: rng.below(u32::MAX),
            allowed_terrains: *rng.pick(&[0, 1, u64::MAX, 0x8000_0000_0000_0005]).unwrap(),
            terrain_costs: vec![
                (Terrain::WATER, CostMultiplier::from_sixteenths(17).unwrap()),
                (Terrain::new(63).unwrap(), CostMultiplier::MAX),
            ],
        };
    }
    data
}

#[test]
fn written_data_reads_back_unchanged() {
    for seed in 0..300 {
        let data = random_data(&mut Rng::new(seed));
        let text = write(&data);
        let read = read_data(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(canonical(read), canonical(data), "seed {seed}\n{text}");
    }
}

#[test]
fn a_flat_map_takes_about_a_byte_per_cell() {
    let raster = Raster::from_bytes(200, 100, vec![0; 20_000]).unwrap();
    let text = write(&WorldData::from_raster(&raster));
    assert!(text.len() < 20_400, "{} bytes", text.len());
}

#[test]
fn distant_clusters_are_drawn_separately() {
    let mut data = WorldData::default();
    for x in [-8_000_000, 0, 8_000_000] {
        let cluster = Rect::around(Column::new(x, x), Column::new(x + 9, x + 9));
        data.cells
            .extend(cluster.columns().map(|at| (at.at(0), Terrain::GROUND)));
    }
    let text = write(&data);
    assert!(text.len() < 1000, "{} bytes", text.len());
    assert_eq!(
        canonical(read_data(text.as_bytes()).unwrap()),
        canonical(data)
    );
}
