import { afterEach, describe, expect, test, vi } from "vitest";
import { HTTP2_LIMITS } from "../../../../core/net/http2/limits.ts";
import { ErrorCode, FrameType } from "../../../../core/net/http2/protocol.ts";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { frameBytes, Http2Client } from "../../../harness/http2_client.ts";
import {
  connectionError,
  END_HEADERS,
  ended,
  ENDS,
  greet,
  REQUEST,
  request,
  rig,
  stillServes,
  streamError,
  uint32,
} from "./rig.ts";

const { ENHANCE_YOUR_CALM, REFUSED_STREAM, CANCEL } = ErrorCode;
const BLOCK = encodeHeaderBlock(REQUEST);
const HOLD = encodeHeaderBlock(request({ ":path": "/hold" }));

/** Sends frames repeatedly until the connection ends. Returns the number of rounds. */
function flood(client: Http2Client, maxRounds: number, frames: (round: number) => Uint8Array[]): number {
  let round = 0;
  while (!client.isClosed && round < maxRounds) client.send(...frames(round++));
  return round;
}

describe("closes a connection that floods the server with", () => {
  test.each<[string, (round: number) => Uint8Array[]]>([
    ["rapid resets (CVE-2023-44487)", (round) => [
      frameBytes(1, ENDS, round * 2 + 1, HOLD),
      frameBytes(3, 0, round * 2 + 1, uint32(8)),
    ]],
    ["requests that the server must reset (CVE-2025-8671)", (round) => [
      frameBytes(1, END_HEADERS, round * 2 + 1, HOLD),
      frameBytes(8, 0, round * 2 + 1, uint32(0)),
    ]],
    ["SETTINGS", () => [frameBytes(4, 0, 0)]],
    ["PING", () => [frameBytes(6, 0, 0, Array(8).fill(1))]],
    ["empty DATA", (round) => round === 0 ? [frameBytes(1, END_HEADERS, 1, BLOCK)] : [frameBytes(0, 0, 1)]],
    ["PRIORITY", () => [frameBytes(2, 0, 1, [0, 0, 0, 0, 1])]],
    ["window updates", () => [frameBytes(8, 0, 0, uint32(1))]],
    ["unknown frames", () => [frameBytes(77, 0, 0)]],
    ["malformed requests", (round) => [frameBytes(1, ENDS, round * 2 + 1, [0x82])]],
  ])("%s", async (_name, frames) => {
    const { client } = greet();
    const rounds = flood(client, 100_000, frames);
    expect(await connectionError(client)).toBe(ENHANCE_YOUR_CALM);
    expect(rounds).toBeLessThan(1100);
  });

  test.each([["large", new Uint8Array(1000).fill(0)], ["empty", new Uint8Array()]])(
    "%s CONTINUATION frames",
    async (_name, payload) => {
      const { client } = greet();
      client.frame(1, 0, 1, BLOCK);
      const rounds = flood(client, 10_000, () => [frameBytes(9, 0, 1, payload)]);
      expect(await connectionError(client)).toBe(ENHANCE_YOUR_CALM);
      expect(rounds).toBeLessThan(40);
    },
  );
});

test("a busy client is not treated as a flood", async () => {
  const { client } = greet();
  for (let round = 0; round < 5000; round++) {
    client.send(frameBytes(1, ENDS, round * 2 + 1, BLOCK), frameBytes(8, 0, 0, uint32(1)));
    if (round % 100 === 0) await ended(client, round * 2 + 1);
    client.frames.splice(0, client.frames.length - 50);
  }
  await stillServes(client, 10_001);
});

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

describe("time limits", () => {
  afterEach(() => void vi.useRealTimers());

  test.each<[string, (client: Http2Client) => void]>([
    ["no bytes", () => {}],
    ["half a preface", (client) => client.send(new TextEncoder().encode("PRI * HTTP"))],
    ["half a header block", (client) => {
      client.send(new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frameBytes(4, 0, 0));
      client.frame(1, 0, 1, BLOCK);
    }],
  ])("a client that sends only %s is disconnected", async (_name, begin) => {
    const { server } = rig();
    const client = new Http2Client(server, { raw: true });
    begin(client);
    server.sweep(Date.now() + HTTP2_LIMITS.headerMilliseconds - 1000);
    expect(client.isClosed).toBe(false);
    server.sweep(Date.now() + HTTP2_LIMITS.headerMilliseconds + 1000);
    await client.untilClosed();
  });

  test("a response whose window stays closed is aborted", async () => {
    const { client, server, aborted } = greet({}, [0, 4, ...uint32(0)]);
    client.headers(1, request({ ":path": "/large?1000" }), ENDS);
    await client.until(({ type }) => type === FrameType.HEADERS);
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds - 1000);
    expect(aborted).toEqual([]);
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds + 1000);
    expect(await streamError(client, 1)).toBe(CANCEL);
    await stillServes(client, 3);
  });

  test("the time limit of a response begins with the response, not with the request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { client, server, aborted, held } = greet({}, [0, 4, ...uint32(0)]);
    client.frame(1, ENDS, 1, HOLD);
    vi.setSystemTime(Date.now() + 2 * HTTP2_LIMITS.stallMilliseconds);
    client.frame(6, 0, 0, Array(8).fill(1));
    held[0]!.respond(encodeHeaderBlock([[":status", "200"]]), [new Uint8Array(9)], encodeHeaderBlock([["a", "b"]]));
    await client.until(({ type }) => type === FrameType.HEADERS);
    server.sweep(Date.now() + 1000);
    expect(aborted).toEqual([]);
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds + 1000);
    expect(await streamError(client, 1)).toBe(CANCEL);
  });

  test("a client that does not read is disconnected", async () => {
    const { client, server } = greet();
    await stillServes(client, 1);
    client.isReading = false;
    client.headers(3, REQUEST, ENDS);
    await new Promise((resolve) => setTimeout(resolve));
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds + 1000);
    expect(client.isClosed).toBe(true);
  });

  test("a silent client is pinged, then disconnected", async () => {
    const { client, server } = greet();
    await stillServes(client, 1);
    const pingedAt = Date.now() + HTTP2_LIMITS.keepaliveMilliseconds + 1;
    server.sweep(pingedAt);
    await client.until(({ type, flags }) => type === FrameType.PING && flags === 0);
    server.sweep(pingedAt + HTTP2_LIMITS.keepaliveTimeoutMilliseconds + 1);
    expect(client.isClosed).toBe(true);
  });

  test("a client that acknowledges the ping stays connected", async () => {
    const { client, server } = greet();
    await stillServes(client, 1);
    const pingedAt = Date.now() + HTTP2_LIMITS.keepaliveMilliseconds + 1;
    server.sweep(pingedAt);
    const { payload } = await client.until(({ type, flags }) => type === FrameType.PING && flags === 0);
    client.frame(6, 1, 0, payload);
    server.sweep(pingedAt + HTTP2_LIMITS.keepaliveTimeoutMilliseconds + 1);
    await stillServes(client, 3);
  });
});

describe("the end of a connection", () => {
  test("drain finishes open streams and refuses new ones", async () => {
    const { client, server, held } = greet();
    client.frame(1, ENDS, 1, HOLD);
    const drained = server.drain(5000);
    const { payload } = await client.until(({ type, flags }) => type === FrameType.PING && flags === 0);
    await stillServes(client, 3);
    client.frame(6, 1, 0, payload);
    client.headers(5, REQUEST, ENDS);
    expect(await streamError(client, 5)).toBe(REFUSED_STREAM);
    held[0]!.respond(encodeHeaderBlock([[":status", "200"]]), [], encodeHeaderBlock([["grpc-status", "0"]]));
    await ended(client, 1);
    await drained;
    expect(client.isClosed).toBe(true);
    const goAways = client.frames.filter(({ type }) => type === FrameType.GOAWAY);
    expect(goAways.map(({ payload }) => new DataView(payload.buffer).getUint32(0))).toEqual([2 ** 31 - 1, 3]);
  });

  test("a client that disconnects aborts its streams", () => {
    const { client, aborted } = greet();
    client.frame(1, ENDS, 1, HOLD);
    client.close();
    expect(aborted).toEqual([1]);
  });
});
