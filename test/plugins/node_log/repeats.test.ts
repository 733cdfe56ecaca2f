import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { clock, list, params, write } from "./rig.ts";

const one = as.node(1n);
const two = as.node(2n);

describe("a log is counted as a repeat of the last one", () => {
  const log = { description: "origin is down" };

  test("if it has the same text and node within 1800 seconds", async () => {
    await write(one, log);
    clock.advance(1799);
    await write(one, log);
    expect((await list()).map(({ count }) => count)).toEqual([2]);
    clock.advance(1);
    await write(one, log);
    expect((await list()).map(({ count }) => count)).toEqual([1, 2]);
  });

  test.each([
    { description: "origin is up" },
    { ...log, tag: "OTHER" },
    { ...log, level: "warning" },
    { ...log, serverId: 1n },
    { ...log, originId: 1n },
    { ...log, type: "other" },
    { ...log, paramsJSON: params({ a: 1 }) },
  ])("but not if it differs by %o", async (other) => {
    await write(one, log, other, log);
    expect((await list()).map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  test("even if other nodes write logs in between", async () => {
    await write(one, log);
    await write(two, log);
    await write(one, log);
    expect((await list()).map(({ nodeId, count }) => [nodeId, count])).toEqual([[2n, 1], [1n, 2]]);
  });

  test("if it is written concurrently", async () => {
    await Promise.all(Array.from({ length: 20 }, () => write(one, log)));
    expect((await list()).map(({ count }) => count)).toEqual([20]);
  });
});
