//! Components of a tile with one-way links.
//!
//! The components of the ground are weak: a one-way link joins its ends. Where one is open to an agent, the
//! tile is divided anew into *parts*, connected by steps and by links in both directions, which all have their
//! opposites; what is one-way becomes a directed edge between parts. Regions are never divided.

use wayfarer_engine::base::collections::FastMap;
use wayfarer_engine::base::{Cell, Direction, LinkDirection, NavLink};
use wayfarer_engine::search::ground::NavGraph;
use wayfarer_engine::world::ground::{NodeId, RegionId};

/// The parts of a tile in one revision of it.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// The place of each region in `roots`.
    numbers: FastMap<RegionId, u32>,
    roots: Vec<u32>,
}

impl Parts {
    /// Divides a tile; `None` if no one-way link is open to the agent. In time in proportion to its cells.
    pub(super) fn read(nav_graph: NavGraph<'_>) -> Option<Self> {
        one_way_links(nav_graph).next()?;
        let ground = nav_graph.profile_ground();
        let (mut numbers, mut roots) = (FastMap::default(), Vec::new());
        let mut number_of = |roots: &mut Vec<u32>, node: NodeId| {
            let region = ground.region(node)?;
            let next = u32::try_from(roots.len()).expect("fewer than 2^32 regions");
            let number = *numbers.entry(region).or_insert(next);
            if number == next {
                roots.push(next);
            }
            Some(number)
        };
        let mut join = |a: NodeId, b: NodeId| {
            let (a, b) = (number_of(&mut roots, a), number_of(&mut roots, b));
            if let (Some(a), Some(b)) = (a, b) {
                unite(&mut roots, a, b);
            }
        };
        for node in ground.nodes() {
            join(node, node);
            for direction in Direction::ALL {
                if let Some(to) = ground.neighbor(node, direction) {
                    join(node, to);
                }
            }
        }
        let links = open_links(nav_graph);
        for link in links.filter(|link| link.direction == LinkDirection::Bidirectional) {
            let ends = (nav_graph.node(link.from), nav_graph.node(link.to));
            if let (Some(from), Some(to)) = ends {
                join(from, to);
            }
        }
        for number in 0..u32::try_from(roots.len()).expect("fewer than 2^32 regions") {
            let root = root_of(&mut roots, number);
            roots[number as usize] = root;
        }
        Some(Self { numbers, roots })
    }

    /// The part of a cell.
    pub(super) fn of(&self, nav_graph: NavGraph<'_>, node: NodeId) -> Option<u32> {
        let region = nav_graph.profile_ground().region(node)?;
        let number = self.numbers.get(&region)?;
        Some(self.roots[*number as usize])
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let numbers = self.numbers.capacity() * (size_of::<(RegionId, u32)>() + 1);
        numbers + self.roots.capacity() * size_of::<u32>()
    }
}

fn open_links(nav_graph: NavGraph<'_>) -> impl Iterator<Item = NavLink> {
    let keys = nav_graph.profile().keys;
    let links = nav_graph.ground().nav_links().copied();
    links.filter(move |link| link.state.admits(keys))
}

/// The ends of the one-way links that are open to the agent, where it fits at both.
pub(super) fn one_way_links(nav_graph: NavGraph<'_>) -> impl Iterator<Item = (Cell, Cell)> {
    let links = open_links(nav_graph);
    let one_way = links.filter(|link| link.direction == LinkDirection::OneWay);
    let ends = one_way.map(|link| (link.from, link.to));
    ends.filter(move |(from, to)| nav_graph.node(*from).is_some() && nav_graph.node(*to).is_some())
}

/// Union-find: the root of a number.
pub(super) fn root_of(roots: &mut [u32], mut number: u32) -> u32 {
    while roots[number as usize] != number {
        let parent = roots[number as usize];
        roots[number as usize] = roots[parent as usize];
        number = parent;
    }
    number
}

pub(super) fn unite(roots: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root_of(roots, a), root_of(roots, b));
    roots[a.max(b) as usize] = a.min(b);
}
