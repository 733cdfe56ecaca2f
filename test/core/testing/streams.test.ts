import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { probePlugin } from "../probe.ts";

const { tell, gather, talk } = ProbeService.method;
let isEnded = Promise.withResolvers<bigint>();

const plugin = probePlugin(() => ({
  async *tell({ number }) {
    let told = 0n;
    try {
      while (told < number) yield { number: ++told };
    } finally {
      isEnded.resolve(told);
    }
  },
  async gather(requests) {
    const texts: string[] = [];
    for await (const { text } of requests) texts.push(text);
    return { text: texts.join(" ") };
  },
  async *talk(requests) {
    for await (const { text } of requests) yield { text: text.toUpperCase() };
  },
}));

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function textsOf(responses: AsyncIterable<{ text: string }>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of responses) texts.push(text);
  return texts;
}

test("a server stream has its responses in order", async () => {
  const numbers: bigint[] = [];
  for await (const { number } of edgehelm.stream(as.admin(), tell, { number: 3n })) numbers.push(number);
  expect(numbers).toEqual([1n, 2n, 3n]);
});

test("a client stream has one response", async () => {
  expect(await textsOf(edgehelm.stream(as.admin(), gather, [{ text: "a" }, { text: "b" }]))).toEqual(["a b"]);
});

test("a bidirectional stream can be a conversation", async () => {
  const heard: string[] = [];
  const next = Promise.withResolvers<string>();
  async function* requests() {
    yield { text: "a" };
    yield { text: `after ${await next.promise}` };
  }
  for await (const { text } of edgehelm.stream(as.admin(), talk, requests())) {
    heard.push(text);
    next.resolve(text);
  }
  expect(heard).toEqual(["A", "AFTER A"]);
});

test("a refused stream throws a CallError", async () => {
  await expect(textsOf(edgehelm.stream(as.user(7n), tell, { number: 1n }))).rejects.toMatchObject({ code: 403 });
  await expect(textsOf(edgehelm.stream(as.anonymous(), tell, { number: 1n }))).rejects.toMatchObject({ code: 401 });
});

test("leaving the loop ends the stream", async () => {
  isEnded = Promise.withResolvers();
  for await (const { number } of edgehelm.stream(as.admin(), tell, { number: 9n })) if (number === 2n) break;
  expect(await isEnded.promise).toBe(2n);
});

test("a signal disconnects a caller who waits", async () => {
  const controller = new AbortController();
  const silence = Promise.withResolvers<void>();
  async function* requests() {
    yield { text: "a" };
    await silence.promise;
  }
  const responses = edgehelm.stream(as.admin(), talk, requests(), controller.signal);
  expect((await responses.next()).value).toMatchObject({ text: "A" });
  const waiting = responses.next();
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 499 });
  silence.resolve();
});
