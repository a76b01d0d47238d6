//! File format of a baked graph; the reader checks every bound.
//!
//! Little-endian: `WFRZ`, version (2 bytes), side of sectors (1), zero (1), columns and rows of the
//! map (4 each), bytes of region data (4), variants (4), digest of all that follows (8); sectors (4
//! each); region data; for each variant the length of its name (1), the name, 1 if it is on (1),
//! the number of sectors it changes (4), and for each its number and its alternative word.

use thiserror::Error;
use wayfarer_base::Digest;

use super::variant::Variant;
use super::{BakedAbstraction, SectorWord};

const MAGIC: &[u8; 4] = b"WFRZ";
const VERSION: u16 = 1;
/// Bytes before the sectors.
const HEAD: usize = 32;
/// Columns and rows, at most.
const MAX_CELLS: u32 = 1 << 24;

/// An invalid baked file, with the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BakedFileError {
    /// Not a baked file.
    #[error("byte 0: not a baked map, expected it to begin with `WFRZ`")]
    Magic,
    /// An unsupported version.
    #[error("byte 4: version {found}, expected {VERSION}")]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// A number outside its limits.
    #[error("byte {at}: {what} is {found}, expected {expected}")]
    Number {
        /// Byte offset.
        at: usize,
        /// The number's name.
        what: &'static str,
        /// Its value in the file.
        found: u64,
        /// The allowed range.
        expected: String,
    },
    /// Too few or too many bytes.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// The number of bytes.
        found: usize,
        /// The expected number.
        expected: String,
    },
    /// Corrupted contents.
    #[error("byte 24: the digest of the contents is {found:016x}, expected {expected:016x}")]
    Digest {
        /// Digest of the contents.
        found: u64,
        /// Digest in the file.
        expected: u64,
    },
    /// A sector with an invalid reference.
    #[error("sector {sector}: {what}")]
    Sector {
        /// Its number, row by row.
        sector: u32,
        /// The fault.
        what: String,
    },
    /// A variant's name that is empty, taken or not UTF-8.
    #[error("byte {at}: the name of variant {number} is empty, taken or not UTF-8")]
    Name {
        /// Byte offset.
        at: usize,
        /// Index of the variant.
        number: u32,
    },
}

impl BakedAbstraction {
    /// Encodes the graph; equal on every target.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.payload_bytes());
        for word in &self.sectors {
            body.extend(word.to_le_bytes());
        }
        body.extend_from_slice(&self.data);
        for variant in &self.variants {
            // Names are at most 255 bytes, sectors fewer than 2^32.
            body.push(u8::try_from(variant.name.len()).unwrap_or(u8::MAX));
            body.extend_from_slice(variant.name.as_bytes());
            body.push(u8::from(variant.is_on));
            body.extend(narrow(variant.words.len()).to_le_bytes());
            for (sector, word) in &variant.words {
                body.extend(sector.to_le_bytes());
                body.extend(word.to_le_bytes());
            }
        }
        let mut bytes = Vec::with_capacity(HEAD + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.side, 0]);
        for number in [
            self.width,
            self.height,
            narrow(self.data.len()),
            narrow(self.variants.len()),
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(digest(&body).to_le_bytes());
        bytes.append(&mut body);
        bytes
    }

    /// Decodes a graph and checks all references.
    ///
    /// # Errors
    /// Bytes that are not a baked graph, with the position and the expected value.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BakedFileError> {
        let mut reader = Reader { bytes, at: 0 };
        if bytes.get(..4) != Some(MAGIC) {
            return Err(BakedFileError::Magic);
        }
        reader.at = 4;
        let version = reader.u16()?;
        if version != VERSION {
            return Err(BakedFileError::Version { found: version });
        }
        let side = reader.within("the side of sectors", 4, 16, Reader::u8_wide)?;
        reader.within("the spare byte", 0, 0, Reader::u8_wide)?;
        let most = u64::from(MAX_CELLS);
        let width = reader.within("the number of columns", 0, most, Reader::u32_wide)?;
        let height = reader.within("the number of rows", 0, most, Reader::u32_wide)?;
        let most = SectorWord::END as u64;
        let n_data = reader.within("the size of region data", 0, most, Reader::u32_wide)?;
        let n_variants = reader.within("the number of variants", 0, 1 << 16, Reader::u32_wide)?;
        let expected = reader.u64()?;
        let found = digest(&bytes[HEAD..]);
        if found != expected {
            return Err(BakedFileError::Digest { found, expected });
        }
        let across = width.div_ceil(side);
        let n_sectors = u64::from(across) * u64::from(height.div_ceil(side));
        let wanted = n_sectors * 4 + u64::from(n_data);
        if wanted > (bytes.len() - HEAD) as u64 {
            return Err(BakedFileError::Length {
                found: bytes.len(),
                expected: format!("at least {}", wanted + HEAD as u64),
            });
        }
        let sectors = (0..n_sectors)
            .map(|_| reader.u32())
            .collect::<Result<Vec<u32>, _>>()?;
        let data = reader.take(n_data as usize)?.to_vec();
        let mut baked = Self {
            side: side.to_le_bytes()[0],
            width,
            height,
            across,
            sectors,
            data,
            variants: Vec::new(),
        };
        for number in 0..n_variants {
            let variant = reader.variant(&baked, number)?;
            baked.variants.push(variant);
        }
        if reader.at != bytes.len() {
            return Err(BakedFileError::Length {
                found: bytes.len(),
                expected: format!("{}", reader.at),
            });
        }
        baked.check_words()?;
        baked.check_edges()?;
        // The other state of every variant must be consistent too. Variants are independent, so all
        // are toggled at once.
        let mut other = baked.clone();
        for variant in &mut other.variants {
            for (sector, word) in &mut variant.words {
                std::mem::swap(&mut other.sectors[*sector as usize], word);
            }
        }
        other.check_edges()?;
        Ok(baked)
    }

    /// Checks that every word, active or alternative, refers to existing data.
    fn check_words(&self) -> Result<(), BakedFileError> {
        let kept = self.variants.iter().flat_map(|variant| &variant.words);
        let used = (0_u32..).zip(self.sectors.iter().copied());
        for (sector, word) in used.chain(kept.copied()) {
            let word = SectorWord(word);
            if word.is_default() {
                continue;
            }
            let fault = |what: String| BakedFileError::Sector { sector, what };
            let n_regions = usize::from(word.n_regions());
            if n_regions > SectorWord::MAX_REGIONS {
                return Err(fault(format!("{n_regions} regions, expected at most 254")));
            }
            let end = self.data.len();
            let records = word.address() + n_regions * word.record_bytes();
            if records > end {
                return Err(fault(format!("regions to byte {records} of {end}")));
            }
            let mut before = 0;
            for ordinal in 1..=word.n_regions() {
                let until = self.edges_until(word, ordinal);
                if until < before {
                    return Err(fault(format!(
                        "region {} ends before it begins",
                        ordinal - 1
                    )));
                }
                before = until;
            }
            let edges = records + before * word.edge_bytes();
            if edges > end {
                return Err(fault(format!("edges to byte {edges} of {end}")));
            }
            for ordinal in 0..n_regions {
                let center = self.data[word.address() + ordinal * word.record_bytes()];
                let (left, top) = self.origin(sector);
                let x = left.cast_unsigned() + u32::from(center % self.side);
                let y = top.cast_unsigned() + u32::from(center / self.side);
                if center / self.side >= self.side || x >= self.width || y >= self.height {
                    return Err(fault(format!(
                        "the center of region {ordinal} lies outside"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Checks that every edge leads to an existing region with an edge back.
    fn check_edges(&self) -> Result<(), BakedFileError> {
        for region in self.regions() {
            let sector = region.sector;
            let fault = |what: String| BakedFileError::Sector { sector, what };
            let word = self.word(sector);
            let mut n_edges = 0;
            let mut lost = None;
            self.for_each_edge(region, |to| {
                n_edges += 1;
                let mut comes_back = false;
                if to.ordinal < self.n_regions_in(to.sector) {
                    self.for_each_edge(to, |back| comes_back |= back == region);
                }
                if !comes_back {
                    lost = Some(to);
                }
            });
            if let Some(to) = lost {
                let (there, ordinal) = (to.sector, to.ordinal);
                return Err(fault(format!(
                    "region {} has an edge to region {ordinal} of sector {there}, which has none back",
                    region.ordinal
                )));
            }
            let expected = if word.is_default() {
                8
            } else {
                self.edges_until(word, region.ordinal + 1) - self.edges_until(word, region.ordinal)
            };
            if n_edges != expected {
                return Err(fault(format!(
                    "region {} has an edge beyond the edge of the map",
                    region.ordinal
                )));
            }
        }
        Ok(())
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, n: usize) -> Result<&'b [u8], BakedFileError> {
        let end = self.at.saturating_add(n);
        let Some(taken) = self.bytes.get(self.at..end) else {
            return Err(BakedFileError::Length {
                found: self.bytes.len(),
                expected: format!("at least {end}"),
            });
        };
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BakedFileError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u16(&mut self) -> Result<u16, BakedFileError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, BakedFileError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, BakedFileError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn u8_wide(&mut self) -> Result<u32, BakedFileError> {
        Ok(u32::from(self.array::<1>()?[0]))
    }

    fn u32_wide(&mut self) -> Result<u32, BakedFileError> {
        self.u32()
    }

    fn within(
        &mut self,
        what: &'static str,
        least: u64,
        most: u64,
        read: impl FnOnce(&mut Self) -> Result<u32, BakedFileError>,
    ) -> Result<u32, BakedFileError> {
        let at = self.at;
        let number = read(self)?;
        let found = u64::from(number);
        if (least..=most).contains(&found) {
            Ok(number)
        } else {
            let expected = format!("{least} to {most}");
            Err(BakedFileError::Number {
                at,
                what,
                found,
                expected,
            })
        }
    }

    fn variant(
        &mut self,
        baked: &BakedAbstraction,
        number: u32,
    ) -> Result<Variant, BakedFileError> {
        let at = self.at;
        let n_name = self.u8_wide()? as usize;
        let name = std::str::from_utf8(self.take(n_name)?).ok();
        let is_new = |name: &&str| {
            let mut names = baked.variants();
            !name.is_empty() && names.all(|(other, ..)| other != *name)
        };
        let Some(name) = name.filter(is_new) else {
            return Err(BakedFileError::Name { at, number });
        };
        let is_on = self.within("the state of a variant", 0, 1, Self::u8_wide)? == 1;
        let most = u64::from(baked.n_sectors());
        let n_words = self.within("the number of sectors changed", 0, most, Self::u32_wide)?;
        if n_words as usize > (self.bytes.len() - self.at) / 8 {
            return Err(BakedFileError::Length {
                found: self.bytes.len(),
                expected: format!("at least {}", self.at + n_words as usize * 8),
            });
        }
        let mut words: Vec<(u32, u32)> = Vec::with_capacity(n_words as usize);
        for _ in 0..n_words {
            let least = words.last().map_or(0, |(sector, _)| u64::from(*sector) + 1);
            let most = most.saturating_sub(1);
            let sector = self.within("the sector changed", least, most, Self::u32_wide)?;
            if baked.check_overlap(name, sector).is_err() {
                let what = "two variants change it or an adjacent sector".to_owned();
                return Err(BakedFileError::Sector { sector, what });
            }
            words.push((sector, self.u32()?));
        }
        Ok(Variant {
            name: name.to_owned(),
            is_on,
            words,
        })
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    digest.value()
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
pub(super) const fn tests_head() -> usize {
    HEAD
}

/// Signs modified contents, so that the reader gets past the digest.
#[cfg(test)]
pub(super) fn tests_sign(bytes: &mut [u8]) {
    let digest = digest(&bytes[HEAD..]);
    bytes[HEAD - 8..HEAD].copy_from_slice(&digest.to_le_bytes());
}
