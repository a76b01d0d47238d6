//! Orders to build the tiles of a streamed world, and what a worker does with one; without a transport.
//!
//! An order is a plan and the name of a source that every worker knows. A tile depends on nothing else,
//! so it does not matter which worker builds it, or how often; its bytes end with their digest.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use wayfarer::streaming::{BakedTile, CitySource, StreamError, TileId, TilePlan, TileSource};

/// Finds the source of a name.
pub type Sources = Arc<dyn Fn(&str) -> Option<Arc<dyn TileSource>> + Send + Sync>;

/// What a cluster is to build.
#[derive(Clone, Debug)]
pub struct BakeOrder {
    /// The plan of the world.
    pub plan: TilePlan,
    /// The name of the source, which workers find by [`Sources`].
    pub source: String,
}

/// Why an order or a tile failed.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The bytes are no order or task.
    #[error("no bake order: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// No source has this name.
    #[error("no source is named `{name}`")]
    UnknownSource {
        /// The name.
        name: String,
    },
    /// A tile could not be built.
    #[error(transparent)]
    Tile(#[from] StreamError),
}

/// Longest name of a source.
const MAX_NAME: usize = 1_024;

impl BakeOrder {
    /// The order as bytes: the length of the name in 2, the name, the plan.
    ///
    /// # Errors
    /// The name is longer than 1,024 bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BakeError> {
        let length = u16::try_from(self.source.len()).ok();
        let length = length.filter(|length| usize::from(*length) <= MAX_NAME);
        let length = length.ok_or_else(|| malformed("the name of the source is too long"))?;
        let mut bytes = length.to_le_bytes().to_vec();
        bytes.extend(self.source.as_bytes());
        bytes.extend(self.plan.save());
        Ok(bytes)
    }

    /// An order of [`BakeOrder::to_bytes`].
    ///
    /// # Errors
    /// The bytes are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BakeError> {
        let (length, rest) = bytes
            .split_first_chunk::<2>()
            .ok_or_else(|| malformed("too short"))?;
        let length = usize::from(u16::from_le_bytes(*length));
        let parts = rest.split_at_checked(length).filter(|_| length <= MAX_NAME);
        let (name, plan) = parts.ok_or_else(|| malformed("the name is cut off"))?;
        let source = String::from_utf8(name.to_vec()).map_err(|error| malformed(&error))?;
        let plan = TilePlan::load(plan).map_err(|error| malformed(&error))?;
        Ok(Self { plan, source })
    }

    /// Builds a tile.
    ///
    /// # Errors
    /// No source has the name, or the tile cannot be built.
    pub fn bake(&self, sources: &Sources, tile: TileId) -> Result<BakedTile, BakeError> {
        let source = sources(&self.source);
        let source = source.ok_or_else(|| BakeError::UnknownSource {
            name: self.source.clone(),
        })?;
        Ok(self.plan.bake(source.as_ref(), tile)?)
    }
}

fn malformed(reason: &(impl fmt::Display + ?Sized)) -> BakeError {
    BakeError::Malformed {
        reason: reason.to_string(),
    }
}

/// The sources that every program has: `city:SIDE:SEED`, a made city.
pub fn made_sources() -> Sources {
    Arc::new(|name| {
        let rest = name.strip_prefix("city:")?;
        let (side, seed) = rest.split_once(':')?;
        let city = CitySource::new(side.parse().ok()?, seed.parse().ok()?).ok()?;
        Some(Arc::new(city))
    })
}

#[cfg(test)]
mod tests {
    use wayfarer::streaming::{MemoryStore, StreamedLayout, StreamedWorld};
    use wayfarer::{Position, Scale};

    use super::*;

    #[test]
    fn tiles_of_an_order_that_was_sent_make_the_world_of_one_machine() {
        let (low, high) = (
            Position::new(0.0, 0.0, 0.0),
            Position::new(256.0, 192.0, 0.0),
        );
        let layout = StreamedLayout {
            tile_cells: 64,
            ..StreamedLayout::new(Scale::UNIT, low, high)
        };
        let plan = TilePlan::new(&layout).unwrap();
        let source = "city:256:3".to_owned();
        let order = BakeOrder { plan, source };
        let sent = BakeOrder::from_bytes(&order.to_bytes().unwrap()).unwrap();
        let sources = made_sources();
        let tiles = sent.plan.tiles().into_iter().rev();
        let tiles = tiles.map(|tile| sent.bake(&sources, tile).unwrap());
        let store = || Box::new(MemoryStore::default());
        let assembled = StreamedWorld::assemble(&order.plan, tiles, store()).unwrap();
        let city = CitySource::new(256, 3).unwrap();
        let alone = StreamedWorld::create(&layout, Box::new(city), store(), 1).unwrap();
        assert_eq!(assembled.hash(), alone.hash());
    }

    #[test]
    fn damaged_orders_and_unknown_sources_are_errors() {
        let layout = StreamedLayout::new(
            Scale::UNIT,
            Position::new(0.0, 0.0, 0.0),
            Position::new(9.0, 9.0, 0.0),
        );
        let order = BakeOrder {
            plan: TilePlan::new(&layout).unwrap(),
            source: "village:9".to_owned(),
        };
        let bytes = order.to_bytes().unwrap();
        for cut in 0..bytes.len() {
            assert!(BakeOrder::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        let tile = TileId { x: 0, y: 0 };
        let baked = order.bake(&made_sources(), tile);
        assert!(
            matches!(baked, Err(BakeError::UnknownSource { .. })),
            "{baked:?}"
        );
        let long = "x".repeat(2_000);
        let long = BakeOrder {
            source: long,
            ..order
        };
        assert!(long.to_bytes().is_err());
    }
}
