//! Looking around from a place, once and thoroughly: where may a way from here have to turn?

use wayfarer_base::Direction;
use wayfarer_world::ground::{Ground, NodeId, SheetBits, SuccessorBuffer};

use super::super::jps::lend::{Arrival, Expansion, JpsGoal, JumpVisitor};
use super::cache::SuccessorList;
use super::cost_fence::CostFence;
use super::jump_bitmap::{JumpBitmap, ScanOutput};

/// All eight directions; also the direction of arrival where other ground begins.
pub(super) const EVERYWHERE: u8 = u8::MAX;

/// How a place is come to: in one of the four straight directions, clockwise from north, and
/// worth a look in some directions; or worth a look in all of them.
pub(super) const BY_LEAP: u8 = 4;
/// The same, by a single step.
pub(super) const BY_STEP: u8 = 5;

/// A place that was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JumpEdge {
    pub(super) node: NodeId,
    pub(super) x: i32,
    pub(super) y: i32,
    /// What the way there costs.
    pub(super) cost: u64,
    /// Directions worth a look from there.
    pub(super) directions: u8,
    /// How it is come to.
    pub(super) arrival: u8,
}

/// Everything seen from one place. A function of the ground, the place and the directions alone,
/// but for the fence.
#[derive(Clone, Debug)]
pub(super) struct SuccessorScan {
    /// In a fixed order.
    pub(super) sights: Vec<JumpEdge>,
    /// How far the diagonals lead: north-east, south-east, south-west, north-west.
    pub(super) diagonals: [u32; 4],
    /// How far was looked, at most: north, east, south, west.
    pub(super) reach: [u32; 4],
    /// Where looks over the ground end.
    pub(super) fence: CostFence,
    /// Whether some did, so that not everything was seen.
    pub(super) met_fence: bool,
    steps: SuccessorBuffer,
    /// See [`ScanOutput`].
    pub(super) keys: Vec<u64>,
    /// A list while it is repaired.
    pub(super) repaired: Vec<[u32; 2]>,
}

impl Default for SuccessorScan {
    fn default() -> Self {
        Self {
            sights: Vec::new(),
            diagonals: [0; 4],
            reach: [0; 4],
            fence: CostFence::NOWHERE,
            met_fence: false,
            steps: SuccessorBuffer::default(),
            keys: Vec::new(),
            repaired: Vec::new(),
        }
    }
}

impl SuccessorScan {
    /// Looks around from `node` at (x, y) in `directions`, on the board of the ground if there is
    /// one. How far was looked need not be right unless `is_kept`. False if bits do not suffice
    /// there: then only single steps were looked at.
    pub(super) fn make(
        &mut self,
        ground: &Ground,
        board: Option<&JumpBitmap>,
        (node, x, y): (NodeId, i32, i32),
        directions: u8,
        is_kept: bool,
    ) -> bool {
        self.sights.clear();
        self.reach = [1; 4];
        self.met_fence = false;
        if let Some(board) = board {
            self.diagonals = board.look_around((x, y), directions, is_kept, &mut self.found());
            return true;
        }
        let sheet = ground.bits(node);
        if !sheet.is_uniform() {
            self.diagonals = [0; 4];
            self.by_steps(ground, node);
            return false;
        }
        let place = (node, x, y);
        self.diagonals = if is_kept {
            Looking::<true>(self).around(sheet, place, directions)
        } else {
            Looking::<false>(self).around(sheet, place, directions)
        };
        true
    }

    /// Begins with what was seen before, but for the sights.
    pub(super) fn start_from(&mut self, list: &SuccessorList) {
        self.sights.clear();
        self.met_fence = false;
        self.reach = list.reach.map(u32::from);
        self.diagonals = list.diagonals.map(u32::from);
    }

    /// Where a board tells what it shows.
    pub(super) fn found(&mut self) -> ScanOutput<'_> {
        ScanOutput {
            sights: &mut self.sights,
            reach: &mut self.reach,
            keys: &mut self.keys,
        }
    }

    fn by_steps(&mut self, ground: &Ground, node: NodeId) {
        for (to, cost) in ground.successors(node, &mut self.steps) {
            let at = ground.cell(to);
            self.sights.push(JumpEdge {
                node: to,
                x: at.x,
                y: at.y,
                cost: cost.units().into(),
                directions: EVERYWHERE,
                arrival: BY_STEP,
            });
        }
    }
}

/// A draft that is filled over the ground; how far was looked, which takes a while to find out, is
/// noted only if `MEASURES`.
struct Looking<'d, const MEASURES: bool>(&'d mut SuccessorScan);

impl<const MEASURES: bool> Looking<'_, MEASURES> {
    /// Looks around; gives how far the diagonals lead.
    fn around(
        &mut self,
        sheet: SheetBits<'_>,
        (node, x, y): (NodeId, i32, i32),
        directions: u8,
    ) -> [u32; 4] {
        let mut expansion = Expansion {
            finder: self,
            x,
            y,
            cost: 0,
        };
        expansion.look_around(sheet, node, directions)
    }
}

impl<const MEASURES: bool> JumpVisitor for Looking<'_, MEASURES> {
    const LISTENS: bool = MEASURES;
    const HAS_FENCE: bool = true;

    #[inline]
    fn goal(&self) -> Option<JpsGoal> {
        None
    }

    #[inline]
    fn is_hopeless(&mut self, x: i32, y: i32, cost: u64) -> bool {
        let is_beyond = self.0.fence.is_beyond(x, y, cost);
        self.0.met_fence |= is_beyond;
        is_beyond
    }

    #[inline]
    fn to_fence(&self, to: u8, x: i32, y: i32) -> u32 {
        self.0.fence.n_cells(to, x, y)
    }

    fn met_fence(&mut self) {
        self.0.met_fence = true;
    }

    #[inline]
    fn reach(&mut self, arrival: Arrival) {
        self.0.sights.push(JumpEdge {
            node: arrival.node,
            x: arrival.x,
            y: arrival.y,
            cost: arrival.cost,
            directions: arrival.directions,
            arrival: if arrival.directions == EVERYWHERE {
                BY_LEAP
            } else {
                arrival.to >> 1
            },
        });
    }

    #[inline]
    fn looked(&mut self, to: u8, n_cells: u32) {
        if MEASURES {
            let reach = &mut self.0.reach[usize::from(to >> 1)];
            *reach = n_cells.max(*reach);
        }
    }
}

/// Open cells in a straight direction from the cell in column `x` and row `y` of a plain sheet,
/// as far as the ground goes on as it is; if there are more than `most`, not all of them.
pub(super) fn open_run(
    mut sheet: SheetBits<'_>,
    (x, y): (u32, u32),
    to: Direction,
    most: u32,
) -> i32 {
    let is_row = matches!(to, Direction::East | Direction::West);
    let is_up = matches!(to, Direction::East | Direction::South);
    let (mut at, across) = if is_row { (x, y) } else { (y, x) };
    // The place at which the ray stands: one more than the cell, so that it may be outside.
    at += 1;
    let mut length = 0;
    loop {
        let lane = if is_row {
            sheet.rows(across)[1]
        } else {
            sheet.columns(across)[1]
        };
        let closed = !lane & 0xFFFF;
        if is_up {
            let ahead = closed >> at;
            if ahead != 0 {
                return (length + ahead.trailing_zeros()).cast_signed();
            }
            length += 16 - at;
            at = 0;
        } else {
            let behind = closed & ((1_u32 << (at - 1)) - 1);
            if behind != 0 {
                return (length + at - 2 - behind.ilog2()).cast_signed();
            }
            length += at - 1;
            at = 17;
        }
        let leads_on = length <= most && sheet.exits(to) >> across & 1 == 1;
        match sheet
            .neighbor(to)
            .filter(|next| leads_on && sheet.continues_in(next))
        {
            Some(next) => sheet = next,
            None => return length.cast_signed(),
        }
    }
}
