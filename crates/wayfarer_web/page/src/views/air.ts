/** Air: an octree in three dimensions, asteroids that move, presets side by side. */

import {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CatmullRomCurve3, Color, DirectionalLight, EdgesGeometry, Group,
  InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, PerspectiveCamera,
  Points, PointsMaterial, Scene, SphereGeometry, Spherical, TubeGeometry, Vector3, WebGLRenderer, type Object3D,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { moved, rock, type Mesh as RockMesh } from "../draw/rock";
import { random } from "../maps";
import { heat, palette } from "../palette";
import { button, check, choice, duration, el, Figures, fixed, group, legend, messageOf, Note, row, slider } from "../ui/dom";
import { animate, arrow, panelOf, stageOf, type Keys, type View } from "../ui/view";
import type { AirScene, Library } from "../wasm";

const SIDE = 64;
const PRESET_COLORS = ["#ffb454", "#5fd3a4", "#ff6b6b", "#5aa9ff", "#d58bff"] as const;

interface Rock {
  mesh: RockMesh;
  shape: Mesh;
  at: Vector3;
  velocity: Vector3;
  radius: number;
}

class Air implements View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  readonly keys: Keys = [["Arrows", "turn"], ["+ −", "nearer, farther"], ["Space", "run and stop the rocks"]];
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(45, 1, 0.5, 900);
  private readonly controls: OrbitControls;
  private readonly observer: ResizeObserver;
  private readonly presets: string[];
  private air: AirScene | undefined;
  private rocks: Rock[] = [];
  private readonly rockGroup = new Group();
  private readonly flights = new Group();
  private readonly octree = new Group();
  private readonly heatPoints = new Group();
  private preset = 0;
  private isDrifting = true;
  private since = 0;
  private layer = 2;
  private shows = { octree: true, solid: false, heat: true, all: false };
  private ends = [new Vector3(3, 3, 3), new Vector3(SIDE - 3, SIDE - 3, SIDE - 4)];
  private ship = 0;
  private readonly shipMesh = new Mesh(new SphereGeometry(1, 20, 14), new MeshBasicMaterial());
  private curve: CatmullRomCurve3 | undefined;
  private readonly stop: () => void;
  private readonly note = new Note();
  private readonly table = el("table");
  private readonly figures = new Figures([
    ["edit", "last rock moved, octree repaired"],
    ["flight", "flight after it"],
    ["length", "length of the flight"],
    ["expansions", "nodes expanded"],
    ["nodes", "uniform cubes of the octree"],
    ["replans", "flights found anew"],
  ]);
  private nReplans = 0;
  private nDrifts = 0;
  private readonly onTheme = () => this.paint();

  constructor(private readonly library: Library, private readonly state: { seed: number; count: number }) {
    try {
      this.renderer = new WebGLRenderer({ antialias: true });
    } catch {
      throw new Error("This view needs WebGL. Switch hardware acceleration on in the settings of the browser, or open another view.");
    }
    this.presets = library.AirScene.presets();
    this.stage = stageOf(this.renderer.domElement, el("div", { class: "hint" }, "Drag turns · wheel or pinch zooms · right drag pans · Space stops the rocks"));
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.target.set(SIDE / 2, SIDE * 0.46, SIDE / 2);
    // Across the diagonal from the start to the goal.
    this.camera.position.set(SIDE * 2.05, SIDE * 1.02, -SIDE * 1.02);
    this.controls.enableDamping = true;
    this.scene.add(new AmbientLight(0xffffff, 1.3), this.rockGroup, this.flights, this.octree, this.heatPoints, this.shipMesh);
    const sun = new DirectionalLight(0xffffff, 2.4);
    sun.position.set(60, 120, 40);
    this.scene.add(sun);
    const box = new LineSegments(new EdgesGeometry(new BoxGeometry(SIDE, SIDE, SIDE)), new LineBasicMaterial());
    box.position.set(SIDE / 2, SIDE / 2, SIDE / 2);
    box.name = "frame";
    this.scene.add(box);
    this.panel = this.makePanel();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.stage);
    addEventListener("themechange", this.onTheme);
    this.paint();
    this.rebuild({});
    this.stop = animate((seconds) => this.frame(seconds));
  }

  close(): void {
    this.stop();
    this.observer.disconnect();
    removeEventListener("themechange", this.onTheme);
    this.controls.dispose();
    this.renderer.dispose();
    this.air?.free();
  }

  settings(): Record<string, string> {
    return { seed: String(this.state.seed), count: String(this.state.count) };
  }

  onKey(event: KeyboardEvent): boolean {
    if (event.key === " ") {
      this.toggle();
    } else if (event.key.startsWith("Arrow")) {
      const [x, y] = arrow(event.key);
      this.turn(0.08 * x, 0.08 * y, 1);
    } else if (["+", "=", "-"].includes(event.key)) {
      this.turn(0, 0, event.key === "-" ? 1.1 : 0.9);
    } else {
      return false;
    }
    return true;
  }

  /** Turns the camera around the middle, and moves it nearer or farther. */
  private turn(around: number, down: number, distance: number): void {
    const { camera, controls } = this;
    const offset = new Spherical().setFromVector3(camera.position.clone().sub(controls.target));
    offset.set(offset.radius * distance, Math.min(Math.max(offset.phi + down, 0.1), Math.PI - 0.1), offset.theta + around);
    camera.position.setFromSpherical(offset).add(controls.target);
  }

  private makePanel(): HTMLElement {
    const names = this.presets.map((name, index) => [String(index), name] as const);
    const show = (key: keyof typeof this.shows) => (isOn: boolean) => {
      this.shows[key] = isOn;
      this.fly();
      this.drawOctree();
    };
    return panelOf("Flight through an octree",
      "Large cubes of free air, small ones at the rocks. A rock drifts: only its cubes change, and the flight is found anew if it is hit.",
      this.figures.element, this.note.element,
      group("Flight", choice("Preset", names, "0", (value) => { this.preset = Number(value); this.fly(); }).element,
        check("All presets side by side", false, show("all")).element, this.table),
      group("Asteroids", row(button("Pause", () => this.toggle(), { class: "primary", id: "run", title: "Space" })),
        slider("Number", { min: 5, max: 60, step: 1, value: this.state.count }, String, (value) => this.rebuild({ count: value })).element,
        slider("Seed", { min: 1, max: 99, step: 1, value: this.state.seed }, String, (value) => this.rebuild({ seed: value })).element),
      group("Show", check("Expanded nodes as heat", true, show("heat")).element,
        check("Free cubes from a layer on", true, show("octree")).element,
        slider("Layer", { min: 0, max: 4, step: 1, value: this.layer }, (value) => `${4 * 2 ** value} m`, (value) => { this.layer = value; this.drawOctree(); }).element,
        check("Solid voxels", false, show("solid")).element),
      legend([`#${palette().scene.free.toString(16).padStart(6, "0")}`, "free cube", true], ["var(--good)", "start"], ["var(--bad)", "goal"], [PRESET_COLORS[0], "flight, faint behind rocks", true], [`rgb(${heat(0.1).join(",")})`, "expanded early"], [`rgb(${heat(0.95).join(",")})`, "late"]),
    );
  }

  private paint(): void {
    const colors = palette().scene;
    this.scene.background = new Color(colors.background);
    this.scene.traverse((object: Object3D) => {
      if (object.name === "frame" && object instanceof LineSegments && object.material instanceof LineBasicMaterial) {
        object.material.color.set(colors.frame);
      }
    });
    this.shipMesh.material.color.set(palette().text);
    for (const { shape } of this.rocks) {
      if (shape.material instanceof MeshStandardMaterial) {
        shape.material.color.set(colors.solid);
      }
    }
    this.drawOctree();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.stage;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / Math.max(clientHeight, 1);
    this.camera.updateProjectionMatrix();
  }

  private rebuild(change: Partial<typeof this.state>): void {
    Object.assign(this.state, change);
    const next = random(this.state.seed * 13 + 1);
    this.air?.free();
    const air = new this.library.AirScene(SIDE, 1);
    this.air = air;
    this.rocks = [];
    empty(this.rockGroup);
    while (this.rocks.length < this.state.count) {
      const radius = 3 + next() * 5;
      const at = new Vector3(9 + next() * (SIDE - 18), 9 + next() * (SIDE - 18), 9 + next() * (SIDE - 18));
      const mesh = rock(radius, next);
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(mesh.vertices), 3));
      geometry.setIndex([...mesh.triangles]);
      geometry.computeVertexNormals();
      const shape = new Mesh(geometry, new MeshStandardMaterial({ color: palette().scene.solid, roughness: 0.95, flatShading: true }));
      shape.position.copy(at);
      const velocity = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(6);
      if (this.ends.every((end) => end.distanceTo(at) > radius + 4)) {
        air.addRock(moved(mesh, at.x, at.y, at.z), mesh.triangles);
        this.rockGroup.add(shape);
        this.rocks.push({ mesh, shape, at, velocity, radius });
      }
    }
    this.nReplans = 0;
    this.fly();
    this.drawOctree();
  }

  private toggle(): void {
    this.isDrifting = !this.isDrifting;
    this.panel.querySelector("#run")?.replaceChildren(this.isDrifting ? "Pause" : "Run");
  }

  private frame(seconds: number): void {
    this.since += seconds;
    if (this.isDrifting && this.since > 0.1 && this.rocks.length > 0) {
      this.drift(this.since);
      this.since = 0;
    }
    if (this.curve !== undefined) {
      this.ship = (this.ship + (seconds * 14) / Math.max(this.curve.getLength(), 1)) % 1;
      this.shipMesh.position.copy(this.curve.getPointAt(this.ship));
    }
    this.controls.update();
    this.renderer.render(this.scene, this.camera);
  }

  /** Every rock moves; the flight is found anew if one of them hits it. */
  private drift(seconds: number): void {
    const { air } = this;
    if (air === undefined) {
      return;
    }
    try {
      let time = 0;
      this.rocks.forEach((body, index) => {
        body.at.addScaledVector(body.velocity, seconds);
        for (const axis of ["x", "y", "z"] as const) {
          const [low, high] = [body.radius * 1.2, SIDE - body.radius * 1.2];
          if (body.at[axis] < low || body.at[axis] > high) {
            body.velocity[axis] *= -1;
            body.at[axis] = Math.min(Math.max(body.at[axis], low), high);
          }
        }
        for (const end of this.ends) {
          if (end.distanceTo(body.at) < body.radius + 4) {
            body.velocity.copy(body.at).sub(end).setLength(body.velocity.length());
          }
        }
        body.shape.position.copy(body.at);
        const vertices = moved(body.mesh, body.at.x, body.at.y, body.at.z);
        const before = performance.now();
        air.moveRock(index, vertices, body.mesh.triangles);
        time = performance.now() - before;
      });
      this.figures.set("edit", ...duration(time));
      if (!air.isClear() || this.shows.all) {
        this.nReplans++;
        this.fly();
      }
      this.figures.set("replans", fixed(this.nReplans, 0));
      // All cubes are read: a few times a second is enough to see them change.
      if ((this.shows.octree || this.shows.solid) && ++this.nDrifts % 4 === 0) {
        this.drawOctree();
      }
    } catch (error) {
      this.note.set(messageOf(error), "bad");
    }
  }

  private fly(): void {
    const { air } = this;
    if (air === undefined) {
      return;
    }
    empty(this.flights);
    empty(this.heatPoints);
    this.table.replaceChildren();
    const ends = new Float64Array(this.ends.flatMap((end) => end.toArray()));
    // The chosen one last: its status is watched.
    const order = this.shows.all ? [...this.presets.keys()].filter((index) => index !== this.preset).concat(this.preset) : [this.preset];
    const rows: HTMLElement[] = [];
    for (const index of order) {
      try {
        const before = performance.now();
        const trace = air.fly(ends, index);
        const time = performance.now() - before;
        const path = trace.path();
        this.drawFlight(path.waypoints, index, index === this.preset);
        const [value, unit] = duration(time);
        rows[index] = el("tr", {}, el("td", {}, this.presets[index] ?? ""), el("td", {}, `${value} ${unit}`), el("td", {}, fixed(path.expansions, 0)), el("td", {}, `${fixed(path.length)} m`));
        rows[index]?.firstElementChild?.setAttribute("style", `color:${PRESET_COLORS[index] ?? ""}`);
        if (index === this.preset) {
          this.figures.set("flight", value, unit);
          this.figures.set("length", path.is_found ? fixed(path.length) : "–", path.is_found ? "m" : "");
          this.figures.set("expansions", fixed(path.expansions, 0));
          this.note.set(path.message, path.is_found ? "" : "bad");
          if (this.shows.heat) {
            this.drawHeat(trace.kinds(), trace.positions());
          }
        }
        path.free();
        trace.free();
      } catch (error) {
        this.note.set(messageOf(error), "bad");
      }
    }
    if (this.shows.all) {
      const head = el("tr", {}, ...["preset", "time", "nodes", "length"].map((text) => el("th", {}, text)));
      this.table.append(head, ...rows.filter((entry) => entry !== undefined));
    }
  }

  private drawFlight(waypoints: Float64Array, index: number, isChosen: boolean): void {
    const points: Vector3[] = [];
    for (let at = 0; at < waypoints.length; at += 3) {
      const point = new Vector3(waypoints[at], waypoints[at + 1], waypoints[at + 2]);
      // A curve has no length between equal points.
      if ((points.at(-1)?.distanceTo(point) ?? 1) > 1e-6) {
        points.push(point);
      }
    }
    if (points.length < 2) {
      return;
    }
    const curve = new CatmullRomCurve3(points, false, "catmullrom", 0);
    const material = new MeshBasicMaterial({ color: PRESET_COLORS[index] ?? "#fff" });
    const tube = new TubeGeometry(curve, points.length * 12, isChosen ? 0.42 : 0.22, 8);
    // Behind rocks it shines through.
    const hidden = new MeshBasicMaterial({ color: material.color, depthTest: false, transparent: true, opacity: 0.35 });
    this.flights.add(new Mesh(tube, material), new Mesh(tube, hidden));
    if (isChosen) {
      this.curve = curve;
      for (const [end, color] of [[this.ends[0], palette().start], [this.ends[1], palette().goal]] as const) {
        const ball = new Mesh(new SphereGeometry(1.3, 18, 12), new MeshBasicMaterial({ color }));
        ball.position.copy(end ?? new Vector3());
        this.flights.add(ball);
      }
    }
  }

  private drawHeat(kinds: Uint8Array, positions: Float64Array): void {
    const expanded: number[] = [];
    kinds.forEach((kind, index) => {
      if (kind === 1) {
        expanded.push(index);
      }
    });
    const places = new Float32Array(expanded.length * 3);
    const colors = new Float32Array(expanded.length * 3);
    expanded.forEach((event, index) => {
      const color = heat(index / Math.max(expanded.length - 1, 1));
      for (const axis of [0, 1, 2] as const) {
        places[index * 3 + axis] = positions[event * 3 + axis] ?? 0;
        colors[index * 3 + axis] = color[axis] / 255;
      }
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(places, 3));
    geometry.setAttribute("color", new BufferAttribute(colors, 3));
    this.heatPoints.add(new Points(geometry, new PointsMaterial({ size: 1.5, vertexColors: true })));
  }

  private drawOctree(): void {
    empty(this.octree);
    const nodes = this.air?.octree() ?? new Float64Array();
    this.figures.set("nodes", fixed(nodes.length / 6, 0));
    const free: number[] = [];
    const solid: number[] = [];
    for (let at = 0; at < nodes.length; at += 6) {
      const isSolid = nodes[at + 5] === 1;
      if (isSolid) {
        solid.push(at);
      } else if ((nodes[at + 4] ?? 0) >= this.layer && (nodes[at + 3] ?? 0) >= 4) {
        free.push(at);
      }
    }
    const colors = palette().scene;
    if (this.shows.solid) {
      const cubes = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color: colors.solid, roughness: 1 }), solid.length);
      const matrix = new Matrix4();
      solid.forEach((at, index) => {
        const side = nodes[at + 3] ?? 1;
        matrix.makeScale(side, side, side).setPosition(nodes[at] ?? 0, nodes[at + 1] ?? 0, nodes[at + 2] ?? 0);
        cubes.setMatrixAt(index, matrix);
      });
      this.octree.add(cubes);
    }
    this.rockGroup.visible = !this.shows.solid;
    if (this.shows.octree) {
      const corners: number[] = [];
      const edges = new EdgesGeometry(new BoxGeometry(1, 1, 1)).getAttribute("position");
      for (const at of free) {
        const side = (nodes[at + 3] ?? 1) * 0.97;
        for (let corner = 0; corner < edges.count; corner++) {
          corners.push((nodes[at] ?? 0) + edges.getX(corner) * side, (nodes[at + 1] ?? 0) + edges.getY(corner) * side, (nodes[at + 2] ?? 0) + edges.getZ(corner) * side);
        }
      }
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
      this.octree.add(new LineSegments(geometry, new LineBasicMaterial({ color: colors.free, transparent: true, opacity: 0.5 })));
    }
  }
}

/** Removes what a group holds and frees what the graphics card keeps of it. */
function empty(group: Group): void {
  group.traverse((object: Object3D) => {
    if (object instanceof Mesh || object instanceof LineSegments || object instanceof Points) {
      object.geometry.dispose();
      for (const material of [object.material].flat()) {
        material.dispose();
      }
    }
  });
  group.clear();
}

export function open(library: Library, settings: URLSearchParams): View {
  const number = (key: string, fallback: number, high: number) => Math.min(Math.max(Math.round(Number(settings.get(key) ?? fallback)) || fallback, 1), high);
  return new Air(library, { seed: number("seed", 2, 99), count: number("count", 24, 60) });
}
