//! The bytes of a segment: a header, then a record per command, each with the hash of the one before
//! it. Described in `docs/design/journal.md`.

use wayfarer_engine::base::{Digest, Revision};

/// Magic bytes of a segment.
pub(super) const MAGIC: [u8; 8] = *b"WAYFJRNL";
/// The only version.
pub(super) const VERSION: u32 = 1;
pub(super) const HEADER_BYTES: usize = 48;
/// Bytes of a record before its command, and after.
const PREFIX_BYTES: usize = 32;
const HASH_BYTES: usize = 8;
/// Marks a record that holds a command.
const COMMAND: u32 = 1;
/// Largest command, in bytes: 1 GiB.
pub(super) const MAX_COMMAND_BYTES: usize = 1 << 30;

/// Where a segment begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// Records of the journal before it.
    pub(super) n_before: u64,
    /// Hash of the last of them.
    pub(super) hash_before: u64,
    /// Digest of the snapshot file after them.
    pub(super) snapshot_digest: u64,
}

/// A record, borrowed from the bytes of its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record<'a> {
    /// Revision of the world after the command.
    pub(super) revision: Revision,
    /// The command's bytes.
    pub(super) command: &'a [u8],
    /// Hash of the record, which covers those before it.
    pub(super) hash: u64,
    /// Bytes of the whole record.
    pub(super) length: usize,
}

/// What stands at a place where a record may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found<'a> {
    Record(Record<'a>),
    /// The end of the segment.
    End,
    /// Bytes that are no whole record: a write that was cut short, or damage.
    Torn,
}

impl Header {
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(self.n_before.to_le_bytes());
        bytes.extend(self.hash_before.to_le_bytes());
        bytes.extend(self.snapshot_digest.to_le_bytes());
        bytes.extend(digest(&bytes).to_le_bytes());
        bytes.try_into().expect("48 bytes were written")
    }

    /// The header at the start of a segment, or what is wrong with it.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() < HEADER_BYTES {
            let found = bytes.len();
            return Err(format!(
                "{found} bytes, expected a header of {HEADER_BYTES}"
            ));
        }
        if bytes[..8] != MAGIC {
            return Err("byte 0: not a journal, expected it to begin with `WAYFJRNL`".to_owned());
        }
        let version = u64_at(bytes, 8) & 0xffff_ffff;
        if version != u64::from(VERSION) {
            return Err(format!("byte 8: version {version}, expected {VERSION}"));
        }
        let (found, expected) = (digest(&bytes[..40]), u64_at(bytes, 40));
        if found != expected {
            return Err(format!(
                "byte 40: the digest of the header is {found:016x}, expected {expected:016x}"
            ));
        }
        Ok(Self {
            n_before: u64_at(bytes, 16),
            hash_before: u64_at(bytes, 24),
            snapshot_digest: u64_at(bytes, 32),
        })
    }
}

/// Appends a record; returns its hash.
pub(super) fn put_record(
    sink: &mut Vec<u8>,
    revision: Revision,
    hash_before: u64,
    command: &[u8],
) -> u64 {
    let start = sink.len();
    let length = u32::try_from(command.len()).expect("the caller checked the limit");
    sink.extend(length.to_le_bytes());
    sink.extend(COMMAND.to_le_bytes());
    sink.extend(revision.number.to_le_bytes());
    sink.extend(revision.branch.to_le_bytes());
    sink.extend(hash_before.to_le_bytes());
    sink.extend(command);
    let hash = digest(&sink[start..]);
    sink.extend(hash.to_le_bytes());
    hash
}

/// What begins at the first of `bytes`, after a record of hash `hash_before`.
pub(super) fn read_record(bytes: &[u8], hash_before: u64) -> Found<'_> {
    if bytes.is_empty() {
        return Found::End;
    }
    if bytes.len() < PREFIX_BYTES + HASH_BYTES {
        return Found::Torn;
    }
    let word = u64_at(bytes, 0);
    let n_command = usize::try_from(word & 0xffff_ffff).unwrap_or(usize::MAX);
    let is_command = word >> 32 == u64::from(COMMAND) && n_command <= MAX_COMMAND_BYTES;
    if !is_command || n_command > bytes.len() - PREFIX_BYTES - HASH_BYTES {
        return Found::Torn;
    }
    let (body, rest) = bytes.split_at(PREFIX_BYTES + n_command);
    let hash = u64_at(rest, 0);
    if u64_at(bytes, 24) != hash_before || digest(body) != hash {
        return Found::Torn;
    }
    Found::Record(Record {
        revision: Revision {
            number: u64_at(bytes, 8),
            branch: u64_at(bytes, 16),
        },
        command: &body[PREFIX_BYTES..],
        hash,
        length: body.len() + HASH_BYTES,
    })
}

pub(super) fn digest(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    digest.value()
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Revision = Revision {
        number: 1,
        branch: 8,
    };
    const SECOND: Revision = Revision {
        number: 2,
        branch: 9,
    };

    #[test]
    fn a_header_survives_its_bytes_and_no_other_does() {
        let header = Header {
            n_before: 7,
            hash_before: 1 << 63,
            snapshot_digest: 99,
        };
        let bytes = header.to_bytes();
        assert_eq!(Header::read(&bytes), Ok(header));
        for at in 0..HEADER_BYTES {
            let mut damaged = bytes;
            damaged[at] ^= 0x10;
            assert!(Header::read(&damaged).is_err(), "byte {at}");
            assert!(Header::read(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_record_is_whole_or_torn_wherever_it_is_cut_or_damaged() {
        let mut bytes = Vec::new();
        let first = put_record(&mut bytes, FIRST, 5, b"first");
        let length = bytes.len();
        let second = put_record(&mut bytes, SECOND, first, b"");
        let Found::Record(record) = read_record(&bytes, 5) else {
            panic!("a whole record");
        };
        assert_eq!((record.command, record.length), (&b"first"[..], length));
        let Found::Record(record) = read_record(&bytes[length..], first) else {
            panic!("a whole record");
        };
        assert_eq!((record.hash, record.revision), (second, SECOND));
        assert_eq!(read_record(&[], second), Found::End);
        // Out of its place.
        assert_eq!(read_record(&bytes[length..], 5), Found::Torn);
        for at in 0..length {
            if at > 0 {
                assert_eq!(read_record(&bytes[..at], 5), Found::Torn, "cut at {at}");
            }
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert_eq!(read_record(&damaged, 5), Found::Torn, "byte {at}");
            }
        }
    }

    #[test]
    fn a_length_beyond_the_segment_is_a_torn_record() {
        let mut bytes = Vec::new();
        put_record(&mut bytes, FIRST, 5, b"first");
        for length in [u32::MAX, 1 << 30, (1 << 30) + 1, 6] {
            bytes[..4].copy_from_slice(&length.to_le_bytes());
            assert_eq!(read_record(&bytes, 5), Found::Torn, "{length}");
        }
    }
}
