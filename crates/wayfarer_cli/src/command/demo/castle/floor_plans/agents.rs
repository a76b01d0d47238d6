//! Draws the agents and the rest of their paths.

use wayfarer::Position;

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
    for agent in castle.agents().iter().filter(|agent| agent.path.is_some()) {
        let strength = if agent.is_repaired { 0.85 } else { 0.34 };
        let width = match (agent.is_repaired, agent.role) {
            (true, _) => 2.4,
            (_, Role::Thief) => 2.2,
            _ => 1.5,
        };
        let color = color_of(agent.role).thin(strength);
        for run in polyline(agent).chunk_by(|a, b| panel.shows(*a) == panel.shows(*b)) {
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

/// The rest of a path in segments of at most a unit, so that panels can clip it.
pub(super) fn polyline(agent: &Agent) -> Vec<Position> {
    let ahead = agent.ahead();
    let mut all = vec![agent.at];
    for pair in ahead.windows(2) {
        let mut at = pair[0];
        while at != pair[1] {
            at = at.toward(pair[1], 1.0);
            all.push(at);
        }
    }
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
