//! Scans of all lanes against single scans.

use wayfarer_base::{Direction, Raster, Rng};
use wayfarer_world::ground::{Ground, SheetBits};

use super::super::straight_scan::{EAST, Ending, Lanes, NORTH, SOUTH, WEST, is_along_row, outside};
use super::*;

fn lanes_of<'g, const DIR: u8>(sheet: &SheetBits<'g>) -> &'g SheetLanes {
    if is_along_row(DIR) {
        sheet.row_lanes()
    } else {
        sheet.column_lanes()
    }
}

/// The cell at which a single scan from cell `own` stops.
fn stop_of<const DIR: u8>(ending: Ending, own: i32) -> i32 {
    let length = ending.distance::<DIR>().cast_signed() + 1;
    match (ending.leaves_sheet(), is_upwards(DIR)) {
        (true, true) => 16,
        (true, false) => -1,
        (false, true) => own + length,
        (false, false) => own - length,
    }
}

/// Compares all lanes with single scans.
fn check<const DIR: u8, const RISES: bool>(sheet: &SheetBits<'_>, rng: &mut Rng) {
    let lanes = lanes_of::<DIR>(sheet);
    let (crossed, along) = (rng.below(16), rng.below(16));
    let origins = DiagonalOrigins::on_diagonal::<DIR, RISES>(crossed, along);
    let stops = ScanStops::new::<DIR>(lanes, origins);
    for lane in 0..16_u32 {
        let further = lane.cast_signed() - crossed.cast_signed();
        let own = along.cast_signed() + if RISES { further } else { -further };
        if !(0..16).contains(&own) {
            continue;
        }
        let ending = Lanes::new::<DIR>(sheet, lane, None).ending::<DIR>(own.cast_unsigned(), 0);
        let found = (
            stops.leaving >> lane & 1 == 1,
            stops.jump_points >> lane & 1 == 1,
        );
        let expected = (ending.leaves_sheet(), ending.is_jump_point);
        assert_eq!(found, expected, "to {DIR}, lane {lane} from {own}");
        let furthest = furthest::<DIR>(lanes, origins, 1 << lane);
        let expected = stop_of::<DIR>(ending, own);
        assert_eq!(furthest, expected, "to {DIR}, lane {lane} from {own}");
    }
    let Some(previous) = sheet.neighbor(Direction::from_index((DIR + 4) % 8)) else {
        return;
    };
    let origins = EnteringScans(lanes_of::<DIR>(&previous));
    let stops = ScanStops::new::<DIR>(lanes, origins);
    let mut last = if is_upwards(DIR) { -1 } else { 16 };
    for lane in 0..16 {
        let lanes = Lanes::new::<DIR>(sheet, lane, Some(&previous));
        let ending = lanes.ending::<DIR>(outside::<DIR>(), 0);
        let found = (
            stops.leaving >> lane & 1 == 1,
            stops.jump_points >> lane & 1 == 1,
        );
        let expected = (ending.leaves_sheet(), ending.is_jump_point);
        assert_eq!(found, expected, "to {DIR}, lane {lane} from {previous:?}");
        let stop = stop_of::<DIR>(ending, outside::<DIR>().cast_signed());
        last = if is_upwards(DIR) {
            stop.max(last)
        } else {
            stop.min(last)
        };
    }
    assert_eq!(
        furthest::<DIR>(lanes_of::<DIR>(sheet), origins, 0xFFFF),
        last
    );
}

fn check_diagonal<const EAST: bool, const SOUTH: bool>(sheet: &SheetBits<'_>) {
    let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
    for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
        let is_step = |n: i32| {
            let (x, y) = (x + n * dx, y + n * dy);
            (0..16).contains(&(x + dx))
                && (0..16).contains(&(y + dy))
                && sheet.is_walkable(x + dx, y)
                && sheet.is_walkable(x, y + dy)
                && sheet.is_walkable(x + dx, y + dy)
        };
        let expected = (0..).take_while(|n| is_step(*n)).count();
        let (column, row) = (x.cast_unsigned(), y.cast_unsigned());
        let steps = steps_on_diagonal::<EAST, SOUTH>(sheet.row_lanes(), column, row);
        assert_eq!(steps as usize, expected, "({x}, {y}) by ({dx}, {dy})");
    }
}

#[test]
fn scans_of_all_lanes_end_where_single_scans_end() {
    let mut rng = Rng::new(7);
    for per_cent in [1, 5, 20, 50] {
        let cells = (0..48 * 48).map(|_| if rng.chance(per_cent, 100) { 255 } else { 0 });
        let map = Raster::from_bytes(48, 48, cells.collect()).unwrap();
        let ground = Ground::from_raster(&map);
        for sheet in ground.sheets() {
            check_diagonal::<true, true>(&sheet);
            check_diagonal::<true, false>(&sheet);
            check_diagonal::<false, true>(&sheet);
            check_diagonal::<false, false>(&sheet);
            for _ in 0..20 {
                check::<NORTH, true>(&sheet, &mut rng);
                check::<NORTH, false>(&sheet, &mut rng);
                check::<EAST, true>(&sheet, &mut rng);
                check::<EAST, false>(&sheet, &mut rng);
                check::<SOUTH, true>(&sheet, &mut rng);
                check::<SOUTH, false>(&sheet, &mut rng);
                check::<WEST, true>(&sheet, &mut rng);
                check::<WEST, false>(&sheet, &mut rng);
            }
        }
    }
}
