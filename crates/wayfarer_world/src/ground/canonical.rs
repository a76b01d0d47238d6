//! Canonical form of a ground: sorted lists without ids, for comparing a repaired ground with a
//! rebuilt one.

use wayfarer_base::{Cell, GroundSolid, SectorId, SolidId, WorldData};

use super::{Ground, NodeId};

/// All primary and derived state, independent of the edit history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The primary state but solids and cost modifiers.
    pub data: WorldData,
    /// The solids, by id.
    pub solids: Vec<(SolidId, GroundSolid)>,
    /// Every region, by sector and first cell.
    pub regions: Vec<CanonicalRegion>,
    /// Cost multipliers above 1, in sixteenths.
    pub multipliers: Vec<(Cell, u16)>,
}

/// A region by its cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CanonicalRegion {
    /// Its sector.
    pub sector: SectorId,
    /// Its cells, in order.
    pub cells: Vec<Cell>,
    /// The number of them that a cost modifier makes costlier.
    pub affected: u16,
    /// The cell nearest to its centroid.
    pub center: Cell,
    /// Its portals, by the first cell of the region they lead to.
    pub portals: Vec<CanonicalPortal>,
    /// The first cell of its component.
    pub component: Cell,
}

/// A portal by its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CanonicalPortal {
    /// The first cell of the target region.
    pub to: Cell,
    /// Steps across in this direction.
    pub support: u16,
}

impl Ground {
    /// The canonical form. O(world): for tests and comparisons.
    pub fn canonical(&self) -> Canonical {
        let cell = |node: NodeId| self.cell(node);
        let first = |region| self.cells_of(region).map(cell).min().unwrap_or_default();
        let mut of_component = std::collections::BTreeMap::new();
        for region in self.regions() {
            let component = self.component_of_region(region);
            let known = of_component
                .entry(component)
                .or_insert_with(|| first(region));
            *known = (*known).min(first(region));
        }
        let mut regions: Vec<CanonicalRegion> = self
            .regions()
            .map(|region| {
                let mut cells: Vec<Cell> = self.cells_of(region).map(cell).collect();
                cells.sort_unstable();
                let mut portals = Vec::new();
                self.for_each_portal(region, |portal| {
                    portals.push(CanonicalPortal {
                        to: first(portal.to),
                        support: portal.support,
                    });
                });
                portals.sort_unstable();
                CanonicalRegion {
                    sector: self.sector_of(region),
                    affected: self.region_cell_counts(region).1,
                    center: self.cell(self.center_of(region)),
                    cells,
                    portals,
                    component: of_component[&self.component_of_region(region)],
                }
            })
            .collect();
        regions.sort_unstable();
        let mut multipliers: Vec<(Cell, u16)> = self
            .nodes()
            .map(|node| (self.cell(node), self.cost_multiplier(node).sixteenths()))
            .filter(|(_, multiplier)| *multiplier > 16)
            .collect();
        multipliers.sort_unstable();
        Canonical {
            data: self.to_data(),
            solids: self.solids().map(|(id, one)| (id, one.clone())).collect(),
            regions,
            multipliers,
        }
    }
}
