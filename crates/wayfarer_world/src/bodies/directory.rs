//! Maps page coordinates to page indices in an unbounded world.

/// Page coordinates to page index.
///
/// While pages lie close together, a dense window answers in one lookup; beside it an
/// open-addressing hash table, at most half full, serves the unbounded case.
#[derive(Clone, Debug, Default)]
pub(super) struct Directory {
    window: Window,
    /// Coordinates and index; `FREE` where unused.
    entries: Vec<Entry>,
    n_used: usize,
}

/// A dense rectangle of pages, `FREE` where there is none. Contains all pages unless disabled for
/// being too sparse.
#[derive(Clone, Debug, Default)]
struct Window {
    west: i32,
    north: i32,
    width: u32,
    pages: Vec<u32>,
    is_disabled: bool,
}

/// A borrowed window for repeated lookups.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectorySlice<'a> {
    west: i32,
    north: i32,
    width: u32,
    height: u32,
    pages: &'a [u32],
}

impl DirectorySlice<'_> {
    /// The index of the page at (`x`, `y`), if the window contains it.
    #[inline]
    pub(super) fn find(&self, x: i32, y: i32) -> Option<u32> {
        let column = x.wrapping_sub(self.west).cast_unsigned();
        let row = y.wrapping_sub(self.north).cast_unsigned();
        if column >= self.width || row >= self.height {
            return None;
        }
        let page = self.pages[row as usize * self.width as usize + column as usize];
        (page != FREE).then_some(page)
    }
}

/// Maximum window slots per page.
const MAX_WINDOW_SLOTS_PER_PAGE: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Entry {
    x: i32,
    y: i32,
    page: u32,
}

const FREE: u32 = u32::MAX;

impl Directory {
    /// The index of the page at (`x`, `y`).
    #[inline]
    pub(super) fn find(&self, x: i32, y: i32) -> Option<u32> {
        let window = &self.window;
        if window.is_disabled {
            return self.probe(x, y);
        }
        let page = window.slot(x, y).map_or(FREE, |slot| window.pages[slot]);
        (page != FREE).then_some(page)
    }

    /// The window; empty if disabled.
    pub(super) fn window(&self) -> DirectorySlice<'_> {
        let window = &self.window;
        let width = if window.is_disabled { 0 } else { window.width };
        let n_slots = u32::try_from(window.pages.len()).unwrap_or(u32::MAX);
        DirectorySlice {
            west: window.west,
            north: window.north,
            width,
            height: n_slots.checked_div(width).unwrap_or(0),
            pages: &window.pages,
        }
    }

    #[cold]
    fn probe(&self, x: i32, y: i32) -> Option<u32> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut at = hash(x, y) & mask;
        loop {
            let entry = &self.entries[at];
            if entry.page == FREE {
                return None;
            }
            if (entry.x, entry.y) == (x, y) {
                return Some(entry.page);
            }
            at = (at + 1) & mask;
        }
    }

    /// Inserts a new page.
    pub(super) fn insert(&mut self, x: i32, y: i32, page: u32) {
        if 2 * (self.n_used + 1) > self.entries.len() {
            let capacity = (2 * self.entries.len()).max(16);
            let free = Entry {
                x: 0,
                y: 0,
                page: FREE,
            };
            let old = std::mem::replace(&mut self.entries, vec![free; capacity]);
            for entry in old.into_iter().filter(|entry| entry.page != FREE) {
                self.put(entry);
            }
        }
        self.n_used += 1;
        self.put(Entry { x, y, page });
        if !self.window.is_disabled {
            let limit = MAX_WINDOW_SLOTS_PER_PAGE * (self.n_used + 16);
            self.window.insert(x, y, page, limit);
        }
    }

    fn put(&mut self, entry: Entry) {
        let mask = self.entries.len() - 1;
        let mut at = hash(entry.x, entry.y) & mask;
        while self.entries[at].page != FREE {
            at = (at + 1) & mask;
        }
        self.entries[at] = entry;
    }

    /// Removes all pages; keeps capacity.
    pub(super) fn clear(&mut self) {
        for entry in &mut self.entries {
            entry.page = FREE;
        }
        self.n_used = 0;
        self.window.pages.clear();
        self.window.width = 0;
        self.window.is_disabled = false;
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.window.pages.capacity() * size_of::<u32>()
    }
}

impl Window {
    /// The slot of the page at (`x`, `y`), if inside the window.
    #[inline]
    fn slot(&self, x: i32, y: i32) -> Option<usize> {
        let column = x.wrapping_sub(self.west).cast_unsigned();
        let row = y.wrapping_sub(self.north).cast_unsigned();
        let slot = u64::from(row) * u64::from(self.width) + u64::from(column);
        let slot = usize::try_from(slot).ok()?;
        (column < self.width && slot < self.pages.len()).then_some(slot)
    }

    /// Inserts a page; grows the window with slack if needed, or disables it.
    fn insert(&mut self, x: i32, y: i32, page: u32, limit: usize) {
        if let Some(slot) = self.slot(x, y) {
            self.pages[slot] = page;
            return;
        }
        let width = i64::from(self.width);
        let height = i64::try_from(self.pages.len()).unwrap_or(i64::MAX) / width.max(1);
        let grown = |at: i32, low: i32, side: i64| {
            let (at, low) = (i64::from(at), i64::from(low));
            if side == 0 {
                return (at, at + 1);
            }
            let high = low + side;
            // Half of the side as slack towards the new page.
            let spare = side / 2;
            (
                if at < low { at - spare } else { low },
                if at >= high { at + 1 + spare } else { high },
            )
        };
        let columns = grown(x, self.west, width);
        let rows = grown(y, self.north, height);
        let fits = |at: i64| i32::try_from(at).ok();
        let size = (columns.1 - columns.0).saturating_mul(rows.1 - rows.0);
        let (Some(west), Some(north), Ok(size), Ok(new_width)) = (
            fits(columns.0),
            fits(rows.0),
            usize::try_from(size),
            u32::try_from(columns.1 - columns.0),
        ) else {
            self.is_disabled = true;
            return;
        };
        if size > limit {
            self.is_disabled = true;
            return;
        }
        let old = std::mem::replace(&mut self.pages, vec![FREE; size]);
        let (old_west, old_north) = (self.west, self.north);
        (self.west, self.north, self.width) = (west, north, new_width);
        let mut rows = old.chunks_exact(usize::try_from(width).unwrap_or(0).max(1));
        for (row, y) in rows.by_ref().zip(old_north..) {
            for (&old_page, x) in row.iter().zip(old_west..) {
                if let (true, Some(slot)) = (old_page != FREE, self.slot(x, y)) {
                    self.pages[slot] = old_page;
                }
            }
        }
        if let Some(slot) = self.slot(x, y) {
            self.pages[slot] = page;
        }
    }
}

#[cfg(test)]
mod tests;

/// Row-major within a row, so that adjacent pages share cache lines.
#[inline]
fn hash(x: i32, y: i32) -> usize {
    let row = (y.cast_unsigned()).wrapping_mul(0x9E37_79B1);
    row.rotate_left(12).wrapping_add(x.cast_unsigned()) as usize
}
