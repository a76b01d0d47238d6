//! Draws the agents and the rest of their paths.

use wayfarer_engine::{Path, PathLeg, Position};

use super::Panel;
use crate::castle::Castle;
use crate::castle::agents::{Agent, Role};
use crate::draw::{Color, Item, Scene};

pub(super) fn color_of(role: Role) -> Color {
    Color::hex(match role {
        Role::Servant => 0x2F_6D_B5,
        Role::Guard => 0xC2_3B_22,
        Role::Thief => 0x7A_2F_8F,
        Role::Raven => 0x1F_24_2B,
        Role::Winged => 0x0E_8A_7D,
    })
}

/// Draws the rest of every path that the panel shows; repaired ones stronger.
pub(super) fn paths(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let world = castle.world();
    for agent in castle.agents() {
        let Some(path) = &agent.path else {
            continue;
        };
        let ahead: Vec<Position> = polyline(agent, path, world);
        let strength = if agent.repaired.is_some() { 0.85 } else { 0.34 };
        let width = match (agent.repaired.is_some(), agent.role) {
            (true, _) => 2.4,
            (_, Role::Thief) => 2.2,
            _ => 1.5,
        };
        let color = color_of(agent.role).thin(strength);
        for run in ahead.chunk_by(|a, b| panel.shows(*a) == panel.shows(*b)) {
            if run.len() < 2 || !panel.shows(run[0]) {
                continue;
            }
            scene.items.push(Item::Line {
                points: run.iter().map(|at| panel.point(*at)).collect(),
                width,
                color,
            });
        }
    }
}

/// The rest of a path; flights in segments of about a cell, so that panels can clip them.
pub(super) fn polyline(
    agent: &Agent,
    path: &Path,
    world: &wayfarer_engine::World,
) -> Vec<Position> {
    let flies = path
        .legs
        .iter()
        .any(|leg| matches!(leg, PathLeg::Flight(_)));
    let ahead: Vec<Position> = agent.ahead(world).collect();
    if !flies {
        return ahead;
    }
    let mut all = Vec::new();
    for pair in ahead.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let length = (a.x - b.x)
            .abs()
            .max((a.y - b.y).abs())
            .max((a.z - b.z).abs());
        let n_parts = length / 65_536 + 1;
        all.extend((0..n_parts).map(|part| Position {
            x: a.x + (b.x - a.x) * part / n_parts,
            y: a.y + (b.y - a.y) * part / n_parts,
            z: a.z + (b.z - a.z) * part / n_parts,
        }));
    }
    all.extend(ahead.last());
    all
}

pub(super) fn agents(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    for agent in castle.agents().iter().filter(|agent| panel.shows(agent.at)) {
        figure(
            scene,
            agent.role,
            panel.point(agent.at),
            f64::from(panel.zoom) / 12.0,
        );
    }
}

/// Draws an agent: a disc, with wings if it flies.
pub(super) fn figure(scene: &mut Scene, role: Role, (x, y): (f64, f64), size: f64) {
    let color = color_of(role);
    // Of each wing: lower and upper end of its root, offset and rise of its tip.
    let flight = match role {
        Role::Raven => Some((2.6, -0.8, 6.5, -3.4)),
        Role::Winged => Some((1.5, -2.0, 7.5, -3.6)),
        _ => None,
    };
    if let Some((root, shoulder, tip, rise)) = flight {
        for side in [-1.0, 1.0] {
            let corners = [(0.0, root), (side * tip, rise), (0.0, shoulder)];
            let corners = corners.map(|(dx, dy)| (x + dx * size, y + dy * size));
            scene.items.push(Item::Triangle { corners, color });
        }
    }
    let radii = match role {
        Role::Raven => return,
        Role::Winged => (3.4, 2.6),
        _ => (4.4, 3.5),
    };
    disc(scene, (x, y), radii.0 * size, Color::hex(0xFF_FF_FF));
    disc(scene, (x, y), radii.1 * size, color);
}

pub(super) fn disc(scene: &mut Scene, center: (f64, f64), radius: f64, color: Color) {
    scene.items.push(Item::Disc {
        center,
        radius,
        color,
    });
}
