//! Air links: where agents that walk and fly take off and land.

use wayfarer_engine as engine;
use wayfarer_engine::base::{Cost, Voxel};
use wayfarer_engine::search::multimodal;

use super::World;
use super::edits::Batch;
use crate::changes::WorldChanges;
use crate::edit::{AirLink, AirLinkEnds, AirLinkId, Edit, EditError, HandleChange};
use crate::request::RequestError;
use crate::units::Position;

impl World {
    /// Adds an air link.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    /// use wayfarer::{AirLink, Traversal};
    ///
    /// // A wall across the yard; only the pad in the west leads into the air.
    /// let map = b"type octile\nheight 3\nwidth 9\nmap\n....@....\n....@....\n....@....\n";
    /// let mut world = World::import("yard.map", map, Scale::meters(1.0))?;
    /// world.add_air(Position::new(0.0, 0.0, 0.0), Position::new(9.0, 3.0, 6.0))?;
    /// let pads_only = AgentType { requires_air_link: true, ..AgentType::GROUND_AND_FLIGHT };
    /// let hero = world.add_agent_type(pads_only)?;
    /// let (from, to) = (Position::new(0.5, 1.5, 0.0), Position::new(8.5, 1.5, 0.0));
    /// let request = PathRequest { agent_type: hero, ..PathRequest::new(from, to) };
    /// assert!(world.find_path(&mut Searcher::default(), &request).is_err());
    /// let pad = |x: f64| AirLink {
    ///     ground: Position::new(x, 1.5, 0.0),
    ///     air: Position::new(x, 1.5, 4.5),
    ///     take_off: Some(1.0),
    ///     landing: Some(1.0),
    /// };
    /// world.add_air_link(pad(2.5))?;
    /// let (east, _) = world.add_air_link(pad(6.5))?;
    /// let path = world.find_path(&mut Searcher::default(), &request)?;
    /// assert!(path.waypoints().count() > 3);
    /// world.apply(&[Edit::remove_air_link(east)])?;
    /// assert!(world.find_path(&mut Searcher::default(), &request).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The world has no air, an end has no floor or is outside it, a cost is out of range, or a link
    /// with these ends exists.
    pub fn add_air_link(&mut self, link: AirLink) -> Result<(AirLinkId, WorldChanges), EditError> {
        let changes = self.apply(&[Edit::add_air_link(link)])?;
        let id = changes.new_air_links().next();
        Ok((id.expect("the batch added an air link"), changes))
    }

    /// The air links, by id.
    pub fn air_links(&self) -> Vec<(AirLinkId, AirLink)> {
        let all = self.handles.air_links.iter();
        let link = |(id, ends): (&AirLinkId, &AirLinkEnds)| {
            let mut links = self.engine.air_links().iter();
            let link = links.find(|link| (link.cell, link.voxel) == *ends)?;
            let cost = |cost: Cost| self.frame.cost(cost);
            let link = AirLink {
                ground: self.frame.position_of(link.cell.into()),
                air: self.frame.position_of(link.voxel.into()),
                take_off: link.take_off.map(cost),
                landing: link.landing.map(cost),
            };
            Some((*id, link))
        };
        all.filter_map(link).collect()
    }
}

impl Batch<'_> {
    pub(super) fn add_air_link(&mut self, edit: usize, link: &AirLink) -> Result<(), EditError> {
        let cell = self.floor(edit, link.ground)?;
        let voxel = self.voxel(edit, link.air)?;
        let frame = self.world.frame;
        let cost = |what, length: Option<f64>| {
            let cost = length.map(|length| frame.cost_of_length(what, length));
            let cost = cost.transpose();
            cost.map_err(|error| EditError::BadNumber { edit, error })
        };
        let put = multimodal::AirLink {
            cell,
            voxel,
            take_off: cost("the cost of taking off", link.take_off)?,
            landing: cost("the cost of landing", link.landing)?,
        };
        if self.has_air_link((cell, voxel)) {
            return Err(EditError::LinkExists { edit });
        }
        self.edits.push(engine::Edit::PutAirLink(put));
        let id = AirLinkId(self.take_id());
        self.change(HandleChange::AirLink(id, (cell, voxel), true));
        Ok(())
    }

    pub(super) fn remove_air_link(&mut self, edit: usize, id: AirLinkId) -> Result<(), EditError> {
        let known = || self.world.handles.air_links.get(&id).copied();
        let ends = self.air_links.get(&id).copied().unwrap_or_else(known);
        let what = "the air link";
        let (cell, voxel) = ends.ok_or(EditError::UnknownId { edit, what })?;
        self.edits.push(engine::Edit::RemoveAirLink { cell, voxel });
        self.change(HandleChange::AirLink(id, (cell, voxel), false));
        Ok(())
    }

    /// True if an air link with these ends exists after the edits so far.
    fn has_air_link(&self, ends: AirLinkEnds) -> bool {
        let known = self.world.handles.air_links.iter();
        let mut old = known.filter(|(id, _)| !self.air_links.contains_key(id));
        let mut new = self.air_links.values().flatten();
        old.any(|(_, one)| *one == ends) || new.any(|one| *one == ends)
    }

    /// The voxel of a position in the air of the world.
    fn voxel(&self, edit: usize, at: Position) -> Result<Voxel, EditError> {
        let frame = self.world.frame;
        let voxel = at
            .is_finite()
            .then(|| frame.scale.voxel(frame.to_engine(at)))
            .flatten();
        let air = self.world.engine.air();
        let is_inside = |voxel: &Voxel| {
            air.is_some_and(|air| {
                let (low, high) = (air.low(), air.high());
                (low.x..=high.x).contains(&voxel.x)
                    && (low.y..=high.y).contains(&voxel.y)
                    && (low.z..=high.z).contains(&voxel.z)
            })
        };
        let what = "the end of an air link in the air";
        let error = RequestError::OutOfWorld { what, at };
        let error = EditError::BadArea { edit, error };
        voxel.filter(is_inside).ok_or(error)
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::{AirLink, EditError};

    fn yard() -> World {
        let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
        let mut world = World::import("a.map", map, Scale::UNIT).unwrap();
        let (low, high) = (Position::new(0.0, 0.0, 0.0), Position::new(9.0, 3.0, 6.0));
        world.add_air(low, high).unwrap();
        world
    }

    fn pad(x: f64) -> AirLink {
        AirLink {
            ground: Position::new(x, 1.5, 0.0),
            air: Position::new(x, 1.5, 4.5),
            take_off: Some(1.0),
            landing: None,
        }
    }

    #[test]
    fn rule_7_air_links_have_ids_that_are_never_reused_and_inverses() {
        let mut world = yard();
        let (first, changes) = world.add_air_link(pad(2.5)).unwrap();
        assert_eq!(world.air_links(), [(first, pad(2.5))]);
        assert!(changes.new_air_links().eq([first]));
        let again = world.add_air_link(pad(2.5));
        assert_eq!(again.unwrap_err(), EditError::LinkExists { edit: 0 });
        world.apply(&changes.inverse()).unwrap();
        assert!(world.air_links().is_empty());
        let unknown = world.apply(&[Edit::remove_air_link(first)]);
        let what = "the air link";
        assert_eq!(unknown.unwrap_err(), EditError::UnknownId { edit: 0, what });
        let (second, _) = world.add_air_link(pad(2.5)).unwrap();
        assert_ne!(first, second);
        let loaded = World::load(&world.save()).unwrap();
        assert_eq!(loaded.air_links(), [(second, pad(2.5))]);
    }

    #[test]
    fn bad_air_links_are_errors() {
        let mut world = yard();
        let outside = AirLink {
            air: Position::new(2.5, 1.5, 40.0),
            ..pad(2.5)
        };
        let costly = AirLink {
            take_off: Some(f64::NAN),
            ..pad(2.5)
        };
        let nowhere = AirLink {
            ground: Position::new(50.5, 1.5, 0.0),
            ..pad(2.5)
        };
        for link in [outside, costly, nowhere] {
            assert!(world.add_air_link(link).is_err(), "{link:?}");
        }
        assert!(world.air_links().is_empty());
    }
}
