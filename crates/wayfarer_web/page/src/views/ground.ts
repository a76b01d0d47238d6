/** Ground: paint the world, drag the ends, see repair and path in microseconds. */

import { Board, handle, polyline, type Point } from "../draw/board";
import { halls, MAPS, mapFile, UPPER, type MapKind } from "../maps";
import { palette } from "../palette";
import { button, check, choice, duration, el, Figures, fixed, group, legend, messageOf, Note, row, slider } from "../ui/dom";
import { dropZone, fileButton, type Opened } from "../ui/files";
import { animate, arrow, panelOf, stageOf, type Keys, type View } from "../ui/view";
import type { GroundScene, Library, PathArrays } from "../wasm";
import { BRUSHES, brushColor, doorAt, METHODS, SIZES, type Brush, type Method } from "./brushes";
import { drawLinks, Field, type Coloring } from "./field";

interface Box {
  low: Point;
  high: Point;
}

/** What a stroke made: batches for undo, and what the floors do not show. */
interface Stroke {
  n: number;
  box?: Box;
  wall?: Float64Array;
}

interface State {
  map: MapKind;
  side: number;
  seed: number;
  method: Method;
  radius: number;
  swamp: number;
}

class Ground implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  readonly keys: Keys = [
    ...BRUSHES.map(([, label, key]) => [key, `brush: ${label}`] as const),
    ["Arrows", "pan; with a brush, move the pen"], ["Enter", "set the pen down, lift it"],
    ["Shift + arrows", "move the goal B"], ["X", "swap A and B"], ["U", "undo"], ["+ −", "zoom"],
  ];
  private readonly board: Board;
  private ground: GroundScene;
  private field: Field;
  private path: PathArrays | undefined;
  private ends: [[number, number, number], [number, number, number]] = [[0, 0, 0], [0, 0, 0]];
  private brush: Brush = "move";
  private size = 2;
  private last: Point | undefined;
  private box: { from: Point; to: Point } | undefined;
  private dragged: 0 | 1 | undefined;
  private pointer: Point | undefined;
  private isPenDown = false;
  private expanded: Float64Array | undefined;
  private walker: { at: Point; path: Float64Array } | undefined;
  private stopWalk: (() => void) | undefined;
  private readonly agents = new Map<string, number>();
  private corridor: Point[] = [];
  private shows = { cells: false, corridor: false, expanded: false, portals: false };
  private isFile = false;
  private history: Stroke[] = [];
  private readonly figures = new Figures([
    ["edit", "last stroke: edit and repair"],
    ["path", "path after it"],
    ["cost", "cost of the path"],
    ["ratio", "ratio to the optimum"],
    ["expansions", "nodes expanded"],
    ["regions", "regions of the world"],
  ]);
  private readonly note = new Note();
  private readonly walkNote = new Note();
  private readonly brushButtons = new Map<Brush, HTMLButtonElement>();
  private readonly floorSlider = el("div");
  private readonly onTheme = () => {
    this.field.refresh();
    this.board.redraw();
  };

  constructor(
    private readonly library: Library,
    private readonly state: State,
  ) {
    this.board = new Board({
      draw: (context, scale) => this.draw(context, scale),
      down: (at, event) => this.down(at, event.pointerType === "touch"),
      drag: (at) => this.drag(at),
      up: (at) => this.up(at),
      hover: (at) => {
        this.pointer = at;
        this.board.redraw();
      },
      leave: () => {
        this.pointer = undefined;
        this.board.redraw();
      },
    });
    this.board.canvas.setAttribute("aria-label", "Map with start, goal and path");
    const made = this.make();
    this.ground = made.ground;
    this.field = made.field;
    const hint = "Drag A and B · choose a brush and paint · wheel zooms, Shift+drag pans · drop a file · ? lists the keys";
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, hint));
    this.stage.append(dropZone(this.stage, (file) => this.openFile(file)));
    this.panel = this.controls();
    addEventListener("themechange", this.onTheme);
    this.reset();
  }

  close(): void {
    this.stopWalk?.();
    removeEventListener("themechange", this.onTheme);
    this.board.close();
    this.ground.free();
  }

  settings(): Record<string, string> {
    const { map, side, seed, method, radius, swamp } = this.state;
    const ends = this.ends.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(",");
    return { map, side: String(side), seed: String(seed), method, radius: String(radius), swamp: String(swamp), ends };
  }

  onKey(event: KeyboardEvent): boolean {
    const brush = BRUSHES.find(([, , key]) => key.toLowerCase() === event.key.toLowerCase());
    if (brush !== undefined) {
      this.choose(brush[0]);
    } else if (event.key === "u" || event.key === "z") {
      this.undo();
    } else if (event.key === "+" || event.key === "=") {
      this.board.zoom(1.25);
    } else if (event.key === "-") {
      this.board.zoom(0.8);
    } else if (event.key === "x") {
      this.ends = [this.ends[1], this.ends[0]];
      this.find();
    } else if (event.key.startsWith("Arrow") && event.shiftKey) {
      this.nudge(event.key);
    } else if (event.key.startsWith("Arrow") && this.brush !== "move") {
      this.movePen(event.key);
    } else if (event.key === "Enter" && this.brush !== "move") {
      this.togglePen();
    } else if (event.key.startsWith("Arrow")) {
      const [x, y] = arrow(event.key);
      this.board.pan(60 * x, 60 * y);
    } else {
      return false;
    }
    return true;
  }

  /** Moves the goal by a cell. */
  private nudge(key: string): void {
    const [x, y] = this.ends[1];
    const [dx, dy] = arrow(key);
    const place = this.field.nearestFloor(this.field.clamp({ x: x + dx, y: y + dy }));
    if (place !== undefined) {
      this.ends[1] = place;
      this.find();
    }
  }

  /** The pen of the keyboard: where the pointer is, or in the middle. */
  private get pen(): Point {
    const { x, y, width, height } = this.field.extent;
    return this.pointer ?? { x: Math.floor(x + width / 2) + 0.5, y: Math.floor(y + height / 2) + 0.5 };
  }

  /** Moves the pen by a cell; while it is down, it paints. */
  private movePen(key: string): void {
    const [dx, dy] = arrow(key);
    this.pointer = this.field.clamp({ x: this.pen.x + dx, y: this.pen.y + dy });
    if (this.isPenDown) {
      this.drag(this.pointer);
    }
    this.board.redraw();
  }

  private togglePen(): void {
    this.pointer = this.pen;
    if (this.isPenDown) {
      this.up(this.pointer);
      this.isPenDown = false;
    } else {
      this.isPenDown = this.down(this.pointer, false);
    }
    this.board.redraw();
  }

  /** The ends of a link: x, y of start and goal. */
  restoreEnds(text: string | null): void {
    const [x = NaN, y = NaN, toX = NaN, toY = NaN] = (text ?? "").split(",").map(Number);
    const [from, to] = [this.field.nearestFloor({ x, y }), this.field.nearestFloor({ x: toX, y: toY })];
    if (text !== null && from !== undefined && to !== undefined) {
      this.ends = [from, to];
      this.find();
    }
  }

  /** A stroke between two places and the path after it, in milliseconds, and whether there is one; for measurements. */
  measureStroke(from: Point, to: Point): { edit: number; path: number; isFound: boolean } {
    const before = performance.now();
    this.ground.paintWall(new Float64Array([from.x, from.y, 0, to.x, to.y, 0]), 1);
    const edited = performance.now();
    const isFound = this.ground.findOnly();
    return { edit: edited - before, path: performance.now() - edited, isFound };
  }

  private make(): { ground: GroundScene; field: Field } {
    const { map, side, seed } = this.state;
    const ground = new this.library.GroundScene(`${map}.map`, mapFile(map, side, seed), 1);
    if (map === "floors") {
      const { floors, stairs } = halls(side, seed);
      for (const [x = 0, y = 0, right = 0, bottom = 0] of floors) {
        ground.addFloors(new Float64Array([x, y, UPPER, right, bottom, UPPER]), 0);
      }
      for (const ends of stairs) {
        ground.addLink(new Float64Array(ends), 0);
      }
      ground.clearUndo();
    }
    return { ground, field: new Field(ground) };
  }

  private controls(): HTMLElement {
    const { state } = this;
    const maps = choice("Map", MAPS, state.map, (map) => this.rebuild({ map }));
    const sizes = choice("Size", SIZES, String(state.side) as (typeof SIZES)[number][0], (side) => this.rebuild({ side: Number(side) }));
    const seed = slider("Seed", { min: 1, max: 99, step: 1, value: state.seed }, String, (value) => this.rebuild({ seed: value }));
    const brushes = el("div", { class: "brushes", role: "group", "aria-label": "Brushes" });
    for (const [key, label, letter] of BRUSHES) {
      const element = button(label, () => this.choose(key), { "data-brush": key, title: `${label} (${letter})` });
      element.prepend(el("span", { class: "swatch", style: `background:${brushColor(key)}` }));
      this.brushButtons.set(key, element);
      brushes.append(element);
    }
    const size = slider("Brush", { min: 0.5, max: 8, step: 0.5, value: this.size }, (value) => `${fixed(value)} m`, (value) => {
      this.size = value;
    });
    const radius = slider("Radius", { min: 0.4, max: 3.4, step: 0.5, value: state.radius }, (value) => `${fixed(value)} m`, (value) => this.setAgent({ radius: value }));
    const swamp = slider("Swamp cost", { min: 1, max: 8, step: 1, value: state.swamp }, (value) => `× ${value}`, (value) => this.setAgent({ swamp: value }));
    const method = choice("Method", METHODS, state.method, (value) => {
      state.method = value;
      this.find();
    });
    const coloring = choice<Coloring>("Color by", [
      ["terrain", "terrain"], ["regions", "regions (sectors of 16 × 16)"],
      ["components", "components: what is connected"], ["cost", "cost for the agent"],
    ], "terrain", (value) => {
      this.field.coloring = value;
      this.field.refresh();
      this.board.redraw();
    });
    const toggle = (key: keyof typeof this.shows) => (isOn: boolean) => {
      this.shows[key] = isOn;
      this.find();
    };
    this.choose("move");
    return panelOf("A world that changes",
      "Paint while it runs. Regions, portals and connectivity are repaired where the brush was; the path follows.",
      this.figures.element, this.note.element,
      group("Brush", brushes, size.element, row(button("Undo", () => this.undo(), { title: "Undo (U)" }), button("Walk", () => this.toggleWalk(), { id: "walk", title: "An agent walks from A to B and replans" })), this.walkNote.element),
      group("Agent and method", radius.element, swamp.element, method.element),
      group("Show", coloring.element,
        check("Cells of the path", false, toggle("cells"), palette().cells).element,
        check("Corridor: regions that it crosses", false, toggle("corridor"), palette().open).element,
        check("Expanded nodes and jump points", false, toggle("expanded"), palette().expanded).element,
        check("Abstract graph, width by support", false, toggle("portals"), palette().link).element,
        this.floorSlider),
      group("World", maps.element, sizes.element, seed.element, row(fileButton("Open a file…", (file) => this.openFile(file)), button("Start again", () => this.rebuild({})))),
      legend(["var(--accent)", "path", true], ["var(--good)", "start A"], ["var(--bad)", "goal B"], [palette().door, "door", true], [palette().link, "link", true]),
    );
  }

  private choose(brush: Brush): void {
    this.brush = brush;
    this.isPenDown = false;
    for (const [key, element] of this.brushButtons) {
      element.setAttribute("aria-pressed", String(key === brush));
    }
    this.board.canvas.style.cursor = brush === "move" ? "grab" : "crosshair";
  }

  private rebuild(change: Partial<State>): void {
    Object.assign(this.state, change);
    this.isFile = false;
    this.take(this.make());
  }

  private take(made: { ground: GroundScene; field: Field }): void {
    this.stopWalk?.();
    this.ground.free();
    this.ground = made.ground;
    this.field = made.field;
    this.agents.clear();
    this.history = [];
    this.reset();
  }

  private openFile({ name, bytes }: Opened): void {
    let ground: GroundScene | undefined;
    try {
      ground = name.endsWith(".save") ? this.library.GroundScene.load(bytes) : new this.library.GroundScene(name, bytes, 1);
      const field = new Field(ground);
      this.isFile = true;
      this.take({ ground, field });
      this.note.set(`${name}: ${field.extent.width} × ${field.extent.height} m. ${ground.report()}`.trim(), "good");
    } catch (error) {
      ground?.free();
      this.note.set(`${name} cannot be read: ${messageOf(error)}`, "bad");
    }
  }

  /** Places the ends in opposite corners and shows the whole world. */
  private reset(): void {
    const { x, y, width, height, z, top } = this.field.extent;
    this.board.fit(x, y, width, height);
    this.setAgent({}, false);
    const corner = (share: number) => this.field.nearestFloor(this.field.clamp({ x: x + width * share, y: y + height * share }));
    let [from, to] = [corner(0.08), corner(0.92)];
    for (const share of [0.15, 0.25, 0.4, 0.5]) {
      from ??= corner(share);
      to ??= corner(1 - share);
    }
    const fallback: [number, number, number] = [x + width / 2, y + height / 2, z];
    this.ends = [from ?? fallback, to ?? fallback];
    this.floorSlider.replaceChildren();
    if (this.field.hasFloors) {
      const floors = slider("Floors up to", { min: z, max: top, step: 1, value: top }, (value) => `${fixed(value, 0)} m`, (value) => {
        this.field.ceiling = value;
        this.field.refresh();
        this.board.redraw();
      });
      this.floorSlider.append(floors.element);
    }
    this.figures.set("edit", "–");
    // The first search fills the caches; the second shows what a game sees.
    this.find();
    this.find();
    if (!this.isFile) {
      this.linkEnds();
    }
  }

  /** On a generated map the goal moves to a place that the start reaches. */
  private linkEnds(): void {
    const { x, y, width, height } = this.field.extent;
    for (let turn = 0; turn < 60 && this.path?.is_found !== true; turn++) {
      const share = ((turn * 37) % 60) / 60;
      const next = this.field.nearestFloor(this.field.clamp({ x: x + width * (0.95 - share * 0.5), y: y + height * (0.95 - ((turn * 17) % 60) / 90) }));
      if (next !== undefined) {
        this.ends[1] = next;
        this.find();
      }
      if (turn % 12 === 11) {
        this.ends[0] = this.field.nearestFloor(this.field.clamp({ x: x + width * share, y: y + height * 0.2 })) ?? this.ends[0];
      }
    }
  }

  private setAgent(change: Partial<Pick<State, "radius" | "swamp">>, mayFind = true): void {
    Object.assign(this.state, change);
    const { radius, swamp } = this.state;
    const key = `${radius}:${swamp}`;
    const known = this.agents.get(key);
    if (known === undefined) {
      this.agents.set(key, this.ground.addAgent(radius, swamp, false, 0));
    } else {
      this.ground.setAgent(known);
    }
    this.field.refresh();
    if (mayFind) {
      this.find();
    }
  }

  private find(): void {
    const { ground } = this;
    ground.setMethod(this.state.method);
    ground.setEnds(new Float64Array([...this.ends[0], ...this.ends[1]]));
    const before = performance.now();
    const isFound = ground.findOnly();
    const time = performance.now() - before;
    this.path?.free();
    this.path = ground.find();
    const [value, unit] = duration(time);
    this.figures.set("path", value, unit);
    this.figures.set("cost", isFound ? fixed(this.path.cost) : "–", isFound ? "m" : "");
    const optimum = isFound ? ground.optimum() : 0;
    this.figures.set("ratio", optimum > 0 ? fixed(this.path.cost / optimum, 3) : "–", optimum > 0 ? `≤ ${this.path.bound > 0 ? fixed(this.path.bound, 2) : "no bound"}` : "");
    this.figures.set("expansions", fixed(this.path.expansions, 0));
    this.figures.set("regions", fixed(ground.nRegions(), 0));
    if (isFound) {
      this.note.set(this.path.message, "");
    } else {
      const reason = ground.explain();
      this.note.set(`No path: ${this.path.message}\n${reason}`, "bad");
    }
    this.corridor = this.shows.corridor && isFound ? this.field.corridor(this.path.cells) : [];
    this.expanded = undefined;
    if (this.shows.expanded) {
      try {
        const trace = ground.trace();
        const kinds = trace.kinds();
        const positions = trace.positions();
        this.expanded = positions.filter((_, index) => kinds[Math.floor(index / 3)] === 1);
        trace.free();
      } catch (error) {
        this.note.set(messageOf(error), "");
      }
    }
    this.board.redraw();
  }

  private edited(time: number, nChanges: number, around?: { from: Point; to: Point; radius: number }): void {
    const [value, unit] = duration(time);
    this.figures.set("edit", value, unit);
    this.figures.element.dataset["split"] = String(nChanges);
    this.field.refresh(around);
    this.find();
  }

  private stroke(from: Point, to: Point): void {
    const { extent, ceiling } = this.field;
    const z = this.ground.project(new Float64Array([to.x, to.y, ceiling + 0.1]))[2] ?? extent.z;
    const ends = new Float64Array([from.x, from.y, z, to.x, to.y, z]);
    const radius = this.size;
    const { ground } = this;
    const strokes: Partial<Record<Brush, () => number>> = {
      wall: () => ground.paintWall(ends, radius),
      floor: () => ground.paintTerrain(ends, radius, 0),
      swamp: () => ground.paintTerrain(ends, radius, 1),
      water: () => ground.paintTerrain(ends, radius, 2),
      cost: () => ground.paintCost(ends, radius, 4),
    };
    this.change(strokes[this.brush], { from, to, radius });
  }

  private change(act: (() => number) | undefined, around?: { from: Point; to: Point; radius: number }, made: Stroke = { n: 1 }): void {
    if (act === undefined) {
      return;
    }
    try {
      const before = performance.now();
      const nChanges = act();
      this.history.push(made);
      this.edited(performance.now() - before, nChanges, around);
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
  }

  private undo(): void {
    const last = this.history.pop();
    if (last === undefined) {
      return;
    }
    const before = performance.now();
    for (let n = 0; n < last.n; n++) {
      this.ground.undo();
    }
    this.edited(performance.now() - before, 0);
  }

  private down(at: Point, isTouch: boolean): boolean {
    const reach = (isTouch ? 28 : 16) / this.board.pixels;
    for (const index of [1, 0] as const) {
      const [x, y] = this.ends[index];
      if (Math.hypot(at.x - x, at.y - y) < reach) {
        this.dragged = index;
        return true;
      }
    }
    const links = this.ground.links();
    for (let link = 0; link * 8 < links.length; link++) {
      const middle = [0, 1].map((axis) => ((links[link * 8 + axis] ?? 0) + (links[link * 8 + 3 + axis] ?? 0)) / 2);
      if (links[link * 8 + 6] === 4 && Math.hypot(at.x - (middle[0] ?? 0), at.y - (middle[1] ?? 0)) < Math.max(reach, 0.8)) {
        this.change(() => this.ground.toggleLink(link));
        return true;
      }
    }
    if (this.brush === "move") {
      return false;
    }
    if (this.brush === "solid" || this.brush === "link") {
      this.box = { from: at, to: at };
    } else if (this.brush === "door") {
      this.addDoor(at);
    } else {
      this.last = at;
      this.stroke(at, at);
    }
    return true;
  }

  private drag(at: Point): void {
    this.pointer = at;
    if (this.dragged !== undefined) {
      const place = this.field.nearestFloor(this.field.clamp(at));
      if (place !== undefined) {
        this.ends[this.dragged] = place;
        this.find();
      }
    } else if (this.box !== undefined) {
      this.box.to = at;
      this.board.redraw();
    } else if (this.last !== undefined) {
      this.stroke(this.last, at);
      this.last = at;
    }
  }

  private up(at: Point): void {
    const { box } = this;
    [this.dragged, this.last, this.box] = [undefined, undefined, undefined];
    if (box === undefined) {
      return;
    }
    if (this.brush === "link") {
      const [from, to] = [this.field.nearestFloor(box.from), this.field.nearestFloor(at)];
      if (from !== undefined && to !== undefined) {
        this.change(() => this.ground.addLink(new Float64Array([...from, ...to]), 2));
      }
      return;
    }
    const low = { x: Math.floor(Math.min(box.from.x, at.x)), y: Math.floor(Math.min(box.from.y, at.y)) };
    const high = { x: Math.max(Math.ceil(Math.max(box.from.x, at.x)), low.x + 1), y: Math.max(Math.ceil(Math.max(box.from.y, at.y)), low.y + 1) };
    const z = this.field.extent.z;
    this.change(() => this.ground.addSolid(new Float64Array([low.x, low.y, z, high.x, high.y, z + 3])), { from: low, to: high, radius: 4 }, { n: 1, box: { low, high } });
  }

  private addDoor(at: Point): void {
    const { wall, link } = doorAt(this.ground, at, this.field.ceiling, this.field.extent.z);
    this.change(() => this.ground.addThinWall(wall) + this.ground.addLink(link, 4), undefined, { n: 2, wall });
  }

  private toggleWalk(): void {
    if (this.stopWalk !== undefined) {
      this.stopWalk();
      this.walkNote.set("");
      return;
    }
    this.ground.startWalk();
    const stop = animate((seconds) => {
      const [x = 0, y = 0, , hasArrived = 0, nReplanned = 0, hasFailed = 0] = this.ground.walk(Math.max(seconds, 0.001) * Math.max(this.state.side / 12, 6));
      this.walker = { at: { x, y }, path: this.ground.walkPath() };
      this.walkNote.element.dataset["replanned"] = String(nReplanned);
      const words = hasArrived === 1 ? "Arrived." : hasFailed === 1 ? "No path: open a door or remove a wall." : "On its way; paint in front of it.";
      this.walkNote.set(`${words} Replanned ${nReplanned} ${nReplanned === 1 ? "time" : "times"}.`, hasArrived === 1 ? "good" : hasFailed === 1 ? "bad" : "");
      this.board.redraw();
      if (hasArrived === 1) {
        this.stopWalk?.();
      }
    });
    this.stopWalk = () => {
      stop();
      this.ground.stopWalk();
      this.walker = undefined;
      this.stopWalk = undefined;
      this.board.redraw();
    };
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    const colors = palette();
    this.field.draw(context, scale);
    context.lineJoin = "round";
    context.lineCap = "round";
    context.fillStyle = colors.open;
    const cell = this.ground.cell();
    for (const { x, y } of this.corridor) {
      context.fillRect(x, y, cell, cell);
    }
    if (this.shows.portals) {
      this.field.drawPortals(context, scale);
    }
    if (this.expanded !== undefined) {
      context.fillStyle = colors.expanded;
      const side = Math.max(1, 3 / scale);
      for (let at = 0; at < this.expanded.length; at += 3) {
        context.fillRect((this.expanded[at] ?? 0) - side / 2, (this.expanded[at + 1] ?? 0) - side / 2, side, side);
      }
    }
    context.fillStyle = colors.solid;
    for (const { box } of this.history) {
      if (box !== undefined) {
        context.fillRect(box.low.x, box.low.y, box.high.x - box.low.x, box.high.y - box.low.y);
      }
    }
    context.strokeStyle = colors.text;
    context.lineWidth = Math.max(0.2, 2 / scale);
    for (const { wall } of this.history) {
      if (wall !== undefined) {
        polyline(context, wall);
      }
    }
    drawLinks(context, this.ground.links(), scale);
    if (this.path?.is_found === true) {
      if (this.shows.cells) {
        context.fillStyle = colors.cells;
        const { cells } = this.path;
        for (let at = 0; at < cells.length; at += 3) {
          context.fillRect((cells[at] ?? 0) - 0.5, (cells[at + 1] ?? 0) - 0.5, 1, 1);
        }
      }
      context.strokeStyle = colors.path;
      context.globalAlpha = 0.22;
      context.lineWidth = Math.max(this.state.radius * 2, 4 / scale);
      polyline(context, this.path.waypoints);
      context.globalAlpha = 1;
      context.lineWidth = Math.min(Math.max(0.28, 2.6 / scale), 5 / scale);
      polyline(context, this.path.waypoints);
    }
    if (this.walker !== undefined) {
      context.strokeStyle = colors.start;
      context.lineWidth = Math.max(0.2, 2 / scale);
      context.setLineDash([1, 1]);
      polyline(context, this.walker.path);
      context.setLineDash([]);
      context.beginPath();
      context.arc(this.walker.at.x, this.walker.at.y, Math.max(this.state.radius, 5 / scale), 0, 2 * Math.PI);
      context.fillStyle = colors.current;
      context.fill();
    }
    this.drawPointer(context, scale);
    handle(context, { x: this.ends[0][0], y: this.ends[0][1] }, scale, colors.start, "A");
    handle(context, { x: this.ends[1][0], y: this.ends[1][1] }, scale, colors.goal, "B");
  }

  private drawPointer(context: CanvasRenderingContext2D, scale: number): void {
    context.strokeStyle = palette().text;
    context.lineWidth = 1.5 / scale;
    if (this.box !== undefined) {
      const { from, to } = this.box;
      if (this.brush === "link") {
        context.beginPath();
        context.moveTo(from.x, from.y);
        context.lineTo(to.x, to.y);
        context.stroke();
      } else {
        context.strokeRect(Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y));
      }
    } else if (this.pointer !== undefined && this.brush !== "move") {
      const isPoint = ["solid", "link", "door"].includes(this.brush);
      context.beginPath();
      context.arc(this.pointer.x, this.pointer.y, isPoint ? 3 / scale : this.size, 0, 2 * Math.PI);
      context.stroke();
    }
  }
}

export function open(library: Library, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, low: number, high: number) => {
    const value = Number(settings.get(key) ?? fallback);
    return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : fallback;
  };
  const map = MAPS.find(([key]) => key === settings.get("map"))?.[0] ?? "town";
  const method = METHODS.find(([key]) => key === settings.get("method"))?.[0] ?? "bounded";
  const view = new Ground(library, {
    map,
    side: Number(SIZES.find(([key]) => key === settings.get("side"))?.[0] ?? 128),
    seed: Math.round(number("seed", 3, 1, 99)),
    method,
    radius: number("radius", 0.4, 0.4, 3.4),
    swamp: Math.round(number("swamp", 3, 1, 8)),
  });
  view.restoreEnds(settings.get("ends"));
  Object.assign(globalThis, { wayfarerGround: view });
  return view;
}
