//! Platform-independent digest of results: 64-bit FNV-1a over little-endian bytes.

/// An incremental FNV-1a digest. Not cryptographic.
///
/// ```
/// use wayfarer_base::Digest;
/// let mut digest = Digest::default();
/// digest.bytes(b"a");
/// assert_eq!(digest.value(), 0xaf63_dc4c_8601_ec8c); // the published test vector
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest {
    state: u64,
}

impl Default for Digest {
    fn default() -> Self {
        Self {
            state: 0xcbf2_9ce4_8422_2325,
        }
    }
}

impl Digest {
    /// Appends `bytes`.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Appends an unsigned number, 8 bytes.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Appends a signed number, 8 bytes.
    pub fn signed(&mut self, number: i64) {
        self.bytes(&number.to_le_bytes());
    }

    /// The digest of everything appended so far.
    pub const fn value(self) -> u64 {
        self.state
    }
}
