//! Merges open cells into rectangles: the polygon mesh of `polyanya`.

use wayfarer_engine::base::Column;

use crate::open_cells::OpenCells;

/// Whatever is not open ground.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// A mesh of rectangles whose corners lie on the lattice between the cells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct RectangleMesh {
    /// For each vertex its place and the polygons around it, counter-clockwise where y points up;
    /// `OUTSIDE` for what is not open, equal neighbors once.
    pub(super) vertices: Vec<(i32, i32, Vec<u32>)>,
    /// For each polygon every vertex on its border, counter-clockwise.
    pub(super) polygons: Vec<Vec<u32>>,
}

/// Cuts the open cells into rectangles: from the first cell left, row by row, as far east as it
/// goes, then as far south as the whole width goes.
pub(super) fn cut(open: &OpenCells) -> RectangleMesh {
    let (width, height) = (side(open.width()), side(open.height()));
    let mut owner = vec![OUTSIDE; open.flags().len()];
    let mut rectangles: Vec<[i32; 4]> = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let is_free = |x: i32, y: i32, owner: &[u32]| {
                let cell = Column::new(x, y);
                open.is_open(cell)
                    && open
                        .index(cell)
                        .is_some_and(|index| owner[index] == OUTSIDE)
            };
            if !is_free(x, y, &owner) {
                continue;
            }
            let east = (x..width)
                .find(|&east| !is_free(east, y, &owner))
                .unwrap_or(width);
            let is_whole = |y: i32| (x..east).all(|x| is_free(x, y, &owner));
            let south = (y..height)
                .find(|&south| !is_whole(south))
                .unwrap_or(height);
            let number = number(rectangles.len());
            for y in y..south {
                for x in x..east {
                    owner[open
                        .index(Column::new(x, y))
                        .expect("an open cell lies on the map")] = number;
                }
            }
            rectangles.push([x, y, east, south]);
        }
    }
    join(open, &owner, &rectangles)
}

/// Finds the vertices and the rectangles that share them.
fn join(open: &OpenCells, owner: &[u32], rectangles: &[[i32; 4]]) -> RectangleMesh {
    let (width, height) = (side(open.width()), side(open.height()));
    let stride = open.width() as usize + 1;
    let place = |x: i32, y: i32| {
        usize::try_from(y).expect("not negative") * stride
            + usize::try_from(x).expect("not negative")
    };
    let mut is_vertex = vec![false; stride * (open.height() as usize + 1)];
    for &[west, north, east, south] in rectangles {
        for (x, y) in [(west, north), (east, north), (east, south), (west, south)] {
            is_vertex[place(x, y)] = true;
        }
    }
    let owner_of = |x: i32, y: i32| {
        open.index(Column::new(x, y))
            .map_or(OUTSIDE, |index| owner[index])
    };
    let mut mesh = RectangleMesh::default();
    let mut names = vec![OUTSIDE; is_vertex.len()];
    for y in 0..=height {
        for x in 0..=width {
            if !is_vertex[place(x, y)] {
                continue;
            }
            let mut around = vec![
                owner_of(x, y),
                owner_of(x - 1, y),
                owner_of(x - 1, y - 1),
                owner_of(x, y - 1),
            ];
            around.dedup();
            if around.len() > 1 && around.first() == around.last() {
                around.pop();
            }
            names[place(x, y)] = number(mesh.vertices.len());
            mesh.vertices.push((x, y, around));
        }
    }
    for &[west, north, east, south] in rectangles {
        let border = (west..east)
            .map(|x| (x, north))
            .chain((north..south).map(|y| (east, y)))
            .chain((west..east).rev().map(|x| (x + 1, south)))
            .chain((north..south).rev().map(|y| (west, y + 1)));
        let vertices = border.map(|(x, y)| names[place(x, y)]);
        mesh.polygons
            .push(vertices.filter(|&name| name != OUTSIDE).collect());
    }
    mesh
}

fn side(length: u32) -> i32 {
    i32::try_from(length).expect("a map has at most 2^30 cells")
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a map has at most 2^30 cells")
}
