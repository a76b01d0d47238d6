/** Search, step by step: forwards and backwards, with the open list, g and h. */

import { Board, handle, polyline, type Point } from "../draw/board";
import { MAPS, mapFile, type MapKind } from "../maps";
import { css, heat, palette } from "../palette";
import { button, choice, download, el, Figures, fixed, group, legend, messageOf, Note, row, slider, type Slider } from "../ui/dom";
import { animate, arrow, panelOf, stageOf, type Keys, type View } from "../ui/view";
import type { GroundScene, Library } from "../wasm";
import { drawLinks, Field } from "./field";

const METHODS = [
  ["astar", "A*: cell by cell"],
  ["dijkstra", "Dijkstra: no heuristic"],
  ["jps", "JPS: jump points"],
  ["optimal", "Optimal: cached JPS"],
  ["bounded", "Bounded: ≤ 1.10 ×"],
  ["any-angle", "Any-angle: Lazy Theta*"],
] as const;
type Method = (typeof METHODS)[number][0];

const OPENED = 0;
const EXPANDED = 1;
const REACHED = 3;

/** The events of a search and what is known of each node after any number of them. */
class Steps {
  readonly kinds: Uint8Array;
  readonly positions: Float64Array;
  readonly g: Float64Array;
  readonly h: Float64Array;
  readonly parents: Int32Array;
  readonly path: Float64Array;
  readonly message: string;
  readonly exported: string;
  /** The events that expand a node or reach the goal: one step each. */
  readonly stops: number[] = [];

  constructor(ground: GroundScene) {
    const trace = ground.trace();
    this.kinds = trace.kinds();
    this.positions = trace.positions();
    this.g = trace.g();
    this.h = trace.h();
    this.parents = trace.parents();
    const path = trace.path();
    this.path = path.waypoints;
    this.message = path.message;
    path.free();
    this.exported = trace.toSearchTrace();
    trace.free();
    this.kinds.forEach((kind, index) => {
      if (kind === EXPANDED || kind === REACHED) {
        this.stops.push(index);
      }
    });
  }

  key(event: number): string {
    return `${this.positions[event * 3]},${this.positions[event * 3 + 1]},${this.positions[event * 3 + 2]}`;
  }

  /** The last event of every node among the first `n` events, and the order of its expansion. */
  after(n: number): Map<string, { event: number; order: number }> {
    const nodes = new Map<string, { event: number; order: number }>();
    let order = 0;
    for (let event = 0; event < n; event++) {
      const key = this.key(event);
      const known = nodes.get(key);
      const isExpanded = this.kinds[event] === EXPANDED || this.kinds[event] === REACHED;
      nodes.set(key, { event, order: isExpanded ? ++order : known !== undefined && known.order > 0 ? known.order : 0 });
    }
    return nodes;
  }
}

class Search implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  readonly keys: Keys = [["← →", "one step back, one on"], ["Home, End", "to the start, to the end"], ["Space", "play and pause"], ["Shift + arrows", "move the goal B"], ["X", "swap A and B"]];
  private readonly board: Board;
  private ground: GroundScene;
  private field: Field;
  private steps: Steps | undefined;
  private nodes = new Map<string, { event: number; order: number }>();
  private step = 0;
  private ends: [number, number, number][] = [];
  private dragged: number | undefined;
  private stopPlay: (() => void) | undefined;
  private readonly position: Slider;
  private readonly tip = el("div", { class: "tip", hidden: "" });
  private readonly note = new Note();
  private readonly figures = new Figures([
    ["step", "expansions so far"],
    ["open", "nodes on the open list"],
    ["f", "f of the last node: g + h"],
    ["g", "its g, cost from A"],
  ]);
  private readonly onTheme = () => {
    this.field.refresh();
    this.board.redraw();
  };

  constructor(private readonly library: Library, private readonly state: { map: MapKind; seed: number; method: Method }) {
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at) => this.down(at),
      drag: (at) => this.drag(at),
      up: () => {
        this.dragged = undefined;
      },
      hover: (at) => this.hover(at),
      leave: () => this.tip.toggleAttribute("hidden", true),
    });
    this.board.canvas.setAttribute("aria-label", "The search on the map");
    [this.ground, this.field] = this.make();
    this.stage = stageOf(this.board.canvas, this.tip, el("div", { class: "hint" }, "Drag A and B · ← → one step · Space plays · hover a cell for g and h"));
    this.position = slider("Step", { min: 0, max: 1, step: 1, value: 0 }, (value) => `${value}`, (value) => this.show(value));
    this.panel = this.controls();
    addEventListener("themechange", this.onTheme);
    this.reset();
  }

  close(): void {
    this.stopPlay?.();
    removeEventListener("themechange", this.onTheme);
    this.board.close();
    this.ground.free();
  }

  settings(): Record<string, string> {
    return { map: this.state.map, seed: String(this.state.seed), method: this.state.method };
  }

  onKey(event: KeyboardEvent): boolean {
    const act: Record<string, () => void> = {
      ArrowRight: () => this.show(this.step + 1),
      ArrowLeft: () => this.show(this.step - 1),
      Home: () => this.show(0),
      End: () => this.show(Infinity),
      " ": () => this.play(),
    };
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      const [x = 0, y = 0] = this.ends[1] ?? [];
      const [dx, dy] = arrow(event.key);
      this.place(1, { x: x + dx, y: y + dy });
      return true;
    }
    if (event.key === "x") {
      this.ends.reverse();
      this.search();
      return true;
    }
    act[event.key]?.();
    return act[event.key] !== undefined;
  }

  private make(): [GroundScene, Field] {
    const side = 40;
    const ground = new this.library.GroundScene("search.map", mapFile(this.state.map, side, this.state.seed), 1);
    return [ground, new Field(ground)];
  }

  private controls(): HTMLElement {
    const { state } = this;
    const method = choice("Method", METHODS, state.method, (value) => {
      state.method = value;
      this.search();
    });
    const map = choice("Map", MAPS, state.map, (value) => this.rebuild({ map: value }));
    const seed = slider("Seed", { min: 1, max: 99, step: 1, value: state.seed }, String, (value) => this.rebuild({ seed: value }));
    const step = (label: string, to: () => number, title: string, id: string) => button(label, () => this.show(to()), { title, id });
    return panelOf("A search, step by step",
      "Every expansion of the open list, forwards and backwards. Colors tell the order: early blue, late red.",
      this.figures.element,
      group("Steps", this.position.element,
        row(step("|◀", () => 0, "To the start (Home)", "first"), step("◀", () => this.step - 1, "Back (←)", "back"), button("Play", () => this.play(), { class: "primary", id: "play", title: "Play and pause (Space)" }), step("▶", () => this.step + 1, "On (→)", "next"), step("▶|", () => Infinity, "To the end (End)", "last")),
        this.note.element),
      group("Search", method.element, map.element, seed.element),
      row(button("Export for Posthoc", () => this.export(), { title: "The search trace format that the Posthoc visualizer reads" })),
      legend([palette().open, "open list"], [css(heat(0.1)), "expanded early"], [css(heat(0.95)), "expanded late"], [palette().muted, "jump from its parent", true], [palette().path, "path to the last node", true]),
    );
  }

  private export(): void {
    if (this.steps !== undefined) {
      download("wayfarer.trace.yaml", this.steps.exported);
    }
  }

  private rebuild(change: Partial<typeof this.state>): void {
    Object.assign(this.state, change);
    this.ground.free();
    [this.ground, this.field] = this.make();
    this.reset();
  }

  private reset(): void {
    const { x, y, width, height } = this.field.extent;
    this.board.fit(x, y, width, height);
    const place = (sx: number, sy: number) => this.field.nearestFloor(this.field.clamp({ x: x + width * sx, y: y + height * sy })) ?? [x, y, 0];
    this.ends = [place(0.12, 0.2), place(0.86, 0.8)];
    for (let turn = 0; turn < 40 && !this.isFound(); turn++) {
      this.ends[1] = place(0.9 - ((turn * 7) % 20) / 40, 0.9 - ((turn * 3) % 20) / 40);
    }
    this.search();
  }

  private isFound(): boolean {
    this.ground.setMethod("optimal");
    this.ground.setEnds(new Float64Array(this.ends.flat()));
    return this.ground.findOnly();
  }

  private search(): void {
    this.ground.setMethod(this.state.method);
    this.ground.setEnds(new Float64Array(this.ends.flat()));
    this.steps = undefined;
    try {
      this.steps = new Steps(this.ground);
      const explanation = this.steps.path.length > 0 ? "" : `${this.steps.message}\n${this.ground.explain()}`;
      this.note.set(explanation, explanation === "" ? "" : "bad");
    } catch (error) {
      this.note.set(`${messageOf(error)}\n${this.ground.explain()}`, "bad");
    }
    const input = this.position.element.querySelector("input");
    input?.setAttribute("max", String(Math.max(this.steps?.stops.length ?? 0, 1)));
    this.show(this.dragged === undefined ? Math.round((this.steps?.stops.length ?? 0) * 0.6) : Infinity);
  }

  private show(step: number): void {
    const nSteps = this.steps?.stops.length ?? 0;
    this.step = Math.min(Math.max(step, 0), nSteps);
    this.position.value = this.step;
    const nEvents = this.nEvents();
    this.nodes = this.steps?.after(nEvents) ?? new Map();
    const last = this.lastEvent();
    const nOpen = [...this.nodes.values()].filter(({ order }) => order === 0).length;
    this.figures.set("step", fixed(this.step, 0), `of ${fixed(nSteps, 0)}`);
    this.figures.set("open", fixed(nOpen, 0));
    const has = last !== undefined && this.steps !== undefined;
    this.figures.set("g", has ? fixed(this.steps?.g[last] ?? 0, 2) : "–", has ? "m" : "");
    this.figures.set("f", has ? fixed((this.steps?.g[last] ?? 0) + (this.steps?.h[last] ?? 0), 2) : "–", has ? "m" : "");
    this.board.redraw();
  }

  /** Events up to and with the generated successors of the last step. */
  private nEvents(): number {
    const stops = this.steps?.stops ?? [];
    return this.step >= stops.length ? (this.steps?.kinds.length ?? 0) : (stops[this.step] ?? 0);
  }

  private lastEvent(): number | undefined {
    return this.step === 0 ? undefined : this.steps?.stops[this.step - 1];
  }

  private play(): void {
    if (this.stopPlay !== undefined) {
      this.stopPlay();
      return;
    }
    const nSteps = this.steps?.stops.length ?? 0;
    let at = this.step >= nSteps ? 0 : this.step;
    const label = this.panel.querySelector("#play");
    const stop = animate((seconds) => {
      at += seconds * Math.max(nSteps / 8, 6);
      this.show(Math.floor(at));
      if (this.step >= nSteps) {
        this.stopPlay?.();
      }
    });
    label?.replaceChildren("Pause");
    this.stopPlay = () => {
      stop();
      label?.replaceChildren("Play");
      this.stopPlay = undefined;
    };
  }

  private down(at: Point): boolean {
    const index = this.ends.findIndex(([x, y]) => Math.hypot(at.x - x, at.y - y) < 18 / this.board.pixels);
    this.dragged = index < 0 ? undefined : index;
    // A finger does not hover: a tap shows g and h.
    this.hover(at);
    return index >= 0;
  }

  private drag(at: Point): void {
    if (this.dragged !== undefined) {
      this.place(this.dragged, at);
    }
  }

  /** Moves an end to the floor at a place. */
  private place(end: number, at: Point): void {
    const floor = this.field.nearestFloor(this.field.clamp(at));
    if (floor !== undefined) {
      this.ends[end] = floor;
      this.search();
    }
  }

  private hover(at: Point): void {
    const { steps } = this;
    const cell = { x: Math.floor(at.x) + 0.5, y: Math.floor(at.y) + 0.5 };
    const found = [...this.nodes.values()].find(({ event }) => steps !== undefined && Math.abs((steps.positions[event * 3] ?? 0) - cell.x) < 0.4 && Math.abs((steps.positions[event * 3 + 1] ?? 0) - cell.y) < 0.4);
    this.tip.toggleAttribute("hidden", found === undefined);
    if (found === undefined || steps === undefined) {
      return;
    }
    const [g, h] = [steps.g[found.event] ?? 0, steps.h[found.event] ?? 0];
    const state = found.order > 0 ? `expanded as number ${found.order}` : steps.kinds[found.event] === OPENED ? "on the open list" : "improved, on the open list";
    this.tip.textContent = `g ${fixed(g, 2)} m   from A\nh ${fixed(h, 2)} m   to B at least\nf ${fixed(g + h, 2)} m\n${state}`;
    const screen = this.board.toScreen(cell);
    this.tip.style.left = `${Math.min(screen.x + 16, this.stage.clientWidth - 220)}px`;
    this.tip.style.top = `${Math.min(screen.y + 16, this.stage.clientHeight - 90)}px`;
  }

  /** Lines from nodes to parents that are no neighbors: what jump points skip. */
  private drawJumps(context: CanvasRenderingContext2D, scale: number, { positions, parents }: Steps): void {
    context.strokeStyle = palette().muted;
    context.lineWidth = 1 / scale;
    context.beginPath();
    for (const { event } of this.nodes.values()) {
      const parent = parents[event] ?? -1;
      const [x, y] = [positions[event * 3] ?? 0, positions[event * 3 + 1] ?? 0];
      const [px, py] = parent < 0 ? [x, y] : [positions[parent * 3] ?? 0, positions[parent * 3 + 1] ?? 0];
      if (Math.hypot(x - px, y - py) > 1.5) {
        context.moveTo(px, py);
        context.lineTo(x, y);
      }
    }
    context.stroke();
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    this.field.draw(context, scale);
    drawLinks(context, this.ground.links(), scale);
    const { steps } = this;
    if (steps !== undefined) {
      const nSteps = Math.max(steps.stops.length, 1);
      this.drawJumps(context, scale, steps);
      for (const { event, order } of this.nodes.values()) {
        const [x, y] = [steps.positions[event * 3] ?? 0, steps.positions[event * 3 + 1] ?? 0];
        context.fillStyle = order > 0 ? css(heat(order / nSteps), 0.8) : colors.open;
        const side = order > 0 ? 0.92 : 0.62;
        context.fillRect(x - side / 2, y - side / 2, side, side);
      }
      context.lineJoin = "round";
      context.lineCap = "round";
      const last = this.lastEvent();
      if (last !== undefined) {
        const line: number[] = this.step >= steps.stops.length ? [...steps.path] : [];
        for (let event = line.length > 0 ? -1 : last; event >= 0; event = steps.parents[event] ?? -1) {
          line.push(steps.positions[event * 3] ?? 0, steps.positions[event * 3 + 1] ?? 0, 0);
        }
        context.strokeStyle = colors.path;
        context.lineWidth = Math.max(0.2, 2.5 / scale);
        polyline(context, line);
        context.strokeStyle = colors.current;
        context.lineWidth = 2 / scale;
        context.strokeRect((steps.positions[last * 3] ?? 0) - 0.5, (steps.positions[last * 3 + 1] ?? 0) - 0.5, 1, 1);
      }
    }
    const [a, b] = this.ends;
    handle(context, { x: a?.[0] ?? 0, y: a?.[1] ?? 0 }, scale, colors.start, "A");
    handle(context, { x: b?.[0] ?? 0, y: b?.[1] ?? 0 }, scale, colors.goal, "B");
  }
}

export function open(library: Library, settings: URLSearchParams): View {
  const map = MAPS.find(([key]) => key === settings.get("map"))?.[0] ?? "caves";
  const method = METHODS.find(([key]) => key === settings.get("method"))?.[0] ?? "astar";
  const seed = Math.min(Math.max(Math.round(Number(settings.get("seed") ?? 4)) || 4, 1), 99);
  return new Search(library, { map, seed, method });
}
