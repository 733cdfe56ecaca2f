import { expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";

test("20,000 mutated sequences of frames leave the server alive and its other clients served", async () => {
  const { sequences, faults } = await fuzz(20_261_121, 20_000);
  expect(sequences).toBe(20_000);
  expect(faults).toEqual([]);
}, 60_000);
