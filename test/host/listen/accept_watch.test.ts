import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

/** Fails accept(2) in a process until the returned function is called. */
async function failAccept({ pid }: Server, log: string): Promise<() => Promise<void>> {
  const inject = ["-e", "trace=accept4", "-e", "inject=accept4:error=EMFILE"];
  const strace = spawn("strace", ["-f", "-o", log, ...inject, "-p", String(pid)]);
  let output = "";
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on("data", (chunk) => {
      output += chunk;
      if (output.includes("attached")) resolve();
    });
    strace.once("close", () => reject(new Error(`strace ended: ${output}`)));
  });
  return async () => {
    const ended = once(strace, "close");
    strace.kill("SIGTERM");
    await ended;
  };
}

const GET = head("/livez", { connection: "close" }).replace("POST", "GET");

test.runIf(hasStrace).each(runtimes())(
  "a listener whose accept fails once serves again, on %s",
  async (_name, runtime) => {
    const server = await Server.start(installation, runtime);
    try {
      const log = join(installation["EDGEHELM_DATA"]!, "..", "strace.log");
      const end = await failAccept(server, log);
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
