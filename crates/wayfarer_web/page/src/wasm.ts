/** The library: loaded once, on first use. */

import init, * as wayfarer from "./pkg/wayfarer_web";

export type { AirScene, CrowdScene, GroundScene, PathArrays, PlanarScene, SightScene, SkirmishScene, TraceArrays } from "./pkg/wayfarer_web";

let loading: Promise<typeof wayfarer> | undefined;

export function library(): Promise<typeof wayfarer> {
  loading ??= (async () => {
    if (typeof WebAssembly !== "object") {
      throw new Error("This browser runs no WebAssembly. Use a current Firefox, Chrome, Edge or Safari.");
    }
    try {
      await init();
    } catch (error) {
      if (error instanceof WebAssembly.CompileError) {
        throw new Error("This browser is too old for the library: its WebAssembly has no vectors. Use a Firefox, Chrome, Edge or Safari of 2023 or later.");
      }
      throw error;
    }
    return wayfarer;
  })();
  return loading;
}

export type Library = typeof wayfarer;
