import { expect, test } from "vitest";
import { killRepeatedly } from "./campaign.ts";

test("kills while money moves leave nothing half done", async () => {
  const { broken, done, rows } = await killRepeatedly(2, 20_260_101);
  expect(broken).toEqual([]);
  expect(done).toBeGreaterThan(0);
  expect(rows["userAccountLogs"]).toBeGreaterThan(0);
});
