//! Reference model of the ground: sorted lists of floors, walls, nav links and cost modifiers, and
//! the semantics of edits.
//!
//! No derived state. A wall or nav link outlives the floor beside it and is without effect until
//! the floor is back. Movement rules are in [`successors`], searches in [`search`].

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{
    Cell, Column, CostModifier, CostModifierId, GroundEdit, GroundSolid, NavLink, NavLinkId,
    SolidId, Terrain, Wall, WorldData,
};

use crate::shapes;

pub mod search;
mod solids;
pub mod successors;

/// The primary state of the ground.
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
    /// The floors of every non-empty column, with solids, sorted by height.
    floors: BTreeMap<Column, Vec<(i32, Terrain)>>,
    /// The floors of the terrain in columns with solids.
    covered: BTreeMap<Column, Vec<(i32, Terrain)>>,
    solids: BTreeMap<SolidId, GroundSolid>,
    walls: BTreeSet<Wall>,
    nav_links: BTreeMap<NavLinkId, NavLink>,
    /// Each cost modifier with its columns.
    modifiers: BTreeMap<CostModifierId, (CostModifier, BTreeSet<Column>)>,
}

impl ReferenceWorld {
    /// The ground of a world; of two floors in the same cell or two nav links with the same id the
    /// later applies. Profile, boxes and voxels are ignored.
    pub fn new(data: &WorldData) -> Self {
        let mut world = Self::default();
        for &(cell, terrain) in &data.cells {
            world.put_cell(cell, terrain);
        }
        for wall in &data.walls {
            world.walls.insert(*wall);
        }
        for nav_link in &data.nav_links {
            world.nav_links.insert(nav_link.into(), *nav_link);
        }
        world
    }

    /// The ground as sorted data, the terrain without solids and cost modifiers; see
    /// [`ReferenceWorld::solids`] and [`ReferenceWorld::modifiers`].
    pub fn to_data(&self) -> WorldData {
        WorldData {
            cells: self.terrain_cells().collect(),
            nav_links: self.nav_links().collect(),
            walls: self.walls().collect(),
            ..WorldData::default()
        }
    }

    /// Applies edits in order, as specified by [`GroundEdit`]. An edit of a missing floor, wall,
    /// nav link or cost modifier changes nothing.
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
                    self.edit_column(column, |floors| {
                        floors.retain(|&(z, _)| !(heights.0 <= z && z <= heights.1));
                    });
                }
            }
            GroundEdit::SetFloors(blocks) => {
                for (block, cell) in blocks.iter().flat_map(|b| b.cells().map(move |c| (b, c))) {
                    match block.terrain {
                        Some(terrain) => self.put_cell(cell, terrain),
                        None => self.remove_cell(cell),
                    }
                }
            }
            GroundEdit::FillBox {
                rect,
                bottom,
                top,
                terrain,
            } => {
                for column in rect.columns() {
                    self.edit_column(column, |floors| {
                        *floors = solids::filled(floors, (*bottom, *top), *terrain);
                    });
                }
            }
            GroundEdit::CarveBox {
                rect,
                bottom,
                top,
                terrain,
            } => {
                for column in rect.columns() {
                    self.edit_column(column, |floors| {
                        *floors = solids::carved(floors, (*bottom, *top), *terrain);
                    });
                }
            }
            GroundEdit::PutSolid { id, solid } => self.set_solid(*id, Some(solid)),
            GroundEdit::RemoveSolid(id) => self.set_solid(*id, None),
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
            GroundEdit::RemoveNavLink(id) => {
                self.nav_links.remove(id);
            }
            GroundEdit::SetNavLinkState { nav_link, state } => {
                if let Some(known) = self.nav_links.get_mut(nav_link) {
                    known.state = *state;
                }
            }
            GroundEdit::PutCostModifier { id, modifier } => {
                let covered = shapes::columns(&modifier.shape).into_iter().collect();
                self.modifiers.insert(*id, (modifier.clone(), covered));
            }
            GroundEdit::RemoveCostModifier(id) => {
                self.modifiers.remove(id);
            }
        }
    }

    fn put_cell(&mut self, cell: Cell, terrain: Terrain) {
        self.edit_column(cell.column(), |floors| {
            floors.retain(|&(z, _)| z != cell.z);
            floors.push((cell.z, terrain));
            floors.sort_unstable_by_key(|&(z, _)| z);
        });
    }

    fn remove_cell(&mut self, cell: Cell) {
        self.edit_column(cell.column(), |floors| floors.retain(|&(z, _)| z != cell.z));
    }

    /// Changes the terrain of a column and places its solids anew.
    fn edit_column(&mut self, column: Column, change: impl FnOnce(&mut Vec<(i32, Terrain)>)) {
        let seen = self.floors.remove(&column).unwrap_or_default();
        let mut terrain = self.covered.remove(&column).unwrap_or(seen);
        change(&mut terrain);
        let floors = match solids::with_solids(&terrain, &self.solids, column) {
            Some(floors) => {
                self.covered.insert(column, terrain);
                floors
            }
            None => terrain,
        };
        if !floors.is_empty() {
            self.floors.insert(column, floors);
        }
    }

    fn set_solid(&mut self, id: SolidId, solid: Option<&GroundSolid>) {
        let before = match solid {
            Some(solid) => self.solids.insert(id, solid.clone()),
            None => self.solids.remove(&id),
        };
        for one in before.iter().chain(solid) {
            for column in one.extent.bounds().columns() {
                self.edit_column(column, |_| {});
            }
        }
    }

    /// Every solid, sorted by id.
    pub fn solids(&self) -> impl Iterator<Item = (SolidId, &GroundSolid)> {
        self.solids.iter().map(|(id, solid)| (*id, solid))
    }

    /// The floors of a column in ascending order: height and terrain.
    pub fn floors(&self, column: Column) -> &[(i32, Terrain)] {
        self.floors.get(&column).map_or(&[], Vec::as_slice)
    }

    /// The terrain of `cell`, if it has a floor.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        let floors = self.floors(cell.column());
        let found = floors.iter().find(|&&(z, _)| z == cell.z);
        found.map(|&(_, terrain)| terrain)
    }

    /// Every floor, sorted by (x, y, z).
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Terrain)> {
        self.floors
            .iter()
            .flat_map(|(column, floors)| floors.iter().map(|&(z, terrain)| (column.at(z), terrain)))
    }

    /// Every floor of the terrain, also under solids, sorted by (x, y, z).
    fn terrain_cells(&self) -> impl Iterator<Item = (Cell, Terrain)> {
        self.floors.iter().flat_map(|(column, floors)| {
            let terrain = self.covered.get(column).unwrap_or(floors);
            terrain.iter().map(|&(z, terrain)| (column.at(z), terrain))
        })
    }

    /// Number of floors.
    pub fn n_cells(&self) -> usize {
        self.floors.values().map(Vec::len).sum()
    }

    /// Every thin wall, sorted, with or without floors beside it.
    pub fn walls(&self) -> impl Iterator<Item = Wall> {
        self.walls.iter().copied()
    }

    /// Every nav link, sorted by id, with or without floors at its ends.
    pub fn nav_links(&self) -> impl Iterator<Item = NavLink> {
        self.nav_links.values().copied()
    }

    /// The nav link with this id.
    pub fn nav_link(&self, id: NavLinkId) -> Option<NavLink> {
        self.nav_links.get(&id).copied()
    }

    /// Every cost modifier, sorted by id.
    pub fn modifiers(&self) -> impl Iterator<Item = (CostModifierId, &CostModifier)> {
        self.modifiers
            .iter()
            .map(|(id, (modifier, _))| (*id, modifier))
    }

    /// The edits that build this world from an empty one.
    pub fn edits(&self) -> Vec<GroundEdit> {
        let cells = self.terrain_cells();
        let solids = self.solids().map(|(id, solid)| GroundEdit::PutSolid {
            id,
            solid: solid.clone(),
        });
        let cells = cells.map(|(cell, terrain)| GroundEdit::PutCell { cell, terrain });
        let modifiers = self
            .modifiers()
            .map(|(id, modifier)| GroundEdit::PutCostModifier {
                id,
                modifier: modifier.clone(),
            });
        cells
            .chain(self.walls().map(GroundEdit::PutWall))
            .chain(self.nav_links().map(GroundEdit::PutNavLink))
            .chain(modifiers)
            .chain(solids)
            .collect()
    }
}

#[cfg(test)]
mod tests;
