import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEST_DATABASE } from "../harness/database.ts";
import { recordedDatabase, recordedReads } from "./earlier_release/recorded.ts";
import { firstParty } from "./plugins.ts";
import { standIns } from "./world.ts";

const { now, reads } = recordedReads();
/** The user that the release created first. */
const ADA = 1n;

describe.runIf(TEST_DATABASE === "file")("a database of an earlier release", () => {
  let directory: string;
  let edgehelm: TestKernel;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "edgehelm-upgrade-"));
    await writeFile(join(directory, "edgehelm.db"), recordedDatabase());
    edgehelm = await testKernel({ plugins: firstParty, stubs: standIns(), clock: new TestClock(now), directory });
  });
  afterAll(async () => {
    await edgehelm.stop();
    await rm(directory, { recursive: true });
  });

  test("gives every read the response that it had there", async () => {
    const different: unknown[] = [];
    for (const { path, body, isAdmin, response } of reads) {
      const { code, data, message } = await edgehelm.post(path, body, isAdmin ? as.admin() : as.user(ADA));
      const found = { code, data, message };
      if (JSON.stringify(found) !== JSON.stringify(response)) different.push({ path, body, found, response });
    }
    expect(different).toEqual([]);
    expect(reads.length).toBeGreaterThan(700);
  });
});
