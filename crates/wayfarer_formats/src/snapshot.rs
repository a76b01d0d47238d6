//! Container format of saved worlds: tagged sections with lengths and FNV-1a digests,
//! little-endian.
//!
//! This module splits a file into sections and decodes their numbers; the facade defines the
//! content. Every read is bounds-checked and every count is checked against the remaining bytes
//! before allocation. Byte layout: `docs/design/snapshot-format.md`.

use thiserror::Error;
use wayfarer_base::Digest;

/// Magic bytes of a snapshot.
pub const MAGIC: [u8; 8] = *b"WAYFARER";
/// The only supported version.
pub const VERSION: u32 = 1;
/// Bytes of the file header.
const HEADER_BYTES: usize = 32;
/// Bytes of a section header.
const SECTION_HEADER_BYTES: usize = 24;

/// The tag of a section: four letters. Readers skip unknown sections whose first letter is
/// lowercase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub [u8; 4]);

impl Tag {
    /// True if a reader may skip an unknown section with this tag.
    pub const fn is_optional(self) -> bool {
        self.0[0].is_ascii_lowercase()
    }
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// An invalid snapshot, with the byte offset of the error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Wrong magic bytes.
    #[error("byte 0: not a saved world, expected it to begin with `WAYFARER`")]
    Magic,
    /// Unsupported version.
    #[error("byte 8: version {found}, expected {VERSION}")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The file or a section is too short or too long.
    #[error("byte {at}: {found} bytes, expected {expected}")]
    Length {
        /// Byte offset.
        at: usize,
        /// Bytes available.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// Digest mismatch: a byte is damaged.
    #[error("byte {at}: the digest of the {part} is {found:016x}, expected {expected:016x}")]
    Digest {
        /// Byte offset of the digest.
        at: usize,
        /// The digested part.
        part: String,
        /// Digest of the bytes.
        found: u64,
        /// Digest in the file.
        expected: u64,
    },
    /// An unknown section that is not optional.
    #[error("byte {at}: a section `{tag}`, which this version does not know")]
    Unknown {
        /// Byte offset of the section.
        at: usize,
        /// Its tag.
        tag: Tag,
    },
    /// A duplicate section.
    #[error("byte {at}: a second section `{tag}`")]
    Duplicate {
        /// Byte offset of the second section.
        at: usize,
        /// Its tag.
        tag: Tag,
    },
    /// A required section is missing.
    #[error("no section `{tag}`, which every saved world has")]
    Missing {
        /// Its tag.
        tag: Tag,
    },
    /// A number out of range.
    #[error("byte {at}: {what} is {found}, expected {expected}")]
    Number {
        /// Byte offset.
        at: usize,
        /// What the number denotes.
        what: &'static str,
        /// Its value.
        found: i128,
        /// The valid range.
        expected: String,
    },
    /// Entries that are not strictly ascending.
    #[error("byte {at}: {what} are not in rising order")]
    Order {
        /// Byte offset of the first entry out of order.
        at: usize,
        /// The entries.
        what: &'static str,
    },
}

impl SnapshotError {
    /// The error of number `found` out of range at byte `at`.
    pub fn out_of_range(at: usize, what: &'static str, found: i128, expected: &str) -> Self {
        Self::Number {
            at,
            what,
            found,
            expected: expected.to_owned(),
        }
    }
}

/// Writes a snapshot.
///
/// ```
/// use wayfarer_formats::snapshot::{Snapshot, SnapshotWriter, Tag};
/// let mut writer = SnapshotWriter::default();
/// writer.section(Tag(*b"WRLD"), |section| section.u32(7));
/// let bytes = writer.finish();
///
/// let snapshot = Snapshot::read(&bytes)?;
/// let mut reader = snapshot.section(Tag(*b"WRLD"))?;
/// assert_eq!(reader.u32()?, 7);
/// reader.end()?;
/// # Ok::<(), wayfarer_formats::snapshot::SnapshotError>(())
/// ```
#[derive(Debug, Default)]
pub struct SnapshotWriter {
    body: Vec<u8>,
    n_sections: u32,
}

impl SnapshotWriter {
    /// Appends a section. A tag must be used once; readers reject duplicates.
    pub fn section(&mut self, tag: Tag, write: impl FnOnce(&mut SectionWriter)) {
        let mut section = SectionWriter::default();
        write(&mut section);
        let mut header = Vec::with_capacity(SECTION_HEADER_BYTES);
        header.extend(tag.0);
        header.extend(0_u32.to_le_bytes());
        header.extend((section.bytes.len() as u64).to_le_bytes());
        let digest = digest(&[&header, &section.bytes]);
        self.body.extend(header);
        self.body.extend(digest.to_le_bytes());
        self.body.extend(section.bytes);
        self.n_sections += 1;
    }

    /// The complete file.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + self.body.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.n_sections.to_le_bytes());
        bytes.extend(((HEADER_BYTES + self.body.len()) as u64).to_le_bytes());
        bytes.extend(digest(&[&bytes]).to_le_bytes());
        bytes.extend(self.body);
        bytes
    }
}

fn digest(parts: &[&[u8]]) -> u64 {
    let mut digest = Digest::default();
    parts.iter().for_each(|part| digest.bytes(part));
    digest.value()
}

/// Encodes the content of a section, little-endian.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SectionWriter {
    bytes: Vec<u8>,
}

impl SectionWriter {
    /// The content so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The content as a whole.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Appends bytes unchanged.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Appends one byte.
    pub fn u8(&mut self, number: u8) {
        self.bytes.push(number);
    }

    /// Appends two bytes.
    pub fn u16(&mut self, number: u16) {
        self.raw(&number.to_le_bytes());
    }

    /// Appends four bytes.
    pub fn u32(&mut self, number: u32) {
        self.raw(&number.to_le_bytes());
    }

    /// Appends four bytes, signed.
    pub fn i32(&mut self, number: i32) {
        self.raw(&number.to_le_bytes());
    }

    /// Appends eight bytes.
    pub fn u64(&mut self, number: u64) {
        self.raw(&number.to_le_bytes());
    }

    /// Appends eight bytes, signed.
    pub fn i64(&mut self, number: i64) {
        self.raw(&number.to_le_bytes());
    }

    /// Appends the number of following entries, eight bytes.
    pub fn count(&mut self, count: usize) {
        self.u64(count as u64);
    }
}

/// A file split into sections, with verified digests.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    sections: Vec<(Tag, SectionReader<'a>)>,
}

impl<'a> Snapshot<'a> {
    /// Splits a file into its sections and verifies all digests. O(n), one allocation per snapshot.
    ///
    /// # Errors
    /// Wrong magic bytes, version, length or digest, or a duplicate section.
    pub fn read(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(SnapshotError::Magic);
        }
        let mut reader = SectionReader::new(bytes, 8);
        let version = reader.u32()?;
        if version != VERSION {
            return Err(SnapshotError::Version { found: version });
        }
        let n_sections = reader.u32()?;
        let n_bytes = reader.u64()?;
        let header_digest = digest(&[&bytes[..reader.at]]);
        reader.check_digest("first 24 bytes", header_digest)?;
        if n_bytes != bytes.len() as u64 {
            return Err(SnapshotError::Length {
                at: 16,
                found: bytes.len() as u64,
                expected: n_bytes,
            });
        }
        let mut sections: Vec<(Tag, SectionReader<'a>)> = Vec::new();
        for _ in 0..n_sections {
            let section_at = reader.at;
            let tag = Tag(reader.array()?);
            let reserved = reader.u32()?;
            let length = reader.u64()?;
            let (digest_at, expected) = (reader.at, reader.u64()?);
            let start = reader.at;
            let contents = reader.take(length)?;
            let found = digest(&[&bytes[section_at..digest_at], contents]);
            if found != expected {
                return Err(SnapshotError::Digest {
                    at: digest_at,
                    part: format!("section `{tag}`"),
                    found,
                    expected,
                });
            }
            if reserved != 0 {
                return Err(SnapshotError::out_of_range(
                    section_at + 4,
                    "the reserved word",
                    reserved.into(),
                    "0",
                ));
            }
            if sections.iter().any(|(known, _)| *known == tag) {
                return Err(SnapshotError::Duplicate {
                    at: section_at,
                    tag,
                });
            }
            sections.push((tag, SectionReader::new(&bytes[..reader.at], start)));
        }
        reader.end()?;
        Ok(Self { sections })
    }

    /// Tag and content length of every section, in file order.
    pub fn sections(&self) -> impl Iterator<Item = (Tag, usize)> {
        let sections = self.sections.iter();
        sections.map(|(tag, reader)| (*tag, reader.remaining()))
    }

    /// A reader at the start of a required section.
    ///
    /// # Errors
    /// [`SnapshotError::Missing`] if the file has none.
    pub fn section(&self, tag: Tag) -> Result<SectionReader<'a>, SnapshotError> {
        self.find(tag).ok_or(SnapshotError::Missing { tag })
    }

    /// A reader at the start of an optional section; the first, if a tag repeats.
    pub fn find(&self, tag: Tag) -> Option<SectionReader<'a>> {
        let found = self.sections.iter().find(|(known, _)| *known == tag);
        found.map(|(_, reader)| reader.clone())
    }

    /// Checks that every section is one of `known` or optional.
    ///
    /// # Errors
    /// The first unknown section that is not optional.
    pub fn check_known(&self, known: &[Tag]) -> Result<(), SnapshotError> {
        let mut sections = self.sections.iter();
        match sections.find(|(tag, _)| !known.contains(tag) && !tag.is_optional()) {
            Some((tag, reader)) => Err(SnapshotError::Unknown {
                at: reader.at - SECTION_HEADER_BYTES,
                tag: *tag,
            }),
            None => Ok(()),
        }
    }
}

/// Decodes the content of a section in order.
#[derive(Clone, Debug)]
pub struct SectionReader<'a> {
    /// The file up to the end of the section, so that offsets are those of the file.
    bytes: &'a [u8],
    at: usize,
}

impl<'a> SectionReader<'a> {
    const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Decodes bytes that stand alone, outside a snapshot.
    pub const fn over(bytes: &'a [u8]) -> Self {
        Self::new(bytes, 0)
    }

    /// File offset of the next byte.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Remaining bytes.
    pub const fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// Fewer bytes remain.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], SnapshotError> {
        let too_short = SnapshotError::Length {
            at: self.at,
            found: self.remaining() as u64,
            expected: length,
        };
        let length = usize::try_from(length).ok();
        let Some(length) = length.filter(|length| *length <= self.remaining()) else {
            return Err(too_short);
        };
        let taken = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// Fewer bytes remain.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let taken = self.take(N as u64)?;
        Ok(taken.try_into().expect("exactly N bytes"))
    }

    /// One byte.
    ///
    /// # Errors
    /// Too few bytes remain.
    pub fn u8(&mut self) -> Result<u8, SnapshotError> {
        self.array().map(u8::from_le_bytes)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// Too few bytes remain.
    pub fn u16(&mut self) -> Result<u16, SnapshotError> {
        self.array().map(u16::from_le_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// Too few bytes remain.
    pub fn u32(&mut self) -> Result<u32, SnapshotError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Four bytes, signed.
    ///
    /// # Errors
    /// Too few bytes remain.
    pub fn i32(&mut self) -> Result<i32, SnapshotError> {
        self.array().map(i32::from_le_bytes)
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// Too few bytes remain.
    pub fn u64(&mut self) -> Result<u64, SnapshotError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Eight bytes, signed.
    ///
    /// # Errors
    /// Too few bytes remain.
    pub fn i64(&mut self) -> Result<i64, SnapshotError> {
        self.array().map(i64::from_le_bytes)
    }

    /// One byte from 0 to `last`: a variant index.
    ///
    /// # Errors
    /// No byte remains, or it is larger than `last`.
    pub fn variant(&mut self, what: &'static str, last: u8) -> Result<u8, SnapshotError> {
        let at = self.at;
        let found = self.u8()?;
        if found > last {
            return Err(SnapshotError::out_of_range(
                at,
                what,
                found.into(),
                &format!("0 to {last}"),
            ));
        }
        Ok(found)
    }

    /// The number of following entries, each of at least `bytes_each` bytes.
    ///
    /// # Errors
    /// Too few bytes remain for so many entries.
    pub fn count(&mut self, what: &'static str, bytes_each: usize) -> Result<usize, SnapshotError> {
        let at = self.at;
        let found = self.u64()?;
        let max = self.remaining() / bytes_each.max(1);
        let count = usize::try_from(found).ok().filter(|count| *count <= max);
        count.ok_or_else(|| {
            SnapshotError::out_of_range(at, what, found.into(), &format!("at most {max}"))
        })
    }

    fn check_digest(&mut self, part: &str, found: u64) -> Result<(), SnapshotError> {
        let at = self.at;
        let expected = self.u64()?;
        if found == expected {
            return Ok(());
        }
        Err(SnapshotError::Digest {
            at,
            part: part.to_owned(),
            found,
            expected,
        })
    }

    /// Checks that the whole section was read.
    ///
    /// # Errors
    /// Bytes remain.
    pub const fn end(&self) -> Result<(), SnapshotError> {
        if self.remaining() == 0 {
            return Ok(());
        }
        Err(SnapshotError::Length {
            at: self.at,
            found: self.remaining() as u64,
            expected: 0,
        })
    }
}

#[cfg(test)]
mod tests;
