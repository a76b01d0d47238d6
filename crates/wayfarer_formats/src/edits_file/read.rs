//! Line-by-line reader of `.edits` files.

use wayfarer_base::{
    CostModifier, CostModifierId, EditTrace, Expected, GroundEdit, Problem, SolidId, TraceStep,
};

use super::shapes::read_shape;
use super::solids::{block, floor, read_rect, solid};
use crate::grammar::{cell, header, link_state, nav_link, nav_link_id, next_line, terrain, wall};
use crate::letters::Letters;
use crate::movingai_scen::Length;
use crate::text::{Line, Lines, TextError, Words, push};
use crate::world_file::{drawing, letter};

/// First line of a written `.edits` file; version 1 is read as well.
pub(super) const HEADER: &str = "wayfarer edits 2";

/// Reads an `.edits` file. Memory: at most ten times the bytes read.
///
/// ```
/// use wayfarer_base::{Cell, GroundEdit, Terrain, TraceStep};
/// let trace = wayfarer_formats::edits_file::read(
///     b"wayfarer edits 2\nbatch\nput cell 1 2 0 ground\nquery 0 0 0 to 1 2 0 unknown\nend\n",
/// )?;
/// let edit = GroundEdit::PutCell { cell: Cell::new(1, 2, 0), terrain: Terrain::GROUND };
/// assert_eq!(trace.steps[0], TraceStep::Batch(vec![edit]));
/// assert_eq!(trace.steps.len(), 2);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first unknown keyword, syntax error or number out of range.
pub fn read(bytes: &[u8]) -> Result<EditTrace, TextError> {
    let mut lines = Lines::new(bytes);
    let ending = header(&mut lines, HEADER)?;
    let mut letters = Letters::BENCHMARK;
    let mut trace = EditTrace::default();
    // The edits of the current batch.
    let mut batch: Option<Vec<GroundEdit>> = None;
    while let Some(line) = next_line(&mut lines, ending)? {
        let mut words = line.words();
        match line.words().next().map(|word| word.text) {
            Some(b"batch") => {
                words.keyword("batch")?;
                words.end()?;
                end_batch(&mut trace, &mut batch);
                batch = Some(Vec::new());
            }
            Some(b"query") => {
                words.keyword("query")?;
                let query = query(&mut words)?;
                words.end()?;
                end_batch(&mut trace, &mut batch);
                push(&mut trace.steps, TraceStep::Query(query));
            }
            Some(b"letter") => {
                words.keyword("letter")?;
                letter(&mut words, &mut letters)?;
                words.end()?;
            }
            _ => match &mut batch {
                Some(batch) => {
                    let edit = edit(&line, &mut lines, &letters)?;
                    push(batch, edit);
                }
                None => return Err(words.unexpected("batch, query, letter, end or a comment")),
            },
        }
    }
    end_batch(&mut trace, &mut batch);
    Ok(trace)
}

fn end_batch(trace: &mut EditTrace, batch: &mut Option<Vec<GroundEdit>>) {
    if let Some(mut edits) = batch.take() {
        edits.shrink_to_fit();
        push(&mut trace.steps, TraceStep::Batch(edits));
    }
}

fn query(words: &mut Words<'_>) -> Result<Problem, TextError> {
    const RESULT: &str = "length L, unreachable or unknown";
    let start = cell(words)?;
    words.keyword("to")?;
    let goal = cell(words)?;
    let word = words.word(RESULT)?;
    let expected = match word.text {
        b"length" => Expected::Length(words.number::<Length>()?.0),
        b"unreachable" => Expected::Unreachable,
        b"unknown" => Expected::Unknown,
        _ => return Err(word.unexpected(RESULT)),
    };
    Ok(Problem {
        start,
        goal,
        expected,
    })
}

fn edit<'a>(
    line: &Line<'a>,
    lines: &mut Lines<'a>,
    letters: &Letters,
) -> Result<GroundEdit, TextError> {
    const EDIT: &str =
        "put, remove, fill, clear, patch, raise, carve, floors, gate, batch, query, letter or end";
    let mut words = line.words();
    let word = words.word(EDIT)?;
    let edit = match word.text {
        b"put" => put(&mut words)?,
        b"remove" => remove(&mut words)?,
        b"fill" => {
            let z = words.number()?;
            let terrain = terrain(&mut words)?;
            let shape = read_shape(&mut words)?;
            GroundEdit::Fill { shape, z, terrain }
        }
        b"clear" => {
            let heights = heights(&mut words)?;
            let shape = read_shape(&mut words)?;
            GroundEdit::Clear { shape, heights }
        }
        b"raise" => {
            let (bottom, top) = heights(&mut words)?;
            let terrain = terrain(&mut words)?;
            let rect = read_rect(&mut words)?;
            GroundEdit::FillBox {
                rect,
                bottom,
                top,
                terrain,
            }
        }
        b"carve" => {
            let (bottom, top) = heights(&mut words)?;
            let terrain = floor(&mut words)?;
            let rect = read_rect(&mut words)?;
            GroundEdit::CarveBox {
                rect,
                bottom,
                top,
                terrain,
            }
        }
        b"floors" => GroundEdit::SetFloors(vec![block(&mut words)?]),
        b"patch" => {
            let at = cell(&mut words)?;
            words.end()?;
            return Ok(GroundEdit::Patch {
                at: at.column(),
                z: at.z,
                raster: drawing(lines, letters, at.column())?,
            });
        }
        b"gate" => GroundEdit::SetNavLinkState {
            nav_link: nav_link_id(&mut words)?,
            state: link_state(&mut words)?,
        },
        _ => return Err(word.unexpected(EDIT)),
    };
    words.end()?;
    Ok(edit)
}

const TARGET: &str = "cell, wall, passage, effect or solid";

fn put(words: &mut Words<'_>) -> Result<GroundEdit, TextError> {
    let word = words.word(TARGET)?;
    Ok(match word.text {
        b"cell" => GroundEdit::PutCell {
            cell: cell(words)?,
            terrain: terrain(words)?,
        },
        b"wall" => GroundEdit::PutWall(wall(words)?),
        b"passage" => GroundEdit::PutNavLink(nav_link(words)?),
        b"effect" => {
            let id = CostModifierId(words.number()?);
            words.keyword("price")?;
            let multiplier = words.number()?;
            words.keyword("heights")?;
            let heights = heights(words)?;
            let shape = read_shape(words)?;
            let modifier = CostModifier {
                shape,
                heights,
                multiplier,
            };
            GroundEdit::PutCostModifier { id, modifier }
        }
        b"solid" => {
            let id = SolidId(words.number()?);
            let solid = solid(words)?;
            GroundEdit::PutSolid { id, solid }
        }
        _ => return Err(word.unexpected(TARGET)),
    })
}

fn remove(words: &mut Words<'_>) -> Result<GroundEdit, TextError> {
    let word = words.word(TARGET)?;
    Ok(match word.text {
        b"cell" => GroundEdit::RemoveCell { cell: cell(words)? },
        b"wall" => GroundEdit::RemoveWall(wall(words)?),
        b"passage" => GroundEdit::RemoveNavLink(nav_link_id(words)?),
        b"effect" => GroundEdit::RemoveCostModifier(CostModifierId(words.number()?)),
        b"solid" => GroundEdit::RemoveSolid(SolidId(words.number()?)),
        _ => return Err(word.unexpected(TARGET)),
    })
}

pub(super) fn heights(words: &mut Words<'_>) -> Result<(i32, i32), TextError> {
    let low = words.number()?;
    words.keyword("to")?;
    Ok((low, words.number()?))
}
