//! What a search remembers, in memory that is used again and never cleared.

use super::node_source::At;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A node of the search: a free cube, or a part of a leaf that is connected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its free voxels if it is (part of) a leaf; all bits for a cube.
    pub(super) free: u64,
    /// Its lowest voxel's cube: the low corner of cube or leaf.
    pub(super) low: At,
    /// The voxel by which it was entered.
    pub(super) entry: At,
    /// The node it was entered from.
    pub(super) parent: u32,
    /// What the way to the entry costs.
    pub(super) cost: u32,
    /// That and the guess of the rest.
    pub(super) total: u32,
    /// The logarithm of the side.
    pub(super) log: u8,
    /// The face of the parent it was entered through.
    pub(super) face: u8,
    pub(super) is_closed: bool,
    /// What flying through it costs, in sixteenths.
    pub(super) multiplier: u16,
}

/// Something to look at: a node, or what lies behind a face of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deferred {
    /// The node, or the one before the face.
    pub(super) node: u32,
    /// What the way to `at` costs; tells whether an entry for a node is out of date.
    pub(super) cost: u32,
    /// The voxel behind the face where the way would cross at best.
    pub(super) at: At,
    /// The face; 6 if the node itself is to be looked at.
    pub(super) face: u8,
    /// The logarithm of the side of the part of the face that is meant.
    pub(super) log: u8,
}

/// The mark of an entry that is a node.
pub(super) const WHOLE: u8 = 6;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    generation: u32,
    node: u32,
}

/// Nodes by key, and what to look at next.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    slots: Vec<Slot>,
    generation: u32,
    pub(super) nodes: Vec<Node>,
    pub(super) deferred: Vec<Deferred>,
    /// A heap of estimates and places in `deferred`; of equals the one put there last comes first.
    open: Vec<u64>,
    pub(super) n_pushes: u64,
}

impl Scratch {
    /// Forgets everything at once.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.deferred.clear();
        self.open.clear();
        self.n_pushes = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); 1 << 10];
        }
    }

    /// The node of a key, if it is known.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut place = home(key, self.slots.len());
        loop {
            let slot = &self.slots[place];
            if slot.generation != self.generation {
                return None;
            }
            if slot.key == key {
                return Some(slot.node);
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a node under a key that is not known.
    pub(super) fn add(&mut self, key: u64, node: Node) -> u32 {
        if (self.nodes.len() + 1) * 2 > self.slots.len() {
            self.widen();
        }
        let number =
            u32::try_from(self.nodes.len()).expect("fewer nodes than voxels of a leaf row");
        self.nodes.push(node);
        self.file(key, number);
        number
    }

    fn file(&mut self, key: u64, node: u32) {
        let mask = self.slots.len() - 1;
        let mut place = home(key, self.slots.len());
        while self.slots[place].generation == self.generation {
            place = (place + 1) & mask;
        }
        self.slots[place] = Slot {
            key,
            generation: self.generation,
            node,
        };
    }

    #[cold]
    fn widen(&mut self) {
        let wider = vec![Slot::default(); self.slots.len() * 2];
        let slots = std::mem::replace(&mut self.slots, wider);
        let now = self.generation;
        for slot in slots.iter().filter(|slot| slot.generation == now) {
            self.file(slot.key, slot.node);
        }
    }

    /// Puts something on the list.
    #[inline]
    pub(super) fn push(&mut self, total: u32, entry: Deferred) {
        let place = u32::try_from(self.deferred.len()).unwrap_or(u32::MAX);
        self.deferred.push(entry);
        self.n_pushes += 1;
        let word = u64::from(total) << 32 | u64::from(u32::MAX - place);
        let mut at = self.open.len();
        self.open.push(word);
        while at > 0 {
            let above = (at - 1) / 4;
            if self.open[above] <= word {
                break;
            }
            self.open[at] = self.open[above];
            at = above;
        }
        self.open[at] = word;
    }

    /// Takes the most promising thing off the list, with its estimate.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "two halves of a word")]
    pub(super) fn pop(&mut self) -> Option<(u32, Deferred)> {
        let last = self.open.pop()?;
        let word = match self.open.first() {
            None => last,
            Some(&first) => {
                self.sink(last);
                first
            }
        };
        let place = u32::MAX - word as u32;
        Some(((word >> 32) as u32, self.deferred[place as usize]))
    }

    fn sink(&mut self, word: u64) {
        let open = &mut self.open[..];
        let mut at = 0;
        loop {
            let first = at * 4 + 1;
            if first >= open.len() {
                break;
            }
            let mut least = first;
            for other in first + 1..open.len().min(first + 4) {
                if open[other] < open[least] {
                    least = other;
                }
            }
            if word <= open[least] {
                break;
            }
            open[at] = open[least];
            at = least;
        }
        open[at] = word;
    }

    /// True if one more expansion could bring the scratch beyond so many bytes.
    #[inline]
    pub(super) fn is_beyond(&self, bytes: u64) -> bool {
        bytes != u64::MAX && self.heap_bytes() as u64 + self.growth_ahead() > bytes
    }

    /// Bytes that one more expansion could ask for at worst.
    fn growth_ahead(&self) -> u64 {
        const MAX: usize = 256;
        fn grown<T>(list: &Vec<T>) -> usize {
            let short = list.len() + MAX > list.capacity();
            if short {
                list.capacity().max(MAX) * size_of::<T>()
            } else {
                0
            }
        }
        let table = if (self.nodes.len() + MAX) * 2 > self.slots.len() {
            self.slots.len() * 2 * size_of::<Slot>()
        } else {
            0
        };
        (grown(&self.nodes) + grown(&self.deferred) + grown(&self.open) + table) as u64
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.deferred.capacity() * size_of::<Deferred>()
            + self.open.capacity() * size_of::<u64>()
    }
}

/// Where a key is looked for first.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "shifted to the length of the table"
)]
fn home(key: u64, len: usize) -> usize {
    let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - len.trailing_zeros())) as usize
}

/// A number for a voxel, different for each.
#[inline]
pub(super) const fn key_of([x, y, z]: At) -> u64 {
    (x.cast_unsigned() as u64) | (y.cast_unsigned() as u64) << 17 | (z.cast_unsigned() as u64) << 34
}
