import { expect, test } from "vitest";
import { sshdRuns } from "../../servers/sshd.ts";
import { shortRun } from "../campaign.ts";
import { installs } from "./installs.ts";

test.runIf(sshdRuns())("a killed server leaves whole nodes, and installs one at a time on each", async () => {
  const { figures, broken } = await shortRun(installs, 3);
  expect(broken).toEqual([]);
  expect(figures["kills"]).toBe(3);
  expect(figures["timedOut"]).toBeGreaterThan(0);
});
