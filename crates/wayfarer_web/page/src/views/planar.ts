/** Planar: moving bodies, the quadtree that a search grows, and the tangent path beside it. */

import { Board, handle, polyline, type Point } from "../draw/board";
import { random } from "../maps";
import { css, heat, palette } from "../palette";
import { button, check, duration, el, Figures, fixed, group, legend, messageOf, Note, row, slider } from "../ui/dom";
import { animate, arrow, panelOf, stageOf, type Keys, type View } from "../ui/view";
import type { Library, PathArrays, PlanarScene } from "../wasm";

const SIDE = 200;

interface Body {
  x: number;
  y: number;
  vx: number;
  vy: number;
  radius: number;
  /** Half sides of a box. */
  box?: [number, number];
}

class Planar implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  readonly keys: Keys = [["Space", "run and stop the bodies"], ["Arrows", "move the goal B"], ["X", "swap A and B"]];
  private readonly board: Board;
  private plane: PlanarScene | undefined;
  private bodies: Body[] = [];
  private pairs = new Set<number>();
  private quads: Float64Array = new Float64Array();
  private tangent: PathArrays | undefined;
  private tree: PathArrays | undefined;
  private ends: Point[] = [{ x: 10, y: 24 }, { x: 188, y: 176 }];
  private dragged: number | undefined;
  private stop: (() => void) | undefined;
  private minSide = 2;
  private maxSide = 32;
  private occupancy = 0;
  private growth = 1;
  private shows = { tree: true, tangent: true, pairs: true };
  private readonly note = new Note();
  private readonly figures = new Figures([
    ["tangentTime", "tangent graph, path"],
    ["treeTime", "quadtree and its path"],
    ["tangentLength", "length over tangents"],
    ["treeLength", "length over quads"],
    ["quads", "quads classified"],
    ["pairs", "overlapping pairs"],
  ]);

  constructor(private readonly library: Library, private readonly state: { seed: number; count: number }) {
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at) => {
        const index = this.ends.findIndex((end) => Math.hypot(at.x - end.x, at.y - end.y) < 18 / this.board.pixels);
        this.dragged = index < 0 ? undefined : index;
        return index >= 0;
      },
      drag: (at) => {
        if (this.dragged !== undefined) {
          this.place(this.dragged, at);
        }
      },
    });
    this.board.canvas.setAttribute("aria-label", "Moving bodies and two paths around them");
    this.board.fit(0, 0, SIDE, SIDE);
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, "Drag A and B · Space stops the bodies · the quadtree is made anew in every frame"));
    const run = button("Pause", () => this.toggle(), { class: "primary", id: "run", title: "Space" });
    const solve = () => this.solve();
    this.panel = panelOf("Paths between moving bodies",
      "No grid. A search classifies only the quads that it visits; the tangent graph goes straight from outline to outline.",
      this.figures.element, this.note.element,
      group("Bodies", slider("Number", { min: 10, max: 300, step: 10, value: state.count }, String, (value) => this.rebuild({ count: value })).element,
        slider("Seed", { min: 1, max: 99, step: 1, value: state.seed }, String, (value) => this.rebuild({ seed: value })).element, row(run)),
      group("When a quad is split",
        slider("Smallest", { min: 1, max: 16, step: 1, value: this.minSide }, (value) => `${value} m`, (value) => { this.minSide = value; solve(); }).element,
        slider("Largest", { min: 8, max: 128, step: 8, value: this.maxSide }, (value) => `${value} m`, (value) => { this.maxSide = value; solve(); }).element,
        slider("Occupancy", { min: 0, max: 6, step: 1, value: this.occupancy }, (value) => `${value}`, (value) => { this.occupancy = value; solve(); }).element,
        slider("Growth", { min: 0, max: 1, step: 0.01, value: 1 }, (value) => `${fixed(value * 100, 0)} %`, (value) => { this.growth = value; this.board.redraw(); }).element),
      group("Show", check("Quadtree and its path", true, (isOn) => { this.shows.tree = isOn; this.board.redraw(); }, palette().link).element,
        check("Tangent path", true, (isOn) => { this.shows.tangent = isOn; this.board.redraw(); }, palette().path).element,
        check("Overlapping pairs", true, (isOn) => { this.shows.pairs = isOn; this.board.redraw(); }, palette().goal).element),
      legend([palette().path, "tangent path", true], [palette().link, "quadtree path", true], [css(heat(0.15)), "expanded early"], [css(heat(0.9)), "expanded late"], [palette().goal, "overlapping"]),
    );
    this.rebuild({});
    this.toggle();
  }

  close(): void {
    this.stop?.();
    this.board.close();
    this.plane?.free();
  }

  settings(): Record<string, string> {
    return { seed: String(this.state.seed), count: String(this.state.count) };
  }

  onKey(event: KeyboardEvent): boolean {
    if (event.key === " ") {
      this.toggle();
    } else if (event.key.startsWith("Arrow")) {
      const [dx, dy] = arrow(event.key);
      const { x, y } = this.ends[1] ?? { x: 0, y: 0 };
      this.place(1, { x: x + 2 * dx, y: y + 2 * dy });
    } else if (event.key === "x") {
      this.ends.reverse();
      this.solve();
    } else {
      return false;
    }
    return true;
  }

  /** Moves an end, within the plane. */
  private place(end: number, at: Point): void {
    this.ends[end] = { x: Math.min(Math.max(at.x, 2), SIDE - 2), y: Math.min(Math.max(at.y, 2), SIDE - 2) };
    this.solve();
  }

  private rebuild(change: Partial<typeof this.state>): void {
    Object.assign(this.state, change);
    const next = random(this.state.seed * 31 + 5);
    this.plane?.free();
    this.plane = new this.library.PlanarScene(1);
    this.bodies = [];
    while (this.bodies.length < this.state.count) {
      const radius = 2 + next() * 5;
      const body: Body = { x: 14 + next() * (SIDE - 28), y: 14 + next() * (SIDE - 28), vx: (next() - 0.5) * 9, vy: (next() - 0.5) * 9, radius };
      const at = new Float64Array([body.x, body.y, 0]);
      if (next() < 0.3) {
        body.box = [radius * (0.7 + next() * 0.7), radius * (0.5 + next() * 0.6)];
        this.plane.addBox(at, body.box[0], body.box[1]);
      } else {
        this.plane.addDisc(at, radius);
      }
      this.bodies.push(body);
    }
    this.solve();
  }

  private toggle(): void {
    const label = this.panel.querySelector("#run");
    if (this.stop !== undefined) {
      this.stop();
      this.stop = undefined;
      label?.replaceChildren("Run");
      return;
    }
    label?.replaceChildren("Pause");
    this.stop = animate((seconds) => {
      for (const body of this.bodies) {
        body.x += body.vx * seconds;
        body.y += body.vy * seconds;
        if (body.x < 8 || body.x > SIDE - 8) body.vx = Math.abs(body.vx) * (body.x < 8 ? 1 : -1);
        if (body.y < 8 || body.y > SIDE - 8) body.vy = Math.abs(body.vy) * (body.y < 8 ? 1 : -1);
      }
      this.plane?.moveAll(new Float64Array(this.bodies.flatMap(({ x, y }) => [x, y, 0])));
      this.solve();
    });
  }

  private solve(): void {
    const { plane } = this;
    if (plane === undefined) {
      return;
    }
    const ends = new Float64Array(this.ends.flatMap(({ x, y }) => [x, y, 0]));
    try {
      const pairs = plane.pairs();
      this.pairs = new Set(pairs);
      this.figures.set("pairs", fixed(pairs.length / 2, 0));
      const start = performance.now();
      const tangent = plane.tangent(ends);
      const middle = performance.now();
      const found = plane.quadtree(ends, this.minSide, Math.max(this.maxSide, this.minSide), this.occupancy);
      const end = performance.now();
      this.tangent?.free();
      this.tree?.free();
      this.tangent = tangent;
      this.quads = found.quads();
      this.tree = found.path();
      found.free();
      this.figures.set("tangentTime", ...duration(middle - start));
      this.figures.set("treeTime", ...duration(end - middle));
      this.figures.set("quads", fixed(this.quads.length / 6, 0));
      this.figures.set("tangentLength", tangent.is_found ? fixed(tangent.length) : "–", tangent.is_found ? "m" : "");
      this.figures.set("treeLength", this.tree.is_found ? fixed(this.tree.length) : "–", this.tree.is_found ? "m" : "");
      const words = this.tree.is_found ? tangent.message : `The quadtree finds no gap: make quads smaller. ${this.tree.message}`;
      this.note.set(words, words === "" ? "" : "bad");
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
    this.board.redraw();
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    context.fillStyle = css(colors.blocked);
    context.fillRect(0, 0, SIDE, SIDE);
    context.save();
    context.beginPath();
    context.rect(0, 0, SIDE, SIDE);
    context.clip();
    if (this.shows.tree) {
      this.drawQuads(context, scale);
    }
    context.restore();
    this.bodies.forEach((body, index) => {
      const isPair = this.shows.pairs && this.pairs.has(index);
      context.fillStyle = isPair ? colors.goal : colors.solid;
      context.globalAlpha = isPair ? 0.75 : 0.9;
      context.beginPath();
      if (body.box === undefined) {
        context.arc(body.x, body.y, body.radius, 0, 2 * Math.PI);
      } else {
        context.rect(body.x - body.box[0], body.y - body.box[1], 2 * body.box[0], 2 * body.box[1]);
      }
      context.fill();
      context.globalAlpha = 1;
    });
    context.lineJoin = "round";
    if (this.shows.tree && this.tree?.is_found === true) {
      context.strokeStyle = colors.link;
      context.lineWidth = 2.5 / scale;
      polyline(context, this.tree.waypoints);
    }
    if (this.shows.tangent && this.tangent?.is_found === true) {
      context.strokeStyle = colors.path;
      context.lineWidth = 3 / scale;
      polyline(context, this.tangent.waypoints);
    }
    const [a, b] = this.ends;
    handle(context, a ?? { x: 0, y: 0 }, scale, colors.start, "A");
    handle(context, b ?? { x: 0, y: 0 }, scale, colors.goal, "B");
  }

  private drawQuads(context: CanvasRenderingContext2D, scale: number): void {
    const { quads } = this;
    let longest = 1;
    for (let at = 5; at < quads.length; at += 6) {
      longest = Math.max(longest, quads[at] ?? 0);
    }
    const end = Math.floor((quads.length / 6) * this.growth) * 6;
    context.lineWidth = 0.8 / scale;
    for (let at = 0; at < end; at += 6) {
      const [x = 0, y = 0, right = 0, bottom = 0, isFree = 0, g = -1] = quads.subarray(at, at + 6);
      if (g >= 0) {
        context.fillStyle = css(heat(g / longest), 0.34);
        context.fillRect(x, y, right - x, bottom - y);
      }
      context.strokeStyle = isFree === 1 ? css(palette().regions[0] ?? [90, 120, 160], 0.8) : css([200, 90, 90], 0.5);
      context.strokeRect(x, y, right - x, bottom - y);
    }
  }
}

export function open(library: Library, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, high: number) => Math.min(Math.max(Math.round(Number(settings.get(key) ?? fallback)) || fallback, 1), high);
  return new Planar(library, { seed: number("seed", 7, 99), count: number("count", 90, 300) });
}
