import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Check, output, runClient } from "../../clients/mod.ts";
import { CHOSEN_KEY, installationDirectory, KEY, removeInstallation, Server } from "../../harness/server.ts";
import { firstParty, pluginFolders } from "../../matrix/plugins.ts";
import { makeCertificate } from "../../servers/certificate.ts";
import { has } from "../../servers/tools.ts";
import { ROOT } from "./echo_server.ts";

const BUF = createRequire(import.meta.url).resolve("@bufbuild/buf/bin/buf");

describe.each([["plain", false], ["TLS", true]])("an operator's day over %s", (_name, tls) => {
  let server: Server;
  let caFile = "";
  let address: string;
  let directory: string;
  let installation: Record<string, string>;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
    const certificate = tls ? makeCertificate(directory) : undefined;
    caFile = certificate?.certFile ?? "";
    installation = await installationDirectory(pluginFolders, certificate && { http: { tls: certificate } });
    server = await Server.start({ ...installation, ...CHOSEN_KEY, EDGEHELM_LOG: "warn" });
    address = server.grpcUrl.replace(/^https?:\/\//, "");
  });
  afterAll(async () => {
    await server?.stop();
    await removeInstallation(installation);
    await rm(directory, { recursive: true, force: true });
  });

  function expectAllPassed(checks: readonly Check[]): void {
    expect(checks.length).toBe(6);
    expect(checks.filter(({ error }) => error !== "")).toEqual([]);
  }

  test("with grpc-js", async () => {
    expectAllPassed(
      await runClient("node", ["test/clients/grpc_js_day.mjs", address, KEY.id, KEY.secret, caFile, ROOT]),
    );
  });

  test.skipIf(!has("python3-grpcio"))("with grpcio", async () => {
    const args = ["test/clients/grpcio_day.py", address, KEY.id, KEY.secret, caFile];
    expectAllPassed(await runClient("/usr/bin/python3", args));
  });

  test("with buf curl and server reflection", async () => {
    const trust = tls ? ["--cacert", caFile] : ["--http2-prior-knowledge"];
    const call = async (path: string, request: object, token = "") => {
      const args = [
        "-H",
        `x-cloud-access-token: ${token}`,
        "-d",
        JSON.stringify(request),
        `${server.grpcUrl}/pb.${path}`,
      ];
      return JSON.parse(await output("node", [BUF, "curl", "--protocol", "grpc", ...trust, ...args]));
    };
    const login = { type: "admin", accessKeyId: KEY.id, accessKey: KEY.secret };
    const { token } = await call("APIAccessTokenService/GetAPIAccessToken", login);
    const { nsClusterId } = await call(
      "NSClusterService/createNSCluster",
      { name: "eu", hosts: ["ns1.edge.test"] },
      token,
    );
    const { nsDomainId } = await call(
      "NSDomainService/createNSDomain",
      { nsClusterId, name: "buf.example.com" },
      token,
    );
    const { nsDomains } = await call("NSDomainService/listNSDomains", { keyword: "buf.example" }, token);
    expect(nsDomains).toMatchObject([{ id: nsDomainId, name: "buf.example.com" }]);
    expect(await call("NSDomainService/countAllNSDomains", { keyword: "buf.example" }, token)).toEqual({ count: "1" });
    expect(await call("NSDomainService/findNSDomain", { nsDomainId: "999999" }, token)).toEqual({});
    const { userId } = await call("UserService/createUser", { username: "buf", password: "walks in the rain" }, token);
    const key = await call("UserAccessKeyService/createUserAccessKey", { userId }, token);
    const asUser = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
    const user = (await call("APIAccessTokenService/GetAPIAccessToken", asUser)).token;
    const errorCases: [string, object, string, RegExp][] = [
      ["NSClusterService/createNSCluster", { name: "mine" }, user, /permission_denied/],
      ["NSDomainService/listNSDomains", {}, "wrong", /unauthenticated/],
      ["NSDomainService/deleteNSDomain", { nsDomainId: "999999" }, token, /not_found/],
      ["NSDomainService/createNSDomain", { nsClusterId, name: "a b" }, token, /invalid_argument/],
    ];
    for (const [path, request, accessToken, text] of errorCases) {
      await expect(call(path, request, accessToken)).rejects.toThrow(text);
    }
  });

  test("reflection lists the services of all plugins", () => {
    const trust = tls ? ["--cacert", caFile] : ["--http2-prior-knowledge"];
    const args = [BUF, "curl", "--protocol", "grpc", ...trust, "--list-services", server.grpcUrl];
    const services = execFileSync("node", args, { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
    const served = firstParty.flatMap(({ manifest }) => manifest.services).map((name) => `pb.${name}`);
    expect(services).toEqual(expect.arrayContaining(served));
  });
});
