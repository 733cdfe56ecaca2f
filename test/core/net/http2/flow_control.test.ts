import { describe, expect, test } from "vitest";
import { CONNECTION_WINDOW, STREAM_WINDOW } from "../../../../core/net/http2/limits.ts";
import { ErrorCode, FrameType } from "../../../../core/net/http2/protocol.ts";
import { frameBytes, type Http2Client } from "../../../harness/http2_client.ts";
import { bodyOf, END_HEADERS, ended, ENDS, greet, REQUEST, request, stillServes, streamError, uint32 } from "./rig.ts";

const DEFAULT_WINDOW = 65_535;
const INITIAL_WINDOW_SIZE = [0, 4];

function sent(client: Http2Client, streamId?: number): number {
  const data = client.frames.filter((frame) =>
    frame.type === FrameType.DATA && (streamId ?? frame.streamId) === frame.streamId
  );
  return data.reduce((sum, { payload }) => sum + payload.length, 0);
}

/** Resolves when the server has sent everything that the windows allow. */
async function settled(client: Http2Client): Promise<void> {
  const ping = [...uint32(client.frames.length), ...uint32(7)];
  client.frame(6, 0, 0, ping);
  await client.until(({ type, payload }) => type === FrameType.PING && String(payload) === String(ping));
  await new Promise((resolve) => setTimeout(resolve));
}

function requestBytes(client: Http2Client, streamId: number, bytes: number): void {
  client.headers(streamId, request({ ":path": `/large?${bytes}` }), ENDS);
}

describe("6.9: what the server sends", () => {
  test("never exceeds the connection window, and continues when the window grows", async () => {
    const { client } = greet({}, [...INITIAL_WINDOW_SIZE, ...uint32(2 ** 30)]);
    requestBytes(client, 1, 100_000);
    await settled(client);
    expect(sent(client)).toBe(DEFAULT_WINDOW);
    client.frame(8, 0, 0, uint32(1000));
    await settled(client);
    expect(sent(client)).toBe(DEFAULT_WINDOW + 1000);
    client.frame(8, 0, 0, uint32(100_000));
    expect((await bodyOf(client, 1)).length).toBe(100_000);
  });

  test("never exceeds a stream window, while other streams continue", async () => {
    const { client } = greet({}, [...INITIAL_WINDOW_SIZE, ...uint32(10)]);
    requestBytes(client, 1, 100);
    requestBytes(client, 3, 10);
    expect((await bodyOf(client, 3)).length).toBe(10);
    expect(sent(client, 1)).toBe(10);
    client.frame(8, 0, 1, uint32(89));
    await settled(client);
    expect(sent(client, 1)).toBe(99);
    client.frame(8, 0, 1, uint32(1));
    expect((await bodyOf(client, 1)).length).toBe(100);
  });

  test("6.9.2: follows a change of INITIAL_WINDOW_SIZE, even to a negative window", async () => {
    const { client } = greet({}, [...INITIAL_WINDOW_SIZE, ...uint32(20)]);
    requestBytes(client, 1, 50);
    await settled(client);
    client.frame(4, 0, 0, [...INITIAL_WINDOW_SIZE, ...uint32(5)]);
    client.frame(8, 0, 1, uint32(15));
    await settled(client);
    expect(sent(client, 1)).toBe(20);
    client.frame(4, 0, 0, [...INITIAL_WINDOW_SIZE, ...uint32(30)]);
    await settled(client);
    expect(sent(client, 1)).toBe(45);
    client.frame(8, 0, 1, uint32(5));
    expect((await bodyOf(client, 1)).length).toBe(50);
  });

  test("6.9.1: needs no window for an empty response", async () => {
    const { client } = greet({}, [...INITIAL_WINDOW_SIZE, ...uint32(0)]);
    await stillServes(client, 1);
  });

  test("alternates fairly between streams", async () => {
    const { client } = greet({}, [...INITIAL_WINDOW_SIZE, ...uint32(2 ** 30)]);
    const ids = [1, 3, 5, 7];
    for (const id of ids) requestBytes(client, id, 1_000_000);
    await settled(client);
    const before = ids.map((id) => sent(client, id));
    client.frame(8, 0, 0, uint32(16_384 * 40));
    await settled(client);
    const shares = ids.map((id, index) => sent(client, id) - before[index]!);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(16_384);
  });

  test("is split into frames of at most 16,384 bytes", async () => {
    const { client } = greet();
    requestBytes(client, 1, 60_000);
    await ended(client, 1);
    expect(Math.max(...client.frames.map(({ payload }) => payload.length))).toBe(16_384);
  });
});

describe("6.9: what the client sends", () => {
  test("returns to its windows as it is consumed, including padding", async () => {
    const { client } = greet();
    client.headers(1, REQUEST, END_HEADERS);
    const frame = frameBytes(0, 8, 1, [100, ...new Uint8Array(16_283)]);
    for (let number = 0; number < 200; number++) client.send(frame);
    client.frame(0, 1, 1);
    client.frame(8, 0, 0, uint32(2 ** 24));
    client.frame(8, 0, 1, uint32(2 ** 24));
    expect((await bodyOf(client, 1)).length).toBe(200 * 16_183);
    const updates = client.frames.filter(({ type }) => type === FrameType.WINDOW_UPDATE);
    const granted = (streamId: number) =>
      updates.filter((update) => update.streamId === streamId)
        .reduce((sum, { payload }) => sum + new DataView(payload.buffer).getUint32(0), 0);
    expect(granted(1)).toBeGreaterThan(200 * 16_384 - STREAM_WINDOW);
    expect(granted(0)).toBeGreaterThan(200 * 16_384 - CONNECTION_WINDOW);
  });

  test("6.9.1: ends the stream if it exceeds the stream window", async () => {
    const { client } = greet();
    client.headers(1, request({ ":path": "/unread" }), END_HEADERS);
    const whole = frameBytes(0, 0, 1, new Uint8Array(16_384));
    for (let number = 0; number < STREAM_WINDOW / 16_384; number++) client.send(whole);
    await settled(client);
    expect(client.frames.some(({ type }) => type === FrameType.RST_STREAM)).toBe(false);
    client.frame(0, 0, 1, [1]);
    expect(await streamError(client, 1)).toBe(ErrorCode.FLOW_CONTROL_ERROR);
    await stillServes(client, 3);
  });

  test("is stopped with NO_ERROR by an early response", async () => {
    const { client } = greet();
    client.headers(1, request({ ":path": "/early" }), END_HEADERS);
    await ended(client, 1);
    expect(await streamError(client, 1)).toBe(ErrorCode.NO_ERROR);
    client.frame(0, 1, 1, [1, 2, 3]);
    await stillServes(client, 3);
  });
});
