use wayfarer_base::{Direction, Raster, Rng};
use wayfarer_world::ground::{Ground, SheetBits};

use super::super::ray::{EAST, Ending, Lanes, NORTH, SOUTH, WEST, is_along_row, outside};
use super::*;

fn lanes_of<'g, const TO: u8>(sheet: &SheetBits<'g>) -> &'g LanesOfSheet {
    if is_along_row(TO) {
        sheet.row_lanes()
    } else {
        sheet.column_lanes()
    }
}

/// The cell at which a single ray from cell `own` stops.
fn stop_of<const TO: u8>(ending: Ending, own: i32) -> i32 {
    let length = ending.distance::<TO>().cast_signed() + 1;
    match (ending.leads_on(), is_upwards(TO)) {
        (true, true) => 16,
        (true, false) => -1,
        (false, true) => own + length,
        (false, false) => own - length,
    }
}

/// Compares with what single rays say of where they end.
fn check<const TO: u8, const RISES: bool>(sheet: &SheetBits<'_>, rng: &mut Rng) {
    let lanes = lanes_of::<TO>(sheet);
    let (crossed, along) = (rng.below(16), rng.below(16));
    let rays = Beginning::on_diagonal::<TO, RISES>(crossed, along);
    let stops = ScanStops::of::<TO>(lanes, rays);
    for lane in 0..16_u32 {
        let further = lane.cast_signed() - crossed.cast_signed();
        let own = along.cast_signed() + if RISES { further } else { -further };
        if !(0..16).contains(&own) {
            continue;
        }
        let ending = Lanes::of::<TO>(sheet, lane, None).ending::<TO>(own.cast_unsigned(), 0);
        let found = (
            stops.leads_on >> lane & 1 == 1,
            stops.places >> lane & 1 == 1,
        );
        let expected = (ending.leads_on(), ending.is_place);
        assert_eq!(found, expected, "to {TO}, lane {lane} from {own}");
        let furthest = furthest::<TO>(lanes, rays, 1 << lane);
        let expected = stop_of::<TO>(ending, own);
        assert_eq!(furthest, expected, "to {TO}, lane {lane} from {own}");
    }
    let Some(previous) = sheet.neighbor(Direction::from_index((TO + 4) % 8)) else {
        return;
    };
    let rays = Entering(lanes_of::<TO>(&previous));
    let stops = ScanStops::of::<TO>(lanes, rays);
    let mut last = if is_upwards(TO) { -1 } else { 16 };
    for lane in 0..16 {
        let lanes = Lanes::of::<TO>(sheet, lane, Some(&previous));
        let ending = lanes.ending::<TO>(outside::<TO>(), 0);
        let found = (
            stops.leads_on >> lane & 1 == 1,
            stops.places >> lane & 1 == 1,
        );
        let expected = (ending.leads_on(), ending.is_place);
        assert_eq!(found, expected, "to {TO}, lane {lane} from {previous:?}");
        let stop = stop_of::<TO>(ending, outside::<TO>().cast_signed());
        last = if is_upwards(TO) {
            stop.max(last)
        } else {
            stop.min(last)
        };
    }
    assert_eq!(furthest::<TO>(lanes_of::<TO>(sheet), rays, 0xFFFF), last);
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
fn sixteen_rays_and_diagonals_end_where_each_alone_ends() {
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
