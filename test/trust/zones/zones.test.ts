import { expect, test } from "vitest";
import { knotRuns } from "../../servers/knot.ts";
import { shortRun } from "../campaign.ts";
import { zones } from "./zones.ts";

test.runIf(knotRuns())("nodes end with the zones of the model, and serve a version of them until then", async () => {
  const { figures, broken } = await shortRun(zones, 4);
  expect(broken).toEqual([]);
  expect(figures["changes"]).toBe(200);
  expect(figures["samples"]).toBeGreaterThan(20);
});
