import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

let installation: Record<string, string>;
beforeEach(async () => {
  const plugins = ["admin", "api_access_token", "user_access_key", "hello_world"];
  installation = { ...await installationDirectory(plugins), ...CHOSEN_KEY };
});
afterEach(() => removeInstallation(installation));

const ADDRESS = /"message":"metrics are served"/;

describe.each(["start", "dev"] as const)("metrics of %s", (command) => {
  test("have an address of their own, which serves nothing else", async () => {
    const server = await Server.start(installation, undefined, undefined, command);
    await server.post("/HelloWorldService/sayHello", {});
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    const url = await server.metricsUrl();
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const metrics = await fetch(url);
    expect(metrics.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await metrics.text();
    expect(text).toContain('\nedgehelm_calls_total{operation="/HelloWorldService/sayHello",code="200"} 1\n');
    expect(text).toMatch(/\nedgehelm_connections_open [1-9]/);
    const call = await fetch(url.replace("/metrics", "/HelloWorldService/sayHello"), { method: "POST", body: "{}" });
    expect(call.status).toBe(404);
    expect(await server.stop()).toBe(0);
  });
});

test("metrics can be turned off", async () => {
  const path = installation.EDGEHELM_MANIFEST!;
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...manifest, metrics: { disabled: true } }));
  const server = await Server.start(installation);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect(await server.stop()).toBe(0);
  expect(server.output).not.toMatch(ADDRESS);
});

test.each(["HTTP", "GRPC", "METRICS"])(
  "the port of %s in use is one line, and the database is released",
  async (name) => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const variable = `EDGEHELM_${name}_PORT`;
    const port = String((blocker.address() as { port: number }).port);
    const { code, output } = await runToEnd(["start"], { ...installation, EDGEHELM_LOG: "silent", [variable]: port });
    expect({ code, output }).toEqual({
      code: 78,
      output:
        `edgehelm: ${name.toLowerCase()}: 127.0.0.1:${port} is used by another program; stop it, or set ${variable}\n`,
    });
    await new Promise<void>((resolve) => blocker.close(() => resolve()));
    await (await Server.start(installation)).stop();
  },
);
