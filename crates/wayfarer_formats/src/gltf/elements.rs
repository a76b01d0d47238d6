//! Takes triangles out of a glTF file's buffers, every byte checked before it is touched.

use wayfarer_base::TriangleSoup;

use super::document::Primitive;
use super::file::File;
use super::scene::{Placing, named};
use super::{GltfError, MAX_CORNERS, MAX_PRIMITIVES, MAX_TRIANGLES};
use crate::mesh::{MeshOptions, flipped};

/// How the format numbers kinds of components.
const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// How corners are joined to triangles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    List,
    Strip,
    Fan,
}

/// Elements of an accessor that lie wholly in their buffer.
#[derive(Clone, Copy, Debug)]
struct Elements<'a> {
    accessor: u32,
    /// From the first element to the end of the last.
    bytes: &'a [u8],
    stride: usize,
    count: u32,
    component: u32,
}

impl<'a> Elements<'a> {
    /// Finds an accessor's elements; `shape` is the one that is wanted, of `n_components`.
    fn find(
        file: &'a File<'_>,
        index: u32,
        (shape, n_components): (&'static str, u32),
        components: &[u32],
    ) -> Result<Self, GltfError> {
        let document = &file.document;
        let accessor = named(&document.accessors, "a primitive", "accessor", index)?;
        let unfit = |expected, found| GltfError::Unfit {
            what: "accessor",
            index,
            expected,
            found,
        };
        if accessor.shape != shape || !components.contains(&accessor.component_type) {
            let found = format!("{} of {}", accessor.shape, accessor.component_type);
            let expected = match shape {
                "VEC3" => "VEC3 of 5126 (positions as floats)",
                _ => "SCALAR of 5121, 5123 or 5125 (whole numbers)",
            };
            return Err(unfit(expected, found));
        }
        let (Some(buffer_view_index), None) = (accessor.buffer_view, &accessor.sparse) else {
            return Err(unfit(
                "a buffer view",
                String::from("none, or a sparse one"),
            ));
        };
        let profile = named(
            &document.buffer_views,
            "an accessor",
            "buffer view",
            buffer_view_index,
        )?;
        let buffer = named(&file.buffers, "a buffer view", "buffer", profile.buffer)?;

        let component_size = match accessor.component_type {
            BYTE => 1,
            SHORT => 2,
            _ => 4,
        };
        let size = u64::from(n_components * component_size);
        let stride = profile.byte_stride.map_or(size, u64::from);
        if stride < size {
            return Err(unfit("a stride of at least an element", stride.to_string()));
        }
        let buffer_view_end = u64::from(profile.byte_offset) + u64::from(profile.byte_length);
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
        if end > u64::from(profile.byte_length) {
            return Err(GltfError::OutOfBounds {
                what: "accessor",
                index,
                end,
                limit: profile.byte_length.into(),
            });
        }
        // All of it lies in the buffer, so it fits an address.
        let start = profile.byte_offset as usize + accessor.byte_offset as usize;
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

    /// The bytes of each element, and maybe more behind them.
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

    /// Elements of one whole number.
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

/// A primitive whose accessors have been checked.
struct Part<'a> {
    positions: Elements<'a>,
    /// Without them the corners are taken in order.
    indices: Option<Elements<'a>>,
    mode: Mode,
    placing: Placing,
}

impl<'a> Part<'a> {
    /// `None` for points and lines, and for what has no positions.
    fn find(
        file: &'a File<'_>,
        mesh: u32,
        primitive: &Primitive,
        placing: Placing,
    ) -> Result<Option<Self>, GltfError> {
        let mode = match primitive.mode.unwrap_or(4) {
            0..=3 => return Ok(None),
            4 => Mode::List,
            5 => Mode::Strip,
            6 => Mode::Fan,
            other => {
                return Err(GltfError::Unfit {
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
        let part = Self {
            positions,
            indices,
            mode,
            placing,
        };
        if mode == Mode::List && !part.n_named().is_multiple_of(3) {
            return Err(GltfError::Unfit {
                what: "mesh",
                index: mesh,
                expected: "three corners for each triangle",
                found: format!("{} corners", part.n_named()),
            });
        }
        Ok(Some(part))
    }

    /// How many corners the triangles name, repeats counted.
    fn n_named(&self) -> u32 {
        self.indices.map_or(self.positions.count, |list| list.count)
    }

    fn n_triangles(&self) -> u32 {
        match self.mode {
            Mode::List => self.n_named() / 3,
            Mode::Strip | Mode::Fan => self.n_named().saturating_sub(2),
        }
    }

    /// Appends its corners and triangles.
    fn append(
        &self,
        options: &MeshOptions,
        corners: &mut Vec<[f64; 3]>,
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), GltfError> {
        let (positions, placing) = (self.positions, self.placing);
        let base = u32::try_from(corners.len()).unwrap_or(u32::MAX);
        for (element, position) in positions.positions().enumerate() {
            let corner = options.corner(placing.place(position));
            corners.push(corner.ok_or_else(|| GltfError::Unfit {
                what: "accessor",
                index: positions.accessor,
                expected: "positions that are finite where they are placed",
                found: format!("another at element {element}"),
            })?);
        }
        // Turning to our axes flips every triangle; a mirroring placing flips it back.
        let is_flipped = !placing.is_mirror();
        let mut put = |triangle: [u32; 3]| {
            let triangle = triangle.map(|corner| base + corner);
            triangles.push(if is_flipped {
                flipped(triangle)
            } else {
                triangle
            });
        };
        match self.indices {
            None => join(self.mode, (0..positions.count).map(Ok), &mut put),
            Some(indices) => {
                let checked = indices.numbers().map(|index| {
                    if index < positions.count {
                        return Ok(index);
                    }
                    Err(GltfError::NoSuch {
                        by: "a triangle",
                        what: "corner",
                        index: index.into(),
                        count: positions.count.into(),
                    })
                });
                join(self.mode, checked, &mut put)
            }
        }
    }
}

/// Joins corners to triangles.
fn join(
    mode: Mode,
    corners: impl Iterator<Item = Result<u32, GltfError>>,
    put: &mut impl FnMut([u32; 3]),
) -> Result<(), GltfError> {
    // The two corners that the next triangle begins with.
    let mut held = [0; 2];
    for (number, corner) in corners.enumerate() {
        let corner = corner?;
        let is_last = match mode {
            Mode::List => number % 3 == 2,
            Mode::Strip | Mode::Fan => number >= 2,
        };
        if is_last {
            let is_odd = mode == Mode::Strip && number % 2 == 1;
            let [a, b] = held;
            put(if is_odd {
                [b, a, corner]
            } else {
                [a, b, corner]
            });
        }
        held = match (mode, number) {
            (Mode::List, _) => match number % 3 {
                0 => [corner, 0],
                _ => [held[0], corner],
            },
            (_, 0) => [corner, 0],
            (_, 1) | (Mode::Fan, _) => [held[0], corner],
            (Mode::Strip, _) => [held[1], corner],
        };
    }
    Ok(())
}

/// All triangles of all copies; counted against the limits before anything is made.
pub(super) fn triangles(
    file: &File<'_>,
    copies: &[(u32, Placing)],
    options: &MeshOptions,
) -> Result<TriangleSoup, GltfError> {
    let primitives = |mesh: u32| {
        let found = file.document.meshes.get(mesh as usize);
        found.map_or(&[][..], |mesh| &mesh.primitives)
    };
    let n_primitives = copies
        .iter()
        .map(|&(mesh, _)| primitives(mesh).len() as u64)
        .sum();
    check("primitives in all copies", n_primitives, MAX_PRIMITIVES)?;
    let parts = || {
        copies.iter().flat_map(|&(mesh, placing)| {
            primitives(mesh)
                .iter()
                .filter_map(move |primitive| Part::find(file, mesh, primitive, placing).transpose())
        })
    };
    let (mut n_corners, mut n_triangles) = (0, 0);
    for part in parts() {
        let part = part?;
        n_corners += u64::from(part.positions.count);
        n_triangles += u64::from(part.n_triangles());
        check("corners in all copies", n_corners, MAX_CORNERS)?;
        check("triangles in all copies", n_triangles, MAX_TRIANGLES)?;
    }
    let capacity = |count| usize::try_from(count).unwrap_or(0);
    let mut corners = Vec::with_capacity(capacity(n_corners));
    let mut triangles = Vec::with_capacity(capacity(n_triangles));
    for part in parts() {
        part?.append(options, &mut corners, &mut triangles)?;
    }
    TriangleSoup::new(corners, triangles).map_err(|error| GltfError::Unfit {
        what: "mesh",
        index: 0,
        expected: "checked corners and triangles",
        found: error.to_string(),
    })
}

fn check(what: &'static str, found: u64, limit: u64) -> Result<(), GltfError> {
    if found <= limit {
        return Ok(());
    }
    Err(GltfError::TooLarge { what, found, limit })
}
