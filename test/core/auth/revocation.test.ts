import { AccessTokens, type Call, CredentialSources, type Db, definePlugin } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Revocation } from "../../../core/auth/revocation.ts";
import type { KernelTables } from "../../../core/storage/kernel_tables.ts";
import { openRemoteEngine, type RemoteEngine } from "../../../core/storage/remote/engine.ts";
import { CuttingProxy } from "../../servers/cutting_proxy.ts";
import { sqldRuns } from "../../servers/sqld.ts";
import { probePlugin } from "../probe.ts";
import { COUNTED, temporarySqld } from "../storage/engines.ts";

/** Keys that are good as long as nobody is among those who are gone, wherever that is known. */
function keysPlugin(gone: ReadonlySet<bigint>, offer: (tokens: AccessTokens) => void) {
  return definePlugin({
    manifest: { name: "keys", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { tokens: AccessTokens },
    setup({ deps: { tokens }, contribute }) {
      offer(tokens);
      contribute(CredentialSources, {
        name: "keys",
        roles: ["admin"],
        verify: (_call, _role, keyId) => Promise.resolve({ subjectId: BigInt(keyId), keyId: BigInt(keyId) }),
        isLive: (_call, _role, { keyId }) => Promise.resolve(!gone.has(keyId)),
      });
    },
  });
}

/** A stream that goes on until it is ended. */
const endless = probePlugin(() => ({
  async *tell(_request, call) {
    yield { text: "open" };
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
  },
}));

const gone = new Set<bigint>();
const kernels: TestKernel[] = [];
afterEach(async () => {
  for (const kernel of kernels.splice(0)) await kernel[Symbol.asyncDispose]();
});

async function started(engine?: RemoteEngine) {
  let tokens: AccessTokens | undefined;
  const plugins = [keysPlugin(gone, (own) => tokens = own), endless];
  const edgehelm = await testKernel({ plugins, ...(engine && { engine }) });
  kernels.push(edgehelm);
  const call = (): Call => edgehelm.kernel.systemCall("test");
  return {
    edgehelm,
    token: async (id: bigint) => (await tokens!.issue(call(), "admin", String(id), "")).token,
    end(id: bigint) {
      gone.add(id);
      return call().transact((inner) => tokens!.recheck(inner));
    },
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

test("a stream ends with the credential that opened it, and no other one", async () => {
  const one = await started();
  const [first, second] = [await one.token(11n), await one.token(12n)];
  const [ending, other] = [await one.open(first), await one.open(second)];
  const next = ending.next();
  await one.end(11n);
  await expect(next).rejects.toMatchObject({ kind: "unauthenticated" });
  const going = other.next();
  await one.end(12n);
  await expect(going).rejects.toMatchObject({ kind: "unauthenticated" });
});

describe.skipIf(!sqldRuns())("on another instance", () => {
  test("a stream ends too", async () => {
    const sqld = await temporarySqld();
    const one = await started(await openRemoteEngine({ url: sqld.url }));
    const two = await started(await openRemoteEngine({ url: sqld.url }));
    const stream = await two.open(await one.token(21n));
    const next = stream.next();
    await one.end(21n);
    await expect(next).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("a thousand calls ask the database about once a second whether tokens hold", async () => {
    const sqld = await temporarySqld();
    const engine = await openRemoteEngine({ url: sqld.url, limits: COUNTED });
    const one = await started(engine);
    const token = await one.token(31n);
    await one.look(token);
    const [before, began] = [engine.roundTrips, performance.now()];
    for (let count = 0; count < 1000; count++) expect(await one.look(token)).toBe(200);
    expect(engine.roundTrips - before).toBeLessThanOrEqual(1 + (performance.now() - began) / 900);
  });

  test("calls are refused as unavailable while nobody can tell, and served again when somebody can", async () => {
    const sqld = await temporarySqld();
    await using proxy = await CuttingProxy.start(sqld.port);
    const one = await started(await openRemoteEngine({ url: proxy.url }));
    const token = await one.token(41n);
    proxy.cutOff("silent");
    await expect.poll(() => one.look(token), { timeout: 5000 }).toBe(503);
    proxy.restore();
    await expect.poll(() => one.look(token), { timeout: 5000 }).toBe(200);
  });
});

describe("an epoch that was read", () => {
  afterEach(() => vi.restoreAllMocks());

  test("is read again when the process stood still meanwhile", async () => {
    let now = 1_000_000;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    vi.spyOn(Date, "now").mockImplementation(() => now);
    const reads: ((value: string) => void)[] = [];
    const statement = {
      first: () => new Promise((resolve) => reads.push((value) => resolve({ value }))),
    };
    const revocation = new Revocation({ query: () => statement } as unknown as Db<KernelTables>, true);
    let isCurrent = false;
    const current = revocation.makeCurrent(() => ({}) as Call)!.then(() => isCurrent = true);
    now += 60_000;
    reads[0]!("1");
    await vi.waitUntil(() => reads.length === 2);
    expect(isCurrent).toBe(false);
    reads[1]!("2");
    await current;
    expect(revocation.epoch).toBe(2n);
    expect(revocation.makeCurrent(() => ({}) as Call)).toBeUndefined();
    now += 1000;
    expect(revocation.makeCurrent(() => ({}) as Call)).toBeInstanceOf(Promise);
  });
});
