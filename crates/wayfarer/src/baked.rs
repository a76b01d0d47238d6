//! The baked abstraction attached to a world: regions computed once, for
//! [`Method::RefinedBaked`](crate::Method::RefinedBaked).

use std::sync::Arc;

use thiserror::Error;
use wayfarer_engine::search::abstraction::optimize_centers;
use wayfarer_engine::world::baked::{AbstractionBuilder, BakedAbstraction};
use wayfarer_engine::world::dense::DenseGround;

use crate::facade::World;

pub use wayfarer_engine::search::abstraction::{
    CenterPlacement, Corridor, RefinementError, RefinementParams, Smoothing, Trim,
};

/// How an abstraction is baked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BakeOptions {
    /// Side of a sector in cells, 4 to 16; 16 by default. Smaller sectors take more memory and give
    /// shorter segments.
    pub side: u32,
    /// Where the centers of regions lie; [`CenterPlacement::Center`] by default.
    pub centers: CenterPlacement,
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self {
            side: 16,
            centers: CenterPlacement::Center,
        }
    }
}

/// Why an abstraction was not baked, attached or changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The world has no floors at height 0 from its origin on, or more than 2^26 columns of them.
    #[error("no floors at height 0 from the origin on, or more than 67,108,864 columns of them")]
    NoFloors,
    /// A limit of abstractions, or bytes that are none.
    #[error("{reason}")]
    Invalid {
        /// What was found and what was expected.
        reason: String,
    },
    /// No abstraction is attached to the world.
    #[error("no baked abstraction is attached to the world")]
    NotAttached,
}

fn invalid(error: impl std::fmt::Display) -> BakeError {
    let reason = error.to_string();
    BakeError::Invalid { reason }
}

impl World {
    /// Bakes the present floors at the height of the origin, as the default agent type walks on them,
    /// into an abstraction of a few bytes per sector, and attaches it: for
    /// [`Method::RefinedBaked`](crate::Method::RefinedBaked). Later edits leave it as it is, and no
    /// path is missed; bake again when much has changed.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    /// use wayfarer::{BakeOptions, RefinementParams};
    ///
    /// let row = ".".repeat(64) + "\n";
    /// let map = format!("type octile\nheight 64\nwidth 64\nmap\n{}", row.repeat(64));
    /// let mut world = World::import("field.map", map.as_bytes(), Scale::UNIT)?;
    /// world.bake(BakeOptions::default())?;
    /// let (from, to) = (Position::new(1.5, 1.5, 0.0), Position::new(60.5, 40.5, 0.0));
    /// let method = Method::RefinedBaked(RefinementParams::SMOOTH);
    /// let request = PathRequest { method, ..PathRequest::new(from, to) };
    /// let path = world.find_path(&mut Searcher::default(), &request)?;
    /// assert_eq!(path.end(), Some(to));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are no such floors, or too many; the side is out of range.
    pub fn bake(&mut self, options: BakeOptions) -> Result<(), BakeError> {
        let baked = self.baked_now(options)?;
        self.set_baked(Some(baked));
        Ok(())
    }

    /// Adds the present floors to the attached abstraction as a variant: a state that
    /// [`World::set_baked_variant`] turns on and off, as a gate that opens.
    ///
    /// # Errors
    /// No abstraction is attached, the name is taken, or another variant changes the same sectors.
    pub fn add_baked_variant(
        &mut self,
        name: &str,
        centers: CenterPlacement,
    ) -> Result<(), BakeError> {
        let attached = self.baked().ok_or(BakeError::NotAttached)?;
        let side = attached.side();
        let variant = self.baked_now(BakeOptions { side, centers })?;
        let mut attached = attached.clone();
        attached.add_variant(name, &variant).map_err(invalid)?;
        self.set_baked(Some(attached));
        Ok(())
    }

    /// Turns a variant of the attached abstraction on or off.
    ///
    /// # Errors
    /// No abstraction is attached, or it has no such variant.
    pub fn set_baked_variant(&mut self, name: &str, is_on: bool) -> Result<(), BakeError> {
        let mut attached = self.baked().ok_or(BakeError::NotAttached)?.clone();
        attached.set_variant(name, is_on).map_err(invalid)?;
        self.set_baked(Some(attached));
        Ok(())
    }

    /// The names of the variants and whether they are on, in the order in which they were added.
    pub fn baked_variants(&self) -> Vec<(String, bool)> {
        let variants = self
            .baked()
            .into_iter()
            .flat_map(BakedAbstraction::variants);
        variants
            .map(|(name, is_on, _)| (name.to_owned(), is_on))
            .collect()
    }

    /// The attached abstraction as bytes, to be stored apart from the world; [`World::save`] stores
    /// it with the world in any case. `None` if none is attached.
    pub fn save_baked(&self) -> Option<Vec<u8>> {
        self.baked().map(BakedAbstraction::to_bytes)
    }

    /// Attaches an abstraction of [`World::save_baked`], of this world or one of the same floors.
    ///
    /// # Errors
    /// The bytes are damaged or no abstraction.
    pub fn attach_baked(&mut self, bytes: &[u8]) -> Result<(), BakeError> {
        let baked = BakedAbstraction::from_bytes(bytes).map_err(invalid)?;
        self.set_baked(Some(baked));
        Ok(())
    }

    /// Detaches the abstraction; false if there is none.
    pub fn detach_baked(&mut self) -> bool {
        let was_attached = self.baked().is_some();
        self.set_baked(None);
        was_attached
    }

    /// The abstraction of the present floors.
    fn baked_now(&self, options: BakeOptions) -> Result<BakedAbstraction, BakeError> {
        let raster = self.engine().raster_at_zero().ok_or(BakeError::NoFloors)?;
        let builder = AbstractionBuilder::from_raster(&raster, options.side);
        let mut builder = builder.map_err(invalid)?;
        if options.centers != CenterPlacement::Center {
            let ground = DenseGround::from_raster(raster).map_err(invalid)?;
            optimize_centers(&mut builder, &ground, options.centers, |_| ());
        }
        builder.bake().map_err(invalid)
    }

    pub(crate) fn baked(&self) -> Option<&BakedAbstraction> {
        self.baked_abstraction().map(Arc::as_ref)
    }
}
