//! The supported subset of the glTF JSON schema.

use std::borrow::Cow;

use serde::Deserialize;

/// The root object; missing arrays are empty.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) asset: Asset<'a>,
    pub(super) scene: Option<u32>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default, borrow)]
    pub(super) accessors: Vec<Accessor<'a>>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default, borrow)]
    pub(super) buffers: Vec<Buffer<'a>>,
    #[serde(default, borrow)]
    pub(super) extensions_required: Vec<Cow<'a, str>>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Asset<'a> {
    #[serde(borrow)]
    pub(super) version: Cow<'a, str>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<u32>,
}

/// Transforms are boxed, so that nodes without them stay small.
#[derive(Deserialize, Debug)]
pub(super) struct Node {
    #[serde(default)]
    pub(super) children: Vec<u32>,
    pub(super) mesh: Option<u32>,
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Mesh {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<u32>,
    pub(super) mode: Option<u32>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<u32>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor<'a> {
    pub(super) buffer_view: Option<u32>,
    #[serde(default)]
    pub(super) byte_offset: u32,
    pub(super) component_type: u32,
    pub(super) count: u32,
    #[serde(rename = "type", borrow)]
    pub(super) shape: Cow<'a, str>,
    pub(super) sparse: Option<Sparse>,
}

/// Present only to be rejected.
#[derive(Deserialize, Debug)]
pub(super) struct Sparse {}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: u32,
    #[serde(default)]
    pub(super) byte_offset: u32,
    pub(super) byte_length: u32,
    pub(super) byte_stride: Option<u32>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer<'a> {
    pub(super) byte_length: u32,
    #[serde(borrow)]
    pub(super) uri: Option<Cow<'a, str>>,
}
