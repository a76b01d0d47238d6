//! [`NavGizmosPlugin`]: worlds, paths, links and sensors drawn into the scene.

use bevy_app::prelude::*;
use bevy_color::{Alpha, Color, Hsla};
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::{Isometry3d, Quat, Vec2, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use wayfarer::inspect::FloorGrid;
use wayfarer::{AgentTypeId, Axes, LinkState, Position, Revision, Traversal};

use crate::agent::NavPath;
use crate::body::{NavFootprint, NavSensor};
use crate::shape::{lifted, up_index};
use crate::world::{InNavWorld, NavWorld};

/// What is drawn, by meaning. A gizmo group of its own: switch it off and set its line width in the
/// [`GizmoConfigStore`].
#[derive(GizmoConfigGroup, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct NavGizmos {
    /// Cells, each region in a color of its own.
    pub cells: bool,
    /// Lines between the centers of regions that are connected.
    pub portals: bool,
    /// Nodes of the octree: free ones blue, solid ones red.
    pub octree: bool,
    /// Links: open ones green, closed ones red, locked ones yellow.
    pub links: bool,
    /// Paths: walks white, links green, flights blue.
    pub paths: bool,
    /// Areas of sensors.
    pub sensors: bool,
    /// Where cells and nodes are drawn: around this place.
    pub center: Vec3,
    /// How far around it, in units.
    pub radius: f32,
}

impl Default for NavGizmos {
    /// Links, paths and sensors; cells and nodes within 16 units once they are switched on.
    fn default() -> Self {
        Self {
            cells: false,
            portals: false,
            octree: false,
            links: true,
            paths: true,
            sensors: true,
            center: Vec3::ZERO,
            radius: 16.0,
        }
    }
}

/// Draws every [`NavWorld`], in [`PostUpdate`].
#[derive(Clone, Copy, Debug, Default)]
pub struct NavGizmosPlugin;

impl Plugin for NavGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<NavGizmos>();
        app.add_systems(PostUpdate, (draw_worlds, draw_paths, draw_sensors));
    }
}

/// An item of a world to draw.
enum Mark {
    Cell {
        center: Vec3,
        region: u8,
    },
    Portal {
        from: Vec3,
        to: Vec3,
    },
    Node {
        center: Vec3,
        side: f32,
        is_solid: bool,
    },
}

/// The marks of a world, until it or what is drawn of it changes.
struct Drawn {
    world: Entity,
    revision: Revision,
    group: NavGizmos,
    marks: Vec<Mark>,
}

fn draw_worlds(
    worlds: Query<'_, '_, (Entity, &NavWorld)>,
    store: Res<'_, GizmoConfigStore>,
    mut gizmos: Gizmos<'_, '_, NavGizmos>,
    mut cache: Local<'_, Vec<Drawn>>,
) {
    let (config, group) = store.config::<NavGizmos>();
    if !config.enabled {
        return;
    }
    cache.retain(|drawn| {
        let world = worlds.get(drawn.world);
        world.is_ok_and(|(_, world)| world.revision() == drawn.revision) && drawn.group == *group
    });
    for (entity, world) in &worlds {
        if group.links {
            draw_links(world, &mut gizmos);
        }
        if !(group.cells || group.portals || group.octree) {
            continue;
        }
        if !cache.iter().any(|drawn| drawn.world == entity) {
            cache.push(Drawn {
                world: entity,
                revision: world.revision(),
                group: *group,
                marks: marks(world, group),
            });
        }
        let drawn = cache.iter().filter(|drawn| drawn.world == entity);
        for mark in drawn.flat_map(|drawn| &drawn.marks) {
            draw_mark(mark, world, &mut gizmos);
        }
    }
}

/// What is drawn of a world around a place.
fn marks(world: &NavWorld, group: &NavGizmos) -> Vec<Mark> {
    let inspector = world.world().inspect();
    let is_near = |at: Vec3| (at - group.center).abs().max_element() <= group.radius;
    let mut marks = Vec::new();
    if group.cells {
        let reach = Vec3::splat(group.radius);
        let (low, high) = (group.center - reach, group.center + reach);
        let grid = inspector.floors(AgentTypeId::DEFAULT, low.into(), high.into());
        marks.extend(grid.iter().flat_map(|grid| cells(world, grid)));
    }
    if group.portals {
        let portals = inspector.portals().into_iter();
        let ends = portals.map(|portal| (Vec3::from(portal.from), Vec3::from(portal.to)));
        marks.extend(
            ends.filter(|(from, _)| is_near(*from))
                .map(|(from, to)| Mark::Portal { from, to }),
        );
    }
    if group.octree {
        let nodes = inspector.octree().into_iter();
        marks.extend(nodes.map(|node| Mark::Node {
            center: node.center.into(),
            side: narrowed(node.side),
            is_solid: node.is_solid,
        }));
        marks.retain(|mark| !matches!(mark, Mark::Node { center, .. } if !is_near(*center)));
    }
    marks
}

/// The floors of a grid that have a region.
fn cells(world: &NavWorld, grid: &FloorGrid) -> Vec<Mark> {
    let side = narrowed(world.world().scale().cell);
    let origin = Vec3::from(grid.origin);
    let places = (0_u16..).zip(grid.regions.chunks(grid.width.max(1)));
    let mut cells = Vec::new();
    let mut heights = grid.heights.iter();
    for (row, regions) in places {
        for (column, region) in (0_u16..).zip(regions) {
            let height = heights.next().map_or(0.0, |height| narrowed(*height));
            if *region == FloorGrid::NO_FLOOR {
                continue;
            }
            let flat = Vec2::new(f32::from(column) + 0.5, f32::from(row) + 0.5) * side;
            let mut center = origin + lifted(flat, world.axes());
            center[up_index(world.axes())] = height;
            let region = *region;
            cells.push(Mark::Cell { center, region });
        }
    }
    cells
}

#[expect(clippy::cast_possible_truncation, reason = "a length to be looked at")]
const fn narrowed(length: f64) -> f32 {
    length as f32
}

fn draw_mark(mark: &Mark, world: &NavWorld, gizmos: &mut Gizmos<'_, '_, NavGizmos>) {
    match *mark {
        Mark::Cell { center, region } => {
            let side = narrowed(world.world().scale().cell) * 0.9;
            let plane = flat(center, world.axes());
            gizmos.rect(plane, Vec2::splat(side), region_color(region));
        }
        Mark::Portal { from, to } => gizmos.line(from, to, Color::srgb(1.0, 0.6, 0.1)),
        Mark::Node {
            center,
            side,
            is_solid,
        } => {
            let color = match is_solid {
                true => Color::srgb(0.9, 0.2, 0.2),
                false => Color::srgba(0.3, 0.5, 1.0, 0.3),
            };
            let place = Transform::from_translation(center).with_scale(Vec3::splat(side));
            gizmos.cube(place, color);
        }
    }
}

/// A color per number of a region, 0 to 11.
fn region_color(region: u8) -> Color {
    let hue = f32::from(region % 12) * 30.0;
    Hsla::new(hue, 0.7, 0.5, 1.0).with_alpha(0.6).into()
}

/// A plane through a place.
fn flat(at: Vec3, axes: Axes) -> Isometry3d {
    let turn = match axes {
        Axes::ZUp => Quat::IDENTITY,
        Axes::YUp => Quat::from_rotation_arc(Vec3::Z, Vec3::Y),
    };
    Isometry3d::new(at, turn)
}

fn draw_links(world: &NavWorld, gizmos: &mut Gizmos<'_, '_, NavGizmos>) {
    for (_, link) in world.world().links() {
        let color = match link.state {
            LinkState::Open => Color::srgb(0.2, 0.9, 0.3),
            LinkState::Closed => Color::srgb(0.9, 0.2, 0.2),
            LinkState::Locked(_) => Color::srgb(0.9, 0.8, 0.2),
        };
        gizmos.arrow(link.from.into(), link.to.into(), color);
    }
}

fn draw_paths(
    paths: Query<'_, '_, &NavPath>,
    store: Res<'_, GizmoConfigStore>,
    mut gizmos: Gizmos<'_, '_, NavGizmos>,
) {
    let (config, group) = store.config::<NavGizmos>();
    if !config.enabled || !group.paths {
        return;
    }
    for path in paths.iter().filter_map(|path| path.0.as_ref()) {
        for pair in path.traversal().windows(2) {
            let color = match pair[0].next {
                Traversal::Walk => Color::WHITE,
                Traversal::Fly => Color::srgb(0.3, 0.5, 1.0),
                _ => Color::srgb(0.2, 0.9, 0.3),
            };
            gizmos.line(pair[0].position.into(), pair[1].position.into(), color);
        }
    }
}

fn draw_sensors(
    sensors: Query<'_, '_, (&NavSensor, &GlobalTransform, &InNavWorld)>,
    worlds: Query<'_, '_, &NavWorld>,
    store: Res<'_, GizmoConfigStore>,
    mut gizmos: Gizmos<'_, '_, NavGizmos>,
) {
    let (config, group) = store.config::<NavGizmos>();
    if !config.enabled || !group.sensors {
        return;
    }
    let color = Color::srgb(0.8, 0.4, 0.9);
    for (sensor, transform, in_world) in &sensors {
        let axes = worlds.get(in_world.0).map_or(Axes::YUp, NavWorld::axes);
        let at = Vec3::from(Position::from(transform.translation()));
        let plane = flat(at, axes);
        match sensor.footprint {
            NavFootprint::Disc { radius } => drop(gizmos.circle(plane, radius, color)),
            NavFootprint::Ring { inner, outer } => {
                drop(gizmos.circle(plane, inner, color));
                drop(gizmos.circle(plane, outer, color));
            }
            NavFootprint::Cone { angle, range } => {
                let (up, forward) = directions(transform, axes);
                let side = |half: f32| Quat::from_axis_angle(up, half) * forward * range;
                let steps = (-4..=4_i8).map(|step| at + side(angle * f32::from(step) / 8.0));
                gizmos.lineloop(std::iter::once(at).chain(steps), color);
            }
            NavFootprint::OrientedBox {
                half_length,
                half_width,
            } => {
                let (up, forward) = directions(transform, axes);
                let (along, across) = (forward * half_length, forward.cross(up) * half_width);
                let corners = [
                    along + across,
                    along - across,
                    -along - across,
                    across - along,
                ];
                gizmos.lineloop(corners.map(|corner| at + corner), color);
            }
        }
    }
}

/// Up, and the direction in which a sensor looks.
fn directions(transform: &GlobalTransform, axes: Axes) -> (Vec3, Vec3) {
    match axes {
        Axes::ZUp => (Vec3::Z, transform.right().into()),
        Axes::YUp => (Vec3::Y, transform.forward().into()),
    }
}
