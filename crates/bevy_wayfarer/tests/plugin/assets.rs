//! Maps as assets.

use std::path::Path;

use bevy_app::TaskPoolPlugin;
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::{AssetApp, AssetPlugin, AssetServer, LoadState};
use bevy_wayfarer::{NavMap, NavRejected, NavState, NavWorld, NavWorldSource, WayfarerPlugin};

use super::{App, at, hear, heard, spawn_agent, until, updates};

const MAP: &[u8] = b"type octile\nheight 1\nwidth 7\nmap\n.......\n";
const WORLD: &[u8] = b"wayfarer world 2\nlayer 0 0 0\n|.......\nend\n";
#[cfg(feature = "tilemaps")]
const TILES: &[u8] =
    br#"<map orientation="orthogonal" width="7" height="1" tilewidth="16" tileheight="16">
  <layer name="grass"><data encoding="csv">1,1,1,1,1,1,1</data></layer>
</map>"#;

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

/// A glTF file of one rectangle, 7 x 1 units with y up.
#[cfg(feature = "meshes")]
fn gltf() -> Vec<u8> {
    let corners: [[f32; 3]; 4] = [
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [7.0, 0.0, 1.0],
        [7.0, 0.0, 0.0],
    ];
    let indices: [u16; 6] = [0, 1, 2, 0, 2, 3];
    let corners = corners
        .as_flattened()
        .iter()
        .flat_map(|at| at.to_le_bytes());
    let indices = indices.iter().flat_map(|index| index.to_le_bytes());
    let data: Vec<u8> = corners.chain(indices).collect();
    let mut json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[7,0,1]},
{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
"buffers":[{"byteLength":60}]}"#
        .as_bytes()
        .to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap();
    let mut file = b"glTF".to_vec();
    for word in [2, 28 + length(&json) + length(&data), length(&json)] {
        file.extend(word.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(&json);
    file.extend(length(&data).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(data);
    file
}

/// Loads a map of a lane of seven cells; an agent walks it.
fn check(name: &str, file: impl Into<Vec<u8>>) {
    let files = Dir::default();
    files.insert_asset(Path::new(name), file.into());
    let mut app = app_with(files);
    let server = app.world().resource::<AssetServer>().clone();
    let map = server.load(name.to_owned());
    let world = app.world_mut().spawn(NavWorldSource(map.clone())).id();
    let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
    for _ in 0..10_000 {
        if app.world().get::<NavWorld>(world).is_some() {
            break;
        }
        if let LoadState::Failed(error) = server.load_state(&map) {
            panic!("{name}: {error}");
        }
        app.update();
    }
    until(&mut app, agent, NavState::Arrived);
}

#[test]
fn a_map_becomes_the_world_of_its_entity() {
    check("lane.map", MAP);
    check("lane.world", WORLD);
}

#[cfg(feature = "tilemaps")]
#[test]
fn a_tile_map_becomes_a_world() {
    check("lane.tmx", TILES);
}

/// glTF belongs to scenes: its ending is not claimed, the type of the handle decides.
#[cfg(feature = "meshes")]
#[test]
fn a_gltf_file_becomes_a_world() {
    check("lane.glb", gltf());
}

#[test]
fn a_file_that_is_no_map_is_reported_once_and_another_is_loaded() {
    let files = Dir::default();
    files.insert_asset(Path::new("no.map"), b"type octile\nheight x\n".to_vec());
    files.insert_asset(Path::new("lane.map"), MAP.to_vec());
    let mut app = app_with(files);
    hear::<NavRejected>(&mut app);
    let server = app.world().resource::<AssetServer>().clone();
    let source = NavWorldSource(server.load::<NavMap>("no.map"));
    let world = app.world_mut().spawn(source).id();
    let is_reported = (0..10_000).any(|_| {
        app.update();
        !heard::<NavRejected>(&app).is_empty()
    });
    assert!(is_reported && app.world().get::<NavWorld>(world).is_none());
    updates(&mut app, 5);
    let rejected = heard::<NavRejected>(&app);
    assert!(rejected.len() == 1 && rejected[0].entity == world);
    let reason = rejected[0].reason.to_string();
    assert!(
        reason.contains("no.map") && reason.contains("line 2"),
        "{reason}"
    );
    let source = NavWorldSource(server.load("lane.map"));
    app.world_mut().entity_mut(world).insert(source);
    let is_made = (0..10_000).any(|_| {
        app.update();
        app.world().get::<NavWorld>(world).is_some()
    });
    assert!(is_made && heard::<NavRejected>(&app).len() == 1);
}
