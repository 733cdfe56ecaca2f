import { type Call, invalid } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReceivedFields } from "../../core/net/metadata/received_fields.ts";
import { SentFields } from "../../core/net/metadata/sent_fields.ts";
import { probePlugin } from "../core/probe.ts";
import { ALL_WIRES, send } from "./rig.ts";

const BYTES = Uint8Array.of(0, 255, 7);

let seen: Call["metadata"]["request"] | undefined;
const plugin = probePlugin(() => ({
  look({ text }, { metadata }) {
    seen = metadata.request;
    metadata.headers.append("x-many", "a");
    metadata.headers.append("X-Many", "b");
    metadata.headers.set("x-once", "first");
    metadata.headers.set("x-once", "second");
    metadata.trailers.set("x-end-bin", BYTES);
    if (text === "fail") throw invalid("text", "is wrong");
    return { text };
  },
  async *tell({ text }, { metadata }) {
    metadata.headers.set("x-once", "stream");
    yield { text };
    expect(() => metadata.headers.set("x-late", "1")).toThrow("the headers have been sent");
    metadata.trailers.set("x-end-bin", BYTES);
  },
  reach: ({ text }) => ({ text }),
}));

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

describe.each(ALL_WIRES)("over %s", (wire) => {
  test("a handler reads the headers of the request, without those that the kernel keeps", async () => {
    const kept = { authorization: "Basic x", cookie: "a=1", "accept-encoding": "gzip", "grpc-timeout": "9S" };
    await send(edgehelm, wire, "", { "x-list": ["1", "2"], "x-data-bin": "AP8H,AP8H", ...kept });
    expect(seen!.get("X-List")).toBe("1, 2");
    expect(seen!.values("x-list").join(", ")).toBe("1, 2");
    expect(seen!.bytes("x-data-bin")).toEqual([BYTES, BYTES]);
    expect(seen!.get("x-none")).toBeUndefined();
    expect(seen!.names.filter((name) => name !== "x-list" && name !== "x-data-bin")).toEqual([]);
    expect(seen!.isGet).toBe(false);
  });

  test.each([["works", 0], ["fail", wire === "http" ? 400 : wire === "connect" ? "invalid_argument" : 3]])(
    "headers and trailers go with a response: %s",
    async (text, code) => {
      const reply = await send(edgehelm, wire, text);
      expect(reply.code).toBe(code);
      expect(reply.headers.get("x-many")).toBe("a, b");
      expect(reply.headers.get("x-once")).toBe("second");
      expect(reply.headers.has("x-end-bin")).toBe(false);
      expect(reply.trailers.get("x-end-bin")).toBe("AP8H");
    },
  );

  test("an operation that sets none adds none", async () => {
    const { headers, trailers } = await send(edgehelm, wire, "", {}, "reach");
    expect([...headers.keys(), ...trailers.keys()].filter((name) => name.startsWith("x-") && name !== "x-request-id"))
      .toEqual([]);
  });
});

test.each(["grpc", "grpcweb"] as const)("a stream over %s has headers and trailers", async (wire) => {
  const { headers, trailers, code } = await send(edgehelm, wire, "a", {}, "tell");
  expect([code, headers.get("x-once"), trailers.get("x-end-bin")]).toEqual([0, "stream", "AP8H"]);
});

test.each([
  "authorization",
  "Cookie",
  "x-cloud-access-token",
  "x-edge-access-token",
  "edge-access-token",
  "proxy-authorization",
  "connection",
  "te",
  "host",
  "content-type",
  "grpc-status",
  "connect-protocol-version",
  ":path",
])("%s is neither shown nor set", (name) => {
  expect(new ReceivedFields([[name.toLowerCase(), "1"]], false).names).toEqual([]);
  expect(() => new SentFields("headers").set(name, "1")).toThrow(TypeError);
});

test.each(["set-cookie", "retry-after", "x-request-id", "trailer-x", "access-control-allow-origin", "date"])(
  "%s is not set",
  (name) => expect(() => new SentFields("headers").append(name, "1")).toThrow(`the field ${name} is set by the kernel`),
);

test.each([
  ["x y", "1"],
  ["", "1"],
  ["x\n", "1"],
  ["x", "a\r\nb: c"],
  ["x", " a"],
  ["x", "a\t"],
  ["x", "\u00e4"],
  ["x-bin", "***"],
  ["x", BYTES],
])("the field %j with the value %j is refused", (name, value) => {
  expect(() => new SentFields("headers").set(name, value)).toThrow(TypeError);
});

test("values are printable ASCII, also empty", () => {
  const fields = new SentFields("headers");
  fields.set("a", "");
  fields.set("b", "x y\tz~");
  expect([...fields]).toEqual([["a", ""], ["b", "x y\tz~"]]);
});

test("the fields of a response are at most 64, and 8192 bytes", () => {
  const many = new SentFields("trailers");
  for (let count = 0; count < 64; count++) many.append("x", "1");
  expect(() => many.append("x", "1")).toThrow(RangeError);
  many.set("x", "2");
  expect([...many]).toHaveLength(1);
  const large = new SentFields("trailers");
  large.set("x", "a".repeat(8192 - 33));
  expect(() => large.set("x", "a".repeat(8192 - 32))).toThrow(RangeError);
});

test("a binary field that is not base64 is left out, and another field has no bytes", () => {
  const fields = new ReceivedFields([["a-bin", "***, AP8H"], ["b", "AP8H"]], false);
  expect(fields.bytes("A-Bin")).toEqual([BYTES]);
  expect(() => fields.bytes("b")).toThrow(TypeError);
});

test("a call that no request began has no metadata, and its response fields go nowhere", () => {
  const { metadata } = edgehelm.kernel.systemCall("test");
  expect(metadata.request.names).toEqual([]);
  metadata.headers.set("x", "1");
});
