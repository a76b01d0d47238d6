/** Skirmish: the whole game of the example, with the time of every part of a tick. */

import { Board, type Point } from "../draw/board";
import { palette } from "../palette";
import { PARTS, STRIDE, type Answer, type Moment, type Order } from "../skirmish/messages";
import { Painter } from "../skirmish/painter";
import { button, check, el, Figures, fixed, group, legend, Note, row, slider, toast } from "../ui/dom";
import { animate, panelOf, stageOf, type Keys, type View } from "../ui/view";

const PART_COLORS = ["#d58bff", "#ffb454", "#5fd3a4", "#5aa9ff"] as const;
/** Ticks of the graph. */
const HISTORY = 160;
/** Seconds of a tick. */
const TICK = 1 / 30;
/** Ticks that the worker may be asked for at once. */
const MAX_TICKS = 4;
/** Units whose paths are shown. */
const SHOWN = Array.from({ length: 12 }, (_, index) => index * 17);
const NOTHING: Moment = { units: new Float64Array(), solids: new Int32Array(), doors: new Int32Array(), counts: new Float64Array(), paths: new Map() };

class Skirmish implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  readonly keys: Keys = [["Space", "run and pause"], [".", "one tick"], [",", "back by 2 s"]];
  private readonly board: Board;
  private readonly painter = new Painter();
  private readonly worker: Worker;
  /** The game as it is, and the units before: frames show places between. */
  private moment = NOTHING;
  private before: Float64Array = new Float64Array();
  private arrival = { at: 0, seconds: TICK };
  /** Ticks asked for that have not come. */
  private pending = 0;
  /** Games begun; answers of one that was replaced are dropped. */
  private begun = 0;
  private times: number[][] = [];
  private isRunning = true;
  private speed = 1;
  private rest = 0;
  private counted = { frames: 0, ticks: 0, since: performance.now() };
  private selected: number | undefined;
  private readonly stop: () => void;
  private shows = { cones: false, paths: true };
  /** Solids placed in a second, and expansions per tick for planner, flow fields and sensors. */
  private limits = { solids: 20, budget: 52000 };
  private readonly chart = el("canvas", { class: "chart", "aria-label": "Milliseconds of each tick by part" });
  private readonly note = new Note();
  private readonly figures = new Figures([
    ["fps", "frames per second"],
    ["rate", "ticks per second, 30 wanted"],
    ["tick", "median tick, all parts"],
    ["worst", "longest of the last ticks"],
    ["waiting", "requests that wait"],
    ["found", "requests answered"],
    ["repaired", "repaired or replanned"],
    ["placed", "solids placed and destroyed"],
  ]);
  private readonly onTheme = () => {
    this.painter.paint();
    this.board.redraw();
  };

  constructor(private readonly state: { seed: number; count: number }) {
    this.worker = new Worker(new URL("../skirmish/worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (event: MessageEvent<Answer>) => this.answer(event.data);
    this.worker.onerror = (event) => this.fault(event.message || "the game cannot run in a thread of its own here");
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at) => this.select(at),
    });
    this.board.canvas.setAttribute("aria-label", "The game from above");
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, "Space pauses · . one tick · , back 2 s · click a unit for its path · wheel zooms"));
    this.panel = this.controls();
    addEventListener("themechange", this.onTheme);
    this.rebuild({});
    this.stop = animate((seconds) => this.frame(seconds));
  }

  private controls(): HTMLElement {
    const { state } = this;
    const run = button("Pause", () => this.toggle(), { class: "primary", id: "run", title: "Space" });
    const show = (key: keyof typeof this.shows) => (isOn: boolean) => {
      this.shows[key] = isOn;
      this.board.redraw();
    };
    const limit = (change: Partial<typeof this.limits>) => {
      Object.assign(this.limits, change);
      this.send({ kind: "limits", ...this.limits });
    };
    return panelOf("A whole game",
      "Soldiers and boats (discs), tanks (squares) and drones (arrows); solids go up and come down, doors open and close. 30 ticks a second, in a thread of their own.",
      this.figures.element, this.note.element,
      group("Milliseconds of a tick", this.chart, legend(...PARTS.map((part, index) => [PART_COLORS[index] ?? "", part] as const), ["var(--bad)", "33 ms: the whole tick", true])),
      group("Game", row(run, button("One tick", () => this.single(), { id: "single", title: "." })),
        row(button("Save", () => this.send({ kind: "save" }), { id: "save" }), button("Load", () => this.jump({ kind: "load", paths: this.shown() }), { id: "load", disabled: "" }), button("Rewind 2 s", () => this.rewind(), { id: "rewind", title: "," })),
        slider("Speed", { min: 0.25, max: 4, step: 0.25, value: 1 }, (value) => `× ${value}`, (value) => { this.speed = value; }).element,
        slider("Agents", { min: 50, max: 2000, step: 50, value: state.count }, String, (value) => this.rebuild({ count: value })).element,
        slider("Seed", { min: 1, max: 99, step: 1, value: state.seed }, String, (value) => this.rebuild({ seed: value })).element,
        slider("Solids", { min: 0, max: 120, step: 5, value: this.limits.solids }, (value) => `${value} a second`, (solids) => limit({ solids })).element,
        slider("Budget", { min: 4, max: 216, step: 4, value: this.limits.budget / 1000 }, (value) => `${value},000 a tick`, (value) => limit({ budget: value * 1000 })).element),
      group("Show", check("Paths of some units", true, show("paths"), palette().path).element, check("Sight cones", false, show("cones"), palette().muted).element),
      legend([palette().teams[0], "blue team"], [palette().teams[1], "orange team"], [palette().solid, "solid"], [palette().door, "closed door", true]),
    );
  }

  close(): void {
    this.stop();
    removeEventListener("themechange", this.onTheme);
    this.board.close();
    this.worker.terminate();
  }

  settings(): Record<string, string> {
    return { seed: String(this.state.seed), count: String(this.state.count) };
  }

  onKey(event: KeyboardEvent): boolean {
    const keys: Record<string, () => void> = { " ": () => this.toggle(), ".": () => this.single(), ",": () => this.rewind() };
    const act = keys[event.key];
    act?.();
    return act !== undefined;
  }

  private send(order: Order): void {
    this.worker.postMessage(order);
  }

  private rebuild(change: Partial<typeof this.state>): void {
    Object.assign(this.state, change);
    this.begun++;
    this.times = [];
    this.selected = undefined;
    this.panel.querySelector("#load")?.setAttribute("disabled", "");
    this.send({ kind: "limits", ...this.limits });
    this.send({ kind: "build", ...this.state });
  }

  private answer(answer: Answer): void {
    if (answer.kind === "built") {
      this.begun--;
    }
    if (answer.kind === "fault") {
      this.fault(answer.text);
      return;
    }
    if (answer.kind === "ticked") {
      this.pending -= answer.times.length;
    }
    // What is left of a game that was replaced.
    if (this.begun > 0) {
      return;
    }
    switch (answer.kind) {
      case "built":
        this.painter.set(answer);
        this.board.fit(0, 0, answer.side, answer.side);
        this.take(answer.moment, 0);
        break;
      case "ticked":
        this.times.push(...answer.times);
        this.times.splice(0, this.times.length - HISTORY);
        this.counted.ticks += answer.times.length;
        if (answer.times.length === 0) {
          this.moment = { ...this.moment, paths: answer.moment.paths };
        } else {
          this.take(answer.moment, answer.times.length);
        }
        break;
      case "saved":
        this.panel.querySelector("#load")?.removeAttribute("disabled");
        toast(`Saved at tick ${answer.tick}`);
        break;
      case "jumped":
        this.times = [];
        this.take(answer.moment, 0);
        toast(answer.text);
        break;
    }
  }

  /** Takes the next moment; units move to it over the time of its ticks, at once if there are none. */
  private take(moment: Moment, ticks: number): void {
    this.before = ticks > 0 && this.moment.units.length === moment.units.length ? this.places() : moment.units;
    this.moment = moment;
    this.arrival = { at: performance.now(), seconds: (ticks * TICK) / this.speed };
    this.board.redraw();
  }

  private fault(text: string): void {
    this.isRunning = false;
    this.note.set(text, "bad");
  }

  private toggle(): void {
    this.isRunning = !this.isRunning;
    this.panel.querySelector("#run")?.replaceChildren(this.isRunning ? "Pause" : "Run");
  }

  private single(): void {
    if (this.isRunning) {
      this.toggle();
    }
    this.ask(1);
  }

  private rewind(): void {
    this.jump({ kind: "rewind", ticks: 60, paths: this.shown() });
  }

  private jump(order: Order): void {
    this.rest = 0;
    this.send(order);
  }

  private ask(count: number): void {
    this.pending += count;
    this.send({ kind: "tick", count, paths: this.shown() });
  }

  /** The units whose paths are wanted. */
  private shown(): number[] {
    return this.selected !== undefined ? [this.selected] : this.shows.paths ? SHOWN : [];
  }

  private frame(seconds: number): void {
    if (this.isRunning) {
      // A machine that is too slow shows every tick, in slow motion.
      this.rest = Math.min(this.rest + seconds * this.speed, MAX_TICKS * TICK);
      const count = Math.floor(this.rest / TICK);
      if (count > 0 && this.pending === 0 && this.begun === 0) {
        this.rest -= count * TICK;
        this.ask(count);
      }
      this.board.redraw();
    }
    this.counted.frames++;
    const { since, frames, ticks } = this.counted;
    const now = performance.now();
    if (now - since > 500) {
      this.figures.set("fps", fixed((frames * 1000) / (now - since), 1));
      this.figures.set("rate", fixed((ticks * 1000) / (now - since), 1));
      this.counted = { frames: 0, ticks: 0, since: now };
      this.report();
    }
  }

  /** The units where this frame shows them. */
  private places(): Float64Array {
    const { units } = this.moment;
    const { at, seconds } = this.arrival;
    const share = seconds > 0 ? Math.min((performance.now() - at) / (1000 * seconds), 1) : 1;
    if (share === 1 || this.before.length !== units.length) {
      return units;
    }
    const places = units.slice();
    for (let unit = 0; unit < places.length; unit += STRIDE) {
      for (let axis = unit; axis < unit + 2; axis++) {
        const from = this.before[axis] ?? 0;
        places[axis] = from + ((units[axis] ?? 0) - from) * share;
      }
    }
    return places;
  }

  private report(): void {
    const [, placed = 0, destroyed = 0, , , repaired = 0, , , , , waiting = 0, answered = 0] = this.moment.counts;
    this.figures.set("found", fixed(answered, 0));
    this.figures.set("repaired", fixed(repaired, 0));
    this.figures.set("placed", fixed(placed, 0), `− ${fixed(destroyed, 0)}`);
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
    // A single long tick may leave the chart: the others stay readable.
    const usual = [...totals].sort((a, b) => a - b)[Math.floor(totals.length * 0.9)] ?? 0;
    const top = Math.min(Math.max(...totals, 4) * 1.15, Math.max(usual * 2, 40));
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
    const units = this.places();
    for (let unit = 0; unit * STRIDE < units.length; unit++) {
      const length = Math.hypot(at.x - (units[unit * STRIDE] ?? 0), at.y - (units[unit * STRIDE + 1] ?? 0));
      if (length < best) {
        best = length;
        this.selected = unit;
      }
    }
    this.ask(0);
    this.board.redraw();
    return this.selected !== undefined;
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    this.painter.ground(context, scale, this.moment);
    this.painter.paths(context, scale, this.moment.paths, this.selected);
    this.painter.units(context, scale, this.places(), { cones: this.shows.cones, selected: this.selected });
  }
}

export function open(_library: unknown, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, high: number) => Math.min(Math.max(Math.round(Number(settings.get(key) ?? fallback)) || fallback, 1), high);
  const view = new Skirmish({ seed: number("seed", 1, 99), count: number("count", 500, 2000) });
  Object.assign(globalThis, { wayfarerSkirmish: view });
  return view;
}
