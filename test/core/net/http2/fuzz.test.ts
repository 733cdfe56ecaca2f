import { expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";

test("the server survives 20,000 mutated frame sequences, and serves other clients meanwhile", async () => {
  const { sequences, errors } = await fuzz(20_261_121, 20_000);
  expect(sequences).toBe(20_000);
  expect(errors).toEqual([]);
});
