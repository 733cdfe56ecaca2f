import { Agent, request } from "node:http";
import { connect } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runtimes } from "../harness/runtimes.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";

vi.setConfig({ testTimeout: 120_000 });

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
 * Writes over one connection as long as the server keeps it. Answers how many calls were answered, each well; throws
 * when one that went over a connection was not.
 */
async function writeUntilSentAway(server: Server, token: string, writer: number, began: () => void): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0;; count++) {
    const answer = await post(agent, server.url, token, { nsClusterId: 1, name: `w${writer}-${count}.example.com` });
    if (answer === "refused") return count;
    expect(answer).toMatchObject({ code: 200 });
    began();
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
  test("answers every call that it accepted, and keeps what it answered", async () => {
    const server = await Server.start(installation, runtime);
    await server.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.example.net"] });
    const token = await server.token(CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID, CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY);
    // A connection that still waits to be accepted may be reset.
    const accepted = Array.from({ length: WRITERS }, () => Promise.withResolvers<void>());
    const writers = accepted.map(({ resolve }, writer) => writeUntilSentAway(server, token, writer, resolve));
    await Promise.all(accepted.map(({ promise }) => promise));
    // In the middle of it.
    for (let count = 0; count < 200;) count = (await server.post("/NSDomainService/countAllNSDomains", {})).data.count;
    expect(await server.stop()).toBe(0);
    const answered = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);

    const again = await Server.start(installation, runtime);
    expect((await again.post("/NSDomainService/countAllNSDomains", {})).data).toEqual({ count: answered });
    await again.stop();
  });

  test("is not ready first, asks clients to leave, and takes no new connection in the end", async () => {
    await configure({ stop: { graceSeconds: 60 } });
    const server = await Server.start(installation, runtime);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, "ok\n"]);
    process.kill(server.pid, "SIGTERM");
    let text = "ok\n";
    while (text === "ok\n") text = await (await fetch(`${server.url}/readyz`)).text();
    expect(text).toBe("not ready: stopping\n");
    // Still within the grace: it answers, and closes.
    const live = await rawRequest(server.url, "/livez");
    expect(live).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*ok\n/i);
    // The second signal ends it at once, in the middle of the grace.
    expect(await server.stop()).toBe(1);
    expect(server.output).toContain("ended at once");
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

  test("waits for a call that does not end no longer than it is configured", async () => {
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

/** One request over a connection of its own, and everything that comes until the server closes it. */
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
