/** Skirmish: the whole game of the example, with the time of every part of a tick. */

import { Board, polyline, type Point } from "../draw/board";
import { css, palette } from "../palette";
import { button, check, el, Figures, fixed, group, legend, messageOf, Note, row, slider, toast } from "../ui/dom";
import { animate, panelOf, stageOf, type View } from "../ui/view";
import type { Library, SkirmishScene } from "../wasm";

const PARTS = ["edits", "planner", "moves", "sensors"] as const;
const PART_COLORS = ["#d58bff", "#ffb454", "#5fd3a4", "#5aa9ff"] as const;
/** Ticks of the graph. */
const HISTORY = 160;
/** Numbers per unit. */
const STRIDE = 8;
const TICK = 1 / 30;
/** Milliseconds of a frame after which no further tick begins. */
const FRAME_MS = 12;

class Skirmish implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  private readonly board: Board;
  private game: SkirmishScene | undefined;
  private side = 1;
  private background = document.createElement("canvas");
  private units: Float64Array = new Float64Array();
  private placed: Int32Array = new Int32Array();
  /** Solids placed in a second. */
  private solids = 20;
  /** Expansions per tick for planner, flow fields and sensors. */
  private budget = 48000;
  private doors: Int32Array = new Int32Array();
  private walls: Int32Array = new Int32Array();
  private times: number[][] = [];
  private isRunning = true;
  private speed = 1;
  private rest = 0;
  private frames = 0;
  private since = performance.now();
  private selected: number | undefined;
  private readonly stop: () => void;
  private shows = { cones: false, paths: true };
  private readonly chart = el("canvas", { class: "chart", "aria-label": "Milliseconds of each tick by part" });
  private readonly note = new Note();
  private readonly figures = new Figures([
    ["fps", "frames per second"],
    ["tick", "median tick, all parts"],
    ["worst", "longest of the last ticks"],
    ["waiting", "requests that wait"],
    ["found", "requests answered"],
    ["repaired", "repaired or replanned"],
    ["placed", "solids placed and destroyed"],
    ["seen", "enemies seen"],
  ]);
  private readonly onTheme = () => this.paintMap();

  constructor(private readonly library: Library, private readonly state: { seed: number; count: number }) {
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at) => this.select(at),
    });
    this.board.canvas.setAttribute("aria-label", "The game from above");
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, "Space pauses · . one tick · , back 2 s · click a unit for its path · wheel zooms"));
    const run = button("Pause", () => this.toggle(), { class: "primary", id: "run", title: "Space" });
    const show = (key: keyof typeof this.shows) => (isOn: boolean) => {
      this.shows[key] = isOn;
      this.board.redraw();
    };
    this.panel = panelOf("A whole game",
      "Soldiers, tanks, boats and drones; 20 solids a second go up and come down, doors open and close. 30 ticks a second.",
      this.figures.element, this.note.element,
      group("Milliseconds of a tick", this.chart, legend(...PARTS.map((part, index) => [PART_COLORS[index] ?? "", part] as const), ["var(--bad)", "33 ms: the whole tick", true])),
      group("Game", row(run, button("One tick", () => this.single(), { id: "single", title: "." })),
        row(button("Save", () => this.save(), { id: "save" }), button("Load", () => this.load(), { id: "load", disabled: "" }), button("Rewind 2 s", () => this.rewind(), { id: "rewind", title: "," })),
        slider("Speed", { min: 0.25, max: 4, step: 0.25, value: 1 }, (value) => `× ${value}`, (value) => { this.speed = value; }).element,
        slider("Agents", { min: 50, max: 2000, step: 50, value: state.count }, String, (value) => this.rebuild({ count: value })).element,
        slider("Seed", { min: 1, max: 99, step: 1, value: state.seed }, String, (value) => this.rebuild({ seed: value })).element,
        slider("Solids", { min: 0, max: 120, step: 5, value: 20 }, (value) => `${value} a second`, (value) => { this.solids = value; this.game?.setSolids(value); }).element,
        slider("Budget", { min: 4, max: 96, step: 4, value: 48 }, (value) => `${value},000 a tick`, (value) => { this.budget = value * 1000; this.game?.setBudget(this.budget); }).element),
      group("Show", check("Paths of some units", true, show("paths"), palette().path).element, check("Sight cones", false, show("cones"), palette().muted).element),
      legend([palette().teams[0], "blue team"], [palette().teams[1], "orange team"], [palette().solid, "solid"], [palette().door, "closed door", true]),
    );
    addEventListener("themechange", this.onTheme);
    this.rebuild({});
    this.stop = animate((seconds) => this.frame(seconds));
  }

  close(): void {
    this.stop();
    removeEventListener("themechange", this.onTheme);
    this.board.close();
    this.game?.free();
  }

  settings(): Record<string, string> {
    return { seed: String(this.state.seed), count: String(this.state.count) };
  }

  onKey(event: KeyboardEvent): boolean {
    if (event.key === " ") {
      this.toggle();
    } else if (event.key === ".") {
      this.single();
    } else if (event.key === ",") {
      this.rewind();
    } else {
      return false;
    }
    return true;
  }

  private rebuild(change: Partial<typeof this.state>): void {
    Object.assign(this.state, change);
    this.game?.free();
    this.game = new this.library.SkirmishScene(this.state.seed, this.state.count);
    this.game.setSolids(this.solids);
    this.game.setBudget(this.budget);
    this.side = this.library.SkirmishScene.side();
    this.walls = this.game.walls();
    this.times = [];
    this.selected = undefined;
    this.paintMap();
    this.read();
    this.board.fit(0, 0, this.side, this.side);
  }

  private paintMap(): void {
    const { side, game } = this;
    const colors = palette();
    this.background.width = side;
    this.background.height = side;
    const pixels = new ImageData(side, side);
    game?.tiles().forEach((tile, index) => {
      const color = [colors.ground, colors.swamp, colors.water][tile] ?? colors.other;
      pixels.data.set([...color, 255], index * 4);
    });
    this.background.getContext("2d")?.putImageData(pixels, 0, 0);
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
  }

  private save(): void {
    this.game?.save();
    this.panel.querySelector("#load")?.removeAttribute("disabled");
    toast(`Saved at tick ${this.game?.counts()[0] ?? 0}`);
  }

  private load(): void {
    if (this.game?.load() === true) {
      this.times = [];
      this.read();
      toast(`Loaded: tick ${this.game.counts()[0] ?? 0}, digest ${this.game.digest()}`);
    }
  }

  private rewind(): void {
    const ticks = this.game?.rewind(60) ?? 0;
    this.times = [];
    this.read();
    toast(`Back by ${ticks} ticks: digest ${this.game?.digest() ?? ""}`);
  }

  private tick(): void {
    const { game } = this;
    if (game === undefined) {
      return;
    }
    try {
      const marks = [performance.now()];
      for (const part of [() => game.edit(), () => game.plan(), () => game.makeMoves(), () => game.sense()]) {
        part();
        marks.push(performance.now());
      }
      this.times.push(PARTS.map((_, index) => (marks[index + 1] ?? 0) - (marks[index] ?? 0)));
      this.times.splice(0, this.times.length - HISTORY);
    } catch (error) {
      this.isRunning = false;
      this.note.set(messageOf(error), "bad");
    }
  }

  private frame(seconds: number): void {
    if (this.isRunning) {
      this.rest = Math.min(this.rest + seconds * this.speed, 4 * TICK);
      // A machine that is too slow shows every tick, in slow motion.
      const start = performance.now();
      while (this.rest >= TICK && performance.now() - start < FRAME_MS) {
        this.rest -= TICK;
        this.tick();
      }
      this.read();
    }
    this.frames++;
    const now = performance.now();
    if (now - this.since > 500) {
      this.figures.set("fps", fixed((this.frames * 1000) / (now - this.since), 1));
      [this.frames, this.since] = [0, now];
      this.report();
    }
  }

  private read(): void {
    if (this.game !== undefined) {
      this.units = this.game.units();
      this.placed = this.game.solids();
      this.doors = this.game.doors();
      this.board.redraw();
    }
  }

  private report(): void {
    const counts = this.game?.counts() ?? new Float64Array();
    const [, placed = 0, destroyed = 0, , , repaired = 0, , seen = 0, , , waiting = 0, answered = 0] = counts;
    this.figures.set("found", fixed(answered, 0));
    this.figures.set("repaired", fixed(repaired, 0));
    this.figures.set("placed", fixed(placed, 0), `− ${fixed(destroyed, 0)}`);
    this.figures.set("seen", fixed(seen, 0));
    this.figures.set("waiting", fixed(waiting, 0));
    const totals = this.times.map((parts) => parts.reduce((sum, part) => sum + part, 0)).sort((a, b) => a - b);
    this.figures.set("tick", fixed(totals[Math.floor(totals.length / 2)] ?? 0, 2), "ms");
    this.figures.set("worst", fixed(totals[totals.length - 1] ?? 0, 1), "ms");
    this.drawChart();
  }

  private drawChart(): void {
    const { chart } = this;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    chart.width = Math.max(chart.clientWidth * ratio, 1);
    chart.height = Math.max(chart.clientHeight * ratio, 1);
    const context = chart.getContext("2d");
    if (context === null) {
      return;
    }
    const totals = this.times.map((parts) => parts.reduce((sum, part) => sum + part, 0));
    const top = Math.max(...totals, 4) * 1.15;
    const width = chart.width / HISTORY;
    this.times.forEach((parts, index) => {
      let y = chart.height;
      parts.forEach((part, number) => {
        const height = (part / top) * chart.height;
        context.fillStyle = PART_COLORS[number] ?? "#888";
        context.fillRect(index * width, y - height, Math.max(width - 0.5, 0.5), height);
        y -= height;
      });
    });
    context.fillStyle = palette().muted;
    context.font = `${11 * ratio}px ui-monospace, monospace`;
    context.fillText(`${fixed(top, 1)} ms`, 4 * ratio, 12 * ratio);
    if (top > 33) {
      context.fillStyle = palette().goal;
      context.fillRect(0, chart.height * (1 - 33.3 / top), chart.width, ratio);
    }
  }

  private select(at: Point): boolean {
    let best = 9 / this.board.pixels + 1;
    this.selected = undefined;
    for (let unit = 0; unit * STRIDE < this.units.length; unit++) {
      const length = Math.hypot(at.x - (this.units[unit * STRIDE] ?? 0), at.y - (this.units[unit * STRIDE + 1] ?? 0));
      if (length < best) {
        best = length;
        this.selected = unit;
      }
    }
    this.board.redraw();
    return this.selected !== undefined;
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    context.imageSmoothingEnabled = false;
    context.drawImage(this.background, 0, 0);
    context.strokeStyle = colors.text;
    context.lineWidth = Math.max(0.3, 1.6 / scale);
    context.beginPath();
    for (let at = 0; at < this.walls.length; at += 4) {
      context.moveTo(this.walls[at] ?? 0, this.walls[at + 1] ?? 0);
      context.lineTo(this.walls[at + 2] ?? 0, this.walls[at + 3] ?? 0);
    }
    context.stroke();
    this.drawDoors(context, scale);
    for (let at = 0; at < this.placed.length; at += 6) {
      const [x = 0, y = 0, , right = 0, bottom = 0] = this.placed.subarray(at, at + 6);
      context.fillStyle = colors.solid;
      context.fillRect(x, y, right - x, bottom - y);
    }
    context.lineJoin = "round";
    const shown = this.selected === undefined ? (this.shows.paths ? Array.from({ length: 12 }, (_, index) => index * 17) : []) : [this.selected];
    for (const unit of shown) {
      context.strokeStyle = colors.path;
      context.globalAlpha = this.selected === unit ? 1 : 0.5;
      context.lineWidth = (this.selected === unit ? 2.5 : 1.4) / scale;
      polyline(context, this.game?.path(unit) ?? []);
    }
    context.globalAlpha = 1;
    this.drawUnits(context, scale);
  }

  private drawDoors(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    context.lineWidth = Math.max(0.45, 2.5 / scale);
    for (let at = 0; at < this.doors.length; at += 5) {
      const [x = 0, y = 0, outX = 0, outY = 0, isOpen = 0] = this.doors.subarray(at, at + 5);
      context.strokeStyle = isOpen === 1 ? css(colors.ground) : colors.door;
      context.beginPath();
      if (x === outX) {
        const line = Math.max(y, outY);
        context.moveTo(x, line);
        context.lineTo(x + 1, line);
      } else {
        const line = Math.max(x, outX);
        context.moveTo(line, y);
        context.lineTo(line, y + 1);
      }
      context.stroke();
    }
  }

  private drawUnits(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    const { units } = this;
    const radii = [0.55, 1.5, 1.1, 0.6];
    for (let at = 0; at < units.length; at += STRIDE) {
      const [x = 0, y = 0, , dx = 0, dy = 0, kind = 0, team = 0] = units.subarray(at, at + STRIDE);
      const color = colors.teams[team === 0 ? 0 : 1];
      const radius = Math.max(radii[kind] ?? 0.5, 2.2 / scale);
      if (this.shows.cones) {
        const angle = Math.atan2(dy, dx);
        context.globalAlpha = 0.05;
        context.fillStyle = color;
        context.beginPath();
        context.moveTo(x, y);
        context.arc(x, y, 30, angle - Math.PI / 6, angle + Math.PI / 6);
        context.fill();
        context.globalAlpha = 1;
      }
      context.fillStyle = color;
      context.beginPath();
      if (kind === 3) {
        context.moveTo(x + dx * radius * 2, y + dy * radius * 2);
        context.lineTo(x - dx * radius - dy * radius, y - dy * radius + dx * radius);
        context.lineTo(x - dx * radius + dy * radius, y - dy * radius - dx * radius);
      } else if (kind === 1) {
        context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      } else {
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      context.fill();
      if (this.selected === at / STRIDE) {
        context.strokeStyle = colors.text;
        context.lineWidth = 2 / scale;
        context.beginPath();
        context.arc(x, y, radius * 2, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  }
}

export function open(library: Library, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, high: number) => Math.min(Math.max(Math.round(Number(settings.get(key) ?? fallback)) || fallback, 1), high);
  return new Skirmish(library, { seed: number("seed", 1, 99), count: number("count", 500, 2000) });
}
