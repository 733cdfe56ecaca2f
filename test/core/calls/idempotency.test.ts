import { type Call, type Db, invalid } from "edgehelm";
import { as, type TestCaller, TestClock, type TestKernel, testKernel, type Wire, WIRES } from "edgehelm/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { database } from "../../../core/storage/database.ts";
import type { LocalEngine } from "../../../core/host/sqlite/engine.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { callOver } from "../../harness/wire.ts";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { filesContaining } from "../../harness/files.ts";
import { insertProbe, probePlugin, probes, type Tables } from "../probe.ts";

let edgehelm: TestKernel;
let tables: Db<Tables>;
let runs = 0;
const clock = new TestClock();
beforeAll(async () => {
  const plugin = probePlugin((db) => {
    tables = db;
    async function work(text: string, call: Call) {
      await call.transact((inner) => insertProbe(db, inner, text));
      if (text === "bad") throw invalid("text", "is bad");
      return { text: `response-${text}`, number: BigInt(++runs) };
    }
    return {
      change: ({ text }, call) => work(text, call),
      reach: async ({ text }, call) => {
        if (text === "early") throw invalid("text", "is early");
        return await work(text, call);
      },
    };
  });
  edgehelm = await testKernel({ plugins: [plugin], clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function post(method: string, text: string, key: string, caller: TestCaller = as.user(7n)) {
  const headers = { "x-cloud-access-token": (await edgehelm.token(caller))!, "idempotency-key": key };
  const url = `http://edgehelm.test/ProbeService/${method}`;
  const body = JSON.stringify({ text });
  return await (await edgehelm.fetch(new Request(url, { method: "POST", headers, body }))).json();
}

const written = () => probes(tables, edgehelm.kernel.systemCall("test"));

describe.each(["change", "reach"])("the same key on %s", (method) => {
  test("replays the response and runs once", async () => {
    const first = await post(method, `${method} once`, `${method}-1`);
    expect(first.code).toBe(200);
    expect(await post(method, `${method} once`, `${method}-1`)).toEqual(first);
    expect((await written()).filter((text) => text === `${method} once`).length).toBe(1);
  });

  test("is refused for a different request, but not for another caller", async () => {
    await post(method, `${method} a`, `${method}-2`);
    expect(await post(method, `${method} b`, `${method}-2`))
      .toMatchObject({ code: 409, reason: "idempotency.mismatch" });
    expect((await post(method, `${method} b`, `${method}-2`, as.user(8n))).code).toBe(200);
  });
});

describe.each(WIRES)("over %s", (wire) => {
  /** Creates a probe with a key, and returns the number of the run. */
  async function change(text: string, key: string, over: Wire = wire): Promise<bigint> {
    const token = await edgehelm.token(as.user(7n));
    const { change } = ProbeService.method;
    const headers = { "idempotency-key": key };
    if (over === "grpc") return (await edgehelm.grpc.call(token, change, { text }, true, headers)).number;
    const withKey = (request: Request) => {
      request.headers.set("idempotency-key", key);
      return edgehelm.fetch(request);
    };
    return (await callOver(over, { fetch: withKey, grpc: edgehelm.grpc }, token, change, { text })).number;
  }

  test("the same key runs once, whatever the protocol of the retry", async () => {
    const first = await change(`${wire} once`, `${wire}-once`);
    for (const other of WIRES) expect(await change(`${wire} once`, `${wire}-once`, other)).toBe(first);
    expect((await written()).filter((text) => text === `${wire} once`).length).toBe(1);
  });

  test("a key that was used for another message is refused, and so is a malformed one", async () => {
    await change(`${wire} a`, `${wire}-other`);
    await expect(change(`${wire} b`, `${wire}-other`)).rejects.toMatchObject({ reason: "idempotency.mismatch" });
    await expect(change(`${wire} c`, "k".repeat(256))).rejects.toMatchObject({ code: 400 });
  });
});

test("an error before anything was committed releases the key", async () => {
  for (const [method, text] of [["change", "bad"], ["reach", "early"]] as const) {
    expect((await post(method, text, "again")).code).toBe(400);
    expect((await post(method, `${method} better`, "again")).code).toBe(200);
  }
});

test("an error after a commit does not release the key, because a retry could repeat the work", async () => {
  expect((await post("reach", "bad", "half")).code).toBe(400);
  expect(await post("reach", "bad", "half")).toMatchObject({ code: 409, reason: "idempotency.unfinished" });
});

test("a malformed key is refused", async () => {
  expect(await post("change", "x", "k".repeat(256)))
    .toMatchObject({ code: 400, message: "Idempotency-Key: must be 1 to 255 visible ASCII characters" });
});

test("a key expires after a day", async () => {
  await post("change", "today", "daily");
  clock.advance(86_401);
  await edgehelm.kernel.runJob("kernel.prune");
  expect((await post("change", "tomorrow", "daily")).code).toBe(200);
});

test.skipIf(TEST_DATABASE !== "file")("expired keys are deleted in batches", async () => {
  const { writer } = edgehelm.engine as LocalEngine;
  const count = 12_000;
  const db = database<KernelTables>(KERNEL_SCOPE);
  const insert = db.query((q, p: { numbers: string }) =>
    q.insertInto("kernel_idempotency").columns(["caller", "operation", "key", "fingerprint", "createdAt"])
      .expression(sql`select 'admin:1', '/A/b', value, '', 1 from json_each(${p.numbers})`)
  );
  const numbers = JSON.stringify(Array.from({ length: count }, (_, number) => `${number}`));
  await edgehelm.kernel.systemCall("test").transact((call) => insert.run(call, { numbers }));
  // an earlier run was recorded, and quick ones are once a minute
  clock.advance(60);
  const { jobs: before } = writer;
  await edgehelm.kernel.runJob("kernel.prune");
  // One write for the lease, three batches of keys, one batch each of deferred events, audit records, events, login failures and ended
  // tokens, and one for the record of the run.
  await vi.waitFor(() => expect(writer.jobs - before).toBe(10));
  const remaining = await db(edgehelm.kernel.systemCall("test")).selectFrom("kernel_idempotency").select("key")
    .where("createdAt", "=", 1n).execute();
  expect(remaining).toEqual([]);
});

test("stored responses are sealed", async () => {
  await post("change", "unmistakable", "sealed");
  expect(filesContaining(edgehelm.directory, "response-unmistakable")).toEqual([]);
});
