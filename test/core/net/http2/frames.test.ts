import { describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { FrameType } from "../../../../core/net/http2/protocol.ts";
import { frameBytes } from "../../../harness/http2_client.ts";
import {
  bodyOf,
  END_HEADERS,
  END_STREAM,
  ended,
  ENDS,
  greet,
  REQUEST,
  stillServes,
  streamError,
  uint32,
} from "./rig.ts";

const BLOCK = [...encodeHeaderBlock(REQUEST)];

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
