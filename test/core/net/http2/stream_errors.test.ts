import { describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { ErrorCode } from "../../../../core/net/http2/protocol.ts";
import { frameBytes } from "../../../harness/http2_client.ts";
import { END_HEADERS, ENDS, greet, REQUEST, request, stillServes, streamError, uint32 } from "./rig.ts";

const { PROTOCOL_ERROR, FRAME_SIZE_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED } = ErrorCode;
const BLOCK = [...encodeHeaderBlock(REQUEST)];

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
