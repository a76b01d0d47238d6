//! Scan of all successors of a jump point, over the sheets of the ground or over its bitmap: both
//! give the same edges in the same order. Allocates nothing once warm.

use wayfarer_base::Direction;
use wayfarer_world::ground::{NodeId, ProfileGround, SheetBits, SuccessorBuffer};

use super::super::jps::shared::{Expansion, GeneratedNode, JpsGoal, JumpVisitor, TURN};
use super::cost_fence::CostFence;
use super::jump_bitmap::{JumpBitmap, ScanOutput};
use super::jump_point_graph::SuccessorList;

/// All eight directions.
pub(super) const ALL_DIRECTIONS: u8 = u8::MAX;

/// An arrival is 0 to 3 after a straight scan, clockwise from north, with some directions pruned;
/// or this one, with none pruned.
pub(super) const ARRIVAL_ANY: u8 = 4;
/// On a diagonal that goes on: only the steps around corners are left to scan.
pub(super) const ARRIVAL_TURN: u8 = TURN >> 1;
/// As `ARRIVAL_ANY`, after a single step.
pub(super) const ARRIVAL_STEP: u8 = 6;

/// An edge of the jump point graph: its end and cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JumpEdge {
    pub(super) node: NodeId,
    pub(super) x: i32,
    pub(super) y: i32,
    /// Cost from the origin.
    pub(super) cost: u64,
    /// Directions to scan from the end.
    pub(super) directions: u8,
    /// Arrival at the end.
    pub(super) arrival: u8,
}

/// The successors of one jump point. A function of the ground, the origin and the directions alone,
/// apart from the fence.
#[derive(Clone, Debug)]
pub(super) struct SuccessorScan {
    /// In the order of the scans; see [`order_of`](super::jump_bitmap::order_of).
    pub(super) edges: Vec<JumpEdge>,
    /// Lengths of the diagonals: north-east, south-east, south-west, north-west.
    pub(super) diagonals: [u32; 4],
    /// Farthest cells read: north, east, south, west.
    pub(super) extents: [u32; 4],
    /// Where scans over the ground end.
    pub(super) fence: CostFence,
    /// Whether a scan ended at the fence, so that the edges are incomplete.
    pub(super) has_met_fence: bool,
    successors: SuccessorBuffer,
    /// Sort keys; see [`ScanOutput`].
    pub(super) keys: Vec<u64>,
    /// The edges of a list during its repair.
    pub(super) repaired: Vec<[u32; 2]>,
}

impl Default for SuccessorScan {
    fn default() -> Self {
        Self {
            edges: Vec::new(),
            diagonals: [0; 4],
            extents: [0; 4],
            fence: CostFence::UNBOUNDED,
            has_met_fence: false,
            successors: SuccessorBuffer::default(),
            keys: Vec::new(),
            repaired: Vec::new(),
        }
    }
}

impl SuccessorScan {
    /// Scans from `node` at (x, y) in `directions`, over the bitmap if there is one. The extents
    /// are valid only if `measures`. False if the cell is irregular: then the edges are the single
    /// successors of the ground.
    pub(super) fn scan(
        &mut self,
        ground: ProfileGround<'_>,
        bitmap: Option<&JumpBitmap>,
        (node, x, y): (NodeId, i32, i32),
        directions: u8,
        measures: bool,
    ) -> bool {
        self.edges.clear();
        self.extents = [1; 4];
        self.has_met_fence = false;
        if let Some(bitmap) = bitmap {
            self.diagonals = bitmap.scan_all((x, y), directions, measures, &mut self.output());
            return true;
        }
        let sheet = ground.bits(node);
        if !sheet.is_uniform() {
            self.diagonals = [0; 4];
            self.push_successors(ground, node);
            return false;
        }
        let origin = (node, x, y);
        self.diagonals = if measures {
            ScanVisitor::<true>(self).scan_all(sheet, origin, directions)
        } else {
            ScanVisitor::<false>(self).scan_all(sheet, origin, directions)
        };
        true
    }

    /// Takes over the lengths and extents of a list, without edges.
    pub(super) fn reset_from(&mut self, list: &SuccessorList) {
        self.edges.clear();
        self.has_met_fence = false;
        self.extents = list.extents.map(u32::from);
        self.diagonals = list.diagonals.map(u32::from);
    }

    /// The output of scans over the bitmap.
    pub(super) fn output(&mut self) -> ScanOutput<'_> {
        ScanOutput {
            edges: &mut self.edges,
            extents: &mut self.extents,
            keys: &mut self.keys,
        }
    }

    fn push_successors(&mut self, ground: ProfileGround<'_>, node: NodeId) {
        for (to, cost) in ground.successors(node, &mut self.successors) {
            let at = ground.cell(to);
            self.edges.push(JumpEdge {
                node: to,
                x: at.x,
                y: at.y,
                cost: cost.units().into(),
                directions: ALL_DIRECTIONS,
                arrival: ARRIVAL_STEP,
            });
        }
    }
}

/// Collects the edges of scans over the ground; the extents only if `MEASURES`, because they take
/// time.
struct ScanVisitor<'d, const MEASURES: bool>(&'d mut SuccessorScan);

impl<const MEASURES: bool> ScanVisitor<'_, MEASURES> {
    /// Scans all `directions`; returns the lengths of the diagonals.
    fn scan_all(
        &mut self,
        sheet: SheetBits<'_>,
        (node, x, y): (NodeId, i32, i32),
        directions: u8,
    ) -> [u32; 4] {
        let mut expansion = Expansion {
            visitor: self,
            x,
            y,
            g: 0,
        };
        expansion.scan_all(sheet, node, directions)
    }
}

impl<const MEASURES: bool> JumpVisitor for ScanVisitor<'_, MEASURES> {
    const MEASURES_REACH: bool = MEASURES;
    const HAS_FENCE: bool = true;
    const MAY_HAVE_MASKS: bool = true;

    #[inline]
    fn goal(&self) -> Option<JpsGoal> {
        None
    }

    #[inline]
    fn is_prunable(&mut self, x: i32, y: i32, g: u64) -> bool {
        let is_beyond = self.0.fence.is_beyond(x, y, g);
        self.0.has_met_fence |= is_beyond;
        is_beyond
    }

    #[inline]
    fn distance_to_fence(&self, direction: u8, x: i32, y: i32) -> u32 {
        self.0.fence.distance(direction, x, y)
    }

    fn on_fence_hit(&mut self) {
        self.0.has_met_fence = true;
    }

    #[inline]
    fn reach(&mut self, generated: GeneratedNode) {
        self.0.edges.push(JumpEdge {
            node: generated.node,
            x: generated.x,
            y: generated.y,
            cost: generated.g,
            directions: generated.directions,
            arrival: if generated.directions == ALL_DIRECTIONS {
                ARRIVAL_ANY
            } else {
                generated.arrival >> 1
            },
        });
    }

    #[inline]
    fn on_scanned(&mut self, direction: u8, n_cells: u32) {
        if MEASURES {
            let extent = &mut self.0.extents[usize::from(direction >> 1)];
            *extent = n_cells.max(*extent);
        }
    }
}

/// Length of the walkable run in a straight direction from the cell in column `x` and row `y` of a
/// uniform sheet, as far as the ground is uniform; a run longer than `max_length` may be cut.
pub(super) fn open_run(
    mut sheet: SheetBits<'_>,
    (x, y): (u32, u32),
    direction: Direction,
    max_length: u32,
) -> i32 {
    let is_row = matches!(direction, Direction::East | Direction::West);
    let is_upwards = matches!(direction, Direction::East | Direction::South);
    let (mut at, across) = if is_row { (x, y) } else { (y, x) };
    // One more than the cell, so that it can be just outside.
    at += 1;
    let mut length = 0;
    loop {
        let lane = if is_row {
            sheet.rows(across)[1]
        } else {
            sheet.columns(across)[1]
        };
        let closed = !lane & 0xFFFF;
        if is_upwards {
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
        let can_continue = length <= max_length && sheet.exits(direction) >> across & 1 == 1;
        match sheet
            .neighbor(direction)
            .filter(|next| can_continue && sheet.continues_in(next))
        {
            Some(next) => sheet = next,
            None => return length.cast_signed(),
        }
    }
}
