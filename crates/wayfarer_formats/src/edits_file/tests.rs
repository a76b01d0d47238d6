//! Round trips and errors of `.edits` files.

use wayfarer_base::{
    Cell, Column, ColumnRun, Cost, CostModifier, CostModifierId, CostMultiplier, EditTrace,
    Expected, Fixed, FloorBlock, GroundEdit, GroundSolid, LinkDirection, LinkState, NavLink,
    NavLinkId, NavLinkKind, Point2, Problem, Raster, Rect, Rng, SectorId, Shape, SolidExtent,
    SolidId, Terrain, TraceStep, Wall, WallSide,
};

use super::*;

#[track_caller]
fn check_error(lines: &str, expected: &str) {
    let text = format!("wayfarer edits 1\n{lines}");
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

fn random_cell(rng: &mut Rng) -> Cell {
    let far = 8_388_000;
    Cell::new(
        rng.between(-far, far),
        rng.between(-far, far),
        rng.between(i32::MIN, i32::MAX),
    )
}

fn random_shape(rng: &mut Rng) -> Shape {
    let limit = 4_000_000 * 256;
    let fixed = |rng: &mut Rng| Fixed::from_raw(rng.between(-limit, limit));
    let point = |rng: &mut Rng| Point2::new(fixed(rng), fixed(rng));
    let radius = Fixed::from_raw(rng.between(0, limit));
    match rng.below(5) {
        0 => Shape::Circle {
            center: point(rng),
            radius,
        },
        1 => Shape::Box(Rect::around(
            random_cell(rng).column(),
            random_cell(rng).column(),
        )),
        2 => Shape::Polygon((0..3 + rng.below(9)).map(|_| point(rng)).collect()),
        3 => Shape::Segment {
            from: point(rng),
            to: point(rng),
            radius,
        },
        _ => Shape::Wedge {
            tip: point(rng),
            radius,
            left: (1, rng.between(-9, 9)),
            right: (rng.between(-9, 9), i32::MIN),
        },
    }
}

fn random_edit(rng: &mut Rng) -> GroundEdit {
    let terrain = Terrain::new(u8::try_from(rng.below(64)).unwrap()).unwrap();
    let (cell, shape) = (random_cell(rng), random_shape(rng));
    let heights = (rng.between(-9, 9), i32::MAX);
    let side = *rng.pick(&[WallSide::East, WallSide::South]).unwrap();
    let wall = Wall { cell, side };
    let kind = *rng.pick(&NavLinkKind::ALL).unwrap();
    let states = [
        LinkState::Open,
        LinkState::Closed,
        LinkState::Locked(u32::MAX),
    ];
    let nav_link = NavLink {
        from: cell,
        to: random_cell(rng),
        kind,
        direction: *rng
            .pick(&[LinkDirection::Bidirectional, LinkDirection::OneWay])
            .unwrap(),
        cost: Cost::from_units(1 + rng.below(u32::MAX - 2)),
        state: *rng.pick(&states).unwrap(),
    };
    let nav_link_id = NavLinkId::from(&nav_link);
    let cost_modifier_id = CostModifierId(rng.next_u64());
    match rng.below(17) {
        0 => GroundEdit::PutCell { cell, terrain },
        1 => GroundEdit::RemoveCell { cell },
        2 => GroundEdit::Fill {
            shape,
            z: cell.z,
            terrain,
        },
        3 => GroundEdit::Clear { shape, heights },
        4 => {
            let (width, height) = (1 + rng.below(9), 1 + rng.below(5));
            let cells = (0..width * height)
                .map(|_| u8::try_from(rng.below(64)).unwrap())
                .map(|cell| if cell > 50 { u8::MAX } else { cell });
            GroundEdit::Patch {
                at: cell.column(),
                z: cell.z,
                raster: Raster::from_bytes(width, height, cells.collect()).unwrap(),
            }
        }
        5 => GroundEdit::PutWall(wall),
        6 => GroundEdit::RemoveWall(wall),
        7 => GroundEdit::PutNavLink(nav_link),
        8 => GroundEdit::RemoveNavLink(nav_link_id),
        9 => GroundEdit::SetNavLinkState {
            nav_link: nav_link_id,
            state: nav_link.state,
        },
        10 => GroundEdit::PutCostModifier {
            id: cost_modifier_id,
            modifier: CostModifier {
                shape,
                heights,
                multiplier: CostMultiplier::from_sixteenths(
                    16 + u16::try_from(rng.below(999)).unwrap(),
                )
                .unwrap(),
            },
        },
        11 => GroundEdit::RemoveCostModifier(cost_modifier_id),
        _ => random_solid_edit(rng, cell, terrain),
    }
}

fn random_solid_edit(rng: &mut Rng, cell: Cell, terrain: Terrain) -> GroundEdit {
    let (bottom, top) = (cell.z, cell.z.saturating_add(3));
    let rect = Rect::around(cell.column(), Column::new(cell.x + 2, cell.y));
    let id = SolidId(rng.next_u64());
    match rng.below(6) {
        0 => GroundEdit::SetFloors(vec![FloorBlock {
            sector: SectorId::from_column(cell.column()),
            z: cell.z,
            columns: std::array::from_fn(|row| 1 << row),
            terrain: rng.chance(1, 2).then_some(terrain),
        }]),
        1 => GroundEdit::FillBox {
            rect,
            bottom,
            top,
            terrain,
        },
        2 => GroundEdit::CarveBox {
            rect,
            bottom,
            top,
            terrain: rng.chance(1, 2).then_some(terrain),
        },
        3 => GroundEdit::RemoveSolid(id),
        kind => {
            let run = |y| ColumnRun {
                y,
                x: cell.x,
                bottom,
                top,
            };
            let extent = match kind {
                4 => SolidExtent::Box { rect, bottom, top },
                _ => SolidExtent::Runs((0..3).map(run).collect()),
            };
            let solid = GroundSolid {
                extent,
                top: terrain,
            };
            GroundEdit::PutSolid { id, solid }
        }
    }
}

fn random_trace(rng: &mut Rng) -> EditTrace {
    let step = |rng: &mut Rng| {
        if rng.chance(1, 2) {
            return TraceStep::Batch((0..rng.below(6)).map(|_| random_edit(rng)).collect());
        }
        let results = [
            Expected::Length(0.1 + 0.2),
            Expected::Length(0.0),
            Expected::Unreachable,
            Expected::Unknown,
        ];
        TraceStep::Query(Problem {
            start: random_cell(rng),
            goal: random_cell(rng),
            expected: *rng.pick(&results).unwrap(),
        })
    };
    EditTrace {
        steps: (0..rng.below(8)).map(|_| step(rng)).collect(),
    }
}

#[test]
fn a_written_trace_reads_back_unchanged() {
    for seed in 0..500 {
        let trace = random_trace(&mut Rng::new(seed));
        let text = write(&trace);
        let read = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, trace, "seed {seed}\n{text}");
    }
}

#[test]
fn an_empty_box_reads_back_as_an_empty_box() {
    let fill = |rect| GroundEdit::Fill {
        shape: Shape::Box(rect),
        z: 0,
        terrain: Terrain::GROUND,
    };
    let trace = EditTrace {
        steps: vec![TraceStep::Batch(vec![fill(Rect::EMPTY)])],
    };
    let read = read(write(&trace).as_bytes()).unwrap();
    let empty = Rect {
        low: Column::new(0, 0),
        high: Column::new(-1, -1),
    };
    assert_eq!(read.steps, [TraceStep::Batch(vec![fill(empty)])]);
}

#[test]
fn the_example_of_the_format_document_has_every_edit() {
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
        let edit = random_edit(&mut Rng::new(seed));
        assert!(edits.contains(&std::mem::discriminant(&edit)), "{edit:?}");
    }
    assert_eq!(read(write(&trace).as_bytes()), Ok(trace));
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    check_error(
        "put cell 0 0 0 ground\n",
        "line 2, column 1: expected batch, query, letter, end or a comment, found `put`",
    );
    check_error(
        "batch\ndig 0 0 0\n",
        "line 3, column 1: expected put, remove, fill, clear, patch, raise, carve, floors, gate, \
         batch, query, letter or end, found `dig`",
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
        "line 3, column 20: expected a cost multiplier from 1 to 4095.9375, found `0.5`",
    );
    check_error(
        "batch\nput effect 18446744073709551616 price 1\n",
        "line 3, column 12: expected a whole number from 0 to 18446744073709551615, found \
         `18446744073709551616`",
    );
}

#[test]
fn a_truncated_trace_is_rejected_at_its_last_line() {
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
