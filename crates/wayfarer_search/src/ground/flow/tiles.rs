//! The costs of a flow field, in tiles: the cells of one height in one sector.
//!
//! A cell has a fixed slot (tile and position in it) whatever the ground stores; a tile notes the
//! sheet of its cells for one revision, so that a sweep walks from slot to slot without lookups.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cell, Cost, Direction, Rect, SectorId};
use wayfarer_world::ground::{NodeId, SheetBits, SuccessorBuffer};

use super::super::dijkstra_sweep::write_predecessors;
use super::super::nav_graph::NavGraph;

/// No cost.
pub(super) const UNKNOWN: u32 = u32::MAX;
/// No sheet.
const NONE: u32 = u32::MAX;

/// The cells of one height in one sector.
#[derive(Clone, Debug)]
struct Tile {
    costs: [u32; 256],
    sector: SectorId,
    z: i32,
    /// Lowest node id of the sheet that holds all cells of the tile, in the current run; or
    /// [`NONE`].
    base: u32,
    /// For which cells predecessors equal successors.
    symmetry: Symmetry,
    /// The run for which the two above are valid.
    run: u32,
    /// True if the area contains all its columns.
    is_inside: bool,
}

/// Which cells of a sheet have the same predecessors as successors, at the same costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symmetry {
    None,
    /// All but the outermost.
    Inner,
    All,
}

/// The costs of cells of an area.
#[derive(Clone, Debug, Default)]
pub(super) struct CostTiles {
    tiles: Vec<Tile>,
    directory: FastMap<(i32, i32, i32), u32>,
    /// The tile of each sheet that holds all cells of a tile.
    tile_of_sheet: FastMap<u32, u32>,
    run: u32,
    /// Cells with a cost.
    n_known: usize,
    buffer: SuccessorBuffer,
    predecessors: Vec<(NodeId, Cost)>,
}

impl CostTiles {
    /// Removes all costs; keeps memory.
    pub(super) fn clear(&mut self) {
        self.tiles.clear();
        self.directory.clear();
        self.n_known = 0;
        self.begin_run();
    }

    /// Starts a run over the ground as it is now.
    pub(super) fn begin_run(&mut self) {
        self.tile_of_sheet.clear();
        self.run = self.run.wrapping_add(1);
    }

    /// The number of cells with a cost.
    pub(super) fn len(&self) -> usize {
        self.n_known
    }

    /// The cost of a cell.
    #[inline]
    pub(super) fn get(&self, cell: Cell) -> Option<u32> {
        let sector = SectorId::from_column(cell.column());
        let tile = *self.directory.get(&(sector.x, sector.y, cell.z))?;
        let cost = self.tiles[tile as usize].costs[local_of(cell)];
        (cost != UNKNOWN).then_some(cost)
    }

    /// The cost in a slot, or [`UNKNOWN`].
    #[inline]
    pub(super) fn cost(&self, slot: u32) -> u32 {
        self.tiles[(slot >> 8) as usize].costs[(slot & 255) as usize]
    }

    /// Sets the cost in a slot, or removes it with [`UNKNOWN`].
    #[inline]
    pub(super) fn set(&mut self, slot: u32, cost: u32) {
        let known = &mut self.tiles[(slot >> 8) as usize].costs[(slot & 255) as usize];
        self.n_known += usize::from(*known == UNKNOWN);
        self.n_known -= usize::from(cost == UNKNOWN);
        *known = cost;
    }

    /// The cell of a slot.
    pub(super) fn cell(&self, slot: u32) -> Cell {
        let tile = &self.tiles[(slot >> 8) as usize];
        let origin = tile.sector.origin();
        let (x, y) = ((slot & 15).cast_signed(), (slot >> 4 & 15).cast_signed());
        Cell::new(origin.x + x, origin.y + y, tile.z)
    }

    /// The slot of a cell.
    pub(super) fn slot(&mut self, cell: Cell, area: Rect) -> u32 {
        let sector = SectorId::from_column(cell.column());
        let next = u32::try_from(self.tiles.len()).expect("fewer tiles than u32 values");
        let tile = *self
            .directory
            .entry((sector.x, sector.y, cell.z))
            .or_insert(next);
        if tile == next {
            let origin = sector.origin();
            let last = wayfarer_base::Column::new(origin.x + 15, origin.y + 15);
            self.tiles.push(Tile {
                costs: [UNKNOWN; 256],
                sector,
                z: cell.z,
                base: NONE,
                symmetry: Symmetry::None,
                run: self.run.wrapping_sub(1),
                is_inside: area.contains(origin) && area.contains(last),
            });
        }
        tile << 8 | u32::try_from(local_of(cell)).expect("below 256")
    }

    /// The slot of a node.
    #[inline]
    fn slot_of_node(&mut self, nav_graph: NavGraph<'_>, node: NodeId, area: Rect) -> u32 {
        match self.tile_of_sheet.get(&(node.index() >> 8)) {
            Some(tile) => tile << 8 | node.index() & 255,
            None => {
                let slot = self.slot(nav_graph.cell(node), area);
                self.note_sheet(nav_graph, node, slot >> 8);
                slot
            }
        }
    }

    /// Notes for this run what the sheet of a node says about a tile.
    fn note_sheet(&mut self, nav_graph: NavGraph<'_>, node: NodeId, number: u32) {
        let tile = &mut self.tiles[number as usize];
        if tile.run == self.run {
            return;
        }
        tile.run = self.run;
        (tile.base, tile.symmetry) = (NONE, Symmetry::None);
        let bits = nav_graph.profile_ground().bits(node);
        // Floors of a higher rank in the same sector lie higher.
        if nav_graph.ground().rank(node) == 0 && bits.uniform_height() == Some(tile.z) {
            tile.base = node.index() & !255;
            tile.symmetry = symmetry(&bits);
            self.tile_of_sheet.insert(node.index() >> 8, number);
        }
    }

    /// Calls `visit` with the slot of every predecessor within the area and the cost of its step,
    /// for a slot with a walkable cell.
    #[inline]
    pub(super) fn for_each_predecessor(
        &mut self,
        nav_graph: NavGraph<'_>,
        slot: u32,
        area: Rect,
        mut visit: impl FnMut(&mut Self, u32, u32),
    ) {
        let tile = &self.tiles[(slot >> 8) as usize];
        let is_noted = tile.run == self.run && tile.base != NONE;
        let node = if is_noted {
            NodeId::from_index(tile.base | slot & 255)
        } else {
            let Some(node) = nav_graph.node(self.cell(slot)) else {
                return;
            };
            self.note_sheet(nav_graph, node, slot >> 8);
            node
        };
        let tile = &self.tiles[(slot >> 8) as usize];
        let (x, y) = (slot & 15, slot >> 4 & 15);
        let is_inner = (1..15).contains(&x) && (1..15).contains(&y);
        let is_symmetric = match tile.symmetry {
            Symmetry::None => false,
            Symmetry::Inner => is_inner,
            Symmetry::All => true,
        };
        let is_enclosed = tile.is_inside && is_inner && tile.symmetry != Symmetry::None;
        let sheet = tile.base >> 8;
        if is_symmetric {
            let mut buffer = std::mem::take(&mut self.buffer);
            for (from, cost) in nav_graph.successors(node, &mut buffer) {
                if from.index() >> 8 == sheet {
                    let next = slot & !255 | from.index() & 255;
                    if is_enclosed || area.contains(self.cell(next).column()) {
                        visit(self, next, cost.units());
                    }
                    continue;
                }
                let next = self.slot_of_node(nav_graph, from, area);
                if self.is_in(next, area) {
                    visit(self, next, cost.units());
                }
            }
            self.buffer = buffer;
            return;
        }
        let mut predecessors = std::mem::take(&mut self.predecessors);
        write_predecessors(nav_graph, node, &mut predecessors);
        let z = self.tiles[(slot >> 8) as usize].z;
        for (from, cost) in &predecessors {
            let is_beside = from.index() >> 8 == node.index() >> 8;
            let next = match is_beside && nav_graph.cell(*from).z == z {
                true => slot & !255 | from.index() & 255,
                false => self.slot_of_node(nav_graph, *from, area),
            };
            if self.is_in(next, area) {
                visit(self, next, cost.units());
            }
        }
        self.predecessors = predecessors;
    }

    /// The lowest cost of a cell over its successors with a known cost, 0 at a goal; or [`UNKNOWN`].
    pub(super) fn best_cost(&mut self, nav_graph: NavGraph<'_>, slot: u32, goals: &[Cell]) -> u32 {
        let cell = self.cell(slot);
        let Some(node) = nav_graph.node(cell) else {
            return UNKNOWN;
        };
        if goals.binary_search(&cell).is_ok() {
            return 0;
        }
        self.note_sheet(nav_graph, node, slot >> 8);
        let mut buffer = std::mem::take(&mut self.buffer);
        let costs = nav_graph
            .successors(node, &mut buffer)
            .map(|(to, step_cost)| {
                let remaining = match self.tile_of_sheet.get(&(to.index() >> 8)) {
                    Some(tile) => self.cost(tile << 8 | to.index() & 255),
                    None => self.get(nav_graph.cell(to)).unwrap_or(UNKNOWN),
                };
                remaining.saturating_add(step_cost.units())
            });
        let best = costs.min().unwrap_or(UNKNOWN);
        self.buffer = buffer;
        best
    }

    #[inline]
    fn is_in(&self, slot: u32, area: Rect) -> bool {
        self.tiles[(slot >> 8) as usize].is_inside || area.contains(self.cell(slot).column())
    }
}

fn local_of(cell: Cell) -> usize {
    ((cell.y & 15) << 4 | (cell.x & 15)).cast_unsigned() as usize
}

/// Steps between sheets whose steps follow from the bits at one height have an inverse; a step into
/// such a sheet from another kind of sheet may be a drop.
fn symmetry(bits: &SheetBits<'_>) -> Symmetry {
    if !bits.has_regular_steps() {
        return Symmetry::None;
    }
    let mut neighbors = Direction::ALL.into_iter().map(|at| bits.neighbor(at));
    let continues = |next: Option<SheetBits<'_>>| {
        next.is_none_or(|next| {
            next.has_regular_steps() && next.uniform_height() == bits.uniform_height()
        })
    };
    if neighbors.all(continues) {
        Symmetry::All
    } else {
        Symmetry::Inner
    }
}
