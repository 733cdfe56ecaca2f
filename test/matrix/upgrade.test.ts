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
/** The changes that later releases made on purpose, which are not compared, by the path of the read. */
const CHANGED: readonly Change[] = [
  // Domains that nodes must not serve, and records with names of one label, were published again.
  { path: /^.NS(Domain|Record)Service/, key: /^version$/ },
  { path: /AfterVersion$/, key: /^nsDomains$|^nsRecords$/ },
  // Objects in objects were partial.
  { path: /./, key: /^(user|nsCluster|nodeCluster|nodeClusters|nodeRegion|metricItem|nsDomain|nsRoutes)$/ },
  // Accounts say what is owed beyond the balance.
  { path: /^.UserAccount/, key: /^debt$/ },
  // JSON that is not set is absent, or null where clients parse it.
  { path: /./, key: /JSON$/, values: ["", "bnVsbA=="] },
  // Prices that are not set are absent.
  { path: /Plan/, key: /Price$/, values: [0] },
  { path: /findAllUserFeatureDefinitions$/, key: /^features$/ },
  // Without a user, an admin lists the certificates of the installation.
  { path: /^.SSLCertService.(count|list)SSLCerts$/, key: /^(count|sslCertsJSON)$/ },
  // There are more media.
  { path: /findAllMessageMedias$/, key: /^messageMedias$/ },
  // Audit records are in the same list as the logs of consoles.
  { path: /^.LogService.(count|list)Logs$/, key: /^(count|logs)$/ },
  // The dashboard has the sites and their traffic.
  { path: /composeAdminDashboard$/, key: /^(daily|hourly)TrafficStats$|^countServers$/ },
];

interface Change {
  readonly path: RegExp;
  readonly key: RegExp;
  /** The values that are not compared; absent for all. */
  readonly values?: readonly unknown[];
}

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
      if (unchanged(path, found) !== unchanged(path, response)) different.push({ path, body, found, response });
    }
    expect(different).toEqual([]);
    expect(reads.length).toBeGreaterThan(700);
  });
});

/** Returns the text of a response without what was changed on purpose. */
function unchanged(path: string, response: unknown): string {
  const changes = CHANGED.filter((change) => change.path.test(path));
  return JSON.stringify(
    response,
    (key, value) => changes.some((change) => concerns(change, key, value)) ? undefined : value,
  );
}

function concerns(change: Change, key: string, value: unknown): boolean {
  return change.key.test(key) && (change.values?.includes(value) ?? true);
}
