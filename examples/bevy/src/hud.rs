//! Lines of text: the title, what happens, the keys.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_wayfarer::{
    NavRejected, NavState, PathFailed, PathFound, PathRepaired, TargetReached, WorldChanged,
};

use crate::controls::Crate;
use crate::looks;
use crate::map::{HEIGHT, WIDTH};
use crate::units::Squad;

const HELP: &str = "left click  send the squad     right click  crates     1-6  doors     P  paths     G  ground     C  clear";

/// What happened last, how often the world changed and paths were repaired.
#[derive(Resource, Default)]
pub struct News {
    line: String,
    n_repaired: usize,
    n_changes: usize,
}

impl News {
    /// Shows a line until there is another.
    pub fn tell(&mut self, line: &str) {
        line.clone_into(&mut self.line);
    }
}

/// The line of numbers.
#[derive(Component)]
pub struct Numbers;

/// The line of news.
#[derive(Component)]
pub struct Latest;

/// Spawns the lines around the map.
pub fn spawn(mut commands: Commands, mut news: ResMut<News>) {
    news.tell("Click anywhere: the squad leaves the western house.");
    let line = |text, place, anchor: Anchor| (text, looks::text_at(place), anchor);
    let top = HEIGHT + 1.25;
    let title = looks::text("The courtyard", 26.0, looks::TEXT);
    commands.spawn(line(title, Vec2::new(0.0, top), Anchor::CENTER_LEFT));
    let numbers = looks::text("", 17.0, looks::FAINT);
    let numbers = line(numbers, Vec2::new(WIDTH, top), Anchor::CENTER_RIGHT);
    commands.spawn((Numbers, numbers));
    let latest = looks::text("", 17.0, looks::TEXT);
    let latest = line(latest, Vec2::new(0.0, -0.8), Anchor::CENTER_LEFT);
    commands.spawn((Latest, latest));
    let help = looks::text(HELP, 15.0, looks::FAINT);
    commands.spawn(line(help, Vec2::new(0.0, -1.7), Anchor::CENTER_LEFT));
}

/// Writes the lines that change.
pub fn show(
    news: Res<News>,
    squad: Query<&NavState, With<Squad>>,
    crates: Query<(), With<Crate>>,
    mut numbers: Query<&mut Text2d, (With<Numbers>, Without<Latest>)>,
    mut latest: Query<&mut Text2d, With<Latest>>,
) {
    let n_walking = squad
        .iter()
        .filter(|state| **state == NavState::Following)
        .count();
    let line = format!(
        "{n_walking} of {} walking    crates: {}    changes: {}    repaired paths: {}",
        squad.iter().count(),
        crates.iter().count(),
        news.n_changes,
        news.n_repaired,
    );
    numbers.iter_mut().for_each(|text| write(text, &line));
    latest.iter_mut().for_each(|text| write(text, &news.line));
}

/// Writes a line only if it is another: text that changes is laid out anew.
fn write(mut text: Mut<Text2d>, line: &str) {
    if text.0 != line {
        line.clone_into(&mut text.0);
    }
}

/// A batch of doors and crates changed the world.
pub fn count_changes(_: On<WorldChanged>, mut news: ResMut<News>) {
    news.n_changes += 1;
}

/// A path was blocked and another found.
pub fn tell_repaired(_: On<PathRepaired>, mut news: ResMut<News>) {
    news.n_repaired += 1;
    news.tell("The way was blocked: another path was found.");
}

/// A path for the squad, also one that a door or a crate has barred for a while.
pub fn tell_found(on: On<PathFound>, squad: Query<(), With<Squad>>, mut news: ResMut<News>) {
    if squad.contains(on.entity) {
        news.tell("The squad is on its way.");
    }
}

/// There is no path for one of the squad.
pub fn tell_failed(on: On<PathFailed>, squad: Query<(), With<Squad>>, mut news: ResMut<News>) {
    if squad.contains(on.entity) {
        news.tell(&format!("The squad stands: {}.", on.reason));
    }
}

/// One of the squad is there.
pub fn tell_reached(
    on: On<TargetReached>,
    squad: Query<&NavState, With<Squad>>,
    mut news: ResMut<News>,
) {
    let is_there = |state: &NavState| *state == NavState::Arrived;
    if squad.contains(on.entity) && squad.iter().all(is_there) {
        news.tell("The squad is there.");
    }
}

/// A component that the world did not take.
pub fn tell_rejected(on: On<NavRejected>, mut news: ResMut<News>) {
    news.tell(&format!("Rejected: {}", on.reason));
}
