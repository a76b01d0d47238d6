//! Projects of the editor LDtk (`.ldtk`, JSON): the `IntGrid` layers of their levels.
//!
//! Levels lie on one plane at their world position; the map begins at the most western column and
//! most northern row of any level. Tiles, auto-layers, entities and pictures are ignored. Errors:
//! levels in files of their own, several worlds, several levels without positions (linear layouts)
//! unless one is chosen, levels that overlap or lie off the grid, `IntGrid` layers of different grid
//! sizes or with an offset.
//!
//! Levels far apart need cells between them: the map has at most [`MAX_CELLS_PER_BYTE`] cells per
//! byte of the file, all layers together, and at most [`MAX_TILES`].

mod document;

use std::collections::BTreeMap;

use document::{Instance, LayerDefinition, Level, Project};

use crate::text::quoted;
use crate::tile_map::{LayerContent, MAX_TILES, MapLayer, Properties, TileMap, TileMapError};
use crate::tiled::from_json;

/// Maximum number of cells of all layers per byte of the file.
pub const MAX_CELLS_PER_BYTE: u64 = 16;

/// Reads a `.ldtk` file: all levels, or the one with the identifier `level`.
///
/// # Errors
/// The first syntax error, element that is invalid or not supported, or exceeded limit.
pub fn read(bytes: &[u8], level: Option<&str>) -> Result<TileMap, TileMapError> {
    let project: Project<'_> = from_json(bytes)?;
    let levels = select(&project, level)?;
    let grid = grid_size(&levels)?;
    let mut definitions: Vec<&LayerDefinition<'_>> = project
        .defs
        .layers
        .iter()
        .filter(|layer| layer.kind == "IntGrid")
        .collect();
    // The editor lists the top layer first.
    definitions.reverse();
    let extents = extents(&levels, grid)?;
    let mut canvas = Canvas::new(&extents, grid, &definitions, bytes.len())?;
    for (level, extent) in levels.into_iter().zip(&extents) {
        canvas.add(level, extent)?;
    }
    Ok(canvas.map)
}

fn content(at: String, expected: &'static str, found: impl Into<String>) -> TileMapError {
    TileMapError::Content {
        at,
        expected,
        found: found.into(),
    }
}

fn level_text(level: &Level<'_>) -> String {
    format!("level {}", quoted(level.identifier.as_bytes()))
}

/// The levels to read.
fn select<'a, 'b>(
    project: &'b Project<'a>,
    chosen: Option<&str>,
) -> Result<Vec<&'b Level<'a>>, TileMapError> {
    let at = || String::from("project");
    let (levels, layout) = match &project.worlds[..] {
        [] => (&project.levels, &project.world_layout),
        [world] => (&world.levels, &world.world_layout),
        worlds => {
            let found = format!("{} worlds", worlds.len());
            return Err(content(at(), "one world", found));
        }
    };
    if let Some(chosen) = chosen {
        let found = levels.iter().find(|level| level.identifier == chosen);
        let found = found.ok_or_else(|| {
            content(
                at(),
                "the level to read",
                quoted(chosen.as_bytes()) + ", which it lacks",
            )
        });
        return found.map(|level| vec![level]);
    }
    let layout = layout.as_deref().unwrap_or_default();
    if levels.len() > 1 && !matches!(layout, "Free" | "GridVania") {
        let expected = "levels with positions (Free, GridVania), or one by `TileRules::with_level`";
        return Err(content(at(), expected, quoted(layout.as_bytes())));
    }
    if levels.is_empty() {
        return Err(content(at(), "a level", "none"));
    }
    Ok(levels.iter().collect())
}

/// The `IntGrid` layers of a level.
fn int_grids<'a, 'b>(
    level: &'b Level<'a>,
) -> Result<impl Iterator<Item = &'b Instance<'a>>, TileMapError> {
    let layers = level.layer_instances.as_ref().ok_or_else(|| {
        let expected = "its layers in the project (`Save levels separately` is off)";
        content(level_text(level), expected, "a level in a file of its own")
    })?;
    Ok(layers.iter().filter(|layer| layer.kind == "IntGrid"))
}

/// Pixels per cell, equal for all layers.
fn grid_size(levels: &[&Level<'_>]) -> Result<u32, TileMapError> {
    let mut size = None;
    for level in levels {
        for layer in int_grids(level)? {
            if layer.grid_size == 0 || size.is_some_and(|size| size != layer.grid_size) {
                let at = format!("{}, {}", level_text(level), instance_text(layer));
                return Err(content(
                    at,
                    "the same grid size everywhere",
                    layer.grid_size.to_string(),
                ));
            }
            size = Some(layer.grid_size);
        }
    }
    size.ok_or_else(|| content(String::from("project"), "an IntGrid layer", "none"))
}

fn instance_text(layer: &Instance<'_>) -> String {
    format!("layer {}", quoted(layer.identifier.as_bytes()))
}

/// Position and size of a level in cells.
#[derive(Clone, Copy, Debug)]
struct Extent {
    west: i64,
    north: i64,
    width: u32,
    height: u32,
}

/// Where the levels lie; a single one at (0, 0), for it may have no position.
fn extents(levels: &[&Level<'_>], grid: u32) -> Result<Vec<Extent>, TileMapError> {
    let step = i64::from(grid);
    let extent = |level: &&Level<'_>| {
        let (x, y) = match levels {
            [_] => (0, 0),
            _ => (i64::from(level.world_x), i64::from(level.world_y)),
        };
        if x % step != 0 || y % step != 0 {
            let found = format!("{x} {y}");
            return Err(content(level_text(level), "a position on the grid", found));
        }
        Ok(Extent {
            west: x / step,
            north: y / step,
            width: level.px_wid.div_ceil(grid),
            height: level.px_hei.div_ceil(grid),
        })
    };
    levels.iter().map(extent).collect()
}

/// The map under construction.
struct Canvas {
    map: TileMap,
    /// The column and row of cell (0, 0).
    origin: (i64, i64),
    /// Index in the map's layers by the uid of the definition.
    index: BTreeMap<i64, usize>,
}

impl Canvas {
    fn new(
        extents: &[Extent],
        grid: u32,
        definitions: &[&LayerDefinition<'_>],
        n_bytes: usize,
    ) -> Result<Self, TileMapError> {
        let west = extents.iter().map(|it| it.west).min().unwrap_or(0);
        let north = extents.iter().map(|it| it.north).min().unwrap_or(0);
        let east = extents.iter().map(|it| it.west + i64::from(it.width));
        let south = extents.iter().map(|it| it.north + i64::from(it.height));
        let width = east.max().unwrap_or(0).abs_diff(west);
        let height = south.max().unwrap_or(0).abs_diff(north);
        let found = width
            .saturating_mul(height)
            .saturating_mul(definitions.len().max(1) as u64);
        let limit = MAX_TILES.min((n_bytes as u64).saturating_mul(MAX_CELLS_PER_BYTE));
        let sizes = (u32::try_from(width), u32::try_from(height));
        let (Ok(width), Ok(height), true) = (sizes.0, sizes.1, found <= limit) else {
            return Err(TileMapError::TooLarge {
                at: String::from("project"),
                what: "cells in the box around the levels, all layers together",
                found,
                limit,
            });
        };
        let n_cells = width as usize * height as usize;
        let layers = definitions.iter().map(|layer| map_layer(layer, n_cells));
        let index = definitions.iter().map(|layer| layer.uid).zip(0..);
        Ok(Self {
            map: TileMap {
                width,
                height,
                tile_size: (grid, grid),
                layers: layers.collect(),
                has_ground: vec![false; n_cells],
                ..TileMap::default()
            },
            origin: (west, north),
            index: index.collect(),
        })
    }

    fn add(&mut self, level: &Level<'_>, extent: &Extent) -> Result<(), TileMapError> {
        // A level without columns or rows covers nothing, though its other side may be huge.
        if extent.width == 0 || extent.height == 0 {
            return Ok(());
        }
        for row in 0..extent.height as usize {
            let start = self.row_start(extent, row);
            let cells = &mut self.map.has_ground[start..start + extent.width as usize];
            if cells.contains(&true) {
                let expected = "levels that do not overlap, or one by `TileRules::with_level`";
                return Err(content(level_text(level), expected, "a level over another"));
            }
            cells.fill(true);
        }
        for layer in int_grids(level)? {
            self.add_layer(layer, extent).map_err(|(expected, found)| {
                let at = format!("{}, {}", level_text(level), instance_text(layer));
                content(at, expected, found)
            })?;
        }
        Ok(())
    }

    /// The index of the first cell of a level's row.
    fn row_start(&self, extent: &Extent, row: usize) -> usize {
        let from_origin = |at: i64, origin: i64| {
            usize::try_from(at - origin).expect("the origin is the least of all levels")
        };
        let column = from_origin(extent.west, self.origin.0);
        (from_origin(extent.north, self.origin.1) + row) * self.map.width as usize + column
    }

    fn add_layer(
        &mut self,
        layer: &Instance<'_>,
        extent: &Extent,
    ) -> Result<(), (&'static str, String)> {
        if (layer.offset_x, layer.offset_y) != (0, 0) {
            let found = format!("{} {}", layer.offset_x, layer.offset_y);
            return Err(("a layer without offset", found));
        }
        let index = self.index.get(&layer.layer_def_uid).copied();
        let index = index.ok_or_else(|| {
            let found = layer.layer_def_uid.to_string();
            ("a definition of the layer in the project", found)
        })?;
        let width = extent.width as usize;
        let (n_values, n_cells) = (layer.int_grid_csv.len(), width * extent.height as usize);
        if n_values != n_cells {
            let found = format!("{n_values} for {n_cells} cells");
            return Err(("a value for every cell of the level", found));
        }
        for (row, from) in layer.int_grid_csv.chunks_exact(width).enumerate() {
            let start = self.row_start(extent, row);
            if let LayerContent::Values { values, .. } = &mut self.map.layers[index].content {
                values[start..start + width].copy_from_slice(from);
            }
        }
        Ok(())
    }
}

fn map_layer(definition: &LayerDefinition<'_>, n_cells: usize) -> MapLayer {
    let named = definition.int_grid_values.iter().filter_map(|it| {
        let name = it.identifier.as_ref()?;
        Some((it.value, String::from(&**name)))
    });
    MapLayer {
        name: String::from(&*definition.identifier),
        properties: Properties::new(),
        content: LayerContent::Values {
            values: vec![0; n_cells],
            names: named.collect(),
        },
    }
}

#[cfg(test)]
mod tests;
