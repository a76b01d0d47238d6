//! The ground against a cell-by-cell oracle and against a rebuild, after random batches.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use wayfarer_base::{
    Cell, Cost, Direction, GroundEdit, LinkState, NavLink, NavLinkId, NavLinkKind, Profile, Rng,
    SectorId,
};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world, shrink};

use super::*;

mod both;
mod bounds;
mod defects;
mod edit_traces;
mod nearest;
mod profiles;
mod solids;
mod splits;
mod storeys;

/// The derived state of a world, computed cell by cell by the oracle.
struct Expected {
    /// The target of each direction from every walkable cell.
    neighbors: BTreeMap<Cell, [Option<Cell>; 8]>,
    steps: BTreeMap<Cell, Vec<(Cell, Cost)>>,
    components: BTreeMap<Cell, Cell>,
    /// Cells of each region, keyed by its first cell.
    regions: BTreeMap<Cell, BTreeSet<Cell>>,
    /// Steps from region to region, keyed by their first cells.
    portals: BTreeMap<(Cell, Cell), u16>,
}

fn expected(world: &ReferenceWorld, profile: &Profile) -> Expected {
    let walkable: Vec<Cell> = world
        .cells()
        .map(|(cell, _)| cell)
        .filter(|cell| world.is_walkable(*cell, profile))
        .collect();
    let steps = walkable
        .iter()
        .map(|c| (*c, world.successors(*c, profile)))
        .collect();
    let neighbors_of = |cell| Direction::ALL.map(|to| world.neighbor(cell, to.offset(), profile));
    let neighbors: BTreeMap<Cell, [Option<Cell>; 8]> =
        walkable.iter().map(|c| (*c, neighbors_of(*c))).collect();
    let rank = |cell: Cell| {
        world
            .floors(cell.column())
            .iter()
            .position(|f| f.0 == cell.z)
    };
    let sheet_of = |cell: Cell| (SectorId::from_column(cell.column()), rank(cell));
    let mut region_of: BTreeMap<Cell, Cell> = BTreeMap::new();
    let mut regions: BTreeMap<Cell, BTreeSet<Cell>> = BTreeMap::new();
    for &seed in &walkable {
        if region_of.contains_key(&seed) {
            continue;
        }
        let (mut found, mut open) = (BTreeSet::new(), vec![seed]);
        while let Some(cell) = open.pop() {
            if !found.insert(cell) {
                continue;
            }
            for straight in [0, 2, 4, 6] {
                let there = neighbors[&cell][straight];
                let back = there.and_then(|there| neighbors[&there][(straight + 4) % 8]);
                open.extend(there.filter(|t| back == Some(cell) && sheet_of(*t) == sheet_of(cell)));
            }
        }
        let least = *found.first().unwrap();
        region_of.extend(found.iter().map(|cell| (*cell, least)));
        regions.insert(least, found);
    }
    let mut portals = BTreeMap::new();
    for (cell, neighbors) in &neighbors {
        for to in neighbors.iter().flatten() {
            let (from, to) = (region_of[cell], region_of[to]);
            if from != to {
                *portals.entry((from, to)).or_default() += 1;
            }
        }
    }
    Expected {
        neighbors,
        steps,
        components: world.components(profile),
        regions,
        portals,
    }
}

/// Compares a ground with the oracle, completely.
#[track_caller]
fn check(ground: &Ground, world: &ReferenceWorld, note: &str) {
    let profile = ground.default_profile();
    let expected = expected(world, profile);
    let nodes: Vec<NodeId> = ground.nodes().collect();
    let cells: BTreeSet<Cell> = nodes.iter().map(|node| ground.cell(*node)).collect();
    let walkable: BTreeSet<Cell> = expected.steps.keys().copied().collect();
    assert_eq!(cells, walkable, "{note}: walkable cells");
    let mut buffer = SuccessorBuffer::default();
    for &node in &nodes {
        let cell = ground.cell(node);
        assert_eq!(ground.node(cell), Some(node), "{note}: number of {cell}");
        let steps: Vec<(Cell, Cost)> = ground
            .successors(node, &mut buffer)
            .map(|(to, cost)| (ground.cell(to), cost))
            .collect();
        assert_eq!(steps, expected.steps[&cell], "{note}: steps from {cell}");
        let found_neighbors = Direction::ALL.map(|direction| ground.neighbor(node, direction));
        let found_neighbors = found_neighbors.map(|to| to.map(|to| ground.cell(to)));
        assert_eq!(
            found_neighbors, expected.neighbors[&cell],
            "{note}: neighbors of {cell}"
        );
    }
    let mut nav_links: Vec<NavLink> = ground.nav_links().copied().collect();
    nav_links.sort_unstable_by_key(|nav_link| NavLinkId::from(nav_link));
    assert_eq!(
        nav_links,
        world.nav_links().collect::<Vec<_>>(),
        "{note}: nav links"
    );
    nav_links
        .retain(|p| p.cost < Cost::octile(p.from.x.abs_diff(p.to.x), p.from.y.abs_diff(p.to.y)));
    assert_eq!(ground.shortcuts(), nav_links, "{note}: shortcuts");
    let canonical = ground.canonical();
    let regions: BTreeMap<Cell, BTreeSet<Cell>> = canonical
        .regions
        .iter()
        .map(|region| (region.cells[0], region.cells.iter().copied().collect()))
        .collect();
    assert_eq!(regions, expected.regions, "{note}: regions");
    let mut portals = BTreeMap::new();
    for region in &canonical.regions {
        for portal in region.portals.iter().filter(|portal| portal.support > 0) {
            *portals.entry((region.cells[0], portal.to)).or_default() += portal.support;
        }
        assert!(
            regions[&region.cells[0]].contains(&region.center),
            "{note}: center"
        );
    }
    assert_eq!(portals, expected.portals, "{note}: portals");
    for region in &canonical.regions {
        for cell in &region.cells {
            let known = expected.components[cell];
            let theirs = expected.components[&region.component];
            assert_eq!(known, theirs, "{note}: component of {cell}");
        }
    }
    let ours: BTreeSet<Cell> = canonical
        .regions
        .iter()
        .map(|region| region.component)
        .collect();
    let theirs: BTreeSet<Cell> = expected.components.values().copied().collect();
    assert_eq!(ours.len(), theirs.len(), "{note}: number of components");
}

/// A fresh ground with the same primary state.
fn rebuilt(ground: &Ground) -> Ground {
    let mut fresh = Ground::from_data(&ground.to_data()).unwrap();
    let modifiers: Vec<GroundEdit> = ground
        .cost_modifiers()
        .map(|(name, modifier)| GroundEdit::PutCostModifier {
            id: *name,
            modifier: modifier.clone(),
        })
        .collect();
    fresh.apply(&modifiers).unwrap();
    let put = |(id, solid): (wayfarer_base::SolidId, &wayfarer_base::GroundSolid)| {
        let solid = solid.clone();
        GroundEdit::PutSolid { id, solid }
    };
    let solids: Vec<GroundEdit> = ground.solids().map(put).collect();
    fresh.apply(&solids).unwrap();
    fresh
}

/// Checks split and merged pairs against the components before and after.
fn check_connectivity(
    changes: &GroundChanges,
    before: &BTreeMap<Cell, Cell>,
    after: &BTreeMap<Cell, Cell>,
    note: &str,
) {
    let stayed: Vec<(Cell, Cell)> = before
        .iter()
        .filter_map(|(cell, old)| after.get(cell).map(|new| (*old, *new)))
        .collect();
    let pairs: BTreeSet<(Cell, Cell)> = stayed.into_iter().collect();
    let olds: BTreeSet<Cell> = pairs.iter().map(|pair| pair.0).collect();
    let news: BTreeSet<Cell> = pairs.iter().map(|pair| pair.1).collect();
    assert_eq!(
        changes.split_pairs.len(),
        pairs.len() - olds.len(),
        "{note}: split {:?}",
        changes.split_pairs
    );
    assert_eq!(
        changes.merged_pairs.len(),
        pairs.len() - news.len(),
        "{note}: merged {:?}",
        changes.merged_pairs
    );
    for (a, b) in &changes.split_pairs {
        assert!(
            before[a] == before[b] && after[a] != after[b],
            "{note}: {a} and {b} split"
        );
    }
    for (a, b) in &changes.merged_pairs {
        assert!(
            before[a] != before[b] && after[a] == after[b],
            "{note}: {a} and {b} merged"
        );
    }
}

/// A few edits or, equally likely, up to eight times as many; `world` gets them too.
fn few_or_many(rng: &mut Rng, world: &mut ReferenceWorld) -> Vec<GroundEdit> {
    let n_parts = if rng.chance(1, 2) {
        1
    } else {
        2 + rng.below(7)
    };
    let mut edits = Vec::new();
    for _ in 0..n_parts {
        let part = random_batch(rng, world);
        world.apply(&part);
        edits.extend(part);
    }
    edits
}

/// Applies random batches to a random world; every `interval` batches the whole ground is compared
/// with the oracle and with a rebuild, and the last batch is undone. Returns the number of edits.
fn trace(seed: u64, kind: WorldKind, n_batches: usize, interval: usize) -> usize {
    let plan = random_world(seed, kind);
    let mut ground = Ground::from_data(&plan).unwrap();
    let mut world = ReferenceWorld::new(&plan);
    let mut rng = Rng::new(seed ^ 0xABCD);
    let mut n_edits = 0;
    check(&ground, &world, &format!("{kind:?} {seed} fresh"));
    for batch in 1..=n_batches {
        let note = format!("{kind:?} {seed} batch {batch}");
        let is_looked_at = batch % interval == 0;
        let before = is_looked_at.then(|| {
            (
                ground.canonical(),
                world.components(ground.default_profile()),
            )
        });
        let edits = few_or_many(&mut rng, &mut world);
        n_edits += edits.len();
        let changes = ground.apply(&edits).unwrap();
        let Some((previous, before)) = before else {
            continue;
        };
        let after = world.components(ground.default_profile());
        check_connectivity(&changes, &before, &after, &note);
        check(&ground, &world, &note);
        assert_eq!(
            ground.canonical(),
            rebuilt(&ground).canonical(),
            "{note}: rebuilt"
        );
        let mut undone = ground.clone();
        undone.apply(&changes.inverse()).unwrap();
        assert_eq!(undone.canonical(), previous, "{note}: undone");
    }
    n_edits
}

#[test]
fn a_few_batches_of_any_edits_give_the_state_of_the_oracle() {
    for kind in WorldKind::ALL {
        let plan = random_world(100, kind);
        let mut world = ReferenceWorld::new(&plan);
        let mut rng = Rng::new(9);
        let batches: Vec<Vec<GroundEdit>> = (0..40)
            .map(|_| {
                let edits = random_batch(&mut rng, &world);
                world.apply(&edits);
                edits
            })
            .collect();
        shrink::check(&batches, |batches| {
            let mut ground = Ground::from_data(&plan).unwrap();
            let mut world = ReferenceWorld::new(&plan);
            for edits in batches {
                ground.apply(edits).unwrap();
                world.apply(edits);
            }
            check(&ground, &world, &format!("{kind:?}"));
        });
    }
}

#[test]
fn after_every_batch_the_ground_equals_the_oracle_and_a_rebuild() {
    for seed in 0..2 {
        for kind in WorldKind::ALL {
            trace(seed, kind, 8, 1);
        }
    }
}

#[test]
fn after_a_hundred_thousand_edits_the_ground_still_equals_the_oracle() {
    // The slowest test, so its seeds run in parallel.
    let n_edits: usize = thread::scope(|scope| {
        let traces = [10, 11, 12].map(|seed| {
            let live = move |kind| trace(seed, kind, 420, 84);
            scope.spawn(move || WorldKind::ALL.into_iter().map(live).sum::<usize>())
        });
        let reported = traces.into_iter().map(|trace| trace.join());
        reported
            .map(|n_edits| n_edits.expect("a failed trace reports its seed"))
            .sum()
    });
    assert!(n_edits >= 100_000, "only {n_edits} edits");
}

#[test]
fn a_profile_that_may_walk_on_solid_terrain_is_an_error() {
    let ghost = Profile {
        allowed_terrains: u64::MAX,
        ..Profile::DEFAULT
    };
    let report = "terrain 63 is the inside of walls, expected allowed terrains 0 to 62";
    assert_eq!(Ground::new(ghost.clone()).unwrap_err().to_string(), report);
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    assert_eq!(
        ground.register_profile(ghost).unwrap_err().to_string(),
        report
    );
    let anywhere = Profile {
        allowed_terrains: !Terrain::SOLID.bit(),
        ..Profile::DEFAULT
    };
    assert!(ground.register_profile(anywhere).is_ok());
}

#[test]
fn a_state_for_no_nav_link_and_a_lock_without_keys_are_errors() {
    let (a, b) = (Cell::flat(0, 0), Cell::flat(1, 0));
    let mut ground = Ground::from_data(&wayfarer_testkit::ascii::world("..")).unwrap();
    let (_, door) = wayfarer_testkit::ascii::door(a, b, LinkState::Closed);
    ground.apply(&[GroundEdit::PutNavLink(door)]).unwrap();
    let id = NavLinkId::from(&door);
    let set = |nav_link, state| GroundEdit::SetNavLinkState { nav_link, state };
    let swapped = NavLinkId {
        from: b,
        to: a,
        ..id
    };
    let jump = NavLinkId {
        kind: NavLinkKind::Jump,
        ..id
    };
    let keyless = NavLink {
        state: LinkState::Locked(0),
        ..door
    };
    let cases = [
        (
            set(swapped, LinkState::Open),
            "edit 1: the nav link from (1, 0, 0) to (0, 0, 0) does not exist, but one of its kind from the second cell to the first does",
        ),
        (
            set(jump, LinkState::Open),
            "edit 1: the nav link from (0, 0, 0) to (1, 0, 0) does not exist, expected the cells and the kind of one that does",
        ),
        (
            set(id, LinkState::Locked(0)),
            "edit 1: the nav link from (0, 0, 0) to (1, 0, 0) has a lock that needs no key, expected at least one key bit",
        ),
        (
            GroundEdit::PutNavLink(keyless),
            "edit 1: the nav link from (0, 0, 0) to (1, 0, 0) has a lock that needs no key, expected at least one key bit",
        ),
    ];
    let before = ground.canonical();
    for (edit, report) in cases {
        // The valid edit before it is undone.
        let batch = [set(id, LinkState::Open), edit];
        assert_eq!(ground.apply(&batch).unwrap_err().to_string(), report);
        assert_eq!(ground.canonical(), before);
    }
    ground.apply(&[set(id, LinkState::Locked(1))]).unwrap();
}
