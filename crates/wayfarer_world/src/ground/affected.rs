//! What effects do to regions and the borders between them: how much is free, how much is dearer.

use wayfarer_base::Direction;

use super::lookup::RegionId;
use super::plane;
use super::{Ground, NodeId};

impl Ground {
    /// How many cells a region has, and how many of them are dearer by an effect.
    pub fn counts_of(&self, region: RegionId) -> (u16, u16) {
        let sheet = self.sheet_of_region(region);
        let count = sheet.regions()[usize::from(region.ordinal)].count;
        let affected = match sheet
            .side
            .as_deref()
            .and_then(|side| side.effects.as_deref())
        {
            None => 0,
            Some(effects) => plane::cells(&sheet.board_of(region.ordinal))
                .filter(|local| effects[usize::from(*local)] > 0)
                .fold(0, |n, _| n + 1),
        };
        (count, affected)
    }

    /// How many steps lead from one region to another, its border's support; and how many of them
    /// begin or end on a cell that is dearer by an effect. Looks at every cell of the first: for
    /// judging a border, not for every step of a search.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Column, Edit, Effect, EffectName, Price, Raster, Rect, Shape};
    /// use wayfarer_world::ground::Ground;
    ///
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(32, 2, vec![0; 64]).unwrap());
    /// let region = |ground: &Ground, x| ground.region(ground.node(Cell::flat(x, 0)).unwrap());
    /// let (west, east) = (region(&ground, 0), region(&ground, 31));
    /// assert_eq!(ground.counts_across(west, east), (4, 0)); // two straight steps, two diagonals
    ///
    /// let fire = Effect {
    ///     shape: Shape::Box(Rect::around(Column::new(15, 0), Column::new(15, 0))),
    ///     heights: (0, 0),
    ///     price: Price::from_sixteenths(32).unwrap(),
    /// };
    /// ground.apply(&[Edit::PutEffect { name: EffectName(1), effect: fire }]).unwrap();
    /// assert_eq!(ground.counts_across(west, east), (4, 2)); // both that begin in the fire
    /// ```
    pub fn counts_across(&self, from: RegionId, to: RegionId) -> (u16, u16) {
        let is_affected = |node: NodeId| self.sheet_of(node).effect(node.local()) > 0;
        let (mut n_steps, mut n_affected) = (0, 0);
        for node in self.cells_of(from) {
            let ends = Direction::ALL.map(|direction| self.walk(node, direction));
            for end in ends.into_iter().flatten() {
                if self.region(end) == to {
                    n_steps += 1;
                    n_affected += u16::from(is_affected(node) || is_affected(end));
                }
            }
        }
        (n_steps, n_affected)
    }
}
