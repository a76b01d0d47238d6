//! Sixteen rays side by side through one sheet: which of them come to a place, which lead on.
//!
//! Most rays come to nothing, so no more is found out about them here. Every row (or column) is
//! a lane of sixteen bits, and all lanes are worked on at once.

use super::ray::is_upwards;

/// Rows (or columns) -1 to 16 of a sheet.
pub(super) type LanesOfSheet = [u16; 18];

/// What becomes of the rays in the lanes of one sheet; bit n is row (or column) n.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScanStops {
    /// Lanes whose ray comes to a place before what is closed.
    pub(super) places: u32,
    /// Lanes whose ray leads to the edge of the sheet.
    pub(super) leads_on: u32,
}

/// Sixteen lanes from number `FROM` on: 0 is the lower neighbors, 1 the lanes, 2 the higher ones.
#[inline(always)]
fn sixteen<const FROM: usize>(lanes: &LanesOfSheet) -> &[u16; 16] {
    lanes[FROM..FROM + 16]
        .first_chunk()
        .expect("there are eighteen lanes, and FROM is at most 2")
}

/// Where sixteen rays begin: on a diagonal, or in the sheet that they come from.
pub(super) trait Rays: Copy {
    /// The cells at which they stop in direction `TO`, lane by lane.
    fn stops<const TO: u8>(&self, lanes: &LanesOfSheet) -> impl Fn(usize) -> u16;
}

/// Rays that begin on a diagonal over the sheet.
#[derive(Clone, Copy)]
pub(super) struct Beginning {
    /// For each lane the cells ahead.
    ahead: &'static [u16; 16],
}

impl Beginning {
    /// Rays in direction `TO` from a diagonal that crosses lane `lane` at cell `along`, and every
    /// next lane one cell further if `RISES`, else one less far.
    #[inline(always)]
    pub(super) fn on_diagonal<const TO: u8, const RISES: bool>(lane: u32, along: u32) -> Self {
        Self {
            ahead: beyond_diagonal::<TO, RISES>(lane, along),
        }
    }
}

impl Rays for Beginning {
    #[inline(always)]
    fn stops<const TO: u8>(&self, lanes: &LanesOfSheet) -> impl Fn(usize) -> u16 {
        let (low, own, high) = (
            sixteen::<0>(lanes),
            sixteen::<1>(lanes),
            sixteen::<2>(lanes),
        );
        let turns = |lane: u16| {
            let behind = if is_upwards(TO) { lane << 1 } else { lane >> 1 };
            lane & !behind
        };
        move |n| (turns(low[n]) | turns(high[n]) | !own[n]) & self.ahead[n]
    }
}

/// Rays that come from the sheet with these lanes.
#[derive(Clone, Copy)]
pub(super) struct Entering<'g>(pub(super) &'g LanesOfSheet);

impl Rays for Entering<'_> {
    #[inline(always)]
    fn stops<const TO: u8>(&self, lanes: &LanesOfSheet) -> impl Fn(usize) -> u16 {
        let (low, own, high) = (
            sixteen::<0>(lanes),
            sixteen::<1>(lanes),
            sixteen::<2>(lanes),
        );
        let (previous_low, previous_high) = (sixteen::<0>(self.0), sixteen::<2>(self.0));
        let turns = |lane: u16, previous: u16| {
            let behind = if is_upwards(TO) {
                lane << 1 | previous >> 15
            } else {
                lane >> 1 | previous << 15
            };
            lane & !behind
        };
        move |n| turns(low[n], previous_low[n]) | turns(high[n], previous_high[n]) | !own[n]
    }
}

impl ScanStops {
    /// What becomes of `rays` in direction `TO` along `lanes`.
    // Never inlined: on its own it is worked out with vectors of eight lanes each, amid other code
    // it is not.
    #[inline(never)]
    pub(super) fn of<const TO: u8>(lanes: &LanesOfSheet, rays: impl Rays) -> Self {
        let (stops, own) = (rays.stops::<TO>(lanes), sixteen::<1>(lanes));
        let (mut places, mut leads_on) = (0, 0);
        for (n, &own) in own.iter().enumerate() {
            let stops = stops(n);
            let is_place = if is_upwards(TO) {
                stops & stops.wrapping_neg() & own != 0
            } else {
                // The first stop is open if the open ones begin above the closed ones.
                stops & own > stops & !own
            };
            places |= if is_place { 1_u16 << n } else { 0 };
            leads_on |= if stops == 0 { 1_u16 << n } else { 0 };
        }
        Self {
            places: places.into(),
            leads_on: leads_on.into(),
        }
    }
}

/// The cell at which the ray stops that comes furthest of those in the `chosen` lanes; just
/// outside, 16 or -1, if one of them leads on.
pub(super) fn furthest<const TO: u8>(
    lanes: &LanesOfSheet,
    rays: impl Rays,
    mut chosen: u32,
) -> i32 {
    let stops = rays.stops::<TO>(lanes);
    let mut furthest = if is_upwards(TO) { -1 } else { 16 };
    while chosen != 0 {
        let stops = i32::from(stops(chosen.trailing_zeros() as usize & 15));
        chosen &= chosen - 1;
        furthest = if is_upwards(TO) {
            furthest.max((stops | 1 << 16).trailing_zeros().cast_signed())
        } else {
            furthest.min(31 - stops.leading_zeros().cast_signed())
        };
    }
    furthest
}

/// Steps that a diagonal takes before it ends or comes to the edge of the sheet, from the cell in
/// column `x` and row `y`; east if `EAST`, south if `SOUTH`.
///
/// A step needs both cells beside it and the next one.
// Never inlined, for the same reason.
#[inline(never)]
pub(super) fn steps_on_diagonal<const EAST: bool, const SOUTH: bool>(
    rows: &LanesOfSheet,
    x: u32,
    y: u32,
) -> u32 {
    let own = sixteen::<1>(rows);
    let next = if SOUTH {
        sixteen::<2>(rows)
    } else {
        sixteen::<0>(rows)
    };
    let cells = if EAST == SOUTH {
        from_table(&RISING, 16_u32.wrapping_add(x).wrapping_sub(y))
    } else {
        from_table(&FALLING, 31_u32.wrapping_sub(x).wrapping_sub(y))
    };
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

/// For each lane the cells ahead of a diagonal, which crosses lane `lane` at cell `along`; of no
/// meaning in lanes that it does not cross.
#[inline(always)]
fn beyond_diagonal<const TO: u8, const RISES: bool>(lane: u32, along: u32) -> &'static [u16; 16] {
    if RISES {
        let table = if is_upwards(TO) {
            &UP_RISING
        } else {
            &DOWN_RISING
        };
        from_table(table, 16_u32.wrapping_add(along).wrapping_sub(lane))
    } else {
        let table = if is_upwards(TO) {
            &UP_FALLING
        } else {
            &DOWN_FALLING
        };
        from_table(table, 31_u32.wrapping_sub(along).wrapping_sub(lane))
    }
}

/// Sixteen entries from number `first` on, 0 to 31.
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

/// None where there is no such cell.
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
