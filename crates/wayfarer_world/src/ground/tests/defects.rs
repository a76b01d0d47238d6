//! Defects of the published implementation of \[Sturtevant2011\], each with a test that it would
//! fail.

use wayfarer_base::{Column, Rect, Shape, Terrain, WorldData};

use super::both::{Both, put, remove};
use super::*;

/// Cells at one height for each `.` of a drawing.
fn level(drawing: &str, z: i32) -> Vec<Cell> {
    let rows = drawing.split_whitespace();
    (0..)
        .zip(rows)
        .flat_map(|(y, row)| {
            let columns = (0..).zip(row.chars()).filter(|(_, letter)| *letter == '.');
            columns.map(move |(x, _)| Cell::new(x, y, z))
        })
        .collect()
}

fn data_from_cells(cells: &[Cell]) -> WorldData {
    WorldData {
        cells: cells.iter().map(|cell| (*cell, Terrain::GROUND)).collect(),
        ..WorldData::default()
    }
}

/// The canonical form after adding the cells in one batch each.
fn one_by_one(cells: &[Cell], profile: &Profile) -> Canonical {
    let mut ground = Ground::new(profile.clone()).unwrap();
    for &cell in cells {
        ground.apply(&[put(cell)]).unwrap();
    }
    ground.canonical()
}

fn shuffled(cells: &[Cell], seed: u64) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    Rng::new(seed).shuffle(&mut cells);
    cells
}

const COMB: &str = "
    ................
    .#.#.#.#.#.#.#.#
    .#.#.#.#.#.#.#.#
    .#.#.#.#.#.#.#.#";

// "k > 2 splits": the index of the smallest part never advances.
#[test]
fn a_cut_into_four_parts_gives_each_its_own_region() {
    let mut both = Both::drawn(
        "
        ##.####
        ##.####
        .......
        ##.####
        ##.####
        ##.####",
    );
    let changes = both.apply(&[remove(Cell::flat(2, 2))]);
    assert_eq!(both.sizes(), [4, 3, 2, 2]);
    assert_eq!(changes.split_pairs.len(), 3);
    let changes = both.apply(&[put(Cell::flat(2, 2))]);
    assert_eq!(both.sizes(), [12]);
    assert_eq!(changes.merged_pairs.len(), 3);
}

#[test]
fn a_comb_without_its_spine_splits_into_eight_regions() {
    let mut both = Both::new(&data_from_cells(&level(COMB, 0)));
    assert_eq!(both.sizes(), [16 + 24]);
    let spine = Rect::around(Column::new(0, 0), Column::new(15, 0));
    let changes = both.apply(&[GroundEdit::Clear {
        shape: Shape::Box(spine),
        heights: (0, 0),
    }]);
    assert_eq!(both.sizes(), [3; 8]);
    assert_eq!(changes.split_pairs.len(), 7);
}

// "Split re-adds offsets without base height": cells appear near height 0.
#[test]
fn splitting_a_region_at_any_height_adds_no_cells() {
    for z in [40, 255, 256, 100_000, -40] {
        let mut both = Both::new(&data_from_cells(&level(".......\n.......", z)));
        both.apply(&[remove(Cell::new(3, 0, z)), remove(Cell::new(3, 1, z))]);
        assert_eq!(both.sizes(), [6, 6]);
        assert_eq!(both.ground.counts(), (12, 2, 1));
        let heights: BTreeSet<i32> = both.ground.to_data().cells.iter().map(|c| c.0.z).collect();
        assert_eq!(heights, BTreeSet::from([z]));
    }
}

// "A full 16 x 16 region wraps to 0" and then counts as a new one.
#[test]
fn a_region_of_256_cells_has_256_cells() {
    let full = Rect::around(Column::new(0, 0), Column::new(15, 15));
    let cells: Vec<Cell> = full.columns().map(|column| column.at(7)).collect();
    let mut both = Both::new(&data_from_cells(&cells));
    let region = both.ground.region(both.node(cells[0]));
    assert_eq!(both.ground.region_cell_counts(region), (256, 0));
    assert_eq!(both.ground.cells_of(region).count(), 256);
    // After the wrap the next change started a new region.
    both.apply(&[remove(cells[100])]);
    assert_eq!(both.sizes(), [255]);
    both.apply(&[put(cells[100])]);
    assert_eq!(both.sizes(), [256]);
    both.apply(&[put(Cell::new(16, 3, 7))]);
    assert_eq!(both.sizes(), [256, 1]);
}

// "31 heights" and "flood fill leaks from height 30 into impassable 31".
#[test]
fn a_stair_of_256_steps_in_one_sector_is_one_region() {
    let along = |n: i32| if n / 16 % 2 == 0 { n % 16 } else { 15 - n % 16 };
    let stair: Vec<Cell> = (0..256).map(|n| Cell::new(along(n), n / 16, n)).collect();
    let mut both = Both::new(&data_from_cells(&stair));
    assert_eq!(both.sizes(), [256]);
    // One step up, one step down; the flights lie side by side, out of step reach.
    let n_steps: Vec<usize> = stair.iter().map(|cell| both.steps(*cell).len()).collect();
    assert!(n_steps[1..255].iter().all(|n| *n == 2));
    // Cut at the height of the last code.
    both.apply(&[remove(stair[31])]);
    assert_eq!(both.sizes(), [224, 31]);
    assert!(!both.is_connected(stair[30], stair[32]));
}

#[test]
fn a_flood_fill_from_height_30_does_not_enter_holes() {
    // A ramp from 0 up to 29, and at 30 a ledge around a hole.
    let along = |n: i32| if n < 15 { (n, 15) } else { (29 - n, 14) };
    let ramp = (0..30).map(|n| Cell::new(along(n).0, along(n).1, n));
    let ledge = Rect::around(Column::new(0, 10), Column::new(2, 12));
    let hole = Column::new(1, 11);
    let around = ledge.columns().filter(|column| *column != hole);
    let high = around
        .chain([Column::new(0, 13)])
        .map(|column| column.at(30));
    let cells: Vec<Cell> = ramp.chain(high).collect();
    let mut both = Both::new(&data_from_cells(&cells));
    assert_eq!(both.sizes(), [39]);
    both.apply(&[remove(Cell::new(1, 12, 30)), remove(Cell::new(1, 10, 30))]);
    assert_eq!(both.sizes(), [34, 3]);
    assert!(both.ground.floors(hole).next().is_none());
    assert!(!both.is_connected(Cell::new(0, 11, 30), Cell::new(2, 11, 30)));
}

// "Sentinel -1 for no height forbids z = -1"; "never negative".
#[test]
fn negative_heights_are_valid_and_so_is_minus_one() {
    let slope: Vec<Cell> = (-3..=3).map(|n| Cell::new(n, 0, n)).collect();
    let mut both = Both::new(&data_from_cells(&slope));
    assert!(both.is_connected(slope[0], slope[6]));
    let low = Cell::new(-1, 0, -1);
    assert_eq!(both.steps(low), [Cell::new(0, 0, 0), Cell::new(-2, 0, -2)]);
    let column = Column::new(-1, 0);
    let found = both.ground.project_to_floor(column, 9);
    assert_eq!(found.map(|node| both.ground.cell(node)), Some(low));
    let changes = both.apply(&[remove(low)]);
    assert_eq!(changes.split_pairs.len(), 1);
    assert_eq!(both.ground.project_to_floor(column, -1), None);
}

// "Exact-z removal compares base + 31 of impassable cells".
#[test]
fn removing_a_missing_floor_changes_nothing() {
    let mut both = Both::new(&data_from_cells(&level("...\n.#.\n...", 5)));
    let previous = both.ground.canonical();
    // The hole in the center, at every height that the code for "impassable" could mean.
    let edits: Vec<GroundEdit> = (-40..=60).map(|z| remove(Cell::new(1, 1, z))).collect();
    let changes = both.apply(&edits);
    assert!(changes.changes.is_empty() && changes.changes.dirty_sectors.is_empty());
    // Just above and just below an existing floor.
    let changes = both.apply(&[remove(Cell::new(0, 0, 4)), remove(Cell::new(0, 0, 36))]);
    assert!(changes.changes.is_empty());
    assert_eq!(both.ground.canonical(), previous);
}

// "pointCount never decremented"; "empty regions never freed".
#[test]
fn counts_decrease_and_empty_storage_is_freed() {
    let cells = level(COMB, 3);
    let mut both = Both::new(&data_from_cells(&[]));
    let mut kept = Vec::new();
    for round in 0..3 {
        let edits: Vec<GroundEdit> = cells.iter().copied().map(put).collect();
        both.apply(&edits);
        for (n_gone, &cell) in shuffled(&cells, round).iter().enumerate() {
            both.ground.apply(&[remove(cell)]).unwrap();
            let (n_cells, n_regions, n_sheets) = both.ground.counts();
            assert_eq!(n_cells, cells.len() - n_gone - 1);
            let counted = both
                .ground
                .regions()
                .map(|r| both.ground.region_cell_counts(r).0);
            assert_eq!(counted.map(usize::from).sum::<usize>(), n_cells);
            assert!(n_regions <= n_cells && n_sheets <= 1);
        }
        assert_eq!(both.ground.counts(), (0, 0, 0));
        both.world = ReferenceWorld::default();
        both.ground.trim();
        kept.push(both.ground.memory_report().total());
    }
    assert_eq!(kept, [kept[0]; 3]);
    assert!(kept[0] < 400, "{} bytes left for an empty world", kept[0]);
}

#[test]
fn a_thousand_regions_added_and_removed_leave_no_memory_behind() {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let mut most = 0;
    for round in 0..1000 {
        let island = level("...\n.#.\n...", round % 7);
        let edits: Vec<GroundEdit> = island.iter().copied().map(put).collect();
        let changes = ground.apply(&edits).unwrap();
        ground.apply(&changes.inverse()).unwrap();
        let now = ground.memory_report().total();
        if round == 10 {
            most = now;
        }
        assert!(round <= 10 || now <= most, "round {round}: {now} bytes");
    }
}

// "Edges to a region id that no longer exists."
#[test]
fn portals_lead_to_existing_regions_only() {
    let strip: Vec<Cell> = (0..48).map(|x| Cell::flat(x, 5)).collect();
    let mut both = Both::new(&data_from_cells(&strip));
    let center: Vec<GroundEdit> = strip[16..32].iter().copied().map(remove).collect();
    let portals = |both: &Both| -> usize {
        let regions = both.ground.canonical().regions;
        regions.iter().map(|region| region.portals.len()).sum()
    };
    assert_eq!(portals(&both), 4);
    let changes = both.apply(&center);
    assert_eq!(portals(&both), 0);
    both.apply(&changes.inverse());
    assert_eq!(portals(&both), 4);
}

// "SetHeightOffset wipes locality when the base is lowered"; "CanAddPoint lowers the base".
#[test]
fn adding_floors_downwards_equals_adding_them_upwards() {
    let stair: Vec<Cell> = (0..16).map(|n| Cell::new(n, 0, n * 2 / 2 - 8)).collect();
    let upwards = one_by_one(&stair, &Profile::DEFAULT);
    let mut downwards = stair.clone();
    downwards.reverse();
    assert_eq!(one_by_one(&downwards, &Profile::DEFAULT), upwards);
    for seed in 0..20 {
        let order = shuffled(&stair, seed);
        assert_eq!(
            one_by_one(&order, &Profile::DEFAULT),
            upwards,
            "seed {seed}"
        );
    }
    assert_eq!(upwards.regions.len(), 1);
}

// "The order of adding cells matters": 8 regions row by row, 1 spine first. "Merging is not done."
#[test]
fn a_comb_is_one_region_for_any_order_of_edits() {
    let comb = level(COMB, 0);
    let expected = one_by_one(&comb, &Profile::DEFAULT);
    assert_eq!(expected.regions.len(), 1);
    let mut teeth_first = comb.clone();
    teeth_first.reverse();
    assert_eq!(one_by_one(&teeth_first, &Profile::DEFAULT), expected);
    for seed in 0..20 {
        let order = shuffled(&comb, seed);
        assert_eq!(
            one_by_one(&order, &Profile::DEFAULT),
            expected,
            "seed {seed}"
        );
    }
}

#[test]
fn stacked_floors_have_the_same_regions_for_any_order_of_edits() {
    let mut tower = Vec::new();
    for z in [0, 1, 4, 9] {
        tower.extend(level("...\n.#.\n...", z).into_iter().map(|cell| {
            // The floors slope, so that ranks change from column to column.
            Cell::new(cell.x + z, cell.y, z)
        }));
    }
    let expected = one_by_one(&tower, &Profile::DEFAULT);
    for seed in 0..40 {
        let order = shuffled(&tower, seed);
        assert_eq!(
            one_by_one(&order, &Profile::DEFAULT),
            expected,
            "seed {seed}"
        );
    }
}

// "Center = the average, which may be impassable."
#[test]
fn the_center_of_a_ring_lies_on_the_ring() {
    let mut both = Both::drawn(
        "
        .......
        .#####.
        .#####.
        .#####.
        .#####.
        .#####.
        .......",
    );
    let region = both.ground.regions().next().unwrap();
    let center = both.ground.cell(both.ground.center_of(region));
    // Nearest to the centroid (3, 3) are the middles of the sides; the first of them.
    assert_eq!(center, Cell::flat(3, 0));
    both.apply(&[remove(center)]);
    for region in both.ground.canonical().regions {
        assert!(region.cells.contains(&region.center));
    }
}

// "Support = number of underlying grid edges", 8 bits; both halves counted.
#[test]
fn a_whole_border_between_sectors_has_sixteen_straight_and_thirty_diagonal_steps() {
    let two = Rect::around(Column::new(0, 0), Column::new(31, 15));
    let cells: Vec<Cell> = two.columns().map(|column| column.at(0)).collect();
    let both = Both::new(&data_from_cells(&cells));
    for region in both.ground.canonical().regions {
        let supports: Vec<u16> = region.portals.iter().map(|p| p.support).collect();
        assert_eq!(supports, [16 + 30]);
    }
}

#[test]
fn the_support_of_a_portal_inside_a_sector_may_exceed_a_byte() {
    // Two interlocked combs: terraces and the ditches between them, one-way drops.
    let mut plan = WorldData {
        profile: Profile {
            max_drop: 5,
            ..Profile::DEFAULT
        },
        ..WorldData::default()
    };
    for column in Rect::around(Column::new(0, 0), Column::new(15, 15)).columns() {
        let high = column.x == 0 || (column.x < 15 && column.y % 2 == 0);
        let cell = column.at(if high { 5 } else { 0 });
        plan.cells.push((cell, Terrain::GROUND));
    }
    let both = Both::new(&plan);
    let regions = both.ground.canonical().regions;
    assert_eq!(regions.len(), 2);
    let most = regions.iter().flat_map(|r| &r.portals).map(|p| p.support);
    let most = most.max().unwrap();
    assert!(most > 255, "only {most} steps");
}

// "8-bit region ids": 256 regions in a sector.
#[test]
fn a_sector_may_have_more_than_256_regions() {
    let square = Rect::around(Column::new(0, 0), Column::new(15, 15));
    let odd = square.columns().filter(|at| (at.x + at.y) % 2 == 1);
    let cells: Vec<Cell> = odd.flat_map(|at| [0, 4, 8, 12].map(|z| at.at(z))).collect();
    let mut both = Both::new(&data_from_cells(&cells));
    assert_eq!(both.ground.counts(), (512, 512, 4));
    // One cell connects its four neighbors; the other ranks are unaffected.
    let changes = both.apply(&[put(Cell::flat(8, 8))]);
    assert_eq!(changes.merged_pairs.len(), 3);
    assert_eq!(both.ground.counts().1, 509);
}

// 16-bit counts: a sector with its border columns may have more floors than that.
#[test]
fn eighty_thousand_floors_around_a_sector_keep_their_successors() {
    let square = Rect::around(Column::new(-1, -1), Column::new(16, 16));
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let floors = square.columns().flat_map(|column| {
        // Every second column lies one step higher, so that no sheet is uniform.
        (0..255).map(move |rank| put(column.at(3 * rank + (column.x & 1))))
    });
    ground.apply(&floors.collect::<Vec<GroundEdit>>()).unwrap();
    assert_eq!(ground.counts().0, 18 * 18 * 255);
    let mut buffer = SuccessorBuffer::default();
    for node in ground.nodes() {
        let cell = ground.cell(node);
        let edges = [cell.x, cell.y].map(|at| at == -1 || at == 16);
        let expected = match edges {
            [false, false] => 8,
            [true, true] => 3,
            _ => 5,
        };
        assert_eq!(
            ground.successors(node, &mut buffer).len(),
            expected,
            "{cell}"
        );
    }
    let components: BTreeSet<ComponentId> = ground.nodes().map(|n| ground.component(n)).collect();
    assert_eq!(components.len(), 255);
}

// "u16 sector": 65,536 sectors.
#[test]
fn ninety_thousand_sectors_keep_their_own_cells() {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let at = |n: i32| Cell::flat(16 * (n % 300) - 2400, 16 * (n / 300) - 2400);
    let edits: Vec<GroundEdit> = (0..90_000).map(|n| put(at(n))).collect();
    ground.apply(&edits).unwrap();
    assert_eq!(ground.counts(), (90_000, 90_000, 90_000));
    for n in (0..90_000).step_by(997) {
        let node = ground.node(at(n)).unwrap();
        assert_eq!(ground.cell(node), at(n));
        let sector = ground.sector_of(ground.region(node));
        assert_eq!(sector, SectorId::from_column(at(n).column()));
    }
    // 65,536 sectors further: a u16 could not distinguish it from the first.
    let (first, alias) = (at(0), at(65_536));
    ground.apply(&[remove(first)]).unwrap();
    assert!(ground.node(first).is_none() && ground.node(alias).is_some());
}

#[test]
fn the_corners_of_the_world_can_be_walked() {
    let far: i32 = (1 << 23) - 1;
    let mut plan = WorldData::default();
    for (x, y) in [(far, far), (-far, far), (far, -far), (-far, -far)] {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let cell = Cell::new(x - dx * x.signum(), y - dy * y.signum(), x.signum() << 24);
            plan.cells.push((cell, Terrain::GROUND));
        }
    }
    let both = Both::new(&plan);
    assert_eq!(both.ground.counts().0, 16);
    for (cell, _) in &plan.cells {
        assert_eq!(both.steps(*cell).len(), 3, "from {cell}");
    }
}

// "Abstract states unreachable (u8 -1 -> 255)"; "the released class cannot be searched at all".
#[test]
fn a_search_over_regions_finds_exactly_the_component() {
    for seed in 0..6 {
        let plan = random_world(seed, WorldKind::ALL[0]);
        let ground = Ground::from_data(&plan).unwrap();
        for start in ground.regions() {
            let (mut found, mut open) = (BTreeSet::from([start]), vec![start]);
            while let Some(region) = open.pop() {
                ground.for_each_portal(region, |portal| {
                    if found.insert(portal.to) {
                        open.push(portal.to);
                    }
                });
            }
            let component = ground.component_of_region(start);
            let expected: BTreeSet<RegionId> = ground
                .regions()
                .filter(|region| ground.component_of_region(*region) == component)
                .collect();
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}

// "Fresh cells start with blockage 7."
#[test]
fn fresh_ground_has_multiplier_one() {
    let both = Both::new(&data_from_cells(&level(COMB, 0)));
    for region in both.ground.regions() {
        assert_eq!(both.ground.region_cell_counts(region), (40, 0));
    }
    assert!(both.ground.canonical().multipliers.is_empty());
}

// "Which point wins when two floors of a column are both within the step" was the region made
// first; here the nearest, ties to the lower, for any order of edits.
#[test]
fn a_step_leads_to_the_nearest_floor_and_on_ties_to_the_lower() {
    let profile = Profile {
        max_step: 3,
        max_drop: 3,
        ..Profile::DEFAULT
    };
    let cases = [
        (vec![-2, 2], Some(-2)),
        (vec![-3, 1], Some(1)),
        (vec![-3, 3], Some(-3)),
        (vec![-1, 2], Some(-1)),
        (vec![4, -4], None),
        // The nearest has no headroom and is ignored.
        (vec![0, 1], Some(1)),
    ];
    for (heights, expected) in cases {
        for reverse in [false, true] {
            let mut cells = vec![Cell::flat(0, 0)];
            cells.extend(heights.iter().map(|z| Cell::new(1, 0, *z)));
            if reverse {
                cells.reverse();
            }
            let plan = WorldData {
                profile: profile.clone(),
                ..data_from_cells(&cells)
            };
            let both = Both::new(&plan);
            let steps: Vec<i32> = both
                .steps(cells[if reverse { 2 } else { 0 }])
                .iter()
                .map(|cell| cell.z)
                .collect();
            assert_eq!(
                steps,
                expected.into_iter().collect::<Vec<_>>(),
                "{heights:?}"
            );
        }
    }
}

// "Adjacency means 4-adjacency": a shared corner connects nothing.
#[test]
fn cells_that_touch_at_a_corner_are_two_regions() {
    let mut both = Both::drawn(".#\n#.");
    assert_eq!(both.sizes(), [1, 1]);
    assert!(!both.is_connected(Cell::flat(0, 0), Cell::flat(1, 1)));
    both.apply(&[put(Cell::flat(1, 0))]);
    assert_eq!(both.sizes(), [3]);
}
