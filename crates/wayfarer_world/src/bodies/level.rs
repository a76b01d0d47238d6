//! One level of the grid: bins of one size in pages of 32 x 32, allocated where needed.
//!
//! The entries of a bin form a run sorted by index. After a bulk update the runs of a page are
//! contiguous, so that a row of bins is one run; single moves make a page sparse, with spare
//! capacity per bin.
#![expect(
    clippy::cast_possible_truncation,
    reason = "bin and entry indices fit 32 bits: their tables are sized from 32-bit counts"
)]

use std::ops::Range;

use wayfarer_base::Point2;

use super::VACANT;
use super::body::Extent;
use super::directory::Directory;

/// Log2 of the bins along one side of a page.
pub(super) const PAGE_BITS: u32 = 5;
pub(super) const PAGE_SIDE: i32 = 1 << PAGE_BITS;
const PAGE_BINS: usize = 1 << (2 * PAGE_BITS);

/// A body in a bin; the position comes first for vectorized tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub(super) struct BinEntry {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) index: u32,
    pub(super) tag: u32,
}

/// The number of entries of a bin, and how far they reach from where they are registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    len: u32,
    reach: i32,
}

impl Tally {
    /// Adds an entry with this reach.
    #[inline]
    fn add(&mut self, reach: i32) {
        self.len += 1;
        self.reach = self.reach.max(reach);
    }
}

/// The Chebyshev length of a motion.
#[inline]
pub(super) fn motion_length(from: Point2, to: Point2) -> i32 {
    // Positions lie within 2^30 of the origin, so differences fit 32 bits.
    let x = (to.x.raw() - from.x.raw()).abs();
    let y = (to.y.raw() - from.y.raw()).abs();
    x.max(y)
}

/// The entries of a bin.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Their range.
    pub(super) entries: Range<usize>,
    /// Upper bound on how far they reach from where they are registered.
    pub(super) reach: i32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) x: i32,
    pub(super) y: i32,
    /// The start of its first run, if contiguous.
    begin: u32,
    /// True if its runs are contiguous in the order of its bins.
    is_contiguous: bool,
}

impl Page {
    #[inline]
    pub(super) fn key(&self) -> (i32, i32) {
        (self.y, self.x)
    }
}

/// Bodies to count; all slices have equal length.
pub(super) struct BulkInput<'a> {
    /// Where each is registered.
    pub(super) registered: &'a [Point2],
    /// Where its motion starts.
    pub(super) from: &'a [Point2],
    /// Where its motion ends.
    pub(super) to: &'a [Point2],
    pub(super) extents: &'a [Extent],
    /// [`VACANT`] for unused slots; 0 is written for all others.
    pub(super) level_of: &'a mut [u8],
    /// Output: the bin of each.
    pub(super) keys: &'a mut [u32],
}

/// All bins of one size.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Log2 of the side of a bin in 1/256 of a cell.
    pub(super) shift: u32,
    pub(super) pages: Vec<Page>,
    /// Page indices from north to south and west to east.
    pub(super) order: Vec<u32>,
    directory: Directory,
    /// The end of each bin's run: all that most queries read.
    ends: Vec<u32>,
    tallies: Vec<Tally>,
    /// The capacity of each run; maintained for sparse pages only.
    capacities: Vec<u32>,
    pub(super) entries: Vec<BinEntry>,
    pub(super) n_bodies: usize,
    /// Pages with bodies after the last bulk update.
    n_used_pages: usize,
    pub(super) bounds: Bounds,
}

/// Upper bounds over the bodies of a level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// The number of bodies that are not points.
    pub(super) n_wide: usize,
    /// Upper bound on their extent.
    pub(super) extent: i32,
    /// Upper bound on their reach, motion included.
    pub(super) reach: i32,
}

impl Bounds {
    /// Includes a body with this extent and reach.
    #[inline]
    pub(super) fn widen(&mut self, extent: Extent, reach: i32) {
        self.reach = self.reach.max(reach);
        self.extent = self.extent.max(extent.reach());
        self.n_wide += usize::from(!extent.is_point());
    }
}

impl Level {
    pub(super) fn new(shift: u32) -> Self {
        Self {
            shift,
            pages: Vec::new(),
            order: Vec::new(),
            directory: Directory::default(),
            ends: Vec::new(),
            tallies: Vec::new(),
            capacities: Vec::new(),
            entries: Vec::new(),
            n_bodies: 0,
            n_used_pages: 0,
            bounds: Bounds::default(),
        }
    }

    /// The maximum reach of a body in this level.
    #[inline]
    pub(super) fn limit(&self) -> i32 {
        1 << self.shift
    }

    /// The page at these coordinates.
    #[inline]
    pub(super) fn page(&self, x: i32, y: i32) -> Option<usize> {
        self.directory.find(x, y).map(|page| page as usize)
    }

    /// The bin that contains a position, if its page exists.
    #[inline]
    fn bin_at(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (x >> self.shift, y >> self.shift);
        let page = self.directory.find(x >> PAGE_BITS, y >> PAGE_BITS)?;
        Some((page as usize) << (2 * PAGE_BITS) | local(x, y))
    }

    /// The bin that contains a position; allocates its page if needed.
    #[inline]
    fn bin_for(&mut self, x: i32, y: i32) -> usize {
        match self.bin_at(x, y) {
            Some(bin) => bin,
            None => self.new_page(x, y),
        }
    }

    #[cold]
    fn new_page(&mut self, x: i32, y: i32) -> usize {
        let (x, y) = (x >> self.shift, y >> self.shift);
        // An empty run at the end is contiguous in any page order.
        let end = self.entries.len() as u32;
        let page = Page {
            x: x >> PAGE_BITS,
            y: y >> PAGE_BITS,
            begin: end,
            is_contiguous: true,
        };
        let number = self.pages.len();
        self.directory.insert(page.x, page.y, number as u32);
        let position = self
            .order
            .partition_point(|&other| self.pages[other as usize].key() < page.key());
        self.order.insert(position, number as u32);
        self.pages.push(page);
        let n_bins = self.ends.len() + PAGE_BINS;
        self.ends.resize(n_bins, end);
        self.tallies.resize(n_bins, Tally::default());
        self.capacities.resize(n_bins, 0);
        number << (2 * PAGE_BITS) | local(x, y)
    }

    /// Starts a bulk update with no bodies. Pages are kept unless most were empty.
    pub(super) fn begin_bulk(&mut self) {
        if self.pages.len() > 2 * self.n_used_pages + 8 {
            self.pages.clear();
            self.order.clear();
            self.ends.clear();
            self.tallies.clear();
            self.capacities.clear();
            self.directory.clear();
        }
        self.tallies.fill(Tally::default());
        self.n_bodies = 0;
        self.bounds = Bounds::default();
    }

    /// Counts a body at a position; returns its bin.
    #[inline]
    pub(super) fn count(&mut self, x: i32, y: i32, reach: i32) -> u32 {
        let bin = self.bin_for(x, y);
        self.tallies[bin].add(reach);
        bin as u32
    }

    /// After counting: computes the start of each run.
    pub(super) fn begin_filling(&mut self) {
        let mut next = 0;
        self.n_used_pages = 0;
        let ends = self.ends.chunks_exact_mut(PAGE_BINS);
        let tallies = self.tallies.chunks_exact(PAGE_BINS);
        for ((page, ends), tallies) in self.pages.iter_mut().zip(ends).zip(tallies) {
            page.is_contiguous = true;
            page.begin = next;
            for (end, tally) in ends.iter_mut().zip(tallies) {
                *end = next;
                next += tally.len;
            }
            self.n_used_pages += usize::from(next > page.begin);
        }
        self.n_bodies = next as usize;
        self.entries.resize(self.n_bodies, BinEntry::default());
    }

    /// Counts bodies and stores their bins; skips vacant slots. Returns how many it processed, up
    /// to the first with too large a reach or a page outside the window. Not `MIXED` if all slots
    /// hold points.
    #[inline(never)]
    pub(super) fn count_many<const MIXED: bool>(&mut self, input: BulkInput<'_>) -> usize {
        let (shift, limit) = (self.shift, self.limit());
        let window = self.directory.window();
        let tallies = &mut self.tallies[..];
        let mut bounds = self.bounds;
        let n_all = input.registered.len();
        let positions = input.registered.iter().zip(input.from.iter().zip(input.to));
        let outputs = input.level_of.iter_mut().zip(input.keys);
        let all = positions.zip(input.extents).zip(outputs);
        let mut n_counted = n_all;
        for (i, (((registered, (from, to)), extent), (level_of, key))) in all.enumerate() {
            if MIXED && *level_of == VACANT {
                continue;
            }
            let extent = if MIXED { *extent } else { Extent::POINT };
            let reach = extent.reach().saturating_add(motion_length(*from, *to));
            let (x, y) = (registered.x.raw() >> shift, registered.y.raw() >> shift);
            let page = window.find(x >> PAGE_BITS, y >> PAGE_BITS);
            let (Some(page), true) = (page, reach <= limit) else {
                n_counted = i;
                break;
            };
            bounds.widen(extent, reach);
            let bin = (page as usize) << (2 * PAGE_BITS) | local(x, y);
            tallies[bin].add(reach);
            *key = bin as u32;
            if MIXED {
                *level_of = 0;
            }
        }
        self.bounds = bounds;
        n_counted
    }

    /// Writes counted bodies into the runs of their bins.
    #[inline]
    pub(super) fn filler(&mut self) -> Filler<'_> {
        Filler {
            ends: &mut self.ends,
            entries: &mut self.entries,
        }
    }

    /// Before a single move: records the capacities of a page's runs.
    fn make_sparse(&mut self, page: usize) {
        let page_state = &mut self.pages[page];
        if page_state.is_contiguous {
            page_state.is_contiguous = false;
            let bins = page * PAGE_BINS..(page + 1) * PAGE_BINS;
            let capacities = self.capacities[bins.clone()].iter_mut();
            for (capacity, tally) in capacities.zip(&self.tallies[bins]) {
                *capacity = tally.len;
            }
        }
    }

    /// The run of one bin.
    #[inline]
    pub(super) fn run(&self, bin: usize) -> Run {
        let Tally { len, reach } = self.tallies[bin];
        let end = self.ends[bin] as usize;
        Run {
            entries: end - len as usize..end,
            reach,
        }
    }

    /// The entries of bins `first` to `last` (local, both included) of a contiguous page.
    #[inline]
    fn contiguous_range(&self, page: usize, first: usize, last: usize) -> Range<usize> {
        let ends = &self.ends[page * PAGE_BINS..(page + 1) * PAGE_BINS];
        let start = match first.checked_sub(1) {
            Some(before) => ends[before],
            None => self.pages[page].begin,
        };
        start as usize..ends[last] as usize
    }

    /// The entries of bins `first` to `last` (local, both included) of a page: one range if it is
    /// contiguous.
    pub(super) fn ranges(
        &self,
        page: usize,
        first: usize,
        last: usize,
    ) -> impl Iterator<Item = Range<usize>> {
        let is_contiguous = self.pages[page].is_contiguous;
        let base = page * PAGE_BINS;
        let whole = is_contiguous.then(|| self.contiguous_range(page, first, last));
        let singles = if is_contiguous {
            0..0
        } else {
            base + first..base + last + 1
        };
        let singles = singles.map(|bin| self.run(bin).entries);
        whole
            .into_iter()
            .chain(singles)
            .filter(|range| !range.is_empty())
    }

    /// Visits the [ranges](Self::ranges) of adjacent bins until `take` returns false.
    #[inline]
    pub(super) fn for_each_range(
        &self,
        page: usize,
        first: usize,
        last: usize,
        mut take: impl FnMut(Range<usize>) -> bool,
    ) -> bool {
        if self.pages[page].is_contiguous {
            let range = self.contiguous_range(page, first, last);
            return range.is_empty() || take(range);
        }
        self.ranges(page, first, last).all(take)
    }

    /// Registers an entry.
    pub(super) fn insert(&mut self, entry: BinEntry) {
        let bin = self.bin_for(entry.x, entry.y);
        self.n_bodies += 1;
        self.make_sparse(bin >> (2 * PAGE_BITS));
        let old = self.run(bin).entries;
        let tally = self.tallies[bin];
        if tally.len == self.capacities[bin] {
            // Moves the run to the end with doubled capacity.
            let start = self.entries.len();
            let capacity = (2 * tally.len).max(4);
            self.capacities[bin] = capacity;
            self.ends[bin] = start as u32 + tally.len;
            self.entries.extend_from_within(old);
            self.entries
                .resize(start + capacity as usize, BinEntry::default());
        }
        self.tallies[bin].len += 1;
        self.ends[bin] += 1;
        let run = self.run(bin).entries;
        let run = &mut self.entries[run];
        let at = run[..run.len() - 1].partition_point(|other| other.index < entry.index);
        run.copy_within(at..run.len() - 1, at + 1);
        run[at] = entry;
    }

    /// True if unused capacity makes a bulk update worthwhile.
    pub(super) fn is_wasteful(&self) -> bool {
        self.entries.len() > 4 * self.n_bodies + 1024
    }

    /// The entry of a body registered at a position.
    pub(super) fn entry_mut(&mut self, index: u32, x: i32, y: i32) -> Option<&mut BinEntry> {
        let bin = self.bin_at(x, y)?;
        let run = self.run(bin).entries;
        let run = &mut self.entries[run];
        let at = run.binary_search_by_key(&index, |entry| entry.index).ok()?;
        Some(&mut run[at])
    }

    /// Raises the reach of the bin at a position.
    pub(super) fn widen(&mut self, x: i32, y: i32, reach: i32) {
        if let Some(bin) = self.bin_at(x, y) {
            let current = &mut self.tallies[bin].reach;
            *current = reach.max(*current);
        }
    }

    /// Removes a body registered at a position.
    pub(super) fn remove(&mut self, index: u32, x: i32, y: i32) {
        let Some(bin) = self.bin_at(x, y) else {
            return;
        };
        self.make_sparse(bin >> (2 * PAGE_BITS));
        let run = self.run(bin).entries;
        let run = &mut self.entries[run];
        let Ok(at) = run.binary_search_by_key(&index, |entry| entry.index) else {
            return;
        };
        run.copy_within(at + 1.., at);
        self.tallies[bin].len -= 1;
        self.ends[bin] -= 1;
        self.n_bodies -= 1;
    }

    /// The index of the first bin of a page; its bins are consecutive.
    #[inline]
    pub(super) fn first_bin(page: usize) -> usize {
        page * PAGE_BINS
    }

    pub(super) fn bytes(&self) -> usize {
        let per_bin = size_of::<u32>() + size_of::<Tally>() + size_of::<u32>();
        self.pages.capacity() * size_of::<Page>()
            + self.ends.capacity() * per_bin
            + self.entries.capacity() * size_of::<BinEntry>()
            + self.directory.bytes()
    }
}

/// Writes counted bodies into their runs.
pub(super) struct Filler<'a> {
    ends: &'a mut [u32],
    entries: &'a mut [BinEntry],
}

impl Filler<'_> {
    /// Appends an entry to the run of a bin.
    #[inline]
    pub(super) fn fill(&mut self, bin: u32, entry: BinEntry) {
        let end = &mut self.ends[bin as usize];
        self.entries[*end as usize] = entry;
        *end += 1;
    }
}

/// The local index of a bin in its page.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "masked to 5 bits just before")]
fn local(x: i32, y: i32) -> usize {
    let mask = PAGE_SIDE - 1;
    ((y & mask) << PAGE_BITS | (x & mask)) as usize
}
