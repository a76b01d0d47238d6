/** Rocks: closed meshes with shared vertices, counter-clockwise seen from outside. */

export interface Mesh {
  /** Three numbers per vertex, around the origin. */
  vertices: Float64Array;
  /** Three vertices per triangle. */
  triangles: Uint32Array;
}

/** A sphere from an octahedron, its vertices moved in and out by a random share. */
export function rock(radius: number, next: () => number, rounds = 2): Mesh {
  let vertices: number[][] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
  let triangles = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
  for (let round = 0; round < rounds; round++) {
    const middles = new Map<string, number>();
    const middle = (a: number, b: number): number => {
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      const known = middles.get(key);
      if (known !== undefined) {
        return known;
      }
      const [from = [], to = []] = [vertices[a], vertices[b]];
      const sum = [0, 1, 2].map((axis) => (from[axis] ?? 0) + (to[axis] ?? 0));
      const length = Math.hypot(...sum);
      vertices.push(sum.map((value) => value / length));
      middles.set(key, vertices.length - 1);
      return vertices.length - 1;
    };
    triangles = triangles.flatMap(([a = 0, b = 0, c = 0]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
    });
  }
  vertices = vertices.map((vertex) => {
    const by = radius * (0.82 + 0.3 * next());
    return vertex.map((value) => value * by);
  });
  return { vertices: new Float64Array(vertices.flat()), triangles: new Uint32Array(triangles.flat()) };
}

export function moved(mesh: Mesh, x: number, y: number, z: number): Float64Array {
  return mesh.vertices.map((value, index) => value + ([x, y, z][index % 3] ?? 0));
}
