import { expect, test } from "vitest";
import { compareMonths } from "./months.ts";

test("bills of random months agree with the model", async () => {
  const { differences, corrections } = await compareMonths(96, 20_260_101);
  expect(differences).toEqual([]);
  expect(corrections).toBeGreaterThan(0);
});
