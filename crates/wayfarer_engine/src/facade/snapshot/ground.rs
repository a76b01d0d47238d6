//! Encoding of the ground: default profile, floors by sector, nav links, walls, cost modifiers,
//! registered profiles.

use std::collections::BTreeMap;

use wayfarer_base::{
    Cell, Column, ColumnRun, CostModifier, CostModifierId, GroundSolid, LinkState, Profile,
    Revision, SectorId, SolidExtent, SolidId, Terrain, WorldData,
};
use wayfarer_formats::snapshot::{SectionReader, SectionWriter, SnapshotError};
use wayfarer_world::ground::{Ground, GroundRecord};

use super::codec::{Codec, convert_codec, put_all, struct_codec, take_all, take_ascending};

/// Sector, height and terrain of a block of floors.
type BlockKey = (i32, i32, i32, Terrain);

/// Encodes the state that is independent of history: no revision, no registered profiles.
pub(super) fn put_state(sink: &mut SectionWriter, record: &GroundRecord) {
    record.data.profile.put(sink);
    put_floors(sink, &record.data.cells);
    put_all(sink, record.data.nav_links.iter().copied());
    put_all(sink, record.data.walls.iter().copied());
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
    let mut data = WorldData {
        profile: Profile::take(source)?,
        cells: take_floors(source)?,
        nav_links: take_ascending(source, "nav links", |nav_link| *nav_link)?,
        walls: take_ascending(source, "walls", |wall| *wall)?,
        ..WorldData::default()
    };
    // A lock without keys, which version 0.2 accepted, admits every agent.
    for nav_link in &mut data.nav_links {
        if nav_link.state == LinkState::Locked(0) {
            nav_link.state = LinkState::Open;
        }
    }
    Ok(GroundRecord {
        revision,
        data,
        modifiers: take_ascending(
            source,
            "cost modifiers",
            |modifier: &(CostModifierId, CostModifier)| modifier.0,
        )?,
        profiles: take_all(source, "the number of profiles")?,
        n_registered: Codec::take(source)?,
        solids: Vec::new(),
    })
}

struct_codec! {
    ColumnRun { y: i32, x: i32, bottom: i32, top: i32 }
    GroundSolid { extent: SolidExtent, top: Terrain }
}

convert_codec! {
    SolidId as u64: |id| id.0, |number| Ok(Self(number));
}

impl Codec for SolidExtent {
    const MIN_BYTES: usize = 9;
    fn put(&self, sink: &mut SectionWriter) {
        match self {
            Self::Box { rect, bottom, top } => {
                sink.u8(0);
                (*rect, (*bottom, *top)).put(sink);
            }
            Self::Runs(runs) => {
                sink.u8(1);
                put_all(sink, runs.iter().copied());
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the kind of a solid", 1)? {
            0 => Self::Box {
                rect: Codec::take(source)?,
                bottom: Codec::take(source)?,
                top: Codec::take(source)?,
            },
            _ => Self::Runs(take_ascending(source, "the runs of a solid", |run| *run)?.into()),
        })
    }
}

/// Encodes the solids of a ground by id.
pub(super) fn put_solids(sink: &mut SectionWriter, ground: &Ground) {
    let solids: Vec<(SolidId, GroundSolid)> = ground
        .solids()
        .map(|(id, solid)| (id, solid.clone()))
        .collect();
    put_all(sink, solids.into_iter());
}

/// The next id, and the solids by id.
pub(super) fn take_solids(
    source: &mut SectionReader<'_>,
) -> Result<(u64, Vec<(SolidId, GroundSolid)>), SnapshotError> {
    let at = source.at();
    let next = source.u64()?;
    let solids: Vec<(SolidId, GroundSolid)> =
        take_ascending(source, "solids", |one: &(SolidId, GroundSolid)| one.0)?;
    let is_known = solids.last().is_none_or(|(last, _)| last.0 < next);
    if !is_known || next > 1 << 62 {
        let expected = "above the ids of all solids, at most 2^62";
        return Err(SnapshotError::out_of_range(
            at,
            "the id of the next solid",
            next.into(),
            expected,
        ));
    }
    Ok((next, solids))
}

/// Blocks of 16 by 16 columns: a mask of the rows with floors, then a bit mask for each such row.
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
    // Key, row mask and at least one row.
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
        let limit = 1 << 27;
        if ![x, y].iter().all(|at| (-limit..limit).contains(at)) {
            let found = if (-limit..limit).contains(&x) { y } else { x };
            return Err(SnapshotError::out_of_range(
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
            return Err(SnapshotError::out_of_range(
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
                return Err(SnapshotError::out_of_range(
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
