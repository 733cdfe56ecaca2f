import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zlibCodings } from "../../core/host/listen/message_codings.ts";
import { acceptedCoding, type MessageCodings } from "../../core/transports/rpc/codings.ts";
import { webCodings } from "../../core/transports/rpc/web_codings.ts";
import { ProbeRequestSchema, ProbeResponseSchema } from "../fixtures/probe/proto/probe_pb.ts";
import { probePlugin } from "../core/probe.ts";
import { PATH, send } from "./rig.ts";

const LARGE = "a".repeat(9000);
const plugin = probePlugin(() => ({ look: ({ text }) => ({ text: text === "large" ? LARGE : text }) }));

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const RUNTIMES = [["a host", zlibCodings, ["gzip", "br", "zstd"]], ["workers", webCodings, ["gzip"]]] as const;

describe.each(RUNTIMES)("the codings of %s", (_name, codings: MessageCodings, names) => {
  test("are known", () => expect(codings.names).toEqual(names));

  test.each(names)("%s restores what it compressed, small and large", async (name) => {
    for (const size of [1, 1000, 100_000]) {
      const bytes = new Uint8Array(size).fill(7);
      const compressed = await codings.compress(name, bytes);
      expect(new Uint8Array(await codings.decompress(name, compressed, size))).toEqual(bytes);
    }
  });

  test.each(names)("%s stops at the limit, and refuses what it is not", async (name) => {
    for (const size of [1001, 10_000_000]) {
      const bomb = await codings.compress(name, new Uint8Array(size));
      await expect((async () => await codings.decompress(name, bomb, size - 1))()).rejects.toThrow(RangeError);
    }
    const garbage = new Uint8Array(9).fill(255);
    await expect((async () => await codings.decompress(name, garbage, 5000))()).rejects.toThrow();
  });
});

test("the first coding that the caller names and the runtime has is taken", () => {
  expect(acceptedCoding(undefined, zlibCodings)).toBeUndefined();
  expect(acceptedCoding("snappy, identity", zlibCodings)).toBeUndefined();
  expect(acceptedCoding("snappy, ZSTD,gzip", zlibCodings)).toBe("zstd");
  expect(acceptedCoding("zstd", webCodings)).toBeUndefined();
});

describe.each(["gzip", "br", "zstd"])("%s", (coding) => {
  test("compresses large messages of gRPC and gRPC-Web for those who accept it", async () => {
    for (const wire of ["grpc", "grpcweb"] as const) {
      const { body, headers } = await send(edgehelm, wire, "large", { "grpc-accept-encoding": coding });
      expect([body[0], headers.get("grpc-encoding")]).toEqual([1, coding]);
      const length = new DataView(body.buffer, body.byteOffset).getUint32(1);
      const plain = await zlibCodings.decompress(coding, body.subarray(5, 5 + length), 10_000);
      expect(fromBinary(ProbeResponseSchema, plain).text).toBe(LARGE);
      expect((await send(edgehelm, wire, "large")).text).toBe(LARGE);
      expect((await send(edgehelm, wire, "small", { "grpc-accept-encoding": coding })).body[0]).toBe(0);
    }
  });

  test("is taken from callers of Connect, who get what they accept and not what they send", async () => {
    const bytes = toBinary(ProbeRequestSchema, create(ProbeRequestSchema, { text: "large" }));
    const call = async (accepted: Record<string, string>) =>
      await edgehelm.fetch(
        new Request(`http://edgehelm.test${PATH}/look`, {
          method: "POST",
          headers: {
            "x-cloud-access-token": (await edgehelm.token(as.admin()))!,
            "content-type": "application/proto",
            "content-encoding": coding,
            ...accepted,
          },
          body: new Uint8Array(await zlibCodings.compress(coding, bytes)),
        }),
      );
    const compressed = await call({ "accept-encoding": coding });
    expect(compressed.headers.get("content-encoding")).toBe(coding);
    const body = await zlibCodings.decompress(coding, new Uint8Array(await compressed.arrayBuffer()), 10_000);
    expect(fromBinary(ProbeResponseSchema, body).text).toBe(LARGE);
    const plain = await call({});
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(fromBinary(ProbeResponseSchema, new Uint8Array(await plain.arrayBuffer())).text).toBe(LARGE);
  });

  test("cannot make a message larger than the limit", async () => {
    const bomb = await zlibCodings.compress(coding, new Uint8Array(5_000_000));
    const response = await edgehelm.fetch(
      new Request(`http://edgehelm.test${PATH}/look`, {
        method: "POST",
        headers: {
          "x-cloud-access-token": (await edgehelm.token(as.admin()))!,
          "content-type": "application/proto",
          "content-encoding": coding,
        },
        body: new Uint8Array(bomb),
      }),
    );
    expect(await response.json()).toMatchObject({ code: "resource_exhausted" });
  });
});
