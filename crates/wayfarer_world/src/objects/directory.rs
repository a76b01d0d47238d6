//! Which page of squares lies where, in a world without bounds.

/// From the coordinates of a page to its number: open addressing, at most half full.
#[derive(Clone, Debug, Default)]
pub(super) struct Directory {
    /// Coordinates and number; `FREE` where nothing is.
    entries: Vec<Entry>,
    n_used: usize,
}

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
        if self.entries.is_empty() {
            return None;
        }
        let mask = self.entries.len() - 1;
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
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}

/// Where to begin to look. Neighbours lie beside each other, so that near pages share lines.
#[inline]
fn place(x: i32, y: i32) -> usize {
    let row = (y.cast_unsigned()).wrapping_mul(0x9E37_79B1);
    row.rotate_left(12).wrapping_add(x.cast_unsigned()) as usize
}
