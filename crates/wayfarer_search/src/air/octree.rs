//! The search over the octree: large steps through large cubes, and what is connected in a leaf
//! taken as one.
//!
//! A node is a free cube, or all free voxels of a leaf that are connected. Expanding one puts its
//! six faces on the open list, each with the voxel behind it where the way would cross at best;
//! what lies there is looked up only when the face is taken off. A face with several rooms behind
//! it is cut into quarters, which are put on the list in turn. A face is never closed, only the
//! nodes behind it are: so a node that is approached twice keeps the better approach.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places have 17 bits, costs saturate"
)]

use wayfarer_base::{Cost, Location, SearchEvent, SearchObserver, Voxel};
use wayfarer_world::air::bits;

use super::node_source::{At, NodeSource};
use super::octree_params::{LeafNodes, Metric, NodePoint, OctreeParams};
use super::scratch::{Deferred, NONE, Node, Scratch, WHOLE, key_of};
use crate::kernel::StopReason;

/// Layers of an octree, and one for single voxels.
pub(super) const N_LAYERS: usize = 17;

/// A search in the making.
#[derive(Clone, Debug)]
pub(super) struct OctreeSearch {
    pub(super) scratch: Scratch,
    params: OctreeParams,
    origin: Voxel,
    size: At,
    goal: At,
    goal_key: u64,
    /// For each logarithm of a side how much of a step's cost and of the guess counts, in 1/256.
    cost_part: [u64; 18],
    guess_part: [u64; 18],
    /// A node that is next, although it is not on the list.
    ready: Option<u32>,
    /// The expanded node that seemed nearest to the goal, and how far it seemed.
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
            cost_part: [256; 18],
            guess_part: [256; 18],
            ready: None,
            nearest: (0, u32::MAX),
            n_expansions: 0,
            by_layer: [0; N_LAYERS],
        }
    }
}

/// Where a search takes place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    pub(super) origin: Voxel,
    pub(super) size: At,
    /// The layer of the largest cube.
    pub(super) top: u8,
}

impl OctreeSearch {
    /// Begins anew. The start must be free, and the goal if it is to be reached; else the search
    /// goes through everything.
    pub(super) fn begin(
        &mut self,
        look: &mut impl NodeSource,
        scene: Scene,
        ((start, goal), is_reachable): ((At, At), bool),
        params: OctreeParams,
    ) {
        self.scratch.clear();
        self.params = params;
        self.origin = scene.origin;
        self.size = scene.size;
        self.goal = goal;
        let top = u64::from(scene.top.max(1));
        let part = |share: u32, log: usize| {
            let layer = (log as u64).saturating_sub(2).min(top);
            256 - u64::from(share.min(255)) * layer / top
        };
        self.cost_part = std::array::from_fn(|log| part(params.size_discount_g, log));
        self.guess_part = std::array::from_fn(|log| part(params.size_discount_h, log));
        self.ready = None;
        self.nearest = (0, u32::MAX);
        self.n_expansions = 0;
        self.by_layer = [0; N_LAYERS];
        self.goal_key = if is_reachable {
            self.node_around(look, goal).0
        } else {
            u64::MAX
        };
        let (key, mut node) = self.node_around(look, start);
        node.entry = start;
        node.multiplier = look.cost_multiplier(start);
        node.total = self.heuristic(start, node.log);
        self.ready = Some(self.scratch.add(key, node));
    }

    /// The key and the node of a free place, not entered from anywhere.
    fn node_around(&self, look: &mut impl NodeSource, at: At) -> (u64, Node) {
        let room = look.look(at);
        let bit = 1_u64 << bits::index(at.map(i32::cast_unsigned));
        let (key, free, low, log) = if room.free == bits::ALL {
            let low = corner(at, room.log);
            (key_of(low), bits::ALL, low, room.log)
        } else if self.params.leaf_nodes == LeafNodes::Voxels {
            (key_of(at), bits::ALL, at, 0)
        } else {
            let part = bits::flood(bit, room.free);
            let low = corner(at, 2);
            (key_of(voxel_of(low, part)), part, low, 2)
        };
        let node = Node {
            free,
            low,
            entry: at,
            parent: NONE,
            cost: 0,
            total: 0,
            log,
            face: WHOLE,
            multiplier: 16,
            is_closed: false,
        };
        (key, node)
    }

    /// Goes on until the goal is reached, everything was looked at, or `limit` expansions have
    /// been made in all. New nodes count only if `allowed` says so of their first voxel.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        look: &mut impl NodeSource,
        observer: &mut O,
        (limit, memory): (u64, u64),
        mut allowed: impl FnMut(At) -> bool,
    ) -> StopReason {
        loop {
            if let Some(number) = self.ready.take() {
                let node = self.scratch.nodes[number as usize];
                if node.is_closed {
                    continue;
                }
                if self.is_goal(&node) {
                    self.ready = Some(number);
                    return StopReason::Goal(number);
                }
                if self.n_expansions >= limit || self.scratch.is_beyond(memory) {
                    self.ready = Some(number);
                    return StopReason::OutOfBudget;
                }
                self.expand(number, observer);
            }
            let Some((total, entry)) = self.scratch.pop() else {
                return StopReason::Exhausted;
            };
            if entry.face == WHOLE {
                let node = &self.scratch.nodes[entry.node as usize];
                if !node.is_closed && node.cost == entry.cost {
                    self.ready = Some(entry.node);
                }
            } else {
                self.cross(look, total, entry, &mut allowed);
            }
        }
    }

    fn is_goal(&self, node: &Node) -> bool {
        let lowest = if node.free == bits::ALL {
            node.low
        } else {
            voxel_of(node.low, node.free)
        };
        key_of(lowest) == self.goal_key
    }

    /// The node from which the goal seemed nearest.
    pub(super) fn nearest(&self) -> u32 {
        self.nearest.0
    }

    /// Puts the faces of a node on the list.
    fn expand<O: SearchObserver>(&mut self, number: u32, observer: &mut O) {
        let node = self.scratch.nodes[number as usize];
        self.scratch.nodes[number as usize].is_closed = true;
        self.n_expansions += 1;
        self.by_layer[usize::from(node.log.saturating_sub(1))] += 1;
        let heuristic = node.total - node.cost.min(node.total);
        if heuristic < self.nearest.1 {
            self.nearest = (number, heuristic);
        }
        if O::ACTIVE {
            observer.on_event(SearchEvent::Expanded {
                at: self.place(node.entry),
                cost: Cost::from_units(node.cost),
            });
        }
        let side = 1_i32 << node.log;
        let from = self.point(&node);
        // The way back leads nowhere new if a cube at least as large lies there.
        let back = if node.parent == NONE {
            WHOLE
        } else {
            let parent = &self.scratch.nodes[node.parent as usize];
            let covers = parent.free == bits::ALL && parent.log >= node.log;
            if covers { node.face ^ 1 } else { WHOLE }
        };
        for face in (0..6_u8).filter(|face| *face != back) {
            let (axis, up) = (usize::from(face >> 1), face & 1 == 1);
            let behind = if up {
                node.low[axis] + side
            } else {
                node.low[axis] - 1
            };
            if behind < 0 || behind >= self.size[axis] {
                continue;
            }
            if node.free & bits::face(axis, up) == 0 {
                continue;
            }
            let mut at = node.low;
            at[axis] = behind;
            let (b, c) = others(axis);
            let highest = |axis: usize| (node.low[axis] + side).min(self.size[axis]) - 1;
            if self.params.node_point == NodePoint::Entries {
                let (ahead, beyond) = (
                    f64::from((behind - from[axis]).abs()),
                    f64::from((self.goal[axis] - behind).abs()),
                );
                let part = if ahead + beyond > 0.0 {
                    ahead / (ahead + beyond)
                } else {
                    0.0
                };
                for other in [b, c] {
                    let distance = f64::from(self.goal[other] - from[other]);
                    let cross = (f64::from(from[other]) + distance * part + 0.5) as i32;
                    at[other] = cross.clamp(node.low[other], highest(other));
                }
            } else {
                for other in [b, c] {
                    at[other] = (node.low[other] + side / 2).min(highest(other));
                }
            }
            let (cost, total) = self.cost_to(&node, from, at, node.log);
            let entry = Deferred {
                node: number,
                cost,
                at,
                face,
                log: node.log,
            };
            self.scratch.push(total, entry);
            if O::ACTIVE {
                observer.on_event(SearchEvent::Opened {
                    at: self.place(at),
                    cost: Cost::from_units(cost),
                });
            }
        }
    }

    /// Looks behind a face.
    fn cross(
        &mut self,
        look: &mut impl NodeSource,
        total: u32,
        entry: Deferred,
        allowed: &mut impl FnMut(At) -> bool,
    ) {
        let Deferred { mut at, face, .. } = entry;
        let (axis, up) = (usize::from(face >> 1), face & 1 == 1);
        let room = look.look(at);
        let mut log = entry.log;
        while room.log < log {
            log -= 1;
            self.quarter(&Deferred { log, ..entry }, axis);
        }
        if room.free == 0 {
            return;
        }
        if log < entry.log && self.params.node_point != NodePoint::Entries {
            let (b, c) = others(axis);
            for other in [b, c] {
                let low = at[other] & !((1 << log) - 1);
                at[other] = (low + (1 << log) / 2).min(self.size[other] - 1);
            }
        }
        let from = self.scratch.nodes[entry.node as usize];
        // Voxels of a leaf's face that one crosses from; all of them from a cube.
        let exits = if from.free == bits::ALL {
            bits::ALL
        } else if up {
            bits::across_up(from.free, axis)
        } else {
            bits::across_down(from.free, axis)
        };
        if room.log < 2 && exits >> bits::index(at.map(i32::cast_unsigned)) & 1 == 0 {
            return;
        }
        if room.free == bits::ALL {
            let low = corner(at, room.log);
            let entered = if exits == bits::ALL || room.log < 2 {
                at
            } else {
                nearest_bit(corner(at, 2), exits, at)
            };
            let node = Node {
                free: bits::ALL,
                low,
                entry: entered,
                log: room.log,
                ..from
            };
            self.offer(look, (key_of(low), node), (entry, total), allowed);
            return;
        }
        let low = corner(at, 2);
        let near = if log >= 2 {
            bits::face(axis, !up)
        } else {
            1 << bits::index(at.map(i32::cast_unsigned))
        };
        let mut open = near & exits & room.free;
        while open != 0 {
            if self.params.leaf_nodes == LeafNodes::Voxels {
                let voxel = voxel_of(low, open);
                open &= open - 1;
                let node = Node {
                    free: bits::ALL,
                    low: voxel,
                    entry: voxel,
                    log: 0,
                    ..from
                };
                self.offer(look, (key_of(voxel), node), (entry, total), allowed);
                continue;
            }
            let part = bits::flood(open & open.wrapping_neg(), room.free);
            let entered = nearest_bit(low, open & part, at);
            open &= !part;
            let node = Node {
                free: part,
                low,
                entry: entered,
                log: 2,
                ..from
            };
            self.offer(
                look,
                (key_of(voxel_of(low, part)), node),
                (entry, total),
                allowed,
            );
        }
    }

    /// Puts the other three quarters of a face on the list; `part.log` is that of a quarter.
    fn quarter(&mut self, part: &Deferred, axis: usize) {
        let node = self.scratch.nodes[part.node as usize];
        let from = self.point(&node);
        let side = 1_i32 << part.log;
        let (b, c) = others(axis);
        for (flip_b, flip_c) in [(side, 0), (0, side), (side, side)] {
            let low_b = (part.at[b] & !(side - 1)) ^ flip_b;
            let low_c = (part.at[c] & !(side - 1)) ^ flip_c;
            if low_b >= self.size[b] || low_c >= self.size[c] {
                continue;
            }
            let mut at = part.at;
            for (axis, low) in [(b, low_b), (c, low_c)] {
                let high = (low + side).min(self.size[axis]) - 1;
                at[axis] = if self.params.node_point == NodePoint::Entries {
                    at[axis].clamp(low, high)
                } else {
                    (low + side / 2).min(high)
                };
            }
            let (cost, total) = self.cost_to(&node, from, at, part.log);
            self.scratch.push(total, Deferred { cost, at, ..*part });
        }
    }

    /// Takes up a node that was found behind a face, if that is better than what is known of it.
    /// `node` has the fields of the one before the face where they are not its own.
    fn offer<L: NodeSource>(
        &mut self,
        look: &mut L,
        (key, mut node): (u64, Node),
        (entry, reached): (Deferred, u32),
        allowed: &mut impl FnMut(At) -> bool,
    ) {
        let known = self.scratch.find(key);
        if known.is_some_and(|known| self.scratch.nodes[known as usize].is_closed) {
            return;
        }
        let from = self.scratch.nodes[entry.node as usize];
        let to = self.point(&node);
        let (cost, total) = self.cost_to(&from, self.point(&from), to, node.log);
        (node.cost, node.total) = (cost, total);
        (node.parent, node.face, node.is_closed) = (entry.node, entry.face, false);
        if L::WEIGHTED {
            node.multiplier = look.cost_multiplier(node.entry);
        }
        let number = match known {
            Some(known) => {
                let old = &mut self.scratch.nodes[known as usize];
                if old.total <= total {
                    return;
                }
                *old = node;
                known
            }
            None => {
                if !allowed(voxel_of_node(&node)) {
                    return;
                }
                self.scratch.add(key, node)
            }
        };
        if total <= reached && self.ready.is_none() {
            self.ready = Some(number);
        } else {
            let whole = Deferred {
                node: number,
                cost,
                at: node.entry,
                face: WHOLE,
                log: 0,
            };
            self.scratch.push(total, whole);
        }
    }

    /// What the way to a voxel costs if it leads through `node`, and with the guess of the rest.
    #[inline]
    fn cost_to(&self, node: &Node, from: At, at: At, log: u8) -> (u32, u32) {
        let step = if self.params.unit_cost == 0 {
            self.distance(from, at)
        } else {
            u64::from(self.params.unit_cost) * u64::from(Cost::UNITS_PER_CELL)
        };
        let step =
            (step * self.cost_part[usize::from(node.log)] * u64::from(node.multiplier)) >> 12;
        let cost = (u64::from(node.cost) + step).min(u64::from(u32::MAX)) as u32;
        (cost, cost.saturating_add(self.heuristic(at, log)))
    }

    #[inline]
    fn heuristic(&self, at: At, log: u8) -> u32 {
        let part = u64::from(self.params.heuristic_weight) * self.guess_part[usize::from(log)];
        ((self.distance(at, self.goal) * part) >> 16).min(u64::from(u32::MAX)) as u32
    }

    #[inline]
    fn distance(&self, a: At, b: At) -> u64 {
        let apart: [f64; 3] = std::array::from_fn(|axis| f64::from(a[axis] - b[axis]));
        let length = match self.params.metric {
            Metric::Euclid => {
                (apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]).sqrt()
            }
            Metric::Manhattan => apart[0].abs() + apart[1].abs() + apart[2].abs(),
        };
        (length * f64::from(Cost::UNITS_PER_CELL)) as u64
    }

    /// The point of a node that paths are measured from.
    #[inline]
    fn point(&self, node: &Node) -> At {
        if self.params.node_point != NodePoint::Middles {
            return node.entry;
        }
        let half = (1_i32 << node.log) / 2;
        std::array::from_fn(|axis| (node.low[axis] + half).min(self.size[axis] - 1))
    }

    fn place(&self, at: At) -> Location {
        Location::Voxel(Voxel::new(
            self.origin.x.wrapping_add(at[0]),
            self.origin.y.wrapping_add(at[1]),
            self.origin.z.wrapping_add(at[2]),
        ))
    }
}

/// The other two axes.
#[inline]
const fn others(axis: usize) -> (usize, usize) {
    match axis {
        0 => (1, 2),
        1 => (0, 2),
        _ => (0, 1),
    }
}

/// The low corner of the cube with a side of this logarithm around a place.
#[inline]
pub(super) fn corner(at: At, log: u8) -> At {
    let mask = !((1_i32 << log) - 1);
    at.map(|at| at & mask)
}

/// The voxel of the lowest bit in the leaf at `low`.
#[inline]
pub(super) fn voxel_of(low: At, some: u64) -> At {
    let place = bits::place(some.trailing_zeros());
    std::array::from_fn(|axis| low[axis] + place[axis].cast_signed())
}

/// A voxel of a node.
fn voxel_of_node(node: &Node) -> At {
    if node.free == bits::ALL {
        node.low
    } else {
        voxel_of(node.low, node.free)
    }
}

/// The voxel of `some` in the leaf at `low` that is nearest to `at`; of equals the lowest bit.
#[inline]
fn nearest_bit(low: At, some: u64, at: At) -> At {
    let mut best = (i32::MAX, low);
    let mut left = some;
    let wanted = 1_u64 << bits::index(at.map(i32::cast_unsigned));
    if corner(at, 2) == low && some & wanted != 0 {
        return at;
    }
    while left != 0 {
        let voxel = voxel_of(low, left);
        left &= left - 1;
        let apart: [i32; 3] = std::array::from_fn(|axis| voxel[axis] - at[axis]);
        let square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
        if square < best.0 {
            best = (square, voxel);
        }
    }
    best.1
}
