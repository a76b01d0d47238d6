//! The box that saved worlds come in: sections with names, lengths and digests.
//!
//! What the sections hold is the business of whoever saves; this module cuts the file into them
//! and hands out their numbers, so that nothing is read that is not there. The bytes are described
//! in `docs/design/snapshot-format.md`.

use thiserror::Error;
use wayfarer_base::Digest;

/// How every snapshot begins.
pub const MAGIC: [u8; 8] = *b"WAYFARER";
/// The version that is written; the only one that is read.
pub const VERSION: u32 = 1;
/// Bytes before the first section.
const HEAD: usize = 32;
/// Bytes of a section before what it holds.
const SECTION_HEAD: usize = 24;

/// The name of a section: four letters. If the first is small, whoever does not know it may pass
/// over it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub [u8; 4]);

impl Tag {
    /// True if a reader may pass over it.
    pub const fn is_optional(self) -> bool {
        self.0[0].is_ascii_lowercase()
    }
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// What is wrong with a snapshot, and at which byte.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Not a snapshot at all.
    #[error("byte 0: not a saved world, expected it to begin with `WAYFARER`")]
    Magic,
    /// Written by another version.
    #[error("byte 8: version {found}, expected {VERSION}")]
    Version {
        /// What the file says.
        found: u32,
    },
    /// The file ends too soon or goes on too long.
    #[error("byte {at}: {found} bytes, expected {expected}")]
    Length {
        /// Where that matters.
        at: usize,
        /// How many bytes there are from there on, or in all.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// Some byte is not what was written.
    #[error("byte {at}: the digest of the {part} is {found:016x}, expected {expected:016x}")]
    Digest {
        /// Where the digest stands.
        at: usize,
        /// Of what.
        part: String,
        /// Of the bytes as they are.
        found: u64,
        /// What the file says.
        expected: u64,
    },
    /// A section that nobody knows and nobody may pass over.
    #[error("byte {at}: a section `{tag}`, which this version does not know")]
    Unknown {
        /// Where it begins.
        at: usize,
        /// Its name.
        tag: Tag,
    },
    /// A section that is there twice.
    #[error("byte {at}: a second section `{tag}`")]
    Twice {
        /// Where the second begins.
        at: usize,
        /// Its name.
        tag: Tag,
    },
    /// A section that must be there and is not.
    #[error("no section `{tag}`, which every saved world has")]
    Missing {
        /// Its name.
        tag: Tag,
    },
    /// A number out of its limits.
    #[error("byte {at}: {what} is {found}, expected {expected}")]
    Number {
        /// Where.
        at: usize,
        /// Of what.
        what: &'static str,
        /// What the file says.
        found: i128,
        /// What would do.
        expected: String,
    },
    /// Things that are not in the one order they are written in.
    #[error("byte {at}: {what} are not in rising order")]
    Order {
        /// Where the first stands that is too small.
        at: usize,
        /// What.
        what: &'static str,
    },
}

impl SnapshotError {
    /// A number that cannot be, at byte `at`.
    pub fn wrong(at: usize, what: &'static str, found: i128, expected: &str) -> Self {
        Self::Number {
            at,
            what,
            found,
            expected: expected.to_owned(),
        }
    }
}

/// A snapshot in the making.
///
/// ```
/// use wayfarer_formats::snapshot::{Snapshot, SnapshotWriter, Tag};
/// let mut writer = SnapshotWriter::default();
/// writer.section(Tag(*b"WRLD"), |sink| sink.u32(7));
/// let bytes = writer.finish();
///
/// let snapshot = Snapshot::read(&bytes)?;
/// let mut source = snapshot.section(Tag(*b"WRLD"))?;
/// assert_eq!(source.u32()?, 7);
/// source.end()?;
/// # Ok::<(), wayfarer_formats::snapshot::SnapshotError>(())
/// ```
#[derive(Debug, Default)]
pub struct SnapshotWriter {
    body: Vec<u8>,
    n_sections: u32,
}

impl SnapshotWriter {
    /// Adds a section; each name once, or nobody will read the file.
    pub fn section(&mut self, tag: Tag, write: impl FnOnce(&mut SectionWriter)) {
        let mut sink = SectionWriter::default();
        write(&mut sink);
        let mut head = Vec::with_capacity(SECTION_HEAD);
        head.extend(tag.0);
        head.extend(0_u32.to_le_bytes());
        head.extend((sink.bytes.len() as u64).to_le_bytes());
        let digest = digest(&[&head, &sink.bytes]);
        self.body.extend(head);
        self.body.extend(digest.to_le_bytes());
        self.body.extend(sink.bytes);
        self.n_sections += 1;
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.body.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.n_sections.to_le_bytes());
        bytes.extend(((HEAD + self.body.len()) as u64).to_le_bytes());
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

/// Takes numbers in, little-endian.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SectionWriter {
    bytes: Vec<u8>,
}

impl SectionWriter {
    /// All taken in so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// A byte.
    pub fn u8(&mut self, number: u8) {
        self.bytes.push(number);
    }

    /// Two bytes.
    pub fn u16(&mut self, number: u16) {
        self.raw(&number.to_le_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, number: u32) {
        self.raw(&number.to_le_bytes());
    }

    /// Four bytes with a sign.
    pub fn i32(&mut self, number: i32) {
        self.raw(&number.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, number: u64) {
        self.raw(&number.to_le_bytes());
    }

    /// Eight bytes with a sign.
    pub fn i64(&mut self, number: i64) {
        self.raw(&number.to_le_bytes());
    }

    /// How many of something follow.
    pub fn count(&mut self, count: usize) {
        self.u64(count as u64);
    }
}

/// A file cut into sections, every digest checked.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    sections: Vec<(Tag, SectionReader<'a>)>,
}

impl<'a> Snapshot<'a> {
    /// Cuts a file into its sections.
    ///
    /// # Errors
    /// Where the file is not what was written, or not a snapshot.
    pub fn read(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(SnapshotError::Magic);
        }
        let mut head = SectionReader::new(bytes, 8);
        let version = head.u32()?;
        if version != VERSION {
            return Err(SnapshotError::Version { found: version });
        }
        let n_sections = head.u32()?;
        let n_bytes = head.u64()?;
        let covered = digest(&[&bytes[..head.at]]);
        head.digest("first 24 bytes", covered)?;
        if n_bytes != bytes.len() as u64 {
            return Err(SnapshotError::Length {
                at: 16,
                found: bytes.len() as u64,
                expected: n_bytes,
            });
        }
        let mut sections: Vec<(Tag, SectionReader<'a>)> = Vec::new();
        for _ in 0..n_sections {
            let from = head.at;
            let tag = Tag(head.array()?);
            let zero = head.u32()?;
            let length = head.u64()?;
            let (digest_at, expected) = (head.at, head.u64()?);
            let start = head.at;
            let contents = head.take(length)?;
            let found = digest(&[&bytes[from..digest_at], contents]);
            if found != expected {
                return Err(SnapshotError::Digest {
                    at: digest_at,
                    part: format!("section `{tag}`"),
                    found,
                    expected,
                });
            }
            if zero != 0 {
                return Err(SnapshotError::wrong(
                    from + 4,
                    "the spare word",
                    zero.into(),
                    "0",
                ));
            }
            if sections.iter().any(|(known, _)| *known == tag) {
                return Err(SnapshotError::Twice { at: from, tag });
            }
            sections.push((tag, SectionReader::new(&bytes[..head.at], start)));
        }
        head.end()?;
        Ok(Self { sections })
    }

    /// Every section with the bytes it holds, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = (Tag, usize)> {
        let sections = self.sections.iter();
        sections.map(|(tag, source)| (*tag, source.left()))
    }

    /// A section that must be there.
    ///
    /// # Errors
    /// If it is not.
    pub fn section(&self, tag: Tag) -> Result<SectionReader<'a>, SnapshotError> {
        self.find(tag).ok_or(SnapshotError::Missing { tag })
    }

    /// A section, if it is there.
    pub fn find(&self, tag: Tag) -> Option<SectionReader<'a>> {
        let found = self.sections.iter().find(|(known, _)| *known == tag);
        found.map(|(_, source)| source.clone())
    }

    /// Whether every section is one of `known`, or may be passed over.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check_known(&self, known: &[Tag]) -> Result<(), SnapshotError> {
        let mut sections = self.sections.iter();
        match sections.find(|(tag, _)| !known.contains(tag) && !tag.is_optional()) {
            Some((tag, source)) => Err(SnapshotError::Unknown {
                at: source.at - SECTION_HEAD,
                tag: *tag,
            }),
            None => Ok(()),
        }
    }
}

/// Hands out the numbers of a section, one after the other.
#[derive(Clone, Debug)]
pub struct SectionReader<'a> {
    /// The file up to the end of the section, so that places are those of the file.
    bytes: &'a [u8],
    at: usize,
}

impl<'a> SectionReader<'a> {
    const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The byte of the file that comes next.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Bytes that are left.
    pub const fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next bytes as they are.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], SnapshotError> {
        let short = SnapshotError::Length {
            at: self.at,
            found: self.left() as u64,
            expected: length,
        };
        let length = usize::try_from(length).ok();
        let Some(length) = length.filter(|length| *length <= self.left()) else {
            return Err(short);
        };
        let taken = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let taken = self.take(N as u64)?;
        Ok(taken.try_into().expect("as many were taken"))
    }

    /// A byte.
    ///
    /// # Errors
    /// If the section has ended.
    pub fn u8(&mut self) -> Result<u8, SnapshotError> {
        self.array().map(u8::from_le_bytes)
    }

    /// A number of two bytes.
    ///
    /// # Errors
    /// If the section has ended.
    pub fn u16(&mut self) -> Result<u16, SnapshotError> {
        self.array().map(u16::from_le_bytes)
    }

    /// A number of four bytes.
    ///
    /// # Errors
    /// If the section has ended.
    pub fn u32(&mut self) -> Result<u32, SnapshotError> {
        self.array().map(u32::from_le_bytes)
    }

    /// A number of four bytes with a sign.
    ///
    /// # Errors
    /// If the section has ended.
    pub fn i32(&mut self) -> Result<i32, SnapshotError> {
        self.array().map(i32::from_le_bytes)
    }

    /// A number of eight bytes.
    ///
    /// # Errors
    /// If the section has ended.
    pub fn u64(&mut self) -> Result<u64, SnapshotError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number of eight bytes with a sign.
    ///
    /// # Errors
    /// If the section has ended.
    pub fn i64(&mut self) -> Result<i64, SnapshotError> {
        self.array().map(i64::from_le_bytes)
    }

    /// A byte from 0 to `last`.
    ///
    /// # Errors
    /// If the section has ended, or the byte is larger.
    pub fn choice(&mut self, what: &'static str, last: u8) -> Result<u8, SnapshotError> {
        let at = self.at;
        let found = self.u8()?;
        if found > last {
            return Err(SnapshotError::wrong(
                at,
                what,
                found.into(),
                &format!("0 to {last}"),
            ));
        }
        Ok(found)
    }

    /// How many of something follow, each of at least `bytes_each` bytes: no more than fit.
    ///
    /// # Errors
    /// If there cannot be so many.
    pub fn count(&mut self, what: &'static str, bytes_each: usize) -> Result<usize, SnapshotError> {
        let at = self.at;
        let found = self.u64()?;
        let most = self.left() / bytes_each.max(1);
        let count = usize::try_from(found).ok().filter(|count| *count <= most);
        count
            .ok_or_else(|| SnapshotError::wrong(at, what, found.into(), &format!("at most {most}")))
    }

    fn digest(&mut self, part: &str, found: u64) -> Result<(), SnapshotError> {
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

    /// Whether all was read.
    ///
    /// # Errors
    /// If something is left.
    pub const fn end(&self) -> Result<(), SnapshotError> {
        if self.left() == 0 {
            return Ok(());
        }
        Err(SnapshotError::Length {
            at: self.at,
            found: self.left() as u64,
            expected: 0,
        })
    }
}

#[cfg(test)]
mod tests;
