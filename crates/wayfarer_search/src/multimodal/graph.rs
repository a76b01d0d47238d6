//! The implicit graph of walking and flying: what is free, take-offs, landings and lower bounds.

use wayfarer_base::{Cell, Column, Cost, CostMultiplier, Fixed, Location, Point3, Shape, Voxel};
use wayfarer_world::air::Air;

use super::{AirLink, MultimodalGraph};
use crate::ground::NavGraph;

/// Half a voxel: a ball of this radius stays inside the voxels that a move between centers spans, all of
/// which must be free.
pub(super) const FITS_ITS_VOXELS: i32 = 128;

impl MultimodalGraph<'_> {
    /// True if the location is free for the agent.
    pub fn is_free(&self, at: Location) -> bool {
        match at {
            Location::Cell(cell) => self
                .nav_graph
                .is_some_and(|nav_graph| nav_graph.node(cell).is_some()),
            Location::Voxel(voxel) => self.air.is_some_and(|(air, flight)| {
                air.is_free(voxel)
                    && air.cost_multiplier(voxel).is_some()
                    && (flight.radius.raw() <= FITS_ITS_VOXELS
                        || is_sweep_clear(air, flight.radius, voxel, voxel))
            }),
            Location::Point(_) => false,
        }
    }

    /// Calls `visit` with every voxel reached by taking off from a cell, and the cost.
    pub fn for_each_take_off(&self, cell: Cell, mut visit: impl FnMut(Voxel, Cost)) {
        if self.air.is_none() {
            return;
        }
        if let Some((voxel, cost)) = self.take_off_from_floor(cell)
            && self.is_free(voxel.into())
        {
            visit(voxel, cost);
        }
        for air_link in self.air_links_at(cell) {
            if let Some(cost) = air_link.take_off
                && self.is_free(air_link.voxel.into())
            {
                visit(air_link.voxel, cost);
            }
        }
    }

    /// Calls `visit` with every cell reached by landing from a voxel, and the cost.
    pub fn for_each_landing(&self, voxel: Voxel, mut visit: impl FnMut(Cell, Cost)) {
        let (Some(nav_graph), Some(_)) = (self.nav_graph, self.air) else {
            return;
        };
        self.for_each_floor_landing(voxel, &mut visit);
        for air_link in self
            .air_links
            .iter()
            .filter(|air_link| air_link.voxel == voxel)
        {
            if let Some(cost) = air_link.landing
                && nav_graph.node(air_link.cell).is_some()
            {
                visit(air_link.cell, cost);
            }
        }
    }

    /// Calls `visit` with every walkable cell under a voxel that the agent lands on without an air link,
    /// and the cost.
    pub(super) fn for_each_floor_landing(&self, voxel: Voxel, mut visit: impl FnMut(Cell, Cost)) {
        let (Some(nav_graph), Some((_, flight))) = (self.nav_graph, self.air) else {
            return;
        };
        self.for_each_floor_under(voxel, |cell, over| {
            if over == voxel && nav_graph.node(cell).is_some() {
                visit(cell, flight.landing + self.offset_cost(cell, voxel));
            }
        });
    }

    /// Calls `visit` with every floor, walkable or not, in the columns under a voxel, and the voxel over
    /// it; nothing if the agent lands at air links only.
    pub(super) fn for_each_floor_under(&self, voxel: Voxel, mut visit: impl FnMut(Cell, Voxel)) {
        let (Some(nav_graph), Some((_, flight))) = (self.nav_graph, self.air) else {
            return;
        };
        if flight.requires_air_link {
            return;
        }
        let ground = nav_graph.ground();
        let mut scan_column = |column: Column| {
            for (z, _) in ground.floors(column) {
                let cell = column.at(z);
                if let Some(over) = self.alignment.voxel_over(cell, flight.radius) {
                    visit(cell, over);
                }
            }
        };
        // Under voxels much wider than cells, only columns with floors are visited.
        let under = self.alignment.columns_under(voxel);
        if under.width() <= 2 && under.height() <= 2 {
            under.columns().for_each(scan_column);
        } else {
            ground.for_each_column_in(&Shape::Box(under), &mut scan_column);
        }
    }

    /// The voxel over a cell that the agent takes off to without an air link, free or not, and the cost.
    pub(super) fn take_off_from_floor(&self, cell: Cell) -> Option<(Voxel, Cost)> {
        let (_, flight) = self.air.filter(|(_, flight)| !flight.requires_air_link)?;
        let voxel = self.alignment.voxel_over(cell, flight.radius)?;
        Some((voxel, flight.take_off + self.offset_cost(cell, voxel)))
    }

    /// The air links of a cell.
    pub(super) fn air_links_at(&self, cell: Cell) -> impl Iterator<Item = &AirLink> {
        let first = self
            .air_links
            .partition_point(|air_link| air_link.cell < cell);
        let here = self.air_links[first..].iter();
        here.take_while(move |air_link| air_link.cell == cell)
    }

    /// The cost that multipliers add to a step, half of which lies in each location. Nothing for
    /// nav links, take-offs and landings.
    pub fn extra_cost(
        &self,
        (from, here): (Location, CostMultiplier),
        (to, there): (Location, CostMultiplier),
    ) -> Cost {
        let extra = u32::from(here.sixteenths()) + u32::from(there.sixteenths()) - 32;
        if extra == 0 {
            return Cost::ZERO;
        }
        let delta = |a: [i32; 3], b: [i32; 3]| -> [u32; 3] {
            std::array::from_fn(|axis| a[axis].abs_diff(b[axis]))
        };
        let length = match (from, to) {
            (Location::Cell(a), Location::Cell(b)) => {
                let [x, y, _] = delta([a.x, a.y, 0], [b.x, b.y, 0]);
                if x > 1 || y > 1 {
                    return Cost::ZERO;
                }
                Cost::octile(x, y)
            }
            (Location::Voxel(a), Location::Voxel(b)) => {
                let [x, y, z] = delta([a.x, a.y, a.z], [b.x, b.y, b.z]);
                let one = (CostMultiplier::ONE, CostMultiplier::ONE);
                let length = Cost::voxel_octile(x, y, z);
                self.alignment.move_cost(length, CostMultiplier::ONE, one)
            }
            _ => return Cost::ZERO,
        };
        let units = u64::from(length.units()) * u64::from(extra) / 32;
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// Cost of the horizontal offset between the centers of a cell and the voxel over it, rounded
    /// up.
    pub(super) fn offset_cost(&self, cell: Cell, voxel: Voxel) -> Cost {
        let (a, b) = (
            self.alignment.doubled_center(cell.into()),
            self.alignment.doubled_center(voxel.into()),
        );
        if a == b {
            return Cost::ZERO;
        }
        let walked = (Cost::STRAIGHT.units(), Cost::DIAGONAL.units());
        let units = self.alignment.octile(a, b, walked) + 1;
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// A lower bound on the cost of a difference of 1 in height, where a move costs at least `straight`; 0
    /// where none is known.
    pub(super) fn min_climb(&self, straight: u32) -> u32 {
        let radius = self.air.map_or(0, |(_, flight)| flight.radius.raw());
        // Then a cell and the voxel over it have the same height.
        let is_aligned = self.alignment.is_cubic() && radius < Fixed::UNITS_PER_CELL;
        let has_link = |nav_graph: NavGraph<'_>| nav_graph.ground().nav_links().next().is_some();
        if !is_aligned || !self.air_links.is_empty() || self.nav_graph.is_some_and(has_link) {
            return 0;
        }
        let per_move = self.nav_graph.map_or(1, |nav_graph| {
            let profile = nav_graph.profile();
            profile.max_step.max(profile.max_drop).max(1).unsigned_abs()
        });
        straight / per_move
    }

    /// Lower bounds on what a take-off and a landing cost besides the lower bound `min_cost` between their
    /// ends.
    pub(super) fn min_transitions(&self, min_cost: (u32, u32)) -> (u64, u64) {
        let Some((_, flight)) = self.air else {
            return (0, 0);
        };
        let anywhere = |cost: Cost| match flight.requires_air_link {
            true => u64::MAX,
            false => u64::from(cost.units()),
        };
        let mut least = (anywhere(flight.take_off), anywhere(flight.landing));
        for air_link in self.air_links {
            let ends = [air_link.cell.into(), air_link.voxel.into()];
            let [a, b] = ends.map(|at| self.alignment.doubled_center(at));
            let between = self.alignment.octile(a, b, min_cost);
            let besides = |cost: Option<Cost>| {
                cost.map_or(u64::MAX, |cost| {
                    u64::from(cost.units()).saturating_sub(between)
                })
            };
            least.0 = least.0.min(besides(air_link.take_off));
            least.1 = least.1.min(besides(air_link.landing));
        }
        // Without any the other domain is not reached at all.
        let bounded = |cost: u64| if cost == u64::MAX { 0 } else { cost };
        (bounded(least.0), bounded(least.1))
    }

    /// True if a nav link or air link is cheaper than the lower bound between its ends.
    pub(super) fn has_shortcut(&self, min_cost: (u32, u32)) -> bool {
        let alignment = &self.alignment;
        let is_shortcut = |air_link: &AirLink| {
            let ends = [air_link.cell.into(), air_link.voxel.into()];
            let ends = ends.map(|at| alignment.doubled_center(at));
            let lower_bound = alignment.octile(ends[0], ends[1], min_cost);
            [air_link.take_off, air_link.landing]
                .into_iter()
                .flatten()
                .any(|cost| u64::from(cost.units()) < lower_bound)
        };
        let on_ground = |nav_graph: NavGraph<'_>| !nav_graph.ground().shortcuts().is_empty();
        self.nav_graph.is_some_and(on_ground)
            || (self.air.is_some() && self.air_links.iter().any(is_shortcut))
    }
}

fn center(at: Voxel) -> Option<Point3> {
    let coordinate = |at: i32| {
        let raw = at.checked_mul(256)?.checked_add(128)?;
        Some(Fixed::from_raw(raw))
    };
    Some(Point3 {
        x: coordinate(at.x)?,
        y: coordinate(at.y)?,
        z: coordinate(at.z)?,
    })
}

/// True if a ball swept from one voxel center to another overlaps nothing solid.
pub(super) fn is_sweep_clear(air: &Air, radius: Fixed, from: Voxel, to: Voxel) -> bool {
    match (center(from), center(to)) {
        (Some(a), Some(b)) => air.sweep(a, b, radius).is_none(),
        _ => false,
    }
}
