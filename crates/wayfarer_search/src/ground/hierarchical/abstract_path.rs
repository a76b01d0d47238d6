//! Abstract paths over several levels: complete on the widest, extended on demand below.

use wayfarer_world::ground::{AbstractNodeId, NodeId, ProfileGround};

use super::planner::{AbstractPlanner, Line, PlannerTask};

/// Most clusters along x and y that a level plans at once, unless it is the widest.
const MAX_CLUSTERS: u32 = 128;
/// Most levels: clusters of 64, 256 and 1,024 columns.
const MAX_LEVELS: usize = 3;
/// Wider clusters that a narrower level is planned through for one that it keeps.
const LOOKAHEAD: usize = 2;

/// Abstract nodes from start to goal on several levels. The widest level is planned to the goal;
/// each narrower one follows two clusters of the next wider one and keeps the first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct AbstractPath {
    /// The narrowest first.
    levels: Vec<Level>,
    /// Levels in use.
    n_levels: usize,
}

/// The abstract path over clusters of one level.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Level {
    /// From the start on, as far as planned.
    nodes: Vec<AbstractNodeId>,
    /// Index of the node that the next narrower level, or the agent, has reached.
    at: usize,
    /// True if it leads to the goal.
    is_complete: bool,
    goal: AbstractNodeId,
    line: Line,
}

impl AbstractPath {
    /// Drops the path; keeps its memory.
    pub(super) fn clear(&mut self) {
        self.n_levels = 0;
    }

    /// True if there is no path.
    pub(super) fn is_empty(&self) -> bool {
        self.n_levels == 0
    }

    /// Plans from cell to cell; false if the abstract graph has no path.
    pub(super) fn begin(
        &mut self,
        ground: ProfileGround<'_>,
        planner: &mut AbstractPlanner,
        (start, goal): (NodeId, NodeId),
    ) -> bool {
        self.clear();
        let (mut start, mut goal) = (ground.abstract_node(start), ground.abstract_node(goal));
        loop {
            let (from, to) = (ground.cluster_of(start), ground.cluster_of(goal));
            let n_clusters = from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
            self.add_level(start, goal, (from, to));
            let parents = (ground.abstract_parent(start), ground.abstract_parent(goal));
            match parents {
                (Some(wide_start), Some(wide_goal))
                    if n_clusters > MAX_CLUSTERS && self.n_levels < MAX_LEVELS =>
                {
                    (start, goal) = (wide_start, wide_goal);
                }
                _ => break,
            }
        }
        let widest = &mut self.levels[self.n_levels - 1];
        widest.is_complete = true;
        let task = PlannerTask {
            start,
            goal: Some(goal),
            through: &[],
            line: widest.line,
        };
        planner.find(ground, &task, &mut widest.nodes)
    }

    fn add_level(&mut self, start: AbstractNodeId, goal: AbstractNodeId, line: Line) {
        let mut nodes = match self.levels.get_mut(self.n_levels) {
            Some(level) => std::mem::take(&mut level.nodes),
            None => Vec::new(),
        };
        nodes.clear();
        nodes.push(start);
        let level = Level {
            nodes,
            at: 0,
            is_complete: false,
            goal,
            line,
        };
        if self.n_levels < self.levels.len() {
            self.levels[self.n_levels] = level;
        } else {
            self.levels.push(level);
        }
        self.n_levels += 1;
    }

    /// Extends the path until `n_ahead` clusters ahead are planned, or all; false if the abstract
    /// graph has no path.
    pub(super) fn extend(
        &mut self,
        ground: ProfileGround<'_>,
        planner: &mut AbstractPlanner,
        n_ahead: usize,
    ) -> bool {
        self.n_levels == 0 || self.extend_level(ground, planner, 0, n_ahead)
    }

    fn extend_level(
        &mut self,
        ground: ProfileGround<'_>,
        planner: &mut AbstractPlanner,
        number: usize,
        n_ahead: usize,
    ) -> bool {
        loop {
            let level = &self.levels[number];
            if level.is_complete || level.nodes.len() > level.at + n_ahead {
                return true;
            }
            // The widest level is complete, so there is a wider one.
            if !self.extend_level(ground, planner, number + 1, LOOKAHEAD) {
                return false;
            }
            let (narrow, wide) = self.levels.split_at_mut(number + 1);
            let (level, wide) = (&mut narrow[number], &mut wide[0]);
            let n_planned = level.nodes.len();
            let is_last = wide.is_complete && wide.at + LOOKAHEAD + 1 >= wide.nodes.len();
            let end = (wide.at + LOOKAHEAD + 1).min(wide.nodes.len());
            let through = &wide.nodes[wide.at..end];
            let task = PlannerTask {
                start: level.nodes[n_planned - 1],
                goal: is_last.then_some(level.goal),
                through,
                line: level.line,
            };
            if !planner.find(ground, &task, &mut level.nodes) {
                return false;
            }
            if is_last {
                level.is_complete = true;
                return true;
            }
            // Keep up to where the path first enters a later wide cluster.
            let entered = (n_planned..level.nodes.len()).find_map(|index| {
                let parent = ground.abstract_parent(level.nodes[index])?;
                let n_wide = through.iter().rposition(|node| *node == parent)?;
                (n_wide > 0).then_some((index, n_wide))
            });
            let Some((index, n_wide)) = entered else {
                return false;
            };
            level.nodes.truncate(index + 1);
            wide.at += n_wide;
        }
    }

    /// The clusters from the agent on, as far as planned.
    pub(super) fn ahead(&self) -> &[AbstractNodeId] {
        match self.levels.first() {
            Some(level) if self.n_levels > 0 => &level.nodes[level.at..],
            _ => &[],
        }
    }

    /// True if all clusters up to the goal are planned.
    pub(super) fn is_complete(&self) -> bool {
        self.n_levels > 0 && self.levels[0].is_complete
    }

    /// Moves the agent on by `n_clusters`.
    pub(super) fn advance(&mut self, n_clusters: usize) {
        if let Some(level) = self.levels.first_mut() {
            level.at = (level.at + n_clusters).min(level.nodes.len().saturating_sub(1));
        }
    }

    /// The number of levels in use.
    #[cfg(test)]
    pub(super) fn n_levels(&self) -> usize {
        self.n_levels
    }
}
