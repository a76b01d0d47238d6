//! The connected components of the free space of an agent with a radius.
//!
//! The air keeps components for agents up to half a voxel. Those of a wider one are found here for a whole air
//! at once: union-find over the nodes of its configuration space, uniform cubes and the parts of leaves.

use std::cell::RefCell;

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Fixed, Voxel};
use wayfarer_world::air::{Air, bits};

use super::inflated::InflatedSource;
use super::inflated_blocks::InflatedBlocks;
use super::node_source::{CursorNode, LocalVoxel, NodeSource};
use super::octree::{corner, lowest_voxel};

/// The components of one air for one radius; valid until the next edit of the air.
///
/// ```
/// use wayfarer_base::{Fixed, Voxel};
/// use wayfarer_search::air::FlightComponents;
/// use wayfarer_world::air::AirBuilder;
///
/// // A wall with a window of one voxel.
/// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [9, 3, 3])?;
/// builder.add_box(Voxel::new(4, 0, 0), Voxel::new(4, 0, 2))?;
/// builder.add_box(Voxel::new(4, 2, 0), Voxel::new(4, 2, 2))?;
/// builder.add_box(Voxel::new(4, 1, 0), Voxel::new(4, 1, 0))?;
/// builder.add_box(Voxel::new(4, 1, 2), Voxel::new(4, 1, 2))?;
/// let air = builder.build()?;
/// let ends = [Voxel::new(0, 1, 1), Voxel::new(8, 1, 1)];
/// let of_radius = |radius| {
///     let components = FlightComponents::new(&air, Fixed::from_raw(radius));
///     ends.map(|at| components.component(&air, at).unwrap())
/// };
/// let [west, east] = of_radius(128);
/// assert_eq!(west, east);
/// let [west, east] = of_radius(200);
/// assert_ne!(west, east);
/// # Ok::<(), wayfarer_world::air::AirError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FlightComponents {
    radius: Fixed,
    /// The place of each node in `roots`, by its lowest voxel.
    numbers: FastMap<LocalVoxel, u32>,
    roots: Vec<u32>,
}

impl FlightComponents {
    /// Finds the components of an air without volumes, in time in proportion to its nodes.
    pub fn new(air: &Air, radius: Fixed) -> Self {
        let blocks = RefCell::new(InflatedBlocks::default());
        blocks.borrow_mut().bind(air, radius.raw());
        let mut source = InflatedSource::with_blocks(air, radius, &blocks);
        let size = air.size().map(u32::cast_signed);
        let mut nodes = Vec::new();
        push_nodes(&mut source, size, ([0; 3], air.top_layer() + 2), &mut nodes);
        let mut found = Self {
            radius,
            numbers: FastMap::default(),
            roots: Vec::new(),
        };
        for (low, node) in &nodes {
            for part in parts(*node) {
                let number = u32::try_from(found.roots.len()).expect("fewer than 2^32 nodes");
                found.numbers.insert(key(*low, *node, part), number);
                found.roots.push(number);
            }
        }
        for (low, node) in &nodes {
            found.join(&mut source, size, (*low, *node));
        }
        for number in 0..found.roots.len() {
            found.roots[number] = found.root(found.roots[number]);
        }
        found
    }

    /// The component of a voxel; `None` if the agent does not fit there.
    pub fn component(&self, air: &Air, at: Voxel) -> Option<u32> {
        self.look_up(&mut InflatedSource::new(air, self.radius), air, at)
    }

    /// The components of many voxels, in their order.
    pub fn components(
        &self,
        air: &Air,
        voxels: impl IntoIterator<Item = Voxel>,
        mut visit: impl FnMut(Option<u32>),
    ) {
        let blocks = RefCell::new(InflatedBlocks::default());
        blocks.borrow_mut().bind(air, self.radius.raw());
        let mut source = InflatedSource::with_blocks(air, self.radius, &blocks);
        for at in voxels {
            visit(self.look_up(&mut source, air, at));
        }
    }

    /// Heap bytes.
    pub fn heap_bytes(&self) -> usize {
        let numbers = self.numbers.capacity() * (size_of::<(LocalVoxel, u32)>() + 1);
        numbers + self.roots.capacity() * size_of::<u32>()
    }

    fn look_up(&self, source: &mut InflatedSource<'_>, air: &Air, at: Voxel) -> Option<u32> {
        let at = air.to_local(at)?.map(u32::cast_signed);
        let node = source.node_at(at);
        let bit = 1 << bits::index(at.map(i32::cast_unsigned));
        let part = bits::flood(bit, node.free);
        let number = self.numbers.get(&key(corner(at, node.log), node, part));
        number
            .filter(|_| part != 0)
            .map(|number| self.roots[*number as usize])
    }

    /// Joins a node with those below it along each axis.
    fn join(
        &mut self,
        source: &mut InflatedSource<'_>,
        size: LocalVoxel,
        (low, node): (LocalVoxel, CursorNode),
    ) {
        let side = 1_i32 << node.log;
        for axis in (0..3).filter(|axis| low[*axis] > 0) {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let ends = [u, v].map(|axis| (low[axis] + side).min(size[axis]));
            for along_u in (low[u]..ends[0]).step_by(4) {
                for along_v in (low[v]..ends[1]).step_by(4) {
                    let mut below = low;
                    (below[axis], below[u], below[v]) = (low[axis] - 4, along_u, along_v);
                    let other = source.node_at(below);
                    let other_low = corner(below, other.log);
                    self.unite_touching(axis, (other_low, other), (low, node));
                }
            }
        }
    }

    fn unite_touching(
        &mut self,
        axis: usize,
        below: (LocalVoxel, CursorNode),
        above: (LocalVoxel, CursorNode),
    ) {
        for lower in parts(below.1) {
            let touched = bits::across_up(lower, axis);
            for upper in parts(above.1).filter(|upper| upper & touched != 0) {
                let a = self.numbers[&key(below.0, below.1, lower)];
                let b = self.numbers[&key(above.0, above.1, upper)];
                let (a, b) = (self.root(a), self.root(b));
                self.roots[a.max(b) as usize] = a.min(b);
            }
        }
    }

    fn root(&mut self, mut number: u32) -> u32 {
        while self.roots[number as usize] != number {
            let parent = self.roots[number as usize];
            self.roots[number as usize] = self.roots[parent as usize];
            number = parent;
        }
        number
    }
}

/// Adds the free nodes within a cube.
fn push_nodes(
    source: &mut InflatedSource<'_>,
    size: LocalVoxel,
    (low, log): (LocalVoxel, u8),
    nodes: &mut Vec<(LocalVoxel, CursorNode)>,
) {
    if (0..3).any(|axis| low[axis] >= size[axis]) {
        return;
    }
    let node = source.node_at(low);
    if node.log >= log {
        if node.free != 0 {
            nodes.push((low, node));
        }
        return;
    }
    let half = 1_i32 << (log - 1);
    for octant in 0..8 {
        let offset = [octant & 1, octant >> 1 & 1, octant >> 2];
        let low = std::array::from_fn(|axis| low[axis] + half * offset[axis]);
        push_nodes(source, size, (low, log - 1), nodes);
    }
}

/// The connected parts of a node as masks of a leaf; a cube has one.
fn parts(node: CursorNode) -> impl Iterator<Item = u64> {
    let mut left = node.free;
    std::iter::from_fn(move || {
        let seed = left & left.wrapping_neg();
        let part = bits::flood(seed, left);
        left &= !part;
        (part != 0).then_some(part)
    })
}

/// The lowest voxel of a part.
fn key(low: LocalVoxel, node: CursorNode, part: u64) -> LocalVoxel {
    if node.free == bits::ALL || part == 0 {
        low
    } else {
        lowest_voxel(low, part)
    }
}

#[cfg(test)]
mod tests;
