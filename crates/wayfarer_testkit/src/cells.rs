//! The ground as plain sorted lists: floors, walls, passages, effects, and what edits do to them.
//!
//! Nothing is derived and nothing is forgotten: a wall or a passage stays when the floor beside
//! it goes, does nothing while the floor is missing, and works again when it is back. How one may
//! walk is in [`steps`], where one can get to in [`search`].

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{
    Cell, Column, CostModifier, CostModifierId, GroundEdit, NavLink, NavLinkId, Terrain, Wall,
    WorldData,
};

use crate::shapes;

pub mod search;
pub mod steps;

/// The primary state of the ground, and nothing else.
///
/// ```
/// use wayfarer_base::{Cell, Edit, Profile};
/// use wayfarer_testkit::{PlainWorld, ascii};
///
/// let mut world = PlainWorld::new(&ascii::world("..."));
/// let (west, east) = (Cell::flat(0, 0), Cell::flat(2, 0));
/// assert_eq!(world.path_cost(west, east, &Profile::WALKER).unwrap().units(), 2 * 1463);
/// world.apply(&[Edit::RemoveCell { cell: Cell::flat(1, 0) }]);
/// assert_eq!(world.path_cost(west, east, &Profile::WALKER), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlainWorld {
    /// The floors of every column that has one, sorted by height, by (x, y).
    floors: BTreeMap<Column, Vec<(i32, Terrain)>>,
    walls: BTreeSet<Wall>,
    passages: BTreeMap<NavLinkId, NavLink>,
    /// Each effect with the columns its shape covers.
    effects: BTreeMap<CostModifierId, (CostModifier, BTreeSet<Column>)>,
}

impl PlainWorld {
    /// The world of a plan; of two floors in one cell or two passages of one name the later
    /// counts. The plan's profile, boxes and voxels are not the ground's.
    pub fn new(plan: &WorldData) -> Self {
        let mut world = Self::default();
        for &(cell, terrain) in &plan.cells {
            world.put_cell(cell, terrain);
        }
        for wall in &plan.walls {
            world.walls.insert(*wall);
        }
        for passage in &plan.nav_links {
            world.passages.insert(passage.into(), *passage);
        }
        world
    }

    /// The plan that makes this world, everything in order; effects are not part of plans, see
    /// [`PlainWorld::effects`].
    pub fn plan(&self) -> WorldData {
        WorldData {
            cells: self.cells().collect(),
            nav_links: self.passages().collect(),
            walls: self.walls().collect(),
            ..WorldData::default()
        }
    }

    /// Applies edits one after another, each as its description in [`Edit`] says. What names a
    /// floor, wall, passage or effect that is not there changes nothing.
    pub fn apply(&mut self, edits: &[GroundEdit]) {
        for edit in edits {
            self.apply_one(edit);
        }
    }

    fn apply_one(&mut self, edit: &GroundEdit) {
        match edit {
            GroundEdit::PutCell { cell, terrain } => self.put_cell(*cell, *terrain),
            GroundEdit::RemoveCell { cell } => self.remove_cell(*cell),
            GroundEdit::Fill { shape, z, terrain } => {
                for column in shapes::columns(shape) {
                    self.put_cell(column.at(*z), *terrain);
                }
            }
            GroundEdit::Clear { shape, heights } => {
                for column in shapes::columns(shape) {
                    if let Some(floors) = self.floors.get_mut(&column) {
                        floors.retain(|&(z, _)| !(heights.0 <= z && z <= heights.1));
                        if floors.is_empty() {
                            self.floors.remove(&column);
                        }
                    }
                }
            }
            GroundEdit::Patch { at, z, raster } => {
                let size = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
                for y in 0..size(raster.height()) {
                    for x in 0..size(raster.width()) {
                        let cell = Cell::new(at.x + x, at.y + y, *z);
                        match raster.get(x, y) {
                            Some(terrain) => self.put_cell(cell, terrain),
                            None => self.remove_cell(cell),
                        }
                    }
                }
            }
            GroundEdit::PutWall(wall) => {
                self.walls.insert(*wall);
            }
            GroundEdit::RemoveWall(wall) => {
                self.walls.remove(wall);
            }
            GroundEdit::PutNavLink(passage) => {
                self.passages.insert(passage.into(), *passage);
            }
            GroundEdit::RemoveNavLink(name) => {
                self.passages.remove(name);
            }
            GroundEdit::SetNavLinkState {
                nav_link: passage,
                gate,
            } => {
                if let Some(known) = self.passages.get_mut(passage) {
                    known.state = *gate;
                }
            }
            GroundEdit::PutCostModifier {
                name,
                modifier: effect,
            } => {
                let covered = shapes::columns(&effect.shape).into_iter().collect();
                self.effects.insert(*name, (effect.clone(), covered));
            }
            GroundEdit::RemoveCostModifier(name) => {
                self.effects.remove(name);
            }
        }
    }

    fn put_cell(&mut self, cell: Cell, terrain: Terrain) {
        let floors = self.floors.entry(cell.column()).or_default();
        floors.retain(|&(z, _)| z != cell.z);
        floors.push((cell.z, terrain));
        floors.sort_unstable_by_key(|&(z, _)| z);
    }

    fn remove_cell(&mut self, cell: Cell) {
        if let Some(floors) = self.floors.get_mut(&cell.column()) {
            floors.retain(|&(z, _)| z != cell.z);
            if floors.is_empty() {
                self.floors.remove(&cell.column());
            }
        }
    }

    /// The floors of a column from the lowest up: height and terrain.
    pub fn floors(&self, column: Column) -> &[(i32, Terrain)] {
        self.floors.get(&column).map_or(&[], Vec::as_slice)
    }

    /// What the floor of `cell` is made of, if there is one.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        let floors = self.floors(cell.column());
        let found = floors.iter().find(|&&(z, _)| z == cell.z);
        found.map(|&(_, terrain)| terrain)
    }

    /// Every cell with a floor, in the order of cells: x, then y, then z.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Terrain)> {
        self.floors
            .iter()
            .flat_map(|(column, floors)| floors.iter().map(|&(z, terrain)| (column.at(z), terrain)))
    }

    /// Cells with a floor.
    pub fn n_cells(&self) -> usize {
        self.floors.values().map(Vec::len).sum()
    }

    /// Every thin wall, in order, whether or not there are floors beside it.
    pub fn walls(&self) -> impl Iterator<Item = Wall> {
        self.walls.iter().copied()
    }

    /// Every passage, in the order of names, whether or not there are floors at its ends.
    pub fn passages(&self) -> impl Iterator<Item = NavLink> {
        self.passages.values().copied()
    }

    /// The passage of this name, if there is one.
    pub fn passage(&self, name: NavLinkId) -> Option<NavLink> {
        self.passages.get(&name).copied()
    }

    /// Every effect, in the order of names.
    pub fn effects(&self) -> impl Iterator<Item = (CostModifierId, &CostModifier)> {
        self.effects
            .iter()
            .map(|(name, (effect, _))| (*name, effect))
    }

    /// The edits that make this world from an empty one.
    pub fn edits(&self) -> Vec<GroundEdit> {
        let cells = self.cells();
        let cells = cells.map(|(cell, terrain)| GroundEdit::PutCell { cell, terrain });
        let effects = self
            .effects()
            .map(|(name, effect)| GroundEdit::PutCostModifier {
                name,
                modifier: effect.clone(),
            });
        cells
            .chain(self.walls().map(GroundEdit::PutWall))
            .chain(self.passages().map(GroundEdit::PutNavLink))
            .chain(effects)
            .collect()
    }
}

#[cfg(test)]
mod tests;
