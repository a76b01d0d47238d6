//! Straight scans of all 16 lanes of a sheet at once: which find a jump point, which leave it.
//!
//! Every row (or column) is a lane of 16 bits; all lanes are worked on with vector instructions
//! \[Harabor2014\]. Most scans are blocked, so only the lanes of the others are reported.

use super::straight_scan::is_upwards;

/// Rows (or columns) -1 to 16 of a sheet.
pub(super) type SheetLanes = [u16; 18];

/// The scans in the lanes of one sheet; bit n is row (or column) n.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScanStops {
    /// Lanes whose scan finds a jump point.
    pub(super) jump_points: u32,
    /// Lanes whose scan leaves the sheet.
    pub(super) leaving: u32,
}

/// 16 lanes from lane `FROM` on: 0 for the lower neighbors, 1 for the lanes, 2 for the higher.
#[inline(always)]
pub(super) fn lanes_from<const FROM: usize>(lanes: &SheetLanes) -> &[u16; 16] {
    lanes[FROM..FROM + 16]
        .first_chunk()
        .expect("there are eighteen lanes, and FROM is at most 2")
}

/// Where 16 scans start: on a diagonal, or at the border they enter by.
pub(super) trait ScanOrigins: Copy {
    /// The cells at which they stop in direction `DIR`, lane by lane.
    fn stops<const DIR: u8>(&self, lanes: &SheetLanes) -> impl Fn(usize) -> u16;
}

/// Scans that start on a diagonal in the sheet.
#[derive(Clone, Copy)]
pub(super) struct DiagonalOrigins {
    /// For each lane the cells ahead of its origin.
    ahead: &'static [u16; 16],
}

impl DiagonalOrigins {
    /// For each lane the cells ahead of its origin.
    #[inline(always)]
    pub(super) fn ahead(self) -> &'static [u16; 16] {
        self.ahead
    }

    /// Scans in direction `DIR` from a diagonal that crosses lane `lane` at cell `along`, and every
    /// next lane one cell further if `RISES`, else one less far.
    #[inline(always)]
    pub(super) fn on_diagonal<const DIR: u8, const RISES: bool>(lane: u32, along: u32) -> Self {
        Self {
            ahead: cells_beyond_diagonal::<DIR, RISES>(lane, along),
        }
    }
}

impl ScanOrigins for DiagonalOrigins {
    #[inline(always)]
    fn stops<const DIR: u8>(&self, lanes: &SheetLanes) -> impl Fn(usize) -> u16 {
        let (low, own, high) = (
            lanes_from::<0>(lanes),
            lanes_from::<1>(lanes),
            lanes_from::<2>(lanes),
        );
        let forced = |lane: u16| {
            let behind = if is_upwards(DIR) {
                lane << 1
            } else {
                lane >> 1
            };
            lane & !behind
        };
        move |n| (forced(low[n]) | forced(high[n]) | !own[n]) & self.ahead[n]
    }
}

/// Scans that enter from the sheet with these lanes.
#[derive(Clone, Copy)]
pub(super) struct EnteringScans<'g>(pub(super) &'g SheetLanes);

impl ScanOrigins for EnteringScans<'_> {
    #[inline(always)]
    fn stops<const DIR: u8>(&self, lanes: &SheetLanes) -> impl Fn(usize) -> u16 {
        let (low, own, high) = (
            lanes_from::<0>(lanes),
            lanes_from::<1>(lanes),
            lanes_from::<2>(lanes),
        );
        let (previous_low, previous_high) = (lanes_from::<0>(self.0), lanes_from::<2>(self.0));
        let forced = |lane: u16, previous: u16| {
            let behind = if is_upwards(DIR) {
                lane << 1 | previous >> 15
            } else {
                lane >> 1 | previous << 15
            };
            lane & !behind
        };
        move |n| forced(low[n], previous_low[n]) | forced(high[n], previous_high[n]) | !own[n]
    }
}

impl ScanStops {
    /// The stops of scans from `origins` in direction `DIR` along `lanes`.
    // Never inlined: the compiler vectorizes it alone, eight lanes at a time, but not amid other
    // code.
    #[inline(never)]
    pub(super) fn new<const DIR: u8>(lanes: &SheetLanes, origins: impl ScanOrigins) -> Self {
        let (stops, own) = (origins.stops::<DIR>(lanes), lanes_from::<1>(lanes));
        let (mut jump_points, mut leaving) = (0, 0);
        for (n, &own) in own.iter().enumerate() {
            let stops = stops(n);
            let is_jump_point = if is_upwards(DIR) {
                stops & stops.wrapping_neg() & own != 0
            } else {
                // The first stop is walkable if the walkable ones begin above the blocked ones.
                stops & own > stops & !own
            };
            jump_points |= if is_jump_point { 1_u16 << n } else { 0 };
            leaving |= if stops == 0 { 1_u16 << n } else { 0 };
        }
        Self {
            jump_points: jump_points.into(),
            leaving: leaving.into(),
        }
    }
}

/// The farthest cell at which scans in the `chosen` lanes stop; 16 or -1, just outside, if one of
/// them leaves the sheet.
pub(super) fn furthest<const DIR: u8>(
    lanes: &SheetLanes,
    origins: impl ScanOrigins,
    mut chosen: u32,
) -> i32 {
    let stops = origins.stops::<DIR>(lanes);
    let mut furthest = if is_upwards(DIR) { -1 } else { 16 };
    while chosen != 0 {
        let stops = i32::from(stops(chosen.trailing_zeros() as usize & 15));
        chosen &= chosen - 1;
        furthest = if is_upwards(DIR) {
            furthest.max((stops | 1 << 16).trailing_zeros().cast_signed())
        } else {
            furthest.min(31 - stops.leading_zeros().cast_signed())
        };
    }
    furthest
}

/// Steps of a diagonal from the cell in column `x` and row `y` within the sheet; east if `EAST`,
/// south if `SOUTH`. A step requires both cells beside it and its end.
// Never inlined, for the same reason.
#[inline(never)]
pub(super) fn steps_on_diagonal<const EAST: bool, const SOUTH: bool>(
    rows: &SheetLanes,
    x: u32,
    y: u32,
) -> u32 {
    let own = lanes_from::<1>(rows);
    let next = if SOUTH {
        lanes_from::<2>(rows)
    } else {
        lanes_from::<0>(rows)
    };
    let cells = cells_on_diagonal::<EAST, SOUTH>(x, y);
    let mut open = 0;
    for n in 0..16 {
        let both = next[n] & own[n];
        let ahead = if EAST { both >> 1 } else { both << 1 };
        let step = next[n] & ahead & cells[n];
        open |= if step != 0 { 1_u16 << n } else { 0 };
    }
    if SOUTH {
        (u32::from(open) >> y).trailing_ones().min(15 - y)
    } else {
        (u32::from(open) << (31 - y)).leading_ones().min(y)
    }
}

/// For each row the cell of a diagonal through the cell in column `x` and row `y`; 0 in rows that it
/// does not cross.
#[inline(always)]
pub(super) fn cells_on_diagonal<const EAST: bool, const SOUTH: bool>(
    x: u32,
    y: u32,
) -> &'static [u16; 16] {
    if EAST == SOUTH {
        from_table(&RISING, 16_u32.wrapping_add(x).wrapping_sub(y))
    } else {
        from_table(&FALLING, 31_u32.wrapping_sub(x).wrapping_sub(y))
    }
}

/// For each lane the cells ahead of a diagonal that crosses lane `lane` at cell `along`;
/// meaningless in lanes that it does not cross.
#[inline(always)]
fn cells_beyond_diagonal<const DIR: u8, const RISES: bool>(
    lane: u32,
    along: u32,
) -> &'static [u16; 16] {
    if RISES {
        let table = if is_upwards(DIR) {
            &UP_RISING
        } else {
            &DOWN_RISING
        };
        from_table(table, 16_u32.wrapping_add(along).wrapping_sub(lane))
    } else {
        let table = if is_upwards(DIR) {
            &UP_FALLING
        } else {
            &DOWN_FALLING
        };
        from_table(table, 31_u32.wrapping_sub(along).wrapping_sub(lane))
    }
}

/// 16 entries of a table from `first` on, 0 to 31.
#[inline(always)]
fn from_table(table: &'static [u16; 48], first: u32) -> &'static [u16; 16] {
    table[(first & 31) as usize..]
        .first_chunk()
        .expect("at most 31 and 16 of 48")
}

/// Which cells of a lane an entry holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cells {
    Own,
    Above,
    Below,
}

/// Cell n - 16.
static RISING: [u16; 48] = table(Cells::Own, true);
/// Cell 31 - n.
static FALLING: [u16; 48] = table(Cells::Own, false);
/// The cells above cell n - 16.
static UP_RISING: [u16; 48] = table(Cells::Above, true);
/// The cells above cell 31 - n.
static UP_FALLING: [u16; 48] = table(Cells::Above, false);
/// The cells below cell n - 16.
static DOWN_RISING: [u16; 48] = table(Cells::Below, true);
/// The cells below cell 31 - n.
static DOWN_FALLING: [u16; 48] = table(Cells::Below, false);

/// One entry per position of a cell in its lane; 0 where there is no such cell.
const fn table(cells: Cells, rises: bool) -> [u16; 48] {
    let mut table = [0; 48];
    let mut cell = 0;
    while cell < 16 {
        let own = 1_u16 << cell;
        table[if rises { cell + 16 } else { 31 - cell }] = match cells {
            Cells::Own => own,
            Cells::Above => !(own | (own - 1)),
            Cells::Below => own - 1,
        };
        cell += 1;
    }
    table
}

#[cfg(test)]
mod tests;
