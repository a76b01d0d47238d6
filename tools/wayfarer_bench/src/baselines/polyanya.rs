//! Crate `polyanya`: any-angle shortest paths over a mesh of convex polygons, in 32-bit floats.
//!
//! The mesh is the map's open cells merged into rectangles.

use glam::Vec2;
use polyanya::{Mesh, Polygon, Vertex};
use wayfarer_engine::base::{Column, Raster};

use super::rectangles;
use crate::any_angle::middle;
use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};
use crate::open_cells::OpenCells;

const NAME: &str = "polyanya";

/// The crate `polyanya`.
#[derive(Debug, Default)]
pub struct Polyanya {
    mesh: Option<Mesh>,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "cells and their halves are exact in 32 bits up to 2^23"
)]
fn vector((x, y): (f64, f64)) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

impl Engine for Polyanya {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: NAME.to_owned(),
            rule: MovementRule::AnyAngle,
            // No line is longer than the best path over cells, up to its rounding.
            bound: Some(1.0001),
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.mesh = None;
        let cut = rectangles::cut(&OpenCells::of(map));
        let vertices = cut
            .vertices
            .into_iter()
            .map(|(x, y, around)| Vertex::new(vector((f64::from(x), f64::from(y))), around));
        let polygons = cut
            .polygons
            .into_iter()
            .map(|border| Polygon::new(border, false));
        let mesh = Mesh::new(vertices.collect(), polygons.collect());
        let mut mesh = mesh.map_err(|error| EngineError::Map {
            engine: NAME.to_owned(),
            reason: error.to_string(),
        })?;
        mesh.update_is_one_way();
        mesh.bake();
        self.mesh = Some(mesh);
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let Some(mesh) = &self.mesh else {
            return EngineResult::default();
        };
        let Some(found) = mesh.path(vector(middle(start)), vector(middle(goal))) else {
            return EngineResult::default();
        };
        path.points.push(middle(start));
        let points = found
            .path
            .iter()
            .map(|point| (f64::from(point.x), f64::from(point.y)));
        path.points.extend(points);
        EngineResult {
            found: true,
            length: Some(f64::from(found.length)),
            expansions: None,
        }
    }
}
