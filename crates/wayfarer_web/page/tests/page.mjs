// Drives the built page in Chromium: every view, edits, files, digests; prints what it measures.
// Usage: node page.mjs FOLDER GOLDEN.wasm GOLDEN.txt PICTURES [PART OF A CHECK'S NAME]...

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { figure, launch, view, watch } from "./browser.mjs";
import { serve } from "./serve.mjs";

const [folder, golden, pinned, pictures, ...wanted] = process.argv.slice(2);
assert(folder && golden && pinned && pictures, "usage: node page.mjs FOLDER GOLDEN.wasm GOLDEN.txt PICTURES");
mkdirSync(pictures, { recursive: true });

const { server, address } = await serve(folder, { "/golden.wasm": golden });
const browser = await launch();
const page = browser.pages()[0] ?? (await browser.newPage());
const errors = watch(page);
const figures = [];
/** A figure with what it should be at most; the slowest strokes depend on what else runs, so only thrice as much fails. */
const report = (what, value, limit, slack = 1) => figures.push({ what, value, limit, slack });
const shot = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });

/** The place on the screen of a place of the ground view. */
const screen = (x, y) =>
  page.evaluate(([x, y]) => {
    const ground = globalThis.wayfarerGround;
    const box = ground.board.canvas.getBoundingClientRect();
    const at = ground.board.toScreen({ x, y });
    return { x: at.x + box.left, y: at.y + box.top };
  }, [x, y]);

const drag = async (from, to) => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
};

const drop = (name, text) =>
  page.evaluate(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    document.querySelector(".stage").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
  }, [name, text]);

const checks = {
  async "the first view comes quickly"() {
    const before = performance.now();
    await view(page, address, "ground");
    await page.waitForSelector("[data-figure=cost]:not(:text('–'))");
    report("first view, ms", performance.now() - before, 3000);
    await shot("ground-dark");
  },

  async "a painted wall changes the path, which still holds"() {
    await view(page, address, "ground", "?map=empty&ends=20,64,108,64");
    const before = await figure(page, "cost");
    await page.click("[data-brush=wall]");
    await drag(await screen(64, 40), await screen(64, 100));
    assert.notEqual(await figure(page, "cost"), before);
    const isWalkable = await page.evaluate(() => globalThis.wayfarerGround.ground.isWalkable());
    assert(isWalkable, "the path after the wall cannot be walked");
    const cost = Number((await figure(page, "cost")).replace(/[^\d.]/g, ""));
    await shot("ground-wall");
    await page.keyboard.press("u");
    assert(cost > 88, `a path of ${cost} m around the wall`);
  },

  async "the keyboard paints a wall"() {
    await view(page, address, "ground", "?map=empty&ends=20,64,108,64");
    const before = await figure(page, "cost");
    await page.locator("canvas").first().focus();
    await page.keyboard.press("w");
    await page.keyboard.press("Enter");
    for (let turn = 0; turn < 12; turn++) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    assert.notEqual(await figure(page, "cost"), before);
  },

  async "fingers drag the goal, paint, pinch and turn"() {
    const fingers = await browser.newCDPSession(page);
    const touch = (type, ...touchPoints) => fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
    const swipe = async (from, to) => {
      await touch("touchStart", from);
      await touch("touchMove", { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
      await touch("touchMove", to);
      await touch("touchEnd");
    };
    await fingers.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    await page.setViewportSize({ width: 390, height: 844 });
    await view(page, address, "ground", "?map=empty&ends=20,64,108,64");
    const first = await figure(page, "cost");
    await swipe(await screen(108, 64), await screen(108, 100));
    const dragged = await figure(page, "cost");
    assert.notEqual(dragged, first, "a finger drags the goal");
    await page.locator("[data-brush=wall]").click();
    await swipe(await screen(64, 20), await screen(64, 120));
    assert.notEqual(await figure(page, "cost"), dragged, "a finger paints a wall");
    const pixels = () => page.evaluate(() => globalThis.wayfarerGround.board.pixels);
    const before = await pixels();
    const { x, y } = await screen(64, 64);
    await page.locator("[data-brush=move]").click();
    await touch("touchStart", { x: x - 20, y, id: 0 }, { x: x + 20, y, id: 1 });
    await touch("touchMove", { x: x - 80, y, id: 0 }, { x: x + 80, y, id: 1 });
    await touch("touchEnd");
    assert((await pixels()) > 2 * before, "two fingers zoom");
    await view(page, address, "air");
    await page.locator("button:has-text('Pause')").click();
    const canvas = page.locator(".stage canvas").first();
    const box = await canvas.boundingBox();
    const still = await canvas.screenshot();
    await swipe({ x: box.x + 90, y: box.y + 150 }, { x: box.x + 250, y: box.y + 150 });
    await page.waitForTimeout(300);
    assert(!still.equals(await canvas.screenshot()), "a finger turns the space");
    await fingers.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    await page.setViewportSize({ width: 1280, height: 800 });
  },

  async "a door closes and the agent on its way replans"() {
    await view(page, address, "ground", "?map=empty&ends=20,20,108,20");
    await page.evaluate(() => {
      const { ground } = globalThis.wayfarerGround;
      ground.addThinWall(new Float64Array([64, 0, 0, 64, 128, 0]));
      ground.addLink(new Float64Array([63.5, 20.5, 0, 64.5, 20.5, 0]), 4);
      ground.addLink(new Float64Array([63.5, 40.5, 0, 64.5, 40.5, 0]), 4);
    });
    const door = await screen(64, 20.5);
    await page.click("#walk");
    await page.waitForTimeout(400);
    await page.mouse.click(door.x, door.y);
    await page.waitForSelector(".note[data-replanned='1']");
    await page.waitForSelector("text=Arrived. Replanned 1 time", { timeout: 120000 });
  },

  async "a wall around the goal is explained"() {
    await view(page, address, "ground", "?map=empty&ends=20,20,108,108");
    await page.evaluate(() => {
      const { ground } = globalThis.wayfarerGround;
      ground.addThinWall(new Float64Array([64, 0, 0, 64, 128, 0]));
      globalThis.wayfarerGround.find();
    });
    assert.match(await page.locator(".panel .note").first().innerText(), /No path/);
  },

  async "a good and a bad file are dropped"() {
    await view(page, address, "ground");
    await drop("yard.map", "type octile\nheight 3\nwidth 7\nmap\n.......\n...@...\n.......\n");
    await page.waitForSelector("text=yard.map: 7 × 3 m");
    assert.notEqual(await figure(page, "cost"), "–");
    await drop("bad.map", "type octile\nheight x\n");
    await page.waitForSelector(".note.bad:has-text('line 2')");
    await shot("ground-file");
  },

  async "a search is stepped to its end and back"() {
    await view(page, address, "search");
    const step = async () => (await figure(page, "step")).split(" ")[0];
    await page.click("#last");
    const last = await step();
    assert(Number(last) > 10, `${last} expansions`);
    await page.keyboard.press("ArrowLeft");
    assert.equal(Number(await step()), Number(last) - 1);
    await page.click("#first");
    assert.equal(await step(), "0");
    await page.keyboard.press("ArrowRight");
    assert.equal(await step(), "1");
    await page.click("#last");
    await page.keyboard.press("ArrowLeft");
    await shot("search-dark");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Export for Posthoc")]);
    assert.match(readFileSync(await file.path(), "utf8"), /^version: 1\.4\.0\n/);
  },

  async "the digest of the golden suite is the native one"() {
    const found = await page.evaluate(async () => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch("/golden.wasm"), {});
      instance.exports.main(0, 0);
      const bytes = new Uint8Array(instance.exports.memory.buffer);
      const text = new TextDecoder("latin1").decode(bytes);
      return /WAYFARER-GOLDEN:\n((?:\w+ [0-9a-f]{16}\n)+)END/.exec(text)?.[1];
    });
    assert.equal(found, readFileSync(pinned, "utf8"));
  },

  async "the other views run"() {
    for (const key of ["air", "sight", "planar"]) {
      await view(page, address, key);
      await page.waitForTimeout(1500);
      await shot(`${key}-dark`);
    }
    assert(Number(await page.evaluate(() => document.querySelector("[data-figure=quads]").textContent)) > 10);
    await view(page, address, "sight");
    await page.waitForFunction(() => Number(document.querySelector(".ticker").dataset.events) > 20);
    await view(page, address, "air");
    await page.waitForFunction(() => !document.querySelector("[data-figure=flight]").textContent.includes("–"));
  },

  async "the rivals are measured"() {
    await view(page, address, "rivals");
    await page.waitForSelector("#rivals[data-done='1']", { timeout: 120000 });
    report("rivals", (await page.locator("#rivals").innerText()).replaceAll("\n", "; "));
    await shot("rivals-dark");
  },

  async "the skirmish runs, is saved and loaded"() {
    await view(page, address, "skirmish", "?count=500");
    await page.waitForTimeout(4000);
    report("skirmish of 500, frames per second", Number(await figure(page, "fps")));
    report("skirmish of 500, ticks per second (30 wanted)", Number(await figure(page, "rate")));
    report("skirmish of 500, median tick in ms", Number((await figure(page, "tick")).split(" ")[0]), undefined);
    await page.click("#save");
    await page.click("#single");
    await page.click("#load");
    await page.waitForSelector("text=Loaded: tick");
    await page.click("#rewind");
    await page.waitForSelector("text=Back by");
    await shot("skirmish-dark");
  },

  async "a crowd changes sides without overlap"() {
    await view(page, address, "crowd", "?scene=circle&count=40");
    await page.waitForFunction(() => document.querySelector("[data-figure=arrived]").textContent.startsWith("40 "), null, { timeout: 120000 });
    const overlap = Number((await figure(page, "overlap")).split(" ")[0]);
    assert(overlap <= 5, `agents overlap by ${overlap} % of a radius`);
    await view(page, address, "crowd", "?scene=gate&count=120");
    await page.waitForTimeout(5000);
    report("crowd of 120, median tick in ms", Number((await figure(page, "tick")).split(" ")[0]), undefined);
    await shot("crowd-dark");
  },

  async "groups march in formation and stop at a wall"() {
    await view(page, address, "crowd", "?scene=march&count=20");
    await page.getByLabel("Speed").fill("8");
    await page.waitForFunction(() => document.querySelector("[data-figure=arrived]").textContent.startsWith("20 "), null, { timeout: 120000 });
    await page.click("[data-tool=wall]");
    const box = await page.locator(".stage canvas").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(await page.evaluate(() => globalThis.wayfarerCrowd.clicked.length), 1);
    await page.click("[data-tool=send]");
    await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
    await page.waitForFunction(() => globalThis.wayfarerCrowd.crowd.agents().some((value, at) => at % 5 === 4 && value === 2));
  },

  async "the keys are listed"() {
    await view(page, address, "search");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog:has-text('one step back')");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
  },

  async "a stroke on 512 x 512 is quick"() {
    // The ends lie in streets beside all strokes: every search finds a path.
    await view(page, address, "ground", "?map=town&side=512&ends=15,15,497,497");
    const strokes = await page.evaluate(() => {
      const at = (turn) => ({ x: 40 + ((turn * 97) % 420), y: 40 + ((turn * 61) % 420) });
      return Array.from({ length: 60 }, (_, turn) => globalThis.wayfarerGround.measureStroke(at(turn), { x: at(turn).x + 6, y: at(turn).y + 3 }));
    });
    assert(strokes.every(({ isFound }) => isFound), "a stroke left no path: its search is not what is measured");
    const sorted = (time) => strokes.map(time).sort((a, b) => a - b);
    const both = sorted(({ edit, path }) => edit + path);
    report("stroke on 512 x 512 (edit, repair, path), median ms", both[30], 4, 3);
    report("stroke on 512 x 512, 90th percentile ms", both[54], 4, 3);
    report("of it the edit with its repair, median ms", sorted(({ edit }) => edit)[30]);
    report("of it the path, median ms", sorted(({ path }) => path)[30]);
  },

  async "light, and the size of a phone"() {
    await page.click("#theme");
    for (const key of ["ground", "search", "air", "sight", "planar", "crowd", "skirmish"]) {
      await view(page, address, key);
      await page.waitForTimeout(600);
      await shot(`${key}-light`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const key of ["ground", "crowd", "skirmish", "air"]) {
      await view(page, address, key);
      await page.waitForTimeout(600);
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert(!isWider, `${key} is wider than a phone`);
      const isTaller = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
      assert(!isTaller, `${key} is taller than a phone: only its panel scrolls`);
      await shot(`${key}-phone`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  },

  async "a link keeps its settings"() {
    await view(page, address, "ground", "?map=maze&seed=9&method=jps");
    await page.click("#share");
    assert.match(page.url(), /map=maze&side=128&seed=9&method=jps/);
  },

  async "an unknown view says what to do"() {
    await page.goto(`${address}/#/nothing`);
    await page.waitForSelector("text=No such view");
  },
};

let failed = 0;
for (const [name, run] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) {
    continue;
  }
  const before = performance.now();
  try {
    await run();
    assert.deepEqual(errors, [], `errors on the console: ${errors.join("; ")}`);
    console.log(`ok   ${name} (${((performance.now() - before) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    errors.length = 0;
    console.log(`FAIL ${name}: ${error instanceof Error ? error.message : error}`);
    await shot(`fault-${failed}`).catch(() => undefined);
  }
}

const wasm = readdirSync(join(folder, "assets")).find((name) => name.endsWith(".wasm") && name.startsWith("wayfarer"));
const bytes = readFileSync(join(folder, "assets", wasm));
report("wasm, KB", bytes.length / 1000);
report("wasm gzip, KB", gzipSync(bytes, { level: 9 }).length / 1000, 1500);
report("wasm brotli, KB", brotliCompressSync(bytes).length / 1000, 1500);
for (const { what, value, limit, slack } of figures) {
  const text = typeof value === "number" ? value.toFixed(value < 10 ? 2 : 0) : value;
  const isOver = limit !== undefined && value > limit;
  failed += isOver && value > limit * slack ? 1 : 0;
  console.log(`${what}: ${text}${limit === undefined ? "" : ` (at most ${limit}${isOver ? ": EXCEEDED" : ""})`}`);
}
await browser.close();
server.close();
console.log(failed === 0 ? "page: all checks passed" : `page: ${failed} checks failed`);
process.exit(failed === 0 ? 0 : 1);
