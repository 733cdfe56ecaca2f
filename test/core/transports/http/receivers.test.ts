import { definePlugin, RpcError } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

const plugin = definePlugin({
  manifest: {
    name: "hooks",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    routes: ["/hooks", "/hooks/refused"],
  },
  setup({ receive }) {
    receive("/hooks", 10, async (request) => {
      const { searchParams } = new URL(request.url);
      return new Response(`${searchParams.get("from")} ${request.headers.get("x-signature")} ${await request.text()}`);
    });
    receive("/hooks/refused", 10, () => {
      throw new RpcError("hooks.unsigned", "unauthenticated", "the notice is not signed");
    });
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function send(path: string, body: string, method = "POST") {
  const headers = { "x-signature": "v1" };
  const request = { method, headers, ...(method === "POST" && { body }) };
  const response = await edgehelm.fetch(new Request(`http://localhost${path}`, request));
  return [response.status, await response.text()];
}

test("a receiver gets the headers, the query and the whole body", async () => {
  expect(await send("/hooks?from=shop", "0123456789")).toEqual([200, "shop v1 0123456789"]);
});

test("a body above the limit of the receiver is refused before the receiver runs", async () => {
  const [status, text] = await send("/hooks", "0123456789a");
  expect([status, JSON.parse(text as string)]).toMatchObject([413, { code: 413, reason: "kernel.too_large" }]);
});

test("an error of a receiver has its status, and only POST requests are received", async () => {
  const [status, text] = await send("/hooks/refused", "");
  expect([status, JSON.parse(text as string)]).toMatchObject([401, { code: 401, reason: "hooks.unsigned" }]);
  expect((await send("/hooks", "", "GET"))[0]).toBe(404);
});

test("two receivers of one path stop the start", async () => {
  const twice = definePlugin({
    manifest: { name: "twice", version: "1.0.0", kernel: "^1", services: [], tables: [], routes: ["/twice"] },
    setup({ receive }) {
      for (let times = 0; times < 2; times++) receive("/twice", 1, () => new Response());
    },
  });
  await expect(testKernel({ plugins: [twice] })).rejects.toThrow("/twice, which is already taken");
});
