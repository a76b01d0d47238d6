//! The ground in bytes: who walks, floors sector by sector, paths, walls, effects, views.

use std::collections::BTreeMap;

use wayfarer_base::{
    Cell, Column, CostModifier, CostModifierId, Profile, Revision, SectorId, Terrain, WorldData,
};
use wayfarer_formats::snapshot::{SectionReader, SectionWriter, SnapshotError};
use wayfarer_world::ground::GroundRecord;

use super::codec::{Codec, put_all, take_all, take_rising};

/// Floors of one kind at one height in one sector.
type BlockKey = (i32, i32, i32, Terrain);

/// What everybody agrees on, whatever happened before: no revision, no views.
pub(super) fn put_state(sink: &mut SectionWriter, record: &GroundRecord) {
    record.plan.profile.put(sink);
    put_floors(sink, &record.plan.cells);
    put_all(sink, record.plan.nav_links.iter().copied());
    put_all(sink, record.plan.walls.iter().copied());
    put_all(sink, record.modifiers.iter().cloned());
}

pub(super) fn put(sink: &mut SectionWriter, record: &GroundRecord) {
    record.revision.put(sink);
    put_state(sink, record);
    put_all(sink, record.profiles.iter().cloned());
    record.n_registered.put(sink);
}

pub(super) fn take(source: &mut SectionReader<'_>) -> Result<GroundRecord, SnapshotError> {
    let revision = Revision::take(source)?;
    let plan = WorldData {
        profile: Profile::take(source)?,
        cells: take_floors(source)?,
        nav_links: take_rising(source, "passages", |nav_link| *nav_link)?,
        walls: take_rising(source, "walls", |wall| *wall)?,
        ..WorldData::default()
    };
    Ok(GroundRecord {
        revision,
        plan,
        modifiers: take_rising(
            source,
            "effects",
            |modifier: &(CostModifierId, CostModifier)| modifier.0,
        )?,
        profiles: take_all(source, "the number of profiles")?,
        n_registered: Codec::take(source)?,
    })
}

/// Blocks of 16 x 16 columns: which rows have a floor, then each such row bit by bit.
fn put_floors(sink: &mut SectionWriter, cells: &[(Cell, Terrain)]) {
    let mut blocks: BTreeMap<BlockKey, [u16; 16]> = BTreeMap::new();
    for &(cell, terrain) in cells {
        let column = Column::new(cell.x, cell.y);
        let sector = SectorId::from_column(column);
        let origin = sector.origin();
        let rows = blocks
            .entry((sector.x, sector.y, cell.z, terrain))
            .or_default();
        let row = usize::try_from(cell.y - origin.y).expect("a column of the sector");
        rows[row] |= 1 << (cell.x - origin.x);
    }
    sink.count(blocks.len());
    for ((x, y, z, terrain), rows) in blocks {
        ((x, y), (z, terrain)).put(sink);
        let full = (0..16).filter(|row| rows[*row] != 0);
        sink.u16(full.fold(0, |bits, row| bits | 1 << row));
        rows.into_iter()
            .filter(|row| *row != 0)
            .for_each(|row| sink.u16(row));
    }
}

fn take_floors(source: &mut SectionReader<'_>) -> Result<Vec<(Cell, Terrain)>, SnapshotError> {
    // Key, rows and at least one row.
    let count = source.count("the number of blocks of floors", 17)?;
    let mut cells = Vec::new();
    let mut last: Option<BlockKey> = None;
    for _ in 0..count {
        let at = source.at();
        let ((x, y), (z, terrain)) = <((i32, i32), (i32, Terrain))>::take(source)?;
        let key = (x, y, z, terrain);
        if last.is_some_and(|last| last >= key) {
            let what = "blocks of floors";
            return Err(SnapshotError::Order { at, what });
        }
        last = Some(key);
        let farthest = 1 << 27;
        if ![x, y].iter().all(|at| (-farthest..farthest).contains(at)) {
            let found = if (-farthest..farthest).contains(&x) {
                y
            } else {
                x
            };
            return Err(SnapshotError::wrong(
                at,
                "a sector",
                found.into(),
                "-134217728 to 134217727",
            ));
        }
        let origin = SectorId { x, y }.origin();
        let rows_at = source.at();
        let rows = source.u16()?;
        if rows == 0 {
            return Err(SnapshotError::wrong(
                rows_at,
                "the rows of a block",
                0,
                "at least one",
            ));
        }
        for row in (0..16).filter(|row| rows >> row & 1 == 1) {
            let row_at = source.at();
            let bits = source.u16()?;
            if bits == 0 {
                return Err(SnapshotError::wrong(
                    row_at,
                    "a row of floors",
                    0,
                    "at least one floor",
                ));
            }
            let floors = (0..16).filter(|column| bits >> column & 1 == 1);
            let cell = |column: i32| Cell::new(origin.x + column, origin.y + row, z);
            cells.extend(floors.map(|column| (cell(column), terrain)));
        }
    }
    cells.sort_unstable();
    Ok(cells)
}
