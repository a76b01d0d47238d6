//! The cells and thin walls that a disc-shaped body overlaps, at rest and during a step.

use wayfarer_base::{Direction, Fixed, WallSide};

use super::Layer;

impl Layer {
    /// Largest radius, in 1/256 cells: eight cells.
    pub(crate) const MAX_RADIUS: i32 = 2048;
}

/// The cells that an open disc overlaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Disc {
    /// At rest in the center of (0, 0), that cell excluded.
    pub(super) footprint: Vec<(i32, i32)>,
    /// The same row by row, from the northernmost: each row is a run from minus this column to plus.
    pub(super) half_widths: Vec<u32>,
    /// During a diagonal step from the center of (0, 0), at neither end: for the four diagonals,
    /// clockwise from north-east.
    swept: [Vec<(i32, i32)>; 4],
    /// Edges of cells nearer than the radius at rest.
    pub(super) edges: Vec<Edge>,
    /// Edges nearer than that during a step and at neither end, for the eight directions.
    swept_edges: [Vec<Edge>; 8],
}

/// An edge of a cell at an offset, where a thin wall may stand.
pub(super) type Edge = ((i32, i32), WallSide);

impl Disc {
    pub(super) fn new(radius: Fixed) -> Self {
        let radius = i64::from(radius.raw());
        if radius <= 128 {
            // Up to half a cell the body stays within its cell; the corner rule covers diagonals.
            return Self::default();
        }
        let reach = i32::try_from(radius / 256).unwrap_or(0) + 2;
        let cells = || (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| (x, y)));
        let touches = |(x, y): (i32, i32)| {
            let off = |at: i32| (i64::from(at.abs()) * 256 - 128).max(0);
            off(x) * off(x) + off(y) * off(y) < radius * radius
        };
        let footprint = cells().filter(|at| *at != (0, 0) && touches(*at)).collect();
        let row = |y: i32| (0..=reach).rev().find(|x| touches((*x, y)));
        let half_widths = (-reach..=reach)
            .filter_map(row)
            .map(i32::unsigned_abs)
            .collect();
        let swept = [1, 3, 5, 7].map(|index| {
            let (dx, dy) = Direction::from_index(index).offset();
            let only_between = |&(x, y): &(i32, i32)| {
                let end = (x - dx, y - dy);
                (x, y) != (0, 0)
                    && end != (0, 0)
                    && !touches((x, y))
                    && !touches(end)
                    && passes((x, y), (dx, dy), radius)
            };
            cells().filter(only_between).collect()
        });
        let all = || cells().flat_map(|at| [(at, WallSide::East), (at, WallSide::South)]);
        let edges = all()
            .filter(|edge| is_edge_near(*edge, (0, 0), radius))
            .collect();
        let swept_edges = std::array::from_fn(|index| {
            let direction = u8::try_from(index).map_or(Direction::North, Direction::from_index);
            let (dx, dy) = direction.offset();
            let only_between = |&(at, side): &Edge| {
                let from_end = ((at.0 - dx, at.1 - dy), side);
                is_edge_near((at, side), (dx, dy), radius)
                    && !is_edge_near((at, side), (0, 0), radius)
                    && !is_edge_near(from_end, (0, 0), radius)
            };
            all().filter(only_between).collect()
        });
        Self {
            footprint,
            half_widths,
            swept,
            edges,
            swept_edges,
        }
    }

    /// The edges overlapped only during a step.
    pub(super) fn swept_edges(&self, direction: Direction) -> &[Edge] {
        &self.swept_edges[usize::from(direction.index())]
    }

    /// True if the body overlaps more than its own cell.
    pub(super) fn is_wide(&self) -> bool {
        !self.footprint.is_empty()
    }

    /// The cells overlapped only during a diagonal step.
    pub(super) fn swept(&self, direction: Direction) -> &[(i32, i32)] {
        &self.swept[usize::from(direction.index() >> 1)]
    }

    /// Columns around a sector that affect where the agent fits and steps in it or one cell
    /// outside.
    pub(super) fn margin(&self) -> usize {
        let reach = self.footprint.iter().map(|(x, _)| x.unsigned_abs()).max();
        reach.unwrap_or(0) as usize + 2
    }

    /// Columns around a changed one whose cells or steps it may affect, one cell outside their
    /// sector included. Thin walls reach one column further: a cell has those to its east and south.
    pub(super) fn repair_margin(&self, has_walls: bool) -> usize {
        match (self.is_wide(), has_walls) {
            (false, _) => 1,
            (true, false) => self.margin() - 1,
            (true, true) => self.margin(),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let all = self.footprint.capacity() + self.swept.iter().map(Vec::capacity).sum::<usize>();
        let edges = self.edges.capacity();
        let edges = edges + self.swept_edges.iter().map(Vec::capacity).sum::<usize>();
        self.half_widths.capacity() * size_of::<u32>()
            + all * size_of::<(i32, i32)>()
            + edges * size_of::<Edge>()
    }
}

/// True if an edge lies nearer than `radius` to the segment from the center of (0, 0) to that of
/// (dx, dy), at most one step away.
///
/// In 1/256 cells from the center of (0, 0). Neither ends inside the other's span without a nearer
/// corner or end, so those decide; a step over the edge itself is a matter of the wall.
fn is_edge_near((at, side): Edge, (dx, dy): (i32, i32), radius: i64) -> bool {
    let (x, y) = (i64::from(at.0) * 256, i64::from(at.1) * 256);
    let (low, high) = match side {
        WallSide::East => ((x + 128, y - 128), (x + 128, y + 128)),
        WallSide::South => ((x - 128, y + 128), (x + 128, y + 128)),
    };
    let end = (i64::from(dx) * 256, i64::from(dy) * 256);
    let from_end = |(x, y): (i64, i64)| {
        let (off_x, off_y) = (x - x.clamp(low.0, high.0), y - y.clamp(low.1, high.1));
        off_x * off_x + off_y * off_y < radius * radius
    };
    let length = end.0 * end.0 + end.1 * end.1;
    let beside = |(x, y): (i64, i64)| {
        let (along, across) = (x * end.0 + y * end.1, x * end.1 - y * end.0);
        (1..length).contains(&along) && across * across < radius * radius * length
    };
    from_end((0, 0)) || from_end(end) || beside(low) || beside(high)
}

/// True if a corner of cell (x, y) lies alongside the segment from (0, 0) to (dx, dy), nearer than
/// `radius`.
fn passes((x, y): (i32, i32), (dx, dy): (i32, i32), radius: i64) -> bool {
    let (dx, dy) = (i64::from(dx), i64::from(dy));
    [(-128, -128), (-128, 128), (128, -128), (128, 128)]
        .iter()
        .any(|(cx, cy)| {
            let (px, py) = (i64::from(x) * 256 + cx, i64::from(y) * 256 + cy);
            // The segment has direction (dx, dy) and length 256 along each axis.
            let along = px * dx + py * dy;
            let across = px * dy - py * dx;
            (1..512).contains(&along) && across * across < 2 * radius * radius
        })
}
