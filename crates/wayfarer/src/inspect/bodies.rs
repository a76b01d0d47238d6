//! The bins of the registration grid that a footprint covers.

use std::ops::ControlFlow;

use wayfarer_engine::base::Location;

use super::Inspector;
use crate::body::{BodyError, BodyFilter};
use crate::footprint::Footprint;
use crate::units::Position;

/// How a query for the bodies in a footprint is answered.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Coverage {
    /// The bins of the grid that the footprint covers, row by row.
    pub bins: Vec<Bin>,
    /// Bodies tested exactly: those in partial bins.
    pub n_tests: u64,
    /// Bodies accepted without a test: those in bins inside the footprint.
    pub n_skips: u64,
}

/// A square of the registration grid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    /// Its corner with the lowest coordinates.
    pub low: Position,
    /// The length of its sides.
    pub side: f64,
    /// True if it lies inside the footprint, false if it does so partly.
    pub is_inside: bool,
}

impl Inspector<'_> {
    /// The bins of a footprint, and the work of [`World::bodies_in`](crate::World::bodies_in) on it.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let mut world = World::new(Scale::meters(1.0))?;
    /// for x in 0..100 {
    ///     let position = Position::new(f64::from(x), 0.0, 0.0);
    ///     world.add_body(Body { position, ..Body::default() })?;
    /// }
    /// let footprint = Footprint::disc(Position::new(50.0, 0.0, 0.0), 30.0);
    /// let coverage = world.inspect().coverage(&footprint, BodyFilter::ALL)?;
    /// assert!(coverage.bins.iter().any(|bin| bin.is_inside));
    /// assert!(coverage.n_tests < 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The footprint or the filter is out of range.
    pub fn coverage(
        self,
        footprint: &Footprint,
        filter: BodyFilter,
    ) -> Result<Coverage, BodyError> {
        let frame = self.world.frame();
        let footprint = footprint.to_engine(frame)?;
        let filter = filter.to_engine(frame)?;
        let all = self.world.engine().bodies();
        let mut coverage = Coverage::default();
        let stats = all.visit(&footprint, &filter, |_| ControlFlow::Continue(()));
        let stats = stats.expect("the footprint was checked");
        (coverage.n_tests, coverage.n_skips) = (stats.tests, stats.skips);
        let visited = footprint.for_each_bin(all.bin_shift(), |bin| {
            coverage.bins.push(Bin {
                low: frame.position_of(Location::Point(bin.low)),
                side: frame.units(bin.side),
                is_inside: bin.is_inside,
            });
            ControlFlow::Continue(())
        });
        visited.expect("the footprint was checked");
        Ok(coverage)
    }
}
