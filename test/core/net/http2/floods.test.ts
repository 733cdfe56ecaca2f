import { describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { ErrorCode } from "../../../../core/net/http2/protocol.ts";
import { frameBytes, Http2Client } from "../../../harness/http2_client.ts";
import { connectionError, END_HEADERS, ended, ENDS, greet, REQUEST, request, stillServes, uint32 } from "./rig.ts";

const { ENHANCE_YOUR_CALM } = ErrorCode;
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
