import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { churn, LEAVINGS } from "../../stress/churn.ts";
import { type EchoServer, startEchoServer } from "./echo_server.ts";

const CONNECTIONS = 600;

let echo: EchoServer;
beforeAll(async () => {
  echo = await startEchoServer();
});
afterAll(() => echo?.stop());

function residentMegabytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${echo.server.pid}/status`, "utf8"))?.[1]) / 1024;
}

test.each(LEAVINGS)("frees the memory of clients that leave by %s", async (leaving) => {
  expect(await churn(echo.address, echo.token, CONNECTIONS, leaving)).toBe(CONNECTIONS);
  const before = residentMegabytes();
  expect(await churn(echo.address, echo.token, CONNECTIONS, leaving)).toBe(CONNECTIONS);
  expect(residentMegabytes() - before).toBeLessThan(40);
});
