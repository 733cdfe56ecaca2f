import process from "node:process";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^edgehelm$/, replacement: `${root}core/mod.ts` },
      { find: /^edgehelm\/edge$/, replacement: `${root}core/edge/mod.ts` },
      { find: /^edgehelm\/testing$/, replacement: `${root}test/harness/mod.ts` },
      { find: /^edgehelm\/(proto|plugins)\/(.*)\.js$/, replacement: `${root}$1/$2.ts` },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: process.env["TEST_RUNTIME"] === "workerd" ? ["test/edge/global_setup.ts"] : [],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
