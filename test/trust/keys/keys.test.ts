import { expect, test } from "vitest";
import { sqldRuns } from "../../servers/sqld.ts";
import { shortRun } from "../campaign.ts";
import { keys } from "./keys.ts";

test.skipIf(!sqldRuns())("a key, user or node that was turned off on one instance is refused by both", async () => {
  const { figures, broken } = await shortRun(keys, 6);
  expect(broken).toEqual([]);
  expect(figures["refused"]).toBeGreaterThan(48);
});
