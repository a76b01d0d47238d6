/** Crowd: agents that follow their paths, avoid each other and never enter a wall. */

import { Board, polyline, type Point } from "../draw/board";
import { random } from "../maps";
import { css, palette } from "../palette";
import { button, check, choice, el, Figures, fixed, group, legend, messageOf, Note, row, slider } from "../ui/dom";
import { animate, panelOf, stageOf, type View } from "../ui/view";
import type { CrowdScene, Library } from "../wasm";

const RADIUS = 0.4;
const TICK = 1 / 30;
/** Milliseconds of a frame after which no further tick begins. */
const FRAME_MS = 12;
/** Numbers per agent. */
const STRIDE = 5;
/** Side of a wall that is clicked, in meters. */
const WALL = 2;

type Key = "circle" | "crossing" | "corridor" | "gate" | "goal";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A yard with walls, and an agent for each pair of ends; the group decides the color. */
interface Plan {
  width: number;
  height: number;
  walls: Box[];
  ends: [Point, Point, number][];
}

const PLANS: Record<Key, (n: number, seed: number) => Plan> = {
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

class CrowdView implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  private readonly board: Board;
  private crowd: CrowdScene | undefined;
  private plan: Plan = { width: 1, height: 1, walls: [], ends: [] };
  private agents: Float64Array = new Float64Array();
  /** Walls that were clicked, with their index. */
  private clicked: [Box, number][] = [];
  private selected: number | undefined;
  private isRunning = true;
  private speed = 1;
  private rest = 0;
  private ticks = 0;
  private times: number[] = [];
  private worstOverlap = 0;
  private since = 0;
  private shows = { paths: false, velocities: true };
  private readonly stop: () => void;
  private readonly note = new Note();
  private readonly figures = new Figures([
    ["arrived", "arrived or settled"],
    ["seconds", "seconds of the game"],
    ["tick", "median tick, paths and motion"],
    ["rate", "agents per millisecond"],
    ["overlap", "largest overlap so far"],
    ["waiting", "requests that wait"],
  ]);

  constructor(private readonly library: Library, private readonly state: { scene: Key; count: number; seed: number }) {
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at, event) => this.down(at, event),
    });
    this.board.canvas.setAttribute("aria-label", "The crowd from above");
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, "Click an agent for its path · Shift+click the floor for a wall · G sends all to the middle · Space pauses"));
    const scenes = [["circle", "Circle: all change sides"], ["crossing", "Two streams cross"], ["corridor", "Counterflow in a corridor"], ["gate", "Through a gate"], ["goal", "All to one place"]] as const;
    const run = button("Pause", () => this.toggle(), { class: "primary", id: "run", title: "Space" });
    this.panel = panelOf("A crowd",
      "Each agent follows its own path of the planner. Reciprocal avoidance (ORCA) keeps them apart; no disc ever enters a wall.",
      this.figures.element, this.note.element,
      group("Scene", choice("Scene", scenes, state.scene, (scene) => this.rebuild({ scene })).element,
        slider("Agents", { min: 2, max: 1000, step: 2, value: state.count }, String, (count) => this.rebuild({ count })).element,
        slider("Speed", { min: 0.25, max: 8, step: 0.25, value: 1 }, (value) => `× ${value}`, (value) => { this.speed = value; }).element,
        row(run, button("One tick", () => this.single(), { id: "single", title: "." }), button("Again", () => this.rebuild({}), { id: "again", title: "R" })),
        row(button("All to the middle", () => this.gather(), { id: "gather", title: "G" }))),
      group("Show", check("Velocities", true, (isOn) => { this.shows.velocities = isOn; this.board.redraw(); }, palette().muted).element,
        check("Paths", false, (isOn) => { this.shows.paths = isOn; this.board.redraw(); }, palette().path).element),
      legend([palette().teams[0], "one group"], [palette().teams[1], "the other"], [palette().start, "arrived"], [palette().goal, "no path"], [palette().solid, "wall"]),
    );
    this.rebuild({});
    this.stop = animate((seconds) => this.frame(seconds));
  }

  close(): void {
    this.stop();
    this.board.close();
    this.crowd?.free();
  }

  settings(): Record<string, string> {
    return { scene: this.state.scene, count: String(this.state.count), seed: String(this.state.seed) };
  }

  onKey(event: KeyboardEvent): boolean {
    const keys: Record<string, () => void> = { " ": () => this.toggle(), ".": () => this.single(), r: () => this.rebuild({}), g: () => this.gather() };
    const act = keys[event.key];
    act?.();
    return act !== undefined;
  }

  private rebuild(change: Partial<typeof this.state>): void {
    Object.assign(this.state, change);
    this.crowd?.free();
    this.crowd = undefined;
    this.plan = PLANS[this.state.scene](this.state.count, this.state.seed);
    const { width, height, walls, ends } = this.plan;
    this.selected = undefined;
    [this.ticks, this.worstOverlap, this.rest] = [0, 0, 0];
    [this.times, this.clicked] = [[], []];
    try {
      const crowd = new this.library.CrowdScene(width, height, RADIUS);
      for (const wall of walls) {
        crowd.addWall(corners(wall));
      }
      for (const [from, to] of ends) {
        crowd.addAgent(new Float64Array([from.x, from.y, 0, to.x, to.y, 0]), 1.5);
      }
      this.crowd = crowd;
      this.note.set("");
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
    this.read();
    this.report();
    this.board.fit(0, 0, width, height);
  }

  private toggle(): void {
    this.isRunning = !this.isRunning;
    this.panel.querySelector("#run")?.replaceChildren(this.isRunning ? "Pause" : "Run");
  }

  private single(): void {
    if (this.isRunning) {
      this.toggle();
    }
    this.tick();
    this.read();
    this.report();
  }

  private gather(): void {
    this.crowd?.orderAll(new Float64Array([this.plan.width / 2, this.plan.height / 2, 0]));
    [this.ticks, this.worstOverlap] = [0, 0];
  }

  private tick(): void {
    const { crowd } = this;
    if (crowd === undefined) {
      return;
    }
    try {
      const start = performance.now();
      crowd.tick();
      this.times.push(performance.now() - start);
      this.times.splice(0, this.times.length - 120);
      this.ticks++;
    } catch (error) {
      this.isRunning = false;
      this.note.set(messageOf(error), "bad");
    }
  }

  private frame(seconds: number): void {
    if (!this.isRunning) {
      return;
    }
    this.rest = Math.min(this.rest + seconds * this.speed, 8 * TICK);
    const start = performance.now();
    while (this.rest >= TICK && performance.now() - start < FRAME_MS) {
      this.rest -= TICK;
      this.tick();
    }
    this.read();
    if (start - this.since > 250) {
      this.since = start;
      this.report();
    }
  }

  private read(): void {
    this.agents = this.crowd?.agents() ?? new Float64Array();
    this.worstOverlap = Math.max(this.worstOverlap, this.crowd?.counts()[2] ?? 0);
    this.board.redraw();
  }

  private report(): void {
    const [arrived = 0, stuck = 0, , waiting = 0] = this.crowd?.counts() ?? [];
    const total = this.agents.length / STRIDE;
    const median = [...this.times].sort((a, b) => a - b)[Math.floor(this.times.length / 2)] ?? 0;
    this.figures.set("arrived", fixed(Math.min(arrived, total), 0), `of ${fixed(total, 0)}`);
    this.figures.set("seconds", fixed(this.ticks * TICK, 1), "s");
    this.figures.set("tick", fixed(median, 2), "ms");
    this.figures.set("rate", median > 0 ? fixed(total / median, 0) : "–");
    this.figures.set("overlap", fixed(this.worstOverlap * 100, 1), "% of a radius");
    this.figures.set("waiting", fixed(waiting, 0));
    this.note.set(stuck > 0 ? `${fixed(stuck, 0)} reports of agents that came no nearer for a while` : "");
  }

  private down(at: Point, event: PointerEvent): boolean {
    if (event.shiftKey) {
      this.toggleWall(at);
      return true;
    }
    this.selected = undefined;
    let best = 8 / this.board.pixels + RADIUS;
    for (let index = 0; index * STRIDE < this.agents.length; index++) {
      const length = Math.hypot(at.x - (this.agents[index * STRIDE] ?? 0), at.y - (this.agents[index * STRIDE + 1] ?? 0));
      if (length < best) {
        [best, this.selected] = [length, index];
      }
    }
    this.board.redraw();
    return this.selected !== undefined;
  }

  private toggleWall(at: Point): void {
    const here = this.clicked.findIndex(([box]) => at.x >= box.x && at.x < box.x + box.width && at.y >= box.y && at.y < box.y + box.height);
    const found = this.clicked[here];
    try {
      if (found !== undefined) {
        this.crowd?.removeWall(found[1]);
        this.clicked.splice(here, 1);
      } else {
        const box = { x: Math.floor(at.x - WALL / 2 + 0.5), y: Math.floor(at.y - WALL / 2 + 0.5), width: WALL, height: WALL };
        const index = this.crowd?.addWall(corners(box));
        if (index !== undefined) {
          this.clicked.push([box, index]);
        }
      }
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
    this.board.redraw();
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    context.fillStyle = css(colors.ground);
    context.fillRect(0, 0, this.plan.width, this.plan.height);
    context.fillStyle = colors.solid;
    for (const box of [...this.plan.walls, ...this.clicked.map(([box]) => box)]) {
      context.fillRect(box.x, box.y, box.width, box.height);
    }
    context.lineJoin = "round";
    context.strokeStyle = colors.path;
    context.lineWidth = 1.2 / scale;
    context.globalAlpha = 0.4;
    for (let index = 0; this.shows.paths && index * STRIDE < this.agents.length; index++) {
      polyline(context, this.crowd?.path(index) ?? []);
    }
    context.globalAlpha = 1;
    if (this.selected !== undefined) {
      context.lineWidth = 3 / scale;
      polyline(context, this.crowd?.path(this.selected) ?? []);
    }
    this.drawAgents(context, scale);
  }

  private drawAgents(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    for (let index = 0; index * STRIDE < this.agents.length; index++) {
      const [x = 0, y = 0, vx = 0, vy = 0, state = 0] = this.agents.subarray(index * STRIDE, (index + 1) * STRIDE);
      const team = colors.teams[this.plan.ends[index]?.[2] === 1 ? 1 : 0];
      context.fillStyle = state === 3 ? colors.start : state === 4 ? colors.goal : team;
      context.beginPath();
      context.arc(x, y, RADIUS, 0, 2 * Math.PI);
      context.fill();
      if (this.shows.velocities && state === 2) {
        context.strokeStyle = colors.text;
        context.lineWidth = 1.2 / scale;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x + vx * 0.5, y + vy * 0.5);
        context.stroke();
      }
      if (this.selected === index) {
        context.strokeStyle = colors.text;
        context.lineWidth = 2 / scale;
        context.beginPath();
        context.arc(x, y, RADIUS * 1.6, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  }
}

/** The corners of a wall as high as an agent. */
const corners = ({ x, y, width, height }: Box): Float64Array => new Float64Array([x, y, 0, x + width, y + height, 2]);

export function open(library: Library, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, high: number) => Math.min(Math.max(Math.round(Number(settings.get(key) ?? fallback)) || fallback, 1), high);
  const scene = settings.get("scene") ?? "";
  const known = Object.keys(PLANS).find((key): key is Key => key === scene) ?? "circle";
  return new CrowdView(library, { scene: known, count: number("count", 100, 1000), seed: number("seed", 1, 99) });
}
