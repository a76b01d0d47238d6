//! Marks of the ground and its derived data: regions, portals, components.

use wayfarer_base::collections::OrderedMap;
use wayfarer_world::ground::{Ground, RegionId};

use super::{Mark, Picture};

/// Number of distinct colors that a renderer needs: numbers that differ modulo this look different.
const N_COLORS: u32 = 12;

impl Picture {
    /// The floors, walls and nav links of a ground, and the shapes of its cost modifiers.
    ///
    /// ```
    /// use wayfarer_engine::World;
    /// use wayfarer_engine::base::Raster;
    /// use wayfarer_engine::picture::Picture;
    /// let world = World::from_raster(&Raster::from_bytes(3, 1, vec![0, 255, 0]).unwrap());
    /// let mut picture = Picture::from_ground(world.ground());
    /// picture.add_regions(world.ground()).add_portals(world.ground());
    /// assert_eq!(picture.to_text(), ".#.\n");
    /// ```
    pub fn from_ground(ground: &Ground) -> Self {
        let mut picture = Self::from_data(&ground.to_data());
        for (_, modifier) in ground.cost_modifiers() {
            let (low, high) = modifier.heights;
            let shape = modifier.shape.clone();
            picture.marks.push(Mark::Footprint {
                shape,
                z: 0.clamp(low, high.max(low)),
            });
        }
        picture
    }

    /// Adds every cell with the number of its region. The numbers of regions that share a sector or
    /// a border differ modulo 12 (greedy coloring).
    pub fn add_regions(&mut self, ground: &Ground) -> &mut Self {
        for (region, number) in region_numbers(ground) {
            for node in ground.cells_of(region) {
                let cell = ground.cell(node);
                self.add(Mark::Region { cell, number });
            }
        }
        self
    }

    /// Adds an edge between the centers of any two regions with a portal, in either direction.
    pub fn add_portals(&mut self, ground: &Ground) -> &mut Self {
        let mut supports: OrderedMap<(RegionId, RegionId), u32> = OrderedMap::new();
        for region in ground.regions() {
            ground.for_each_portal(region, |portal| {
                let pair = (region.min(portal.to), region.max(portal.to));
                let known = supports.entry(pair).or_default();
                *known = u32::from(portal.support).max(*known);
            });
        }
        for ((from, to), support) in supports {
            let center = |region| ground.cell(ground.center_of(region));
            self.add(Mark::Portal {
                from: center(from),
                to: center(to),
                support,
            });
        }
        self
    }

    /// Adds every cell with the number of its component; 0 is the largest.
    pub fn add_components(&mut self, ground: &Ground) -> &mut Self {
        let mut sizes: OrderedMap<_, u64> = OrderedMap::new();
        for region in ground.regions() {
            let size = sizes.entry(ground.component_of_region(region)).or_default();
            *size += u64::from(ground.region_cell_counts(region).0);
        }
        let mut order: Vec<_> = sizes.into_iter().collect();
        order.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        let ids = order.into_iter().map(|(id, _)| id);
        let numbers: OrderedMap<_, u32> = ids.zip(0..).collect();
        for region in ground.regions() {
            let number = numbers[&ground.component_of_region(region)];
            for node in ground.cells_of(region) {
                let cell = ground.cell(node);
                self.add(Mark::Component { cell, number });
            }
        }
        self
    }
}

/// A unique number per region; modulo [`N_COLORS`] it is the lowest color that no neighbor has, if
/// one is free.
fn region_numbers(ground: &Ground) -> Vec<(RegionId, u32)> {
    let mut colors: OrderedMap<RegionId, u32> = OrderedMap::new();
    let mut in_sector: OrderedMap<_, u32> = OrderedMap::new();
    let mut numbers = Vec::new();
    for (region, order) in ground.regions().zip(0..) {
        let sector = in_sector.entry(ground.sector_of(region)).or_default();
        let mut taken = *sector;
        ground.for_each_portal(region, |portal| {
            taken |= colors.get(&portal.to).map_or(0, |color| 1 << color);
        });
        let free = (!taken).trailing_zeros();
        let color = if free < N_COLORS {
            free
        } else {
            order % N_COLORS
        };
        *sector |= 1 << color;
        colors.insert(region, color);
        numbers.push((region, order * N_COLORS + color));
    }
    numbers
}

#[cfg(test)]
mod tests;
