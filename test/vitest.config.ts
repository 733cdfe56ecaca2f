import { availableParallelism } from "node:os";
import process from "node:process";
import { defineConfig } from "vitest/config";

const isWorkerd = process.env["TEST_RUNTIME"] === "workerd";
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
    globalSetup: isWorkerd ? ["test/edge/global_setup.ts"] : [],
    pool: "forks",
    // files wait for servers most of the time
    maxWorkers: Math.max(3, availableParallelism()),
    // Between a test and its database lie two processes more.
    testTimeout: isWorkerd ? 90_000 : 30_000,
    hookTimeout: 60_000,
  },
});
