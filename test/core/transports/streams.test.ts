import { Code, createClient } from "@connectrpc/connect";
import { invalid } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { transportOver } from "../../harness/wire.ts";
import { insertProbe, probePlugin, probes } from "../probe.ts";

let talked = Promise.withResolvers<string[]>();

const plugin = probePlugin((db) => ({
  async *tell({ number }) {
    for (let n = 1n; n <= number; n++) yield { number: n };
    if (number === 0n) throw invalid("number", "must not be 0");
    // Yields one item and then blocks.
    if (number === -1n) yield { number };
    if (number === -1n) await new Promise(() => {});
  },
  async gather(requests, call) {
    for await (const { text } of requests) await call.transact((inner) => insertProbe(db, inner, text));
    return { text: (await probes(db, call)).join(" ") };
  },
  async *talk(requests, call) {
    try {
      for await (const { text } of requests) yield { text: text.toUpperCase() };
    } finally {
      await call.transact((inner) => insertProbe(db, inner, "talked"));
      talked.resolve(await probes(db, call));
    }
  },
}));

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Creates an in-process Connect client. It sends the whole request before it receives the response. */
async function clientOf(caller = as.admin()) {
  const token = await edgehelm.token(caller);
  return createClient(ProbeService, transportOver("connect", edgehelm.fetch, token));
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function* texts(...words: string[]) {
  for (const text of words) yield { text };
}

test("a server stream yields its items, or its error", async () => {
  const client = await clientOf();
  expect((await collected(client.tell({ number: 3n }))).map(({ number }) => number)).toEqual([1n, 2n, 3n]);
  await expect(collected(client.tell({ number: 0n }))).rejects.toThrow("number: must not be 0");
});

test("a client stream can transact for each message, and returns one response", async () => {
  expect((await (await clientOf()).gather(texts("a", "b"))).text).toBe("a b");
});

test("a bidirectional stream returns a response for each request", async () => {
  const responses = await collected((await clientOf()).talk(texts("x", "y")));
  expect(responses.map(({ text }) => text)).toEqual(["X", "Y"]);
});

test("a stream is refused for a caller without the role", async () => {
  await expect(collected((await clientOf(as.user(7n))).tell({ number: 1n }))).rejects.toThrow("permission denied");
});

test.each(["connect", "grpcweb"] as const)(
  "a stop ends streams over %s as unavailable, and refuses new ones",
  async (wire) => {
    await using stopping = await testKernel({ plugins: [plugin] });
    const client = createClient(ProbeService, transportOver(wire, stopping.fetch, await stopping.token(as.admin())));
    const stream = client.tell({ number: -1n })[Symbol.asyncIterator]();
    expect((await stream.next()).value.number).toBe(-1n);
    const next = stream.next();
    stopping.kernel.endLongWork(1000);
    await expect(next).rejects.toMatchObject({
      code: Code.Unavailable,
      rawMessage: expect.stringContaining("stopping"),
    });
    await expect(collected(client.tell({ number: 1n }))).rejects.toMatchObject({ code: Code.Unavailable });
  },
);

test("a stream can still write after its caller has disconnected", async () => {
  talked = Promise.withResolvers();
  const { kernel } = edgehelm;
  const token = await edgehelm.token(as.admin());
  const silence = Promise.withResolvers<void>();
  async function* requests() {
    yield { text: "x" };
    await silence.promise;
  }
  let cancel = () => {};
  const metadata = { token, requestId: "r", onScope: (scope: { cancel(): void }) => cancel = () => scope.cancel() };
  const operation = kernel.operations.find("/ProbeService/talk")!;
  const responses = kernel.dispatch.stream(operation, metadata, requests());
  expect((await responses.next()).value).toEqual({ text: "X" });
  const waiting = responses.next();
  cancel();
  await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
  silence.resolve();
  expect(await talked.promise).toContain("talked");
});
