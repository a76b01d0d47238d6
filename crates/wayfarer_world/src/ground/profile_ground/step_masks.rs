//! Steps of the cells of an irregular sheet or one with thin walls, as the repair of a layer finds them: a
//! step is then a bit, and where it stays on the sheet's rank so is its end. 512 bytes for each such sheet
//! of a layer.

use wayfarer_base::Direction;

/// For each cell of a sheet the directions in which the agent can step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StepMasks {
    /// Bit i of a cell: a step in direction i.
    legal: [u8; 256],
    /// Those that end on the same rank.
    level: [u8; 256],
}

/// A step of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MaskedStep {
    None,
    /// To the adjacent cell of the same rank.
    SameRank,
    /// To a floor of another rank.
    OtherRank,
}

impl Default for StepMasks {
    fn default() -> Self {
        Self {
            legal: [0; 256],
            level: [0; 256],
        }
    }
}

impl StepMasks {
    /// Notes a step of a cell.
    pub(super) fn add(&mut self, local: u8, direction: Direction, stays_on_rank: bool) {
        let bit = 1 << direction.index();
        self.legal[usize::from(local)] |= bit;
        if stays_on_rank {
            self.level[usize::from(local)] |= bit;
        }
    }

    /// Notes a step on the same rank for each cell of a row that has a bit.
    pub(super) fn add_row(&mut self, y: u8, mut cells: u16, direction: Direction) {
        while cells != 0 {
            let x = cells.trailing_zeros().to_le_bytes()[0];
            cells &= cells - 1;
            self.add(y << 4 | x, direction, true);
        }
    }

    /// The step of a cell in a direction.
    #[inline]
    pub(super) fn step(&self, local: u8, direction: Direction) -> MaskedStep {
        let has = |masks: &[u8; 256]| masks[usize::from(local)] >> direction.index() & 1 == 1;
        match (has(&self.legal), has(&self.level)) {
            (false, _) => MaskedStep::None,
            (true, true) => MaskedStep::SameRank,
            (true, false) => MaskedStep::OtherRank,
        }
    }
}
