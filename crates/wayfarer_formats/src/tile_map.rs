//! Tile maps as plain values: what the readers of Tiled and LDtk maps return and
//! [`TileRules`](crate::tile_rules::TileRules) turn into a raster.

use std::collections::BTreeMap;

use crate::text::TextError;

/// Maximum number of tiles of all layers of a map together: 2^25.
pub const MAX_TILES: u64 = 1 << 25;

/// A tile map that cannot be read, or of which the rules make no ground.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TileMapError {
    /// Invalid XML, with line and column.
    #[error(transparent)]
    Xml(#[from] TextError),
    /// Invalid JSON.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The error text of the parser.
        message: String,
    },
    /// An element is invalid or not supported.
    #[error("{at}: expected {expected}, found {found}")]
    Content {
        /// The element, in XML with its line.
        at: String,
        /// What the reader or the rules support.
        expected: &'static str,
        /// What the file has.
        found: String,
    },
    /// A limit is exceeded.
    #[error("{at}: {found} {what}, the limit is {limit}")]
    TooLarge {
        /// The element.
        at: String,
        /// What was counted.
        what: &'static str,
        /// Number found.
        found: u64,
        /// Maximum number.
        limit: u64,
    },
}

/// A custom property's value.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PropertyValue {
    /// `bool`.
    Bool(bool),
    /// `int`, or the id of an object.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `string`, `color` or `file`.
    Text(String),
}

impl From<bool> for PropertyValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for PropertyValue {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for PropertyValue {
    fn from(value: &str) -> Self {
        Self::Text(String::from(value))
    }
}

/// Custom properties by name. The class of a tile, layer or object is the property `class`.
pub type Properties = BTreeMap<String, PropertyValue>;

/// A map of one or more layers of equal size.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TileMap {
    /// Columns from west to east.
    pub width: u32,
    /// Rows from north to south.
    pub height: u32,
    /// Pixels per tile, east and south; at least 1.
    pub tile_size: (u32, u32),
    /// From bottom to top; layers of groups are in their place.
    pub layers: Vec<MapLayer>,
    /// Properties of the tiles that have any, by global tile id.
    pub tiles: BTreeMap<u32, Properties>,
    /// Properties of the map.
    pub properties: Properties,
    /// Row-major: true for cells that are ground unless a layer says otherwise, which are those of
    /// LDtk levels. Empty for Tiled maps, where only tiles make ground.
    pub has_ground: Vec<bool>,
}

/// One layer.
#[derive(Clone, PartialEq, Debug)]
pub struct MapLayer {
    /// The name in the editor.
    pub name: String,
    /// Properties of the layer.
    pub properties: Properties,
    /// What is on it.
    pub content: LayerContent,
}

/// The content of a layer; grids are row-major with `width` times `height` entries.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum LayerContent {
    /// Global tile ids without flip bits, 0 for no tile.
    Tiles(Vec<u32>),
    /// `IntGrid` values, 0 for none, and the names of values that have one.
    Values {
        /// The grid.
        values: Vec<i32>,
        /// Names by value.
        names: BTreeMap<i32, String>,
    },
    /// Shapes of an object layer.
    Shapes(Vec<MapShape>),
}

/// An object of an object layer; lengths in pixels.
#[derive(Clone, PartialEq, Debug)]
pub struct MapShape {
    /// Its number in the editor.
    pub id: u32,
    /// Its name, which may be empty.
    pub name: String,
    /// Its properties.
    pub properties: Properties,
    /// West, north, width and height.
    pub rect: [f64; 4],
    /// What it is: `rectangle`, or what is read without its outline, such as `polygon`.
    pub kind: &'static str,
}

impl TileMap {
    /// The number of cells of a layer.
    pub(crate) const fn n_cells(&self) -> u64 {
        self.width as u64 * self.height as u64
    }
}
