import { availableParallelism } from "node:os";
import process from "node:process";
import { defineConfig } from "vitest/config";

const HANG_MILLISECONDS = 600_000;
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
    reporters: ["default", `${root}test/setup/skipped_suites.ts`],
    globalSetup: isWorkerd ? ["test/edge/global_setup.ts"] : [],
    pool: "forks",
    // Files wait for servers most of the time.
    maxWorkers: Math.max(3, availableParallelism()),
    // These end a test that hangs. No test depends on the speed of the machine.
    testTimeout: HANG_MILLISECONDS,
    hookTimeout: HANG_MILLISECONDS,
    expect: { poll: { timeout: HANG_MILLISECONDS / 2 } },
  },
});
