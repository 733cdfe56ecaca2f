import Database from "libsql";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "user", "user_access_key"];
/** Far more than one piece of the removal takes. */
const [LISTS, OF_EACH] = [12, 1000];

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
});
afterEach(() => removeInstallation(installation));

/** How many domains a process that is no more left behind. */
function domainsLeft(): number {
  const database = new Database(join(installation.EDGEHELM_DATA!, "edgehelm.db"));
  const { count } = database.prepare("select count(*) as count from nsDomains where state = 1").get() as Counted;
  database.close();
  return count;
}

interface Counted {
  readonly count: number;
}

/** Asks until the answer is right; the test's own time limit ends it. */
async function until(server: Server, isRight: (count: number) => boolean): Promise<number> {
  for (;;) {
    const { data } = await server.post("/NSDomainService/countAllNSDomains", {});
    if (isRight(data.count)) return data.count;
  }
}

test("the removal of a deleted user goes on after the process was killed in the middle of it", {
  timeout: 120_000,
}, async () => {
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
    await create(ada, Array.from({ length: OF_EACH }, (_, at) => `d${list}-${at}.example`));
  }
  expect((await first.post("/UserService/deleteUser", ada)).code).toBe(200);
  while (domainsLeft() > LISTS * OF_EACH) await new Promise((resolve) => setImmediate(resolve));
  first.kill();
  expect(await first.ended).toBeNull();

  expect(domainsLeft()).toBeGreaterThan(1);
  expect(domainsLeft()).toBeLessThanOrEqual(LISTS * OF_EACH);

  const second = await Server.start(installation);
  await until(second, (count) => count === 1);
  const { data: left } = await second.post("/NSDomainService/listNSDomains", {});
  expect(left.nsDomains).toMatchObject([{ name: "bob.example" }]);
  expect(await second.stop()).toBe(0);
});
