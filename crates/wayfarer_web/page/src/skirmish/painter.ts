/** The skirmish from above. */

import { polyline } from "../draw/board";
import { css, palette, type Palette } from "../palette";
import { STRIDE, type Moment } from "./messages";

/** Radii by kind: soldier, tank, boat, drone, in meters. */
const RADII = [0.55, 1.5, 1.1, 0.6] as const;
/** Range and half the angle of sight cones, in meters and radians. */
const SIGHT = { range: 30, half: Math.PI / 6 };

/** What does not change in a game. */
export interface Field {
  side: number;
  tiles: Uint8Array;
  walls: Int32Array;
}

export class Painter {
  private readonly background = document.createElement("canvas");
  private field: Field = { side: 1, tiles: new Uint8Array(), walls: new Int32Array() };

  set(field: Field): void {
    this.field = field;
    this.paint();
  }

  /** Paints the tiles, also after a change of colors. */
  paint(): void {
    const { side, tiles } = this.field;
    const colors = palette();
    this.background.width = side;
    this.background.height = side;
    const pixels = new ImageData(side, side);
    tiles.forEach((tile, index) => {
      const color = [colors.ground, colors.swamp, colors.water][tile] ?? colors.other;
      pixels.data.set([...color, 255], index * 4);
    });
    this.background.getContext("2d")?.putImageData(pixels, 0, 0);
  }

  ground(context: CanvasRenderingContext2D, scale: number, { doors, solids }: Moment): void {
    const colors = palette();
    const { walls } = this.field;
    context.imageSmoothingEnabled = false;
    context.drawImage(this.background, 0, 0);
    context.strokeStyle = colors.text;
    context.lineWidth = Math.max(0.3, 1.6 / scale);
    context.beginPath();
    for (let at = 0; at < walls.length; at += 4) {
      context.moveTo(walls[at] ?? 0, walls[at + 1] ?? 0);
      context.lineTo(walls[at + 2] ?? 0, walls[at + 3] ?? 0);
    }
    context.stroke();
    context.lineWidth = Math.max(0.45, 2.5 / scale);
    strokeDoors(context, doors, 1, css(colors.ground));
    strokeDoors(context, doors, 0, colors.door);
    context.fillStyle = colors.solid;
    context.beginPath();
    for (let at = 0; at < solids.length; at += 6) {
      const [x = 0, y = 0, , right = 0, bottom = 0] = solids.subarray(at, at + 6);
      context.rect(x, y, right - x, bottom - y);
    }
    context.fill();
  }

  paths(context: CanvasRenderingContext2D, scale: number, paths: Moment["paths"], selected: number | undefined): void {
    context.lineJoin = "round";
    context.strokeStyle = palette().path;
    for (const [unit, path] of paths) {
      if (selected === undefined || selected === unit) {
        context.globalAlpha = selected === unit ? 1 : 0.5;
        context.lineWidth = (selected === unit ? 2.5 : 1.4) / scale;
        polyline(context, path);
      }
    }
    context.globalAlpha = 1;
  }

  /** Units at places between two moments; all of a team in one path, which is much the fastest. */
  units(context: CanvasRenderingContext2D, scale: number, units: Float64Array, shows: { cones: boolean; selected: number | undefined }): void {
    const colors = palette();
    for (const team of [0, 1] as const) {
      context.fillStyle = colors.teams[team];
      if (shows.cones) {
        context.globalAlpha = 0.05;
        cones(context, units, team);
        context.globalAlpha = 1;
      }
      context.beginPath();
      for (let at = 0; at < units.length; at += STRIDE) {
        if ((units[at + 6] === 1 ? 1 : 0) === team) {
          outline(context, scale, units, at);
        }
      }
      context.fill();
    }
    ring(context, scale, units, shows.selected, colors);
  }
}

/** The doors that are open (1) or closed (0). */
function strokeDoors(context: CanvasRenderingContext2D, doors: Int32Array, state: 0 | 1, color: string): void {
  context.strokeStyle = color;
  context.beginPath();
  for (let at = 0; at < doors.length; at += 5) {
    const [x = 0, y = 0, outX = 0, outY = 0, isOpen = 0] = doors.subarray(at, at + 5);
    if (isOpen !== state) {
      continue;
    }
    if (x === outX) {
      const line = Math.max(y, outY);
      context.moveTo(x, line);
      context.lineTo(x + 1, line);
    } else {
      const line = Math.max(x, outX);
      context.moveTo(line, y);
      context.lineTo(line, y + 1);
    }
  }
  context.stroke();
}

/** Each cone is filled by itself: where they overlap, they add up. */
function cones(context: CanvasRenderingContext2D, units: Float64Array, team: 0 | 1): void {
  for (let at = 0; at < units.length; at += STRIDE) {
    const [x = 0, y = 0, , dx = 0, dy = 0, , unitTeam = 0] = units.subarray(at, at + STRIDE);
    if ((unitTeam === 1 ? 1 : 0) !== team) {
      continue;
    }
    const angle = Math.atan2(dy, dx);
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, SIGHT.range, angle - SIGHT.half, angle + SIGHT.half);
    context.fill();
  }
}

/** Adds a unit to the path: soldiers and boats round, tanks square, drones as arrows. */
function outline(context: CanvasRenderingContext2D, scale: number, units: Float64Array, at: number): void {
  const [x = 0, y = 0, , dx = 0, dy = 0, kind = 0] = units.subarray(at, at + STRIDE);
  const radius = Math.max(RADII[kind] ?? 0.5, 2.2 / scale);
  if (kind === 3) {
    context.moveTo(x + dx * radius * 2, y + dy * radius * 2);
    context.lineTo(x - dx * radius - dy * radius, y - dy * radius + dx * radius);
    context.lineTo(x - dx * radius + dy * radius, y - dy * radius - dx * radius);
    context.closePath();
  } else if (kind === 1) {
    context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  } else {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
}

function ring(context: CanvasRenderingContext2D, scale: number, units: Float64Array, selected: number | undefined, colors: Palette): void {
  if (selected === undefined || selected * STRIDE >= units.length) {
    return;
  }
  const [x = 0, y = 0, , , , kind = 0] = units.subarray(selected * STRIDE, (selected + 1) * STRIDE);
  context.strokeStyle = colors.text;
  context.lineWidth = 2 / scale;
  context.beginPath();
  context.arc(x, y, Math.max(RADII[kind] ?? 0.5, 2.2 / scale) * 2, 0, 2 * Math.PI);
  context.stroke();
}
