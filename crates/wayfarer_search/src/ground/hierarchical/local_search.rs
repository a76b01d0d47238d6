//! Jump point search on a bitmap window: from a cell to a cell, or into a cluster.
//!
//! Scans 64 cells at a time \[Harabor2014\] on the bitboards of a
//! [window](super::bitmap_window). The heuristic is inadmissible: 1.02 times the straight part of
//! the octile distance, and 1.9 times its diagonal excess, since long diagonals are rare among
//! obstacles. Paths have no bound. No allocation once warm.
//!
//! Ties: lowest f, then the vertex generated last; directions are scanned in a fixed order. The
//! path follows from the ground, the ends and the rectangle of clusters alone.

use wayfarer_base::{Column, Cost, Direction};
use wayfarer_world::ground::ProfileGround;

use super::super::jps::shared::OpenList;
use super::bitmap_window::BitmapWindow;
use super::cluster_at;

const NONE: u32 = u32::MAX;
const ALL_DIRECTIONS: u8 = u8::MAX;
/// Indices of straight directions, as const parameters.
const NORTH: u8 = 0;
const EAST: u8 = 2;
const SOUTH: u8 = 4;
const WEST: u8 = 6;

const STRAIGHT: u32 = Cost::STRAIGHT.units();
const DIAGONAL: u32 = Cost::DIAGONAL.units();
/// Weight of a column of the straight distance in the heuristic: 1.02 times its cost.
const H_STRAIGHT: u32 = STRAIGHT * 102 / 100;
/// Weight of a column aside: 1.9 times the excess of a diagonal over a straight step.
const H_DIAGONAL: u32 = (DIAGONAL - STRAIGHT) * 190 / 100;

/// Initial size of the hash table, a power of two.
const N_SLOTS: usize = 1024;

/// The goal of a local search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocalGoal {
    /// This column.
    Column(Column),
    /// This cluster; the heuristic is the distance to a column of it.
    Cluster((i32, i32), Column),
}

/// The reusable scratch of local searches.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalSearch {
    pub(super) window: BitmapWindow,
    vertices: Vec<LocalVertex>,
    /// Open-addressing hash table from columns to vertices: stamp of the search, vertex number.
    slots: Vec<(u32, u32)>,
    stamp: u32,
    open: OpenList,
    jump_points: Vec<Column>,
    pub(super) n_expanded: u64,
}

/// A generated jump point.
#[derive(Clone, Copy, Debug)]
struct LocalVertex {
    x: i32,
    y: i32,
    g: u32,
    f: u32,
    parent: u32,
    /// Directions to scan on expansion.
    directions: u8,
}

/// The context of a scan, and the vertex being expanded.
#[derive(Clone, Copy)]
struct LocalScan<'g> {
    ground: ProfileGround<'g>,
    goal: LocalGoal,
    parent: u32,
}

const fn is_ascending(to: u8) -> bool {
    to == EAST || to == SOUTH
}

const fn is_along_row(to: u8) -> bool {
    to == EAST || to == WEST
}

impl LocalGoal {
    /// The column that the heuristic measures to.
    const fn column(self) -> Column {
        match self {
            Self::Column(column) | Self::Cluster(_, column) => column,
        }
    }
}

impl LocalSearch {
    /// Finds a path within the window from `start` to the goal and returns its cost; `is_goal`
    /// decides for columns of the goal's cluster. [`LocalSearch::jump_points`] has the path.
    pub(super) fn find(
        &mut self,
        ground: ProfileGround<'_>,
        start: Column,
        goal: LocalGoal,
        is_goal: impl Fn(Column) -> bool,
    ) -> Option<u32> {
        self.clear();
        self.generate(NONE, goal, (start.x, start.y), 0, ALL_DIRECTIONS);
        while let Some((f, number)) = self.open.pop() {
            let vertex = self.vertices[number as usize];
            if vertex.f != f {
                continue; // A cheaper path was found since.
            }
            let at = Column::new(vertex.x, vertex.y);
            let is_end = match goal {
                LocalGoal::Column(column) => at == column,
                LocalGoal::Cluster(cluster, _) => {
                    number != 0 && cluster_at(at) == cluster && is_goal(at)
                }
            };
            if is_end {
                self.write_jump_points(number);
                return Some(vertex.g);
            }
            self.n_expanded += 1;
            let scan = LocalScan {
                ground,
                goal,
                parent: number,
            };
            self.expand(&scan, &vertex);
        }
        None
    }

    /// The jump points of the path last found, both ends included; each pair is joined diagonally
    /// first, then straight.
    pub(super) fn jump_points(&self) -> &[Column] {
        &self.jump_points
    }

    fn clear(&mut self) {
        self.vertices.clear();
        self.open.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(N_SLOTS, (0, 0));
            self.stamp = 1;
        }
    }

    fn write_jump_points(&mut self, mut number: u32) {
        self.jump_points.clear();
        while number != NONE {
            let vertex = self.vertices[number as usize];
            self.jump_points.push(Column::new(vertex.x, vertex.y));
            number = vertex.parent;
        }
        self.jump_points.reverse();
    }

    fn expand(&mut self, scan: &LocalScan<'_>, vertex: &LocalVertex) {
        let has = |direction: u8| vertex.directions >> direction & 1 == 1;
        let (at, g) = ((vertex.x, vertex.y), vertex.g);
        if has(EAST) {
            self.generate_straight::<EAST>(scan, at, g);
        }
        if has(WEST) {
            self.generate_straight::<WEST>(scan, at, g);
        }
        if has(NORTH) {
            self.generate_straight::<NORTH>(scan, at, g);
        }
        if has(SOUTH) {
            self.generate_straight::<SOUTH>(scan, at, g);
        }
        if has(1) {
            self.generate_diagonal::<EAST, NORTH>(scan, at, g);
        }
        if has(3) {
            self.generate_diagonal::<EAST, SOUTH>(scan, at, g);
        }
        if has(5) {
            self.generate_diagonal::<WEST, SOUTH>(scan, at, g);
        }
        if has(7) {
            self.generate_diagonal::<WEST, NORTH>(scan, at, g);
        }
    }

    /// Follows the diagonal of `H` and `V` until it is blocked, and scans row and column from every
    /// cell.
    #[inline(never)]
    fn generate_diagonal<const H: u8, const V: u8>(
        &mut self,
        scan: &LocalScan<'_>,
        (mut x, mut y): (i32, i32),
        mut g: u32,
    ) {
        let dx = if H == EAST { 1 } else { -1 };
        let dy = if V == SOUTH { 1 } else { -1 };
        loop {
            let window = &mut self.window;
            let is_possible = window.is_walkable(&scan.ground, x + dx, y)
                && window.is_walkable(&scan.ground, x, y + dy)
                && window.is_walkable(&scan.ground, x + dx, y + dy);
            if !is_possible {
                return;
            }
            let before = (x >> 6, y >> 6);
            (x, y) = (x + dx, y + dy);
            g += DIAGONAL;
            let enters_goal = match scan.goal {
                LocalGoal::Column(goal) => (x, y) == (goal.x, goal.y),
                LocalGoal::Cluster(cluster, _) => (x >> 6, y >> 6) == cluster && before != cluster,
            };
            if enters_goal {
                self.generate(scan.parent, scan.goal, (x, y), g, ALL_DIRECTIONS);
                return;
            }
            self.generate_straight::<H>(scan, (x, y), g);
            self.generate_straight::<V>(scan, (x, y), g);
        }
    }

    #[inline]
    fn generate_straight<const TO: u8>(
        &mut self,
        scan: &LocalScan<'_>,
        (x, y): (i32, i32),
        g: u32,
    ) {
        let Some((length, directions)) = self.scan_straight::<TO>(scan, (x, y)) else {
            return;
        };
        let (dx, dy) = Direction::from_index(TO).offset();
        let n_cells = length.cast_signed();
        let at = (x + dx * n_cells, y + dy * n_cells);
        let g = g + STRAIGHT * length;
        self.generate(scan.parent, scan.goal, at, g, directions);
    }

    /// The next jump point in a straight direction: its distance and the directions to scan from
    /// there.
    #[inline]
    fn scan_straight<const TO: u8>(
        &mut self,
        scan: &LocalScan<'_>,
        (x, y): (i32, i32),
    ) -> Option<(u32, u8)> {
        let transposed = |x: i32, y: i32| if is_along_row(TO) { (x, y) } else { (y, x) };
        let (from, across) = transposed(x, y);
        // The goal's position on this line, or the cluster to enter.
        let (goal, goal_cluster) = match scan.goal {
            LocalGoal::Column(goal) => {
                let (along, over) = transposed(goal.x, goal.y);
                ((over == across).then_some(along), None)
            }
            LocalGoal::Cluster(cluster, _) => {
                let (along, over) = transposed(cluster.0, cluster.1);
                let is_on_line = over == across >> 6 && along != from >> 6;
                (None, is_on_line.then_some(along))
            }
        };
        let mut cluster = from >> 6;
        let mut ahead = if is_ascending(TO) {
            (u64::MAX << (from & 63)) << 1
        } else {
            (1_u64 << (from & 63)) - 1
        };
        // The last cells of the adjacent lines, carried into the next cluster.
        let (mut low_before, mut high_before) = (0_u64, 0_u64);
        loop {
            let [low, own, high] = if is_along_row(TO) {
                self.window.rows(&scan.ground, cluster, across)
            } else {
                self.window.columns(&scan.ground, across, cluster)
            };
            let (low_turns, high_turns) = if is_ascending(TO) {
                (
                    low & !(low << 1 | low_before),
                    high & !(high << 1 | high_before),
                )
            } else {
                (
                    low & !(low >> 1 | low_before),
                    high & !(high >> 1 | high_before),
                )
            };
            let mut stops = !own | low_turns | high_turns;
            if let Some(goal) = goal.filter(|goal| goal >> 6 == cluster) {
                stops |= 1 << (goal & 63);
            }
            if goal_cluster == Some(cluster) {
                stops |= if is_ascending(TO) { 1 } else { 1 << 63 };
            }
            stops &= ahead;
            if stops != 0 {
                let stop = if is_ascending(TO) {
                    stops.trailing_zeros()
                } else {
                    63 - stops.leading_zeros()
                };
                let position = cluster * 64 + stop.cast_signed();
                let sides = (low_turns >> stop & 1 == 1, high_turns >> stop & 1 == 1);
                let is_walkable = own >> stop & 1 == 1;
                return is_walkable.then(|| (position.abs_diff(from), directions::<TO>(sides)));
            }
            if is_ascending(TO) {
                (low_before, high_before) = (low >> 63, high >> 63);
                cluster += 1;
            } else {
                (low_before, high_before) = (low << 63, high << 63);
                cluster -= 1;
            }
            ahead = u64::MAX;
        }
    }

    /// Generates a vertex, unless it is known at no higher cost.
    #[inline(never)]
    fn generate(
        &mut self,
        parent: u32,
        goal: LocalGoal,
        (x, y): (i32, i32),
        g: u32,
        directions: u8,
    ) {
        let goal = goal.column();
        let (dx, dy) = (x.abs_diff(goal.x), y.abs_diff(goal.y));
        let f = g + dx.max(dy) * H_STRAIGHT + dx.min(dy) * H_DIAGONAL;
        let vertex = LocalVertex {
            x,
            y,
            g,
            f,
            parent,
            directions,
        };
        let mask = self.slots.len() - 1;
        let mut slot = hash(x, y) & mask;
        let number = loop {
            let (stamp, number) = self.slots[slot];
            if stamp != self.stamp {
                break self.add(slot, vertex);
            }
            let known = &mut self.vertices[number as usize];
            if (known.x, known.y) == (x, y) {
                if known.g <= g {
                    return;
                }
                *known = vertex;
                break number;
            }
            slot = (slot + 1) & mask;
        };
        self.open.push(f, number);
    }

    #[inline]
    fn add(&mut self, slot: usize, vertex: LocalVertex) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a window has a quarter of a million cells"
        )]
        let number = self.vertices.len() as u32;
        self.slots[slot] = (self.stamp, number);
        self.vertices.push(vertex);
        if self.vertices.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    #[cold]
    fn grow(&mut self) {
        let n_slots = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(n_slots, (0, 0));
        for (number, vertex) in (0..).zip(&self.vertices) {
            let mut slot = hash(vertex.x, vertex.y) & (n_slots - 1);
            while self.slots[slot].0 == self.stamp {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = (self.stamp, number);
        }
    }
}

#[inline]
const fn hash(x: i32, y: i32) -> usize {
    let (x, y) = (x.cast_unsigned(), y.cast_unsigned());
    ((x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77)) >> 12) as usize
}

/// The natural and forced directions at a jump point, with a forced neighbor on the lower or higher
/// side.
#[inline]
const fn directions<const TO: u8>((low, high): (bool, bool)) -> u8 {
    let (if_low, if_high) = match TO {
        NORTH => (1 << WEST | 1 << 7, 1 << EAST | 1 << 1),
        EAST => (1 << NORTH | 1 << 1, 1 << SOUTH | 1 << 3),
        SOUTH => (1 << WEST | 1 << 5, 1 << EAST | 1 << 3),
        _ => (1 << NORTH | 1 << 7, 1 << SOUTH | 1 << 5),
    };
    let mut directions = 1 << TO;
    if low {
        directions |= if_low;
    }
    if high {
        directions |= if_high;
    }
    directions
}
