//! Tile maps of map editors.

use wayfarer_engine as engine;
use wayfarer_engine::formats::tile_rules::TileRules;

use super::{ImportError, World, bad_file};
use crate::units::Scale;

impl World {
    /// A world from a tile map of Tiled (`.tmx`, `.tmj`) or LDtk (`.ldtk`), one cell per tile, by a
    /// table from layers, tiles, properties or `IntGrid` values to terrain. [`World::import`] reads
    /// the same files by the conventions of [`TileRules`] alone. Needs the cargo feature `tilemaps`.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    /// use wayfarer::{TileRules, TileTerrain};
    ///
    /// let map = br#"<map orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16">
    ///   <layer name="grass"><data encoding="csv">1,1,1,1,1,1</data></layer>
    ///   <layer name="river"><data encoding="csv">0,2,0,0,3,0</data></layer>
    /// </map>"#;
    /// let rules = TileRules::default()
    ///     .with_layer("river", TileTerrain::Floor(Terrain::WATER))
    ///     .with_tile(3, TileTerrain::Floor(Terrain::GROUND)); // the bridge
    /// let world = World::import_tiles("ford.tmx", map, Scale::meters(1.0), &rules)?;
    /// let (from, to) = (Position::new(0.5, 0.5, 0.0), Position::new(2.5, 0.5, 0.0));
    /// let path = world.find_path(&mut Searcher::default(), &PathRequest::new(from, to))?;
    /// assert_eq!(path.end(), Some(to));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file is no tile map or invalid, an `IntGrid` value has no rule, an external tileset is
    /// missing ([`TileRules::with_tileset`]), the feature is off, or a number of the scale is out of
    /// range.
    pub fn import_tiles(
        name: &str,
        bytes: &[u8],
        scale: Scale,
        rules: &TileRules,
    ) -> Result<Self, ImportError> {
        let frame = scale.frame()?;
        let (engine, report) =
            engine::World::from_tiles(name, bytes, rules).map_err(|error| bad_file(&error))?;
        let mut world = Self::from_engine(engine, frame);
        world.import_report = report.to_string();
        Ok(world)
    }
}

#[cfg(test)]
mod tests;
