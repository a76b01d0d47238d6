/** The frame: one view at a time, chosen by the address. */

import "./style.css";
import { initTheme, theme, toggleTheme } from "./palette";
import { button, el, messageOf, toast } from "./ui/dom";
import type { Keys, View } from "./ui/view";
import { library, type Library } from "./wasm";

type Open = (library: Library, settings: URLSearchParams) => Promise<View> | View;

interface Entry {
  readonly key: string;
  readonly title: string;
  readonly open: () => Promise<Open>;
}

const VIEWS: readonly Entry[] = [
  { key: "ground", title: "Ground", open: async () => (await import("./views/ground")).open },
  { key: "search", title: "Search", open: async () => (await import("./views/search")).open },
  { key: "air", title: "Air", open: async () => (await import("./views/air")).open },
  { key: "sight", title: "Sight", open: async () => (await import("./views/sight")).open },
  { key: "planar", title: "Planar", open: async () => (await import("./views/planar")).open },
  { key: "crowd", title: "Crowd", open: async () => (await import("./views/crowd")).open },
  { key: "skirmish", title: "Skirmish", open: async () => (await import("./views/skirmish")).open },
  { key: "rivals", title: "Rivals", open: async () => (await import("./views/rivals")).open },
];

const LOGO =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 25 L12 12 L19 20 L27 6" fill="none" ' +
  'stroke="var(--accent)" stroke-width="3.2" stroke-linejoin="round" stroke-linecap="round"/>' +
  '<circle cx="5" cy="25" r="3" fill="var(--good)"/><circle cx="27" cy="6" r="3" fill="var(--bad)"/></svg>';

let current: View | undefined;
let opened = 0;

function parse(): { key: string; settings: URLSearchParams } {
  const [key = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { key: key === "" ? "ground" : key, settings: new URLSearchParams(query) };
}

function fault(title: string, text: string): HTMLElement {
  return el("main", { class: "fault" }, el("div", { role: "alert" }, el("h1", {}, title), el("p", {}, text)));
}

function replace(main: HTMLElement): void {
  document.querySelector("#app > main")?.remove();
  document.querySelector("#app")?.append(main);
}

async function show(): Promise<void> {
  const { key, settings } = parse();
  const number = ++opened;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".tabs a")) {
    const isCurrent = link.dataset["view"] === key;
    link.toggleAttribute("aria-current", false);
    if (isCurrent) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "center" });
    }
  }
  current?.close();
  current = undefined;
  const entry = VIEWS.find((view) => view.key === key);
  if (entry === undefined) {
    replace(fault("No such view", `There is no view called “${key}”. Choose one above.`));
    return;
  }
  document.title = `${entry.title} · Wayfarer`;
  try {
    const [open, loaded] = await Promise.all([entry.open(), library()]);
    const view = await open(loaded, settings);
    if (number !== opened) {
      view.close();
      return;
    }
    current = view;
    replace(el("main", { class: "view", "data-view": key }, view.stage, view.panel));
  } catch (error) {
    if (number === opened) {
      replace(fault(`${entry.title} cannot be shown`, messageOf(error)));
    }
  }
  document.documentElement.dataset["ready"] = key;
}

async function share(): Promise<void> {
  const { key } = parse();
  const settings = new URLSearchParams(current?.settings?.() ?? {}).toString();
  const hash = `#/${key}${settings === "" ? "" : `?${settings}`}`;
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    toast("Link copied: seed and settings are in it");
  } catch {
    toast("The link is in the address bar");
  }
}

/** Lists the keys of the page and of the view that is shown. */
function listKeys(): void {
  document.querySelector("dialog")?.remove();
  const rows = (keys: Keys) => keys.map(([key, text]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, text)));
  const all: Keys = [["1 – 8", "the views"], ["T", "dark and light"], ["?", "this list"], ["Tab", "from control to control"]];
  const close = button("Close", () => dialog.close(), { class: "primary" });
  const dialog = el("dialog", { "aria-label": "Keys" }, el("h1", {}, "Keys"),
    el("table", { class: "keys" }, ...rows(current?.keys ?? []), ...rows(all)), close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** True if the focused control uses a key itself. */
function isOwn(target: EventTarget | null, key: string): boolean {
  const isPress = key === " " || key === "Enter";
  const isMove = key.startsWith("Arrow") || key.startsWith("Page") || key === "Home" || key === "End";
  return target instanceof HTMLSelectElement
    || (target instanceof HTMLInputElement && (isPress || isMove))
    || ((target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) && isPress);
}

function frame(): void {
  const tabs = VIEWS.map((view) => el("a", { href: `#/${view.key}`, "data-view": view.key }, view.title));
  const brand = el("a", { class: "brand", href: "#/ground", "aria-label": "Wayfarer" });
  brand.innerHTML = `${LOGO}<span>Wayfarer</span>`;
  const themeButton = button(theme() === "dark" ? "Light" : "Dark", () => {
    toggleTheme();
    themeButton.textContent = theme() === "dark" ? "Light" : "Dark";
  }, { id: "theme", title: "Switch between dark and light (T)" });
  const shareButton = button("Share", () => void share(), { id: "share", title: "Copy a link with these settings" });
  const bar = el("header", { class: "bar" },
    brand,
    el("nav", { class: "tabs", "aria-label": "Views" }, ...tabs),
    el("div", { class: "tools" }, button("Keys", listKeys, { id: "keys", title: "What the keys do (?)" }), shareButton, themeButton),
  );
  document.querySelector("#app")?.replaceChildren(bar, el("main", { class: "fault" }, el("p", {}, "Loading…")));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isOwn(event.target, event.key)) {
      return;
    }
    if (document.querySelector("dialog") !== null) {
      return;
    }
    if (event.key === "t") {
      themeButton.click();
    } else if (event.key === "?") {
      listKeys();
    } else if (/^[1-9]$/.test(event.key) && VIEWS[Number(event.key) - 1] !== undefined) {
      location.hash = `#/${VIEWS[Number(event.key) - 1]?.key ?? ""}`;
    } else if (current?.onKey?.(event) !== true) {
      return;
    }
    event.preventDefault();
  });
}

initTheme();
frame();
addEventListener("hashchange", () => void show());
void show();
