//! Variants: alternative states of parts of a map, switched by exchanging a few sector words.

use thiserror::Error;
use wayfarer_base::Direction;

use super::{BakedAbstraction, SectorWord};

/// The sectors that differ in an alternative state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    /// True while the alternative state is active.
    pub(super) is_on: bool,
    /// Sectors with their inactive words, sorted.
    pub(super) words: Vec<(u32, u32)>,
}

/// A variant that cannot be added or set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VariantError {
    /// A different map size or sector side.
    #[error("the variant has {found}, the map {expected}")]
    Shape {
        /// The size of the variant.
        found: String,
        /// The size of the map.
        expected: String,
    },
    /// A name that is taken, empty or longer than 255 bytes.
    #[error("the name `{0}` is taken, empty or longer than 255 bytes")]
    Name(String),
    /// Two variants that change the same or adjacent sectors, whose data refer to each other.
    #[error("`{first}` and `{second}` both change sectors around the one from ({x}, {y})")]
    Overlap {
        /// The existing variant.
        first: String,
        /// The variant to add.
        second: String,
        /// Column of the sector's first cell.
        x: i32,
        /// Row of the sector's first cell.
        y: i32,
    },
    /// An unknown name.
    #[error("there is no variant `{0}`")]
    Unknown(String),
    /// Too much region data.
    #[error("with the variant the regions take {found} bytes, expected at most 8388608")]
    Data {
        /// Its size in bytes.
        found: usize,
    },
}

impl Variant {
    pub(super) fn payload_bytes(&self) -> usize {
        self.words.len() * size_of::<(u32, u32)>()
    }
}

impl BakedAbstraction {
    /// Adds an alternative state of the same map; the current state is unchanged.
    ///
    /// Only sectors that differ are stored, their data behind the map's own.
    ///
    /// # Errors
    /// A map of different size; a name that is taken; sectors that another variant changes, or
    /// adjacent ones; too much data. Nothing is added then.
    pub fn add_variant(&mut self, name: &str, other: &Self) -> Result<(), VariantError> {
        let shape = |map: &Self| {
            let (width, height, side) = (map.width, map.height, map.side);
            format!("{width} x {height} cells in sectors of {side}")
        };
        if shape(self) != shape(other) {
            return Err(VariantError::Shape {
                found: shape(other),
                expected: shape(self),
            });
        }
        if name.is_empty() || name.len() > 255 || self.variants.iter().any(|v| v.name == name) {
            return Err(VariantError::Name(name.to_owned()));
        }
        let mut words = Vec::new();
        let mut data = Vec::new();
        for sector in 0..self.n_sectors() {
            let (old, new) = (self.word(sector), other.word(sector));
            let bytes = other.bytes_of(new);
            if old.is_default() == new.is_default() && self.bytes_of(old) == bytes {
                continue;
            }
            self.check_overlap(name, sector)?;
            let address = self.data.len() + data.len();
            if address + bytes.len() > SectorWord::END {
                let found = address + bytes.len();
                return Err(VariantError::Data { found });
            }
            let word = if new.is_default() {
                new
            } else {
                // A sector without regions has no data, so its address must not exceed the end.
                let address = if bytes.is_empty() { 0 } else { address };
                let address = u32::try_from(address).unwrap_or(u32::MAX);
                SectorWord::new(new.n_regions(), address, new.is_wide())
            };
            data.extend_from_slice(bytes);
            words.push((sector, word.0));
        }
        self.data.extend_from_slice(&data);
        self.variants.push(Variant {
            name: name.to_owned(),
            is_on: false,
            words,
        });
        Ok(())
    }

    /// Switches a variant on or off by exchanging the words of its sectors. O(sectors changed).
    ///
    /// # Errors
    /// An unknown name.
    pub fn set_variant(&mut self, name: &str, on: bool) -> Result<(), VariantError> {
        let Self {
            sectors, variants, ..
        } = self;
        let variant = variants.iter_mut().find(|variant| variant.name == name);
        let Some(variant) = variant else {
            return Err(VariantError::Unknown(name.to_owned()));
        };
        if variant.is_on != on {
            variant.is_on = on;
            for (sector, word) in &mut variant.words {
                std::mem::swap(&mut sectors[*sector as usize], word);
            }
        }
        Ok(())
    }

    /// The variants: name, whether it is on, number of sectors it changes.
    pub fn variants(&self) -> impl Iterator<Item = (&str, bool, usize)> {
        let variants = self.variants.iter();
        variants.map(|variant| (variant.name.as_str(), variant.is_on, variant.words.len()))
    }

    /// The data of a stored sector; empty for a default sector.
    pub(super) fn bytes_of(&self, word: SectorWord) -> &[u8] {
        if word.is_default() || word.n_regions() == 0 {
            return &[];
        }
        let n_edges = self.edges_until(word, word.n_regions());
        let n_bytes =
            usize::from(word.n_regions()) * word.record_bytes() + n_edges * word.edge_bytes();
        &self.data[word.address()..word.address() + n_bytes]
    }

    pub(super) fn check_overlap(&self, name: &str, sector: u32) -> Result<(), VariantError> {
        let around = Direction::ALL
            .into_iter()
            .filter_map(|direction| self.next_sector(sector, direction));
        for near in around.chain([sector]) {
            let other = self.variants.iter().find(|variant| {
                let found = variant.words.binary_search_by_key(&near, |(at, _)| *at);
                found.is_ok()
            });
            if let Some(other) = other {
                let (x, y) = self.origin(sector);
                return Err(VariantError::Overlap {
                    first: other.name.clone(),
                    second: name.to_owned(),
                    x,
                    y,
                });
            }
        }
        Ok(())
    }
}
