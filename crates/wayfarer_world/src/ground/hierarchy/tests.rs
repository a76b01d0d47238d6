//! Component hierarchy of a wide world against a reference flood fill.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{
    Cell, Cost, GroundEdit, LinkDirection, LinkState, NavLink, NavLinkId, NavLinkKind, Profile,
    Rng, Terrain,
};

use crate::ground::Ground;

/// Half the side of the world and the spacing of its roads, in cells.
const HALF: i32 = 700;
const APART: i32 = 44;

/// Roads and teleports, the reference for components.
#[derive(Default)]
struct Roads {
    cells: BTreeSet<Cell>,
    teleports: BTreeSet<(Cell, Cell)>,
}

impl Roads {
    /// For each cell, the first of its component.
    fn components(&self) -> BTreeMap<Cell, Cell> {
        let mut far: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
        for &(from, to) in &self.teleports {
            far.entry(from).or_default().push(to);
            far.entry(to).or_default().push(from);
        }
        let mut first_of = BTreeMap::new();
        for &first in &self.cells {
            if first_of.contains_key(&first) {
                continue;
            }
            let mut rest = vec![first];
            while let Some(cell) = rest.pop() {
                if !self.cells.contains(&cell) || first_of.insert(cell, first).is_some() {
                    continue;
                }
                for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                    rest.push(Cell::new(cell.x + dx, cell.y + dy, cell.z));
                }
                rest.extend(far.get(&cell).into_iter().flatten());
            }
        }
        first_of
    }
}

fn check(ground: &Ground, roads: &Roads, note: &str) {
    let first_of = roads.components();
    let mut known = BTreeMap::new();
    let mut firsts = BTreeMap::new();
    for (&cell, &first) in &first_of {
        let found = ground.component(ground.node(cell).unwrap());
        assert_eq!(
            *known.entry(found).or_insert(first),
            first,
            "{note}: {cell}"
        );
        assert_eq!(
            *firsts.entry(first).or_insert(found),
            found,
            "{note}: {cell}"
        );
    }
}

fn put(cell: Cell) -> GroundEdit {
    GroundEdit::PutCell {
        cell,
        terrain: Terrain::GROUND,
    }
}

fn teleport(from: Cell, to: Cell) -> GroundEdit {
    GroundEdit::PutNavLink(NavLink {
        from,
        to,
        kind: NavLinkKind::Teleport,
        state: LinkState::Open,
        direction: LinkDirection::Bidirectional,
        cost: Cost::STRAIGHT,
    })
}

/// A grid of roads, with pieces of road far away all around that only teleports connect.
fn road_world(rng: &mut Rng) -> (Roads, Vec<Cell>) {
    let mut roads = Roads::default();
    for at in -HALF..=HALF {
        for road in (-HALF..=HALF).step_by(APART as usize) {
            roads.cells.insert(Cell::flat(at, road));
            roads.cells.insert(Cell::flat(road, at));
        }
    }
    let mut islands = Vec::new();
    for _ in 0..60 {
        let reach = 1 << rng.between(11, 22);
        let island = Cell::flat(rng.between(-reach, reach), rng.between(-reach, reach));
        roads
            .cells
            .extend((0..3).map(|x| Cell::flat(island.x + x, island.y)));
        islands.push(island);
    }
    (roads, islands)
}

#[test]
fn components_of_a_wide_world_equal_the_reference_while_roads_and_teleports_change() {
    let mut rng = Rng::new(7);
    let (mut roads, islands) = road_world(&mut rng);
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let build: Vec<GroundEdit> = roads.cells.iter().copied().map(put).collect();
    ground.apply(&build).unwrap();
    check(&ground, &roads, "as built");
    let road = |rng: &mut Rng| {
        let road = -HALF + APART * rng.between(0, 2 * HALF / APART);
        let at = rng.between(-HALF, HALF);
        if rng.chance(1, 2) {
            Cell::flat(at, road)
        } else {
            Cell::flat(road, at)
        }
    };
    for round in 0..120 {
        let mut edits = Vec::new();
        for _ in 0..rng.between(1, 30) {
            let cell = road(&mut rng);
            if roads.cells.remove(&cell) {
                edits.push(GroundEdit::RemoveCell { cell });
            } else if roads.cells.insert(cell) {
                edits.push(put(cell));
            }
        }
        for _ in 0..3 {
            let island = islands[rng.between(0, 59).unsigned_abs() as usize];
            let from = Cell::flat(island.x + rng.between(0, 2), island.y);
            let to = road(&mut rng);
            roads.teleports.insert((from, to));
            edits.push(teleport(from, to));
            if rng.chance(1, 2)
                && let Some((from, to)) = roads.teleports.pop_first()
            {
                edits.push(GroundEdit::RemoveNavLink(NavLinkId {
                    from,
                    to,
                    kind: NavLinkKind::Teleport,
                }));
            }
        }
        ground.apply(&edits).unwrap();
        if round % 10 == 9 {
            check(&ground, &roads, &format!("round {round}"));
        }
    }
    assert!(ground.hierarchy.n_levels >= 4, "levels were inserted");
    let n_open = |cluster: &super::Cluster| cluster.boundary.n_open();
    let open = ground
        .hierarchy
        .blocks
        .iter()
        .filter(|cluster| n_open(cluster) > 0);
    assert!(open.count() > 300, "most blocks are open");

    let mut clear: Vec<GroundEdit> = roads
        .cells
        .iter()
        .map(|&cell| GroundEdit::RemoveCell { cell })
        .collect();
    rng.shuffle(&mut clear);
    for batch in clear.chunks(20_000) {
        for edit in batch {
            if let GroundEdit::RemoveCell { cell } = edit {
                roads.cells.remove(cell);
            }
        }
        ground.apply(batch).unwrap();
        check(&ground, &roads, "during removal");
    }
    assert_eq!(ground.hierarchy.root, super::NONE);
    assert!(ground.hierarchy.groups.iter().all(Option::is_none));
}

#[test]
fn boundaries_of_a_split_world_do_not_grow_with_its_width() {
    // Two fields, one four times as wide: their groups store equally much.
    let kept = |side: u32| {
        let bytes = vec![0; (side * side) as usize];
        let map = wayfarer_base::Raster::from_bytes(side, side, bytes).unwrap();
        let ground = Ground::from_raster(&map);
        let group = |group: &super::Group| group.cluster.boundary.side(0).count();
        let groups = ground.hierarchy.groups.iter().flatten();
        groups.map(|found| group(found)).max()
    };
    assert_eq!(kept(512), Some(1));
    assert_eq!(kept(2048), Some(1));
}
