/**
 * How the page's scripts become files with a content hash in their names.
 *
 * The output is not the page yet: `python -m attention_by_hand.build page` reads the manifest written here, renders
 * the Markdown in content/ into HTML and puts both together.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const input: Record<string, string> = { main: here("src/main.ts") };
// The service worker keeps its plain name at the root of the page: its place decides which pages it may serve.
if (existsSync(here("src/sw.ts"))) {
  input.sw = here("src/sw.ts");
}

export default defineConfig({
  root: here("."),
  // Relative addresses: the page must work under any path of any host.
  base: "./",
  publicDir: false,
  resolve: { alias: { "#built": here("../src/attention_by_hand/_built") } },
  build: {
    outDir: here("../.build/web"),
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    // Nothing inlined as data: addresses: the Content-Security-Policy would refuse them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      input,
      output: {
        entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: "assets/[name]-[hash].js" } },
  },
});
