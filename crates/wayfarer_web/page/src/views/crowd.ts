/** Crowd: agents that follow their paths, avoid each other and never enter a wall. */

import { Board, polyline, type Point } from "../draw/board";
import { PLANS, type Box, type Key, type Plan } from "../crowd/plans";
import { css, palette } from "../palette";
import { button, check, choice, el, Figures, fixed, group, legend, messageOf, Note, row, slider } from "../ui/dom";
import { animate, panelOf, stageOf, type Keys, type View } from "../ui/view";
import type { CrowdScene, Library } from "../wasm";

const RADIUS = 0.4;
const TICK = 1 / 30;
/** Milliseconds of a frame after which no further tick begins. */
const FRAME_MS = 12;
/** Numbers per agent. */
const STRIDE = 5;
/** Side of a wall that is clicked, in meters. */
const WALL = 2;

type Tool = "look" | "send" | "wall";
const TOOLS: readonly (readonly [Tool, string, string])[] = [["look", "Look", "V"], ["send", "Send", "S"], ["wall", "Wall", "W"]];
const FORMATIONS = [["none", "none: own paths"], ["line", "line"], ["column", "column"], ["wedge", "wedge"], ["box", "box"]] as const;
type Team = "all" | "blue" | "orange";
type Shape = (typeof FORMATIONS)[number][0];
/** Meters between neighbors of a formation. */
const SPACING = 1.5;

class CrowdView implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  readonly keys: Keys = [["Space", "run and pause"], [".", "one tick"], ["R", "begin again"], ["G", "all to the middle"], ...TOOLS.map(([, label, key]) => [key, `a click: ${label}`] as const)];
  private readonly board: Board;
  private crowd: CrowdScene | undefined;
  private plan: Plan = { width: 1, height: 1, walls: [], ends: [] };
  private agents: Float64Array = new Float64Array();
  /** Walls that were clicked, with their index. */
  private clicked: [Box, number][] = [];
  private selected: number | undefined;
  private tool: Tool = "look";
  private readonly toolButtons = new Map<Tool, HTMLButtonElement>();
  /** Where the groups were sent last. */
  private flags: [Point | undefined, Point | undefined] = [undefined, undefined];
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

  constructor(private readonly library: Library, private readonly state: { scene: Key; count: number; seed: number; formation: Shape; group: Team }) {
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at) => this.down(at),
    });
    this.board.canvas.setAttribute("aria-label", "The crowd from above");
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, "Click an agent for its path · Send: click where to go · Wall: click to build, again to remove · Space pauses"));
    this.panel = this.controls();
    this.rebuild({});
    this.stop = animate((seconds) => this.frame(seconds));
  }

  private controls(): HTMLElement {
    const { state } = this;
    const scenes = [["circle", "Circle: change sides"], ["march", "March in formation"], ["crossing", "Two streams cross"], ["corridor", "Corridor: counterflow"], ["gate", "Through a gate"], ["goal", "All to one place"]] as const;
    const run = button("Pause", () => this.toggle(), { class: "primary", id: "run", title: "Space" });
    const tools = el("div", { class: "brushes", role: "group", "aria-label": "What a click does" });
    for (const [key, label, letter] of TOOLS) {
      const element = button(label, () => this.choose(key), { "data-tool": key, title: `${label} (${letter})` });
      this.toolButtons.set(key, element);
      tools.append(element);
    }
    this.choose("look");
    return panelOf("A crowd",
      "Each agent follows its own path of the planner, a group one path in formation. Reciprocal avoidance (ORCA) keeps them apart; no disc ever enters a wall.",
      this.figures.element, this.note.element,
      group("Scene", choice("Scene", scenes, state.scene, (scene) => this.rebuild({ scene })).element,
        slider("Agents", { min: 2, max: 1000, step: 2, value: state.count }, String, (count) => this.rebuild({ count })).element,
        slider("Speed", { min: 0.25, max: 8, step: 0.25, value: 1 }, (value) => `× ${value}`, (value) => { this.speed = value; }).element,
        row(run, button("One tick", () => this.single(), { id: "single", title: "." }), button("Again", () => this.rebuild({}), { id: "again", title: "R" }))),
      group("A click", tools,
        choice("Send", [["all", "both groups"], ["blue", "the blue group"], ["orange", "the orange group"]] as const, state.group, (value) => { state.group = value; }).element,
        choice("Formation", FORMATIONS, state.formation, (formation) => this.reform(formation)).element,
        row(button("All to the middle", () => this.gather(), { id: "gather", title: "G" }))),
      group("Show", check("Velocities", true, (isOn) => { this.shows.velocities = isOn; this.board.redraw(); }, palette().muted).element,
        check("Paths", false, (isOn) => { this.shows.paths = isOn; this.board.redraw(); }, palette().path).element),
      legend([palette().teams[0], "blue group"], [palette().teams[1], "orange group"], [palette().start, "arrived"], [palette().goal, "no path"], [palette().solid, "wall"]),
    );
  }

  close(): void {
    this.stop();
    this.board.close();
    this.crowd?.free();
  }

  settings(): Record<string, string> {
    const { scene, count, seed, formation, group } = this.state;
    return { scene, count: String(count), seed: String(seed), formation, group };
  }

  onKey(event: KeyboardEvent): boolean {
    const keys: Record<string, () => void> = { " ": () => this.toggle(), ".": () => this.single(), r: () => this.rebuild({}), g: () => this.gather() };
    for (const [tool, , letter] of TOOLS) {
      keys[letter.toLowerCase()] = () => this.choose(tool);
    }
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
    [this.times, this.clicked, this.flags] = [[], [], [undefined, undefined]];
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
      this.plan.goals?.forEach((goal, team) => this.send(goal, team === 0 ? "blue" : "orange"));
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
    this.read();
    this.report();
    this.board.fit(0, 0, width, height);
  }

  private choose(tool: Tool): void {
    this.tool = tool;
    for (const [key, element] of this.toolButtons) {
      element.setAttribute("aria-pressed", String(key === tool));
    }
    this.board.canvas.style.cursor = tool === "look" ? "grab" : "crosshair";
  }

  /** Another formation; what marches begins anew in it. */
  private reform(formation: Shape): void {
    this.state.formation = formation;
    if (this.plan.goals !== undefined) {
      this.rebuild({});
    }
  }

  /** Sends groups to a place, in formation if one is chosen. */
  private send(to: Point, group: Team): void {
    const goal = new Float64Array([to.x, to.y, 0]);
    const shape = FORMATIONS.findIndex(([key]) => key === this.state.formation) - 1;
    const chosen = this.plan.ends.flatMap(([, , team], index) => (group === "all" || (group === "blue") === (team === 0) ? [index] : []));
    try {
      if (chosen.length === 0) {
        return;
      }
      if (shape >= 0) {
        this.crowd?.orderGroup(new Uint32Array(chosen), goal, shape, SPACING);
      } else {
        this.crowd?.order(new Uint32Array(chosen), goal);
      }
      this.flags = [group === "orange" ? this.flags[0] : to, group === "blue" ? this.flags[1] : to];
      [this.ticks, this.worstOverlap] = [0, 0];
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
    this.board.redraw();
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
    this.send({ x: this.plan.width / 2, y: this.plan.height / 2 }, "all");
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

  private down(at: Point): boolean {
    if (this.tool === "wall") {
      this.toggleWall(at);
      return true;
    }
    if (this.tool === "send") {
      this.send(at, this.state.group);
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
    this.flags.forEach((flag, team) => {
      if (flag !== undefined) {
        drawFlag(context, scale, flag, colors.teams[team === 0 ? 0 : 1]);
      }
    });
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

/** A cross where a group was sent, as large on every zoom. */
function drawFlag(context: CanvasRenderingContext2D, scale: number, { x, y }: Point, color: string): void {
  const arm = 7 / scale;
  context.strokeStyle = color;
  context.lineWidth = 2.5 / scale;
  context.beginPath();
  context.moveTo(x - arm, y - arm);
  context.lineTo(x + arm, y + arm);
  context.moveTo(x - arm, y + arm);
  context.lineTo(x + arm, y - arm);
  context.stroke();
}

/** The corners of a wall as high as an agent. */
const corners = ({ x, y, width, height }: Box): Float64Array => new Float64Array([x, y, 0, x + width, y + height, 2]);

export function open(library: Library, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, high: number) => Math.min(Math.max(Math.round(Number(settings.get(key) ?? fallback)) || fallback, 1), high);
  const scene = settings.get("scene") ?? "";
  const known = Object.keys(PLANS).find((key): key is Key => key === scene) ?? "circle";
  const formation = FORMATIONS.find(([key]) => key === settings.get("formation"))?.[0] ?? (known === "march" ? "box" : "none");
  const group = (["all", "blue", "orange"] as const).find((key) => key === settings.get("group")) ?? "all";
  const view = new CrowdView(library, { scene: known, count: number("count", 100, 1000), seed: number("seed", 1, 99), formation, group });
  Object.assign(globalThis, { wayfarerCrowd: view });
  return view;
}
