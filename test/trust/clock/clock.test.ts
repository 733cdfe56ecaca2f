import { expect, test } from "vitest";
import { shortRun } from "../campaign.ts";
import { clock } from "./clock.ts";

test("a clock that jumps prolongs no token, repeats no job, and breaks neither keys nor the audit log", async () => {
  const { figures, broken } = await shortRun(clock, 4);
  expect(broken).toEqual([]);
  expect(figures["refusedTokens"]).toBeGreaterThan(0);
  expect(figures["jobRuns"]).toBeGreaterThan(0);
});
