/** What every view has: a stage to draw on, a panel beside it, and an end. */

import { el } from "./dom";

/** Keys and what they do. */
export type Keys = readonly (readonly [string, string])[];

export interface View {
  readonly stage: HTMLElement;
  readonly panel: HTMLElement;
  /** Called when another view replaces it. */
  close(): void;
  /** Keys that the view understands; true if it used the key. */
  onKey?(event: KeyboardEvent): boolean;
  /** What those keys do, for the list of keys. */
  readonly keys?: Keys;
  /** The settings as they appear in a link. */
  settings?(): Record<string, string>;
}

export function stageOf(...children: Node[]): HTMLElement {
  return el("div", { class: "stage" }, ...children);
}

export function panelOf(title: string, text: string, ...children: Node[]): HTMLElement {
  const head = el("header", {}, el("h1", {}, title), el("p", {}, text));
  return el("aside", { class: "panel", "aria-label": title }, head, ...children);
}

/** Calls `draw` once in the next frame, however often it is asked. */
export function onceAFrame(draw: () => void): () => void {
  let handle = 0;
  return () => {
    if (handle === 0) {
      handle = requestAnimationFrame(() => {
        handle = 0;
        draw();
      });
    }
  };
}

/** Calls `tick` in every frame until it is stopped; the argument is the seconds since the last one. */
export function animate(tick: (seconds: number) => void): () => void {
  let last = performance.now();
  let handle = requestAnimationFrame(function frame(now) {
    // The first frame may have begun before the call.
    const seconds = Math.min(Math.max((now - last) / 1000, 0), 0.1);
    last = now;
    handle = requestAnimationFrame(frame);
    tick(seconds);
  });
  return () => cancelAnimationFrame(handle);
}

/** The step of an arrow key, x and y. */
export const arrow = (key: string): [number, number] => [key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0, key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0];
