//! A short number that stands for a long result, the same on every machine.

/// A running digest of numbers and bytes (64-bit FNV-1a over little-endian bytes).
///
/// It tells results apart; it does not resist a forger.
///
/// ```
/// use wayfarer_base::Digest;
/// let mut digest = Digest::default();
/// digest.bytes(b"a");
/// assert_eq!(digest.value(), 0xaf63_dc4c_8601_ec8c); // the published value
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
    /// Takes in `bytes`.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Takes in a number.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Takes in a signed number.
    pub fn signed(&mut self, number: i64) {
        self.bytes(&number.to_le_bytes());
    }

    /// The digest of all taken in so far.
    pub const fn value(self) -> u64 {
        self.state
    }
}
