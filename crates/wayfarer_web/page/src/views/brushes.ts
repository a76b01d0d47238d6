/** The brushes, methods and sizes of the ground view. */

import type { Point } from "../draw/board";
import { palette } from "../palette";
import type { GroundScene } from "../wasm";

export type Brush = "move" | "wall" | "floor" | "swamp" | "water" | "cost" | "solid" | "door" | "link";

export const BRUSHES: readonly (readonly [Brush, string, string])[] = [
  ["move", "Look", "M"],
  ["wall", "Wall", "W"],
  ["floor", "Floor", "F"],
  ["swamp", "Swamp", "S"],
  ["water", "Water", "A"],
  ["cost", "Cost ×4", "C"],
  ["solid", "Solid", "B"],
  ["door", "Door", "D"],
  ["link", "Link", "L"],
];

export const METHODS = [
  ["bounded", "Bounded, ≤ 1.10 ×"],
  ["optimal", "Optimal: cached JPS"],
  ["jps", "JPS: no cache"],
  ["astar", "A*: cell by cell"],
  ["dijkstra", "Dijkstra"],
  ["any-angle", "Any-angle"],
  ["hierarchical", "Hierarchical"],
] as const;
export type Method = (typeof METHODS)[number][0];

export const SIZES = [["128", "128 × 128 m"], ["256", "256 × 256 m"], ["512", "512 × 512 m"], ["1024", "1024 × 1024 m"]] as const;

export function brushColor(brush: Brush): string {
  const colors = palette();
  const rgb = (color: readonly [number, number, number]) => `rgb(${color.join(",")})`;
  const of: Record<Brush, string> = {
    move: "transparent",
    wall: rgb(colors.void),
    floor: rgb(colors.ground),
    swamp: rgb(colors.swamp),
    water: rgb(colors.water),
    cost: colors.cost,
    solid: colors.solid,
    door: colors.door,
    link: colors.link,
  };
  return of[brush];
}

/** A thin wall across the shorter gap at a place, with a link for the door in it. */
export function doorAt(ground: GroundScene, at: Point, ceiling: number, z: number): { wall: Float64Array; link: Float64Array } {
  const [x, y] = [Math.floor(at.x), Math.floor(at.y)];
  const isOpen = (column: number, row: number) => ground.project(new Float64Array([column + 0.5, row + 0.5, ceiling + 0.1])).length === 3;
  const reach = (dx: number, dy: number) => {
    let n = 0;
    while (n < 12 && isOpen(x + dx * (n + 1), y + dy * (n + 1))) {
      n++;
    }
    return n;
  };
  const [west, east, north, south] = [reach(-1, 0), reach(1, 0), reach(0, -1), reach(0, 1)];
  const isAcross = west + east < north + south;
  const wall = isAcross ? [x - west, y, z, x + east + 1, y, z] : [x, y - north, z, x, y + south + 1, z];
  const link = isAcross ? [x + 0.5, y - 0.5, z, x + 0.5, y + 0.5, z] : [x - 0.5, y + 0.5, z, x + 0.5, y + 0.5, z];
  return { wall: new Float64Array(wall), link: new Float64Array(link) };
}
