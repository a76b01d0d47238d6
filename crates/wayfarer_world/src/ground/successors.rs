//! Successor tables for uniform ground, built at compile time.
//!
//! The 3 x 3 window of a cell determines its legal moves. There are 47 sets of legal moves, because
//! a diagonal needs both adjacent cardinals (ADR 4). For each set and each of nine zones of a
//! sector (center, edges, corners) a table has the id offsets and costs, so generating successors
//! takes no branch per direction.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "small numbers in compile-time tables"
)]

use wayfarer_base::{Cost, Direction};

use super::node::NodeId;

/// A successor: id offset and step cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor {
    pub(crate) offset: u32,
    pub(crate) cost: Cost,
}

/// The successors of one cell, with costs.
#[derive(Clone, Debug)]
pub struct Successors<'a> {
    steps: std::slice::Iter<'a, Successor>,
    from: u32,
}

impl<'a> Successors<'a> {
    #[inline]
    pub(crate) fn new(steps: &'a [Successor], from: NodeId) -> Self {
        Self {
            steps: steps.iter(),
            from: from.0,
        }
    }
}

impl Iterator for Successors<'_> {
    type Item = (NodeId, Cost);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let step = self.steps.next()?;
        Some((NodeId(self.from.wrapping_add(step.offset)), step.cost))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.steps.size_hint()
    }
}

impl ExactSizeIterator for Successors<'_> {}

/// Buffer for successors that are not in the tables; one per search.
#[derive(Clone, Debug, Default)]
pub struct SuccessorBuffer {
    pub(crate) successors: Vec<Successor>,
    /// Those with all multipliers taken as 1.
    pub(crate) base: Vec<Successor>,
}

/// Sets of legal moves.
const N_SETS: usize = 47;
/// Zones of a sector in which a step adds the same to an id: 3 x 3.
const N_ZONES: usize = 9;

/// The bit of the 3 x 3 window (row above first) that each direction leads to.
const WINDOW_BIT: [usize; 8] = [1, 2, 5, 8, 7, 6, 3, 0];

/// For each window the legal moves: bit i is direction i.
pub(crate) const LEGAL_MOVES: [u8; 512] = legal();
/// For each window the index of its set of legal moves.
const SET_OF_WINDOW: [u8; 512] = set_of_window();
const MASK_OF_SET: [u8; N_SETS] = mask_of_set();
static LISTS: [[List; N_SETS]; N_ZONES] = lists();

#[derive(Clone, Copy)]
struct List {
    len: u32,
    steps: [Successor; 8],
}

/// The successors of cell `local` with this window on uniform ground, anywhere but at the edge of a
/// page.
#[inline]
pub(crate) fn uniform_successors(window: usize, local: u8) -> &'static [Successor] {
    let zone = ZONE[usize::from(local)] as usize;
    let list = &LISTS[zone][SET_OF_WINDOW[window & 511] as usize];
    &list.steps[..(list.len & 15) as usize]
}

/// The zone of each cell: 3 x (0 first row, 1 between, 2 last row) + the same for columns.
static ZONE: [u8; 256] = zones();

const fn zones() -> [u8; 256] {
    let mut zones = [0; 256];
    let mut local = 0;
    while local < 256 {
        zones[local] = third(local >> 4) * 3 + third(local & 15);
        local += 1;
    }
    zones
}

const fn third(at: usize) -> u8 {
    match at {
        0 => 0,
        15 => 2,
        _ => 1,
    }
}

const fn legal() -> [u8; 512] {
    let mut table = [0; 512];
    let mut window = 0;
    while window < 512 {
        let mut open = 0_u8;
        let mut direction = 0;
        while direction < 8 {
            if window >> WINDOW_BIT[direction] & 1 == 1 {
                open |= 1 << direction;
            }
            direction += 1;
        }
        let cardinals = open.rotate_left(1) & open.rotate_right(1);
        table[window] = open & (0b0101_0101 | cardinals);
        window += 1;
    }
    table
}

const fn mask_of_set() -> [u8; N_SETS] {
    let mut masks = [0; N_SETS];
    let mut n_sets = 0;
    let mut mask = 0_usize;
    while mask < 256 {
        let open = mask as u8;
        let cardinals = open.rotate_left(1) & open.rotate_right(1);
        if open & (0b0101_0101 | cardinals) == open {
            masks[n_sets] = open;
            n_sets += 1;
        }
        mask += 1;
    }
    assert!(n_sets == N_SETS, "a diagonal needs both its cardinals");
    masks
}

const fn set_of_window() -> [u8; 512] {
    let mut table = [0; 512];
    let mut window = 0;
    while window < 512 {
        let mut set = 0;
        while MASK_OF_SET[set] != LEGAL_MOVES[window] {
            set += 1;
        }
        table[window] = set as u8;
        window += 1;
    }
    table
}

const fn lists() -> [[List; N_SETS]; N_ZONES] {
    const NOTHING: Successor = Successor {
        offset: 0,
        cost: Cost::ZERO,
    };
    let mut lists = [[List {
        len: 0,
        steps: [NOTHING; 8],
    }; N_SETS]; N_ZONES];
    let mut zone = 0;
    while zone < N_ZONES {
        let mut set = 0;
        while set < N_SETS {
            let list = &mut lists[zone][set];
            let mut direction = 0;
            while direction < 8 {
                if MASK_OF_SET[set] >> direction & 1 == 1 {
                    list.steps[list.len as usize] = step(zone, direction);
                    list.len += 1;
                }
                direction += 1;
            }
            set += 1;
        }
        zone += 1;
    }
    lists
}

const fn step(zone: usize, direction: u8) -> Successor {
    let direction = Direction::from_index(direction);
    let (dx, dy) = direction.offset();
    let (column, row) = ((zone % 3) as i32, (zone / 3) as i32);
    // Over the edge of the sector: one sector on (256 or 8 x 256), fifteen cells back.
    let along_x = if (column == 2 && dx == 1) || (column == 0 && dx == -1) {
        dx * (256 - 15)
    } else {
        dx
    };
    let along_y = if (row == 2 && dy == 1) || (row == 0 && dy == -1) {
        dy * (2048 - 240)
    } else {
        dy * 16
    };
    Successor {
        offset: (along_x + along_y) as u32,
        cost: Cost::for_step(direction.is_diagonal()),
    }
}
