//! Voxelization of boxes and random closed meshes.

#![expect(
    clippy::float_cmp,
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "small exact numbers of a test"
)]

use super::*;
use wayfarer_base::Rng;

/// A grid of 81 voxels a side.
fn grid() -> VoxelGrid {
    VoxelGrid::cubes(1.0, Voxel::new(-40, -40, -40), Voxel::new(40, 40, 40))
}

/// The twelve triangles of a box, facing outwards.
fn box_mesh(low: [f64; 3], high: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let vertex = |n: usize| {
        std::array::from_fn(|axis| {
            if n >> axis & 1 == 0 {
                low[axis]
            } else {
                high[axis]
            }
        })
    };
    let faces = vec![
        [0, 2, 1],
        [1, 2, 3], // below
        [4, 5, 6],
        [5, 7, 6], // above
        [0, 1, 4],
        [1, 5, 4], // north
        [2, 6, 3],
        [3, 6, 7], // south
        [0, 4, 2],
        [2, 4, 6], // west
        [1, 3, 5],
        [3, 7, 5], // east
    ];
    ((0..8).map(vertex).collect(), faces)
}

fn soup((vertices, faces): (Vec<[f64; 3]>, Vec<[u32; 3]>)) -> TriangleSoup {
    TriangleSoup::new(vertices, faces).unwrap()
}

fn cube(low: i32, high: i32) -> Spans {
    Spans::from_boxes(&[(Voxel::new(low, low, low), Voxel::new(high, high, high))])
}

#[test]
fn a_box_on_integers_is_exactly_its_voxels() {
    let mesh = soup(box_mesh([-3.0; 3], [5.0; 3]));
    let solid = voxelize(&mesh, &grid(), Fill::Interior).unwrap();
    assert_eq!(solid.spans, cube(-3, 4));
    assert!(solid.boundary_edges.is_empty());
    let shell = voxelize(&mesh, &grid(), Fill::Surface).unwrap();
    assert_eq!(shell.spans.n_voxels(), 8 * 8 * 8 - 6 * 6 * 6);
}

#[test]
fn a_box_with_inverted_winding_is_filled() {
    let (vertices, mut faces) = box_mesh([-3.5; 3], [4.5; 3]);
    for face in &mut faces {
        face.swap(0, 1);
    }
    let solid = voxelize(&soup((vertices, faces)), &grid(), Fill::Interior).unwrap();
    assert_eq!(solid.spans, cube(-4, 4));
}

#[test]
fn a_box_with_some_inverted_faces_is_filled() {
    let (vertices, mut faces) = box_mesh([-3.5; 3], [4.5; 3]);
    faces[2].swap(0, 1);
    faces[3].swap(0, 1);
    let solid = voxelize(&soup((vertices, faces)), &grid(), Fill::Interior).unwrap();
    assert_eq!(solid.spans, cube(-4, 4));
}

#[test]
fn overlapping_boxes_are_solid_in_their_intersection() {
    let (mut vertices, mut faces) = box_mesh([0.5; 3], [20.5; 3]);
    let (more, other) = box_mesh([10.5; 3], [30.5; 3]);
    vertices.extend(more);
    faces.extend(other.iter().map(|face| face.map(|vertex| vertex + 8)));
    let solid = voxelize(&soup((vertices, faces)), &grid(), Fill::Interior).unwrap();
    assert_eq!(
        solid.spans,
        Spans::from_runs(cube(0, 20).runs().chain(cube(10, 30).runs()).collect())
    );
}

#[test]
fn a_cavity_of_a_closed_mesh_stays_free() {
    let (mut vertices, mut faces) = box_mesh([0.0; 3], [20.0; 3]);
    let (more, other) = box_mesh([5.0; 3], [15.0; 3]);
    vertices.extend(more);
    faces.extend(other.iter().map(|&[a, b, c]| [b + 8, a + 8, c + 8]));
    let solid = voxelize(&soup((vertices, faces)), &grid(), Fill::Interior).unwrap();
    assert!(!solid.spans.is_solid(Voxel::new(10, 10, 10)));
    assert_eq!(solid.spans.n_voxels(), 20_u64.pow(3) - 10_u64.pow(3));
}

#[test]
fn a_missing_face_has_three_boundary_edges() {
    for missing in 0..12 {
        let (vertices, mut faces) = box_mesh([0.25; 3], [8.25; 3]);
        let [a, ..] = faces
            .remove(missing)
            .map(|vertex| vertices[vertex as usize]);
        let solid = voxelize(&soup((vertices, faces)), &grid(), Fill::Interior).unwrap();
        assert_eq!(solid.boundary_edges.n_edges, 3, "face {missing}");
        assert!(
            solid
                .boundary_edges
                .first
                .iter()
                .any(|edge| edge.from == a || edge.to == a),
            "face {missing}: {:?} has no edge at {a:?}",
            solid.boundary_edges.first
        );
        // The other faces are unaffected.
        assert!(solid.spans.n_voxels() >= 9 * 9 * 9 - 7 * 7 * 7 - 9 * 9 / 2);
    }
}

#[test]
fn degenerate_triangles_and_those_beyond_the_bounds_are_accepted() {
    let vertices = vec![
        [1.5, 1.5, 1.5],
        [6.5, 1.5, 1.5],
        [4.0, 1.5, 1.5],
        [-4e6, -4e6, 7.5],
        [4e6, -4e6, 7.5],
        [0.0, 4e6, 7.5],
        [3.0, 3.0, 3.0],
    ];
    let mesh = |face| TriangleSoup::new(vertices.clone(), vec![face]).unwrap();
    let spans = |face| {
        voxelize(&mesh(face), &grid(), Fill::Interior)
            .unwrap()
            .spans
    };
    assert_eq!(spans([0, 0, 0]).n_voxels(), 1);
    let row = Spans::from_boxes(&[(Voxel::new(1, 1, 1), Voxel::new(6, 1, 1))]);
    assert_eq!(spans([0, 1, 2]), row);
    assert_eq!(
        spans([6, 6, 6]).n_voxels(),
        0,
        "a point on a vertex is in no voxel"
    );
    let sheet = Spans::from_boxes(&[(Voxel::new(-40, -40, 7), Voxel::new(40, 40, 7))]);
    assert_eq!(spans([3, 4, 5]), sheet);
}

#[test]
fn errors_state_the_value_found() {
    let mesh = TriangleSoup::new(vec![[0.0, 5e6, 0.0]; 3], vec![[0, 1, 2]]).unwrap();
    let error = voxelize(&mesh, &grid(), Fill::Interior).unwrap_err();
    assert_eq!(
        error.to_string(),
        "vertex 0 lies at [0.0, 5000000.0, 0.0] voxels from the origin, expected at most 4194304 \
         on each axis"
    );
    let mut flat = grid();
    flat.voxel[2] = 0.0;
    let error = voxelize(&mesh, &flat, Fill::Interior).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the grid's voxel is 0, expected more than 0"
    );
    let wide = VoxelGrid::cubes(1.0, Voxel::new(0, 0, 0), Voxel::new(i32::MAX, 0, 0));
    assert!(matches!(
        voxelize(&mesh, &wide, Fill::Interior),
        Err(VoxelizeError::InvalidGrid { what: "bounds", .. })
    ));
}

/// No leak: free voxels connected to the border never touch the interior of a closed mesh, whatever
/// its vertices.
#[test]
fn the_surface_of_any_closed_mesh_has_no_hole() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut near = |at: f64| at + f64::from(rng.between(-512, 512)) / 256.0;
        let (vertices, faces) = box_mesh([-6.0; 3], [6.0; 3]);
        let vertices = vertices.iter().map(|c| c.map(&mut near)).collect();
        let mesh = soup((vertices, faces));
        let solid = voxelize(&mesh, &grid(), Fill::Surface).unwrap();
        let (side, center) = (24_i32, Voxel::new(0, 0, 0));
        let index = |v: Voxel| ((v.z + 12) * side * side + (v.y + 12) * side + v.x + 12) as usize;
        let mut seen = vec![false; (side * side * side) as usize];
        let mut open = vec![Voxel::new(-12, -12, -12)];
        while let Some(at) = open.pop() {
            let inside = |c: i32| (-12..12).contains(&c);
            if !(inside(at.x) && inside(at.y) && inside(at.z))
                || seen[index(at)]
                || solid.spans.is_solid(at)
            {
                continue;
            }
            seen[index(at)] = true;
            for (dx, dy, dz) in [
                (1, 0, 0),
                (-1, 0, 0),
                (0, 1, 0),
                (0, -1, 0),
                (0, 0, 1),
                (0, 0, -1),
            ] {
                open.push(Voxel::new(at.x + dx, at.y + dy, at.z + dz));
            }
        }
        assert!(!seen[index(center)], "seed {seed} leaks");
        let filled = voxelize(&mesh, &grid(), Fill::Interior).unwrap();
        for (number, seen) in seen.iter().enumerate() {
            let number = number as i32;
            let at = Voxel::new(
                number % side - 12,
                number / side % side - 12,
                number / side / side - 12,
            );
            assert_eq!(filled.spans.is_solid(at), !seen, "seed {seed} at {at}");
        }
    }
}
