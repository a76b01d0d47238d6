//! `render`: checked pixel by pixel.

use crate::room::{Pixels, Room, map};

const GROUND: [u8; 3] = [0xF3, 0xEC, 0xDD];
const NOTHING: [u8; 3] = [0x52, 0x59, 0x63];
const WATER: [u8; 3] = [0xA9, 0xCD, 0xDE];
const SMOOTHED: [u8; 3] = [0x27, 0x5D, 0xA8];
const PATH: [u8; 3] = [0xD1, 0x49, 0x2F];
const START: [u8; 3] = [0x2E, 0x8B, 0x57];

#[test]
fn each_cell_has_the_color_of_its_terrain() {
    let room = Room::new("render_cells");
    room.write("a.map", map(&["..@", "@.W"]));
    room.done("render a.map -o a.png --zoom 20");
    let pixels = Pixels::of(&room.read("a.png"));
    let expected = [[GROUND, GROUND, NOTHING], [NOTHING, GROUND, WATER]];
    for (y, row) in expected.iter().enumerate() {
        for (x, color) in row.iter().enumerate() {
            assert_eq!(pixels.cell(x, y), *color, "cell ({x}, {y})");
        }
    }
}

#[test]
fn the_path_covers_its_cells_and_no_others() {
    let room = Room::new("render_path");
    room.write("a.map", map(&[".....", ".@@@.", "....."]));
    room.done("path a.map --from 0,1 --to 4,1 --png a.png --zoom 20");
    let found = room.done("path a.map --from 0,1 --to 4,1 --json -").json();
    let path: Vec<(u64, u64)> = found["path"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| (cell[0].as_u64().unwrap(), cell[1].as_u64().unwrap()))
        .collect();
    let pixels = Pixels::of(&room.read("a.png"));
    assert_eq!(pixels.cell(0, 1), START);
    for y in 0..3 {
        for x in 0..5 {
            let on_path = path[1..path.len() - 1].contains(&(x as u64, y as u64));
            let drawn = [PATH, SMOOTHED].contains(&pixels.cell(x, y));
            assert_eq!(drawn, on_path, "cell ({x}, {y})");
        }
    }
}

#[test]
fn a_wide_world_is_drawn_with_several_cells_per_pixel() {
    let room = Room::new("render_wide");
    room.done("make checkerboard --size 3000 -o wide.map");
    room.done("render wide.map -o wide.png");
    let pixels = Pixels::of(&room.read("wide.png"));
    assert!(pixels.width <= 1500, "{} pixels wide", pixels.width);
    // A quarter to a half of each pixel is ground: between the two colors.
    let [red, ..] = pixels.at(700, 700);
    assert!(
        red > NOTHING[0] + 20 && red < GROUND[0] - 20,
        "red is {red}"
    );
}

#[test]
fn height_bands_are_drawn_side_by_side_and_counted() {
    let room = Room::new("render_bands");
    room.write(
        "a.world",
        "wayfarer world 1\nlayer 0 0 0\n|...\n|...\nlayer 0 0 5\n|.@.\npassage ladder 0 0 0 to 0 0 5 cost 5\n",
    );
    let report = room.done("render a.world -o a.png --json -").json();
    assert_eq!(report["height_bands"], 2);
    let svg = room.done("render a.world -o a.svg");
    assert_eq!(svg.code, 0);
    let text = String::from_utf8(room.read("a.svg")).unwrap();
    assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"));
    assert!(text.contains("height band 1: heights 0 to 4"), "{text}");
    assert!(text.contains("height band 2: height 5"), "{text}");
    assert!(text.contains(">ladder</text>"), "{text}");
    assert!(text.contains(">no floor</text>"), "{text}");
    assert!(text.contains(">band below</text>"), "{text}");
    assert!(!text.contains(">free</text>"), "{text}");
}

#[test]
fn meshes_heights_and_voxels_are_drawn() {
    let room = Room::new("render_other");
    room.write("a.obj", "# a roof\nv 0 0 0\nv 8 3 0\nv 0 3 8\nf 1 3 2\n");
    room.write("a.raw", [0, 0, 1, 0, 2, 0, 3, 0, 9, 0, 1, 0]);
    room.write("a.3dmap", "voxel 4 4 4\n1 1 1\n2 1 3\n");
    room.done("render a.obj -o obj.png");
    room.done("render a.obj --scale 2.5 --up z -o obj.svg");
    room.done("render a.raw --raw 3x2:i16le -o raw.png");
    room.done("render a.3dmap -o voxels.svg");
    let voxels = String::from_utf8(room.read("voxels.svg")).unwrap();
    assert!(voxels.contains(">free</text>"), "{voxels}");
    assert!(!voxels.contains("band below"), "{voxels}");
    let info = room.done("info a.raw --raw 3x2:i16le --json -").json();
    assert_eq!(info["heights"], serde_json::json!([0, 9]));
    let info = room.done("info a.obj --json -").json();
    assert_eq!(
        (&info["triangles"], &info["format"]),
        (&1.into(), &"OBJ mesh".into())
    );
}

#[test]
fn pictures_are_deterministic() {
    let room = Room::new("render_same");
    room.done("make building --size 40x30 -o tower.world");
    for name in ["a.png", "b.png", "a.svg", "b.svg"] {
        room.done(&format!("render tower.world --sectors -o {name}"));
    }
    assert_eq!(room.read("a.png"), room.read("b.png"));
    assert_eq!(room.read("a.svg"), room.read("b.svg"));
}

const OBSTACLE: [u8; 3] = [0x3A, 0x44, 0x4E];

/// Two walls with a gap of three cells between them, and a disc of category 7.
const OBSTACLES: &str = "wayfarer field 1\n\
                     bounds 0 0 20 12\n\
                     box 9 0 2 4.5\n\
                     box 9 7.5 2 4.5\n\
                     disc 9.5 6 0.5 types 7\n\
                     end\n";

#[test]
fn an_obstacle_set_is_drawn_with_a_path() {
    let room = Room::new("render_field");
    room.write("a.field", OBSTACLES);
    room.done("render a.field -o a.png --zoom 20");
    let pixels = Pixels::of(&room.read("a.png"));
    assert_eq!(pixels.cell(9, 1), OBSTACLE);
    assert_eq!(pixels.cell(10, 10), OBSTACLE);
    assert_eq!(pixels.cell(3, 3), GROUND);
    for method in ["quadtree", "tangent"] {
        let run = format!(
            "render a.field -o b.png --zoom 20 --from 2,2 --to 17,9 --blocked-by 0 --min 1 --max 4 \
             --method {method} --json -"
        );
        let report = room.done(&run).json();
        let path = &report["path"];
        assert_eq!(path["is_found"], true, "{report}");
        let length = path["length"].as_f64().unwrap();
        assert!((16.5..18.5).contains(&length), "{report}");
        let pixels = Pixels::of(&room.read("b.png"));
        assert_eq!(pixels.cell(2, 2), START);
        assert_eq!(pixels.cell(9, 1), OBSTACLE);
        assert_ne!(pixels.cell(9, 5), OBSTACLE, "the gap stays open");
    }
    room.done("render a.field -o c.svg --influence 7 --reach 5 --min 1 --max 2");
    assert_eq!(room.done("info a.field --json -").json()["discs"], 1);
}

#[test]
fn no_path_between_obstacles_exits_with_1_and_a_picture() {
    let room = Room::new("render_field_none");
    room.write("a.field", OBSTACLES);
    // The disc blocks an agent this wide.
    let run = "render a.field -o a.png --from 2,2 --to 17,9 --radius 1 --min 1";
    let run = room.run(run);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(room.read("a.png").starts_with(b"\x89PNG"));
}

#[test]
fn the_walls_of_a_map_are_drawn_as_obstacles() {
    let room = Room::new("render_map_as_field");
    room.write("a.map", map(&["......", "..@@..", "......"]));
    let run =
        "render a.map -o a.png --walls-as-obstacles --from 0,1 --to 5,1 --min 1 --max 2 --json -";
    let report = room.done(run).json();
    assert_eq!(report["path"]["is_found"], true, "{report}");
    assert!(report["path"]["spaces"].as_u64().unwrap() > 5, "{report}");
}
