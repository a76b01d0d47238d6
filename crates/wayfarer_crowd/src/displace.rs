//! Agents whose place an edit took: the nearest place where they fit.

use wayfarer_base::{Cell, Column};
use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::Ground;

use crate::agent::CrowdEvent;
use crate::crowd::Crowd;
use crate::member::Member;
use crate::peer::Peer;
use crate::vector::{Vec2, floor};
use crate::walls;

/// Columns around an agent among which another place is looked for.
const MAX_DISTANCE: i32 = 12;
/// What a floor on another level counts, as a square of a distance: more than any on the same.
const OTHER_LEVEL: f64 = 1e6;

impl Crowd {
    /// Moves the agents that no longer fit where edits changed the ground, in the order of slots.
    pub(crate) fn displace_agents(&mut self, ground: &Ground) {
        if !std::mem::take(&mut self.has_changed_places) {
            return;
        }
        for index in 0..self.members.len() {
            if self.members[index]
                .as_ref()
                .is_some_and(|member| member.is_place_changed)
            {
                self.find_walls(ground, index);
            }
            let Some(member) = &self.members[index] else {
                continue;
            };
            if !member.is_place_changed {
                continue;
            }
            let is_lost = !self.is_place_fit(ground, index, member);
            let place = is_lost.then(|| self.nearest_place(ground, index));
            if let Some(Some((at, cell))) = place
                && let Some(member) = &mut self.members[index]
            {
                self.discs[index].position = at;
                self.discs[index].velocity = Vec2::ZERO;
                let motion = &mut self.motions[index];
                (motion.cell, motion.walls) = (cell, None);
                self.peers[index] = Peer::of(member, motion);
                self.must_refresh = true;
            }
            if let Some(member) = &mut self.members[index] {
                member.is_place_changed = false;
            }
            if is_lost {
                self.events.push(CrowdEvent::Displaced(self.id_at(index)));
            }
        }
    }

    fn is_place_fit(&self, ground: &Ground, index: usize, member: &Member) -> bool {
        let Ok(nav_graph) = NavGraph::new(ground, member.agent.profile_id) else {
            return true;
        };
        let motion = &self.motions[index];
        let node = nav_graph.floor_at(motion.cell.column(), motion.cell.z);
        let is_floor = node.is_some_and(|node| nav_graph.cell(node) == motion.cell);
        let walls = motion.walls.map_or(&[][..], |list| self.walls.walls(list));
        is_floor && walls::fits(self.discs[index].position, member.agent.radius, walls)
    }

    /// The nearest center of a cell where an agent fits, preferably without touching others; ties
    /// go north, then west.
    fn nearest_place(&mut self, ground: &Ground, index: usize) -> Option<(Vec2, Cell)> {
        let member = self.members[index].clone()?;
        let nav_graph = NavGraph::new(ground, member.agent.profile_id).ok()?;
        let z = self.motions[index].cell.z;
        let from = self.discs[index].position;
        let (x, y) = (floor(from.x), floor(from.y));
        let mut places: Vec<(f64, Vec2, Cell)> = Vec::new();
        for row in y - MAX_DISTANCE..=y + MAX_DISTANCE {
            for column in x - MAX_DISTANCE..=x + MAX_DISTANCE {
                let floor = nav_graph.floor_at(Column::new(column, row), z);
                let Some(node) = floor else { continue };
                let at = Vec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5);
                let cell = nav_graph.cell(node);
                let is_beside = (cell.z - z).abs() <= nav_graph.profile().max_step;
                let other_level = if is_beside { 0.0 } else { OTHER_LEVEL };
                places.push(((at - from).length_squared() + other_level, at, cell));
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let reach = member.reach(&self.options);
        let mut fallback = None;
        for (_, at, cell) in places {
            let list = self.walls.list(nav_graph, cell, reach);
            if !walls::fits(at, member.agent.radius, self.walls.walls(list)) {
                continue;
            }
            if self.is_free(index, &member, at, cell) {
                return Some((at, cell));
            }
            fallback = fallback.or(Some((at, cell)));
        }
        fallback
    }
}
