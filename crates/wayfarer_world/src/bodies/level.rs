//! Squares of one size over the whole world, and who stands in each.
//!
//! Squares come in pages of 32 x 32, made where they are needed. Whoever stands in a square lies
//! in a run of slots, by rising number; after a bulk update the runs of a page follow each other,
//! so that a row of squares is one run.
#![expect(
    clippy::cast_possible_truncation,
    reason = "square and slot numbers fit 32 bits: their tables are made from 32-bit counts"
)]

use std::ops::Range;

use wayfarer_base::Point2;

use super::DEAD;
use super::body::Extent;
use super::directory::Directory;

/// Squares along one side of a page, as a power of two.
pub(super) const PAGE_BITS: u32 = 5;
pub(super) const PAGE_SIDE: i32 = 1 << PAGE_BITS;
const PAGE_SQUARES: usize = 1 << (2 * PAGE_BITS);

/// Somebody in a square; its position lies first, so that several are tested at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub(super) struct Slot {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) index: u32,
    pub(super) tag: u32,
}

/// How many stand in a square, and how far they reach from where they are registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    len: u32,
    reach: i32,
}

impl Tally {
    /// One more, who reaches that far.
    #[inline]
    fn add(&mut self, reach: i32) {
        self.len += 1;
        self.reach = self.reach.max(reach);
    }
}

/// How far a way goes, along x or along y, whichever is more.
#[inline]
pub(super) fn motion_length(from: Point2, to: Point2) -> i32 {
    // Positions lie within 2^30 of the origin, so that differences have 32 bits.
    let x = (to.x.raw() - from.x.raw()).abs();
    let y = (to.y.raw() - from.y.raw()).abs();
    x.max(y)
}

/// The run of a square.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Which slots.
    pub(super) slots: Range<usize>,
    /// At least as far as anybody in it reaches from where it is registered.
    pub(super) reach: i32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) x: i32,
    pub(super) y: i32,
    /// Where the run of its first square begins, if it is tidy.
    begin: u32,
    /// True if its runs follow each other without gaps, in the order of its squares.
    is_tidy: bool,
}

impl Page {
    #[inline]
    pub(super) fn key(&self) -> (i32, i32) {
        (self.y, self.x)
    }
}

/// Who is to be counted; all slices are equally long.
pub(super) struct Crowd<'a> {
    /// Where each will stand.
    pub(super) here: &'a [Point2],
    /// Where its way of this tick begins.
    pub(super) from: &'a [Point2],
    /// Where its way of this tick ends.
    pub(super) to: &'a [Point2],
    pub(super) extents: &'a [Extent],
    /// [`DEAD`] for nobody; 0 is written for all others.
    pub(super) level_of: &'a mut [u8],
    /// The numbers of squares are written here.
    pub(super) keys: &'a mut [u32],
}

/// All squares of one size.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Side of a square in 1/256 of a cell, as a power of two.
    pub(super) shift: u32,
    pub(super) pages: Vec<Page>,
    /// The numbers of the pages, from north to south and from west to east.
    pub(super) order: Vec<u32>,
    directory: Directory,
    /// Where the run of each square ends: all that most questions look at.
    ends: Vec<u32>,
    tallies: Vec<Tally>,
    /// How many slots each run may have; written by single moves only.
    rooms: Vec<u32>,
    pub(super) slots: Vec<Slot>,
    pub(super) n_bodies: usize,
    /// Pages that had somebody after the last bulk update.
    n_used: usize,
    pub(super) bounds: Bounds,
}

/// How far anybody of a level reaches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// How many are more than points.
    pub(super) n_wide: usize,
    /// At least as far as any body reaches from its middle.
    pub(super) extent: i32,
    /// At least as far as any body reaches along its way of this tick.
    pub(super) reach: i32,
}

impl Bounds {
    /// One more with this extent, who reaches that far along its way.
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
            rooms: Vec::new(),
            slots: Vec::new(),
            n_bodies: 0,
            n_used: 0,
            bounds: Bounds::default(),
        }
    }

    /// The farthest that somebody in this level may reach.
    #[inline]
    pub(super) fn limit(&self) -> i32 {
        1 << self.shift
    }

    /// The page with these coordinates, if there is one.
    #[inline]
    pub(super) fn page(&self, x: i32, y: i32) -> Option<usize> {
        self.directory.find(x, y).map(|page| page as usize)
    }

    /// The number of the square that holds a position, if its page exists.
    #[inline]
    fn square_at(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (x >> self.shift, y >> self.shift);
        let page = self.directory.find(x >> PAGE_BITS, y >> PAGE_BITS)?;
        Some((page as usize) << (2 * PAGE_BITS) | local(x, y))
    }

    /// The number of the square that holds a position; its page is made if need be.
    #[inline]
    fn square_for(&mut self, x: i32, y: i32) -> usize {
        match self.square_at(x, y) {
            Some(square) => square,
            None => self.new_page(x, y),
        }
    }

    #[cold]
    fn new_page(&mut self, x: i32, y: i32) -> usize {
        let (x, y) = (x >> self.shift, y >> self.shift);
        // An empty run at the end of the slots is in order wherever it stands.
        let end = self.slots.len() as u32;
        let page = Page {
            x: x >> PAGE_BITS,
            y: y >> PAGE_BITS,
            begin: end,
            is_tidy: true,
        };
        let number = self.pages.len();
        self.directory.insert(page.x, page.y, number as u32);
        let place = self
            .order
            .partition_point(|&other| self.pages[other as usize].key() < page.key());
        self.order.insert(place, number as u32);
        self.pages.push(page);
        let n_squares = self.ends.len() + PAGE_SQUARES;
        self.ends.resize(n_squares, end);
        self.tallies.resize(n_squares, Tally::default());
        self.rooms.resize(n_squares, 0);
        number << (2 * PAGE_BITS) | local(x, y)
    }

    /// Begins a bulk update: nobody is here. Pages stay, unless most had nobody.
    pub(super) fn begin_bulk(&mut self) {
        if self.pages.len() > 2 * self.n_used + 8 {
            self.pages.clear();
            self.order.clear();
            self.ends.clear();
            self.tallies.clear();
            self.rooms.clear();
            self.directory.clear();
        }
        self.tallies.fill(Tally::default());
        self.n_bodies = 0;
        self.bounds = Bounds::default();
    }

    /// Counts one who will stand at a position; gives the number of the square.
    #[inline]
    pub(super) fn count(&mut self, x: i32, y: i32, reach: i32) -> u32 {
        let number = self.square_for(x, y);
        self.tallies[number].add(reach);
        number as u32
    }

    /// After the counting: where each run begins.
    pub(super) fn begin_filling(&mut self) {
        let mut next = 0;
        self.n_used = 0;
        let ends = self.ends.chunks_exact_mut(PAGE_SQUARES);
        let tallies = self.tallies.chunks_exact(PAGE_SQUARES);
        for ((page, ends), tallies) in self.pages.iter_mut().zip(ends).zip(tallies) {
            page.is_tidy = true;
            page.begin = next;
            for (end, tally) in ends.iter_mut().zip(tallies) {
                *end = next;
                next += tally.len;
            }
            self.n_used += usize::from(next > page.begin);
        }
        self.n_bodies = next as usize;
        self.slots.resize(self.n_bodies, Slot::default());
    }

    /// Counts who will stand where, and notes the numbers of their squares; the dead are passed
    /// over. Gives how many it took, up to the first that reaches too far or whose page is not at
    /// hand. Not `MIXED` if all live and are points.
    #[inline(never)]
    pub(super) fn count_many<const MIXED: bool>(&mut self, crowd: Crowd<'_>) -> usize {
        let (shift, limit) = (self.shift, self.limit());
        let window = self.directory.window();
        let tallies = &mut self.tallies[..];
        let mut bounds = self.bounds;
        let n_all = crowd.here.len();
        let paths = crowd.here.iter().zip(crowd.from.iter().zip(crowd.to));
        let notes = crowd.level_of.iter_mut().zip(crowd.keys);
        let all = paths.zip(crowd.extents).zip(notes);
        let mut n_taken = n_all;
        for (place, (((here, (from, to)), extent), (level_of, key))) in all.enumerate() {
            if MIXED && *level_of == DEAD {
                continue;
            }
            let extent = if MIXED { *extent } else { Extent::POINT };
            let reach = extent.reach().saturating_add(motion_length(*from, *to));
            let (x, y) = (here.x.raw() >> shift, here.y.raw() >> shift);
            let page = window.find(x >> PAGE_BITS, y >> PAGE_BITS);
            let (Some(page), true) = (page, reach <= limit) else {
                n_taken = place;
                break;
            };
            bounds.widen(extent, reach);
            let number = (page as usize) << (2 * PAGE_BITS) | local(x, y);
            tallies[number].add(reach);
            *key = number as u32;
            if MIXED {
                *level_of = 0;
            }
        }
        self.bounds = bounds;
        n_taken
    }

    /// For putting those who were counted into the runs of their squares.
    #[inline]
    pub(super) fn filler(&mut self) -> Filler<'_> {
        Filler {
            ends: &mut self.ends,
            slots: &mut self.slots,
        }
    }

    /// Before a single move in a page: how much room its runs have.
    fn untidy(&mut self, page: usize) {
        let page_state = &mut self.pages[page];
        if page_state.is_tidy {
            page_state.is_tidy = false;
            let squares = page * PAGE_SQUARES..(page + 1) * PAGE_SQUARES;
            let rooms = self.rooms[squares.clone()].iter_mut();
            for (room, tally) in rooms.zip(&self.tallies[squares]) {
                *room = tally.len;
            }
        }
    }

    /// The run of one square, and how far those in it reach.
    #[inline]
    pub(super) fn run(&self, square: usize) -> Run {
        let Tally { len, reach } = self.tallies[square];
        let end = self.ends[square] as usize;
        Run {
            slots: end - len as usize..end,
            reach,
        }
    }

    /// Slots of squares `first` to `last` of a tidy page, numbered within it, both included.
    #[inline]
    fn tidy_range(&self, page: usize, first: usize, last: usize) -> Range<usize> {
        let ends = &self.ends[page * PAGE_SQUARES..(page + 1) * PAGE_SQUARES];
        let begin = match first.checked_sub(1) {
            Some(before) => ends[before],
            None => self.pages[page].begin,
        };
        begin as usize..ends[last] as usize
    }

    /// The slots of squares `first` to `last` of a page, numbered within it and both included: in
    /// one run if the page is tidy.
    pub(super) fn ranges(
        &self,
        page: usize,
        first: usize,
        last: usize,
    ) -> impl Iterator<Item = Range<usize>> {
        let is_tidy = self.pages[page].is_tidy;
        let base = page * PAGE_SQUARES;
        let whole = is_tidy.then(|| self.tidy_range(page, first, last));
        let singles = if is_tidy {
            0..0
        } else {
            base + first..base + last + 1
        };
        let singles = singles.map(|square| self.run(square).slots);
        whole
            .into_iter()
            .chain(singles)
            .filter(|range| !range.is_empty())
    }

    /// Hands out the [slots](Self::ranges) of neighboring squares until `take` says false.
    #[inline]
    pub(super) fn for_ranges(
        &self,
        page: usize,
        first: usize,
        last: usize,
        mut take: impl FnMut(Range<usize>) -> bool,
    ) -> bool {
        if self.pages[page].is_tidy {
            let range = self.tidy_range(page, first, last);
            return range.is_empty() || take(range);
        }
        self.ranges(page, first, last).all(take)
    }

    /// Registers one more.
    pub(super) fn insert(&mut self, slot: Slot) {
        let number = self.square_for(slot.x, slot.y);
        self.n_bodies += 1;
        self.untidy(number >> (2 * PAGE_BITS));
        let old = self.run(number).slots;
        let tally = self.tallies[number];
        if tally.len == self.rooms[number] {
            // The run moves to the end, with room to grow.
            let begin = self.slots.len();
            let room = (2 * tally.len).max(4);
            self.rooms[number] = room;
            self.ends[number] = begin as u32 + tally.len;
            self.slots.extend_from_within(old);
            self.slots.resize(begin + room as usize, Slot::default());
        }
        self.tallies[number].len += 1;
        self.ends[number] += 1;
        let run = self.run(number).slots;
        let run = &mut self.slots[run];
        let at = run[..run.len() - 1].partition_point(|other| other.index < slot.index);
        run.copy_within(at..run.len() - 1, at + 1);
        run[at] = slot;
    }

    /// True if so much room lies waste that a bulk update would pay.
    pub(super) fn is_wasteful(&self) -> bool {
        self.slots.len() > 4 * self.n_bodies + 1024
    }

    /// The slot of one who is registered at a position.
    pub(super) fn slot_mut(&mut self, index: u32, x: i32, y: i32) -> Option<&mut Slot> {
        let number = self.square_at(x, y)?;
        let run = self.run(number).slots;
        let run = &mut self.slots[run];
        let at = run.binary_search_by_key(&index, |slot| slot.index).ok()?;
        Some(&mut run[at])
    }

    /// Notes that somebody at a position reaches that far.
    pub(super) fn widen(&mut self, x: i32, y: i32, reach: i32) {
        if let Some(number) = self.square_at(x, y) {
            let known = &mut self.tallies[number].reach;
            *known = reach.max(*known);
        }
    }

    /// Takes out one who is registered at a position.
    pub(super) fn remove(&mut self, index: u32, x: i32, y: i32) {
        let Some(number) = self.square_at(x, y) else {
            return;
        };
        self.untidy(number >> (2 * PAGE_BITS));
        let run = self.run(number).slots;
        let run = &mut self.slots[run];
        let Ok(at) = run.binary_search_by_key(&index, |slot| slot.index) else {
            return;
        };
        run.copy_within(at + 1.., at);
        self.tallies[number].len -= 1;
        self.ends[number] -= 1;
        self.n_bodies -= 1;
    }

    /// The number of the first square of a page; those of its rows follow.
    #[inline]
    pub(super) fn first_of(page: usize) -> usize {
        page * PAGE_SQUARES
    }

    pub(super) fn bytes(&self) -> usize {
        let one = size_of::<u32>() + size_of::<Tally>() + size_of::<u32>();
        self.pages.capacity() * size_of::<Page>()
            + self.ends.capacity() * one
            + self.slots.capacity() * size_of::<Slot>()
            + self.directory.bytes()
    }
}

/// Puts those who were counted into place.
pub(super) struct Filler<'a> {
    ends: &'a mut [u32],
    slots: &'a mut [Slot],
}

impl Filler<'_> {
    /// Puts one who was counted into the square's run.
    #[inline]
    pub(super) fn fill(&mut self, square: u32, slot: Slot) {
        let end = &mut self.ends[square as usize];
        self.slots[*end as usize] = slot;
        *end += 1;
    }
}

/// The place of a square in its page.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "masked to 5 bits just before")]
fn local(x: i32, y: i32) -> usize {
    let mask = PAGE_SIDE - 1;
    ((y & mask) << PAGE_BITS | (x & mask)) as usize
}
