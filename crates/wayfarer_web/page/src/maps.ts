/** Sample maps as files of the grid benchmarks: letters per cell, `.` ground, `S` swamp, `W` water, `@` none. */

/** Random numbers of a seed, from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

export type MapKind = "town" | "floors" | "caves" | "rooms" | "maze" | "wilds" | "empty";

export const MAPS: readonly (readonly [MapKind, string])[] = [
  ["town", "Town"],
  ["floors", "Two floors and stairs"],
  ["rooms", "Rooms and doors"],
  ["caves", "Caves"],
  ["maze", "Maze"],
  ["wilds", "Wilds: swamp and water"],
  ["empty", "Open field"],
];

type Grid = { side: number; cells: string[] };

const at = (grid: Grid, x: number, y: number): string => grid.cells[y * grid.side + x] ?? "@";

function fill(grid: Grid, x: number, y: number, width: number, height: number, letter: string): void {
  for (let row = Math.max(y, 0); row < Math.min(y + height, grid.side); row++) {
    for (let column = Math.max(x, 0); column < Math.min(x + width, grid.side); column++) {
      grid.cells[row * grid.side + column] = letter;
    }
  }
}

/** Smooth noise from 0 to 1. */
function noise(next: () => number, side: number, size: number): (x: number, y: number) => number {
  const columns = Math.ceil(side / size) + 2;
  const lattice = Array.from({ length: columns * columns }, next);
  const value = (x: number, y: number) => lattice[y * columns + x] ?? 0;
  return (x, y) => {
    const [cx, cy] = [Math.floor(x / size), Math.floor(y / size)];
    const ease = (t: number) => t * t * (3 - 2 * t);
    const [dx, dy] = [ease(x / size - cx), ease(y / size - cy)];
    const along = (row: number) => value(cx, row) * (1 - dx) + value(cx + 1, row) * dx;
    return along(cy) * (1 - dy) + along(cy + 1) * dy;
  };
}

function town(grid: Grid, next: () => number): void {
  const river = noise(next, grid.side, Math.max(grid.side / 5, 8));
  for (let x = 0; x < grid.side; x++) {
    const middle = Math.floor(grid.side * (0.36 + 0.3 * river(x, 3)));
    fill(grid, x, middle, 1, Math.max(Math.round(grid.side / 40), 3), "W");
  }
  const bridges = Math.max(Math.round(grid.side / 40), 3);
  for (let bridge = 0; bridge < bridges; bridge++) {
    const x = Math.floor((bridge + 0.25 + 0.5 * next()) * (grid.side / bridges));
    fill(grid, x, 0, 3, grid.side, ".");
  }
  const block = 14;
  for (let y = 2; y < grid.side - block; y += block) {
    for (let x = 2; x < grid.side - block; x += block) {
      const [width, height] = [5 + Math.floor(next() * 6), 5 + Math.floor(next() * 6)];
      let isDry = true;
      for (let row = y - 1; row <= y + height; row++) {
        for (let column = x - 1; column <= x + width; column++) {
          isDry &&= at(grid, column, row) === ".";
        }
      }
      if (!isDry || next() < 0.12) {
        if (isDry) {
          fill(grid, x, y, width, height, "S");
        }
        continue;
      }
      fill(grid, x, y, width, height, "@");
      fill(grid, x + 1, y + 1, width - 2, height - 2, ".");
      const door = 1 + Math.floor(next() * (width - 3));
      fill(grid, x + door, next() < 0.5 ? y : y + height - 1, 2, 1, ".");
    }
  }
}

function rooms(grid: Grid, next: () => number): void {
  const size = 16;
  for (let line = 0; line < grid.side; line += size) {
    fill(grid, line, 0, 1, grid.side, "@");
    fill(grid, 0, line, grid.side, 1, "@");
  }
  for (let y = 0; y < grid.side; y += size) {
    for (let x = 0; x < grid.side; x += size) {
      const place = () => 2 + Math.floor(next() * (size - 5));
      if (next() < 0.8 && x > 0) {
        fill(grid, x, y + place(), 1, 3, ".");
      }
      if (next() < 0.8 && y > 0) {
        fill(grid, x + place(), y, 3, 1, ".");
      }
    }
  }
}

function caves(grid: Grid, next: () => number): void {
  grid.cells = grid.cells.map(() => (next() < 0.43 ? "@" : "."));
  for (let round = 0; round < 5; round++) {
    const before = { side: grid.side, cells: [...grid.cells] };
    for (let y = 0; y < grid.side; y++) {
      for (let x = 0; x < grid.side; x++) {
        let rocks = 0;
        for (let row = y - 1; row <= y + 1; row++) {
          for (let column = x - 1; column <= x + 1; column++) {
            const isOutside = column < 0 || row < 0 || column >= grid.side || row >= grid.side;
            rocks += isOutside || at(before, column, row) === "@" ? 1 : 0;
          }
        }
        grid.cells[y * grid.side + x] = rocks >= 5 ? "@" : ".";
      }
    }
  }
}

function maze(grid: Grid, next: () => number): void {
  const step = 4;
  const n = Math.floor((grid.side - 1) / step);
  fill(grid, 0, 0, grid.side, grid.side, "@");
  const seen = new Set<number>([0]);
  const stack = [0];
  const open = (cell: number) => fill(grid, 1 + (cell % n) * step, 1 + Math.floor(cell / n) * step, step - 1, step - 1, ".");
  open(0);
  while (stack.length > 0) {
    const cell = stack[stack.length - 1] ?? 0;
    const [x, y] = [cell % n, Math.floor(cell / n)];
    const free = [[1, 0], [-1, 0], [0, 1], [0, -1]].filter(([dx = 0, dy = 0]) => {
      const isInside = x + dx >= 0 && y + dy >= 0 && x + dx < n && y + dy < n;
      return isInside && !seen.has((y + dy) * n + x + dx);
    });
    const [dx = 0, dy = 0] = free[Math.floor(next() * free.length)] ?? [];
    if (free.length === 0) {
      stack.pop();
      continue;
    }
    const to = (y + dy) * n + x + dx;
    seen.add(to);
    open(to);
    fill(grid, 1 + (x + Math.min(dx, 0)) * step + (dx === 0 ? 0 : step - 1), 1 + (y + Math.min(dy, 0)) * step + (dy === 0 ? 0 : step - 1), dx === 0 ? step - 1 : 1, dy === 0 ? step - 1 : 1, ".");
    stack.push(to);
  }
}

function wilds(grid: Grid, next: () => number): void {
  const height = noise(next, grid.side, Math.max(grid.side / 6, 8));
  const moist = noise(next, grid.side, Math.max(grid.side / 9, 6));
  for (let y = 0; y < grid.side; y++) {
    for (let x = 0; x < grid.side; x++) {
      const level = height(x, y);
      grid.cells[y * grid.side + x] = level < 0.3 ? "W" : level > 0.84 ? "@" : moist(x, y) > 0.58 ? "S" : ".";
    }
  }
}

/** The file of a map. */
export function mapFile(kind: MapKind, side: number, seed: number): Uint8Array {
  const grid: Grid = { side, cells: new Array<string>(side * side).fill(".") };
  const next = random(seed * 7919 + 17);
  if (kind === "town") town(grid, next);
  if (kind === "rooms") rooms(grid, next);
  if (kind === "caves") caves(grid, next);
  if (kind === "maze") maze(grid, next);
  if (kind === "wilds") wilds(grid, next);
  const rows = Array.from({ length: side }, (_, y) => grid.cells.slice(y * side, (y + 1) * side).join(""));
  return new TextEncoder().encode(`type octile\nheight ${side}\nwidth ${side}\nmap\n${rows.join("\n")}\n`);
}

/** Height of the upper floors of the map `floors` in meters. */
export const UPPER = 4;

/** The halls of the map `floors`, as rectangles of the upper floor, and their stairs, six numbers each. */
export function halls(side: number, seed: number): { floors: number[][]; stairs: number[][] } {
  const next = random(seed * 271 + 9);
  const floors: number[][] = [];
  const stairs: number[][] = [];
  const pitch = 32;
  for (let y = 6; y + pitch <= side; y += pitch) {
    for (let x = 6; x + pitch <= side; x += pitch) {
      const [width, height] = [16 + Math.floor(next() * 6), 16 + Math.floor(next() * 6)];
      floors.push([x, y, x + width, y + height]);
      const column = x + 2 + Math.floor(next() * (width - 4)) + 0.5;
      stairs.push([column, y - 1.5, 0, column, y + 0.5, UPPER]);
      if (next() < 0.6 && x + pitch + 16 < side) {
        // A bridge to the next hall.
        const row = y + 4 + Math.floor(next() * 8);
        floors.push([x + width, row, x + pitch, row + 2]);
      }
    }
  }
  return { floors, stairs };
}
