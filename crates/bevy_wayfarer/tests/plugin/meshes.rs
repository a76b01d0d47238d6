//! Solids from mesh assets.

use bevy_asset::{AssetApp, AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_math::Vec3;
use bevy_mesh::{Mesh, PrimitiveTopology};
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{PathRequest, Position, Searcher};
use bevy_wayfarer::{NavRejected, NavSolid, NavSolidMesh, NavWorld, RejectReason};

use super::{App, app_on, at, hear, heard, updates};

fn mesh_app() -> App {
    let mut app = app_on(&["......."]);
    app.add_plugins((bevy_app::TaskPoolPlugin::default(), AssetPlugin::default()));
    app.init_asset::<Mesh>();
    hear::<NavRejected>(&mut app);
    app
}

/// A box around 0 whose triangles share no corners, as meshes for rendering are.
fn cuboid(x: f32, y: f32, z: f32) -> Mesh {
    let half = Vec3::new(x, y, z) / 2.0;
    let mut corners: Vec<[f32; 3]> = Vec::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [-1.0, 1.0] {
            let corner = |a: f32, b: f32| {
                let mut at = half;
                at[axis] *= side;
                at[u] *= a * side;
                at[v] *= b;
                at.to_array()
            };
            let [a, b, c, d] = [
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ];
            corners.extend([a, b, c, a, c, d]);
        }
    }
    let usage = RenderAssetUsages::default();
    Mesh::new(PrimitiveTopology::TriangleList, usage)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
}

fn add(app: &mut App, mesh: Mesh) -> Handle<Mesh> {
    app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh)
}

/// Whether there is a path along the lane.
fn is_open(app: &mut App) -> bool {
    let mut worlds = app.world_mut().query::<&NavWorld>();
    let world = worlds.single(app.world()).unwrap().world();
    let request = PathRequest::new(at(0, 0).into(), Position::from(at(6, 0)));
    world.find_path(&mut Searcher::default(), &request).is_ok()
}

#[test]
fn a_mesh_for_rendering_becomes_a_solid_and_follows_its_asset() {
    let mut app = mesh_app();
    let handle = add(&mut app, cuboid(1.0, 4.0, 1.0));
    let place = Transform::from_translation(at(3, 0));
    let wall = (NavSolidMesh(handle.clone()), place);
    let wall = app.world_mut().spawn(wall).id();
    updates(&mut app, 2);
    let Some(NavSolid::Mesh {
        vertices,
        triangles,
    }) = app.world().get::<NavSolid>(wall)
    else {
        panic!("no solid");
    };
    assert_eq!((vertices.len(), triangles.len()), (8, 12));
    assert!(!is_open(&mut app));
    // Another mesh behind the same handle.
    let aside = cuboid(1.0, 4.0, 1.0).translated_by(Vec3::Z * 5.0);
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    meshes.insert(handle.id(), aside).unwrap();
    updates(&mut app, 3);
    assert!(is_open(&mut app));
    // Another handle, with a turned entity.
    let wide = add(&mut app, cuboid(4.0, 4.0, 0.5));
    app.world_mut().entity_mut(wall).insert(NavSolidMesh(wide));
    app.world_mut()
        .get_mut::<Transform>(wall)
        .unwrap()
        .rotate_y(1.5);
    updates(&mut app, 3);
    assert!(!is_open(&mut app));
    app.world_mut().despawn(wall);
    app.update();
    assert!(is_open(&mut app));
    assert_eq!(heard::<NavRejected>(&app), []);
}

#[test]
fn a_mesh_that_is_no_list_of_triangles_is_reported() {
    let mut app = mesh_app();
    let usage = RenderAssetUsages::default();
    let mut mesh = Mesh::new(PrimitiveTopology::LineStrip, usage);
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]];
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    let handle = add(&mut app, mesh);
    let place = Transform::from_translation(at(3, 0));
    let entity = app.world_mut().spawn((NavSolidMesh(handle), place)).id();
    updates(&mut app, 3);
    let rejected = heard::<NavRejected>(&app);
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0].entity, entity);
    assert!(matches!(rejected[0].reason, RejectReason::Mesh { .. }));
    assert!(is_open(&mut app));
}
