import { anyPack, anyUnpack, type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";
import { create } from "@bufbuild/protobuf";
import { RpcError } from "edgehelm";
import type { ErrorKind } from "edgehelm/runtime";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERROR_CODES } from "../../core/base/errors.ts";
import { ERROR_STATUS } from "../../plugins/openapi/error_responses.ts";
import { ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import { probePlugin } from "../core/probe.ts";
import { ALL_WIRES, send } from "./rig.ts";

const CONNECT_CODES: Readonly<Record<number, string>> = {
  1: "canceled",
  2: "unknown",
  3: "invalid_argument",
  4: "deadline_exceeded",
  5: "not_found",
  6: "already_exists",
  7: "permission_denied",
  8: "resource_exhausted",
  9: "failed_precondition",
  10: "aborted",
  11: "out_of_range",
  12: "unimplemented",
  13: "internal",
  14: "unavailable",
  15: "data_loss",
  16: "unauthenticated",
};
const DETAIL: Duration = create(DurationSchema, { seconds: 7n });
// Longer than one frame of HTTP/2 once it is encoded.
const LONG = "\u4e00".repeat(2048);

const plugin = probePlugin(() => ({
  look({ text }) {
    if (text === "crash") throw new Error("a secret of the server");
    if (text === "long") throw new RpcError("probe.long", "invalid", LONG);
    if (text === "large") throw new RpcError("probe.large", "invalid", "x").withDetails(...largeDetails(8192));
    throw new RpcError("probe.thrown", text as ErrorKind, `on purpose: ${text}`)
      .withDetails(anyPack(DurationSchema, DETAIL)).withDetails(anyPack(DurationSchema, DETAIL));
  },
}));

function largeDetails(bytes: number) {
  const typeUrl = "type.googleapis.com/x";
  return [{ $typeName: "google.protobuf.Any" as const, typeUrl, value: new Uint8Array(bytes - typeUrl.length) }];
}

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

describe.each(ALL_WIRES)("over %s", (wire) => {
  test.each(Object.keys(ERROR_CODES) as ErrorKind[])(
    "an error of the kind %s keeps its text and details",
    async (kind) => {
      const { code, text, details } = await send(edgehelm, wire, kind);
      const { envelope, grpc } = ERROR_CODES[kind];
      expect(code).toBe(wire === "http" ? envelope : wire === "connect" ? CONNECT_CODES[grpc] : grpc);
      expect(text).toBe(`on purpose: ${kind}`);
      const own = details.filter(({ typeUrl }) => typeUrl.endsWith("/google.protobuf.Duration"));
      expect(own.map((any) => anyUnpack(any, DurationSchema))).toEqual([DETAIL, DETAIL]);
      if (wire !== "http") expect(anyUnpack(details[0]!, ErrorInfoSchema)!.reason).toBe("probe.thrown");
    },
  );

  test("an error that is no RpcError says nothing of itself", async () => {
    const { code, text } = await send(edgehelm, wire, "crash");
    expect([code, text]).toEqual([{ http: 500, connect: "internal", grpcweb: 13, grpc: 13 }[wire], "internal error"]);
  });

  test("the largest details and a long text arrive whole", async () => {
    const { details } = await send(edgehelm, wire, "large");
    expect(details.at(-1)!.value.length).toBe(8192 - "type.googleapis.com/x".length);
    const { text } = await send(edgehelm, wire, "long");
    expect(text).toBe(LONG);
  });
});

test("every code of gRPC but OK has a kind, and the description of the API knows them all", () => {
  expect(new Set(Object.values(ERROR_CODES).map(({ grpc }) => grpc))).toEqual(
    new Set(Object.keys(CONNECT_CODES).map(Number)),
  );
  const envelopes = Object.entries(ERROR_CODES).map(([kind, { envelope }]) => [kind, envelope]);
  expect(Object.fromEntries(envelopes)).toEqual(ERROR_STATUS);
});

test("details are at most 8192 bytes", () => {
  const error = new RpcError("probe.large", "invalid", "x");
  expect(() => error.withDetails(...largeDetails(8193))).toThrow(RangeError);
  expect(error.details).toEqual([]);
});
