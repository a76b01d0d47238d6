//! Density as a cost: where agents stand before a gate, others look for another.
//!
//! Every 16 ticks the agents that are held up are counted by squares of 8 cells. A path through a
//! square gets longer by [`CrowdOptions::waiting_cost`](super::CrowdOptions::waiting_cost) for each of
//! them. Orders search with these costs, and agents that are held up search again now and then.

use std::collections::BTreeMap;

use super::{Crowd, CrowdAgentId, Stage};
use crate::goal::Area;
use crate::planner::Planner;
use crate::request::PathRequest;
use crate::units::Position;

/// Side of a square, in cells.
const SIDE: i32 = 8;
/// Ticks between two counts.
const COUNT_TICKS: u64 = 16;
/// Ticks between two searches of an agent that is held up.
const SEARCH_TICKS: u64 = 192;
/// Squares that a request knows of, and agents in one that count as none.
const MAX_SQUARES: usize = 16;
const MIN_AGENTS: u32 = 4;
/// The largest multiplier of a square.
const MAX_MULTIPLIER: f64 = 64.0;

/// A square, by its column and row, and the agents that are held up in it.
pub(super) type Square = ((i32, i32), u32);

impl Crowd {
    /// Counts the agents that are held up, and lets some of them search again.
    pub(super) fn count_waiting(&mut self, planner: &mut Planner) {
        if self.options.waiting_cost <= 0.0 {
            return;
        }
        let tick = self.core.n_ticks();
        if tick.is_multiple_of(COUNT_TICKS) {
            let mut counts: BTreeMap<(i32, i32), u32> = BTreeMap::new();
            for joined in self.members.iter().flatten() {
                if let (true, Some(cell)) =
                    (self.core.is_held_up(joined.id), self.core.cell(joined.id))
                {
                    let square = (cell.x.div_euclid(SIDE), cell.y.div_euclid(SIDE));
                    *counts.entry(square).or_default() += 1;
                }
            }
            let counts = counts.into_iter().filter(|(_, n)| *n >= MIN_AGENTS);
            self.waiting = counts.collect();
            // The fullest; a stable sort, so ties have one order.
            self.waiting.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
            self.waiting.truncate(MAX_SQUARES);
        }
        let is_turn = |id: CrowdAgentId| {
            let phase = tick + u64::from(id.index()) * 7;
            phase.is_multiple_of(SEARCH_TICKS)
        };
        let held_up: Vec<CrowdAgentId> = self
            .members
            .iter()
            .flatten()
            .filter(|joined| is_turn(joined.id) && self.core.is_held_up(joined.id))
            .filter(|joined| {
                let order = joined.order.as_ref();
                order.is_some_and(|order| order.stage == Stage::Following)
            })
            .map(|joined| joined.id)
            .collect();
        for id in held_up {
            self.replan(planner, id, false);
        }
    }

    /// Adds the costs of full squares to a request.
    pub(super) fn add_waiting_costs(&self, request: &mut PathRequest) {
        // A request with viewers has no area costs.
        if !request.viewers.is_empty() {
            return;
        }
        let cell_size = self.frame.cell_size();
        for ((x, y), n) in &self.waiting {
            let corner = |x: i32, y: i32| -> Position {
                let at = [x, y].map(|at| f64::from(at.saturating_mul(SIDE)));
                self.frame.plane_position(at, 0)
            };
            let area = Area::rect(corner(*x, *y), corner(*x + 1, *y + 1));
            let longer = self.options.waiting_cost * f64::from(*n);
            let side = f64::from(SIDE) * cell_size;
            let multiplier = (1.0 + longer / side).min(MAX_MULTIPLIER);
            request.area_costs.push((area, multiplier));
        }
    }
}
