//! Writes triangles as glTF: one mesh, one node, one scene.

use wayfarer_base::TriangleSoup;

use super::{GltfError, base64};
use crate::mesh::{Up, flipped};

/// Writes a `.glb` file; reading gives the same triangles back, coordinates rounded to 32 bits.
///
/// # Errors
/// Coordinates beyond what 32-bit floats hold, or more than 4 GiB of them.
pub fn write_glb(soup: &TriangleSoup) -> Result<Vec<u8>, GltfError> {
    let parts = Parts::new(soup)?;
    let mut json = parts.json("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = |bytes: &[u8]| number(bytes.len());
    let total = 12 + 8 + json.len() + 8 + parts.binary.len();
    let mut bytes = b"glTF".to_vec();
    for word in [2, number(total)?, length(&json)?] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend(length(&parts.binary)?.to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(parts.binary);
    Ok(bytes)
}

/// Writes a `.gltf` file with its data embedded; reading gives the same triangles back,
/// coordinates rounded to 32 bits.
///
/// # Errors
/// As [`write_glb`].
pub fn write_gltf(soup: &TriangleSoup) -> Result<String, GltfError> {
    let parts = Parts::new(soup)?;
    let data = base64::encode(&parts.binary);
    Ok(parts.json(&format!(
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

/// The data of a file and what the JSON says of them.
struct Parts {
    /// Positions, then corners of triangles; a multiple of four bytes.
    binary: Vec<u8>,
    n_corners: u32,
    n_triangles: u32,
    low: [f32; 3],
    high: [f32; 3],
}

impl Parts {
    fn new(soup: &TriangleSoup) -> Result<Self, GltfError> {
        let mut parts = Self {
            binary: Vec::new(),
            n_corners: number(soup.vertices().len())?,
            n_triangles: number(soup.triangles().len())?,
            low: [f32::INFINITY; 3],
            high: [f32::NEG_INFINITY; 3],
        };
        for (element, &corner) in soup.vertices().iter().enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "the format holds 32 bits")]
            let corner = Up::Y.turn(corner).map(|at| at as f32);
            if !corner.iter().all(|at| at.is_finite()) {
                return Err(GltfError::Unfit {
                    what: "accessor",
                    index: 0,
                    expected: "coordinates that 32-bit floats hold",
                    found: format!("another at element {element}"),
                });
            }
            for (axis, at) in corner.into_iter().enumerate() {
                parts.low[axis] = parts.low[axis].min(at);
                parts.high[axis] = parts.high[axis].max(at);
                parts.binary.extend(at.to_le_bytes());
            }
        }
        for &triangle in soup.triangles() {
            for corner in flipped(triangle) {
                parts.binary.extend(corner.to_le_bytes());
            }
        }
        number(parts.binary.len())?;
        Ok(parts)
    }

    fn json(&self, uri: &str) -> String {
        if self.n_corners == 0 || self.n_triangles == 0 {
            return String::from("{\"asset\":{\"version\":\"2.0\"}}");
        }
        let n_bytes = self.binary.len();
        let (n_corners, n_indices) = (self.n_corners, u64::from(self.n_triangles) * 3);
        let n_position_bytes = u64::from(n_corners) * 12;
        let n_index_bytes = n_indices * 4;
        let list = |[x, y, z]: [f32; 3]| format!("[{x:?},{y:?},{z:?}]");
        let (low, high) = (list(self.low), list(self.high));
        format!(
            "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"wayfarer\"}},\
             \"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"mesh\":0}}],\
             \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}}],\
             \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{n_corners},\
             \"type\":\"VEC3\",\"min\":{low},\"max\":{high}}},\
             {{\"bufferView\":1,\"componentType\":5125,\"count\":{n_indices},\"type\":\"SCALAR\"}}],\
             \"bufferViews\":[{{\"buffer\":0,\"byteOffset\":0,\"byteLength\":{n_position_bytes},\
             \"target\":34962}},{{\"buffer\":0,\"byteOffset\":{n_position_bytes},\
             \"byteLength\":{n_index_bytes},\"target\":34963}}],\
             \"buffers\":[{{\"byteLength\":{n_bytes}{uri}}}]}}"
        )
    }
}
