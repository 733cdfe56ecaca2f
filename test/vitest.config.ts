import { availableParallelism } from "node:os";
import process from "node:process";
import { defineConfig } from "vitest/config";
import project from "../package.json" with { type: "json" };
import { LongestFirst } from "./setup/longest_first.ts";

const HANG_MILLISECONDS = 600_000;
const isWorkerd = process.env["TEST_RUNTIME"] === "workerd";
// Loading the kernel for each file would take half of the time of these tests.
const IN_SHARED_PROCESSES = ["test/plugins/!(console|openapi)/**/*.test.ts"];
const IN_OWN_PROCESSES = ["test/{*,!(plugins)/**/*,plugins/*,plugins/{console,openapi}/**/*}.test.ts"];
const root = new URL("..", import.meta.url).pathname;

export default defineConfig({
  root,
  resolve: {
    // Vite does not resolve the imports of a package by its own name.
    alias: Object.entries(project.exports).map(([subpath, module]) => ({
      find: new RegExp(`^${`edgehelm${subpath.slice(1)}`.replace(".", "\\.").replace("*", "(.*)")}$`),
      replacement: root + module.slice(2).replace("*", "$1"),
    })),
  },
  test: {
    projects: [
      { extends: true, test: { name: "own processes", include: IN_OWN_PROCESSES } },
      {
        extends: true,
        test: {
          name: "shared processes",
          include: IN_SHARED_PROCESSES,
          isolate: false,
          setupFiles: ["test/setup/fresh_test_modules.ts"],
        },
      },
    ],
    reporters: ["default", `${root}test/setup/skipped_suites.ts`],
    globalSetup: isWorkerd ? ["test/edge/global_setup.ts"] : [],
    pool: "forks",
    sequence: { sequencer: LongestFirst },
    // Files wait for servers most of the time.
    maxWorkers: Math.max(4, availableParallelism()),
    // These end a test that hangs. No test depends on the speed of the machine.
    testTimeout: HANG_MILLISECONDS,
    hookTimeout: HANG_MILLISECONDS,
    expect: { poll: { timeout: HANG_MILLISECONDS / 2 } },
  },
});
