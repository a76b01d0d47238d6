//! Steps to the eight neighbors, ready made for every lie of the land.
//!
//! On uniform ground the 3 x 3 window around a cell says which steps are legal. There are 47 sets
//! of legal steps (a diagonal needs both its cardinals); for each of them, and for each of nine
//! places in the sector (middle, edges, corners), a list of number offsets and costs is made by
//! the compiler. Walking them needs no decision for each step.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "small numbers in tables made by the compiler"
)]

use wayfarer_base::{Cost, Direction};

use super::node::NodeId;

/// One step: what to add to the cell's number, and what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor {
    pub(crate) offset: u32,
    pub(crate) cost: Cost,
}

/// All steps from one cell.
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

/// Room for the steps of one cell where they are not ready made; keep one for each search.
#[derive(Clone, Debug, Default)]
pub struct SuccessorBuffer {
    pub(crate) successors: Vec<Successor>,
}

/// Sets of legal steps there are.
const N_SETS: usize = 47;
/// Places in a sector that differ in how a step changes the number: 3 x 3.
const N_PLACES: usize = 9;

/// Which cells of the 3 x 3 window (bits 0 to 8, row above first) each direction leads to.
const WINDOW_BIT: [usize; 8] = [1, 2, 5, 8, 7, 6, 3, 0];

/// For each window the legal directions: bit i is direction i.
pub(crate) const LEGAL_MOVES: [u8; 512] = legal();
/// For each window the number of its set of legal steps.
const SET_OF_WINDOW: [u8; 512] = set_of_window();
const MASK_OF_SET: [u8; N_SETS] = mask_of_set();
static LISTS: [[List; N_SETS]; N_PLACES] = lists();

#[derive(Clone, Copy)]
struct List {
    len: u32,
    steps: [Successor; 8],
}

/// The steps of a cell on uniform ground whose window is `window`, square `local`, anywhere but at
/// the edge of a page.
#[inline]
pub(crate) fn uniform_successors(window: usize, local: u8) -> &'static [Successor] {
    let place = PLACE[usize::from(local)] as usize;
    let list = &LISTS[place][SET_OF_WINDOW[window & 511] as usize];
    &list.steps[..(list.len & 15) as usize]
}

/// The place of each square: 3 x (0 first row, 1 between, 2 last row) + the same for columns.
static PLACE: [u8; 256] = places();

const fn places() -> [u8; 256] {
    let mut places = [0; 256];
    let mut local = 0;
    while local < 256 {
        places[local] = third(local >> 4) * 3 + third(local & 15);
        local += 1;
    }
    places
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
        let beside = open.rotate_left(1) & open.rotate_right(1);
        table[window] = open & (0b0101_0101 | beside);
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
        let beside = open.rotate_left(1) & open.rotate_right(1);
        if open & (0b0101_0101 | beside) == open {
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

const fn lists() -> [[List; N_SETS]; N_PLACES] {
    const NOTHING: Successor = Successor {
        offset: 0,
        cost: Cost::ZERO,
    };
    let mut lists = [[List {
        len: 0,
        steps: [NOTHING; 8],
    }; N_SETS]; N_PLACES];
    let mut place = 0;
    while place < N_PLACES {
        let mut set = 0;
        while set < N_SETS {
            let list = &mut lists[place][set];
            let mut direction = 0;
            while direction < 8 {
                if MASK_OF_SET[set] >> direction & 1 == 1 {
                    list.steps[list.len as usize] = step(place, direction);
                    list.len += 1;
                }
                direction += 1;
            }
            set += 1;
        }
        place += 1;
    }
    lists
}

const fn step(place: usize, direction: u8) -> Successor {
    let direction = Direction::from_index(direction);
    let (dx, dy) = direction.offset();
    let (column, row) = ((place % 3) as i32, (place / 3) as i32);
    // Over the edge of the sector: one sector on (256 or 8 x 256), fifteen squares back.
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
