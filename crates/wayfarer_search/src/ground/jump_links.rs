//! Jump and drop links found from the geometry of the ground.
//!
//! From every cell at an edge, where no step leads on, a straight line along an axis looks for the
//! next cell where the agent may land. It passes over columns at the height of the higher end: floors
//! at the height of the body, the inside of solids and floors of other terrain at that height block it.

use std::collections::BTreeSet;

use wayfarer_base::{
    Cell, Column, Cost, Direction, LinkDirection, LinkState, NavLink, NavLinkKind, Rect, Terrain,
    Wall, WallSide,
};
use wayfarer_world::ground::NodeId;

use super::nav_graph::NavGraph;

/// What an agent can jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JumpLimits {
    /// Largest length on the plane, in cells; at least 1, at most [`JumpLimits::MAX_CELLS`].
    pub max_cells: u32,
    /// How much higher the landing may be, in steps.
    pub max_up: i32,
    /// How much lower the landing may be, in steps.
    pub max_down: i32,
    /// Terrains that it jumps over besides those it walks on: a bit each.
    pub over: u64,
}

impl JumpLimits {
    /// Largest length of a jump, in cells.
    pub const MAX_CELLS: u32 = 64;
}

/// The jumps and drops of an agent that start in an area, by their ends. Two jumps that are the
/// reverse of each other are one bidirectional link; a jump to a floor below the agent's largest drop
/// is a drop. Each costs its length over base terrain.
pub fn jump_links(nav_graph: NavGraph<'_>, area: Rect, limits: JumpLimits) -> Vec<NavLink> {
    let mut jumps: BTreeSet<(Cell, Cell)> = BTreeSet::new();
    nav_graph
        .profile_ground()
        .for_each_walkable_in(area, |node| {
            for direction in [
                Direction::North,
                Direction::East,
                Direction::South,
                Direction::West,
            ] {
                let jump = Jump {
                    nav_graph,
                    limits,
                    from: nav_graph.cell(node),
                    offset: direction.offset(),
                };
                jumps.extend(jump.landing(node, direction).map(|to| (jump.from, to)));
            }
        });
    let is_first = |(from, to): &&(Cell, Cell)| from < to || !jumps.contains(&(*to, *from));
    let links = jumps.iter().filter(is_first).map(|&(from, to)| {
        let is_drop = to.z < from.z - nav_graph.profile().max_drop;
        let has_reverse = jumps.contains(&(to, from));
        NavLink {
            from,
            to,
            kind: match is_drop && !has_reverse {
                true => NavLinkKind::Drop,
                false => NavLinkKind::Jump,
            },
            direction: match has_reverse {
                true => LinkDirection::Bidirectional,
                false => LinkDirection::OneWay,
            },
            cost: Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y)),
            state: LinkState::Open,
        }
    });
    links.collect()
}

/// A line from a cell along an axis.
#[derive(Clone, Copy)]
struct Jump<'g> {
    nav_graph: NavGraph<'g>,
    limits: JumpLimits,
    from: Cell,
    offset: (i32, i32),
}

impl Jump<'_> {
    /// Where the agent lands; `None` if a step leads on, or nothing is near enough.
    fn landing(self, node: NodeId, direction: Direction) -> Option<Cell> {
        if self.nav_graph.neighbor(node, direction).is_some() {
            return None;
        }
        let max_cells = self.limits.max_cells.min(JumpLimits::MAX_CELLS);
        let max_cells = i32::try_from(max_cells).ok()?;
        (1..=max_cells).find_map(|distance| {
            let to = self.floor_at(distance)?;
            self.is_clear(distance, to).then_some(to)
        })
    }

    fn column(&self, distance: i32) -> Column {
        let (dx, dy) = self.offset;
        Column::new(self.from.x + dx * distance, self.from.y + dy * distance)
    }

    /// The walkable floor of a column within the limits that is nearest in height, of equals the
    /// lower.
    fn floor_at(&self, distance: i32) -> Option<Cell> {
        let (low, high) = (
            self.from.z.saturating_sub(self.limits.max_down),
            self.from.z.saturating_add(self.limits.max_up),
        );
        let column = self.column(distance);
        let floors = self.nav_graph.heights(column).map(|z| column.at(z));
        let floors = floors.filter(|floor| (low..=high).contains(&floor.z));
        let floors = floors.filter(|floor| self.nav_graph.node(*floor).is_some());
        floors.min_by_key(|floor| (floor.z.abs_diff(self.from.z), floor.z))
    }

    /// True if the body passes from the start to `to`, and no step could have led there.
    fn is_clear(&self, distance: i32, to: Cell) -> bool {
        let top = self.from.z.max(to.z);
        if !self.has_room(self.from.column(), self.from.z, top)
            || !self.has_room(to.column(), to.z, top)
        {
            return false;
        }
        let bottom = self.from.z.min(to.z);
        let reach = i32::try_from(self.nav_graph.clearance_columns()).unwrap_or(0);
        let (dx, dy) = self.offset;
        let beside = |at: Column, by: i32| Column::new(at.x + dy * by, at.y + dx * by);
        let is_free = (1..distance).all(|step| {
            let column = self.column(step);
            (-reach..=reach).all(|by| self.is_passable(beside(column, by), bottom, top))
        });
        is_free && (0..distance).all(|step| !self.has_wall(step, &[bottom, top]))
    }

    /// True if no floor of a column lies above `z` and meets the body at height `top`.
    fn has_room(&self, column: Column, z: i32, top: i32) -> bool {
        let ceiling = top.saturating_add(self.nav_graph.profile().height);
        let mut heights = self.nav_graph.heights(column);
        !heights.any(|floor| floor > z && floor < ceiling)
    }

    /// True if the body passes over a column at height `top`.
    fn is_passable(&self, column: Column, bottom: i32, top: i32) -> bool {
        let profile = self.nav_graph.profile();
        let allowed = profile.allowed_terrains | self.limits.over;
        let ceiling = top.saturating_add(profile.height);
        let floors: Vec<(i32, Terrain)> = self.nav_graph.ground().floors(column).collect();
        floors.iter().enumerate().all(|(index, &(floor, terrain))| {
            let is_at_the_body = floor > top && floor < ceiling;
            let next = floors.get(index + 1).map_or(i32::MAX, |next| next.0);
            let is_solid = terrain == Terrain::SOLID && floor < ceiling && next > top;
            let is_barrier = (bottom..=top).contains(&floor) && allowed & terrain.bit() == 0;
            !is_at_the_body && !is_solid && (terrain == Terrain::SOLID || !is_barrier)
        })
    }

    /// True if a thin wall stands between two columns of the line at one of the heights.
    fn has_wall(&self, step: i32, heights: &[i32]) -> bool {
        let (a, b) = (self.column(step), self.column(step + 1));
        let cell = Column::new(a.x.min(b.x), a.y.min(b.y));
        let side = match self.offset.0 {
            0 => WallSide::South,
            _ => WallSide::East,
        };
        let has_wall = |z: &i32| {
            let cell = cell.at(*z);
            self.nav_graph.ground().has_wall(Wall { cell, side })
        };
        heights.iter().any(has_wall)
    }
}

#[cfg(test)]
mod tests;
