//! The air of a world: the box in which agents fly.

use wayfarer_engine as engine;
use wayfarer_engine::base::{Cell, Column, Fixed, Point2, Profile, Rect, Shape, Voxel};
use wayfarer_engine::world::air::AirBuilder;

use super::World;
use crate::edit::EditError;
use crate::request::RequestError;
use crate::units::Position;

impl World {
    /// Adds air, free but for a step of solid below every floor, between two corners, rounded outward
    /// to whole voxels: agents fly there, and solids placed from now on block them. It replaces
    /// earlier air and empties the change log. A blocked cell of a flat map has no height, so it
    /// blocks no flight.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
    /// let mut world = World::import("yard.map", map, Scale::meters(1.0))?;
    /// world.add_air(Position::new(0.0, 0.0, 0.0), Position::new(9.0, 3.0, 6.0))?;
    /// let drone = world.add_agent_type(AgentType::FLIGHT)?;
    /// let (from, to) = (Position::new(0.5, 1.5, 2.5), Position::new(8.5, 1.5, 2.5));
    /// let request = PathRequest { agent_type: drone, ..PathRequest::new(from, to) };
    /// let path = world.find_path(&mut Searcher::default(), &request)?;
    /// assert_eq!(path.waypoints().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A corner is outside the world, the box has no extent or more than 131,072 voxels on a side, or
    /// solids stand in the world: add the air first.
    pub fn add_air(&mut self, low: Position, high: Position) -> Result<(), EditError> {
        if self.engine.ground().solids().next().is_some() {
            return Err(EditError::AirAfterSolids);
        }
        let mut corners = [Voxel::new(0, 0, 0); 2];
        for (corner, at) in corners.iter_mut().zip([low, high]) {
            let voxel = at
                .is_finite()
                .then(|| self.frame.scale.voxel(self.frame.to_engine(at)));
            let what = "a corner of the air";
            let error = RequestError::OutOfWorld { what, at };
            let error = EditError::BadArea { edit: 0, error };
            *corner = voxel.flatten().ok_or(error)?;
        }
        // A corner on a border of voxels belongs to the voxel below it.
        let [low, last] = corners;
        let reaches = self
            .frame
            .scale
            .air_point(self.frame.to_engine(high))
            .unwrap_or_default();
        let end = |at: i32, exact: Fixed| at.saturating_add(i32::from(exact.raw() & 255 != 0));
        let size = |low: i32, end: i32| u32::try_from(i64::from(end) - i64::from(low)).unwrap_or(0);
        let size = [
            size(low.x, end(last.x, reaches.x)),
            size(low.y, end(last.y, reaches.y)),
            size(low.z, end(last.z, reaches.z)),
        ];
        self.add_air_box(low, size)
    }

    /// Adds air of a size in voxels, as [`World::add_air`].
    pub(crate) fn add_air_box(&mut self, low: Voxel, size: [u32; 3]) -> Result<(), EditError> {
        let refused = |error| EditError::Limit {
            edit: 0,
            reason: engine::EditError::Air(error).to_string(),
        };
        let mut builder = AirBuilder::new(low, size).map_err(refused)?;
        for (low, high) in self.floor_slabs(builder.bounds()) {
            builder.add_box(low, high).map_err(refused)?;
        }
        let air = builder.build().map_err(refused)?;
        let empty = engine::World::new(Profile::DEFAULT).expect("the default profile is valid");
        self.engine = std::mem::replace(&mut self.engine, empty).with_air(air);
        self.log.clear();
        Ok(())
    }

    /// The voxels of a step below every floor over or under a box, as boxes of whole rows.
    fn floor_slabs(&self, (low, high): (Voxel, Voxel)) -> Vec<(Voxel, Voxel)> {
        let scale = self.frame.scale;
        let column = |at: Voxel| scale.cell(scale.voxel_center(at)).map(Cell::column);
        let (Some(low), Some(high)) = (column(low), column(high)) else {
            return Vec::new();
        };
        let ground = self.engine.ground();
        let mut floors = Vec::new();
        ground.for_each_column_in(&Shape::Box(Rect { low, high }), |column: Column| {
            floors.extend(ground.floors(column).map(|(z, _)| (z, column.y, column.x)));
        });
        floors.sort_unstable();
        let mut rows: Vec<(i32, i32, i32, i32)> = Vec::new();
        for (z, y, x) in floors {
            match rows.last_mut() {
                Some((row_z, row_y, _, end)) if (*row_z, *row_y, *end) == (z, y, x) => *end += 1,
                _ => rows.push((z, y, x, x + 1)),
            }
        }
        let corner = |x: i32, y: i32, z: i32| {
            let raw = |at: i32| Fixed::from_raw(at.saturating_mul(256));
            let at = scale.ground_position(Point2::new(raw(x), raw(y)), raw(z));
            scale.voxel(at)
        };
        let slab = |(z, y, begin, end): (i32, i32, i32, i32)| {
            let (low, high) = (corner(begin, y, z - 1)?, corner(end, y + 1, z)?);
            let last = |at: i32, low: i32| (at - 1).max(low);
            let high = Voxel::new(
                last(high.x, low.x),
                last(high.y, low.y),
                last(high.z, low.z),
            );
            Some((low, high))
        };
        rows.into_iter().filter_map(slab).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::RequestError;
    use crate::prelude::*;

    const MAP: &[u8] = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";

    fn request(drone: AgentTypeId, z: f64) -> PathRequest {
        PathRequest {
            agent_type: drone,
            ..PathRequest::new(Position::new(0.5, 1.5, z), Position::new(8.5, 1.5, z))
        }
    }

    #[test]
    fn solids_and_floors_block_flights_until_they_are_removed() {
        let mut world = World::import("a.map", MAP, Scale::UNIT).unwrap();
        let (low, high) = (Position::new(0.0, 0.0, -2.0), Position::new(9.0, 3.0, 6.0));
        world.add_air(low, high).unwrap();
        let drone = world.add_agent_type(AgentType::FLIGHT).unwrap();
        let mut searcher = Searcher::default();
        // Below the floor.
        let below = world.find_path(&mut searcher, &request(drone, -0.5));
        assert!(matches!(below, Err(NoPath::Invalid(_))), "{below:?}");
        let free = world
            .find_path(&mut searcher, &request(drone, 1.5))
            .unwrap();
        let wall = Solid::cuboid(Position::new(4.0, 0.0, 0.0), Position::new(5.0, 3.0, 4.0));
        let (wall, _) = world.add_solid(wall).unwrap();
        let over = world
            .find_path(&mut searcher, &request(drone, 1.5))
            .unwrap();
        assert!(over.length() > free.length());
        assert_eq!(
            world.add_air(low, high),
            Err(crate::EditError::AirAfterSolids)
        );
        world.remove_solid(wall).unwrap();
        let again = world.find_path(&mut searcher, &request(drone, 1.5));
        let (again, free) = (again.unwrap(), free.waypoints());
        assert!(again.waypoints().eq(free));
    }

    #[test]
    fn bad_boxes_are_errors_and_leave_the_world_alone() {
        let mut world = World::import("a.map", MAP, Scale::UNIT).unwrap();
        let corner = Position::new(1.0, 1.0, 1.0);
        assert!(world.add_air(corner, corner).is_err());
        let nowhere = Position::new(f64::NAN, 0.0, 0.0);
        assert!(world.add_air(nowhere, corner).is_err());
        let far = Position::new(1e6, 1e6, 1e6);
        assert!(world.add_air(corner, far).is_err());
        let drone = world.add_agent_type(AgentType::FLIGHT).unwrap();
        let path = world.find_path(&mut Searcher::default(), &request(drone, 1.5));
        assert!(matches!(path, Err(NoPath::Invalid(_))), "{path:?}");
    }

    /// A yard of 9 x 3 with air, a drone, and a wall across at x = 4 that can be placed.
    fn yard() -> (World, AgentTypeId, Solid) {
        let mut world = World::import("a.map", MAP, Scale::UNIT).unwrap();
        let (low, high) = (Position::new(0.0, 0.0, 0.0), Position::new(9.0, 3.0, 6.0));
        world.add_air(low, high).unwrap();
        let drone = world.add_agent_type(AgentType::FLIGHT).unwrap();
        let wall = Solid::cuboid(Position::new(4.0, 0.0, 0.0), Position::new(5.0, 3.0, 4.0));
        (world, drone, wall)
    }

    fn at(x: f64) -> Position {
        Position::new(x, 1.5, 1.5)
    }

    #[test]
    fn a_start_or_goal_in_the_air_where_the_ball_overlaps_a_solid_is_refused() {
        let (mut world, drone, wall) = yard();
        world.add_solid(wall).unwrap();
        let mut searcher = Searcher::default();
        let mut find = |from: f64, to: f64, start, partial| {
            let agent_type = drone;
            let request = PathRequest {
                agent_type,
                start,
                partial,
                ..PathRequest::new(at(from), at(to))
            };
            world.find_path(&mut searcher, &request)
        };
        let (reject, never) = (StartPolicy::Reject, PartialPolicy::Never);
        // The radius is 0.4: at 3.6 and 5.4 it touches.
        assert!(find(3.6, 5.4, reject, never).is_ok());
        let reason = "the agent overlaps a solid there";
        let start = RequestError::StartBlocked {
            at: at(3.8),
            reason,
        };
        assert_eq!(find(3.8, 7.5, reject, never), Err(NoPath::Invalid(start)));
        let goal = RequestError::GoalBlocked {
            at: at(5.2),
            reason,
        };
        assert_eq!(find(1.5, 5.2, reject, never), Err(NoPath::Invalid(goal)));
        let left = find(3.8, 7.5, StartPolicy::LeaveFirst, never).unwrap();
        let left: Vec<Position> = left.waypoints().take(2).collect();
        assert_eq!(left, [at(3.8), at(3.5)]);
        let near = find(1.5, 5.2, reject, PartialPolicy::NearestEuclidean).unwrap();
        assert_eq!(near.partial(), Some(crate::PartialReason::GoalBlocked));
        assert_eq!(near.end(), Some(at(5.5)));
    }

    #[test]
    fn the_status_of_a_flight_looks_at_its_exact_start_and_goal() {
        for (from, to, blocked) in [(3.8, 1.5, 3.8), (1.5, 3.8, 3.5), (1.5, 3.6, 0.0)] {
            let (mut world, drone, wall) = yard();
            let agent_type = drone;
            let request = PathRequest {
                agent_type,
                ..PathRequest::new(at(from), at(to))
            };
            let path = world.find_path(&mut Searcher::default(), &request).unwrap();
            assert!(world.status(&path).is_walkable());
            let (wall, _) = world.add_solid(wall).unwrap();
            let status = world.status(&path);
            match blocked > 0.0 {
                true => assert_eq!(status, PathStatus::Invalid { at: at(blocked) }),
                false => assert!(status.is_walkable(), "{status}"),
            }
            world.remove_solid(wall).unwrap();
            assert!(world.status(&path).is_walkable());
        }
    }
}
