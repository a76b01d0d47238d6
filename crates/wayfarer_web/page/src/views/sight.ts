/** Objects and sight: sensors on a battlefield, footprints over the grid, fields of view. */

import { Board, handle, type Point } from "../draw/board";
import { random } from "../maps";
import { css, palette } from "../palette";
import { button, check, choice, duration, el, Figures, fixed, group, legend, messageOf, Note, row, slider } from "../ui/dom";
import { animate, arrow, panelOf, stageOf, type Keys, type View } from "../ui/view";
import type { Library, SightScene } from "../wasm";

const SIDE = 128;
const RANGE = 26;

type Shape = "disc" | "ring" | "cone" | "capsule" | "box";

const SHAPES: readonly (readonly [Shape, string])[] = [
  ["cone", "Cone of 60°"],
  ["disc", "Disc"],
  ["ring", "Ring"],
  ["capsule", "Capsule"],
  ["box", "Oriented box"],
];

interface Soldier {
  x: number;
  y: number;
  heading: number;
  team: 0 | 1;
  sensor: number;
}

class Sight implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  readonly keys: Keys = [["← →", "turn the eye"], ["Shift + arrows", "move the eye"], ["Space", "run and stop the soldiers"]];
  private readonly board: Board;
  private field: SightScene | undefined;
  private soldiers: Soldier[] = [];
  private buildings: [number, number, number, number, number][] = [];
  private eye: Point = { x: 64, y: 64 };
  private heading = 0.6;
  private shape: Shape = "cone";
  private range = 30;
  private visible: Float64Array = new Float64Array();
  private coverage: { bins: Float64Array; found: Set<number> } = { bins: new Float64Array(), found: new Set() };
  private inSight: Uint8Array = new Uint8Array();
  private isDragged = false;
  private stop: (() => void) | undefined;
  private nEvents = 0;
  private shows = { bins: true, view: true, lines: true, sensors: false };
  private readonly ticker = el("ol", { class: "ticker", "aria-label": "Events of the sensors", tabindex: "0" });
  private readonly note = new Note();
  private readonly figures = new Figures([
    ["sensors", "all sensors, one tick"],
    ["query", "bodies in the footprint"],
    ["checks", "exact tests of the query"],
    ["brute", "tests without a grid"],
    ["found", "bodies in it"],
    ["seen", "of them in sight"],
  ]);

  constructor(private readonly library: Library, private readonly state: { seed: number; count: number }) {
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at) => {
        this.isDragged = Math.hypot(at.x - this.eye.x, at.y - this.eye.y) < 20 / this.board.pixels;
        if (!this.isDragged) {
          this.heading = Math.atan2(at.y - this.eye.y, at.x - this.eye.x);
          this.look();
        }
        return true;
      },
      drag: (at) => {
        if (this.isDragged) {
          this.moveEye(at);
        } else {
          this.heading = Math.atan2(at.y - this.eye.y, at.x - this.eye.x);
          this.look();
        }
      },
    });
    this.board.canvas.setAttribute("aria-label", "Battlefield with footprint and field of view");
    this.board.fit(0, 0, SIDE, SIDE);
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, "Drag the eye · click to turn it · Space stops the soldiers"));
    const show = (key: keyof typeof this.shows) => (isOn: boolean) => {
      this.shows[key] = isOn;
      this.board.redraw();
    };
    const run = button("Pause", () => this.toggle(), { class: "primary", id: "run", title: "Space" });
    this.panel = panelOf("Sensors and lines of sight",
      "Every soldier carries a sensor: a cone of 60°, 26 m, blocked by buildings. One footprint is yours.",
      this.figures.element, this.note.element,
      group("Your footprint", choice("Shape", SHAPES, this.shape, (value) => { this.shape = value; this.look(); }).element,
        slider("Range", { min: 5, max: 60, step: 1, value: this.range }, (value) => `${value} m`, (value) => { this.range = value; this.look(); }).element),
      group("Events of the sensors", this.ticker),
      group("Soldiers", slider("Number", { min: 20, max: 1000, step: 20, value: state.count }, String, (value) => this.rebuild({ count: value })).element,
        slider("Seed", { min: 1, max: 99, step: 1, value: state.seed }, String, (value) => this.rebuild({ seed: value })).element, row(run)),
      group("Show", check("Grid bins: inside and partial", true, show("bins"), palette().link).element,
        check("Field of view", true, show("view"), palette().path).element,
        check("Lines of sight", true, show("lines"), palette().start).element,
        check("Cones of all sensors", false, show("sensors"), palette().muted).element),
      legend([palette().teams[0], "blue team"], [palette().teams[1], "orange team"], [css([95, 211, 164], 0.5), "bin inside: no test"], [css([90, 169, 255], 0.35), "bin partial: tested"]),
    );
    this.rebuild({});
    this.toggle();
  }

  close(): void {
    this.stop?.();
    this.board.close();
    this.field?.free();
  }

  settings(): Record<string, string> {
    return { seed: String(this.state.seed), count: String(this.state.count) };
  }

  onKey(event: KeyboardEvent): boolean {
    if (event.key === " ") {
      this.toggle();
    } else if (event.shiftKey && event.key.startsWith("Arrow")) {
      const [dx, dy] = arrow(event.key);
      this.moveEye({ x: this.eye.x + dx, y: this.eye.y + dy });
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      this.heading += event.key === "ArrowLeft" ? -0.1 : 0.1;
      this.look();
    } else {
      return false;
    }
    return true;
  }

  private moveEye(at: Point): void {
    this.eye = { x: Math.min(Math.max(at.x, 1), SIDE - 1), y: Math.min(Math.max(at.y, 1), SIDE - 1) };
    this.look();
  }

  private rebuild(change: Partial<typeof this.state>): void {
    Object.assign(this.state, change);
    const next = random(this.state.seed * 101 + 3);
    this.field?.free();
    const field = new this.library.SightScene(SIDE);
    this.field = field;
    this.buildings = [];
    for (let y = 8; y < SIDE - 12; y += 20) {
      for (let x = 8; x < SIDE - 12; x += 20) {
        if (next() < 0.72) {
          const [width, height] = [4 + Math.floor(next() * 8), 4 + Math.floor(next() * 8)];
          const [left, top] = [x + Math.floor(next() * 6), y + Math.floor(next() * 6)];
          this.buildings.push([left, top, left + width, top + height, 4 + Math.floor(next() * 8)]);
          field.addBuilding(new Float64Array([left, top, 0, left + width, top + height, 8]));
        }
      }
    }
    this.soldiers = [];
    while (this.soldiers.length < this.state.count) {
      const [x, y] = [2 + next() * (SIDE - 4), 2 + next() * (SIDE - 4)];
      if (this.isFree(x, y)) {
        const team = this.soldiers.length % 2 === 0 ? 0 : 1;
        const heading = next() * 2 * Math.PI;
        const body = field.addBody(new Float64Array([x, y, 0]), 0.4, team);
        const sensor = field.addSensor(body, "cone", this.cone(x, y, heading), 2);
        this.soldiers.push({ x, y, heading, team, sensor });
      }
    }
    this.ticker.replaceChildren();
    this.nEvents = 0;
    this.tick(0);
  }

  private cone(x: number, y: number, heading: number): Float64Array {
    return new Float64Array([x, y, 0, Math.cos(heading), Math.sin(heading), Math.PI / 3, RANGE]);
  }

  private isFree(x: number, y: number): boolean {
    const margin = 0.6;
    return x > 1 && y > 1 && x < SIDE - 1 && y < SIDE - 1 && !this.buildings.some(([left, top, right, bottom]) => x > left - margin && x < right + margin && y > top - margin && y < bottom + margin);
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
    this.stop = animate((seconds) => this.tick(seconds));
  }

  private tick(seconds: number): void {
    const { field } = this;
    if (field === undefined) {
      return;
    }
    for (const soldier of this.soldiers) {
      const step = 3.2 * seconds;
      const [x, y] = [soldier.x + Math.cos(soldier.heading) * step, soldier.y + Math.sin(soldier.heading) * step];
      if (this.isFree(x, y)) {
        soldier.x = x;
        soldier.y = y;
      } else {
        soldier.heading += 2.1;
        field.setFootprint(soldier.sensor, "cone", this.cone(soldier.x, soldier.y, soldier.heading));
      }
    }
    field.moveAll(new Float64Array(this.soldiers.flatMap(({ x, y }) => [x, y, 0])));
    const before = performance.now();
    const events = field.update();
    this.figures.set("sensors", ...duration(performance.now() - before));
    this.report(events);
    this.look();
  }

  private report(events: Uint32Array): void {
    const name = (index: number) => `${this.soldiers[index]?.team === 0 ? "blue" : "orange"} ${index}`;
    for (let at = 0; at + 2 < Math.min(events.length, 3 * 12); at += 3) {
      const [isEnter = 0, sensor = 0, body = 0] = events.subarray(at, at + 3);
      const item = el("li", {}, `${name(sensor)} ${isEnter === 1 ? "sees" : "loses"} ${name(body)}`);
      item.style.color = isEnter === 1 ? "var(--good)" : "var(--muted)";
      this.ticker.prepend(item);
    }
    this.nEvents += events.length / 3;
    this.ticker.dataset["events"] = String(this.nEvents);
    while (this.ticker.children.length > 60) {
      this.ticker.lastElementChild?.remove();
    }
  }

  /** The numbers of the footprint after its center. */
  private footprint(): Float64Array {
    const { x, y } = this.eye;
    const [dx, dy] = [Math.cos(this.heading), Math.sin(this.heading)];
    const { range } = this;
    const rest: Record<Shape, number[]> = {
      disc: [range],
      ring: [range * 0.55, range],
      cone: [dx, dy, Math.PI / 3, range],
      capsule: [x + dx * range, y + dy * range, 0, range * 0.18],
      box: [dx, dy, range * 0.8, range * 0.4],
    };
    return new Float64Array([x, y, 0, ...rest[this.shape]]);
  }

  private look(): void {
    const { field } = this;
    if (field === undefined) {
      return;
    }
    const at = new Float64Array([this.eye.x, this.eye.y, 0]);
    try {
      const before = performance.now();
      const coverage = field.coverage(this.shape, this.footprint());
      this.figures.set("query", ...duration(performance.now() - before));
      this.coverage = { bins: coverage.bins, found: new Set(coverage.found) };
      this.inSight = field.inSight(at);
      this.visible = this.isFree(this.eye.x, this.eye.y) ? field.fieldOfView(at, this.range) : new Float64Array();
      this.figures.set("checks", fixed(coverage.tests, 0), `+ ${fixed(coverage.skips, 0)} free`);
      this.figures.set("brute", fixed(this.soldiers.length, 0));
      const found = [...this.coverage.found];
      this.figures.set("found", fixed(found.length, 0));
      this.figures.set("seen", fixed(found.filter((index) => this.inSight[index] === 1).length, 0));
      coverage.free();
      this.note.set("");
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
    this.board.redraw();
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    context.fillStyle = css(colors.ground);
    context.fillRect(0, 0, SIDE, SIDE);
    if (this.shows.view) {
      context.fillStyle = colors.path;
      context.globalAlpha = 0.16;
      // One area: overlapping squares would be darker.
      context.beginPath();
      for (let at = 0; at < this.visible.length; at += 3) {
        context.rect((this.visible[at] ?? 0) - 0.51, (this.visible[at + 1] ?? 0) - 0.51, 1.02, 1.02);
      }
      context.fill();
      context.globalAlpha = 1;
    }
    if (this.shows.bins) {
      const { bins } = this.coverage;
      context.lineWidth = 0.8 / scale;
      for (let at = 0; at < bins.length; at += 4) {
        const [x = 0, y = 0, side = 1, isInside = 0] = bins.subarray(at, at + 4);
        context.fillStyle = isInside === 1 ? css([95, 211, 164], 0.3) : css([90, 169, 255], 0.16);
        context.strokeStyle = isInside === 1 ? css([95, 211, 164], 0.6) : css([90, 169, 255], 0.4);
        context.fillRect(x, y, side, side);
        context.strokeRect(x, y, side, side);
      }
    }
    for (const [left, top, right, bottom] of this.buildings) {
      context.fillStyle = colors.solid;
      context.fillRect(left, top, right - left, bottom - top);
      context.strokeStyle = css(colors.void, 0.7);
      context.lineWidth = 1 / scale;
      context.strokeRect(left, top, right - left, bottom - top);
    }
    this.drawSoldiers(context, scale);
    handle(context, this.eye, scale, colors.path, "◉");
  }

  private drawSoldiers(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    if (this.shows.sensors) {
      context.globalAlpha = 0.06;
      for (const { x, y, heading, team } of this.soldiers) {
        context.beginPath();
        context.moveTo(x, y);
        context.arc(x, y, RANGE, heading - Math.PI / 6, heading + Math.PI / 6);
        context.fillStyle = colors.teams[team];
        context.fill();
      }
      context.globalAlpha = 1;
    }
    if (this.shows.lines) {
      context.strokeStyle = colors.start;
      context.lineWidth = 1.2 / scale;
      context.beginPath();
      for (const index of this.coverage.found) {
        const soldier = this.soldiers[index];
        if (soldier !== undefined && this.inSight[index] === 1) {
          context.moveTo(this.eye.x, this.eye.y);
          context.lineTo(soldier.x, soldier.y);
        }
      }
      context.stroke();
    }
    this.soldiers.forEach(({ x, y, heading, team }, index) => {
      const radius = Math.max(0.55, 3.2 / scale);
      context.fillStyle = colors.teams[team];
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = this.coverage.found.has(index) ? colors.text : colors.teams[team];
      context.lineWidth = Math.max(0.16, 1.6 / scale);
      context.beginPath();
      if (this.coverage.found.has(index)) {
        context.arc(x, y, radius * 1.5, 0, 2 * Math.PI);
      } else {
        context.moveTo(x, y);
        context.lineTo(x + Math.cos(heading) * radius * 2, y + Math.sin(heading) * radius * 2);
      }
      context.stroke();
    });
  }
}

export function open(library: Library, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, high: number) => Math.min(Math.max(Math.round(Number(settings.get(key) ?? fallback)) || fallback, 1), high);
  return new Sight(library, { seed: number("seed", 5, 99), count: number("count", 160, 1000) });
}
