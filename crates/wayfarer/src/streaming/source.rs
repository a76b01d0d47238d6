//! Where tiles come from: a source draws any of them on demand.

use std::collections::BTreeMap;
use std::fmt;

use wayfarer_engine as engine;
use wayfarer_engine::base::{Column, Raster, Rect, SectorId, SolidId, Terrain, Voxel};
use wayfarer_engine::world::air::AirEdit;
use wayfarer_engine::world::ground::Ground;

use super::StreamError;
use super::clip::{clipped, clipped_air};
use super::layout::Grid;
use crate::edit::{Edit, EditKind};
use crate::facade::World;
use crate::units::{Frame, Position};

/// Draws tiles of a world on demand: a generator, or files of the game.
///
/// A tile is drawn with a margin that its neighbors draw too. What is drawn at a place must depend on
/// that place alone, never on the tile or on what was drawn before; a tile that is loaded and does
/// not fit its neighbors as it once did is an error.
pub trait TileSource: fmt::Debug + Send + Sync {
    /// Draws everything between [`TileDraft::low`] and [`TileDraft::high`].
    fn draw(&self, draft: &mut TileDraft);
}

/// What a source draws on: floors and walls of a tile and its margin. What lies outside is left out.
#[derive(Clone, Debug)]
pub struct TileDraft {
    frame: Frame,
    window: Rect,
    /// The floors at height 0, row by row; 255 for none.
    sectors: BTreeMap<SectorId, [u8; 256]>,
    edits: Vec<Edit>,
}

const NO_FLOOR: u8 = u8::MAX;

impl TileDraft {
    pub(super) fn new(frame: Frame, window: Rect) -> Self {
        Self {
            frame,
            window,
            sectors: BTreeMap::new(),
            edits: Vec::new(),
        }
    }

    /// The low corner of what to draw, at height 0.
    pub fn low(&self) -> Position {
        let Column { x, y } = self.window.low;
        self.frame.plane_position([x.into(), y.into()], 0)
    }

    /// The high corner of what to draw, at height 0.
    pub fn high(&self) -> Position {
        let Column { x, y } = self.window.high;
        let end = [f64::from(x) + 1.0, f64::from(y) + 1.0];
        self.frame.plane_position(end, 0)
    }

    /// The first cell of what to draw, counted from the origin of the scale.
    pub const fn first_cell(&self) -> (i32, i32) {
        (self.window.low.x, self.window.low.y)
    }

    /// The number of cells to draw along both horizontal axes.
    pub const fn n_cells(&self) -> (u32, u32) {
        (self.window.width(), self.window.height())
    }

    /// Sets the floors at height 0 of cells in a row, from `first` on, counted as
    /// [`TileDraft::first_cell`] is; `None` removes a floor. Trees are no floor.
    pub fn set_row(
        &mut self,
        first: (i32, i32),
        terrains: impl IntoIterator<Item = Option<Terrain>>,
    ) {
        let mut column = Column::new(first.0, first.1);
        let mut known: Option<(SectorId, &mut [u8; 256])> = None;
        for terrain in terrains {
            if self.window.contains(column) {
                let sector = SectorId::from_column(column);
                let floors = match known.take() {
                    Some((last, floors)) if last == sector => floors,
                    _ => self.sectors.entry(sector).or_insert([NO_FLOOR; 256]),
                };
                let origin = sector.origin();
                let at = (column.y - origin.y) * 16 + (column.x - origin.x);
                let at = usize::try_from(at).expect("the column lies in its sector");
                floors[at] = terrain.map_or(NO_FLOOR, Terrain::number);
                known = Some((sector, floors));
            }
            column.x = column.x.saturating_add(1);
        }
    }

    /// Applies an edit after all floors at height 0 are set: floors, boxes, thin walls. Boxes are solid in the
    /// air too, and so is a step below the floors at height 0; floors of edits are not. Solids, links and
    /// cost areas have ids of the whole world: [`StreamedWorld::apply`] adds them.
    ///
    /// [`StreamedWorld::apply`]: super::StreamedWorld::apply
    pub fn edit(&mut self, edit: Edit) {
        self.edits.push(edit);
    }

    /// The world of the draft.
    pub(super) fn build(self, grid: &Grid) -> Result<World, StreamError> {
        let rasters = self.sectors.into_iter().map(|(sector, floors)| {
            let raster = Raster::from_bytes(16, 16, floors.to_vec());
            (sector, raster.expect("16 x 16 terrains"))
        });
        let refused = |reason: String| StreamError::Layout { reason };
        let ground = Ground::from_sectors(rasters).map_err(|error| refused(error.to_string()))?;
        let engine = engine::World::from_ground(ground);
        let mut world = World::from_engine(engine, self.frame);
        world.set_change_log_capacity(1);
        for agent_type in grid.template.agent_types().iter().flatten() {
            world.add_agent_type(agent_type.clone())?;
        }
        if let Some((bottom, top)) = grid.heights() {
            let (low, size) = (self.window.low, [self.window.width(), self.window.height()]);
            let size = [size[0], size[1], top.abs_diff(bottom) + 1];
            let added = world.add_air_box(Voxel::new(low.x, low.y, bottom), size);
            added.map_err(|error| refused(error.to_string()))?;
        }
        let inner = grid.air_window(self.window);
        let mut edits: Vec<engine::Edit> = grid.heights().map_or_else(Vec::new, |heights| {
            let border = border(self.window, inner, heights);
            border.map(engine::Edit::Air).collect()
        });
        for (number, edit) in self.edits.iter().enumerate() {
            if !is_floors_or_walls(&edit.0) {
                let reason = "a tile is drawn from floors, boxes and thin walls";
                return Err(StreamError::Unsupported {
                    edit: number,
                    reason,
                });
            }
            for edit in grid.template.converted_edit(number, &edit.0)?.0 {
                let in_air = grid.air_edit(number, &edit, SolidId(0))?;
                let edit = grid.template.engine().ground_edit(edit, SolidId(0));
                let edit = edit.map_err(|error| refused(error.to_string()))?;
                let edit = edit.expect("floors and walls are edits of the ground");
                edits.extend(clipped(&edit, self.window).map(engine::Edit::Ground));
                let in_air = in_air.zip(grid.heights());
                let in_air =
                    in_air.and_then(|(in_air, heights)| clipped_air(&in_air, inner, heights));
                edits.extend(in_air.map(engine::Edit::Air));
            }
        }
        if !edits.is_empty() {
            let applied = world.apply_logged(edits, &[], 0);
            applied.map_err(|error| refused(error.to_string()))?;
        }
        Ok(world)
    }
}

/// Fills the voxels of a window outside a part of it.
fn border(window: Rect, inner: Rect, (bottom, top): (i32, i32)) -> impl Iterator<Item = AirEdit> {
    let (low, high) = (window.low, window.high);
    let slabs = [
        (low, Column::new(inner.low.x - 1, high.y)),
        (low, Column::new(high.x, inner.low.y - 1)),
        (Column::new(inner.high.x + 1, low.y), high),
        (Column::new(low.x, inner.high.y + 1), high),
    ];
    let slabs = slabs.into_iter();
    let slabs = slabs.filter(|(low, high)| low.x <= high.x && low.y <= high.y);
    slabs.map(move |(low, high)| AirEdit::Fill {
        low: Voxel::new(low.x, low.y, bottom),
        high: Voxel::new(high.x, high.y, top),
    })
}

const fn is_floors_or_walls(kind: &EditKind) -> bool {
    matches!(
        kind,
        EditKind::Fill { .. }
            | EditKind::Carve { .. }
            | EditKind::AddFloors { .. }
            | EditKind::RemoveFloors(_)
            | EditKind::AddWall(_)
            | EditKind::RemoveWall(_)
    )
}
