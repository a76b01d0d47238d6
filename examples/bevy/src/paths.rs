//! What is left of each path, as a dashed line in the color of its unit.

use bevy::prelude::*;
use bevy_wayfarer::NavPath;

use crate::looks;
use crate::units::Squad;

/// Lines of paths: a group of gizmos of the game's own.
#[derive(GizmoConfigGroup, Reflect, Default)]
pub struct PathLines;

/// Dashes two pixels wide.
pub fn configure(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<PathLines>();
    config.line.width = 2.0;
    config.line.style = GizmoLineStyle::Dashed {
        gap_scale: 2.5,
        line_scale: 4.0,
    };
}

/// Draws from each unit along its path, with a ring at its end.
pub fn draw(units: Query<(&Transform, &NavPath, Has<Squad>)>, mut lines: Gizmos<PathLines>) {
    for (transform, path, is_squad) in &units {
        let Some(path) = &path.0 else { continue };
        let points = path.traversal().iter();
        let points: Vec<Vec2> = points
            .map(|point| Vec3::from(point.position).truncate())
            .collect();
        let color = match is_squad {
            true => looks::SQUAD,
            false => looks::VILLAGER.with_alpha(0.35),
        };
        let at = transform.translation.truncate();
        let ahead = points.get(next(&points, at)..).unwrap_or_default();
        lines.linestrip_2d(std::iter::once(at).chain(ahead.iter().copied()), color);
        if let Some(end) = ahead.last() {
            lines.circle_2d(*end, 0.16, color);
        }
    }
}

/// The index of the point that ends the part of a path nearest to a place.
fn next(points: &[Vec2], place: Vec2) -> usize {
    let distance = |pair: &[Vec2]| {
        let along = pair[1] - pair[0];
        let share = (place - pair[0]).dot(along) / along.length_squared().max(f32::EPSILON);
        place.distance_squared(pair[0] + along * share.clamp(0.0, 1.0))
    };
    let parts = points.windows(2).enumerate();
    let nearest = parts.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    nearest.map_or(0, |(index, _)| index + 1)
}
