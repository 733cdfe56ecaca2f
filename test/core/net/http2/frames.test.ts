import { describe, expect, test } from "vitest";
import { ErrorCode, FrameType, PREFACE } from "../../../../core/net/http2/protocol.ts";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { frameBytes, Http2Client } from "../../../harness/http2_client.ts";
import {
  bodyOf,
  connectionError,
  END_HEADERS,
  END_STREAM,
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

const { PROTOCOL_ERROR, FRAME_SIZE_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, COMPRESSION_ERROR } = ErrorCode;
const BLOCK = [...encodeHeaderBlock(REQUEST)];
const PREFACE_BYTES = new TextEncoder().encode(PREFACE);

/** Frames that end the connection with an error when sent after the handshake. */
const CONNECTION_ERRORS: readonly [section: string, name: string, frames: readonly Uint8Array[], code: number][] = [
  ["4.2", "a frame above SETTINGS_MAX_FRAME_SIZE", [frameBytes(0, 0, 1, new Uint8Array(16_385))], FRAME_SIZE_ERROR],
  ["4.3", "a header block that is not HPACK", [frameBytes(1, ENDS, 1, [0x80])], COMPRESSION_ERROR],
  [
    "4.3",
    "a frame between HEADERS and CONTINUATION",
    [frameBytes(1, 0, 1, BLOCK), frameBytes(6, 0, 0, Array(8))],
    PROTOCOL_ERROR,
  ],
  ["4.3", "a CONTINUATION of another stream", [frameBytes(1, 0, 1, BLOCK), frameBytes(9, 4, 3)], PROTOCOL_ERROR],
  ["5.5", "an unknown frame inside a header block", [frameBytes(1, 0, 1, BLOCK), frameBytes(99, 0, 1)], PROTOCOL_ERROR],
  ["5.1", "DATA on an idle stream", [frameBytes(0, 0, 1)], PROTOCOL_ERROR],
  ["5.1", "RST_STREAM on an idle stream", [frameBytes(3, 0, 1, uint32(8))], PROTOCOL_ERROR],
  ["5.1", "WINDOW_UPDATE on an idle stream", [frameBytes(8, 0, 1, uint32(1))], PROTOCOL_ERROR],
  ["5.1", "CONTINUATION on an idle stream", [frameBytes(9, 4, 1, BLOCK)], PROTOCOL_ERROR],
  ["5.1", "HEADERS on a stream that ended", [
    frameBytes(1, ENDS, 1, BLOCK),
    frameBytes(1, ENDS, 3, BLOCK),
    frameBytes(1, ENDS, 1, BLOCK),
  ], STREAM_CLOSED],
  ["5.1.1", "a stream with an even number", [frameBytes(1, ENDS, 2, BLOCK)], PROTOCOL_ERROR],
  [
    "5.1.1",
    "a stream below one that was opened",
    [frameBytes(1, ENDS, 5, BLOCK), frameBytes(1, ENDS, 3, BLOCK)],
    STREAM_CLOSED,
  ],
  ["6.1", "DATA on stream 0", [frameBytes(0, 0, 0, [1])], PROTOCOL_ERROR],
  [
    "6.1",
    "padding as long as its frame",
    [frameBytes(1, END_HEADERS, 1, BLOCK), frameBytes(0, 8, 1, [3, 0, 0])],
    PROTOCOL_ERROR,
  ],
  ["6.2", "HEADERS on stream 0", [frameBytes(1, ENDS, 0, BLOCK)], PROTOCOL_ERROR],
  ["6.2", "HEADERS with too much padding", [frameBytes(1, ENDS | 8, 1, [9, ...BLOCK.slice(0, 4)])], PROTOCOL_ERROR],
  ["6.2", "HEADERS with half a priority", [frameBytes(1, ENDS | 0x20, 1, [0, 0])], FRAME_SIZE_ERROR],
  ["6.3", "PRIORITY on stream 0", [frameBytes(2, 0, 0, [0, 0, 0, 0, 1])], PROTOCOL_ERROR],
  ["6.3", "PRIORITY of 4 bytes on an idle stream", [frameBytes(2, 0, 1, [0, 0, 0, 0])], FRAME_SIZE_ERROR],
  ["6.4", "RST_STREAM on stream 0", [frameBytes(3, 0, 0, uint32(8))], PROTOCOL_ERROR],
  [
    "6.4",
    "RST_STREAM of 3 bytes",
    [frameBytes(1, END_HEADERS, 1, BLOCK), frameBytes(3, 0, 1, [0, 0, 8])],
    FRAME_SIZE_ERROR,
  ],
  ["6.5", "SETTINGS on a stream", [frameBytes(4, 0, 1)], PROTOCOL_ERROR],
  ["6.5", "SETTINGS of 5 bytes", [frameBytes(4, 0, 0, [0, 3, 0, 0, 0])], FRAME_SIZE_ERROR],
  ["6.5", "SETTINGS with ACK and a payload", [frameBytes(4, 1, 0, [0, 3, ...uint32(1)])], FRAME_SIZE_ERROR],
  ["6.5.2", "ENABLE_PUSH 2", [frameBytes(4, 0, 0, [0, 2, ...uint32(2)])], PROTOCOL_ERROR],
  ["6.5.2", "INITIAL_WINDOW_SIZE 2^31", [frameBytes(4, 0, 0, [0, 4, ...uint32(2 ** 31)])], FLOW_CONTROL_ERROR],
  ["6.5.2", "MAX_FRAME_SIZE 16383", [frameBytes(4, 0, 0, [0, 5, ...uint32(16_383)])], PROTOCOL_ERROR],
  ["6.5.2", "MAX_FRAME_SIZE 2^24", [frameBytes(4, 0, 0, [0, 5, ...uint32(2 ** 24)])], PROTOCOL_ERROR],
  ["6.6", "PUSH_PROMISE of a client", [frameBytes(5, 4, 1, [0, 0, 0, 2, ...BLOCK])], PROTOCOL_ERROR],
  ["6.7", "PING on a stream", [frameBytes(6, 0, 1, Array(8).fill(0))], PROTOCOL_ERROR],
  ["6.7", "PING of 7 bytes", [frameBytes(6, 0, 0, Array(7).fill(0))], FRAME_SIZE_ERROR],
  ["6.8", "GOAWAY on a stream", [frameBytes(7, 0, 1, Array(8).fill(0))], PROTOCOL_ERROR],
  ["6.8", "GOAWAY of 7 bytes", [frameBytes(7, 0, 0, Array(7).fill(0))], FRAME_SIZE_ERROR],
  ["6.9", "WINDOW_UPDATE of 3 bytes", [frameBytes(8, 0, 0, [0, 0, 1])], FRAME_SIZE_ERROR],
  ["6.9", "WINDOW_UPDATE by 0 on the connection", [frameBytes(8, 0, 0, uint32(0))], PROTOCOL_ERROR],
  ["6.9.1", "a connection window above 2^31-1", [frameBytes(8, 0, 0, uint32(2 ** 31 - 1))], FLOW_CONTROL_ERROR],
  ["6.9.2", "INITIAL_WINDOW_SIZE that makes an open stream's window too large", [
    frameBytes(1, END_HEADERS, 1, BLOCK),
    frameBytes(8, 0, 1, uint32(2 ** 31 - 1 - 65_535)),
    frameBytes(4, 0, 0, [0, 4, ...uint32(65_536)]),
  ], FLOW_CONTROL_ERROR],
  [
    "6.10",
    "CONTINUATION without HEADERS",
    [frameBytes(1, END_HEADERS, 1, BLOCK), frameBytes(9, 4, 1, [])],
    PROTOCOL_ERROR,
  ],
  ["6.10", "CONTINUATION on stream 0", [frameBytes(1, 0, 1, BLOCK), frameBytes(9, 4, 0)], PROTOCOL_ERROR],
];

describe("ends the connection", () => {
  test.each(CONNECTION_ERRORS)("%s: %s", async (_section, _name, frames, code) => {
    const { client } = greet();
    client.send(...frames);
    expect(await connectionError(client)).toBe(code);
  });
});

const STREAM_ERRORS: readonly [section: string, name: string, frames: readonly Uint8Array[], code: number][] = [
  ["5.1", "DATA after END_STREAM", [
    frameBytes(1, ENDS, 1, [...encodeHeaderBlock(request({ ":path": "/hold" }))]),
    frameBytes(0, 0, 1, [1]),
  ], STREAM_CLOSED],
  ["5.1", "HEADERS after END_STREAM", [
    frameBytes(1, ENDS, 1, [...encodeHeaderBlock(request({ ":path": "/hold" }))]),
    frameBytes(1, ENDS, 1, BLOCK),
  ], STREAM_CLOSED],
  ["5.1", "DATA after RST_STREAM", [
    frameBytes(1, END_HEADERS, 1, BLOCK),
    frameBytes(3, 0, 1, uint32(8)),
    frameBytes(0, 0, 1, [1]),
  ], STREAM_CLOSED],
  [
    "6.3",
    "PRIORITY of 4 bytes",
    [frameBytes(1, END_HEADERS, 1, BLOCK), frameBytes(2, 0, 1, [0, 0, 0, 0])],
    FRAME_SIZE_ERROR,
  ],
  ["6.9", "WINDOW_UPDATE by 0", [frameBytes(1, END_HEADERS, 1, BLOCK), frameBytes(8, 0, 1, uint32(0))], PROTOCOL_ERROR],
  [
    "6.9.1",
    "a window above 2^31-1",
    [frameBytes(1, END_HEADERS, 1, BLOCK), frameBytes(8, 0, 1, uint32(2 ** 31 - 1))],
    FLOW_CONTROL_ERROR,
  ],
  ["8.1", "a second header block that does not end the stream", [
    frameBytes(1, END_HEADERS, 1, BLOCK),
    frameBytes(1, END_HEADERS, 1, []),
  ], PROTOCOL_ERROR],
  ["8.1", "pseudo fields in trailers", [
    frameBytes(1, END_HEADERS, 1, BLOCK),
    frameBytes(1, ENDS, 1, [...encodeHeaderBlock([[":path", "/"]])]),
  ], PROTOCOL_ERROR],
  ["8.1.1", "a body longer than content-length", [
    frameBytes(1, END_HEADERS, 1, [...encodeHeaderBlock(request({ "content-length": "1" }))]),
    frameBytes(0, 0, 1, [1, 2]),
  ], PROTOCOL_ERROR],
  ["8.1.1", "a body shorter than content-length", [
    frameBytes(1, END_HEADERS, 1, [...encodeHeaderBlock(request({ "content-length": "3" }))]),
    frameBytes(0, 1, 1, [1, 2]),
  ], PROTOCOL_ERROR],
];

describe("ends only the stream", () => {
  test.each(STREAM_ERRORS)("%s: %s", async (_section, _name, frames, code) => {
    const { client } = greet();
    client.send(...frames);
    expect(await streamError(client, 1)).toBe(code);
    await stillServes(client, 3);
  });
});

describe("3.4: the preface", () => {
  test("a client that does not speak HTTP/2 gets an HTTP/1.1 response and is disconnected", async () => {
    const client = new Http2Client(rig().server, { raw: true });
    client.send(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
    await client.untilClosed();
    expect(client.text).toContain("HTTP/1.1 400");
  });

  test("the first frame must be SETTINGS", async () => {
    const client = new Http2Client(rig().server);
    client.send(PREFACE_BYTES, frameBytes(6, 0, 0, Array(8).fill(0)));
    expect(await connectionError(client)).toBe(PROTOCOL_ERROR);
  });

  test("the first SETTINGS must not be an ACK", async () => {
    const client = new Http2Client(rig().server);
    client.send(PREFACE_BYTES, frameBytes(4, 1, 0));
    expect(await connectionError(client)).toBe(PROTOCOL_ERROR);
  });

  test("the server begins with SETTINGS and acknowledges those of the client", async () => {
    const { client } = greet();
    await client.until(({ type, flags }) => type === FrameType.SETTINGS && flags === 1);
    expect(client.frames[0]).toMatchObject({ type: FrameType.SETTINGS, flags: 0, streamId: 0 });
  });

  test("preface and frames may arrive byte by byte", async () => {
    const client = new Http2Client(rig().server);
    const bytes = [
      PREFACE_BYTES,
      frameBytes(4, 0, 0),
      frameBytes(1, END_HEADERS, 1, BLOCK),
      frameBytes(0, 1, 1, [7, 8]),
    ];
    for (const part of bytes) for (const byte of part) client.send(Uint8Array.of(byte));
    expect([...await bodyOf(client, 1)]).toEqual([7, 8]);
  });
});

describe("is lenient where it must be", () => {
  test.each<[string, string, readonly Uint8Array[]]>([
    ["4.1", "unknown frame types", [frameBytes(0xee, 0xff, 0, [1, 2, 3]), frameBytes(0xef, 0, 7, [])]],
    ["4.1", "the reserved bit of a stream id", [frameBytes(8, 0, 2 ** 31, uint32(1))]],
    ["4.1", "unknown flags", [frameBytes(4, 0xfe, 0)]],
    ["5.3", "priorities, even of idle streams", [frameBytes(2, 0, 9, [0, 0, 0, 1, 5])]],
    ["6.5", "unknown settings", [frameBytes(4, 0, 0, [0x99, 0x99, ...uint32(5)])]],
    ["6.8", "GOAWAY, after which open streams continue", [frameBytes(7, 0, 0, Array(8).fill(0))]],
  ])("%s: %s", async (_section, _name, frames) => {
    const { client } = greet();
    client.send(...frames);
    await stillServes(client, 11);
  });

  test("6.2: padding and priority of HEADERS, padding of DATA", async () => {
    const { client } = greet();
    client.frame(1, END_HEADERS | 8 | 0x20, 1, [2, 0, 0, 0, 0, 7, ...BLOCK, 0, 0]);
    client.frame(0, END_STREAM | 8, 1, [3, 65, 66, 0, 0, 0]);
    expect([...await bodyOf(client, 1)]).toEqual([65, 66]);
  });

  test("6.10: a header block in many frames", async () => {
    const { client } = greet();
    client.frame(1, END_STREAM, 1, BLOCK.slice(0, 3));
    client.frame(9, 0, 1, BLOCK.slice(3, 5));
    client.frame(9, 4, 1, BLOCK.slice(5));
    await ended(client, 1);
  });

  test("5.1: late frames on a stream that the server reset", async () => {
    const { client } = greet();
    client.headers(1, [...REQUEST, ["Bad", ""]], END_HEADERS);
    await streamError(client, 1);
    client.frame(0, 0, 1, [1, 2, 3]);
    client.frame(8, 0, 1, uint32(5));
    client.headers(1, [["x", "y"]], ENDS);
    await stillServes(client, 3);
  });

  test("8.1: trailers of a request", async () => {
    const { client } = greet();
    client.headers(1, REQUEST);
    client.frame(0, 0, 1, [9]);
    client.headers(1, [["x-checksum", "9"]], ENDS);
    expect([...await bodyOf(client, 1)]).toEqual([9]);
  });

  test("6.7: PING is acknowledged with its payload, and an ACK is not", async () => {
    const { client } = greet();
    client.frame(6, 1, 0, [8, 7, 6, 5, 4, 3, 2, 1]);
    client.frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]);
    await client.until(({ type }) => type === FrameType.PING);
    await stillServes(client, 1);
    const pings = client.frames.filter(({ type }) => type === FrameType.PING);
    expect(pings.map(({ flags, payload }) => [flags, ...payload])).toEqual([[1, 1, 2, 3, 4, 5, 6, 7, 8]]);
  });
});
