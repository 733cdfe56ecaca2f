import { describe, expect, test } from "vitest";
import { create, json, useKernel } from "./rig.ts";

useKernel();

describe("createPlan refuses", () => {
  test.each([
    [{ name: " " }, "name: must not be empty"],
    [{ priceType: "hourly" }, 'priceType: must be one of period, traffic, bandwidth, got "hourly"'],
    [{ clusterId: 5n }, "clusterId: cluster 5 does not exist"],
    [{ monthlyPrice: 1.005 }, "monthlyPrice: must have at most 2 decimals, got 1.005"],
    [{ totalServers: -1 }, "totalServers: must not be negative, got -1"],
    [{ priceType: "traffic" }, "trafficPriceJSON: is required for a plan of the price type traffic"],
    [{ trafficPriceJSON: json({ base: -1 }) }, "trafficPriceJSON.base: must not be negative, got -1"],
    [{ bandwidthPriceJSON: json({ percentile: 101 }) }, "bandwidthPriceJSON.percentile: must be 1 to 100, got 101"],
    [{ bandwidthPriceJSON: json({}) }, "bandwidthPriceJSON.ranges: must have 1 to 100 ranges, got 0"],
    [
      { bandwidthPriceJSON: json({ ranges: [{ minMB: 10, maxMB: 5 }] }) },
      "bandwidthPriceJSON.ranges[0].maxMB: must be 0 for no upper bound, or greater than minMB (10), got 5",
    ],
    [{ featuresJSON: json({ waf: true }) }, "featuresJSON: must be a JSON array of at most 200 feature codes"],
    [
      { maxUploadSizeJSON: json({ count: 1, unit: "bit" }) },
      'maxUploadSizeJSON.unit: must be one of byte, kb, mb, gb, tb, pb, eb, got "bit"',
    ],
  ])("%o", async (wrong, message) => {
    await expect(create(wrong)).rejects.toMatchObject({ code: 400, message });
  });
});
