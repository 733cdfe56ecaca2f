import { expect, test } from "vitest";
import { serveBesideSlow } from "./slow.ts";

test("slow clients of every kind are ended, while calls over every wire succeed", async () => {
  const { figures, broken } = await serveBesideSlow({ seed: 1, rounds: 1, progress() {} }, 3);
  expect(broken).toEqual([]);
  expect(figures["slowClients"]).toBe(30);
  expect(figures["healthyCalls"]).toBeGreaterThan(4);
});
