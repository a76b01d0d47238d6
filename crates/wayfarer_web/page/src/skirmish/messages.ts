/** What the skirmish's view and its worker tell each other. The game runs beside the page: frames do not wait for ticks. */

/** Parts of a tick, in their order. */
export const PARTS = ["edits", "planner", "moves", "sensors"] as const;
/** Numbers per unit. */
export const STRIDE = 8;

/** Orders of the view. Every one but `limits` is answered, in order. */
export type Order =
  | { kind: "build"; seed: number; count: number }
  | { kind: "limits"; solids: number; budget: number }
  | { kind: "tick"; count: number; paths: number[] }
  | { kind: "save" }
  | { kind: "load"; paths: number[] }
  | { kind: "rewind"; ticks: number; paths: number[] };

/** The game after an order. */
export interface Moment {
  units: Float64Array;
  solids: Int32Array;
  doors: Int32Array;
  counts: Float64Array;
  /** The paths of the units that were named, three numbers per waypoint. */
  paths: Map<number, Float64Array>;
}

export type Answer =
  | { kind: "built"; side: number; tiles: Uint8Array; walls: Int32Array; moment: Moment }
  /** Milliseconds per part for each tick. */
  | { kind: "ticked"; times: number[][]; moment: Moment }
  | { kind: "saved"; tick: number }
  | { kind: "jumped"; text: string; moment: Moment }
  | { kind: "fault"; text: string };
