import { describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { ErrorCode } from "../../../../core/net/http2/protocol.ts";
import { frameBytes } from "../../../harness/http2_client.ts";
import { connectionError, END_HEADERS, ENDS, greet, REQUEST, uint32 } from "./rig.ts";

const { PROTOCOL_ERROR, FRAME_SIZE_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, COMPRESSION_ERROR } = ErrorCode;
const BLOCK = [...encodeHeaderBlock(REQUEST)];

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
