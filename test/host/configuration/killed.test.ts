import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { KEY, MAIN, THIS_RUNTIME } from "../../harness/server.ts";
import { cliRig } from "../api_cli/rig.ts";

const CLUSTERS = 40;

/** Passes calls on to a server. `beforeCreation` is awaited first, with the number of creations. */
async function gateway(url: string, beforeCreation: (count: number) => Promise<void>) {
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url!.includes("/create")) await beforeCreation(++count);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...request.method === "POST" && { body },
    });
    const replayed = answer.headers.get("idempotent-replayed");
    response.writeHead(answer.status, {
      "content-type": "application/json",
      ...replayed !== null && { "idempotent-replayed": replayed },
    }).end(await answer.text());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("an apply that is killed while it creates objects, and repeated, makes each of them once", async () => {
  await using rig = await cliRig(["ns_cluster"]);
  let kill = async () => {};
  await using proxy = await gateway(rig.server.url, async (count) => {
    if (count === CLUSTERS / 2) await kill();
  });
  const folder = join(rig.home, "clusters");
  await mkdir(folder);
  const names = Array.from({ length: CLUSTERS }, (_, index) => `- name: cluster ${index}\n`);
  await rig.file("clusters/NSCluster.yaml", names.join(""));
  const secret = await rig.file("secret", KEY.secret);
  await rig.run("login", "--url", proxy.url, "--id", KEY.id, "--secret", `@${secret}`);

  const [program, ...flags] = THIS_RUNTIME;
  const environment = { XDG_CONFIG_HOME: join(rig.home, "config"), XDG_CACHE_HOME: join(rig.home, "cache") };
  const child = spawn(program!, [...flags, MAIN, "apply", folder, "--yes"], {
    env: { ...process.env, ...environment },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const [, signal] = await ended;
  expect(signal).toBe("SIGKILL");
  expect(await rig.run("apply", folder, "--yes")).toMatchObject({ code: 0 });
  expect(await rig.run("plan", folder)).toEqual({ code: 0, output: "no changes\n" });
  expect((await rig.server.post("/NSClusterService/countAllNSClusters", {})).data).toEqual({ count: CLUSTERS });
});
