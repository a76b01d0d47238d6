//! Edits of a streamed world: each tile applies the part of the batch that lies in its window.

use std::collections::BTreeMap;

use wayfarer_engine as engine;
use wayfarer_engine::base::{CostModifierId, GroundEdit, NavLinkId};

use super::clip::{bounds, clipped, clipped_air};
use super::layout::TileId;
use super::{StreamError, StreamedWorld};
use crate::edit::{
    CostAreaId, Edit, EditError, EditKind, HandleChange, LinkId, NavLink, Solid, SolidId,
};
use crate::facade::edit_error;
use crate::request::RequestError;

/// What a batch of edits added, and where it changed a streamed world.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StreamedChanges {
    new_solids: Vec<SolidId>,
    new_links: Vec<LinkId>,
    new_cost_areas: Vec<CostAreaId>,
    tiles: Vec<TileId>,
    revision: u64,
}

impl StreamedChanges {
    /// The solids that the batch placed, in its order.
    pub fn new_solids(&self) -> &[SolidId] {
        &self.new_solids
    }

    /// The links that the batch added, in its order.
    pub fn new_links(&self) -> &[LinkId] {
        &self.new_links
    }

    /// The cost areas that the batch added, in its order.
    pub fn new_cost_areas(&self) -> &[CostAreaId] {
        &self.new_cost_areas
    }

    /// The tiles that the batch changed, in their cores or margins, row by row.
    pub fn tiles(&self) -> &[TileId] {
        &self.tiles
    }

    /// The revision after the batch.
    pub const fn revision(&self) -> u64 {
        self.revision
    }
}

/// What a batch does in one tile.
#[derive(Default)]
struct Part {
    edits: Vec<engine::Edit>,
    /// For each of them, the index in the batch.
    sources: Vec<usize>,
    handles: Vec<HandleChange>,
}

/// A batch, tile by tile.
#[derive(Default)]
struct Batch {
    parts: BTreeMap<u32, Part>,
    /// What the batch adds and removes, where it differs from the world.
    solids: BTreeMap<SolidId, Option<Vec<u32>>>,
    cost_areas: BTreeMap<CostAreaId, Option<Vec<u32>>>,
    links: BTreeMap<LinkId, Option<(u32, NavLinkId)>>,
    changes: StreamedChanges,
}

impl Batch {
    fn push(&mut self, tile: u32, number: usize, edits: impl IntoIterator<Item = GroundEdit>) {
        self.push_edits(tile, number, edits.into_iter().map(engine::Edit::Ground));
    }

    fn push_edits(
        &mut self,
        tile: u32,
        number: usize,
        edits: impl IntoIterator<Item = engine::Edit>,
    ) {
        let part = self.parts.entry(tile).or_default();
        part.edits.extend(edits);
        part.sources.resize(part.edits.len(), number);
    }

    fn handle(&mut self, tile: u32, change: HandleChange) {
        self.parts.entry(tile).or_default().handles.push(change);
    }
}

impl StreamedWorld {
    /// Applies a batch of edits as a whole or not at all. The tiles that it touches are loaded, all of
    /// them at once, whatever the memory limit.
    ///
    /// Floors and voxels outside the world are left out. A link begins and ends in one tile;
    /// air links and edits that [`WorldChanges::inverse`] made are not supported.
    ///
    /// [`WorldChanges::inverse`]: crate::WorldChanges::inverse
    ///
    /// # Errors
    /// The first invalid edit, by its index, or a tile that could not be loaded; the world is unchanged.
    pub fn apply(&mut self, edits: &[Edit]) -> Result<StreamedChanges, StreamError> {
        let mut batch = Batch::default();
        for (number, edit) in edits.iter().enumerate() {
            self.push(&mut batch, number, &edit.0)?;
        }
        let tiles: Vec<u32> = batch.parts.keys().copied().collect();
        self.ensure_all(&tiles)?;
        self.apply_parts(&batch)?;
        tiles.iter().for_each(|tile| self.edited(*tile));
        self.revision += 1;
        let mut changes = batch.changes;
        let things = &mut self.things;
        things.next_solid += changes.new_solids.len() as u64;
        things.last_handle += (changes.new_links.len() + changes.new_cost_areas.len()) as u64;
        set_all(&mut things.solids, batch.solids);
        set_all(&mut things.cost_areas, batch.cost_areas);
        set_all(&mut things.links, batch.links);
        changes.tiles = tiles.iter().map(|tile| self.grid.tile(*tile)).collect();
        changes.revision = self.revision;
        // The batch holds even if the store fails now: the tiles stay, and the next load reports it.
        self.shrink(&[]).ok();
        Ok(changes)
    }

    /// Places a solid.
    ///
    /// # Errors
    /// As [`StreamedWorld::apply`].
    pub fn add_solid(&mut self, solid: Solid) -> Result<SolidId, StreamError> {
        let changes = self.apply(&[Edit::add_solid(solid)])?;
        Ok(changes.new_solids[0])
    }

    /// Removes a solid.
    ///
    /// # Errors
    /// As [`StreamedWorld::apply`].
    pub fn remove_solid(&mut self, id: SolidId) -> Result<StreamedChanges, StreamError> {
        self.apply(&[Edit::remove_solid(id)])
    }

    /// Applies the parts of a batch; if a tile rejects its part, undoes the others.
    fn apply_parts(&mut self, batch: &Batch) -> Result<(), StreamError> {
        let next_solid = self.things.next_solid + batch.changes.new_solids.len() as u64;
        let n_handles = batch.changes.new_links.len() + batch.changes.new_cost_areas.len();
        let last_handle = self.things.last_handle + n_handles as u64;
        let mut applied = Vec::new();
        for (tile, part) in &batch.parts {
            let resident = self.tiles[*tile as usize].as_mut();
            let world = &mut resident.expect("all tiles of the batch are loaded").world;
            world.assign_solids_below(SolidId(next_solid));
            match world.apply_logged(part.edits.clone(), &part.handles, last_handle) {
                Ok(changes) => applied.push((*tile, changes)),
                Err(error) => {
                    let frame = self.grid.template.frame();
                    let error = edit_error(error, &part.sources, frame);
                    for (tile, changes) in applied.iter().rev() {
                        let resident = self.tiles[*tile as usize].as_mut();
                        let resident = resident.expect("all tiles of the batch are loaded");
                        let undone = resident.world.apply(&changes.inverse());
                        undone.expect("what a batch changed can be undone");
                        self.edited(*tile);
                    }
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }

    /// Adds an edit to the parts of the tiles that it touches.
    fn push(&mut self, batch: &mut Batch, edit: usize, kind: &EditKind) -> Result<(), StreamError> {
        let unknown = |what| EditError::UnknownId { edit, what };
        match kind {
            EditKind::AddSolid(_) => {
                let n_new = batch.changes.new_solids.len() as u64;
                let id = SolidId(self.things.next_solid + n_new);
                let tiles = self.push_converted(batch, edit, kind, id)?;
                if tiles.is_empty() {
                    let reason = "it lies outside the world";
                    return Err(StreamError::Unsupported { edit, reason });
                }
                batch.changes.new_solids.push(id);
                batch.solids.insert(id, Some(tiles));
            }
            EditKind::RemoveSolid(id) => {
                let known = batch.solids.get(id).cloned();
                let known = known.unwrap_or_else(|| self.things.solids.get(id).cloned());
                let removed = engine::Edit::RemoveSolid(*id);
                let in_air = self.grid.air_edit(edit, &removed, *id)?;
                for tile in known.ok_or(unknown("the solid"))? {
                    batch.push(tile, edit, [GroundEdit::RemoveSolid(*id)]);
                    batch.push_edits(tile, edit, in_air.clone().map(engine::Edit::Air));
                }
                batch.solids.insert(*id, None);
            }
            EditKind::AddCostArea(_) => {
                let id = CostAreaId(self.next_handle(batch));
                let tiles = self.push_converted(batch, edit, kind, SolidId(0))?;
                for tile in &tiles {
                    batch.handle(*tile, HandleChange::CostArea(id, true));
                }
                batch.changes.new_cost_areas.push(id);
                batch.cost_areas.insert(id, Some(tiles));
            }
            EditKind::RemoveCostArea(id) => {
                let known = batch.cost_areas.get(id).cloned();
                let known = known.unwrap_or_else(|| self.things.cost_areas.get(id).cloned());
                for tile in known.ok_or(unknown("the cost area"))? {
                    let removed = GroundEdit::RemoveCostModifier(CostModifierId(id.0));
                    batch.push(tile, edit, [removed]);
                    batch.handle(tile, HandleChange::CostArea(*id, false));
                }
                batch.cost_areas.insert(*id, None);
            }
            EditKind::AddLink(link) => self.push_link(batch, edit, link)?,
            EditKind::RemoveLink(id) => {
                let (tile, link) = self.link(batch, *id).ok_or(unknown("the link"))?;
                batch.push(tile, edit, [GroundEdit::RemoveNavLink(link)]);
                batch.handle(tile, HandleChange::Link(*id, link, false));
                batch.links.insert(*id, None);
            }
            EditKind::SetLinkState(id, state) => {
                let (tile, nav_link) = self.link(batch, *id).ok_or(unknown("the link"))?;
                let state = *state;
                batch.push(
                    tile,
                    edit,
                    [GroundEdit::SetNavLinkState { nav_link, state }],
                );
            }
            EditKind::AddAirLink(_) | EditKind::RemoveAirLink(_) | EditKind::Restore { .. } => {
                let reason = "a streamed world has neither air links nor edits of other worlds";
                return Err(StreamError::Unsupported { edit, reason });
            }
            _ => {
                self.push_converted(batch, edit, kind, SolidId(0))?;
            }
        }
        Ok(())
    }

    /// Adds the parts of an edit to the tiles whose windows it touches; returns those tiles.
    fn push_converted(
        &self,
        batch: &mut Batch,
        edit: usize,
        kind: &EditKind,
        solid: SolidId,
    ) -> Result<Vec<u32>, StreamError> {
        let template = &self.grid.template;
        let mut tiles = Vec::new();
        for converted in template.converted_edit(edit, kind)?.0 {
            let in_air = self.grid.air_edit(edit, &converted, solid)?;
            let ground = template.engine().ground_edit(converted, solid);
            let ground = ground.map_err(|error| edit_error(error, &[edit], template.frame()))?;
            let Some(mut ground) = ground else {
                continue;
            };
            if let GroundEdit::PutCostModifier { id, .. } = &mut ground {
                *id = CostModifierId(self.next_handle(batch));
            }
            for tile in bounds(&ground).map_or_else(Vec::new, |rect| self.grid.touching(rect)) {
                let window = self.grid.window(tile);
                let mut parts = clipped(&ground, window).peekable();
                if parts.peek().is_some() {
                    batch.push(tile, edit, parts);
                    let in_air = in_air.as_ref().zip(self.grid.heights());
                    let in_air = in_air.and_then(|(in_air, heights)| {
                        clipped_air(in_air, self.grid.air_window(window), heights)
                    });
                    batch.push_edits(tile, edit, in_air.map(engine::Edit::Air));
                    tiles.push(tile);
                }
            }
        }
        tiles.sort_unstable();
        tiles.dedup();
        Ok(tiles)
    }

    fn push_link(
        &mut self,
        batch: &mut Batch,
        edit: usize,
        link: &NavLink,
    ) -> Result<(), StreamError> {
        let refused = |reason| StreamError::Unsupported { edit, reason };
        let mut ends = [0; 2];
        for (end, at) in ends.iter_mut().zip([link.from, link.to]) {
            let what = "a position";
            let error = RequestError::OutOfWorld { what, at };
            let tile = self.column_of(at).and_then(|at| self.grid.index_of(at));
            *end = tile.ok_or(EditError::BadArea { edit, error })?;
        }
        let tile = ends[0];
        if ends[1] != tile {
            return Err(refused(
                "a link of a streamed world begins and ends in one tile",
            ));
        }
        let id = LinkId(self.next_handle(batch));
        let world = &self.ensure(tile)?.world;
        let (edits, handles) = world.converted_edit(edit, &EditKind::AddLink(*link))?;
        let key = handles.iter().find_map(|change| match change {
            HandleChange::Link(_, key, true) => Some(*key),
            _ => None,
        });
        let key = key.expect("a link was added");
        let is_taken = |known: &Option<(u32, NavLinkId)>| *known == Some((tile, key));
        if batch.links.values().any(is_taken) {
            return Err(EditError::LinkExists { edit }.into());
        }
        let edits = edits.into_iter().filter_map(|edit| match edit {
            engine::Edit::Ground(edit) => Some(edit),
            _ => None,
        });
        batch.push(tile, edit, edits);
        batch.handle(tile, HandleChange::Link(id, key, true));
        batch.changes.new_links.push(id);
        batch.links.insert(id, Some((tile, key)));
        Ok(())
    }

    fn next_handle(&self, batch: &Batch) -> u64 {
        let n_new = batch.changes.new_links.len() + batch.changes.new_cost_areas.len();
        self.things.last_handle + n_new as u64 + 1
    }

    fn link(&self, batch: &Batch, id: LinkId) -> Option<(u32, NavLinkId)> {
        let known = || self.things.links.get(&id).copied();
        batch.links.get(&id).copied().unwrap_or_else(known)
    }
}

fn set_all<K: Ord, V>(all: &mut BTreeMap<K, V>, changes: BTreeMap<K, Option<V>>) {
    for (key, value) in changes {
        match value {
            Some(value) => all.insert(key, value),
            None => all.remove(&key),
        };
    }
}
