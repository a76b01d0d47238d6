//! The current regions of the editable ground.

use wayfarer_base::{Cell, LinkDirection, Revision};
use wayfarer_world::ground::{Ground, NodeId, RegionId, SuccessorBuffer};

use super::abstract_graph::AbstractGraph;

/// The ground for its default profile.
///
/// Nav links are edges between regions. Where a nav link is shorter than the ground between its
/// ends (a teleport), the heuristic overestimates and segments may be suboptimal.
#[derive(Clone, Copy, Debug)]
pub struct LiveGraph<'w> {
    ground: &'w Ground,
}

impl<'w> LiveGraph<'w> {
    /// The regions of a ground for its default profile. O(1); reads them as they are at each query.
    pub fn new(ground: &'w Ground) -> Self {
        Self { ground }
    }
}

impl AbstractGraph for LiveGraph<'_> {
    type Region = RegionId;

    fn revision(&self) -> Revision {
        self.ground.revision()
    }

    fn identity(&self) -> u64 {
        self.ground.identity()
    }

    fn number(&self, cell: Cell) -> Result<u32, &'static str> {
        let node = self.ground.node(cell).map(NodeId::index);
        node.ok_or("there is no floor walkable for the default profile")
    }

    #[inline]
    fn cell(&self, number: u32) -> Cell {
        self.ground.cell(NodeId::from_index(number))
    }

    fn may_reach(&self, from: u32, to: u32) -> bool {
        let component = |number| self.ground.component(NodeId::from_index(number));
        component(from) == component(to)
    }

    #[inline]
    fn for_each_successor(
        &self,
        number: u32,
        buffer: &mut SuccessorBuffer,
        mut visit: impl FnMut(u32, u32),
    ) {
        for (to, cost) in self.ground.successors(NodeId::from_index(number), buffer) {
            visit(to.index(), cost.units());
        }
    }

    fn n_sectors(&self) -> u32 {
        self.ground.node_limit() >> 8
    }

    #[inline]
    fn sector(&self, number: u32) -> u32 {
        number >> 8
    }

    #[inline]
    fn sector_of(&self, region: RegionId) -> u32 {
        region.sheet()
    }

    fn region(&self, number: u32) -> Option<RegionId> {
        Some(self.ground.region(NodeId::from_index(number)))
    }

    fn center(&self, region: RegionId) -> Option<u32> {
        Some(self.ground.center_of(region).index())
    }

    fn for_each_edge(&self, region: RegionId, mut visit: impl FnMut(RegionId)) {
        self.ground.for_each_portal(region, |portal| {
            if portal.support > 0 {
                visit(portal.to);
            }
        });
        let keys = self.ground.default_profile().keys;
        let nav_links = self.ground.nav_links_in(self.ground.sector_of(region));
        for nav_link in nav_links {
            let ends = [
                (nav_link.from, nav_link.to, true),
                (
                    nav_link.to,
                    nav_link.from,
                    nav_link.direction == LinkDirection::Bidirectional,
                ),
            ];
            for (from, to, is_open) in ends {
                if is_open
                    && nav_link.state.admits(keys)
                    && let Some(from) = self.ground.node(from)
                    && self.ground.region(from) == region
                    && let Some(to) = self.ground.node(to)
                {
                    visit(self.ground.region(to));
                }
            }
        }
    }
}
