import { type Call, type Db } from "edgehelm";
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
  /** Each instance has its own, so that one can stand still. */
  const clocks = Array.from({ length: INSTANCES + 1 }, () => new TestClock(start));
  const kernels: TestKernel[] = [];
  let sqld: Sqld;
  let tables: Db<Tables>;
  /** What the job of each instance does. */
  let work: (db: Db<Tables>, call: Call, instance: number) => Promise<void>;
  beforeAll(async () => {
    sqld = await temporarySqld();
    kernels.push(...await Promise.all(Array.from({ length: INSTANCES }, (_, instance) => started(instance))));
  });
  afterAll(() => Promise.all(kernels.map((kernel) => kernel[Symbol.asyncDispose]())));
  beforeEach(async () => {
    const call = kernels[0]!.kernel.systemCall("test");
    await call.transact(async (inner) => void await tables(inner).deleteFrom("probes").execute());
  });

  async function started(instance: number, url = sqld.url): Promise<TestKernel> {
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

  test("accept each other's tokens, also those of a key that was made since", async () => {
    const [one, other] = kernels as [TestKernel, TestKernel];
    expect(await change(other, "before", "before", (await one.token(ada))!)).toMatchObject({ code: 200 });
    // a signing key's days and the time for which an old one still signs
    for (const seconds of [31 * 86_400, 120]) {
      advance(seconds);
      await one.kernel.runJob("kernel.rotate_keys");
    }
    expect((await one.kernel.jwks()).keys.length).toBeGreaterThan(1);
    expect(await change(other, "after", "after", (await one.token(ada))!)).toMatchObject({ code: 200 });
  });

  test("do once what is asked of all of them with one idempotency key", async () => {
    const token = (await kernels[0]!.token(ada))!;
    const answers = await Promise.all(kernels.map((kernel) => change(kernel, "once", "key", token)));
    expect(await written()).toEqual(["once"]);
    expect(answers.map(({ code }) => code)).toEqual(kernels.map(() => 200));
    expect(new Set(answers.map(({ data }) => data.text)).size).toBe(1);
  });

  test("do once what is asked again after a lost answer to COMMIT", async () => {
    await using proxy = await CuttingProxy.start(sqld.port);
    await using kernel = await started(INSTANCES, proxy.url);
    const token = (await kernel.token(ada))!;
    await change(kernel, "warm", "warm", token);
    const unknown = { code: 503, reason: "kernel.outcome_unknown" };

    // the role in the audit record, which goes with COMMIT
    const commit = /"value":"user"/;
    proxy.cutNext(commit, "answer");
    expect(await change(kernel, "written", "written", token)).toMatchObject(unknown);
    expect(await change(kernel, "written", "written", token)).toMatchObject({ code: 200, data: { text: "by 4" } });

    await change(kernel, "hot", "hot", token, "reach");
    proxy.cutNext(commit, "answer");
    expect(await change(kernel, "reached", "reached", token, "reach")).toMatchObject(unknown);
    expect(await change(kernel, "reached", "reached", token, "reach"))
      .toMatchObject({ code: 409, reason: "idempotency.unfinished" });
    expect(await written()).toEqual(["hot", "reached", "warm", "written"]);
  });

  test("run a job in one of them, and in another when that misses its turn", async () => {
    const ran: number[] = [];
    work = (_db, _call, instance) => Promise.resolve(void ran.push(instance));
    const round = () => Promise.all(kernels.map(({ kernel }) => kernel.runJob("probe.work")));
    await round();
    await round();
    expect(ran.length).toBe(2);
    expect(new Set(ran).size).toBe(1);
    advance(26);
    const [next] = kernels.filter((_, instance) => instance !== ran[0]);
    await next!.kernel.runJob("probe.work");
    expect(ran.length).toBe(3);
    expect(ran[2]).not.toBe(ran[0]);
  });

  test("let nothing be written by a job that was taken over", async () => {
    advance(26);
    const began = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    work = async (db, call, instance) => {
      await call.transact((inner) => insertProbe(db, inner, `${instance} began`));
      began.resolve();
      if (instance === 0) await goOn.promise;
      await call.transact((inner) => insertProbe(db, inner, `${instance} ended`));
    };
    const stalled = kernels[0]!.kernel.runJob("probe.work");
    await began.promise;
    advance(26, clocks.slice(1));
    await kernels[1]!.kernel.runJob("probe.work");
    goOn.resolve();
    await stalled;
    expect(await written()).toEqual(["0 began", "1 began", "1 ended"]);
  });
});
