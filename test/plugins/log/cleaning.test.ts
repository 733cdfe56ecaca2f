import { describe, expect, test } from "vitest";
import { admin, clock, DAY, descriptions, edgehelm, rpc, size, useKernel, write } from "./rig.ts";

useKernel();

describe("cleanLogsPermanently", () => {
  test("keeps the logs of a number of days", async () => {
    await write(admin, "old");
    clock.advance(2 * DAY);
    await write(admin, "two days old");
    clock.advance(2 * DAY);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { days: 2 });
    expect(await descriptions()).toEqual(["two days old"]);
    clock.advance(1);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { days: 2 });
    expect(await descriptions()).toEqual([]);
  });

  test("clears everything, in several transactions", async () => {
    for (let from = 0; from < 1500; from += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, at) => write(admin, `log ${from + at}`)));
    }
    expect((await edgehelm.call(admin, rpc.countLogs, { source: "log" })).count).toBe(1500n);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { clearAll: true });
    expect(await descriptions()).toEqual([]);
    expect(await size()).toBe(0n);
  });

  test.each([0, -1])("refuses to keep %d days", async (days) => {
    await expect(edgehelm.call(admin, rpc.cleanLogsPermanently, { days }))
      .rejects.toMatchObject({ code: 400, message: `days: must be 1 to 36500, got ${days}` });
  });
});
