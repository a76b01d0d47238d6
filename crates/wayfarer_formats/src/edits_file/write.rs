//! Writer of `.edits` files, one line per edit.

use std::fmt::Write as _;

use wayfarer_base::{EditTrace, Expected, GroundEdit, Problem, Shape, Terrain, TraceStep};

use super::read::HEADER;
use super::shapes::shape_text;
use super::solids::{floor_text, solid_text, write_blocks};
use crate::grammar::{
    cell_text, link_state_text, multiplier_text, nav_link_id_text, nav_link_text, terrain_text,
    wall_text,
};
use crate::letters::LetterWriter;
use crate::world_file::write_letters;

const CANNOT_FAIL: &str = "writing to a string cannot fail";

/// Writes an `.edits` file; it reads back to the same trace.
///
/// Exceptions: an empty box reads back as another empty box, and an expected length that is
/// negative or not finite is written as unknown. Values that no world accepts, such as a patch
/// without cells, are written unchanged and rejected by the reader. An edit of several blocks of
/// floors reads back as one edit for each block.
pub fn write(trace: &EditTrace) -> String {
    let mut text = format!("{HEADER}\n");
    write_letters(drawn_terrains(trace), &mut text);
    for step in &trace.steps {
        match step {
            TraceStep::Batch(edits) => {
                text.push_str("batch\n");
                for edit in edits {
                    write_edit(edit, &mut text);
                }
            }
            TraceStep::Query(problem) => write_query(problem, &mut text),
        }
    }
    text.push_str("end\n");
    text
}

fn drawn_terrains(trace: &EditTrace) -> impl Iterator<Item = Terrain> + '_ {
    let batches = trace.steps.iter().filter_map(|step| match step {
        TraceStep::Batch(edits) => Some(edits),
        TraceStep::Query(_) => None,
    });
    let patches = batches.flatten().filter_map(|edit| match edit {
        GroundEdit::Patch { raster, .. } => Some(raster),
        _ => None,
    });
    patches
        .flat_map(|raster| raster.bytes())
        .filter_map(|&cell| Terrain::new(cell))
}

fn write_query(problem: &Problem, text: &mut String) {
    let (start, goal) = (cell_text(problem.start), cell_text(problem.goal));
    let result = match problem.expected {
        Expected::Length(length) if length.is_finite() && length >= 0.0 => {
            format!("length {length}")
        }
        Expected::Unreachable => String::from("unreachable"),
        Expected::Length(_) | Expected::Unknown => String::from("unknown"),
    };
    writeln!(text, "query {start} to {goal} {result}").expect(CANNOT_FAIL);
}

fn write_edit(edit: &GroundEdit, text: &mut String) {
    let line = match edit {
        GroundEdit::PutCell { cell, terrain } => {
            format!("put cell {} {}", cell_text(*cell), terrain_text(*terrain))
        }
        GroundEdit::RemoveCell { cell } => format!("remove cell {}", cell_text(*cell)),
        GroundEdit::Fill { shape, z, terrain } => {
            format!("fill {z} {} {}", terrain_text(*terrain), shape_text(shape))
        }
        GroundEdit::Clear { shape, heights } => {
            format!("clear {} to {} {}", heights.0, heights.1, shape_text(shape))
        }
        GroundEdit::Patch { at, z, raster } => {
            writeln!(text, "patch {}", cell_text(at.at(*z))).expect(CANNOT_FAIL);
            return LetterWriter::ALL.write_rows(raster, "|", text);
        }
        GroundEdit::SetFloors(blocks) => return write_blocks(blocks, text),
        GroundEdit::FillBox {
            rect,
            bottom,
            top,
            terrain,
        } => format!(
            "raise {bottom} to {top} {} {}",
            terrain_text(*terrain),
            shape_text(&Shape::Box(*rect))
        ),
        GroundEdit::CarveBox {
            rect,
            bottom,
            top,
            terrain,
        } => format!(
            "carve {bottom} to {top} {} {}",
            floor_text(*terrain),
            shape_text(&Shape::Box(*rect))
        ),
        GroundEdit::PutSolid { id, solid } => solid_text(*id, solid),
        GroundEdit::RemoveSolid(id) => format!("remove solid {}", id.0),
        GroundEdit::PutWall(wall) => format!("put wall {}", wall_text(wall)),
        GroundEdit::RemoveWall(wall) => format!("remove wall {}", wall_text(wall)),
        GroundEdit::PutNavLink(nav_link) => format!("put passage {}", nav_link_text(nav_link)),
        GroundEdit::RemoveNavLink(id) => format!("remove passage {}", nav_link_id_text(id)),
        GroundEdit::SetNavLinkState { nav_link, state } => {
            format!(
                "gate {} {}",
                nav_link_id_text(nav_link),
                link_state_text(*state)
            )
        }
        GroundEdit::PutCostModifier { id, modifier } => format!(
            "put effect {} price {} heights {} to {} {}",
            id.0,
            multiplier_text(modifier.multiplier),
            modifier.heights.0,
            modifier.heights.1,
            shape_text(&modifier.shape)
        ),
        GroundEdit::RemoveCostModifier(id) => format!("remove effect {}", id.0),
    };
    text.push_str(&line);
    text.push('\n');
}
