/** A world on the ground as an image that follows edits, with its overlays. */

import { css, palette, type Rgb } from "../palette";
import type { Point } from "../draw/board";
import type { GroundScene } from "../wasm";

export type Coloring = "terrain" | "regions" | "components" | "cost";

export interface Extent {
  x: number;
  y: number;
  z: number;
  width: number;
  height: number;
  top: number;
}

/** Cells along a side of a sector. */
const SECTOR = 16;
const NO_FLOOR = 255;
const NO_COMPONENT = 65535;

export class Field {
  readonly extent: Extent;
  coloring: Coloring = "terrain";
  /** Floors above this height are not shown. */
  ceiling: number;
  private readonly image: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly columns: number;
  private readonly rows: number;
  private readonly cell: number;

  constructor(readonly ground: GroundScene) {
    const corners = ground.extent();
    if (corners.length < 6) {
      throw new Error("The world has no floors: nothing to walk on. Load another file.");
    }
    const [x = 0, y = 0, z = 0, right = 0, bottom = 0, top = 0] = corners;
    this.extent = { x, y, z, width: right - x, height: bottom - y, top };
    this.ceiling = top;
    this.cell = ground.cell();
    this.columns = Math.round(this.extent.width / this.cell);
    this.rows = Math.round(this.extent.height / this.cell);
    this.image = document.createElement("canvas");
    this.image.width = this.columns;
    this.image.height = this.rows;
    const context = this.image.getContext("2d");
    if (context === null) {
      throw new Error("this browser draws no canvas");
    }
    this.context = context;
    this.refresh();
  }

  get hasFloors(): boolean {
    return this.extent.top > this.extent.z;
  }

  /** Draws the image again, all of it or the part around places. */
  refresh(around?: { from: Point; to: Point; radius: number }): void {
    const { x, y, width, height, z } = this.extent;
    const inset = this.cell / 4;
    let [low, high] = [{ x: x + inset, y: y + inset }, { x: x + width - inset, y: y + height - inset }];
    if (around !== undefined && this.coloring !== "components") {
      const margin = around.radius + this.cell * (this.coloring === "regions" ? 17 : 2);
      low = {
        x: Math.max(low.x, Math.min(around.from.x, around.to.x) - margin),
        y: Math.max(low.y, Math.min(around.from.y, around.to.y) - margin),
      };
      high = {
        x: Math.min(high.x, Math.max(around.from.x, around.to.x) + margin),
        y: Math.min(high.y, Math.max(around.from.y, around.to.y) + margin),
      };
      if (low.x > high.x || low.y > high.y) {
        return;
      }
    }
    const floors = this.ground.floors(new Float64Array([low.x, low.y, z, high.x, high.y, this.ceiling]));
    const { terrains, heights, walkable, regions, components, multipliers, origin } = floors;
    const pixels = new ImageData(floors.width, floors.height);
    const colors = palette();
    const terrainColors: readonly Rgb[] = [colors.ground, colors.swamp, colors.water];
    for (let index = 0; index < terrains.length; index++) {
      const terrain = terrains[index] ?? NO_FLOOR;
      let color: Rgb = terrain === NO_FLOOR ? colors.void : (terrainColors[terrain] ?? colors.other);
      const isWalkable = walkable[index] === 1;
      if (terrain !== NO_FLOOR && !isWalkable && terrain !== 2) {
        color = colors.blocked;
      }
      if (this.hasFloors && terrain === 0) {
        // Higher floors are lighter.
        const share = ((heights[index] ?? z) - z) / (this.extent.top - z);
        const to = (at: 0 | 1 | 2) => Math.round(color[at] + (colors.raised[at] - color[at]) * share);
        color = [to(0), to(1), to(2)];
      }
      if (isWalkable && this.coloring === "regions") {
        color = colors.regions[(regions[index] ?? 0) % 12] ?? color;
      } else if (isWalkable && this.coloring === "components" && components[index] !== NO_COMPONENT) {
        color = colors.components[(components[index] ?? 0) % 12] ?? color;
      } else if (isWalkable && this.coloring === "cost") {
        const share = Math.min(((multipliers[index] ?? 1) - 1) / 7, 1);
        const to = (at: 0 | 1 | 2) => Math.round(color[at] * (1 - share) + ([226, 92, 60][at] ?? 0) * share);
        color = [to(0), to(1), to(2)];
      }
      pixels.data[index * 4] = color[0];
      pixels.data[index * 4 + 1] = color[1];
      pixels.data[index * 4 + 2] = color[2];
      pixels.data[index * 4 + 3] = 255;
    }
    floors.free();
    const column = Math.round(((origin[0] ?? 0) - x) / this.cell);
    const row = Math.round(((origin[1] ?? 0) - y) / this.cell);
    this.context.putImageData(pixels, column, row);
  }

  draw(context: CanvasRenderingContext2D, scale: number): void {
    const { x, y, width, height } = this.extent;
    context.imageSmoothingEnabled = false;
    context.drawImage(this.image, x, y, width, height);
    context.strokeStyle = css(palette().ground, 0.9);
    context.lineWidth = 1 / scale;
    context.strokeRect(x, y, width, height);
    if (scale * this.cell >= 9) {
      context.strokeStyle = palette().grid;
      context.beginPath();
      for (let column = 0; column <= this.columns; column++) {
        context.moveTo(x + column * this.cell, y);
        context.lineTo(x + column * this.cell, y + height);
      }
      for (let row = 0; row <= this.rows; row++) {
        context.moveTo(x, y + row * this.cell);
        context.lineTo(x + width, y + row * this.cell);
      }
      context.stroke();
    }
  }

  /** The abstract graph: edges as thick as their support. */
  drawPortals(context: CanvasRenderingContext2D, scale: number): void {
    const edges = this.ground.portals();
    context.strokeStyle = palette().link;
    context.globalAlpha = 0.75;
    for (let at = 0; at + 6 < edges.length; at += 7) {
      context.lineWidth = (0.6 + Math.min((edges[at + 6] ?? 1) / 5, 4)) / scale;
      context.beginPath();
      context.moveTo(edges[at] ?? 0, edges[at + 1] ?? 0);
      context.lineTo(edges[at + 3] ?? 0, edges[at + 4] ?? 0);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** The squares of all regions that a path crosses, topmost floors only: what a search over regions leaves open. */
  corridor(cells: Float64Array): Point[] {
    const { x, y, z, width, height } = this.extent;
    const inset = this.cell / 4;
    const floors = this.ground.floors(new Float64Array([x + inset, y + inset, z, x + width - inset, y + height - inset, this.ceiling]));
    const { walkable, width: columns, height: rows } = floors;
    floors.free();
    const sector = (at: number, low: number) => Math.floor((Math.round(low / this.cell) + at) / SECTOR);
    const seen = new Uint8Array(walkable.length);
    const stack: number[] = [];
    const visit = (column: number, row: number) => {
      const index = row * columns + column;
      if (column >= 0 && row >= 0 && column < columns && row < rows && walkable[index] === 1 && seen[index] === 0) {
        seen[index] = 1;
        stack.push(index);
      }
    };
    const found: Point[] = [];
    for (let at = 0; at < cells.length; at += 3) {
      visit(Math.floor(((cells[at] ?? 0) - x) / this.cell), Math.floor(((cells[at + 1] ?? 0) - y) / this.cell));
      for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
        const [column, row] = [index % columns, Math.floor(index / columns)];
        found.push({ x: x + column * this.cell, y: y + row * this.cell });
        for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
          if (sector(column + dx, x) === sector(column, x) && sector(row + dy, y) === sector(row, y)) {
            visit(column + dx, row + dy);
          }
        }
      }
    }
    return found;
  }

  /** The floor nearest to a place where the agent fits, the place itself first; rings of growing size. */
  nearestFloor(at: Point): [number, number, number] | undefined {
    for (let ring = 0; ring <= 24; ring++) {
      for (let side = 0; side < Math.max(8 * ring, 1); side++) {
        const angle = (side / Math.max(8 * ring, 1)) * 2 * Math.PI;
        const [x, y] = [at.x + Math.cos(angle) * ring * this.cell, at.y + Math.sin(angle) * ring * this.cell];
        const found = this.ground.project(new Float64Array([x, y, this.ceiling + 0.1]));
        if (found.length === 3) {
          const [cx = 0, cy = 0, cz = 0] = found;
          return ring === 0 ? [x, y, cz] : [cx, cy, cz];
        }
      }
    }
    return undefined;
  }

  clamp(at: Point): Point {
    const { x, y, width, height } = this.extent;
    const inset = this.cell / 2;
    return {
      x: Math.min(Math.max(at.x, x + inset), x + width - inset),
      y: Math.min(Math.max(at.y, y + inset), y + height - inset),
    };
  }
}

/** Links as arcs, doors as bars. */
export function drawLinks(context: CanvasRenderingContext2D, links: ArrayLike<number>, scale: number): void {
  const colors = palette();
  for (let at = 0; at + 7 < links.length; at += 8) {
    const from = { x: links[at] ?? 0, y: links[at + 1] ?? 0 };
    const to = { x: links[at + 3] ?? 0, y: links[at + 4] ?? 0 };
    const isDoor = links[at + 6] === 4;
    const isOpen = links[at + 7] === 1;
    context.strokeStyle = isDoor ? colors.door : colors.link;
    context.globalAlpha = isOpen ? 1 : 0.9;
    if (isDoor) {
      const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
      const normal = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
      const half = 0.7;
      context.lineWidth = Math.max(0.22, 3 / scale);
      context.setLineDash(isOpen ? [0.25, 0.35] : []);
      context.beginPath();
      context.moveTo(middle.x - normal.x * half, middle.y - normal.y * half);
      context.lineTo(middle.x + normal.x * half, middle.y + normal.y * half);
      context.stroke();
      context.setLineDash([]);
    } else {
      context.lineWidth = Math.max(0.16, 2 / scale);
      context.setLineDash(isOpen ? [] : [0.3, 0.3]);
      const bend = { x: (from.x + to.x) / 2 + (to.y - from.y) * 0.2, y: (from.y + to.y) / 2 - (to.x - from.x) * 0.2 };
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.quadraticCurveTo(bend.x, bend.y, to.x, to.y);
      context.stroke();
      context.setLineDash([]);
      for (const end of [from, to]) {
        context.beginPath();
        context.arc(end.x, end.y, Math.max(0.22, 3 / scale), 0, 2 * Math.PI);
        context.fillStyle = colors.link;
        context.fill();
      }
    }
    context.globalAlpha = 1;
  }
}
