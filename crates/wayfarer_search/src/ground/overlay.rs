//! What a request lays over the ground: cells to avoid, and prices of its own.

use wayfarer_base::{Cell, Cost, CostMultiplier, LinkDirection, LinkState, NavLink, SectorId};
use wayfarer_world::ground::NodeId;

use super::area::SpareCorners;
use super::footing::Footing;
use super::{Area, PathRequest};

/// Cells to avoid and prices on top of the ground's; never makes anything cheaper.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    avoid: Vec<Area>,
    extra: Vec<(Area, CostMultiplier)>,
    spare: SpareCorners,
}

impl Overlay {
    pub(super) fn set(&mut self, request: &PathRequest) {
        self.clear();
        let Self {
            avoid,
            extra,
            spare,
        } = self;
        avoid.extend(request.avoid.iter().map(|area| spare.copy(area)));
        let priced = request.extra_prices.iter();
        extra.extend(priced.map(|(area, price)| (spare.copy(area), *price)));
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
    pub(super) fn price(&self, footing: Footing<'_>, node: NodeId, cell: Cell) -> CostMultiplier {
        self.extra
            .iter()
            .filter(|(area, _)| area.contains(cell))
            .fold(footing.price(node), |sum, (_, price)| {
                sum.stacked_with(*price)
            })
    }

    /// What a step costs with the overlay; `None` if it may not be taken.
    pub(super) fn cost(
        &self,
        footing: Footing<'_>,
        from: NodeId,
        to: NodeId,
        known: Cost,
        is_walk: bool,
    ) -> Option<Cost> {
        let (here, there) = (footing.cell(from), footing.cell(to));
        if self.avoids(there) {
            return None;
        }
        if !is_walk || self.extra.is_empty() {
            return Some(known);
        }
        let prices = (
            self.price(footing, from, here),
            self.price(footing, to, there),
        );
        let is_diagonal = here.x != there.x && here.y != there.y;
        Some(Cost::of_step(is_diagonal).scaled_by_mean(prices.0, prices.1))
    }
}

/// The passages that the agent can take from a cell, each with where it leads.
pub(super) fn passages_from<'g>(
    footing: Footing<'g>,
    cell: Cell,
) -> impl Iterator<Item = (&'g NavLink, NodeId)> {
    let keys = footing.profile().keys;
    ends_of_passages(footing, cell)
        .filter(move |(passage, _)| LinkState::admits(passage.state, keys))
        .filter_map(move |(passage, end)| footing.node(end).map(|node| (passage, node)))
}

/// The passages that lead away from a cell, open or not, each with the cell it leads to.
pub(super) fn ends_of_passages<'g>(
    footing: Footing<'g>,
    cell: Cell,
) -> impl Iterator<Item = (&'g NavLink, Cell)> {
    let passages = footing.passages_in(SectorId::of(cell.column()));
    passages.iter().flat_map(move |passage| {
        let there = (passage.from == cell).then_some((passage, passage.to));
        let back = passage.to == cell && passage.direction == LinkDirection::Bidirectional;
        there
            .into_iter()
            .chain(back.then_some((passage, passage.from)))
    })
}
