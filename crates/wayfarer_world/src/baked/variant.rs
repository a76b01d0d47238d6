//! A map in another state, baked beforehand: a gate that opens by flipping a few addresses.

use thiserror::Error;
use wayfarer_base::Direction;

use super::{BakedAbstraction, SectorWord};

/// Sectors that differ in another state of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    /// True while the map is in this state.
    pub(super) is_on: bool,
    /// Sectors, each with the word that is not in use now, sorted.
    pub(super) words: Vec<(u32, u32)>,
}

/// Why a variant cannot be added or turned.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VariantError {
    /// Another size of map or of sectors.
    #[error("the variant has {found}, the map {expected}")]
    Shape {
        /// What the variant has.
        found: String,
        /// What the map has.
        expected: String,
    },
    /// A name that is taken, empty or longer than 255 bytes.
    #[error("the name `{0}` is taken, empty or longer than 255 bytes")]
    Name(String),
    /// Two variants change the same or neighboring sectors, whose data refer to each other.
    #[error("`{first}` and `{second}` both change what lies around the sector from ({x}, {y})")]
    Overlap {
        /// The variant that was there.
        first: String,
        /// The variant to be added.
        second: String,
        /// Column of the sector's first cell.
        x: i32,
        /// Row of the sector's first cell.
        y: i32,
    },
    /// There is no such variant.
    #[error("there is no variant `{0}`")]
    Unknown(String),
    /// The data of all variants are too large.
    #[error("with the variant the regions take {found} bytes, expected at most 8388608")]
    Data {
        /// How many.
        found: usize,
    },
}

impl Variant {
    pub(super) fn payload_bytes(&self) -> usize {
        self.words.len() * size_of::<(u32, u32)>()
    }
}

impl BakedAbstraction {
    /// Adds another state of the same map under a name; the map itself stays as it is.
    ///
    /// Only sectors that differ are kept, their data at the end of the map's own.
    ///
    /// # Errors
    /// Maps of different shape; a name that is taken; sectors that another variant changes, or
    /// that lie beside them; too much data. Nothing is added then.
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
                // A sector without regions needs no address, and must not name one past the end.
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

    /// Turns a variant on or off: the addresses of its sectors are exchanged.
    ///
    /// # Errors
    /// A name that no variant has.
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

    /// The variants by name, whether each is on, and how many sectors it changes.
    pub fn variants(&self) -> impl Iterator<Item = (&str, bool, usize)> {
        let variants = self.variants.iter();
        variants.map(|variant| (variant.name.as_str(), variant.is_on, variant.words.len()))
    }

    /// The data of a stored sector; nothing for a default sector.
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
