//! Sixteen lanes at once find what the cells find one by one.

use wayfarer_base::{Fixed, Profile, Raster, Rng, Terrain};
use wayfarer_world::ground::{Ground, SheetBits};

use super::super::diagonal_scan::DiagonalSegment;
use super::super::expand::{Expansion, GeneratedNode, JumpVisitor};
use super::super::searcher::JpsGoal;
use super::super::straight_scan::{EAST, Lanes, NORTH, SOUTH, SheetCursor, WEST, outside};
use super::masked_stops;

/// Records what scans generate and how far they read.
#[derive(Default)]
struct Recorder {
    nodes: Vec<(u32, u8)>,
    extents: [u32; 8],
}

impl JumpVisitor for Recorder {
    const MEASURES_REACH: bool = true;
    const HAS_FENCE: bool = false;
    const MAY_HAVE_MASKS: bool = true;

    fn goal(&self) -> Option<JpsGoal> {
        None
    }

    fn is_prunable(&mut self, _x: i32, _y: i32, _g: u64) -> bool {
        false
    }

    fn distance_to_fence(&self, _direction: u8, _x: i32, _y: i32) -> u32 {
        u32::MAX
    }

    fn on_fence_hit(&mut self) {}

    fn reach(&mut self, generated: GeneratedNode) {
        let node = (generated.node.index(), generated.directions);
        self.nodes.push(node);
    }

    fn on_scanned(&mut self, direction: u8, n_cells: u32) {
        let extent = &mut self.extents[usize::from(direction)];
        *extent = n_cells.max(*extent);
    }
}

/// What a scan finds.
type Found = (DiagonalSegment, Vec<(u32, u8)>, [u32; 8]);

/// The diagonal between `H` and `V` from a cell, by sixteen lanes and cell by cell.
fn scan_both<const H: u8, const V: u8>(cursor: SheetCursor<'_>, scans_first: bool) -> [Found; 2] {
    [false, true].map(|is_by_cell| {
        let mut recorder = Recorder::default();
        let mut expansion = Expansion {
            visitor: &mut recorder,
            x: 0,
            y: 0,
            g: 0,
        };
        let how = (scans_first, None);
        let segment = if is_by_cell {
            let masks = cursor.sheet.diagonal_masks().expect("the caller checked");
            expansion.scan_masked_lane_by_lane::<H, V>(cursor, masks, 3, how)
        } else {
            expansion.scan_masked::<H, V>(cursor, 3, how)
        };
        (segment, recorder.nodes, recorder.extents)
    })
}

/// Compares the stops of scans that enter a sheet with those lane by lane.
fn check_entering<const DIR: u8>(sheet: &SheetBits<'_>) {
    let stops = masked_stops::<DIR>(sheet, 0xFFFF, None);
    let masks = sheet.diagonal_masks().expect("the caller checked");
    for across in 0..16 {
        let ending = Lanes::masked::<DIR>(sheet, masks, across).ending::<DIR>(outside::<DIR>(), 0);
        assert_eq!(stops.jump_points >> across & 1 == 1, ending.is_jump_point);
        assert_eq!(stops.leaving >> across & 1 == 1, ending.leaves_sheet());
    }
}

#[test]
fn lanes_scanned_together_stop_where_single_ones_do() {
    let (mut n_sheets, mut n_generated) = (0, 0);
    for seed in 0..6 {
        let mut rng = Rng::for_stream(seed, 78);
        let mut map = Raster::new(48, 48).expect("small");
        for (x, y) in (0..48).flat_map(|y| (0..48).map(move |x| (x, y))) {
            let is_open = rng.below(100) < 97 - 2 * u32::try_from(seed).expect("small");
            map.set(x, y, is_open.then_some(Terrain::GROUND));
        }
        let mut ground = Ground::from_raster(&map);
        for radius in [256, 300, 640] {
            let profile = Profile {
                radius: Fixed::from_raw(radius),
                ..Profile::DEFAULT
            };
            let id = ground.register_profile(profile).expect("a valid profile");
            let own = ground.profile_ground(id).expect("just registered");
            own.for_each_sheet(|sheet| {
                if sheet.diagonal_masks().is_none() {
                    return true;
                }
                n_sheets += 1;
                check_entering::<NORTH>(&sheet);
                check_entering::<EAST>(&sheet);
                check_entering::<SOUTH>(&sheet);
                check_entering::<WEST>(&sheet);
                for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
                    let cursor = SheetCursor { sheet, x, y };
                    for scans_first in [false, true] {
                        for [at_once, by_cell] in [
                            scan_both::<EAST, NORTH>(cursor, scans_first),
                            scan_both::<EAST, SOUTH>(cursor, scans_first),
                            scan_both::<WEST, SOUTH>(cursor, scans_first),
                            scan_both::<WEST, NORTH>(cursor, scans_first),
                        ] {
                            assert_eq!(at_once, by_cell, "seed {seed}, {radius}, ({x}, {y})");
                            n_generated += at_once.1.len();
                        }
                    }
                }
                true
            });
        }
    }
    assert!(
        n_sheets > 20 && n_generated > 1_000,
        "{n_sheets}, {n_generated}"
    );
}
