import type { Call, Db } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openRemoteEngine } from "../../../core/storage/remote/engine.ts";
import { CuttingProxy } from "../../servers/cutting_proxy.ts";
import { type Sqld, sqldRuns } from "../../servers/sqld.ts";
import { insertProbe, probePlugin, probes, type Tables } from "../probe.ts";
import { temporarySqld } from "../storage/engines.ts";

const INSTANCES = 4;
const ada = as.user(7n);

describe.skipIf(!sqldRuns())("instances on one database", () => {
  const start = Date.now();
  /** One clock for each instance, so that a test can stop one of them. */
  const clocks = Array.from({ length: INSTANCES + 1 }, () => new TestClock(start));
  const kernels: TestKernel[] = [];
  let sqld: Sqld;
  let tables: Db<Tables>;
  /** The work of the job on each instance. */
  let work: (db: Db<Tables>, call: Call, instance: number) => Promise<void>;
  beforeAll(async () => {
    sqld = await temporarySqld();
    kernels.push(...await Promise.all(Array.from({ length: INSTANCES }, (_, instance) => startInstance(instance))));
  });
  afterAll(() => Promise.all(kernels.map((kernel) => kernel[Symbol.asyncDispose]())));
  beforeEach(async () => {
    const call = kernels[0]!.kernel.systemCall("test");
    await call.transact(async (inner) => void await tables(inner).deleteFrom("probes").execute());
  });

  async function startInstance(instance: number, url = sqld.url): Promise<TestKernel> {
    const plugin = probePlugin((db, { every }) => {
      tables = db;
      every({ name: "work", everySeconds: 10, run: (call) => work(db, call, instance) });
      return {
        async change({ text }, call) {
          await insertProbe(db, call, text);
          return { text: `by ${instance}` };
        },
        async reach({ text }, call) {
          await call.transact((inner) => insertProbe(db, inner, text));
          return { text: `by ${instance}` };
        },
      };
    });
    return await testKernel({ plugins: [plugin], clock: clocks[instance]!, engine: await openRemoteEngine({ url }) });
  }

  function advance(seconds: number, moving: readonly TestClock[] = clocks): void {
    for (const clock of moving) clock.advance(seconds);
  }

  const written = () => probes(tables, kernels[0]!.kernel.systemCall("test"));

  async function change(kernel: TestKernel, text: string, key: string, token: string, method = "change") {
    const headers = { "x-cloud-access-token": token, "idempotency-key": key };
    const body = JSON.stringify({ text });
    const url = `http://edgehelm.test/ProbeService/${method}`;
    return await (await kernel.fetch(new Request(url, { method: "POST", headers, body }))).json();
  }

  test("accept each other's tokens, even after a key rotation", async () => {
    const [first, second] = kernels as [TestKernel, TestKernel];
    expect(await change(second, "before", "before", (await first.token(ada))!)).toMatchObject({ code: 200 });
    // The lifetime of a signing key, and the time for which it still signs after its rotation.
    for (const seconds of [31 * 86_400, 120]) {
      advance(seconds);
      await first.kernel.runJob("kernel.rotate_keys");
    }
    expect((await first.kernel.jwks()).keys.length).toBeGreaterThan(1);
    expect(await change(second, "after", "after", (await first.token(ada))!)).toMatchObject({ code: 200 });
  });

  test("run a request once if all receive it with the same idempotency key", async () => {
    const token = (await kernels[0]!.token(ada))!;
    const responses = await Promise.all(kernels.map((kernel) => change(kernel, "once", "key", token)));
    expect(await written()).toEqual(["once"]);
    expect(responses.map(({ code }) => code)).toEqual(kernels.map(() => 200));
    expect(new Set(responses.map(({ data }) => data.text)).size).toBe(1);
  });

  test("run a request once if it is retried after a lost response to COMMIT", async () => {
    await using proxy = await CuttingProxy.start(sqld.port);
    await using kernel = await startInstance(INSTANCES, proxy.url);
    const token = (await kernel.token(ada))!;
    await change(kernel, "warm", "warm", token);
    const unknown = { code: 503, reason: "kernel.outcome_unknown" };

    // The role in the audit record, which is sent together with COMMIT.
    const commit = /"value":"user"/;
    proxy.cutNext(commit, "response");
    expect(await change(kernel, "written", "written", token)).toMatchObject(unknown);
    expect(await change(kernel, "written", "written", token)).toMatchObject({ code: 200, data: { text: "by 4" } });

    await change(kernel, "hot", "hot", token, "reach");
    proxy.cutNext(commit, "response");
    expect(await change(kernel, "reached", "reached", token, "reach")).toMatchObject(unknown);
    expect(await change(kernel, "reached", "reached", token, "reach"))
      .toMatchObject({ code: 409, reason: "idempotency.unfinished" });
    expect(await written()).toEqual(["hot", "reached", "warm", "written"]);
  });

  test("run a job on one of them, and on another if that one misses its turn", async () => {
    const ran: number[] = [];
    work = (_db, _call, instance) => Promise.resolve(void ran.push(instance));
    const runOnAll = () => Promise.all(kernels.map(({ kernel }) => kernel.runJob("probe.work")));
    await runOnAll();
    await runOnAll();
    expect(ran.length).toBe(2);
    expect(new Set(ran).size).toBe(1);
    advance(26);
    const [next] = kernels.filter((_, instance) => instance !== ran[0]);
    await next!.kernel.runJob("probe.work");
    expect(ran.length).toBe(3);
    expect(ran[2]).not.toBe(ran[0]);
  });

  test("prevent a job that was taken over from writing", async () => {
    advance(26);
    const began = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    work = async (db, call, instance) => {
      await call.transact((inner) => insertProbe(db, inner, `${instance} began`));
      began.resolve();
      if (instance === 0) await resume.promise;
      await call.transact((inner) => insertProbe(db, inner, `${instance} ended`));
    };
    const stalled = kernels[0]!.kernel.runJob("probe.work");
    await began.promise;
    advance(26, clocks.slice(1));
    await kernels[1]!.kernel.runJob("probe.work");
    resume.resolve();
    await stalled;
    expect(await written()).toEqual(["0 began", "1 began", "1 ended"]);
  });
});
