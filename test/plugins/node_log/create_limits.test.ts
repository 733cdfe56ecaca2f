import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { list, openLogs, params, rpc, START, write } from "./rig.ts";

const one = as.node(1n);
const two = as.node(2n);
const DAY = 86_400;

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
    await write(two, { createdAt: BigInt(START - 60), description: "old" });
    const [old, long] = await list();
    expect(long).toMatchObject({ description: "x".repeat(1000), tag: "t".repeat(100), createdAt: BigInt(START) });
    expect(old).toMatchObject({ createdAt: BigInt(START - 60) });
  });

  test.each([["node", one], ["DNS node", as.dns(1n)], ["report node", as.report(1n)]])(
    "refuses logs of a %s that are older than pastDays, which admins may write",
    async (_title, caller) => {
      const earliest = BigInt(START - START % DAY - 3 * DAY);
      await write(caller, { createdAt: earliest });
      await expect(write(caller, { description: "new" }, { createdAt: earliest - 1n })).rejects.toMatchObject({
        code: 400,
        message: "nodeLogs[1].createdAt: must be at most 3 days ago, on 2027-01-12 or later, got " + (earliest - 1n),
      });
      expect(await list()).toHaveLength(1);
      await write(as.admin(), { role: "node", createdAt: 1n });
    },
  );

  test("the number of days is a setting", async () => {
    await using strict = await openLogs({ pastDays: 0 });
    const today = BigInt(START - START % DAY);
    const upload = (createdAt: bigint) =>
      strict.call(one, rpc.createNodeLogs, { nodeLogs: [{ level: "info", createdAt }] });
    await upload(today);
    await expect(upload(today - 1n)).rejects.toMatchObject({ code: 400 });
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
