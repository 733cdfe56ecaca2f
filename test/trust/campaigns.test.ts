import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { reportMissing } from "../harness/needs.ts";
import { shortRun } from "./campaign.ts";
import { corrupt } from "./corrupt.ts";
import { migrate } from "./migrate.ts";
import { cutEverywhere } from "./wal.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
if (!hasStrace) reportMissing("strace");

test("a cut write-ahead log opens with all that was moved into the file, or is refused", async () => {
  const { figures, broken } = await cutEverywhere({ seed: 20_261_101, rounds: 1, progress() {} }, 8192);
  expect(broken).toEqual([]);
  expect(figures["opened"]).toBeGreaterThan(0);
  expect(figures["refused"]).toBeGreaterThan(0);
  expect(figures["mostRows"]).toBeGreaterThan(figures["fewestRows"]!);
});

test("a damaged database file is refused if the checks of SQLite see the damage", async () => {
  const { figures, broken } = await shortRun(corrupt, 60);
  expect(broken).toEqual([]);
  expect(figures["refused"]).toBeGreaterThan(0);
});

test.skipIf(!hasStrace)("an upgrade that is killed at one of its writes is completed by the next start", async () => {
  const { figures, broken } = await shortRun(migrate, 4);
  expect(broken).toEqual([]);
  expect(figures["killed"]).toBeGreaterThan(0);
});
