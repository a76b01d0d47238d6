//! From the nodes of a search to voxels that one can fly along, each in sight of the next.

use wayfarer_world::air::bits;

use super::node_source::At;
use super::octree::voxel_of;
use super::scratch::{NONE, Node};

/// Writes the waypoints from the start to `end`, a voxel of node `last`, into `points`.
///
/// At every crossing both voxels are named, the one before the face and the one behind it: a line
/// from within one room to the entry of the next could leave through a wall.
pub(super) fn waypoints(nodes: &[Node], last: u32, end: At, points: &mut Vec<At>) {
    points.clear();
    points.push(end);
    let mut number = last;
    loop {
        let node = &nodes[number as usize];
        let from = *points.last().expect("the end was put there");
        inside(node, from, points);
        if *points.last().expect("never empty") != node.entry {
            points.push(node.entry);
        }
        if node.parent == NONE {
            break;
        }
        let mut exit = node.entry;
        exit[usize::from(node.face >> 1)] += if node.face & 1 == 1 { -1 } else { 1 };
        points.push(exit);
        number = node.parent;
    }
    points.reverse();
}

/// Adds the voxels between `from` and the entry of a node, where the straight line may leave it.
fn inside(node: &Node, from: At, points: &mut Vec<At>) {
    if node.free == bits::ALL {
        return;
    }
    let place = |at: At| -> [u32; 3] { at.map(|at| at.cast_unsigned() & 3) };
    let (a, b) = (place(from), place(node.entry));
    let low = std::array::from_fn(|axis| a[axis].min(b[axis]));
    let high = std::array::from_fn(|axis| a[axis].max(b[axis]));
    let spanned = bits::cuboid(low, high);
    if spanned & node.free == spanned {
        return;
    }
    // Waves from the entry; then back down, always to the lowest voxel of the wave before.
    let target = 1_u64 << bits::index(a);
    let mut waves = [0_u64; 64];
    waves[0] = 1 << bits::index(b);
    let mut n_waves = 1;
    while waves[n_waves - 1] & target == 0 && n_waves < waves.len() {
        waves[n_waves] = (waves[n_waves - 1] | around(waves[n_waves - 1])) & node.free;
        n_waves += 1;
    }
    let mut at = target;
    for wave in waves[..n_waves - 1].iter().rev() {
        let next = around(at) & wave;
        at = next & next.wrapping_neg();
        if at == 0 {
            return;
        }
        let voxel = voxel_of(node.low, at);
        if voxel != node.entry {
            points.push(voxel);
        }
    }
}

/// The voxels of a leaf that share a face with some of them.
fn around(some: u64) -> u64 {
    let steps = [1, 4, 16];
    (0..3).fold(0, |all, axis| {
        let up = (some & !bits::face(axis, true)) << steps[axis];
        let down = (some & !bits::face(axis, false)) >> steps[axis];
        all | up | down
    })
}
