//! From the nodes of an octree path to waypoints, each in line of sight of the next.

use wayfarer_world::air::bits;

use super::node_source::LocalVoxel;
use super::octree::lowest_voxel;
use super::scratch::{NONE, Node};

/// Writes the waypoints from the start to `end`, a voxel of node `last`, to `points`.
///
/// Each crossing adds the voxels on both sides of the face: the line from inside a node to the
/// entry of the next could leave the node through a wall.
pub(super) fn waypoints(nodes: &[Node], last: u32, end: LocalVoxel, points: &mut Vec<LocalVoxel>) {
    points.clear();
    points.push(end);
    let mut number = last;
    loop {
        let node = &nodes[number as usize];
        let from = *points.last().expect("never empty");
        trace_leaf(node, from, points);
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

/// Adds voxels between `from` and the entry of a leaf component if the box between them is not
/// free.
fn trace_leaf(node: &Node, from: LocalVoxel, points: &mut Vec<LocalVoxel>) {
    if node.free == bits::ALL {
        return;
    }
    let in_leaf = |at: LocalVoxel| -> [u32; 3] { at.map(|at| at.cast_unsigned() & 3) };
    let (a, b) = (in_leaf(from), in_leaf(node.entry));
    let low = std::array::from_fn(|axis| a[axis].min(b[axis]));
    let high = std::array::from_fn(|axis| a[axis].max(b[axis]));
    let spanned = bits::cuboid(low, high);
    if spanned & node.free == spanned {
        return;
    }
    // Breadth-first waves from the entry; then backwards to the lowest voxel of each wave.
    let target = 1_u64 << bits::index(a);
    let mut waves = [0_u64; 64];
    waves[0] = 1 << bits::index(b);
    let mut n_waves = 1;
    while waves[n_waves - 1] & target == 0 && n_waves < waves.len() {
        waves[n_waves] = (waves[n_waves - 1] | neighbors(waves[n_waves - 1])) & node.free;
        n_waves += 1;
    }
    let mut at = target;
    for wave in waves[..n_waves - 1].iter().rev() {
        let next = neighbors(at) & wave;
        at = next & next.wrapping_neg();
        if at == 0 {
            return;
        }
        let voxel = lowest_voxel(node.low, at);
        if voxel != node.entry {
            points.push(voxel);
        }
    }
}

/// The voxels of a leaf that share a face with a voxel of `mask`.
fn neighbors(mask: u64) -> u64 {
    let steps = [1, 4, 16];
    (0..3).fold(0, |all, axis| {
        let up = (mask & !bits::face(axis, true)) << steps[axis];
        let down = (mask & !bits::face(axis, false)) >> steps[axis];
        all | up | down
    })
}
