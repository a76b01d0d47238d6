//! What follows from the ground, as marks: regions, the borders between them, components.

use wayfarer_base::collections::OrderedMap;
use wayfarer_world::ground::{Ground, RegionId};

use super::{Mark, Picture};

/// How many colors a picture may count on: numbers that differ modulo this look different.
const N_COLORS: u32 = 12;

impl Picture {
    /// The ground as it is: floors, walls and nav links, and the areas of effects.
    ///
    /// ```
    /// use wayfarer::World;
    /// use wayfarer::base::Raster;
    /// use wayfarer::picture::Picture;
    /// let world = World::from_raster(&Raster::from_bytes(3, 1, vec![0, 255, 0]).unwrap());
    /// let mut picture = Picture::of_ground(world.ground());
    /// picture.add_regions(world.ground()).add_portals(world.ground());
    /// assert_eq!(picture.to_text(), ".#.\n");
    /// ```
    pub fn of_ground(ground: &Ground) -> Self {
        let mut picture = Self::of_plan(&ground.plan());
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

    /// Adds every cell with the number of its region. Numbers of regions that share a sector or a
    /// border differ modulo 12, so that they can be told apart by as many colors.
    pub fn add_regions(&mut self, ground: &Ground) -> &mut Self {
        for (region, number) in region_numbers(ground) {
            for node in ground.cells_of(region) {
                let cell = ground.cell(node);
                self.add(Mark::Region { cell, number });
            }
        }
        self
    }

    /// Adds a line between the centers of every two regions that share a border, once for the two
    /// paths across.
    pub fn add_portals(&mut self, ground: &Ground) -> &mut Self {
        let mut supports: OrderedMap<(RegionId, RegionId), u32> = OrderedMap::new();
        for region in ground.regions() {
            ground.for_portals(region, |portal| {
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

    /// Adds every cell with the number of its component; 0 is the one with the most cells.
    pub fn add_components(&mut self, ground: &Ground) -> &mut Self {
        let mut sizes: OrderedMap<_, u64> = OrderedMap::new();
        for region in ground.regions() {
            let size = sizes.entry(ground.component_of_region(region)).or_default();
            *size += u64::from(ground.counts_of(region).0);
        }
        let mut order: Vec<_> = sizes.into_iter().collect();
        order.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        let numbers: OrderedMap<_, u32> = order.into_iter().map(|known| known.0).zip(0..).collect();
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

/// A number for each region, each once; modulo [`N_COLORS`] the least that no neighbor has, as
/// far as there are enough.
fn region_numbers(ground: &Ground) -> Vec<(RegionId, u32)> {
    let mut colors: OrderedMap<RegionId, u32> = OrderedMap::new();
    let mut in_sector: OrderedMap<_, u32> = OrderedMap::new();
    let mut numbers = Vec::new();
    for (region, order) in ground.regions().zip(0..) {
        let sector = in_sector.entry(ground.sector_of(region)).or_default();
        let mut taken = *sector;
        ground.for_portals(region, |portal| {
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
