import process from "node:process";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ERROR_CODES } from "../../core/base/errors.ts";
import { KEY } from "../harness/server.ts";
import { transportOver } from "../harness/wire.ts";
import { NSDomainService } from "../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { sqldRuns } from "../servers/sqld.ts";
import { miniflareRuns } from "../servers/miniflare_package.ts";
import type { Workerd } from "../servers/workerd.ts";
import { deploy, DEPLOY_MILLISECONDS, type Deployment, type EdgeClient, served } from "./deployment.ts";

/** TEST_EDGE_SECONDS=60 for what shows only when the requests of the beginning are long over. */
const SECONDS = Number(process.env["TEST_EDGE_SECONDS"] ?? 3);
const [UNAVAILABLE, DEADLINE] = [ERROR_CODES.unavailable.envelope, ERROR_CODES.deadline.envelope];

describe.skipIf(!sqldRuns() || !miniflareRuns())("the default installation inside workerd", () => {
  let deployment: Deployment;
  let workerd: Workerd;
  let client: EdgeClient;
  beforeAll(async () => {
    deployment = await deploy();
    ({ workerd, client } = await served(deployment));
  }, DEPLOY_MILLISECONDS);
  afterAll(async () => {
    await workerd?.[Symbol.asyncDispose]();
    await deployment?.[Symbol.asyncDispose]();
  });

  function page(path: string): Promise<Response> {
    return fetch(`${workerd.url}${path}`);
  }

  test("serves an operator's first calls", async () => {
    const { data: { nsClusterId } } = await client.post("/NSClusterService/createNSCluster", {
      name: "eu",
      hosts: ["ns1.edge.test"],
    });
    const domain = { nsClusterId, name: "example.com" };
    const { data: { nsDomainId } } = await client.post("/NSDomainService/createNSDomain", domain);
    expect(await client.post("/NSDomainService/createNSDomain", domain)).toMatchObject({
      code: 409,
      reason: "ns_domain.name_taken",
    });
    const { data: { nsDomains } } = await client.post("/NSDomainService/listNSDomains");
    expect(nsDomains).toMatchObject([{ id: nsDomainId, name: "example.com", nsCluster: { name: "eu" } }]);
  });

  test("speaks Connect and gRPC-Web, and says that gRPC needs a listener of its own", async () => {
    const method = NSDomainService.method.countAllNSDomains;
    for (const wire of ["connect", "grpcweb"] as const) {
      const transport = transportOver(wire, client.fetch, await client.token());
      const { message } = await transport.unary(method, undefined, undefined, undefined, {});
      expect(message.count).toBe(1n);
    }
    const headers = { "content-type": "application/grpc" };
    const grpc = await fetch(`${workerd.url}/pb.NSDomainService/countAllNSDomains`, { method: "POST", headers });
    expect(grpc.headers.get("grpc-status")).toBe("12");
    expect(grpc.headers.get("grpc-message")).toContain("native gRPC needs a listener of its own");
  });

  test("has the pages and probes of a host", async () => {
    expect(await (await page("/livez")).text()).toBe("ok\n");
    expect(await (await page("/readyz")).text()).toBe("ok\n");
    expect(await (await page("/explorer")).text()).toContain("/NSDomainService/createNSDomain");
    expect((await (await page("/.well-known/jwks.json")).json()).keys.length).toBeGreaterThan(0);
    const metrics = await (await page("/metrics")).text();
    expect(metrics).toContain('edgehelm_calls_total{operation="/NSClusterService/createNSCluster",code="200"} 1\n');
    expect((await page("/nowhere")).status).toBe(404);
  });

  test("gives a large answer as it is", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `group ${index} ${"x".repeat(60)}`);
    for (const name of names) await client.post("/NSDomainGroupService/createNSDomainGroup", { name });
    const { data } = await client.post("/NSDomainGroupService/findAllNSDomainGroups");
    expect((data.nsDomainGroups as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  test("answers every one of many requests at once, and goes on", { timeout: 60_000 + SECONDS * 2000 }, async () => {
    const { data: { nsDomainGroupId } } = await client.post("/NSDomainGroupService/createNSDomainGroup", {
      name: "many",
    });
    const asked: [string, object][] = [
      ["/NSDomainGroupService/findNSDomainGroup", { nsDomainGroupId }],
      ["/NSDomainService/listNSDomains", { size: 10 }],
      ["/UserService/listEnabledUsers", { size: 10 }],
      ["/ServerService/listEnabledServersMatch", { size: 10 }],
    ];
    let made = 0;
    /** The codes of those that failed. */
    async function failed(atOnce: number): Promise<number[]> {
      const reads = Array.from({ length: atOnce }, (_, at) => client.post(...asked[at % asked.length]!));
      const writes = Array.from({ length: 3 }, () => {
        return client.post("/NSDomainGroupService/createNSDomainGroup", { name: `one of many ${made++}` });
      });
      return (await Promise.all([...reads, ...writes])).map(({ code }) => code as number).filter((code) =>
        code !== 200
      );
    }
    // of so many a slow machine cannot serve all within their deadline, and says so
    for (const atOnce of [300, 900]) {
      expect((await failed(atOnce)).filter((code) => code !== DEADLINE && code !== UNAVAILABLE)).toEqual([]);
    }
    for (const began = performance.now(); performance.now() - began < SECONDS * 1000;) {
      expect(await failed(20)).toEqual([]);
    }
  });

  test("keeps passwords that a host can check", async () => {
    const ada = { username: "ada", password: "ada walks in the rain", fullname: "Ada" };
    expect((await client.post("/UserService/createUser", ada)).code).toBe(200);
    const login = { username: "ada", password: "ada walks in the rain" };
    expect((await client.post("/UserService/loginUser", login)).data).toMatchObject({ isOk: true });
    const [[hash]] = await deployment.sql("select password from users where username = 'ada'") as [[string]];
    const { WorkerPasswords } = await import("../../core/host/passwords/passwords.ts");
    const host = new WorkerPasswords();
    onTestFinished(() => host.close());
    expect(await host.verify("ada walks in the rain", hash)).toBe(true);
  });

  test("answers unavailable where an operation needs a machine", async () => {
    const { data } = await client.post("/NSDomainService/listNSDomains");
    const [{ id: nsDomainId }] = data.nsDomains;
    await deployment.sql(`update nsDomains set status = 'pending', userId = 1 where id = ${nsDomainId}`);
    await client.post("/NSDomainService/findNSDomainVerifyingInfo", { nsDomainId });
    expect(await client.post("/NSDomainService/verifyNSDomain", { nsDomainId })).toMatchObject({
      code: 503,
      message: "verifying a domain needs a resolver, which is not here",
    });
  });

  test("runs the jobs that are due when a cron event comes, and leaves the others", async () => {
    const dueTimes = async () =>
      new Map(await deployment.sql("select name, dueAt from kernel_leases") as [string, string][]);
    expect(await workerd.scheduled()).toBe("ok");
    const first = await dueTimes();
    expect(first.size).toBeGreaterThan(10);
    expect(Number(first.get("kernel.rotate_keys"))).toBeGreaterThan(Date.now());
    const { data: byKeyword } = await client.post("/NSDomainService/listNSDomains", { keyword: "example" });
    expect(byKeyword.nsDomains.length).toBe(1);
    await deployment.sql("update kernel_leases set dueAt = 1 where name = 'user.remove_deleted'");
    expect(await workerd.scheduled()).toBe("ok");
    const second = await dueTimes();
    expect(second.get("kernel.rotate_keys")).toBe(first.get("kernel.rotate_keys"));
    expect(Number(second.get("user.remove_deleted"))).toBeGreaterThan(1);
  });

  test("loses nothing to callers who go away in the middle", { timeout: 60_000 }, async () => {
    const token = await client.token();
    let left = 0;
    async function createAndLeave(name: string, milliseconds: number): Promise<void> {
      const signal = AbortSignal.timeout(milliseconds);
      const headers = { "x-cloud-access-token": token };
      const init = { method: "POST", headers, body: JSON.stringify({ name }), signal };
      await fetch(`${workerd.url}/NSDomainGroupService/createNSDomainGroup`, init)
        .then((response) => response.text()).catch(() => left++);
    }
    for (let round = 0; left < 40; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => createAndLeave(`left ${round} ${index}`, 2 * index)));
    }
    // Two writes at a time are let through: what was left holds none of them.
    expect((await client.post("/NSDomainGroupService/createNSDomainGroup", { name: "after all" })).code).toBe(200);
    await expect.poll(async () => await (await page("/metrics")).text()).toContain("\nedgehelm_calls_in_flight 0\n");
  });

  test("refuses a wrong secret", async () => {
    const request = { type: "admin", accessKeyId: KEY.id, accessKey: "x".repeat(32) };
    expect((await client.send("/APIAccessTokenService/getAPIAccessToken", request)).code).toBe(401);
  });
});
