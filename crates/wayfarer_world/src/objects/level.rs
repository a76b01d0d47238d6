//! Squares of one size over the whole world, and who stands in each.
//!
//! Squares come in pages of 32 x 32, made where they are needed. Whoever stands in a square lies
//! in a run of slots, by rising number; after a bulk update the runs of a page follow each other,
//! so that a row of squares is one run.
#![expect(
    clippy::cast_possible_truncation,
    reason = "square and slot numbers fit 32 bits: their tables are made from 32-bit counts"
)]

use super::directory::Directory;

/// Squares along one side of a page, as a power of two.
pub(super) const PAGE_BITS: u32 = 5;
pub(super) const PAGE_SIDE: i32 = 1 << PAGE_BITS;
const PAGE_SQUARES: usize = 1 << (2 * PAGE_BITS);

/// Somebody in a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Slot {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) index: u32,
    pub(super) tag: u32,
}

/// A square's run of slots, and how far those in it reach from where they are registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Square {
    pub(super) end: u32,
    pub(super) len: u32,
    pub(super) room: u32,
    pub(super) reach: i32,
}

impl Square {
    #[inline]
    pub(super) fn start(self) -> usize {
        (self.end - self.len) as usize
    }

    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start()..self.end as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) x: i32,
    pub(super) y: i32,
    /// True if its runs follow each other without gaps, in the order of its squares.
    pub(super) is_tidy: bool,
}

impl Page {
    #[inline]
    pub(super) fn key(&self) -> (i32, i32) {
        (self.y, self.x)
    }
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
    pub(super) squares: Vec<Square>,
    pub(super) slots: Vec<Slot>,
    pub(super) n_objects: usize,
    /// Pages that had somebody after the last bulk update.
    n_used: usize,
    /// How many are more than points.
    pub(super) n_wide: usize,
    /// At least as far as any body reaches from its middle.
    pub(super) extent: i32,
    /// At least as far as any body reaches along its way of this tick.
    pub(super) reach: i32,
}

impl Level {
    pub(super) fn new(shift: u32) -> Self {
        Self {
            shift,
            pages: Vec::new(),
            order: Vec::new(),
            directory: Directory::default(),
            squares: Vec::new(),
            slots: Vec::new(),
            n_objects: 0,
            n_used: 0,
            n_wide: 0,
            extent: 0,
            reach: 0,
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
        let page = Page {
            x: x >> PAGE_BITS,
            y: y >> PAGE_BITS,
            is_tidy: true,
        };
        let number = self.pages.len();
        self.directory.insert(page.x, page.y, number as u32);
        let place = self
            .order
            .partition_point(|&other| self.pages[other as usize].key() < page.key());
        self.order.insert(place, number as u32);
        self.pages.push(page);
        // An empty run at the end of the slots is in order wherever it stands.
        let end = self.slots.len() as u32;
        let empty = Square {
            end,
            ..Square::default()
        };
        self.squares
            .resize(self.squares.len() + PAGE_SQUARES, empty);
        number << (2 * PAGE_BITS) | local(x, y)
    }

    /// Begins a bulk update: nobody is here. Pages stay, unless most had nobody.
    pub(super) fn begin_bulk(&mut self) {
        if self.pages.len() > 2 * self.n_used + 8 {
            self.pages.clear();
            self.order.clear();
            self.squares.clear();
            self.directory.clear();
        }
        self.squares.fill(Square::default());
        for page in &mut self.pages {
            page.is_tidy = true;
        }
        self.n_objects = 0;
        self.n_wide = 0;
        self.extent = 0;
        self.reach = 0;
    }

    /// Counts one who will stand at a position; gives the number of the square.
    #[inline]
    pub(super) fn count(&mut self, x: i32, y: i32, reach: i32) -> u32 {
        let number = self.square_for(x, y);
        let square = &mut self.squares[number];
        square.len += 1;
        square.reach = square.reach.max(reach);
        number as u32
    }

    /// After the counting: where each run begins.
    pub(super) fn begin_filling(&mut self) {
        let mut next = 0;
        self.n_used = 0;
        for page in self.squares.chunks_exact_mut(PAGE_SQUARES) {
            let before = next;
            for square in page {
                square.end = next;
                next += square.len;
                square.room = square.len;
            }
            self.n_used += usize::from(next > before);
        }
        self.n_objects = next as usize;
        self.slots.resize(self.n_objects, Slot::default());
    }

    /// Puts one who was counted into the square's run.
    #[inline]
    pub(super) fn fill(&mut self, square: u32, slot: Slot) {
        let end = &mut self.squares[square as usize].end;
        self.slots[*end as usize] = slot;
        *end += 1;
    }

    /// Registers one more.
    pub(super) fn insert(&mut self, slot: Slot, reach: i32) {
        let number = self.square_for(slot.x, slot.y);
        self.n_objects += 1;
        self.reach = self.reach.max(reach);
        self.pages[number >> (2 * PAGE_BITS)].is_tidy = false;
        let square = &mut self.squares[number];
        square.reach = square.reach.max(reach);
        if square.len == square.room {
            // The run moves to the end, with room to grow.
            let old = square.range();
            let begin = self.slots.len();
            square.room = (2 * square.len).max(4);
            square.end = begin as u32 + square.len;
            self.slots.extend_from_within(old);
            self.slots
                .resize(begin + square.room as usize, Slot::default());
        }
        let run = square.start()..square.end as usize + 1;
        square.len += 1;
        square.end += 1;
        let run = &mut self.slots[run];
        let at = run[..run.len() - 1].partition_point(|other| other.index < slot.index);
        run.copy_within(at..run.len() - 1, at + 1);
        run[at] = slot;
    }

    /// True if so much room lies waste that a bulk update would pay.
    pub(super) fn is_wasteful(&self) -> bool {
        self.slots.len() > 4 * self.n_objects + 1024
    }

    /// The slot of one who is registered at a position.
    pub(super) fn slot_mut(&mut self, index: u32, x: i32, y: i32) -> Option<&mut Slot> {
        let number = self.square_at(x, y)?;
        let run = &mut self.slots[self.squares[number].range()];
        let at = run.binary_search_by_key(&index, |slot| slot.index).ok()?;
        Some(&mut run[at])
    }

    /// Notes that somebody at a position reaches that far.
    pub(super) fn widen(&mut self, x: i32, y: i32, reach: i32) {
        if let Some(number) = self.square_at(x, y) {
            let known = &mut self.squares[number].reach;
            *known = reach.max(*known);
            self.reach = self.reach.max(reach);
        }
    }

    /// Takes out one who is registered at a position.
    pub(super) fn remove(&mut self, index: u32, x: i32, y: i32) {
        let Some(number) = self.square_at(x, y) else {
            return;
        };
        let square = &mut self.squares[number];
        let run = &mut self.slots[square.range()];
        let Ok(at) = run.binary_search_by_key(&index, |slot| slot.index) else {
            return;
        };
        run.copy_within(at + 1.., at);
        square.len -= 1;
        square.end -= 1;
        self.n_objects -= 1;
        self.pages[number >> (2 * PAGE_BITS)].is_tidy = false;
    }

    /// The squares of a page, row by row.
    pub(super) fn squares_of(&self, page: usize) -> &[Square] {
        &self.squares[page * PAGE_SQUARES..(page + 1) * PAGE_SQUARES]
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Page>()
            + self.squares.capacity() * size_of::<Square>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.directory.bytes()
    }
}

/// The place of a square in its page.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "masked to 5 bits just before")]
fn local(x: i32, y: i32) -> usize {
    let mask = PAGE_SIDE - 1;
    ((y & mask) << PAGE_BITS | (x & mask)) as usize
}
