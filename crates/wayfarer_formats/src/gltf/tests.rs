//! Geometry, limits and errors of glTF files.

#![expect(clippy::float_cmp, reason = "small integers, exact in floating point")]

use super::*;
use crate::base64;
use crate::mesh::Up;
use crate::mesh::tests::{normal, random_soup};

/// A file with this buffer; `json` follows the asset.
fn gltf(json: &str, data: &[u8]) -> String {
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},{json},\"buffers\":[{{\"byteLength\":{},\
         \"uri\":\"data:application/gltf-buffer;base64,{}\"}}]}}",
        data.len(),
        base64::encode(data)
    )
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

#[track_caller]
fn check_error(bytes: &[u8], expected: &str) {
    assert_eq!(read(bytes).unwrap_err().to_string(), expected);
}

/// A horizontal unit square as a strip with a stride of 32 bytes.
fn square(nodes: &str) -> String {
    let mut data = Vec::new();
    for [x, z] in [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] {
        data.extend(floats(&[x, 0.0, z, 9.0, 9.0, 9.0, 9.0, 9.0]));
    }
    gltf(
        &format!(
            "{nodes},\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\
             \"mode\":5}}]}}],\"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\
             \"count\":4,\"type\":\"VEC3\"}}],\"bufferViews\":[{{\"buffer\":0,\
             \"byteLength\":128,\"byteStride\":32}}]"
        ),
        &data,
    )
}

#[test]
fn a_written_mesh_reads_back_unchanged() {
    for (n_vertices, n_triangles) in [(0, 0), (3, 1), (200, 333)] {
        let soup = random_soup(7, n_vertices, n_triangles);
        assert_eq!(read(&write_glb(&soup).unwrap()), Ok(soup.clone()));
        assert_eq!(read(write_gltf(&soup).unwrap().as_bytes()), Ok(soup));
    }
}

#[test]
fn coordinates_out_of_range_of_32_bit_floats_are_rejected() {
    let soup = TriangleSoup::new(vec![[0.0, 1e39, 0.0]; 3], vec![[0, 1, 2]]).unwrap();
    assert_eq!(
        write_glb(&soup).unwrap_err().to_string(),
        "accessor 0: expected coordinates in the range of 32-bit floats, found another at element 0"
    );
}

#[test]
fn strips_keep_their_winding_and_strides_are_respected() {
    let floor = read(square("\"nodes\":[{\"mesh\":0}]").as_bytes()).unwrap();
    assert_eq!(floor.triangles().len(), 2);
    for triangle in floor.iter() {
        assert_eq!(normal(triangle), [0.0, 0.0, 1.0]);
    }
    assert_eq!(floor.vertices()[1], [0.0, 1.0, 0.0]);
}

#[test]
fn node_transforms_apply_to_meshes_and_children() {
    // The parent rotates a quarter turn around y and translates; the child reflects and scales.
    let half = 0.5_f64.sqrt();
    let nodes = format!(
        "\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"children\":[1],\
         \"translation\":[10,5,20],\"rotation\":[0,{half},0,{half}]}},{{\"mesh\":0,\
         \"scale\":[-2,1,1]}},{{\"mesh\":0}}]"
    );
    let floor = read(square(&nodes).as_bytes()).unwrap();
    // (1, 0, 0) is reflected to (-2, 0, 0), rotated to (0, 0, 2), translated to (10, 5, 22).
    let [east, south, up] = floor.vertices()[2];
    assert!((east - 10.0).abs() + (south - 22.0).abs() + (up - 5.0).abs() < 1e-9);
    for triangle in floor.iter() {
        let [x, y, z] = normal(triangle);
        assert!(x.abs() + y.abs() < 1e-9 && (z - 2.0).abs() < 1e-9);
    }
    let matrix = "\"nodes\":[{\"mesh\":0,\"matrix\":[1,0,0,0, 0,1,0,0, 0,0,1,0, 7,8,9,1]}]";
    let floor = read(square(matrix).as_bytes()).unwrap();
    assert_eq!(floor.vertices()[0], [7.0, 9.0, 8.0]);
}

#[test]
fn only_the_default_scene_is_read() {
    let nodes = "\"nodes\":[{\"mesh\":0},{\"mesh\":0},{}]";
    let count = |scenes: &str| {
        let soup = read(square(&format!("{scenes}{nodes}")).as_bytes()).unwrap();
        soup.triangles().len()
    };
    assert_eq!(count(""), 4);
    assert_eq!(count("\"scenes\":[{\"nodes\":[0]},{\"nodes\":[0,1]}],"), 2);
    assert_eq!(
        count("\"scene\":1,\"scenes\":[{\"nodes\":[0]},{\"nodes\":[0,1]}],"),
        4
    );
    assert_eq!(count("\"scenes\":[{}],"), 0);
    let no_nodes = square("\"nodes\":[]");
    assert_eq!(read(no_nodes.as_bytes()).unwrap().triangles().len(), 2);
}

#[test]
fn indices_of_every_size_and_fans_are_read() {
    let kinds: [(u32, &[u8]); 3] = [
        (5121, &[0, 1, 2, 3, 0, 0, 0, 0]),
        (5123, &[0, 0, 1, 0, 2, 0, 3, 0]),
        (5125, &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]),
    ];
    for (component, indices) in kinds {
        let vertices = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0];
        let data = [floats(&vertices), indices.to_vec()].concat();
        let json = format!(
            "\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"mode\":6,\
             \"indices\":1}},{{\"attributes\":{{}}}},{{\"attributes\":{{\"POSITION\":9}},\
             \"mode\":1}}]}}],\"accessors\":[{{\"bufferView\":0,\
             \"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}},{{\"bufferView\":1,\
             \"componentType\":{component},\"count\":4,\"type\":\"SCALAR\"}}],\
             \"bufferViews\":[{{\"buffer\":0,\"byteLength\":48}},{{\"buffer\":0,\
             \"byteOffset\":48,\"byteLength\":{}}}]",
            indices.len()
        );
        let floor = read(gltf(&json, &data).as_bytes()).unwrap();
        assert_eq!(floor.triangles(), [[0, 2, 1], [0, 3, 2]]);
        for triangle in floor.iter() {
            assert_eq!(normal(triangle), [0.0, 0.0, 1.0]);
        }
    }
}

#[test]
fn up_axis_and_scale_are_applied() {
    let options = MeshOptions::new(Up::Z, 2.0).unwrap();
    let floor = read_with(square("\"nodes\":[{\"mesh\":0}]").as_bytes(), &options).unwrap();
    assert_eq!(floor.vertices()[3], [2.0, 0.0, 2.0]);
}

#[test]
fn an_invalid_container_is_reported_with_its_offset() {
    let glb = write_glb(&random_soup(1, 5, 5)).unwrap();
    let changed = |at: usize, byte: u8| {
        let mut glb = glb.clone();
        glb[at] = byte;
        glb
    };
    check_error(&changed(4, 1), "byte 4: expected version 2, found 1");
    check_error(
        &glb[..9],
        "byte 9: expected a 32-bit number, found the end of the file",
    );
    check_error(
        &changed(11, 255),
        &format!(
            "byte 8: expected at most the length of the file, found {}",
            0xff00_0000 + glb.len()
        ),
    );
    check_error(
        &changed(16, b'X'),
        "byte 16: expected a JSON chunk first, found 1313821528",
    );
    let json_length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]);
    check_error(
        &changed(15, 255),
        &format!(
            "byte 12: expected a chunk that ends with the file, found {}",
            0xff00_0000 + json_length
        ),
    );
}

#[test]
fn invalid_json_is_reported_with_its_position() {
    check_error(
        b"{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[7]}",
        "line 2, column 10 of the JSON that begins at byte 0: invalid type: integer `7`, expected \
         struct Node",
    );
    check_error(
        b"{\"asset\":{\"version\":\"1.0\"}}",
        "asset 0: expected version 2.x, found `1.0`",
    );
    check_error(
        b"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_materials_unlit\",\
          \"KHR_draco\"]}",
        "the file requires the extension `KHR_draco`, which is not supported",
    );
    check_error(
        b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\"uri\":\"a.bin\"}]}",
        "buffer 0: expected a data URI in base64, found `a.bin`",
    );
    check_error(
        b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4294967295,\
          \"uri\":\"data:;base64,AAAA\"}]}",
        "buffer 0 ends at byte 4294967295 of its container, which has 3",
    );
    check_error(
        b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\
          \"uri\":\"data:;base64,AA!A\"}]}",
        "buffer 0: expected base64, found another character at 2",
    );
}

#[test]
fn an_invalid_reference_is_reported() {
    let good = square("\"nodes\":[{\"mesh\":0}]");
    let check = |from: &str, to: &str, expected: &str| {
        assert!(good.contains(from), "{from}");
        check_error(good.replace(from, to).as_bytes(), expected);
    };
    check(
        "\"mesh\":0",
        "\"mesh\":1",
        "a node refers to mesh 1, there are 1",
    );
    check(
        "\"POSITION\":0",
        "\"POSITION\":7",
        "a primitive refers to accessor 7, there are 1",
    );
    check(
        "\"bufferView\":0",
        "\"bufferView\":4294967295",
        "an accessor refers to buffer view 4294967295, there are 1",
    );
    check(
        "\"buffer\":0",
        "\"buffer\":3",
        "a buffer view refers to buffer 3, there are 1",
    );
    check(
        "\"count\":4",
        "\"count\":4294967295",
        "accessor 0 ends at byte 137438953420 of its container, which has 128",
    );
    check(
        "\"byteLength\":128,\"byteStride\"",
        "\"byteLength\":129,\"byteStride\"",
        "buffer view 0 ends at byte 129 of its container, which has 128",
    );
    check(
        "\"byteStride\":32",
        "\"byteStride\":4",
        "accessor 0: expected a stride of at least an element, found 4",
    );
    check(
        "VEC3",
        "VEC2",
        "accessor 0: expected VEC3 of 5126 (positions as floats), found VEC2 of 5126",
    );
    check(
        "\"type\"",
        "\"sparse\":{\"count\":1},\"type\"",
        "accessor 0: expected a buffer view, found none, or a sparse one",
    );
    check(
        "\"mode\":5",
        "\"mode\":7",
        "mesh 0: expected a mode from 0 to 6, found 7",
    );
    check(
        "\"mode\":5",
        "\"mode\":4",
        "mesh 0: expected three vertices per triangle, found 4 vertices",
    );
}

#[test]
fn nodes_with_several_parents_are_rejected() {
    let twice = "node 1: expected at most one parent, found several, or a cycle";
    let check = |nodes: &str, expected: &str| check_error(square(nodes).as_bytes(), expected);
    check(
        "\"nodes\":[{\"children\":[1]},{\"children\":[2]},{\"children\":[1]}]",
        "node 1: expected at most one parent, found several, or a cycle",
    );
    check("\"nodes\":[{\"children\":[1,1]},{}]", twice);
    check(
        "\"scenes\":[{\"nodes\":[5]}],\"nodes\":[{}]",
        "a scene or node refers to node 5, there are 1",
    );
}

#[test]
fn too_many_instances_are_rejected_before_allocation() {
    // 2^19 instances of a mesh of 64 vertices: 2^25 vertices from a file of a few megabytes.
    let data = floats(&[0.0; 192]);
    let nodes = vec!["{\"mesh\":0}"; 1 << 19].join(",");
    let json = format!(
        "\"nodes\":[{nodes}],\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\
         \"mode\":5}}]}}],\"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":64,\
         \"type\":\"VEC3\"}}],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":768}}]"
    );
    check_error(
        gltf(&json, &data).as_bytes(),
        "16777280 vertices in all instances, the limit is 16777216",
    );
    // Primitives without vertices cost time, not memory.
    let primitives = vec!["{\"attributes\":{}}"; 1 << 11].join(",");
    let nodes = vec!["{\"mesh\":0}"; 1 << 10].join(",");
    let json = format!("\"nodes\":[{nodes}],\"meshes\":[{{\"primitives\":[{primitives}]}}]");
    check_error(
        gltf(&json, &[]).as_bytes(),
        "2097152 primitives in all instances, the limit is 1048576",
    );
    let many = format!("\"nodes\":[{}]", vec!["{}"; 1 << 20].join(","));
    check_error(
        gltf(&many, &[]).as_bytes(),
        "1048581 arrays and objects in the JSON, the limit is 1048576",
    );
}

#[test]
fn base64_decodes_what_it_encodes() {
    for length in 0..20_u8 {
        let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(47)).collect();
        let text = base64::encode(&bytes);
        assert_eq!(base64::decode(text.as_bytes()), Ok(bytes.clone()));
        assert_eq!(
            base64::decode(text.trim_end_matches('=').as_bytes()),
            Ok(bytes)
        );
    }
    assert_eq!(base64::encode(b"wayfarer"), "d2F5ZmFyZXI=");
    assert_eq!(base64::decode(b"A"), Err(1));
}
