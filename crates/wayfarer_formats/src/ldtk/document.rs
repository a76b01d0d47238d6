//! The parts of an LDtk project that are read.

use std::borrow::Cow;

use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Project<'a> {
    #[serde(borrow)]
    pub(super) defs: Definitions<'a>,
    #[serde(borrow, default)]
    pub(super) world_layout: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) levels: Vec<Level<'a>>,
    #[serde(borrow, default)]
    pub(super) worlds: Vec<World<'a>>,
}

/// A world of a project that has several.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct World<'a> {
    #[serde(borrow, default)]
    pub(super) world_layout: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) levels: Vec<Level<'a>>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Definitions<'a> {
    #[serde(borrow)]
    pub(super) layers: Vec<LayerDefinition<'a>>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayerDefinition<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) identifier: Cow<'a, str>,
    pub(super) uid: i64,
    #[serde(borrow, default)]
    pub(super) int_grid_values: Vec<ValueDefinition<'a>>,
}

#[derive(Deserialize, Debug)]
pub(super) struct ValueDefinition<'a> {
    pub(super) value: i32,
    #[serde(borrow, default)]
    pub(super) identifier: Option<Cow<'a, str>>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Level<'a> {
    #[serde(borrow)]
    pub(super) identifier: Cow<'a, str>,
    pub(super) world_x: i32,
    pub(super) world_y: i32,
    pub(super) px_wid: u32,
    pub(super) px_hei: u32,
    /// `None` if the level has a file of its own.
    #[serde(borrow, default)]
    pub(super) layer_instances: Option<Vec<Instance<'a>>>,
}

/// A layer of a level.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Instance<'a> {
    #[serde(borrow, rename = "__identifier")]
    pub(super) identifier: Cow<'a, str>,
    #[serde(borrow, rename = "__type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(rename = "__gridSize")]
    pub(super) grid_size: u32,
    #[serde(rename = "__pxTotalOffsetX", default)]
    pub(super) offset_x: i32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    pub(super) offset_y: i32,
    pub(super) layer_def_uid: i64,
    #[serde(default)]
    pub(super) int_grid_csv: Vec<i32>,
}
