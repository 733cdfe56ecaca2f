import { createRequire } from "node:module";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Check, output, runClient } from "../../clients/mod.ts";
import { has } from "../../servers/tools.ts";
import { type EchoServer, startEchoServer } from "./echo_server.ts";

const BUF = createRequire(import.meta.url).resolve("@bufbuild/buf/bin/buf");
const ECHO = "edgehelm.test.echo.EchoService";

describe.each([["plain", false], ["TLS", true]])("over %s", (_name, tls) => {
  let echo: EchoServer;
  let url: string;
  beforeAll(async () => {
    echo = await startEchoServer({ tls });
    url = echo.server.grpcUrl;
  });
  afterAll(() => echo?.stop());

  /** Runs `buf curl`, which reads the schema by reflection. */
  function bufCurl(path: string, data: string, token = echo.token): Promise<string> {
    const trust = tls ? ["--cacert", echo.caFile] : ["--http2-prior-knowledge"];
    const args = [BUF, "curl", "--protocol", "grpc", ...trust, "-H", `x-cloud-access-token: ${token}`, "-d", data];
    return output("node", [...args, url + path]);
  }

  test.skipIf(!has("python3-grpcio"))("grpcio passes all checks", async () => {
    const checks: Check[] = await runClient("/usr/bin/python3", [
      "test/clients/grpcio.py",
      echo.address,
      echo.token,
      echo.caFile,
    ]);
    expect(checks.length).toBeGreaterThan(12);
    expect(checks.filter(({ error }) => error !== "")).toEqual([]);
  });

  test("buf curl works with server reflection", async () => {
    expect(JSON.parse(await bufCurl(`/${ECHO}/echo`, '{"number": 7}'))).toEqual({ number: "7" });
    const trust = tls ? ["--cacert", echo.caFile] : ["--http2-prior-knowledge"];
    const methods = await output("node", [BUF, "curl", "--protocol", "grpc", ...trust, "--list-methods", url]);
    expect(methods).toContain(`${ECHO}/chat`);
    expect(methods).toContain("grpc.health.v1.Health/Check");
  });

  test("buf curl shows the error of a call", async () => {
    await expect(bufCurl(`/${ECHO}/echo`, '{"failure": "no"}')).rejects.toThrow(/invalid_argument[^]*ErrorInfo/);
    await expect(bufCurl(`/${ECHO}/echo`, "{}", "wrong")).rejects.toThrow(/unauthenticated[^]*access token/);
  });

  test("curl gets a readable error about the protocol of the port", async () => {
    const trust = tls ? ["--cacert", echo.caFile] : ["--http2-prior-knowledge"];
    expect(await output("curl", ["-sSi", ...trust, url])).toMatch(/^HTTP\/2 415[^]*this port speaks gRPC/);
    if (!tls) expect(await output("curl", ["-sSi", url])).toMatch(/^HTTP\/1.1 400[^]*this port speaks gRPC/);
  });

  test.skipIf(!has("nghttp2-client"))("nghttp and h2load are served", async () => {
    const data = join(tmpdir(), `edgehelm-echo-${echo.server.pid}`);
    await writeFile(data, Uint8Array.of(0, 0, 0, 0, 2, 0x20, 7));
    const headers = ["-H", "content-type: application/grpc", "-H", `x-cloud-access-token: ${echo.token}`, "-d", data];
    expect(await output("nghttp", ["-v", ...headers, `${url}/${ECHO}/echo`])).toContain("grpc-status: 0");
    const load = await output("h2load", ["-n5000", "-c10", "-m50", ...headers, `${url}/${ECHO}/echo`]);
    expect(load).toContain("5000 succeeded, 0 failed, 0 errored");
  });
});
