//! The frame of a block: the walkable cells on its outer lines, and the ends of nav links inside.
//!
//! Frame cells are sorted by segment (clockwise from the north-western corner), then along it,
//! then by layer. So blocks that share a segment list its cells in the same order.

use super::cells::{AREA, Cells, SIDE};

/// Corners and sides, clockwise from the north-western corner, then the cells inside.
pub(super) const N_SEGMENTS: usize = 9;
/// The segment of nav link ends inside the block.
pub(super) const INSIDE: usize = 8;

/// The blocks that share each segment: the direction of the block, and the segment there.
pub(super) const TWINS: [&[(usize, usize)]; N_SEGMENTS] = [
    &[(0, 6), (6, 2), (7, 4)],
    &[(0, 5)],
    &[(0, 4), (2, 0), (1, 6)],
    &[(2, 7)],
    &[(4, 2), (2, 6), (3, 0)],
    &[(4, 1)],
    &[(4, 0), (6, 4), (5, 2)],
    &[(6, 3)],
    &[],
];

/// A frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// Where each segment begins; the last entry is the number of frame cells.
    pub(super) starts: [u16; N_SEGMENTS + 1],
    /// Node of each frame cell.
    pub(super) nodes: Vec<u32>,
    /// Number of each frame cell in its block: `(layer x side + y) x side + x`.
    pub(super) numbers: Vec<u16>,
    /// Frame cells with nav links, sorted.
    pub(super) link_ends: Vec<u16>,
    /// For a block of 32: the child and the index there of each frame cell.
    pub(super) origins: Vec<(u8, u16)>,
}

/// A frame cell of a child, for the frame of the parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Candidate {
    segment: u8,
    along: u8,
    layer: u8,
    number: u16,
    child: u8,
    index: u16,
    node: u32,
    is_link_end: bool,
}

/// The segment of column (x, y) in a block of `size`.
pub(super) fn segment_of((x, y): (usize, usize), size: usize) -> usize {
    let third = |at: usize| usize::from(at > 0) + usize::from(at == size);
    [[0, 1, 2], [7, INSIDE, 3], [6, 5, 4]][third(y)][third(x)]
}

impl Frame {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn clear(&mut self) {
        self.starts = [0; N_SEGMENTS + 1];
        self.nodes.clear();
        self.numbers.clear();
        self.link_ends.clear();
        self.origins.clear();
    }

    /// Becomes the frame of a block of 16.
    pub(super) fn set_fine(&mut self, cells: &Cells) {
        self.clear();
        for segment in 0..INSIDE {
            let last = SIDE - 1;
            let column = |along: usize| match segment {
                0 => 0,
                1 => along,
                2 => last,
                3 => along * SIDE + last,
                4 => last * SIDE + last,
                5 => last * SIDE + along,
                6 => last * SIDE,
                _ => along * SIDE,
            };
            let columns = if segment % 2 == 0 { 1..2 } else { 1..last };
            for along in columns {
                for number in (column(along)..cells.len()).step_by(AREA) {
                    self.push_fine(cells, number);
                }
            }
            self.end_segment(segment);
        }
        for number in cells.link_ends.iter().map(|number| usize::from(*number)) {
            let (x, y) = (number % SIDE, number / SIDE % SIDE);
            if segment_of((x, y), SIDE - 1) == INSIDE {
                self.push_fine(cells, number);
            }
        }
        self.end_segment(INSIDE);
    }

    fn push_fine(&mut self, cells: &Cells, number: usize) {
        if !cells.is_walkable(number) {
            return;
        }
        if cells.is_link_end(number) {
            self.link_ends.push(index(self.nodes.len()));
        }
        self.nodes.push(cells.node(number));
        self.numbers.push(index(number));
    }

    fn end_segment(&mut self, segment: usize) {
        self.starts[segment + 1] = index(self.nodes.len());
    }

    /// Becomes the frame of a block of 32, given the frames of its children: north-west,
    /// north-east, south-west, south-east.
    pub(super) fn set_coarse(&mut self, children: [&Self; 4], candidates: &mut Vec<Candidate>) {
        self.clear();
        candidates.clear();
        for (child, frame) in (0_u8..).zip(children) {
            frame.offer(child, candidates);
        }
        candidates.sort_unstable();
        candidates.dedup_by_key(|candidate| candidate.number);
        let mut segment = 0;
        for candidate in candidates.iter() {
            while segment < usize::from(candidate.segment) {
                self.end_segment(segment);
                segment += 1;
            }
            if candidate.is_link_end {
                self.link_ends.push(index(self.nodes.len()));
            }
            self.nodes.push(candidate.node);
            self.numbers.push(candidate.number);
            self.origins.push((candidate.child, candidate.index));
        }
        (segment..N_SEGMENTS).for_each(|segment| self.end_segment(segment));
    }

    /// Adds the cells that are on the parent's frame.
    fn offer(&self, child: u8, candidates: &mut Vec<Candidate>) {
        let size = 2 * (SIDE - 1);
        for i in 0..self.len() {
            let number = usize::from(self.numbers[i]);
            let parent_number = number_in_parent(number, child);
            let (x, y) = (
                parent_number % (size + 1),
                parent_number / (size + 1) % (size + 1),
            );
            let segment = segment_of((x, y), size);
            let is_link_end = self.is_link_end(index(i));
            if segment == INSIDE && !is_link_end {
                continue;
            }
            let along = match segment {
                1 | 5 => x,
                0 | 2 | 4 | 6 => 0,
                // 3, 7, and link ends, which are sorted by number.
                _ => y,
            };
            candidates.push(Candidate {
                segment: index(segment).to_le_bytes()[0],
                along: index(along).to_le_bytes()[0],
                layer: index(number / AREA).to_le_bytes()[0],
                number: index(parent_number),
                child,
                index: index(i),
                node: self.nodes[i],
                is_link_end,
            });
        }
    }

    pub(super) fn is_link_end(&self, i: u16) -> bool {
        !self.link_ends.is_empty() && self.link_ends.binary_search(&i).is_ok()
    }

    /// The segment of a frame cell.
    pub(super) fn segment_at(&self, i: usize) -> usize {
        (0..N_SEGMENTS)
            .find(|segment| i < usize::from(self.starts[segment + 1]))
            .unwrap_or(INSIDE)
    }

    /// The frame cells of a segment.
    pub(super) fn segment(&self, segment: usize) -> std::ops::Range<usize> {
        usize::from(self.starts[segment])..usize::from(self.starts[segment + 1])
    }

    /// The index of a node, which lies in `segment`.
    pub(super) fn find(&self, node: u32, segment: usize) -> Option<usize> {
        self.segment(segment).find(|i| self.nodes[*i] == node)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * 4
            + (self.numbers.capacity() + self.link_ends.capacity()) * 2
            + self.origins.capacity() * 4
    }
}

/// A number of a child's cell as a number of the parent.
pub(super) fn number_in_parent(number: usize, child: u8) -> usize {
    let (size, side) = (SIDE - 1, 2 * (SIDE - 1) + 1);
    let (x, y, layer) = (number % SIDE, number / SIDE % SIDE, number / AREA);
    let (right, down) = (usize::from(child & 1), usize::from(child >> 1));
    (layer * side + y + down * size) * side + x + right * size
}

/// An index among frame cells or cells.
fn index(i: usize) -> u16 {
    u16::try_from(i).expect("a block has fewer than 65,536 cells")
}
