//! Maps of the editor Tiled: `.tmx` (XML) and `.tmj` (JSON), orthogonal, of fixed size.
//!
//! Reads tile layers (CSV, XML elements or base64, the latter also with zlib or gzip), object layers,
//! groups, custom properties of map, layers, tiles and objects, and tilesets inside the map or given
//! beside it (`.tsx`, `.tsj`). Hidden layers count; images, offsets, flips, animations, Wang sets and
//! properties of groups are ignored. Errors: other orientations, infinite maps, zstd, external
//! tilesets without their bytes.
//!
//! Time and memory are linear in the bytes of the file after decompression, which stops at the stated
//! size; [`MAX_TILES`] limits all layers together.

mod data;
mod document;
mod tmx;

use std::collections::BTreeMap;

use document::{Document, Layer, Property, Shape, Tileset};

use crate::text::quoted;
use crate::tile_map::{
    LayerContent, MAX_TILES, MapLayer, MapShape, Properties, PropertyValue, TileMap, TileMapError,
};
use crate::xml::position;

/// Reads a `.tmx` or `.tmj` file; `tilesets` has the bytes of external tilesets by their source.
///
/// ```
/// use std::collections::BTreeMap;
/// use wayfarer_formats::tiled;
/// use wayfarer_formats::tile_rules::TileRules;
/// let map = br#"<map orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8">
///   <layer name="floor" width="3" height="1"><data encoding="csv">1,1,1</data></layer>
///   <layer name="collision" width="3" height="1"><data encoding="csv">0,2,0</data></layer>
/// </map>"#;
/// let raster = TileRules::default().raster(&tiled::read(map, &BTreeMap::new())?)?;
/// assert_eq!(raster.bytes(), [0, 255, 0]);
/// # Ok::<(), wayfarer_formats::tile_map::TileMapError>(())
/// ```
///
/// # Errors
/// The first syntax error, element that is invalid or not supported, or exceeded limit.
pub fn read(bytes: &[u8], tilesets: &BTreeMap<String, Vec<u8>>) -> Result<TileMap, TileMapError> {
    let document = if is_json(bytes) {
        from_json(bytes)?
    } else {
        tmx::read_map(bytes)?
    };
    Builder { bytes, tilesets }.build(document)
}

fn is_json(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Parses JSON; the parser limits its depth.
pub(crate) fn from_json<'a, T: serde::Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, TileMapError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = error.to_string();
        // Line and column are separate members.
        let message = message.split(" at line ").next().unwrap_or_default();
        TileMapError::Json {
            line: error.line(),
            column: error.column(),
            message: String::from(message),
        }
    })
}

/// From the document to the plain value.
struct Builder<'a> {
    bytes: &'a [u8],
    tilesets: &'a BTreeMap<String, Vec<u8>>,
}

impl Builder<'_> {
    /// The name of an element in messages, with its line if the file is XML.
    fn at(&self, what: &str, name: &str, offset: Option<usize>) -> String {
        let name = quoted(name.as_bytes());
        match offset {
            Some(offset) => {
                let (line, column) = position(self.bytes, offset);
                format!("line {line}, column {column}: {what} {name}")
            }
            None => format!("{what} {name}"),
        }
    }

    fn build(&self, document: Document<'_>) -> Result<TileMap, TileMapError> {
        check_map(&document)?;
        let mut map = TileMap {
            width: document.width,
            height: document.height,
            tile_size: (document.tilewidth, document.tileheight),
            properties: properties(document.properties, None),
            ..TileMap::default()
        };
        let mut n_tiles = 0;
        self.add_layers(document.layers, &mut map, &mut n_tiles)?;
        if n_tiles == 0 && map.n_cells() > 0 {
            return Err(content("map", "a tile layer", "none"));
        }
        for tileset in document.tilesets {
            self.add_tileset(tileset, &mut map.tiles)?;
        }
        Ok(map)
    }

    fn add_layers(
        &self,
        layers: Vec<Layer<'_>>,
        map: &mut TileMap,
        n_tiles: &mut u64,
    ) -> Result<(), TileMapError> {
        for layer in layers {
            let content = match &*layer.kind {
                "group" => {
                    self.add_layers(layer.layers, map, n_tiles)?;
                    continue;
                }
                "tilelayer" => self.tiles(&layer, map, n_tiles)?,
                "objectgroup" => {
                    LayerContent::Shapes(layer.objects.into_iter().map(shape).collect())
                }
                // Pictures.
                _ => continue,
            };
            map.layers.push(MapLayer {
                name: layer.name.into_owned(),
                properties: properties(layer.properties, layer.class),
                content,
            });
        }
        Ok(())
    }

    fn tiles(
        &self,
        layer: &Layer<'_>,
        map: &TileMap,
        n_tiles: &mut u64,
    ) -> Result<LayerContent, TileMapError> {
        let at = || self.at("layer", &layer.name, layer.offset);
        let (width, height) = (
            layer.width.unwrap_or(map.width),
            layer.height.unwrap_or(map.height),
        );
        if (width, height) != (map.width, map.height) {
            return Err(TileMapError::Content {
                at: at(),
                expected: "the size of the map",
                found: format!("{width} x {height}"),
            });
        }
        *n_tiles += map.n_cells();
        if *n_tiles > MAX_TILES {
            return Err(TileMapError::TooLarge {
                at: at(),
                what: "tiles",
                found: *n_tiles,
                limit: MAX_TILES,
            });
        }
        let n_cells = usize::try_from(map.n_cells()).unwrap_or(usize::MAX);
        let decoded = data::decode(layer, n_cells);
        decoded
            .map(LayerContent::Tiles)
            .map_err(|(expected, found)| TileMapError::Content {
                at: at(),
                expected,
                found,
            })
    }

    fn add_tileset(
        &self,
        tileset: Tileset<'_>,
        tiles: &mut BTreeMap<u32, Properties>,
    ) -> Result<(), TileMapError> {
        let first = tileset.firstgid;
        let first = first.ok_or_else(|| content("tileset", "a `firstgid`", "none"))?;
        let Some(source) = &tileset.source else {
            return add_tiles(first, tileset, tiles);
        };
        let Some(bytes) = self.tilesets.get(&**source) else {
            return Err(TileMapError::Content {
                at: self.at("tileset", source, tileset.offset),
                expected: "a tileset inside the map, or its bytes by `TileRules::with_tileset`",
                found: String::from("an external tileset"),
            });
        };
        let external = if is_json(bytes) {
            from_json(bytes)
        } else {
            tmx::read_tileset(bytes)
        };
        let external = external.map_err(|error| TileMapError::Content {
            at: self.at("tileset", source, tileset.offset),
            expected: "a valid tileset",
            found: error.to_string(),
        })?;
        add_tiles(first, external, tiles)
    }
}

fn content(at: &str, expected: &'static str, found: &str) -> TileMapError {
    TileMapError::Content {
        at: String::from(at),
        expected,
        found: String::from(found),
    }
}

fn check_map(document: &Document<'_>) -> Result<(), TileMapError> {
    if document.orientation != "orthogonal" {
        let found = quoted(document.orientation.as_bytes());
        return Err(content("map", "orientation `orthogonal`", &found));
    }
    if document.infinite {
        return Err(content("map", "a map of fixed size", "an infinite map"));
    }
    if document.tilewidth == 0 || document.tileheight == 0 {
        return Err(content("map", "tiles of at least 1 x 1 pixel", "0"));
    }
    Ok(())
}

fn add_tiles(
    first: u32,
    tileset: Tileset<'_>,
    tiles: &mut BTreeMap<u32, Properties>,
) -> Result<(), TileMapError> {
    for tile in tileset.tiles {
        let properties = properties(tile.properties, tile.class);
        if properties.is_empty() {
            continue;
        }
        let id = first.checked_add(tile.id).ok_or_else(|| {
            let found = format!("{} + {first}", tile.id);
            content("tile", "a global tile id below 2^28", &found)
        })?;
        tiles.insert(id, properties);
    }
    Ok(())
}

fn properties(list: Vec<Property<'_>>, class: Option<std::borrow::Cow<'_, str>>) -> Properties {
    let mut properties = Properties::new();
    if let Some(class) = class.filter(|class| !class.is_empty()) {
        let class = PropertyValue::Text(class.into_owned());
        properties.insert(String::from("class"), class);
    }
    let valued = list
        .into_iter()
        .filter_map(|property| Some((property.name.into_owned(), property.value.0?)));
    properties.extend(valued);
    properties
}

fn shape(shape: Shape<'_>) -> MapShape {
    let kind = shape.kind();
    MapShape {
        id: shape.id,
        name: shape.name.into_owned(),
        properties: properties(shape.properties, shape.class),
        rect: [shape.x, shape.y, shape.width, shape.height],
        kind,
    }
}

#[cfg(test)]
mod tests;
