//! Statistics: nodes per layer, and connected components with their sizes.

use wayfarer_base::collections::OrderedMap;

use super::connectivity::{AirComponentId, AirRegionId};
use super::tree::{Content, LocalVoxel, Slot, corner};
use super::{Air, bits};

/// Node counts of one layer of the octree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerCount {
    /// The layer; 0 is the leaves.
    pub layer: u8,
    /// Voxels along the side of a node.
    pub side: u32,
    /// Nodes that are all free.
    pub n_free: u64,
    /// Nodes that are all solid.
    pub n_solid: u64,
    /// Nodes that are partly solid.
    pub n_mixed: u64,
}

impl LayerCount {
    /// The sum of all nodes of the layer.
    pub const fn n_nodes(&self) -> u64 {
        self.n_free + self.n_solid + self.n_mixed
    }

    fn count(&mut self, slot: Slot) {
        match slot.content() {
            Content::Free => self.n_free += 1,
            Content::Solid => self.n_solid += 1,
            Content::Block(_) => self.n_mixed += 1,
        }
    }
}

impl Air {
    /// Node counts of every layer, leaves first.
    pub fn layers(&self) -> Vec<LayerCount> {
        let layer_count = |layer: u8| LayerCount {
            layer,
            side: 4 << layer,
            ..LayerCount::default()
        };
        let mut counts: Vec<LayerCount> = (0..=self.tree.top).map(layer_count).collect();
        let used_blocks = |list: &[u64]| -> Vec<usize> {
            let blocks = list.iter().enumerate();
            let used_blocks = blocks.filter(|(_, code)| *code >> 63 == 0);
            used_blocks.map(|(block, _)| block).collect()
        };
        for block in used_blocks(&self.tree.leaves.codes) {
            for voxels in self.tree.leaves.items[block] {
                match voxels {
                    0 => counts[0].n_free += 1,
                    bits::ALL => counts[0].n_solid += 1,
                    _ => counts[0].n_mixed += 1,
                }
            }
        }
        for (count, blocks) in counts[1..].iter_mut().zip(&self.tree.inner) {
            for block in used_blocks(&blocks.codes) {
                blocks.items[block]
                    .iter()
                    .for_each(|slot| count.count(*slot));
            }
        }
        counts[usize::from(self.tree.top)].count(self.tree.root);
        counts
    }

    /// The number of connected components of free space. O(split nodes).
    pub fn n_components(&self) -> u64 {
        let closed = |layer: u8, slot: Slot| match slot.content() {
            Content::Block(block) => {
                let group = self.regions.group(layer, block);
                u64::from(group.n_regions() - group.n_open())
            }
            Content::Free | Content::Solid => 0,
        };
        let top = self.tree.top;
        let open = match self.tree.root.content() {
            Content::Free => 1,
            Content::Solid => 0,
            Content::Block(block) => u64::from(self.regions.group(top, block).n_open()),
        };
        let mut sum = open + closed(top, self.tree.root);
        for (layer, blocks) in (1..).zip(&self.tree.inner) {
            for (items, code) in blocks.items.iter().zip(&blocks.codes) {
                if code >> 63 == 0 {
                    sum += items.iter().map(|slot| closed(layer, *slot)).sum::<u64>();
                }
            }
        }
        sum
    }

    /// The number of free voxels per component, largest first. Costs about as much as a build.
    pub fn component_sizes(&self) -> Vec<(AirComponentId, u64)> {
        let mut sizes = OrderedMap::new();
        self.add_sizes(self.tree.top, self.tree.root, 0, &mut sizes);
        let mut list: Vec<(AirComponentId, u64)> = sizes.into_iter().collect();
        list.sort_by_key(|&(component, size)| (std::cmp::Reverse(size), component));
        list
    }

    fn add_sizes(
        &self,
        layer: u8,
        slot: Slot,
        code: u64,
        sizes: &mut OrderedMap<AirComponentId, u64>,
    ) {
        let low = corner(layer, code);
        if (0..3).any(|axis| low[axis] >= self.size[axis]) {
            return;
        }
        match slot.content() {
            Content::Solid => {}
            Content::Free => {
                let side = |axis: usize| u64::from((self.size[axis] - low[axis]).min(4 << layer));
                self.add_size(low, (0..3).map(side).product(), sizes);
            }
            Content::Block(block) if layer == 1 => {
                let mut regions = Vec::new();
                self.regions.split_block(&self.tree, block, &mut regions);
                for region in regions {
                    let n_voxels: u32 = region.iter().map(|voxels| voxels.count_ones()).sum();
                    let leaf = region.iter().position(|voxels| *voxels != 0);
                    let Some(leaf) = leaf else { continue };
                    let leaf_low = corner(0, code << 3 | leaf as u64);
                    let offset = bits::coords(region[leaf].trailing_zeros());
                    let at = std::array::from_fn(|axis| leaf_low[axis] + offset[axis]);
                    self.add_size(at, n_voxels.into(), sizes);
                }
            }
            Content::Block(block) => {
                let items = self.tree.inner[usize::from(layer) - 2].items[block as usize];
                for (child, slot) in (0..).zip(items) {
                    self.add_sizes(layer - 1, slot, code << 3 | child, sizes);
                }
            }
        }
    }

    fn add_size(&self, at: LocalVoxel, n_voxels: u64, sizes: &mut OrderedMap<AirComponentId, u64>) {
        if let Some((layer, code, number)) = self.regions.component(&self.tree, at) {
            let component = AirComponentId::from_region(AirRegionId::new(layer, code, number));
            *sizes.entry(component).or_default() += n_voxels;
        }
    }
}
