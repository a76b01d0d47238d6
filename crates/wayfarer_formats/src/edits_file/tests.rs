use wayfarer_base::{
    Cell, Column, Cost, Dice, Edit, EditTrace, Effect, EffectName, Expected, Fixed, Gate, Passage,
    PassageKind, PassageName, Point2, Price, Problem, Raster, Rect, Shape, Terrain, TraceStep,
    Wall, WallSide, Ways,
};

use super::*;

#[track_caller]
fn check_error(lines: &str, expected: &str) {
    let text = format!("wayfarer edits 1\n{lines}");
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

fn any_cell(dice: &mut Dice) -> Cell {
    let far = 8_388_000;
    Cell::new(
        dice.between(-far, far),
        dice.between(-far, far),
        dice.between(i32::MIN, i32::MAX),
    )
}

fn any_shape(dice: &mut Dice) -> Shape {
    let limit = 4_000_000 * 256;
    let fixed = |dice: &mut Dice| Fixed::from_raw(dice.between(-limit, limit));
    let point = |dice: &mut Dice| Point2::new(fixed(dice), fixed(dice));
    let radius = Fixed::from_raw(dice.between(0, limit));
    match dice.below(5) {
        0 => Shape::Circle {
            centre: point(dice),
            radius,
        },
        1 => Shape::Box(Rect::around(
            any_cell(dice).column(),
            any_cell(dice).column(),
        )),
        2 => Shape::Polygon((0..3 + dice.below(9)).map(|_| point(dice)).collect()),
        3 => Shape::Segment {
            from: point(dice),
            to: point(dice),
            radius,
        },
        _ => Shape::Wedge {
            tip: point(dice),
            radius,
            left: (1, dice.between(-9, 9)),
            right: (dice.between(-9, 9), i32::MIN),
        },
    }
}

fn any_edit(dice: &mut Dice) -> Edit {
    let terrain = Terrain::new(u8::try_from(dice.below(64)).unwrap()).unwrap();
    let (cell, shape) = (any_cell(dice), any_shape(dice));
    let heights = (dice.between(-9, 9), i32::MAX);
    let side = *dice.pick(&[WallSide::East, WallSide::South]).unwrap();
    let wall = Wall { cell, side };
    let kind = *dice.pick(&PassageKind::ALL).unwrap();
    let gates = [Gate::Open, Gate::Closed, Gate::Locked(u32::MAX)];
    let passage = Passage {
        from: cell,
        to: any_cell(dice),
        kind,
        ways: *dice.pick(&[Ways::Both, Ways::OneWay]).unwrap(),
        cost: Cost::from_units(1 + dice.below(u32::MAX - 2)),
        gate: *dice.pick(&gates).unwrap(),
    };
    let name = PassageName::from(&passage);
    let effect_name = EffectName(dice.next_u64());
    match dice.below(12) {
        0 => Edit::PutCell { cell, terrain },
        1 => Edit::RemoveCell { cell },
        2 => Edit::Fill {
            shape,
            z: cell.z,
            terrain,
        },
        3 => Edit::Clear { shape, heights },
        4 => {
            let (width, height) = (1 + dice.below(9), 1 + dice.below(5));
            let cells = (0..width * height)
                .map(|_| u8::try_from(dice.below(64)).unwrap())
                .map(|cell| if cell > 50 { u8::MAX } else { cell });
            Edit::Patch {
                at: cell.column(),
                z: cell.z,
                raster: Raster::from_bytes(width, height, cells.collect()).unwrap(),
            }
        }
        5 => Edit::PutWall(wall),
        6 => Edit::RemoveWall(wall),
        7 => Edit::PutPassage(passage),
        8 => Edit::RemovePassage(name),
        9 => Edit::SetGate {
            passage: name,
            gate: passage.gate,
        },
        10 => Edit::PutEffect {
            name: effect_name,
            effect: Effect {
                shape,
                heights,
                price: Price::from_sixteenths(16 + u16::try_from(dice.below(999)).unwrap())
                    .unwrap(),
            },
        },
        _ => Edit::RemoveEffect(effect_name),
    }
}

fn any_trace(dice: &mut Dice) -> EditTrace {
    let step = |dice: &mut Dice| {
        if dice.chance(1, 2) {
            return TraceStep::Batch((0..dice.below(6)).map(|_| any_edit(dice)).collect());
        }
        let answers = [
            Expected::Length(0.1 + 0.2),
            Expected::Length(0.0),
            Expected::Unreachable,
            Expected::Unknown,
        ];
        TraceStep::Query(Problem {
            start: any_cell(dice),
            goal: any_cell(dice),
            expected: *dice.pick(&answers).unwrap(),
        })
    };
    EditTrace {
        steps: (0..dice.below(8)).map(|_| step(dice)).collect(),
    }
}

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..500 {
        let trace = any_trace(&mut Dice::new(seed));
        let text = write(&trace);
        let read = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, trace, "seed {seed}\n{text}");
    }
}

#[test]
fn a_box_that_holds_nothing_stays_so() {
    let fill = |rect| Edit::Fill {
        shape: Shape::Box(rect),
        z: 0,
        terrain: Terrain::GROUND,
    };
    let trace = EditTrace {
        steps: vec![TraceStep::Batch(vec![fill(Rect::EMPTY)])],
    };
    let read = read(write(&trace).as_bytes()).unwrap();
    let nothing = Rect {
        low: Column::new(0, 0),
        high: Column::new(-1, -1),
    };
    assert_eq!(read.steps, [TraceStep::Batch(vec![fill(nothing)])]);
}

#[test]
fn the_example_of_the_document_has_every_edit() {
    let document = include_str!("../../../../docs/design/edits-format.md");
    let example = document.split("```edits\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let trace = read(example.as_bytes()).unwrap();
    let edits: Vec<_> = trace
        .steps
        .iter()
        .filter_map(|step| match step {
            TraceStep::Batch(edits) => Some(edits),
            TraceStep::Query(_) => None,
        })
        .flatten()
        .map(std::mem::discriminant)
        .collect();
    for seed in 0..200 {
        let edit = any_edit(&mut Dice::new(seed));
        assert!(edits.contains(&std::mem::discriminant(&edit)), "{edit:?}");
    }
    assert_eq!(read(write(&trace).as_bytes()), Ok(trace));
}

#[test]
fn lines_that_are_wrong_are_named() {
    check_error(
        "put cell 0 0 0 ground\n",
        "line 2, column 1: expected batch, query, letter, end or a comment, found `put`",
    );
    check_error(
        "batch\ndig 0 0 0\n",
        "line 3, column 1: expected put, remove, fill, clear, patch, gate, batch, query, \
         letter or end, found `dig`",
    );
    check_error(
        "batch\nfill 0 ground polygon 0 0 1 1 2\n",
        "line 3, column 32: expected a number from -4000000 to 4000000, found the end of the line",
    );
    check_error(
        "batch\nfill 0 ground polygon 0 0 1 1\n",
        "line 3, column 30: expected a number from -4000000 to 4000000, found the end of the line",
    );
    check_error(
        "batch\nfill 0 ground wedge 0 0 radius 1 from 0 0 to 1 0\n",
        "line 3, column 39: expected a direction other than 0 0, found `0`",
    );
    check_error(
        "batch\npatch 0 0 0\nquery 0 0 0 to 1 1 0 unknown\n",
        "line 4, column 1: expected a row that begins with | and holds at least one cell, found \
         `query`",
    );
    check_error(
        "query 0 0 0 to 1 1 0 length -1\n",
        "line 2, column 29: expected a length of at least 0, found `-1`",
    );
    check_error(
        "batch\nput effect 1 price 0.5 heights 0 to 1 circle 0 0 radius 1\n",
        "line 3, column 20: expected a price from 1 to 4095.9375, found `0.5`",
    );
    check_error(
        "batch\nput effect 18446744073709551616 price 1\n",
        "line 3, column 12: expected a whole number from 0 to 18446744073709551615, found \
         `18446744073709551616`",
    );
}

#[test]
fn a_story_that_is_cut_short_is_refused_where_it_stops() {
    let text = "wayfarer edits 2\nbatch\nremove cell 1 2 3\nquery 0 0 0 to 1 0 0 length 1\nend\n";
    let trace = read(text.as_bytes()).unwrap();
    assert_eq!(write(&trace), text);
    for length in 0..text.len() - 1 {
        let error = read(&text.as_bytes()[..length]).unwrap_err();
        let last = text[..length].split('\n').count();
        assert!(
            (last..=last + 1).contains(&error.line()),
            "{length}: {error}"
        );
    }
    let old = text.replace("edits 2", "edits 1").replace("end\n", "");
    assert_eq!(read(old.as_bytes()), Ok(trace));
}
