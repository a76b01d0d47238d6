//! The course of a far way: over wide squares to the goal, over blocks as far as one needs to see.

use wayfarer_world::ground::{AbstractNodeId, Ground, NodeId};

use super::planner::{AbstractPlanner, Line, Task};

/// Most steps from square to square that are planned at once, unless squares are the widest.
const MAX_STEPS: u32 = 128;
/// Most widths of squares: 64, 256 and 1,024 columns.
const MAX_STAGES: usize = 3;
/// Steps over wider squares that are looked through for one that is kept.
const AHEAD: usize = 2;

/// Parts from start to goal, over squares of several widths. The widest are planned to the end;
/// each narrower plan follows two steps of the next wider one and keeps the first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct AbstractPath {
    /// The narrowest first.
    stages: Vec<Stage>,
    /// Stages in use.
    n_stages: usize,
}

/// A plan over squares of one width.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stage {
    /// From where the way began; known up to where it was needed.
    parts: Vec<AbstractNodeId>,
    /// The one that the next narrower plan has come to, or who walks.
    at: usize,
    /// True if it leads to the goal.
    is_whole: bool,
    goal: AbstractNodeId,
    line: Line,
}

impl AbstractPath {
    /// Forgets everything; keeps the room.
    pub(super) fn clear(&mut self) {
        self.n_stages = 0;
    }

    /// True if nothing is planned.
    pub(super) fn is_empty(&self) -> bool {
        self.n_stages == 0
    }

    /// Plans from cell to cell; false if no plan leads there.
    pub(super) fn begin(
        &mut self,
        ground: &Ground,
        planner: &mut AbstractPlanner,
        (start, goal): (NodeId, NodeId),
    ) -> bool {
        self.clear();
        let (mut start, mut goal) = (ground.abstract_node(start), ground.abstract_node(goal));
        loop {
            let (from, to) = (ground.block_of(start), ground.block_of(goal));
            let n_steps = from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
            self.add_stage(start, goal, (from, to));
            let above = (ground.abstract_parent(start), ground.abstract_parent(goal));
            match above {
                (Some(wide_start), Some(wide_goal))
                    if n_steps > MAX_STEPS && self.n_stages < MAX_STAGES =>
                {
                    (start, goal) = (wide_start, wide_goal);
                }
                _ => break,
            }
        }
        let widest = &mut self.stages[self.n_stages - 1];
        widest.is_whole = true;
        let task = Task {
            start,
            goal: Some(goal),
            through: &[],
            line: widest.line,
        };
        planner.find(ground, &task, &mut widest.parts)
    }

    fn add_stage(&mut self, start: AbstractNodeId, goal: AbstractNodeId, line: Line) {
        let mut parts = match self.stages.get_mut(self.n_stages) {
            Some(stage) => std::mem::take(&mut stage.parts),
            None => Vec::new(),
        };
        parts.clear();
        parts.push(start);
        let stage = Stage {
            parts,
            at: 0,
            is_whole: false,
            goal,
            line,
        };
        if self.n_stages < self.stages.len() {
            self.stages[self.n_stages] = stage;
        } else {
            self.stages.push(stage);
        }
        self.n_stages += 1;
    }

    /// Plans on until `n_ahead` blocks ahead are known, or all; false if no plan leads on.
    pub(super) fn look_ahead(
        &mut self,
        ground: &Ground,
        planner: &mut AbstractPlanner,
        n_ahead: usize,
    ) -> bool {
        self.look_ahead_from(ground, planner, 0, n_ahead)
    }

    fn look_ahead_from(
        &mut self,
        ground: &Ground,
        planner: &mut AbstractPlanner,
        number: usize,
        n_ahead: usize,
    ) -> bool {
        loop {
            let stage = &self.stages[number];
            if stage.is_whole || stage.parts.len() > stage.at + n_ahead {
                return true;
            }
            // Never the widest, which is whole.
            if !self.look_ahead_from(ground, planner, number + 1, AHEAD) {
                return false;
            }
            let (narrow, wide) = self.stages.split_at_mut(number + 1);
            let (stage, wide) = (&mut narrow[number], &mut wide[0]);
            let n_known = stage.parts.len();
            let is_last = wide.is_whole && wide.at + AHEAD + 1 >= wide.parts.len();
            let through = &wide.parts[wide.at..(wide.at + AHEAD + 1).min(wide.parts.len())];
            let task = Task {
                start: stage.parts[n_known - 1],
                goal: is_last.then_some(stage.goal),
                through,
                line: stage.line,
            };
            if !planner.find(ground, &task, &mut stage.parts) {
                return false;
            }
            if is_last {
                stage.is_whole = true;
                return true;
            }
            // Where it first comes to the next wide square is kept, or beyond it.
            let entered = (n_known..stage.parts.len()).find_map(|index| {
                let above = ground.abstract_parent(stage.parts[index])?;
                let n_wide = through.iter().rposition(|part| *part == above)?;
                (n_wide > 0).then_some((index, n_wide))
            });
            let Some((index, n_wide)) = entered else {
                return false;
            };
            stage.parts.truncate(index + 1);
            wide.at += n_wide;
        }
    }

    /// Blocks from where one is on, as far as they are known.
    pub(super) fn ahead(&self) -> &[AbstractNodeId] {
        match self.stages.first() {
            Some(stage) if self.n_stages > 0 => &stage.parts[stage.at..],
            _ => &[],
        }
    }

    /// True if all blocks up to the goal are known.
    pub(super) fn is_whole(&self) -> bool {
        self.n_stages > 0 && self.stages[0].is_whole
    }

    /// Notes that one has come so many blocks further.
    pub(super) fn walk(&mut self, n_blocks: usize) {
        if let Some(stage) = self.stages.first_mut() {
            stage.at = (stage.at + n_blocks).min(stage.parts.len().saturating_sub(1));
        }
    }

    /// Widths of squares that it is planned over.
    #[cfg(test)]
    pub(super) fn n_stages(&self) -> usize {
        self.n_stages
    }
}
