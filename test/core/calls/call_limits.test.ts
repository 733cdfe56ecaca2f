import { createClient } from "@connectrpc/connect";
import { as, type TestKernel, testKernel, WIRES } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { transportOver } from "../../harness/wire.ts";
import { probePlugin } from "../probe.ts";

const { look, reach } = ProbeService.method;

/** Starts a kernel whose `reach` waits until it is released. */
async function startBlocking(limits: { callsPerKey?: number; calls?: number }) {
  const released = Promise.withResolvers<void>();
  let count = 0;
  let onArrival = () => {};
  const plugin = probePlugin(() => ({
    async reach() {
      count++;
      onArrival();
      await released.promise;
      return {};
    },
  }));
  const edgehelm: TestKernel = await testKernel({ plugins: [plugin], limits });
  return {
    edgehelm,
    release: released.resolve,
    waitForCalls: async (expected: number) => {
      while (count < expected) await new Promise<void>((resolve) => onArrival = resolve);
    },
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

describe("calls in flight", () => {
  test.each(WIRES)(
    "are limited for each caller over %s, whatever the token, without affecting others",
    async (wire) => {
      await using kernel = await startBlocking({ callsPerKey: 2 });
      const { edgehelm } = kernel;
      const running = [1, 2].map(() => edgehelm.call(as.user(7n), reach, {}, wire));
      await kernel.waitForCalls(2);
      await expect(edgehelm.call(as.user(7n), look, {}, wire)).rejects.toMatchObject({
        message: "this caller already has 2 calls in flight; wait until one has finished",
      });
      for (const other of [as.user(8n), as.admin(7n)]) await edgehelm.call(other, look, {}, wire);
      kernel.release();
      await Promise.all(running);
      await edgehelm.call(as.user(7n), look, {}, wire);
    },
  );

  test("are limited in total", async () => {
    await using kernel = await startBlocking({ calls: 2 });
    const { edgehelm } = kernel;
    const running = [7n, 8n].map((id) => edgehelm.call(as.user(id), reach, {}));
    await kernel.waitForCalls(2);
    await expect(edgehelm.call(as.user(9n), look, {})).rejects.toMatchObject({ code: 503 });
    kernel.release();
    await Promise.all(running);
    await edgehelm.call(as.user(9n), look, {});
  });

  test("above the limit are refused with the time to wait", async () => {
    await using kernel = await startBlocking({ callsPerKey: 1 });
    const { edgehelm } = kernel;
    const token = (await edgehelm.token(as.admin()))!;
    const running = edgehelm.call(as.admin(), reach, {});
    await kernel.waitForCalls(1);
    const request = { method: "POST", headers: { "x-cloud-access-token": token } };
    const response = await edgehelm.fetch(new Request("http://edgehelm.test/ProbeService/look", request));
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({ code: 429, reason: "kernel.too_many_calls" });
    kernel.release();
    await running;
  });
});

describe("lists and strings in a request", () => {
  const limits = { listItems: 10, textLength: 1024 };
  const plugin = probePlugin(() => ({
    look: () => ({}),
    talk: async function* (requests) {
      for await (const { text } of requests) yield { text };
    },
  }));

  test.each(WIRES)("are limited over %s", async (wire) => {
    await using edgehelm = await testKernel({ plugins: [plugin], limits });
    await edgehelm.call(as.admin(), look, { text: "x".repeat(1024) }, wire);
    await expect(edgehelm.call(as.admin(), look, { text: "x".repeat(1025) }, wire)).rejects.toMatchObject({
      code: 400,
      message: "text: must have at most 1024 characters, got 1025",
    });
  });

  test("are limited in each message of a stream", async () => {
    await using edgehelm = await testKernel({ plugins: [plugin], limits });
    const token = await edgehelm.token(as.admin());
    const client = createClient(ProbeService, transportOver("connect", edgehelm.fetch, token));
    const received: string[] = [];
    async function* texts() {
      yield { text: "a" };
      yield { text: "x".repeat(1025) };
    }
    await expect((async () => {
      for await (const { text } of client.talk(texts())) received.push(text);
    })()).rejects.toThrow("text: must have at most 1024 characters");
    expect(received).toEqual(["a"]);
  });
});
