//! Min-plus arithmetic over rows of costs: fixed-width loops that compile to vector instructions.
//!
//! Costs are `i32` below [`INFINITE`], so that the sum of two never overflows and a signed
//! comparison decides; baseline x86-64 has no unsigned one. Rows are padded to [`LANES`].

/// Greater than every stored cost: no path, or one too costly for the tables.
pub(super) const INFINITE: i32 = (1 << 30) - 1;

/// Rows are multiples of this.
pub(super) const LANES: usize = 8;

/// `n` rounded up to whole lanes.
pub(super) const fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// The lesser of two numbers from 0 to 2^31 - 2, without a branch or conditional move: unlike those
/// it becomes vector instructions in a loop of fixed width, even where there is no vector minimum.
#[inline]
fn lesser(a: i32, b: i32) -> i32 {
    let difference = b.wrapping_sub(a);
    a.wrapping_add(difference & (difference >> 31))
}

/// True if some `a[i]` is less than `b[i]`.
#[inline]
pub(super) fn any_less(a: &[i32], b: &[i32]) -> bool {
    let signs = a
        .iter()
        .zip(b)
        .fold(0, |signs, (a, b)| signs | a.wrapping_sub(*b));
    signs < 0
}

/// `best[i] = min(best[i], row[i] + cost)` for whole lanes of both.
///
/// Not inlined: only as parameters are the slices known to be disjoint, without which the loop
/// stays scalar.
#[inline(never)]
pub(super) fn relax(best: &mut [i32], row: &[i32], cost: i32) {
    let (best, _) = best.as_chunks_mut::<LANES>();
    let (row, _) = row.as_chunks::<LANES>();
    for (best, row) in best.iter_mut().zip(row) {
        for (best, row) in best.iter_mut().zip(row) {
            *best = lesser(*best, row.wrapping_add(cost));
        }
    }
}

/// Lowers `costs[i]` to `best[i]`, and returns the least of those below `known[i]`.
#[inline(never)]
pub(super) fn lower_to(costs: &mut [i32], best: &[i32], known: &[i32]) -> i32 {
    let mut least = INFINITE;
    for (cost, (best, known)) in costs.iter_mut().zip(best.iter().zip(known)) {
        *cost = lesser(*cost, *best);
        // Infinite unless `best` is below `known`.
        let is_not_less = !(best.wrapping_sub(*known) >> 31);
        least = lesser(least, *best | is_not_less & INFINITE);
    }
    least
}

/// The least `a[i] + b[i]`.
#[inline]
pub(super) fn least_sum(a: &[i32], b: &[i32]) -> i32 {
    let mut least = [INFINITE; LANES];
    let (a, _) = a.as_chunks::<LANES>();
    let (b, _) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        for (least, (a, b)) in least.iter_mut().zip(a.iter().zip(b)) {
            *least = lesser(*least, a.wrapping_add(*b));
        }
    }
    least.into_iter().min().unwrap_or(INFINITE)
}

/// A square matrix of path costs, row by row; from rows to columns.
#[derive(Clone, Debug, Default)]
pub(super) struct CostMatrix {
    pub(super) stride: usize,
    pub(super) entries: Vec<i32>,
    /// The row or column of a pivot.
    pivot: Vec<i32>,
}

impl CostMatrix {
    /// Becomes the matrix of `n` nodes without edges.
    pub(super) fn reset(&mut self, n: usize) {
        self.stride = padded(n);
        self.entries.clear();
        self.entries.resize(n * self.stride, INFINITE);
        for i in 0..n {
            self.entries[i * self.stride + i] = 0;
        }
    }

    pub(super) fn row_mut(&mut self, i: usize) -> &mut [i32] {
        &mut self.entries[i * self.stride..(i + 1) * self.stride]
    }

    /// Lowers an entry.
    pub(super) fn lower(&mut self, i: usize, j: usize, cost: i32) {
        let entry = &mut self.entries[i * self.stride + j];
        *entry = (*entry).min(cost);
    }

    /// Allows paths through node `v`, among the first `n` nodes: a step of Floyd and Warshall.
    pub(super) fn pivot(&mut self, v: usize, n: usize) {
        let width = padded(n);
        self.pivot.clear();
        let start = v * self.stride;
        (self.pivot).extend_from_slice(&self.entries[start..start + width]);
        for row in self.entries.chunks_exact_mut(self.stride).take(n) {
            let cost = row[v];
            if cost < INFINITE && cost > 0 {
                relax(&mut row[..width], &self.pivot, cost);
            }
        }
    }

    /// As [`CostMatrix::pivot`] for a symmetric matrix, of which it reads and writes only the lower
    /// triangle (and the lanes beside the diagonal).
    pub(super) fn pivot_symmetric(&mut self, v: usize, n: usize) {
        let width = padded(n);
        self.pivot.clear();
        let start = v * self.stride;
        (self.pivot).extend_from_slice(&self.entries[start..=start + v]);
        let below = self.entries[..n * self.stride].chunks_exact(self.stride);
        (self.pivot).extend(below.skip(v + 1).map(|row| row[v]));
        self.pivot.resize(width, INFINITE);
        let rows = self.entries.chunks_exact_mut(self.stride).take(n);
        for (i, row) in rows.enumerate() {
            let cost = self.pivot[i];
            if cost < INFINITE && cost > 0 {
                let width = padded(i + 1);
                relax(&mut row[..width], &self.pivot[..width], cost);
            }
        }
    }

    /// Copies the lower triangle of the first `n` nodes to the upper one.
    pub(super) fn mirror(&mut self, n: usize) {
        for i in 1..n {
            for j in 0..i {
                self.entries[j * self.stride + i] = self.entries[i * self.stride + j];
            }
        }
    }
}
