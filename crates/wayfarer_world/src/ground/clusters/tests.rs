//! Cluster graph against a search over all steps.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{Cell, Column, GroundEdit, Raster, Rng, SectorId, Terrain};
use wayfarer_make::City;
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};

use super::super::SuccessorBuffer;
use super::*;

fn block(cell: Cell) -> (i32, i32) {
    (
        cell.x.div_euclid(Ground::CLUSTER_SIDE),
        cell.y.div_euclid(Ground::CLUSTER_SIDE),
    )
}

/// Abstract nodes as a search over all steps finds them: for each, its cells and its neighbors.
#[track_caller]
fn check(ground: &Ground, note: &str) {
    let mut cells: BTreeMap<AbstractNodeId, Vec<Cell>> = BTreeMap::new();
    let mut neighbors: BTreeMap<AbstractNodeId, BTreeSet<AbstractNodeId>> = BTreeMap::new();
    let mut buffer = SuccessorBuffer::default();
    for node in ground.nodes() {
        let node_id = ground.abstract_node(node);
        let cell = ground.cell(node);
        assert_eq!(ground.cluster_of(node_id), block(cell), "{note}: {cell}");
        cells.entry(node_id).or_default().push(cell);
        for (to, _) in ground.successors(node, &mut buffer) {
            let other = ground.abstract_node(to);
            if other != node_id {
                // A diagonal connects what the two routes around its corner connect, perhaps over
                // other floors.
                let there = ground.cell(to);
                if there.x == cell.x || there.y == cell.y {
                    neighbors.entry(node_id).or_default().insert(other);
                    neighbors.entry(other).or_default().insert(node_id);
                }
            }
        }
    }
    for (node_id, own) in &cells {
        let mut reported = BTreeSet::new();
        ground.for_each_abstract_neighbor(*node_id, |next, _| {
            assert!(cells.contains_key(&next), "{note}: nodes have cells");
            reported.insert(next);
        });
        for next in neighbors.get(node_id).into_iter().flatten() {
            assert!(
                reported.contains(next),
                "{note}: {node_id:?} has neighbor {next:?}"
            );
        }
        for next in &reported {
            let (here, there) = (own[0], cells[next][0]);
            let nodes = [here, there].map(|cell| ground.node(cell).unwrap());
            let [here, there] = nodes.map(|node| ground.component(node));
            assert_eq!(here, there, "{note}: neighbors are connected");
        }
        let at = Column::new(own[0].x + 9, own[0].y - 7);
        let near = ground.cell_in(*node_id, at).unwrap();
        assert_eq!(ground.abstract_node(near), *node_id, "{note}");
    }
}

#[test]
fn abstract_nodes_are_neighbors_exactly_where_steps_connect_them() {
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

/// The abstract node of a cell on a level.
fn abstract_node_at(ground: &Ground, node: NodeId, level: u8) -> Option<AbstractNodeId> {
    let node_id = Some(ground.abstract_node(node));
    (0..level).fold(node_id, |node_id, _| ground.abstract_parent(node_id?))
}

#[test]
fn groups_are_neighbors_exactly_where_steps_cross_their_sides() {
    for seed in 0..2 {
        let city = City::with_sides(1_200, 300, seed).unwrap();
        let sectors = city.sectors().map(|id| (id, city.sector(id).to_raster()));
        let mut ground = Ground::from_sectors(sectors).unwrap();
        let mut rng = Rng::new(seed);
        for batch in 0..3 {
            assert!(
                ground.n_abstraction_levels() > 1,
                "blocks, and at least one level of groups"
            );
            for level in 1..ground.n_abstraction_levels() {
                let side = Ground::CLUSTER_SIDE << (2 * level);
                let mut neighbors: BTreeSet<(AbstractNodeId, AbstractNodeId)> = BTreeSet::new();
                let mut buffer = SuccessorBuffer::default();
                for node in ground.nodes() {
                    let Some(node_id) = abstract_node_at(&ground, node, level) else {
                        continue; // Nothing leads out of what it is in.
                    };
                    let cell = ground.cell(node);
                    let cluster = (cell.x.div_euclid(side), cell.y.div_euclid(side));
                    assert_eq!(
                        (ground.cluster_of(node_id), node_id.level()),
                        (cluster, level)
                    );
                    for (to, _) in ground.successors(node, &mut buffer) {
                        let there = ground.cell(to);
                        let other = abstract_node_at(&ground, to, level);
                        let is_straight = there.x == cell.x || there.y == cell.y;
                        if let Some(other) = other.filter(|other| is_straight && *other != node_id)
                        {
                            neighbors.insert((node_id, other));
                        }
                    }
                }
                let mut reported = BTreeSet::new();
                let parts: BTreeSet<AbstractNodeId> =
                    neighbors.iter().map(|(node_id, _)| *node_id).collect();
                for node_id in parts {
                    ground.for_each_abstract_neighbor(node_id, |next, edge| {
                        let AbstractEdge::Side(side) = edge else {
                            panic!("there are no nav links: {edge:?}");
                        };
                        let (x, y) = ground.cluster_of(node_id);
                        let (dx, dy) = side.offset();
                        assert_eq!(ground.cluster_of(next), (x + dx, y + dy));
                        reported.insert((node_id, next));
                    });
                }
                assert_eq!(
                    neighbors, reported,
                    "seed {seed}, batch {batch}, level {level}"
                );
                assert!(reported.len() > 4, "{}", reported.len());
            }
            // Streets are cut: whole rows of cells are removed.
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
fn the_sheets_of_a_block_contain_its_cells() {
    for kind in WorldKind::ALL {
        let ground = Ground::from_data(&random_world(1, kind)).unwrap();
        for node in ground.nodes() {
            let cell = ground.cell(node);
            let block = block(cell);
            let mut sheets = ground.sheets_of_cluster(block, ground.rank(node));
            let own = sheets.find(|(_, sheet)| sheet.node(0, 0).shares_sheet(node));
            let ((x, y), sheet) = own.expect("the block has the cell's sheet");
            let corner = Column::new(
                block.0 * Ground::CLUSTER_SIDE + x.cast_signed() * 16,
                block.1 * Ground::CLUSTER_SIDE + y.cast_signed() * 16,
            );
            assert_eq!(sheet.origin(), corner, "{kind:?}: {cell}");
        }
        assert_eq!(ground.sheets_of_cluster((1 << 20, -7), 0).count(), 0);
    }
}

#[test]
fn a_ground_built_sector_by_sector_equals_that_of_the_whole_map() {
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
        // A sector that repeats is ignored.
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
