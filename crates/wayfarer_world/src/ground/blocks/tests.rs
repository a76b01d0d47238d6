use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{Cell, Column, Dice, Raster, SectorId, Terrain};
use wayfarer_testkit::{PlainWorld, WorldKind, random_batch, random_world};

use super::super::StepBuffer;
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
    let mut cells: BTreeMap<PartId, Vec<Cell>> = BTreeMap::new();
    let mut beside: BTreeMap<PartId, BTreeSet<PartId>> = BTreeMap::new();
    let mut buffer = StepBuffer::default();
    for node in ground.nodes() {
        let part = ground.part(node);
        let cell = ground.cell(node);
        assert_eq!(ground.block_of(part), block(cell), "{note}: {cell}");
        cells.entry(part).or_default().push(cell);
        for (to, _) in ground.steps(node, &mut buffer) {
            let other = ground.part(to);
            if other != part {
                // A diagonal joins what its two ways around join, perhaps over other floors.
                let there = ground.cell(to);
                if there.x == cell.x || there.y == cell.y {
                    beside.entry(part).or_default().insert(other);
                    beside.entry(other).or_default().insert(part);
                }
            }
        }
    }
    for (part, own) in &cells {
        let mut told = BTreeSet::new();
        ground.for_parts_beside(*part, |next| {
            assert!(cells.contains_key(&next), "{note}: parts have cells");
            told.insert(next);
        });
        for next in beside.get(part).into_iter().flatten() {
            assert!(told.contains(next), "{note}: {part:?} leads to {next:?}");
        }
        for next in &told {
            let (here, there) = (own[0], cells[next][0]);
            let nodes = [here, there].map(|cell| ground.node(cell).unwrap());
            let [here, there] = nodes.map(|node| ground.component(node));
            assert_eq!(here, there, "{note}: what is beside hangs together");
        }
        let at = Column::new(own[0].x + 9, own[0].y - 7);
        let near = ground.cell_in(*part, at).unwrap();
        assert_eq!(ground.part(near), *part, "{note}");
    }
}

#[test]
fn parts_lie_beside_each_other_where_steps_lead_from_one_to_the_other() {
    for kind in WorldKind::ALL {
        for seed in 0..6 {
            let plan = random_world(seed, kind);
            let mut world = PlainWorld::new(&plan);
            let mut ground = Ground::from_plan(&plan).unwrap();
            let mut dice = Dice::new(seed);
            for batch in 0..5 {
                check(&ground, &format!("{kind:?} {seed} batch {batch}"));
                let edits = random_batch(&mut dice, &world);
                world.apply(&edits);
                ground.apply(&edits).unwrap();
            }
        }
    }
}

#[test]
fn a_ground_made_sector_by_sector_is_the_ground_of_the_whole_map() {
    for seed in 0..4 {
        let mut dice = Dice::new(seed);
        let (width, height) = (dice.below(90) + 1, dice.below(90) + 1);
        let bytes = (0..width * height).map(|_| [0, 0, 0, 1, 2, 3, 255][dice.below(7) as usize]);
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
        dice.shuffle(&mut sectors);
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
