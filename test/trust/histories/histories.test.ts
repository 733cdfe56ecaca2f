import { expect, test } from "vitest";
import { sqldRuns } from "../../servers/sqld.ts";
import { shortRun } from "../campaign.ts";
import { histories } from "./histories.ts";
import { instances } from "./instances.ts";

test("concurrent calls over every wire give what calls one after the other would give", async () => {
  const { figures, broken } = await shortRun(histories, 20);
  expect(broken).toEqual([]);
  expect(figures["explained"]).toBe(20);
  expect(figures["overlapping"]).toBeGreaterThan(100);
});

test.skipIf(!sqldRuns())(
  "two instances agree on one order, through replicas with reads that may be older",
  async () => {
    const { figures, broken } = await shortRun(instances, 5);
    expect(broken).toEqual([]);
    expect(figures["explainedWithReplicas"]).toBe(5);
  },
);
