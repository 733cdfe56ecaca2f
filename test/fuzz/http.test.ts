import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzHttp } from "./http.ts";
import { type FuzzTarget, startTarget } from "./target.ts";

let target: FuzzTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

// By hand: test/fuzz/main.ts sends 100,000.
test("3,000 malformed requests kill nothing, and none is answered as the server's fault", async () => {
  const { answers, internal, unreachable } = await fuzzHttp({ ...target, seed: 20_261_121, count: 3000 });
  expect(internal).toEqual([]);
  expect(target.faults()).toEqual([]);
  expect(unreachable).toBe(0);
  expect(target.isAlive()).toBe(true);
  // The requests must reach every part: handlers, refusals of each kind, each protocol.
  for (
    const reached of [
      "json 200",
      "json 400",
      "json 403",
      "connect 200",
      "connect invalid_argument",
      "grpcweb grpc 0",
      "raw 400",
    ]
  ) {
    expect(Object.keys(answers)).toContain(reached);
  }
}, 120_000);
