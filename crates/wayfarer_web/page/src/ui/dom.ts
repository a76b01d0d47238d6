/** Small pieces of interface: elements, controls, figures. */

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function group(title: string, ...children: Child[]): HTMLElement {
  return el("section", { class: "group" }, el("h2", {}, title), ...children);
}

export function row(...children: Child[]): HTMLElement {
  return el("div", { class: "row" }, ...children);
}

export function button(label: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", act);
  return element;
}

export interface Slider {
  readonly element: HTMLElement;
  value: number;
}

export function slider(
  label: string,
  range: { min: number; max: number; step: number; value: number },
  format: (value: number) => string,
  act: (value: number) => void,
): Slider {
  const input = el("input", {
    type: "range",
    min: String(range.min),
    max: String(range.max),
    step: String(range.step),
    value: String(range.value),
    "aria-label": label,
  });
  const output = el("output", {}, format(range.value));
  const show = () => {
    output.textContent = format(input.valueAsNumber);
  };
  input.addEventListener("input", () => {
    show();
    act(input.valueAsNumber);
  });
  return {
    element: el("label", { class: "field" }, el("span", {}, label), input, output),
    get value() {
      return input.valueAsNumber;
    },
    set value(value: number) {
      input.value = String(value);
      show();
    },
  };
}

export interface Choice<T extends string> {
  readonly element: HTMLElement;
  value: T;
}

export function choice<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  value: T,
  act: (value: T) => void,
): Choice<T> {
  const select = el("select", { "aria-label": label });
  for (const [key, text] of options) {
    select.append(el("option", { value: key }, text));
  }
  select.value = value;
  const chosen = (): T => options.find(([key]) => key === select.value)?.[0] ?? value;
  select.addEventListener("change", () => act(chosen()));
  return {
    element: el("label", { class: "field" }, el("span", {}, label), select),
    get value() {
      return chosen();
    },
    set value(next: T) {
      select.value = next;
    },
  };
}

export interface Check {
  readonly element: HTMLElement;
  checked: boolean;
}

export function check(label: string, checked: boolean, act: (checked: boolean) => void, color?: string): Check {
  const input = el("input", { type: "checkbox" });
  input.checked = checked;
  input.addEventListener("change", () => act(input.checked));
  const parts: Child[] = [input];
  if (color !== undefined) {
    parts.push(el("span", { class: "swatch", style: `background:${color}` }));
  }
  return {
    element: el("label", { class: "check" }, ...parts, label),
    get checked() {
      return input.checked;
    },
    set checked(value: boolean) {
      input.checked = value;
    },
  };
}

export class Figures {
  readonly element = el("div", { class: "figures" });
  private readonly values = new Map<string, HTMLElement>();

  constructor(names: readonly (readonly [string, string])[]) {
    for (const [key, label] of names) {
      const value = el("b", { "data-figure": key }, "–");
      this.values.set(key, value);
      this.element.append(el("div", { class: "figure" }, value, el("span", {}, label)));
    }
  }

  set(key: string, value: string, unit = ""): void {
    const element = this.values.get(key);
    if (element !== undefined) {
      element.replaceChildren(value, unit === "" ? "" : el("small", {}, ` ${unit}`));
    }
  }
}

export class Note {
  readonly element = el("div", { class: "note", role: "status" });

  set(text: string, kind: "" | "good" | "bad" = ""): void {
    this.element.textContent = text;
    this.element.className = `note ${kind}`;
  }
}

export function legend(...entries: readonly (readonly [string, string, boolean?])[]): HTMLElement {
  const items = entries.map(([color, text, isLine]) =>
    el("span", {}, el("i", { class: isLine === true ? "swatch line" : "swatch", style: `background:${color}` }), text),
  );
  return el("div", { class: "legend" }, ...items);
}

export function toast(text: string): void {
  const element = el("div", { class: "toast", role: "status" }, text);
  document.body.append(element);
  setTimeout(() => element.remove(), 2200);
}

export function download(name: string, text: string): void {
  const link = el("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const fixed = (value: number, digits = 1): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Milliseconds as a number and a unit that suits it. */
export function duration(ms: number): [string, string] {
  return ms < 1 ? [fixed(ms * 1000, ms < 0.01 ? 1 : 0), "µs"] : [fixed(ms, ms < 10 ? 2 : 1), "ms"];
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
