//! The air of a world of any format, and its statistics.

use serde::Serialize;
use wayfarer_engine::world::air::{Air, AirBuilder, LayerCount};
use wayfarer_engine::world::solid::{BoundaryEdges, Fill};

use crate::load::{Loaded, Reading};
use crate::words;

/// The air of a world, and the boundary edges of its mesh.
///
/// # Errors
/// The world has no air, or it exceeds the limits.
pub(crate) fn import(world: &Loaded, reading: &Reading) -> Result<(Air, BoundaryEdges), String> {
    let margin = reading.margin();
    let mut boundary_edges = BoundaryEdges::default();
    let builder = match world {
        Loaded::Voxels(voxels) => AirBuilder::from_set(voxels).map_err(|e| e.to_string()),
        Loaded::Data(data) => AirBuilder::from_data(data, margin).map_err(|e| e.to_string()),
        Loaded::Heights(map) => AirBuilder::from_heights(map, margin).map_err(|e| e.to_string()),
        Loaded::Mesh(soup) => {
            let made = AirBuilder::from_mesh(soup, reading.voxel(), Fill::Interior, margin);
            made.map_err(|error| error.to_string()).map(|made| {
                boundary_edges = made.1;
                made.0
            })
        }
        Loaded::Saved(world) => {
            let air = world.air().ok_or("the saved world has no air")?;
            return Ok((air.clone(), boundary_edges));
        }
        Loaded::Flat(_) => Err("a flat map has no air".to_owned()),
    };
    let air = builder?.build().map_err(|error| error.to_string())?;
    Ok((air, boundary_edges))
}

/// True if the world has air of its own: voxels or boxes.
pub(crate) fn has_voxels(world: &Loaded) -> bool {
    match world {
        Loaded::Voxels(_) => true,
        Loaded::Data(data) => !(data.boxes.is_empty() && data.voxels.is_empty()),
        Loaded::Saved(_) | Loaded::Flat(_) | Loaded::Heights(_) | Loaded::Mesh(_) => false,
    }
}

/// Statistics of an air.
#[derive(Serialize, Default)]
pub(crate) struct AirFacts {
    low: [i32; 3],
    size: [u32; 3],
    solid: u64,
    nodes: u64,
    /// Partly solid leaves.
    leaves: u64,
    /// Leaves first, the root last.
    layers: Vec<Layer>,
    /// Connected components of the free space, and the voxels of the largest.
    components: u64,
    largest_component: u64,
    free: u64,
    memory_bytes: usize,
    memory: Memory,
    /// Meshes: edges of one triangle only, and the voxels of the first of them.
    boundary_edges: usize,
    first_boundary_edges: Vec<[i32; 3]>,
}

#[derive(Serialize, Default)]
struct Layer {
    layer: u8,
    side: u32,
    nodes: u64,
    free: u64,
    solid: u64,
    mixed: u64,
}

#[derive(Serialize, Default)]
struct Memory {
    tree: usize,
    regions: usize,
    geometries: usize,
    volumes: usize,
    scratch: usize,
}

impl AirFacts {
    pub(crate) fn new(air: &Air, boundary_edges: &BoundaryEdges) -> Self {
        let (low, memory) = (air.low(), air.memory());
        let layers = air.layers();
        let sizes = air.component_sizes();
        let layer = |count: &LayerCount| Layer {
            layer: count.layer,
            side: count.side,
            nodes: count.n_nodes(),
            free: count.n_free,
            solid: count.n_solid,
            mixed: count.n_mixed,
        };
        let first = boundary_edges.first.iter();
        Self {
            low: [low.x, low.y, low.z],
            size: air.size(),
            solid: air.n_solid(),
            nodes: air.n_nodes() as u64,
            leaves: layers.first().map_or(0, |leaves| leaves.n_mixed),
            layers: layers.iter().map(layer).collect(),
            components: sizes.len() as u64,
            largest_component: sizes.first().map_or(0, |(_, size)| *size),
            free: sizes.iter().map(|(_, size)| size).sum(),
            memory_bytes: memory.total(),
            memory: Memory {
                tree: memory.tree + memory.base,
                regions: memory.regions,
                geometries: memory.geometries,
                volumes: memory.volumes,
                scratch: memory.scratch,
            },
            boundary_edges: boundary_edges.n_edges,
            first_boundary_edges: first
                .map(|edge| [edge.voxel.x, edge.voxel.y, edge.voxel.z])
                .collect(),
        }
    }

    /// Names and values for the terminal.
    pub(crate) fn rows(&self) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
        let [x, y, z] = self.size;
        row("air", format!("{x} x {y} x {z} voxels"));
        if self.low != [0; 3] {
            let [x, y, z] = self.low;
            row("  lowest voxel", format!("{x},{y},{z}"));
        }
        row("  solid", words::count(self.solid));
        row("  free", words::count(self.free));
        row(
            "  components",
            format!(
                "{}, the largest {}",
                words::count(self.components),
                words::count(self.largest_component)
            ),
        );
        row(
            "  nodes",
            format!(
                "{}, {} leaves partly solid",
                words::count(self.nodes),
                words::count(self.leaves)
            ),
        );
        for layer in &self.layers {
            row(
                &format!("    layer {}, side {}", layer.layer, layer.side),
                format!(
                    "{} nodes: {} free, {} solid, {} mixed",
                    words::count(layer.nodes),
                    words::count(layer.free),
                    words::count(layer.solid),
                    words::count(layer.mixed)
                ),
            );
        }
        let bytes = |bytes: usize| format!("{} bytes", words::count(bytes as u64));
        row("  memory", bytes(self.memory_bytes));
        row("    tree", bytes(self.memory.tree));
        row("    connectivity", bytes(self.memory.regions));
        if self.boundary_edges > 0 {
            let first = self.first_boundary_edges.first();
            let first = first.map_or(String::new(), |[x, y, z]| {
                format!(", the first at voxel {x},{y},{z}")
            });
            let count = words::count(self.boundary_edges as u64);
            row("  boundary edges", format!("{count}{first}"));
        }
        rows
    }
}
