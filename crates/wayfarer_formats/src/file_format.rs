//! Which format a file has, told from its first bytes, or else from its name.

use std::fmt;

use crate::text::Lines;

/// The formats that are read here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum FileFormat {
    /// A flat map of the benchmarks: [`crate::movingai_map`].
    Map,
    /// Problems on a flat map: [`crate::movingai_scen`].
    Scen,
    /// A flat map that changes: [`crate::dynamic_scen`].
    DynamicScen,
    /// Pieces of changed map: [`crate::patch`].
    Patch,
    /// A voxel map: [`crate::map3d`].
    Map3d,
    /// Problems on a voxel map: [`crate::scen3d`].
    Scen3d,
    /// A mesh as OBJ text: [`crate::obj`].
    Obj,
    /// A mesh as glTF, binary or text: [`crate::gltf`].
    Gltf,
    /// A picture: [`crate::png_raster`] or [`crate::heightmap`].
    Png,
    /// Raw heights, which need a layout: [`crate::heightmap`].
    Raw,
    /// A world of our own: [`crate::world_file`].
    World,
    /// A story of change of our own: [`crate::edits_file`].
    Edits,
    /// A field of things that stand about, of our own: [`crate::obstacle_file`].
    Clutter,
    /// The regions of a flat map, packed: read by `wayfarer_world::frozen`.
    Baked,
    /// A whole world as it was saved: [`crate::snapshot`], read by `wayfarer::World::load`.
    Saved,
}

impl FileFormat {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Map,
        Self::Scen,
        Self::DynamicScen,
        Self::Patch,
        Self::Map3d,
        Self::Scen3d,
        Self::Obj,
        Self::Gltf,
        Self::Png,
        Self::Raw,
        Self::World,
        Self::Edits,
        Self::Clutter,
        Self::Baked,
        Self::Saved,
    ];

    /// What to call it in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Scen => "scenario",
            Self::DynamicScen => "dynamic scenario",
            Self::Patch => "patches",
            Self::Map3d => "voxel map",
            Self::Scen3d => "voxel scenario",
            Self::Obj => "OBJ mesh",
            Self::Gltf => "glTF mesh",
            Self::Png => "PNG picture",
            Self::Raw => "raw heightmap",
            Self::World => "world",
            Self::Edits => "edits",
            Self::Clutter => "field",
            Self::Baked => "frozen map",
            Self::Saved => "saved world",
        }
    }

    /// The kind of a file: by how it begins, and if that says nothing, by the end of its name.
    /// `None` if neither is known.
    ///
    /// ```
    /// use wayfarer_formats::kind::FileFormat;
    /// assert_eq!(FileFormat::of("anything", b"type octile\nheight 1\n"), Some(FileFormat::Map));
    /// assert_eq!(FileFormat::of("hills.RAW", &[0, 1, 2, 3]), Some(FileFormat::Raw));
    /// assert_eq!(FileFormat::of("notes.txt", b"hello"), None);
    /// ```
    pub fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        Self::of_content(bytes).or_else(|| Self::of_name(name))
    }

    /// The kind that the end of a file's name promises, whatever its case.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, end) = name.rsplit_once('.')?;
        Some(match end.to_ascii_lowercase().as_str() {
            "map" => Self::Map,
            "scen" => Self::Scen,
            "patch" => Self::Patch,
            "3dmap" => Self::Map3d,
            "3dscen" => Self::Scen3d,
            "obj" => Self::Obj,
            "gltf" | "glb" => Self::Gltf,
            "png" => Self::Png,
            "raw" => Self::Raw,
            "world" => Self::World,
            "edits" => Self::Edits,
            "field" => Self::Clutter,
            "frozen" => Self::Baked,
            "wayfarer" => Self::Saved,
            _ => return None,
        })
    }

    /// The kind that the first bytes of a file show; `None` for raw heights and the unknown.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG") {
            return Some(Self::Png);
        }
        if bytes.starts_with(b"glTF") {
            return Some(Self::Gltf);
        }
        if bytes.starts_with(b"WFRZ") {
            return Some(Self::Baked);
        }
        if bytes.starts_with(&crate::snapshot::MAGIC) {
            return Some(Self::Saved);
        }
        let mut lines = Lines::new(bytes);
        let first = lines.next()?;
        let mut words = first.words().map(|word| word.text);
        match (words.next(), words.next()) {
            (Some(b"wayfarer"), Some(b"world")) => Some(Self::World),
            (Some(b"wayfarer"), Some(b"edits")) => Some(Self::Edits),
            (Some(b"wayfarer"), Some(b"field")) => Some(Self::Clutter),
            (Some(b"type"), Some(b"octile")) => Some(Self::Map),
            (Some(b"type"), Some(b"patch")) => Some(Self::Patch),
            (Some(b"voxel"), _) => Some(Self::Map3d),
            (Some(b"version"), Some(b"2")) => Some(Self::DynamicScen),
            (Some(b"version"), _) => {
                // The 3D benchmarks name the map once, on a line of its own.
                let n_words = lines.next_full()?.words().count();
                Some(if n_words < 9 {
                    Self::Scen3d
                } else {
                    Self::Scen
                })
            }
            _ => Self::of_mesh_text(bytes),
        }
    }

    fn of_mesh_text(bytes: &[u8]) -> Option<Self> {
        const FIRST: [&[u8]; 9] = [
            b"v", b"vt", b"vn", b"o", b"g", b"s", b"f", b"mtllib", b"usemtl",
        ];
        if bytes.trim_ascii_start().starts_with(b"{") {
            let holds_asset = bytes.windows(7).any(|part| part == b"\"asset\"");
            return holds_asset.then_some(Self::Gltf);
        }
        let first = Lines::new(bytes)
            .filter_map(|line| line.words().next())
            .find(|word| !word.text.starts_with(b"#"))?;
        FIRST.contains(&first.text).then_some(Self::Obj)
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(all(test, feature = "images", feature = "meshes"))]
mod tests;
