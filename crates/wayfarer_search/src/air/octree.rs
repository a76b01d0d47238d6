//! Weighted A* over octree nodes \[Brewer2017\] with lazy successor generation.
//!
//! A node is a free cube, or a connected component of free voxels in a leaf. Expanding a node
//! pushes its six faces to the open list, each with the voxel beyond it where the path would cross
//! at best; the octree is read only when a face is popped. A face with smaller nodes beyond it is
//! split into quarters. Only nodes are closed, never faces, so a node keeps the best of several
//! approaches until it is expanded. Each expansion pushes at most six entries, each popped face at
//! most three per level. No allocation once warm.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "local coordinates have 17 bits, costs saturate"
)]

use wayfarer_base::{Cost, Location, SearchEvent, SearchObserver, Voxel};
use wayfarer_world::air::bits;

use super::node_source::{LocalVoxel, NodeSource};
use super::octree_params::{LeafNodes, Metric, NodePoint, OctreeParams};
use super::scratch::{NO_FACE, NONE, Node, OpenEntry, Scratch, key_of};
use crate::kernel::StopReason;

/// Layers of an octree, and one for single voxels.
pub(super) const N_LAYERS: usize = 17;

/// State and scratch of one octree search.
#[derive(Clone, Debug)]
pub(super) struct OctreeSearch {
    pub(super) scratch: Scratch,
    params: OctreeParams,
    origin: Voxel,
    size: LocalVoxel,
    goal: LocalVoxel,
    goal_key: u64,
    /// Scale of step costs and of the heuristic by logarithm of the side, in 1/256.
    g_scale: [u64; 18],
    h_scale: [u64; 18],
    /// A node to expand next that is not on the open list.
    lookahead: Option<u32>,
    /// The expanded node of lowest heuristic, and that heuristic.
    nearest: (u32, u32),
    pub(super) n_expansions: u64,
    /// Expansions by layer; single voxels come first, then leaves, then cubes by size.
    pub(super) by_layer: [u32; N_LAYERS],
}

impl Default for OctreeSearch {
    fn default() -> Self {
        Self {
            scratch: Scratch::default(),
            params: OctreeParams::BALANCED,
            origin: Voxel::default(),
            size: [0; 3],
            goal: [0; 3],
            goal_key: 0,
            g_scale: [256; 18],
            h_scale: [256; 18],
            lookahead: None,
            nearest: (0, u32::MAX),
            n_expansions: 0,
            by_layer: [0; N_LAYERS],
        }
    }
}

/// Bounds of the searched air.
#[derive(Clone, Copy, Debug)]
pub(super) struct AirExtent {
    pub(super) origin: Voxel,
    pub(super) size: LocalVoxel,
    /// The layer of the largest cube.
    pub(super) top: u8,
}

impl OctreeSearch {
    /// Starts a search from a free voxel. Without `is_reachable` the goal may be blocked; the
    /// search then expands every reachable node.
    pub(super) fn begin(
        &mut self,
        source: &mut impl NodeSource,
        extent: AirExtent,
        ((start, goal), is_reachable): ((LocalVoxel, LocalVoxel), bool),
        params: OctreeParams,
    ) {
        self.scratch.clear();
        self.params = params;
        self.origin = extent.origin;
        self.size = extent.size;
        self.goal = goal;
        let top = u64::from(extent.top.max(1));
        let scale = |discount: u32, log: usize| {
            let layer = (log as u64).saturating_sub(2).min(top);
            256 - u64::from(discount.min(255)) * layer / top
        };
        self.g_scale = std::array::from_fn(|log| scale(params.size_discount_g, log));
        self.h_scale = std::array::from_fn(|log| scale(params.size_discount_h, log));
        self.lookahead = None;
        self.nearest = (0, u32::MAX);
        self.n_expansions = 0;
        self.by_layer = [0; N_LAYERS];
        self.goal_key = if is_reachable {
            self.node_around(source, goal).0
        } else {
            u64::MAX
        };
        let (key, mut node) = self.node_around(source, start);
        node.entry = start;
        node.multiplier = source.cost_multiplier(start);
        node.f = self.heuristic(start, node.log);
        self.lookahead = Some(self.scratch.add(key, node));
    }

    /// The key and the node that contains a free voxel, without parent.
    fn node_around(&self, source: &mut impl NodeSource, at: LocalVoxel) -> (u64, Node) {
        let found = source.node_at(at);
        let bit = 1_u64 << bits::index(at.map(i32::cast_unsigned));
        let (key, free, low, log) = if found.free == bits::ALL {
            let low = corner(at, found.log);
            (key_of(low), bits::ALL, low, found.log)
        } else if self.params.leaf_nodes == LeafNodes::Voxels {
            (key_of(at), bits::ALL, at, 0)
        } else {
            let component = bits::flood(bit, found.free);
            let low = corner(at, 2);
            (key_of(lowest_voxel(low, component)), component, low, 2)
        };
        let node = Node {
            free,
            low,
            entry: at,
            parent: NONE,
            g: 0,
            f: 0,
            log,
            face: NO_FACE,
            multiplier: 16,
            is_closed: false,
        };
        (key, node)
    }

    /// Runs until the goal is reached, the open list is empty, or `limit` expansions are made in
    /// all. Generates only nodes whose lowest voxel satisfies `is_allowed`.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        source: &mut impl NodeSource,
        observer: &mut O,
        (limit, memory): (u64, u64),
        mut is_allowed: impl FnMut(LocalVoxel) -> bool,
    ) -> StopReason {
        loop {
            if let Some(number) = self.lookahead.take() {
                let node = self.scratch.nodes[number as usize];
                if node.is_closed {
                    continue;
                }
                if self.is_goal(&node) {
                    self.lookahead = Some(number);
                    return StopReason::Goal(number);
                }
                if self.n_expansions >= limit || self.scratch.is_beyond(memory) {
                    self.lookahead = Some(number);
                    return StopReason::OutOfBudget;
                }
                self.expand(number, observer);
            }
            let Some((f, entry)) = self.scratch.pop() else {
                return StopReason::Exhausted;
            };
            if entry.face == NO_FACE {
                let node = &self.scratch.nodes[entry.node as usize];
                if !node.is_closed && node.g == entry.g {
                    self.lookahead = Some(entry.node);
                }
            } else {
                self.cross(source, f, entry, &mut is_allowed);
            }
        }
    }

    fn is_goal(&self, node: &Node) -> bool {
        key_of(first_voxel(node)) == self.goal_key
    }

    /// The expanded node of lowest heuristic.
    pub(super) fn nearest(&self) -> u32 {
        self.nearest.0
    }

    /// Pushes the faces of a node.
    fn expand<O: SearchObserver>(&mut self, number: u32, observer: &mut O) {
        let node = self.scratch.nodes[number as usize];
        self.scratch.nodes[number as usize].is_closed = true;
        self.n_expansions += 1;
        self.by_layer[usize::from(node.log.saturating_sub(1))] += 1;
        let h = node.f - node.g.min(node.f);
        if h < self.nearest.1 {
            self.nearest = (number, h);
        }
        if O::ACTIVE {
            observer.on_event(SearchEvent::Expanded {
                at: self.location(node.entry),
                cost: Cost::from_units(node.g),
            });
        }
        let side = 1_i32 << node.log;
        let from = self.point(&node);
        // The face to a parent cube at least as large has no other node beyond it.
        let back = if node.parent == NONE {
            NO_FACE
        } else {
            let parent = &self.scratch.nodes[node.parent as usize];
            let covers = parent.free == bits::ALL && parent.log >= node.log;
            if covers { node.face ^ 1 } else { NO_FACE }
        };
        for face in (0..6_u8).filter(|face| *face != back) {
            let (axis, up) = (usize::from(face >> 1), face & 1 == 1);
            let beyond = if up {
                node.low[axis] + side
            } else {
                node.low[axis] - 1
            };
            if beyond < 0 || beyond >= self.size[axis] {
                continue;
            }
            if node.free & bits::face(axis, up) == 0 {
                continue;
            }
            let mut at = node.low;
            at[axis] = beyond;
            let (b, c) = other_axes(axis);
            let highest = |axis: usize| (node.low[axis] + side).min(self.size[axis]) - 1;
            if self.params.node_point == NodePoint::Entries {
                let (to_face, to_goal) = (
                    f64::from((beyond - from[axis]).abs()),
                    f64::from((self.goal[axis] - beyond).abs()),
                );
                let fraction = if to_face + to_goal > 0.0 {
                    to_face / (to_face + to_goal)
                } else {
                    0.0
                };
                for other in [b, c] {
                    let distance = f64::from(self.goal[other] - from[other]);
                    let cross = (f64::from(from[other]) + distance * fraction + 0.5) as i32;
                    at[other] = cross.clamp(node.low[other], highest(other));
                }
            } else {
                for other in [b, c] {
                    at[other] = (node.low[other] + side / 2).min(highest(other));
                }
            }
            let (g, f) = self.g_and_f(&node, from, at, node.log);
            let entry = OpenEntry {
                node: number,
                g,
                at,
                face,
                log: node.log,
            };
            self.scratch.push(f, entry);
            if O::ACTIVE {
                observer.on_event(SearchEvent::Opened {
                    at: self.location(at),
                    cost: Cost::from_units(g),
                });
            }
        }
    }

    /// Generates the nodes beyond a popped face.
    fn cross(
        &mut self,
        source: &mut impl NodeSource,
        f: u32,
        entry: OpenEntry,
        is_allowed: &mut impl FnMut(LocalVoxel) -> bool,
    ) {
        let OpenEntry { mut at, face, .. } = entry;
        let (axis, up) = (usize::from(face >> 1), face & 1 == 1);
        let found = source.node_at(at);
        let mut log = entry.log;
        while found.log < log {
            log -= 1;
            self.push_quarters(&OpenEntry { log, ..entry }, axis);
        }
        if found.free == 0 {
            return;
        }
        if log < entry.log && self.params.node_point != NodePoint::Entries {
            let (b, c) = other_axes(axis);
            for other in [b, c] {
                let low = at[other] & !((1 << log) - 1);
                at[other] = (low + (1 << log) / 2).min(self.size[other] - 1);
            }
        }
        let from = self.scratch.nodes[entry.node as usize];
        // Voxels beyond the face that the parent's free voxels touch; all for a cube.
        let exits = if from.free == bits::ALL {
            bits::ALL
        } else if up {
            bits::across_up(from.free, axis)
        } else {
            bits::across_down(from.free, axis)
        };
        if found.log < 2 && exits >> bits::index(at.map(i32::cast_unsigned)) & 1 == 0 {
            return;
        }
        if found.free == bits::ALL {
            let low = corner(at, found.log);
            let entered = if exits == bits::ALL || found.log < 2 {
                at
            } else {
                nearest_bit(corner(at, 2), exits, at)
            };
            let node = Node {
                free: bits::ALL,
                low,
                entry: entered,
                log: found.log,
                ..from
            };
            self.generate(source, (key_of(low), node), (entry, f), is_allowed);
            return;
        }
        let low = corner(at, 2);
        let near = if log >= 2 {
            bits::face(axis, !up)
        } else {
            1 << bits::index(at.map(i32::cast_unsigned))
        };
        let mut open = near & exits & found.free;
        while open != 0 {
            if self.params.leaf_nodes == LeafNodes::Voxels {
                let voxel = lowest_voxel(low, open);
                open &= open - 1;
                let node = Node {
                    free: bits::ALL,
                    low: voxel,
                    entry: voxel,
                    log: 0,
                    ..from
                };
                self.generate(source, (key_of(voxel), node), (entry, f), is_allowed);
                continue;
            }
            let component = bits::flood(open & open.wrapping_neg(), found.free);
            let entered = nearest_bit(low, open & component, at);
            open &= !component;
            let node = Node {
                free: component,
                low,
                entry: entered,
                log: 2,
                ..from
            };
            self.generate(
                source,
                (key_of(lowest_voxel(low, component)), node),
                (entry, f),
                is_allowed,
            );
        }
    }

    /// Pushes the three quarters of a face other than `quarter`.
    fn push_quarters(&mut self, quarter: &OpenEntry, axis: usize) {
        let node = self.scratch.nodes[quarter.node as usize];
        let from = self.point(&node);
        let side = 1_i32 << quarter.log;
        let (b, c) = other_axes(axis);
        for (flip_b, flip_c) in [(side, 0), (0, side), (side, side)] {
            let low_b = (quarter.at[b] & !(side - 1)) ^ flip_b;
            let low_c = (quarter.at[c] & !(side - 1)) ^ flip_c;
            if low_b >= self.size[b] || low_c >= self.size[c] {
                continue;
            }
            let mut at = quarter.at;
            for (axis, low) in [(b, low_b), (c, low_c)] {
                let high = (low + side).min(self.size[axis]) - 1;
                at[axis] = if self.params.node_point == NodePoint::Entries {
                    at[axis].clamp(low, high)
                } else {
                    (low + side / 2).min(high)
                };
            }
            let (g, f) = self.g_and_f(&node, from, at, quarter.log);
            self.scratch.push(f, OpenEntry { g, at, ..*quarter });
        }
    }

    /// Generates a node beyond a face popped at `popped_f` if this lowers its f. Sets the fields
    /// of `node` that depend on the parent.
    fn generate<L: NodeSource>(
        &mut self,
        source: &mut L,
        (key, mut node): (u64, Node),
        (entry, popped_f): (OpenEntry, u32),
        is_allowed: &mut impl FnMut(LocalVoxel) -> bool,
    ) {
        let known = self.scratch.find(key);
        if known.is_some_and(|known| self.scratch.nodes[known as usize].is_closed) {
            return;
        }
        let from = self.scratch.nodes[entry.node as usize];
        let to = self.point(&node);
        let (g, f) = self.g_and_f(&from, self.point(&from), to, node.log);
        (node.g, node.f) = (g, f);
        (node.parent, node.face, node.is_closed) = (entry.node, entry.face, false);
        if L::WEIGHTED {
            node.multiplier = source.cost_multiplier(node.entry);
        }
        let number = match known {
            Some(known) => {
                let old = &mut self.scratch.nodes[known as usize];
                if old.f <= f {
                    return;
                }
                *old = node;
                known
            }
            None => {
                if !is_allowed(first_voxel(&node)) {
                    return;
                }
                self.scratch.add(key, node)
            }
        };
        if f <= popped_f && self.lookahead.is_none() {
            self.lookahead = Some(number);
        } else {
            let entry = OpenEntry {
                node: number,
                g,
                at: node.entry,
                face: NO_FACE,
                log: 0,
            };
            self.scratch.push(f, entry);
        }
    }

    /// The g and f of voxel `at` in a node of side 2^`log`, reached through `node`.
    #[inline]
    fn g_and_f(&self, node: &Node, from: LocalVoxel, at: LocalVoxel, log: u8) -> (u32, u32) {
        let step = if self.params.unit_cost == 0 {
            self.distance(from, at)
        } else {
            u64::from(self.params.unit_cost) * u64::from(Cost::UNITS_PER_CELL)
        };
        let step = (step * self.g_scale[usize::from(node.log)] * u64::from(node.multiplier)) >> 12;
        let g = (u64::from(node.g) + step).min(u64::from(u32::MAX)) as u32;
        (g, g.saturating_add(self.heuristic(at, log)))
    }

    #[inline]
    fn heuristic(&self, at: LocalVoxel, log: u8) -> u32 {
        let weight = u64::from(self.params.heuristic_weight) * self.h_scale[usize::from(log)];
        ((self.distance(at, self.goal) * weight) >> 16).min(u64::from(u32::MAX)) as u32
    }

    #[inline]
    fn distance(&self, a: LocalVoxel, b: LocalVoxel) -> u64 {
        let delta: [f64; 3] = std::array::from_fn(|axis| f64::from(a[axis] - b[axis]));
        let length = match self.params.metric {
            Metric::Euclidean => {
                (delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]).sqrt()
            }
            Metric::Manhattan => delta[0].abs() + delta[1].abs() + delta[2].abs(),
        };
        (length * f64::from(Cost::UNITS_PER_CELL)) as u64
    }

    /// The point of a node that distances are measured from.
    #[inline]
    fn point(&self, node: &Node) -> LocalVoxel {
        if self.params.node_point != NodePoint::Centers {
            return node.entry;
        }
        let half = (1_i32 << node.log) / 2;
        std::array::from_fn(|axis| (node.low[axis] + half).min(self.size[axis] - 1))
    }

    fn location(&self, at: LocalVoxel) -> Location {
        Location::Voxel(Voxel::new(
            self.origin.x.wrapping_add(at[0]),
            self.origin.y.wrapping_add(at[1]),
            self.origin.z.wrapping_add(at[2]),
        ))
    }
}

/// The other two axes.
#[inline]
const fn other_axes(axis: usize) -> (usize, usize) {
    match axis {
        0 => (1, 2),
        1 => (0, 2),
        _ => (0, 1),
    }
}

/// The low corner of the cube of side 2^`log` that contains a voxel.
#[inline]
pub(super) fn corner(at: LocalVoxel, log: u8) -> LocalVoxel {
    let mask = !((1_i32 << log) - 1);
    at.map(|at| at & mask)
}

/// The voxel of the lowest bit of `mask` in the leaf at `low`.
#[inline]
pub(super) fn lowest_voxel(low: LocalVoxel, mask: u64) -> LocalVoxel {
    let offset = bits::coords(mask.trailing_zeros());
    std::array::from_fn(|axis| low[axis] + offset[axis].cast_signed())
}

/// The lowest voxel of a node, which identifies it.
fn first_voxel(node: &Node) -> LocalVoxel {
    if node.free == bits::ALL {
        node.low
    } else {
        lowest_voxel(node.low, node.free)
    }
}

/// The voxel of `mask` in the leaf at `low` that is nearest to `at`; ties: lowest bit.
#[inline]
fn nearest_bit(low: LocalVoxel, mask: u64, at: LocalVoxel) -> LocalVoxel {
    let mut best = (i32::MAX, low);
    let mut left = mask;
    let own_bit = 1_u64 << bits::index(at.map(i32::cast_unsigned));
    if corner(at, 2) == low && mask & own_bit != 0 {
        return at;
    }
    while left != 0 {
        let voxel = lowest_voxel(low, left);
        left &= left - 1;
        let delta: [i32; 3] = std::array::from_fn(|axis| voxel[axis] - at[axis]);
        let square = delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2];
        if square < best.0 {
            best = (square, voxel);
        }
    }
    best.1
}
