import { createClient } from "@connectrpc/connect";
import { as, type TestKernel, testKernel, WIRES } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { transportOver } from "../../harness/wire.ts";
import { probePlugin } from "../probe.ts";

const { look, reach } = ProbeService.method;

/** A kernel whose `reach` waits until it is let go, and which counts those that wait. */
async function waiting(limits: { callsPerKey?: number; calls?: number }) {
  const gate = Promise.withResolvers<void>();
  let count = 0;
  let arrived = () => {};
  const plugin = probePlugin(() => ({
    async reach() {
      count++;
      arrived();
      await gate.promise;
      return {};
    },
  }));
  const edgehelm: TestKernel = await testKernel({ plugins: [plugin], limits });
  return {
    edgehelm,
    letGo: gate.resolve,
    until: async (wanted: number) => {
      while (count < wanted) await new Promise<void>((resolve) => arrived = resolve);
    },
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

describe("calls in flight", () => {
  test.each(WIRES)(
    "of one caller are bounded over %s, whatever the token, and others are not hindered",
    async (wire) => {
      await using kernel = await waiting({ callsPerKey: 2 });
      const { edgehelm } = kernel;
      const running = [1, 2].map(() => edgehelm.call(as.user(7n), reach, {}, wire));
      await kernel.until(2);
      await expect(edgehelm.call(as.user(7n), look, {}, wire)).rejects.toMatchObject({
        message: "2 calls of this caller are in flight already; wait for some of them",
      });
      for (const other of [as.user(8n), as.admin(7n)]) await edgehelm.call(other, look, {}, wire);
      kernel.letGo();
      await Promise.all(running);
      await edgehelm.call(as.user(7n), look, {}, wire);
    },
  );

  test("in all are bounded", async () => {
    await using kernel = await waiting({ calls: 2 });
    const { edgehelm } = kernel;
    const running = [7n, 8n].map((id) => edgehelm.call(as.user(id), reach, {}));
    await kernel.until(2);
    await expect(edgehelm.call(as.user(9n), look, {})).rejects.toMatchObject({ code: 503 });
    kernel.letGo();
    await Promise.all(running);
    await edgehelm.call(as.user(9n), look, {});
  });

  test("that are too many come with the time to wait", async () => {
    await using kernel = await waiting({ callsPerKey: 1 });
    const { edgehelm } = kernel;
    const token = (await edgehelm.token(as.admin()))!;
    const running = edgehelm.call(as.admin(), reach, {});
    await kernel.until(1);
    const request = { method: "POST", headers: { "x-cloud-access-token": token } };
    const refused = await edgehelm.fetch(new Request("http://edgehelm.test/ProbeService/look", request));
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ code: 429, reason: "kernel.too_many_calls" });
    kernel.letGo();
    await running;
  });
});

describe("lists and texts of a request", () => {
  const limits = { listItems: 10, textLength: 1024 };
  const plugin = probePlugin(() => ({
    look: () => ({}),
    talk: async function* (requests) {
      for await (const { text } of requests) yield { text };
    },
  }));

  test.each(WIRES)("are bounded over %s", async (wire) => {
    await using edgehelm = await testKernel({ plugins: [plugin], limits });
    await edgehelm.call(as.admin(), look, { text: "x".repeat(1024) }, wire);
    await expect(edgehelm.call(as.admin(), look, { text: "x".repeat(1025) }, wire)).rejects.toMatchObject({
      code: 400,
      message: "text: must have at most 1024 characters, got 1025",
    });
  });

  test("are bounded in each message of a stream", async () => {
    await using edgehelm = await testKernel({ plugins: [plugin], limits });
    const token = await edgehelm.token(as.admin());
    const client = createClient(ProbeService, transportOver("connect", edgehelm.fetch, token));
    const answers: string[] = [];
    async function* texts() {
      yield { text: "a" };
      yield { text: "x".repeat(1025) };
    }
    await expect((async () => {
      for await (const { text } of client.talk(texts())) answers.push(text);
    })()).rejects.toThrow("text: must have at most 1024 characters");
    expect(answers).toEqual(["a"]);
  });
});
