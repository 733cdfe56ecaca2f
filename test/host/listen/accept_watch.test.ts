import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { failCalls } from "../../servers/failing_calls.ts";
import { reportMissing } from "../../harness/needs.ts";
import { runtimes } from "../../harness/runtimes.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { head, RawClient } from "../raw_client.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
if (!hasStrace) reportMissing("strace");

let installation: Record<string, string>;
beforeEach(async () => {
  installation = { ...await installationDirectory(["admin", "api_access_token", "user_access_key"]), ...CHOSEN_KEY };
});
afterEach(() => removeInstallation(installation));

const GET = head("/livez", { connection: "close" }).replace("POST", "GET");

test.runIf(hasStrace).each(runtimes())(
  "a listener whose accept fails once serves again, on %s",
  async (_name, runtime) => {
    const server = await Server.start(installation, runtime);
    try {
      const log = join(installation["EDGEHELM_DATA"]!, "..", "strace.log");
      const end = await failCalls(server, { calls: "accept4", error: "EMFILE", log });
      const client = new RawClient(server.url);
      await vi.waitFor(() => expect(readFileSync(log, "utf8")).toContain("EMFILE"), { timeout: 300_000 });
      client.close();
      await end();
      await vi.waitFor(async () => {
        const client = new RawClient(server.url).send(GET);
        const patience = setTimeout(() => client.close(), 1000);
        expect(await client.closed).toMatch(/^HTTP\/1\.1 200 /);
        clearTimeout(patience);
      }, { timeout: 300_000, interval: 500 });
    } finally {
      await server.stop();
    }
  },
);
