/** A canvas with pan, zoom and pointer events in world units; y points down as in the map files. */

import { theme } from "../palette";
import { onceAFrame } from "../ui/view";

export interface Point {
  x: number;
  y: number;
}

export interface BoardHandlers {
  /** Draws in world units; `scale` is the pixels per unit. */
  draw(context: CanvasRenderingContext2D, scale: number): void;
  /** True if the view takes the pointer: a drag then does not pan. */
  down?(at: Point, event: PointerEvent): boolean;
  drag?(at: Point, event: PointerEvent): void;
  up?(at: Point): void;
  hover?(at: Point, event: PointerEvent): void;
  leave?(): void;
}

export class Board {
  readonly canvas = document.createElement("canvas");
  readonly redraw: () => void;
  private readonly context: CanvasRenderingContext2D;
  private readonly observer: ResizeObserver;
  private center: Point = { x: 0, y: 0 };
  private scale = 8;
  private area = { x: 0, y: 0, width: 1, height: 1 };
  private isFitted = true;
  private ratio = 1;
  private readonly pointers = new Map<number, Point>();
  private taken: number | undefined;
  private readonly onTheme: () => void;

  constructor(private readonly handlers: BoardHandlers) {
    const context = this.canvas.getContext("2d");
    if (context === null) {
      throw new Error("this browser draws no canvas");
    }
    this.context = context;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.redraw = onceAFrame(() => this.draw());
    this.onTheme = () => this.redraw();
    addEventListener("themechange", this.onTheme);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas);
    this.canvas.addEventListener("pointerdown", (event) => this.down(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.up(event));
    this.canvas.addEventListener("pointercancel", (event) => this.up(event));
    this.canvas.addEventListener("pointerleave", () => handlers.leave?.());
    this.canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  close(): void {
    this.observer.disconnect();
    removeEventListener("themechange", this.onTheme);
  }

  /** Shows a rectangle of the world, and again when the canvas is resized. */
  fit(x: number, y: number, width: number, height: number): void {
    this.area = { x, y, width: Math.max(width, 1), height: Math.max(height, 1) };
    this.isFitted = true;
    this.resize();
  }

  zoom(factor: number, around: Point = this.center): void {
    this.isFitted = false;
    const next = Math.min(Math.max(this.scale * factor, 0.2), 160);
    const share = this.scale / next;
    this.center = {
      x: around.x + (this.center.x - around.x) * share,
      y: around.y + (this.center.y - around.y) * share,
    };
    this.scale = next;
    this.redraw();
  }

  pan(dx: number, dy: number): void {
    this.isFitted = false;
    this.center = { x: this.center.x + dx / this.scale, y: this.center.y + dy / this.scale };
    this.redraw();
  }

  /** Pixels of the canvas element for a place of the world. */
  toScreen(at: Point): Point {
    return {
      x: (at.x - this.center.x) * this.scale + this.canvas.clientWidth / 2,
      y: (at.y - this.center.y) * this.scale + this.canvas.clientHeight / 2,
    };
  }

  /** Pixels per unit. */
  get pixels(): number {
    return this.scale;
  }

  private toWorld(x: number, y: number): Point {
    return {
      x: (x - this.canvas.clientWidth / 2) / this.scale + this.center.x,
      y: (y - this.canvas.clientHeight / 2) / this.scale + this.center.y,
    };
  }

  private at(event: PointerEvent | WheelEvent): Point {
    const box = this.canvas.getBoundingClientRect();
    return this.toWorld(event.clientX - box.left, event.clientY - box.top);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    this.canvas.width = Math.max(Math.round(clientWidth * this.ratio), 1);
    this.canvas.height = Math.max(Math.round(clientHeight * this.ratio), 1);
    if (this.isFitted && clientWidth > 0) {
      const { x, y, width, height } = this.area;
      const margin = 28;
      // Below the map is room for the hint, which phones do not show.
      const foot = clientHeight > 600 ? 30 : 0;
      this.scale = Math.max(Math.min((clientWidth - margin) / width, (clientHeight - margin - foot) / height), 0.2);
      this.center = { x: x + width / 2, y: y + height / 2 + foot / 2 / this.scale };
    }
    this.draw();
  }

  private draw(): void {
    const { context } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const scale = this.scale * this.ratio;
    const x = this.canvas.width / 2 - this.center.x * scale;
    const y = this.canvas.height / 2 - this.center.y * scale;
    context.setTransform(scale, 0, 0, scale, x, y);
    this.handlers.draw(context, this.scale);
  }

  private down(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    const at = this.at(event);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const mayTake = event.button === 0 && this.pointers.size === 1 && !event.shiftKey;
    if (mayTake && this.handlers.down?.(at, event) === true) {
      this.taken = event.pointerId;
    }
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) {
      this.handlers.hover?.(this.at(event), event);
      return;
    }
    const now = { x: event.clientX, y: event.clientY };
    if (this.pointers.size === 2) {
      this.pinch(event.pointerId, before, now);
    } else if (this.taken === event.pointerId) {
      this.handlers.drag?.(this.at(event), event);
    } else {
      this.pan(before.x - now.x, before.y - now.y);
    }
    this.pointers.set(event.pointerId, now);
  }

  /** Two fingers: their distance zooms, their middle pans. */
  private pinch(id: number, before: Point, now: Point): void {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    if (other === undefined) {
      return;
    }
    const length = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) || 1;
    const box = this.canvas.getBoundingClientRect();
    const middle = this.toWorld((now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
    this.zoom(length(now, other) / length(before, other), middle);
    this.pan((before.x - now.x) / 2, (before.y - now.y) / 2);
  }

  private up(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    if (this.taken === event.pointerId) {
      this.taken = undefined;
      this.handlers.up?.(this.at(event));
    }
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * 0.0016), this.at(event));
  }
}

/** Lines through points of three numbers each. */
export function polyline(context: CanvasRenderingContext2D, points: ArrayLike<number>): void {
  context.beginPath();
  for (let at = 0; at + 1 < points.length; at += 3) {
    context.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
  }
  context.stroke();
}

/** A round handle with a letter, as large on every zoom. */
export function handle(
  context: CanvasRenderingContext2D,
  at: Point,
  scale: number,
  color: string,
  letter: string,
): void {
  const radius = 10 / scale;
  context.beginPath();
  context.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  context.lineWidth = 2 / scale;
  context.strokeStyle = "rgba(10,15,20,0.85)";
  context.stroke();
  context.fillStyle = theme() === "dark" ? "#0b1117" : "#ffffff";
  context.font = `700 ${11 / scale}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(letter, at.x, at.y + 0.5 / scale);
}
