import { afterAll, beforeAll, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";
import { connectSlowClients } from "./slow_clients.ts";

const PLUGINS = ["admin", "api_access_token", "hello_world", "user_access_key"];

let installation: Record<string, string>;
let server: Server;
beforeAll(async () => {
  installation = await installationDirectory(PLUGINS, { limits: { headerSeconds: 1, bodySeconds: 2 } });
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
});
afterAll(async () => {
  await server.stop();
  await removeInstallation(installation);
});

test("300 slow clients are closed, while other calls succeed", async () => {
  await server.post("/HelloWorldService/sayHello", { name: "Ada" });
  let isOver = false;
  const slowClients = connectSlowClients(server.url, 300, 500).finally(() => isOver = true);
  const codes = new Set<number>();
  while (!isOver) codes.add((await server.post("/HelloWorldService/sayHello", { name: "Ada" })).code);
  expect(codes).toEqual(new Set([200]));
  for (const response of (await slowClients).responses) expect(response).toMatch(/^HTTP\/1.1 408 [^]*kernel.too_slow/);
});
