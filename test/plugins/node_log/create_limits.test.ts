import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { list, params, START, write } from "./rig.ts";

const one = as.node(1n);
const two = as.node(2n);

describe("createNodeLogs", () => {
  test("truncates long texts, even within a surrogate pair", async () => {
    await write(one, { description: `${"y".repeat(999)}🎉`, tag: `${"t".repeat(99)}🎉` });
    expect(await list()).toMatchObject([{ description: `${"y".repeat(999)}\uFFFD`, tag: `${"t".repeat(99)}\uFFFD` }]);
  });

  test("refuses a NUL character, at which the database would truncate the text", async () => {
    await expect(write(one, { description: "a\0b" })).rejects.toMatchObject({ code: 400 });
  });

  test("truncates long texts and replaces times in the future", async () => {
    const future = BigInt(START + 3600);
    await write(one, { description: "x".repeat(1500), tag: "t".repeat(200), createdAt: future });
    await write(two, { createdAt: 1n, description: "old" });
    const [old, long] = await list();
    expect(long).toMatchObject({ description: "x".repeat(1000), tag: "t".repeat(100), createdAt: BigInt(START) });
    expect(old).toMatchObject({ createdAt: 1n });
  });

  test.each([
    [{ level: "fatal" }, 'nodeLogs[1].level: must be one of info, warning, error, success, got "fatal"'],
    [{ serverId: -1n }, "nodeLogs[1].serverId: must not be negative, got -1"],
    [{ paramsJSON: params([]) }, "nodeLogs[1].paramsJSON"],
    [{ paramsJSON: params({ a: "x".repeat(5000) }) }, "nodeLogs[1].paramsJSON: must have at most 4096 bytes"],
  ])("stores no log if one is invalid: %o", async (wrong, message) => {
    await expect(write(one, { description: "valid" }, { description: "invalid", ...wrong }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
    expect(await list()).toEqual([]);
  });
});
