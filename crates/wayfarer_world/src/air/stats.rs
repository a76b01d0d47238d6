//! Counting what is in the air: nodes layer by layer, and the parts that cannot reach each other.

use wayfarer_base::collections::OrderedMap;

use super::connectivity::{AirComponentId, AirRegionId};
use super::tree::{At, Content, Slot, corner};
use super::{Air, bits};

/// How many nodes one layer of the octree has, by what they are.
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
    /// All nodes of the layer.
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
    /// The nodes of every layer, leaves first, the root last.
    pub fn layers(&self) -> Vec<LayerCount> {
        let layer_count = |layer: u8| LayerCount {
            layer,
            side: 4 << layer,
            ..LayerCount::default()
        };
        let mut counts: Vec<LayerCount> = (0..=self.tree.top).map(layer_count).collect();
        let used = |list: &[u64]| -> Vec<usize> {
            let blocks = list.iter().enumerate();
            let used = blocks.filter(|(_, code)| *code >> 63 == 0);
            used.map(|(block, _)| block).collect()
        };
        for block in used(&self.tree.leaves.codes) {
            for voxels in self.tree.leaves.items[block] {
                match voxels {
                    0 => counts[0].n_free += 1,
                    bits::ALL => counts[0].n_solid += 1,
                    _ => counts[0].n_mixed += 1,
                }
            }
        }
        for (count, blocks) in counts[1..].iter_mut().zip(&self.tree.inner) {
            for block in used(&blocks.codes) {
                blocks.items[block]
                    .iter()
                    .for_each(|slot| count.count(*slot));
            }
        }
        counts[usize::from(self.tree.top)].count(self.tree.root);
        counts
    }

    /// How many parts of the free space there are that cannot reach each other. Looks at every
    /// split node once.
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

    /// The free voxels of each component, the largest first. Takes about as long as a build.
    pub fn component_sizes(&self) -> Vec<(AirComponentId, u64)> {
        let mut sizes = OrderedMap::new();
        self.sizes_in(self.tree.top, self.tree.root, 0, &mut sizes);
        let mut list: Vec<(AirComponentId, u64)> = sizes.into_iter().collect();
        list.sort_by_key(|&(component, size)| (std::cmp::Reverse(size), component));
        list
    }

    fn sizes_in(
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
                self.count_at(low, (0..3).map(side).product(), sizes);
            }
            Content::Block(block) if layer == 1 => {
                let mut found = Vec::new();
                self.regions.regions_of(&self.tree, block, &mut found);
                for region in found {
                    let n_voxels: u32 = region.iter().map(|voxels| voxels.count_ones()).sum();
                    let leaf = region.iter().position(|voxels| *voxels != 0);
                    let Some(leaf) = leaf else { continue };
                    let from = corner(0, code << 3 | leaf as u64);
                    let place = bits::place(region[leaf].trailing_zeros());
                    let at = std::array::from_fn(|axis| from[axis] + place[axis]);
                    self.count_at(at, n_voxels.into(), sizes);
                }
            }
            Content::Block(block) => {
                let items = self.tree.inner[usize::from(layer) - 2].items[block as usize];
                for (child, slot) in (0..).zip(items) {
                    self.sizes_in(layer - 1, slot, code << 3 | child, sizes);
                }
            }
        }
    }

    fn count_at(&self, at: At, n_voxels: u64, sizes: &mut OrderedMap<AirComponentId, u64>) {
        if let Some((layer, code, number)) = self.regions.component(&self.tree, at) {
            let component = AirComponentId::of(AirRegionId::new(layer, code, number));
            *sizes.entry(component).or_default() += n_voxels;
        }
    }
}
