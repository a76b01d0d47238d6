/** The scenes of the crowd. */

import type { Point } from "../draw/board";
import { random } from "../maps";

export type Key = "circle" | "crossing" | "corridor" | "gate" | "march" | "goal";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A yard with walls, and an agent for each pair of ends; the group decides the color. */
export interface Plan {
  width: number;
  height: number;
  walls: Box[];
  ends: [Point, Point, number][];
  /** Where the groups march together; without it each agent goes to its own end. */
  goals?: [Point, Point];
}

/** Width of the gaps that groups march through, in meters. */
const GAP = 4;

export const PLANS: Record<Key, (n: number, seed: number) => Plan> = {
  circle(n) {
    const arm = Math.max(n * 0.2, 6);
    const side = Math.ceil(2 * arm) + 8;
    const at = (turn: number): Point => ({ x: side / 2 + arm * Math.cos(turn), y: side / 2 + arm * Math.sin(turn) });
    const ends = Array.from({ length: n }, (_, index): [Point, Point, number] => {
      const turn = (2 * Math.PI * index) / n;
      return [at(turn), at(turn + Math.PI), index < n / 2 ? 0 : 1];
    });
    return { width: side, height: side, walls: [], ends };
  },
  crossing(n) {
    const rows = Math.max(Math.round(Math.sqrt(n / 2)), 1);
    const side = Math.ceil(rows * 4.5) + 16;
    const first = side / 2 - rows * 0.75;
    const ends = Array.from({ length: n }, (_, index): [Point, Point, number] => {
      const [across, along] = [first + 1.5 * (Math.floor(index / 2) % rows), 2 + 1.5 * Math.floor(index / 2 / rows)];
      const end = side - 2 - 1.5 * (rows - 1) + along - 2;
      return index % 2 === 0 ? [{ x: along, y: across }, { x: end, y: across }, 0] : [{ x: across, y: along }, { x: across, y: end }, 1];
    });
    return { width: side, height: side, walls: [], ends };
  },
  corridor(n, seed) {
    const next = random(seed * 13 + 1);
    const [half, width] = [Math.floor(n / 2), 4];
    const length = half + 40;
    const ends = Array.from({ length: 2 * half }, (_, index): [Point, Point, number] => {
      const y = 0.6 + next() * (width - 1.2);
      const [west, east] = [2 + Math.floor(index / 2) / 2, length - 2 - Math.floor(index / 2) / 2];
      return index % 2 === 0 ? [{ x: west, y }, { x: east, y }, 0] : [{ x: east, y }, { x: west, y }, 1];
    });
    return { width: length, height: width, walls: [], ends };
  },
  gate(n) {
    const columns = Math.max(Math.ceil(Math.sqrt(n)), 4);
    const side = columns + 6;
    const gap = Math.floor(side / 2);
    const walls = [
      { x: side, y: 0, width: 1, height: gap },
      { x: side, y: gap + 2, width: 1, height: side - gap - 2 },
    ];
    const ends = Array.from({ length: n }, (_, index): [Point, Point, number] => {
      const [x, y] = [index % columns, Math.floor(index / columns)];
      return [{ x: 2.5 + x, y: 3.5 + y }, { x: side + 4.5 + x, y: 3.5 + y }, y < columns / 2 ? 0 : 1];
    });
    return { width: 2 * side + 2, height: side, walls, ends };
  },
  march(n) {
    const half = Math.ceil(n / 2);
    const columns = Math.max(Math.ceil(Math.sqrt(half)), 2);
    const side = Math.ceil(columns * 1.5) + 8;
    const width = 4 * side;
    // Two walls across the yard, a gap for each group: blocks become columns there and spread again behind.
    const wall = (x: number, gap: number): Box[] => [
      { x, y: 0, width: 1, height: gap },
      { x, y: gap + GAP, width: 1, height: side - GAP },
      { x, y: side + gap + GAP, width: 1, height: side - gap - GAP },
    ];
    const ends = Array.from({ length: n }, (_, index): [Point, Point, number] => {
      const team = index < half ? 0 : 1;
      const place = index % half;
      const at = { x: 3 + 1.5 * (place % columns), y: 4 + team * side + 1.5 * Math.floor(place / columns) };
      return [at, { x: width - at.x, y: at.y }, team];
    });
    const goal = (team: number): Point => ({ x: width - 4.5, y: Math.floor(side * (team + 0.5)) + 0.5 });
    return {
      width, height: 2 * side, ends, goals: [goal(0), goal(1)],
      walls: [...wall(Math.floor(width * 0.36), Math.floor(side * 0.2)), ...wall(Math.floor(width * 0.66), Math.floor(side * 0.5))],
    };
  },
  goal(n, seed) {
    const next = random(seed * 17 + 3);
    const side = Math.ceil(Math.sqrt(n) * 3) + 10;
    const center = { x: side / 2, y: side / 2 };
    const columns = Math.ceil(Math.sqrt(n));
    const ends = Array.from({ length: n }, (_, index): [Point, Point, number] => {
      const step = (side - 4) / columns;
      const at = { x: 2 + step * (index % columns) + next() * 0.5, y: 2 + step * Math.floor(index / columns) + next() * 0.5 };
      return [at, center, at.x < center.x ? 0 : 1];
    });
    return { width: side, height: side, walls: [], ends };
  },
};
