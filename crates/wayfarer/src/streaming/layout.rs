//! How a streamed world is divided: tiles, their cores and their windows.
//!
//! A *core* is a square of columns; the cores partition the world. The *window* of a tile is its core
//! and [`MARGIN`] columns around it, and holds a copy of what stands there. No disc reaches farther than
//! that, so whether an agent fits on a cell of the core or next to it, and every step between such cells,
//! is the same in the window as in the whole world. What lies outside a window is missing there, which
//! takes steps away and adds none.

use std::fmt;

use wayfarer_engine as engine;
use wayfarer_engine::base::{Column, Fixed, Rect, SectorId};
use wayfarer_engine::world::air::AirEdit;

use super::StreamError;
use crate::agent_type::{AgentType, AgentTypeId, Movement};
use crate::edit::{EditError, SolidId};
use crate::facade::{World, edit_error};
use crate::units::{Position, Scale};

/// Columns of a window around its core: a sector, and more than a disc of 8 cells reaches.
pub(super) const MARGIN: i32 = SectorId::SIDE;

/// A tile of a streamed world: a square of [`StreamedLayout::tile_cells`] cells a side, counted from the
/// origin of the scale.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TileId {
    /// Tiles east of the origin.
    pub x: i32,
    /// Tiles along the other horizontal axis.
    pub y: i32,
}

impl fmt::Display for TileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile ({}, {})", self.x, self.y)
    }
}

/// What a streamed world covers, and how it is divided.
#[derive(Clone, PartialEq, Debug)]
pub struct StreamedLayout {
    /// Sizes, axes and origin.
    pub scale: Scale,
    /// The low corner of the world, rounded outward to whole tiles; its height does not count.
    pub low: Position,
    /// The opposite corner, above `low` along both horizontal axes.
    pub high: Position,
    /// Cells along the side of a tile: a multiple of 16 from 32 to 4,096.
    pub tile_cells: u32,
    /// The agent types besides the default one. They walk, and drop no farther than they step, or they
    /// fly.
    pub agent_types: Vec<AgentType>,
    /// The lowest and the highest height of the air, for agents that fly; `None` for a world without air. Cells,
    /// steps and voxels of a world with air have one size.
    pub air: Option<(f64, f64)>,
}

impl StreamedLayout {
    /// A world between two corners in tiles of 512 cells, for the default agent type.
    pub const fn new(scale: Scale, low: Position, high: Position) -> Self {
        Self {
            scale,
            low,
            high,
            tile_cells: 512,
            agent_types: Vec::new(),
            air: None,
        }
    }
}

/// Most tiles of a world.
const MAX_TILES: u64 = 1 << 22;

/// A layout that was checked.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// A world without floors: scale, axes and agent types of every tile, and of its air one column with the
    /// heights.
    pub(super) template: World,
    /// The agent types whose components are kept.
    pub(super) types: Vec<AgentTypeId>,
    /// Columns along the side of a tile.
    pub(super) side: i32,
    /// The first tile, and the number of tiles along both axes.
    pub(super) low: TileId,
    pub(super) n_x: u32,
    pub(super) n_y: u32,
}

impl Grid {
    pub(super) fn new(layout: &StreamedLayout) -> Result<Self, StreamError> {
        let mut template = World::new(layout.scale)?;
        let mut types = vec![AgentTypeId::DEFAULT];
        for agent_type in &layout.agent_types {
            if !matches!(agent_type.movement, Movement::Ground | Movement::Flight) {
                let reason = "an agent type neither walks nor flies, or does both".to_owned();
                return Err(StreamError::Layout { reason });
            }
            types.push(template.add_agent_type(agent_type.clone())?);
        }
        let frame = template.frame();
        if let Some((low, high)) = layout.air {
            let side = frame.cell_size();
            let [x, y, _] = frame.scale.origin().units();
            let corner = |x, y, z| frame.to_user(Position::new(x, y, z));
            let added = template.add_air(corner(x, y, low), corner(x + side, y + side, high));
            added.map_err(|error| StreamError::Layout {
                reason: format!("the air: {error}"),
            })?;
        }
        let (low, high) = (frame.to_engine(layout.low), frame.to_engine(layout.high));
        let last = Position {
            x: high.x.saturating_sub(1),
            y: high.y.saturating_sub(1),
            ..high
        };
        let is_valid = layout.low.is_finite() && layout.high.is_finite();
        let is_valid = is_valid && low.x <= last.x && low.y <= last.y;
        let cells = frame.scale.cell(low).zip(frame.scale.cell(last));
        let Some((a, b)) = cells.filter(|_| is_valid) else {
            let reason = "the corners are no positions, or have no area between them".to_owned();
            return Err(StreamError::Layout { reason });
        };
        let corners = Rect::around(a.column(), b.column());
        Self::of_parts(template, types, layout.tile_cells, corners)
    }

    /// The grid of the tiles that contain a rectangle.
    pub(super) fn of_parts(
        template: World,
        types: Vec<AgentTypeId>,
        tile_cells: u32,
        columns: Rect,
    ) -> Result<Self, StreamError> {
        let refused = |reason: String| StreamError::Layout { reason };
        if !(32..=4_096).contains(&tile_cells) || !tile_cells.is_multiple_of(16) {
            return Err(refused(format!(
                "tiles of {tile_cells} cells, expected a multiple of 16 from 32 to 4,096"
            )));
        }
        for id in &types {
            check_type(&template, *id).map_err(|reason| refused(reason.to_owned()))?;
        }
        let [cell, step, voxel] = template.frame().scale.exact_lengths();
        if template.engine().air().is_some() && (cell, cell) != (step, voxel) {
            return Err(refused(
                "a world with air has cells, steps and voxels of one size".to_owned(),
            ));
        }
        let side = tile_cells.cast_signed();
        let tile = |at: Column| TileId {
            x: at.x.div_euclid(side),
            y: at.y.div_euclid(side),
        };
        let (low, high) = (tile(columns.low), tile(columns.high));
        let (n_x, n_y) = (high.x.abs_diff(low.x) + 1, high.y.abs_diff(low.y) + 1);
        let n_tiles = u64::from(n_x) * u64::from(n_y);
        let reach = |at: i32| i64::from(at).abs() * i64::from(side) + i64::from(side + MARGIN);
        let is_far = [low.x, low.y, high.x, high.y]
            .iter()
            .any(|at| reach(*at) > i64::from(1 << 22));
        if n_tiles > MAX_TILES || is_far {
            return Err(refused(format!(
                "{n_x} x {n_y} tiles, expected at most {MAX_TILES} within 4 million cells of the origin"
            )));
        }
        Ok(Self {
            template,
            types,
            side,
            low,
            n_x,
            n_y,
        })
    }

    pub(super) const fn n_tiles(&self) -> u32 {
        self.n_x * self.n_y
    }

    /// Every column of the world.
    pub(super) const fn columns(&self) -> Rect {
        let (n_x, n_y) = (self.n_x.cast_signed(), self.n_y.cast_signed());
        Rect {
            low: Column::new(self.low.x * self.side, self.low.y * self.side),
            high: Column::new(
                (self.low.x + n_x) * self.side - 1,
                (self.low.y + n_y) * self.side - 1,
            ),
        }
    }

    /// The number of a tile, row by row; `None` outside.
    pub(super) fn index(&self, tile: TileId) -> Option<u32> {
        let x = u32::try_from(tile.x.checked_sub(self.low.x)?).ok()?;
        let y = u32::try_from(tile.y.checked_sub(self.low.y)?).ok()?;
        (x < self.n_x && y < self.n_y).then(|| y * self.n_x + x)
    }

    /// The tile of a number.
    pub(super) const fn tile(&self, index: u32) -> TileId {
        TileId {
            x: self.low.x + (index % self.n_x).cast_signed(),
            y: self.low.y + (index / self.n_x).cast_signed(),
        }
    }

    /// The tile of a column; `None` outside.
    pub(super) fn index_of(&self, column: Column) -> Option<u32> {
        self.index(TileId {
            x: column.x.div_euclid(self.side),
            y: column.y.div_euclid(self.side),
        })
    }

    /// The first column of a tile's core.
    pub(super) const fn corner(&self, index: u32) -> Column {
        let tile = self.tile(index);
        Column::new(tile.x * self.side, tile.y * self.side)
    }

    /// The columns that a tile holds, as far as they are in the world.
    pub(super) fn window(&self, index: u32) -> Rect {
        let low = self.corner(index);
        let end = self.side + MARGIN - 1;
        let window = Rect {
            low: Column::new(low.x - MARGIN, low.y - MARGIN),
            high: Column::new(low.x + end, low.y + end),
        };
        window.intersection(self.columns())
    }

    /// The tiles whose windows contain columns of a rectangle, ascending.
    pub(super) fn touching(&self, rect: Rect) -> Vec<u32> {
        let rect = rect.intersection(self.columns());
        if rect.is_empty() {
            return Vec::new();
        }
        let range = |low: i32, high: i32, first: i32, count: u32| {
            let begin = (low - MARGIN).div_euclid(self.side) - first;
            let end = (high + MARGIN).div_euclid(self.side) - first;
            begin.max(0).cast_unsigned()..=end.min(count.cast_signed() - 1).cast_unsigned()
        };
        let xs = range(rect.low.x, rect.high.x, self.low.x, self.n_x);
        let ys = range(rect.low.y, rect.high.y, self.low.y, self.n_y);
        ys.flat_map(|y| xs.clone().map(move |x| y * self.n_x + x))
            .collect()
    }

    /// The tiles whose cores may lie within a distance of a point, both in cells.
    pub(super) fn within(&self, at: [f64; 2], distance: f64) -> Vec<u32> {
        let side = f64::from(self.side);
        let tiles = |at: f64, low: i32, count: u32| {
            let tile = |at: f64| {
                let tile = (at / side).floor() - f64::from(low);
                #[expect(clippy::cast_possible_truncation, reason = "clamped just before")]
                let tile = tile.clamp(-1.0, f64::from(count)) as i32;
                tile
            };
            tile(at - distance).max(0)..=tile(at + distance).min(count.cast_signed() - 1)
        };
        let (xs, ys) = (
            tiles(at[0], self.low.x, self.n_x),
            tiles(at[1], self.low.y, self.n_y),
        );
        let index = |x: i32, y: i32| y.cast_unsigned() * self.n_x + x.cast_unsigned();
        ys.flat_map(|y| xs.clone().map(move |x| index(x, y)))
            .collect()
    }

    /// The lowest and the highest voxel of the air.
    pub(super) fn heights(&self) -> Option<(i32, i32)> {
        let air = self.template.engine().air()?;
        Some((air.low().z, air.high().z))
    }

    /// The radius of a type that flies and does not fit wherever a voxel is free.
    pub(super) fn wide_radius(&self, id: AgentTypeId) -> Option<Fixed> {
        let agent_type = self.template.engine().agent_type(id)?;
        let radius = agent_type.flight.as_ref()?.radius;
        (radius.raw() > NARROW).then_some(radius)
    }

    /// The columns of a window whose air is that of the world. Where wide agents fly, the outermost ones are solid
    /// instead, so that no ball reaches what lies beyond and is missing.
    pub(super) fn air_window(&self, window: Rect) -> Rect {
        let mut inner = window;
        if self.types.iter().any(|id| self.wide_radius(*id).is_some()) {
            let all = self.columns();
            inner.low.x += i32::from(window.low.x > all.low.x);
            inner.low.y += i32::from(window.low.y > all.low.y);
            inner.high.x -= i32::from(window.high.x < all.high.x);
            inner.high.y -= i32::from(window.high.y < all.high.y);
        }
        inner
    }

    /// What an edit does to the air, with `solid` as the id of a solid that it places; `None` if nothing.
    /// Cells, steps and voxels have one size, so it changes no column that it leaves alone on the ground.
    pub(super) fn air_edit(
        &self,
        number: usize,
        edit: &engine::Edit,
        solid: SolidId,
    ) -> Result<Option<AirEdit>, EditError> {
        if self.heights().is_none() {
            return Ok(None);
        }
        let in_air = self.template.engine().air_edit(edit, solid);
        in_air.map_err(|error| edit_error(error, &[number], self.template.frame()))
    }

    /// True if agents of a type fly.
    pub(super) fn flies(&self, id: AgentTypeId) -> bool {
        let agent_type = self.template.engine().agent_type(id);
        agent_type.is_some_and(|agent_type| agent_type.flight.is_some())
    }

    /// The agent type's place among those whose components are kept.
    pub(super) fn type_index(&self, id: AgentTypeId) -> Option<usize> {
        self.types.iter().position(|one| *one == id)
    }
}

/// Half a voxel: agents up to this radius fit wherever a voxel is free.
const NARROW: i32 = 128;

/// Checks that the components of a type are known exactly.
fn check_type(template: &World, id: AgentTypeId) -> Result<(), &'static str> {
    let agent_type = template.engine().agent_type(id);
    let agent_type = agent_type.ok_or("an agent type is unknown")?;
    match (&agent_type.ground, &agent_type.flight) {
        (Some(profile), None) if profile.max_drop == profile.max_step => Ok(()),
        (Some(_), None) => Err("an agent type drops farther than it steps, or less far"),
        (None, Some(_)) if template.engine().air().is_none() => {
            Err("an agent type flies, and the world has no air")
        }
        (None, Some(_)) => Ok(()),
        _ => Err("an agent type neither walks nor flies, or does both"),
    }
}
