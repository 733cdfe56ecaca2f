import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { GrpcClient } from "../../trust/grpc_client.ts";
import { runtimes } from "../../harness/runtimes.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";

const BUSY = fileURLToPath(new URL("../../fixtures/busy", import.meta.url));

let installation: Record<string, string>;
beforeEach(async () => {
  const settings = { stop: { drainSeconds: 1 }, limits: { writeIdleMilliseconds: 5000 } };
  const plugins = ["admin", "api_access_token", "user_access_key", BUSY];
  installation = { ...await installationDirectory(plugins, settings), ...CHOSEN_KEY };
});
afterEach(() => removeInstallation(installation));

/** Starts a server and waits until its plugin does the work that a path names. */
async function busyServer(runtime: Parameters<typeof Server.start>[1], work: string): Promise<Server> {
  const server = await Server.start(installation, runtime);
  onTestFinished(() => server.kill());
  fetch(`${server.url}/busy/${work}`).catch(() => {});
  await expect.poll(() => server.output).toContain(`busy: ${work}\n`);
  return server;
}

describe.each(runtimes())("SIGTERM ends a server on %s", (_name, runtime) => {
  test.each(["query", "scan", "write", "handler"])("in good order, while a %s does not end", async (work) => {
    const server = await busyServer(runtime, work);
    if (work === "write") await expect.poll(() => server.output).toContain("busy: writing\n");
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    process.kill(server.pid, "SIGTERM");
    expect(await server.ended, server.output).toBe(0);
  });

  test("in good order, while a stream is open", async () => {
    const server = await Server.start(installation, runtime);
    onTestFinished(() => server.kill());
    const client = new GrpcClient(server.grpcUrl);
    const closed = client.stream("/grpc.health.v1.Health/Watch", "").ended.catch((error: Error) => error.message);
    // after the headers of the stream, on the same connection
    await client.exchange("/grpc.health.v1.Health/Check", undefined, new Uint8Array());
    process.kill(server.pid, "SIGTERM");
    expect(await server.ended, server.output).toBe(0);
    expect(await closed).toBe("the connection was closed");
  });

  test.each(["regex", "loop"])("that a %s blocks", async (work) => {
    const server = await busyServer(runtime, work);
    process.kill(server.pid, "SIGTERM");
    expect(await server.ended).toBe(null);
    expect(server.output).toContain("the event loop has been blocked for 5 seconds; the process is ended\n");
    const again = await Server.start(installation, runtime);
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    await again.stop();
  });
});
