//! Maps as assets.

use std::path::Path;

use bevy_app::TaskPoolPlugin;
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::{AssetApp, AssetPlugin, AssetServer};
use bevy_wayfarer::{NavState, NavWorld, NavWorldSource, WayfarerPlugin};

use super::{App, at, spawn_agent, until};

const MAP: &[u8] = b"type octile\nheight 1\nwidth 7\nmap\n.......\n";

fn app_with(files: Dir) -> App {
    let mut app = App::new();
    let reader = move || {
        Box::new(MemoryAssetReader {
            root: files.clone(),
        }) as _
    };
    app.register_asset_source(AssetSourceId::Default, AssetSourceBuilder::new(reader));
    app.add_plugins((
        TaskPoolPlugin::default(),
        bevy_time::TimePlugin,
        WayfarerPlugin::default(),
        AssetPlugin::default(),
    ));
    let tick = std::time::Duration::from_micros(15_625);
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(tick));
    app.add_systems(bevy_app::FixedUpdate, super::walk);
    app.finish();
    app.cleanup();
    app
}

#[test]
fn a_map_becomes_the_world_of_its_entity() {
    let files = Dir::default();
    files.insert_asset(Path::new("lane.map"), MAP);
    let mut app = app_with(files);
    let map = app.world().resource::<AssetServer>().load("lane.map");
    let world = app.world_mut().spawn(NavWorldSource(map)).id();
    let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
    for _ in 0..10_000 {
        if app.world().get::<NavWorld>(world).is_some() {
            break;
        }
        app.update();
    }
    until(&mut app, agent, NavState::Arrived);
}
