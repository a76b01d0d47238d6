//! The table from tiles to terrain: which cells of a [`TileMap`] are floor, and of which terrain.
//!
//! Layers are read from bottom to top and the topmost that says something about a cell decides.
//! What a tile, value or shape says comes from itself before its layer, and from the table before the
//! conventions:
//!
//! | convention | cell |
//! |---|---|
//! | property `solid` is true, or `walkable` is false | no floor |
//! | property `terrain`: ground, swamp, water, trees, none or a number from 0 to 63 | that terrain |
//! | property `solid` is false, or `walkable` is true | ground |
//! | `IntGrid` value named ground, swamp, water or trees; wall, walls or solid | that; no floor |
//! | layer named `collision` or `collisions`, in any case | no floor |
//!
//! A tile without any of these is ground where no layer below says something; an `IntGrid` value
//! without any is an error; a shape without any is ignored.

use std::collections::BTreeMap;

use wayfarer_base::{Raster, Terrain};

use crate::grammar::{TERRAIN, parse_terrain_name};
use crate::letters::EMPTY;
use crate::text::quoted;
use crate::tile_map::{
    LayerContent, MapLayer, MapShape, Properties, PropertyValue, TileMap, TileMapError,
};

/// What a tile, value, layer or shape makes of its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileTerrain {
    /// A floor of this terrain.
    Floor(Terrain),
    /// No floor: a wall or a void.
    NoFloor,
    /// Nothing: the layers below decide.
    Unchanged,
}

/// The table; [`TileRules::default`] has the conventions of this module only.
///
/// ```
/// use wayfarer_base::Terrain;
/// use wayfarer_formats::tile_rules::{TileRules, TileTerrain};
/// let rules = TileRules::default()
///     .with_layer("rivers", TileTerrain::Floor(Terrain::WATER))
///     .with_property("class", "rock", TileTerrain::NoFloor)
///     .with_value("Ground", 3, TileTerrain::Floor(Terrain::SWAMP));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TileRules {
    layers: BTreeMap<String, TileTerrain>,
    tiles: BTreeMap<u32, TileTerrain>,
    properties: Vec<(String, PropertyValue, TileTerrain)>,
    values: BTreeMap<(String, i32), TileTerrain>,
    background: Option<TileTerrain>,
    tilesets: BTreeMap<String, Vec<u8>>,
    level: Option<String>,
}

impl TileRules {
    /// All tiles, values and shapes of the layer `name`, unless they have a rule of their own.
    #[must_use]
    pub fn with_layer(mut self, name: &str, terrain: TileTerrain) -> Self {
        self.layers.insert(String::from(name), terrain);
        self
    }

    /// The tile with this global id: `firstgid` of its tileset plus its id there.
    #[must_use]
    pub fn with_tile(mut self, id: u32, terrain: TileTerrain) -> Self {
        self.tiles.insert(id, terrain);
        self
    }

    /// Tiles, layers and shapes with a property of this value; the first rule that fits is used.
    #[must_use]
    pub fn with_property(
        mut self,
        name: &str,
        value: impl Into<PropertyValue>,
        terrain: TileTerrain,
    ) -> Self {
        self.properties
            .push((String::from(name), value.into(), terrain));
        self
    }

    /// A value of the `IntGrid` layer `layer`.
    #[must_use]
    pub fn with_value(mut self, layer: &str, value: i32, terrain: TileTerrain) -> Self {
        self.values.insert((String::from(layer), value), terrain);
        self
    }

    /// Cells about which no layer says something. By default they have no floor in Tiled maps and
    /// are ground inside LDtk levels; outside of these they never have a floor.
    #[must_use]
    pub fn with_background(mut self, terrain: TileTerrain) -> Self {
        self.background = Some(terrain);
        self
    }

    /// The content of an external tileset (`.tsx`, `.tsj`) of a Tiled map, `source` as the map names
    /// it.
    #[must_use]
    pub fn with_tileset(mut self, source: &str, bytes: &[u8]) -> Self {
        self.tilesets.insert(String::from(source), bytes.to_vec());
        self
    }

    /// Reads only this level of an LDtk project, by its identifier.
    #[must_use]
    pub fn with_level(mut self, identifier: &str) -> Self {
        self.level = Some(String::from(identifier));
        self
    }

    /// The external tilesets by source.
    pub const fn tilesets(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.tilesets
    }

    /// The only level to read, if there is one.
    pub fn level(&self) -> Option<&str> {
        self.level.as_deref()
    }

    /// The terrain of every cell of `map`.
    ///
    /// # Errors
    /// A property `terrain` that names none, an `IntGrid` value without a rule, a shape that is no
    /// upright rectangle, shapes that cover more than 16 times the map, a grid of the wrong length.
    pub fn raster(&self, map: &TileMap) -> Result<Raster, TileMapError> {
        let tiles = self.tile_terrains(map)?;
        let n_cells = usize::try_from(map.n_cells()).unwrap_or(usize::MAX);
        for layer in &map.layers {
            check_length(layer, n_cells)?;
        }
        if !map.has_ground.is_empty() && map.has_ground.len() != n_cells {
            let found = map.has_ground.len();
            return Err(wrong_length(String::from("has_ground"), found, n_cells));
        }
        let mut cells = vec![UNSAID; n_cells];
        for layer in &map.layers {
            let of_layer = self.of_layer(layer)?;
            match &layer.content {
                LayerContent::Tiles(ids) => paint_tiles(&mut cells, ids, &tiles, of_layer),
                LayerContent::Values { values, names } => {
                    let terrain = |value| self.of_value(&layer.name, value, names, of_layer);
                    paint_values(&mut cells, values, terrain)?;
                }
                LayerContent::Shapes(shapes) => {
                    self.paint_shapes(&mut cells, map, layer, shapes, of_layer)?;
                }
            }
        }
        self.fill_background(&mut cells, &map.has_ground);
        let found = cells.len();
        Raster::from_bytes(map.width, map.height, cells)
            .ok_or_else(|| wrong_length(String::from("map"), found, n_cells))
    }

    fn fill_background(&self, cells: &mut [u8], has_ground: &[bool]) {
        let is_tiled = has_ground.is_empty();
        let default = if is_tiled {
            EMPTY
        } else {
            Terrain::GROUND.number()
        };
        let background = match self.background {
            Some(TileTerrain::Floor(terrain)) => terrain.number(),
            Some(TileTerrain::NoFloor) => EMPTY,
            Some(TileTerrain::Unchanged) | None => default,
        };
        for (index, cell) in cells.iter_mut().enumerate() {
            if *cell == UNSAID {
                let is_inside = is_tiled || has_ground[index];
                *cell = if is_inside { background } else { EMPTY };
            }
        }
    }

    /// What every tile with a rule or property of its own says.
    fn tile_terrains(&self, map: &TileMap) -> Result<BTreeMap<u32, TileTerrain>, TileMapError> {
        let mut terrains = BTreeMap::new();
        for (&id, properties) in &map.tiles {
            let said = self.of_properties(properties, || format!("tile {id}"))?;
            terrains.extend(said.map(|said| (id, said)));
        }
        terrains.extend(&self.tiles);
        Ok(terrains)
    }

    /// What the properties say, by the table or else by convention.
    fn of_properties(
        &self,
        properties: &Properties,
        at: impl Fn() -> String,
    ) -> Result<Option<TileTerrain>, TileMapError> {
        let rule = self
            .properties
            .iter()
            .find(|(name, value, _)| properties.get(name) == Some(value));
        match rule {
            Some(&(_, _, terrain)) => Ok(Some(terrain)),
            None => by_convention(properties, at),
        }
    }

    fn of_layer(&self, layer: &MapLayer) -> Result<Option<TileTerrain>, TileMapError> {
        if let Some(&terrain) = self.layers.get(&layer.name) {
            return Ok(Some(terrain));
        }
        let at = || layer_text(&layer.name);
        let said = self.of_properties(&layer.properties, at)?;
        let is_collision = ["collision", "collisions"]
            .iter()
            .any(|name| layer.name.eq_ignore_ascii_case(name));
        Ok(said.or_else(|| is_collision.then_some(TileTerrain::NoFloor)))
    }

    fn of_value(
        &self,
        layer: &str,
        value: i32,
        names: &BTreeMap<i32, String>,
        of_layer: Option<TileTerrain>,
    ) -> Result<TileTerrain, TileMapError> {
        let name = names.get(&value).map_or("", String::as_str);
        let rule = self.values.get(&(String::from(layer), value)).copied();
        rule.or_else(|| named_terrain(&name.to_ascii_lowercase()))
            .or(of_layer)
            .ok_or_else(|| TileMapError::Content {
                at: format!("{}, value {value}", layer_text(layer)),
                expected: "a rule for the value or its layer, or a value named after a terrain",
                found: quoted(name.as_bytes()),
            })
    }

    fn paint_shapes(
        &self,
        cells: &mut [u8],
        map: &TileMap,
        layer: &MapLayer,
        shapes: &[MapShape],
        of_layer: Option<TileTerrain>,
    ) -> Result<(), TileMapError> {
        let limit = map.n_cells().saturating_mul(16);
        let mut found = 0;
        for shape in shapes {
            let at = || format!("{}, object {}", layer_text(&layer.name), shape.id);
            let said = self.of_properties(&shape.properties, at)?.or(of_layer);
            let Some(byte) = said.and_then(byte) else {
                continue;
            };
            if shape.kind != "rectangle" {
                return Err(TileMapError::Content {
                    at: at(),
                    expected: "a rectangle without rotation",
                    found: String::from(shape.kind),
                });
            }
            let [columns, rows] = covered(shape.rect, map);
            found += (columns.len() * rows.len()) as u64;
            if found > limit {
                return Err(TileMapError::TooLarge {
                    at: at(),
                    what: "cells under rectangles",
                    found,
                    limit,
                });
            }
            for row in rows {
                let start = row * map.width as usize;
                cells[start + columns.start..start + columns.end].fill(byte);
            }
        }
        Ok(())
    }
}

/// A cell about which no layer said something; no raster byte.
const UNSAID: u8 = EMPTY - 1;

fn layer_text(name: &str) -> String {
    format!("layer {}", quoted(name.as_bytes()))
}

fn wrong_length(at: String, found: usize, expected: usize) -> TileMapError {
    TileMapError::Content {
        at,
        expected: "as many cells as the map has",
        found: format!("{found} instead of {expected}"),
    }
}

fn check_length(layer: &MapLayer, n_cells: usize) -> Result<(), TileMapError> {
    let found = match &layer.content {
        LayerContent::Tiles(ids) => ids.len(),
        LayerContent::Values { values, .. } => values.len(),
        LayerContent::Shapes(_) => n_cells,
    };
    if found == n_cells {
        return Ok(());
    }
    Err(wrong_length(layer_text(&layer.name), found, n_cells))
}

/// The raster byte; `None` for unchanged.
fn byte(terrain: TileTerrain) -> Option<u8> {
    match terrain {
        TileTerrain::Floor(terrain) => Some(terrain.number()),
        TileTerrain::NoFloor => Some(EMPTY),
        TileTerrain::Unchanged => None,
    }
}

fn paint_tiles(
    cells: &mut [u8],
    ids: &[u32],
    tiles: &BTreeMap<u32, TileTerrain>,
    of_layer: Option<TileTerrain>,
) {
    // Equal tiles lie beside each other: one lookup per run.
    let mut last = (0, None);
    for (cell, &id) in cells.iter_mut().zip(ids) {
        if id == 0 {
            continue;
        }
        if last.0 != id {
            last = (id, tiles.get(&id).copied().or(of_layer));
        }
        match last.1 {
            Some(terrain) => *cell = byte(terrain).unwrap_or(*cell),
            None if *cell == UNSAID => *cell = Terrain::GROUND.number(),
            None => {}
        }
    }
}

fn paint_values(
    cells: &mut [u8],
    values: &[i32],
    terrain: impl Fn(i32) -> Result<TileTerrain, TileMapError>,
) -> Result<(), TileMapError> {
    let mut known: BTreeMap<i32, TileTerrain> = BTreeMap::new();
    for (cell, &value) in cells.iter_mut().zip(values) {
        if value == 0 {
            continue;
        }
        let said = match known.get(&value) {
            Some(&said) => said,
            None => *known.entry(value).or_insert(terrain(value)?),
        };
        *cell = byte(said).unwrap_or(*cell);
    }
    Ok(())
}

/// Columns and rows of which a rectangle covers a part.
fn covered(rect: [f64; 4], map: &TileMap) -> [std::ops::Range<usize>; 2] {
    let span = |low: f64, length: f64, tile: u32, limit: u32| {
        let tile = f64::from(tile.max(1));
        let first = (low / tile).floor().clamp(0.0, f64::from(limit));
        let end = ((low + length) / tile).ceil();
        let end = end.clamp(first, f64::from(limit));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and the size of the map"
        )]
        let span = first as usize..end as usize;
        span
    };
    let [x, y, width, height] = rect;
    [
        span(x, width, map.tile_size.0, map.width),
        span(y, height, map.tile_size.1, map.height),
    ]
}

/// A terrain or wall by its name in lower case.
fn named_terrain(name: &str) -> Option<TileTerrain> {
    match name {
        "ground" => Some(TileTerrain::Floor(Terrain::GROUND)),
        "swamp" => Some(TileTerrain::Floor(Terrain::SWAMP)),
        "water" => Some(TileTerrain::Floor(Terrain::WATER)),
        "trees" => Some(TileTerrain::Floor(Terrain::TREES)),
        "wall" | "walls" | "solid" => Some(TileTerrain::NoFloor),
        _ => None,
    }
}

fn by_convention(
    properties: &Properties,
    at: impl Fn() -> String,
) -> Result<Option<TileTerrain>, TileMapError> {
    let flag = |name: &str| match properties.get(name) {
        Some(PropertyValue::Bool(flag)) => Some(*flag),
        _ => None,
    };
    let (solid, walkable) = (flag("solid"), flag("walkable"));
    if solid == Some(true) || walkable == Some(false) {
        return Ok(Some(TileTerrain::NoFloor));
    }
    let ground = TileTerrain::Floor(Terrain::GROUND);
    let found = match properties.get("terrain") {
        None => return Ok((solid.is_some() || walkable.is_some()).then_some(ground)),
        Some(PropertyValue::Text(name)) if name == "none" => {
            return Ok(Some(TileTerrain::NoFloor));
        }
        Some(PropertyValue::Text(name)) => name.clone(),
        Some(PropertyValue::Int(number)) => number.to_string(),
        Some(other) => format!("{other:?}"),
    };
    match parse_terrain_name(found.as_bytes()) {
        Some(terrain) => Ok(Some(TileTerrain::Floor(terrain))),
        None => Err(TileMapError::Content {
            at: format!("{}, property `terrain`", at()),
            expected: TERRAIN,
            found: quoted(found.as_bytes()),
        }),
    }
}

#[cfg(test)]
mod tests;
