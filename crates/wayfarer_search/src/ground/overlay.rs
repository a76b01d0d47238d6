//! The overlay of a request: areas to avoid, area costs and clearance on top of the ground.

use wayfarer_base::{Cell, Cost, CostMultiplier, LinkDirection, LinkState, NavLink, SectorId};
use wayfarer_world::ground::{NodeId, ProfileId};

use super::GroundRequest;
use super::area::{PreparedArea, SpareCorners};
use super::nav_graph::NavGraph;

/// Areas to avoid, area costs and clearance; never lowers a cost, so the ground's lower bounds hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    avoid: Vec<PreparedArea>,
    area_costs: Vec<(PreparedArea, CostMultiplier)>,
    keep_off: Option<(Option<ProfileId>, CostMultiplier)>,
    spare: SpareCorners,
}

impl Overlay {
    pub(super) fn set(&mut self, request: &GroundRequest) {
        self.clear();
        let Self {
            avoid,
            area_costs,
            keep_off,
            spare,
        } = self;
        *keep_off = request.keep_off;
        let mut prepared = |area| PreparedArea::new(spare.copy(area));
        avoid.extend(request.avoid.iter().map(&mut prepared));
        let weighted = request.area_costs.iter();
        area_costs.extend(weighted.map(|(area, multiplier)| (prepared(area), *multiplier)));
    }

    pub(super) fn clear(&mut self) {
        self.keep_off = None;
        let spare = &mut self.spare;
        self.avoid
            .drain(..)
            .for_each(|prepared| spare.put(prepared.area));
        self.area_costs
            .drain(..)
            .for_each(|(prepared, _)| spare.put(prepared.area));
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.avoid.is_empty() && !self.has_costs()
    }

    /// True if it changes costs.
    #[inline]
    fn has_costs(&self) -> bool {
        !self.area_costs.is_empty() || self.keep_off.is_some()
    }

    /// True if the path may not enter `cell`.
    #[inline]
    pub(super) fn avoids(&self, cell: Cell) -> bool {
        self.avoid.iter().any(|area| area.contains(cell))
    }

    /// The cost multiplier of a node under the overlay; `None` if the path may not enter it.
    #[inline]
    pub(super) fn multiplier_inside(
        &self,
        nav_graph: NavGraph<'_>,
        node: NodeId,
    ) -> Option<CostMultiplier> {
        if self.is_empty() {
            return Some(nav_graph.cost_multiplier(node));
        }
        let cell = nav_graph.cell(node);
        (!self.avoids(cell)).then(|| self.cost_multiplier(nav_graph, node, cell))
    }

    /// The cost multiplier of a cell under the overlay.
    #[inline]
    pub(super) fn cost_multiplier(
        &self,
        nav_graph: NavGraph<'_>,
        node: NodeId,
        cell: Cell,
    ) -> CostMultiplier {
        if !self.has_costs() {
            return nav_graph.cost_multiplier(node);
        }
        self.stacked_multiplier(nav_graph, node, cell)
    }

    #[inline(never)]
    fn stacked_multiplier(
        &self,
        nav_graph: NavGraph<'_>,
        node: NodeId,
        cell: Cell,
    ) -> CostMultiplier {
        let areas = self.area_costs.iter();
        let areas = areas.filter(|(area, _)| area.contains(cell));
        let near_walls = self.keep_off.filter(|(profile_id, _)| {
            let wide = NavGraph::new(nav_graph.ground(), *profile_id);
            wide.is_ok_and(|wide| wide.node(cell).is_none())
        });
        areas
            .map(|(_, multiplier)| *multiplier)
            .chain(near_walls.map(|(_, multiplier)| multiplier))
            .fold(
                nav_graph.cost_multiplier(node),
                CostMultiplier::stacked_with,
            )
    }

    /// The cost of a step under the overlay, given its cost without; `None` if it is forbidden.
    pub(super) fn cost(
        &self,
        nav_graph: NavGraph<'_>,
        from: NodeId,
        to: NodeId,
        ground_cost: Cost,
        is_neighbor: bool,
    ) -> Option<Cost> {
        let (here, there) = (nav_graph.cell(from), nav_graph.cell(to));
        if self.avoids(there) {
            return None;
        }
        if !is_neighbor || !self.has_costs() {
            return Some(ground_cost);
        }
        let multipliers = (
            self.cost_multiplier(nav_graph, from, here),
            self.cost_multiplier(nav_graph, to, there),
        );
        let is_diagonal = here.x != there.x && here.y != there.y;
        Some(Cost::for_step(is_diagonal).scaled_by_mean(multipliers.0, multipliers.1))
    }
}

/// The nav links from a cell that admit the agent, each with the node it leads to.
pub(super) fn nav_links_from<'g>(
    nav_graph: NavGraph<'g>,
    cell: Cell,
) -> impl Iterator<Item = (&'g NavLink, NodeId)> {
    let keys = nav_graph.profile().keys;
    nav_link_ends(nav_graph, cell)
        .filter(move |(nav_link, _)| LinkState::admits(nav_link.state, keys))
        .filter_map(move |(nav_link, end)| nav_graph.node(end).map(|node| (nav_link, node)))
}

/// The nav links from a cell in any state, each with the cell it leads to.
pub(super) fn nav_link_ends<'g>(
    nav_graph: NavGraph<'g>,
    cell: Cell,
) -> impl Iterator<Item = (&'g NavLink, Cell)> {
    let nav_links = nav_graph.nav_links_in(SectorId::from_column(cell.column()));
    nav_links.iter().flat_map(move |nav_link| {
        let there = (nav_link.from == cell).then_some((nav_link, nav_link.to));
        let back = nav_link.to == cell && nav_link.direction == LinkDirection::Bidirectional;
        there
            .into_iter()
            .chain(back.then_some((nav_link, nav_link.from)))
    })
}
