//! Scene graph traversal: mesh instances with their world transforms.

use super::GltfError;
use super::document::{Document, Node};

/// An affine transform: the rows of a 3 x 4 matrix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Transform([[f64; 4]; 3]);

impl Transform {
    const IDENTITY: Self = Self([
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]);

    /// The product `parent` · `self`.
    fn after(&self, parent: &Self) -> Self {
        let mut product = [[0.0; 4]; 3];
        for (row, out) in product.iter_mut().zip(&parent.0) {
            for (column, cell) in row.iter_mut().enumerate() {
                let last = if column == 3 { out[3] } else { 0.0 };
                *cell = out[0] * self.0[0][column]
                    + out[1] * self.0[1][column]
                    + out[2] * self.0[2][column]
                    + last;
            }
        }
        Self(product)
    }

    /// The transformed position.
    pub(super) fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0
            .map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
    }

    /// True if the transform includes a reflection (negative determinant).
    pub(super) fn is_reflection(&self) -> bool {
        let [a, b, c] = self.0;
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        determinant < 0.0
    }

    fn from_node(node: &Node) -> Self {
        if let Some(matrix) = &node.matrix {
            // Column-major in the file.
            return Self([0, 1, 2].map(|row| [0, 4, 8, 12].map(|column| matrix[row + column])));
        }
        let translation = node.translation.as_deref().copied().unwrap_or([0.0; 3]);
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
            [a * scale[0], b * scale[1], c * scale[2], translation[row]]
        };
        Self([row(0), row(1), row(2)])
    }
}

/// The element at `index`, or the error that `by` refers to none.
pub(super) fn element<'a, T>(
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

/// The mesh instances of the scene in preorder, each as mesh index and world transform.
pub(super) fn instances(document: &Document<'_>) -> Result<Vec<(u32, Transform)>, GltfError> {
    if document.nodes.is_empty() && document.scenes.is_empty() {
        let meshes = (0..).zip(&document.meshes);
        return Ok(meshes
            .map(|(mesh, _)| (mesh, Transform::IDENTITY))
            .collect());
    }
    let mut instances = Vec::new();
    let mut is_visited = vec![false; document.nodes.len()];
    // Depth-first stack with parent transforms; each node is pushed once.
    let mut stack = Vec::new();
    for root in roots(document)?.into_iter().rev() {
        push_node(root, Transform::IDENTITY, &mut is_visited, &mut stack)?;
    }
    while let Some((index, parent)) = stack.pop() {
        let node = element(&document.nodes, "a scene or node", "node", index)?;
        let transform = Transform::from_node(node).after(&parent);
        if let Some(mesh) = node.mesh {
            element(&document.meshes, "a node", "mesh", mesh)?;
            instances.push((mesh, transform));
        }
        for child in node.children.iter().rev() {
            push_node(*child, transform, &mut is_visited, &mut stack)?;
        }
    }
    Ok(instances)
}

/// Pushes a node; an error if it was pushed before.
fn push_node(
    index: u32,
    parent: Transform,
    is_visited: &mut [bool],
    stack: &mut Vec<(u32, Transform)>,
) -> Result<(), GltfError> {
    element(is_visited, "a scene or node", "node", index)?;
    if std::mem::replace(&mut is_visited[index as usize], true) {
        return Err(GltfError::Unsupported {
            what: "node",
            index,
            expected: "at most one parent",
            found: String::from("several, or a cycle"),
        });
    }
    stack.push((index, parent));
    Ok(())
}

/// The root nodes: those of the scene, or all nodes without a parent.
fn roots(document: &Document<'_>) -> Result<Vec<u32>, GltfError> {
    if !document.scenes.is_empty() || document.scene.is_some() {
        let scene = document.scene.unwrap_or(0);
        let scene = element(&document.scenes, "the file", "scene", scene)?;
        return Ok(scene.nodes.clone());
    }
    let mut is_child = vec![false; document.nodes.len()];
    for child in document.nodes.iter().flat_map(|node| &node.children) {
        element(&document.nodes, "a node", "node", *child)?;
        is_child[*child as usize] = true;
    }
    let nodes = (0..).zip(&is_child);
    Ok(nodes
        .filter(|(_, is_child)| !**is_child)
        .map(|(node, _)| node)
        .collect())
}
