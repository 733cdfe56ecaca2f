import Database from "libsql";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "user", "user_access_key"];
/** Far more rows than one batch of the removal deletes. */
const [LISTS, DOMAINS_PER_LIST] = [12, 1000];

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
});
afterEach(() => removeInstallation(installation));

/** Counts the remaining domains in the database file. */
function remainingDomains(): number {
  const database = new Database(join(installation.EDGEHELM_DATA!, "edgehelm.db"));
  const { count } = database.prepare("select count(*) as count from nsDomains where state = 1").get() as CountRow;
  database.close();
  return count;
}

interface CountRow {
  readonly count: number;
}

/** Polls the domain count until it satisfies the condition. */
async function pollCount(server: Server, isExpected: (count: number) => boolean): Promise<number> {
  for (;;) {
    const { data } = await server.post("/NSDomainService/countAllNSDomains", {});
    if (isExpected(data.count)) return data.count;
  }
}

test("the removal of a deleted user continues after the process was killed during it", async () => {
  const first = await Server.start({ ...installation, ...CHOSEN_KEY });
  const { data: cluster } = await first.post("/NSClusterService/createNSCluster", { name: "eu" });
  const { data: ada } = await first.post("/UserService/createUser", { username: "ada", password: "walks in the rain" });
  const { data: bob } = await first.post("/UserService/createUser", { username: "bob", password: "walks in the rain" });
  const create = async (owner: object, names: readonly string[]) => {
    const { code } = await first.post("/NSDomainService/createNSDomains", { ...cluster, ...owner, names });
    expect(code).toBe(200);
  };
  await create(bob, ["bob.example"]);
  for (let list = 0; list < LISTS; list++) {
    await create(ada, Array.from({ length: DOMAINS_PER_LIST }, (_, at) => `d${list}-${at}.example`));
  }
  expect((await first.post("/UserService/deleteUser", ada)).code).toBe(200);
  while (remainingDomains() > LISTS * DOMAINS_PER_LIST) await new Promise((resolve) => setImmediate(resolve));
  first.kill();
  expect(await first.ended).toBeNull();

  expect(remainingDomains()).toBeGreaterThan(1);
  expect(remainingDomains()).toBeLessThanOrEqual(LISTS * DOMAINS_PER_LIST);

  const second = await Server.start(installation);
  await pollCount(second, (count) => count === 1);
  const { data: remaining } = await second.post("/NSDomainService/listNSDomains", {});
  expect(remaining.nsDomains).toMatchObject([{ name: "bob.example" }]);
  expect(await second.stop()).toBe(0);
});
