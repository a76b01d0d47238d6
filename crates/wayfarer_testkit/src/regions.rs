//! Regions and portals of worlds with one floor a column, found cell by cell.
//!
//! A region is a set of cells of one sector that reach each other inside the sector by straight
//! steps that can be taken both ways; regions of a sector are ordered by their first cell, row by
//! row from the north-west. A portal joins two regions, of one sector or of two, that a straight
//! or diagonal step leads between; its support is the number of pairs of cells, one of each, that
//! a step leads between in at least one way. Passages make no portals here.

use std::collections::BTreeMap;

use wayfarer_base::{Cell, Column, Profile, SectorId};

use crate::PlainWorld;

/// A region by its sector and its place in the sector's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionName {
    /// Which sector.
    pub sector: SectorId,
    /// Its place in the order of the sector's regions, from 0.
    pub ordinal: usize,
}

/// What leads between two regions, named in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Portal {
    /// Pairs of cells that a step leads between, whichever way.
    pub support: u32,
    /// Steps from the first region to the second.
    pub there: u32,
    /// Steps from the second region to the first.
    pub back: u32,
}

/// All regions and portals of a world, for one profile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Regions {
    /// The regions of each sector that has some: their cells row by row.
    pub sectors: BTreeMap<SectorId, Vec<Vec<Cell>>>,
    /// The region of every cell where the agent stands.
    pub of_cell: BTreeMap<Cell, RegionName>,
    /// The portals, by their two regions, the lesser name first.
    pub portals: BTreeMap<(RegionName, RegionName), Portal>,
}

/// The regions and portals of `world` for `profile`.
///
/// ```
/// use wayfarer_base::{Profile, SectorId};
/// use wayfarer_testkit::{PlainWorld, ascii, regions};
/// let world = PlainWorld::new(&ascii::world(".#.\n.#."));
/// let found = regions::regions(&world, &Profile::WALKER).unwrap();
/// assert_eq!(found.sectors[&SectorId::new(0, 0)].len(), 2);
/// assert!(found.portals.is_empty());
/// ```
///
/// # Errors
/// The first column with more than one floor: sheets are not cut here.
pub fn regions(world: &PlainWorld, profile: &Profile) -> Result<Regions, Column> {
    let mut by_row: Vec<Cell> = Vec::new();
    for (cell, _) in world.cells() {
        if world.floors(cell.column()).len() > 1 {
            return Err(cell.column());
        }
        if world.stands(cell, profile) {
            by_row.push(cell);
        }
    }
    by_row.sort_unstable_by_key(|cell| (cell.y, cell.x));
    let mut found = Regions::default();
    for &first in &by_row {
        if found.of_cell.contains_key(&first) {
            continue;
        }
        let sector = sector_of(first);
        let ordinal = found.sectors.entry(sector).or_default().len();
        let name = RegionName { sector, ordinal };
        let mut cells = vec![first];
        found.of_cell.insert(first, name);
        let mut n_done = 0;
        while n_done < cells.len() {
            let cell = cells[n_done];
            n_done += 1;
            for next in two_way_steps(world, cell, profile) {
                if sector_of(next) == sector && !found.of_cell.contains_key(&next) {
                    found.of_cell.insert(next, name);
                    cells.push(next);
                }
            }
        }
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        found.sectors.entry(sector).or_default().push(cells);
    }
    find_portals(world, profile, &mut found);
    Ok(found)
}

fn sector_of(cell: Cell) -> SectorId {
    SectorId::new(cell.x.div_euclid(16), cell.y.div_euclid(16))
}

fn two_way_steps<'a>(
    world: &'a PlainWorld,
    cell: Cell,
    profile: &'a Profile,
) -> impl Iterator<Item = Cell> + 'a {
    [(0, -1), (1, 0), (0, 1), (-1, 0)]
        .into_iter()
        .filter_map(move |(dx, dy)| {
            let next = world.walk(cell, (dx, dy), profile)?;
            (world.walk(next, (-dx, -dy), profile) == Some(cell)).then_some(next)
        })
}

fn find_portals(world: &PlainWorld, profile: &Profile, found: &mut Regions) {
    for (&cell, &from) in &found.of_cell {
        for dy in -1..=1 {
            for dx in -1..=1 {
                if (dx, dy) == (0, 0) {
                    continue;
                }
                let Some(next) = world.walk(cell, (dx, dy), profile) else {
                    continue;
                };
                let to = found.of_cell[&next];
                if from == to {
                    continue;
                }
                let comes_back = world.walk(next, (-dx, -dy), profile) == Some(cell);
                let portal = found.portals.entry((from.min(to), from.max(to)));
                let portal = portal.or_default();
                if from < to {
                    portal.there += 1;
                } else {
                    portal.back += 1;
                }
                // A pair with steps both ways is met twice and counted from the lesser side.
                portal.support += u32::from(from < to || !comes_back);
            }
        }
    }
}

#[cfg(test)]
mod tests;
