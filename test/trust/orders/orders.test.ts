import { expect, test } from "vitest";
import { pebbleRuns } from "../../servers/pebble.ts";
import { shortRun } from "../campaign.ts";
import { orders } from "./orders.ts";

test.runIf(pebbleRuns())(
  "a killed server continues its orders of certificates, without placing any twice",
  async () => {
    const { figures, broken } = await shortRun(orders, 2);
    expect(broken).toEqual([]);
    expect(figures["tasks"]).toBe(6);
    expect(figures["issued"]).toBeGreaterThan(0);
  },
);
