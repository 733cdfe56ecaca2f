import { type Call, type Db, definePlugin } from "edgehelm";
import { AccessTokens, CredentialSources } from "edgehelm/auth";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Revocation } from "../../../core/auth/revocation.ts";
import type { KernelTables } from "../../../core/storage/kernel_tables.ts";
import { openRemoteEngine, type RemoteEngine } from "../../../core/storage/remote/engine.ts";
import { CuttingProxy } from "../../servers/cutting_proxy.ts";
import { sqldRuns } from "../../servers/sqld.ts";
import { probePlugin } from "../probe.ts";
import { COUNTED, temporarySqld } from "../storage/engines.ts";

/** A plugin that accepts every key which is not revoked. */
function keysPlugin(revoked: ReadonlySet<bigint>, onSetup: (tokens: AccessTokens) => void) {
  return definePlugin({
    manifest: {
      name: "keys",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["kernel.credential_sources"],
    },
    requires: { tokens: AccessTokens },
    setup({ deps: { tokens }, contribute }) {
      onSetup(tokens);
      contribute(CredentialSources, {
        name: "keys",
        roles: ["admin"],
        verify: (_call, _role, keyId) => Promise.resolve({ subjectId: BigInt(keyId), keyId: BigInt(keyId) }),
        isLive: (_call, _role, { keyId }) => Promise.resolve(!revoked.has(keyId)),
      });
    },
  });
}

/** A plugin whose stream stays open until its signal aborts. */
const streamPlugin = probePlugin(() => ({
  async *tell(_request, call) {
    yield { text: "open" };
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
  },
}));

const revoked = new Set<bigint>();
const kernels: TestKernel[] = [];
afterEach(async () => {
  for (const kernel of kernels.splice(0)) await kernel[Symbol.asyncDispose]();
});

async function startInstance(engine?: RemoteEngine, clock = new TestClock(), directory?: string) {
  let tokens: AccessTokens | undefined;
  const plugins = [keysPlugin(revoked, (contract) => tokens = contract), streamPlugin];
  const edgehelm = await testKernel({ plugins, clock, ...(engine && { engine }), ...(directory && { directory }) });
  kernels.push(edgehelm);
  const call = (): Call => edgehelm.kernel.systemCall("test");
  return {
    edgehelm,
    token: async (id: bigint) => (await tokens!.issue(call(), "admin", String(id), "")).token,
    revoke(id: bigint) {
      revoked.add(id);
      return call().transact((inner) => tokens!.recheck(inner));
    },
    end: (id: bigint) => call().transact((inner) => tokens!.end(inner, { source: "keys", keyId: id })),
    async open(token: string) {
      const { dispatch, operations } = edgehelm.kernel;
      const operation = operations.find("/ProbeService/tell")!;
      const stream = dispatch.stream(operation, { token, requestId: "stream" }, { text: "", number: 0n });
      expect((await stream.next()).value).toMatchObject({ text: "open" });
      return stream;
    },
    async look(token: string): Promise<number> {
      const headers = { "x-cloud-access-token": token };
      const request = new Request("http://edgehelm.test/ProbeService/look", { method: "POST", headers, body: "{}" });
      return (await (await edgehelm.fetch(request)).json()).code;
    },
  };
}

test("revoking a credential ends its own streams only", async () => {
  const instance = await startInstance();
  const firstStream = await instance.open(await instance.token(11n));
  const secondStream = await instance.open(await instance.token(12n));
  const first = firstStream.next();
  await instance.revoke(11n);
  await expect(first).rejects.toMatchObject({ kind: "unauthenticated" });
  const second = secondStream.next();
  await instance.revoke(12n);
  await expect(second).rejects.toMatchObject({ kind: "unauthenticated" });
});

test("ended tokens stay refused while newer ones are accepted, also after a restart", async () => {
  const clock = new TestClock();
  const instance = await startInstance(undefined, clock);
  const [first, other] = [await instance.token(13n), await instance.token(14n)];
  await instance.end(13n);
  const second = await instance.token(13n);
  const codes = async ({ look }: typeof instance) => await Promise.all([first, second, other].map(look));
  expect(await codes(instance)).toEqual([401, 200, 200]);
  await instance.edgehelm.kernel.runJob("kernel.prune");
  await instance.edgehelm.stop();
  const restarted = await startInstance(undefined, clock, instance.edgehelm.directory);
  expect(await codes(restarted)).toEqual([401, 200, 200]);
});

test("an epoch follows those of a backup that is restored later", async () => {
  const instance = await startInstance();
  const token = await instance.token(15n);
  const before = Date.now();
  await instance.end(15n);
  const payload = JSON.parse(atob((await instance.token(15n)).split(".")[1]!));
  expect(Number(payload.epoch)).toBeGreaterThanOrEqual(before);
  expect(await instance.look(token)).toBe(401);
});

describe.skipIf(!sqldRuns())("with a shared database", () => {
  test("tokens end on other instances within a second and stay refused there", async () => {
    const sqld = await temporarySqld();
    const first = await startInstance(await openRemoteEngine({ url: sqld.url }));
    const second = await startInstance(await openRemoteEngine({ url: sqld.url }));
    const token = await first.token(22n);
    expect(await second.look(token)).toBe(200);
    await first.end(22n);
    const newer = await second.token(22n);
    await expect.poll(() => second.look(token)).toBe(401);
    expect(await second.look(newer)).toBe(200);
    expect(await first.look(newer)).toBe(200);
  });

  test("revoking a credential ends its streams on other instances", async () => {
    const sqld = await temporarySqld();
    const first = await startInstance(await openRemoteEngine({ url: sqld.url }));
    const second = await startInstance(await openRemoteEngine({ url: sqld.url }));
    const stream = await second.open(await first.token(21n));
    const next = stream.next();
    await first.revoke(21n);
    await expect(next).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("a thousand calls check revocation in the database about once a second", async () => {
    const sqld = await temporarySqld();
    const engine = await openRemoteEngine({ url: sqld.url, limits: COUNTED });
    const instance = await startInstance(engine);
    const token = await instance.token(31n);
    await instance.look(token);
    const [before, startedAt] = [engine.roundTrips, performance.now()];
    for (let count = 0; count < 1000; count++) expect(await instance.look(token)).toBe(200);
    expect(engine.roundTrips - before).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 900);
  });

  test("calls fail as unavailable while revocation cannot be checked, and succeed again afterwards", async () => {
    const sqld = await temporarySqld();
    await using proxy = await CuttingProxy.start(sqld.port);
    const instance = await startInstance(await openRemoteEngine({ url: proxy.url }));
    const token = await instance.token(41n);
    proxy.cutOff("silent");
    await expect.poll(() => instance.look(token)).toBe(503);
    proxy.restore();
    await expect.poll(() => instance.look(token)).toBe(200);
  });
});

describe("the revocation epoch", () => {
  afterEach(() => vi.restoreAllMocks());

  test("is read again if the process was suspended during the read", async () => {
    let now = 1_000_000;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    vi.spyOn(Date, "now").mockImplementation(() => now);
    const reads: ((value: string) => void)[] = [];
    const statement = {
      first: () => new Promise((resolve) => reads.push((value) => resolve({ value }))),
    };
    const revocation = new Revocation({ query: () => statement } as unknown as Db<KernelTables>, true);
    let isFresh = false;
    const fresh = revocation.ensureFresh(() => ({}) as Call)!.then(() => isFresh = true);
    now += 60_000;
    reads[0]!("1");
    await vi.waitUntil(() => reads.length === 2);
    expect(isFresh).toBe(false);
    reads[1]!("2");
    await fresh;
    expect(revocation.epoch).toBe(2n);
    expect(revocation.ensureFresh(() => ({}) as Call)).toBeUndefined();
    now += 1000;
    expect(revocation.ensureFresh(() => ({}) as Call)).toBeInstanceOf(Promise);
  });
});
