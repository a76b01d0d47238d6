//! The ground as plain sorted lists: floors, walls, nav links, effects, and what edits do to them.
//!
//! Nothing is derived and nothing is forgotten: a wall or a nav link stays when the floor beside
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
/// use wayfarer_base::{Cell, GroundEdit, Profile};
/// use wayfarer_testkit::{ReferenceWorld, ascii};
///
/// let mut world = ReferenceWorld::new(&ascii::world("..."));
/// let (west, east) = (Cell::flat(0, 0), Cell::flat(2, 0));
/// assert_eq!(world.path_cost(west, east, &Profile::DEFAULT).unwrap().units(), 2 * 1463);
/// world.apply(&[GroundEdit::RemoveCell { cell: Cell::flat(1, 0) }]);
/// assert_eq!(world.path_cost(west, east, &Profile::DEFAULT), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReferenceWorld {
    /// The floors of every column that has one, sorted by height, by (x, y).
    floors: BTreeMap<Column, Vec<(i32, Terrain)>>,
    walls: BTreeSet<Wall>,
    nav_links: BTreeMap<NavLinkId, NavLink>,
    /// Each effect with the columns its shape covers.
    modifiers: BTreeMap<CostModifierId, (CostModifier, BTreeSet<Column>)>,
}

impl ReferenceWorld {
    /// The world of a plan; of two floors in one cell or two nav links of one name the later
    /// counts. The plan's profile, boxes and voxels are not the ground's.
    pub fn new(plan: &WorldData) -> Self {
        let mut world = Self::default();
        for &(cell, terrain) in &plan.cells {
            world.put_cell(cell, terrain);
        }
        for wall in &plan.walls {
            world.walls.insert(*wall);
        }
        for nav_link in &plan.nav_links {
            world.nav_links.insert(nav_link.into(), *nav_link);
        }
        world
    }

    /// The plan that makes this world, everything in order; effects are not part of plans, see
    /// [`ReferenceWorld::modifiers`].
    pub fn plan(&self) -> WorldData {
        WorldData {
            cells: self.cells().collect(),
            nav_links: self.nav_links().collect(),
            walls: self.walls().collect(),
            ..WorldData::default()
        }
    }

    /// Applies edits one after another, each as its description in [`GroundEdit`] says. What names a
    /// floor, wall, nav link or effect that is not there changes nothing.
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
            GroundEdit::PutNavLink(nav_link) => {
                self.nav_links.insert(nav_link.into(), *nav_link);
            }
            GroundEdit::RemoveNavLink(name) => {
                self.nav_links.remove(name);
            }
            GroundEdit::SetNavLinkState {
                nav_link: passage,
                state: gate,
            } => {
                if let Some(known) = self.nav_links.get_mut(passage) {
                    known.state = *gate;
                }
            }
            GroundEdit::PutCostModifier {
                id: name,
                modifier: effect,
            } => {
                let covered = shapes::columns(&effect.shape).into_iter().collect();
                self.modifiers.insert(*name, (effect.clone(), covered));
            }
            GroundEdit::RemoveCostModifier(name) => {
                self.modifiers.remove(name);
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

    /// Every nav link, in the order of names, whether or not there are floors at its ends.
    pub fn nav_links(&self) -> impl Iterator<Item = NavLink> {
        self.nav_links.values().copied()
    }

    /// The nav link of this name, if there is one.
    pub fn nav_link(&self, name: NavLinkId) -> Option<NavLink> {
        self.nav_links.get(&name).copied()
    }

    /// Every effect, in the order of names.
    pub fn modifiers(&self) -> impl Iterator<Item = (CostModifierId, &CostModifier)> {
        self.modifiers
            .iter()
            .map(|(name, (modifier, _))| (*name, modifier))
    }

    /// The edits that make this world from an empty one.
    pub fn edits(&self) -> Vec<GroundEdit> {
        let cells = self.cells();
        let cells = cells.map(|(cell, terrain)| GroundEdit::PutCell { cell, terrain });
        let modifiers = self
            .modifiers()
            .map(|(name, modifier)| GroundEdit::PutCostModifier {
                id: name,
                modifier: modifier.clone(),
            });
        cells
            .chain(self.walls().map(GroundEdit::PutWall))
            .chain(self.nav_links().map(GroundEdit::PutNavLink))
            .chain(modifiers)
            .collect()
    }
}

#[cfg(test)]
mod tests;
