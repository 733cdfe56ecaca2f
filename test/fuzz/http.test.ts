import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzHttp } from "./http.ts";
import { type FuzzTarget, startTarget } from "./target.ts";

let target: FuzzTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

// A manual run of test/fuzz/main.ts sends 100,000 requests.
test("3,000 malformed requests cause no crash and no internal error", async () => {
  const { responses, internalErrors, unreachable } = await fuzzHttp({ ...target, seed: 20_261_121, count: 3000 });
  expect(internalErrors).toEqual([]);
  expect(target.loggedErrors()).toEqual([]);
  expect(unreachable).toBe(0);
  expect(target.isAlive()).toBe(true);
  // The requests must reach handlers and every kind of error, over each protocol.
  for (
    const outcome of [
      "json 200",
      "json 400",
      "json 403",
      "connect 200",
      "connect invalid_argument",
      "grpcweb grpc 0",
      "raw 400",
    ]
  ) {
    expect(Object.keys(responses)).toContain(outcome);
  }
});
