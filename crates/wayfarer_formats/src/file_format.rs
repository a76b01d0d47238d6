//! File format detection by content (magic bytes or first line), with the file name as fallback.

use std::fmt;

use crate::text::Lines;

/// The supported file formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum FileFormat {
    /// Flat benchmark map: [`crate::movingai_map`].
    Map,
    /// Benchmark problems on a flat map: [`crate::movingai_scen`].
    Scen,
    /// Benchmark of a changing flat map: [`crate::dynamic_scen`].
    DynamicScen,
    /// Map patches of a dynamic scenario: [`crate::patch`].
    Patch,
    /// Voxel benchmark map: [`crate::map3d`].
    Map3d,
    /// Benchmark problems on a voxel map: [`crate::scen3d`].
    Scen3d,
    /// Wavefront OBJ mesh: `obj`.
    Obj,
    /// glTF mesh, binary or JSON: `gltf`.
    Gltf,
    /// PNG image of a map (`png_raster`) or of heights ([`crate::heightmap`]).
    Png,
    /// Raw height samples, which need a layout: [`crate::heightmap`].
    Raw,
    /// World (`.world`): [`crate::world_file`].
    World,
    /// Edit trace (`.edits`): [`crate::edits_file`].
    Edits,
    /// Obstacle set (`.field`): [`crate::obstacle_file`].
    Obstacles,
    /// Baked abstraction (`.frozen`): read by `wayfarer_world::baked`.
    Baked,
    /// Tile map of Tiled, XML or JSON: `tiled`.
    Tiled,
    /// Tile map of LDtk: `ldtk`.
    Ldtk,
    /// Saved world (`.wayfarer`): [`crate::snapshot`], read by `wayfarer::World::load`.
    Saved,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 17] = [
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
        Self::Obstacles,
        Self::Baked,
        Self::Tiled,
        Self::Ldtk,
        Self::Saved,
    ];

    /// The name in messages.
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
            Self::Png => "PNG image",
            Self::Raw => "raw heightmap",
            Self::World => "world",
            Self::Edits => "edits",
            Self::Obstacles => "obstacle set",
            Self::Baked => "baked abstraction",
            Self::Tiled => "Tiled map",
            Self::Ldtk => "LDtk project",
            Self::Saved => "saved world",
        }
    }

    /// The format of a file by its content, else by its extension; `None` if neither is known.
    ///
    /// ```
    /// use wayfarer_formats::FileFormat;
    /// assert_eq!(FileFormat::detect("any", b"type octile\nheight 1\n"), Some(FileFormat::Map));
    /// assert_eq!(FileFormat::detect("hills.RAW", &[0, 1, 2, 3]), Some(FileFormat::Raw));
    /// assert_eq!(FileFormat::detect("notes.txt", b"hello"), None);
    /// ```
    pub fn detect(name: &str, bytes: &[u8]) -> Option<Self> {
        Self::from_content(bytes).or_else(|| Self::from_name(name))
    }

    /// The format of a file name's extension, in any case; `None` if it is unknown.
    pub fn from_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
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
            "field" => Self::Obstacles,
            "frozen" => Self::Baked,
            "tmx" | "tmj" => Self::Tiled,
            "ldtk" => Self::Ldtk,
            "wayfarer" => Self::Saved,
            _ => return None,
        })
    }

    /// The format of a file's content; `None` for raw heights and unknown content.
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
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
            (Some(b"wayfarer"), Some(b"field")) => Some(Self::Obstacles),
            (Some(b"type"), Some(b"octile")) => Some(Self::Map),
            (Some(b"type"), Some(b"patch")) => Some(Self::Patch),
            (Some(b"voxel"), _) => Some(Self::Map3d),
            (Some(b"version"), Some(b"2")) => Some(Self::DynamicScen),
            (Some(b"version"), _) => {
                // The 3D benchmarks have the map's name alone on the second line.
                let n_words = lines.next_non_blank()?.words().count();
                Some(if n_words < 9 {
                    Self::Scen3d
                } else {
                    Self::Scen
                })
            }
            _ => Self::from_markup(bytes).or_else(|| Self::from_mesh_text(bytes)),
        }
    }

    /// XML and JSON, by a name that only the one format has.
    fn from_markup(bytes: &[u8]) -> Option<Self> {
        const MEMBERS: [(&[u8], FileFormat); 4] = [
            (b"\"__header__\"", FileFormat::Ldtk),
            (b"\"intGridCsv\"", FileFormat::Ldtk),
            (b"\"tilewidth\"", FileFormat::Tiled),
            (b"\"asset\"", FileFormat::Gltf),
        ];
        /// The first element of a map follows a comment at most.
        const MAX_PROLOG: usize = 4096;
        let has = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match bytes.trim_ascii_start().first() {
            Some(b'{') => {
                let found = MEMBERS.into_iter().find(|(member, _)| has(member));
                found.map(|(_, format)| format)
            }
            Some(b'<') => {
                let prolog = &bytes[..bytes.len().min(MAX_PROLOG)];
                let is_map = prolog.windows(5).any(|window| window == b"<map ");
                is_map.then_some(Self::Tiled)
            }
            _ => None,
        }
    }

    fn from_mesh_text(bytes: &[u8]) -> Option<Self> {
        const FIRST: [&[u8]; 9] = [
            b"v", b"vt", b"vn", b"o", b"g", b"s", b"f", b"mtllib", b"usemtl",
        ];
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

#[cfg(test)]
#[cfg(all(feature = "images", feature = "meshes"))]
mod tests;
