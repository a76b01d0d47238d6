/** The skirmish in a thread of its own. */

import { messageOf } from "../ui/dom";
import { library, type SkirmishScene } from "../wasm";
import { PARTS, type Answer, type Moment, type Order } from "./messages";

let game: SkirmishScene | undefined;
let limits: { solids: number; budget: number } | undefined;
/** Orders are carried out one after the other, also while the library loads. */
let queue: Promise<void> = Promise.resolve();

function current(): SkirmishScene {
  if (game === undefined) {
    throw new Error("the game has not begun");
  }
  return game;
}

function moment(paths: readonly number[]): Moment {
  const scene = current();
  return {
    units: scene.units(),
    solids: scene.solids(),
    doors: scene.doors(),
    counts: scene.counts(),
    paths: new Map(paths.map((unit) => [unit, scene.path(unit)])),
  };
}

/** Plays a tick; the milliseconds of its parts. */
function tick(scene: SkirmishScene): number[] {
  const marks = [performance.now()];
  for (const part of [() => scene.edit(), () => scene.plan(), () => scene.makeMoves(), () => scene.sense()]) {
    part();
    marks.push(performance.now());
  }
  return PARTS.map((_, index) => (marks[index + 1] ?? 0) - (marks[index] ?? 0));
}

function limit(): void {
  if (game !== undefined && limits !== undefined) {
    game.setSolids(limits.solids);
    game.setBudget(limits.budget);
  }
}

async function obey(order: Order): Promise<Answer | undefined> {
  switch (order.kind) {
    case "build": {
      const { SkirmishScene } = await library();
      game?.free();
      game = new SkirmishScene(order.seed, order.count);
      limit();
      return { kind: "built", side: SkirmishScene.side(), tiles: game.tiles(), walls: game.walls(), moment: moment([]) };
    }
    case "limits":
      limits = order;
      limit();
      return undefined;
    case "tick": {
      const times = Array.from({ length: order.count }, () => tick(current()));
      return { kind: "ticked", times, moment: moment(order.paths) };
    }
    case "save":
      current().save();
      return { kind: "saved", tick: current().counts()[0] ?? 0 };
    case "load": {
      const isLoaded = current().load();
      const text = isLoaded ? `Loaded: tick ${current().counts()[0] ?? 0}, digest ${current().digest()}` : "Nothing is saved yet";
      return { kind: "jumped", text, moment: moment(order.paths) };
    }
    case "rewind": {
      const ticks = current().rewind(order.ticks);
      return { kind: "jumped", text: `Back by ${ticks} ticks: digest ${current().digest()}`, moment: moment(order.paths) };
    }
  }
}

onmessage = (event: MessageEvent<Order>) => {
  queue = queue.then(async () => {
    try {
      const answer = await obey(event.data);
      if (answer !== undefined) {
        postMessage(answer);
      }
    } catch (error) {
      postMessage({ kind: "fault", text: messageOf(error) } satisfies Answer);
    }
  });
};
