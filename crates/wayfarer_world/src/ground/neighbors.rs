//! Single-step queries, walls and nav links of the default profile.

use wayfarer_base::{Direction, NavLink, SectorId, Wall};

use super::Ground;
use super::bitboard::has;
use super::lookup::{offset, over_edge};
use super::node::NodeId;
use super::page::local_of;
use super::successors::LEGAL_MOVES;

impl Ground {
    /// The neighbor of a cell in one of the eight directions, nav links excluded; `None` if there
    /// is no step.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Direction, Raster};
    /// use wayfarer_world::ground::Ground;
    ///
    /// let ground = Ground::from_raster(&Raster::from_bytes(2, 1, vec![0, 0]).unwrap());
    /// let west = ground.node(Cell::flat(0, 0)).unwrap();
    /// assert_eq!(ground.neighbor(west, Direction::East), ground.node(Cell::flat(1, 0)));
    /// assert_eq!(ground.neighbor(west, Direction::South), None);
    /// ```
    pub fn neighbor(&self, node: NodeId, direction: Direction) -> Option<NodeId> {
        let sheet = self.sheet_of(node);
        let local = node.local();
        let details = sheet.details.as_deref();
        if details.is_some_and(|details| has(&details.irregular, local)) {
            let from = self.cell(node);
            if !direction.is_diagonal() {
                return self.straight(node, from, direction);
            }
            let around = |first: Direction, then: Direction| {
                let first = self.straight(node, from, first)?;
                self.straight(first, self.cell(first), then)
            };
            let one = around(direction.turned(7), direction.turned(1));
            let other = around(direction.turned(1), direction.turned(7));
            return one.filter(|_| one == other);
        }
        let mask = match details.and_then(|details| details.moves.as_deref()) {
            Some(steps) => steps.masks[usize::from(local)],
            None => {
                let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
                LEGAL_MOVES[sheet.walkable.window(x, y)]
            }
        };
        if mask >> direction.index() & 1 == 0 {
            return None;
        }
        let (x, y) = offset(local, direction);
        let target = ((y & 15) << 4 | (x & 15)).to_le_bytes()[0];
        if (0..16).contains(&x) && (0..16).contains(&y) {
            return Some(NodeId::new(node.page(), node.position(), target));
        }
        let (page, position) = self.next_sheet(node.page(), node.position(), over_edge(x, y));
        Some(NodeId::new(page, position, target))
    }

    /// True if the thin wall exists and so does the floor of its cell.
    pub fn has_wall(&self, wall: Wall) -> bool {
        let local = local_of(wall.cell.column());
        self.sheets_at(SectorId::from_column(wall.cell.column()))
            .filter(|(_, sheet)| has(&sheet.present(), local))
            .find(|(_, sheet)| sheet.height(local) == wall.cell.z)
            .is_some_and(|(_, sheet)| sheet.has_wall(local, wall.side))
    }

    /// The nav links with an end in a sector, sorted by id, open or not.
    pub fn nav_links_in(&self, sector: SectorId) -> &[NavLink] {
        match self.features.sector(sector) {
            Some(features) => &features.nav_links,
            None => &[],
        }
    }

    /// Every nav link once, open or not, by the sector of its start; sectors in no particular
    /// order.
    pub fn nav_links(&self) -> impl Iterator<Item = &NavLink> {
        self.features.nav_links()
    }

    /// The nav links cheaper than the octile distance between their ends, sorted by id, open or
    /// not. Without one on it, no path is cheaper than the octile distance.
    pub fn shortcuts(&self) -> &[NavLink] {
        self.features.shortcuts()
    }
}
