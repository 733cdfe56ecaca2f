import { gzipSync } from "node:zlib";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { probePlugin } from "../../probe.ts";

const plugin = probePlugin(() => ({
  look: ({ text, number }) => ({ text, number }),
  async gather(requests) {
    const all: string[] = [];
    for await (const { text } of requests) all.push(text);
    return { text: all.join(" ") };
  },
}));

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function send(
  path: string,
  body: BodyInit,
  contentType = "application/json",
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = { "content-type": contentType, "x-cloud-access-token": (await edgehelm.token(as.admin()))!, ...more };
  const streamed = body instanceof ReadableStream && { duplex: "half" };
  return await edgehelm.fetch(
    new Request(`http://edgehelm.test${path}`, { method: "POST", headers, body, ...streamed }),
  );
}

const TWICE = '{"number":1,"text":"a","number":2}';
const TWO_SPELLINGS = '{"number":1,"NUMBER":2}';
const PATH = "/edgehelm.test.probe.ProbeService";

/** The messages of a Connect stream: flags, length and JSON. */
function enveloped(...messages: string[]): Uint8Array<ArrayBuffer> {
  const parts = messages.map((text) => new TextEncoder().encode(text));
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + 5 + length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(bytes.buffer).setUint32(at + 1, part.length);
    bytes.set(part, at + 5);
    at += 5 + part.length;
  }
  return bytes;
}

test.each([
  [TWICE, "number: is given twice"],
  [TWO_SPELLINGS, "number: is given twice, in different spellings"],
])("the JSON API refuses %s", async (body, message) => {
  const response = await send("/ProbeService/look", body);
  expect(await response.json()).toMatchObject({ code: 400, message });
});

test.each([
  [TWICE, "number: is given twice"],
  [TWO_SPELLINGS, "number: is given twice, in different spellings"],
  ["{", "Decode request failed: not valid JSON"],
])("Connect refuses %s", async (body, message) => {
  const response = await send(`${PATH}/look`, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining(message),
  });
});

test("Connect takes JSON without duplicates", async () => {
  const response = await send(`${PATH}/look`, '{"number":"7","text":"number"}');
  expect(await response.json()).toMatchObject({ number: "7", text: "number" });
});

test.each([[1], [3], [1024]])("a Connect stream is checked message by message, in chunks of %i", async (size) => {
  const talk = async (...messages: string[]) => {
    const bytes = enveloped(...messages);
    const chunks = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, n) => bytes.slice(n * size, n * size + size),
    );
    const response = await send(`${PATH}/gather`, ReadableStream.from(chunks), "application/connect+json");
    return await response.text();
  };
  expect(await talk('{"text":"a"}', '{"text":"b"}', "{}")).toContain('"text":"a b ');
  expect(await talk('{"text":"a"}', '{"text":"b","text":"c"}')).toContain("text: is given twice");
  expect(await talk('{"text":"a"}', '{"text":"b","Text":"c"}')).toContain(
    "text: is given twice, in different spellings",
  );
});

test("a message above the limit is refused by its size, however it looks", async () => {
  const response = await send(`${PATH}/look`, `{"text":"${"a".repeat(5_000_000)}","text":""}`);
  expect(await response.json()).toMatchObject({ code: "resource_exhausted" });
});

test("compressed messages are checked too, on every wire with JSON", async () => {
  const compressed = (json: string) => new Uint8Array(gzipSync(json));
  const gzip = { "content-encoding": "gzip" };
  const look = async (json: string) =>
    await (await send(`${PATH}/look`, compressed(json), "application/json", gzip)).text();
  expect(await look('{"text":"a"}')).toBe('{"text":"a"}');
  expect(await look('{"text":"a","Text":"b"}')).toContain("text: is given twice, in different spellings");
  for (const [type, header] of STREAM_TYPES) {
    const gather = async (json: string) => {
      const bytes = compressed(json);
      const message = new Uint8Array([1, 0, 0, bytes.length >> 8, bytes.length & 255, ...bytes]);
      return decodeURIComponent(await (await send(`${PATH}/gather`, message, type, { [header]: "gzip" })).text());
    };
    expect(await gather('{"text":"a"}')).toContain('{"text":"a"}');
    expect(await gather('{"text":"a","text":"b"}')).toContain("is given twice");
    expect(await gather(`{"text":"${"a".repeat(5_000_000)}"}`)).toMatch(/larger than the limit of 4194304/);
  }
});

const STREAM_TYPES = [
  ["application/connect+json", "connect-content-encoding"],
  ["application/grpc-web+json", "grpc-encoding"],
] as const;

test("a compressed message in a request without a coding is refused", async () => {
  const bytes = new Uint8Array(gzipSync('{"text":"a"}'));
  const message = new Uint8Array([1, 0, 0, 0, bytes.length, ...bytes]);
  const stream = await send(`${PATH}/gather`, message, "application/connect+json");
  expect(await stream.text()).toContain('"code":"internal"');
});

test("the address of a GET request is checked as a body is", async () => {
  const get = async (json: string) =>
    await (await edgehelm.fetch(
      new Request(`http://edgehelm.test${PATH}/look?encoding=json&message=${encodeURIComponent(json)}`, {
        headers: { "x-cloud-access-token": (await edgehelm.token(as.admin()))! },
      }),
    )).text();
  expect(await get('{"text":"a"}')).toBe('{"text":"a"}');
  expect(await get('{"text":"a","text":"b"}')).toContain("text: is given twice");
});
