//! Whom sensors know from the tick before: the lists of neighbors in the table lie side by side.
//!
//! A tick reads them in the order they lie in. A list of its own for each sensor would be a new
//! place in memory for each, and waiting for it took as long as asking.

use super::super::BodyId;

/// So many sensors share their notes, and are asked on one thread. With eight a tick waited longer
/// for memory; with many more, small worlds would be asked on one thread alone.
pub(in super::super) const POSTS: usize = 16;

/// One whom a sensor knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Entry {
    pub(in super::super) id: BodyId,
    pub(in super::super) is_member: bool,
    /// Ticks it has been in without being told of, or out without having left.
    pub(in super::super) n_ticks: u16,
}

/// Whom up to [`POSTS`] sensors know, one after the other, each by rising index.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Memberships {
    entries: Vec<Entry>,
    /// Where the list of each of the first `n_posts` ends.
    ends: [u32; POSTS],
    n_posts: u8,
}

impl Memberships {
    fn range(&self, post: usize) -> std::ops::Range<usize> {
        let begin = if post == 0 { 0 } else { self.ends[post - 1] };
        begin as usize..self.ends[post] as usize
    }

    /// Whom a sensor knows.
    #[inline]
    pub(in super::super) fn of(&self, post: usize) -> &[Entry] {
        &self.entries[self.range(post)]
    }

    /// Adds the list of one more sensor.
    pub(in super::super) fn add(&mut self, known: &[Entry]) {
        self.entries.extend_from_slice(known);
        self.end_post();
    }

    /// Adds somebody to the list that is being written.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// The list that is being written is whole.
    #[inline]
    pub(super) fn end_post(&mut self) {
        let end = u32::try_from(self.entries.len()).expect("fewer than 2^32 known");
        self.ends[usize::from(self.n_posts)] = end;
        self.n_posts += 1;
    }

    /// Forgets whom one sensor knows.
    pub(super) fn clear(&mut self, post: usize) {
        let range = self.range(post);
        let n_gone = u32::try_from(range.len()).expect("fewer than 2^32 known");
        self.entries.drain(range);
        for end in &mut self.ends[post..usize::from(self.n_posts)] {
            *end -= n_gone;
        }
    }

    /// Forgets everything, the sensors too; keeps the room.
    pub(super) fn clear_all(&mut self) {
        self.entries.clear();
        self.n_posts = 0;
    }

    /// Takes over what another says; keeps the room.
    pub(super) fn become_like(&mut self, other: &Self) {
        self.entries.clear();
        self.entries.extend_from_slice(&other.entries);
        (self.ends, self.n_posts) = (other.ends, other.n_posts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::Id;

    fn entry(index: u32) -> Entry {
        Entry {
            id: Id::new(index, 0),
            is_member: true,
            n_ticks: 0,
        }
    }

    #[test]
    fn lists_keep_apart_when_one_is_cleared() {
        let lists = [vec![1, 5, 9], vec![], vec![2, 3], vec![7]];
        for cleared in 0..lists.len() {
            let mut notes = Memberships::default();
            for list in &lists {
                let list: Vec<Entry> = list.iter().copied().map(entry).collect();
                notes.add(&list);
            }
            notes.clear(cleared);
            let mut copy = Memberships::default();
            copy.add(&[entry(4)]);
            copy.become_like(&notes);
            for notes in [&notes, &copy] {
                for (post, list) in lists.iter().enumerate() {
                    let due: &[u32] = if post == cleared { &[] } else { list };
                    let known = notes.of(post).iter().map(|known| known.id.index());
                    assert!(
                        known.eq(due.iter().copied()),
                        "list {post} without {cleared}"
                    );
                }
            }
        }
    }
}
