//! Compares a ground with the oracle, with a rebuilt ground, and with its own change sets.

use std::fmt::Debug;

use thiserror::Error;
use wayfarer_engine::base::collections::{OrderedMap, OrderedSet};
use wayfarer_engine::base::{Cell, Cost, Direction, NavLink, NavLinkId, Profile, SectorId};
use wayfarer_engine::world::ground::{Ground, GroundChanges, NodeId, SuccessorBuffer};
use wayfarer_measure::check::rebuild;
use wayfarer_testkit::ReferenceWorld;

/// Where a ground is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what}: {found}, expected {expected}")]
pub struct Unequal {
    /// What was compared, and where.
    pub what: String,
    /// The value of the ground.
    pub found: String,
    /// What is right.
    pub expected: String,
}

/// An error if two values differ.
fn same<T: PartialEq + Debug>(
    what: impl FnOnce() -> String,
    found: &T,
    expected: &T,
) -> Result<(), Unequal> {
    if found == expected {
        return Ok(());
    }
    Err(Unequal {
        what: what(),
        found: brief(found),
        expected: brief(expected),
    })
}

/// A value as text, cut short if it is long.
fn brief(value: &impl Debug) -> String {
    const MAX: usize = 300;
    let text = format!("{value:?}");
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}

/// An error with the first element that only one of two sets holds.
fn same_set<T: Ord + Debug>(
    what: &str,
    found: &OrderedSet<T>,
    expected: &OrderedSet<T>,
) -> Result<(), Unequal> {
    let more = found.difference(expected).next();
    let less = expected.difference(found).next();
    if more.is_none() && less.is_none() {
        return Ok(());
    }
    let first = |element: Option<&T>| element.map_or_else(|| "nothing more".to_owned(), brief);
    Err(Unequal {
        what: what.to_owned(),
        found: first(more),
        expected: first(less),
    })
}

/// Compares all queries of a ground with the oracle: cells, steps, single steps,
/// nav links, regions, portals, centers, cost multipliers, components.
///
/// # Errors
/// The first difference.
pub fn compare(ground: &Ground, world: &ReferenceWorld) -> Result<(), Unequal> {
    let profile = ground.default_profile();
    let standing: OrderedSet<Cell> = world
        .cells()
        .map(|(cell, _)| cell)
        .filter(|cell| world.is_walkable(*cell, profile))
        .collect();
    let nodes: Vec<NodeId> = ground.nodes().collect();
    let cells: OrderedSet<Cell> = nodes.iter().map(|node| ground.cell(*node)).collect();
    same_set("walkable cells", &cells, &standing)?;
    same(|| "number of cells".to_owned(), &nodes.len(), &cells.len())?;
    compare_steps(ground, world, &nodes)?;
    compare_nav_links(ground, world)?;
    let oracle = Oracle::new(world, profile, &standing);
    compare_regions(ground, &oracle)
}

fn compare_steps(ground: &Ground, world: &ReferenceWorld, nodes: &[NodeId]) -> Result<(), Unequal> {
    let profile = ground.default_profile();
    let mut buffer = SuccessorBuffer::default();
    for &node in nodes {
        let cell = ground.cell(node);
        same(
            || format!("number of {cell}"),
            &ground.node(cell),
            &Some(node),
        )?;
        let steps: Vec<(Cell, Cost)> = ground
            .successors(node, &mut buffer)
            .map(|(to, cost)| (ground.cell(to), cost))
            .collect();
        let known = world.successors(cell, profile);
        same(|| format!("steps from {cell}"), &steps, &known)?;
        for direction in Direction::ALL {
            let walked = ground.neighbor(node, direction).map(|to| ground.cell(to));
            let known = world.neighbor(cell, direction.offset(), profile);
            same(|| format!("{direction:?} from {cell}"), &walked, &known)?;
        }
        let multiplier = ground.cost_multiplier(node).sixteenths();
        let known = world.cost_multiplier(cell, profile);
        same(|| format!("price of {cell}"), &multiplier, &known)?;
    }
    Ok(())
}

fn compare_nav_links(ground: &Ground, world: &ReferenceWorld) -> Result<(), Unequal> {
    let mut nav_links: Vec<NavLink> = ground.nav_links().copied().collect();
    nav_links.sort_unstable_by_key(|nav_link| NavLinkId::from(nav_link));
    let known: Vec<NavLink> = world.nav_links().collect();
    same(|| "passages".to_owned(), &nav_links, &known)?;
    nav_links.retain(|nav_link| {
        let (from, to) = (nav_link.from, nav_link.to);
        nav_link.cost < Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
    });
    same(
        || "shortcuts".to_owned(),
        &ground.shortcuts().to_vec(),
        &nav_links,
    )
}

/// Regions, portals and components as the oracle finds them, cell by cell.
struct Oracle {
    /// Cells of each region, by its least cell.
    regions: OrderedMap<Cell, OrderedSet<Cell>>,
    /// Steps from region to region, by their least cells.
    portals: OrderedMap<(Cell, Cell), u16>,
    components: OrderedMap<Cell, Cell>,
}

impl Oracle {
    fn new(world: &ReferenceWorld, profile: &Profile, standing: &OrderedSet<Cell>) -> Self {
        let rank = |cell: Cell| {
            let mut floors = world.floors(cell.column()).iter();
            floors.position(|floor| floor.0 == cell.z)
        };
        let room = |cell: Cell| (SectorId::from_column(cell.column()), rank(cell));
        let mut region_of: OrderedMap<Cell, Cell> = OrderedMap::default();
        let mut regions: OrderedMap<Cell, OrderedSet<Cell>> = OrderedMap::default();
        for &least in standing {
            if region_of.contains_key(&least) {
                continue;
            }
            let (mut found, mut open) = (OrderedSet::default(), vec![least]);
            while let Some(cell) = open.pop() {
                if !found.insert(cell) {
                    continue;
                }
                for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                    let there = world.neighbor(cell, (dx, dy), profile);
                    let back = there.and_then(|there| world.neighbor(there, (-dx, -dy), profile));
                    open.extend(there.filter(|to| back == Some(cell) && room(*to) == room(cell)));
                }
            }
            region_of.extend(found.iter().map(|cell| (*cell, least)));
            regions.insert(least, found);
        }
        let mut portals = OrderedMap::default();
        for (&cell, &from) in &region_of {
            for direction in Direction::ALL {
                let to = world.neighbor(cell, direction.offset(), profile);
                if let Some(&to) = to.and_then(|to| region_of.get(&to))
                    && from != to
                {
                    *portals.entry((from, to)).or_default() += 1;
                }
            }
        }
        Self {
            regions,
            portals,
            components: world.components(profile).into_iter().collect(),
        }
    }
}

fn compare_regions(ground: &Ground, oracle: &Oracle) -> Result<(), Unequal> {
    let canonical = ground.canonical();
    let mut portals = OrderedMap::default();
    let mut leasts = OrderedSet::default();
    for region in &canonical.regions {
        let least = region.cells.first().copied().unwrap_or_default();
        leasts.insert(least);
        let cells: OrderedSet<Cell> = region.cells.iter().copied().collect();
        let none = OrderedSet::default();
        let known = oracle.regions.get(&least).unwrap_or(&none);
        same_set(&format!("cells of the region of {least}"), &cells, known)?;
        let center = region.center;
        let is_inside = cells.contains(&center);
        same(
            || format!("{center} in the region of {least}"),
            &is_inside,
            &true,
        )?;
        for portal in region.portals.iter().filter(|portal| portal.support > 0) {
            *portals.entry((least, portal.to)).or_default() += portal.support;
        }
    }
    same_set(
        "first cells of regions",
        &leasts,
        &oracle.regions.keys().copied().collect(),
    )?;
    let as_set = |portals: &OrderedMap<(Cell, Cell), u16>| {
        let all = portals.iter().map(|(pair, support)| (*pair, *support));
        all.collect::<OrderedSet<_>>()
    };
    same_set("portals", &as_set(&portals), &as_set(&oracle.portals))?;
    let mut components = OrderedSet::default();
    for region in &canonical.regions {
        components.insert(region.component);
        let theirs = oracle.components.get(&region.component);
        for cell in &region.cells {
            let known = oracle.components.get(cell);
            same(|| format!("component of {cell}"), &theirs, &known)?;
        }
    }
    let known: OrderedSet<Cell> = oracle.components.values().copied().collect();
    same(
        || "number of components".to_owned(),
        &components.len(),
        &known.len(),
    )
}

/// Compares a ground with one rebuilt from its primary state.
///
/// # Errors
/// The first region that differs, or whatever else does.
pub fn compare_rebuilt(ground: &Ground) -> Result<(), Unequal> {
    let fresh = rebuild(ground).map_err(|reason| Unequal {
        what: "rebuilt".to_owned(),
        found: reason,
        expected: "a ground".to_owned(),
    })?;
    let (found, expected) = (ground.canonical(), fresh.canonical());
    for (found, expected) in found.regions.iter().zip(&expected.regions) {
        same(|| "a rebuilt region".to_owned(), found, expected)?;
    }
    same(|| "the rebuilt ground".to_owned(), &found, &expected)
}

/// Compares the split and merged components of a change set with those before and after.
///
/// # Errors
/// A pair that does not belong there, or too many or too few of them.
pub fn compare_changes(
    changes: &GroundChanges,
    before: &OrderedMap<Cell, Cell>,
    after: &OrderedMap<Cell, Cell>,
) -> Result<(), Unequal> {
    let pairs: OrderedSet<(Cell, Cell)> = before
        .iter()
        .filter_map(|(cell, old)| after.get(cell).map(|new| (*old, *new)))
        .collect();
    let olds: OrderedSet<Cell> = pairs.iter().map(|pair| pair.0).collect();
    let new_cells: OrderedSet<Cell> = pairs.iter().map(|pair| pair.1).collect();
    let (n_disconnected, n_joined) = (pairs.len() - olds.len(), pairs.len() - new_cells.len());
    same(
        || "parts broken off".to_owned(),
        &changes.split_pairs.len(),
        &n_disconnected,
    )?;
    same(
        || "parts joined".to_owned(),
        &changes.merged_pairs.len(),
        &n_joined,
    )?;
    let together = |components: &OrderedMap<Cell, Cell>, (a, b): (Cell, Cell)| {
        components.get(&a).is_some() && components.get(&a) == components.get(&b)
    };
    for &(a, b) in &changes.split_pairs {
        let found = (together(before, (a, b)), together(after, (a, b)));
        same(|| format!("{a} and {b} parted"), &found, &(true, false))?;
    }
    for &(a, b) in &changes.merged_pairs {
        let found = (together(before, (a, b)), together(after, (a, b)));
        same(|| format!("{a} and {b} joined"), &found, &(false, true))?;
    }
    Ok(())
}
