import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { reportMissing } from "../../harness/needs.ts";
import { shortRun } from "../campaign.ts";
import { full } from "./full.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
if (!hasStrace) reportMissing("strace");

test.skipIf(!hasStrace)("a disk that fails refuses writes, loses none, and works at once when it is over", async () => {
  const { figures, broken } = await shortRun(full, 5);
  expect(broken).toEqual([]);
  expect(figures["refused"]).toBeGreaterThan(0);
  expect(figures["acknowledged"]).toBeGreaterThan(0);
});
