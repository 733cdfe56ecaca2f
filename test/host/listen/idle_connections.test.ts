import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, type Runtime, Server } from "../../harness/server.ts";
import { runtimes } from "../../harness/runtimes.ts";
import { head, RawClient } from "../raw_client.ts";

/** Connections from these addresses are idle; those from the other one are a healthy client's. */
const FLOODS = ["127.0.0.2", "127.0.0.4", "127.0.0.5"];
const HEALTHY = "127.0.0.3";
const PATIENCE = { timeout: 300_000, interval: 500 };

let installation: Record<string, string>;
beforeEach(async () => {
  const plugins = ["admin", "api_access_token", "user_access_key", "hello_world"];
  installation = { ...await installationDirectory(plugins), ...CHOSEN_KEY };
});
afterEach(() => removeInstallation(installation));

/** A runtime whose processes may have few files open. */
function limited(runtime: Runtime, files: number): Runtime {
  return ["sh", "-c", `ulimit -n ${files}; exec "$0" "$@"`, ...runtime];
}

/** Connections that send nothing. */
class IdleConnections {
  readonly #sockets: Socket[] = [];

  /** Opens connections from the addresses in turn. Some may be refused or closed at once. */
  async open(url: string, count: number, addresses: readonly string[]): Promise<void> {
    const port = Number(new URL(url).port);
    await Promise.all(Array.from({ length: count }, (_, index) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress: addresses[index % addresses.length]! });
      this.#sockets.push(socket);
      socket.on("error", () => {});
      socket.resume();
      return new Promise<void>((resolve) => {
        socket.once("connect", () => resolve());
        socket.once("close", () => resolve());
      });
    }));
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function get(path: string, headers: Readonly<Record<string, string>> = {}): string {
  return head(path, headers).replace("POST", "GET");
}

/** Returns what /readyz says to a healthy client, or nothing if it is refused. */
async function readiness({ url }: Server): Promise<string> {
  const response = await new RawClient(url, HEALTHY).send(get("/readyz", { connection: "close" })).closed;
  return response.split("\r\n\r\n")[1] ?? "";
}

/** Returns the value of a metric, which the server exports on an address of its own. */
async function metric(server: Server, name: string): Promise<string> {
  const line = (await server.metrics()).split("\n").find((line) => line.startsWith(`${name} `));
  return line?.split(" ").at(-1) ?? "0";
}

/** Returns how many connections to the HTTP listener a limit refused. */
async function refused(server: Server, limit: string): Promise<number> {
  return Number(await metric(server, `edgehelm_connections_refused_total{listener="http",limit="${limit}"}`));
}

describe.each(runtimes())("on %s", (_name, runtime) => {
  test.each([[1024, 1150]])(
    "with %i open files, %i idle connections of one address take no place from others",
    async (files, count) => {
      const server = await Server.start(installation, limited(runtime, files));
      try {
        using idle = new IdleConnections();
        await idle.open(server.url, count, FLOODS.slice(0, 1));
        expect(await readiness(server)).toBe("ok\n");
        expect((await server.post("/HelloWorldService/sayHello", {})).code).toBe(200);
        await vi.waitFor(async () => {
          // a full accept queue drops connections, of which the client does not know
          await idle.open(server.url, 30, FLOODS.slice(0, 1));
          expect(await refused(server, "address")).toBeGreaterThan(0);
        }, PATIENCE);
      } finally {
        expect(await server.stop()).toBe(0);
      }
    },
  );

  test.each([[128, 200], [1024, 1150]])(
    "with %i open files, %i idle connections of many addresses are refused, and who is connected is served",
    async (files, count) => {
      const server = await Server.start(installation, limited(runtime, files));
      const connected = new RawClient(server.url, HEALTHY);
      try {
        connected.send(get("/readyz"));
        await connected.until("ok\n");
        const idle = new IdleConnections();
        await idle.open(server.url, count, FLOODS);
        await vi.waitFor(async () => {
          await idle.open(server.url, 30, FLOODS);
          expect(await refused(server, "process")).toBeGreaterThan(0);
        }, PATIENCE);
        connected.send(get("/livez"));
        await connected.until(/ok\n[^]+ok\n/);
        expect(Number(await metric(server, "edgehelm_connections_open"))).toBeLessThan(files);
        idle[Symbol.dispose]();
        await vi.waitFor(async () => expect(await readiness(server)).toBe("ok\n"), PATIENCE);
      } finally {
        connected.close();
        expect(await server.stop()).toBe(0);
      }
    },
  );

  test("with 64 open files, the start is refused with one line that says how to raise the limit", async () => {
    await expect(Server.start(installation, limited(runtime, 64))).rejects.toThrow(
      /^ended with code 78: edgehelm: the process may open only 64 files; raise the limit: ulimit -n 1024[^\n]*\n$/,
    );
  });
});
