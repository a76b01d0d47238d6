// Makes the pictures of README.md from the built page.
// Usage: node pictures.mjs FOLDER PICTURES

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, view } from "./browser.mjs";
import { serve } from "./serve.mjs";

const [folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
const { server, address } = await serve(folder);
const browser = await launch();
const page = browser.pages()[0] ?? (await browser.newPage());

/** Colors the ground by regions and paints a wall across the path. */
async function paint() {
  await page.getByLabel("Color by").selectOption("regions");
  await page.click("[data-brush=wall]");
  const box = await page.locator(".stage canvas").boundingBox();
  const at = (x, y) => [box.x + box.width * x, box.y + box.height * y];
  await page.mouse.move(...at(0.32, 0.29));
  await page.mouse.down();
  await page.mouse.move(...at(0.44, 0.24), { steps: 12 });
  await page.mouse.up();
  await page.click("[data-brush=move]");
}

/** View, query, milliseconds to wait, what to do first. */
const PICTURES = {
  "page-ground": ["ground", "?map=town&side=128&seed=3", 600, paint],
  "page-air": ["air", "", 2500],
  "page-crowd": ["crowd", "?scene=circle&count=100", 14000],
  "page-skirmish": ["skirmish", "?count=500", 5000],
};

for (const [name, [key, query, wait, act]] of Object.entries(PICTURES)) {
  await view(page, address, key, query);
  await act?.();
  await page.waitForTimeout(wait);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  console.log(`${name}.png`);
}
await browser.close();
server.close();
