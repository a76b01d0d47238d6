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

/** View, query, milliseconds to wait, what to do first. */
const PICTURES = {
  "page-ground": ["ground", "?map=town&side=128&seed=3", 600, () => page.getByLabel("Color by").selectOption("regions")],
  "page-air": ["air", "", 2500],
  "page-crowd": ["crowd", "?scene=march&count=60", 12000],
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
