//! Floors, regions, components and portals.

use std::collections::BTreeMap;

use wayfarer_engine::base::{Cell, Column, Rect};
use wayfarer_engine::world::ground::{ComponentId, Ground, RegionId};

use super::Inspector;
use crate::agent_type::AgentTypeId;
use crate::units::Position;

/// The topmost floors of a rectangle of columns, row by row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FloorGrid {
    /// The corner of the first column with the lowest coordinates.
    pub origin: Position,
    /// Columns along the first axis.
    pub width: usize,
    /// Columns along the second axis.
    pub height: usize,
    /// Terrain numbers; [`FloorGrid::NO_FLOOR`] without a floor.
    pub terrains: Vec<u8>,
    /// Heights of the floors; 0 without one.
    pub heights: Vec<f64>,
    /// True where the agent fits.
    pub is_walkable: Vec<bool>,
    /// Cost multipliers for the agent; 0 where it does not fit.
    pub multipliers: Vec<f64>,
    /// A color number from 0 to 11 per region: regions of a sector and of adjacent sectors differ,
    /// as long as a sector has at most three. [`FloorGrid::NO_FLOOR`] without a region.
    pub regions: Vec<u8>,
    /// The component of each cell for the agent, by size within the grid: 0 is the largest.
    /// [`FloorGrid::NO_COMPONENT`] where the agent does not fit.
    pub components: Vec<u16>,
}

impl FloorGrid {
    /// The terrain of a column without a floor.
    pub const NO_FLOOR: u8 = u8::MAX;
    /// The component of a column where the agent does not fit, and of those beyond 65,535.
    pub const NO_COMPONENT: u16 = u16::MAX;
    /// Most columns of a grid: 2^24.
    pub const MAX_COLUMNS: u64 = 1 << 24;
}

/// An edge of the abstract graph: two regions with steps between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portal {
    /// The center of one region.
    pub from: Position,
    /// The center of the other.
    pub to: Position,
    /// Steps across, in the direction that has more.
    pub support: u32,
}

impl Inspector<'_> {
    /// The lowest and the highest corner of all floors; `None` without floors.
    pub fn extent(self) -> Option<(Position, Position)> {
        let (ground, scale) = (self.world.engine().ground(), self.world.scale());
        let bounds = ground.bounds();
        if bounds.is_empty() {
            return None;
        }
        let mut heights: Option<(i32, i32)> = None;
        for column in bounds.columns() {
            for (z, _) in ground.floors(column) {
                let (low, high) = heights.unwrap_or((z, z));
                heights = Some((low.min(z), high.max(z)));
            }
        }
        let (low_z, high_z) = heights?;
        let corner = |at: Column, z: i32, by: f64| {
            let center = self.world.frame().scale.cell_center(at.at(z)).units();
            let moved = [center[0] + by, center[1] + by, center[2]];
            self.world
                .frame()
                .to_user(Position::new(moved[0], moved[1], moved[2]))
        };
        let half = scale.cell / 2.0;
        Some((
            corner(bounds.low, low_z, -half),
            corner(bounds.high, high_z, half),
        ))
    }

    /// The topmost floor of every column between two corners, the high one excluded, whose height lies between theirs, with
    /// its regions for the default agent and its components for `agent_type`. `None` if the agent
    /// type does not walk, a corner is outside the world, or the grid exceeds
    /// [`FloorGrid::MAX_COLUMNS`].
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let map = b"type octile\nheight 1\nwidth 5\nmap\n..@..\n";
    /// let world = World::import("cut.map", map, Scale::UNIT)?;
    /// let (low, high) = world.inspect().extent().ok_or("floors")?;
    /// let grid = world.inspect().floors(AgentTypeId::DEFAULT, low, high).ok_or("a walker")?;
    /// assert_eq!((grid.width, grid.height), (5, 1));
    /// assert_eq!(grid.components, [0, 0, u16::MAX, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn floors(
        self,
        agent_type: AgentTypeId,
        low: Position,
        high: Position,
    ) -> Option<FloorGrid> {
        let world = self.world;
        let nav_graph = world.engine().nav_graph(agent_type).ok()?;
        let (first, last) = (world.frame().cell(low)?, self.last_cell(high)?);
        let rect = Rect::around(first.column(), last.column());
        let n_columns = u64::from(rect.width()) * u64::from(rect.height());
        if n_columns > FloorGrid::MAX_COLUMNS {
            return None;
        }
        let half = world.scale().cell / 2.0;
        let corner = world.frame().scale.cell_center(rect.low.at(0)).units();
        let corner = Position::new(corner[0] - half, corner[1] - half, corner[2]);
        let mut grid = FloorGrid {
            origin: world.frame().to_user(corner),
            width: usize::try_from(rect.width()).ok()?,
            height: usize::try_from(rect.height()).ok()?,
            ..FloorGrid::default()
        };
        let ground = world.engine().ground();
        let mut found: Vec<Option<ComponentId>> = Vec::new();
        for column in rect.columns() {
            let floors = ground
                .floors(column)
                .filter(|(z, _)| (first.z..=last.z).contains(z));
            let Some((z, terrain)) = floors.max_by_key(|(z, _)| *z) else {
                grid.push_empty();
                found.push(None);
                continue;
            };
            let cell = column.at(z);
            let center = world.frame().position_of(cell.into());
            let node = nav_graph.node(cell);
            grid.terrains.push(terrain.number());
            grid.heights
                .push(world.frame().to_engine(center).units()[2]);
            grid.is_walkable.push(node.is_some());
            let multiplier = node.map(|node| nav_graph.cost_multiplier(node).sixteenths());
            let multiplier = multiplier.map_or(0.0, |sixteenths| f64::from(sixteenths) / 16.0);
            grid.multipliers.push(multiplier);
            let region = ground.node(cell).map(|node| ground.region(node));
            let region = region.map(|region| region_color(ground, region));
            grid.regions.push(region.unwrap_or(FloorGrid::NO_FLOOR));
            found.push(node.and_then(|node| nav_graph.component(node)));
        }
        grid.components = ranks(&found);
        Some(grid)
    }

    /// The cell of a high corner: one on a border belongs to the cell before it.
    fn last_cell(self, high: Position) -> Option<Cell> {
        let frame = self.world.frame();
        let edge = frame.to_engine(high);
        let inside = Position {
            x: edge.x.saturating_sub(1),
            y: edge.y.saturating_sub(1),
            ..edge
        };
        high.is_finite()
            .then(|| frame.cell(frame.to_user(inside)))?
    }

    /// The edges between the regions of the default agent.
    pub fn portals(self) -> Vec<Portal> {
        let ground = self.world.engine().ground();
        let mut supports: BTreeMap<(RegionId, RegionId), u32> = BTreeMap::new();
        for region in ground.regions() {
            ground.for_each_portal(region, |portal| {
                let pair = (region.min(portal.to), region.max(portal.to));
                let known = supports.entry(pair).or_default();
                *known = u32::from(portal.support).max(*known);
            });
        }
        let center = |region| {
            let cell = ground.cell(ground.center_of(region));
            self.world.frame().position_of(cell.into())
        };
        let all = supports.into_iter();
        all.map(|((from, to), support)| Portal {
            from: center(from),
            to: center(to),
            support,
        })
        .collect()
    }

    /// The number of regions of the default agent.
    pub fn n_regions(self) -> usize {
        self.world.engine().ground().regions().count()
    }
}

impl FloorGrid {
    fn push_empty(&mut self) {
        self.terrains.push(Self::NO_FLOOR);
        self.heights.push(0.0);
        self.is_walkable.push(false);
        self.multipliers.push(0.0);
        self.regions.push(Self::NO_FLOOR);
    }
}

/// Four colors of sectors times three of regions.
fn region_color(ground: &Ground, region: RegionId) -> u8 {
    let sector = ground.sector_of(region);
    let parity = |at: i32| u8::from(at & 1 == 1);
    let sector = parity(sector.x) | parity(sector.y) << 1;
    sector * 3 + region.ordinal() % 3
}

/// The rank of each component by its number of cells, ties by first occurrence.
fn ranks(found: &[Option<ComponentId>]) -> Vec<u16> {
    let mut sizes: BTreeMap<ComponentId, (usize, usize)> = BTreeMap::new();
    for (index, component) in found.iter().enumerate() {
        if let Some(component) = component {
            sizes.entry(*component).or_insert((0, index)).0 += 1;
        }
    }
    let mut order: Vec<_> = sizes.into_iter().collect();
    order.sort_unstable_by_key(|(_, (size, first))| (std::cmp::Reverse(*size), *first));
    let ranks: BTreeMap<ComponentId, u16> = order
        .into_iter()
        .map(|(id, _)| id)
        .zip(0..u16::MAX)
        .collect();
    let rank = |component: &Option<ComponentId>| component.and_then(|id| ranks.get(&id).copied());
    let all = found.iter();
    all.map(|component| rank(component).unwrap_or(FloorGrid::NO_COMPONENT))
        .collect()
}
