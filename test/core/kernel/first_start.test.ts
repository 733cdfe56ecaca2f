import { FirstStart } from "edgehelm/runtime";
import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { plugin } from "./rig.ts";

describe("the first start", () => {
  const task = (name: string, run: () => Promise<readonly string[]>) =>
    plugin(name, {
      more: { contributes: ["kernel.first_start"] },
      setup: ({ contribute }) => contribute(FirstStart, { run }),
    });

  test("runs its tasks once", async () => {
    const starter = task("starter", () => Promise.resolve(["welcome"]));
    await using first = await testKernel({ plugins: [starter] });
    expect(first.kernel.notices).toEqual(["welcome"]);
    await first.stop();
    const second = await testKernel({ plugins: [starter], directory: first.directory });
    expect(second.kernel.notices).toEqual([]);
    await second.stop();
  });

  test("can be repeated after an error", async () => {
    await using empty = await testKernel({ plugins: [] });
    await empty.stop();
    const directory = `${empty.directory}/again`;
    const failing = task("starter", () => Promise.reject(new Error("task error")));
    await expect(testKernel({ plugins: [failing], directory })).rejects.toThrow("task error");
    const second = await testKernel({
      plugins: [task("starter", () => Promise.resolve(["welcome"]))],
      directory,
    });
    expect(second.kernel.notices).toEqual(["welcome"]);
    await second.stop();
  });
});
