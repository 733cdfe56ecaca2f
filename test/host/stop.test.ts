import { Agent, request } from "node:http";
import { connect } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runtimes } from "../harness/runtimes.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "ns_domain_group", "user_access_key"];
const WRITERS = 32;

let installation: Record<string, string>;
beforeEach(async () => {
  installation = { ...await installationDirectory(PLUGINS), ...CHOSEN_KEY };
});
afterEach(() => removeInstallation(installation));

/** Adds settings to the installation manifest. */
async function configure(settings: object): Promise<void> {
  const path = installation.EDGEHELM_MANIFEST!;
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), ...settings }));
}

/**
 * Writes over one connection until the server refuses a new one.
 *
 * @returns the number of successful calls
 * @throws Error if a call over an accepted connection fails
 */
async function writeUntilRefused(
  server: Server,
  token: string,
  writer: number,
  onFirstWrite: () => void,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0;; count++) {
    const outcome = await post(agent, server.url, token, { nsClusterId: 1, name: `w${writer}-${count}.example.com` });
    if (outcome === "refused") return count;
    expect(outcome).toMatchObject({ code: 200 });
    onFirstWrite();
  }
}

function post(agent: Agent, url: string, token: string, body: object): Promise<"refused" | { code: number }> {
  return new Promise((resolve, reject) => {
    const headers = { "x-cloud-access-token": token };
    const sent = request(`${url}/NSDomainService/createNSDomain`, { agent, method: "POST", headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => text += chunk);
      response.once("end", () => resolve(JSON.parse(text)));
      response.once("error", reject);
    });
    sent.once(
      "error",
      (error: { code?: string }) => error.code === "ECONNREFUSED" ? resolve("refused") : reject(error),
    );
    sent.end(JSON.stringify(body));
  });
}

describe.each(runtimes())("a server on %s", (_name, runtime) => {
  test("completes every accepted call, and keeps every acknowledged write", async () => {
    const server = await Server.start(installation, runtime);
    await server.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.example.net"] });
    const token = await server.token(CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID, CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY);
    // A connection that is not accepted yet may be reset.
    const accepted = Array.from({ length: WRITERS }, () => Promise.withResolvers<void>());
    const writers = accepted.map(({ resolve }, writer) => writeUntilRefused(server, token, writer, resolve));
    await Promise.all(accepted.map(({ promise }) => promise));
    // Stop the server under load.
    for (let count = 0; count < 200;) count = (await server.post("/NSDomainService/countAllNSDomains", {})).data.count;
    expect(await server.stop()).toBe(0);
    const written = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);

    const again = await Server.start(installation, runtime);
    expect((await again.post("/NSDomainService/countAllNSDomains", {})).data).toEqual({ count: written });
    await again.stop();
    expect(again.output).toMatch(/\nstopped\n$/);
  });

  test("reports not ready, asks clients to close and then refuses connections", async () => {
    await configure({ stop: { graceSeconds: 60 } });
    const server = await Server.start(installation, runtime);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, "ok\n"]);
    process.kill(server.pid, "SIGTERM");
    let text = "ok\n";
    while (text === "ok\n") text = await (await fetch(`${server.url}/readyz`)).text();
    expect(text).toBe("not ready: stopping\n");
    // Within the grace period the server responds and closes the connection.
    const live = await rawRequest(server.url, "/livez");
    expect(live).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*ok\n/i);
    // The second signal forces the shutdown during the grace period.
    expect(await server.stop()).toBe(1);
    expect(server.output).toContain("forced shutdown");
  });

  test("does not wait for a client that sends nothing", async () => {
    await configure({ stop: { drainSeconds: 3600 } });
    const server = await Server.start(installation, runtime);
    const silent = connect(Number(new URL(server.url).port), "127.0.0.1");
    const closed = new Promise((resolve) => silent.once("close", resolve));
    await new Promise((resolve) => silent.once("connect", resolve));
    await (await fetch(`${server.url}/livez`)).text();
    expect(await server.stop()).toBe(0);
    await closed;
  });

  test("waits for an unfinished call up to the configured time", async () => {
    await configure({ stop: { drainSeconds: 1 } });
    const server = await Server.start(installation, runtime);
    const half = connect(Number(new URL(server.url).port), "127.0.0.1");
    const closed = new Promise((resolve) => half.once("close", resolve));
    half.on("error", () => {});
    half.resume();
    half.write(
      "POST /APIAccessTokenService/getAPIAccessToken HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    );
    await (await fetch(`${server.url}/livez`)).text();
    expect(await server.stop()).toBe(0);
    await closed;
  });
});

/** Sends a request over a new connection and returns everything received until the server closes it. */
function rawRequest(url: string, path: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  let text = "";
  socket.on("data", (chunk) => text += chunk);
  return new Promise((resolve, reject) => {
    socket.once("close", () => resolve(text));
    socket.once("error", reject);
  });
}
