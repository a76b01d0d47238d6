//! Seeded pseudorandom numbers: `SplitMix64` \[Steele2014\], identical on every target. Not for
//! cryptography.

/// A `SplitMix64` generator; equal seeds give equal sequences.
///
/// ```
/// use wayfarer_base::Rng;
/// let mut rng = Rng::new(7);
/// let face = 1 + rng.below(6);
/// assert!((1..=6).contains(&face));
/// assert_eq!(Rng::new(7).next_u64(), Rng::new(7).next_u64());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator seeded with `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The generator number `stream` of `seed`, independent of the draws from other streams.
    pub const fn for_stream(seed: u64, stream: u64) -> Self {
        let mut rng = Self::new(seed ^ stream.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let mixed = rng.draw();
        Self::new(mixed)
    }

    const fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.draw()
    }

    /// A number below `limit`, uniform to within 2^-32; 0 if `limit` is 0.
    pub const fn below(&mut self, limit: u32) -> u32 {
        (((self.draw() >> 32) * limit as u64) >> 32) as u32
    }

    /// A uniform number from `low` to `high`, both included; `low` if `high <= low`.
    pub const fn between(&mut self, low: i32, high: i32) -> i32 {
        if high <= low {
            return low;
        }
        let span = high.abs_diff(low).saturating_add(1);
        low.wrapping_add_unsigned(self.below(span))
    }

    /// True with probability `times` / `of`.
    pub const fn chance(&mut self, times: u32, of: u32) -> bool {
        self.below(of) < times
    }

    /// Shuffles `items` (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let limit = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.below(limit) as usize);
        }
    }

    /// A uniformly chosen item; `None` if `items` is empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let limit = u32::try_from(items.len()).unwrap_or(u32::MAX);
        items.get(self.below(limit) as usize)
    }
}

#[cfg(test)]
mod tests;
