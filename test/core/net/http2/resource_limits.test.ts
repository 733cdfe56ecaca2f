import { describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { ErrorCode, FrameType } from "../../../../core/net/http2/protocol.ts";
import { Http2Client } from "../../../harness/http2_client.ts";
import { END_HEADERS, ended, ENDS, greet, REQUEST, request, rig, stillServes, streamError, uint32 } from "./rig.ts";

const { REFUSED_STREAM } = ErrorCode;
const BLOCK = encodeHeaderBlock(REQUEST);
const HOLD = encodeHeaderBlock(request({ ":path": "/hold" }));

describe("HPACK", () => {
  test("a bomb of references to one large field is refused", async () => {
    const { client, paths } = greet();
    const large = encodeHeaderBlock([["x", "v".repeat(3000)]]);
    large[0] = 0x40;
    client.frame(1, ENDS, 1, [...BLOCK, ...large, ...Array(12_000).fill(0xbe)]);
    const { payload } = await ended(client, 1);
    expect(client.decoder.decode(payload, 0, payload.length).fields[0]?.value).toBe("431");
    expect(paths).toEqual([]);
    await stillServes(client, 3);
  });

  test("a header list above the limit is refused, and the table stays in sync", async () => {
    const { client, paths } = greet({ headerListBytes: 200 });
    const named = [0x40, 1, 120, 1, 121];
    client.frame(1, ENDS, 1, [...encodeHeaderBlock([...REQUEST, ["long", "z".repeat(200)]]), ...named]);
    await ended(client, 1);
    client.frame(1, ENDS, 3, [...BLOCK, 0xbe]);
    await ended(client, 3);
    expect(paths).toEqual(["/echo"]);
  });
});

describe("streams", () => {
  test("beyond the limit are refused until others end", async () => {
    const { client, held } = greet({ concurrentStreams: 3 });
    for (const id of [1, 3, 5, 7]) client.frame(1, ENDS, id, HOLD);
    expect(await streamError(client, 7)).toBe(REFUSED_STREAM);
    held[0]!.respond(encodeHeaderBlock([[":status", "200"]]), [], encodeHeaderBlock([["grpc-status", "0"]]));
    held[0]!.release();
    await stillServes(client, 9);
  });

  test("that were reset count until their handlers finish", async () => {
    const server = rig({ concurrentStreams: 3 });
    const client = Http2Client.connect(server.server);
    // Handlers that do not stop when the stream is reset.
    for (const id of [1, 3, 5]) client.frame(1, ENDS, id, HOLD);
    for (const stream of server.held) stream.sink = { ...stream.sink!, aborted() {} };
    for (const id of [1, 3, 5]) client.frame(3, 0, id, uint32(8));
    client.frame(1, ENDS, 7, HOLD);
    expect(await streamError(client, 7)).toBe(REFUSED_STREAM);
    server.held[0]!.release();
    await stillServes(client, 9);
  });
});

describe("memory", () => {
  test("the memory that the requests of one connection hold is limited", async () => {
    const { client, aborted } = greet({ connectionBytes: 100_000 });
    for (const id of [1, 3, 5, 7, 9, 11, 13, 15]) {
      client.headers(id, REQUEST, END_HEADERS);
      client.frame(0, 0, id, new Uint8Array(16_000));
    }
    await client.until(({ type }) => type === FrameType.RST_STREAM);
    const resets = client.frames.filter(({ type }) => type === FrameType.RST_STREAM).map(({ streamId }) => streamId);
    expect(resets).toEqual([13, 15]);
    expect(aborted).toEqual([]);
    client.frame(0, 1, 1);
    await ended(client, 1);
  });

  test("a client that does not read is paused, and its responses are not buffered", async () => {
    const { client } = greet({}, [0, 4, ...uint32(2 ** 31 - 1)]);
    await stillServes(client, 1);
    client.frame(8, 0, 0, uint32(2 ** 30));
    client.isReading = false;
    let id = 3;
    while (!client.isPaused && id < 2000) {
      client.headers(id, request({ ":path": "/large?200000" }), ENDS);
      id += 2;
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(client.frames.filter(({ type }) => type === FrameType.DATA).length).toBe(0);
    client.read();
    await ended(client, id - 2);
  });
});
