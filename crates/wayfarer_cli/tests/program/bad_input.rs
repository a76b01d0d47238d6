//! Bad input: one line, exit code 2, nothing written.

use crate::room::{Room, map};

/// Runs `line`; it must be rejected with all of `words` in the error.
#[track_caller]
fn rejected(room: &Room, line: &str, words: &[&str]) {
    if !has_command(line) {
        return;
    }
    let before = room.files();
    let run = room.run(line);
    assert_eq!(run.code, 2, "{line}: {}{}", run.out, run.err);
    assert_eq!(run.out, "", "{line}");
    assert!(run.err.starts_with("error: "), "{line}: {}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{line}: {}", run.err);
    for word in words {
        assert!(run.err.contains(word), "{line}: no `{word}` in {}", run.err);
    }
    assert_eq!(room.files(), before, "{line}: something was written");
}

/// False for commands that this build lacks.
fn has_command(line: &str) -> bool {
    cfg!(feature = "bench") || !(line.starts_with("bench") || line.starts_with("soak"))
}

fn room(name: &str) -> Room {
    let room = Room::new(name);
    room.write("a.map", map(&["....", ".@@.", "...."]));
    room.write("a.map.scen", "version 1\n0\ta.map\t4\t3\t0\t0\t3\t0\t3\n");
    room
}

#[test]
fn a_missing_file_is_rejected_by_every_command_that_reads_one() {
    let room = room("missing");
    for line in [
        "info no.map",
        "render no.map -o a.png",
        "path no.map --from 0,0 --to 1,1 --png a.png",
        "check no.map a.map.scen",
        "check a.map no.scen",
        "check --dir nowhere",
    ] {
        rejected(&room, line, &["no", "cannot read"]);
    }
    rejected(&room, "info .", &["no journal", "expected a folder"]);
}

#[test]
fn a_damaged_file_is_rejected_with_the_line() {
    let room = room("damaged");
    room.write("short.map", "type octile\nheight 3\nwidth 4\nmap\n....\n");
    room.write("letter.map", "type octile\nheight 1\nwidth 4\nmap\n..x.\n");
    room.write("header.map", "type octile\nheight many\n");
    room.write("bad.world", "wayfarer world 1\ncell 1 two 3 ground\n");
    room.write("bad.3dmap", "voxel 2 2 2\n1 1 5\n");
    room.write("bad.png", b"\x89PNG\r\n\x1a\nnot really");
    room.write("bad.obj", "v 0 0 0\nf 1 2 3\n");
    room.write("bad.gltf", "{\"asset\": 3}");
    room.write("empty.map", "");
    room.write("noise.map", [0xff, 0xfe, 0x00, 0x07]);
    room.write("noise", [0xff, 0xfe, 0x00, 0x07]);
    room.write("bad.scen", "version 1\n0\ta.map\t4\t3\t0\tzero\t3\t0\t3\n");
    let cases: [(&str, &[&str]); 11] = [
        ("short.map", &["line 6", "1 of 3 rows"]),
        ("letter.map", &["line 5, column 3"]),
        ("header.map", &["line 2"]),
        ("bad.world", &["line 2"]),
        ("bad.3dmap", &["line 2"]),
        ("bad.png", &["bad.png"]),
        ("bad.obj", &["line 2"]),
        ("bad.gltf", &["bad.gltf"]),
        ("empty.map", &["line 1"]),
        ("noise.map", &["line 1"]),
        ("noise", &["neither its contents nor its name"]),
    ];
    for (file, words) in cases {
        rejected(&room, &format!("info {file}"), words);
        rejected(&room, &format!("render {file} -o out.png"), words);
    }
    rejected(&room, "check a.map bad.scen", &["bad.scen", "line 2"]);
    room.write("sub/b.map", map(&["."]));
    room.write("sub/b.map.scen", "version 1\nrubbish\n");
    rejected(
        &room,
        "check --dir . --json out.json",
        &["b.map.scen", "line 2"],
    );
}

#[test]
fn a_file_of_another_format_is_reported_with_its_format() {
    let room = room("kinds");
    room.write("a.edits", "wayfarer edits 1\n");
    room.write("a.patch", "type patch\npatches 0\n");
    room.write("a.3dmap", "voxel 2 2 2\n1 1 1\n");
    rejected(&room, "render a.map.scen -o a.png", &["found scenario"]);
    rejected(&room, "render a.edits -o a.png", &["found edits"]);
    rejected(&room, "render a.patch -o a.png", &["found patches"]);
    rejected(&room, "check a.map a.map", &["a.map", "line 1"]);
    room.write("a.raw", [0, 1, 2, 3]);
    rejected(&room, "info a.raw", &["--raw"]);
    rejected(&room, "info a.raw --raw 9x9:u8", &["4 bytes", "81"]);
    rejected(&room, "info a.raw --raw nine", &["nine"]);
    let line = "path a.3dmap --from 0,0 --to 1,1";
    rejected(&room, line, &["--from 0,0", "x,y,z"]);
}

#[test]
fn a_blocked_start_or_goal_is_rejected_with_its_option() {
    let room = room("blocked");
    let cases = [
        ("--from 1,1 --to 3,0", "--from 1,1"),
        ("--from 0,0 --to 2,1", "--to 2,1"),
        ("--from 0,0 --to 99,0", "--to 99,0"),
        ("--from -1,0 --to 3,0", "--from -1,0"),
        ("--from 0,0,4 --to 3,0", "--from 0,0,4"),
        ("--from 0,0 --to 2147483647,-2147483648", "--to 2147483647"),
    ];
    for (ends, word) in cases {
        let line = format!("path a.map {ends} --png out.png --json out.json");
        rejected(&room, &line, &[word, "blocked"]);
    }
}

#[test]
fn invalid_values_of_options_are_rejected() {
    let room = room("words");
    room.write("none.json", "{}");
    let cases: [(&str, &[&str]); 33] = [
        ("path a.map --from 0,0", &["--to"]),
        ("path a.map --from 0,0 --partial euclidean", &["--to"]),
        (
            "path a.map --from 0,0 --to 1,0 --to-area 0,0:1,1",
            &["--to-area"],
        ),
        ("path a.map --from 0,0 --to-area 0,0", &["0,0", "corners"]),
        (
            "path a.map --from 0,0 --to-area 1,1:2,1",
            &["--to-area", "no cell"],
        ),
        (
            "path a.map --from 0,0 --to 1,0 --to 2,0 --within 2",
            &["--within"],
        ),
        ("path a.map --from 0,0 --to 1,0 --within -2", &["-2"]),
        (
            "path a.map --from 0,0 --to 1,0 --line-of-sight 2 --within 2",
            &["--within"],
        ),
        (
            "path a.map --from 0,0 --to 1,0 --radius 8.1",
            &["8.1", "0 to 8"],
        ),
        ("path a.map --from 0,0 --to 1,0 --headroom 0", &["headroom"]),
        (
            "path a.map --from 0,0 --to 1,0 --max-step 256",
            &["max-step"],
        ),
        ("path a.map --from 0,0 --to 1,0 --terrains lava", &["lava"]),
        (
            "path a.map --from 0,0 --to 1,0 --area-cost 0,0:1,1=0.5",
            &["1 to 4095"],
        ),
        (
            "path a.map --from 0,0 --to 1,0 --avoid 1,0:1,0",
            &["--to 1,0", "avoided"],
        ),
        (
            "path a.map --from 0,0 --to 1,0 --previous none.json",
            &["none.json", "path"],
        ),
        (
            "path a.map --from 0,0 --to 1,0 --method any-angle --avoid 3,0:3,0",
            &["any-angle", "--avoid"],
        ),
        (
            "path a.map --from 0,0 --to 1,0 --method hierarchical --budget 10",
            &["--method hierarchical", "--budget"],
        ),
        ("make labyrinth -o x.map", &["labyrinth", "caves", "maze"]),
        ("make caves --size ten -o x.map", &["ten", "WxH"]),
        ("make caves --size 0 -o x.map", &["0 x 0"]),
        (
            "make caves --size 4000000000x4000000000 -o x.map",
            &["caves"],
        ),
        ("make maze --corridor 0 -o x.map", &["corridor"]),
        ("make caves --seed -1 -o x.map", &["-1"]),
        ("make caves", &["--output"]),
        ("path a.map --from 0;0 --to 1,1", &["0;0", "x,y"]),
        (
            "path a.map --from 0,0 --to 3,0 --method magic",
            &["magic", "astar"],
        ),
        ("path a.map --from 0,0 --to 3,0 --budget 0", &["budget"]),
        ("render a.map -o a.png --zoom 0", &["zoom"]),
        ("check a.map", &["SCENARIO"]),
        ("fly a.map", &["fly"]),
        (
            "bench paths --maps a.map --method telepathy",
            &["telepathy", "grid-astar"],
        ),
        ("bench paths --maps nowhere", &["nowhere"]),
        (
            "bench paths --maps a.map --plot nowhere/x.svg",
            &["no such folder"],
        ),
    ];
    for (line, words) in cases {
        rejected(&room, line, words);
    }
}

#[test]
fn an_unwritable_output_is_rejected_before_the_work() {
    let room = room("unwritable");
    room.write("folder.png/inside", "");
    let cases = [
        ("make caves -o nowhere/x.map", "no such folder"),
        ("make caves -o x.gif", ".map"),
        ("make building -o x.map", ".world"),
        ("make caves -o x.3dmap", "voxel worlds"),
        ("render a.map -o nowhere/x.png", "no such folder"),
        ("render a.map -o folder.png", "folder"),
        ("render a.map -o x.bmp", ".png"),
        (
            "path a.map --from 0,0 --to 3,0 --png nowhere/x.png",
            "no such folder",
        ),
        ("path a.map --from 0,0 --to 3,0 --png x.gif", ".png"),
        (
            "path a.map --from 0,0 --to 3,0 --json nowhere/x.json",
            "no such folder",
        ),
        (
            "check a.map a.map.scen --json nowhere/x.json",
            "no such folder",
        ),
        ("info a.map --json nowhere/x.json", "no such folder"),
        ("demo -o nowhere/x.png", "no such folder"),
    ];
    for (line, word) in cases {
        rejected(&room, line, &[word]);
    }
}

#[test]
fn no_command_overwrites_its_input() {
    let room = room("overwrite");
    room.write(
        "a.edits",
        "wayfarer edits 1\nquery 0 0 0 to 3 0 0 length 3\n",
    );
    room.write("b.png", room.read("a.map"));
    room.write("folder/b.map", room.read("a.map"));
    room.write("folder/b.map.scen", room.read("a.map.scen"));
    room.write("b.3dmap", "voxel 2 2 2\n0 0 0\n");
    room.done("bake a.map -o a.frozen");
    room.done("path a.map --from 0,0 --to 3,0 --json a.json");
    let before: Vec<_> = room.contents();
    for line in [
        "info a.map --json a.map",
        "info a.map --json ./folder/../a.map",
        "info a.frozen --json a.frozen",
        "render b.png -o b.png",
        "render a.map -o x.png --json a.map",
        "path a.map --from 0,0 --to 3,0 --json a.map",
        "path b.png --from 0,0 --to 3,0 --png b.png",
        "path a.map --from 0,0 --to 3,0 --method refine:1,10%,-,- --baked a.frozen --json a.frozen",
        "path a.map --from 0,0 --to 3,0 --previous a.json --json a.json",
        "check a.map a.map.scen --json a.map",
        "check a.map a.map.scen --json a.map.scen",
        "check --dir folder --json folder/b.map",
        "check --dir folder --json folder/b.map.scen",
        "replay a.edits --world a.map --json a.edits",
        "replay a.edits --world a.map --json a.map",
        "bake a.map -o a.map",
        "bake a.map -o x.frozen --json a.map",
        "bench paths --maps folder --json folder/b.map",
        "bench ground --maps folder --json folder/b.map",
        "bench air --map b.3dmap --json b.3dmap",
    ] {
        rejected(&room, line, &["a result would be written over it"]);
        assert_eq!(room.contents(), before, "{line}");
    }
}

#[test]
fn a_picture_that_is_too_large_is_rejected() {
    let room = room("huge");
    room.done("make open --size 2000 -o open.map");
    let line = "render open.map -o open.png --zoom 64";
    rejected(&room, line, &["128000 x 128000", "--zoom"]);
}

#[test]
fn options_of_another_format_or_generator_are_rejected() {
    let room = room("bad_options");
    room.write("a.obj", "v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n");
    room.write("a.raw", [0, 1, 2, 3]);
    let cases: [(&str, &[&str]); 18] = [
        ("make caves --floors 3 -o x.map", &["--floors", "building"]),
        (
            "make caves --corridor 3 -o x.map",
            &["--corridor", "maze, spiral"],
        ),
        (
            "make open --obstacles 3 -o x.map",
            &["--obstacles", "caves, clutter"],
        ),
        ("make rooms --braid 3 -o x.map", &["--braid", "maze"]),
        (
            "make caves --size 5x5x5 -o x.map",
            &["WxHxD", "asteroids, hall"],
        ),
        ("make caves -o x.map --scenario x.txt", &["x.txt", ".scen"]),
        ("make caves -o x.map --edits x.scen", &["x.scen", ".edits"]),
        ("info a.map --scale 3", &["--scale", "meshes only", "map"]),
        ("info a.map --up z", &["--up", "meshes"]),
        (
            "render a.map --step 2 -o x.png",
            &["--step", "heights and meshes"],
        ),
        ("info a.map --heights", &["--heights", "PNG"]),
        (
            "info a.map.scen --max-slope 2",
            &["--max-slope", "scenario"],
        ),
        ("info a.obj --no-data 3", &["--no-data", "heights"]),
        ("info a.obj --step 0", &["--step", "from 0.000000001"]),
        ("info a.obj --scale 0", &["--scale", "from 0.000000001"]),
        ("info a.obj --scale nan", &["--scale", "nan"]),
        ("info a.obj --scale 1e30", &["--scale", "1e30"]),
        (
            "info a.raw --raw 2x2:u8 --max-slope -1",
            &["--max-slope", "-1"],
        ),
    ];
    for (line, words) in cases {
        rejected(&room, line, words);
    }
    // A scale that is a number but takes the mesh out of the world.
    rejected(&room, "info a.obj --scale 1e8", &["a.obj"]);
    room.done("info a.obj --scale 2 --up z --step 0.5 --max-slope 0");
    room.done("info a.raw --raw 2x2:u8 --no-data 0 --step 2");
    rejected(
        &room,
        "bench paths --maps a.map --plot p.png",
        &["p.png", ".svg"],
    );
}

#[test]
fn negative_numbers_are_rejected_by_their_option() {
    let room = room("bad_negative");
    let cases: [(&str, &[&str]); 5] = [
        ("make caves --seed -1 -o x.map", &["-1", "--seed"]),
        ("make caves --size -4 -o x.map", &["-4", "--size"]),
        ("render a.map -o x.png --zoom -2", &["-2", "--zoom"]),
        ("info a.map --scale -2.5", &["-2.5", "--scale"]),
        ("soak ground --minutes -1", &["-1", "--minutes"]),
    ];
    for (line, words) in cases {
        rejected(&room, line, words);
        let run = room.run(line);
        let has_tip = run.err.contains("tip:");
        assert!(!(has_tip && has_command(line)), "{}", run.err);
    }
    room.write("west.world", "wayfarer world 1\nlayer -3 4 0\n|...\n");
    room.done("path west.world --from -3,4 --to -1,4");
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_rejected() {
    let room = room("bad_endless");
    for line in [
        "info /dev/zero",
        "bench paths --maps /dev/zero",
        "check a.map /dev/zero",
    ] {
        rejected(&room, line, &["/dev/zero"]);
    }
    rejected(&room, "info /dev/zero", &["more than 536870912 bytes"]);
}

#[test]
fn a_truncated_world_is_rejected_with_the_line() {
    let room = room("bad_cut");
    room.done("make building --size 30x30 -o tower.world");
    let whole = room.read("tower.world");
    let cut = &whole[..whole.len() - "end\n".len()];
    room.write("cut.world", cut);
    let n_lines = cut.iter().filter(|&&byte| byte == b'\n').count();
    let line = format!("line {}", n_lines + 1);
    rejected(&room, "info cut.world", &["cut.world", &line, "`end`"]);
}

#[test]
fn a_world_without_ground_is_rejected_for_an_edit_trace() {
    let room = room("bad_trace");
    room.write("a.3dmap", "voxel 2 2 2\n1 1 1\n");
    room.write("a.edits", "wayfarer edits 2\nend\n");
    rejected(
        &room,
        "replay a.edits --world a.3dmap",
        &["a.3dmap", "no ground"],
    );
    let line = "soak ground --replay a.edits --world a.3dmap";
    rejected(&room, line, &["a.3dmap", "voxel map"]);
    let line = "soak ground --replay a.edits --world a.map --json nowhere/x.json";
    rejected(&room, line, &["nowhere", "no such folder"]);
    rejected(&room, "soak ground --minutes 1e300", &["1e300", "525600"]);
    if has_command("soak") {
        let line = "soak ground --replay a.edits --world a.map --json -";
        assert_eq!(room.done(line).json()["batches"], 0);
    }
}

#[test]
fn a_voxel_map_beyond_the_coordinate_limits_is_rejected() {
    let room = room("bad_voxels");
    room.write("wide.3dmap", "voxel 4294967295 2 2\n1 1 1\n");
    rejected(&room, "info wide.3dmap", &["line 1", "8388608"]);
}

#[test]
fn two_results_for_one_file_are_rejected_and_neither_is_written() {
    let room = room("bad_twice");
    let line = "path a.map --from 0,0 --to 1,0 --png both.png --json both.png";
    rejected(&room, line, &["both.png", "two results"]);
}

#[test]
fn an_agent_wider_than_a_cell_is_rejected_in_a_gap_of_one_cell() {
    let room = room("bad_wide");
    let world = "wayfarer world 1\nprofile radius 1.5 height 2 climb 1 drop 1 keys 0\n\
                 layer 0 0 0\n|.....\n|@@.@@\n|.....\n";
    room.write("wide.world", world);
    let ends = ["--from 0,0 --to 4,2", "--from 2,1 --to 4,2"];
    for ends in ends {
        let line = format!("path wide.world {ends} --png out.png");
        rejected(&room, &line, &["--from", "too narrow for the body"]);
    }
}

#[test]
fn bake_and_refine_reject_invalid_input() {
    let room = room("frozen_bad");
    room.write("b.map", map(&[".....", "....."]));
    room.write("air.3dmap", "voxel 2 2 2\n0 0 0\n");
    room.done("bake a.map -o a.frozen");
    room.done("bake b.map -o b.frozen");
    let path = "path a.map --from 0,0 --to 3,2";
    let cases: [(&str, &[&str]); 19] = [
        (
            "path a.map --from 0,0 --to 3,2 --method refine:hpa --baked a.frozen --variant gate",
            &["a.frozen", "no variant `gate`"],
        ),
        (
            "path a.map --from 0,0 --to 3,2 --method refine:hpa --variant gate",
            &["--baked"],
        ),
        ("bake no.map -o x.frozen", &["no.map", "cannot read"]),
        ("bake a.map", &["--output"]),
        ("bake a.map -o nowhere/x.frozen", &["no such folder"]),
        ("bake a.map -o x.frozen --sector 3", &["3", "4..=16"]),
        (
            "bake a.map -o x.frozen --centers edge",
            &["edge", "least-work"],
        ),
        (
            "bake a.map.scen -o x.frozen",
            &["scenario", "expected a world"],
        ),
        (
            "bake air.3dmap -o x.frozen",
            &["voxel map", "expected a flat map"],
        ),
        (
            "bake a.map -o x.frozen --variant open",
            &["open", "NAME=FILE"],
        ),
        (
            "bake a.map -o x.frozen --variant open=b.map",
            &["b.map", "5 x 2 cells", "4 x 3"],
        ),
        (
            "bake a.map -o x.frozen --variant o=a.map --variant o=a.map",
            &["`o`", "taken"],
        ),
        (
            "render a.frozen -o x.png",
            &["baked abstraction", "expected a world"],
        ),
        ("info a.frozen --step 2", &["--step", "baked abstraction"]),
        (
            "path a.map --from 0,0 --to 3,2 --baked a.frozen",
            &["--method refine"],
        ),
        (
            "path a.map --from 0,0 --to 3,2 --method refine:1,10%,-,- --baked b.frozen",
            &["b.frozen", "5 x 2", "4 x 3"],
        ),
        (
            "path a.map --from 0,0 --to 3,2 --method refine:1,10%,-,- --baked a.map",
            &["a.map", "byte 0"],
        ),
        (
            "path a.map --from 1,1 --to 3,2 --method refine:1,10%,-,-",
            &["--from 1,1", "blocked"],
        ),
        (
            "path a.map --from 0,0 --to 1,1 --method refine:1,10%,-,-",
            &["--to 1,1", "blocked"],
        ),
    ];
    for (line, words) in cases {
        rejected(&room, line, words);
    }
    for (words, fault) in [
        ("0,-,-,-", "n must be"),
        ("1,91%,-,-", "at most 90%"),
        ("1,-,q,-", "c must be"),
        ("1,-,-", "s is missing"),
        ("1,-,-,-,any,any", "each once"),
    ] {
        rejected(
            &room,
            &format!("{path} --method refine:{words}"),
            &[words, fault],
        );
    }
    for option in [
        "--avoid 3,0:3,0",
        "--to 0,2",
        "--within 2",
        "--explain",
        "--expanded --png x.png",
        "--partial euclidean",
    ] {
        let line = format!("{path} --method refine:hpa {option}");
        rejected(&room, &line, &["--method refine takes one --to"]);
    }
    for option in ["--radius 0.4", "--max-step 2", "--keys 1"] {
        let line = format!("{path} --method refine:hpa {option}");
        rejected(&room, &line, &["the world's own profile"]);
    }
}

#[test]
fn a_damaged_baked_abstraction_is_rejected_with_the_offset() {
    let room = room("frozen_damaged");
    room.done("bake a.map -o a.frozen");
    let whole = room.read("a.frozen");
    for (at, byte, words) in [
        (4, 9, &["byte 4", "version 9"][..]),
        (6, 3, &["byte 6", "side of sectors"]),
        (whole.len() - 1, 0xee, &["byte 24", "digest"]),
    ] {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        room.write("bad.frozen", bytes);
        rejected(&room, "info bad.frozen", words);
        let line = "path a.map --from 0,0 --to 3,2 --method refine:hpa --baked bad.frozen";
        rejected(&room, line, words);
    }
    room.write("short.frozen", &whole[..30]);
    rejected(&room, "info short.frozen", &["short.frozen"]);
    room.write("empty.frozen", "");
    rejected(&room, "info empty.frozen", &["byte 0", "WFRZ"]);
}
