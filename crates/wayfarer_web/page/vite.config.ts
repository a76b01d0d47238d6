import { defineConfig } from "vite";

// Isolated pages have a clock of 5 microseconds instead of 100.
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  // Relative addresses: the files work under any folder of any server.
  base: "./",
  server: { headers },
  preview: { headers },
  // The skirmish runs in a worker, which loads the library as the page does.
  worker: { format: "es" },
  build: {
    target: "es2022",
    outDir: process.env.WAYFARER_PAGE_OUT ?? "dist",
    emptyOutDir: true,
    chunkSizeWarningLimit: 1500,
  },
});
