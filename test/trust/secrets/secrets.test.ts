import { expect, test } from "vitest";
import { plantAndLook } from "./secrets.ts";
import { allMethods } from "./senders.ts";

test("nothing that the server wrote contains a secret, whatever became of the calls with it", async () => {
  const { figures, broken } = await plantAndLook({ seed: 1, rounds: 1, progress() {} }, await allMethods(), 5);
  expect(broken).toEqual([]);
  expect(figures["succeeded"]).toBeGreaterThan(10);
});
