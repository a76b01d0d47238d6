// Chromium without a window, and pages that report every error.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

// WebGL by software where there is no graphics card. Not `--use-angle=swiftshader`: that also composes the page by
// software GL, at ten frames a second.
const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-unsafe-swiftshader",
];

/** A browser with a new empty profile. */
export function launch() {
  return chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "wayfarer-page-")), {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    acceptDownloads: true,
  });
}

/** Collects the errors of a page. */
export function watch(page) {
  const errors = [];
  page.on("console", (message) => {
    // Software rendering warns of its own speed.
    if (message.type() === "error" && !/GPU stall|GL Driver Message/.test(message.text())) {
      errors.push(message.text());
    }
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}

/** Opens a view and waits until it is shown. */
export async function view(page, address, key, query = "") {
  await page.goto("about:blank");
  await page.goto(`${address}/#/${key}${query}`);
  await page.waitForFunction((name) => document.documentElement.dataset.ready === name, key);
  const fault = await page.locator(".fault [role=alert]").count();
  if (fault > 0) {
    throw new Error(`${key}: ${await page.locator(".fault").innerText()}`);
  }
}

/** The text of a figure. */
export const figure = (page, key) => page.locator(`[data-figure=${key}]`).innerText();
