/** The library: loaded once, on first use. */

import init, * as wayfarer from "./pkg/wayfarer_web";

export type { AirScene, CrowdScene, GroundScene, PathArrays, PlanarScene, SightScene, SkirmishScene, TraceArrays } from "./pkg/wayfarer_web";

let loading: Promise<typeof wayfarer> | undefined;

export function library(): Promise<typeof wayfarer> {
  loading ??= (async () => {
    if (typeof WebAssembly !== "object") {
      throw new Error("This browser runs no WebAssembly. Use a current Firefox, Chrome, Edge or Safari.");
    }
    await init();
    return wayfarer;
  })();
  return loading;
}

export type Library = typeof wayfarer;
