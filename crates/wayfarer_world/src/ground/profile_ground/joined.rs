//! Floors that one body covers at once: neighbors joined by level ground or steps, with no thin wall
//! or ledge between them.

use wayfarer_base::{Column, Direction, Wall, WallSide};

use super::{Layer, ProfileGround};
use crate::ground::Ground;
use crate::ground::lookup::offset;
use crate::ground::node::NodeId;
use crate::ground::page::NONE;

impl ProfileGround<'_> {
    /// The floor beside `node` in one of the four straight directions that the agent's body can cover
    /// together with it: both are joined by steps in both directions, with no thin wall between.
    ///
    /// For a body wider than its cell `node` is any floor open to a point of it, otherwise one where
    /// the agent fits. O(1) on level ground within a sector, else O(floors of both columns).
    pub fn joined_floor(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        let wide = self.layer.filter(|layer| layer.disc.is_wide());
        let Some(layer) = wide else {
            if self.layer.is_none()
                && let Some(next) = uniform_floor(self.ground, node, direction)
            {
                return next;
            }
            let next = self.neighbor(node, direction)?;
            return (self.neighbor(next, direction.opposite()) == Some(node)).then_some(next);
        };
        match level_floor(self.ground, layer, node, direction) {
            Some(level) => level,
            None => self.stepped_floor(node, direction),
        }
    }

    /// [`Self::joined_floor`] of a wide body over any ground.
    fn stepped_floor(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        let cell = self.cell(node);
        let (x, y) = direction.offset();
        let next = self.floor_at(Column::new(cell.x + x, cell.y + y), cell.z)?;
        let next_cell = self.cell(next);
        let back = self.floor_at(cell.column(), next_cell.z);
        let (side, is_beyond) = side_between(direction);
        let wall = Wall {
            cell: if is_beyond { next_cell } else { cell },
            side,
        };
        (back == Some(node) && !self.ground.has_wall(wall)).then_some(next)
    }
}

/// The joined floor for the default profile if both lie in one sheet whose steps its bits determine, in
/// both directions alike; outer `None` otherwise.
fn uniform_floor(ground: &Ground, node: NodeId, direction: Direction) -> Option<Option<NodeId>> {
    let (x, y) = offset(node.local(), direction);
    if !(0..16).contains(&x) || !(0..16).contains(&y) {
        return None;
    }
    let sheet = ground.sheet_of(node);
    if sheet.details.is_some() {
        return None;
    }
    let target = (y << 4 | x).to_le_bytes()[0];
    let (from_x, from_y) = (i32::from(node.local() & 15), i32::from(node.local() >> 4));
    let is_open = sheet.walkable.get(x, y) && sheet.walkable.get(from_x, from_y);
    Some(is_open.then(|| NodeId::new(node.page(), node.position(), target)))
}

/// The joined floor if it lies in the same sheet at the same height, the nearest height there is;
/// outer `None` if the columns must be looked at.
fn level_floor(
    ground: &Ground,
    layer: &Layer,
    node: NodeId,
    direction: Direction,
) -> Option<Option<NodeId>> {
    let local = node.local();
    let (x, y) = offset(local, direction);
    if !(0..16).contains(&x) || !(0..16).contains(&y) {
        return None;
    }
    let target = (y << 4 | x).to_le_bytes()[0];
    let page = ground.page(node.page());
    let sheet = page.sheet(node.position())?;
    let above = (page.above != NONE)
        .then(|| ground.page(page.above).sheet(node.position()))
        .flatten();
    let is_open = |local: u8| sheet.is_open_to(&layer.compiled, above, local);
    if !is_open(target) || !is_open(local) || sheet.height(target) != sheet.height(local) {
        return None;
    }
    let (side, is_beyond) = side_between(direction);
    let has_wall = sheet.has_wall(if is_beyond { target } else { local }, side);
    let next = NodeId::new(node.page(), node.position(), target);
    Some((!has_wall).then_some(next))
}

/// The side of a thin wall between a cell and its neighbor, and whether the neighbor has it.
const fn side_between(direction: Direction) -> (WallSide, bool) {
    match direction {
        Direction::North => (WallSide::South, true),
        Direction::West => (WallSide::East, true),
        Direction::South => (WallSide::South, false),
        _ => (WallSide::East, false),
    }
}
