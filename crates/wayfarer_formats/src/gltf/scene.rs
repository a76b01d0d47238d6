//! Which meshes a glTF file shows, and where each copy stands.

use super::GltfError;
use super::document::{Document, Node};

/// Where a copy of a mesh stands: rows of the 3 x 4 matrix that places it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Placing([[f64; 4]; 3]);

impl Placing {
    const NONE: Self = Self([
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]);

    /// This placing inside of `outer`.
    fn inside(&self, outer: &Self) -> Self {
        let mut placing = [[0.0; 4]; 3];
        for (row, out) in placing.iter_mut().zip(&outer.0) {
            for (column, cell) in row.iter_mut().enumerate() {
                let last = if column == 3 { out[3] } else { 0.0 };
                *cell = out[0] * self.0[0][column]
                    + out[1] * self.0[1][column]
                    + out[2] * self.0[2][column]
                    + last;
            }
        }
        Self(placing)
    }

    /// Where a corner of the mesh comes to stand.
    pub(super) fn place(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0
            .map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
    }

    /// True if it turns a mesh inside out.
    pub(super) fn is_mirror(&self) -> bool {
        let [a, b, c] = self.0;
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        determinant < 0.0
    }

    fn of(node: &Node) -> Self {
        if let Some(matrix) = &node.matrix {
            // Column by column in the file.
            return Self([0, 1, 2].map(|row| [0, 4, 8, 12].map(|column| matrix[row + column])));
        }
        let shift = node.translation.as_deref().copied().unwrap_or([0.0; 3]);
        let [x, y, z, w] = node
            .rotation
            .as_deref()
            .copied()
            .unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let scale = node.scale.as_deref().copied().unwrap_or([1.0; 3]);
        let rotation = [
            [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y - z * w),
                2.0 * (x * z + y * w),
            ],
            [
                2.0 * (x * y + z * w),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - x * w),
            ],
            [
                2.0 * (x * z - y * w),
                2.0 * (y * z + x * w),
                1.0 - 2.0 * (x * x + y * y),
            ],
        ];
        let row = |row: usize| {
            let [a, b, c] = rotation[row];
            [a * scale[0], b * scale[1], c * scale[2], shift[row]]
        };
        Self([row(0), row(1), row(2)])
    }
}

/// Finds what a number names.
pub(super) fn named<'a, T>(
    list: &'a [T],
    by: &'static str,
    what: &'static str,
    index: u32,
) -> Result<&'a T, GltfError> {
    list.get(index as usize).ok_or(GltfError::NoSuch {
        by,
        what,
        index: index.into(),
        count: list.len() as u64,
    })
}

/// The meshes that are shown, each with the place of its copy, in the order of the file.
pub(super) fn copies(document: &Document<'_>) -> Result<Vec<(u32, Placing)>, GltfError> {
    if document.nodes.is_empty() && document.scenes.is_empty() {
        let meshes = (0..).zip(&document.meshes);
        return Ok(meshes.map(|(mesh, _)| (mesh, Placing::NONE)).collect());
    }
    let mut copies = Vec::new();
    let mut seen = vec![false; document.nodes.len()];
    // Nodes still to visit, the next one last; each node is put here once.
    let mut ahead = Vec::new();
    for root in roots(document)?.into_iter().rev() {
        visit(root, Placing::NONE, &mut seen, &mut ahead)?;
    }
    while let Some((index, outer)) = ahead.pop() {
        let node = named(&document.nodes, "a scene or node", "node", index)?;
        let placing = Placing::of(node).inside(&outer);
        if let Some(mesh) = node.mesh {
            named(&document.meshes, "a node", "mesh", mesh)?;
            copies.push((mesh, placing));
        }
        for child in node.children.iter().rev() {
            visit(*child, placing, &mut seen, &mut ahead)?;
        }
    }
    Ok(copies)
}

/// Puts a node on the list of those to visit; an error if it was there before.
fn visit(
    index: u32,
    outer: Placing,
    seen: &mut [bool],
    ahead: &mut Vec<(u32, Placing)>,
) -> Result<(), GltfError> {
    named(seen, "a scene or node", "node", index)?;
    if std::mem::replace(&mut seen[index as usize], true) {
        return Err(GltfError::Unfit {
            what: "node",
            index,
            expected: "at most one parent",
            found: String::from("more, or itself among its own"),
        });
    }
    ahead.push((index, outer));
    Ok(())
}

/// The nodes to begin with: those of the scene shown, or all that are nobody's child.
fn roots(document: &Document<'_>) -> Result<Vec<u32>, GltfError> {
    if !document.scenes.is_empty() || document.scene.is_some() {
        let scene = document.scene.unwrap_or(0);
        let scene = named(&document.scenes, "the file", "scene", scene)?;
        return Ok(scene.nodes.clone());
    }
    let mut is_child = vec![false; document.nodes.len()];
    for child in document.nodes.iter().flat_map(|node| &node.children) {
        named(&document.nodes, "a node", "node", *child)?;
        is_child[*child as usize] = true;
    }
    let nodes = (0..).zip(&is_child);
    Ok(nodes
        .filter(|(_, is_child)| !**is_child)
        .map(|(node, _)| node)
        .collect())
}
