//! Successors of a registered profile.

use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Direction, LinkDirection, SectorId, WallSide,
};

use super::step_masks::MaskedStep;
use super::{Layer, LayerSheetRef};
use crate::ground::bitboard::has;
use crate::ground::lookup::{offset, over_edge};
use crate::ground::node::NodeId;
use crate::ground::page::local_of;
use crate::ground::sheet::Sheet;
use crate::ground::successors::LEGAL_MOVES;
use crate::ground::{Ground, SuccessorBuffer};

/// Writes the successors of a cell to `buffer`; none if the agent does not fit there.
pub(super) fn successors(
    ground: &Ground,
    layer: &Layer,
    node: NodeId,
    buffer: &mut SuccessorBuffer,
) {
    buffer.successors.clear();
    let Some(sheet) = layer.sheet(ground, node.page(), node.position()) else {
        return;
    };
    if !sheet.is_walkable(node.local()) {
        return;
    }
    if sheet.has_bit_steps() {
        uniform_successors(ground, layer, node, buffer);
        if !sheet.may_have_nav_links() {
            return;
        }
    }
    let from = ground.cell(node);
    if !sheet.has_bit_steps() {
        irregular_successors(ground, layer, (sheet, node), buffer);
    }
    let Some(features) = ground.features.sector(SectorId::from_column(from.column())) else {
        return;
    };
    for nav_link in &features.nav_links {
        let there = nav_link.from == from;
        let back = nav_link.to == from && nav_link.direction == LinkDirection::Bidirectional;
        for (is_forward, end) in [(there, nav_link.to), (back, nav_link.from)] {
            let open = is_forward && nav_link.state.admits(layer.compiled.keys);
            let to = open.then(|| floor_at(ground, end)).flatten();
            if let Some(to) = to.filter(|to| layer.is_walkable(ground, *to)) {
                buffer.push(node, to, nav_link.cost);
            }
        }
    }
}

/// Successors by steps where bits determine them, at page edges too.
fn uniform_successors(ground: &Ground, layer: &Layer, node: NodeId, buffer: &mut SuccessorBuffer) {
    let Some(sheet) = layer.sheet(ground, node.page(), node.position()) else {
        return;
    };
    let mask = sheet.moves(node.local());
    let own = sheet
        .is_costly()
        .then(|| cost_multiplier(ground, layer, node));
    for direction in Direction::ALL {
        if mask >> direction.index() & 1 == 0 {
            continue;
        }
        let to = uniform_step(ground, node, direction);
        let length = Cost::for_step(direction.is_diagonal());
        let cost = own.map_or(length, |own| {
            length.scaled_by_mean(own, cost_multiplier(ground, layer, to))
        });
        buffer.push(node, to, cost);
    }
}

/// Successors by steps of a walkable cell of a sheet whose bits do not determine them.
fn irregular_successors(
    ground: &Ground,
    layer: &Layer,
    (sheet, node): (LayerSheetRef<'_>, NodeId),
    buffer: &mut SuccessorBuffer,
) {
    let multiplier = |at: NodeId| {
        // The flag covers the cells of this sheet alone.
        let is_here = (at.page(), at.position()) == (node.page(), node.position());
        if is_here && !sheet.is_costly_here() {
            return CostMultiplier::ONE;
        }
        cost_multiplier(ground, layer, at)
    };
    let own = multiplier(node);
    let is_legal = |direction: &Direction| {
        let legal = sheet.steps().map_or(u8::MAX, |it| it.legal(node.local()));
        legal >> direction.index() & 1 == 1
    };
    for direction in Direction::ALL.into_iter().filter(is_legal) {
        if let Some(to) = irregular_step(ground, layer, (sheet, node), direction) {
            let length = Cost::for_step(direction.is_diagonal());
            let cost = match (own, multiplier(to)) {
                (CostMultiplier::ONE, CostMultiplier::ONE) => length,
                (from, to) => length.scaled_by_mean(from, to),
            };
            buffer.push(node, to, cost);
        }
    }
}

/// The adjacent cell of the same rank.
pub(super) fn uniform_step(ground: &Ground, node: NodeId, direction: Direction) -> NodeId {
    let (x, y) = offset(node.local(), direction);
    let target = ((y & 15) << 4 | (x & 15)).to_le_bytes()[0];
    let (page, position) = if (0..16).contains(&x) && (0..16).contains(&y) {
        (node.page(), node.position())
    } else {
        ground.next_sheet(node.page(), node.position(), over_edge(x, y))
    };
    NodeId::new(page, position, target)
}

impl LayerSheetRef<'_> {
    /// The steps of a cell that stay on its rank, as bits; `None` if the sheet does not store them.
    #[inline]
    pub(super) fn stored_steps(self, local: u8) -> Option<u8> {
        if !self.is_walkable(local) {
            return Some(0);
        }
        match self.has_bit_steps() {
            true => Some(self.moves(local)),
            false => Some(self.steps()?.on_rank(local)),
        }
    }

    /// The legal moves of a walkable cell where bits determine them: bit i is direction i.
    pub(super) fn moves(self, local: u8) -> u8 {
        let legal = LEGAL_MOVES[self
            .cells
            .walkable
            .window(u32::from(local & 15), u32::from(local >> 4))];
        let Some(diagonals) = self.diagonals() else {
            return legal;
        };
        let at = (i32::from(local & 15), i32::from(local >> 4));
        let diagonal =
            |index: u8| u8::from(diagonals.has_step(at, Direction::from_index(index))) << index;
        legal & 0b0101_0101 | diagonal(1) | diagonal(3) | diagonal(5) | diagonal(7)
    }
}

/// The node of a cell with a floor, walkable or not.
pub(super) fn floor_at(ground: &Ground, cell: Cell) -> Option<NodeId> {
    let local = local_of(cell.column());
    ground
        .sheets_at(SectorId::from_column(cell.column()))
        .filter(|(_, sheet)| has(&sheet.present(), local))
        .find(|(_, sheet)| sheet.height(local) == cell.z)
        .map(|(page, sheet)| NodeId::new(page, sheet.position, local))
}

pub(super) fn cost_multiplier(ground: &Ground, layer: &Layer, node: NodeId) -> CostMultiplier {
    let (sheet, local) = (ground.sheet_of(node), node.local());
    layer
        .compiled
        .cost_multiplier(sheet.terrain_of(local), sheet.modifier(local))
}

/// The end of a step from a walkable cell of a sheet whose bits do not determine it.
pub(super) fn irregular_step(
    ground: &Ground,
    layer: &Layer,
    (sheet, node): (LayerSheetRef<'_>, NodeId),
    direction: Direction,
) -> Option<NodeId> {
    let Some(steps) = sheet.steps() else {
        return neighbor(ground, layer, node, ground.cell(node), direction);
    };
    match steps.step(node.local(), direction) {
        MaskedStep::None => None,
        MaskedStep::SameRank => Some(uniform_step(ground, node, direction)),
        MaskedStep::OtherRank => steps.end_on_other_rank(node.local(), direction),
    }
}

/// The end of a step, found floor by floor.
fn neighbor(
    ground: &Ground,
    layer: &Layer,
    node: NodeId,
    from: Cell,
    direction: Direction,
) -> Option<NodeId> {
    let to = if direction.is_diagonal() {
        let around = |first: Direction, then: Direction| {
            let first = straight(ground, layer, node, from, first)?;
            straight(ground, layer, first, ground.cell(first), then)
        };
        let one = around(direction.turned(7), direction.turned(1));
        let other = around(direction.turned(1), direction.turned(7));
        one.filter(|_| one == other)?
    } else {
        straight(ground, layer, node, from, direction)?
    };
    let fits = layer.is_walkable(ground, to)
        && (!direction.is_diagonal() || {
            let (dx, dy) = direction.offset();
            let end = ground.cell(to);
            layer.disc.swept(direction).iter().all(|&(x, y)| {
                nearest_floor(ground, layer, from, (x, y)).is_some()
                    && nearest_floor(ground, layer, end, (x - dx, y - dy)).is_some()
            })
        });
    (fits && !crosses_wall(ground, layer, (from, ground.cell(to)), direction)).then_some(to)
}

/// True if the disc overlaps a thin wall during a step, and at neither end.
fn crosses_wall(
    ground: &Ground,
    layer: &Layer,
    (from, to): (Cell, Cell),
    direction: Direction,
) -> bool {
    let (dx, dy) = direction.offset();
    let mut edges = layer.disc.swept_edges(direction).iter();
    let has_wall = |cell: Cell, offset: (i32, i32), side: WallSide| {
        nearest_floor(ground, layer, cell, offset)
            .is_some_and(|(node, sheet)| sheet.has_wall(node.local(), side))
    };
    edges
        .any(|&((x, y), side)| has_wall(from, (x, y), side) || has_wall(to, (x - dx, y - dy), side))
}

/// The target of a straight step of a point.
fn straight(
    ground: &Ground,
    layer: &Layer,
    node: NodeId,
    from: Cell,
    direction: Direction,
) -> Option<NodeId> {
    let (to, there) = nearest_floor(ground, layer, from, direction.offset())?;
    let here = ground.sheet_of(node);
    let wall = match direction {
        Direction::North => there.has_wall(to.local(), WallSide::South),
        Direction::West => there.has_wall(to.local(), WallSide::East),
        Direction::South => here.has_wall(node.local(), WallSide::South),
        _ => here.has_wall(node.local(), WallSide::East),
    };
    (!wall).then_some(to)
}

/// The nearest floor in height, open to a point of the agent, in the column at an offset.
pub(super) fn nearest_floor<'a>(
    ground: &'a Ground,
    layer: &Layer,
    from: Cell,
    (dx, dy): (i32, i32),
) -> Option<(NodeId, &'a Sheet)> {
    let column = Column::new(from.x.checked_add(dx)?, from.y.checked_add(dy)?);
    let local = local_of(column);
    let mut best: Option<((u32, i32), NodeId, &Sheet)> = None;
    let mut sheets = ground.sheets_at(SectorId::from_column(column)).peekable();
    while let Some((page, sheet)) = sheets.next() {
        let above = sheets.peek().map(|(_, sheet)| *sheet);
        if !sheet.is_open_to(&layer.compiled, above, local) {
            continue;
        }
        let z = sheet.height(local);
        let order = (z.abs_diff(from.z), z);
        if layer.compiled.can_step(from.z, z) && best.is_none_or(|(known, ..)| order < known) {
            best = Some((order, NodeId::new(page, sheet.position, local), sheet));
        }
    }
    best.map(|(_, node, sheet)| (node, sheet))
}
