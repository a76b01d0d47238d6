//! Sheets, cells and regions of one profile, for the block scans of the search layer.

use wayfarer_base::{Cell, Column, CostMultiplier, NavLink, Revision, SectorId};

use super::{ProfileGround, neighbors};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard};
use crate::ground::bits::SheetBits;
use crate::ground::lookup::{RegionId, RegionPortal};
use crate::ground::node::NodeId;
use crate::ground::profile_ground::adjacency::LayerGraph;

impl<'a> ProfileGround<'a> {
    /// The sheet of a node where the agent fits.
    #[inline]
    pub fn bits(self, node: NodeId) -> SheetBits<'a> {
        if self.layer.is_none() && !self.has_base_costs {
            return self.ground.bits(node);
        }
        layer_bits(self.ground, self.slot(), node)
    }

    /// The sheet of a floor, whether the agent fits on it or not; `None` if it fits nowhere in the sheet.
    pub fn sheet_of_floor(self, node: NodeId) -> Option<SheetBits<'a>> {
        let (page, position) = (node.page(), node.position());
        self.ground.sheet_at(self.slot(), page, position)
    }

    /// Calls `visit` with every sheet where the agent fits anywhere, in storage order; false stops.
    pub fn for_each_sheet(self, mut visit: impl FnMut(SheetBits<'a>) -> bool) {
        let slot = self.slot();
        match self.layer {
            None => {
                let fitting = |sheet: &SheetBits<'_>| sheet.n_regions() > 0;
                let sheets = self.ground.sheets().map(|sheet| sheet.for_layer(slot));
                let _ = sheets.filter(fitting).all(visit);
            }
            Some(layer) => {
                let _ = layer.sheets(self.ground).all(|(page, sheet)| {
                    let found = self.ground.sheet_at(slot, page, sheet.cells.position);
                    found.is_none_or(&mut visit)
                });
            }
        }
    }

    /// The sheets of a sector where the agent fits anywhere, lowest rank first.
    pub fn sheets_in(self, sector: SectorId) -> impl Iterator<Item = SheetBits<'a>> {
        let slot = self.slot();
        let sheets = self.ground.sheets_at(sector);
        sheets
            .filter_map(move |(page, sheet)| self.ground.sheet_at(slot, page, sheet.position))
            .filter(|sheet| sheet.n_regions() > 0)
    }

    /// True if there are at most `limit` sheets. O(pages).
    pub fn has_at_most_sheets(self, limit: usize) -> bool {
        let Some(layer) = self.layer else {
            return self.ground.has_at_most_sheets(limit);
        };
        let mut n_sheets = 0;
        layer.pages.iter().flatten().all(|page| {
            n_sheets += page.positions().count();
            n_sheets <= limit
        })
    }

    /// All cells where the agent fits, in storage order.
    pub fn nodes(self) -> impl Iterator<Item = NodeId> {
        let own = self
            .layer
            .into_iter()
            .flat_map(move |layer| layer.sheets(self.ground));
        let own = own.flat_map(|(page, sheet)| {
            bitboard::cells(&sheet.cells.walkable.board())
                .map(move |local| NodeId::new(page, sheet.cells.position, local))
        });
        let ground = self.layer.is_none().then_some(self.ground);
        own.chain(ground.into_iter().flat_map(|ground| ground.nodes()))
    }

    /// True if the agent fits in cells of one height only, in the sector of `column` and the eight
    /// around it, and all their sheets are uniform; see [`SheetBits::is_uniform`].
    pub fn is_level_around(self, column: Column, z: i32) -> bool {
        if self.layer.is_none() && !self.has_base_costs {
            return self.ground.is_level_around(column, z);
        }
        let center = SectorId::from_column(column);
        (-1..=1).all(|dy| {
            (-1..=1).all(|dx| {
                let sector =
                    SectorId::new(center.x.saturating_add(dx), center.y.saturating_add(dy));
                self.sheets_in(sector)
                    .all(|sheet| sheet.is_uniform() && sheet.uniform_height() == Some(z))
            })
        })
    }

    /// The cost multiplier of a cell if the eight cells around it have the same, and all nine lie
    /// in one sheet whose bits determine the steps; `None` otherwise.
    #[inline]
    pub fn uniform_multiplier(self, node: NodeId) -> Option<CostMultiplier> {
        if self.has_base_costs {
            // Only irregular cells are asked for.
            return None;
        }
        let Some(layer) = self.layer else {
            return self.ground.uniform_multiplier(node);
        };
        let sheet = layer.sheet(self.ground, node.page(), node.position())?;
        let local = node.local();
        let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
        let is_inside = x.wrapping_sub(1) < 14 && y.wrapping_sub(1) < 14;
        if !is_inside || !sheet.is_bit_exact() || sheet.cells.walkable.window(x, y) != 0o777 {
            return None;
        }
        let floors = self.ground.sheet_of(node);
        let own = neighbors::cost_multiplier(self.ground, layer, node);
        floors.has_one_terrain_around(local).then_some(own)
    }

    /// Slot of the layer, 0 for the default profile, with [`BASE_COSTS`](crate::ground::bits::BASE_COSTS).
    #[inline]
    pub(super) fn slot(self) -> u32 {
        self.layer.map_or(0, |layer| layer.slot) | self.base_costs()
    }

    /// The terrains with a multiplier above 1 for the agent, as a bit mask.
    pub fn costly_terrains(self) -> u64 {
        if self.has_base_costs {
            return 0;
        }
        let compiled = self
            .layer
            .map_or(&self.ground.compiled, |layer| &layer.compiled);
        compiled.costly_terrains
    }

    /// Columns from a cell within which floors determine whether the agent fits there and how it
    /// steps from there; 0 for a body within its cell.
    pub fn step_columns(self) -> u32 {
        let wide = self.layer.filter(|layer| layer.disc.is_wide());
        wide.map_or(0, |_| self.clearance_columns() + 1)
    }

    /// The cell of a node.
    #[inline]
    pub fn cell(self, node: NodeId) -> Cell {
        self.ground.cell(node)
    }

    /// The rank of a node: the number of floors below it in its column.
    #[inline]
    pub fn rank(self, node: NodeId) -> u8 {
        self.ground.rank(node)
    }

    /// The identity of the ground; see [`Ground::identity`](crate::ground::Ground::identity).
    #[inline]
    pub fn identity(self) -> u64 {
        self.ground.identity()
    }

    /// The revision of the ground.
    #[inline]
    pub fn revision(self) -> Revision {
        self.ground.revision
    }

    /// The nav links cheaper than the octile distance between their ends, open or not.
    pub fn shortcuts(self) -> &'a [NavLink] {
        self.ground.shortcuts()
    }

    /// The cells of a region.
    fn board_of(self, region: RegionId) -> Bitboard {
        match self.layer {
            None => self
                .ground
                .sheet_of_region(region)
                .board_of(region.ordinal()),
            Some(layer) => layer
                .sheet(self.ground, region.page, region.position)
                .map_or(bitboard::EMPTY, |sheet| sheet.board_of(region.ordinal)),
        }
    }

    /// The cells of a region, row by row.
    pub fn cells_of(self, region: RegionId) -> impl Iterator<Item = NodeId> {
        bitboard::cells(&self.board_of(region))
            .map(move |local| NodeId::new(region.page, region.position, local))
    }

    /// The regions of a sheet.
    pub fn regions_of(self, sheet: &SheetBits<'_>) -> impl Iterator<Item = RegionId> + use<> {
        let (page, position) = (sheet.number() >> 6, (sheet.number() & 63) as u8);
        (0..sheet.n_regions()).map(move |ordinal| RegionId {
            page,
            position,
            ordinal,
        })
    }

    /// Calls `visit` with the regions adjacent to a region of an irregular sheet by steps in either
    /// direction, some more than once; nav links may be among them.
    pub fn for_each_adjacent_region(self, region: RegionId, mut visit: impl FnMut(RegionId)) {
        let Some(layer) = self.layer else {
            let on_portal = |portal: RegionPortal| visit(portal.to);
            self.ground.for_each_portal(region, on_portal);
            return;
        };
        let graph = LayerGraph {
            ground: self.ground,
            layer,
        };
        graph.for_each_edge(region.page, region.position, true, |own, to| {
            if own == region.ordinal {
                visit(RegionId {
                    page: to.page,
                    position: to.position,
                    ordinal: to.ordinal,
                });
            }
        });
    }

    /// Calls `visit` with the regions at both ends of each diagonal step out of a sheet with
    /// [masks](SheetBits::has_diagonal_masks) that no straight steps imply.
    pub fn for_each_corner_step(
        self,
        sheet: &SheetBits<'_>,
        mut visit: impl FnMut(RegionId, RegionId),
    ) {
        let (page, position) = (sheet.number() >> 6, (sheet.number() & 63) as u8);
        let Some(layer) = self.layer else {
            return;
        };
        let Some(found) = layer.sheet(self.ground, page, position) else {
            return;
        };
        let graph = LayerGraph {
            ground: self.ground,
            layer,
        };
        let region = |page: u32, position: u8, ordinal: u8| RegionId {
            page,
            position,
            ordinal,
        };
        graph.for_each_corner_link(page, found, |own, to| {
            visit(
                region(page, position, own),
                region(to.page, to.position, to.ordinal),
            );
        });
    }
}

/// The sheet of a node in a layer.
#[inline(never)]
fn layer_bits(ground: &Ground, slot: u32, node: NodeId) -> SheetBits<'_> {
    let found = ground.sheet_at(slot, node.page(), node.position());
    found.expect("the agent fits in a cell of the sheet")
}
