import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Check, runClient } from "../../clients/mod.ts";
import { type EchoServer, ROOT, startEchoServer } from "./echo_server.ts";

describe.each([["plain", false], ["TLS", true]])("@grpc/grpc-js over %s", (_name, tls) => {
  let echo: EchoServer;
  let checks: readonly Check[];
  beforeAll(async () => {
    echo = await startEchoServer({ tls });
    checks = await runClient("node", ["test/clients/grpc_js.mjs", echo.address, echo.token, echo.caFile, ROOT]);
  });
  afterAll(() => echo?.stop());

  test("passes all checks", () => {
    expect(checks.length).toBeGreaterThan(15);
    expect(checks.filter(({ error }) => error !== "")).toEqual([]);
  });

  test("causes no error in the server log", () => {
    expect(echo.server.output).not.toContain('"level":"error"');
  });
});
