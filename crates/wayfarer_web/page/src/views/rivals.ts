/** Rivals in the same tab: recast-navigation and navcat on the same map made into a mesh. */

import { Board, handle, polyline, type Point } from "../draw/board";
import { MAPS, mapFile, random, type MapKind } from "../maps";
import { palette } from "../palette";
import { button, choice, el, fixed, group, legend, messageOf, Note, row, slider } from "../ui/dom";
import { panelOf, stageOf, type View } from "../ui/view";
import type { GroundScene, Library } from "../wasm";
import { Field } from "./field";

const SIDE = 128;
const N_QUERIES = 40;
const N_OBSTACLES = 12;
/** Half the side and the height of an obstacle in meters. */
const HALF = 3;
const RADIUS = 0.4;

type Line = Float64Array;

/** What is measured of each library; positions on the plane. */
interface Rival {
  readonly name: string;
  readonly color: string;
  readonly what: string;
  build(): Promise<void> | void;
  path(from: Point, to: Point): Line | undefined;
  /** Adds a box until the next path knows of it. */
  obstruct(at: Point): void;
  clear(): void;
  close(): void;
}

interface Mesh {
  positions: number[];
  indices: number[];
}

/** The open cells of a map file as quads of whole runs, y up. */
function meshOf(file: Uint8Array, boxes: readonly Point[] = []): Mesh {
  const rows = new TextDecoder().decode(file).split("\n").slice(4);
  const mesh: Mesh = { positions: [], indices: [] };
  const isOpen = (x: number, y: number) => ".S".includes(rows[y]?.[x] ?? "@");
  const add = (x: number, y: number, right: number, bottom: number, height: number) => {
    const first = mesh.positions.length / 3;
    mesh.positions.push(x, height, y, x, height, bottom, right, height, bottom, right, height, y);
    mesh.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const from = x;
      while (x < SIDE && isOpen(x, y)) {
        x++;
      }
      if (x > from) {
        add(from, y, x, y + 1, 0);
      }
    }
  }
  // A box whose top is too high to climb.
  for (const { x, y } of boxes) {
    add(x - HALF, y - HALF, x + HALF, y + HALF, 1.5);
  }
  return mesh;
}

class Wayfarer implements Rival {
  readonly name = "Wayfarer";
  readonly color = "#ffb454";
  readonly what = "grid of 1 m, path within 1.10 of the optimum over cells, string-pulled; repaired where the box is";
  ground: GroundScene | undefined;
  private nBoxes = 0;

  constructor(private readonly library: Library, private readonly file: Uint8Array) {}

  build(): void {
    this.ground?.free();
    this.ground = new this.library.GroundScene("rivals.map", this.file, 1);
    this.ground.addAgent(RADIUS, 1, false, 0);
    this.nBoxes = 0;
  }

  path(from: Point, to: Point): Line | undefined {
    const { ground } = this;
    ground?.setEnds(new Float64Array([from.x, from.y, 0, to.x, to.y, 0]));
    const path = ground?.find();
    const line = path?.is_found === true ? path.waypoints : undefined;
    path?.free();
    return line;
  }

  obstruct({ x, y }: Point): void {
    this.ground?.addSolid(new Float64Array([x - HALF, y - HALF, 0, x + HALF, y + HALF, 2]));
    this.nBoxes++;
  }

  clear(): void {
    for (; this.nBoxes > 0; this.nBoxes--) {
      this.ground?.undo();
    }
  }

  close(): void {
    this.ground?.free();
  }
}

async function recast(file: Uint8Array): Promise<Rival> {
  const [core, generators] = await Promise.all([import("recast-navigation"), import("recast-navigation/generators")]);
  await core.init();
  const mesh = meshOf(file);
  let made: Extract<ReturnType<typeof generators.generateTileCache>, { success: true }> | undefined;
  let query: InstanceType<typeof core.NavMeshQuery> | undefined;
  let boxes: NonNullable<ReturnType<NonNullable<typeof made>["tileCache"]["addBoxObstacle"]>["obstacle"]>[] = [];
  const free = () => {
    query?.destroy();
    made?.tileCache.destroy();
    made?.navMesh.destroy();
    made = undefined;
  };
  const settle = () => {
    for (let turn = 0; made !== undefined && turn < 64 && !made.tileCache.update(made.navMesh).upToDate; turn++);
  };
  return {
    name: "recast-navigation",
    color: "#5aa9ff",
    what: "Recast and Detour in wasm: tile cache of 48 × 48 voxels of 0.33 m, path through polygons with a funnel, no bound; tiles under the box rebuilt",
    build() {
      free();
      boxes = [];
      const result = generators.generateTileCache(mesh.positions, mesh.indices, {
        cs: 1 / 3, ch: 0.2, tileSize: 48, walkableRadius: 1, walkableHeight: 9, walkableClimb: 2, walkableSlopeAngle: 45,
        maxSimplificationError: 1.1, expectedLayersPerTile: 2, maxObstacles: 256,
      });
      if (!result.success) {
        throw new Error(`recast-navigation: ${result.error}`);
      }
      made = result;
      query = new core.NavMeshQuery(result.navMesh, { maxNodes: 16384 });
    },
    path(from, to) {
      const found = query?.computePath({ x: from.x, y: 0, z: from.y }, { x: to.x, y: 0, z: to.y }, { maxPathPolys: 4096, maxStraightPathPoints: 4096 });
      return found?.success === true ? new Float64Array(found.path.flatMap(({ x, z }) => [x, z, 0])) : undefined;
    },
    obstruct({ x, y }) {
      const added = made?.tileCache.addBoxObstacle({ x, y: 0, z: y }, { x: HALF, y: 2, z: HALF }, 0);
      if (added?.obstacle !== undefined) {
        boxes.push(added.obstacle);
      }
      settle();
    },
    clear() {
      for (const box of boxes) {
        made?.tileCache.removeObstacle(box);
      }
      boxes = [];
      settle();
    },
    close: free,
  };
}

async function navcat(file: Uint8Array): Promise<Rival> {
  const [core, blocks] = await Promise.all([import("navcat"), import("navcat/blocks")]);
  const cell = 1 / 3;
  const options = {
    cellSize: cell, cellHeight: 0.2, tileSizeVoxels: 48, tileSizeWorld: 48 * cell,
    walkableRadiusVoxels: 1, walkableRadiusWorld: cell, walkableClimbVoxels: 2, walkableClimbWorld: 0.4,
    walkableHeightVoxels: 9, walkableHeightWorld: 1.8, walkableSlopeAngleDegrees: 45, borderSize: 4,
    minRegionArea: 8, mergeRegionArea: 20, maxSimplificationError: 1.1, maxEdgeLength: 36, maxVerticesPerPoly: 6,
    detailSampleDistance: 6, detailSampleMaxError: 1,
  };
  let boxes: Point[] = [];
  let made: ReturnType<typeof blocks.generateTiledNavMesh> | undefined;
  const build = () => {
    made = blocks.generateTiledNavMesh(meshOf(file, boxes), options);
  };
  return {
    name: "navcat",
    color: "#5fd3a4",
    what: "JavaScript, tiles of 48 × 48 voxels of 0.33 m, path through polygons with a funnel, no bound; its generator makes the whole mesh anew",
    build() {
      boxes = [];
      build();
    },
    path(from, to) {
      if (made === undefined) {
        return undefined;
      }
      const found = core.findPath(made.navMesh, [from.x, 0, from.y], [to.x, 0, to.y], [1, 2, 1], core.DEFAULT_QUERY_FILTER);
      const isComplete = found.success && (found.flags & core.FindPathResultFlags.COMPLETE_PATH) !== 0;
      return isComplete ? new Float64Array(found.path.flatMap(({ position: [x, , z] }) => [x, z, 0])) : undefined;
    },
    obstruct(at) {
      boxes.push(at);
      build();
    },
    clear() {
      boxes = [];
      build();
    },
    close() {
      made = undefined;
    },
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const lengthOf = (line: Line): number => {
  let length = 0;
  for (let at = 3; at < line.length; at += 3) {
    length += Math.hypot((line[at] ?? 0) - (line[at - 3] ?? 0), (line[at + 1] ?? 0) - (line[at - 2] ?? 0));
  }
  return length;
};

/** True if a line crosses a box, its border not counted. */
function crosses(line: Line, { x, y }: Point): boolean {
  for (let at = 3; at < line.length; at += 3) {
    for (let share = 0; share <= 1; share += 0.05) {
      const px = (line[at - 3] ?? 0) * (1 - share) + (line[at] ?? 0) * share;
      const py = (line[at - 2] ?? 0) * (1 - share) + (line[at + 1] ?? 0) * share;
      if (Math.abs(px - x) < HALF - 0.1 && Math.abs(py - y) < HALF - 0.1) {
        return true;
      }
    }
  }
  return false;
}

interface Result {
  build: number;
  path: number;
  again: number;
  length: number;
  nFound: number;
  nWrong: number;
}

class Rivals implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  private readonly board: Board;
  private rivals: Rival[] = [];
  private field: Field | undefined;
  private lines: { color: string; line: Line }[] = [];
  private box: Point | undefined;
  private ends: Point[] = [{ x: 8, y: 8 }, { x: 120, y: 118 }];
  private isClosed = false;
  private readonly note = new Note();
  private readonly table = el("table", { id: "rivals" });
  private readonly what = el("div", { class: "group" });

  constructor(private readonly library: Library, private readonly state: { map: MapKind; seed: number }) {
    this.board = new Board({ draw: (context, scale) => this.draw(context, scale) });
    this.board.canvas.setAttribute("aria-label", "The same path by three libraries");
    this.stage = stageOf(this.board.canvas, el("div", { class: "hint" }, "The gray box is the obstacle that each library learned last"));
    this.panel = panelOf("Beside the others",
      "Three libraries in this tab, on the same map: build, path, and a box added until the path is right again.",
      row(button("Measure again", () => void this.measure(), { class: "primary", id: "measure" })),
      group("Medians in this browser", this.table, this.note.element),
      group("What differs", this.what),
      group("Map", choice("Map", MAPS.filter(([key]) => key !== "wilds"), state.map, (map) => void this.rebuild({ map })).element,
        slider("Seed", { min: 1, max: 99, step: 1, value: state.seed }, String, (seed) => void this.rebuild({ seed })).element),
      legend(["#ffb454", "Wayfarer", true], ["#5aa9ff", "recast-navigation", true], ["#5fd3a4", "navcat", true]),
    );
    this.board.fit(0, 0, SIDE, SIDE);
    void this.rebuild({});
  }

  close(): void {
    this.isClosed = true;
    this.board.close();
    this.rivals.forEach((rival) => rival.close());
  }

  settings(): Record<string, string> {
    return { map: this.state.map, seed: String(this.state.seed) };
  }

  private async rebuild(change: Partial<typeof this.state>): Promise<void> {
    Object.assign(this.state, change);
    this.rivals.forEach((rival) => rival.close());
    this.rivals = [];
    const file = mapFile(this.state.map, SIDE, this.state.seed);
    const ours = new Wayfarer(this.library, file);
    try {
      const others = await Promise.all([recast(file), navcat(file)]);
      this.rivals = [ours, ...others];
      this.what.replaceChildren(...this.rivals.map((rival) => el("p", {}, `${rival.name}: ${rival.what}.`)));
      await this.measure();
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
  }

  private async measure(): Promise<void> {
    const results: Result[] = [];
    this.lines = [];
    for (const rival of this.rivals) {
      this.note.set(`Measuring ${rival.name}…`);
      // The browser draws the note first.
      await new Promise((resolve) => setTimeout(resolve, 30));
      if (this.isClosed) {
        return;
      }
      results.push(await this.measureOne(rival));
    }
    this.show(results);
    this.note.set(`${N_QUERIES} queries and ${N_OBSTACLES} boxes each, the same for all; lengths relative to ours. A path is right again when it no longer crosses the box.`, "good");
    this.table.dataset["done"] = "1";
    this.board.redraw();
  }

  /** Places that all libraries can reach: open cells of our component. */
  private places(): Point[] {
    const ours = this.rivals.find((rival): rival is Wayfarer => rival instanceof Wayfarer);
    const next = random(99);
    const places: Point[] = [];
    const isOpen = (x: number, y: number) => ours?.ground?.project(new Float64Array([x, y, 0.1])).length === 3;
    for (let turn = 0; turn < 20000 && places.length < 2 * N_QUERIES; turn++) {
      const at = { x: Math.floor(2 + next() * (SIDE - 4)) + 0.5, y: Math.floor(2 + next() * (SIDE - 4)) + 0.5 };
      const isRoomy = [-1, 0, 1].every((dx) => [-1, 0, 1].every((dy) => isOpen(at.x + dx, at.y + dy)));
      const first = places[0];
      if (isRoomy && (first === undefined || ours?.path(first, at) !== undefined)) {
        places.push(at);
      }
    }
    return places;
  }

  private async measureOne(rival: Rival): Promise<Result> {
    const timed = (act: () => void) => {
      const before = performance.now();
      act();
      return performance.now() - before;
    };
    const builds: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const before = performance.now();
      await rival.build();
      builds.push(performance.now() - before);
    }
    if (rival instanceof Wayfarer && rival.ground !== undefined) {
      this.field = new Field(rival.ground);
    }
    const places = this.places();
    const paths: number[] = [];
    let length = 0;
    let nFound = 0;
    for (let query = 0; query + 1 < places.length; query += 2) {
      const [from, to] = [places[query] ?? { x: 0, y: 0 }, places[query + 1] ?? { x: 0, y: 0 }];
      let line: Line | undefined;
      paths.push(timed(() => {
        line = rival.path(from, to);
      }));
      if (line !== undefined) {
        nFound++;
        length += lengthOf(line);
      }
    }
    return { build: median(builds), path: median(paths), length, nFound, ...this.measureBoxes(rival, places) };
  }

  /** A box on the middle of a path: until the library's own path avoids it. */
  private measureBoxes(rival: Rival, places: readonly Point[]): { again: number; nWrong: number } {
    const times: number[] = [];
    let nWrong = 0;
    const reference = this.rivals[0];
    for (let turn = 0; turn < N_OBSTACLES && 2 * turn + 1 < places.length; turn++) {
      const [from, to] = [places[2 * turn] ?? { x: 0, y: 0 }, places[2 * turn + 1] ?? { x: 0, y: 0 }];
      const line = rival.path(from, to);
      const middle = line === undefined ? undefined : middleOf(line);
      if (middle === undefined || [from, to].some((end) => Math.hypot(end.x - middle.x, end.y - middle.y) < 3 * HALF)) {
        continue;
      }
      const at = { x: Math.round(middle.x), y: Math.round(middle.y) };
      const before = performance.now();
      rival.obstruct(at);
      const after = rival.path(from, to);
      times.push(performance.now() - before);
      nWrong += after !== undefined && crosses(after, at) ? 1 : 0;
      if (after !== undefined) {
        this.lines = this.lines.filter(({ color }) => color !== rival.color);
        this.lines.push({ color: rival.color, line: after });
        if (rival === reference) {
          [this.box, this.ends] = [at, [from, to]];
        } else if (this.box !== undefined && this.ends.length === 2) {
          rival.obstruct(this.box);
          const same = rival.path(this.ends[0] ?? from, this.ends[1] ?? to);
          this.lines = this.lines.filter(({ color }) => color !== rival.color);
          if (same !== undefined) {
            this.lines.push({ color: rival.color, line: same });
          }
        }
      }
      rival.clear();
    }
    return { again: median(times), nWrong };
  }

  private show(results: readonly Result[]): void {
    const best = (key: "build" | "path" | "again") => Math.min(...results.map((result) => result[key]));
    const cell = (value: number, low: number) => {
      const text = value < 1 ? `${fixed(value * 1000, 0)} µs` : `${fixed(value, value < 10 ? 2 : 1)} ms`;
      return el("td", value <= low ? { class: "best" } : {}, text);
    };
    const common = Math.max(...results.map(({ nFound }) => nFound));
    const ours = results[0]?.length ?? 1;
    const head = el("tr", {}, ...["", ...this.rivals.map(({ name }) => name.replace("recast-navigation", "recast"))].map((text) => el("th", {}, text)));
    const line = (label: string, cells: HTMLElement[]) => el("tr", {}, el("td", {}, label), ...cells);
    this.table.replaceChildren(head,
      line("build", results.map(({ build }) => cell(build, best("build")))),
      line("path", results.map(({ path }) => cell(path, best("path")))),
      line("box, path right", results.map(({ again }) => cell(again, best("again")))),
      line("length", results.map(({ length, nFound }) => el("td", {}, nFound === common ? fixed(length / ours, 3) : "–"))),
      line("paths found", results.map(({ nFound }) => el("td", {}, `${nFound}/${N_QUERIES}`))),
      line("through the box", results.map(({ nWrong }) => el("td", {}, `${nWrong}`))),
    );
  }

  private draw(context: CanvasRenderingContext2D, scale: number): void {
    this.field?.draw(context, scale);
    if (this.box !== undefined) {
      context.fillStyle = palette().solid;
      context.fillRect(this.box.x - HALF, this.box.y - HALF, 2 * HALF, 2 * HALF);
    }
    context.lineJoin = "round";
    for (const { color, line } of this.lines) {
      context.strokeStyle = color;
      context.lineWidth = 2.5 / scale;
      polyline(context, line);
    }
    const [a, b] = this.ends;
    handle(context, a ?? { x: 0, y: 0 }, scale, palette().start, "A");
    handle(context, b ?? { x: 0, y: 0 }, scale, palette().goal, "B");
  }
}

function middleOf(line: Line): Point | undefined {
  let rest = lengthOf(line) / 2;
  for (let at = 3; at < line.length; at += 3) {
    const [x, y, toX, toY] = [line[at - 3] ?? 0, line[at - 2] ?? 0, line[at] ?? 0, line[at + 1] ?? 0];
    const length = Math.hypot(toX - x, toY - y);
    if (length >= rest && length > 0) {
      return { x: x + ((toX - x) * rest) / length, y: y + ((toY - y) * rest) / length };
    }
    rest -= length;
  }
  return undefined;
}

export function open(library: Library, settings: URLSearchParams): View {
  const map = MAPS.find(([key]) => key === settings.get("map"))?.[0] ?? "town";
  const seed = Math.min(Math.max(Math.round(Number(settings.get("seed") ?? 3)) || 3, 1), 99);
  return new Rivals(library, { map, seed });
}
