//! Decodes triangles from the buffers of a glTF file; accessors are bounds-checked before use.

use wayfarer_base::TriangleSoup;

use super::document::Primitive;
use super::file::File;
use super::scene::{Transform, element};
use super::{GltfError, MAX_PRIMITIVES, MAX_TRIANGLES, MAX_VERTICES};
use crate::mesh::{MeshOptions, flipped};

/// Component type codes of the format.
const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// Primitive mode: how vertices form triangles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    List,
    Strip,
    Fan,
}

/// The elements of an accessor, entirely within their buffer.
#[derive(Clone, Copy, Debug)]
struct Elements<'a> {
    accessor: u32,
    /// From the first byte of the first element to the last byte of the last.
    bytes: &'a [u8],
    stride: usize,
    count: u32,
    component: u32,
}

impl<'a> Elements<'a> {
    /// The elements of accessor `index`, which must have the given shape and component types.
    fn find(
        file: &'a File<'_>,
        index: u32,
        (shape, n_components): (&'static str, u32),
        components: &[u32],
    ) -> Result<Self, GltfError> {
        let document = &file.document;
        let accessor = element(&document.accessors, "a primitive", "accessor", index)?;
        let unsupported = |expected, found| GltfError::Unsupported {
            what: "accessor",
            index,
            expected,
            found,
        };
        if accessor.shape != shape || !components.contains(&accessor.component_type) {
            let found = format!("{} of {}", accessor.shape, accessor.component_type);
            let expected = match shape {
                "VEC3" => "VEC3 of 5126 (positions as floats)",
                _ => "SCALAR of 5121, 5123 or 5125 (unsigned integers)",
            };
            return Err(unsupported(expected, found));
        }
        let (Some(buffer_view_index), None) = (accessor.buffer_view, &accessor.sparse) else {
            return Err(unsupported(
                "a buffer view",
                String::from("none, or a sparse one"),
            ));
        };
        let buffer_view = element(
            &document.buffer_views,
            "an accessor",
            "buffer view",
            buffer_view_index,
        )?;
        let buffer = element(&file.buffers, "a buffer view", "buffer", buffer_view.buffer)?;

        let component_size = match accessor.component_type {
            BYTE => 1,
            SHORT => 2,
            _ => 4,
        };
        let size = u64::from(n_components * component_size);
        let stride = buffer_view.byte_stride.map_or(size, u64::from);
        if stride < size {
            return Err(unsupported(
                "a stride of at least an element",
                stride.to_string(),
            ));
        }
        let buffer_view_end =
            u64::from(buffer_view.byte_offset) + u64::from(buffer_view.byte_length);
        if buffer_view_end > buffer.len() as u64 {
            return Err(GltfError::OutOfBounds {
                what: "buffer view",
                index: buffer_view_index,
                end: buffer_view_end,
                limit: buffer.len() as u64,
            });
        }
        let length = match accessor.count {
            0 => 0,
            count => stride * (u64::from(count) - 1) + size,
        };
        let end = u64::from(accessor.byte_offset) + length;
        if end > u64::from(buffer_view.byte_length) {
            return Err(GltfError::OutOfBounds {
                what: "accessor",
                index,
                end,
                limit: buffer_view.byte_length.into(),
            });
        }
        // Within the buffer, hence within `usize`.
        let start = buffer_view.byte_offset as usize + accessor.byte_offset as usize;
        let bytes = usize::try_from(length).ok().and_then(|length| {
            let bytes = buffer.get(start..)?;
            bytes.get(..length)
        });
        Ok(Self {
            accessor: index,
            bytes: bytes.unwrap_or_default(),
            stride: usize::try_from(stride).unwrap_or(usize::MAX),
            count: accessor.count,
            component: accessor.component_type,
        })
    }

    /// The bytes of each element, with padding up to the stride.
    fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.chunks(self.stride).take(self.count as usize)
    }

    /// Elements of three floats.
    fn positions(&self) -> impl Iterator<Item = [f64; 3]> {
        let float = |bytes: &[u8], at: usize| {
            let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk());
            bytes.map_or(0.0, |bytes| f64::from(f32::from_le_bytes(*bytes)))
        };
        self.iter()
            .map(move |bytes| [float(bytes, 0), float(bytes, 4), float(bytes, 8)])
    }

    /// Elements of one unsigned integer.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        let component = self.component;
        self.iter().map(move |bytes| match (component, bytes) {
            (BYTE, [a, ..]) => u32::from(*a),
            (SHORT, [a, b, ..]) => u32::from(u16::from_le_bytes([*a, *b])),
            (_, [a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => u32::MAX,
        })
    }
}

/// A primitive with checked accessors.
struct CheckedPrimitive<'a> {
    positions: Elements<'a>,
    /// Vertex order is file order without indices.
    indices: Option<Elements<'a>>,
    mode: Mode,
    transform: Transform,
}

impl<'a> CheckedPrimitive<'a> {
    /// `None` for points, lines and primitives without positions.
    fn find(
        file: &'a File<'_>,
        mesh: u32,
        primitive: &Primitive,
        transform: Transform,
    ) -> Result<Option<Self>, GltfError> {
        let mode = match primitive.mode.unwrap_or(4) {
            0..=3 => return Ok(None),
            4 => Mode::List,
            5 => Mode::Strip,
            6 => Mode::Fan,
            other => {
                return Err(GltfError::Unsupported {
                    what: "mesh",
                    index: mesh,
                    expected: "a mode from 0 to 6",
                    found: other.to_string(),
                });
            }
        };
        let Some(position) = primitive.attributes.position else {
            return Ok(None);
        };
        let positions = Elements::find(file, position, ("VEC3", 3), &[FLOAT])?;
        let indices = primitive
            .indices
            .map(|indices| Elements::find(file, indices, ("SCALAR", 1), &[BYTE, SHORT, INT]))
            .transpose()?;
        let checked = Self {
            positions,
            indices,
            mode,
            transform,
        };
        if mode == Mode::List && !checked.n_indices().is_multiple_of(3) {
            return Err(GltfError::Unsupported {
                what: "mesh",
                index: mesh,
                expected: "three vertices per triangle",
                found: format!("{} vertices", checked.n_indices()),
            });
        }
        Ok(Some(checked))
    }

    /// Number of vertex references, duplicates included.
    fn n_indices(&self) -> u32 {
        self.indices.map_or(self.positions.count, |list| list.count)
    }

    fn n_triangles(&self) -> u32 {
        match self.mode {
            Mode::List => self.n_indices() / 3,
            Mode::Strip | Mode::Fan => self.n_indices().saturating_sub(2),
        }
    }

    /// Appends its vertices and triangles.
    fn append(
        &self,
        options: &MeshOptions,
        vertices: &mut Vec<[f64; 3]>,
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), GltfError> {
        let (positions, transform) = (self.positions, self.transform);
        let base = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
        for (element, position) in positions.positions().enumerate() {
            let vertex = options.convert(transform.apply(position));
            vertices.push(vertex.ok_or_else(|| GltfError::Unsupported {
                what: "accessor",
                index: positions.accessor,
                expected: "positions that are finite after the transform",
                found: format!("another at element {element}"),
            })?);
        }
        // The axis conversion flips the winding; a reflecting transform flips it back.
        let is_flipped = !transform.is_reflection();
        let mut push = |triangle: [u32; 3]| {
            let triangle = triangle.map(|vertex| base + vertex);
            triangles.push(if is_flipped {
                flipped(triangle)
            } else {
                triangle
            });
        };
        match self.indices {
            None => assemble(self.mode, (0..positions.count).map(Ok), &mut push),
            Some(indices) => {
                let checked = indices.numbers().map(|index| {
                    if index < positions.count {
                        return Ok(index);
                    }
                    Err(GltfError::NoSuch {
                        by: "a triangle",
                        what: "vertex",
                        index: index.into(),
                        count: positions.count.into(),
                    })
                });
                assemble(self.mode, checked, &mut push)
            }
        }
    }
}

/// Assembles triangles from vertex indices.
fn assemble(
    mode: Mode,
    vertices: impl Iterator<Item = Result<u32, GltfError>>,
    push: &mut impl FnMut([u32; 3]),
) -> Result<(), GltfError> {
    // The first two vertices of the next triangle.
    let mut held = [0; 2];
    for (number, vertex) in vertices.enumerate() {
        let vertex = vertex?;
        let is_last = match mode {
            Mode::List => number % 3 == 2,
            Mode::Strip | Mode::Fan => number >= 2,
        };
        if is_last {
            let is_odd = mode == Mode::Strip && number % 2 == 1;
            let [a, b] = held;
            push(if is_odd {
                [b, a, vertex]
            } else {
                [a, b, vertex]
            });
        }
        held = match (mode, number) {
            (Mode::List, _) => match number % 3 {
                0 => [vertex, 0],
                _ => [held[0], vertex],
            },
            (_, 0) => [vertex, 0],
            (_, 1) | (Mode::Fan, _) => [held[0], vertex],
            (Mode::Strip, _) => [held[1], vertex],
        };
    }
    Ok(())
}

/// All triangles of all mesh instances; checked against the limits before allocation.
pub(super) fn triangles(
    file: &File<'_>,
    instances: &[(u32, Transform)],
    options: &MeshOptions,
) -> Result<TriangleSoup, GltfError> {
    let primitives = |mesh: u32| {
        let found = file.document.meshes.get(mesh as usize);
        found.map_or(&[][..], |mesh| &mesh.primitives)
    };
    let n_primitives = instances
        .iter()
        .map(|&(mesh, _)| primitives(mesh).len() as u64)
        .sum();
    check_limit("primitives in all instances", n_primitives, MAX_PRIMITIVES)?;
    let checked_primitives = || {
        instances.iter().flat_map(|&(mesh, transform)| {
            primitives(mesh).iter().filter_map(move |primitive| {
                CheckedPrimitive::find(file, mesh, primitive, transform).transpose()
            })
        })
    };
    let (mut n_vertices, mut n_triangles) = (0, 0);
    for primitive in checked_primitives() {
        let primitive = primitive?;
        n_vertices += u64::from(primitive.positions.count);
        n_triangles += u64::from(primitive.n_triangles());
        check_limit("vertices in all instances", n_vertices, MAX_VERTICES)?;
        check_limit("triangles in all instances", n_triangles, MAX_TRIANGLES)?;
    }
    let capacity = |count| usize::try_from(count).unwrap_or(0);
    let mut vertices = Vec::with_capacity(capacity(n_vertices));
    let mut triangles = Vec::with_capacity(capacity(n_triangles));
    for primitive in checked_primitives() {
        primitive?.append(options, &mut vertices, &mut triangles)?;
    }
    TriangleSoup::new(vertices, triangles).map_err(|error| GltfError::Unsupported {
        what: "mesh",
        index: 0,
        expected: "valid vertices and triangles",
        found: error.to_string(),
    })
}

fn check_limit(what: &'static str, found: u64, limit: u64) -> Result<(), GltfError> {
    if found <= limit {
        return Ok(());
    }
    Err(GltfError::TooLarge { what, found, limit })
}
