/** Files by drop or button. */

import { el } from "./dom";

export const FORMATS = ".map,.world,.png,.obj,.gltf,.glb,.tmx,.tmj,.json,.ldtk,.save";

export interface Opened {
  name: string;
  bytes: Uint8Array;
}

async function read(file: File): Promise<Opened> {
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

export function fileButton(label: string, act: (file: Opened) => void): HTMLElement {
  const input = el("input", { type: "file", accept: FORMATS, class: "sr", "aria-label": label });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) {
      void read(file).then(act);
      input.value = "";
    }
  });
  return el("label", { class: "file" }, label, input);
}

/** Files dropped on an element; returns what to show above it while one hovers. */
export function dropZone(target: HTMLElement, act: (file: Opened) => void): HTMLElement {
  const shade = el("div", { class: "drop", hidden: "" }, "Drop a map, world, PNG, OBJ, glTF, Tiled or LDtk file");
  const show = (isShown: boolean) => shade.toggleAttribute("hidden", !isShown);
  target.addEventListener("dragover", (event) => {
    event.preventDefault();
    show(true);
  });
  target.addEventListener("dragleave", (event) => {
    if (event.target === target || !target.contains(event.relatedTarget as Node | null)) {
      show(false);
    }
  });
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    show(false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) {
      void read(file).then(act);
    }
  });
  return shade;
}
