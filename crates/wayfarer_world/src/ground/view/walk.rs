//! The steps of a view's agent, judged one by one as the rules of walking say.

use wayfarer_base::{Cell, Column, Cost, Direction, LinkDirection, SectorId, WallSide};

use super::{View, ViewSheet};
use crate::ground::lookup::{offset, over_edge};
use crate::ground::node::NodeId;
use crate::ground::page::local_of;
use crate::ground::plane::has;
use crate::ground::sheet::Sheet;
use crate::ground::steps::{LEGAL, Step};
use crate::ground::{Ground, StepBuffer};

/// Writes all steps from a cell into `buffer`; none if the agent does not stand there.
pub(super) fn steps(ground: &Ground, view: &View, node: NodeId, buffer: &mut StepBuffer) {
    buffer.steps.clear();
    let Some(sheet) = view.sheet(node.page(), node.position()) else {
        return;
    };
    if !sheet.stands(node.local()) {
        return;
    }
    if sheet.is_plain() {
        plain_steps(ground, view, node, buffer);
        return;
    }
    let from = ground.cell(node);
    let mut push = |to: NodeId, cost: Cost| {
        buffer.steps.push(Step {
            offset: to.0.wrapping_sub(node.0),
            cost,
        });
    };
    for direction in Direction::ALL {
        if let Some(to) = walk(ground, view, node, from, direction) {
            let length = Cost::of_step(direction.is_diagonal());
            push(
                to,
                length.scaled_by_mean(price(ground, view, node), price(ground, view, to)),
            );
        }
    }
    let Some(features) = ground.features.of(SectorId::of(from.column())) else {
        return;
    };
    for passage in &features.passages {
        let there = passage.from == from;
        let back = passage.to == from && passage.direction == LinkDirection::Bidirectional;
        for (taken, end) in [(there, passage.to), (back, passage.from)] {
            let open = taken && passage.state.admits(view.walker.keys);
            let to = open.then(|| floor_at(ground, end)).flatten();
            if let Some(to) = to.filter(|to| view.stands(*to)) {
                push(to, passage.cost);
            }
        }
    }
}

/// The steps of a cell on plain ground, anywhere.
fn plain_steps(ground: &Ground, view: &View, node: NodeId, buffer: &mut StepBuffer) {
    let Some(sheet) = view.sheet(node.page(), node.position()) else {
        return;
    };
    let mask = sheet.moves(node.local());
    let own = sheet.dear.then(|| price(ground, view, node));
    for direction in Direction::ALL {
        if mask >> direction.index() & 1 == 0 {
            continue;
        }
        let to = plain_step(ground, node, direction);
        let length = Cost::of_step(direction.is_diagonal());
        buffer.steps.push(Step {
            offset: to.0.wrapping_sub(node.0),
            cost: own.map_or(length, |own| {
                length.scaled_by_mean(own, price(ground, view, to))
            }),
        });
    }
}

/// The cell next to another on plain ground.
pub(super) fn plain_step(ground: &Ground, node: NodeId, direction: Direction) -> NodeId {
    let (x, y) = offset(node.local(), direction);
    let target = ((y & 15) << 4 | (x & 15)).to_le_bytes()[0];
    let (page, position) = if (0..16).contains(&x) && (0..16).contains(&y) {
        (node.page(), node.position())
    } else {
        ground.next_sheet(node.page(), node.position(), over_edge(x, y))
    };
    NodeId::new(page, position, target)
}

impl ViewSheet {
    /// The directions of all steps from a standing square on plain ground: bit i is direction i.
    pub(super) fn moves(&self, local: u8) -> u8 {
        let legal = LEGAL[self
            .plane
            .window(u32::from(local & 15), u32::from(local >> 4))];
        let Some(diagonals) = &self.diagonals else {
            return legal;
        };
        let [south_east, south_west] = &**diagonals;
        let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
        legal & 0b0101_0101
            | u8::from(south_west.get(x + 1, y - 1)) << Direction::NorthEast.index()
            | u8::from(south_east.get(x, y)) << Direction::SouthEast.index()
            | u8::from(south_west.get(x, y)) << Direction::SouthWest.index()
            | u8::from(south_east.get(x - 1, y - 1)) << Direction::NorthWest.index()
    }
}

/// The number of a cell with a floor, whoever may stand there.
pub(super) fn floor_at(ground: &Ground, cell: Cell) -> Option<NodeId> {
    let local = local_of(cell.column());
    ground
        .sheets_at(SectorId::of(cell.column()))
        .filter(|(_, sheet)| has(&sheet.present(), local))
        .find(|(_, sheet)| sheet.height(local) == cell.z)
        .map(|(page, sheet)| NodeId::new(page, sheet.position, local))
}

pub(super) fn price(ground: &Ground, view: &View, node: NodeId) -> wayfarer_base::CostMultiplier {
    let (sheet, local) = (ground.sheet_of(node), node.local());
    view.walker
        .price(sheet.terrain_of(local), sheet.effect(local))
}

pub(super) fn walk(
    ground: &Ground,
    view: &View,
    node: NodeId,
    from: Cell,
    direction: Direction,
) -> Option<NodeId> {
    let to = if direction.is_diagonal() {
        let around = |first: Direction, then: Direction| {
            let first = straight(ground, view, node, from, first)?;
            straight(ground, view, first, ground.cell(first), then)
        };
        let one = around(direction.turned(7), direction.turned(1));
        let other = around(direction.turned(1), direction.turned(7));
        one.filter(|_| one == other)?
    } else {
        straight(ground, view, node, from, direction)?
    };
    let fits = view.stands(to)
        && (!direction.is_diagonal() || {
            let (dx, dy) = direction.offset();
            let end = ground.cell(to);
            view.disc.between(direction).iter().all(|&(x, y)| {
                over(ground, view, from, (x, y)).is_some()
                    && over(ground, view, end, (x - dx, y - dy)).is_some()
            })
        });
    fits.then_some(to)
}

/// Where one straight step of a point leads.
fn straight(
    ground: &Ground,
    view: &View,
    node: NodeId,
    from: Cell,
    direction: Direction,
) -> Option<NodeId> {
    let (to, there) = over(ground, view, from, direction.offset())?;
    let here = ground.sheet_of(node);
    let wall = match direction {
        Direction::North => there.has_wall(to.local(), WallSide::South),
        Direction::West => there.has_wall(to.local(), WallSide::East),
        Direction::South => here.has_wall(node.local(), WallSide::South),
        _ => here.has_wall(node.local(), WallSide::East),
    };
    (!wall).then_some(to)
}

/// The floor open to the agent nearest in height over the column so far away.
pub(super) fn over<'a>(
    ground: &'a Ground,
    view: &View,
    from: Cell,
    (dx, dy): (i32, i32),
) -> Option<(NodeId, &'a Sheet)> {
    let column = Column::new(from.x.checked_add(dx)?, from.y.checked_add(dy)?);
    let local = local_of(column);
    let mut best: Option<((u32, i32), NodeId, &Sheet)> = None;
    let mut sheets = ground.sheets_at(SectorId::of(column)).peekable();
    while let Some((page, sheet)) = sheets.next() {
        let above = sheets.peek().map(|(_, sheet)| *sheet);
        if !sheet.is_open_to(&view.walker, above, local) {
            continue;
        }
        let z = sheet.height(local);
        let order = (z.abs_diff(from.z), z);
        if view.walker.reaches(from.z, z) && best.is_none_or(|(known, ..)| order < known) {
            best = Some((order, NodeId::new(page, sheet.position, local), sheet));
        }
    }
    best.map(|(_, node, sheet)| (node, sheet))
}
