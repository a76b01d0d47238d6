use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{Cell, Column, GroundEdit, Raster, Rng, SectorId, Terrain};
use wayfarer_make::City;
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};

use super::super::SuccessorBuffer;
use super::*;

fn block(cell: Cell) -> (i32, i32) {
    (
        cell.x.div_euclid(Ground::BLOCK_SIDE),
        cell.y.div_euclid(Ground::BLOCK_SIDE),
    )
}

/// Parts as a walk over all steps finds them: for each, the cells, and the parts beside it.
#[track_caller]
fn check(ground: &Ground, note: &str) {
    let mut cells: BTreeMap<AbstractNodeId, Vec<Cell>> = BTreeMap::new();
    let mut beside: BTreeMap<AbstractNodeId, BTreeSet<AbstractNodeId>> = BTreeMap::new();
    let mut buffer = SuccessorBuffer::default();
    for node in ground.nodes() {
        let part = ground.abstract_node(node);
        let cell = ground.cell(node);
        assert_eq!(ground.block_of(part), block(cell), "{note}: {cell}");
        cells.entry(part).or_default().push(cell);
        for (to, _) in ground.successors(node, &mut buffer) {
            let other = ground.abstract_node(to);
            if other != part {
                // A diagonal joins what its two paths around join, perhaps over other floors.
                let there = ground.cell(to);
                if there.x == cell.x || there.y == cell.y {
                    beside.entry(part).or_default().insert(other);
                    beside.entry(other).or_default().insert(part);
                }
            }
        }
    }
    for (part, own) in &cells {
        let mut reported = BTreeSet::new();
        ground.for_each_abstract_neighbor(*part, |next, _| {
            assert!(cells.contains_key(&next), "{note}: parts have cells");
            reported.insert(next);
        });
        for next in beside.get(part).into_iter().flatten() {
            assert!(
                reported.contains(next),
                "{note}: {part:?} leads to {next:?}"
            );
        }
        for next in &reported {
            let (here, there) = (own[0], cells[next][0]);
            let nodes = [here, there].map(|cell| ground.node(cell).unwrap());
            let [here, there] = nodes.map(|node| ground.component(node));
            assert_eq!(here, there, "{note}: what is beside hangs together");
        }
        let at = Column::new(own[0].x + 9, own[0].y - 7);
        let near = ground.cell_in(*part, at).unwrap();
        assert_eq!(ground.abstract_node(near), *part, "{note}");
    }
}

#[test]
fn parts_lie_beside_each_other_where_steps_lead_from_one_to_the_other() {
    for kind in WorldKind::ALL {
        for seed in 0..6 {
            let plan = random_world(seed, kind);
            let mut world = ReferenceWorld::new(&plan);
            let mut ground = Ground::from_data(&plan).unwrap();
            let mut rng = Rng::new(seed);
            for batch in 0..5 {
                check(&ground, &format!("{kind:?} {seed} batch {batch}"));
                let edits = random_batch(&mut rng, &world);
                world.apply(&edits);
                ground.apply(&edits).unwrap();
            }
        }
    }
}

/// The part of a wider square that a cell belongs to.
fn part_at(ground: &Ground, node: NodeId, level: u8) -> Option<AbstractNodeId> {
    let part = Some(ground.abstract_node(node));
    (0..level).fold(part, |part, _| ground.abstract_parent(part?))
}

#[test]
fn wider_squares_lie_beside_each_other_where_steps_lead_over_their_sides() {
    for seed in 0..2 {
        let city = City::with_sides(1_200, 300, seed).unwrap();
        let sectors = city.sectors().map(|id| (id, city.sector(id).to_raster()));
        let mut ground = Ground::from_sectors(sectors).unwrap();
        let mut rng = Rng::new(seed);
        for batch in 0..3 {
            assert!(
                ground.n_abstraction_levels() > 1,
                "blocks, and at least one wider square"
            );
            for level in 1..ground.n_abstraction_levels() {
                let side = Ground::BLOCK_SIDE << (2 * level);
                let mut beside: BTreeSet<(AbstractNodeId, AbstractNodeId)> = BTreeSet::new();
                let mut buffer = SuccessorBuffer::default();
                for node in ground.nodes() {
                    let Some(part) = part_at(&ground, node, level) else {
                        continue; // Nothing leads out of what it is in.
                    };
                    let cell = ground.cell(node);
                    let square = (cell.x.div_euclid(side), cell.y.div_euclid(side));
                    assert_eq!((ground.block_of(part), part.level()), (square, level));
                    for (to, _) in ground.successors(node, &mut buffer) {
                        let there = ground.cell(to);
                        let other = part_at(&ground, to, level);
                        let is_straight = there.x == cell.x || there.y == cell.y;
                        if let Some(other) = other.filter(|other| is_straight && *other != part) {
                            beside.insert((part, other));
                        }
                    }
                }
                let mut reported = BTreeSet::new();
                let parts: BTreeSet<AbstractNodeId> =
                    beside.iter().map(|(part, _)| *part).collect();
                for part in parts {
                    ground.for_each_abstract_neighbor(part, |next, side| {
                        let (x, y) = ground.block_of(part);
                        let (dx, dy) = side.expect("there are no passages").offset();
                        assert_eq!(ground.block_of(next), (x + dx, y + dy));
                        reported.insert((part, next));
                    });
                }
                assert_eq!(
                    beside, reported,
                    "seed {seed}, batch {batch}, level {level}"
                );
                assert!(reported.len() > 4, "{}", reported.len());
            }
            // Streets are cut: whole rows of cells go.
            let cuts = (0..6).flat_map(|_| {
                let (x, y) = (rng.between(0, 1_100), rng.between(0, 299));
                (x..x + 100).map(move |x| Cell::flat(x, y))
            });
            let cells: BTreeSet<Cell> = cuts.filter(|cell| ground.node(*cell).is_some()).collect();
            let edits: Vec<GroundEdit> = cells
                .into_iter()
                .map(|cell| GroundEdit::RemoveCell { cell })
                .collect();
            ground.apply(&edits).unwrap();
        }
    }
}

#[test]
fn the_sheets_of_a_block_hold_its_cells() {
    for kind in WorldKind::ALL {
        let ground = Ground::from_data(&random_world(1, kind)).unwrap();
        for node in ground.nodes() {
            let cell = ground.cell(node);
            let block = block(cell);
            let mut sheets = ground.sheets_of_block(block, ground.rank(node));
            let own = sheets.find(|(_, sheet)| sheet.node(0, 0).shares_sheet(node));
            let ((x, y), sheet) = own.expect("the block has the cell's sheet");
            let corner = Column::new(
                block.0 * Ground::BLOCK_SIDE + x.cast_signed() * 16,
                block.1 * Ground::BLOCK_SIDE + y.cast_signed() * 16,
            );
            assert_eq!(sheet.origin(), corner, "{kind:?}: {cell}");
        }
        assert_eq!(ground.sheets_of_block((1 << 20, -7), 0).count(), 0);
    }
}

#[test]
fn a_ground_made_sector_by_sector_is_the_ground_of_the_whole_map() {
    for seed in 0..4 {
        let mut rng = Rng::new(seed);
        let (width, height) = (rng.below(90) + 1, rng.below(90) + 1);
        let bytes = (0..width * height).map(|_| [0, 0, 0, 1, 2, 3, 255][rng.below(7) as usize]);
        let map = Raster::from_bytes(width, height, bytes.collect()).unwrap();
        let sectors = (0..6).flat_map(|y| (0..6).map(move |x| SectorId::new(x, y)));
        let cut = sectors.map(|sector| {
            let cells = sector.rect().columns().map(|column| {
                let terrain = map.get(column.x, column.y);
                terrain.map_or(255, Terrain::number)
            });
            let raster = Raster::from_bytes(16, 16, cells.collect());
            (sector, raster.unwrap())
        });
        let mut sectors: Vec<_> = cut.collect();
        rng.shuffle(&mut sectors);
        let whole = Ground::from_raster(&map);
        // A sector that comes again is left out.
        let is_there = |sector: SectorId| whole.regions_in(sector).next().is_some();
        let again = sectors.iter().find(|(sector, _)| is_there(*sector));
        let full = Raster::from_bytes(16, 16, vec![0; 256]).unwrap();
        let again: Vec<_> = again
            .map(|(sector, _)| (*sector, full))
            .into_iter()
            .collect();
        let ground = Ground::from_sectors(sectors.into_iter().chain(again)).unwrap();
        assert_eq!(ground.canonical(), whole.canonical(), "seed {seed}");
    }
    let far = SectorId::new(i32::MAX, 0);
    let map = Raster::from_bytes(1, 1, vec![0]).unwrap();
    assert!(Ground::from_sectors([(far, map)]).is_err());
}
