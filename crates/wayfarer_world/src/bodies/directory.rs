//! Which page of squares lies where, in a world without bounds.

/// From the coordinates of a page to its number.
///
/// A window over the map as long as the pages lie close together, which is one look; beside it,
/// for a world without bounds, open addressing, at most half full.
#[derive(Clone, Debug, Default)]
pub(super) struct Directory {
    window: Window,
    /// Coordinates and number; `FREE` where nothing is.
    entries: Vec<Entry>,
    n_used: usize,
}

/// The pages of a rectangle; `FREE` where there is none. All pages lie in it, unless it has been
/// given up as too large for what it holds.
#[derive(Clone, Debug, Default)]
struct Window {
    west: i32,
    north: i32,
    width: u32,
    pages: Vec<u32>,
    is_given_up: bool,
}

/// A window, to be looked at often.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectorySlice<'a> {
    west: i32,
    north: i32,
    width: u32,
    height: u32,
    pages: &'a [u32],
}

impl DirectorySlice<'_> {
    /// The number of the page at (`x`, `y`), if it is noted here.
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

/// Places that a window may have for each page, and for the first few.
const WINDOW_SHARE: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Entry {
    x: i32,
    y: i32,
    page: u32,
}

const FREE: u32 = u32::MAX;

impl Directory {
    /// The number of the page at (`x`, `y`).
    #[inline]
    pub(super) fn find(&self, x: i32, y: i32) -> Option<u32> {
        let window = &self.window;
        if window.is_given_up {
            return self.look_up(x, y);
        }
        let page = window.place(x, y).map_or(FREE, |place| window.pages[place]);
        (page != FREE).then_some(page)
    }

    /// Most pages, at hand.
    pub(super) fn window(&self) -> DirectorySlice<'_> {
        let window = &self.window;
        let width = if window.is_given_up { 0 } else { window.width };
        let n_places = u32::try_from(window.pages.len()).unwrap_or(u32::MAX);
        DirectorySlice {
            west: window.west,
            north: window.north,
            width,
            height: n_places.checked_div(width).unwrap_or(0),
            pages: &window.pages,
        }
    }

    #[cold]
    fn look_up(&self, x: i32, y: i32) -> Option<u32> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut at = place(x, y) & mask;
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

    /// Enters a page that is not there yet.
    pub(super) fn insert(&mut self, x: i32, y: i32, page: u32) {
        if 2 * (self.n_used + 1) > self.entries.len() {
            let room = (2 * self.entries.len()).max(16);
            let free = Entry {
                x: 0,
                y: 0,
                page: FREE,
            };
            let old = std::mem::replace(&mut self.entries, vec![free; room]);
            for entry in old.into_iter().filter(|entry| entry.page != FREE) {
                self.put(entry);
            }
        }
        self.n_used += 1;
        self.put(Entry { x, y, page });
        if !self.window.is_given_up {
            let limit = WINDOW_SHARE * (self.n_used + 16);
            self.window.enter(x, y, page, limit);
        }
    }

    fn put(&mut self, entry: Entry) {
        let mask = self.entries.len() - 1;
        let mut at = place(entry.x, entry.y) & mask;
        while self.entries[at].page != FREE {
            at = (at + 1) & mask;
        }
        self.entries[at] = entry;
    }

    /// Forgets every page.
    pub(super) fn clear(&mut self) {
        for entry in &mut self.entries {
            entry.page = FREE;
        }
        self.n_used = 0;
        self.window.pages.clear();
        self.window.width = 0;
        self.window.is_given_up = false;
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.window.pages.capacity() * size_of::<u32>()
    }
}

impl Window {
    /// Where the page at (`x`, `y`) is noted, if that is within.
    #[inline]
    fn place(&self, x: i32, y: i32) -> Option<usize> {
        let column = x.wrapping_sub(self.west).cast_unsigned();
        let row = y.wrapping_sub(self.north).cast_unsigned();
        let place = u64::from(row) * u64::from(self.width) + u64::from(column);
        let place = usize::try_from(place).ok()?;
        (column < self.width && place < self.pages.len()).then_some(place)
    }

    /// Notes a page; the window grows if need be, by more than is needed, or is given up.
    fn enter(&mut self, x: i32, y: i32, page: u32, limit: usize) {
        if let Some(place) = self.place(x, y) {
            self.pages[place] = page;
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
            // Half as much again on the side that was too near.
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
            self.is_given_up = true;
            return;
        };
        if size > limit {
            self.is_given_up = true;
            return;
        }
        let old = std::mem::replace(&mut self.pages, vec![FREE; size]);
        let (old_west, old_north) = (self.west, self.north);
        (self.west, self.north, self.width) = (west, north, new_width);
        let mut rows = old.chunks_exact(usize::try_from(width).unwrap_or(0).max(1));
        for (row, y) in rows.by_ref().zip(old_north..) {
            for (&known, x) in row.iter().zip(old_west..) {
                if let (true, Some(place)) = (known != FREE, self.place(x, y)) {
                    self.pages[place] = known;
                }
            }
        }
        if let Some(place) = self.place(x, y) {
            self.pages[place] = page;
        }
    }
}

#[cfg(test)]
mod tests;

/// Where to begin to look. Neighbors lie beside each other, so that near pages share lines.
#[inline]
fn place(x: i32, y: i32) -> usize {
    let row = (y.cast_unsigned()).wrapping_mul(0x9E37_79B1);
    row.rotate_left(12).wrapping_add(x.cast_unsigned()) as usize
}
