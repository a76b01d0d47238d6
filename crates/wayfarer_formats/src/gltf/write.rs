//! Writer of glTF files: one mesh, one node, one scene.

use wayfarer_base::TriangleSoup;

use super::GltfError;
use crate::base64;
use crate::mesh::{Up, flipped};

/// Writes a `.glb` file; it reads back unchanged up to rounding of coordinates to 32-bit floats.
///
/// # Errors
/// A coordinate out of the range of 32-bit floats, or more than 4 GiB of data.
pub fn write_glb(soup: &TriangleSoup) -> Result<Vec<u8>, GltfError> {
    let content = Content::new(soup)?;
    let mut json = content.json("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = |bytes: &[u8]| number(bytes.len());
    let total = 12 + 8 + json.len() + 8 + content.binary.len();
    let mut bytes = b"glTF".to_vec();
    for word in [2, number(total)?, length(&json)?] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend(length(&content.binary)?.to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(content.binary);
    Ok(bytes)
}

/// Writes a `.gltf` file with an embedded buffer; it reads back as from [`write_glb`].
///
/// # Errors
/// As [`write_glb`].
pub fn write_gltf(soup: &TriangleSoup) -> Result<String, GltfError> {
    let content = Content::new(soup)?;
    let data = base64::encode(&content.binary);
    Ok(content.json(&format!(
        ",\"uri\":\"data:application/octet-stream;base64,{data}\""
    )))
}

fn number(count: usize) -> Result<u32, GltfError> {
    u32::try_from(count).map_err(|_beyond| GltfError::TooLarge {
        what: "bytes",
        found: count as u64,
        limit: u32::MAX.into(),
    })
}

/// The binary data of a file and the values of its JSON.
struct Content {
    /// Positions, then vertex indices; a multiple of four bytes.
    binary: Vec<u8>,
    n_vertices: u32,
    n_triangles: u32,
    low: [f32; 3],
    high: [f32; 3],
}

impl Content {
    fn new(soup: &TriangleSoup) -> Result<Self, GltfError> {
        let mut content = Self {
            binary: Vec::new(),
            n_vertices: number(soup.vertices().len())?,
            n_triangles: number(soup.triangles().len())?,
            low: [f32::INFINITY; 3],
            high: [f32::NEG_INFINITY; 3],
        };
        for (element, &vertex) in soup.vertices().iter().enumerate() {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the format has 32-bit floats"
            )]
            let vertex = Up::Y.convert(vertex).map(|at| at as f32);
            if !vertex.iter().all(|at| at.is_finite()) {
                return Err(GltfError::Unsupported {
                    what: "accessor",
                    index: 0,
                    expected: "coordinates in the range of 32-bit floats",
                    found: format!("another at element {element}"),
                });
            }
            for (axis, at) in vertex.into_iter().enumerate() {
                content.low[axis] = content.low[axis].min(at);
                content.high[axis] = content.high[axis].max(at);
                content.binary.extend(at.to_le_bytes());
            }
        }
        for &triangle in soup.triangles() {
            for vertex in flipped(triangle) {
                content.binary.extend(vertex.to_le_bytes());
            }
        }
        number(content.binary.len())?;
        Ok(content)
    }

    fn json(&self, uri: &str) -> String {
        if self.n_vertices == 0 || self.n_triangles == 0 {
            return String::from("{\"asset\":{\"version\":\"2.0\"}}");
        }
        let n_bytes = self.binary.len();
        let (n_vertices, n_indices) = (self.n_vertices, u64::from(self.n_triangles) * 3);
        let n_position_bytes = u64::from(n_vertices) * 12;
        let n_index_bytes = n_indices * 4;
        let list = |[x, y, z]: [f32; 3]| format!("[{x:?},{y:?},{z:?}]");
        let (low, high) = (list(self.low), list(self.high));
        format!(
            "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"wayfarer\"}},\
             \"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"mesh\":0}}],\
             \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}}],\
             \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{n_vertices},\
             \"type\":\"VEC3\",\"min\":{low},\"max\":{high}}},\
             {{\"bufferView\":1,\"componentType\":5125,\"count\":{n_indices},\"type\":\"SCALAR\"}}],\
             \"bufferViews\":[{{\"buffer\":0,\"byteOffset\":0,\"byteLength\":{n_position_bytes},\
             \"target\":34962}},{{\"buffer\":0,\"byteOffset\":{n_position_bytes},\
             \"byteLength\":{n_index_bytes},\"target\":34963}}],\
             \"buffers\":[{{\"byteLength\":{n_bytes}{uri}}}]}}"
        )
    }
}
