/** The colors of what is drawn, for dark and light. The interface takes its own from style.css. */

export type Rgb = readonly [number, number, number];

export interface Palette {
  void: Rgb;
  ground: Rgb;
  swamp: Rgb;
  water: Rgb;
  other: Rgb;
  blocked: Rgb;
  /** The highest floor of a world with several. */
  raised: Rgb;
  grid: string;
  path: string;
  cells: string;
  start: string;
  goal: string;
  text: string;
  muted: string;
  expanded: string;
  open: string;
  current: string;
  solid: string;
  door: string;
  link: string;
  cost: string;
  regions: readonly Rgb[];
  components: readonly Rgb[];
  teams: readonly [string, string];
  scene: { background: number; solid: number; free: number; path: number; frame: number };
}

const REGIONS: readonly Rgb[] = [
  [72, 118, 168], [54, 140, 140], [92, 100, 176],
  [88, 146, 92], [128, 150, 70], [64, 152, 118],
  [176, 128, 66], [186, 104, 74], [158, 142, 58],
  [168, 92, 128], [138, 92, 160], [186, 88, 96],
];

const COMPONENTS: readonly Rgb[] = [
  [78, 121, 167], [242, 142, 43], [89, 161, 79], [225, 87, 89],
  [176, 122, 161], [118, 183, 178], [237, 201, 72], [255, 157, 167],
  [156, 117, 95], [140, 172, 120], [150, 130, 200], [200, 140, 110],
];

const DARK: Palette = {
  void: [14, 20, 27],
  ground: [49, 62, 76],
  swamp: [72, 84, 52],
  water: [34, 68, 104],
  other: [86, 74, 66],
  blocked: [33, 41, 50],
  raised: [112, 132, 152],
  grid: "rgba(255,255,255,0.07)",
  path: "#ffb454",
  cells: "rgba(255,180,84,0.42)",
  start: "#5fd3a4",
  goal: "#ff6b6b",
  text: "#e6edf3",
  muted: "#8fa1b3",
  expanded: "rgba(90,169,255,0.42)",
  open: "rgba(95,211,164,0.55)",
  current: "#ffffff",
  solid: "#8b98a7",
  door: "#d58bff",
  link: "#7fd0ff",
  cost: "rgba(255,107,107,0.30)",
  regions: REGIONS,
  components: COMPONENTS,
  teams: ["#5aa9ff", "#ff8a5c"],
  scene: { background: 0x0e141b, solid: 0x8b98a7, free: 0x2f4a63, path: 0xffb454, frame: 0x2b3846 },
};

const mixed = (color: Rgb, share: number): Rgb => {
  const to = (value: number) => Math.round(value * share + 255 * (1 - share));
  return [to(color[0]), to(color[1]), to(color[2])];
};

const LIGHT: Palette = {
  void: [190, 200, 210],
  ground: [255, 255, 255],
  swamp: [214, 222, 178],
  water: [176, 209, 240],
  other: [228, 214, 200],
  blocked: [226, 231, 236],
  raised: [196, 208, 220],
  grid: "rgba(20,30,40,0.08)",
  path: "#c25e00",
  cells: "rgba(194,94,0,0.30)",
  start: "#11805a",
  goal: "#c8322f",
  text: "#16202a",
  muted: "#5c6b7a",
  expanded: "rgba(22,100,192,0.30)",
  open: "rgba(17,128,90,0.40)",
  current: "#16202a",
  solid: "#5f6e7d",
  door: "#8a35c4",
  link: "#0b74b5",
  cost: "rgba(200,50,47,0.22)",
  regions: REGIONS.map((color) => mixed(color, 0.62)),
  components: COMPONENTS.map((color) => mixed(color, 0.6)),
  teams: ["#1664c0", "#c4501b"],
  scene: { background: 0xeef2f5, solid: 0x7a8896, free: 0x9fb6cc, path: 0xc25e00, frame: 0xb9c4ce },
};

export type Theme = "dark" | "light";

const KEY = "wayfarer-theme";

export function theme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" ? "light" : "dark";
}

export function palette(): Palette {
  return theme() === "light" ? LIGHT : DARK;
}

/** Applies the theme that was chosen last, or that of the system. */
export function initTheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // Storage may be switched off: the system decides.
  }
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  document.documentElement.dataset["theme"] = stored === "light" || stored === "dark" ? stored : system;
}

export function toggleTheme(): void {
  const next = theme() === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It holds until the page is closed.
  }
  dispatchEvent(new Event("themechange"));
}

export const css = ([r, g, b]: Rgb, alpha = 1): string => `rgba(${r},${g},${b},${alpha})`;

/** From cool to hot, for shares from 0 to 1. */
export function heat(share: number): Rgb {
  const stops: readonly Rgb[] = [[46, 92, 180], [56, 160, 168], [232, 196, 92], [226, 92, 60]];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const index = Math.min(Math.floor(at), stops.length - 2);
  const part = at - index;
  const a = stops[index] ?? [0, 0, 0];
  const b = stops[index + 1] ?? a;
  const mix = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * part);
  return [mix(0), mix(1), mix(2)];
}
