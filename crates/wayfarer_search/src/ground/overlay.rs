//! What a request lays over the ground: cells to avoid, and cost multipliers of its own.

use wayfarer_base::{Cell, Cost, CostMultiplier, LinkDirection, LinkState, NavLink, SectorId};
use wayfarer_world::ground::NodeId;

use super::area::SpareCorners;
use super::nav_graph::NavGraph;
use super::{Area, GroundRequest};

/// Cells to avoid and cost multipliers on top of the ground's; never makes anything cheaper.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    avoid: Vec<Area>,
    extra: Vec<(Area, CostMultiplier)>,
    spare: SpareCorners,
}

impl Overlay {
    pub(super) fn set(&mut self, request: &GroundRequest) {
        self.clear();
        let Self {
            avoid,
            extra,
            spare,
        } = self;
        avoid.extend(request.avoid.iter().map(|area| spare.copy(area)));
        let weighted = request.area_costs.iter();
        extra.extend(weighted.map(|(area, multiplier)| (spare.copy(area), *multiplier)));
    }

    pub(super) fn clear(&mut self) {
        let spare = &mut self.spare;
        self.avoid.drain(..).for_each(|area| spare.take(area));
        self.extra.drain(..).for_each(|(area, _)| spare.take(area));
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.avoid.is_empty() && self.extra.is_empty()
    }

    /// True if `cell` may not be entered.
    pub(super) fn avoids(&self, cell: Cell) -> bool {
        self.avoid.iter().any(|area| area.contains(cell))
    }

    /// What a cell costs with the overlay.
    pub(super) fn cost_multiplier(
        &self,
        nav_graph: NavGraph<'_>,
        node: NodeId,
        cell: Cell,
    ) -> CostMultiplier {
        self.extra
            .iter()
            .filter(|(area, _)| area.contains(cell))
            .fold(nav_graph.cost_multiplier(node), |sum, (_, multiplier)| {
                sum.stacked_with(*multiplier)
            })
    }

    /// What a step costs with the overlay; `None` if it may not be taken.
    pub(super) fn cost(
        &self,
        nav_graph: NavGraph<'_>,
        from: NodeId,
        to: NodeId,
        known: Cost,
        is_walk: bool,
    ) -> Option<Cost> {
        let (here, there) = (nav_graph.cell(from), nav_graph.cell(to));
        if self.avoids(there) {
            return None;
        }
        if !is_walk || self.extra.is_empty() {
            return Some(known);
        }
        let multipliers = (
            self.cost_multiplier(nav_graph, from, here),
            self.cost_multiplier(nav_graph, to, there),
        );
        let is_diagonal = here.x != there.x && here.y != there.y;
        Some(Cost::for_step(is_diagonal).scaled_by_mean(multipliers.0, multipliers.1))
    }
}

/// The nav links that the agent can take from a cell, each with where it leads.
pub(super) fn nav_links_from<'g>(
    nav_graph: NavGraph<'g>,
    cell: Cell,
) -> impl Iterator<Item = (&'g NavLink, NodeId)> {
    let keys = nav_graph.profile().keys;
    nav_link_ends(nav_graph, cell)
        .filter(move |(nav_link, _)| LinkState::admits(nav_link.state, keys))
        .filter_map(move |(nav_link, end)| nav_graph.node(end).map(|node| (nav_link, node)))
}

/// The nav links that lead away from a cell, open or not, each with the cell it leads to.
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
